# Endless valid frames, each as large as possible, faster than anybody reads.
#
# lesson: 03
# fails: attention.scaled_dot_product (ended|timeout)
# uses: child

# %%
import numpy as np

from transformer_course.runner.run import Outcome


@in_its_place
def answer(link, value, ask):
    if ask["name"] == "scaled_dot_product":
        while True:
            link.send({"answers": [Outcome(value=np.zeros(2**20), type="ndarray").as_data()] * 7})
    return honest(link, value, ask)
