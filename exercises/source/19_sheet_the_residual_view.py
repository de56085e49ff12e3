# %% [markdown]
# # Sheet 19 · The residual view
#
# Five exercises, about 35 minutes in all. Each has a cell for your answer and a cell that checks it. Run both with Shift +
# Enter, as often as you like. If an answer does not pass, the check says what is wrong with it. Below that you can unfold
# hints, one at a time, and after the last hint a solution.

# %%
import numpy as np

from transformer_course.exercises import check
from transformer_course.experiments.stream import reading

# %% [markdown]
# ## 1 · At right angles (by hand, 6 minutes, ●○○)
#
# An embedding e has length 3. A model with **pre-norm** adds two edits to it, of length 4 and then 12. Each stands at a right
# angle to everything that is in the stream already.
#
# Give a list of five numbers, right to two digits after the point:
#
# 1. the length of the stream at the top;
# 2. the length of the first edit, as a share of the stream that it is added to;
# 3. the same for the second edit;
# 4. how much of the embedding is left at the top, as the lesson measures it: $s \cdot e / e \cdot e$;
# 5. the same for another model, with **post-norm**: there the edits have length 4 *both*, each at a right angle to
#    everything that is in the stream already, and a norm brings every sum back to length 3, without turning it.

# %% exercise="residual.right_angles"
### BEGIN SOLUTION
# √(3² + 4²) = 5, √(5² + 12²) = 13. Beside the stream: 4/3 and 12/5. With pre-norm, e stands in the sum as it was.
# With post-norm, a sum of length 5 becomes one of length 3, twice: all that is in it is multiplied by 3/5, twice.
measured = [13, 4 / 3, 12 / 5, 1, 0.36]
### END SOLUTION

# %%
check("residual.right_angles")

# %% [markdown]
# ## 2 · Who wrote it? (program, 10 minutes, ●●●)
#
# In the lesson's stream of two numbers, each part had logits of its own, and they added up to the model's. There was no norm
# in it. Write the same for a model with a final norm: `who_wrote(parts, gamma, table, eps)`, with
#
# * `parts`, of shape `(k, …, d)`: the embedding and the k − 1 edits of a model with pre-norm, one part along the first axis; the
#   stream at the top is their sum;
# * `gamma`, of shape `(d,)`: the gain of the final norm, whose β is 0;
# * `table`, of shape `(v, d)`: the output layer, one row for each of v letters;
# * `eps`, the norm's ε, which need not be small here.
#
# The model's logits are `table` applied to the norm of the whole stream, γ (s − mean) / √(variance + ε), with the variance
# over d as in lesson 11. Return what each part contributes to them, of shape `(k, …, v)`: the sum over the first axis gives
# the logits. The root is not a sum; it belongs to the whole stream, and all parts share it.


# %% exercise="residual.who_wrote"
def who_wrote(parts, gamma, table, eps):
    """(k, ..., d) parts of the last stream to their shares of the logits, (k, ..., v)."""
    ### BEGIN SOLUTION
    whole = parts.sum(axis=0)
    centred = whole - whole.mean(axis=-1, keepdims=True)
    root = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + eps)
    return gamma * (parts - parts.mean(axis=-1, keepdims=True)) / root @ table.T
    ### END SOLUTION


# %%
check("residual.who_wrote")

# %% [markdown]
# ## 3 · Short and long (construct, 7 minutes, ●●○)
#
# A last stream of four numbers, three letters, and a final norm without γ and β:

# %%
stream = np.array([2.0, 1.0, -1.0, -2.0])
table = np.array([[2.0, 0.0, 0.0, 0.0], [0.0, 3.6, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]])  # A, B, C


def read(stream):
    """The probabilities of A, B and C."""
    normed = (stream - stream.mean()) / np.sqrt(stream.var() + 1e-5)
    shares = np.exp(table @ normed)
    return shares / shares.sum()


print(f"length {np.linalg.norm(stream):.2f}, read", read(stream).round(3))

# %% [markdown]
# A is the likeliest. **Give two edits `edits = (short, long)`, each a list of four numbers:** a `short` one, of length 0.3 at
# most, after which A is no longer the likeliest; and a `long` one, of length 6 at least, which moves none of the three
# probabilities by 0.01 or more. (Each is added to `stream` by itself: try `read(stream + short)`.)

