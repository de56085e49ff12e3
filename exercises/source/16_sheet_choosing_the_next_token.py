# %% [markdown]
# # Sheet 16 · Choosing the next token
#
# Five exercises, about 40 minutes in all. Each has a cell for your answer and a cell that checks it. Run both with Shift +
# Enter, as often as you like. If an answer does not pass, the check says what is wrong with it. Hints unfold below that, one
# at a time, and after the last hint a solution.
#
# As in the lesson, log is the natural logarithm.

# %%
import numpy as np

from transformer_course.exercises import check

# %% [markdown]
# ## 1 · Short or long, cold or hot? (by hand, 7 minutes, ●○○)
#
# A beam has found two texts that have come to an end. These are the probabilities of their tokens, `end` included:
#
# | text | | | | | | | |
# | --- | --- | --- | --- | --- | --- | --- | --- |
# | A | 1/2 | 1/16 | | | | | |
# | B | 1/2 | 1/2 | 1/2 | 1/2 | 1/2 | 1/2 | 1 |
#
# Without more, A wins, since B has more factors. With a **length penalty** texts are compared by their log-probability divided by
# ((5 + length) / 6)^α, where the length counts all tokens of the text. For α = 0 that is the log-probability itself; here let α
# be 1.
#
# Which of the two wins with the penalty? And, apart from the beam: four tokens have the probabilities 0.64, 0.16, 0.16 and 0.04.
# Give a list of four numbers, right to two digits after the point:
#
# 1. the log-probability of A;
# 2. the same of A with the penalty;
# 3. the log-probability of B with the penalty;
# 4. the probability of the first of the four tokens at temperature 2.
#
# Use the cell as a pocket calculator, if you like; `np.log` is ln.

# %% exercise="decoding.by_hand"
### BEGIN SOLUTION
# A: ln 1/32 = −3.47, divided by 7/6. B: ln 1/64 = −4.16, divided by 2, which is now the larger one. At temperature 2, the
# roots 0.8, 0.4, 0.4 and 0.2 sum to 1.8.
numbers = [np.log(1 / 32), np.log(1 / 32) / (7 / 6), np.log(1 / 64) / 2, 0.8 / 1.8]
### END SOLUTION

# %%
check("decoding.by_hand")

# %% [markdown]
# ## 2 · The loop that writes (program, 8 minutes, ●●○)
#
# The lesson's loop always wrote ten tokens. Write `greedy(step, begin, end, limit)`, which knows when to stop. `step(ids)` takes
# the beginning so far, a list of ids that starts with `begin`, and returns an array with a score for each token of the
# vocabulary. At each step, take the token with the highest score. Stop after `end`, or when `limit` tokens are written,
# whichever comes first. Return the list of ids that were written: without `begin`, and with `end` if it came. `begin` and
# `end` may be the same id, which ends the text only where it was chosen; and if `limit` is 0, the list is empty.
#
# The check calls your function with names such as "chain". The table says what they stand for, and the first line of the
# function looks them up: you need not touch either. (To try it, you can also hand over a function of your own.)


# %% exercise="decoding.greedy"
def highest_at(token):
    """Scores for 7 tokens, of which this one has the highest."""
    return -np.abs(np.arange(7) - token % 7)


STEPS = {
    "chain": lambda ids: highest_at(3 * int(ids[-1]) + 2),
    "last two": lambda ids: highest_at(
        int(ids[-1]) + int(ids[-2]) + 3 if len(ids) > 1 else int(ids[-1]) + 1
    ),
    "all": lambda ids: highest_at(int(sum(ids)) + len(ids) ** 2),
}


def greedy(step, begin, end, limit):
    """The ids that are written: the highest score at each step, up to end, at most limit."""
    step = STEPS.get(step, step)
    ### BEGIN SOLUTION
    ids = [begin]
    for _ in range(limit):
        ids.append(int(np.argmax(step(ids))))
        if ids[-1] == end:
            break
    return ids[1:]
    ### END SOLUTION


# %%
check("decoding.greedy")

# %% [markdown]
# ## 3 · What a beam misses (find an input, 6 minutes, ●●○)
#
# A tree like that of the lesson: `first` holds the probabilities of three first tokens, and row k of `then` those of the second
# token behind first token k. Here are a beam of two and the truth:


# %%
def beam_of_two(first, then):
    first, then = np.array(first), np.array(then)
    kept = np.argsort(first)[::-1][:2]
    return (first[kept, None] * then[kept]).max()


