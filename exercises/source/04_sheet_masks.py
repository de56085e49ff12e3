# %% [markdown]
# # Sheet 04 · Masks
#
# The core takes about {minutes} minutes. Below it is more practice, another {practice} minutes, which you can leave out. Each
# exercise has a cell for your answer and a cell that checks it. Run both with Shift + Enter, as often as you like. If an
# answer does not pass, the check says what is wrong. You can then unfold hints, one at a time, and after the last hint a
# solution. In a program, use NumPy or torch, whichever you like: the check passes arrays to your function, or tensors if it
# needs those. Your function must not change them.
#
# Throughout this sheet a mask is boolean, and **True = may attend**.

# %%
import numpy as np

from transformer_course.exercises import check

# %% [markdown]
# ## 1 · One causal row
#
# Here are four tokens and all their scores, with one row per query. Use the scores as they are.
#
# | | key 1 | key 2 | key 3 | key 4 |
# | --- | --- | --- | --- | --- |
# | **token 1** | 1 | 3 | 0 | 2 |
# | **token 2** | 0 | 1 | 2 | 3 |
# | **token 3** | 2 | 0 | 3 | 4 |
# | **token 4** | 1 | 2 | 0 | 1 |
#
# **What are the four attention weights of token 3 under the causal mask?** You may use a calculator. Give a list of four
# numbers, with four decimal places.

# %% exercise="attention.causal_by_hand" form="by hand" minutes=5 difficulty=1
### BEGIN SOLUTION
# Token 3 may attend to tokens 1 to 3: its scores are 2, 0, 3, and −∞ for token 4. The exponentials are 7.389, 1, 20.086 and 0,
# and their sum is 28.475.
weights_3 = [0.2595, 0.0351, 0.7054, 0.0]
### END SOLUTION

# %%
check("attention.causal_by_hand")

# %% [markdown]
# ## 2 · A mask in the wrong hands
#
# You make the right causal mask for three tokens, True = may attend, and pass it to `nn.MultiheadAttention` as `attn_mask`.
# For that layer, True means **may not**. Wherever the mask is True, the layer sets the score to −∞ before softmax. Suppose
# that all nine scores are equal. Give three things:
#
# * `"claim"`: whose output is NaN ("not a number")? `"a"` that of token 1 · `"b"` that of token 3 · `"c"` none · `"d"` all
#   three
# * `"reason"`:
#   * `"a"` a row in which every score is −∞ has no weights
#   * `"b"` softmax fails when a token looks at later ones
#   * `"c"` the opposite of a causal mask is its mirror image, and every row still sums to 1
#   * `"d"` torch notices that the mask is inverted
# * `"value"`: what weight does token 1 give to token 3?

# %% exercise="attention.two_conventions" form="on paper" minutes=6 difficulty=2
### BEGIN SOLUTION
# Read as "may not", the rows T F F, T T F and T T T leave tokens 2 and 3 for token 1, token 3 for token 2, and nothing for
# token 3. So token 1 gives half of its weight to token 3, which it should not see at all.
verdict = {"claim": "b", "reason": "a", "value": 0.5}
### END SOLUTION

# %%
check("attention.two_conventions")

# %% [markdown]
# ## 3 · Right on paper
#
# In the lesson, weights were set to 0 after softmax, and the future leaked through the sum in the denominator. Here is an
# attempt to repair that: each row is divided by its new sum. On paper this is right, because the old sum cancels, and only the
# allowed keys remain.


# %%
def masked_late(scores, mask):
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    weights = weights * mask
    return weights / weights.sum(axis=-1, keepdims=True)


# %% [markdown]
# **Give an input on which it still goes wrong** on a computer. Your answer is `trap = (scores, mask)`, two arrays of the
# same shape `(n, m)`. The mask contains True and False, with at least one True in each row. You may use nested lists, and a
# single row is enough.

