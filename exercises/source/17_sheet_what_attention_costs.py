# %% [markdown]
# # Sheet 17 · What attention costs
#
# Five exercises, about 35 minutes in all. Each has a cell for your answer and a cell that checks it. Run both with Shift +
# Enter, as often as you like. If an answer does not pass, the check says what is wrong with it. Hints unfold below that, one
# at a time, and after the last hint a solution.

# %%
import numpy as np

from transformer_course.exercises import check

# %% [markdown]
# ## 1 · A narrow network (by hand, 6 minutes, ●○○)
#
# A model has 24 layers, is 1,024 wide, and has 16 heads of 64 numbers. Its feed-forward network has only 2d hidden numbers, in
# place of 4d. A number takes 2 bytes. Give a list of three numbers, right to one digit after the point:
#
# 1. how many multiplications scores and mixtures make together, in *one* layer at 4,000 tokens, in units of 10⁹;
# 2. the length at which that is as many as the feed-forward network makes;
# 3. the size of the cache for one text of 4,000 tokens, all layers together, in MB (1 MB is 10⁶ bytes).

# %% exercise="cost.by_hand"
### BEGIN SOLUTION
# 2n²d; then 2n²d = 2 · n · d · 2d, so n = 2d; then keys and values, of each layer and token, d numbers of 2 bytes.
n, d = 4000, 1024
costs = [2 * n**2 * d / 1e9, 2 * d, 2 * 24 * n * d * 2 / 1e6]
### END SOLUTION

# %%
check("cost.by_hand")

# %% [markdown]
# ## 2 · The cache (program, 6 minutes, ●○○)
#
# The lesson kept the keys and values of one head and one text. Write it for a batch and all heads: `cache` is a mapping with two
# arrays, `cache["key"]` and `cache["value"]`, each of shape `(b, h, n, d)`. `key` and `value` are those of the new tokens,
# with another n: mostly 1, but more when a text is read first. And the cache may be empty: then its n is 0.
#
# Return a new mapping with the same two names, in which the new tokens stand behind the old ones. Leave the old cache as it is:
# two continuations of one text may both begin from it. (NumPy or torch: both pass.)


# %% exercise="decoding.extend_cache"
def extend_cache(cache, key, value):
    """A mapping {"key", "value"} of all tokens, the new ones last."""
    ### BEGIN SOLUTION
    return {
        "key": np.concatenate([cache["key"], key], axis=2),
        "value": np.concatenate([cache["value"], value], axis=2),
    }
    ### END SOLUTION


# %%
check("decoding.extend_cache")

# %% [markdown]
# ## 3 · Something forgotten (find an input, 5 minutes, ●●○)
#
# One query, four keys, in two blocks of two. The values are single numbers. This program keeps the largest score so far, as it
# should. But it forgets what has to be done when a larger one comes along:


# %%
def forgetful(scores, values):
    largest, total, mixture = -np.inf, 0.0, 0.0
    for block in (slice(0, 2), slice(2, 4)):
        largest = max(largest, np.max(scores[block]))
        exponentials = np.exp(np.array(scores[block]) - largest)
        total = total + exponentials.sum()
        mixture = mixture + exponentials @ np.array(values[block])
    return mixture / total


def right(scores, values):
    exponentials = np.exp(np.array(scores) - np.max(scores))
    return exponentials @ np.array(values) / exponentials.sum()


for given in (
    ([4.0, 2.0, 3.0, 1.0], [9.0, 2.0, 8.0, 8.0]),
    ([1.0, 1.0, 3.0, 3.0], [5.0, 7.0, 7.0, 5.0]),
):
    print(forgetful(*given).round(4), right(*given).round(4))

# %% [markdown]
# Twice it gives what it should. **Give `trap = (scores, values)` on which it does not**, by more than rounding: two lists of
# four numbers, all between −20 and 20.

# %% exercise="cost.forgetful"
### BEGIN SOLUTION
# The largest score comes in the second block, and the values there are others than in the first.
trap = ([0.0, 0.0, 5.0, 5.0], [1.0, 1.0, 3.0, 3.0])
### END SOLUTION

# %%
check("cost.forgetful")