def most_probable(first, then):
    return (np.array(first)[:, None] * np.array(then)).max()


example = ([0.40, 0.31, 0.29], [[0.40, 0.30, 0.30], [0.60, 0.20, 0.20], [0.50, 0.30, 0.20]])
print(beam_of_two(*example).round(3), most_probable(*example).round(3))

# %% [markdown]
# Here they agree. **Give `trap = (first, then)` on which the two differ, although the choices are all close:** each number of
# `first` is at least 0.3, and none in `then` is above 0.6. All rows sum to 1, and no two numbers of `first` are equal.

# %% exercise="decoding.tree"
### BEGIN SOLUTION
# The third first token is dropped, though it is only a little less probable. Behind it is 0.31 · 0.6 = 0.186, and behind the
# other two at most 0.35 · 0.4 = 0.14.
trap = ([0.35, 0.34, 0.31], [[0.4, 0.3, 0.3], [0.4, 0.3, 0.3], [0.6, 0.2, 0.2]])
### END SOLUTION

# %%
check("decoding.tree")

# %% [markdown]
# ## 4 · Top-p (program, 12 minutes, ●●●)
#
# Write `top_p(probabilities, p)`. `probabilities` has the shape `(v,)`, `(b, v)` or more axes; along the last one are the
# probabilities of the v tokens, which sum to 1, and of which none is 0. In each row, keep the fewest tokens that together have at
# least the probability p, from the most probable one on. All others become 0, and the row is divided by its sum. Return an array of
# the same shape, in which each token stands where it was.
#
# p is above 0 and at most 1. Where one token alone has p or more, it is the only one that stays; where the sum is exactly p, that
# is enough. (Rounding plays no part: all probabilities in the check are whole numbers of 1024ths.)
# No two tokens of a row are equal, and each row is cut by itself.


# %% exercise="decoding.top_p"
def top_p(probabilities, p):
    """The probabilities with all but the fewest that together have p set to 0, renormalised."""
    ### BEGIN SOLUTION
    order = np.argsort(-probabilities, axis=-1)
    ranked = np.take_along_axis(probabilities, order, axis=-1)
    before = ranked.cumsum(axis=-1) - ranked  # what the tokens ahead have
    kept = np.zeros_like(probabilities)
    np.put_along_axis(kept, order, np.where(before < p, ranked, 0), axis=-1)
    return kept / kept.sum(axis=-1, keepdims=True)
    ### END SOLUTION


# %%
check("decoding.top_p")

# %% [markdown]
# ## 5 · What is parallel? (read a table, 6 minutes, ●●○)
#
# The GPT of the lesson and a text of 60 letters (we hand it the letters, so that all rows have the same ones). "Kept" means that
# what was computed for earlier letters is not computed again; how, is the subject of lesson 17. A pass is one run through all
# layers. The times are those of one processor, with that of row A as 1:
#
# | row | what is done | passes | time |
# | --- | --- | --- | --- |
# | **A** | all 60 letters are read | 1 | 1 |
# | **B** | 60 letters are written, nothing is kept | 60 | 48 |
# | **C** | 60 letters are written, with what is kept | 60 | 19 |
# | **D** | 40 letters are given, 20 are written, with what is kept | 20 | 7 |
# | **E** | 32 texts of 60 letters are written side by side, with what is kept | 60 | 69 |
#
# **Which claim do these rows support?**
#
# * `"a"`: with what is kept, writing is parallel
# * `"b"`: writing is parallel, as soon as there are many texts
# * `"c"`: the letters of a given beginning are processed in parallel, and those that are written one after another
# * `"d"`: nothing can be said, since times depend on the machine
#
# **For which reason?**
#
# * `"a"`: C takes less time than B, and D less than C
# * `"b"`: there are as many passes as letters are *written*, whatever is kept, and however many texts are written at once
# * `"c"`: E writes 32 texts in less than four times the time of one
# * `"d"`: A needs a single pass
#
# **And which printed number shows that the given letters of row D took no passes of their own?**

# %% exercise="decoding.parallel"
### BEGIN SOLUTION
# 20 letters are written in row D, and there are 20 passes: the first of them reads the 40 given letters as well.
verdict = {"claim": "c", "reason": "b", "value": 20}
### END SOLUTION

# %%
check("decoding.parallel")

# %% [markdown]
# (Row A is what training does. So one may well say that the Transformer made *training* parallel, and reading. Writing it did
# not.)
