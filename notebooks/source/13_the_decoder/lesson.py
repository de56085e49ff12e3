# %% [markdown] minutes=23
# # 13 · The decoder: what may a word know while it is being written?
#
# The encoder of lesson 12 had an easy job: the whole sentence was there from the start. But a model that can only read cannot
# translate. The decoder has to write a sentence that does not exist yet, one token after another. GPT-3 (2020) does nothing
# else: it is 96 layers of decoder, without any encoder ({brown2020}). A decoder is made of parts you already know: attention,
# a feed-forward network, residual connections and LayerNorm. What changes is which tokens look at which.
#
# About {minutes} minutes, and half as long again for the parts under "Deeper". By the end, you will be able to
#
# * build a decoder layer, say where its queries, keys and values come from, and give the shape of every tensor in it;
# * use an influence map to tell which target and source tokens a position can see;
# * compare a decoder trained with the causal mask and one trained without it.

# %%
import math

import numpy as np
import torch
from torch import nn

from transformer_course import explorables, figures, models
from transformer_course.config import StackConfig
from transformer_course.embedding import pad_right
from transformer_course.exercises import ask, predict, reveal
from transformer_course.experiments import effort
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


# %% tags=["S29"]
attentions = ["decoder self-attention", "cross-attention"]
norms = [f"decoder add & norm {k}" for k in (1, 2, 3)]
lit = [*attentions, "decoder feed-forward", *norms]
ax = figures.architecture(*lit, title="Lesson 13: the decoder's layer", small=True)

# %% [markdown]
# <!-- picture -->
# the map from lesson 00, read upwards. The filled boxes are one decoder layer. It has three sublayers, each
# with a residual connection and a norm. The first (apart from its mask) and the last are built like the encoder's. The one in
# the middle, **cross-attention**, has two inputs: one arrow comes from below, and one from the top of the encoder.
# <!-- end -->
#
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %% ask="13.recall"


# %% [markdown]
# ## Cross-attention by hand {#by-hand}
#
# Start with the new box. The encoder has produced the **memory** $M$, its final output, with one vector for each of three
# source tokens: [1, 0], [0, 1] and [1, 1]. The target has two tokens so far. Their vectors in the residual stream are [1, 0]
# and [0, 2], the rows of $Y$.
#
# Cross-attention is the attention you know, with two inputs instead of one. **The queries come from the decoder; the keys and
# values come from the memory.** Let W_Q, W_K and W_V be identity matrices. Then the first target token has scores 1, 0 and 1
# for the three source tokens.
#
# <!-- paper -->
# **Your turn, on paper.** Do the same for the second target token, [0, 2], with $\sqrt{d_k} = \sqrt 2$:
#
# | | source 1 | source 2 | source 3 |
# | --- | --- | --- | --- |
# | scores | 0 | ____ | ____ |
# | scores / √2 | 0 | ____ | ____ |
#
# <!-- compare -->
# <details><summary>Compare</summary>Both missing scores are 2, or 1.4142 after scaling. The weights are the ones from lesson 05:
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
# With two queries and three keys, the weight matrix is 2 × 3. It is no longer square. Each *target* token gets one row of
# output: a weighted average of the *source* vectors.

# %% predict="13.swapped"


# %% tags=["S18"] jupyter={"source_hidden": true}
swapped = attend(M, Y)
print("output", swapped.shape)
try:
    Y + swapped
except ValueError:
    print("stream", Y.shape, "+ output", swapped.shape, "do not fit")
reveal("13.swapped")

# %%
ax = figures.schematic("cross_attention")

# %% [markdown]
# <!-- picture -->
# n = 2 target tokens and m = 3 source tokens. The output has one row per query, so it can be added to the
# decoder's residual stream.

# %% [markdown]
# ## The layer, step by step {#layer}
#
# Now let's build the whole layer, for six target tokens and four source tokens, with width 8 and two heads. We take its parts
# from torch's `nn.TransformerDecoderLayer` (with post-norm), and connect them ourselves. Its weights are random; nothing is
# trained yet.

# %% tags=["S16"]
parts = nn.TransformerDecoderLayer(8, 2, dim_feedforward=16, dropout=0.0, batch_first=True)
y, memory = torch.randn(1, 6, 8), torch.randn(1, 4, 8)  # target and source, a batch of one
forbidden = ~causal_mask(6)  # torch's module wants True where a token may *not* look (lesson 04)

