# Random bytes to every open file.
#
# lesson: 03
# fails: attention.scaled_dot_product (ended)
# says: the grader received a message it could not read

# %% exercise="attention.scaled_dot_product"
import contextlib
import os
import random


def scaled_dot_product(query, key, value):
    noise = random.Random(3).randbytes(10**5)
    for end in range(256):
        with contextlib.suppress(OSError):
            os.write(end, noise)
