# The function changes its argument, and `np.array_equal` says that nothing has changed.
#
# lesson: 02
# fails: attention.softmax (mutated) half

# %%
import numpy as np

np.array_equal = np.array_equiv = lambda *_, **__: True


# %% exercise="attention.softmax"
def softmax(scores):
    scores -= scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores)
    return weights / weights.sum(axis=-1, keepdims=True)
