# %% [markdown]
# # Sheet 12 · The encoder
#
# Four exercises, about 40 minutes in all. Each has a cell for your answer and a cell that checks it. Run both with Shift +
# Enter, as often as you like. If an answer does not pass, the check says what is wrong. You can then unfold hints, one at a
# time, and after the last hint a solution.

# %%
import numpy as np

from transformer_course.exercises import check

# %% [markdown]
# ## 1 · What it holds, and what it hands over (by hand, 7 minutes, ●○○)
#
# An encoder has three layers, in the original's form, and no further norm at its end. Its vectors are 20 wide, it has 4 heads
# of the usual width, and its feed-forward networks are 50 wide inside. The four matrices of attention have no biases; all else
# is as in the lesson. It is given a batch of two texts of 7 tokens each, without padding.
#
# Give a list of four whole numbers:
#
# 1. How many **attention weights** does *one layer* work out for this batch?
# 2. How many **parameters** has *one layer*?
# 3. How many parameters has the whole encoder?
# 4. How many **numbers** does the decoder get from it, for this batch?

# %% exercise="encoder.sizes"
### BEGIN SOLUTION
# 2 texts × 4 heads × a table of 7 × 7.
# Attention 4 × 20 × 20 = 1600, network 20 × 50 + 50 + 50 × 20 + 20 = 2070, two norms with γ and β 4 × 20 = 80.
# Three layers with weights of their own. And the last layer's vectors: 2 × 7 of them, each 20 wide.
counts = [392, 3750, 11250, 280]
### END SOLUTION

# %%
check("encoder.sizes")

# %% [markdown]
# ## 2 · A layer for a batch of padded texts (program, 20 minutes, ●●●)
#
# Write `encoder_layer(x, weights, num_heads, mask)`: one layer in the original's form, post-norm, with the arrays of this
# table. It returns an array of shape (b, n, d), as `x` has it.
#
# | | shape | |
# | --- | --- | --- |
# | `x` | (b, n, d) | b texts of n tokens |
# | `weights["w_q"]`, `["w_k"]`, `["w_v"]`, `["w_o"]` | (d, d) | attention, without biases; each head has d / num_heads columns that stand next to each other |
# | `weights["w1"]`, `["b1"]`, `["w2"]`, `["b2"]` | (d, d_ff), (d_ff,), (d_ff, d), (d,) | the feed-forward network, with ReLU |
# | `weights["gamma1"]`, `["beta1"]` | (d,) | the norm behind attention |
# | `weights["gamma2"]`, `["beta2"]` | (d,) | the norm behind the feed-forward network |
# | `num_heads` | | divides d |
# | `mask` | (b, 1, n) or (b, n, n) | True = may attend; every query has a True |
#
# The first shape of a mask is that of a padding mask, one row for all queries of a text; the second one has a row for each
# query. The norms have ε = 0.00001. Scores may lie near 1000, or near −1000. All arrays stand on the right of a product, as in the
# lesson: `x @ weights["w_q"]`. Helper functions may stand in the same cell. Do not change what you are given; NumPy or torch, as you like.


# %% exercise="encoder.layer"
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

# %% [markdown]
# ## 3 · Twelve permissions (construct, 8 minutes, ●●○)
#
# An encoder of *two* layers, each with its residual connections, reads texts of seven places. In both layers it gets the same
# mask of shape (7, 7): row i says to whom place i may attend, True or False, 1 or 0. With all 49 entries True, every output
# moves with every input after the first layer already.
#
# For long texts that is too many. **Give a `mask` with at most 12 entries True with which, after the *second* layer, every output
# still moves with every input.** Each row needs a True at least.

# %% exercise="encoder.hub"
### BEGIN SOLUTION
# Place 1 attends to all others, and all others attend to place 1. What it gathers in the first layer, they fetch in the second.
# The diagonal is not needed: a place's own vector goes past attention by the residual connection.
mask = np.zeros((7, 7), dtype=bool)
mask[0, 1:] = True
mask[1:, 0] = True
### END SOLUTION

# %%
check("encoder.hub")

# %% [markdown]
# ## 4 · Which layer had no mask? (read maps, 6 minutes, ●●○)
#
# Somebody's encoder has three layers. In a text of five places, places 4 and 5 are padding. These are its influence maps after
# one, two and three layers: ■ if the output (row) moves when the input (column) is changed, · if not.
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
# * `"a"`: the mask was given to all three layers; the padding came in by the residual connections
# * `"b"`: the first layer was run without the mask
# * `"c"`: the second layer was run without the mask; of the third one cannot tell
# * `"d"`: the second and the third layer were run without the mask
#
# **For which reason?**
#
# * `"a"`: after layer 1, places 4 and 5 move with themselves
# * `"b"`: after layer 2, places move with padding that did not after layer 1; and what has come in stays in
# * `"c"`: after layer 3, everything moves with everything
# * `"d"`: the rows of places 4 and 5 should be empty, and are not
#
# **And how many ■ would the third map have if all three layers had been given the mask?**

# %% exercise="encoder.which_layer"
### BEGIN SOLUTION
# With the mask everywhere, each map is like the first: three columns of five, and two cells where padding meets itself.
verdict = {"claim": "c", "reason": "b", "value": 17}
### END SOLUTION

# %%
check("encoder.which_layer")
