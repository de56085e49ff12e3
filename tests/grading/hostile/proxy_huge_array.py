# A test that passes the function an array with a million numbers in one row.
#
# lesson: 04
# fails: attention.test_causal (error|timeout|mistake|value)


# %% exercise="attention.test_causal"
def is_causal(f):
    return bool(np.all(f(np.ones((1, 2**20)))))
