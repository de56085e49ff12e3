# Claims to have no answers for this backend. That is allowed for torch if it was never imported, but not for NumPy.
#
# lesson: 03
# fails: attention.scaled_dot_product (ended)
# says: the grader received a message it could not read
# uses: child

# %%
child.answer = lambda link, value, ask: None if ask["name"] == "scaled_dot_product" else honest(link, value, ask)
