# Outcomes whose fields have the wrong types.
#
# lesson: 03
# fails: attention.scaled_dot_product (ended)
# fails: attention.score_spread (ended)
# fails: attention.saturated (ended)
# says: the grader received a message it could not read

# %%
from transformer_course.runner.run import Outcome

honest = Outcome.as_data


def lie(outcome):
    data = honest(outcome)
    if data["type"] == "dict":
        return data | {"passed": True}
    if isinstance(data["value"], list) and len(data["value"]) == 2 and data["value"][0] is names["spread"][0]:
        return data | {"error": {"passed": True}}
    return data | {"mutated_argument": True, "calls": -1} if data["type"] == "ndarray" else data


names = globals()
Outcome.as_data = lie
