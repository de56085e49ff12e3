# %% [markdown]
# # Sheet 04 · Masks
#
# Eight exercises, about an hour and a half in all; they need not be done in one sitting. Each has a cell for your answer and a
# cell that checks it. Run both with Shift + Enter, as often as you like. If an answer does not pass, the check says what is
# wrong with it. Hints unfold below that, one at a time, and after the last hint a solution.
#
# Throughout this sheet a mask is boolean, and **True = may attend**.

# %%
import numpy as np

from transformer_course.exercises import check

# %% [markdown]
# ## 1 · One causal row (by hand, 5 minutes, ●○○)
#
# Four tokens, and all of their scores, one row for each query (the division by √d is done already):
#
# | | key 1 | key 2 | key 3 | key 4 |
# | --- | --- | --- | --- | --- |
# | **token 1** | 1 | 3 | 0 | 2 |
# | **token 2** | 0 | 1 | 2 | 3 |
# | **token 3** | 2 | 0 | 3 | 4 |
# | **token 4** | 1 | 2 | 0 | 1 |
#
# **What are the four attention weights of token 3 under the causal mask?** A pocket calculator is allowed. Give a list of
# four numbers, with four digits after the point.

# %% exercise="attention.causal_by_hand"
### BEGIN SOLUTION
# Token 3 may attend to tokens 1 to 3: scores 2, 0, 3, and −∞ for token 4. Exponentials 7.389, 1, 20.086 and 0; their sum 28.475.
weights_3 = [0.2595, 0.0351, 0.7054, 0.0]
### END SOLUTION

# %%
check("attention.causal_by_hand")

# %% [markdown]
# ## Before the next exercises: a few words of NumPy
#
# A comparison of an array with a number gives an array of True and False, and `~` turns each into its opposite:

# %%
marks = np.array([[6, 2, 9], [4, 4, 1]])
print(marks > 3)
print(~(marks > 3))

# %% [markdown]
# `None` in an index adds an axis of length 1, at its own place. And arrays of different shapes are stretched to fit each
# other, as in lesson 02 when each row was divided by its own sum. The rule: **axes are lined up from the last one on; an
# axis of length 1, or one that is missing in front, is stretched.** So a column and a row together make a table, an entry
# for each pair:

# %%
print("shapes:", marks.shape, marks[:, None, :].shape, marks[:, :, None].shape, marks[None].shape)
print(np.array([10, 20, 30])[:, None] + np.array([1, 2]))  # (3, 1) and (2,) make (3, 2)

# %% [markdown]
# `np.where(condition, a, b)` takes `a` where the condition is True and `b` elsewhere, and stretches all three in this way.
# `any` along an axis asks whether there is a True; `all` asks whether everything is. And `raise` ends a function with an
# error:

# %%
print(np.where(marks > 3, marks, -np.inf))
print("a mark above 5 in each row?", (marks > 5).any(axis=-1))


def mean_of(numbers):
    if len(numbers) == 0:
        raise ValueError("the mean of no numbers: give at least one")
    return sum(numbers) / len(numbers)


# %% [markdown]
# In torch the words are the same, and `scores.masked_fill(condition, number)` is one more: it puts the number wherever the
# condition is True.

# %% [markdown]
# ## 2 · The causal mask (program, 10 minutes, ●○○)
#
# Write `causal_mask(n)` for **any number** of tokens n ≥ 1. It takes the whole number `n` and returns the mask, of shape
# `(n, n)`: row i belongs to query i, column j to key j, and True = may attend. It is boolean: zeros and ones are not enough
# (the check tells you why, if you try).


# %% exercise="attention.causal_mask"
def causal_mask(n):
    """(n, n), True where query i may attend to key j."""
    ### BEGIN SOLUTION
    places = np.arange(n)
    return places[:, None] >= places  # a column of queries, a row of keys
    ### END SOLUTION


# %%
check("attention.causal_mask")

# %% [markdown]
# ## 3 · The padding mask (program, 10 minutes, ●○○)
#
# A batch of sentences as numbers of tokens: `tokens` has shape `(b, m)`, one sentence a row, and short ones are filled up
# on the right with the number `pad`. Which number that is differs from model to model: it need not be 0, and 0 may be a
# real token. Every other number is a real token.
#
# Write `padding_mask(tokens, pad)`. It returns a boolean array of shape `(b, 1, m)`, True = real token, in the form that
# attention takes: one row for all queries of a sentence.


# %% exercise="attention.padding_mask"
def padding_mask(tokens, pad):
    """(b, 1, m), True where there is a real token."""
    ### BEGIN SOLUTION
    return (tokens != pad)[:, None, :]
    ### END SOLUTION


# %%
check("attention.padding_mask")

# %% [markdown]
# ## 4 · A mask in the wrong hands (on paper, 6 minutes, ●●○)
#
# Somebody makes the right causal mask of three tokens, True = may attend, and hands it to `nn.MultiheadAttention`, as
# `attn_mask`. That layer takes True to mean **may not**, and in its default settings it sets the scores in all such places
# to −∞ before softmax. Let all nine scores be equal. Give three things:
#
# * `"claim"`: whose output is NaN? `"a"` that of token 1 · `"b"` that of token 3 · `"c"` none · `"d"` all three
# * `"reason"`:
#   * `"a"` a row in which every score is −∞ has no weights
#   * `"b"` a token that looks at later ones makes softmax fail
#   * `"c"` the opposite of a causal mask is its mirror image, and every row still sums to 1
#   * `"d"` torch notices that the mask is the wrong way round
# * `"value"`: the weight that token 1 gives to token 3.

