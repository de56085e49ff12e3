# %% [markdown]
# # Sheet 02 · Self-attention by hand
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
# ## 1 · Other numbers
#
# Take three tokens again: *scarlet* = [2, 0], *car* = [0, 1] and *orange* = [1, 1]. The scores are not divided by anything,
# and the matrices are identity matrices, as in the lesson.
#
# **What are the three attention weights of *scarlet*?** You may use a pocket calculator. Give four decimal places.

# %% exercise="attention.by_hand" form="by hand" minutes=5 difficulty=1
### BEGIN SOLUTION
# Scores 4, 0, 2; exponentials 54.598, 1, 7.389; their sum 62.987.
weights_1 = [0.8668, 0.0159, 0.1173]
### END SOLUTION

# %%
check("attention.by_hand")

# %% [markdown]
# ## 2 · A token of zeros
#
# A fourth token, *the* = [0, 0], joins the lesson's three, [1, 0], [0, 1] and [1, 1]. It is neither a colour nor a thing.
#
# **What is its output z₄, as a list of two numbers?** You do not need a calculator.

# %% exercise="attention.zero_token" form="in your head" minutes=3 difficulty=1
### BEGIN SOLUTION
# All four scores are 0, so all four weights are 1/4: the mean of the four tokens.
z_4 = [0.5, 0.5]
### END SOLUTION

# %%
check("attention.zero_token")

# %% [markdown]
# ## 3 · The bug that the example hides
#
# This self-attention has a bug. On the lesson's three tokens, with identity matrices, its output is right to the last digit.


# %%
def faulty(x, w_q, w_k, w_v):
    query, value = x @ w_q, x @ w_v
    scores = query @ query.T
    exponentials = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = exponentials / exponentials.sum(axis=1, keepdims=True)
    return weights @ value


# %% [markdown]
# **Give an input for which its output is wrong**: `trap = (x, w_q, w_k, w_v)`, four matrices that fit together. `x` has shape
# `(n, d)`, and the others have `d` rows. You can write them as nested lists.

# %% exercise="attention.hidden_fault" form="find an input" minutes=5 difficulty=1
### BEGIN SOLUTION
# The bug: w_k is never used. So let it differ from w_q: here it swaps the two coordinates.
trap = ([[1, 0], [0, 1], [1, 1]], [[1, 0], [0, 1]], [[0, 1], [1, 0]], [[1, 0], [0, 1]])
### END SOLUTION

# %%
check("attention.hidden_fault")

# %% [markdown]
# ## 4 · Is one of these rows wrong?
#
# Here is another calculation, perhaps with a slip in it. The scores are on the left, and the printed weights on the right:
#
# | | score 1 | score 2 | score 3 | | weight 1 | weight 2 | weight 3 | sum |
# | --- | --- | --- | --- | --- | --- | --- | --- | --- |
# | **row 1** | 3 | 1 | 2 | | 0.6652 | 0.0900 | 0.2447 | 0.9999 |
# | **row 2** | 7 | 5 | 6 | | 0.7856 | 0.0391 | 0.1753 | 1.0000 |
# | **row 3** | 1 | 3 | 2 | | 0.0900 | 0.6652 | 0.2447 | 0.9999 |
#
# You can find the wrong row without computing a softmax. Give three things:
#
# * `"claim"`: which row is wrong? `"a"` row 1 · `"b"` row 2 · `"c"` row 3 · `"d"` none
# * `"reason"`:
#   * `"a"` weights must sum to exactly 1
#   * `"b"` adding the same number to all scores of a row changes no weight
#   * `"c"` each column of weights must sum to 1
#   * `"d"` the larger the scores of a row, the larger its largest weight
# * `"value"`: the largest weight of the row that you think is wrong, divided by its second-largest weight, to two decimal
#   places. (If you suspect none, take row 1.)

# %% exercise="attention.wrong_row" form="read a table" minutes=8 difficulty=2
### BEGIN SOLUTION
# Row 2 is row 1 with 4 added to every score: the weights must be the same. In row 1 a score that is 1 higher gets
# 0.6652 / 0.2447 = 2.72 = e times the weight, as it must; in row 2 it does not.
verdict = {"claim": "b", "reason": "b", "value": 4.48}
### END SOLUTION

# %%
check("attention.wrong_row")

# %% [markdown]
# ## More practice {#practice}
#
# You can stop here: the rest is optional. In NumPy, you program what you did by hand, for arrays of any shape, and test
# someone else's softmax. Stage B2 of the Build asks for attention again, in torch.

# %% [markdown]
# ## Before the next exercises: a few words of NumPy {#primer}
#
# A **batch** holds several sequences (arrays of the same shape) along a new first axis. Code that counts axes from the back,
# with -1 for the last and -2 for the second-to-last, works for any number of axes:

# %%
batch = np.zeros((5, 3, 2))  # five sequences of three tokens with two numbers each
print("largest along the last axis:", batch.max(axis=-1, keepdims=True).shape)
print("last two axes swapped:      ", batch.swapaxes(-2, -1).shape)
print("times one matrix (2, 4):    ", (batch @ np.zeros((2, 4))).shape)
print("times five matrices (2, 3): ", (batch @ batch.swapaxes(-2, -1)).shape)

# %% [markdown]
# `keepdims=True` keeps the axis along which the maximum is taken, with length 1. `swapaxes(-2, -1)` transposes each of the
# five matrices and leaves them in their order; `.T` would reverse *all* the axes. `@` multiplies each of the five, all by the
# same matrix or each by its own. In torch you write `amax(-1, keepdim=True)`, `sum(-1, keepdim=True)`
# and `transpose(-2, -1)`.

# %% [markdown]
# ## 5 · Softmax for every shape and size
#
# The lesson computed softmax along the rows of one small matrix. Write it for scores with **any number of axes**: a single row
# `(m,)`, a matrix `(n, m)`, a batch of matrices `(b, n, m)`, or more. It works along the **last** axis, and the result has the
# shape of the input. It must also be right for scores near 1000 or −1000. Do not round: the weights may be off by at most
# a hundredth of a percent. A ready-made softmax would pass, but you would learn nothing from it.


# %% exercise="attention.softmax" form="program" minutes=20 difficulty=2
def softmax(scores):
    """Weights that sum to 1 along the last axis."""
    ### BEGIN SOLUTION
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)
    ### END SOLUTION


# %%
check("attention.softmax")

# %% [markdown]
# ## 6 · Test someone else's softmax
#
# A test is only as good as the mistakes it catches. Write `is_softmax(f)`, which calls a function `f` and returns True if it
# is a correct softmax along the last axis, and False if it is broken.
#
# The check calls your test many times: with correct functions, written in different ways, and with twelve broken ones. Some
# of those use a wrong axis, some miss a step, and some fail only on large scores. `f` takes one NumPy array with any number
# of axes. If `f` raises an error, your test need not catch it: that counts as a rejection. Compare numbers with
# `np.allclose(a, b, atol=1e-4)`, which allows for rounding to four digits, and never with `==`.


# %% exercise="attention.test_softmax" form="program" minutes=25 difficulty=3
def is_softmax(f):
    """True if f is a correct softmax along the last axis."""
    ### BEGIN SOLUTION
    small = f(np.array([[0.0, 1.0], [0.0, 0.0], [0.0, 2.0]]))
    large = f(np.array([[1001.0, 1000.0], [0.0, 1.0]]))
    wide = f(np.array([[1000.0, -1000.0]]))
    batch = f(np.log(np.array([[[1.0, 3.0], [2.0, 2.0]], [[9.0, 1.0], [1.0, 1.0]]])))
    row = f(np.log(np.array([1.0, 4.0])))
    return bool(
        np.allclose(small, [[0.2689, 0.7311], [0.5, 0.5], [0.1192, 0.8808]], atol=1e-4)
        and np.allclose(large, [[0.7311, 0.2689], [0.2689, 0.7311]], atol=1e-4)
        and np.allclose(wide, [[1.0, 0.0]])
        and np.allclose(batch, [[[0.25, 0.75], [0.5, 0.5]], [[0.9, 0.1], [0.5, 0.5]]])
        and np.allclose(row, [0.2, 0.8])
    )
    ### END SOLUTION


# %%
check("attention.test_softmax")

# %% [markdown]
# ## 7 · Self-attention with matrices
#
# Now write the whole of self-attention, without scaling the scores, for one sequence `x` of shape `(n, d)` or a batch of
# shape `(b, n, d)`. The matrices `w_q` and `w_k` have shape `(d, d_k)`, and `w_v` has shape `(d, d_v)`. None of the three has
# to be the identity, and `d_k` and `d_v` may differ. Return the outputs, of shape `(n, d_v)` or `(b, n, d_v)`.
#
# Some of the scores are near 1000. Write softmax into the function again, so that this answer works on its own.


# %% exercise="attention.self_attention" form="program" minutes=20 difficulty=2 builds=["head"]
def self_attention(x, w_q, w_k, w_v):
    """softmax(Q Kᵀ) V, with Q = x w_q, K = x w_k, V = x w_v."""
    ### BEGIN SOLUTION
    query, key, value = x @ w_q, x @ w_k, x @ w_v
    scores = query @ key.swapaxes(-2, -1)  # only the last two axes: a batch axis stays where it is
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return weights @ value
    ### END SOLUTION


# %%
check("attention.self_attention")
