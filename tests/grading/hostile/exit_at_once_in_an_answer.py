# An answer that ends the process with the exit status of success.
#
# lesson: 03
# fails: attention.scaled_dot_product (ended)
# says: Your answer stopped the run: it ended its own process (exit status 0).

# %% exercise="attention.scaled_dot_product"
import os


def scaled_dot_product(query, key, value):
    os._exit(0)
