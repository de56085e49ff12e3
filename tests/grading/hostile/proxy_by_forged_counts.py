# A test that never calls the function, but claims that it did.
#
# lesson: 02
# fails: attention.test_softmax (value)
# says: Your test never calls `f`

# %%
import gc
from dataclasses import replace

child = next(each for each in gc.get_objects() if type(each).__name__ == "Child")
honest = child.answer
child.answer = lambda *given: [replace(outcome, calls=12) for outcome in honest(*given)]


# %% exercise="attention.test_softmax"
def is_softmax(f):
    return True
