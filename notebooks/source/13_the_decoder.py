# %% [markdown]
# # 13 · The decoder: what may a word know while it is being written?
#
# The encoder of lesson 12 reads a sentence that lies there complete. The decoder writes one that is not there yet. It works
# with what you have: attention, the feed-forward network, residuals, norms. What is new is who looks at whom. You compute
# the look across to the source by hand, put a layer together, take its mask away and see what that costs, and then test a
# table and two memory aids of note 5 against the code.
#
# About 30 minutes. Afterwards you can
#
# * build a decoder layer, say where its queries, keys and values come from, and give every shape in it;
# * read off an influence map what a place knows of the target and of the source;
# * show what goes wrong without the mask, and say which kind of layer a GPT is made of.

# %% [markdown]
# **Recall** (click an answer to see what it leads to).
#
# *A source of five words has gone through the encoder. What comes out?* (lesson 12)
# <details><summary>One vector for the whole sentence</summary>One for each token. The decoder can pick among them.</details>
# <details><summary>Five vectors, each of which depends on all five words</summary>Yes: there is no mask but the one for
# padding. Today these five are what the decoder looks at.</details>
# <details><summary>Five vectors, each of which depends on the words before it</summary>That would be a causal mask. The
# encoder has none: the sentence is there as a whole.</details>

# %% [markdown]
# *What does a sublayer with a residual connection hand on?* (lesson 10)
# <details><summary>What it made</summary>Then whatever it did not copy would be lost.</details>
# <details><summary>What it read, plus what it made</summary>Yes, and with post-norm the sum is normalised.</details>
# <details><summary>The mean of the two</summary>It is a plain sum.</details>

# %% [markdown]
# *A text starts with `<begin>`. What for?* (lesson 06)
# <details><summary>So that there is something to look at before the first word is written</summary>Yes. At that place the
# first word is asked for.</details>
# <details><summary>It brings all texts to one length</summary>That is padding, `<pad>`.</details>
# <details><summary>It stands for words that are not in the vocabulary</summary>That is `<unknown>`.</details>

# %%
import math

import numpy as np
import torch
from torch import nn

from transformer_course import figures, models
from transformer_course.config import StackConfig
from transformer_course.embedding import pad_right
from transformer_course.exercises import reply
from transformer_course.experiments.anatomy import watch
from transformer_course.experiments.sorting import commonest_digits, task, train_sorter
from transformer_course.inspection import attention_maps, count_parameters, influence
from transformer_course.layers import EncoderLayer
from transformer_course.masks import causal_mask
from transformer_course.transformer import Decoder

torch.set_num_threads(1)
torch.manual_seed(0)


def softmax(scores):
    exponentials = np.exp(scores - scores.max(-1, keepdims=True))
    return exponentials / exponentials.sum(-1, keepdims=True)


# %% [markdown]
# ## Where we are

# %% tags=["S29"]
attentions = ["decoder self-attention", "cross-attention"]
norms = [f"decoder add & norm {k}" for k in (1, 2, 3)]
lit = [*attentions, "decoder feed-forward", *norms]
ax = figures.architecture(*lit, title="The decoder's layer")

# %% [markdown]
# **In the picture:** the lit boxes are today's. There are three sublayers, each with its residual and norm. The lowest one and
# the highest one you know from the encoder on the left, but for the word "masked". The one in the middle gets two arrows: one
# from below, and one from the top of the encoder.
#
# Note 3 draws this too. In its chart the first two sublayers stand side by side, and the feed-forward network below them. Read
# it as one after the other: first the target's own tokens, then the source, then each token by itself.

# %% [markdown]
# ## A look across, by hand
#
# Start with the new box. The encoder has left a memory (lesson 12), one vector for each of three source tokens: $M$. The
# target so far has two tokens, and $Y$ is their stream.

# %%
M = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])  # one row for each source token
Y = np.array([[1.0, 0.0], [0.0, 2.0]])  # one row for each target token so far

# %% [markdown]
# **Cross-attention** is the attention that you know, fed from two places. **Queries come from the decoder; keys and values
# come from the memory.** With identity matrices for W_Q, W_K and W_V, the first target token scores 1, 0 and 1 with the three
# source tokens.
#
# **Your turn, on paper**, for the second target token, [0, 2], with $\sqrt{d_k} = \sqrt 2$:
#
# | | source 1 | source 2 | source 3 |
# | --- | --- | --- | --- |
# | scores | 0 | ____ | ____ |
# | scores / √2 | 0 | ____ | ____ |
#
# <details><summary>Compare</summary>2 and 2, so 1.4142 and 1.4142. Their weights you know from lesson 05: 0.1084, 0.4458,
# 0.4458.</details>


