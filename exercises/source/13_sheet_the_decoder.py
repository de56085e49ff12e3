# %% [markdown]
# # Sheet 13 · The decoder
#
# The core takes about {minutes} minutes. Below it is more practice, another {practice} minutes, which you can leave out. Each
# exercise has a cell for your answer and a cell that checks it. Run both with Shift + Enter, as often as you like. If an
# answer does not pass, the check says what is wrong. You can then unfold hints, one at a time, and after the last hint a
# solution. In a program, use NumPy or torch, whichever you like: the check passes arrays to your function, or tensors if it
# needs those. Your function must not change them.

# %%
import math

import numpy as np

from transformer_course.exercises import check

# %% [markdown]
# ## 1 · Who can see whom?
#
# Take a decoder with **two layers**, four target tokens and a memory of three rows. Its masks are different from the lesson's:
#
# * in self-attention, each position may attend only to **itself and the one before it** (the first position has none before
#   it);
# * in cross-attention, the memory's third row is padding, and is masked.
#
# **Which outputs can change when one token or memory row is changed?** Give a table with 4 rows, one for each output, and 7
# columns: target tokens 1 to 4, then memory rows 1 to 3. Write 1 where the output can change, and 0 where it cannot.

# %% exercise="decoder.reach" form="by hand" minutes=6 difficulty=1
### BEGIN SOLUTION
# Each layer goes back one position, so two layers go back two. Cross-attention lets each position see all of the memory but padding.
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
# ## 2 · A silent swap
#
# In the lesson, adding the output to the residual stream revealed a swapped cross-attention, unless n = m. Here are both
# programs, including that sum:


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
# **Give `trap = (x, memory)` with different numbers of tokens, n ≠ m, for which `swapped_sum` is silently wrong**: it raises
# no error, its result has the shape of `x`, but its numbers differ from those of `right_sum`. Both arrays have one row per
# token, at most 6 rows and columns, and numbers between −10 and 10.

# %% exercise="decoder.swapped" form="find an input" minutes=6 difficulty=2
### BEGIN SOLUTION
# With a source of one token, the swapped attention gives one row, and broadcasting adds that row to every row of x.
trap = ([[1, 0], [0, 1], [2, 2]], [[3, 1]])
### END SOLUTION

# %%
check("decoder.swapped")

# %% [markdown]
# So, when you test a decoder, choose different lengths n and m, and let neither of them be 1.

# %% [markdown]
# ## 3 · Where does the accuracy come from?
#
# This table shows accuracies for the lesson's sorting task, with one seed. *Teacher-forced* means that the input is the
# correct target, and *free-running* that the input is what the model itself has written.
#
# | row | model | teacher-forced | free-running |
# | --- | --- | --- | --- |
# | **A** | trained and measured with the causal mask | 0.98 | 0.95 |
# | **B** | trained and measured without it | 1.00 | 0.24 |
# | **C** | the model of row B, measured *with* the mask | 0.35 | 0.24 |
# | **D** | no model: always the most common digit at each position | 0.32 | 0.32 |
#
# **Which claim do these rows support?**
#
# * `"a"`: without the mask, a decoder learns this task better
# * `"b"`: the teacher-forced accuracy in row B depends on later tokens in the input
# * `"c"`: the model of row B was not trained for long enough
# * `"d"`: none, since each row comes from only one seed
#
# **Why?**
#
# * `"a"`: the teacher-forced accuracy is higher in row B than in row A
# * `"b"`: the free-running accuracy is lower in row B than in row D
# * `"c"`: B and C differ only in whether later tokens can be seen, and the teacher-forced accuracy falls
# * `"d"`: the teacher-forced accuracies of A and B are both near 1
#
# **And how much of row B's 1.00 is left when only the later tokens are hidden?** Give the number from the table.

# %% exercise="decoder.leak" form="read a table" minutes=6 difficulty=2
### BEGIN SOLUTION
# Rows B and C have the same weights and digits, and both are teacher-forced. Only what the model can see is different.
# (Free-running, both have 0.24: there are no later tokens to hide.)
verdict = {"claim": "b", "reason": "c", "value": 0.35}
### END SOLUTION

# %%
check("decoder.leak")

# %% [markdown]
# ## More practice {#practice}
#
# You can stop here: the rest is optional. You write a whole decoder layer in NumPy. Stage B5 of the Build asks for it again,
# in torch, where you can use your parts from earlier stages.

# %% [markdown]
# ## 4 · A decoder layer
#
# Now write the whole layer as a function, for a batch, with post-norm. You are given
#
# * `x`, the target's residual stream, of shape `(b, n, d)`, and `memory`, of shape `(b, m, d)`; n and m may differ;
# * `weights`, a mapping from these names to arrays:
#
# | names | shape | what they are |
# | --- | --- | --- |
# | `"w_q"`, `"w_k"`, `"w_v"`, `"w_o"` | `(d, d)` | matrices of self-attention, without biases; each head has adjacent columns |
# | `"cross_w_q"`, `"cross_w_k"`, `"cross_w_v"`, `"cross_w_o"` | `(d, d)` | the same for cross-attention |
# | `"w1"`, `"b1"`, `"w2"`, `"b2"` | `(d, d_ff)`, `(d_ff,)`, `(d_ff, d)`, `(d,)` | the feed-forward network, with ReLU |
# | `"gamma1"`, `"beta1"`, `"gamma2"`, `"beta2"`, `"gamma3"`, `"beta3"` | `(d,)` | the norms after the first, second and third sublayer |
#
# * `num_heads`, the number of heads h, an integer;
# * `mask`, of shape `(n, n)`, for self-attention, the same for all samples, and `memory_mask`, of shape `(b, 1, m)`, for
#   cross-attention. True marks the tokens that a position may look at. Often `mask` is causal, but not always.
#
# Return the residual stream after the layer, of shape `(b, n, d)`. The ε of the norms is 0.00001. Scores may be near 1000 or
# near −1000. If you need functions from earlier sheets, copy them into this cell. The layer of sheet 12 is a good start, but
# `mask` has different axes here.


# %% exercise="decoder.layer" form="program" minutes=20 difficulty=3 builds=["decoder"]
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
