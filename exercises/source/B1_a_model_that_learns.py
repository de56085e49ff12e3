# %% [markdown] minutes=60 seconds=5 lessons=["00"]
# # B1 · A model that learns
#
# **Where we stand.** In lesson 00 you watched a model learn: it started with random numbers and learned better ones from
# examples. But nothing in it was yours.
#
# **What is missing** is a model of your own. You begin with the humblest one, which predicts the next character from just the
# current one. It is the baseline that all your later models have to beat, and the training step that you write for it trains
# most of them, too.
#
# You need {lessons}, and about {minutes} minutes. The first cell takes about {seconds} seconds. Below each exercise, one cell
# tries your code and the next checks it. Code
# that passes is added to `my_transformer.py` in your folder, which grows into a whole Transformer.

# %%
import math

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from transformer_course import figures
from transformer_course.data import python_docs
from transformer_course.data.python_docs import CHARACTERS
from transformer_course.exercises import check
from transformer_course.experiments import build_ladder as ladder
from transformer_course.experiments import stage_models

# %% [markdown]
# ## The text
#
# Our models learn to write like Python's documentation. One paragraph in ten is **held out**: no model trains on it, so it
# shows how well a model predicts unseen text. (Loading the text takes about 5 seconds.)

# %% tags=["not-graded"]
text = python_docs()
print(f"{len(text.train):,} characters to learn from, {len(text.test):,} held out\n")
print(text.train[:300])

# %% [markdown]
# ## 1 · Characters to ids
#
# Each character gets an integer, its **id**. The **vocabulary** is a string that contains
# each character once, and the id of a character is its position in that string, counted from 0. With the vocabulary
# `"bca"`, the text `"cab"` becomes `[1, 2, 0]`.
#
# Finish `encode(text, characters)`, which returns the ids of the characters in `text`, in order, as a list or array.
# `characters` is the vocabulary. The dictionary `ids`, which is given, maps each character to its id.


# %% exercise="build.encode" form="program" minutes=4 difficulty=1 builds=["tokens"]
def encode(text, characters):
    """The id of each character: its position in characters."""
    ids = {character: number for number, character in enumerate(characters)}
    ### BEGIN SOLUTION
    return [ids[character] for character in text]
    ### END SOLUTION


# %% tags=["not-graded"]
print(encode("cab", "bca"))  # should be [1, 2, 0]

# %%
check("build.encode")

# %% [markdown]
# Now the whole text becomes a **tensor**, torch's kind of array, of shape `(n,)`.

# %% tags=["not-graded"]
ids = torch.tensor(encode(text.train, CHARACTERS))
print(
    f"{len(CHARACTERS)} characters in the vocabulary; the text has shape {tuple(ids.shape)}: {ids[:20].tolist()} …"
)

# %% [markdown]
# ## 2 · Windows and their labels
#
# The right answer for each character, its **label**, is the character that follows it. In the text `7 3 9 4 1 8`, the window
# of length 3 that starts at position 1 has the inputs `3 9 4` and the labels `9 4 1`.
#
# Finish `get_batch(ids, starts, length)`. `ids` is the text, of shape `(n,)`, and `starts` lists the positions at which the b
# windows start. Return two tensors of shape `(b, length)`: the inputs (already written) and their labels.
# `torch.stack(rows)` turns a list of windows into the rows of one tensor.


# %% exercise="build.batch" form="program" minutes=7 difficulty=2
def get_batch(ids, starts, length):
    """Inputs and labels, each of shape (b, length)."""
    inputs = torch.stack([ids[start : start + length] for start in starts])
    ### BEGIN SOLUTION
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
# In torch, a model is a **class**: a plan for objects that keep numbers and compute with them. `class Times(nn.Module):`
# begins a plan that inherits everything torch's modules can do. `__init__` runs when an object is made, and stores its
# contents in `self`, the object itself. `super().__init__()` lets torch prepare it first. `forward` runs when you call the
# object like a function.


# %%
class Times(nn.Module):
    def __init__(self, factor):
        super().__init__()
        self.factor = factor

    def forward(self, x):
        return self.factor * x


triple, tenfold = Times(3), Times(10)  # two objects: __init__ runs twice
print(triple(5), tenfold(5))  # forward runs twice

# %% [markdown]
# The numbers that training can change are called **parameters**. Here there is one for each column of the input:


