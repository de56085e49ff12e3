# %% [markdown] minutes=60 seconds=5 lessons=["03", "04"] stages=["B1"]
# # B2 · One head
#
# **Where we stand.** The model from stage B1 predicts each character from the one before it. After `t` it gives the same
# probabilities in `that`, `str` and `<tab`.
#
# **What is missing** is a way to look further back. Attention provides it. The query of each character is compared with the
# keys of all characters (lesson 03), and a mask hides the later characters, which the model should predict (lesson 04). You
# will write one attention head as a module.
#
# You need {lessons}, and `nn.Module` from {stages}. The whole stage takes about {minutes} minutes, and its first cell about
# {seconds} seconds. The last line of that folded cell takes `get_batch` and `train_step` from your `my_transformer.py`,
# through `transformer_course.my_transformer`. Anything missing there comes from the course, and a message tells you so.

# %%
import inspect

import torch
from IPython.display import Code
from torch import nn

from transformer_course import figures
from transformer_course.data import python_docs
from transformer_course.exercises import check
from transformer_course.experiments import build_ladder as ladder
from transformer_course.experiments import stage_models
from transformer_course.my_transformer import get_batch, train_step

# %% [markdown]
# ## A matrix as a module
#
# Queries, keys and values are each the product of the input and a matrix. torch has a module for that:
# `nn.Linear(d_in, d_out, bias=False)` holds one matrix, which starts as random numbers. It multiplies along the last axis and
# treats all other axes as batches:

# %%
project = nn.Linear(4, 3, bias=False)
x = torch.randn(2, 5, 4)  # two sequences of five tokens, each with four numbers
print("from", tuple(x.shape), "to", tuple(project(x).shape))
print("the matrix has shape", tuple(project.weight.shape))
print("same as x @ weight.T:", torch.allclose(project(x), x @ project.weight.T))

# %% [markdown]
# torch stores the matrix transposed, as `(d_out, d_in)`. In lesson 03 the same product was $X W_Q$, with a $W_Q$ of shape
# `(d_in, d_out)`.
#
# Here are the other tools that you need. From NumPy or lesson 04, you know what they do:
#
# | you want | in torch |
# | --- | --- |
# | swap the last two axes | `k.transpose(-2, -1)` |
# | True above the diagonal, on the same processor or GPU as x | `torch.ones(n, n, dtype=torch.bool, device=x.device).triu(1)` |
# | −∞ in `scores` wherever `hidden` is True | `scores.masked_fill(hidden, -torch.inf)` |
# | a square root | `d_head ** 0.5` |
# | softmax along the last axis | `scores.softmax(dim=-1)` |
#
# ## 1 · A causal head
#
# Write `CausalHead(d_model, d_head)`. Its `forward` takes `x`, of shape `(b, n, d_model)`, and returns an output of shape
# `(b, n, d_head)`. These are the steps:
#
# * Three `nn.Linear` layers without bias, called `w_q`, `w_k` and `w_v`, compute the queries, keys and values, each of shape
#   `(b, n, d_head)`.
# * The scores have shape `(b, n, n)`, one row per query. They are scaled as in lesson 03.
# * Each token attends only to itself and to earlier tokens. The length n may change from call to call, so make a new mask in
#   each call.
# * The output is the weighted average of the values.


# %% exercise="build.causal_head" form="program" minutes=40 difficulty=2 builds=["head", "mask"]
class CausalHead(nn.Module):
    """One attention head in which each token sees itself and all earlier tokens."""

    def __init__(self, d_model, d_head):
        ### BEGIN SOLUTION
        super().__init__()
        self.w_q = nn.Linear(d_model, d_head, bias=False)
        self.w_k = nn.Linear(d_model, d_head, bias=False)
        self.w_v = nn.Linear(d_model, d_head, bias=False)
        ### END SOLUTION

    def forward(self, x):
        ### BEGIN SOLUTION
        q, k, v = self.w_q(x), self.w_k(x), self.w_v(x)
        scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        later = torch.ones_like(scores, dtype=torch.bool).triu(1)
        weights = scores.masked_fill(later, -torch.inf).softmax(dim=-1)
        return weights @ v
        ### END SOLUTION


# %% [markdown]
# Try it before you check it. The output should have shape (2, 5, 3). Then we change the *last* token of each sequence.
# **Predict:** which of the five outputs will change?

