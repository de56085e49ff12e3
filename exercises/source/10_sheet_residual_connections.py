# %% [markdown]
# # Sheet 10 · Residual connections
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
# ## 1 · Up the stream
#
# A token is [1, 2]. It goes through three sublayers, each with a residual connection. If a sublayer reads $[x_1, x_2]$, then
#
# * the first outputs $[x_1 + x_2,\; 0]$,
# * the second outputs $[0,\; -x_1]$,
# * the third outputs $[x_2,\; x_1]$.
#
# **What is in the stream after the third sublayer? And what is in it if the second one is silenced, so that it outputs
# [0, 0]?** Give a list of two lists, as in `[[1, 2], [3, 4]]`.

# %% exercise="residual.by_hand" form="by hand" minutes=8 difficulty=1
### BEGIN SOLUTION
# [1, 2] + [3, 0] = [4, 2];  + [0, −4] = [4, −2];  + [−2, 4] = [2, 2].
# With the second silenced, the third reads [4, 2] and outputs [2, 4]: [6, 6].
tops = [[2, 2], [6, 6]]
### END SOLUTION

# %%
check("residual.by_hand")

# %% [markdown]
# ## 2 · Which of the two?
#
# This is the task of the lesson again: repeat each token. The stacks have four layers and large parameters (Xavier
# initialisation), every vector is rescaled after each sublayer, and there are sixty training steps and three seeds. The rows
# differ in where they have residual connections. The first column of numbers shows how long the gradient is at the bottom,
# relative to its length at the top, before training. The next shows how much of the vectors differs between the tokens after
# four layers, also before training ("<" means that all three values are below the number, ">" that all are above it). The last
# shows the accuracy after training.
#
# | | around attention | around feed-forward | gradient at the bottom | differs between tokens | accuracy |
# | --- | --- | --- | --- | --- | --- |
# | **A** | no | no | 0.7 · 1.0 · 1.7 | < 0.0001 | 0.14 · 0.14 · 0.14 |
# | **B** | no | yes | 1.2 · 0.9 · 2.1 | < 0.0001 | 0.17 · 0.16 · 0.18 |
# | **C** | yes | no | 0.9 · 0.7 · 1.2 | > 0.2 | 1.00 · 1.00 · 1.00 |
# | **D** | yes | yes | 1.2 · 1.2 · 1.1 | > 0.4 | 1.00 · 1.00 · 1.00 |
#
# Give three things:
#
# * `"claim"`: in this table, what decides whether the stack learns?
#   * `"a"` whether a gradient arrives at the bottom
#   * `"b"` whether the output of attention is added to its input
#   * `"c"` whether both sublayers have a residual connection
#   * `"d"` how many residual connections there are
# * `"reason"`:
#   * `"a"` B and C have one residual connection each, in different places, and only C learns
#   * `"b"` A has none and D has both, and only D learns
#   * `"c"` C's gradient is larger than B's, and C learns better
#   * `"d"` from A to D, accuracy rises from row to row
# * `"value"`: the largest gradient in a run that learned hardly anything (one number from the table)

# %% exercise="residual.which_one" form="read a table" minutes=8 difficulty=2
### BEGIN SOLUTION
# Claim a fails in rows A and B, claim c in row C, claim d at B and C. In B's third run the gradient even doubled on its way.
verdict = {"claim": "b", "reason": "a", "value": 2.1}
### END SOLUTION

# %%
check("residual.which_one")

# %% [markdown]
# The column that agrees with accuracy is the one about the differences between tokens. If all tokens are the same, they all
# get the same answer, and the most frequent token of a sequence is right at about 21% of its positions. A and B did no better.
#
# In this task nothing has to be computed, so row C loses nothing. But a model whose feed-forward networks replace their inputs
# keeps only what each of them happens to pass on. In the original Transformer, both sublayers have residual connections.

# %% [markdown]
# ## More practice {#practice}
#
# You can stop here: the rest is optional. You write the residual connection. (Stage B4 of the Build asks for it again, in
# torch.) Then you find out whether adding can replace what is in the stream.

# %% [markdown]
# ## 3 · Around any sublayer
#
# In the lesson, nothing kept the size of the stream under control. In a Transformer, a **norm** does that.
# For this exercise, a norm is any function that returns an array of the same shape; lesson 11 says which one is used. It can
# go in one of two places:
#
# * order `"pre"` (torch's `norm_first=True`): the norm comes **before** the sublayer, and nowhere else. The sublayer reads the
#   normalised stream, and its output is added to the stream, which was not normalised.
# * order `"post"`: the norm comes **after** the sum. The sublayer reads the stream, its output is added to it, and the
#   normalised sum is the new stream.
#
# Write `residual(x, sublayer, norm, order)`. It returns the new stream, which has the shape of `x`, `(n, d)` or `(b, n, d)`.
#
# The check calls your function with names such as "square". The dictionary `NAMED` says which function each name stands for,
# and the first line of your function looks it up; leave both as they are. After that line, `sublayer(x)` is the output of the
# sublayer for `x`, and `norm(x)` is the normalised `x`.

# %% exercise="layers.residual" form="program" minutes=10 difficulty=2 builds=["residual"]
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
    """Return the stream after a sublayer with its residual connection; order is "pre" or "post"."""
    sublayer, norm = NAMED.get(sublayer, sublayer), NAMED.get(norm, norm)
    ### BEGIN SOLUTION
    if order == "pre":
        return x + sublayer(norm(x))
    return norm(x + sublayer(x))
    ### END SOLUTION


# %%
check("layers.residual")

# %% [markdown]
# ## 4 · Replace by adding
#
# A sublayer can only add to the stream. Can it still *replace* what is there? Here tokens have three numbers and the sublayer
# is a matrix: its output is `x @ w`, so the stream becomes `x + x @ w`.
#
# **Give a matrix `w` of shape (3, 3) that moves the three numbers on by one place, and the last one to the front:** from
# [1, 2, 3] to [3, 1, 2], and in the same way for every other vector. To try it out:


# %%
def after(w, x=(1, 2, 3)):
    return np.array(x) + np.array(x) @ np.array(w)


print(after(np.zeros((3, 3))))

# %% exercise="residual.replace" form="construct" minutes=10 difficulty=3
### BEGIN SOLUTION
# Row i says where the i-th number is added: once in the next place, and minus once in its own.
w = [[-1, 1, 0], [0, -1, 1], [1, 0, -1]]
### END SOLUTION

# %%
check("residual.replace")
