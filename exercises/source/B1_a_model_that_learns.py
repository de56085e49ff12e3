# %% [markdown]
# # B1 · A model that learns
#
# **Where we stand.** In lesson 02 you computed attention with numbers that we had chosen for you. A real model starts with
# random numbers and improves them, example by example: it **learns**.
#
# **What is missing** is a model that learns. You now build the smallest useful one: it sees one character and predicts
# the next. You also write its training step, which later models reuse.
#
# You need lessons 00 and 02. The whole stage takes about 80 minutes. Each exercise has a cell for your code and a cell that
# checks it, with hints. Code that passes is added to `my_transformer.py` in your folder. Stage by stage, it becomes a
# whole Transformer.

# %%
import math
import random

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from transformer_course import figures
from transformer_course.data import python_docs
from transformer_course.data.python_docs import CHARACTERS
from transformer_course.exercises import check
from transformer_course.experiments import build_ladder as ladder

# %% [markdown]
# ## The text
#
# Every Python installation comes with its own documentation, and our models learn to write like it. One paragraph in ten is
# **held out**: no model trains on it, so it shows how well a model does on unseen text.

# %% tags=["not-graded"]
text = python_docs()
print(f"{len(text.train):,} characters to learn from, {len(text.test):,} held out\n")
print(text.train[:300])

# %% [markdown]
# ## 1 · Characters to ids (program, 8 minutes, ●○○)
#
# A model computes with numbers, so each character gets an integer, its **id**. The list of all characters is the
# **vocabulary**, and the id of a character is its position in it, counted from 0. With the vocabulary `"bca"`, the text
# `"cab"` becomes `[1, 2, 0]`.
#
# Write `encode(text, characters)`, which returns the ids as a list. `characters` is the vocabulary, a string in which each
# character occurs once. For a million characters, a dictionary is faster than a search.


# %% exercise="build.encode"
def encode(text, characters):
    """The id of each character: its place in characters."""
    ### BEGIN SOLUTION
    ids = {character: number for number, character in enumerate(characters)}
    return [ids[character] for character in text]
    ### END SOLUTION


# %% tags=["not-graded"]
print(encode("cab", "bca"))  # should be [1, 2, 0]

# %%
check("build.encode")

# %% [markdown]
# Next, the whole text becomes a **tensor**, torch's array. Its shape is `(n,)`, one integer per character.

# %% tags=["not-graded"]
ids = torch.tensor(encode(text.train, CHARACTERS))
print(
    f"{len(CHARACTERS)} characters in the vocabulary; the text has shape {tuple(ids.shape)}: {ids[:20].tolist()} …"
)

# %% [markdown]
# ## 2 · Windows and their labels (program, 12 minutes, ●●○)
#
# The model should predict the next character. So the right answer for each character, its **label**, is the character after
# it. A window of three characters gives three labels. In the text `7 3 9 4 1 8`, the window that starts at 1
# has the inputs `3 9 4` and the labels `9 4 1`.
#
# Write `get_batch(ids, starts, length)`. `ids` is the text, of shape `(n,)`. `starts` lists the b positions at which windows
# start. Return two tensors of shape `(b, length)`: the inputs, one window per row, and their labels. `torch.stack(rows)`
# stacks tensors of the same shape as rows.


# %% exercise="build.batch"
def get_batch(ids, starts, length):
    """Inputs and labels, each of shape (b, length)."""
    ### BEGIN SOLUTION
    inputs = torch.stack([ids[start : start + length] for start in starts])
    labels = torch.stack([ids[start + 1 : start + length + 1] for start in starts])
    return inputs, labels
    ### END SOLUTION


# %% tags=["not-graded"]
inputs, labels = get_batch(torch.tensor([7, 3, 9, 4, 1, 8]), [1, 2], 3)
print(inputs.tolist(), "and", labels.tolist())  # first rows: 3 9 4 and 9 4 1

# %%
check("build.batch")

# %% [markdown]
# ## Your first module
#
# In torch, a model is a class derived from `nn.Module`. This small one adds a number to each column of its input. These
# numbers are its **parameters**, which training can change.


# %%
class Shift(nn.Module):
    def __init__(self, width):
        super().__init__()  # always first: it sets up the list of parameters
        self.offset = nn.Parameter(torch.zeros(width))  # in self, so the module finds it

    def forward(self, x):  # called when you call the module
        return x + self.offset


