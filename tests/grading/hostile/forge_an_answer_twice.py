# A right answer, sent twice: the copy counts as the next answer. The function after that meets one message too many.
#
# lesson: 03
# fails: attention.saturated (type)
# fails: attention.scaled_dot_product (ended)
# uses: child

# %%
from transformer_course.runner.run import Outcome


@in_its_place
def answer(link, value, ask):
    if ask["name"] == "spread":
        link.send({"answers": [Outcome(value=[9, 1.5], type="list").as_data()]})
    return honest(link, value, ask)
