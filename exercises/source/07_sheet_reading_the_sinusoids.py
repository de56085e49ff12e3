# %% [markdown]
# # Sheet 07 · Reading the sinusoids
#
# The core takes about {minutes} minutes. Below it is more practice, another {practice} minutes, which you can leave out. Each
# exercise has a cell for your answer and a cell that checks it. Run both with Shift + Enter, as often as you like. If an
# answer does not pass, the check says what is wrong. You can then unfold hints, one at a time, and after the last hint a
# solution. In a program, use NumPy or torch, whichever you like: the check passes arrays to your function, or tensors if it
# needs those. Your function must not change them.
#
# As in the lesson, positions, hands and dimensions are counted from 0.

# %%
import math

import numpy as np

from transformer_course.exercises import check

# %% [markdown]
# ## 1 · Once round
#
# **What are the periods of these hands?** Give a list of three numbers, in tokens, correct to within 2:
#
# 1. in a model of width 12, the hand whose tip is in dimensions 4 and 5;
# 2. in the same model, the hand to which dimension 9 belongs;
# 3. in a model of width 4, the slower of the two hands.
#
# You can use the cell as a calculator; `math.pi` is π.

# %% exercise="positions.periods" form="by hand" minutes=8 difficulty=1
### BEGIN SOLUTION
# Hand 2 with exponent 4/12, hand 4 (dimensions 8 and 9) with 8/12, and hand 1 of two with 2/4.
periods = [2 * np.pi * 10000**exponent for exponent in (4 / 12, 8 / 12, 2 / 4)]
### END SOLUTION

# %%
check("positions.periods")

# %% [markdown]
# ## 2 · Far away, and near
#
# Take the fast hand, which turns by one radian per token, at three positions p, q and r. Which tip is further from the tip at
# p: the tip at r, or the tip at q? You may have read that it is always the one at r, if r is further from p than q is. The
# first function says so, and the second one measures:


# %%
def as_published(p, q, r):
    return abs(r - p) > abs(q - p)


def measured(p, q, r):
    def tip(position):
        return [math.sin(position), math.cos(position)]

    return math.dist(tip(p), tip(r)) > math.dist(tip(p), tip(q))


print(as_published(0, 1, 3), measured(0, 1, 3))

# %% [markdown]
# **Give a `trap = (p, q, r)` for which the two differ, although r is at least 200 times as far from p as q is.** Use
# integers from 0 to 800, with q different from p.

# %% exercise="positions.far_and_near" form="find an input" minutes=8 difficulty=2
### BEGIN SOLUTION
# 35 turns take 219.91 tokens, so at position 220 the hand is back to within 0.1 radians. At position 1 it is 1 radian away.
trap = (0, 1, 220)
### END SOLUTION

# %%
check("positions.far_and_near")

# %% [markdown]
# ## More practice {#practice}
#
# You can stop here: the rest is optional. You write a table of sinusoids and test others, turn the hands back with a matrix,
# and ask what a fit shows. The Build does not ask for any of it.

# %% [markdown]
# ## 3 · The whole table
#
# Write `sinusoidal(length, d_model)`. It returns a table of shape `(length, d_model)`, with a row for each position from 0 to
# `length − 1`. Columns 2i and 2i + 1 contain the sine and the cosine of position / 10000^(2i / d_model).
#
# At width 2 there is a single hand. At an **odd** width, the last hand would have no room for its cosine, so raise a
# `ValueError` that says this. The check tries several lengths and widths; how you compute the table is up to you.


# %% exercise="positions.sinusoidal" form="program" minutes=15 difficulty=2 builds=["positions"]
def sinusoidal(length, d_model):
    """The sines and cosines of all positions, (length, d_model)."""
    ### BEGIN SOLUTION
    if d_model % 2:
        raise ValueError(f"a hand takes two dimensions, so d_model must be even, got {d_model}")
    turns = 1 / 10000 ** (np.arange(0, d_model, 2) / d_model)  # 0, 2, 4, … are the 2i
    angles = np.arange(length)[:, None] * turns
    table = np.zeros((length, d_model))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles)
    return table
    ### END SOLUTION


# %%
check("positions.sinusoidal")