# %% tags=["S18"]
def attend(queries_from, keys_and_values_from):
    scores = queries_from @ keys_and_values_from.T / math.sqrt(2)
    return softmax(scores) @ keys_and_values_from


weights = softmax(Y @ M.T / math.sqrt(2))
print("weights", weights.shape, *weights.round(4), sep="\n")
print("output", attend(Y, M).shape, *attend(Y, M).round(4), sep="\n")

# %% [markdown]
# Two queries, three keys: the weights are $n \times m = 2 \times 3$, no longer square. Each *target* token gets one row of
# output, a mixture of *source* vectors.
#
# **Predict.** Somebody mixes the two up: queries from the memory, keys and values from the decoder. What happens?
#
# * `"a"`: attention stops with an error, since 3 tokens cannot be compared with 2
# * `"b"`: the weights come out transposed, and the output is the same
# * `"c"`: attention runs; only when its output is added to the stream does an error come

# %%
guess = ...

# %% tags=["S18"]
swapped = attend(M, Y)
print("output", swapped.shape)
try:
    Y + swapped
except ValueError:
    print("stream", Y.shape, "+ output", swapped.shape, "do not fit")

# %%
reply("13.swapped", guess)

# %% [markdown]
# So here the residual is what tells you. And where the target happens to be as long as the source, nobody does:

# %% tags=["S18"]
of_two = M[1:]  # a source of two tokens
print("right:\n", (Y + attend(Y, of_two)).round(4))
print("swapped:\n", (Y + attend(of_two, Y)).round(4))

# %% [markdown]
# Two tables of the same shape, and no error. When you test a decoder, **let n and m differ.**

# %% [markdown]
# ## The layer, step by step
#
# Now the whole layer, with six target tokens, four source tokens, width 8 and two heads. We take the parts from torch, which
# has such a layer, `nn.TransformerDecoderLayer`, with post-norm. Parts alone say nothing of who is fed from where, and in
# which order. That we do ourselves, and then compare with torch's whole.

# %% tags=["S16"]
parts = nn.TransformerDecoderLayer(8, 2, dim_feedforward=16, dropout=0.0, batch_first=True)
y, memory = torch.randn(1, 6, 8), torch.randn(1, 4, 8)  # target and source, a batch of one
hidden = ~causal_mask(6)  # torch's module wants True where a token may *not* look (lesson 04)

own, own_weights = parts.self_attn(y, y, y, attn_mask=hidden)
y_1 = parts.norm1(y + own)
print("1 masked self-attention: weights", *own_weights.shape[1:], " stream", *y_1.shape[1:])

# %% tags=["S16", "S18"]
found, cross_weights = parts.multihead_attn(y_1, memory, memory)  # queries, keys, values
y_2 = parts.norm2(y_1 + found)
print("2 cross-attention:       weights", *cross_weights.shape[1:], " stream", *y_2.shape[1:])

# %% tags=["S16"]
y_3 = parts.norm3(y_2 + parts.linear2(torch.relu(parts.linear1(y_2))))
print("3 feed-forward network:                stream", *y_3.shape[1:])
whole = parts(y, memory, tgt_mask=hidden)
print("torch's whole layer gives the same:", torch.allclose(whole, y_3, atol=1e-6))

# %% [markdown]
# Three times the same sentence: *norm of (what was read + what was made of it)*. The stream stays (6, 8) throughout. The
# memory is read in the middle, and nothing is ever written to it. A stack of such layers hands its stream from one to the
# next, while **each of them looks at the same memory**, the encoder's final output (lesson 12). The library's `DecoderLayer`
# and `Decoder` do the same; their tests hold them to torch's in values and gradients.

# %% [markdown]
# ## Who knows what?
#
# We stack two layers, and ask `influence` (lesson 04): which of the six outputs move when one target token is changed?
# The mask says that it must be a triangle, and for one attention you have seen it. But now there are two layers, each with
# three sublayers, and the second attention has no such mask.
#
# Note 2 says here that this self-attention is the encoder's once more, and nothing of a mask. In the encoder, only padding is
# hidden. So beside our decoder we put the one that note 2 describes: same weights, no mask.

# %%
decoder = Decoder(StackConfig(d_model=8, num_heads=2, num_layers=2, d_ff=16, dropout=0.0))


def of_target(mask):
    """Which output moves with which target token."""
    moved = influence(lambda target: decoder(target[None], memory, mask)[0], y[0]) != 0
    return moved.float()


