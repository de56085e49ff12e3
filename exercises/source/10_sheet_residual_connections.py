# %% [markdown]
# # Sheet 10 · Residual connections
#
# Four exercises, about 35 minutes in all. Each has a cell for your answer and a cell that checks it. Run both with Shift +
# Enter, as often as you like. If an answer does not pass, the check says what is wrong with it. Hints unfold below that, one
# at a time, and after the last hint a solution.

# %%
import numpy as np

from transformer_course.exercises import check

# %% [markdown]
# ## 1 · Up the stream (by hand, 8 minutes, ●○○)
#
# A token is [1, 2]. Three sublayers stand on top of each other, each with a residual connection. Of what it reads, $[x_1,
# x_2]$,
#
# * the first makes $[x_1 + x_2,\; 0]$,
# * the second makes $[0,\; -x_1]$,
# * the third makes $[x_2,\; x_1]$.
#
# **What does the stream hold above the third? And what does it hold there if the second one is silent, so that it makes [0,
# 0]?** Give a list of two lists, as in `[[1, 2], [3, 4]]`.

# %% exercise="residual.by_hand"
### BEGIN SOLUTION
# [1, 2] + [3, 0] = [4, 2];  + [0, −4] = [4, −2];  + [−2, 4] = [2, 2].
# With the second silent, the third reads [4, 2] and makes [2, 4]: [6, 6].
tops = [[2, 2], [6, 6]]
### END SOLUTION

# %%
check("residual.by_hand")

# %% [markdown]
# ## 2 · Round any sublayer (program, 10 minutes, ●●○)
#
# The lesson's stacks grew too fast, or had to be rescaled. In a Transformer, a **norm** keeps vectors to a size. For this
# exercise, a norm is any function that returns what it is given in the same shape; lesson 11 says which one is taken. It can
# stand in two places:
#
# * order `"pre"` (torch's `norm_first=True`): the norm stands **before** the sublayer, and only there. The sublayer reads the
#   normed stream; what it makes is added to the stream as it was.
# * order `"post"`: the norm comes **after** the sum. The sublayer reads the stream; what it makes is added to that; the sum
#   is normed, and is the new stream.
#
# Write `residual(x, sublayer, norm, order)`. It returns the new stream, of the shape of `x`, which is `(n, d)` or
# `(b, n, d)`, and leaves `x` itself unchanged.
#
# The check calls your function with names such as "square". The table says what they stand for, and the first line of the
# function looks them up: you need not touch either. Below that line, `sublayer(x)` is what the sublayer makes of `x`, and
# `norm(x)` is `x` normed. (To try it, you can also hand over functions of your own.)


# %% exercise="layers.residual"
NAMED = {
    # sublayers
    "nothing": lambda x: 0 * x,
    "square": lambda x: x * x,
    "triple and one": lambda x: 3 * x + 1,
    "sum of all tokens": lambda x: 0 * x + x.sum(-2)[..., None, :],
    # norms
    "halve": lambda x: x / 2,
    "cut off": lambda x: x.clip(-1, 2),
    "less the first": lambda x: x - x[..., :1],
}


def residual(x, sublayer, norm, order):
    """The stream after a sublayer with its residual connection; order is "pre" or "post"."""
    sublayer, norm = NAMED.get(sublayer, sublayer), NAMED.get(norm, norm)
    ### BEGIN SOLUTION
    if order == "pre":
        return x + sublayer(norm(x))
    return norm(x + sublayer(x))
    ### END SOLUTION


# %%
check("layers.residual")

# %% [markdown]
# ## 3 · Replace by adding (construct, 10 minutes, ●●●)
#
# A sublayer can only add. Can it all the same *replace* what stands in the stream? Tokens have three numbers here, and the
# sublayer is a matrix: what it makes is `x @ w`, so the stream becomes `x + x @ w`.
#
# **Give a matrix `w`, of shape (3, 3), after which the three numbers have moved on by one place, the last one to the front:**
# from [1, 2, 3] to [3, 1, 2], and likewise from every other vector. To try it out:


# %%
def after(w, x=(1, 2, 3)):
    return np.array(x) + np.array(x) @ np.array(w)


print(after(np.zeros((3, 3))))

# %% exercise="residual.replace"
### BEGIN SOLUTION
# Row i is what is made of the i-th number: one of it in the next place, and minus one in its own.
w = [[-1, 1, 0], [0, -1, 1], [1, 0, -1]]
### END SOLUTION

# %%
check("residual.replace")

# %% [markdown]
# ## 4 · Which of the two? (read a table, 8 minutes, ●●○)
#
# The lesson's task once more: say which kind you are. Four layers, Xavier's start, every vector rescaled after each
# sublayer, sixty steps, three seeds. The rows differ in where there are residual connections. The columns show how long
# the gradient is at the bottom, divided by its length at the top, before training; the tokens' own share after four layers,
# before training too (the largest or smallest of three seeds); and the accuracy after training.
#
# | | round attention | round feed-forward | gradient at the bottom | own share | accuracy |
# | --- | --- | --- | --- | --- | --- |
# | **A** | no | no | 0.7 · 1.0 · 1.7 | < 0.0001 | 0.14 · 0.14 · 0.14 |
# | **B** | no | yes | 1.2 · 0.9 · 2.1 | < 0.0001 | 0.17 · 0.16 · 0.18 |
# | **C** | yes | no | 0.9 · 0.7 · 1.2 | > 0.2 | 1.00 · 1.00 · 1.00 |
# | **D** | yes | yes | 1.2 · 1.2 · 1.1 | > 0.4 | 1.00 · 1.00 · 1.00 |
#
# Give three things:
#
# * `"claim"`: what decides in this table whether the stack learns?
#   * `"a"` whether a gradient arrives at the bottom
#   * `"b"` whether what attention makes is added to what it read
#   * `"c"` whether both sublayers have a residual connection
#   * `"d"` how many residual connections there are
# * `"reason"`:
#   * `"a"` B and C have one residual connection each, in different places, and only C learns
#   * `"b"` A has none and D has both, and only D learns
#   * `"c"` C's gradient is larger than B's, and C learns better
#   * `"d"` from A to D, accuracy rises from row to row
# * `"value"`: the largest gradient of a run that learned hardly anything (one number from the table)

# %% exercise="residual.which_one"
### BEGIN SOLUTION
# Claim a fails in rows A and B, claim c in row C, claim d at B and C. In B's third run the gradient even doubled on its way.
verdict = {"claim": "b", "reason": "a", "value": 2.1}
### END SOLUTION

# %%
check("residual.which_one")

# %% [markdown]
# The column that goes with accuracy is the tokens' own share. Where they are alike, all get the same answer, and the commonest
# kind of a text is right for about 0.21 of its tokens: A and B came to no more.
#
# In this task nothing has to be computed, so row C loses nothing. A model whose feed-forward networks replace what they read
# can only keep what each of them happens to hand on. The paper gives both sublayers their residual connection.
