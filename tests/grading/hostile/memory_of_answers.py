# Answers that each fit into a frame, as many as there are, all of them as large as possible.
#
# lesson: 03
# fails: attention.scaled_dot_product (shape|type|error)
# fails: attention.one_way (shape|type)
# fails: attention.score_spread (shape|type)
# fails: attention.shapes (shape|type)
# fails: attention.saturated (type)


# %% exercise="attention.scaled_dot_product"
def scaled_dot_product(query, key, value):
    return np.zeros(2**20)


# %% exercise="attention.one_way"
one_way = np.zeros((2, 2**19))
# %% exercise="attention.score_spread"
spread = [np.zeros(2**20)] * 2
# %% exercise="attention.shapes"
shapes = ["x" * (4 * 2**20)] * 10
# %% exercise="attention.saturated"
verdict = {"claim": np.zeros(2**20), "reason": "b" * 2**20, "value": np.zeros((2**10, 2**9))}
