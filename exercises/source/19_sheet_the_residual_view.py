# %% [markdown]
# # Sheet 19 · The residual view
#
# The core takes about {minutes} minutes. Below it is more practice, another {practice} minutes, which you can leave out. Each
# exercise has a cell for your answer and a cell that checks it. Run both with Shift + Enter, as often as you like. If an
# answer does not pass, the check says what is wrong. You can then unfold hints, one at a time, and after the last hint a
# solution. In a program, use NumPy or torch, whichever you like: the check passes arrays to your function, or tensors if it
# needs those. Your function must not change them.

# %%
import numpy as np

from transformer_course.exercises import check
from transformer_course.experiments.stream import reading

# %% [markdown]
# ## 1 · At right angles
#
# An embedding e has length 3. A model with **pre-norm** adds two edits to it, the first of length 4 and the second of length
# 12. Each edit is at a right angle to everything that is already in the stream.
#
# Give a list of five numbers, correct to two decimal places:
#
# 1. the length of the final stream;
# 2. the length of the first edit, divided by the length of the stream that it is added to;
# 3. the same for the second edit;
# 4. how much of the embedding is left in the final stream $s$, measured as $(s \cdot e) / (e \cdot e)$. (This is 1 for
#    $s = e$.)
# 5. the same for another model, with **post-norm**. There, *both* edits have length 4, each again at a right angle to
#    everything that is already in the stream. After each sum, a norm shortens the result to length 3 and keeps its direction.

# %% exercise="residual.right_angles" form="by hand" minutes=6 difficulty=1
### BEGIN SOLUTION
# √(3² + 4²) = 5 and √(5² + 12²) = 13. Relative to the stream, the edits are 4/3 and 12/5. With pre-norm, e is in the sum
# unchanged. With post-norm, a sum of length 5 is shortened to 3, twice: everything in it is multiplied by 3/5, twice.
measured = [13, 4 / 3, 12 / 5, 1, 0.36]
### END SOLUTION

# %%
check("residual.right_angles")

# %% [markdown]
# ## 2 · Short and long
#
# Here are a final stream of four numbers, an output layer for three words, and a final LayerNorm without γ and β:

# %%
stream = np.array([2.0, 1.0, -1.0, -2.0])
table = np.array([[2.0, 0.0, 0.0, 0.0], [0.0, 3.6, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]])  # A, B, C


def read(stream):
    """The probabilities of A, B and C."""
    normed = (stream - stream.mean()) / np.sqrt(stream.var() + 1e-5)
    shares = np.exp(table @ normed)
    return shares / shares.sum()


print(f"length {np.linalg.norm(stream):.2f}, probabilities", read(stream).round(3))

# %% [markdown]
# A is the most likely. **Give two edits, `edits = (short, long)`, each a list of four numbers:**
#
# * `short` has a length of at most 0.3, and after it A is no longer the most likely;
# * `long` has a length of at least 6, and it changes each of the three probabilities by less than 0.01.
#
# Each edit is added to `stream` by itself. Try `read(stream + short)`, where `short` is an array.

# %% exercise="residual.two_edits" form="construct" minutes=7 difficulty=2
### BEGIN SOLUTION
# A and B are close: make the first number a little smaller and the second a little larger.
# Adding the same number everywhere changes only the mean, which the norm subtracts. (Twice the stream would also do.)
short, long = [-0.1, 0.2, 0, 0], [4, 4, 4, 4]
edits = (short, long)
### END SOLUTION

# %%
check("residual.two_edits")

# %% [markdown]
# So the length of an edit alone does not tell you what it does to the answer. Is this also true of a trained model?

# %% [markdown]
# ## 3 · Twelve edits
#
# The table shows the twelve sublayers of `gpt-pre`, measured on the lesson's three draws of names (medians). *Size* is the
# length of the edit, divided by the length of the stream that it is added to. *Lost* is the accuracy that is lost when this
# one sublayer adds nothing and all others stay (0.50 is 50 percentage points):
#
# | block | attention: size | lost | feed-forward: size | lost |
# | --- | --- | --- | --- | --- |
# | 1 | 0.62 | 0.50 | 0.42 | 0.16 |
# | 2 | 0.64 | 0.33 | 0.38 | 0.11 |
# | 3 | 0.51 | 0.20 | 0.40 | 0.09 |
# | 4 | 0.44 | 0.08 | 0.45 | 0.07 |
# | 5 | 0.39 | 0.04 | 0.49 | 0.04 |
# | 6 | 0.35 | 0.03 | 1.06 | 0.03 |
#
# **Which claim does the table support?**
#
# * `"a"`: the longer an edit, the more is lost without it
# * `"b"`: the length of an edit does not determine how much is lost without it
# * `"c"`: each sublayer edits the stream a little
# * `"d"`: all four sublayers of blocks 5 and 6 can be left out together, and almost nothing is lost
#
# **What is the reason?**
#
# * `"a"`: attention 1 has a long edit, and most is lost without it
# * `"b"`: no edit is shorter than a third of the stream
# * `"c"`: one edit is longer than the stream itself, and almost nothing is lost without it
# * `"d"`: the losses fall from block to block
#
# **And how much is lost without the longest edit of all?** (Take the number from the table.)

