# Right answers in unusual forms (big-endian, 128 bits, objects, not contiguous) keep their marks.
#
# lesson: 03

# %% exercise="attention.score_spread"
spread = np.array([9, 1.5], dtype=">f8")


# %% exercise="attention.scaled_dot_product"
def scaled_dot_product(query, key, value):
    scores = query @ key.swapaxes(-2, -1) / np.sqrt(query.shape[-1])
    weights = np.exp((scores - scores.max(-1, keepdims=True)).astype(np.longdouble))
    output = weights / weights.sum(-1, keepdims=True) @ value
    return np.asfortranarray(output.astype(">f8"))[..., ::-1][..., ::-1]


# %% exercise="attention.one_way"
one_way = np.array([9 * np.roll(np.eye(3), 1, 1), np.eye(3)], dtype=object)
