# An array that claims to have 10^18 elements, but stores one.
#
# lesson: 03
# fails: attention.scaled_dot_product (type)
# fails: attention.one_way (type)
# says: elements (at most 1048576 are read)


# %% exercise="attention.scaled_dot_product"
def scaled_dot_product(query, key, value):
    return np.broadcast_to(0.0, (10**9, 10**9))


# %% exercise="attention.one_way"
one_way = np.lib.stride_tricks.as_strided(np.zeros(1), (2, 3, 10**9), (0, 0, 0))
