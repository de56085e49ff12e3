# An array larger than the memory that the process may use.
#
# lesson: 03
# fails: attention.scaled_dot_product (memory)
# says: MemoryError
# says: This needed more than 1024 MiB of memory


# %% exercise="attention.scaled_dot_product"
def scaled_dot_product(query, key, value):
    return np.ones(10**10)
