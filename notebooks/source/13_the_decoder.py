# %% [markdown]
# # 13 · The decoder: what may a word know while it is being written?
#
# The encoder of lesson 12 had an easy job: the whole sentence was there from the start. The decoder has to write one that does
# not exist yet. It uses parts you already know: attention, a feed-forward network, residual connections and LayerNorm. What
# changes is which tokens look at which. In this lesson you compute cross-attention by hand, build a decoder layer, remove its
# mask to see what breaks, and check a table and two slogans from note 5 against running code.
#
# About 30 minutes. By the end, you will be able to
#
# * build a decoder layer, say where its queries, keys and values come from, and give the shape of every tensor in it;
# * use an influence map to tell which target and source tokens a position can see;
# * show what goes wrong without the causal mask, and say which parts of a decoder layer remain in a GPT.

# %%
import math

import numpy as np
import torch
from torch import nn

from transformer_course import figures, models
from transformer_course.config import StackConfig
from transformer_course.embedding import pad_right
from transformer_course.exercises import ask, predict, reveal
from transformer_course.experiments.anatomy import attention_calls
from transformer_course.experiments.sorting import majority_baseline, sorting_data, train_sorter
from transformer_course.inspection import attention_maps, count_parameters, perturbation_map
from transformer_course.layers import DecoderLayer, EncoderLayer
from transformer_course.masks import causal_mask
from transformer_course.transformer import Decoder

torch.set_num_threads(1)
torch.manual_seed(0)


def softmax(scores):
    exponentials = np.exp(scores - scores.max(-1, keepdims=True))
    return exponentials / exponentials.sum(-1, keepdims=True)


# %% [markdown]
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %%
ask("13.recall")

# %% [markdown]
# ## Where we are

# %% tags=["S29"]
attentions = ["decoder self-attention", "cross-attention"]
norms = [f"decoder add & norm {k}" for k in (1, 2, 3)]
lit = [*attentions, "decoder feed-forward", *norms]
ax = figures.architecture(*lit, title="The decoder's layer")

# %% [markdown]
# **In the picture:** the lit boxes are today's. There are three sublayers, each with its residual connection and norm. The
# lowest one and the highest one you know from the encoder on the left, but for the word "masked". The one in the middle gets
# two arrows: one from below, and one from the top of the encoder.
#
# Note 3 draws the first two sublayers side by side. Read them one after the other: first the target's own tokens, then the
# source, then each token by itself.

# %% [markdown]
# ## Cross-attention by hand
#
# Start with the new box. The encoder has produced the memory $M$ (lesson 12), with one vector for each of three source tokens:
# [1, 0], [0, 1] and [1, 1]. The target has two tokens so far, [1, 0] and [0, 2]; $Y$ is their residual stream.
#
# **Cross-attention** is the attention you know, with two inputs instead of one. **The queries come from the decoder; the keys
# and values come from the memory.** Let W_Q, W_K and W_V be identity matrices. Then the first target token scores 1, 0 and 1
# against the three source tokens.
#
# **Your turn, on paper.** Do the same for the second target token, [0, 2], with $\sqrt{d_k} = \sqrt 2$:
#
# | | source 1 | source 2 | source 3 |
# | --- | --- | --- | --- |
# | scores | 0 | ____ | ____ |
# | scores / √2 | 0 | ____ | ____ |
#
# <details><summary>Compare</summary>Both missing scores are 2, or 1.4142 after scaling. You know the weights from lesson 05:
# 0.1084, 0.4458, 0.4458.</details>

# %% tags=["S18"]
M = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])  # one row for each source token
Y = np.array([[1.0, 0.0], [0.0, 2.0]])  # one row for each target token so far


def attend(queries_from, keys_and_values_from):
    scores = queries_from @ keys_and_values_from.T / math.sqrt(2)
    return softmax(scores) @ keys_and_values_from


weights = softmax(Y @ M.T / math.sqrt(2))
print("weights", weights.shape, *weights.round(4), sep="\n")
print("output", attend(Y, M).shape, *attend(Y, M).round(4), sep="\n")

# %% [markdown]
# Two queries and three keys give a weight matrix of shape $n \times m = 2 \times 3$, which is no longer square. Each *target*
# token gets one row of output: a weighted average of the *source* vectors.

# %%
predict("13.swapped")

# %% tags=["S18"] jupyter={"source_hidden": true}
swapped = attend(M, Y)
print("output", swapped.shape)
try:
    Y + swapped
except ValueError:
    print("stream", Y.shape, "+ output", swapped.shape, "do not fit")
reveal("13.swapped")

# %% [markdown]
# This time the residual connection catches the mistake. But if the source and target happen to have the same length, nothing
# does:

