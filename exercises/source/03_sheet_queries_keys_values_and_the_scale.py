# %% [markdown]
# # Sheet 03 · Queries, keys, values, and the scale
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
# ## 1 · Seven look at eleven
#
# A translator has written 7 tokens and looks at the 11 tokens of its source. The queries come from the 7, the keys and values
# from the 11. All tokens have width `d_model` = 24, queries and keys have width `d_k` = 6, and values have width `d_v` = 10.
#
# **What are the shapes of Q, K, V, the weights and the output**, in this order? Give a list of five pairs `(rows,
# columns)`.

# %% exercise="attention.shapes" form="by hand" minutes=5 difficulty=1
### BEGIN SOLUTION
# Q, K and V have one row per token. Q and K have d_k columns, and V has d_v. The weights have one row per query and one column
# per key. The output has one row per query, as wide as a value. d_model appears nowhere.
shapes = [(7, 6), (11, 6), (11, 10), (7, 11), (7, 10)]
### END SOLUTION

# %%
check("attention.shapes")

# %% [markdown]
# ## 2 · How far do these scores spread?
#
# Suppose that all entries of the queries and keys are independent and have mean 0. The entries of the queries have standard
# deviation 3, and those of the keys 0.5. The width is `d_k` = 36.
#
# **What is the standard deviation of a score, before and after the division by √`d_k`?** Give a list of two numbers. You don't
# need a calculator.

# %% exercise="attention.score_spread" form="by hand" minutes=6 difficulty=2
### BEGIN SOLUTION
# One product has standard deviation 3 · 0.5 = 1.5, so its variance is 2.25. The sum of 36 products has variance 81 and
# standard deviation 9. Divided by √36 = 6, that is 1.5 again, as for a single product. The scale removes what the width adds,
# no more.
spread = [9, 1.5]
### END SOLUTION

# %%
check("attention.score_spread")

# %% [markdown]
# ## 3 · What makes it slow?
#
# Here is the look-up of the lesson again, with `d_k` = 64, initialised in five ways. First W_Q and W_K are drawn so that the
# entries of queries and keys have a standard deviation of 1. Then the two matrices are multiplied by the factors in the table.
# Each row shows runs with three seeds.
#
# | | scores divided by √`d_k` | W_Q times | W_K times | steps until the loss is below 0.5 | | |
# | --- | --- | --- | --- | --- | --- | --- |
# | **A** | yes | 1 | 1 | 99 | 99 | 98 |
# | **B** | no | 1 | 1 | 183 | 230 | 177 |
# | **C** | no | 1/8 | 1 | 71 | 73 | 72 |
# | **D** | no | 1/8 | 8 | 187 | 189 | 149 |
# | **E** | yes | 8 | 1 | 228 | 303 | 254 |
#
# Give three things:
#
# * `"claim"`: which claim fits the whole table? Training is slow
#   * `"a"` when the scores are not divided by √`d_k`
#   * `"b"` when the first scores have a large standard deviation
#   * `"c"` when W_Q or W_K starts with large numbers
#   * `"d"` by chance: the table shows no cause
# * `"reason"`:
#   * `"a"` A divides and B does not, and B is slower for every seed
#   * `"b"` the first scores of A and C have the same standard deviation, and those of B, D and E have a larger one
#   * `"c"` A and E differ only in W_Q, and E is slower
#   * `"d"` with a different seed, the same row takes up to a third more steps
# * `"value"`: in row E, what is the standard deviation of the first scores, after the division?

# %% exercise="attention.saturated" form="read a table" minutes=10 difficulty=2
### BEGIN SOLUTION
# The standard deviation of a score is that of the queries' entries times that of the keys' entries times √64, divided by √64
# in the rows that say so. A: 1. B: 8. C: 1/8 · 1 · 8 = 1. D: 1/8 · 8 · 8 = 8. E: 8 · 1 · 8 / 8 = 8. Claim a fails for C and E,
# claim c for B.
verdict = {"claim": "b", "reason": "b", "value": 8}
### END SOLUTION

# %%
check("attention.saturated")

# %% [markdown]
# ## More practice {#practice}
#
# You can stop here: the rest is optional. You write attention for any number of axes. (Stage B2 asks for it again, in
# torch.) Then you find matrices that make each kind of token attend to another.

