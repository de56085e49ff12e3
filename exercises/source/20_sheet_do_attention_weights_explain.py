# %% [markdown]
# # Sheet 20 · Do attention weights explain?
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
# ## 1 · Contribution and hiding
#
# A head gives three tokens these weights:
#
# | token | weight | value |
# | --- | --- | --- |
# | 1 | 0.6 | [0, 0] |
# | 2 | 0.3 | [4, 0] |
# | 3 | 0.1 | [0, 9] |
#
# Give a list of four numbers, correct to two decimal places: **the contributions of tokens 1, 2 and 3** (lengths of weight
# times value), and **how far the head's output moves when token 1 is hidden**, as the length of the difference. Token 1 is
# hidden by a mask before softmax, so the scores of the other two stay the same.

# %% exercise="explain.by_hand" form="by hand" minutes=6 difficulty=1
### BEGIN SOLUTION
# Before: [1.2, 0.9]. Without token 1 the weights are 0.75 and 0.25, and the output is [3, 2.25]. The difference: [1.8, 1.35].
numbers = [0, 1.2, 0.9, 2.25]
### END SOLUTION

# %%
check("explain.by_hand")

# %% [markdown]
# So hiding a token that adds nothing can change the output a lot: its weight goes to the others. "Taking away" can mean two
# things, and you have to say which. You can mask a token before softmax, as the lesson did with words, or set an output to
# zero, as it did with heads.

# %% [markdown]
# ## 2 · The same output
#
# Five tokens have values of two numbers, the corners and the centre of a square: [0, 0], [2, 0], [0, 2], [2, 2] and [1, 1]. A
# query gives them the weights 0.1, 0.1, 0.1, 0.2 and 0.5, so its output is [1.1, 1.1].
#
# **Give `row`: five other weights that give the same output, with 0 for token 5.** In our row, token 5 has the largest weight.
# Weights are never negative and sum to 1.

# %% exercise="explain.twin" form="construct" minutes=6 difficulty=2
### BEGIN SOLUTION
# [1, 1] is the mean of [0, 0] and [2, 2]: half of the 0.5 goes to token 1, half to token 4.
row = [0.35, 0.1, 0.1, 0.45, 0.0]
### END SOLUTION

# %%
check("explain.twin")

# %% [markdown]
# ## 3 · What other weights show
#
# The lesson's GPT reads two of the names of 71 letters from the part "Other weights in a trained model". We replace the
# weights of the last position in all 24 heads. An *alternative* to a row of weights gives its head exactly the same output,
# with as little weight as possible on the token with the largest weight. The table shows the largest change of a logit at the
# last position, and the weight that head 3 of layer 6 gives to the letter V of ABOVE, which is this head's largest in row A:
#
# | row | weights | name | largest change of a logit | on the V |
# | --- | --- | --- | --- | --- |
# | **A** | as trained | first | 0.00 | 0.084 |
# | **B** | alternatives to those in row A | first | 0.00 | 0.000 |
# | **C** | those of row A, shuffled among the letters in each head | first | 4.40 | 0.009 |
# | **D** | those of row B | second | 4.58 | – |
# | **E** | those of row A | second | 4.42 | – |
#
# **Which claim do these rows support?**
#
# * `"a"`: the weights make no difference to the answer
# * `"b"`: the fact that V had this head's largest weight is not, by itself, a reason for the answer
# * `"c"`: the model could just as well have learned to attend as in row B
# * `"d"`: in row A, V is this head's reason for the answer
#
# **What is the reason?**
#
# * `"a"`: in row B this weight is gone, and the logits stay the same
# * `"b"`: in row C the logits change, so weights matter
# * `"c"`: each head mixes its values by its weights, and by nothing else
# * `"d"`: A and B have the same logits, so their weights are the same up to rounding
#
# **Someone says: "On the second name, the weights of row B move a logit by 4.58. So no model could have learned to attend as
# in row B." Which number in the column "largest change of a logit" shows that this does not follow?**

# %% exercise="explain.verdict" form="read a table" minutes=7 difficulty=2
### BEGIN SOLUTION
# Row E: borrowed by another text, learned weights do as much harm. (4.40, row C, speaks against claim a.)
verdict = {"claim": "b", "reason": "a", "value": 4.42}
### END SOLUTION

# %%
check("explain.verdict")

# %% [markdown]
# ## More practice {#practice}
#
# You can stop here: the rest is optional. You compute the contributions in all heads of a layer, patch one run with a vector
# from another, and plan an experiment. The Build does not ask for any of this.

