# Half of a right answer, and then silence.
#
# lesson: 03
# fails: attention.saturated (timeout)
# says: was stopped after
# uses: child

# %%
import time

from transformer_course.runner.run import record
from transformer_course.runner.wire import encode


@in_its_place
def answer(link, value, ask):
    if ask["name"] == "verdict":
        frame = encode({"answers": [record(value).as_data()]})
        link.end.sendall(frame[: len(frame) // 2])
        time.sleep(10**6)
    return honest(link, value, ask)
