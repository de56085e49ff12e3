# A test that knows from a table which call it is, what it returned before, and how long each took.
#
# lesson: 02
# fails: attention.test_softmax (value|mistake)

# %% exercise="attention.test_softmax"
import time

TABLE = iter([False, True] * 50)


def is_softmax(f):
    start = time.perf_counter()
    f(np.zeros((2, 3)))
    return next(TABLE) and time.perf_counter() - start < 10**6