# %% exercise="attention.two_conventions"
### BEGIN SOLUTION
# Read as "may not", the rows T F F, T T F and T T T leave tokens 2 and 3 for token 1, token 3 for token 2, and nothing for token
# 3. So token 1 gives half of its weight to token 3, a token that it should not even see.
verdict = {"claim": "b", "reason": "a", "value": 0.5}
### END SOLUTION

# %%
check("attention.two_conventions")

# %% [markdown]
# ## 5 · Right on paper (find an input, 5 minutes, ●●○)
#
# The lesson set weights to 0 after softmax, and the future leaked through the sum below the fraction bar. Here somebody
# mends that: each row is divided by its new sum. On paper this is right. The old sum cancels, and what is left are shares
# of the allowed keys alone.


# %%
def masked_late(scores, mask):
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    weights = weights * mask
    return weights / weights.sum(axis=-1, keepdims=True)


# %% [markdown]
# **Give an input on which it goes wrong** in the computer all the same: `trap = (scores, mask)`, two tables of the same
# shape `(n, m)`, the mask of True and False with at least one True in each row. Nested lists will do, and a single row is
# enough.

# %% exercise="attention.late_mask"
### BEGIN SOLUTION
# The forbidden score is 1000 above the allowed ones, whose weights become exactly 0 before the mask comes: 0 / 0.
trap = ([[1000.0, 1.0, 0.0]], [[False, True, True]])
### END SOLUTION

# %%
check("attention.late_mask")

# %% [markdown]
# ## 6 · Attention with a mask (program, 20 minutes, ●●●)
#
# Now the whole of it. `query` has shape `(…, n, d)`, `key` `(…, m, d)` and `value` `(…, m, d_v)`, where the dots stand for
# any leading axes: none, `(b,)` or `(b, h)`. Scores are divided by √d. The `mask` is boolean, True = may attend, and has
# the shape of the scores or one that is stretched to it: `(n, m)` for a whole batch, or, for padding, `(b, 1, m)` with
# scores `(b, n, m)` and `(b, 1, 1, m)` with scores `(b, h, n, m)`. Return the outputs, `(…, n, d_v)`.
#
# * A forbidden key must have no influence at all. Scores are as large as 1000, and a forbidden one may be 1000 above every
#   allowed one of its row.
# * If there is a row in which the mask allows no key, raise `ValueError`: what is wrong then is the caller's mask.
# * Leave the inputs as they are. Write softmax into the function once more, so that this answer stands by itself.


# %% exercise="attention.masked"
def masked_attention(query, key, value, mask):
    """softmax(Q Kᵀ / √d, where the mask allows) V."""
    ### BEGIN SOLUTION
    if not mask.any(axis=-1).all():
        raise ValueError("each query needs at least one key that it may attend to")
    scores = query @ key.swapaxes(-2, -1) / np.sqrt(query.shape[-1])
    scores = np.where(mask, scores, -np.inf)  # before the largest is looked for
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return weights @ value
    ### END SOLUTION


# %%
check("attention.masked")

# %% [markdown]
# (A very low number in place of −∞, such as −1e9, passes too. Where no row is masked whole, it does the same here.)

# %% [markdown]
# ## 7 · Does it see the future? (program, 20 minutes, ●●○)
#
# You are handed functions `f`, and cannot look inside. Each takes one sequence `x`, a NumPy array of shape `(n, d)` with
# finite numbers (any n and d, one row a token), and returns an output for each token, again `(n, d)`. Inside, most are some
# kind of self-attention with matrices of their own. Given the same `x`, a function always returns the same.
#
# Write `is_causal(f)`. It returns True when no output depends on a **later** token, and False when one does. On earlier
# tokens and on its own an output may depend as it likes, or not at all.
#
# The check calls your test with seven functions that are causal, and with thirteen that are not. Some of these leak
# everywhere, some from a single token into a single other one, some only a little; to show it, a sequence of five tokens is
# long enough. Compare numbers with `np.allclose(a, b)`, and never with `==`: rounding may move the last bits.
#
# What you need is to change an array without changing the one that it came from:

# %%
x = np.random.default_rng(0).normal(size=(5, 3))  # five tokens that all differ
changed = x.copy()
changed[2] += 1.0
print("rows that differ:", (changed != x).any(axis=-1))


# %% exercise="attention.test_causal"
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
# ## 8 · Dropout by hand (in the head, 3 minutes, ●○○)
#
# A row of attention weights, [0.4, 0.1, 0.3, 0.2], while a model is being trained with dropout, p = 0.2. This time the
# second weight is dropped, and the others stay.
#
# **Which row comes out, and what is its sum?** Give a list of five numbers: the four weights, then their sum.

# %% exercise="attention.dropout_row"
### BEGIN SOLUTION
# The second becomes 0, the others are divided by 1 − 0.2 = 0.8. The sum is above 1, since the one that was dropped was small.
row_and_sum = [0.5, 0.0, 0.375, 0.25, 1.125]
### END SOLUTION

# %%
check("attention.dropout_row")
