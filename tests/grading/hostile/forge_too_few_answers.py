# No answers at all where each of several questions should have one.
#
# lesson: 03
# fails: attention.scaled_dot_product (ended)
# says: the grader received a message it could not read
# uses: child

# %%
child.answer = lambda link, value, ask: [] if ask["name"] == "scaled_dot_product" else honest(link, value, ask)