shift = Shift(2)  # runs __init__: the parameters exist from now on
# This runs forward. (requires_grad and grad_fn mean that torch keeps a record for training.)
print(shift(torch.tensor([[1.0, 2.0], [3.0, 4.0]])))
print(dict(shift.named_parameters()))

# %% [markdown]
# A module can contain other modules, such as
# torch's `nn.Embedding(rows, columns)`: a table of parameters that start as random numbers. It takes ids and returns
# the row for each, so the shape `(b, n)` becomes `(b, n, columns)`:

# %%
table = nn.Embedding(4, 3)
print(table.weight)
print(table(torch.tensor([[2, 0]])))  # row 2, then row 0

# %% [markdown]
# ## 3 · A bigram model (program, 12 minutes, ●●○)
#
# A **bigram** is a pair of neighbouring characters. A bigram model predicts the next character from the last one alone. For
# each character of the vocabulary it holds one row of scores, one score for each character that might come next. Scores that
# softmax turns into probabilities are called **logits**.
#
# Write the class `Bigram(vocabulary_size)`, with an `nn.Embedding` called `table`. It is called with `tokens`, ids of shape
# `(b, n)`, and returns logits of shape `(b, n, vocabulary_size)`.


# %% exercise="build.bigram"
class Bigram(nn.Module):
    """Logits for the next character, looked up in a table by the last one."""

    def __init__(self, vocabulary_size):
        ### BEGIN SOLUTION
        super().__init__()
        self.table = nn.Embedding(vocabulary_size, vocabulary_size)
        ### END SOLUTION

    def forward(self, tokens):
        ### BEGIN SOLUTION
        return self.table(tokens)
        ### END SOLUTION


# %% tags=["not-graded"]
print(tuple(Bigram(4)(torch.tensor([[2, 0]])).shape))  # should be (1, 2, 4)

# %%
check("build.bigram")

# %% [markdown]
# ## 4 · Choosing a character (program, 8 minutes, ●●○)
#
# A model that always took the most likely character would write the same few letters for ever. So choose at random: lay the
# probabilities end to end on a line from 0 to 1, and draw a number u between 0 and 1. The piece that contains u is the chosen
# character. With probabilities 0.5, 0.125 and 0.375, u = 0.55 falls in the second piece.
#
# Write `sample(probabilities, u)`. It returns the id of that piece: the first id at which the sum of the probabilities so far,
# its own included, is greater than `u`. `probabilities` is a NumPy array, and `cumsum(0)` gives all these sums.


# %% exercise="build.sample"
def sample(probabilities, u):
    """The id whose piece of the line from 0 to 1 contains u."""
    ### BEGIN SOLUTION
    return int((probabilities.cumsum(0) > u).argmax())  # the first True
    ### END SOLUTION


# %% tags=["not-graded"]
print([sample(np.array([0.5, 0.125, 0.375]), u) for u in (0.2, 0.55, 0.9)])  # should be [0, 1, 2]

# %%
check("build.sample")

# %% [markdown]
# ## What it writes before training
#
# Start with a newline, choose the next character, append it, and so on:


# %% tags=["not-graded"]
def write(model, count):
    tokens = [CHARACTERS.index("\n")]
    for _ in range(count):
        # a batch of one text; [0, -1] picks that text, after its last character
        logits = model(torch.tensor([tokens]))[0, -1]
        probabilities = logits.softmax(-1).detach().numpy()  # detach: without a gradient
        tokens.append(sample(probabilities, random.random()))
    return "".join(CHARACTERS[token] for token in tokens[1:])


torch.manual_seed(0)
random.seed(0)
model = Bigram(len(CHARACTERS))
print(sum(p.numel() for p in model.parameters()), "parameters\n")
print(write(model, 200))

# %% [markdown]
# ## How wrong is a prediction?
#
# Take a vocabulary of three characters, the logits [2, 1, 0] and the label 0. Softmax gives 0.6652, 0.2447, 0.0900. The
# model gave the right character a probability of 0.6652, so its **cross-entropy** is −ln 0.6652 = 0.4076. A prediction that
# is certain and right costs 0, and the cost grows without bound as the probability of the label goes to 0.
#
# **On paper:** what does it cost if the label is 2? Then run the cell.

# %%
logits = torch.tensor([[2.0, 1.0, 0.0], [2.0, 1.0, 0.0]])  # two predictions, (2, 3)
labels = torch.tensor([0, 2])  # (2,)
print([-math.log(row.softmax(-1)[label]) for row, label in zip(logits, labels, strict=True)])
print(F.cross_entropy(logits, labels))  # torch's function returns their mean

