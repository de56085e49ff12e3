# %% [markdown] minutes=75 lessons=["08", "09", "11", "17"] stages=["B4", "B7"]
# # B9 · From a GPT to a Llama
#
# **Where we stand.** Your GPT from stage B4 has the parts of 2017 to 2019. Most language models published since 2023 keep
# its structure, a stack of pre-norm blocks on a residual stream, and change four parts.
#
# **What is missing** is the new form of these four: the norm, the feed-forward network, the positions, and attention. With it,
# your block becomes a Llama's; Mistral and Qwen differ only in details. At the end, your model loads weights in the layout of
# published ones.
#
# You need {lessons} and {stages}, plus "What current models have changed" in lesson 17. The stage takes about {minutes}
# minutes.

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
from transformer_course.experiments import small_llama, stage_models
from transformer_course.my_transformer import GPT, Block, train_step
from transformer_course.weights import copy_weights, read

# %% [markdown]
# ## 1 · RMSNorm
#
# LayerNorm subtracts the mean, divides by the standard deviation, multiplies by γ and adds β. **RMSNorm** ({zhang2019}) keeps
# two of the four steps. It divides each vector by its *root mean square*, and multiplies by γ.
#
# **On paper:** what is the root mean square of the vector [1, 7]?
#
# <details><summary>Compare</summary>The mean of the squares is 25, and its square root is 5. So RMSNorm gives [0.2,
# 1.4].</details>
#
# Write `RMSNorm(d_model, eps=1e-5)`. Its only parameter is `gamma`, of shape `(d_model,)`, initially all ones. `eps` is added
# to the mean square, inside the square root.


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
# **Predict:** LayerNorm would give the same output for a vector and that vector plus 10. What about RMSNorm?

# %% tags=["not-graded"]
print(RMSNorm(2)(torch.tensor([[1.0, 7.0], [11.0, 17.0]])))

# %%
check("build.rms_norm")

# %% [markdown]
# ## 2 · A network with a gate
#
# In your feed-forward network, ReLU decides which hidden units pass their value on. In a **gated** network, a second linear
# layer does this: the two outputs are multiplied element by element. In **SwiGLU** ({shazeer2020}), the gate goes through
# SiLU, x · sigmoid(x), which looks like a smooth ReLU. On why it works, the paper says: "We offer no explanation".
#
# Write `SwiGLU(d_model, d_ff)`, with three `nn.Linear` layers without bias. `w_gate` and `w_up` widen x to `d_ff` numbers.
# `F.silu` of the output of `w_gate` is multiplied by the output of `w_up`, and `w_down` maps the product back.


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
# **On paper:** your `FeedForward` with `d_ff` = 4 · d_model has two matrices. For which `d_ff` do the three matrices here have
# as many weights in all?
#
# <details><summary>Compare</summary>2 · d · 4d = 8d², and 3 · d · d_ff: so d_ff = 8/3 · d. For d_model = 96 that is 256.</details>
#
# ## 3 · Positions as rotations
#
# Your GPT adds a row of a table to each token. A Llama adds nothing: it **rotates** queries and keys, as in lesson 08. The
# numbers of each head form pairs. Pair i of the token at position p turns by the angle p / 10000^(2i/width), where `width` is
# one head's width, and both counts start at 0. The new pair is
#
# (first · cos − second · sin,  first · sin + second · cos).
#
# **Which numbers form a pair?** Here, neighbours do: 2i and 2i + 1, as in the paper ([Su and others
# 2021](https://arxiv.org/abs/2104.09864)). In the `transformers` package, Llama's weights pair i with i + width/2. Neither
# pairing is better, but weights for one have the rows of w_q and w_k in the wrong order for the other.
#
# Large models are kept in bfloat16, with 8 bits for the digits of a number. **Predict:** how many of the first 1,024 positions
# can bfloat16 tell apart?

# %%
positions = torch.arange(1024, dtype=torch.bfloat16)
print(f"{len(positions.unique())} different positions, the last ones {positions[-4:].tolist()}")

