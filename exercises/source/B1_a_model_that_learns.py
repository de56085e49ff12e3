# %% [markdown]
# # B1 · A model that learns
#
# You need lessons 00 and 02.

# %%
import torch
from torch import nn
from torch.nn import functional as F

from transformer_course.exercises import check, hint, solution

# %% [markdown]
# ## 1 · Characters and ids (program, 5 minutes, ●○○)
#
# `encode(text, characters)` returns the id of each character of `text`: its place in the string `characters`.


# %% exercise="build.encode"
def encode(text, characters):
    """The id of each character of a text."""
    ### BEGIN SOLUTION
    ids = {character: place for place, character in enumerate(characters)}
    return [ids[character] for character in text]
    ### END SOLUTION


# %%
check("build.encode", encode)

# %% [markdown]
# ## 2 · Batches (program, 8 minutes, ●●○)
#
# `get_batch(ids, starts, length)` returns the pair `inputs, labels`, both of shape `(b, n)`: a row per start, with n = `length`
# ids. `ids` is a row of ids and `starts` an array of places in it. The label of each id is the one after it.


# %% exercise="build.batch"
def get_batch(ids, starts, length):
    """Rows of ids, and the ids that follow each of them."""
    ### BEGIN SOLUTION
    inputs = torch.stack([ids[start : start + length] for start in starts])
    labels = torch.stack([ids[start + 1 : start + 1 + length] for start in starts])
    return inputs, labels
    ### END SOLUTION


# %%
check("build.batch", get_batch)

# %% [markdown]
# ## 3 · A table of logits (program, 8 minutes, ●○○)
#
# `Bigram(vocabulary_size)` takes `tokens` of shape `(b, n)` and returns logits of shape `(b, n, v)`. Its only part is an
# nn.Embedding called `table`.


# %% exercise="build.bigram"
class Bigram(nn.Module):
    """A table with the logits of the next character, one row per character."""

    def __init__(self, vocabulary_size):
        ### BEGIN SOLUTION
        super().__init__()
        self.table = nn.Embedding(vocabulary_size, vocabulary_size)
        ### END SOLUTION

    def forward(self, tokens):
        ### BEGIN SOLUTION
        return self.table(tokens)
        ### END SOLUTION


# %%
check("build.bigram", Bigram)

# %% [markdown]
# ## 4 · One training step (program, 12 minutes, ●●○)
#
# `train_step(model, optimizer, inputs, labels)` computes the mean cross-entropy of the model on a batch, updates the model once,
# and returns that loss as a float.


# %% exercise="build.train_step"
def train_step(model, optimizer, inputs, labels):
    """Update the model once; return the loss of the batch before the update."""
    ### BEGIN SOLUTION
    logits = model(inputs)
    loss = F.cross_entropy(logits.flatten(0, 1), labels.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()
    ### END SOLUTION


# %%
check("build.train_step", train_step)

# %% [markdown]
# ## 5 · Choosing a character (program, 8 minutes, ●●○)
#
# `sample(probabilities, u)` chooses an id, given the probability of each and a number `u` with 0 ≤ u < 1 that was drawn at
# random: the first id at which the sum of the probabilities so far is above `u`.


# %% exercise="build.sample"
def sample(probabilities, u):
    """The first id at which the sum of the probabilities so far is above u."""
    ### BEGIN SOLUTION
    return int((probabilities.cumsum(0) > u).argmax())
    ### END SOLUTION


# %%
check("build.sample", sample)
