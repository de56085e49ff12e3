# A test of a function that sleeps a little before each call: all of the sleep counts, however short each part is.
#
# lesson: 02
# fails: attention.test_softmax (timeout)

# %% exercise="attention.test_softmax"
import time


def is_softmax(f):
    for _ in range(990):
        time.sleep(0.019)
        f(np.zeros((2, 3)))
    return True
