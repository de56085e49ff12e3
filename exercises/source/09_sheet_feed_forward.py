# %% [markdown]
# # Sheet 09 · Feed-forward
#
# The core takes about {minutes} minutes. Below it is more practice, another {practice} minutes, which you can leave out. Each
# exercise has a cell for your answer and a cell that checks it. Run both with Shift + Enter, as often as you like. If an
# answer does not pass, the check says what is wrong. You can then unfold hints, one at a time, and after the last hint a
# solution. In a program, use NumPy or torch, whichever you like: the check passes arrays to your function, or tensors if it
# needs those. Your function must not change them.
#
# Throughout, FFN(x) = max(0, x W1 + b1) W2 + b2.

# %%
import numpy as np

from transformer_course.exercises import check

# %% [markdown]
# ## 1 · Two tokens by hand
#
# Here is a network 2 → 3 → 2:
#
# | W1 | | | | b1 | | | | W2 | | | b2 | |
# | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
# | 1 | −1 | 2 | | 1 | −1 | −2 | | 1 | 0 | | −1 | 2 |
# | 2 | 1 | −1 | | | | | | 2 | −1 | | | |
# | | | | | | | | | −1 | 3 | | | |
#
# **What are its outputs for token 1, [2, −1], and token 2, [−4, 1]?** Work them out on paper, and give a list of two rows, one
# for each token.

# %% exercise="layers.by_hand" form="by hand" minutes=7 difficulty=1
### BEGIN SOLUTION
# Hidden [1, −4, 3] and [−1, 4, −11]; after ReLU [1, 0, 3] and [0, 4, 0]. Times W2: [−2, 9] and [8, −4]. Plus b2.
outputs = [[-3, 11], [7, -2]]
### END SOLUTION

# %%
check("layers.by_hand")

# %% [markdown]
# ## 2 · Odd or even, among four bits
#
# Attention has averaged four bits, so s is 0, ¼, ½, ¾ or 1, for zero to four ones. **Give `hinges = (w1, b1, w2, b2)`, so that
# the network's outputs for these five numbers are 0, 1, 0, 1, 0: 1 where the number of ones is odd.** The shapes are
# `(1, d_ff)`, `(d_ff,)`, `(d_ff, 1)` and `(1,)`, with any `d_ff` you like. Outputs count as right within ± 0.01. What the
# network does between the five numbers is up to you. The next cell shows what the lesson's two units do; try your own there:


# %%
def look(w1, b1, w2, b2):
    """The outputs for the five averages."""
    s = np.array([[0.0], [0.25], [0.5], [0.75], [1.0]])
    return (np.maximum(0, s @ w1 + b1) @ w2 + b2)[:, 0]


look(w1=np.ones((1, 2)), b1=np.array([0, -0.5]), w2=np.array([[2], [-4]]), b2=np.array([0]))

# %% exercise="layers.zigzag" form="construct" minutes=10 difficulty=2
### BEGIN SOLUTION
# Slopes 4, −4, 4, −4: the changes are 4, −8, 8, −8, at 0, ¼, ½ and ¾.
hinges = (
    np.ones((1, 4)),
    np.array([0, -0.25, -0.5, -0.75]),
    np.array([[4], [-8], [8], [-8]]),
    np.zeros(1),
)
### END SOLUTION

# %%
check("layers.zigzag")

# %% [markdown]
# ## More practice {#practice}
#
# You can stop here: the rest is optional. You write the network as a function (stage B4 of the Build asks for it again, in
# torch) and a test of whether a function treats its tokens separately.

# %% [markdown]
# ## 3 · The network as a function
#
# The lesson's input was a table of three tokens. Write the network for `x` of shape `(…, d)`, where any
# number of axes may come before the last, or none (a single token). `w1` has shape `(d, d_ff)`, `b1` `(d_ff,)`, `w2` `(d_ff,
# d_out)` and `b2` `(d_out,)`. Return an array of shape `(…, d_out)`. `d_ff` may be smaller than `d`, and `d_out` need not be
# `d`.


# %% exercise="layers.feed_forward" form="program" minutes=10 difficulty=2 builds=["feed-forward"]
def feed_forward(x, w1, b1, w2, b2):
    """max(0, x W1 + b1) W2 + b2, for each vector along the last axis."""
    ### BEGIN SOLUTION
    return np.maximum(0, x @ w1 + b1) @ w2 + b2
    ### END SOLUTION


# %%
check("layers.feed_forward")

# %% [markdown]
# ## 4 · Each token separately?
#
# A function `f` takes a sequence `x` of shape `(n, d)`, with one row per token, and returns an array of the same shape. You
# choose n and d. **Write `is_position_wise(f)`: True if `f` treats each token separately and all in the same way, and False
# otherwise.** Your test is tried on six functions that do, and on eleven that do not. Shuffling the tokens is not enough,
# because attention passes that test. Changing one token and looking at the other outputs is not enough either: it does not
# show whether all tokens are treated in the same way. Nor may the output for a token depend on the number of tokens.


# %% exercise="layers.test_position_wise" form="write a test" minutes=10 difficulty=3
def is_position_wise(f):
    """True if each output depends only on its own token, in the same way at each position."""
    ### BEGIN SOLUTION
    x = np.random.default_rng(0).normal(size=(5, 3))
    y = f(x)
    return all(np.allclose(f(x[i : i + 1]), y[i : i + 1]) for i in range(5))
    ### END SOLUTION


# %%
check("layers.test_position_wise")