# %% [markdown]
# `F.cross_entropy` uses natural logarithms, so its unit is the nat. It expects one row of logits per label: logits
# `(b·n, v)` and labels `(b·n,)`. So first join the axes b and n of both: `x.flatten(0, 1)` joins the first two axes, and
# `x.flatten()` joins them all.
#
# ## Downhill
#
# Training lowers the **loss**, the mean cost of a batch. For each parameter we need its **gradient**: how fast the loss rises
# as the parameter increases. torch computes it. Here the loss is w², and at w = 3 its gradient is 2w = 6:

# %%
w = nn.Parameter(torch.tensor(3.0))
(w**2).backward()  # computes the gradient and adds it to w.grad
print("gradient:", w.grad)
(w**2).backward()
print("after a second backward:", w.grad)  # added, although w has not changed

# %% [markdown]
# The second call *added* another 6. An **optimizer** updates the parameters: `step()` moves each one against its gradient,
# and `zero_grad()` clears the gradients (torch sets them to `None`). `SGD`, the simplest optimizer, subtracts the learning
# rate `lr` times the gradient.

# %%
optimizer = torch.optim.SGD([w], lr=0.1)
optimizer.zero_grad()
print("cleared:", w.grad)
(w**2).backward()
optimizer.step()
print("after one step:", w)  # 3 − 0.1 · 6

# %% [markdown]
# ## 5 · One training step (program, 18 minutes, ●●○)
#
# Write `train_step(model, optimizer, inputs, labels)`. It computes the mean cross-entropy of the model's predictions,
# updates the parameters once, and returns the loss as a plain number (`loss.item()`). `inputs` and `labels` have shape
# `(b, n)`, and `model(inputs)` gives logits of shape `(b, n, v)`. `loss.backward()` computes the gradient of the loss for
# every parameter of the model. The gradients must come from this batch only.


# %% exercise="build.train_step"
def train_step(model, optimizer, inputs, labels):
    """Update the model once; return the loss before the update."""
    ### BEGIN SOLUTION
    logits = model(inputs)
    loss = F.cross_entropy(logits.flatten(0, 1), labels.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()
    ### END SOLUTION


# %% tags=["not-graded"]
tiny = Bigram(4)
optimizer = torch.optim.SGD(tiny.parameters(), lr=1.0)
inputs, labels = torch.tensor([[0, 3, 2]]), torch.tensor([[3, 2, 0]])
print([train_step(tiny, optimizer, inputs, labels) for _ in range(5)])  # falls step by step

# %%
check("build.train_step")

# %% [markdown]
# ## The training loop
#
# Choose windows, make a batch, take a step, and repeat. **AdamW** is an optimizer that adapts its steps to each parameter.
#
# **Before you run it:** a model that finds all 96 characters equally likely has a loss of ln 96 = 4.56. The table starts out
# random. Does its loss start below, at or above 4.56?

# %% tags=["not-graded"]
optimizer = torch.optim.AdamW(model.parameters(), lr=0.03)
with figures.live(ladder.STEPS, "A bigram model learns") as watch:
    for step in range(1, ladder.STEPS + 1):
        starts = torch.randint(len(ids) - 64, (32,)).tolist()  # 32 windows of 64 characters
        inputs, labels = get_batch(ids, starts, 64)
        watch(step, train_step(model, optimizer, inputs, labels))

# %% [markdown]
# **In the picture:** the loss of each batch. It falls quickly and levels off.
#
# <details><summary>Why it starts where it does</summary>Above 4.56: random logits are confident, and mostly wrong.</details>

# %% tags=["not-graded"]
print(write(model, 300))

# %% [markdown]
# Gibberish, but with pairs such as `th` and `es`.
#
# ## The ladder
#
# We track one number in the Build: the cross-entropy on the held-out text, in **bits per character**. One bit is ln 2 nats,
# so we divide by that. With 1 bit per character, a model in effect chooses between two equally likely characters.

# %% tags=["not-graded"]
bits = ladder.bits_per_character(model, text.test)
ax = figures.ladder(ladder.record("bigram table", bits), ladder.COURSE, ladder.GUESSING)

# %% [markdown]
# **In the picture:** your model, and below it the course's own, trained with three different seeds. The line
# marks pure guessing. Counting all pairs in the training text gives about 3.65 bits: your table has learned nearly all
# that one character says about the next.
#
# To do better, the model has to look further back. That is what attention is for: you write it in stage B2, after lesson 04.
