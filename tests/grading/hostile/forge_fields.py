# Outcomes whose fields have the wrong types.
#
# lesson: 03
# fails: attention.scaled_dot_product (ended)
# fails: attention.score_spread (ended)
# fails: attention.saturated (ended)
# says: the grader received a message it could not read
# uses: child

# %%
from types import SimpleNamespace

LIES = {"scaled_dot_product": {"mutated_argument": True}, "spread": {"error": {"passed": True}}, "verdict": {"passed": True}}


@in_its_place
def answer(link, value, ask):
    lie = LIES.get(ask["name"], {})
    outcomes = [outcome.as_data() | lie for outcome in honest(link, value, ask)]
    return [SimpleNamespace(as_data=lambda data=data: data) for data in outcomes]
