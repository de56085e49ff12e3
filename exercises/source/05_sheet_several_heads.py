# %% [markdown]
# # Sheet 05 · Several heads
#
# Seven exercises, about an hour and a half in all; they need not be done in one sitting. Each has a cell for your answer and a
# cell that checks it. Run both with Shift + Enter, as often as you like. If an answer does not pass, the check says what is
# wrong with it. Hints unfold below that, one at a time, and after the last hint a solution.
#
# From here on heads and tokens are counted from 0, as Python does.

# %%
import numpy as np

from transformer_course.exercises import check

# %% [markdown]
# ## 1 · What three heads cost (by hand, 6 minutes, ●○○)
#
# A model is 24 wide, `d_model` = 24. It has three heads; in each of them queries and keys are 4 wide, `d_k` = 4, and values
# 6, `d_v` = 6. Nothing demands that the heads' widths add up to `d_model`, and here they do not: W_O takes what all heads
# bring, side by side, and leads back to 24.
#
# **How many parameters do W_Q, W_K, W_V (each for all heads together) and W_O have? And how many do all four matrices have
# together, if there are six heads instead, with `d_k` and `d_v` half as large?** A list of five whole numbers in this
# order, without biases.

# %% exercise="heads.sizes"
### BEGIN SOLUTION
# W_Q and W_K are 24 × 12, W_V is 24 × 18, W_O is 18 × 24. Six heads of half the width have as many columns: 6 × 2 = 3 × 4.
counts = [288, 288, 432, 432, 1440]
### END SOLUTION

# %%
check("heads.sizes")

# %% [markdown]
# ## Before the next exercises: what a reshape does
#
# A **reshape** reads an array row by row, from the first number to the last, and writes what it reads into rows of another
# length. The order of the numbers stays. So a reshape can cut an axis into two that stand next to each other, and it can
# join two that stand next to each other. It can never move an axis past another one: that is what `swapaxes` is for. Two
# arrays of the same shape can hold very different things:

# %%
table = np.arange(6).reshape(2, 3)  # two rows of three numbers, 0 to 5
print("the table:        ", table.tolist())
print("axes exchanged:   ", table.swapaxes(0, 1).tolist())
print("reshaped to 3, 2: ", table.reshape(3, 2).tolist())
print("joined:           ", table.reshape(-1).tolist())
print("two axes joined:  ", np.zeros((2, 3, 4, 5)).reshape(6, 4, 5).shape)

# %% [markdown]
# One size may be written as `-1`: NumPy works it out from the others. Sizes are whole numbers, and `/` makes fractions. `12
# / 3` is `4.0`, while `12 // 3` is `4`. `b, n, d = x.shape` takes the three sizes of `x` apart. Whoever prefers pieces to a
# reshape finds `np.stack(pieces, axis=1)`, which puts them along a new axis, and `np.concatenate(pieces, axis=-1)`, which
# joins them along one that is there. In torch, `reshape` and `stack` are called the same (with `dim` for `axis`),
# `concatenate` is `cat`, and `swapaxes(1, 2)` is also `transpose(1, 2)`.

# %% [markdown]
# ## 2 · Split a batch into heads (program, 12 minutes, ●●○)
#
# The lesson split one sequence. Write it for a batch: `x` has shape `(b, n, d)`, and `num_heads` is a whole number h that
# divides `d`. Return the heads, of shape `(b, h, n, d/h)`, so that head 0 holds the first `d/h` columns of every token,
# head 1 the next ones, and so on.
#
# For example, with one sequence of two tokens, `[[[11, 12, 13, 14], [21, 22, 23, 24]]]`, and two heads, the result is
# `[[[[11, 12], [21, 22]], [[13, 14], [23, 24]]]]`. The check tries other sizes as well: one head, one token, heads of a
# single column.


