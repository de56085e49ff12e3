# %% [markdown]
# # Sheet NN · TITLE
#
# Three exercises, about {minutes} minutes in all. Each has a cell for your answer and a cell that checks it. Run both with Shift +
# Enter, as often as you like. If an answer does not pass, the check says what is wrong. You can then unfold hints, one at a
# time, and after the last hint a solution.

# %%
import numpy as np

from transformer_course.exercises import check

# %% [markdown]
# ## 1 · Two averages
#
# Three tokens have the weights 0.5, 0.3 and 0.2, and the values 2, 4 and 9. Give two numbers: the weighted average, and what it
# becomes when the 9 turns into 19.

# %% exercise="lesson_NN.two_averages" form="by hand" minutes=4 difficulty=1
### BEGIN SOLUTION
# 1 + 1.2 + 1.8 = 4. The change, 10, arrives with a weight of 0.2: 4 + 2 = 6.
two_averages = [4.0, 6.0]
### END SOLUTION

# %%
check("lesson_NN.two_averages")

# %% [markdown]
# ## 2 · One output
#
# Write `output(weights, values)`. `weights` has shape `(n,)`: a weight for each of n tokens, which sum to 1. `values` has shape
# `(n, d)`: a row for each token. Return the weighted average of the rows, of shape `(d,)`. Use NumPy or torch, whichever you
# like.


# %% exercise="lesson_NN.output" form="program" minutes=6 difficulty=2
def output(weights, values):
    """The average of the rows of values, by these weights."""
    ### BEGIN SOLUTION
    return weights @ values
    ### END SOLUTION


# %%
check("lesson_NN.output")

# %% [markdown]
# ## 3 · The last value
#
# The weights are 0.5, 0.3 and 0.2 again, and the first two values are 2 and 4. How large must the third value be for the
# average to be 5?

# %% exercise="lesson_NN.last_value" form="by hand" minutes=5 difficulty=2
### BEGIN SOLUTION
# The first two bring 1 + 1.2 = 2.2, so 2.8 is missing, and 2.8 / 0.2 = 14.
last_value = 14
### END SOLUTION

# %%
check("lesson_NN.last_value")
