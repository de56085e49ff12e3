# A list that grows for ever reaches the limit of the process, not the computer's, and raises an ordinary MemoryError.
#
# lesson: 03
# fails: attention.scaled_dot_product (memory)
# says: MemoryError
# says: This needed more than 1024 MiB of memory


# %% exercise="attention.scaled_dot_product"
def scaled_dot_product(query, key, value):
    numbers = [0] * 10**7
    while True:
        numbers = numbers * 100
