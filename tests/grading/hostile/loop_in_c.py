# One call into compiled code that never returns: Python's own interrupts do not reach it.
#
# lesson: 03
# fails: attention.scaled_dot_product (timeout)
# says: was stopped after


# %% exercise="attention.scaled_dot_product"
def scaled_dot_product(query, key, value):
    return sum(range(10**12))
