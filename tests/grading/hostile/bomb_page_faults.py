# Work for the kernel alone: memory that is given back and taken again for ever. Its time counts like any other.
#
# lesson: 03
# fails: attention.scaled_dot_product (timeout)
# says: was stopped after

# %% exercise="attention.scaled_dot_product"
import mmap


def scaled_dot_product(query, key, value):
    area = mmap.mmap(-1, 2**25)
    while True:
        area[::4096] = bytes(2**13)
        area.madvise(mmap.MADV_DONTNEED)