# %% exercise="heads.split"
def split_heads(x, num_heads):
    """(b, n, d) to (b, h, n, d/h): consecutive columns for each head."""
    ### BEGIN SOLUTION
    b, n, d = x.shape
    return x.reshape(b, n, num_heads, d // num_heads).swapaxes(1, 2)
    ### END SOLUTION


# %%
check("heads.split")

# %% [markdown]
# ## 3 · Lay the heads side by side (program, 10 minutes, ●●○)
#
# The way back. `x` has shape `(b, h, n, d)`: for each head of each text, a table of n tokens with d numbers. Return an
# array of shape `(b, n, h·d)` in which each token has one row: what head 0 holds for it, then what head 1 holds, and so on.
# On what `split_heads` returned, this gives the array that it was made from.


# %% exercise="heads.merge"
def merge_heads(x):
    """(b, h, n, d) to (b, n, h·d): the heads side by side."""
    ### BEGIN SOLUTION
    b, h, n, d = x.shape
    return x.swapaxes(1, 2).reshape(b, n, h * d)
    ### END SOLUTION


# %%
check("heads.merge")

# %% [markdown]
# ## 4 · Multi-head attention (program, 20 minutes, ●●●)
#
# Now the whole of it, as a function of your own, for a batch and without a mask. Given are
#
# * `x`, of shape `(b, n, d_model)`;
# * `w_q` and `w_k`, of shape `(d_model, h·d_k)`, and `w_v`, of shape `(d_model, h·d_v)`, in which each head has columns
#   that stand next to each other, head 0 the first ones;
# * `w_o`, of shape `(h·d_v, d_out)`;
# * `num_heads`, the whole number h.
#
# Return the outputs, of shape `(b, n, d_out)`. The scores are scaled, as in lesson 03; each is the dot product of one query
# of one head with one of its keys. `d_k` and `d_v` may differ, and neither need be `d_model / num_heads`. After the scale,
# some scores are near 1000. Write what you need of split, merge and softmax into this cell once more, so that this answer
# stands by itself.


# %% exercise="heads.multi_head"
def multi_head(x, w_q, w_k, w_v, w_o, num_heads):
    """Attention in all heads at once, their results side by side, times w_o."""
    ### BEGIN SOLUTION
    b, n, _ = x.shape
    q, k, v = ((x @ w).reshape(b, n, num_heads, -1).swapaxes(1, 2) for w in (w_q, w_k, w_v))
    d_k = q.shape[-1]  # of one head, after the split
    scores = q @ k.swapaxes(-2, -1) / np.sqrt(d_k)
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return (weights @ v).swapaxes(1, 2).reshape(b, n, -1) @ w_o
    ### END SOLUTION


# %%
check("heads.multi_head")

# %% [markdown]
# ## For the last three exercises
#
# They use this function. If you come back another day, run this cell and the first one again.


# %%
def softmax(scores, axis):
    exponentials = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


# %% [markdown]
# ## 5 · A program in pieces (put in order, 8 minutes, ●●○)
#
# Attention in all heads at once, with a **mask** of shape `(b, n, n)`, one for each text, True = may attend. Two things occur
# in the lines below: `np.where(mask, scores, -np.inf)` takes the score where the mask is True, and −∞ elsewhere; and
# `mask[:, None]` puts a new axis of length 1 behind the first. Given are `softmax` from above, the `mask`, the queries `q` and
# keys `k`, both split into heads already, of shape `(b, h, n, d_k)`, the values `v`, of shape `(b, h, n, d_v)`, and this
# beginning:
#
# ```python
# b, h, n, d_k = q.shape
# ```
#
# The other lines got shuffled, and five of the ten do not belong in the program at all:
#
# ```python
# A   weights = softmax(scores, axis=-2)
# B   scores = q @ k.swapaxes(1, 2)
# C   scores = scores / np.sqrt(d_k)
# D   scores = np.where(mask, scores, -np.inf)
# E   heads = weights @ v
# F   weights = np.where(mask[:, None], weights, 0)
# G   scores = q @ k.swapaxes(-2, -1)
# H   scores = np.where(mask[:, None], scores, -np.inf)
# I   scores = scores / np.sqrt(h * d_k)
# J   weights = softmax(scores, axis=-1)
# ```
#
# **Give the letters of the five right lines in an order in which they work**, as a list such as `["B", "A"]`. There is more
# than one such order, and each of them passes: the check runs your five lines and looks at `heads`. You may check before you
# have all five.

# %% exercise="heads.order"
### BEGIN SOLUTION
# Score, scale, mask, softmax, mix. (The mask may come before the scale: −∞ divided by √d_k is −∞.)
order = ["G", "C", "H", "J", "E"]
### END SOLUTION

# %%
check("heads.order")

# %% [markdown]
# ## 6 · One head looks left, one looks right (construct, 20 minutes, ●●●)
#
# Six tokens in a row, token 0 to token 5. Each is described by ten numbers: four of **content**, which may be anything
# between −100 and 100, and then six that tell its **position**, a single 1 among zeros. Behind the content of token 2
# stands `0, 0, 1, 0, 0, 0`. So row 4 + p of a matrix is what position p adds to a query or a key.
#
# **Give `matrices = (w_q, w_k)` for two heads**, both of shape `(10, 2·d_k)`, with any `d_k` you like. The first half of
# the columns belongs to the first head, the second half to the second. Scores are scaled by √d_k of one head. Each of the
# inner tokens 1 to 4 must give
#
# * in the first head, at least 0.9 of its weight to its **left** neighbour,
# * in the second head, at least 0.9 of its weight to its **right** neighbour,
#
# **whatever the content is.** What tokens 0 and 5 do is up to you. Values play no part. Any matrices pass that do this,
# with numbers of at most a million. Useful here: `np.eye(6, k=1)` has its ones one place to the right of the diagonal, and
# `k=-1` one place to the left; `np.hstack([a, b])` puts `b` to the right of `a`, and `np.vstack([a, b])` puts it below.
# This shows what your matrices do:


# %%
def look(w_q, w_k, content):
    """The weights of both heads, for a content of shape (6, 4)."""
    x = np.hstack([content, np.eye(6)])
    queries, keys = np.hsplit(x @ w_q, 2), np.hsplit(x @ w_k, 2)
    for name, q, k in zip(["first", "second"], queries, keys, strict=True):
        print(name, "head:\n", softmax(q @ k.T / np.sqrt(q.shape[1]), axis=-1).round(3))


look(np.zeros((10, 2)), np.zeros((10, 2)), np.zeros((6, 4)))

# %% exercise="heads.neighbours"
### BEGIN SOLUTION
# Rows 0 to 3 are zero, so the content has no say. Token p asks for p. In the first head, token p - 1 answers to p; in the
# second, token p + 1 does. 20 / √6 = 8.2 points above the others is far more than the 3.81 needed.
one, nothing = np.eye(6), np.zeros((4, 12))
w_q = np.vstack([nothing, 20 * np.hstack([one, one])])
w_k = np.vstack([nothing, np.hstack([np.eye(6, k=1), np.eye(6, k=-1)])])
matrices = (w_q, w_k)
### END SOLUTION

# %%
check("heads.neighbours")

# %% [markdown]
# One head could not have given 0.9 to both: softmax shares out one whole. And it is W_O that makes something of the two
# finds. It decides in which columns of the output the left neighbour's value arrives, and in which the right one's.

# %% [markdown]
# ## 7 · Wrong without a word (find an input, 8 minutes, ●●○)
#
# The lesson mended note 2's program by an axis for the heads. Somebody does so too, and puts the new axis one place too far
# back. Here is what these lines do, and what they should do:


# %%
def misplaced(scores, mask):
    return softmax(np.where(mask[:, :, None], scores, -np.inf), axis=-1)


def repaired(scores, mask):
    return softmax(np.where(mask[:, None], scores, -np.inf), axis=-1)


# %% [markdown]
# The scores have shape `(b, h, n, m)`, the mask `(b, n, m)`. **Give an input on which the misplaced axis goes wrong without a
# word**: no error is raised, the result has the shape `(b, h, n, m)`, and its numbers are not those of the repaired lines.
# `trap = (scores, mask)`, with scores between −1000 and 1000, every axis at most 8 long, and at least one True in each row of
# the mask. Nested lists will do, and 1 and 0 for True and False. Keep it as small as you can.

# %% exercise="heads.mask_trap"
### BEGIN SOLUTION
# As many queries as heads, so that the shapes fit by accident, and rows of the mask that differ: one text with two heads, two
# queries, two keys and the causal mask, all scores 0. Head 0 gets the mask's row 0 for both queries, head 1 its row 1.
trap = (np.zeros((1, 2, 2, 2)), [[[True, False], [True, True]]])
### END SOLUTION

# %%
check("heads.mask_trap")
