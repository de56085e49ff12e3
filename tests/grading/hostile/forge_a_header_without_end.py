# A header that is announced as long as is allowed, and then comes one byte at a time.
#
# lesson: 03
# fails: attention.scaled_dot_product (timeout|ended)

# %%
import gc
import struct
import time

child = next(each for each in gc.get_objects() if type(each).__name__ == "Child")
honest = child.answer


def answer(link, value, ask):
    if ask["name"] == "scaled_dot_product":
        link.end.sendall(struct.pack("<II", 60 * 2**20, 0))
        while True:
            link.end.sendall(b" ")
            time.sleep(0.01)
    return honest(link, value, ask)


child.answer = answer