own, own_weights = parts.self_attn(y, y, y, attn_mask=forbidden, average_attn_weights=False)
y_1 = parts.norm1(y + own)
print("1 masked self-attention: weights", *own_weights.shape[1:], " stream", *y_1.shape[1:])

# %% tags=["S16", "S18"]
# queries, keys, values
cross, cross_weights = parts.multihead_attn(y_1, memory, memory, average_attn_weights=False)
y_2 = parts.norm2(y_1 + cross)
print("2 cross-attention:       weights", *cross_weights.shape[1:], " stream", *y_2.shape[1:])

y_3 = parts.norm3(y_2 + parts.linear2(torch.relu(parts.linear1(y_2))))
print("3 feed-forward network:                  stream", *y_3.shape[1:])
difference = (parts(y, memory, tgt_mask=forbidden) - y_3).abs().max().item()
print(f"difference from torch's whole layer: {difference:.4f}")

# %% [markdown]
# Each of the three steps adds a sublayer's output to its input and normalises the sum. Each of the two heads has its own
# weight matrix, 6 × 6 in the first attention and 6 × 4 in the second; the stream stays 6 × 8 throughout. The layer reads the
# memory, but never changes it. In a stack of layers, each layer passes its stream to the next, while **all of them look at the
# same memory**.

# %% [markdown]
# ## Who can see whom? {#influence}
#
# The mask limits a single attention sublayer. What can a position see through a whole stack? Stack two layers, with the
# library's `Decoder`, and ask `perturbation_map` (lesson 04): if we change one target token, which of the six outputs change?
# This decoder is also untrained. What a position *can* see depends on the masks, not on training.
#
# Some explanations say that the decoder's self-attention is the same as the encoder's, and do not mention a causal mask. The
# encoder masks only padding. So let's test that version too: the same decoder with the same parameters, but no mask.

# %%
decoder = Decoder(StackConfig(d_model=8, num_heads=2, num_layers=2, d_ff=16, dropout=0.0))


def target_influence(mask):
    """Which output changes with which target token."""
    changed = perturbation_map(lambda target: decoder(target[None], memory, mask)[0], y[0]) != 0
    return changed.float()


# %% tags=["S16", "E12"]
left, right = figures.panels(2)
inputs, outputs = [f"in {k + 1}" for k in range(6)], [f"out {k + 1}" for k in range(6)]
maps = {"Masked": causal_mask(6), "No mask": None}
for ax, (title, mask) in zip((left, right), maps.items(), strict=True):
    figures.heatmap(target_influence(mask), outputs, inputs, title, digits=0, ax=ax)

# %% [markdown]
# <!-- picture -->
# a dark cell with a 1 means that the output changes when that token does. The 1s in the left map form a
# triangle. Even after two layers and six sublayers, **each position sees itself and everything before it, and nothing after
# it.** On the right, every output depends on every target token, including those that have not been written yet.
# <!-- end -->
#
# Now change the other input, the source, which has four tokens.

# %% predict="13.source"


# %% tags=["S16", "S18"] jupyter={"source_hidden": true}
def source_influence(memory_mask):
    """Which output changes with which source token."""

    def decode(source):
        return decoder(y, source[None], causal_mask(6), memory_mask)[0]

    return (perturbation_map(decode, memory[0]) != 0).float()


real = torch.tensor([[[True, True, True, False]]])  # (b, 1, m): the fourth token is padding
left, right = figures.panels(2)
sources = [f"src {k + 1}" for k in range(4)]
ax = figures.heatmap(source_influence(None), outputs, sources, "No memory mask", digits=0, ax=left)
ax = figures.heatmap(
    source_influence(real), outputs, sources, "Fourth token masked", digits=0, ax=right
)

# %% [markdown]
# <!-- picture -->
# each row is an output, and each column is a source token.
# <!-- left -->
# cross-attention masks nothing.
# <!-- right -->
# it masks the fourth token, as if it were padding.

# %%
reveal("13.source")

# %% [markdown]
# In the left map, every position, even the first, sees the whole source. In the right map, no position sees the padding.
# Cross-attention needs this mask as much as the encoder does, because padding has vectors in the memory too.

