# %% [markdown]
# # Sheet 15 · The whole Transformer, trained
#
# Four exercises, about 35 minutes in all. Each has a cell for your answer and a cell that checks it. Run both with Shift +
# Enter, as often as you like. If an answer does not pass, the check says what is wrong. You can then unfold hints, one at a
# time, and after the last hint a solution.

# %%
import numpy as np

from transformer_course.exercises import check

# %% [markdown]
# ## 1 · Count a GPT (by hand, 9 minutes, ●●○)
#
# A GPT writes with a decoder alone: no encoder, so nothing to look across to (lesson 13). This one has
#
# * 4 layers, d_model = 256, d_ff = 1024, 4 heads;
# * each layer in pre-norm, a norm before each sublayer; and one more norm behind the last layer, as always in pre-norm (the
#   paper's model in the lesson is in post-norm and has none there);
# * a bias beside each matrix of attention and feed-forward network;
# * 10,000 tokens. The output matrix shares their table (it is *tied*) and has no bias;
# * learned positions: a table with a row for each of 128 positions.
#
# Give a list of three numbers: the parameters of **one attention**, of **one layer**, and of **the whole model**. Use the cell as a
# pocket calculator, if you like.

# %% exercise="transformer.parameters"
### BEGIN SOLUTION
d, d_ff = 256, 1024
attention = 4 * (d * d + d)
layer = attention + (2 * d * d_ff + d_ff + d) + 2 * 2 * d
counts = [attention, layer, 4 * layer + 2 * d + 10_000 * d + 128 * d]
### END SOLUTION

# %%
check("transformer.parameters")

# %% [markdown]
# Nearly half of this small model is its table. In large ones, the layers have nearly everything: they grow with d², the table
# with d.
#
# ## 2 · One step (repair, 7 minutes, ●●○)
#
# The lesson let `train` do the work. Here is one of its steps, for a model of one matrix, with plain gradient descent. Given is
#
# ```python
# def backward(w, x, y):
#     """The gradient of the mean squared error of x @ w."""
#     return 2 * x.T @ (x @ w - y) / len(y)
#
#
# def cut(grad, most):
#     """The same direction, and a length of at most `most`."""
#     return grad * min(1, most / np.sqrt((grad**2).sum()))
# ```
#
# and, beside `w` and a batch `x`, `y`: the number of this step, `step`, counted from 0, that of all steps, `steps`, and **`grad`, which
# still holds the gradient of the batch before**. As in torch, the new one is *added* to what stands there. The learning rate falls
# in a line from 0.5 towards 0. The new gradient shall have a length of at most 1 when the step is made.
#
# Five of these lines make the step, three do not belong:
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
# Give `order`, a list of five letters, as in `["B", "A", …]`. Several orders may be right.

# %% exercise="training.step"
### BEGIN SOLUTION
# Empty, add, cut, and then the step. The learning rate may be found anywhere before it.
order = ["C", "H", "E", "G", "A"]
### END SOLUTION

# %%
check("training.step")

# %% [markdown]
# ## 3 · Right to the last token (program, 10 minutes, ●●○)
#
# Exact match, for a batch. Given are `written`, what a model wrote, and `targets`, both arrays of ids of the same shape `(b, n)`, and
# `end`, an id. In each row of `targets` there is one `end`, and behind it padding, whatever id that has.
#
# What a model wrote *after* its end does not matter: it may be padding, or anything else. But a text is right only if it ends
# where the target ends. A target may be empty: then its first token is `end`.
#
# Return the share of rows that are right, one number from 0 to 1.


# %% exercise="training.exact"
def exact(written, targets, end):
    """The share of rows that agree up to and with the end."""
    ### BEGIN SOLUTION
    stops = (targets == end).argmax(axis=1)  # the place of the first True
    behind = np.arange(targets.shape[1]) > stops[:, None]
    return ((written == targets) | behind).all(axis=1).mean()
    ### END SOLUTION


# %%
check("training.exact")

# %% [markdown]
# ## 4 · Short, or rare? (plan an experiment, 10 minutes, ●●○)
#
# The translator that the lesson trains is right on numbers of eight digits and wrong on nearly all from 1 to 20. Training holds
# 103 numbers of one or two words. Is it their *rarity* that makes short numbers go wrong?
#
# **Plan the runs that can tell.** `plan` is a list of runs, each of this form:
#
# ```python
# {"copies": 1, "steps": 450, "d_model": 128, "measured_on": "1 to 20", "seed": 0}
# ```
#
# | field | values | |
# | --- | --- | --- |
# | `copies` | 1, 5, 21 | how often each of the 103 is in the training numbers; the lesson had 1 |
# | `steps` | 50, 450, 1400 | training steps; the lesson had 450 |
# | `d_model` | 64, 128, 256 | |
# | `measured_on` | `"1 to 20"`, `"three digits"`, `"eight digits"` | which numbers are translated in the end |
# | `seed` | 0 to 9 | |
#
# At most 20 runs. A loop in square brackets saves writing: `[… for seed in (0, 1, 2)]`.

# %% exercise="training.rare"
### BEGIN SOLUTION
# Two arms that differ in the copies alone, with the same three seeds.
plan = [
    {"copies": copies, "steps": 450, "d_model": 128, "measured_on": "1 to 20", "seed": seed}
    for copies in (1, 21)
    for seed in (0, 1, 2)
]
### END SOLUTION

# %%
check("training.rare")

# %% [markdown]
# <details><summary>What came out (look after you have passed)</summary>With seeds 0, 1 and 2, 450 steps and a width of 128: with one
# copy, 1, 1 and 0 of the twenty were right; with 21 copies, 15, 17 and 17. (With 5 copies we ran seed 0 alone: 12.) So rarity it
# was, for the most part. But the copies repeat the very numbers that are measured: were they learned by heart? Four of the twenty,
# 9, 10, 14 and 19, are in no training set. Of these none was right with one copy (seed 0), one with 5, and with 21 all four and
# three (seeds 0 and 1): that is more than learning by heart. The score on the lesson's 2,000 test numbers did not move: 99.4 to
# 99.7 %. And the 99 whole millions, from <em>one million</em> to <em>ninety nine million</em>, are short too and in no training set: all 99 were
# wrong in all runs. A few more short numbers do not teach how <em>those</em> end.</details>
