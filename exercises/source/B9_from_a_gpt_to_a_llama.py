# %% [markdown] minutes=70 lessons=["08", "09", "11", "17"] stages=["B4", "B7"]
# # B9 · From a GPT to a Llama
#
# **Where we stand.** Your GPT of stage B4 has the parts of 2017 to 2019. Most language models published since 2023 still have
# its structure: a stack of pre-norm blocks on a residual stream. But four of its parts are different.
#
# **What is missing.** These four parts: the norm, the feed-forward network, the positions, and the attention. You write them,
# put them into your block, and measure what they change. The result is the architecture of the Llama models; Mistral and Qwen
# differ from it only in details.
#
# You need {lessons} and {stages}; of lesson 17, "What current models changed" too. The whole stage
# takes about {minutes} minutes.

# %%
import functools

import torch
from torch import nn
from torch.nn import functional as F

from transformer_course import figures
from transformer_course.data import python_docs
from transformer_course.data.python_docs import CHARACTERS
from transformer_course.exercises import check
from transformer_course.experiments import build_ladder as ladder
from transformer_course.experiments import stage_models
from transformer_course.my_transformer import GPT, Block, train_step

# %% [markdown]
# ## 1 · RMSNorm
#
# LayerNorm subtracts the mean, divides by the standard deviation, multiplies by γ and adds β. Is all of that needed?
# **RMSNorm** ({zhang2019}) keeps two of the four steps. It divides each vector
# by its *root mean square*, and multiplies by γ.
#
# **On paper:** what is the root mean square of the vector [1, 7]?
#
# <details><summary>Compare</summary>The squares are 1 and 49, and their mean is 25. The square root is 5, so RMSNorm gives
# [0.2, 1.4].</details>
#
# Write `RMSNorm(d_model, eps=1e-5)`. Its only parameter is `gamma`, of shape `(d_model,)`, initially all ones. `eps` is
# added to the mean square, inside the root.


# %% exercise="build.rms_norm" form="program" minutes=6 difficulty=1 builds=["norm"]
class RMSNorm(nn.Module):
    """Divide each token's vector by its root mean square, then scale by gamma."""

    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        ### BEGIN SOLUTION
        self.eps = eps
        self.gamma = nn.Parameter(torch.ones(d_model))
        ### END SOLUTION

    def forward(self, x):
        ### BEGIN SOLUTION
        mean_square = (x**2).mean(dim=-1, keepdim=True)
        return self.gamma * x / torch.sqrt(mean_square + self.eps)
        ### END SOLUTION


# %% [markdown]
# **Predict:** the second vector is the first plus 10. LayerNorm would give the same output for both. What about RMSNorm?

# %% tags=["not-graded"]
print(RMSNorm(2)(torch.tensor([[1.0, 7.0], [11.0, 17.0]])))

# %%
check("build.rms_norm")

# %% [markdown]
# ## 2 · A network with a gate
#
# In your feed-forward network, ReLU decides which hidden units pass their value on. A **gated** network lets one linear layer
# control the output of another: their outputs are multiplied element by element. In **SwiGLU** ({shazeer2020}), the gate goes through SiLU, x · sigmoid(x), which looks like a smooth ReLU.
# On why it works, the paper says: "We offer no explanation".
#
# Write `SwiGLU(d_model, d_ff)`, with three `nn.Linear` layers without bias. `w_gate` and `w_up` widen x to `d_ff` numbers.
# Apply `F.silu` to the output of `w_gate`, multiply it by the output of `w_up`, and map the product back with `w_down`.


# %% exercise="build.swiglu" form="program" minutes=8 difficulty=2 builds=["feed-forward"]
class SwiGLU(nn.Module):
    """A feed-forward network with a gate."""

    def __init__(self, d_model, d_ff):
        super().__init__()
        ### BEGIN SOLUTION
        self.w_gate = nn.Linear(d_model, d_ff, bias=False)
        self.w_up = nn.Linear(d_model, d_ff, bias=False)
        self.w_down = nn.Linear(d_ff, d_model, bias=False)
        ### END SOLUTION

    def forward(self, x):
        ### BEGIN SOLUTION
        return self.w_down(F.silu(self.w_gate(x)) * self.w_up(x))
        ### END SOLUTION


# %% tags=["not-graded"]
print(tuple(SwiGLU(4, 16)(torch.randn(2, 5, 4)).shape))  # should be (2, 5, 4)

# %%
check("build.swiglu")

