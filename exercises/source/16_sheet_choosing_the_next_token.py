# %% [markdown]
# # Sheet 16 · Choosing the next token
#
# The core takes about {minutes} minutes. Below it is more practice, another {practice} minutes, which you can leave out. Each
# exercise has a cell for your answer and a cell that checks it. Run both with Shift + Enter, as often as you like. If an
# answer does not pass, the check says what is wrong. You can then unfold hints, one at a time, and after the last hint a
# solution. In a program, use NumPy or torch, whichever you like: the check passes arrays to your function, or tensors if it
# needs those. Your function must not change them.
#
# As in the lesson, log is the natural logarithm.

# %%
import numpy as np

from transformer_course.exercises import check

# %% [markdown]
# ## 1 · Short or long, cold or hot?
#
# A beam has found two complete sequences. These are the probabilities of their tokens, including `end`:
#
# | sequence | | | | | | | |
# | --- | --- | --- | --- | --- | --- | --- | --- |
# | A | 1/2 | 1/16 | | | | | |
# | B | 1/2 | 1/2 | 1/2 | 1/2 | 1/2 | 1/2 | 1 |
#
# As things stand, A is more probable, because B has more factors. With a **length penalty**, sequences are compared by their
# log-probability divided by ((5 + length) / 6)^α, where the length is the number of tokens, with `end`. For α = 0 this is the
# log-probability itself; here α is 1.
#
# Which sequence wins with the penalty? (Numbers 2 and 3 will tell you.) And a separate question: four tokens have the
# probabilities 0.64, 0.16, 0.16 and 0.04; the logarithms of these can serve as logits. How probable is the first of them at
# temperature 2? Give a list of four numbers, correct to two decimal places:
#
# 1. the log-probability of A;
# 2. the log-probability of A, divided by its penalty;
# 3. the log-probability of B, divided by its penalty;
# 4. the probability of the first of the four tokens at temperature 2.
#
# You can use the cell as a calculator; `np.log` is the natural logarithm.

# %% exercise="decoding.by_hand" form="by hand" minutes=7 difficulty=1
### BEGIN SOLUTION
# A: ln 1/32 = −3.47, divided by 7/6. B: ln 1/64 = −4.16, divided by 2, which is the larger of the two results. At temperature
# 2, the square roots are 0.8, 0.4, 0.4 and 0.2, and their sum is 1.8.
numbers = [np.log(1 / 32), np.log(1 / 32) / (7 / 6), np.log(1 / 64) / 2, 0.8 / 1.8]
### END SOLUTION

# %%
check("decoding.by_hand")

# %% [markdown]
# ## 2 · What a beam misses
#
# Take a tree like the one in the lesson. `first` holds the probabilities of three first tokens, and row k of `then` holds the
# probabilities of the tokens after token k. These functions return the probability of the sequence that a beam of width 2
# finds, and of the most probable one:


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
# For this tree they agree. **Give `trap = (first, then)` for which they differ, although all the choices are close:** each
# number in `first` is at least 0.3, and none in `then` is above 0.6. All rows sum to 1, and no two numbers in `first` are
# equal.

# %% exercise="decoding.tree" form="find an input" minutes=6 difficulty=2
### BEGIN SOLUTION
# The third first token is dropped, although it is only a little less probable. It leads to 0.31 · 0.6 = 0.186, and the other
# two to at most 0.35 · 0.4 = 0.14.
trap = ([0.35, 0.34, 0.31], [[0.4, 0.3, 0.3], [0.4, 0.3, 0.3], [0.6, 0.2, 0.2]])
### END SOLUTION

# %%
check("decoding.tree")

