# NaN is not a right number, even if a judge takes one NaN to equal another.
#
# lesson: 03
# fails: attention.scaled_dot_product (value)
# fails: attention.score_spread (value|type|shape)
# says: nan


# %% exercise="attention.scaled_dot_product"
def scaled_dot_product(query, key, value):
    return np.full((*query.shape[:-1], value.shape[-1]), np.nan)


# %% exercise="attention.score_spread"
spread = [float("nan"), float("nan")]
