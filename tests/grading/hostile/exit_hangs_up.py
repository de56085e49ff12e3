# An answer that closes every file it can, including the connection to the grader, and then waits: it is killed.
#
# lesson: 03
# fails: attention.scaled_dot_product (ended)
# says: a closed connection to the grader

# %% exercise="attention.scaled_dot_product"
import os
import time


def scaled_dot_product(query, key, value):
    os.closerange(0, 256)
    time.sleep(10**6)
