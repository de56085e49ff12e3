# A list that grows without end meets the limit of the process, as an ordinary MemoryError, and not the computer's.
#
# lesson: 03
# fails: attention.scaled_dot_product (error)
# says: MemoryError


# %% exercise="attention.scaled_dot_product"
def scaled_dot_product(query, key, value):
    numbers = [0] * 10**7
    while True:
        numbers = numbers * 100
