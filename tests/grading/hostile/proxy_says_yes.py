# A test that accepts everything, by a value that is true in every way.
#
# lesson: 02
# fails: attention.test_softmax (mistake|type|value)


# %% exercise="attention.test_softmax"
import contextlib


def is_softmax(f):
    with contextlib.suppress(Exception):
        f(np.zeros((2, 3)))
    return np.ones((1, 1), dtype=np.int8)
