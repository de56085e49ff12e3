# %% [markdown] minutes=45 seconds=5 lessons=["05"] stages=["B2"]
# # B3 · Several heads
#
# **Where we stand.** The head from stage B2 computes one weighted average per token. If a token needs two things, such as the
# last letter and the beginning of the word, the average blurs them into one.
#
# **What is missing** is a way to look at several things and keep them apart. Lesson 05 showed how: use several narrower heads
# in parallel. You will write them as one module, without a loop over the heads. This module works as self-attention,
# with a causal mask or a padding mask, and as the cross-attention of a decoder. Stages B4 to B6 use it as it is.
# B7 adds a cache to it, and B9 shares keys and values between heads.
#
# You need {lessons} and {stages}. The whole stage takes about {minutes} minutes, and its
# first cell about {seconds} seconds.

# %%
import math

import torch
from torch import nn

from transformer_course import figures
from transformer_course.data import python_docs
from transformer_course.exercises import check
from transformer_course.experiments import build_ladder as ladder
from transformer_course.experiments import stage_models
from transformer_course.my_transformer import get_batch, train_step

# %% [markdown]
# ## The plan, in shapes
#
# In self-attention, queries, keys and values come from the same sequence. In cross-attention, the queries come from a
# sequence of n tokens, and the keys and values come from a different one, of m tokens. So the module takes three inputs and
# an optional mask: `attention(query, key, value, mask)`.
#
# | step | shape |
# | --- | --- |
# | `query`; `key` and `value` | `(b, n, d)`; `(b, m, d)` |
# | after the projections `w_q`, `w_k`, `w_v` | the same |
# | after splitting into h heads of width d_k = d/h | `(b, h, n, d_k)`; `(b, h, m, d_k)` |
# | scores and weights | `(b, h, n, m)` |
# | outputs of all heads | `(b, h, n, d_k)` |
# | after joining the heads | `(b, n, d)` |
# | after the output projection `w_o` | `(b, n, d)` |
#
# The heads have an axis of their own, and matrix products use only the last two axes, so one product computes all heads.
#
# **A mask** is boolean. In stage B2 you marked what is *hidden*; from here on, as in lesson 04, True means "may attend". A
# causal mask is the same for all sequences, so its shape is `(n, m)`. A padding mask differs from sequence to sequence, so
# its shape is `(b, n, m)` or `(b, 1, m)`. With `None`, nothing is hidden.
#
# The scores have an axis for the heads, but a `(b, n, m)` mask has none, so you have to insert one. An `(n, m)` mask fits as
# it is. Without the inserted axis, torch would line up the sequences of the mask with the heads. You would get an error or,
# if there are as many sequences as heads, a wrong result without any error.
#
# In torch, `mask.unsqueeze(axis)` inserts an axis of length 1 at that position. A negative `axis` counts from the end. In the
# cell below, `hidden` marks the padding in two sequences, one row per sequence. As a mask it needs shape `(b, 1, m)`, here
# `(2, 1, 5)`. The queries' axis has length 1, because the same keys are padding for all of them. **Predict:** which of the
# three lines will show that shape?

# %%
scores = torch.zeros(2, 3, 4, 5)  # two sequences, three heads, four queries, five keys
hidden = torch.tensor([[False] * 5, [False] * 3 + [True] * 2])  # (2, 5), True = padding
may_attend = ~hidden
print("scores:", tuple(scores.shape), "· may_attend:", tuple(may_attend.shape))
for axis in (0, 1, -1):
    print(f"unsqueeze({axis}):", tuple(may_attend.unsqueeze(axis).shape))

# %% [markdown]
# ## 1 · Multi-head attention
#
# Complete `MultiHeadAttention(d_model, num_heads)`. You may assume that `num_heads` divides `d_model`. Its `__init__` is
# already written: four layers from `d_model` to `d_model`, this time with a bias. Each head gets consecutive columns of the
# projections, and head 0 gets the first ones. Divide the scores by the square root of d_k. `x.transpose(1, 2)` swaps two axes
# (NumPy's `swapaxes`), and `x.flatten(2)` joins all axes from axis 2 on.
#
# Go one step at a time: write `split`, run the next cell to try it, and only then write the four steps of `forward`.


