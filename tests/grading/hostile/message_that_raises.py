# An error that cannot be shown, because showing it raises SystemExit.
#
# lesson: 03
# fails: attention.scaled_dot_product (error|ended)
# says: Code cell 1 (`class Unspeakable(ValueError):`)


# %%
class Unspeakable(ValueError):
    def __str__(self):
        raise SystemExit

    __repr__ = __str__


raise Unspeakable


# %% exercise="attention.scaled_dot_product"
def scaled_dot_product(query, key, value):
    raise Unspeakable