# %% exercise="attention.late_mask" form="find an input" minutes=5 difficulty=2
### BEGIN SOLUTION
# The forbidden score is 1000 above the allowed ones. Their weights become exactly 0 before the mask is applied: 0 / 0.
trap = ([[1000.0, 1.0, 0.0]], [[False, True, True]])
### END SOLUTION

# %%
check("attention.late_mask")

# %% [markdown]
# ## More practice {#practice}
#
# You can stop here: the rest is optional. You write two masks and an attention that takes them, test functions for leaks, and
# work through dropout. Stage B2 of the Build asks for a causal head again, in torch.

# %% [markdown]
# ## Before the next exercises: a few words of NumPy {#primer}
#
# If you compare an array with a number, you get an array of True and False. `~` turns each of them into its opposite:

# %%
marks = np.array([[6, 2, 9], [4, 4, 1]])
print(marks > 3)
print(~(marks > 3))

# %% [markdown]
# `None` in an index inserts an axis of length 1 in that place. Arrays of different shapes are stretched to fit each other, as
# in lesson 02, when you divided each row by its own sum. The rule is: **axes are aligned from the last one, and an axis that
# has length 1 or is missing at the front is stretched.** So a column and a row together make a matrix with an entry for each
# pair:

# %%
print("shapes:", marks.shape, marks[:, None, :].shape, marks[:, :, None].shape, marks[None].shape)
print(np.array([10, 20, 30])[:, None] + np.array([1, 2]))  # (3, 1) and (2,) make (3, 2)

# %% [markdown]
# `np.where(condition, a, b)` takes `a` where the condition is True and `b` elsewhere. It stretches all three in this way.
# `any` along an axis tells you whether at least one entry is True, and `all` whether all are. `raise` ends a function with an
# error:

# %%
print(np.where(marks > 3, marks, -np.inf))
print("a mark above 5 in each row?", (marks > 5).any(axis=-1))


def mean_of(numbers):
    if len(numbers) == 0:
        raise ValueError("the mean of no numbers: give at least one")
    return sum(numbers) / len(numbers)


# %% [markdown]
# torch has the same functions, and one more: `scores.masked_fill(condition, number)` writes the number wherever the condition
# is True.

# %% [markdown]
# ## 4 · The causal mask
#
# Write `causal_mask(n)` for **any number** of tokens n ≥ 1. It takes the integer `n` and returns a mask of shape `(n, n)`. Row
# i belongs to query i and column j to key j, and True = may attend. The mask must be boolean: zeros and ones are not enough
# (try it, and the check tells you why).


# %% exercise="attention.causal_mask" form="program" minutes=10 difficulty=1 builds=["mask"]
def causal_mask(n):
    """(n, n), True where query i may attend to key j."""
    ### BEGIN SOLUTION
    places = np.arange(n)
    return places[:, None] >= places  # a column of queries, a row of keys
    ### END SOLUTION


# %%
check("attention.causal_mask")

# %% [markdown]
# ## 5 · The padding mask
#
# `tokens` is a batch of sequences, with a number for each token. It has shape `(b, m)`, with one sequence per row, and
# short ones are padded on the right with the number `pad`. This number differs from model to model: it need not be 0, and 0
# may be a real token. Every other number is a real token.
#
# Write `padding_mask(tokens, pad)`. It returns a boolean array of shape `(b, 1, m)`, True = real token. Attention takes a mask
# of this form: one row for all queries of a sequence.


# %% exercise="attention.padding_mask" form="program" minutes=10 difficulty=1
def padding_mask(tokens, pad):
    """(b, 1, m), True where there is a real token."""
    ### BEGIN SOLUTION
    return (tokens != pad)[:, None, :]
    ### END SOLUTION


# %%
check("attention.padding_mask")