# %% [markdown]
# ## 4 · What each token adds
#
# In exercise 1 you had one head. Now do the same for all heads of a layer, and for a batch. You are given
#
# * `weights`, of shape `(b, h, n, m)`, for n queries and m tokens in each of h heads;
# * `values`, of shape `(b, h, m, d)`: the tokens' values in each head;
# * `w_o`, of shape `(h·d, d_out)`: it multiplies the concatenated outputs of the heads, head 0 first.
#
# Return an array of shape `(b, n, m)`: the length of the vector that token j adds to output i, through all heads and `w_o`.
# For one i, these vectors sum to the output. Their lengths need not sum to its length.


# %% exercise="explain.contributions" form="program" minutes=12 difficulty=3
def contributions(weights, values, w_o):
    """(b, h, n, m), (b, h, m, d), (h·d, d_out) to lengths (b, n, m)."""
    ### BEGIN SOLUTION
    h, d = values.shape[1], values.shape[3]
    each = values @ w_o.reshape(h, d, -1)  # (b, h, m, d_out)
    added = (weights[..., None] * each[:, :, None]).sum(1)  # (b, n, m, d_out)
    return (added**2).sum(-1) ** 0.5
    ### END SOLUTION


# %%
check("explain.contributions")

# %% [markdown]
# ## 5 · One vector from another run
#
# Write activation patching (under "Deeper" in the lesson) for a small model. It has L layers. Layer k adds something to all
# vectors at once, as attention does: `x = x + mix[k] @ x @ weights[k]`. Its score is the last position's vector times `read`,
# `x[-1] @ read`. You are given
#
# * `first` and `other`, of shape `(n, d)`: two texts, one vector per token;
# * `mix` `(L, n, n)`, `weights` `(L, d, d)` and `read` `(d,)`;
# * `layer` and `position`, two integers.
#
# **Return the score of the run on `first` if, after `layer` layers, the vector at `position` comes from the run on `other`.**
# With `layer` 0 it is replaced before the first layer, and with `layer` L after the last one.


# %% exercise="explain.patch" form="program" minutes=10 difficulty=2
def patch(first, other, mix, weights, read, layer, position):
    """(n, d), (n, d), (L, n, n), (L, d, d), (d,) and two numbers to one number."""
    ### BEGIN SOLUTION
    x, donor = first, other
    for k in range(layer):
        x = x + mix[k] @ x @ weights[k]
        donor = donor + mix[k] @ donor @ weights[k]
    x = x.copy()
    x[position] = donor[position]
    for k in range(layer, len(mix)):
        x = x + mix[k] @ x @ weights[k]
    return x[-1] @ read
    ### END SOLUTION


# %%
check("explain.patch")

# %% [markdown]
# ## 6 · Does this head carry anything?
#
# In the lesson, head 1 of the translator's last cross-attention was silenced, and almost nothing was lost. The same held for
# heads 2, 3 and 4, each alone. Someone concludes: "Head 1 carries nothing useful for numbers that the model did not see in
# training." But the four heads together were indispensable.
#
# **Plan the runs that can show whether head 1 carries anything useful for unseen numbers.** A plan is a list of at most 24
# runs, and each run gives all four fields:
#
# | field | what it is | possible values |
# | --- | --- | --- |
# | `"head_1"` | the state of head 1 | `"working"`, `"silenced"` |
# | `"heads_2_to_4"` | the state of the other three | `"working"`, `"silenced"` |
# | `"numbers"` | which numbers are translated | `"unseen"`, `"trained on"` |
# | `"seed"` | which 200 of them are drawn | 0, 1, 2, … 9 |
#
# Use at least three seeds; you do not need many runs. The check judges only the plan, not the results of its runs. One run
# looks like this:

# %%
{"head_1": "silenced", "heads_2_to_4": "working", "numbers": "trained on", "seed": 9}

# %% exercise="explain.spare" form="plan" minutes=8 difficulty=2
### BEGIN SOLUTION
# The other three are silenced in both groups, so that none of them can stand in; three seeds, the same in both.
plan = [
    {"head_1": head_1, "heads_2_to_4": "silenced", "numbers": "unseen", "seed": seed}
    for head_1 in ("working", "silenced")
    for seed in (0, 1, 2)
]
### END SOLUTION

# %%
check("explain.spare")

# %% [markdown]
# Once your plan has passed, you can run it: replace False with True. It takes a few seconds. This cell is not graded.

# %% tags=["not-graded"]
if False:
    from transformer_course.experiments.spare_heads import last_cross_attention

    for run in plan:
        print(run, round(last_cross_attention(**run), 2))

# %% [markdown]
# <details><summary>What the runs show</summary>If head 1 makes a difference when it is the only one left, it carries something
# useful. But head 1 alone does far worse than all four, so the others carry something useful too. Each can be spared only as
# long as the other three are there.</details>
