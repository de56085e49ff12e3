# %% [markdown] minutes=65 lessons=["09", "10", "11"] stages=["B3"]
# # B4 · A block, and a GPT
#
# **Where we stand.** The model from stage B3 looks at several things at once, but it only averages what it finds, and it does
# so only once.
#
# **What is missing** is computation on each token (lesson 09) and depth: several layers, each working on the output of the one
# before. Each layer also has residual connections (lesson 10) and LayerNorm (lesson 11). You will write these parts, put
# them together as a block, and stack blocks into a GPT, the model from which today's language models descend.
#
# You need {lessons} and {stages}. The whole stage takes about {minutes} minutes, not counting the parts at the end that are marked
# "If you have time". You write four small classes and one function. Lines that you have written before are given.

# %%
import torch
from torch import nn
from torch.nn import functional as F

from transformer_course import figures
from transformer_course.data import python_docs
from transformer_course.data.python_docs import CHARACTERS
from transformer_course.exercises import check
from transformer_course.experiments import build_ladder as ladder
from transformer_course.experiments import stage_models
from transformer_course.my_transformer import MultiHeadAttention, get_batch, train_step

# %% [markdown]
# ## 1 · Feed-forward network
#
# Write `FeedForward(d_model, d_ff)`. Its `forward` takes `x`, of shape `(…, d_model)`, and keeps its shape. The layer
# `w_1` widens each token's vector to `d_ff` numbers, ReLU (`torch.relu`) replaces the negative ones with 0, and the layer
# `w_2` maps the result back to `d_model` numbers. Both layers are `nn.Linear` with a bias.


# %% exercise="build.feed_forward" form="program" minutes=6 difficulty=1 builds=["feed-forward"]
class FeedForward(nn.Module):
    """Two linear maps with a ReLU between them, applied to each token by itself."""

    def __init__(self, d_model, d_ff):
        super().__init__()
        ### BEGIN SOLUTION
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)
        ### END SOLUTION

    def forward(self, x):
        ### BEGIN SOLUTION
        return self.w_2(torch.relu(self.w_1(x)))
        ### END SOLUTION


# %% tags=["not-graded"]
print(tuple(FeedForward(4, 16)(torch.randn(2, 5, 4)).shape))  # should be (2, 5, 4)

# %%
check("build.feed_forward")

# %% [markdown]
# ## 2 · LayerNorm
#
# Write `LayerNorm(d_model, eps=1e-5)`. For each token, it subtracts the mean of the token's numbers and divides by their
# standard deviation, computed as the square root of (variance + `eps`). Then it multiplies by `gamma` and adds `beta`. These
# two are parameters of shape `(d_model,)`, made with `nn.Parameter` as in stage B1. At first, `gamma` is all ones and `beta`
# is all zeros.
#
# Tensors have the methods `mean` and `var`, and both take `dim` and `keepdim`. By default `var` divides by d − 1; pass
# `correction=0` to divide by d.


# %% exercise="build.layer_norm" form="program" minutes=10 difficulty=2 builds=["norm"]
class LayerNorm(nn.Module):
    """Normalise each token's vector, then scale by gamma and shift by beta."""

    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        ### BEGIN SOLUTION
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        ### END SOLUTION

    def forward(self, x):
        ### BEGIN SOLUTION
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, keepdim=True, correction=0)
        return self.gamma * (x - mean) / torch.sqrt(variance + self.eps) + self.beta
        ### END SOLUTION


# %% [markdown]
# **Predict:** the second row is ten times the first. How much of this difference will LayerNorm keep?

# %% tags=["not-graded"]
print(LayerNorm(3)(torch.tensor([[1.0, 2.0, 3.0], [10.0, 20.0, 30.0]])))

# %%
check("build.layer_norm")

