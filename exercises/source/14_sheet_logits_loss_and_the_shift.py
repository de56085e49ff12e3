# %% [markdown]
# # Sheet 14 · Logits, loss and the shift
#
# The core takes about {minutes} minutes. Below it is more practice, another {practice} minutes, which you can leave out. Each
# exercise has a cell for your answer and a cell that checks it. Run both with Shift + Enter, as often as you like. If an
# answer does not pass, the check says what is wrong. You can then unfold hints, one at a time, and after the last hint a
# solution. In a program, use NumPy or torch, whichever you like: the check passes arrays to your function, or tensors if it
# needs those. Your function must not change them.
#
# As in the lesson, positions are counted from 0, and log is the natural logarithm.

# %%
import numpy as np

from transformer_course.exercises import check

# %% [markdown]
# ## 1 · A batch on paper
#
# The table shows the probability that a model gave to each label of two sequences. The last two labels of sequence B are
# padding, on which this model was never trained:
#
# | | 0 | 1 | 2 | 3 |
# | --- | --- | --- | --- | --- |
# | sequence A | 1/2 | 1/4 | 1 | 1/2 |
# | sequence B | 1/8 | 1/2 | *padding:* 1/32 | *padding:* 1/32 |
#
# Write a list of three numbers, to two decimal places:
#
# 1. the correct loss of this batch;
# 2. the loss if the padding is included like any other token;
# 3. the approximate loss of this model before its first step, if its vocabulary has 50 tokens including the special
#    ones.
#
# −ln ½ is 0.6931. You can use the cell as a calculator; `np.log` is ln.

# %% exercise="training.by_hand" form="by hand" minutes=7 difficulty=1
### BEGIN SOLUTION
# In units of ln 2, the six labels cost 1 + 2 + 0 + 1 and 3 + 1; each padding costs 5.
losses = [8 / 6 * np.log(2), 18 / 8 * np.log(2), np.log(50)]
### END SOLUTION

# %%
check("training.by_hand")

# %% [markdown]
# ## 2 · The detour
#
# Here is the loss of one label, computed in two ways: through its probability, with the softmax of lesson 02, which subtracts
# the largest score first; and straight from the logits, without ever computing a probability.


# %%
def by_probability(logits, label):
    exponentials = np.exp(logits - np.max(logits))
    return -np.log(exponentials[label] / exponentials.sum())


def from_logits(logits, label):
    shifted = logits - np.max(logits)
    return np.log(np.exp(shifted).sum()) - shifted[label]


print(
    by_probability([3.0, 0.0, 0.0, 1.0], 0).round(4), from_logits([3.0, 0.0, 0.0, 1.0], 0).round(4)
)

# %% [markdown]
# On paper the two are equal: with z for the logit of the label and Σ for the sum of e^logit over all tokens, −log (e^z / Σ) is
# log Σ − z. **Find a `trap = (logits, label)` for which they differ** by more than rounding. Give a list of 2 to 8 numbers
# from −1000 to 1000, and the position of the label in it, counted from 0.

# %% exercise="training.underflow" form="find an input" minutes=5 difficulty=2
### BEGIN SOLUTION
# exp(−800) is smaller than any positive number that the computer can store. So p is 0, and −log 0 is infinite. The loss is
# 800.
trap = ([0.0, 800.0], 0)
### END SOLUTION

# %%
check("training.underflow")

# %% [markdown]
# A model that is confidently wrong has the most to learn, but an infinite loss gives it no usable gradient. That is why loss
# functions take logits.

