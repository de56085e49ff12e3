# Arrays in place of strings and numbers, in an answer and in the report on a cell: comparing them gives no yes or no.
#
# lesson: 03
# fails: attention.scaled_dot_product (ended)
# says: the grader received a message it could not read
# uses: child

# %%
import numpy as np


def answer(link, value, ask):
    if ask["name"] == "scaled_dot_product":
        link.send({"missing": np.ones(3)})
    return honest(link, value, ask)


child.answer = answer

# %%
child.link.send({"ended": np.ones(3), "error": None, "remarks": []})
