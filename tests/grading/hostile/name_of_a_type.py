# A value whose type has a page of markup and control characters as its name, and one whose type's name cannot be read.
#
# lesson: 03
# fails: attention.shapes (type|shape|value|ended)
# fails: attention.score_spread (ended|shape)
# fails: attention.saturated (type|ended)


# %%
class Nameless(type):
    @property
    def __name__(cls):
        raise SystemExit


Anonymous = Nameless("Anonymous", (), {})

# %% exercise="attention.shapes"
shapes = Anonymous()
# %% exercise="attention.score_spread"
spread = type("<b>9, 1.5</b>\x1b[2J\u202e" + "x" * 10**6, (), {})()
# %% exercise="attention.saturated"
verdict = {"claim": "b", "reason": "b", "value": Anonymous()}
