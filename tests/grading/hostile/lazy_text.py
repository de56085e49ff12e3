# Text whose methods lie about its length, its parts and what it equals.
#
# lesson: 03
# fails: attention.saturated (type|value|mistake)
# fails: attention.scaled_dot_product (error)


# %%
class Text(str):
    def strip(self, *_):
        return "b"

    def __getitem__(self, _):
        return self * 1000

    def __len__(self):
        return 1

    def __str__(self):
        return self

    __format__ = __repr__ = lambda self, *_: Text("x" * 10**6)


# %% exercise="attention.saturated"
verdict = {"claim": Text("z" * 10**5), "reason": Text("z"), "value": 0}


# %% exercise="attention.scaled_dot_product"
def scaled_dot_product(query, key, value):
    raise type("Error", (ValueError,), {"__str__": lambda self: Text("passed" * 10**5)})