# %% [markdown]
# ## Training with and without the mask {#mask}
#
# Does it matter if a decoder sees too much? We train one on a small task. The source is six random digits, and the target is
# the same digits in order, smallest first. The model is a single decoder layer; its memory is simply the source's embedding.
# In training, the model's input is the target shifted by one position: `<begin>` (here `B`) in front, and the last digit
# left out. (Lesson 14 says more about this shift.) Here is an example:

# %%
source, given, labels = (rows[0].tolist() for rows in sorting_data(1, seed=0))
print("source", *source)
print("input ", "B", *given[1:])
print("label ", *labels)
print(f"accuracy of a model that never reads the source: {majority_baseline().mean():.0%}")

# %% [markdown] seconds=5
# At each position, the model has to predict the digit printed below it. The last line is a baseline: it ignores the source and
# always gives the most common digit at each position.
#
# We train with the mask and without it, with three seeds each, and test on 500 new sequences in two ways. *Teacher-forced*
# means that the model gets the correct digits as input, as above. *Free-running* means that the model starts from `B`, and
# each digit that it writes becomes the next input. (Training the six models takes about {seconds} seconds.)

# %% predict="13.alone"


# %% tags=["E12", "nbval-ignore-output"] jupyter={"source_hidden": true}
masked = [train_sorter(causal=True, seed=seed) for seed in effort.seeds()]
without = [train_sorter(causal=False, seed=seed) for seed in effort.seeds()]
for name, runs in (("with the mask", masked), ("without the mask", without)):
    for measure, part in (("teacher-forced", "teacher_forced"), ("free-running", "free_running")):
        accuracy = [f"{getattr(run, part).mean():.2f}" for run in runs]
        print(f"{name:17}{measure:15}", *accuracy)
reveal("13.alone")

# %% tags=["E12"]
left, right = figures.panels(2, 5.0)
panels = ((left, "Teacher-forced", "teacher_forced"), (right, "Free-running", "free_running"))
for ax, name, part in panels:
    lines = {"with the mask": [getattr(run, part) for run in masked]}
    lines["without the mask"] = [getattr(run, part) for run in without]
    lines["never reads the source"] = majority_baseline()
    figures.curves(np.arange(1, 7), lines, name, "position", "accuracy", ax=ax)

# %% [markdown]
# <!-- picture -->
# accuracy at each position; lines are medians of three seeds, and bands show the range. *Never reads the source* is the
# baseline, which always gives a position's most common digit.
# <!-- left -->
# with the correct digits as input, both kinds of model have an accuracy near 1.
# <!-- right -->
# the models with the mask do almost as well as on the left. The models without it do much worse: at positions 1 to 4, two of
# the three are far below the baseline. Only at the last position are they still nearly always right.
# <!-- end -->
#
# The models without the mask had learned to copy: at position 3, say, the answer is the input token at position 4 ("Deeper"
# measures this). When a model generates by itself, that token does not exist yet. So the decoder's self-attention is not the
# same as the encoder's. How much harm a missing mask does depends on the task; this is one task, and a small model.

# %% [markdown]
# ## An alignment that nobody taught {#alignment}
#
# With its mask, a decoder has to read the source. What does it look at there? Let's look at a complete trained model, the
# course's translator from English number words to Chinese numerals, with two layers on each side. (You train your own in
# lesson 15.) The translator writes *twelve thousand three hundred* as 一万二千三百: 一 is 1, 万 is 10,000, 二 is 2, 千 is 1,000, 三 is 3,
# 百 is 100. Here is its last cross-attention, averaged over four heads.

# %% tags=["S16", "S18"]
translator, vocabularies = models.load("translator")
english, chinese = vocabularies["source"], vocabularies["target"]
words, numerals = ["twelve", "thousand", "three", "hundred"], list("一万二千三")
source = pad_right([english.encode(words)])
target = torch.tensor([[chinese.begin, *chinese.encode(numerals)]])
with torch.no_grad(), attention_maps(translator) as maps:
    logits = translator(source, target)
print("its predictions:", *chinese.decode(logits[0].argmax(-1).tolist()))

