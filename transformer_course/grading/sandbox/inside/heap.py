"""Keep a forked child's new objects out of the memory that it shares with its parent.

Parent and child share each page of memory until one of them writes to it, when the kernel copies the page. The heap of a
process that has imported torch is full of holes, left by objects that are gone. A child would put its own objects there, and
each of them would cause a copy of a page that the child otherwise only reads. Such copies were a third of the total. So the
parent fills the holes before it forks, and a child's objects go into new pages, which it shares with nobody.
"""

import ctypes

SIZES = (*range(2**16, 2**12, -(2**12)), *range(2**12, 2**10, -(2**8)), *range(2**10, 0, -(2**4)))  # of blocks, in bytes
MAX_BLOCKS = 2**12  # of each size


def fill_holes() -> None:
    """Allocate blocks of every size, the largest first, until they no longer fit into a hole. They are never freed."""
    malloc = ctypes.CDLL(None).malloc
    malloc.argtypes, malloc.restype = [ctypes.c_size_t], ctypes.c_void_p
    highest = malloc(2 * SIZES[0])
    for size in SIZES:
        for _ in range(MAX_BLOCKS):
            if (address := malloc(size)) > highest:  # the heap had to grow, so no hole of this size is left
                highest = address
                break
