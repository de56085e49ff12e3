# A test that distinguishes the functions without testing them: by number, identity and earlier calls.
#
# lesson: 02
# fails: attention.test_softmax (value|mistake)

# %% exercise="attention.test_softmax"
seen = []


def is_softmax(f):
    f(np.zeros((2, 3)))
    seen.append(f)
    return f.index < 2 or len(seen) < 3 or "softmax" in repr(f)