# %% tags=["S16", "E12"]
left, right = figures.panels(2)
inputs, outputs = [f"in {k + 1}" for k in range(6)], [f"out {k + 1}" for k in range(6)]
maps = {"Masked": causal_mask(6), "As note 2 says": None}
for ax, (title, mask) in zip((left, right), maps.items(), strict=True):
    figures.heatmap(of_target(mask), outputs, inputs, title, digits=0, ax=ax)

# %% [markdown]
# **In the picture:** 1 and dark: the output moves with that token. On the left, the triangle: through two layers and six
# sublayers, **each place knows itself and what stands before it, and nothing after.** On the right each output knows every
# token of the target, also the ones that are still to be written.
#
# Now the other input. The source has four tokens.
#
# **Predict.** The *last* source token is changed. Which of the six outputs move?
#
# * `"a"`: all six
# * `"b"`: outputs 4, 5 and 6: earlier places do not look that far
# * `"c"`: output 6 alone, since it comes last too

# %%
guess = ...


# %% tags=["S16", "S18"]
def of_source(memory_mask):
    """Which output moves with which source token."""

    def reads(source):
        return decoder(y, source[None], causal_mask(6), memory_mask)[0]

    return (influence(reads, memory[0]) != 0).float()


print(of_source(None).int())

# %%
reply("13.source", guess)

# %% [markdown]
# As a picture; and beside it the same when the fourth token is padding:

# %% tags=["S16", "S18"]
real = torch.tensor([[[True, True, True, False]]])  # (b, 1, m): the fourth token is padding
left, right = figures.panels(2)
sources = [f"src {k + 1}" for k in range(4)]
ax = figures.heatmap(of_source(None), outputs, sources, "All four are words", digits=0, ax=left)
ax = figures.heatmap(of_source(real), outputs, sources, "The fourth is padding", digits=0, ax=right)

# %% [markdown]
# **In the picture:** a row for each output, a column for each source token. On the left everything is dark: each place, the
# first one included, knows the whole source. On the right the fourth token is padding, and the source's padding mask keeps it
# out for all places alike. It has to be handed to cross-attention as well: the encoder's own mask does not help here, since
# padding has vectors in the memory too.
#
# Both maps together are the answer to this lesson's question: **all of the source, and of the target what stands up to here.**

# %% [markdown]
# ## What the mask is worth
#
# Is it so bad to know too much? A small task. The source is six random digits, the target the same digits in order, smallest
# first. A single decoder layer is to learn it; the memory is simply the source's embedding. While it is trained, the whole
# target stands at its input, one place later, behind a `<begin>`, here `B` (more on that in lesson 14):

# %%
source, shown, wanted = (rows[0].tolist() for rows in task(1, seed=0))
print("source", *source)
print("shown ", "B", *shown[1:])
print("wanted", *wanted)

# %% [markdown]
# Each place is asked for the digit below it in this print, all six at once.
#
# We train with the mask and without it, three seeds each, and measure on 500 new rows in two ways. *Shown*: as above, with the
# right digits at the input. *Alone*: the model starts from `B` and writes; each digit that it writes joins its input, and
# nothing else is there. For comparison, someone who never looks at the source, and writes at each place the digit that is
# commonest there:

# %%
print(f"without a look at the source: {commonest_digits().mean():.0%} of the digits are right")

# %% [markdown]
# **Predict.** The models *without* mask, alone: how many digits do they get right?
#
# * `"a"`: nearly all: the source is still there to be read
# * `"b"`: none: each one needs the digit that comes after it
# * `"c"`: between a fifth and a half of them

# %%
guess = ...

# %% tags=["E12"]
masked = [train_sorter(causal=True, seed=seed) for seed in range(3)]
without = [train_sorter(causal=False, seed=seed) for seed in range(3)]
for name, runs in (("with the mask", masked), ("without it", without)):
    print(f"{name:14}", "shown, above 0.95:", [bool(run.shown.mean() > 0.95) for run in runs])
    print(f"{'':14}", "alone, above 0.9:  ", [bool(run.alone.mean() > 0.9) for run in runs])
print("without it, alone, below 0.6:     ", [bool(run.alone.mean() < 0.6) for run in without])

# %%
reply("13.alone", guess)

# %% tags=["E12"]
left, right = figures.panels(2, 5.0)
for ax, name, part in ((left, "Shown", "shown"), (right, "Alone", "alone")):
    lines = {"with the mask": [getattr(run, part) for run in masked]}
    lines["without"] = [getattr(run, part) for run in without]
    lines["never reads the source"] = commonest_digits()
    figures.curves(np.arange(1, 7), lines, name, "place", "share right", ax=ax)

