# %% [markdown]
# # Sheet 15 · The whole Transformer, trained
#
# The core takes about {minutes} minutes. Below it is more practice, another {practice} minutes, which you can leave out. Each
# exercise has a cell for your answer and a cell that checks it. Run both with Shift + Enter, as often as you like. If an
# answer does not pass, the check says what is wrong. You can then unfold hints, one at a time, and after the last hint a
# solution. In a program, use NumPy or torch, whichever you like: the check passes arrays to your function, or tensors if it
# needs those. Your function must not change them.

# %%
import numpy as np

from transformer_course.exercises import check

# %% [markdown]
# ## 1 · Count a GPT
#
# A GPT is a decoder without an encoder, so it has no cross-attention. This one has
#
# * 4 layers, with d_model = 256, d_ff = 1024 and 4 heads;
# * pre-norm: a LayerNorm before each sublayer, and one more after the last layer. (The paper's model is post-norm, so it needs
#   none there.) Each LayerNorm has γ and β;
# * a bias for every matrix of the attention and feed-forward networks;
# * a vocabulary of 10,000 tokens. The output matrix is the embedding table itself (it is *tied*), and has no bias;
# * learned positions: a table with one row for each of 128 positions.
#
# Write a list of three parameter counts: those of **one attention**, of **one layer**, and of **the whole model**. You can use
# the cell as a calculator. (For an example of such a count, see "How many parameters does the paper's model have?", under
# "Deeper" in the lesson.)

# %% exercise="transformer.parameters" form="by hand" minutes=9 difficulty=2
### BEGIN SOLUTION
d, d_ff = 256, 1024
attention = 4 * (d * d + d)
layer = attention + (2 * d * d_ff + d_ff + d) + 2 * 2 * d
counts = [attention, layer, 4 * layer + 2 * d + 10_000 * d + 128 * d]
### END SOLUTION

# %%
check("transformer.parameters")

# %% [markdown]
# Nearly half of this small model is its embedding table. In large models, the layers have nearly all the parameters: they grow
# with d², and the table only with d.

# %% [markdown]
# ## 2 · Short, or rare?
#
# The lesson's translator is right on eight-digit numbers, and wrong on nearly all of those from 1 to 20. Only 103 of its
# training numbers have one or two words. Do the numbers from 1 to 20 fail because such numbers are *rare*?
#
# **Plan runs that can tell you.** `plan` is a list of runs, and each has this form:
#
# ```python
# {"copies": 1, "steps": 450, "d_model": 128, "measured_on": "1 to 20", "seed": 0}
# ```
#
# | field | values | |
# | --- | --- | --- |
# | `copies` | 1, 5, 21 | how many times each of the 103 occurs in the training data; in the lesson, 1 |
# | `steps` | 50, 450, 1400 | training steps; in the lesson, 450 |
# | `d_model` | 64, 128, 256 | the width; in the lesson, 128 |
# | `measured_on` | `"1 to 20"`, `"three digits"`, `"eight digits"` | which numbers are translated after training |
# | `seed` | 0 to 9 | |
#
# Plan at most 20 runs. A loop in square brackets saves typing: `[… for seed in (0, 1, 2)]`.

# %% exercise="training.rare" form="plan an experiment" minutes=10 difficulty=2
### BEGIN SOLUTION
# Two groups that differ only in the copies, with the same three seeds.
plan = [
    {"copies": copies, "steps": 450, "d_model": 128, "measured_on": "1 to 20", "seed": seed}
    for copies in (1, 21)
    for seed in (0, 1, 2)
]
### END SOLUTION

# %%
check("training.rare")

# %% [markdown]
# <details><summary>What came out (open this once you have passed)</summary>We trained with seeds 0, 1 and 2, for 450 steps,
# with a width of 128. With one copy, 1, 1 and 0 of the twenty numbers were correct; with 21 copies, 15, 17 and 17. (With 5
# copies, we ran only seed 0, and 12 were correct.) So rarity was the main reason. But the copies repeat the very numbers that
# are measured. Were they just memorised? Four of the twenty, 9, 10, 14 and 19, are in no training set. With one copy none of
# them was correct (seed 0), with 5 copies one (seed 0), and with 21 copies four and three (seeds 0 and 1). That is more than
# memorising. The score on the 2,000 test numbers did not change: 99.4 to 99.7%. The 99 whole millions, from <em>one
# million</em> to <em>ninety nine million</em>, were wrong in all runs. The copies contain none of them, so a number that ends
# at <em>million</em> is as rare as before.</details>

# %% [markdown]
# ## More practice {#practice}
#
# You can stop here: the rest is optional. You put a training step in order and count exact matches. Stages B1 and B6 of the
# Build ask for the parts of such a step, in torch.

# %% [markdown]
# ## 3 · One step
#
# Here is one step of a training loop without torch, for a model that is a single vector `w`, with plain gradient descent. You
# are given
#
# ```python
# def backward(w, x, y):
#     """The gradient of the mean squared error of x @ w."""
#     return 2 * x.T @ (x @ w - y) / len(y)
#
#
# def cut(grad, most):
#     """The same direction, with a length of at most `most`."""
#     return grad * min(1, most / np.sqrt((grad**2).sum()))
# ```
#
# You also have `w`, a batch `x`, `y`, the number of this step (`step`, counted from 0), the total number of steps (`steps`),
# and **`grad`, which still holds the gradient of the previous batch**. As in torch, the new gradient is *added* to it.
#
# The learning rate falls in a straight line from 0.5 to near 0. When the step is taken, the gradient of this batch should have
# a length of at most 1.
#
# Five of these lines make up the step, and three do not belong:
#
# ```python
# A   w = w - rate * grad
# B   grad = np.clip(grad, -1.0, 1.0)
# C   grad = np.zeros_like(w)
# D   w = w + rate * grad
# E   grad = cut(grad, 1.0)
# F   grad = grad / len(y)
# G   rate = 0.5 * (steps - step) / steps
# H   grad = grad + backward(w, x, y)
# ```
#
# Write `order`, a list of five letters such as `["B", "A", …]`. There can be more than one correct order.

# %% exercise="training.step" form="repair" minutes=7 difficulty=2 builds=["training"]
### BEGIN SOLUTION
# Clear, add, clip, then step. The learning rate can be computed anywhere before the step.
order = ["C", "H", "E", "G", "A"]
### END SOLUTION

# %%
check("training.step")

# %% [markdown]
# ## 4 · Right to the last token
#
# Compute exact match for a batch. `written` holds the sequences that a model generated, and `targets` the correct ones. Both
# are arrays of ids of shape `(b, n)`. `end` is an id. Each row of `targets` contains one `end`. After it comes padding: any
# ids other than `end`.
#
# What a model wrote *after* the target's end does not matter: it may be padding or anything else. But a row is correct only if
# it ends exactly where the target ends. A target can be empty: then its first token is `end`.
#
# Return the fraction of rows that are correct, a number from 0 to 1.


# %% exercise="training.exact" form="program" minutes=10 difficulty=2
def exact(written, targets, end):
    """The fraction of rows that agree with the target up to and including its end."""
    ### BEGIN SOLUTION
    stops = (targets == end).argmax(axis=1)  # the position of the first True
    after_end = np.arange(targets.shape[1]) > stops[:, None]
    return ((written == targets) | after_end).all(axis=1).mean()
    ### END SOLUTION


# %%
check("training.exact")
