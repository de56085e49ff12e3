# Sleeping uses no processor time, so there is a deadline on the clock as well.
#
# lesson: 03
# fails: attention.scaled_dot_product (timeout)
# says: was stopped after

# %% exercise="attention.scaled_dot_product"
import time


def scaled_dot_product(query, key, value):
    time.sleep(10**6)
