# The bytes of a pickle in place of a frame.
#
# lesson: 03
# fails: attention.scaled_dot_product (ended)
# says: the grader received a message it could not read
# uses: child

# %%
import os
import pickle
import struct


class Runs:
    def __reduce__(self):
        return os.mkdir, ("/tmp/left-by-hostile-pickle",)


@in_its_place
def answer(link, value, ask):
    if ask["name"] == "scaled_dot_product":
        bomb = pickle.dumps(Runs())
        link.end.sendall(struct.pack("<II", len(bomb), 0) + bomb)
    return honest(link, value, ask)
