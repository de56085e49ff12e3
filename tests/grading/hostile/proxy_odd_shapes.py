# A test with arrays that have no axes, fifteen axes, no elements, sizes that overflow, or NaN in them.
#
# lesson: 04
# fails: attention.test_causal (value|mistake|ended|error)


# %% exercise="attention.test_causal"
def is_causal(f):
    odd = [np.array(3.0), np.zeros([1] * 15), np.zeros((2**40, 0)), np.zeros((0, 2**40)), np.full((2, 2), np.nan)]
    odd += [np.zeros((0, 0)), np.array([[True]]), np.array([[2**63 - 1]]), np.full((2, 2), 1e308), np.float16([[6e4, 6e4]])]
    for x in odd:
        try:
            f(x)
        except ValueError:
            continue
    return True