# %% [markdown]
# ## 4 · Is it the right clock?
#
# You are given functions `f`, but you cannot see their code. Each takes a NumPy array of n positions (any finite numbers, in
# any order, not necessarily integers or positive, and at most 256 per call) and returns an array of shape `(n, 8)`, a row of
# width 8 for each position.
#
# Write `is_encoding(f)`. It returns True if `f` gives the sinusoids of these positions, and False if it gives anything else.
# The check calls your test with three correct functions and eleven broken ones. Many of the broken ones have hands of length 1
# that turn by the same angle from every start. A correct one may compute with 32-bit numbers, so its last digits may differ:
# compare with `np.allclose(a, b, atol=1e-4)`.


# %% exercise="positions.test_encoding" form="program" minutes=15 difficulty=2
def is_encoding(f):
    """Return whether f(positions) are the sinusoids of width 8."""
    ### BEGIN SOLUTION
    positions = np.array([5.0, 0.0, 2.5, 1.0, 300.0])
    turns = np.array([1, 0.1, 0.01, 0.001])
    expected = np.zeros((5, 8))
    expected[:, 0::2] = np.sin(positions[:, None] * turns)
    expected[:, 1::2] = np.cos(positions[:, None] * turns)
    return np.allclose(f(positions), expected, atol=1e-4)
    ### END SOLUTION


# %%
check("positions.test_encoding")

# %% [markdown]
# ## 5 · Three tokens back
#
# At width 4 there are two hands. This is the row of a position:


# %%
def row(p):
    return np.array([math.sin(p), math.cos(p), math.sin(p / 100), math.cos(p / 100)])


print(row(10).round(4), row(7).round(4))

# %% [markdown]
# **Give a matrix `m` of shape (4, 4) such that `row(p) @ m` equals `row(p - 3)` for every position p from 3 on.** There are
# two differences from the lesson: the matrix goes *back*, and the row is to the *left* of it, as tokens are to the left of
# W_Q. Three or four decimal places are enough. To try it out, compare `row(10) @ m` with the second row printed above.

# %% exercise="positions.three_back" form="construct" minutes=15 difficulty=3
### BEGIN SOLUTION
# Forwards with a column on the right: [[cos b, sin b], [−sin b, cos b]]. Backwards puts −b in for b, which transposes it; a
# row on the left transposes it once more. The angles are 3 and 0.03.
m = np.zeros((4, 4))
for first, b in ((0, 3), (2, 0.03)):
    m[first : first + 2, first : first + 2] = [[np.cos(b), np.sin(b)], [-np.sin(b), np.cos(b)]]
### END SOLUTION

# %%
check("positions.three_back")

# %% [markdown]
# ## 6 · What does a fit show?
#
# Least squares was used four times to fit one matrix that maps the row of a position to the row two tokens further on. The
# tables have 96 positions and width 8 (of the learned one, which is wider, we kept the 8 directions in which its rows vary
# most). The matrix was fitted to some of the 94 starting positions ("starts" in the table), and its error was measured on
# those and on all the others (0 is perfect, and 1 is no better than answering with zeros):
#
# | row | table | starts fitted | error on these | error on the others |
# | --- | --- | --- | --- | --- |
# | **A** | sinusoids | 47 | 0.00 | 0.00 |
# | **B** | random numbers | 6 | 0.00 | 4.28 |
# | **C** | the same random numbers | 47 | 0.87 | 1.13 |
# | **D** | learned by a small GPT | 47 | 0.21 | 0.53 |
#
# **Which claim do these rows support?**
#
# * `"a"`: the random table also has a matrix for "two tokens further"
# * `"b"`: the learned table has such a matrix for every start, as the sinusoids do
# * `"c"`: of these tables, only the sinusoids were found to have one matrix that works for all starts
# * `"d"`: nothing can be said, because least squares always returns a matrix
#
# **For what reason?**
#
# * `"a"`: the error on the fitted starts is 0.00 in row A
# * `"b"`: on starts that were not fitted, the error is 0.00 in row A and well above 0 in all other rows
# * `"c"`: sinusoids are smooth, and the other tables are not
# * `"d"`: each row is a single table; other seeds could give other numbers
#
# **And which printed number shows that the 0.00 in row B proves nothing?**

# %% exercise="positions.one_matrix" form="read a table" minutes=8 difficulty=2
### BEGIN SOLUTION
# Six starts can be fitted exactly in any table of width 8. On the others, the same matrix does far worse than zeros would.
verdict = {"claim": "c", "reason": "b", "value": 4.28}
### END SOLUTION

# %%
check("positions.one_matrix")
