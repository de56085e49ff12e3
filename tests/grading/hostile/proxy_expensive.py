# A test that asks for a computation that would take the grader hours.
#
# lesson: 04
# fails: attention.test_causal (error|timeout|value|mistake)


# %% exercise="attention.test_causal"
def is_causal(f):
    f(np.ones((2500, 1)))
    return True
