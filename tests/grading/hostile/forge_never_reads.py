# Asks the judge a thousand times for large results, and reads none of them: the judge does not wait for ever to send.
#
# lesson: 04
# fails: attention.test_causal (timeout|ended|value|error|type)
# uses: child

# %%
import numpy as np


@in_its_place
def answer(link, value, ask):
    if ask["name"] == "is_causal":
        for _ in range(1000):
            link.send({"call": [0, [np.ones((64, 64))]]})
        while True:
            pass
    return honest(link, value, ask)
