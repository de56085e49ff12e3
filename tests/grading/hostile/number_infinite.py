# Infinities, and numbers that overflow when a judge computes with them.
#
# lesson: 03
# fails: attention.scaled_dot_product (value|law)
# fails: attention.one_way (type|shape|value)
# fails: attention.saturated (value|mistake)


# %% exercise="attention.scaled_dot_product"
def scaled_dot_product(query, key, value):
    return np.full((*query.shape[:-1], value.shape[-1]), np.inf)


# %% exercise="attention.one_way"
one_way = (1e308 * np.ones((3, 2)), -1e308 * np.ones((3, 2)))
# %% exercise="attention.saturated"
verdict = {"claim": "a", "reason": "a", "value": float("inf")}
