# Two answers that never end cost two questions: the others, before, between and after them, are still asked.
#
# lesson: 03
# fails: attention.scaled_dot_product (timeout)
# fails: attention.saturated (timeout)
# says: was stopped after


# %% exercise="attention.scaled_dot_product"
def scaled_dot_product(query, key, value):
    while True:
        pass


# %% exercise="attention.saturated"
class Verdict(dict):
    def items(self):
        while True:
            pass


verdict = Verdict(claim="b", reason="b", value=8)
