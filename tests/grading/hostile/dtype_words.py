# Numbers as strings.
#
# lesson: 03
# fails: attention.score_spread (shape)
# says: contains text. Remove the quotation marks

# %% exercise="attention.score_spread"
spread = np.array(["9", "1.5"])
