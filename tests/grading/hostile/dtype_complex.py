# Complex numbers.
#
# lesson: 03
# fails: attention.scaled_dot_product (type)
# says: array of complex128


# %% exercise="attention.scaled_dot_product"
def scaled_dot_product(query, key, value):
    scores = query @ key.swapaxes(-2, -1) / np.sqrt(query.shape[-1])
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True) @ value + 0j
