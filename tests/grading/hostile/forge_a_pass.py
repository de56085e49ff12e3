# A frame in our own format that claims the mark, in place of an answer.
#
# lesson: 03
# fails: attention.scaled_dot_product (ended)
# says: the grader received a message it could not read

# %% exercise="attention.scaled_dot_product"
import contextlib
import os

from transformer_course.runner.wire import encode


def scaled_dot_product(query, key, value):
    frame = encode({"passed": True, "reason": "passed", "score": 1.0, "message": "Right."})
    for end in range(256):
        with contextlib.suppress(OSError):
            os.write(end, frame)
    raise SystemExit
