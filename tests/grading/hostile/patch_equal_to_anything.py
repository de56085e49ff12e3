# Values that claim to equal everything.
#
# lesson: 03
# fails: attention.score_spread (mistake)
# fails: attention.saturated (type)


# %%
class Equal(float):
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __sub__(self, other):
        return 0.0

    __rsub__ = __sub__
    __hash__ = float.__hash__


class Word(str):
    def __eq__(self, other):
        return True

    __hash__ = str.__hash__


# %% exercise="attention.score_spread"
spread = [Equal(3), Equal(4)]
# %% exercise="attention.saturated"
verdict = {"claim": Word("z"), "reason": Word("z"), "value": Equal(3)}