# %% exercise="residual.which_edit" form="read a table" minutes=5 difficulty=2
### BEGIN SOLUTION
# The feed-forward network of block 6: its edit is 1.06 of the stream. Claim d was not measured: each was left out by itself.
verdict = {"claim": "b", "reason": "c", "value": 0.03}
### END SOLUTION

# %%
check("residual.which_edit")

# %% [markdown]
# ## More practice {#practice}
#
# You can stop here: the rest is optional. You divide a model's logits among its parts and plan an experiment. The Build does
# not ask for either.

# %% [markdown]
# ## 4 · Which part wrote it?
#
# In the lesson's stream of two numbers, each part contributed to the logits, and the contributions added up to the model's
# logits. That model had no LayerNorm. Now write `who_wrote(parts, gamma, table, eps)` for a model with a final LayerNorm:
#
# * `parts` has shape `(k, …, d)`: the embedding and the k − 1 edits of a model with pre-norm, along the first axis. Their sum
#   is the final stream.
# * `gamma` has shape `(d,)`: the gain γ of the final LayerNorm. Its β is 0.
# * `table` has shape `(v, d)`: the output layer, with a row for each of v tokens.
# * `eps` is the ε of the LayerNorm. It need not be small.
#
# The model normalises the whole stream $s$ and applies `table`: $\text{logits} = \text{table}\,\big(\gamma\,(s - \text{mean})
# / \sqrt{\text{variance} + \varepsilon}\big)$, with the mean and the variance taken over d, as in lesson 11. Return the
# contribution of each part, of shape `(k, …, v)`. Summed over the first axis, the contributions are the logits. (The square
# root cannot be split into a sum. It belongs to the whole stream, and all parts share it.)


# %% exercise="residual.who_wrote" form="program" minutes=10 difficulty=3
def who_wrote(parts, gamma, table, eps):
    """Turn (k, ..., d) parts of the final stream into their contributions to the logits, (k, ..., v)."""
    ### BEGIN SOLUTION
    whole = parts.sum(axis=0)
    centred = whole - whole.mean(axis=-1, keepdims=True)
    root = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + eps)
    return gamma * (parts - parts.mean(axis=-1, keepdims=True)) / root @ table.T
    ### END SOLUTION


# %%
check("residual.who_wrote")

# %% [markdown]
# ## 5 · What training the blocks has done
#
# A **tuned lens** (lesson 19, under "Deeper") is the lens of the lesson with one more step. Before the LayerNorm and the
# output layer, an affine map (a matrix and a bias) turns the stream after some block into the final stream of `gpt-pre`, as
# well as it can. It is fitted to 150 names.
#
# A colleague has used both lenses on `gpt-pre`:
#
# | blocks | lens | names | after | seed | | labels read |
# | --- | --- | --- | --- | --- | --- | --- |
# | trained | tuned | fitted | 4 | 0 | | 0.68 |
# | untrained | plain | others | 0 | 1 | | 0.03 |
#
# "So training these four blocks is what made two-thirds of the letters readable." Perhaps. But perhaps the map of the tuned
# lens did it, or it helped that these were the names to which the map was fitted.
#
# **Take names to which the tuned lens was not fitted. Plan the runs that show how much of what it reads from them is due to
# the training of the blocks.** A plan is a list, and each of its runs gives all five fields:
#
# | field | what it is | possible values |
# | --- | --- | --- |
# | `"blocks"` | whose stream is read: `gpt-pre`'s, or that of an untrained model (its embeddings are untrained too) | `"trained"`, `"untrained"` |
# | `"lens"` | LayerNorm and output layer alone, or after the fitted map | `"plain"`, `"tuned"` |
# | `"names"` | the 150 names of the fit, or 40 others | `"fitted"`, `"others"` |
# | `"after"` | after how many blocks the stream is read | 0, 1, … 6 |
# | `"seed"` | which names are drawn, and which weights the untrained model has | 0, 1, … 5 |
#
# You choose after which block to read, the same for both groups. The check judges only the plan: could its results separate
# what training did from everything else, chance included? (The lesson drew names three times.) Use at most 24 runs. One run
# looks like this:

# %%
{"blocks": "trained", "lens": "plain", "names": "fitted", "after": 0, "seed": 5}

# %% exercise="residual.plan" form="plan" minutes=8 difficulty=2
### BEGIN SOLUTION
# Two groups that differ only in "blocks", read after blocks that could have done something, with the same three seeds.
plan = [
    {"blocks": blocks, "lens": "tuned", "names": "others", "after": 4, "seed": seed}
    for blocks in ("trained", "untrained")
    for seed in (0, 1, 2)
]
### END SOLUTION

# %%
check("residual.plan")

# %% [markdown]
# Once your plan has passed, you can run it: write True in place of False. Each run takes a few seconds. For each of your runs,
# the cell makes a second one that reads after 0 blocks, where no block has worked yet. This cell is not graded.

# %% tags=["not-graded"]
if False:
    for run in plan:
        print(run, round(reading(**run), 2), "after 0:", round(reading(**run | {"after": 0}), 2))

# %% [markdown]
# The difference between the two groups is what training has added, as far as a *linear* map can read it. A different kind of
# map may find more in either group, so the difference may be larger or smaller. The two models also differ in their
# embeddings. That is what the runs after 0 blocks are for: there, both groups give nearly the same result, so the embeddings
# are not the reason.
