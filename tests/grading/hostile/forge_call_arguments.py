# Calls with arguments that are anything but arrays: mappings, nested lists, placeholders, text of a megabyte, NaN, nothing.
#
# lesson: 02
# fails: attention.test_softmax (value|mistake|type)
# uses: child

# %%
import numpy as np

from transformer_course.runner.run import Outcome
from transformer_course.runner.wire import Proxy, encode

ODD = [[], [Proxy()], [{"x": [1]}], ["x" * 10**6], [float("nan")], [[[[]]]], [None] * 500, [np.zeros((0, 3))]]


@in_its_place
def answer(link, value, ask):
    if ask["name"] == "is_softmax":
        for arguments in ODD:
            link.end.sendall(encode({"call": [0, arguments]}))
            link.receive()
        return [Outcome(value=True, type="bool")] * len(ask["questions"])
    return honest(link, value, ask)