# %% tags=["S16", "S18"]
written = ["begin", "1", "10,000", "2", "1,000", "3"]
steps = [f"{now} → {after}" for now, after in zip(written, [*written[1:], "100"], strict=True)]
mean = maps["decoder.layers.1.cross_attention"][0].mean(0)
(ax,) = figures.panels(1, 6.0, 3.6)
ax = figures.heatmap(mean, steps, words, "Decoder: cross-attention", digits=2, ax=ax)

# %% [markdown]
# <!-- picture -->
# rows are queries, columns are keys. Each row label gives the numeral just written and the one that comes next.
# <!-- end -->
#
# Read the map from the top. Before it writes 1, the model gives nearly all its weight to *twelve*. Before 2, it looks at
# *twelve* again, since that one English word holds both digits. Before 3, it looks at *three*. Before 10,000 and 1,000, the
# weight is spread over two words. Such a map is called an **alignment**. Nobody told the model which word belongs to which
# numeral; it was trained on whole translations.
#
# That map was an average. Individual heads are sharper: one in the first cross-attention gives *thousand* 0.97 of its weight
# when the model is about to write 10,000. Does the model need this head?

# %% predict="13.heads"


# %%
reads = dict(zip("一万二千三百", [*written[1:], "100"], strict=True))
outputs = [reads.get(token, token) for token in chinese.tokens]
task = "Click the token 1, find a head that looks almost only at thousand, and remove it."
explorables.heads(translator, source, target, words, written, outputs, task)

# %% [markdown]
# All 24 heads are here. Each row shows where a head looks from the token that you click; each arrow shows what the model
# predicts after a token.

# %%
reveal("13.heads")

# %% [markdown]
# Where a head looks and whether the model needs it are separate questions. Lessons 15 and 20 ask how far you can trust such
# maps.

# %% [markdown]
# ## Before you go {#exit}

# %% ask="13.exit"


# %% [markdown]
# <!-- answer -->
# **What may a word know while it is being written?** The whole source, through cross-attention, and the target up to the
# current position, through self-attention with a causal mask. It may know nothing that comes after.

# %% [markdown]
# To take away:
#
# <!-- takeaway -->
# * In cross-attention, queries come from the decoder, keys and values from the memory; there are n × m weights and n rows of
#   output.
# * Self-attention in the decoder needs a causal mask, and cross-attention needs the source's padding mask.
# * A decoder without its causal mask can be excellent when teacher-forced and useless when free-running.
# <!-- end -->
#
# Nobody told the model which words belong together; it found that out in training. In [stage
# B5](../exercises/B5_an_encoder_and_a_decoder.ipynb) of the Build, you write this layer for your own translator.
#
# To read next:
#
# <!-- readings -->
# * {vaswani2017}, section 3.2.3: the three kinds of attention.
# * {bahdanau2014}: the first alignments that a translator learned with
#   attention.

# %% [markdown]
# ## Deeper {#deeper}
#
# You can read each of these parts on its own; nothing later needs them.
#
# ### The other maps of the translator
#
# Here are the self-attentions of the last encoder layer and the last decoder layer, for the same number:

# %% tags=["S16"]
kinds = {
    "encoder.layers.1.self_attention": ("Encoder: self", words),
    "decoder.layers.1.self_attention": ("Decoder: masked self", written),
}
for ax, (name, (title, names)) in zip(figures.panels(2, 4.6, 4.2), kinds.items(), strict=True):
    figures.heatmap(maps[name][0].mean(0), names, names, title, digits=2, ax=ax)
    ax.tick_params(axis="x", rotation=40)

middle, cross = (maps[f"decoder.layers.1.{name}_attention"][0] for name in ("self", "cross"))
print("masked, largest weight above the diagonal:", middle.triu(1).max().item())
print(f"cross-attention, smallest weight: {cross.min().item():.0e}")

# %% [markdown]
# <!-- picture -->
# on the left, English words look at words on both sides. On the right, numerals look at numerals; above the diagonal the
# weights are exactly 0. In the map of cross-attention above, nothing is masked: 0.00 means a weight that is small, but not 0.
# <!-- end -->
#
# ### When source and target are equally long
#
# In the swapped cross-attention, the residual connection caught the mistake. With a source of two tokens, nothing catches it:

# %% tags=["S18"]
two_tokens = M[1:]
print("right:\n", (Y + attend(Y, two_tokens)).round(4))
print("swapped:\n", (Y + attend(two_tokens, Y)).round(4))

