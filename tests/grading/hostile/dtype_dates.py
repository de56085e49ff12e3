# Dates and times instead of numbers.
#
# lesson: 03
# fails: attention.score_spread (shape)
# says: array of datetime64

# %% exercise="attention.score_spread"
spread = np.array([9, 1], dtype="datetime64[s]")
