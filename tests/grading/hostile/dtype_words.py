# Numbers as strings.
#
# lesson: 03
# fails: attention.score_spread (shape)
# says: array of <U3

# %% exercise="attention.score_spread"
spread = np.array(["9", "1.5"])