# %% [markdown]
# So angles are computed in **float32**, and only their sines and cosines get the dtype of x. All layers need the same angles:
# `@functools.lru_cache(maxsize=1)` returns a function's last result again for the same arguments.
#
# Write two functions. `rotation_angles(n, width, device)` returns the angles, `(n, width / 2)`, in float32 on the device: use
# `torch.arange(n, dtype=torch.float32, device=device)`. `rotate(x)` gets `(b, heads, n, width)`, calls `rotation_angles` with
# `x.device`, and returns the same shape and dtype. `x[..., 0::2]` holds the first numbers of all pairs.


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
# Here are three tokens with the same four numbers. **Which row should stay as it is? Which pair turns faster?**

# %% tags=["not-graded"]
print(rotate(torch.tensor([1.0, 0.0, 1.0, 0.0]).expand(1, 1, 3, 4)))
print(rotate(torch.ones(1, 1, 3, 4, dtype=torch.bfloat16)).dtype)  # should be torch.bfloat16

# %%
check("build.rotate")

# %% [markdown]
# ## 4 · Attention that shares keys and values
#
# In **grouped-query attention** ({ainslie2023}), several heads share one key and one value per token. With 4 heads in 2
# groups, heads 0 and 1 use the keys of group 0, and heads 2 and 3 those of group 1. Queries are not shared.
#
# **On paper:** how much smaller does this make the cache of stage B7? And which projections get smaller?
#
# <details><summary>Compare</summary>A cache holds only keys and values, so it is half the size. Their projections have half as
# many outputs.</details>
#
# Write `GroupedAttention(d_model, num_heads, num_groups)`. Its `forward` takes `query, key, value`, as your `Block` expects
# (always the same x, because tokens of two texts have no distance between them), and a mask of shape `(n, n)` or none. Its
# layers `w_q`, `w_k`, `w_v` and `w_o` are `nn.Linear` without bias.
#
# 1. Split the queries into `num_heads` heads, and the keys and values into `num_groups`.
# 2. `rotate` the queries and the keys.
# 3. Repeat the keys and values, one for each head. `x.repeat_interleave(2, dim=1)` turns groups 0, 1 into 0, 0, 1, 1.
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
# Without a mask, does the order of the tokens matter? The first line compares the outputs with those for the reversed tokens.
# Without the rotation, the difference would be 0.000.

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
# `LlamaBlock(d_model, num_heads, num_groups, d_ff)` is a subclass of your `Block`, and **inherits its `forward(x)`**.
# `super().__init__` creates the old parts. Assign new ones under the same names: `norm_1`, `attention`, `norm_2`,
# `feed_forward`.
#
# Then write `Llama(vocabulary_size, d_model, num_heads, num_groups, num_layers, d_ff)`: your `GPT` without the table of
# positions (so without `max_length`), and with `RMSNorm` as its `final_norm`. Its parts are `tokens` (given), `blocks`,
# `final_norm` and `output`.


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
# We train your Llama as we trained your GPT: three layers, the same width and number of steps.

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
# **Predict:** three blocks of your GPT reached about 2.49 bits per character. Will the Llama end near 2.5, 2.3 or 2.1?
# Training takes one to two minutes.

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
# near 2.1. Yours is kept in your folder. What do all your models write after the same two words?

# %% tags=["not-graded"]
stage_models.gallery()

# %% [markdown]
# Which new part accounts for the gain? Lesson 23 changes one at a time, with three seeds: nearly all of it comes from the
# rotation. Much of that is *speed*: with four times the steps (one seed), the rotation's lead shrank to a third.
#
# ## Published weights in your code
#
# The course has a small Llama of random numbers, in a file with the names and the layout of the `transformers` package, and
# the logits that this package computes.

# %% tags=["not-graded"]
_, published = read(small_llama.FILE)
for name, weight in published.items():
    if ".1." not in name and ".2." not in name:  # layers 1 and 2 are like layer 0
        print(f"{name:48}{tuple(weight.shape)}")
print(small_llama.SIZES)

