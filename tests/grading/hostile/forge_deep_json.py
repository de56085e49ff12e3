# A header that nests a million lists.
#
# lesson: 03
# fails: attention.scaled_dot_product (ended)
# says: the grader received a message it could not read
# uses: child

# %%
import struct


@in_its_place
def answer(link, value, ask):
    if ask["name"] == "scaled_dot_product":
        header = b'{"value": ' + b"[" * 10**6 + b"]" * 10**6 + b', "arrays": []}'
        link.end.sendall(struct.pack("<II", len(header), 0) + header)
    return honest(link, value, ask)