# %% tags=["S18"]
of_two = M[1:]  # a source of two tokens
print("right:\n", (Y + attend(Y, of_two)).round(4))
print("swapped:\n", (Y + attend(of_two, Y)).round(4))

# %% [markdown]
# Two arrays of the same shape, and no error. When you test a decoder, **use a source and a target of different lengths.**

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

own, own_weights = parts.self_attn(y, y, y, attn_mask=hidden, average_attn_weights=False)
y_1 = parts.norm1(y + own)
print("1 masked self-attention: weights", *own_weights.shape[1:], " stream", *y_1.shape[1:])

# %% tags=["S16", "S18"]
# queries, keys, values
found, cross_weights = parts.multihead_attn(y_1, memory, memory, average_attn_weights=False)
y_2 = parts.norm2(y_1 + found)
print("2 cross-attention:       weights", *cross_weights.shape[1:], " stream", *y_2.shape[1:])

y_3 = parts.norm3(y_2 + parts.linear2(torch.relu(parts.linear1(y_2))))
print("3 feed-forward network:                  stream", *y_3.shape[1:])
whole = parts(y, memory, tgt_mask=hidden)
print("torch's whole layer gives the same:", torch.allclose(whole, y_3, atol=1e-6))

# %% [markdown]
# Three times the same sentence: *norm of (what was read + what was made of it)*. Each of the two heads has a table of weights
# of its own, 6 × 6 and then 6 × 4; the stream stays 6 × 8 throughout. The memory is read in the middle, and nothing is ever
# written to it. A stack of such layers hands its stream from one to the next, while **each of them looks at the same memory**,
# the encoder's final output (lesson 12). From here on we use the library's `Decoder`, which does the same.

# %% [markdown]
# ## Who can see whom?
#
# Now stack two layers and ask `perturbation_map` (lesson 04): if we change one target token, which of the six outputs change?
# The causal mask should give a triangle, and you have seen that it does for a single attention. Here there are two layers with
# three sublayers each. This decoder is untrained: its weights are random, because what a position *can* see depends on the
# masks, not on training.
#
# Note 2 says that this self-attention is the same as the encoder's, and does not mention a mask. The encoder masks only
# padding. So let's test that version too: the same decoder with the same parameters, but no mask.

# %%
decoder = Decoder(StackConfig(d_model=8, num_heads=2, num_layers=2, d_ff=16, dropout=0.0))


def of_target(mask):
    """Which output moves with which target token."""
    moved = perturbation_map(lambda target: decoder(target[None], memory, mask)[0], y[0]) != 0
    return moved.float()


# %% tags=["S16", "E12"]
left, right = figures.panels(2)
inputs, outputs = [f"in {k + 1}" for k in range(6)], [f"out {k + 1}" for k in range(6)]
maps = {"Masked": causal_mask(6), "As note 2 says": None}
for ax, (title, mask) in zip((left, right), maps.items(), strict=True):
    figures.heatmap(of_target(mask), outputs, inputs, title, digits=0, ax=ax)

# %% [markdown]
# **In the picture:** a dark cell with a 1 means that the output changes when that token does. On the left is the triangle.
# Even after two layers and six sublayers, **each position sees itself and everything before it, and nothing after it.** On the
# right, every output depends on every target token, including those that have not been written yet.
#
# Now change the other input, the source, which has four tokens.

# %%
predict("13.source")


# %% tags=["S16", "S18"] jupyter={"source_hidden": true}
def of_source(memory_mask):
    """Which output moves with which source token."""

    def reads(source):
        return decoder(y, source[None], causal_mask(6), memory_mask)[0]

    return (perturbation_map(reads, memory[0]) != 0).float()


real = torch.tensor([[[True, True, True, False]]])  # (b, 1, m): the fourth token is padding
left, right = figures.panels(2)
sources = [f"src {k + 1}" for k in range(4)]
ax = figures.heatmap(of_source(None), outputs, sources, "No memory mask", digits=0, ax=left)
ax = figures.heatmap(of_source(real), outputs, sources, "Fourth token masked", digits=0, ax=right)

# %% [markdown]
# **In the picture:** each row is an output, each column a source token. On the left every cell is dark: every position, even
# the first, sees the whole source.

# %%
reveal("13.source")

# %% [markdown]
# On the right the fourth token is masked as padding, and no position sees it. Pass this mask to cross-attention as well as to
# the encoder. Padding has vectors in the memory too, and without the mask you get the map on the left.
#
# This map and the triangle answer the question in the title: **the whole source, and the target up to the current position.**

# %% [markdown]
# ## What the mask is worth
#
# Is it so bad to know too much? A small task. The source is six random digits, the target the same digits in order, smallest
# first. A single decoder layer is to learn it; the memory is simply the source's embedding. While it is trained, the whole
# target stands at its input, one place later, behind a `<begin>`, here `B` (more on that in lesson 14):