# %% [markdown]
# Write `to_mine(weights)`. It gets these tensors in a dictionary, and returns one with the names of *your* parameters. Nothing
# here is graded.
#
# * `input_layernorm` comes before attention, and `post_attention_layernorm` before the feed-forward network.
# * `lm_head` is the output layer. Where it is missing, it is **tied**: the table of tokens takes its place.
# * Matrices are stored as `nn.Linear` stores them. In `q_proj` and `k_proj`, `neighbours(weight)` puts the rows into your
#   order.
#
# Go on line by line, and run the cell below after each.


# %% tags=["not-graded"]
WIDTH = small_llama.WIDTH  # of one head


def neighbours(weight):
    """Rows i and i + width/2 of each head, side by side."""
    return weight.unflatten(0, (-1, 2, WIDTH // 2)).transpose(1, 2).flatten(0, 2)


def to_mine(weights):
    mine = {"tokens.weight": weights["model.embed_tokens.weight"]}
    for layer in range(small_llama.SIZES["num_layers"]):
        theirs, block = f"model.layers.{layer}", f"blocks.{layer}"
        mine[f"{block}.norm_1.gamma"] = weights[f"{theirs}.input_layernorm.weight"]
        # Go on here.
    return mine


# %% tags=["not-graded"]
mapped = small_llama.fits(to_mine, Llama(**small_llama.SIZES))

# %% [markdown]
# A solution is folded below. Run it anyway.


# %% tags=["not-graded"] jupyter={"source_hidden": true}
def a_solution(weights):
    mine = {
        "tokens.weight": weights["model.embed_tokens.weight"],
        "final_norm.gamma": weights["model.norm.weight"],
        "output.weight": weights["lm_head.weight"],
    }
    for layer in range(small_llama.SIZES["num_layers"]):
        theirs, block = f"model.layers.{layer}", f"blocks.{layer}"
        mine[f"{block}.norm_1.gamma"] = weights[f"{theirs}.input_layernorm.weight"]
        mine[f"{block}.norm_2.gamma"] = weights[f"{theirs}.post_attention_layernorm.weight"]
        for part in "qkvo":
            weight = weights[f"{theirs}.self_attn.{part}_proj.weight"]
            name = f"{block}.attention.w_{part}.weight"
            mine[name] = neighbours(weight) if part in "qk" else weight
        for part in ("gate", "up", "down"):
            mine[f"{block}.feed_forward.w_{part}.weight"] = weights[
                f"{theirs}.mlp.{part}_proj.weight"
            ]
    return mine


# %% [markdown]
# **Predict:** what if you forget `neighbours`? All shapes fit. At which of the eleven positions are the logits wrong then:
# all, none, or all but one?

# %% tags=["not-graded"]
mine = (to_mine if mapped else a_solution)(published)
in_llamas_order = {
    f"blocks.{layer}.attention.w_{part}.weight": published[
        f"model.layers.{layer}.self_attn.{part}_proj.weight"
    ]
    for layer in range(small_llama.SIZES["num_layers"])
    for part in "qk"
}
model = Llama(**small_llama.SIZES)
for name, weights in (("as above", mine), ("without neighbours", mine | in_llamas_order)):
    copy_weights(model, weights)
    print(f"{name:20}", *(f"{each:.2f}" for each in small_llama.differences(model)))

# %% [markdown]
# The first token is turned by the angle 0 and sees only itself, so no order of pairs is wrong there. Everywhere else the
# logits are off, and nothing tells you, so compare the logits of several tokens with a reference.
#
# A published Llama of this layout loads in the same way. Its `config.json` holds the sizes, and three things to look at: your
# class has the base 10000 (`rope_theta`), ε = 1e-5 (`rms_norm_eps`) and no `rope_scaling`, like Llama 2 and, with a tied head,
# the smallest SmolLM (135 million parameters). Llama 3 has the base 500000, and from 3.1 on, scaled angles.
#
# Your Llama still has no cache like stage B7's. With one, `rotate` would start at the number of tokens in it.