# %% [markdown]
# ## 3 · A block
#
# A block has two sublayers, attention and the feed-forward network. Each has a residual connection and a LayerNorm. Write
# `Block(d_model, num_heads, d_ff)`. Its `forward` takes `x`, of shape `(b, n, d_model)`, and keeps its shape. Call its
# parts `norm_1`, `attention`, `norm_2` and `feed_forward`.
#
# The block is **pre-norm**: each sublayer works on a *normalised copy* of the residual stream, and its output is added to the
# stream itself. `MultiHeadAttention` gets the normalised copy three times, as query, key and value, and a causal mask. The
# mask is given (True = may attend).


# %% exercise="build.block" form="program" minutes=12 difficulty=2 builds=["block", "residual"]
class Block(nn.Module):
    """Causal self-attention, then a feed-forward network: pre-norm, with residuals."""

    def __init__(self, d_model, num_heads, d_ff):
        super().__init__()
        ### BEGIN SOLUTION
        self.norm_1 = LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.norm_2 = LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_ff)
        ### END SOLUTION

    def forward(self, x):
        n = x.shape[1]
        causal = torch.ones(n, n, dtype=torch.bool, device=x.device).tril()
        ### BEGIN SOLUTION
        y = self.norm_1(x)
        x = x + self.attention(y, y, y, causal)
        return x + self.feed_forward(self.norm_2(x))
        ### END SOLUTION


# %% [markdown]
# **Predict:** we add noise to the last token. Which of the five outputs will change?

# %% tags=["not-graded"]
block, x = Block(4, 2, 16), torch.randn(1, 5, 4)
other = x.clone()
other[:, -1] += torch.randn(4)
print("changed:", ((block(other) - block(x)).abs() > 1e-6).any(-1).tolist())

# %%
check("build.block")

# %% [markdown]
# ## Several modules in a list
#
# A GPT has several blocks. If they are in a plain Python list, torch does not find their parameters, so the optimizer
# never trains them. `nn.ModuleList` is a list that torch does search.


# %%
class Stack(nn.Module):
    def __init__(self, layers):
        super().__init__()
        self.layers = layers


for container in (list, nn.ModuleList):
    stack = Stack(container([nn.Linear(2, 2), nn.Linear(2, 2)]))
    print(container.__name__, "·", len(list(stack.parameters())), "parameter tensors")

# %% [markdown]
# ## 4 · The GPT
#
# Finish `GPT(vocabulary_size, max_length, d_model, num_heads, num_layers, d_ff)`. Its `forward` takes ids of shape `(b, n)`,
# with n at most `max_length`, and returns logits of shape `(b, n, vocabulary_size)`. It uses these parts, in this order:
#
# | name | what it is |
# | --- | --- |
# | `tokens` (given) | `nn.Embedding`, one vector per token of the vocabulary |
# | `positions` (given) | `nn.Embedding`, one vector per position, added to the token's vector |
# | `blocks` | `nn.ModuleList` of `num_layers` blocks, one after the other |
# | `final_norm` | your `LayerNorm`, after the last block |
# | `output` | `nn.Linear` without bias, from `d_model` to the logits |
#
# `torch.arange(n, device=tokens.device)` gives the positions 0 to n − 1, on the device of the tokens: without the second
# argument, the model would fail on a GPU. The given lines also make the numbers in both tables small, as GPT-2 does; the end
# of this stage explains why.


# %% exercise="build.gpt" form="program" minutes=15 difficulty=3 builds=["embedding", "positions"]
class GPT(nn.Module):
    """A language model: for each token, logits for the next one."""

    def __init__(self, vocabulary_size, max_length, d_model, num_heads, num_layers, d_ff):
        super().__init__()
        self.tokens = nn.Embedding(vocabulary_size, d_model)
        self.positions = nn.Embedding(max_length, d_model)
        for table in (self.tokens, self.positions):
            nn.init.normal_(table.weight, std=0.02)  # random numbers with this standard deviation
        ### BEGIN SOLUTION
        self.blocks = nn.ModuleList(Block(d_model, num_heads, d_ff) for _ in range(num_layers))
        self.final_norm = LayerNorm(d_model)
        self.output = nn.Linear(d_model, vocabulary_size, bias=False)
        ### END SOLUTION

    def forward(self, tokens):
        ### BEGIN SOLUTION
        positions = torch.arange(tokens.shape[1], device=tokens.device)
        x = self.tokens(tokens) + self.positions(positions)
        for block in self.blocks:
            x = block(x)
        return self.output(self.final_norm(x))
        ### END SOLUTION


