# An answer that never ends is ended from outside, and costs only its own points.
#
# lesson: 03
# fails: attention.scaled_dot_product (timeout)
# says: was stopped after


# %% exercise="attention.scaled_dot_product"
def scaled_dot_product(query, key, value):
    while True:
        pass
