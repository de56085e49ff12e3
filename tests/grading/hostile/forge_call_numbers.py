# Calls for questions that there are not: by a negative number, a fraction, a truth value, a number beyond the last.
#
# lesson: 02
# fails: attention.test_softmax (ended)
# says: the grader received a message it could not read
# uses: child

# %%
import numpy as np


@in_its_place
def answer(link, value, ask):
    if ask["name"] == "is_softmax":
        for index in (-1, True, 0.0, 10**6, None, [0]):
            link.send({"call": [index, [np.zeros((2, 3))]]})
    return honest(link, value, ask)