# %% tags=["not-graded"]
small = GPT(vocabulary_size=10, max_length=8, d_model=4, num_heads=2, num_layers=3, d_ff=16)
print(tuple(small(torch.tensor([[1, 2, 3], [4, 5, 6]])).shape))  # should be (2, 3, 10)

# %%
check("build.gpt")

# %% [markdown]
# ## 5 · The loss on held-out text
#
# How well does a model predict text that it does *not* train on? Write `estimate_loss(model, batches)`. `batches` is a list of
# pairs `(inputs, labels)` of any shapes `(b, n)`. Return the mean cross-entropy over all labels of all batches, as a plain
# number.
#
# * Measure in evaluation mode, `model.eval()`, which switches dropout off. Then put the model back into the mode it was in:
#   `model.training` is True or False, and `model.train(mode)` sets it.
# * `@torch.no_grad()` above `def` keeps torch from recording what is needed only for gradients.
# * `F.cross_entropy(…, reduction="sum")` sums instead of averaging, and `labels.numel()` counts labels.


# %% exercise="build.estimate_loss" form="program" minutes=8 difficulty=2 builds=["loss"]
@torch.no_grad()
def estimate_loss(model, batches):
    """The mean cross-entropy over all labels, in evaluation mode and without gradients."""
    ### BEGIN SOLUTION
    mode, total, count = model.training, 0.0, 0
    model.eval()
    for inputs, labels in batches:
        logits = model(inputs)
        total += F.cross_entropy(logits.flatten(0, 1), labels.flatten(), reduction="sum").item()
        count += labels.numel()
    model.train(mode)
    return total / count
    ### END SOLUTION


# %% tags=["not-graded"]
small.train()
pairs = [(torch.tensor([[1, 2, 3]]), torch.tensor([[2, 3, 4]]))]
print(estimate_loss(small, pairs), "· in training mode:", small.training)  # 2 to 3 (≈ ln 10) · True

# %%
check("build.estimate_loss")

# %% [markdown]
# ## One block, then three
#
# **Predict:** four heads alone reached about 3.27 bits per character. Will one block end near 3.2, near 2.9 or near 2.6? And
# how much lower will three blocks end: about 0.1, 0.3 or 0.6 bits? Training takes about 15 seconds for one block, and up to a
# minute for three. A slow computer needs several times as long.

# %% tags=["not-graded"]
text = python_docs()
sizes = {"d_model": ladder.D_MODEL, "num_heads": 4, "d_ff": 4 * ladder.D_MODEL}
all_sizes = {"vocabulary_size": len(CHARACTERS), "max_length": ladder.LENGTH, **sizes}
torch.manual_seed(0)
model = GPT(num_layers=1, **all_sizes)
print("before training:", repr(ladder.sample(model, 60)))
parts = {"get_batch": get_batch, "estimate_loss": estimate_loss, "held_out": text.test}
stage = stage_models.Stage("one block", model, train_step, text.train, ladder.STEPS, all_sizes)
if not stage.opened():
    with figures.live(ladder.steps(), "A GPT of one block learns") as watch:
        ladder.train(model, train_step, text.train, after_step=watch, **parts)
own = stage.keep(ladder.bits_per_character(model, text.test))

# %% [markdown]
# <!-- picture -->
# the loss of each training batch, in nats per character, and your estimate on held-out text. Both fall together: 600
# random batches add up to about the length of the text, so a good part of each batch is new to the model too. Now train three
# blocks.