# %% [markdown]
# ## 4 · Online softmax (program, 13 minutes, ●●●)
#
# Write `online_softmax(blocks)`: the output of attention for queries whose keys arrive in blocks. `blocks` is a list of pairs
# `[scores, values]`, with at least one pair in it:
#
# * `scores` has the shape `(…, n, c)`: n queries, c keys; before them stand any number of axes, for a batch or for heads;
# * `values` has the shape `(…, c, d)`. From block to block c may change, all else stays.
#
# Return the mixtures, of shape `(…, n, d)`: what softmax over *all* keys together gives, times all values. Some scores are near
# 1000, some near −1000, and from one block to the next the scores of a row may rise or fall by 900. Masked scores are −∞. A row
# may have nothing else in a block, even in the first one; but in some block, each row has a score that is not masked.
#
# Any way that gives the right output passes. (The check cannot see what your function holds at a time; the cell after it can.)


# %% exercise="cost.online_softmax"
def online_softmax(blocks):
    """[scores (..., n, c), values (..., c, d)] for each block of keys to mixtures (..., n, d)."""
    ### BEGIN SOLUTION
    largest, total, mixture = -np.inf, 0.0, 0.0
    for scores, values in blocks:
        new = np.maximum(largest, scores.max(axis=-1, keepdims=True))
        subtract = np.where(np.isneginf(new), 0.0, new)  # a row that has met no key yet
        rescale, exponentials = np.exp(largest - subtract), np.exp(scores - subtract)
        total = rescale * total + exponentials.sum(axis=-1, keepdims=True)
        mixture = rescale * mixture + exponentials @ values
        largest = new
    return mixture / total
    ### END SOLUTION


# %%
check("cost.online_softmax")

# %% [markdown]
# How much does yours hold at its worst moment, beside what it is given? (Python's `tracemalloc` sees NumPy's arrays.) Four times as
# many blocks should take no more.

# %% tags=["not-graded"]
import tracemalloc

for count in (4, 16):
    blocks = [[np.ones((64, 256)), np.ones((256, 8))] for _ in range(count)]
    tracemalloc.start()
    try:
        online_softmax(blocks)
        print(f"{count} blocks: {tracemalloc.get_traced_memory()[1] / 1e3:,.0f} kB")
    except Exception as error:  # still empty, or written for tensors
        print("It did not run on these arrays:", error)
    finally:
        tracemalloc.stop()

# %% [markdown]
# ## 5 · Three programs (read a table, 5 minutes, ●●○)
#
# Three programs were run on the same random queries, keys and values, one head of 64 numbers. A is plain attention. B and C both
# work in blocks, and are both advertised as "linear attention". Measured at 1,024 and at 4,096 tokens (the difference at 4,096):
#
# | program | memory beside the output, MB | million multiplications | largest difference from A's output |
# | --- | --- | --- | --- |
# | **A** | 12.3 → 200.3 | 134 → 2147 | 0 |
# | **B** | 1.1 → 1.1 | 134 → 2147 | below 0.000001 |
# | **C** | 0.8 → 0.8 | 34 → 134 | 1.40 |
#
# **What is right?**
#
# * `"a"`: B and C are linear both: what takes no more memory does not take more work
# * `"b"`: neither computes attention exactly, since neither ever sees a whole row; B comes nearer to it
# * `"c"`: B computes attention, and its memory does not grow, but its work grows with n²; C's work grows with n, and it computes
#   something else
# * `"d"`: C computes attention too, and with the least of everything
#
# **For which reason?**
#
# * `"a"`: who holds less at a time, does less in all
# * `"b"`: memory, work and output are three questions, and each has its own column
# * `"c"`: a softmax can only be estimated by who never holds its whole row
# * `"d"`: fewer multiplications always cost exactness
#
# **And which number of row C shows that it does not put out what A puts out?**

# %% exercise="cost.three_programs"
### BEGIN SOLUTION
# B's multiplications are A's, 16 times as many for four times the text; C's are four times as many, but its output is far from A's.
verdict = {"claim": "c", "reason": "b", "value": 1.40}
### END SOLUTION

# %%
check("cost.three_programs")

# %% [markdown]
# (C lets each block of 256 queries look at its own 256 keys alone. Such windows are in use, where nearby tokens matter most; what they
# lose has to be measured on the task.)
