# %% [markdown]
# # Sheet 14 · Logits, loss and the shift
#
# Five exercises, about 35 minutes in all. Each has a cell for your answer and a cell that checks it. Run both with Shift +
# Enter, as often as you like. If an answer does not pass, the check says what is wrong with it. Hints unfold below that, one
# at a time, and after the last hint a solution.
#
# As in the lesson, positions are counted from 0, and log is the natural logarithm.

# %%
import numpy as np

from transformer_course.exercises import check

# %% [markdown]
# ## 1 · A batch on paper (by hand, 7 minutes, ●○○)
#
# Two texts, with the probability that a model gave to each label. The last two labels of text B are padding, and this
# model was never trained on it:
#
# | | 0 | 1 | 2 | 3 |
# | --- | --- | --- | --- | --- |
# | text A | 1/2 | 1/4 | 1 | 1/2 |
# | text B | 1/8 | 1/2 | *padding:* 1/32 | *padding:* 1/32 |
#
# Give a list of three numbers, right to two digits after the point:
#
# 1. the loss of this batch, as it should be;
# 2. the loss if the padding is counted like any token;
# 3. the loss near which this model began, before its first step, if its vocabulary has 50 tokens, the special ones among them.
#
# −ln ½ is 0.6931. Use the cell as a pocket calculator, if you like; `np.log` is ln.

# %% exercise="training.by_hand"
### BEGIN SOLUTION
# In units of ln 2, the six labels cost 1 + 2 + 0 + 1 and 3 + 1; each padding costs 5.
losses = [8 / 6 * np.log(2), 18 / 8 * np.log(2), np.log(50)]
### END SOLUTION

# %%
check("training.by_hand")

# %% [markdown]
# ## 2 · What goes in, what is asked (program, 6 minutes, ●○○)
#
# The lesson shifted one target. Write it for a batch: `targets` is an array of ids, of shape `(b, n)`, in which each row ends
# with `end` and, where it is shorter, with padding; `begin` is an id, which may be 0. Return two arrays of the same shape,
# `inputs` and `labels`, in this order: `return inputs, labels`. Leave `targets` as it is.
#
# What stands in the inputs where the labels are padding does not matter to a model. Here it shall simply be what comes out when
# all tokens of a row move by one place.


# %% exercise="training.shift"
def shift(targets, begin):
    """(b, n) targets to what goes in, (b, n), and what is asked, (b, n)."""
    ### BEGIN SOLUTION
    first = np.full((len(targets), 1), begin)
    inputs = np.concatenate([first, targets[:, :-1]], axis=1)
    return inputs, targets
    ### END SOLUTION


# %%
check("training.shift")

# %% [markdown]
# ## 3 · The detour (find an input, 5 minutes, ●●○)
#
# The loss of one label, in two ways: by its probability, with the softmax of lesson 02, which subtracts the largest score first;
# and from the logits, without ever forming a probability.


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
# On paper the two are equal: −log (e^z / Σ) is log Σ − z. **Give `trap = (logits, label)` on which they are not**, by more than
# rounding: a list of 2 to 8 numbers between −1000 and 1000, and the place of the label in it, counted from 0.

# %% exercise="training.underflow"
### BEGIN SOLUTION
# exp(−800) is smaller than any number above 0 that the computer has. So p is 0, and −log 0 is infinite. The loss is 800.
trap = ([0.0, 800.0], 0)
### END SOLUTION

# %%
check("training.underflow")

# %% [markdown]
# A model that is sure and wrong is just the one that must be told by how much. An infinite loss does not tell. That is why
# loss functions take logits.
#
# ## 4 · The loss of a batch (program, 12 minutes, ●●●)
#
# Write `loss(logits, labels, pad)`: the cross-entropy of a batch, one number. Given are
#
# * `logits`, of shape `(b, n, v)`, for n positions of b texts, with v tokens in the vocabulary;
# * `labels`, of shape `(b, n)`: ids, shifted already, so that `labels[i, t]` belongs to `logits[i, t]`;
# * `pad`, the label that asks for nothing. It may be 0, or another id, or −100, which is no token at all; and it need not stand
#   on the right alone: a row may even be padding from end to end. At least one label of the batch is not `pad`. Where `pad` is
#   a different id, 0 is a token like any other.
#
# The loss is the mean over all labels of the batch that are not `pad`. Some logits are near 1000, some near −1000, and some 900
# below others of the same row.


# %% exercise="training.loss"
def loss(logits, labels, pad):
    """The mean of -log p(label) over all labels that are not pad."""
    ### BEGIN SOLUTION
    real = labels != pad
    rows, asked = logits[real], labels[real]  # (N, v) and (N,)
    rows = rows - rows.max(axis=-1, keepdims=True)
    of_labels = rows[np.arange(len(rows)), asked]
    return (np.log(np.exp(rows).sum(axis=-1)) - of_labels).mean()
    ### END SOLUTION


# %%
check("training.loss")

# %% [markdown]
# ## 5 · Too good (read a table, 6 minutes, ●●○)
#
# Four small translators, trained like those of the lesson on the numbers 1 to 99. All begin with the same random weights and
# see the same batches; only the way from a batch to its loss is not the same. A's is as it should be. The last column was
# measured on the same 99 numbers, written by the model itself (1 is all of them):
#
# | row | loss at the first step | loss at the end | share written correctly |
# | --- | --- | --- | --- |
# | **A** | 2.94 | 0.0161 | 1.00 |
# | **B** | 2.69 | 0.0015 | 0.00 |
# | **C** | 2.89 | 2.46 | 0.01 |
# | **D** | 3.44 | 0.0105 | 1.00 |
#
# **What have B and D learned?**
#
# * `"a"`: both the task, and better than A
# * `"b"`: D the task, and better than A; B its training numbers by heart, and nothing beyond them (this is called overfitting)
# * `"c"`: D the task, but perhaps no better than A; B to find its labels in what it is given
# * `"d"`: both to find their labels in what they are given
#
# **For which reason?**
#
# * `"a"`: what a model can do stands in the last column; the losses of two rows compare only if both were asked the same
# * `"b"`: the lower the loss at the end, the more a model has learned
# * `"c"`: what a model can do stands in the last column; where that is equal, the lower loss decides
# * `"d"`: a model that begins near log 18 = 2.89 was asked the right question, and the others were not
#
# **And which number of row D shows that its loss was not A's?**

# %% exercise="training.too_good"
### BEGIN SOLUTION
# The same weights and the same batch, and yet another loss at the first step: D was asked for something else as well.
verdict = {"claim": "c", "reason": "a", "value": 3.44}
### END SOLUTION

# %%
check("training.too_good")

# %% [markdown]
# <details><summary>How the four were trained (look after you have passed)</summary>B was trained without the shift. C was
# trained on probabilities in place of logits: its loss could never get below log(1 + 17/e) = 1.98. D was asked for padding as
# well. When all 99 numbers are asked without it, D is at about 0.02 in the end, and A at about 0.01.</details>
