# Processes that start processes.
#
# lesson: 03
# fails: attention.scaled_dot_product (error)
# says: PermissionError

# %% exercise="attention.scaled_dot_product"
import os


def scaled_dot_product(query, key, value):
    while True:
        os.fork()
