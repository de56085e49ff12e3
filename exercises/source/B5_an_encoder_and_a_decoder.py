# %% [markdown] minutes=75 lessons=["12", "13", "14"] stages=["B4"]
# # B5 · An encoder and a decoder
#
# **Where we stand.** Your GPT from stage B4 continues a text. A translator has to read one sequence and write another.
#
# **What is missing** is an encoder for the source, a decoder that looks at it through cross-attention, and the model around
# them. You write these under the names that the library uses. At the end, the weights of the course's translator are loaded
# into *your* class, and it translates 2,000 numbers that it has never seen.
#
# You need {lessons} and {stages}. The whole stage takes about {minutes} minutes.

# %%
import torch
from torch import nn

from transformer_course import models
from transformer_course.data import number_pairs
from transformer_course.decoding import greedy
from transformer_course.embedding import pad_right
from transformer_course.exercises import check
from transformer_course.models.recipes import columns
from transformer_course.my_transformer import FeedForward, LayerNorm, MultiHeadAttention
from transformer_course.training import exact_match
from transformer_course.weights import copy_weights

# %% [markdown]
# ## 1 · An encoder layer
#
# Every sublayer has the same things around it: a LayerNorm, dropout and a residual connection. You write them once, as
# `Residual`. It is called with `x` and with the sublayer, which is a function of one argument. `norm` says where the LayerNorm
# goes:
#
# | `norm` | returns |
# | --- | --- |
# | `"pre"` | x plus the sublayer's output for the *normalised* x |
# | `"post"` | x plus the sublayer's output for x itself, and then this *sum* normalised |
#
# Dropout is applied to the sublayer's output, before the sum: `self.dropout(…)`. `nn.Dropout` switches itself off in eval
# mode.
#
# `self.feed_forward` is already a function of one argument. Attention is not, so `lambda` turns it into one:
# `lambda y: self.self_attention(y, y, y, mask)`.
#
# `EncoderLayer` begins with `super().__init__()`, as always, and has four parts: `self_attention` and `feed_forward`, and the
# connections around them, `attention_residual` and `feed_forward_residual`. It is called with `x`, of shape `(b, n, d_model)`,
# and a mask or `None`, and returns a tensor of the same shape.
#
# Write `Residual.forward` and run the next cell. Then write `EncoderLayer`.


# %% exercise="build.encoder_layer" form="program" minutes=18 difficulty=2 builds=["encoder"]
class Residual(nn.Module):
    """A residual connection around a sublayer, with a LayerNorm before the sublayer or after the sum."""

    def __init__(self, d_model, dropout=0.0, norm="pre"):
        super().__init__()
        self.norm = LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.order = norm  # "pre" or "post"

    def forward(self, x, sublayer):
        ### BEGIN SOLUTION
        if self.order == "pre":
            return x + self.dropout(sublayer(self.norm(x)))
        return self.norm(x + self.dropout(sublayer(x)))
        ### END SOLUTION


class EncoderLayer(nn.Module):
    """Self-attention, then the feed-forward network, each with a residual connection."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, norm="pre"):
        ### BEGIN SOLUTION
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.attention_residual = Residual(d_model, dropout, norm)
        self.feed_forward_residual = Residual(d_model, dropout, norm)
        ### END SOLUTION

    def forward(self, x, mask=None):
        ### BEGIN SOLUTION
        x = self.attention_residual(x, lambda y: self.self_attention(y, y, y, mask))
        return self.feed_forward_residual(x, self.feed_forward)
        ### END SOLUTION


# %% [markdown]
# Here the sublayer returns 0, whatever its input. **Which of the two orders should give back 1, 2, 6 unchanged?**

# %% tags=["not-graded"]
for norm in ("pre", "post"):
    print(norm, Residual(3, norm=norm)(torch.tensor([[1.0, 2.0, 6.0]]), torch.zeros_like).tolist())

# %% [markdown]
# Now try the layer, with a mask that hides the last of four tokens as padding. We add noise to that token. **Which outputs
# should change?**

# %% tags=["not-graded"]
layer, x = EncoderLayer(4, 2, 16), torch.randn(1, 4, 4)
mask = torch.tensor([[[True, True, True, False]]])  # (b, 1, n)
other = x.clone()
other[:, -1] += torch.randn(4)
print("changed:", ((layer(other, mask) - layer(x, mask)).abs() > 1e-6).any(-1).tolist())

# %%
check("build.encoder_layer")

# %% [markdown]
# ## 2 · A decoder layer
#
# The decoder layer has three sublayers: self-attention, then cross-attention to the memory (the encoder's output), then the
# feed-forward network. Its parts are `self_attention`, `cross_attention`, `feed_forward`, `self_attention_residual`,
# `cross_attention_residual` and `feed_forward_residual`.
#
# It is called with `x`, of shape `(b, n, d_model)`, and `memory`, of shape `(b, m, d_model)`. `mask` is for the target's tokens, and
# `memory_mask` for the memory. Both may be `None`. A causal mask is *given*, so don't make one here.


# %% exercise="build.decoder_layer" form="program" minutes=12 difficulty=2 builds=["decoder"]
class DecoderLayer(nn.Module):
    """Self-attention, cross-attention to the memory, and the feed-forward network, each with a residual connection."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, norm="pre"):
        ### BEGIN SOLUTION
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads)
        self.cross_attention = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.self_attention_residual = Residual(d_model, dropout, norm)
        self.cross_attention_residual = Residual(d_model, dropout, norm)
        self.feed_forward_residual = Residual(d_model, dropout, norm)
        ### END SOLUTION

    def forward(self, x, memory, mask=None, memory_mask=None):
        ### BEGIN SOLUTION
        x = self.self_attention_residual(x, lambda y: self.self_attention(y, y, y, mask))
        attend = self.cross_attention
        x = self.cross_attention_residual(x, lambda y: attend(y, memory, memory, memory_mask))
        return self.feed_forward_residual(x, self.feed_forward)
        ### END SOLUTION