# %% [markdown]
# You get two different arrays of the same shape, and no error. When you test a decoder, **use a source and a target of
# different lengths.**
#
# ### How the model without a mask copies
#
# Positions 1 to 5 can copy from the next position: in training, its input is the answer. How much weight do the models
# trained without the mask give to that position? And if we put a wrong digit there, does the prediction follow?

# %% tags=["E12", "nbval-ignore-output"]
source, given, _ = sorting_data(500, seed=2)
altered = given.clone()
altered[:, 3] = (given[:, 3] + 1) % 10  # the answer of position 3 is the input at position 4
for run in without:
    with torch.no_grad(), attention_maps(run.model) as maps:
        third = run.model(source, altered)[:, 2].argmax(-1)
    ahead = maps["layer.self_attention"].mean((0, 1)).diagonal(1)
    followed = (third == altered[:, 3]).float().mean()
    print(f"smallest mean weight on the next position {ahead.min():.2f}", end="   ")
    print(f"wrong digit copied {followed:.0%}")

# %% [markdown]
# Most of the time they copy. Only the last position has nothing after it, so there the models had to learn to read the source.
#
# **A decoder without a mask sits an exam with the answers on the table.** Its results are excellent and tell you nothing. (The
# analogy has a limit: nobody cheats. The model does just what it was trained to do.)
#
# ### A table and two slogans, checked against the code
#
# You may come across a table that compares the encoder with the decoder. Let's make one from the code. We list the parts of
# one layer on each side, and `attention_calls` records the inputs of each attention while the translator runs on a batch of
# two sources, one of them padded.

# %% tags=["S26"]
batch = pad_right([english.encode(words), english.encode(["three", "hundred"])])
seen = {call.name: call for call in attention_calls(translator, batch, target.repeat(2, 1))}
for side in ("encoder", "decoder"):
    layer = getattr(translator, side).layers[0]
    print(f"{side} layer: {sum(count_parameters(layer).values()):,} parameters")
    for name, part in layer.named_children():
        call = seen.get(f"{side}.layers.0.{name}")
        origin = "the same tokens" if call and call.self_attention else "other tokens"
        how = f"{call.queries} × {call.keys}, keys from {origin}, mask: {call.mask}" if call else ""
        print(f"   {type(part).__name__:19}{how}".rstrip())

# %% [markdown]
# The code also shows two things that such tables may leave out. Both attentions that look at the source have a
# padding mask. (The target's padding comes after its words, so the causal mask already hides it.) And a decoder layer has
# one more attention and one more norm (inside `Residual`) than an encoder layer, so here it is a third larger.
#
# Each side also has its slogan. The encoder *reads the whole sentence*, and the decoder *writes, and looks back at what
# the encoder tells it*. The word "back" is misleading, since it suggests earlier positions only. The decoder looks at the
# whole source, and in the target also at the current token: the diagonal of its influence map is dark.
#
# Do the slogans hold for GPT, the model in lesson 18? It generates text and is called "decoder-only". The course includes a
# small, trained one.

# %% predict="13.gpt"


# %% tags=["S26"] jupyter={"source_hidden": true}
gpt, letters = models.load("gpt-pre")
text = torch.tensor([letters["text"].encode("LATIN SMALL LETTER A")])
calls = attention_calls(gpt, text)
print("a layer:", *(type(part).__name__ for part in gpt.stack.layers[0].children()))
cross_attentions = sum(not call.self_attention for call in calls)
print("attentions:", len(calls), " of which cross-attentions:", cross_attentions)
print("masks:", {call.mask for call in calls})
reveal("13.gpt")

# %% [markdown]
# Is a layer of this GPT an encoder layer with a causal mask, or a decoder layer without cross-attention? Take an untrained
# decoder layer, and run only its first and last sublayers. Then give these two, with their residual connections, to an
# encoder layer:

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
# The two are the same layer under different names. So the decoder's slogan fails for GPT: **it writes, and there is no encoder
# to look back at.** And the encoder's slogan does not hold for the encoder's *layer*: with a causal mask, it reads the
# sentence only up to the current token.
#
# (In some drawings, the decoder's first two sublayers are side by side. In fact, they come one after the other: self-attention
# first, then cross-attention.)
