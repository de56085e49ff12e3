# An array of a million strings of a million characters, all of them the same few bytes.
#
# lesson: 03
# fails: attention.score_spread (shape|type|memory|error|ended)

# %% exercise="attention.score_spread"
spread = np.broadcast_to(np.array("x" * 10**6), (1000, 1000))
