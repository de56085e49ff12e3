# A header that is announced as long as is allowed, and then comes one byte at a time.
#
# lesson: 03
# fails: attention.scaled_dot_product (timeout|ended)
# uses: child

# %%
import struct
import time


@in_its_place
def answer(link, value, ask):
    if ask["name"] == "scaled_dot_product":
        link.end.sendall(struct.pack("<II", 60 * 2**20, 0))
        while True:
            link.end.sendall(b" ")
            time.sleep(0.01)
    return honest(link, value, ask)
