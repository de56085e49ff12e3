# The outcome of one question is sent for all, an error for one that has no error, and a value beside an error.
#
# lesson: 03
# fails: attention.scaled_dot_product (error|value|shape|type)
# fails: attention.saturated (type)
# uses: child

# %%
from dataclasses import replace


@in_its_place
def answer(link, value, ask):
    outcomes = honest(link, value, ask)
    if ask["name"] == "scaled_dot_product":
        return [replace(outcomes[0], error="", message="passed")] + outcomes[:1] * (len(outcomes) - 1)
    if ask["name"] == "verdict":
        return [replace(outcomes[0], value=None, error="TimeLimit\x00", message="passed", type="ellipsis\n")]
    return outcomes