# %%
class Shift(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.offset = nn.Parameter(torch.zeros(width))  # in self, so the module finds it

    def forward(self, x):
        return x + self.offset


shift = Shift(2)
# requires_grad and grad_fn mean that torch keeps a record for training.
print(shift(torch.tensor([[1.0, 2.0], [3.0, 4.0]])))
print(dict(shift.named_parameters()))

# %% [markdown]
# A module can contain others. torch's `nn.Embedding(rows, columns)` is a table of parameters that start as random numbers. It
# returns the row for each id, so ids of shape `(b, n)` become `(b, n, columns)`:

# %%
table = nn.Embedding(4, 3)
print(table.weight)
print(table(torch.tensor([[2, 0]])))  # row 2, then row 0

# %% [markdown]
# ## 3 · A bigram model
#
# A **bigram** is a pair of neighbouring characters. A bigram model has one row of scores for each character of the vocabulary,
# with a score for each character that might come next. The scores are called **logits**. **Softmax** turns
# them into probabilities: it takes exp of each, and divides by the sum.
#
# Write the class `Bigram(vocabulary_size)`, with an `nn.Embedding` called `table`. Its `forward` takes `tokens`, ids of shape
# `(b, n)`, and returns logits of shape `(b, n, vocabulary_size)`.


# %% exercise="build.bigram" form="program" minutes=10 difficulty=2
class Bigram(nn.Module):
    """Logits for the next character, looked up in a table by the current one."""

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
# ## 4 · Choosing a character
#
# A model that always took the most likely character would soon repeat itself. So we choose at random. Lay the probabilities
# end to end on a line from 0 to 1, and draw a number u from 0 to 1. The piece that contains u is chosen. With the
# probabilities 0.5, 0.125 and 0.375, u = 0.55 falls into the second.
#
# Write `sample(probabilities, u)`, which returns the id of that piece: the first id for which the sum of all probabilities up
# to and including its own is greater than `u`. `probabilities` is a NumPy array. Its `cumsum(0)` gives all these sums. For an
# array of True and False, `argmax()` gives the index of the first True.


# %% exercise="build.sample" form="program" minutes=6 difficulty=2 builds=["choice"]
def sample(probabilities, u):
    """The id whose piece of the line from 0 to 1 contains u."""
    ### BEGIN SOLUTION
    return int((probabilities.cumsum(0) > u).argmax())  # the first True
    ### END SOLUTION


# %% tags=["not-graded"]
probabilities = np.array([0.5, 0.125, 0.375])  # up to and including each id: 0.5, 0.625, 1
print(*(sample(probabilities, u) for u in (0.2, 0.55, 0.9)))  # should be 0 1 2

# %%
check("build.sample")

# %% [markdown]
# ## What it writes before training
#
# Start with a newline, choose the next character, append it, and repeat. `torch.multinomial` works like `sample`, but copes
# with rounding, which may leave your last sum below a u near 1.


# %% tags=["not-graded"]
def write(model, count):
    tokens = [CHARACTERS.index("\n")]
    for _ in range(count):
        # a batch of one text; [0, -1] picks that text, after its last character
        logits = model(torch.tensor([tokens]))[0, -1]
        tokens.append(torch.multinomial(logits.softmax(-1), 1).item())
    return "".join(CHARACTERS[token] for token in tokens[1:])


torch.manual_seed(0)
model = Bigram(len(CHARACTERS))
print(sum(p.numel() for p in model.parameters()), "parameters\n")
print(write(model, 200))

# %% [markdown]
# ## How wrong is a prediction?
#
# Take three characters, the logits [2, 1, 0] and the label 0. Softmax gives 0.6652, 0.2447 and 0.0900. The right character got
# 0.6652, so the **cross-entropy** of this prediction is −ln 0.6652 = 0.4076. For probability 1 it would be 0, and it grows
# without limit as the probability goes to 0.
#
# **On paper:** what is the cross-entropy if the label is 2? Then run the cell.

# %%
logits = torch.tensor([[[2.0, 1.0, 0.0], [2.0, 1.0, 0.0]]])  # one text, two predictions: (1, 2, 3)
labels = torch.tensor([[0, 2]])  # (1, 2)
rows, answers = logits.flatten(0, 1), labels.flatten()  # (2, 3) and (2,)
print([-math.log(row.softmax(-1)[label]) for row, label in zip(rows, answers, strict=True)])
print(F.cross_entropy(rows, answers))  # torch's function returns their mean

# %% [markdown]
# `F.cross_entropy` expects one row of logits per label, so `flatten(0, 1)` joined the first two axes of the logits, b and n,
# and `flatten()` joined all axes of the labels. The unit of cross-entropy is the nat.
#
# ## Downhill
#
# The mean cross-entropy of a batch is its **loss**, and training lowers it. For each parameter we need its **gradient**: how
# fast the loss rises as the parameter increases. torch computes it. If the loss is w², its gradient at w = 3 is 2w = 6:

# %%
w = nn.Parameter(torch.tensor(3.0))
(w**2).backward()  # computes the gradient and adds it to w.grad
print("gradient:", w.grad)
(w**2).backward()
print("after a second backward:", w.grad)  # added, although w has not changed

# %% [markdown]
# The second call *added* another 6. An **optimizer** updates the parameters. Its `step()` moves each one against its gradient,
# and `zero_grad()` clears the gradients. `SGD`, the simplest optimizer, subtracts the gradient times the learning rate `lr`.
# (The first optimizer takes about 4 seconds to load.)

# %%
optimizer = torch.optim.SGD([w], lr=0.1)
optimizer.zero_grad()
print("cleared:", w.grad)
(w**2).backward()
optimizer.step()
print("after one step:", w)  # 3 − 0.1 · 6

# %% [markdown]
# ## 5 · One training step
#
# Write `train_step(model, optimizer, inputs, labels)`. It computes the mean cross-entropy of the model's predictions, updates
# the parameters once, and returns the loss as a plain number, `loss.item()`. `inputs` and `labels` have shape `(b, n)`, and
# `model(inputs)` gives logits of shape `(b, n, v)`. `loss.backward()` computes the gradients of all parameters. Each update
# should use the gradients of this batch only, whether you clear the old ones first or the new ones last.


# %% exercise="build.train_step" form="program" minutes=13 difficulty=2 builds=["loss", "training"]
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
losses = [train_step(tiny, optimizer, inputs, labels) for _ in range(5)]
print([round(loss, 4) for loss in losses])  # falls step by step

# %%
check("build.train_step")

# %% [markdown]
# ## The training loop
#
# **AdamW** is an optimizer that adapts its steps to each parameter.
#
# **Predict:** if all 96 characters are equally likely, the loss is ln 96 = 4.56. Your table starts with random numbers. Will
# its first loss be below, near or above 4.56? (Training takes about 10 seconds.)

# %% tags=["not-graded"]
optimizer = torch.optim.AdamW(model.parameters(), lr=0.03)
with figures.live(ladder.steps(), "A bigram model learns") as watch:
    for step in range(1, ladder.STEPS + 1):
        starts = torch.randint(len(ids) - 64, (32,)).tolist()  # 32 windows of 64 characters
        inputs, labels = get_batch(ids, starts, 64)
        watch(step, train_step(model, optimizer, inputs, labels))

# %% [markdown]
# <!-- picture -->
# the loss of each batch. It falls quickly, then levels off.
# <!-- end -->
#
# <details><summary>Where it starts, and why</summary>Above 4.56: random logits favour some characters, mostly the wrong
# ones.</details>

# %% tags=["not-graded"]
print(write(model, 300))

# %% [markdown]
# This is still gibberish, but with common pairs, such as `th`.
#
# ## The ladder
#
# Throughout the Build we follow one number: the cross-entropy on the held-out text, in **bits per character**. One bit,
# ln 2 nats, is the uncertainty of a choice between two equally likely characters.

# %% tags=["not-graded"]
bits = ladder.bits_per_character(model, text.test)
stage = stage_models.Stage("bigram table", model, train_step, text.train, ladder.STEPS)
ax = figures.ladder(stage.keep(bits), ladder.COURSE, ladder.GUESSING)

# %% [markdown]
# <!-- picture -->
# your model and, below it, the course's own, trained from three random starts; the small red mark shows their range. The
# vertical line marks 4.56 nats, in bits. Counting all pairs in the text gives about 3.65, so your table has learned nearly all
# that one character can tell it about the next. Version 0, if shown, is far ahead: you overtake it in B4.
# <!-- end -->
#
# To do better, the model has to look further back. That is what attention is for: lesson 02 computes it by hand, and in stage
# B2 your model gets it.
