# Calls for questions that there are not: by a negative number, a fraction, a truth value, a number beyond the last.
#
# lesson: 02
# fails: attention.test_softmax (ended)
# says: the grader received a message it could not read

# %%
import gc

import numpy as np

child = next(each for each in gc.get_objects() if type(each).__name__ == "Child")
honest = child.answer


def answer(link, value, ask):
    if ask["name"] == "is_softmax":
        for index in (-1, True, 0.0, 10**6, None, [0]):
            link.send({"call": [index, [np.zeros((2, 3))]]})
    return honest(link, value, ask)


child.answer = answer
