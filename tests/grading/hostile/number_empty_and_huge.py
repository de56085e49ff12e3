# Arrays without elements whose other axes are enormous: code that multiplies or fills them runs out of memory.
#
# lesson: 03
# fails: attention.scaled_dot_product (shape|type)
# fails: attention.one_way (shape|type)


# %% exercise="attention.scaled_dot_product"
def scaled_dot_product(query, key, value):
    return np.zeros((2**40, 0))


# %% exercise="attention.one_way"
one_way = (np.zeros((3, 0)), np.zeros((0, 2**40)))
