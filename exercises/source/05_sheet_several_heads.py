# %% [markdown]
# # Sheet 05 · Several heads
#
# The core takes about {minutes} minutes. Below it is more practice, another {practice} minutes, which you can leave out. Each
# exercise has a cell for your answer and a cell that checks it. Run both with Shift + Enter, as often as you like. If an
# answer does not pass, the check says what is wrong. You can then unfold hints, one at a time, and after the last hint a
# solution. In a program, use NumPy or torch, whichever you like: the check passes arrays to your function, or tensors if it
# needs those. Your function must not change them.
#
# From here on we count heads and tokens from 0, as Python does.

# %%
import numpy as np

from transformer_course.exercises import check

# %% [markdown]
# ## 1 · What three heads cost
#
# A model has width `d_model` = 24 and three heads. In each head, queries and keys have width `d_k` = 4, and values have width
# `d_v` = 6. The widths of the heads need not add up to `d_model`, and here they don't: W_O takes the concatenated outputs of
# all heads and maps them back to width 24.
#
# **How many parameters do W_Q, W_K, W_V (each for all heads together) and W_O have? And how many do all four matrices have
# together, if there are six heads instead, with `d_k` and `d_v` half as large?** Do not count biases. Give a list of five
# integers, in this order.

# %% exercise="heads.sizes" form="by hand" minutes=6 difficulty=1
### BEGIN SOLUTION
# W_Q and W_K are 24 × 12, W_V is 24 × 18, W_O is 18 × 24. Six heads of half the width have the same columns: 6 × 2 = 3 × 4.
counts = [288, 288, 432, 432, 1440]
### END SOLUTION

# %%
check("heads.sizes")

# %% [markdown]
# ## 2 · A program in pieces
#
# You need this function for this exercise and for the last two. If you come back on another day, run its cell and the first
# one again.


# %%
def softmax(scores, axis):
    exponentials = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


# %% [markdown]
# Here is attention in all heads at once, with a **mask** of shape `(b, n, n)`, one for each sequence, True = may attend. In
# the lines below, `np.where(mask, scores, -np.inf)` takes the score where the mask is True, and −∞ elsewhere. `mask[:, None]`
# inserts a new axis of length 1 after the first, and `swapaxes(-2, -1)` swaps the last two. You are given `softmax` from
# above, the `mask`, the queries `q` and keys `k`, which are already split into heads of shape `(b, h, n, d_k)`, the values `v`
# of shape `(b, h, n, d_v)`, and this beginning:
#
# ```python
# b, h, n, d_k = q.shape
# ```
#
# The other lines have been shuffled, and five of the ten do not belong in the program at all:
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
# **Give the letters of the five correct lines in an order that works**, as a list such as `["B", "A"]`. There is more than
# one such order, and all of them pass: the check runs your five lines and looks at `heads`. You may run the check before you
# have all five.

# %% exercise="heads.order" form="put in order" minutes=8 difficulty=2
### BEGIN SOLUTION
# Score, scale, mask, softmax, mix. (The mask may come before the scale: −∞ divided by √d_k is −∞.)
order = ["G", "C", "H", "J", "E"]
### END SOLUTION

# %%
check("heads.order")

# %% [markdown]
# ## More practice {#practice}
#
# You can stop here: the rest is optional. You write the heads in NumPy. (Stage B3 asks for them again, in torch.)
# Then you make two heads look where you want, and find an input for a silent bug.

# %% [markdown]
# ## Before the next exercises: what a reshape does {#primer}
#
# A **reshape** reads an array row by row, from the first number to the last, and writes the numbers in the same order into
# rows of a different length. So a reshape can split an axis into two neighbouring axes, and it can join two neighbouring axes.
# It can never move an axis past another one; `swapaxes` does that. Two arrays of the same shape can hold their numbers in very
# different places:

# %%
table = np.arange(6).reshape(2, 3)  # two rows of three numbers, 0 to 5
print("the table:        ", table.tolist())
print("axes swapped:     ", table.swapaxes(0, 1).tolist())
print("reshaped to 3, 2: ", table.reshape(3, 2).tolist())
print("joined:           ", table.reshape(-1).tolist())
print("two axes joined:  ", np.zeros((2, 3, 4, 5)).reshape(6, 4, 5).shape)

# %% [markdown]
# You may write one size as `-1`, and NumPy computes it from the others. Sizes are integers, but `/` always gives a float:
# `12 / 3` is `4.0`, and `12 // 3` is `4`. `b, n, d = x.shape` gives you the three sizes of `x`. If you prefer working with
# pieces, `np.stack(pieces, axis=1)` puts them along a new axis, and `np.concatenate(pieces, axis=-1)` joins them along an
# existing axis. In torch, `reshape` and `stack` have the same names (with `dim` for `axis`), `concatenate` is `cat`, and
# `swapaxes(1, 2)` is also `transpose(1, 2)`.

# %% [markdown]
# ## 3 · Split a batch into heads
#
# The lesson split one sequence. Do the same for a batch: `x` has shape `(b, n, d)`, and `num_heads` is an integer h that
# divides `d`. Return the heads, of shape `(b, h, n, d/h)`. Head 0 holds the first `d/h` columns of every token, head 1 the
# next ones, and so on.
#
# For example, with one sequence of two tokens, `[[[11, 12, 13, 14], [21, 22, 23, 24]]]`, and two heads, the result is
# `[[[[11, 12], [21, 22]], [[13, 14], [23, 24]]]]`. The check also tries other sizes: one head, one token, heads with a single
# column.