# %% [markdown]
# The target has five tokens, the memory three, and the mask is causal. We change the *third* target token, and then the *last*
# token of the memory. **Which of the five outputs should change in each case?**

# %% tags=["not-graded"]
layer, x, memory = DecoderLayer(4, 2, 16), torch.randn(1, 5, 4), torch.randn(1, 3, 4)
causal = torch.ones(5, 5, dtype=torch.bool).tril()
plain = layer(x, memory, causal)
for name, tensor, place in (("target", x, 2), ("memory", memory, 2)):
    tensor[:, place] += torch.randn(4)
    changed = ((layer(x, memory, causal) - plain).abs() > 1e-6).any(-1)
    print(f"{name} changed:", changed.tolist())
    plain = layer(x, memory, causal)

# %%
check("build.decoder_layer")

# %% [markdown]
# ## 3 · From ids to vectors
#
# `TextInput(vocabulary_size, d_model, dropout)` turns ids `(b, n)` into vectors `(b, n, d_model)`: each token's row of the
# table, times √d_model, plus the sine waves of its position, and then dropout. In the course's weights, the table is called
# `embedding.table`; `nn.ParameterDict`, a dictionary that torch searches for parameters, gives it that name. The sine waves
# are computed on every call, on the CPU: `.to(x)` gives a tensor the device and the dtype of x.


# %% exercise="build.text_input" form="program" minutes=6 difficulty=1 builds=["embedding", "positions"]
def sine_waves(n, d_model):
    """Alternating sines and cosines for the positions 0 to n - 1: (n, d_model)."""
    even = torch.arange(0, d_model, 2)
    angles = torch.arange(n)[:, None] / 10_000 ** (even / d_model)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


class TextInput(nn.Module):
    """Ids to vectors: rows of a table, scaled by the square root of d_model, plus sine waves for the positions."""

    def __init__(self, vocabulary_size, d_model, dropout=0.0):
        super().__init__()
        table = torch.randn(vocabulary_size, d_model) / d_model**0.5
        self.embedding = nn.ParameterDict({"table": table})
        self.d_model = d_model
        self.dropout = nn.Dropout(dropout)

    def forward(self, tokens):
        ### BEGIN SOLUTION
        x = self.embedding.table[tokens] * self.d_model**0.5
        return self.dropout(x + sine_waves(tokens.shape[1], self.d_model).to(x))
        ### END SOLUTION


# %% tags=["not-graded"]
print(TextInput(10, 4)(torch.tensor([[7, 7, 7], [1, 2, 3]])))  # are the first three rows the same?

# %%
check("build.text_input")

# %% [markdown]
# ## 4 · The shift
#
# In training, the decoder gets the correct prefix at each position and predicts the next token (lesson 14 and its sheet).
# Write `shift(targets, begin)` for a tensor of ids, `(b, n)`. It returns `inputs, labels`, two tensors of ids of the same
# shape. The inputs start with `begin`.


# %% exercise="build.shift" form="program" minutes=4 difficulty=1
def shift(targets, begin=1):
    """Inputs and labels for teacher forcing: each input is the token before its label."""
    ### BEGIN SOLUTION
    first = torch.full_like(targets[:, :1], begin)
    return torch.cat([first, targets[:, :-1]], dim=1), targets
    ### END SOLUTION


# %% tags=["not-graded"]
print(shift(torch.tensor([[7, 8, 2], [9, 2, 0]])))  # 1 is <begin>, 2 is <end>, 0 is <pad>

# %%
check("build.shift")

