# NaN with messages in it, minus zero, and numbers that overflow in half precision.
#
# lesson: 03
# fails: attention.scaled_dot_product (value|type|law)
# fails: attention.score_spread (value|type|shape)


# %% exercise="attention.scaled_dot_product"
def scaled_dot_product(query, key, value):
    odd = np.frombuffer(b"passed\xf8\x7f" * query[..., 0].size * value.shape[-1], dtype=np.float64)
    return odd.reshape(*query.shape[:-1], value.shape[-1])


# %% exercise="attention.score_spread"
spread = [np.float16(70_000), -0.0]
