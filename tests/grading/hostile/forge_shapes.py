# Arrays whose shapes do not match their bytes, and arrays of a dtype that is not allowed.
#
# lesson: 03
# fails: attention.shapes (ended)
# fails: attention.scaled_dot_product (ended)
# fails: attention.score_spread (ended)
# says: the grader received a message it could not read
# uses: child

# %%
import json
import struct

LIES = {"shapes": ["float64", [2**62, 0, 2**62]], "scaled_dot_product": ["object", [1]], "spread": ["float64", [-1]]}


@in_its_place
def answer(link, value, ask):
    if ask["name"] in LIES:
        header = json.dumps({"value": {"array": 0}, "arrays": [LIES[ask["name"]]]}).encode()
        link.end.sendall(struct.pack("<II", len(header), 8) + header + bytes(8))
    return honest(link, value, ask)
