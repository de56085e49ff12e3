# %% [markdown]
# # Sheet 13 · The decoder
#
# Four exercises, about 40 minutes in all. Each has a cell for your answer and a cell that checks it. Run both with Shift +
# Enter, as often as you like. If an answer does not pass, the check says what is wrong. You can then unfold hints, one at a
# time, and after the last hint a solution.

# %%
import math

import numpy as np

from transformer_course.exercises import check

# %% [markdown]
# ## 1 · Who hears of whom? (by hand, 6 minutes, ●○○)
#
# A decoder of **two layers**, with four target tokens and a memory of three rows. Its masks are not those of the lesson:
#
# * in self-attention, each place may attend to **itself and the one before it**, and to no other (the first place has none before
#   it);
# * in cross-attention, the memory's third row is padding, and masked.
#
# **Which outputs move when one token is changed?** A table of 4 rows, one for each output, and 7 columns: target tokens 1 to 4,
# then memory rows 1 to 3. Put 1 where the output moves, 0 where it cannot.

# %% exercise="decoder.reach"
### BEGIN SOLUTION
# One place back in each layer makes two. Cross-attention lets each place see the whole memory but its padding.
moves = [
    [1, 0, 0, 0, 1, 1, 0],
    [1, 1, 0, 0, 1, 1, 0],
    [1, 1, 1, 0, 1, 1, 0],
    [0, 1, 1, 1, 1, 1, 0],
]
### END SOLUTION

# %%
check("decoder.reach")

# %% [markdown]
# ## 2 · A decoder layer (program, 20 minutes, ●●●)
#
# Now the layer as a function of your own, for a batch, with post-norm. Given are
#
# * `x`, the target's stream, of shape `(b, n, d)`, and `memory`, of shape `(b, m, d)`; n and m may differ;
# * `weights`, a mapping from these names to arrays:
#
# | names | shape | what they are |
# | --- | --- | --- |
# | `"w_q"`, `"w_k"`, `"w_v"`, `"w_o"` | `(d, d)` | of the self-attention, without biases; each head has columns that stand next to each other |
# | `"cross_w_q"`, `"cross_w_k"`, `"cross_w_v"`, `"cross_w_o"` | `(d, d)` | the same of the cross-attention |
# | `"w1"`, `"b1"`, `"w2"`, `"b2"` | `(d, d_ff)`, `(d_ff,)`, `(d_ff, d)`, `(d,)` | the feed-forward network, with ReLU |
# | `"gamma1"`, `"beta1"`, `"gamma2"`, `"beta2"`, `"gamma3"`, `"beta3"` | `(d,)` | the norms after the first, second and third sublayer |
#
# * `num_heads`, the whole number h;
# * `mask`, of shape `(n, n)`, for self-attention, the same for all samples, and `memory_mask`, of shape `(b, 1, m)`, for the
#   cross-attention; True = may look. Usually `mask` is the causal one, but use it as it comes.
#
# Return the stream after the layer, of shape `(b, n, d)`. The ε of the norms is 0.00001. Write what you need of earlier sheets
# into this cell once more: the layer of sheet 12 is a good start, but mind that `mask` has other axes here. Do not change what
# you are given; NumPy or torch, as you like.


