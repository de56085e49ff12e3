# The longest frame that a header can announce, and not a byte of it.
#
# lesson: 03
# fails: attention.scaled_dot_product (ended)
# says: the grader received a message it could not read
# uses: child

# %%
@in_its_place
def answer(link, value, ask):
    if ask["name"] == "scaled_dot_product":
        link.end.sendall(b"\xff" * 8)
    return honest(link, value, ask)
