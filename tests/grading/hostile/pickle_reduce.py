# An object that would run code when it is unpickled. Nothing is ever unpickled.
#
# lesson: 03
# fails: attention.score_spread (shape)
# fails: attention.saturated (type)


# %%
import os


class Runs:
    def __reduce__(self):
        return os.mkdir, ("/tmp/left-by-hostile-pickle",)


# %% exercise="attention.score_spread"
spread = Runs()
# %% exercise="attention.saturated"
verdict = {"claim": "b", "reason": "b", "value": np.array([Runs()], dtype=object)}
