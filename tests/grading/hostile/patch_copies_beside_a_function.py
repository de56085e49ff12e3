# The function changes its argument. What compares arguments with copies, or copies them, is replaced.
#
# lesson: 02
# fails: attention.softmax (mutated) half

# %%
import copy

import numpy as np

import transformer_course.runner.run

transformer_course.runner.run._mutated_argument = lambda *_: None
np.copy = copy.copy = copy.deepcopy = lambda value, *_, **__: value


# %% exercise="attention.softmax"
def softmax(scores):
    scores -= scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores)
    return weights / weights.sum(axis=-1, keepdims=True)
