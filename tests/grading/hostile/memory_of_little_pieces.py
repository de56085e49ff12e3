# Memory in a quarter of a million small pieces, until there is no more: then it is given back in the wrong order.
#
# lesson: 03
# says: Code cell 1 (`pieces = []`) raised MemoryError

# %%
pieces = []
try:
    while True:
        pieces.append(bytearray(4096))
except MemoryError:
    pieces.clear()
    raise
