# A right answer, sent twice: the copy counts as the next answer. The function after that meets one message too many.
#
# lesson: 03
# fails: attention.saturated (type)
# fails: attention.scaled_dot_product (ended)

# %%
import gc

from transformer_course.runner.run import Outcome

child = next(each for each in gc.get_objects() if type(each).__name__ == "Child")
honest = child.answer


def answer(link, value, ask):
    if ask["name"] == "spread":
        link.send({"answers": [Outcome(value=[9, 1.5], type="list").as_data()]})
    return honest(link, value, ask)


child.answer = answer
