# %% [markdown]
# # Sheet 11 · LayerNorm
#
# The core takes about {minutes} minutes. Below it is more practice, another {practice} minutes, which you can leave out. Each
# exercise has a cell for your answer and a cell that checks it. Run both with Shift + Enter, as often as you like. If an
# answer does not pass, the check says what is wrong. You can then unfold hints, one at a time, and after the last hint a
# solution. In a program, use NumPy or torch, whichever you like: the check passes arrays to your function, or tensors if it
# needs those. Your function must not change them.
#
# As in the lesson, the **variance** is the mean of the squared distances from the mean: the sum is divided by d, and not by
# d − 1.

# %%
import numpy as np

from transformer_course.exercises import check

# %% [markdown]
# ## 1 · One token
#
# A token is [2, 4, 5, 6, 8]. LayerNorm has γ = [2, 1, 3, 1, 2] and β = [0, 1, 1, 0, −1], and its ε is so small that you may
# leave it out.
#
# **What comes out?** Give a list of five numbers, correct to within 0.01. You need no calculator.

# %% exercise="layers.standardised" form="by hand" minutes=4 difficulty=1
### BEGIN SOLUTION
# The mean is 5; squares 9, 1, 0, 1, 9, on average 4; so the token is [−3, −1, 0, 1, 3] / 2, then times γ, plus β.
outputs = [-3, 0.5, 1, 0.5, 2]
### END SOLUTION

# %%
check("layers.standardised")

# %% [markdown]
# ## 2 · Choose the batch
#
# Our token is [1, 2, 3]. LayerNorm always turns it into [−1.22, 0, 1.22]. In BatchNorm, the result depends on the token's
# company, that is, on the other tokens in the batch. Here is BatchNorm for a batch of four real tokens, ours and three others,
# without γ and β:

# %%
ours = np.array([1.0, 2.0, 3.0])


def ours_among(company):
    """Our token after BatchNorm, in a batch with this company, of shape (3, 3)."""
    batch = np.vstack([ours, company])
    return (ours - batch.mean(axis=0)) / np.sqrt(batch.var(axis=0) + 1e-5)


print(ours_among([[4, 1, 1], [0, 5, 6], [2, 2, 7]]).round(2))

# %% [markdown]
# **Give a `company` that reverses our token**: its first number becomes larger than 1, its second stays within 0.1 of 0, and
# its third becomes smaller than −1. The company is three tokens of three numbers, all between −1000 and 1000.

# %% exercise="layers.company" form="construct" minutes=8 difficulty=2
### BEGIN SOLUTION
# Column by column: three numbers below our 1; three whose mean is our 2; three above our 3.
company = [[0, 1, 4], [0, 2, 4], [0, 3, 4]]
### END SOLUTION

# %%
check("layers.company")

# %% [markdown]
# ## 3 · Stuck, and why
#
# Here are six ways to train the lesson's models, each with three seeds, and with 100 steps instead of 70. The loss is averaged
# over the last steps; a model that knows only letter frequencies has a loss of 2.90, and is called stuck. "Weights" says how
# large the weights are at the start: Xavier's are √3 times as large as torch's (for a square matrix), and in row B they were
# divided by √3. In row F, the learning rate rises during the first 50 steps.
#
# | row | order | layers | weights | learning rate | warm-up | loss | | |
# | --- | --- | --- | --- | --- | --- | --- | --- | --- |
# | **A** | post | 12 | Xavier | 0.003 | no | 2.90 | 2.94 | 2.90 |
# | **B** | post | 12 | Xavier / √3 | 0.003 | no | 2.15 | 2.15 | 2.02 |
# | **C** | post | 2 | Xavier | 0.003 | no | 2.17 | 2.16 | 2.01 |
# | **D** | pre | 12 | Xavier | 0.003 | no | 2.02 | 2.06 | 2.00 |
# | **E** | post | 12 | torch | 0.01 | no | 2.91 | 2.94 | 2.90 |
# | **F** | post | 12 | Xavier | 0.003 | yes | 2.91 | 2.93 | 2.90 |
#
# Give three things:
#
# * `"claim"`: which statement agrees with the whole table?
#   * `"a"` post-norm models do not learn
#   * `"b"` models with Xavier's weights do not learn
#   * `"c"` row A has no single cause: at this learning rate, it takes the order, the depth and the size of the weights
#     together
#   * `"d"` which models are stuck is a matter of chance
# * `"reason"`: what in the table supports it best?
#   * `"a"` A is stuck with every seed
#   * `"b"` B, C and D each differ from A in one thing, a different one each time, and learn with every seed
#   * `"c"` E is stuck too, without Xavier's weights
#   * `"d"` with post-norm, less gradient reaches the first layers
# * `"value"`: how far apart are the stuck runs and the others? (Subtract the largest loss of those that learn from the
#   smallest loss of those that are stuck.)

# %% exercise="layers.which_world" form="read a table" minutes=7 difficulty=2
### BEGIN SOLUTION
# The smallest loss of A, E and F is 2.90, the largest of B, C and D is 2.17, in row C.
verdict = {"claim": "c", "reason": "b", "value": 0.73}
### END SOLUTION

# %%
check("layers.which_world")

# %% [markdown]
# ## More practice {#practice}
#
# You can stop here: the rest is optional. You write LayerNorm for a batch (stage B4 of the Build asks for it again, in
# torch) and find out when a published formula goes wrong.

# %% [markdown]
# ## 4 · A whole batch
#
# Write `layer_norm(x, gamma, beta, eps)`. `x` has shape `(…, d)`: a batch of texts `(b, n, d)`, a single text, a single
# vector, or an array with more axes. `gamma` and `beta` have shape `(d,)`, and `eps` is a number, which is not always small.
# Each vector along the last axis is normalised separately, and the result has the shape of `x`.
#
# (torch's `var` and `std` divide by d − 1 unless you pass `correction=0`.)


# %% exercise="layers.layer_norm" form="program" minutes=10 difficulty=2 builds=["norm"]
def layer_norm(x, gamma, beta, eps):
    """Each vector along the last axis, normalised, times gamma, plus beta."""
    ### BEGIN SOLUTION
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    return gamma * centred / np.sqrt(variance + eps) + beta
    ### END SOLUTION


# %%
check("layers.layer_norm")

# %% [markdown]
# ## 5 · The second ε
#
# In some published formulas, a second ε is added to the square root. Here are the right formula and the published one, for one
# token, without γ and β:


# %%
def one_epsilon(x, eps=1e-5):
    return (x - x.mean()) / np.sqrt(x.var() + eps)


def as_published(x, eps=1e-5):
    return (x - x.mean()) / (np.sqrt(x.var() + eps) + eps)


def apart(x):
    x = np.array(x, dtype=float)
    return np.abs(one_epsilon(x) - as_published(x)).max()


print(f"{apart([1, 7, 9, 15]):.6f}")

# %% [markdown]
# **Give a token `x` for which the two results differ by more than 0.001 in at least one number.** It is a list of 2 to 16
# numbers between −1000 and 1000. (ε is 0.00001.)

# %% exercise="layers.two_epsilons" form="find an input" minutes=6 difficulty=2
### BEGIN SOLUTION
# A second ε matters most for small roots. But if the spread is far below √ε = 0.003, both results are close to 0.
x = [-0.003, 0.003]
### END SOLUTION

# %%
check("layers.two_epsilons")
