# No answers at all where each of several questions should have one.
#
# lesson: 03
# fails: attention.scaled_dot_product (ended)
# says: the grader received a message it could not read

# %%
import gc

child = next(each for each in gc.get_objects() if type(each).__name__ == "Child")
honest = child.answer
child.answer = lambda link, value, ask: [] if ask["name"] == "scaled_dot_product" else honest(link, value, ask)
