# %% [markdown]
# # Sheet 17 · What attention costs
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
# ## 1 · A narrow network
#
# A model has 24 layers of width 1,024, with 16 heads of width 64. Its feed-forward network has only 2d hidden units instead of
# 4d. Each number takes 2 bytes. Give a list of three numbers, correct to one decimal place:
#
# 1. the multiplications for the scores and the weighted sums together, in *one* layer at 4,000 tokens, in units of 10⁹;
# 2. the length at which they equal those of the feed-forward network;
# 3. the size of the cache for one text of 4,000 tokens, all layers together, in MB (1 MB is 10⁶ bytes).

# %% exercise="cost.by_hand" form="by hand" minutes=6 difficulty=1
### BEGIN SOLUTION
# 2n²d. Then 2n²d = 2 · n · d · 2d, so n = 2d. Then a key and a value for each layer and token, each with d numbers of 2 bytes.
n, d = 4000, 1024
costs = [2 * n**2 * d / 1e9, 2 * d, 2 * 24 * n * d * 2 / 1e6]
### END SOLUTION

# %%
check("cost.by_hand")

# %% [markdown]
# ## 2 · Something forgotten
#
# One query has four keys, which arrive in two blocks of two. The values are single numbers. This program keeps the largest
# score so far, as it should. But it forgets what has to be done when a larger one comes along:


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
# The program's result is correct both times. **Give `trap = (scores, values)` for which it is wrong**, by more than a rounding
# error: two lists of four numbers, all between −20 and 20.

# %% exercise="cost.forgetful" form="find an input" minutes=5 difficulty=2
### BEGIN SOLUTION
# The largest score is in the second block, and the values there differ from those in the first.
trap = ([0.0, 0.0, 5.0, 5.0], [1.0, 1.0, 3.0, 3.0])
### END SOLUTION

# %%
check("cost.forgetful")

# %% [markdown]
# ## 3 · Three programs
#
# Three programs were run on the same random queries, keys and values (one head of width 64). A is plain attention. B and C
# both work in blocks, and both are advertised as "linear attention". All three were measured at 1,024 and 4,096 tokens (the
# difference at 4,096 only):
#
# | program | working memory, MB | million multiplications | largest difference from A's output |
# | --- | --- | --- | --- |
# | **A** | 12.3 → 200.3 | 134 → 2147 | 0 |
# | **B** | 1.1 → 1.1 | 134 → 2147 | below 0.000001 |
# | **C** | 0.8 → 0.8 | 34 → 134 | 1.40 |
#
# **Which claim do the numbers support?**
#
# * `"a"`: B and C are both linear: a program that needs no more memory does no more work
# * `"b"`: neither computes attention exactly, because neither ever has a whole row; B comes closer
# * `"c"`: B computes attention; its memory does not grow, but its work grows with n²; the work of C grows with n, and it
#   computes something else
# * `"d"`: C computes attention too, at the lowest cost
#
# **What is the reason?**
#
# * `"a"`: a program that holds less at a time does less in total
# * `"b"`: memory, work and output are three separate questions, and each has its own column
# * `"c"`: without ever having a whole row, you can only estimate a softmax
# * `"d"`: fewer multiplications always cost accuracy
#
# **And which number in row C shows that its output differs from A's?**

# %% exercise="cost.three_programs" form="read a table" minutes=5 difficulty=2
### BEGIN SOLUTION
# B takes as many multiplications as A, 16 times as many for four times the tokens. C takes four times as many, but its output
# is far from A's.
verdict = {"claim": "c", "reason": "b", "value": 1.40}
### END SOLUTION

# %%
check("cost.three_programs")

# %% [markdown]
# (In C, each block of 256 queries attends only to its own 256 keys. Such windows are in use where nearby tokens matter most.
# What they lose has to be measured on the task.)

# %% [markdown]
# ## More practice {#practice}
#
# You can stop here: the rest is optional. You write a cache, and a softmax that never sees a whole row. (Stage B7 of the Build
# asks for the cache again, in torch.)

# %% [markdown]
# ## 4 · The cache
#
# The lesson kept the keys and values of one head and one text. Now do the same for a batch and all heads. `cache` is a mapping
# with two arrays, `cache["key"]` and `cache["value"]`, each of shape `(b, h, n, d)`. `key` and `value` belong to the new
# tokens; their n may be different. It is usually 1, but larger when a prompt is read. The cache may be empty; then its n is 0.
#
# Return a new mapping with the same two names, in which the new tokens come after the old ones. Leave the old cache unchanged,
# so that two continuations of one text can start from it. (Write it for NumPy or for torch, as you like.)


# %% exercise="decoding.extend_cache" form="program" minutes=6 difficulty=1
def extend_cache(cache, key, value):
    """Return a mapping {"key", "value"} for all tokens, the new ones last."""
    ### BEGIN SOLUTION
    return {
        "key": np.concatenate([cache["key"], key], axis=2),
        "value": np.concatenate([cache["value"], value], axis=2),
    }
    ### END SOLUTION


# %%
check("decoding.extend_cache")

# %% [markdown]
# ## 5 · Online softmax
#
# Write `online_softmax(blocks)`, which returns the output of attention for queries whose keys arrive in blocks. `blocks` is a
# list of at least one pair `[scores, values]`:
#
# * `scores` has shape `(…, n, c)`, for n queries and c keys; before these, there may be any number of axes, for a batch or
#   heads;
# * `values` has shape `(…, c, d)`. From block to block, c may change; all other sizes stay the same.
#
# Return the outputs, of shape `(…, n, d)`: softmax over *all* keys together, times all values. Some scores are near 1000,
# others near −1000, and from one block to the next the scores of a row may rise or fall by 900. Masked scores are −∞. A
# block, even the first one, may have nothing but −∞ for a row. But each row has at least one unmasked score in some block.
#
# Any way to compute the right output passes. (The check cannot see how much memory your function uses; the cell after it can.)


# %% exercise="cost.online_softmax" form="program" minutes=13 difficulty=3
def online_softmax(blocks):
    """Compute (..., n, d) from blocks of [scores (..., n, c), values (..., c, d)]."""
    ### BEGIN SOLUTION
    largest, total, mixture = -np.inf, 0.0, 0.0
    for scores, values in blocks:
        new = np.maximum(largest, scores.max(axis=-1, keepdims=True))
        subtract = np.where(np.isneginf(new), 0.0, new)  # a row without a key so far
        rescale, exponentials = np.exp(largest - subtract), np.exp(scores - subtract)
        total = rescale * total + exponentials.sum(axis=-1, keepdims=True)
        mixture = rescale * mixture + exponentials @ values
        largest = new
    return mixture / total
    ### END SOLUTION


# %%
check("cost.online_softmax")

# %% [markdown]
# How much memory does your function use at its peak, besides its input? (Python's `tracemalloc` sees NumPy's arrays.) Four
# times as many blocks should take no more.

# %% tags=["not-graded"]
import tracemalloc

for count in (4, 16):
    blocks = [[np.ones((64, 256)), np.ones((256, 8))] for _ in range(count)]
    tracemalloc.start()
    try:
        online_softmax(blocks)
        print(f"{count} blocks: {tracemalloc.get_traced_memory()[1] / 1e3:,.0f} kB")
    except Exception as error:  # no answer yet, or written for tensors
        print("It did not run on these arrays:", error)
    finally:
        tracemalloc.stop()
