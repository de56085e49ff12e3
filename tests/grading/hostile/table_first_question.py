# An answer that is right for the smallest question only, and returns what it returned before for all others.
#
# lesson: 03
# fails: attention.scaled_dot_product (value|shape|law|property|mistake|error)

# %% exercise="attention.scaled_dot_product"
table = []


def scaled_dot_product(query, key, value):
    scores = query @ key.swapaxes(-2, -1) / np.sqrt(query.shape[-1])
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    table.append(weights / weights.sum(-1, keepdims=True) @ value)
    return table[0]
