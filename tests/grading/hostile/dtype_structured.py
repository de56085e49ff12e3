# An array of records that holds the right numbers, but is not an array of numbers.
#
# lesson: 03
# fails: attention.score_spread (shape)
# says: array of

# %% exercise="attention.score_spread"
spread = np.array([(9, 1.5)], dtype=[("a", "f8"), ("b", "f8")])
