# A right answer, sent twice: the copy counts as the next answer, and each later answer as the one after it.
#
# lesson: 03
# fails: attention.one_way (shape)
# fails: attention.saturated (type)

# %%
from inside import child

from transformer_course.runner.run import Outcome

honest = child.answer


def answer(link, value, ask):
    if ask["name"] == "spread":
        link.send({"answers": [Outcome(value=[9, 1.5], type="list").as_data()]})
    return honest(link, value, ask)


child.answer = answer