# %% [markdown]
# **On paper:** your `FeedForward` with `d_ff` = 4 · d_model has two matrices. How large may `d_ff` be here, so that the
# three matrices together have no more weights than those two?
#
# <details><summary>Compare</summary>2 · d · 4d = 8d² numbers. Three matrices have 3 · d · d_ff, so d_ff = 8/3 · d. For
# d_model = 96 that is 256.</details>
#
# ## 3 · Positions as rotations
#
# Your GPT adds a row of a table to each token. A Llama adds nothing: it **rotates** queries and keys, as in lesson 08. The numbers
# of each head form pairs. Pair i of the token at position p turns by the angle p / 10000^(2i/width), where `width` is that of one
# head, and both counts begin with 0. The new pair is
#
# (first · cos − second · sin,  first · sin + second · cos).
#
# **Which numbers form a pair?** Here, neighbours do: 2i and 2i + 1, as in the paper ([Su and others
# 2021](https://arxiv.org/abs/2104.09864)). The published weights of Llama pair i with i + width/2. Neither is better, but weights
# for one need the rows of w_q and w_k in another order for the other.
# `w.unflatten(0, (-1, 2, width // 2)).transpose(1, 2).flatten(0, 2)` turns Llama's order into yours.
#
# Large models are kept in bfloat16, with 8 bits for the digits of a number. **Predict:** how many of the first 1,024 positions
# can it tell apart?

# %%
positions = torch.arange(1024, dtype=torch.bfloat16)
print(f"{len(positions.unique())} different positions, the last ones {positions[-4:].tolist()}")

# %% [markdown]
# So angles are computed in **float32**. Only their sines and cosines get the dtype of x. All layers need the same angles, so
# `@functools.lru_cache(maxsize=1)` keeps the last result of a function, and returns it again for the same arguments.
#
# Write two functions. `rotation_angles(n, width, device)` returns the angles, `(n, width / 2)`, made in float32 on the device:
# `torch.arange(n, dtype=torch.float32, device=device)`. `rotate(x)` gets `(b, heads, n, width)`, calls it with `x.device`, and
# returns the same shape and dtype. `x[..., 0::2]` holds the first numbers of all pairs, `angles.cos().to(x.dtype)` the cosines,
# and `torch.stack([first, second], dim=-1).flatten(-2)` puts the pairs together again.


# %% exercise="build.rotate" form="program" minutes=12 difficulty=2 builds=["positions"]
@functools.lru_cache(maxsize=1)
def rotation_angles(n, width, device):
    """How far each pair turns at each position: (n, width / 2), in float32."""
    ### BEGIN SOLUTION
    pairs = torch.arange(0, width, 2, dtype=torch.float32, device=device)
    positions = torch.arange(n, dtype=torch.float32, device=device)
    return positions[:, None] / 10000 ** (pairs / width)
    ### END SOLUTION


def rotate(x):
    """Rotate each pair of numbers of x, (b, heads, n, width), by the position of its token."""
    ### BEGIN SOLUTION
    angles = rotation_angles(x.shape[-2], x.shape[-1], x.device)
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    first, second = x[..., 0::2], x[..., 1::2]
    turned = first * cos - second * sin, first * sin + second * cos
    return torch.stack(turned, dim=-1).flatten(-2)
    ### END SOLUTION


# %% [markdown]
# Three tokens with the same four numbers. **Which row should stay as it is? Which pair turns faster?**

# %% tags=["not-graded"]
print(rotate(torch.tensor([1.0, 0.0, 1.0, 0.0]).expand(1, 1, 3, 4)))
print(rotate(torch.ones(1, 1, 3, 4, dtype=torch.bfloat16)).dtype)  # should be torch.bfloat16

# %%
check("build.rotate")

# %% [markdown]
# ## 4 · Attention that shares keys and values
#
# One more thing changes in attention. Several heads share one key and one value per token: **grouped-query attention**
# ({ainslie2023}). With 4 heads in 2 groups, heads 0 and 1 use the keys of group
# 0, and heads 2 and 3 those of group 1. Queries are not shared.
#
# **On paper:** how much smaller does this make the cache of stage B7? And which projections get smaller?
#
# <details><summary>Compare</summary>A cache holds only keys and values, so it has half the size. The projections of keys and
# values have half as many outputs.</details>
#
# Write `GroupedAttention(d_model, num_heads, num_groups)`, with a mask of shape `(n, n)` or none. It is for self-attention only:
# tokens of two texts have no distance. It still takes `query, key, value`, three times the same x, because your `Block` calls
# it so. Its layers `w_q`, `w_k`, `w_v` and `w_o` are `nn.Linear` without bias.
#
# 1. Split the queries into `num_heads` heads, and the keys and values into `num_groups`.
# 2. `rotate` the queries and the keys.
# 3. Repeat the keys and values, one for each head. `x.repeat_interleave(r, dim=1)` repeats each entry of axis 1 `r` times: of
#    groups 0, 1 it makes 0, 0, 1, 1.
# 4. `F.scaled_dot_product_attention(q, k, v, mask)` does the rest, as in stage B7. Then join the heads, and apply `w_o`.


