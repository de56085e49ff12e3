# %% [markdown]
# # Sheet 08 · What extrapolates?
#
# Four exercises, about 35 minutes in all. Each has a cell for your answer and a cell that checks it. Run both with Shift +
# Enter, as often as you like. If an answer does not pass, the check says what is wrong with it. Hints unfold below that, one
# at a time, and after the last hint a solution.
#
# As in the lesson, positions, rows and pairs are counted from 0.

# %%
import math

import numpy as np

from transformer_course.exercises import check

# %% [markdown]
# ## 1 · What has been seen? (by hand, 5 minutes, ●○○)
#
# A model is trained on texts of 4 to 24 tokens. Each begins at a random row from 0 to 40 (both included), and its tokens get
# that row and those that follow. There are very many texts, so that everything that can occur does occur. Then comes a text of
# 128 tokens, from row 0 on, behind a causal mask.
#
# **Give a list of three whole numbers:**
#
# 1. With a learned table: the first row of the table, among those that the long text uses, that was never trained.
# 2. The largest distance between two tokens that the training has had.
# 3. With rotary positions: the first position of the long text at which a token sees another at a distance that is new.

# %% exercise="positions.unseen"
### BEGIN SOLUTION
# The longest text that begins at row 40 ends at row 40 + 23 = 63. Its first and its last token are 23 apart, wherever it
# begins; the token at position 24 is the first that sees one 24 back.
unseen = [64, 23, 24]
### END SOLUTION

# %%
check("positions.unseen")

# %% [markdown]
# ## 2 · Turn them all (program, 14 minutes, ●●○)
#
# The lesson turned a single pair. Write `rotate(x, positions)` for all at once. `x` has shape `(n, d)` or any number of
# leading axes in front of these, such as `(b, h, n, d)`; `d` is even. `positions` are n whole numbers, the position of each
# row, in any order. Return an array of the shape of `x`, in which the numbers 2i and 2i + 1 of each row are turned by the
# angle position / 10000^(2i/d): the pair [x, y] becomes [x · cos − y · sin, x · sin + y · cos].
#
# Leave the input as it is. NumPy or torch, whichever you like.


# %% exercise="positions.rotate"
def rotate(x, positions):
    """Each pair (2i, 2i + 1) of row j turned by positions[j] / 10000^(2i / d)."""
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

# %% [markdown]
# ## 3 · Find the token before (construct, 10 minutes, ●●○)
#
# One pair only, which turns by 1 radian a token. All tokens have the same key `k`, and the query is `q`, each of two numbers.
# They are turned by their positions, and the score is their dot product. This shows the score of each key, by how many tokens
# it stands before the query:


# %%
def scores(q, k, furthest=19):
    def turned(pair, angle):
        (x, y), cos, sin = pair, math.cos(angle), math.sin(angle)
        return np.array([x * cos - y * sin, x * sin + y * cos])

    query = turned(q, 100)  # any other position gives the same
    return np.array([query @ turned(k, 100 - back) for back in range(furthest + 1)])


print(scores([1, 2], [2, 1]).round(1))

# %% [markdown]
# **Give `hands = (q, k)`, such that of all keys 0 to 19 tokens back, the one 1 token back has the highest score, by at least 3
# points.** Numbers between −100 and 100.

# %% exercise="positions.previous"
### BEGIN SOLUTION
# One token back the query has turned by 1 radian more than the key; so the key is given a lead of 1 radian. Then the score is
# 100 · cos(back − 1): 100 at 1, and 96 at 7, where the hand has nearly been round.
hands = ([10, 0], [10 * np.cos(1), 10 * np.sin(1)])
### END SOLUTION

# %%
check("positions.previous")

# %% [markdown]
# When it has passed, look further: `scores(*hands, furthest=79)`. How far below the best is the key 45 tokens back? Whoever
# trains on 20 tokens cannot notice it.

# %% [markdown]
# ## 4 · Short sight (read a table, 6 minutes, ●●○)
#
# One rotary model for each of two tasks, the first of the lesson's three, trained on texts of 6 to 20 tokens and tested on
# texts of 80. In B and D each token sees the last 20 tokens alone, itself included.
#
# | row | asked for | sees | right at 1–19 | right at 60–79 |
# | --- | --- | --- | --- | --- |
# | **A** | the token before | all before it | 1.00 | 0.76 |
# | **B** | the token before | the last 20 | 1.00 | 1.00 |
# | **C** | the first token | all before it | 1.00 | 0.06 |
# | **D** | the first token | the last 20 | 1.00 | 0.06 |
#
# **Which claim fits the table?** (`claim`) Seeing the last 20 tokens alone,
#
# * `"a"`: a rotary model works in texts of any length
# * `"b"`: it works in long texts on some tasks, and on others it does not
# * `"c"`: it does worse than one that sees all
# * `"d"`: it does neither better nor worse
#
# **For which reason?** (`reason`)
#
# * `"a"`: in row B, all is right up to position 79
# * `"b"`: rotary positions know nothing but how far apart two tokens are
# * `"c"`: in B and D no distance is new; but only in B can the token that is asked for be seen
# * `"d"`: in C and D the numbers are the same
#
# **How many tokens would the one at position 79 have to see, itself included, so that the one it is asked for in D is among
# them?** (`value`)

# %% exercise="positions.sight"
### BEGIN SOLUTION
# B is mended, D is not: there the first token is out of sight. From position 79 back to 0 are 80 tokens. (It would be in sight
# then, and at a distance that training has not had: that is row C.)
verdict = {"claim": "b", "reason": "c", "value": 80}
### END SOLUTION

# %%
check("positions.sight")