# %% exercise="build.multi_head" form="program" minutes=30 difficulty=3 builds=["heads"]
class MultiHeadAttention(nn.Module):
    """Several heads in parallel, each with its own columns of the projections."""

    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)

    def split(self, x):
        """(b, n, d_model) to (b, h, n, d_k)."""
        ### BEGIN SOLUTION
        b, n, _ = x.shape
        return x.reshape(b, n, self.num_heads, -1).transpose(1, 2)
        ### END SOLUTION

    def forward(self, query, key, value, mask=None):
        # 1. Project the three inputs, and split them.
        # 2. Compute the scores of all heads, and scale them.
        # 3. If there is a mask, give it an axis for the heads, and apply it.
        # 4. Average the values, join the heads, and apply w_o.
        ### BEGIN SOLUTION
        q = self.split(self.w_q(query))
        k = self.split(self.w_k(key))
        v = self.split(self.w_v(value))
        scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask.unsqueeze(-3), float("-inf"))  # an axis for the heads
        heads = scores.softmax(dim=-1) @ v
        return self.w_o(heads.transpose(1, 2).flatten(2))
        ### END SOLUTION


# %% [markdown]
# First try `split`. Here are two tokens with four columns each; 23 is column 3 of token 2. Head 0 should get columns 1 and 2
# of both tokens, and head 1 should get columns 3 and 4: `[[[[11, 12], [21, 22]], [[13, 14], [23, 24]]]]`.

# %% tags=["not-graded"]
attention = MultiHeadAttention(4, 2)
print(attention.split(torch.tensor([[[11, 12, 13, 14], [21, 22, 23, 24]]])).tolist())

# %% [markdown]
# Now try `forward`. Three queries attend to five keys in each of two sequences, first without a mask, then with `may_attend`.
# **Predict:** in which sequence will the mask change the outputs?

# %% tags=["not-graded"]
attention = MultiHeadAttention(4, 2)
query, memory = torch.randn(2, 3, 4), torch.randn(2, 5, 4)
plain = attention(query, memory, memory)
masked = attention(query, memory, memory, may_attend.unsqueeze(1))
print("output:", tuple(plain.shape))
print(
    "changed by the mask:", [not torch.allclose(a, b) for a, b in zip(plain, masked, strict=True)]
)

# %%
check("build.multi_head")

# %% [markdown]
# ## Four heads on the text
#
# `TextModel` from stage B2 calls its attention with one input. The small module below passes that input three times, together
# with a causal mask. In it, `self.attention` is itself a module, whose parameters belong to the outer module as well.


# %%
class CausalSelfAttention(nn.Module):
    def __init__(self, num_heads):
        super().__init__()
        self.attention = MultiHeadAttention(ladder.D_MODEL, num_heads)

    def forward(self, x):
        n = x.shape[1]
        causal = torch.ones(n, n, dtype=torch.bool, device=x.device).tril()
        return self.attention(x, x, x, causal)


# %% [markdown]
# **Predict:** four heads of width 24 replace one head of width 96. The projections have as many weights as before, and only
# `w_o` and the biases are new. One head reached about 3.36 bits per character. Will four heads gain nothing, a little, or as
# much again as one head gained over the table? (The training takes about 20 seconds.)

# %% tags=["not-graded"]
text = python_docs()
torch.manual_seed(0)
model = ladder.TextModel(CausalSelfAttention(4))
print("before training:", repr(ladder.sample(model, 60)))
stage = stage_models.Stage("four heads", model, train_step, text.train, ladder.STEPS)
if not stage.opened():
    with figures.live(ladder.steps(), "Four heads learn") as watch:
        ladder.train(model, train_step, text.train, get_batch=get_batch, after_step=watch)
own = stage.keep(ladder.bits_per_character(model, text.test))

# %% [markdown]
# <!-- picture -->
# the loss of each batch, in nats per character.

# %% tags=["not-graded"]
print(ladder.sample(model, 300))

# %% tags=["not-graded"]
ax = figures.ladder(own, ladder.COURSE, ladder.GUESSING)

# %% [markdown]
# <!-- picture -->
# all your models so far. In our runs, four heads gained about 0.1 bits: clearly more than the spread across seeds, but much
# less than the first head gained. On their own, more averages gain little. Next, the model computes with what it finds, and
# then looks again in a second layer. Both come in stage B4, after lessons 09 to 11.
