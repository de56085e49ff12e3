# An answer asks the judge to call a function where there is none: nothing is computed, and nobody else is affected.
#
# lesson: 03
# fails: attention.scaled_dot_product (ended)
# says: the grader received a message it could not read
# uses: child

# %%
@in_its_place
def answer(link, value, ask):
    if ask["name"] == "scaled_dot_product":
        link.send({"call": [0, ask["questions"][0]]})
        return [link.receive()["value"]]
    return honest(link, value, ask)
