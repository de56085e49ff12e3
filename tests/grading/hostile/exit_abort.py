# An answer that aborts, as a failed assertion in compiled code does.
#
# lesson: 03
# fails: attention.scaled_dot_product (ended)
# says: a crash in compiled code

# %% exercise="attention.scaled_dot_product"
import os


def scaled_dot_product(query, key, value):
    os.abort()
