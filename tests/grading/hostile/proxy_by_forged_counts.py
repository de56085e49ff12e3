# A test that never calls the function, but claims that it did.
#
# lesson: 02
# fails: attention.test_softmax (value)
# says: Your test never calls `f`

# %%
from transformer_course.runner.run import Outcome

honest = Outcome.as_data
Outcome.as_data = lambda outcome: honest(outcome) | {"calls": 12}


# %% exercise="attention.test_softmax"
def is_softmax(f):
    return True
