# Outcomes whose fields have the wrong types.
#
# lesson: 03
# fails: attention.scaled_dot_product (ended)
# fails: attention.score_spread (ended)
# fails: attention.saturated (ended)
# says: the grader received a message it could not read

# %%
import gc
from types import SimpleNamespace

child = next(each for each in gc.get_objects() if type(each).__name__ == "Child")
honest = child.answer
LIES = {"scaled_dot_product": {"mutated_argument": True}, "spread": {"error": {"passed": True}}, "verdict": {"passed": True}}


def answer(link, value, ask):
    lie = LIES.get(ask["name"], {})
    outcomes = [outcome.as_data() | lie for outcome in honest(link, value, ask)]
    return [SimpleNamespace(as_data=lambda data=data: data) for data in outcomes]


child.answer = answer