# %% exercise="build.grouped_attention" form="program" minutes=18 difficulty=3 builds=["heads", "positions"]
class GroupedAttention(nn.Module):
    """Self-attention with rotary positions; groups of heads share keys and values."""

    def __init__(self, d_model, num_heads, num_groups):
        super().__init__()
        self.num_heads, self.num_groups = num_heads, num_groups
        width = d_model // num_heads
        if width % 2:
            raise ValueError(f"each head needs an even width for its pairs, got {width}")
        ### BEGIN SOLUTION
        self.w_q = nn.Linear(d_model, d_model, bias=False)
        self.w_k = nn.Linear(d_model, num_groups * width, bias=False)
        self.w_v = nn.Linear(d_model, num_groups * width, bias=False)
        self.w_o = nn.Linear(d_model, d_model, bias=False)
        ### END SOLUTION

    def forward(self, query, key, value, mask=None):
        ### BEGIN SOLUTION
        b, n, _ = query.shape
        q = self.w_q(query).reshape(b, n, self.num_heads, -1).transpose(1, 2)
        k = self.w_k(key).reshape(b, n, self.num_groups, -1).transpose(1, 2)
        v = self.w_v(value).reshape(b, n, self.num_groups, -1).transpose(1, 2)
        q, k = rotate(q), rotate(k)
        heads_per_group = self.num_heads // self.num_groups
        k = k.repeat_interleave(heads_per_group, dim=1)
        v = v.repeat_interleave(heads_per_group, dim=1)
        heads = F.scaled_dot_product_attention(q, k, v, mask)
        return self.w_o(heads.transpose(1, 2).flatten(2))
        ### END SOLUTION


# %% [markdown]
# Does the order of the tokens make a difference, without a mask? The first line compares the outputs with those for the same
# tokens reversed. Without the rotation, it would be 0.000.

# %% tags=["not-graded"]
attention, x = GroupedAttention(12, num_heads=6, num_groups=2), torch.randn(1, 5, 12)
reversed_back = attention(x.flip(1), x.flip(1), x.flip(1)).flip(1)
print(f"largest difference: {(attention(x, x, x) - reversed_back).abs().max():.3f}")
print({name: tuple(weight.shape) for name, weight in attention.named_parameters()})

# %%
check("build.grouped_attention")

# %% [markdown]
# ## 5 · The Llama
#
# Now swap in the new parts. `LlamaBlock(d_model, num_heads, num_groups, d_ff)` is a subclass of your `Block`, and **inherits
# its `forward`**. `super().__init__` creates the old parts. A new module that you assign under the name of an old one takes
# its place: `norm_1`, `attention`, `norm_2` and `feed_forward`.
#
# Then write `Llama(vocabulary_size, d_model, num_heads, num_groups, num_layers, d_ff)`. It is your `GPT` without the table of
# positions, so it needs no `max_length`, and with `RMSNorm` as its `final_norm`. Ids of shape `(b, n)` go in, logits come out.
# Its parts are `tokens` (given), `blocks`, `final_norm` and `output`.


# %% exercise="build.llama" form="program" minutes=10 difficulty=2
class LlamaBlock(Block):
    """The block of stage B4 with other parts."""

    def __init__(self, d_model, num_heads, num_groups, d_ff):
        super().__init__(d_model, num_heads, d_ff)
        ### BEGIN SOLUTION
        self.norm_1 = RMSNorm(d_model)
        self.attention = GroupedAttention(d_model, num_heads, num_groups)
        self.norm_2 = RMSNorm(d_model)
        self.feed_forward = SwiGLU(d_model, d_ff)
        ### END SOLUTION