# %% [markdown]
# **In the picture:** digits right at each place; lines are the middle of three seeds, bands go from the least to the most. On
# the left, with the target shown, all are near 1. On the right each model is by itself. The one with the mask goes on as
# before. The other falls, on two seeds below the line of the one who never reads the source; only the last digit stays right.
#
# What has it learned instead? Its self-attention tells. Here is the weight that places 1 to 5 give to the place after their
# own, where the answer stands, as long as somebody else has written it:

# %% tags=["E12"]
source, shown, _ = task(500, seed=2)
for run in without:
    with torch.no_grad(), attention_maps(run.model) as maps:
        run.model(source, shown)
    ahead = maps["layer.self_attention"].mean((0, 1)).diagonal(1)
    print("to the next place, at least 0.9:", bool(ahead.min() > 0.9))

# %% [markdown]
# It copies. Alone, nothing stands there yet. And at the last place there never was a next one, so there it had to learn to
# read the source.
#
# **A decoder without mask sits an exam with the answers on the table.** Its marks are excellent and say nothing. (Where that
# breaks: nobody cheats. The model does just what it was trained to do.) So note 2 is wrong here, and not in a detail: same
# parts, same shapes, and one argument that decides. How much harm it does depends on the task; we chose one in which peeking is
# easier than the work.

# %% [markdown]
# ## Three kinds of attention in one model
#
# Now a trained model with everything: the translator from English number words to Chinese numerals, two layers each side. It
# writes *twelve thousand three hundred* as 一万二千三百: 一 is 1, 万 is 10,000, 二 is 2, 千 is 1,000, 三 is 3, 百 is 100. We
# look at the last layers, averaged over their four heads.

# %% tags=["S16", "S18"]
translator, vocabularies = models.load("translator")
english, chinese = vocabularies["source"], vocabularies["target"]
words, numerals = ["twelve", "thousand", "three", "hundred"], list("一万二千三")
source = pad_right([english.encode(words)])
target = torch.tensor([[chinese.begin, *chinese.encode(numerals)]])
with torch.no_grad(), attention_maps(translator) as maps:
    logits = translator(source, target)
print("asked for next:", *chinese.decode(logits[0].argmax(-1).tolist()))

# %% tags=["S16", "S18"]
written = ["begin", "1", "10,000", "2", "1,000", "3"]
kinds = {
    "encoder.layers.1.self_attention": ("Encoder: self", words, words),
    "decoder.layers.1.self_attention": ("Decoder: masked self", written, written),
    "decoder.layers.1.cross_attention": ("Decoder: cross", written, words),
}
for ax, (name, (title, rows, columns)) in zip(
    figures.panels(3, 4.6, 4.2), kinds.items(), strict=True
):
    figures.heatmap(maps[name][0].mean(0), rows, columns, title, digits=2, ax=ax)
    ax.tick_params(axis="x", rotation=40)

# %% [markdown]
# **In the picture:** rows look, columns are looked at. Left, the encoder: words look at words, on both sides of the diagonal.
# Middle, the decoder's self-attention: numerals look at numerals, and nothing lies above the diagonal. Right,
# cross-attention, six rows and four columns: numerals look at words, and any word may be looked at, by the first row too.
#
# Read the right map from the top. At *begin*, where 一 is to be written, nearly everything goes to *twelve*. Where 二 comes next
# (row 10,000) it is *twelve* again: one English word holds both digits. For 三 (row 1,000) it is *three*. Where a unit comes
# next, weights are spread wider. Nobody gave the model such a list of pairs; it was trained on whole translations. (One
# sentence, one layer. How far such maps can be trusted: lessons 15 and 20.)

# %% [markdown]
# ## Note 5's table, rebuilt from the code
#
# Note 5 ends in a table of encoder and decoder. It need not be believed. We list the parts of one layer of each side, and
# `watch` notes with what each attention is called while the translator runs on a batch of two sources, one of them padded.

# %% tags=["S26"]
batch = pad_right([english.encode(words), english.encode(["three", "hundred"])])
seen = {call.name: call for call in watch(translator, batch, target.repeat(2, 1))}
for side in ("encoder", "decoder"):
    print(side)
    for name, part in getattr(translator, side).layers[0].named_children():
        call = seen.get(f"{side}.layers.0.{name}")
        fed = "the same tokens" if call and call.same else "other tokens"
        how = f"{call.queries} × {call.keys}, keys from {fed}, mask: {call.mask}" if call else ""
        print(f"   {type(part).__name__:19}{how}".rstrip())

