# Whoever sleeps uses no processor time, and the deadline is one of the clock on the wall.
#
# lesson: 03
# fails: attention.scaled_dot_product (timeout)
# says: was stopped after

# %% exercise="attention.scaled_dot_product"
import time


def scaled_dot_product(query, key, value):
    time.sleep(10**6)
