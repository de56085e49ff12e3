# %% [markdown]
# # Sheet 08 · What extrapolates?
#
# The core takes about {minutes} minutes. Below it is more practice, another {practice} minutes, which you can leave out. Each
# exercise has a cell for your answer and a cell that checks it. Run both with Shift + Enter, as often as you like. If an
# answer does not pass, the check says what is wrong. You can then unfold hints, one at a time, and after the last hint a
# solution. In a program, use NumPy or torch, whichever you like: the check passes arrays to your function, or tensors if it
# needs those. Your function must not change them.
#
# As in the lesson, we count positions, rows and pairs from 0.

# %%
import math

import numpy as np

from transformer_course.exercises import check

# %% [markdown]
# ## 1 · What occurred in training?
#
# A model is trained on texts of 4 to 24 tokens. The first token of each text gets a random row of the position table, from 0
# to 40 (both included), and the next tokens get the rows after that. There are so many texts that everything that can occur
# does occur. Then the model reads a text of 128 tokens, from row 0 on, with a causal mask.
#
# **Give a list of three integers:**
#
# 1. With a learned table, which is the first untrained row in the long text?
# 2. What is the largest distance between two tokens in training?
# 3. With rotary positions, which is the first position of the long text whose token looks further back than any token did in
#    training?

# %% exercise="positions.unseen" form="by hand" minutes=5 difficulty=1
### BEGIN SOLUTION
# The longest text that begins at row 40 ends at row 40 + 23 = 63. Its first and its last token are 23 apart, wherever it
# begins. The token at position 24 is the first that sees one 24 back.
unseen = [64, 23, 24]
### END SOLUTION

# %%
check("positions.unseen")

# %% [markdown]
# ## 2 · Find the previous token
#
# Take a single pair, which turns by 1 radian per token. All tokens have the same key `k`, and the query is `q`; each of the
# two consists of two numbers. Both are rotated by their positions, and the score is their dot product. This function computes
# the score of each key, from the query's own position to `furthest` tokens back:


# %%
def scores(q, k, furthest=19):
    def rotated(pair, angle):
        (x, y), cos, sin = pair, math.cos(angle), math.sin(angle)
        return np.array([x * cos - y * sin, x * sin + y * cos])

    query = rotated(q, 100)  # any other position gives the same scores
    return np.array([query @ rotated(k, 100 - back) for back in range(furthest + 1)])


print(scores([1, 2], [2, 1]).round(1))

# %% [markdown]
# **Give `hands = (q, k)`, so that of all keys 0 to 19 tokens back, the key 1 token back has the highest score, at least 3
# above the others.** Use numbers between −100 and 100.

# %% exercise="positions.previous" form="construct" minutes=10 difficulty=2
### BEGIN SOLUTION
# The query is one token further on than that key, so it is rotated by 1 radian more. To make up for it, the key starts 1
# radian ahead. Then the score is 100 · cos(back − 1): 100 for 1 back, and 96 for 7 back, where the hand has nearly made a full
# turn.
hands = ([10, 0], [10 * np.cos(1), 10 * np.sin(1)])
### END SOLUTION

# %%
check("positions.previous")

# %% [markdown]
# When your answer has passed, look further back with `scores(*hands, furthest=79)`. How far below the best is the score 45
# tokens back? Training on 20 tokens cannot show this.
#
# <details><summary>Compare</summary>Hardly at all: 44 radians are almost exactly seven full turns. With hands of length 10, it
# is 0.02 below.</details>

# %% [markdown]
# ## 3 · A shorter view
#
# We trained one rotary model for each of two tasks (seed 0 of the lesson's three), on texts of 6 to 20 tokens, and tested them
# on texts of 80. In rows B and D of the table, a mask lets each token see only the last 20 tokens, itself included.
#
# | row | asked for | sees | accuracy at 1–19 | accuracy at 60–79 |
# | --- | --- | --- | --- | --- |
# | **A** | the previous token | all before it | 1.00 | 0.76 |
# | **B** | the previous token | the last 20 | 1.00 | 1.00 |
# | **C** | the first token | all before it | 1.00 | 0.06 |
# | **D** | the first token | the last 20 | 1.00 | 0.06 |
#
# Give a dictionary with three entries.
#
# `"claim"`: complete the sentence so that it fits the table. A rotary model that sees only the last 20 tokens …
#
# * `"a"`: works in texts of any length
# * `"b"`: works in long texts for some tasks, but not for others
# * `"c"`: does worse than one that sees all tokens
# * `"d"`: does neither better nor worse than one that sees all tokens
#
# `"reason"`: why?
#
# * `"a"`: in row B, it is right at all positions
# * `"b"`: rotary positions depend only on how far apart two tokens are
# * `"c"`: in B and D no distance is new, but only in B can a token see the token that it is asked for
# * `"d"`: the numbers in C and D are the same
#
# `"value"`: in the task of row D, how many tokens (counting itself) would the token at position 79 have to see for the
# first token to be among them?

# %% exercise="positions.sight" form="read a table" minutes=6 difficulty=2
### BEGIN SOLUTION
# The cut helps in B, but not in D, where the first token cannot be seen. Positions 0 to 79 are 80 tokens. (Then the first
# token could be seen, but at a distance that was not in the training: that is row C.)
verdict = {"claim": "b", "reason": "c", "value": 80}
### END SOLUTION

# %%
check("positions.sight")

# %% [markdown]
# ## More practice {#practice}
#
# You can stop here: the rest is optional. You rotate all pairs of a query or a key at once. Stage B9 of the Build, which turns
# your GPT into a Llama, gives you that function.

# %% [markdown]
# ## 4 · Rotate all pairs
#
# The lesson rotated a single pair. Write `rotate(x, positions)` for all pairs at once. `x` has shape `(n, d)`, or more axes
# before these two, such as `(b, h, n, d)`, and `d` is even. `positions` contains n integers in any order, one for each
# row. Return an array of the same shape as `x`. In each row, numbers 2i and 2i + 1 are rotated by the angle position /
# 10000^(2i/d): the pair [x, y] becomes [x · cos − y · sin, x · sin + y · cos].


# %% exercise="positions.rotate" form="program" minutes=14 difficulty=2
def rotate(x, positions):
    """Each pair (2i, 2i + 1) of row j, rotated by positions[j] / 10000^(2i / d)."""
    ### BEGIN SOLUTION
    d = x.shape[-1]
    angles = positions[:, None] / 10000 ** (np.arange(0, d, 2) / d)  # (n, d/2)
    first, second = x[..., 0::2], x[..., 1::2]
    cos, sin = np.cos(angles), np.sin(angles)
    pairs = [first * cos - second * sin, first * sin + second * cos]
    return np.stack(pairs, axis=-1).reshape(x.shape)
    ### END SOLUTION


# %%
check("positions.rotate")