# %% tags=["S26"]
for side in ("encoder", "decoder"):
    print(side, count_parameters(getattr(translator, side).layers[0]))

# %% [markdown]
# | | encoder layer | decoder layer |
# | --- | --- | --- |
# | attention 1 | self, keys from the same tokens; mask: padding | self, keys from the same tokens; mask: causal |
# | attention 2 | none | cross: queries from the stream, keys and values from the memory; mask: the *source's* padding |
# | feed-forward | yes | yes, the same size (with weights of its own) |
# | residual and norm | 2 | 3 |
#
# Note 5's table says the same, and it is right. Two things it leaves out, and the code shows them: the padding masks; and that
# a decoder layer is a third larger, by one attention and one norm.

# %% [markdown]
# ## Two memory aids, and where they fail
#
# Below its table, note 5 gives a motto to remember each side by. In our words: the encoder *reads the whole sentence*, and the
# decoder *writes, and looks back at what the encoder tells it*. Such mottos stick. So we test what follows from them.
#
# Lesson 18 is about GPT. It writes, and people call it a "decoder-only" model. This course ships a small one.
#
# **Predict.** Of which layers is it made?
#
# * `"a"`: decoder layers, in which the text so far serves as memory
# * `"b"`: encoder layers, with a causal mask
# * `"c"`: decoder layers, with a cross-attention that is there and never called

# %%
guess = ...

# %% tags=["S26"]
gpt, letters = models.load("gpt-pre")
text = torch.tensor([letters["text"].encode("LATIN SMALL LETTER A")])
calls = watch(gpt, text)
print({type(layer).__name__ for layer in gpt.stack.layers})
print("attentions:", len(calls), " fed from elsewhere:", sum(not call.same for call in calls))
print("masks:", {call.mask for call in calls})

# %%
reply("13.gpt", guess)

# %% [markdown]
# So the decoder's aid fails on GPT: **it writes, and there is no encoder to look back at.** The encoder's aid fails on the
# same model, from the other side: a layer of the encoder's kind need not read the whole sentence. One layer, one set of
# weights, two masks:

# %% tags=["S26", "E12"]
layer = EncoderLayer(8, 2, 16, norm="post")
left, right = figures.panels(2)
for ax, title, mask in ((left, "no mask", None), (right, "causal mask", causal_mask(6))):
    moves = influence(lambda x, mask=mask: layer(x[None], mask)[0], y[0]) != 0
    figures.heatmap(moves.float(), outputs, inputs, f"Encoder layer, {title}", digits=0, ax=ax)

# %% [markdown]
# **In the picture:** the same layer with the same weights. Without a mask it reads the whole sentence; with a causal one each
# place knows only what stands up to it. What the motto says about the *box* is decided by the *mask*.
#
# And the word "back" leads astray twice. Into the source, the decoder looks at everything, also at what lies further on (the
# dark map further up, and *begin* had all four words to choose from). And into its own text it looks back *and at itself*: the
# diagonal is dark. Keep instead what the maps show: **target up to here, source whole.** (And that fails too where there is no
# source. An aid is for remembering what you have checked.)

# %% [markdown]
# ## Before you go
#
# *A target of 7 tokens and a source of 5, one head. Which shapes have the weights in the decoder's first and second
# attention?*
# <details><summary>7 × 7 and 7 × 5</summary>Yes: target tokens ask in both; in the second, source tokens answer.</details>
# <details><summary>7 × 7 and 5 × 7</summary>Then source tokens would ask, and the result would have five rows, which cannot
# be added to a stream of seven.</details>
# <details><summary>7 × 5 and 7 × 5</summary>The first attention is among the target's own tokens.</details>

# %% [markdown]
# *A new translator has nearly no errors in training, measured with the right target at its input. Alone it writes nonsense.
# What do you look at first?*
# <details><summary>The causal mask: the influence map of its decoder</summary>Yes. Anything above the diagonal is an answer
# that lies on the table.</details>
# <details><summary>The learning rate</summary>It learned well enough what it was asked: perhaps to copy.</details>
# <details><summary>The encoder</summary>If the memory told nothing, training errors would be high too, unless the target
# can be peeked at.</details>

# %% [markdown]
# **What may a word know while it is being written?** All of the source, through cross-attention, whose queries come from the
# decoder and whose keys and values come from the encoder's final output; and of the target what is written so far, through
# self-attention with a causal mask: nothing that comes after.
