# A test that calls the function more often than is allowed.
#
# lesson: 04
# fails: attention.test_causal (error|timeout)


# %% exercise="attention.test_causal"
def is_causal(f):
    return all(len(f(np.ones((2, 2)))) for _ in range(10**6))