# %% [markdown]
# ## 3 · Too good
#
# Four small translators were trained on the numbers 1 to 99, like those in the lesson. They start with the same random weights
# and see the same batches, but each computes the loss in a different way. A's loss is correct. For the last column, each
# model generated the same 99 numbers by itself:
#
# | row | loss at the first step | loss at the end | fraction translated correctly |
# | --- | --- | --- | --- |
# | **A** | 2.94 | 0.0161 | 1.00 |
# | **B** | 2.69 | 0.0015 | 0.00 |
# | **C** | 2.89 | 2.46 | 0.01 |
# | **D** | 3.44 | 0.0105 | 1.00 |
#
# **What have B and D learned?**
#
# * `"a"`: both have learned the task, and better than A
# * `"b"`: D has learned the task, and better than A; B knows its training numbers by heart, and nothing beyond them (this is
#   called overfitting)
# * `"c"`: D has learned the task, but perhaps no better than A; B has learned to find its labels in its inputs
# * `"d"`: both have learned to find their labels in their inputs
#
# **What is the reason?**
#
# * `"a"`: the last column shows what a model can do; losses can be compared only if both models had to predict the same labels
#   from the same inputs
# * `"b"`: the lower the loss at the end, the more a model has learned
# * `"c"`: the last column shows what a model can do; if two models are equal there, the lower loss decides
# * `"d"`: a model that starts near log 18 = 2.89 was asked the right question, and the others were not
#
# **Which number in row D shows that its loss was computed differently from A's?**

# %% exercise="training.too_good" form="read a table" minutes=6 difficulty=2
### BEGIN SOLUTION
# With the same weights and the same batch, D's first loss still differs from A's: D had to predict something else as well.
verdict = {"claim": "c", "reason": "a", "value": 3.44}
### END SOLUTION

# %%
check("training.too_good")

# %% [markdown]
# <details><summary>How the four were trained (open this once you have passed)</summary>B was trained without the shift. C was
# trained on probabilities passed as logits, so its loss could never get below log(1 + 17/e) = 1.98. D was trained on padding
# as well. Without the padding, the final loss on all 99 numbers is about 0.02 for D, and about 0.01 for A.</details>

# %% [markdown]
# ## More practice {#practice}
#
# You can stop here: the rest is optional. You write the shift and the loss of a batch in NumPy. Stages B5 and B6 of the Build
# ask for both again, in torch.

# %% [markdown]
# ## 4 · Inputs and labels
#
# Write the shift for a batch. `targets` is an array of ids, of shape `(b, n)`. Each row ends with `end`, followed by padding
# if the row is shorter than the others. `begin` is an id, which may be 0. Return two arrays of the same shape, `inputs` and
# `labels`, in this order: `return inputs, labels`. Do not change `targets`.
#
# Where a label is padding, the input there does not affect the loss. So simply move all tokens of a row by one position.


# %% exercise="training.shift" form="program" minutes=6 difficulty=1 builds=["loss"]
def shift(targets, begin):
    """Return the inputs, (b, n), and the labels, (b, n)."""
    ### BEGIN SOLUTION
    first = np.full((len(targets), 1), begin)
    inputs = np.concatenate([first, targets[:, :-1]], axis=1)
    return inputs, targets
    ### END SOLUTION


# %%
check("training.shift")

# %% [markdown]
# ## 5 · The loss of a batch
#
# Write `loss(logits, labels, pad)`, which returns the cross-entropy of a batch as one number. You are given
#
# * `logits`, of shape `(b, n, v)`, for n positions of b sequences, with v tokens in the vocabulary;
# * `labels`, of shape `(b, n)`: ids that are already shifted, so that `labels[i, t]` belongs to `logits[i, t]`;
# * `pad`, the label to ignore. It may be 0, or another id, or −100, which is not a token at all. Padding can be anywhere in a
#   row, and a row may consist of nothing else, but at least one label of the batch is not `pad`. If `pad` is a different id,
#   0 is a token like any other.
#
# The loss is the mean over all labels of the batch that are not `pad`. Some logits are near 1000, some near −1000, and some
# are 900 below others in the same row.


# %% exercise="training.loss" form="program" minutes=12 difficulty=3 builds=["loss"]
def loss(logits, labels, pad):
    """Return the mean of -log p(label) over all labels that are not pad."""
    ### BEGIN SOLUTION
    real = labels != pad
    rows, asked = logits[real], labels[real]  # (N, v) and (N,)
    rows = rows - rows.max(axis=-1, keepdims=True)
    of_labels = rows[np.arange(len(rows)), asked]
    return (np.log(np.exp(rows).sum(axis=-1)) - of_labels).mean()
    ### END SOLUTION


# %%
check("training.loss")