# %% [markdown]
# ## 3 · What is parallel?
#
# The lesson's GPT trained on names gets a text of 60 letters. (In rows B to E the model runs as it does when it generates, but
# the letters of the given text are appended in place of those that it would choose.) "With a cache" means that nothing is
# computed twice for earlier letters; lesson 17 shows how. A pass is one run through all layers. The times, measured on one
# processor, are relative to row A's:
#
# | row | what is done | passes | time |
# | --- | --- | --- | --- |
# | **A** | read all 60 letters | 1 | 1 |
# | **B** | generate 60 letters, without a cache | 60 | 48 |
# | **C** | generate 60 letters, with a cache | 60 | 19 |
# | **D** | read 40 letters, then generate 20, with a cache | 20 | 7 |
# | **E** | generate 32 texts of 60 letters side by side, with a cache | 60 | 69 |
#
# **Which claim do these rows support?**
#
# * `"a"`: with a cache, generating is parallel
# * `"b"`: generating is parallel as soon as there are many texts
# * `"c"`: the letters of a prompt are processed in parallel, generated letters one after another
# * `"d"`: nothing can be said, because times depend on the machine
#
# **What is the reason?**
#
# * `"a"`: C takes less time than B, and D less than C
# * `"b"`: there is one pass for each letter that is *generated*, with or without a cache, and for any number of texts
# * `"c"`: E generates 32 texts in less than four times the time of one
# * `"d"`: A needs a single pass
#
# **And which printed number shows that the 40 letters of the prompt in row D needed no passes of their own?**

# %% exercise="decoding.parallel" form="read a table" minutes=6 difficulty=2
### BEGIN SOLUTION
# In row D, 20 letters are generated in 20 passes: the first pass also reads the 40 letters of the prompt.
verdict = {"claim": "c", "reason": "b", "value": 20}
### END SOLUTION

# %%
check("decoding.parallel")

# %% [markdown]
# (Row A is what training does. So the Transformer made *training* and reading parallel, but not generating.)

# %% [markdown]
# ## More practice {#practice}
#
# You can stop here: the rest is optional. You write the greedy loop and top-p in NumPy. Stage B7 of the Build asks for both
# again, in torch.

# %% [markdown]
# ## 4 · The greedy loop
#
# The lesson's loop always ran for a fixed number of steps. Write `greedy(step, begin, end, limit)`, which knows when to stop.
# `step(ids)` takes the tokens so far, a list of ids that starts with `begin`, and returns an array with a score for each token
# of the vocabulary. At each step, take the token with the highest score. Stop after `end`, or after `limit` tokens, whichever
# comes first. Return the list of the ids that were generated, without `begin`, and with `end` if it was chosen. `begin` and
# `end` may be the same id; it ends the sequence only when it is *chosen*. If `limit` is 0, the list is empty.
#
# The check passes the name of a step function, such as "chain", in place of the function itself. The first line of `greedy`
# looks it up in `STEPS`; leave both as they are.


# %% exercise="decoding.greedy" form="program" minutes=8 difficulty=2 builds=["choice"]
def highest_at(token):
    """Scores for 7 tokens; this token has the highest."""
    return -np.abs(np.arange(7) - token % 7)


STEPS = {
    "chain": lambda ids: highest_at(3 * int(ids[-1]) + 2),
    "last two": lambda ids: highest_at(
        int(ids[-1]) + int(ids[-2]) + 3 if len(ids) > 1 else int(ids[-1]) + 1
    ),
    "all": lambda ids: highest_at(int(sum(ids)) + len(ids) ** 2),
}


def greedy(step, begin, end, limit):
    """Return the generated ids: the highest score at each step, up to end, at most limit."""
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
# ## 5 · Top-p
#
# Write `top_p(probabilities, p)`. `probabilities` has shape `(v,)` or `(b, v)`, or has more axes. The last axis holds the
# probabilities of the v tokens; they sum to 1, and none of them is 0. In each row, keep the smallest set of most probable
# tokens whose probabilities add up to at least p. Set all others to 0 and divide the row by its sum. Return an array
# of the same shape, with every token in its original position.
#
# p is above 0 and at most 1. If a single token has p or more, it is the only one that you keep; if a sum is exactly p, that is
# enough. (Rounding is no issue: all probabilities in the check are integer multiples of 1/1024.) No two tokens of a row have
# the same probability, and each row is cut separately.


# %% exercise="decoding.top_p" form="program" minutes=12 difficulty=3 builds=["choice"]
def top_p(probabilities, p):
    """Keep the fewest most probable tokens that together have p; renormalise."""
    ### BEGIN SOLUTION
    order = np.argsort(-probabilities, axis=-1)
    ranked = np.take_along_axis(probabilities, order, axis=-1)
    before = ranked.cumsum(axis=-1) - ranked  # the sum over more probable tokens
    kept = np.zeros_like(probabilities)
    np.put_along_axis(kept, order, np.where(before < p, ranked, 0), axis=-1)
    return kept / kept.sum(axis=-1, keepdims=True)
    ### END SOLUTION


# %%
check("decoding.top_p")