# %% exercise="heads.split" form="program" minutes=12 difficulty=2
def split_heads(x, num_heads):
    """(b, n, d) to (b, h, n, d/h): consecutive columns for each head."""
    ### BEGIN SOLUTION
    b, n, d = x.shape
    return x.reshape(b, n, num_heads, d // num_heads).swapaxes(1, 2)
    ### END SOLUTION


# %%
check("heads.split")

# %% [markdown]
# ## 4 · Concatenate the heads
#
# Now go the other way. `x` has shape `(b, h, n, d)`: for each head of each sequence, n tokens with d numbers. Return an array
# of shape `(b, n, h·d)` with one row per token. It holds the numbers of head 0 for this token, then those of head 1, and so
# on. `merge_heads(split_heads(x, h))` is `x` again.


# %% exercise="heads.merge" form="program" minutes=10 difficulty=2
def merge_heads(x):
    """(b, h, n, d) to (b, n, h·d): the heads concatenated."""
    ### BEGIN SOLUTION
    b, h, n, d = x.shape
    return x.swapaxes(1, 2).reshape(b, n, h * d)
    ### END SOLUTION


# %%
check("heads.merge")

# %% [markdown]
# ## 5 · Multi-head attention
#
# Now write the whole of it, for a batch and without a mask. You are given
#
# * `x`, of shape `(b, n, d_model)`;
# * `w_q` and `w_k`, of shape `(d_model, h·d_k)`, and `w_v`, of shape `(d_model, h·d_v)`; the columns of head 0 come first,
#   then those of head 1, and so on;
# * `w_o`, of shape `(h·d_v, d_out)`;
# * `num_heads`, the integer h.
#
# Return the outputs, of shape `(b, n, d_out)`. Scale the scores as in lesson 03. Each score is the dot product of a query and
# a key of the same head. `d_k` and `d_v` may differ, and neither has to be `d_model / num_heads`. Even after scaling, some
# scores are near 1000. Copy what you need of split, merge and softmax into this cell, because each answer must work without
# the other cells.


# %% exercise="heads.multi_head" form="program" minutes=20 difficulty=3 builds=["heads"]
def multi_head(x, w_q, w_k, w_v, w_o, num_heads):
    """Attention in all heads at once; their outputs concatenated, times w_o."""
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
# ## 6 · One head looks left, one looks right
#
# There are six tokens in a row, token 0 to token 5. Each has ten numbers. The first four are its **content**, which may be
# anything between −100 and 100. The other six give its **position**, with a single 1 among zeros: for token 2 they are
# `0, 0, 1, 0, 0, 0`. So row 4 + p of a matrix is what position p adds to a query or a key.
#
# **Give `matrices = (w_q, w_k)` for two heads**, both of shape `(10, 2·d_k)`, with any `d_k` you like. The first half of the
# columns belongs to head 0, and the second half to head 1. Scores are divided by √d_k, where d_k is the width of one
# head. Each of the inner tokens 1 to 4 must give
#
# * in head 0, at least 0.9 of its weight to its **left** neighbour,
# * in head 1, at least 0.9 of its weight to its **right** neighbour,
#
# **whatever the content is.** Tokens 0 and 5 may look anywhere, and values play no part. Any matrices that do this will pass.
# The numbers may be as large as you like, up to a million. Some useful functions: `np.eye(6, k=1)` has its ones one place to
# the right of the diagonal, and with `k=-1` one place to the left. `np.hstack([a, b])` puts `b` to the right of `a`, and
# `np.vstack([a, b])` puts it below. This function shows what your matrices do:


# %%
def look(w_q, w_k, content):
    """The weights of both heads, for a content of shape (6, 4)."""
    x = np.hstack([content, np.eye(6)])
    queries, keys = np.hsplit(x @ w_q, 2), np.hsplit(x @ w_k, 2)
    for name, q, k in zip(["first", "second"], queries, keys, strict=True):
        print(name, "head:\n", softmax(q @ k.T / np.sqrt(q.shape[1]), axis=-1).round(3))


look(np.zeros((10, 2)), np.zeros((10, 2)), np.zeros((6, 4)))

# %% exercise="heads.neighbours" form="construct" minutes=20 difficulty=3
### BEGIN SOLUTION
# Rows 0 to 3 are zero, so the content has no effect. The query of token p looks for p. In the first head, the key of token
# p - 1 matches it; in the second, that of token p + 1. It scores 20 / √6 = 8.2 points above the others; 3.81 would be enough.
one, nothing = np.eye(6), np.zeros((4, 12))
w_q = np.vstack([nothing, 20 * np.hstack([one, one])])
w_k = np.vstack([nothing, np.hstack([np.eye(6, k=1), np.eye(6, k=-1)])])
matrices = (w_q, w_k)
### END SOLUTION

# %%
check("heads.neighbours")

# %% [markdown]
# A single head could not have given 0.9 to both neighbours, because its weights sum to 1. W_O then combines what the two heads
# found: it decides in which columns of the output the left neighbour's value arrives, and in which the right one's.

# %% [markdown]
# ## 7 · A silent bug
#
# A mask `(b, n, m)` needs an axis for the heads before it is used with scores `(b, h, n, m)`. A programmer has inserted this
# axis in the wrong place, one position too late. `misplaced` is that program, and `repaired` is what it should be:


# %%
def misplaced(scores, mask):
    return softmax(np.where(mask[:, :, None], scores, -np.inf), axis=-1)


def repaired(scores, mask):
    return softmax(np.where(mask[:, None], scores, -np.inf), axis=-1)


# %% [markdown]
# **Give an input on which the bug is silent**: there is no error, the result has the shape `(b, h, n, m)`, but its numbers are
# not those of `repaired`. Your answer is `trap = (scores, mask)`, with scores between −1000 and 1000, at most 8 entries along
# each axis, and at least one True in each row of the mask. You may use nested lists, and 1 and 0 for True and False. A small
# input is enough.

# %% exercise="heads.mask_trap" form="find an input" minutes=8 difficulty=2
### BEGIN SOLUTION
# With as many queries as heads, the shapes fit by accident, and the rows of the mask must differ. Here one sequence has two
# heads, two queries, two keys and the causal mask. All scores are 0. Head 0 gets row 0 of the mask for both queries, head 1
# gets row 1.
trap = (np.zeros((1, 2, 2, 2)), [[[True, False], [True, True]]])
### END SOLUTION

# %%
check("heads.mask_trap")