# %% tags=["not-graded"]
torch.manual_seed(0)
model = GPT(num_layers=3, **all_sizes)
stage = stage_models.Stage("three blocks", model, train_step, text.train, ladder.STEPS, all_sizes)
if not stage.opened():
    with figures.live(ladder.steps(), "A GPT of three blocks learns") as watch:
        ladder.train(model, train_step, text.train, after_step=watch, **parts)
own = stage.keep(ladder.bits_per_character(model, text.test))

# %% [markdown]
# <!-- picture -->
# the loss of each training batch, and your estimate on held-out text.

# %% tags=["not-graded"]
print(ladder.sample(model, 400))

# %% tags=["not-graded"]
ax = figures.ladder(own, ladder.COURSE, ladder.GUESSING)

# %% [markdown]
# <!-- picture -->
# most of the gain comes with the first block. In so few steps, the other two add less. The sample now mixes real words with
# others that only look like words.
# <!-- end -->
#
# Now let all your models continue the same two words. (Samples are drawn at temperature 0.8, from the most probable characters
# whose probabilities add up to 0.9; see stage B7.)

# %% tags=["not-graded"]
stage_models.gallery()

# %% [markdown]
# `my_transformer.py` now holds a complete GPT.
#
# ## If you have time: without the residual connections
#
# The block below has the same parts and parameters as yours. But here the output of each sublayer *replaces* the stream.


# %%
class BlockWithoutResiduals(Block):
    def forward(self, x):
        y = self.norm_1(x)
        causal = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool, device=x.device).tril()
        x = self.attention(y, y, y, causal)
        return self.feed_forward(self.norm_2(x))


# %% [markdown]
# **Predict:** will three of these end near 2.5 (three blocks), near 3.3 (four heads), near 3.7 (the bigram table) or near 4.6?

# %% tags=["not-graded"]
torch.manual_seed(0)
bare = GPT(num_layers=3, **all_sizes)
bare.blocks = nn.ModuleList(BlockWithoutResiduals(**sizes) for _ in range(3))
stage = stage_models.Stage("three blocks, no residuals", bare, train_step, text.train, ladder.STEPS)
if not stage.opened():
    with figures.live(ladder.steps(), "The same without residual connections") as watch:
        ladder.train(bare, train_step, text.train, after_step=watch, **parts)
own = stage.keep(ladder.bits_per_character(bare, text.test))

# %% [markdown]
# <!-- picture -->
# the loss of each batch. It stops falling early, at a far higher level than before.

# %% tags=["not-graded"]
ax = figures.ladder(own, ladder.COURSE, ladder.GUESSING)
print(ladder.sample(bare, 100))

# %% [markdown]
# <!-- picture -->
# three blocks without residual connections do worse than the bigram table, which has about a fortieth of the parameters. We
# measured 4.60 bits for each of three seeds, the same as for a model that knows only how often each character occurs. Whatever
# a sublayer does not copy is lost, and the gradient has no direct way back to the tables (lesson 10).
#
# ## If you have time: why the tables start small
#
# By default, `nn.Embedding` draws numbers with standard deviation 1. Is it the *stream* that should start small, or the
# *numbers* that training changes? We trained one block from four random starts; in two rows, `forward` multiplies both tables:
#
# | tables | multiplied by | stream | bits per character |
# | --- | --- | --- | --- |
# | 0.02 | 1 | small | 2.54–2.57 |
# | 1 | 1 | large | 2.85–2.95 |
# | 1 | 0.02 | small | 2.85–2.97 |
# | 0.02 | 50 | large | 2.75–2.77 |
#
# The size of the numbers matters most, and that of the stream less: a step of Adam changes each number by at most about
# the learning rate, here 0.003, whatever its size. So, in proportion, small numbers change quickly, and large ones
# hardly at all. Change the 0.02 above, check, and train again.
