# Answers to questions not yet asked. A message that breaks the protocol ends the conversation, and costs the question itself.
#
# lesson: 03
# fails: attention.score_spread (ended)
# says: the grader received a message it could not read
# uses: child

# %%
from transformer_course.runner.run import Outcome


@in_its_place
def answer(link, value, ask):
    if ask["name"] == "spread":
        for _ in range(3):
            link.send({"answers": [Outcome(value=[9, 1.5], type="list").as_data()] * 2})
    return honest(link, value, ask)
