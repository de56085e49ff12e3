# A test that writes into what the function returns and into what it passed, so that later questions would see it.
#
# lesson: 02
# fails: attention.test_softmax (value|mistake|error)


# %% exercise="attention.test_softmax"
def is_softmax(f):
    given = np.zeros((2, 3))
    for _ in range(10):
        result = f(given)
        result[...] = 1 / 3
        given += result
        f.calls = f.index = 0
    return f.calls < 0
