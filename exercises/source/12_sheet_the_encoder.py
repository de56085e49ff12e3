# %% [markdown]
# # Sheet 12 · The encoder
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
# ## 1 · An encoder in numbers
#
# An encoder has three layers in post-norm order, and no final norm. It has `d_model` = 20, 4 heads of the usual width, and 50
# hidden units in each feed-forward network. The four attention matrices have no biases; everything else is as in the
# lesson. The encoder reads a batch of two sequences of 7 tokens each, without padding.
#
# Give a list of four integers:
#
# 1. How many **attention weights** does *one layer* compute for this batch?
# 2. How many **parameters** does *one layer* have?
# 3. How many parameters does the whole encoder have?
# 4. How many **numbers** does it pass to the decoder for this batch?

# %% exercise="encoder.sizes" form="by hand" minutes=7 difficulty=1
### BEGIN SOLUTION
# 2 sequences × 4 heads × a matrix of 7 × 7.
# Attention 4 × 20 × 20 = 1600, network 20 × 50 + 50 + 50 × 20 + 20 = 2070, two norms with γ and β 4 × 20 = 80.
# Each of the three layers has its own parameters. The memory is the last layer's 2 × 7 vectors, each of width 20.
counts = [392, 3750, 11250, 280]
### END SOLUTION

# %%
check("encoder.sizes")

# %% [markdown]
# ## 2 · Twelve permissions
#
# An encoder of *two* layers with residual connections reads sequences of seven positions. Both layers get the same mask of
# shape (7, 7): row i says which positions token i may attend to, as True or False, 1 or 0. If all 49 entries are True, every
# output depends on every input after one layer.
#
# For long sequences, n² entries are too many. **Give a `mask` with at most 12 True entries such that every output still
# depends on every input after the *second* layer.** Each row needs at least one True.

# %% exercise="encoder.hub" form="construct" minutes=8 difficulty=2
### BEGIN SOLUTION
# Position 1 attends to all others, and all others attend to position 1. What it gathers in the first layer, they read in the
# second. The diagonal is not needed: the residual connection takes a position's own vector around attention.
mask = np.zeros((7, 7), dtype=bool)
mask[0, 1:] = True
mask[1:, 0] = True
### END SOLUTION

# %%
check("encoder.hub")

# %% [markdown]
# ## 3 · What do these maps show?
#
# An encoder has three layers. It reads a sequence of five positions, of which 4 and 5 are padding. These are its influence
# maps after one, two and three layers. A ■ means that the output (row) changes with the input (column), and a · that it does
# not.
#
# ```
#       after layer 1        after layer 2        after layer 3
#       1  2  3  4  5        1  2  3  4  5        1  2  3  4  5
#  1    ■  ■  ■  ·  ·        ■  ■  ■  ■  ■        ■  ■  ■  ■  ■
#  2    ■  ■  ■  ·  ·        ■  ■  ■  ■  ■        ■  ■  ■  ■  ■
#  3    ■  ■  ■  ·  ·        ■  ■  ■  ■  ■        ■  ■  ■  ■  ■
#  4    ■  ■  ■  ■  ·        ■  ■  ■  ■  ■        ■  ■  ■  ■  ■
#  5    ■  ■  ■  ·  ■        ■  ■  ■  ■  ■        ■  ■  ■  ■  ■
# ```
#
# **What do the maps show?**
#
# * `"a"`: all three layers were run with the mask; the padding came in through the residual connections
# * `"b"`: the first layer was run without the mask
# * `"c"`: the second layer was run without the mask; the maps do not show whether the third had it
# * `"d"`: the second and the third layer were run without the mask
#
# **What is the reason?**
#
# * `"a"`: after layer 1, outputs 4 and 5 depend on inputs 4 and 5
# * `"b"`: after layer 2, real positions depend on padding, but after layer 1 they did not; what has come in stays in
# * `"c"`: after layer 3, every output depends on every input
# * `"d"`: the rows of positions 4 and 5 should be empty, but they are not
#
# **How many ■ would the third map have if all three layers had been run with the mask?**

# %% exercise="encoder.which_layer" form="read maps" minutes=6 difficulty=2
### BEGIN SOLUTION
# With the mask in every layer, each map is like the first: three columns of five, and two cells on the diagonal.
verdict = {"claim": "c", "reason": "b", "value": 17}
### END SOLUTION

# %%
check("encoder.which_layer")

# %% [markdown]
# ## More practice {#practice}
#
# You can stop here: the rest is optional. You write a whole encoder layer in NumPy. Stage B5 of the Build asks for it again,
# in torch, where you can use your parts from earlier stages.

# %% [markdown]
# ## 4 · A layer for a batch of padded sequences
#
# Write `encoder_layer(x, weights, num_heads, mask)`: one encoder layer in post-norm order, with the arrays of this table. It
# returns an array of shape (b, n, d), like `x`.
#
# | | shape | |
# | --- | --- | --- |
# | `x` | (b, n, d) | b sequences of n tokens |
# | `weights["w_q"]`, `["w_k"]`, `["w_v"]`, `["w_o"]` | (d, d) | attention, without biases; each head has d / num_heads adjacent columns |
# | `weights["w1"]`, `["b1"]`, `["w2"]`, `["b2"]` | (d, d_ff), (d_ff,), (d_ff, d), (d,) | the feed-forward network, with ReLU |
# | `weights["gamma1"]`, `["beta1"]` | (d,) | the norm after attention |
# | `weights["gamma2"]`, `["beta2"]` | (d,) | the norm after the feed-forward network |
# | `num_heads` | | divides d |
# | `mask` | (b, 1, n) or (b, n, n) | True = may attend; every query has at least one True |
#
# A mask of the first shape is a padding mask, with one row for all queries of a sequence. A mask of the second shape has a row
# for each query. The norms have ε = 0.00001. Scores may be near 1000 or near −1000. Every matrix is on the right of a product:
# `x @ weights["w_q"]`. You can put helper functions into the same cell.


# %% exercise="encoder.layer" form="program" minutes=20 difficulty=3 builds=["encoder"]
def encoder_layer(x, weights, num_heads, mask):
    """One encoder layer, post-norm: (b, n, d) to (b, n, d)."""
    ### BEGIN SOLUTION
    b, n, d = x.shape

    def split(t):
        return t.reshape(b, n, num_heads, d // num_heads).swapaxes(1, 2)

    def norm(t, number):
        centred = t - t.mean(-1, keepdims=True)
        root = np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5)
        return weights[f"gamma{number}"] * centred / root + weights[f"beta{number}"]

    q, k, v = (split(x @ weights[name]) for name in ("w_q", "w_k", "w_v"))
    scores = q @ k.swapaxes(-2, -1) / np.sqrt(d // num_heads)
    scores = np.where(mask[:, None], scores, -np.inf)  # an axis of length 1 for the heads
    shares = np.exp(scores - scores.max(-1, keepdims=True))
    shares = shares / shares.sum(-1, keepdims=True)
    found = (shares @ v).swapaxes(1, 2).reshape(b, n, d) @ weights["w_o"]
    middle = norm(x + found, 1)
    hidden = np.maximum(middle @ weights["w1"] + weights["b1"], 0)
    return norm(middle + hidden @ weights["w2"] + weights["b2"], 2)
    ### END SOLUTION


# %%
check("encoder.layer")
