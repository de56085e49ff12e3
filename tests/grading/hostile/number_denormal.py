# Numbers so small that processors take a hundred times as long to compute with them, and as many as an array may have.
#
# lesson: 03
# fails: attention.scaled_dot_product (value|shape)
# fails: attention.one_way (mistake)


# %% exercise="attention.scaled_dot_product"
def scaled_dot_product(query, key, value):
    return np.full((2**9, 2**9), 5e-324)


# %% exercise="attention.one_way"
one_way = (np.full((3, 1666), 5e-324), np.full((3, 1666), -5e-324))