# %% exercise="decoder.layer"
def decoder_layer(x, memory, weights, num_heads, mask, memory_mask):
    """Masked self-attention, cross-attention, feed-forward network: (b, n, d) to (b, n, d)."""
    ### BEGIN SOLUTION
    scale = np.sqrt(x.shape[-1] // num_heads)

    def split(y):
        return y.reshape(*y.shape[:2], num_heads, -1).swapaxes(1, 2)

    def attend(prefix, asking, asked, may):
        w_q, w_k, w_v, w_o = (weights[f"{prefix}w_{letter}"] for letter in "qkvo")
        q, k, v = split(asking @ w_q), split(asked @ w_k), split(asked @ w_v)
        scores = np.where(may, q @ k.swapaxes(-2, -1) / scale, -np.inf)
        exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
        found = exponentials / exponentials.sum(axis=-1, keepdims=True) @ v
        return found.swapaxes(1, 2).reshape(asking.shape) @ w_o

    def norm(y, number):
        centred = y - y.mean(axis=-1, keepdims=True)
        scaled = centred / np.sqrt(y.var(axis=-1, keepdims=True) + 1e-5)
        return weights[f"gamma{number}"] * scaled + weights[f"beta{number}"]

    x = norm(x + attend("", x, x, mask), 1)
    x = norm(x + attend("cross_", x, memory, memory_mask[:, None]), 2)
    hidden = np.maximum(x @ weights["w1"] + weights["b1"], 0)
    return norm(x + hidden @ weights["w2"] + weights["b2"], 3)
    ### END SOLUTION


# %%
check("decoder.layer")

# %% [markdown]
# ## 3 · Swapped without a word (find an input, 6 minutes, ●●○)
#
# In the lesson, a swapped cross-attention was found out by the sum with the stream, except where n = m. Here are both programs
# once more, with that sum:


# %%
def attend(queries_from, keys_and_values_from):
    scores = queries_from @ keys_and_values_from.T / math.sqrt(queries_from.shape[1])
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True) @ keys_and_values_from


def right_sum(x, memory):
    return x + attend(x, memory)


def swapped_sum(x, memory):
    return x + attend(memory, x)


# %% [markdown]
# **Give `trap = (x, memory)` with different numbers of tokens, n ≠ m, on which `swapped_sum` is wrong without a word**: it raises no
# error, its result has the shape of `x`, and its numbers are not those of `right_sum`. Both are tables with a row for each token;
# at most 6 rows and columns, numbers between −10 and 10.

# %% exercise="decoder.swapped"
### BEGIN SOLUTION
# A source of one token: the swapped attention gives one row, and that is stretched over all rows of the stream.
trap = ([[1, 0], [0, 1], [2, 2]], [[3, 1]])
### END SOLUTION

# %%
check("decoder.swapped")

# %% [markdown]
# So the advice of the lesson needs an addition: let n and m differ, and let neither of them be 1.

# %% [markdown]
# ## 4 · Where do the marks come from? (read a table, 6 minutes, ●●○)
#
# The sorting task of the lesson, one seed. *Shown* is the share of digits right with the right target at the input, *alone* that
# with nothing but what the model wrote itself.
#
# | row | model | shown | alone |
# | --- | --- | --- | --- |
# | **A** | trained with the causal mask, and measured with it | 0.98 | 0.95 |
# | **B** | trained without it, and measured without it | 1.00 | 0.24 |
# | **C** | the model of row B, measured *with* the mask | 0.35 | 0.24 |
# | **D** | no model: at each place the digit that is commonest there | 0.32 | 0.32 |
#
# **Which claim do these rows support?**
#
# * `"a"`: without the mask, a decoder learns this task better
# * `"b"`: the marks of row B rest on tokens that come later in its input
# * `"c"`: the model of row B has not been trained long enough
# * `"d"`: nothing can be said, since each row is one seed
#
# **For which reason?**
#
# * `"a"`: the share in row B, shown, is higher than in row A
# * `"b"`: alone, row B is below row D
# * `"c"`: between B and C nothing differs but whether later tokens are seen, and the share shown falls
# * `"d"`: A and B are both near 1 when the target is shown
#
# **And how much is left of row B's 1.00 when only the later tokens are hidden?** The printed number.

# %% exercise="decoder.leak"
### BEGIN SOLUTION
# Rows B and C are the same weights on the same digits, with the right target shown in both. Only what may be seen differs.
# (Alone, both have 0.24: there is nothing later to hide.)
verdict = {"claim": "b", "reason": "c", "value": 0.35}
### END SOLUTION

# %%
check("decoder.leak")
