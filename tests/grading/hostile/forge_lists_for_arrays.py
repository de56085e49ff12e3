# A hundred thousand numbers in lists where an array is expected, as many as a frame may hold: reading them takes a moment.
#
# lesson: 03
# fails: attention.one_way (shape|type)
# fails: attention.shapes (shape|type)
# fails: attention.saturated (type)

# %% exercise="attention.one_way"
one_way = [[[0.5] * 199 for _ in range(200)], [[0.5] * 199 for _ in range(200)]]
# %% exercise="attention.shapes"
shapes = [[[1]] * 30_000]
# %% exercise="attention.saturated"
verdict = {"claim": [[]] * 30_000, "reason": {"b": {}}, "value": [8.0] * 30_000}