# %% exercise="residual.two_edits"
### BEGIN SOLUTION
# A and B lie close together: a little less of the first number, a little more of the second.
# The same number added everywhere is in the mean, which the norm takes off. (So would be twice the stream, by its length.)
short, long = [-0.1, 0.2, 0, 0], [4, 4, 4, 4]
edits = (short, long)
### END SOLUTION

# %%
check("residual.two_edits")

# %% [markdown]
# So the length of an edit alone does not say what becomes of the answer. How is it in a trained model?
#
# ## 4 · Twelve edits (read a table, 5 minutes, ●●○)
#
# The twelve sublayers of `gpt-pre`, on the lesson's three draws (the middle one of three). *Size* is the length of the edit,
# as a share of the stream that it is added to. *Lost* says how much less often the model is right, as a share of all places,
# if this one sublayer adds nothing, and all others stay:
#
# | block | attention: size | lost | network: size | lost |
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
# * `"b"`: the length of an edit does not decide how much is lost without it
# * `"c"`: each sublayer edits the stream a little
# * `"d"`: the four sublayers of blocks 5 and 6 may be left out together: hardly anything would be lost
#
# **For which reason?**
#
# * `"a"`: attention 1 has a long edit, and without it most is lost
# * `"b"`: no edit is shorter than a third of the stream
# * `"c"`: one edit is longer than the stream itself, and without it hardly anything is lost
# * `"d"`: what is lost falls from block to block
#
# **And how much is lost without the longest edit of all?** (As the table has it.)

# %% exercise="residual.which_edit"
### BEGIN SOLUTION
# The network of block 6: its edit is 1.06 of the stream. Claim d was not measured: each was left out by itself.
verdict = {"claim": "b", "reason": "c", "value": 0.03}
### END SOLUTION

# %%
check("residual.which_edit")

# %% [markdown]
# ## 5 · What the blocks have done (plan, 8 minutes, ●●○)
#
# Somebody has held two lenses up to the stream of `gpt-pre`:
#
# | blocks | lens | names | after | seed | | right |
# | --- | --- | --- | --- | --- | --- | --- |
# | trained | tuned | fitted | 4 | 0 | | 0.68 |
# | untrained | plain | others | 0 | 1 | | 0.03 |
#
# "So the four trained blocks have worked out two thirds of all letters." Perhaps. Or the map of the tuned lens has, or the
# names were ones that it knew.
#
# **Plan the runs that show how much of what a tuned lens reads, from names to which it was not fitted, is the doing of the
# trained blocks.** A plan is a list, and each of its runs gives all five fields:
#
# | field | what it is | may be |
# | --- | --- | --- |
# | `"blocks"` | whose stream is read: `gpt-pre`'s, or that of an untrained model (embeddings too) | `"trained"`, `"untrained"` |
# | `"lens"` | norm and output layer as they are, or behind a map fitted to 150 names | `"plain"`, `"tuned"` |
# | `"names"` | those 150, or 40 others | `"fitted"`, `"others"` |
# | `"after"` | after how many blocks it is read | 0, 1, … 6 |
# | `"seed"` | which names are drawn, and which weights the untrained model has | 0, 1, … 5 |
#
# At which height you read is up to you. Judged is the plan alone: could its results tell the doing of the trained blocks from
# everything else, chance included (the lesson drew three times)? At most 24 runs. One run looks like this:

# %%
{"blocks": "trained", "lens": "plain", "names": "fitted", "after": 0, "seed": 5}

# %% exercise="residual.plan"
### BEGIN SOLUTION
# Two arms that differ in the blocks alone, behind blocks that could have done something, with the same three seeds.
plan = [
    {"blocks": blocks, "lens": "tuned", "names": "others", "after": 4, "seed": seed}
    for blocks in ("trained", "untrained")
    for seed in (0, 1, 2)
]
### END SOLUTION

# %%
check("residual.plan")

# %% [markdown]
# Once it has passed, you can run it: write True in place of False. Each run takes a second or two. This cell is not graded.

# %% tags=["not-graded"]
if False:
    for run in plan:
        print(run, round(reading(**run), 2))

# %% [markdown]
# The difference between the two arms is what the trained blocks have done for such a reader. It is a lower bound: another map
# than a linear one might find more.