# %% [markdown]
# ## 6 · Attention with a mask
#
# Now write the whole function. `query` has shape `(…, n, d)`, `key` `(…, m, d)` and `value` `(…, m, d_v)`, where the dots mean
# any leading axes: none, `(b,)` or `(b, h)`. Divide the scores by √d. The `mask` is boolean, True = may attend. It has the
# shape of the scores, or a shape that is stretched to it: `(n, m)` for a whole batch, or, for padding, `(b, 1, m)` with scores
# `(b, n, m)` and `(b, 1, 1, m)` with scores `(b, h, n, m)`. Return the outputs, of shape `(…, n, d_v)`.
#
# * A forbidden key must have no effect at all. Scores can be as large as 1000, and a forbidden score may be 1000 above all the
#   allowed ones of its row.
# * If the mask allows no key in some row, raise `ValueError`, because then the caller's mask is wrong.
# * Do not change the inputs. Include softmax in this function again, because each answer must work without the other cells.


# %% exercise="attention.masked" form="program" minutes=20 difficulty=3 builds=["mask"]
def masked_attention(query, key, value, mask):
    """softmax(Q Kᵀ / √d, where the mask allows) V."""
    ### BEGIN SOLUTION
    if not mask.any(axis=-1).all():
        raise ValueError("each query needs at least one key that it may attend to")
    scores = query @ key.swapaxes(-2, -1) / np.sqrt(query.shape[-1])
    scores = np.where(mask, scores, -np.inf)  # before taking the largest
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return weights @ value
    ### END SOLUTION


# %%
check("attention.masked")

# %% [markdown]
# (A very low number in place of −∞, such as −1e9, also passes. It gives the same result here, as long as no row is fully
# masked.)

# %% [markdown]
# ## 7 · Does it see the future?
#
# You are given functions `f` whose code you cannot see. Each takes one sequence `x`, a NumPy array of shape `(n, d)` with
# finite numbers (any n and d, one row per token), and returns an output for each token, again `(n, d)`. Most of them are some
# kind of self-attention with its own matrices. For the same `x`, a function always returns the same output.
#
# Write `is_causal(f)`. It returns True if no output depends on a **later** token, and False if one does. An output may depend
# on its own token and on earlier tokens, or on nothing at all.
#
# The check calls your test with seven functions that are causal, and with fifteen that are not. Some of these leak everywhere,
# some only from a single token into a single output, and some only a little. A sequence of five tokens is long enough to show
# every leak. Compare numbers with `np.allclose(a, b)`, and never with `==`, because rounding may change the last bits.
#
# You need to change an array without changing the one that you copied it from:

# %%
x = np.random.default_rng(0).normal(size=(5, 3))  # five tokens that all differ
changed = x.copy()
changed[2] += 1.0
print("rows that differ:", (changed != x).any(axis=-1))


# %% exercise="attention.test_causal" form="program" minutes=20 difficulty=2
def is_causal(f):
    """True when no output of f depends on a later token."""
    ### BEGIN SOLUTION
    x = np.random.default_rng(0).normal(size=(5, 3))
    before = f(x)
    for j in range(1, len(x)):
        changed = x.copy()
        changed[j] += 1.0
        if not np.allclose(f(changed)[:j], before[:j]):  # outputs 0 … j − 1 come before token j
            return False
    return True
    ### END SOLUTION


# %%
check("attention.test_causal")

# %% [markdown]
# ## 8 · Dropout by hand
#
# **Dropout** sets numbers inside a model to 0 at random while it is being trained: each with probability p. It divides the
# numbers that it keeps by 1 − p. Take p = 0.2. A row of attention weights is [0.4, 0.1, 0.3, 0.2]. In one step the second
# weight is dropped, and the others are kept.
#
# **What is the row after dropout, and what is its sum?** Give a list of five numbers: the four weights, then their sum.

# %% exercise="attention.dropout_row" form="in your head" minutes=3 difficulty=1
### BEGIN SOLUTION
# The second weight becomes 0, and the others are divided by 1 − 0.2 = 0.8. The sum is above 1, because the dropped one was
# small.
row_and_sum = [0.5, 0.0, 0.375, 0.25, 1.125]
### END SOLUTION

# %%
check("attention.dropout_row")