# %% tags=["not-graded"]
head = CausalHead(4, 3)
print("output:", tuple(head(x).shape))
print("parameters:", {name: tuple(p.shape) for name, p in head.named_parameters()})
other = x.clone()
other[:, -1] += 1  # a different last token
print("any NaN:", head(x).isnan().any().item())  # should be False
print("changed:", ((head(other) - head(x)).abs() > 1e-6).any(-1).tolist())

# %%
check("build.causal_head")

# %% [markdown]
# ## From a head to a model of text
#
# A head turns vectors into vectors. It becomes a language model with four more pieces:
#
# * a table with one vector of 96 numbers per character (`nn.Embedding`, as in B1);
# * a second table, with one vector per **position**. Each token's vector is the sum of its two rows, so the head can take into
#   account where a character is (more in lesson 06);
# * a sum of the head's input and its output. The head's weighted average alone would blur the current character, which tells
#   you most about the next one (more in lesson 10);
# * an `nn.Linear` that maps each vector to 96 logits.
#
# You will write all of this yourself in B4. Until then, the course's `TextModel` adds these pieces to your `CausalHead`.
# Compare its `forward` with the list above. Type annotations such as `Int[Tensor, "b n"]` only describe shapes:

# %%
Code(inspect.getsource(ladder.TextModel), language="python")

# %% [markdown]
# ## Training
#
# **Predict:** the bigram table reached about 3.66 bits per character. Will one head end near 3.6, near 3.3 or near 2.5?
#
# `ladder.train` is the training loop from B1, with your `get_batch` and your `train_step`. Two things differ: the windows
# are drawn with their own seed, and the learning rate rises to 0.003 and then falls, whereas the bigram table was trained at a
# constant 0.03 (lesson 14 explains why). Training takes about 10 seconds. The trained model is saved in `models/` in your
# folder, and when you come back, the cell opens it instead of training again. `ladder.sample` leaves out the least likely
# characters, as stage B7 explains.

# %% tags=["not-graded"]
text = python_docs()
torch.manual_seed(0)
model = ladder.TextModel(CausalHead(ladder.D_MODEL, ladder.D_MODEL))
print("before training:", repr(ladder.sample(model, 60)))
stage = stage_models.Stage("one head", model, train_step, text.train, ladder.STEPS)
if not stage.opened():
    with figures.live(ladder.steps(), "One head learns") as watch:
        ladder.train(model, train_step, text.train, get_batch=get_batch, after_step=watch)
own = stage.keep(ladder.bits_per_character(model, text.test))

# %% [markdown]
# <!-- picture -->
# the loss of each batch, in nats per character. It falls below the level at which the bigram model
# stopped.

# %% tags=["not-graded"]
print(ladder.sample(model, 300))

# %% tags=["not-graded"]
ax = figures.ladder(own, ladder.COURSE, ladder.GUESSING)

# %% [markdown]
# <!-- picture -->
# all your models so far, each above the course's own.
# <!-- end -->
#
# <details><summary>What one head gains</summary>It gains about a third of a bit per character over the bigram table. The text
# that it writes has improved too: more of its longer words are English. (If you started with <code>--light</code>, training
# may end before the head is ahead: then your two bars are about the same length.)</details>
#
# ## Take the positions away
#
# **Predict:** we train the same model in the same way, but without the table of positions. Will it end near the head with
# positions, or near the bigram table?

# %% tags=["not-graded"]
torch.manual_seed(0)
attention = CausalHead(ladder.D_MODEL, ladder.D_MODEL)
bag = ladder.TextModel(attention, positions=False)
stage = stage_models.Stage("one head, no positions", bag, train_step, text.train, ladder.STEPS)
if not stage.opened():
    with figures.live(ladder.steps(), "One head, no positions") as watch:
        ladder.train(bag, train_step, text.train, get_batch=get_batch, after_step=watch)
own = stage.keep(ladder.bits_per_character(bag, text.test))

# %% [markdown]
# <!-- picture -->
# the loss of each batch, in nats per character.

# %% tags=["not-graded"]
ax = figures.ladder(own, ladder.COURSE, ladder.GUESSING)

# %% [markdown]
# <!-- picture -->
# the head without positions has joined the others.
# <!-- end -->
#
# <details><summary>What the positions are worth</summary>Without them, most of the gain is gone. A weighted average does not
# depend on the order of what it averages. So the head still knows <em>which</em> characters came before, but not where they
# were. It cannot even tell which of them was the second-to-last.</details>
#
# With positions, a head can look for more than one thing, but its single softmax blends all that it finds into one average. In
# stage B3, after lesson 05, several heads look for several things at once.
