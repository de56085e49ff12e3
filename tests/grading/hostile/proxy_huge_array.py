# A test that hands the function an array of a million numbers in one row.
#
# lesson: 04
# fails: attention.test_causal (error|timeout|mistake|value)


# %% exercise="attention.test_causal"
def is_causal(f):
    return bool(np.all(f(np.ones((1, 2**20)))))