class Llama(nn.Module):
    """A language model like GPT, with the parts of the Llama models."""

    def __init__(self, vocabulary_size, d_model, num_heads, num_groups, num_layers, d_ff):
        super().__init__()
        self.tokens = nn.Embedding(vocabulary_size, d_model)
        nn.init.normal_(self.tokens.weight, std=0.02)
        ### BEGIN SOLUTION
        self.blocks = nn.ModuleList(
            LlamaBlock(d_model, num_heads, num_groups, d_ff) for _ in range(num_layers)
        )
        self.final_norm = RMSNorm(d_model)
        self.output = nn.Linear(d_model, vocabulary_size, bias=False)
        ### END SOLUTION

    def forward(self, tokens):
        ### BEGIN SOLUTION
        x = self.tokens(tokens)
        for block in self.blocks:
            x = block(x)
        return self.output(self.final_norm(x))
        ### END SOLUTION


# %% tags=["not-graded"]
small = Llama(10, d_model=8, num_heads=4, num_groups=2, num_layers=3, d_ff=16)
print(tuple(small(torch.tensor([[1, 2, 3], [4, 5, 6]])).shape))  # should be (2, 3, 10)

# %%
check("build.llama")

# %% [markdown]
# ## Is it better?
#
# We train it on Python's documentation as we trained your GPT: three layers of the same width, for the same number of steps.

# %% tags=["not-graded"]
text = python_docs()
sizes = {"d_model": ladder.D_MODEL, "num_heads": 4, "num_layers": 3}
gpt = GPT(len(CHARACTERS), ladder.LENGTH, d_ff=4 * ladder.D_MODEL, **sizes)
torch.manual_seed(0)
llama_sizes = {"vocabulary_size": len(CHARACTERS), "num_groups": 2, "d_ff": 256, **sizes}
model = Llama(**llama_sizes)
for name, each in (("GPT", gpt), ("Llama", model)):
    print(f"{name:5} {sum(weight.numel() for weight in each.parameters()):,} parameters")
print("before training:", repr(ladder.sample(model, 60)))

# %% [markdown]
# **Predict:** three blocks of your GPT reached about 2.49 bits per character. Will the Llama end near 2.5 as well, near 2.3,
# or near 2.1? Training takes one to two minutes.

# %% tags=["not-graded"]
stage = stage_models.Stage(
    "three Llama blocks", model, train_step, text.train, ladder.STEPS, llama_sizes
)
if not stage.opened():
    with figures.live(ladder.steps(), "A Llama of three blocks learns") as watch:
        ladder.train(model, train_step, text.train, after_step=watch)
bits = ladder.bits_per_character(model, text.test)
own = stage.keep(bits, ladder.sample(model, 140, stage_models.PROMPT))

# %% [markdown]
# <!-- picture -->
# the loss of each batch, in nats per character.

# %% tags=["not-graded"]
ax = figures.ladder(own, ladder.COURSE, ladder.GUESSING)
print(ladder.sample(model, 300))

# %% [markdown]
# <!-- picture -->
# with fewer parameters than your GPT, the Llama needs fewer bits after the same 600 steps. In our three runs it ended
# near 2.1. It is kept in your folder, and this cell opens it the next time.
#
# What do all your models write after the same two words?

# %% tags=["not-graded"]
stage_models.gallery()

# %% [markdown]
# ## If you have time: one part at a time
#
# Which of the four parts makes the difference? The cell below changes only the feed-forward network of your GPT. **Predict** the
# result, then run it. Then change only the norms, with the final one, or only the attention. (For that, switch the table off:
# call `one.positions.weight.data.zero_()`, and set `one.positions.weight.requires_grad` to False.)

# %% tags=["not-graded"]
torch.manual_seed(0)
one = GPT(len(CHARACTERS), ladder.LENGTH, d_ff=4 * ladder.D_MODEL, **sizes)
for block in one.blocks:
    block.feed_forward = SwiGLU(ladder.D_MODEL, 256)
ladder.train(one, train_step, text.train, ladder.steps())
print(f"{ladder.bits_per_character(one, text.test):.2f} bits per character")

# %% [markdown]
# With only the attention changed, and as many groups as heads, one run of ours ended at 2.18 bits in place of 2.58. So most of the
# gain comes from the rotation. But it makes the model learn *faster*, not better: after 3,000 steps, it was 1.81 against 1.83. A
# distance is the same angle everywhere, which the table has to learn for each pair of positions. In time, it does.
#
# Published models differ from yours in more than their parts. Llama 3 was trained on 15 trillion tokens, and this text has 1.3
# million characters. Your Llama still has no cache as in stage B7: with one, `rotate` would have to start at the number of
# tokens in it.