# %%
source, shown, wanted = (rows[0].tolist() for rows in sorting_data(1, seed=0))
print("source", *source)
print("shown ", "B", *shown[1:])
print("wanted", *wanted)
print(f"without a look at the source: {majority_baseline().mean():.0%} of the digits are right")

# %% [markdown]
# Each place is asked for the digit below it in this print, all six at once. The last line is for comparison: someone who never
# looks at the source, and writes at each place the digit that is commonest there.
#
# We train with the mask and without it, three seeds each, and measure on 500 new rows in two ways. *Shown*: as above, with the
# right digits at the input. *Alone*: the model starts from `B` and writes. Asked is always the last place so far; each digit
# that it writes joins its input, and nothing else is there.

# %%
predict("13.alone")

# %% tags=["E12", "nbval-ignore-output"] jupyter={"source_hidden": true}
masked = [train_sorter(causal=True, seed=seed) for seed in range(3)]
without = [train_sorter(causal=False, seed=seed) for seed in range(3)]
for name, runs in (("with the mask", masked), ("without", without)):
    for measure, part in (("shown", "teacher_forced"), ("alone", "free_running")):
        accuracy = [f"{getattr(run, part).mean():.2f}" for run in runs]
        print(f"{name:14}{measure:6}", *accuracy)
reveal("13.alone")

# %% tags=["E12"]
left, right = figures.panels(2, 5.0)
for ax, name, part in ((left, "Shown", "teacher_forced"), (right, "Alone", "free_running")):
    lines = {"with the mask": [getattr(run, part) for run in masked]}
    lines["without"] = [getattr(run, part) for run in without]
    lines["never reads the source"] = majority_baseline()
    figures.curves(np.arange(1, 7), lines, name, "position", "accuracy", ax=ax)

# %% [markdown]
# **In the picture:** digits right at each place; lines are the middle of three seeds, bands go from the least to the most. On
# the left, with the target shown, both models are near 1. On the right each is by itself. The one with the mask loses little.
# The other falls: at places 1 to 4, two of its three seeds lie below the one who never reads the source, and the third
# somewhat above at most of them. Only the last digit stays right.
#
# What has it learned instead? Look at the weight that places 1 to 5 give to the place after their own, where the answer
# stands, as long as somebody else has written it. And write a wrong digit there: does the answer follow?

# %% tags=["E12", "nbval-ignore-output"]
source, shown, _ = sorting_data(500, seed=2)
altered = shown.clone()
altered[:, 3] = (shown[:, 3] + 1) % 10  # what place 3 is asked for stands at place 4: now one more
for run in without:
    with torch.no_grad(), attention_maps(run.model) as maps:
        third = run.model(source, altered)[:, 2].argmax(-1)
    ahead = maps["layer.self_attention"].mean((0, 1)).diagonal(1)
    followed = (third == altered[:, 3]).float().mean()
    print(f"smallest mean weight on the next position {ahead.min():.2f}", end="   ")
    print(f"wrong digit copied {followed:.0%}")

# %% [markdown]
# Mostly it copies. Alone, nothing stands there yet. And at the last place there never was a next one, so there it had to learn
# to read the source.
#
# **A decoder without mask sits an exam with the answers on the table.** Its marks are excellent and say nothing. (Where that
# breaks: nobody cheats. The model does just what it was trained to do.) So note 2 is wrong here, and not in a detail: same
# parts, same shapes, and one argument that decides. How much harm it does depends on the task; this is one task, and a small
# model.

# %% [markdown]
# ## Three kinds of attention in one model
#
# Now let's look at a complete trained model: the translator from English number words to Chinese numerals, two layers each side. It
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
print("it gives next:", *chinese.decode(logits[0].argmax(-1).tolist()))

# %% tags=["S16", "S18"]
written = ["begin", "1", "10,000", "2", "1,000", "3"]
steps = [f"{now} → {after}" for now, after in zip(written, [*written[1:], "100"], strict=True)]
kinds = {
    "encoder.layers.1.self_attention": ("Encoder: self", words, words),
    "decoder.layers.1.self_attention": ("Decoder: masked self", written, written),
    "decoder.layers.1.cross_attention": ("Decoder: cross", steps, words),
}
for ax, (name, (title, rows, columns)) in zip(
    figures.panels(3, 4.6, 4.2), kinds.items(), strict=True
):
    figures.heatmap(maps[name][0].mean(0), rows, columns, title, digits=2, ax=ax)
    ax.tick_params(axis="x", rotation=40)

middle, right = (maps[f"decoder.layers.1.{name}_attention"][0] for name in ("self", "cross"))
print("middle map, all above the diagonal exactly 0:", not middle.triu(1).any())
print("right map, anything exactly 0:", bool((right == 0).any()))
for row, numeral in (1, "万"), (3, "千"):
    most = [words[k] for k in right[:, row].argmax(-1)]
    print(f"for {numeral} the four heads look most at", *most)