# %% [markdown]
# ## 4 · For any number of leading axes
#
# The lesson's attention takes matrices: `query` of shape `(n, d_k)`, `key` `(m, d_k)` and `value` `(m, d_v)`. All axes before
# the last two are called **leading axes**. A batch has one, `(b, n, d_k)`, and lesson 05 will add another, `(b, h, n, d_k)`.
# The product `@` multiplies matrix by matrix, as long as both sides have the same leading axes:

# %%
left, right = np.zeros((2, 3, 5, 4)), np.zeros((2, 3, 4, 7))
print("2 × 3 products of (5, 4) with (4, 7):", (left @ right).shape)
print("length of the last axis:", left.shape[-1])
print("last two axes swapped:", left.swapaxes(-1, -2).shape)  # .T would reverse all of them

# %% [markdown]
# Write `scaled_dot_product(query, key, value)`. It divides the scores by √`d_k`, applies softmax, multiplies by the values,
# and returns **only the output**. Its inputs are matrices, batches of matrices, or `(b, h, n, d_k)` with `(b, h, m, d_k)` and
# `(b, h, m, d_v)`. The output has shape `(n, d_v)`, with the same leading axes. `n` and `m` may differ, and so may `d_k` and
# `d_v`. Scores may be near 1000 or −1000 even after the division, and must still come out right. Numbers may be
# off by a hundredth of a percent. A ready-made attention function would pass, but you would learn nothing.


# %% exercise="attention.scaled_dot_product" form="program" minutes=12 difficulty=2 builds=["head"]
def scaled_dot_product(query, key, value):
    """softmax(Q Kᵀ / √d_k) V, for any number of leading axes."""
    ### BEGIN SOLUTION
    scores = query @ key.swapaxes(-2, -1) / np.sqrt(query.shape[-1])
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return weights @ value
    ### END SOLUTION


# %%
check("attention.scaled_dot_product")

# %% [markdown]
# ## 5 · In a circle
#
# There are three kinds of tokens. Each token is **one-hot**: it has a 1 at the position of its kind, and 0 elsewhere. So kind
# 1 is [1, 0, 0]. Multiplying a one-hot vector by a matrix picks one of the matrix's rows:

# %%
rows = np.array([[10, 11], [20, 21], [30, 31]])
tokens = np.eye(3)[[0, 2, 0]]  # rows 0, 2 and 0 of the identity: tokens of kinds 1, 3 and 1
print(tokens @ rows)

# %% [markdown]
# **Find `w_q` and `w_k`, both of shape `(3, d_k)`, that make kind 1 attend to kind 2, kind 2 to kind 3, and kind 3 to
# kind 1.** You choose `d_k`. Attention is scaled self-attention, as in exercise 4: queries are `x @ w_q`, keys `x @ w_k`,
# and the scores are divided by √`d_k`.
#
# In every sequence of 3 to 12 tokens that contains all three kinds, each token must put a total of at least 0.9 of its weight
# on tokens of its target kind. The check tries random sequences and the hardest ones, in which there is one target among
# eleven other tokens. Keep all numbers between −1,000,000 and 1,000,000.
#
# This function shows what two matrices do. It prints the weights in a sequence of kinds, with one row per query.

# %%
import torch

from transformer_course.attention import scaled_dot_product_attention


def look(kinds, w_q, w_k):
    """The attention weights, with w_q and w_k, in a sequence such as [1, 1, 3, 2]."""
    x = np.eye(3)[np.array(kinds) - 1]
    query, key, value = (torch.from_numpy(array) for array in (x @ w_q, x @ w_k, x))
    _, weights = scaled_dot_product_attention(query, key, value)
    return weights.numpy().round(3)


print(look([1, 1, 3, 2], np.zeros((3, 2)), np.zeros((3, 2))))

# %% [markdown]
# With zeros, all tokens get the same weight. Your answer is the pair `one_way = (w_q, w_k)`, as nested lists or arrays.

# %% exercise="attention.one_way" form="find two matrices" minutes=20 difficulty=3
### BEGIN SOLUTION
# Kind k's key is row k of the identity. The query of kind 1 is (a multiple of) the key of kind 2, and so on round the circle.
# The target's score is 9 / √3 = 5.2 points above the others, which is a factor of 181. Against eleven others the target gets
# 181 / (181 + 11) = 0.94. (d_k = 2 is enough, with three keys at 120 degrees to each other. d_k = 1 is not.)
w_k = np.eye(3)
w_q = 9 * np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]])
one_way = (w_q, w_k)
### END SOLUTION

# %%
check("attention.one_way")