# %% [markdown]
# ## 5 · The whole Transformer
#
# `Stack` has `num_layers` layers and a final norm (with post-norm, an `nn.Identity`, which returns its input). Write
# its `forward`, which passes `x` through one layer after another and gives each layer all the `others`: the mask in an encoder;
# the memory and two masks in a decoder.
#
# `Transformer(config)` has five parts:
#
# | name | what it is |
# | --- | --- |
# | `source`, `target` | `TextInput`, one for each vocabulary: `self.source(ids)` gives vectors |
# | `encoder`, `decoder` | a `Stack` of encoder layers, and one of decoder layers |
# | `output` | `nn.Linear` without bias, from `d_model` to the logits |
#
# In the `__init__` of `Transformer`, only **tying** is missing: if `config.tied` is true, the output layer's `weight` should
# *be* the target's table, the same object. Then write the three methods:
#
# * `encode(source)` returns two things: the memory, and the mask that hides padding, `(b, 1, m)`. Padding has id 0.
# * `decode(target, memory, memory_mask)` returns logits, `(b, n, v)`. It makes the causal mask.
# * `forward(source, target)` encodes, then decodes. `target` is already shifted.


# %% exercise="build.transformer" form="program" minutes=20 difficulty=3
class Stack(nn.Module):
    """Layers, one after another, and a final norm."""

    def __init__(self, layer, config):
        super().__init__()
        sizes = config.d_model, config.num_heads, config.d_ff, config.dropout, config.norm
        self.layers = nn.ModuleList(layer(*sizes) for _ in range(config.num_layers))
        final = config.norm == "pre" if config.final_norm is None else config.final_norm
        self.norm = LayerNorm(config.d_model) if final else nn.Identity()

    def forward(self, x, *others):
        ### BEGIN SOLUTION
        for layer in self.layers:
            x = layer(x, *others)
        return self.norm(x)
        ### END SOLUTION


class Transformer(nn.Module):
    """From a source and the target so far to logits for the next token at each position."""

    def __init__(self, config):
        super().__init__()
        self.config = config
        size = config.target_vocabulary_size or config.vocabulary_size
        self.source = TextInput(config.vocabulary_size, config.d_model, config.dropout)
        self.target = TextInput(size, config.d_model, config.dropout)
        if config.target_vocabulary_size is None:  # one vocabulary, and so one table
            self.target.embedding = self.source.embedding
        self.encoder = Stack(EncoderLayer, config)
        self.decoder = Stack(DecoderLayer, config)
        self.output = nn.Linear(config.d_model, size, bias=False)
        ### BEGIN SOLUTION
        if config.tied:
            self.output.weight = self.target.embedding.table
        ### END SOLUTION

    def encode(self, source):
        ### BEGIN SOLUTION
        mask = (source != 0).unsqueeze(1)
        return self.encoder(self.source(source), mask), mask
        ### END SOLUTION

    def decode(self, target, memory, memory_mask=None):
        ### BEGIN SOLUTION
        n = target.shape[1]
        causal = torch.ones(n, n, dtype=torch.bool, device=target.device).tril()
        return self.output(self.decoder(self.target(target), memory, causal, memory_mask))
        ### END SOLUTION

    def forward(self, source, target):
        ### BEGIN SOLUTION
        return self.decode(target, *self.encode(source))
        ### END SOLUTION


# %% [markdown]
# Try it with the config of the course's translator. The model gets the same source twice: without padding, and with three
# `<pad>` tokens after it. **Should the logits differ?**

# %% tags=["not-graded"]
shipped, vocabularies = models.load("translator")
model, target = Transformer(shipped.config).eval(), torch.tensor([[1, 5, 6]])
logits, padded = (model(torch.tensor([[4, 5, *[0] * k]]), target) for k in (0, 3))
print(tuple(logits.shape), "largest difference:", round((logits - padded).abs().max().item(), 4))

# %%
check("build.transformer")

# %% [markdown]
# ## Trained weights in your class
#
# The course's translator turns English number words into Chinese numerals. Your class has the same parameter names and shapes,
# so `copy_weights` can copy every number into it. After that, the library's model is no longer used.

# %% tags=["not-graded"]
copy_weights(model, dict(shipped.named_parameters()))
numbers = number_pairs().test
sources, targets = columns(numbers, *vocabularies.values())
for number in (0, 1, 2):
    (ids,) = greedy(model, pad_right(sources[number : number + 1]), 20)
    print(*numbers[number][0], "→", "".join(vocabularies["target"].decode(ids)))

# %% [markdown]
# These three are among 2,000 test numbers, none of which was in the translator's training data. The library's model translates
# 1,993 of them exactly. **Predict:** how many will your class translate? The next cell takes about 15 seconds, because your
# decoder computes the whole prefix again for every new token.

# %% tags=["not-graded"]
share = exact_match(model, sources, targets)
print(f"{share:.2%} of {len(sources):,} unseen numbers")

# %% [markdown]
# 1,993 of 2,000 is 99.65%. If your number is the same, your encoder, decoder, masks and positions almost certainly compute
# what the library's do.
#
# What if the weights come from a different model? Here they do not fit, and nothing is copied:

# %% tags=["not-graded"]
dates, _ = models.load("dates")
try:
    copy_weights(model, dict(dates.named_parameters()))
except ValueError as error:
    print(error)

# %% [markdown]
# `my_transformer.py` now holds a complete Transformer, and lesson 15 trains yours in place of the library's. In stage B6 you
# train it yourself, and keep its weights.