# %% [markdown]
# **In the picture:** rows look, columns are looked at. Left, words look at words, on both sides of the diagonal. Middle,
# numerals look at numerals; above the diagonal the weights are exactly 0, while below it 0.00 is merely small. Right, six rows and four
# columns: numerals look at words. Each row says what was written, and what comes next. Here nothing is masked, and every 0.00
# is merely small.
#
# Read the right map from the top. Where 一 (1) comes next, nearly everything goes to *twelve*. Where 二 (2) comes next, to
# *twelve* again: one English word holds both digits. For 三 (3) it is *three*. Where 万 (10,000) or 千 (1,000) comes next, the
# heads disagree, and the mean is spread over two words. Nobody gave the model such a list of pairs; it was trained on whole
# translations. (One sentence, one layer. How far such maps can be trusted: lessons 15 and 20.)

# %% [markdown]
# ## Note 5's table, rebuilt from the code
#
# Note 5 ends in a table of encoder and decoder. Do not take it on trust: we list the parts of one layer of each side, and
# `attention_calls` records the inputs of each attention while the translator runs on a batch of two sources, one of them padded.

# %% tags=["S26"]
batch = pad_right([english.encode(words), english.encode(["three", "hundred"])])
seen = {call.name: call for call in attention_calls(translator, batch, target.repeat(2, 1))}
for side in ("encoder", "decoder"):
    layer = getattr(translator, side).layers[0]
    print(f"{side} layer: {sum(count_parameters(layer).values()):,} parameters")
    for name, part in layer.named_children():
        call = seen.get(f"{side}.layers.0.{name}")
        fed = "the same tokens" if call and call.self_attention else "other tokens"
        how = f"{call.queries} × {call.keys}, keys from {fed}, mask: {call.mask}" if call else ""
        print(f"   {type(part).__name__:19}{how}".rstrip())

# %% [markdown]
# Note 5's table says the same, and it is right. Two things it leaves out, and the code shows them. One is the padding masks:
# both attentions that look at the source have one. (A target's padding stands behind its words, so the causal mask hides it
# from them already.) The other is that a decoder layer is a third larger, by one attention and one norm.

# %% [markdown]
# ## Two mottos, and where they fail
#
# Below its table, note 5 gives a motto to remember each side by. In our words: the encoder *reads the whole sentence*, and the
# decoder *writes, and looks back at what the encoder tells it*. Such mottos stick, so we test them.
#
# Lesson 18 is about GPT. It writes, and people call it a "decoder-only" model. This course ships a small one.

# %%
predict("13.gpt")

# %% tags=["S26"] jupyter={"source_hidden": true}
gpt, letters = models.load("gpt-pre")
text = torch.tensor([letters["text"].encode("LATIN SMALL LETTER A")])
calls = attention_calls(gpt, text)
print("a layer:", *(type(part).__name__ for part in gpt.stack.layers[0].children()))
print(
    "attentions:",
    len(calls),
    " fed from elsewhere:",
    sum(not call.self_attention for call in calls),
)
print("masks:", {call.mask for call in calls})
reveal("13.gpt")

# %% [markdown]
# Two sublayers. Is that an encoder layer with a causal mask, or a decoder layer without cross-attention? Take a decoder layer,
# untrained, and run its first and last sublayer only. Then give the same four parts to an encoder layer:

# %% tags=["S26"]
one, other = DecoderLayer(8, 2, 16), EncoderLayer(8, 2, 16)
mask = causal_mask(6)
first = one.self_attention_residual(y, lambda x: one.self_attention(x, x, x, mask))
without_cross = one.feed_forward_residual(first, one.feed_forward)

other.self_attention, other.attention_residual = one.self_attention, one.self_attention_residual
other.feed_forward, other.feed_forward_residual = one.feed_forward, one.feed_forward_residual
difference = (without_cross - other(y, mask)).abs().max().item()
print("largest difference:", difference)

# %% [markdown]
# Two names for one thing. So the decoder's motto fails on GPT: **it writes, and there is no encoder to look back at.** And
# the encoder's motto does not carry over to the encoder's *layer*: with a causal mask, it reads the sentence up to here.
#
# The word "back" leads astray twice. Of the source the decoder sees everything, also what lies further on; of its own text, what
# is behind *and the token itself*: the diagonal is dark. Keep instead what the maps show: **target up to here, source
# whole.**

# %% [markdown]
# ## Before you go

# %%
ask("13.exit")

# %% [markdown]
# **What may a word know while it is being written?** All of the source, through cross-attention, whose queries come from the
# decoder and whose keys and values come from the encoder's final output; and of the target what is written so far, through
# self-attention with a causal mask: nothing that comes after.
