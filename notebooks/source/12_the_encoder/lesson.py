# %% [markdown] minutes=24
# # 12 · The encoder: if you change one word, which vectors change?
#
# Since 2022, Whisper has been turning speech into text, 30 seconds at a time ({radford2022}, section 2). Its encoder turns
# each stretch into 1,500 vectors, and they are all that its decoder ever sees of the sound. What is in one of the 1,500: a
# fiftieth of a second, or more than that? You know all the parts of such an encoder, but so far each of them has worked
# alone. In this lesson you assemble them into a layer, and stack the layers. Then you change one word of a sentence and find
# out where in the stack the change shows up.
#
# About {minutes} minutes, and as long again for the parts under "Deeper". By the end, you will be able to
#
# * build an encoder layer from its parts, and give the shape of every array in it;
# * say which outputs of a stack depend on which inputs, with a mask and without one;
# * say what an encoder hands over to the decoder.

# %%
import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from transformer_course import figures, models
from transformer_course.attention import MultiHeadAttention
from transformer_course.exercises import ask, predict, reveal
from transformer_course.experiments.encoder_memory import (
    accuracy_with_memory,
    first_word_changes,
    four_digit_numbers,
    layer_outputs,
    probe_accuracy,
)
from transformer_course.inspection import perturbation_map
from transformer_course.layers import FeedForward, LayerNorm
from transformer_course.transformer import Encoder, StackConfig

torch.set_num_threads(1)
_ = torch.set_grad_enabled(False)  # no model is trained in this lesson

# %% tags=["S29"]
lit = ["self-attention", "add & norm 1", "feed-forward", "add & norm 2"]
title = "Lesson 12: the encoder"
ax = figures.architecture(*(f"encoder {part}" for part in lit), title=title, small=True)

# %% [markdown]
# <!-- picture -->
# the map from lesson 00. The four filled boxes form one **layer**. The frame around them stands for N such
# layers, one after another; in the original Transformer, N = 6.
# <!-- end -->
#
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %% ask="12.recall"


# %% [markdown]
# ## One layer

# %%
ax = figures.schematic("encoder_layer")

# %% [markdown]
# <!-- picture -->
# an encoder layer with post-norm (lesson 11), as in the original Transformer. Every matrix has a row for
# each of the n tokens. The upper line is the first sublayer, self-attention; the lower line is the second, the feed-forward
# network. Each has a residual connection around it, and a LayerNorm after the sum.
# <!-- end -->
#
# Our sentence is *the red car stops*: four tokens, with 6 random numbers each. Here are the parts that we need, from the
# course's library. The batch axis in front has length 1, because there is only one sentence.

# %% tags=["S15"]
torch.manual_seed(0)
x = torch.randn(1, 4, 6)  # the, red, car, stops

attention = MultiHeadAttention(6, num_heads=2)
norm_1 = LayerNorm(6)
feed_forward = FeedForward(6, d_ff=8)
norm_2 = LayerNorm(6)


# %% [markdown]
# The layer itself takes two lines, one per sublayer. **Each sublayer has its own norm**, with its own γ and β:


# %% tags=["S15"]
def encoder_layer(x):
    middle = norm_1(x + attention(x, x, x))  # queries, keys and values all come from x
    return norm_2(middle + feed_forward(middle))


print(tuple(x.shape), "to", tuple(encoder_layer(x).shape))

# %% [markdown]
# Are these two lines really what torch calls an encoder layer? We write them with the parts of torch's own layer, and compare:

# %% tags=["S15"]
sizes = {"d_model": 6, "nhead": 2, "dim_feedforward": 8, "dropout": 0.0, "batch_first": True}
theirs = nn.TransformerEncoderLayer(**sizes).eval()
attended, _ = theirs.self_attn(x, x, x)
middle = theirs.norm1(x + attended)
output = theirs.norm2(middle + theirs.linear2(F.relu(theirs.linear1(middle))))
print(f"largest difference: {(output - theirs(x)).abs().max():.6f}")

# %% [markdown]
# <!-- paper -->
# **Your turn, on paper.** Give the shapes for a sentence of *nine* tokens (one sentence, so leave out the batch axis), and say
# in which rows of the table the tokens exchange information.
#
# | | 4 tokens | 9 tokens | do tokens exchange information? |
# | --- | --- | --- | --- |
# | x | 4 × 6 | 9 × 6 | |
# | Q, K and V of all heads, each | 4 × 6 | 9 × 6 | no |
# | weights of one head, from its Q and K | 4 × 4 | 9 × 9 | no, only compared |
# | these weights, times the head's V | 4 × 3 | 9 × 3 | ____ |
# | heads concatenated, then times W_O | 4 × 6 | 9 × 6 | no |
# | sum and norm | 4 × 6 | ____ | ____ |
# | hidden units of the feed-forward network | 4 × 8 | ____ | ____ |
# | sum and norm | 4 × 6 | 9 × 6 | no |
#
# <!-- compare -->
# <details><summary>Compare</summary>Yes; 9 × 6, no; 9 × 8, no. Tokens are compared to get the weights, but they exchange information
# in only one row, where the weights multiply the values. Every other step treats each token by itself.</details>

# %% [markdown]
# ## A stack of layers
#
# A layer reads n × d numbers and returns n × d numbers. So its output can be the input of another layer, and a stack is
# nothing more than that. **Each layer has its own parameters.** Here is the library's `Encoder`, with three layers:

# %% tags=["S15"]
config = StackConfig(d_model=6, num_heads=2, num_layers=3, d_ff=8, dropout=0.0, norm="post")
stack = Encoder(config)
y = x
for layer in stack.layers:
    y = layer(y)
print(tuple(y.shape), f"largest difference from the stack: {(y - stack(x)).abs().max():.6f}")

# %% [markdown]
# ## Change one word
#
# How far does a single changed word reach? We ask an encoder like that of the original Transformer, with six layers in
# post-norm order. Ours has 4 heads and vectors of 128 numbers, and it has not been trained. The sentence is a number in words:
# *nine million six hundred and sixty two*. We take the words' embeddings, positions included, from the translator that comes
# with the course (lesson 06). Then we replace the first word with *one*. The vectors that go in differ at one position only:

# %%
translator, vocabularies = models.load("translator")
english = vocabularies["source"]


def embedded(text):
    return translator.source(torch.tensor([english.encode(text.split())]))


sentence = embedded("nine million six hundred and sixty two")
changed = embedded("one million six hundred and sixty two")
print("vectors that differ:", (sentence != changed).any(-1)[0].int().tolist())

# %% predict="12.spread"


# %% tags=["S15"]
def changes(encoder, mask=None):
    """How far each vector changes, relative to its length: before all layers and after each."""
    before, after = ([x, *layer_outputs(encoder, x, mask)] for x in (sentence, changed))
    return torch.cat(
        [(b - a).norm(dim=-1) / a.norm(dim=-1) for a, b in zip(before, after, strict=True)]
    )


def untrained(seed=0, num_layers=6, norm="post"):
    torch.manual_seed(seed)
    sizes = {"d_model": 128, "num_heads": 4, "d_ff": 512, "dropout": 0.0}
    return Encoder(StackConfig(**sizes, num_layers=num_layers, norm=norm))


encoder = untrained()
print("vectors that differ after each layer:", (changes(encoder)[1:] > 0).sum(1).tolist())
reveal("12.spread")

# %% [markdown]
# Which part carried the change to the other words? Here are two controls, the same encoder with two different masks. In the
# first, each token may attend only to itself. In the second, it may attend to itself and its two neighbours.

# %% tags=["S15"]
distance = (torch.arange(7)[:, None] - torch.arange(7)).abs()
masks = {"Itself only": distance == 0, "Neighbours": distance <= 1, "No mask": None}
rows = ["embeddings", *(f"layer {k}" for k in range(1, 7))]
for ax, (title, mask) in zip(figures.panels(3, 4.2, 4.2), masks.items(), strict=True):
    differs = (changes(encoder, mask) > 0).float()
    figures.heatmap(differs, rows, [str(k) for k in range(1, 8)], title, digits=0, ax=ax)
    ax.invert_yaxis()  # as on the map, the embeddings are at the bottom

# %% [markdown]
# <!-- picture -->
# a column for each word, and a row for each layer, from bottom to top; a dark cell with a 1 means that the vector has
# changed.
# <!-- left -->
# the change stays in the first column through six feed-forward networks, because they work on each token separately.
# <!-- middle -->
# it spreads one word further with each layer, and reaches the seventh word in layer 6.
# <!-- right -->
# the first layer takes it everywhere.
# <!-- end -->
#
# So distance does not matter: **in a single layer, every token can get information from every other**, on its left and on its
# right. Such an encoder is called **bidirectional**. (The sentence is not read twice, once in each direction. One weight
# matrix covers both sides.)
#
# Then why six layers? Because of *what* the tokens exchange. In the first layer, each token reads the embeddings of the words.
# In the second, it reads what the first layer has made of them.
#
# Think of a meeting held in rounds. In each round everybody listens to everybody, and then each person thinks alone. (The
# comparison breaks down in one place: nobody can reply within a round. Everybody hears what the others knew *before* the
# round.)

# %% [markdown]
# ## Padding in several layers
#
# Sentences in a batch are padded to the same length (lesson 04). Suppose that only the first five of our seven positions are
# real, and the last two are padding. A padding mask stops every query from attending to them; an encoder needs no other mask.
# We run the first *two* layers of our encoder, with the mask in both of them. Then we draw the influence map: a row for each
# of the seven outputs, a column for each of the seven inputs, and a 1 where the output changes with the input.

# %% predict="12.padding"


# %% tags=["S15"]
real = (torch.arange(7) < 5)[None]  # one row, for all queries
positions = ["1", "2", "3", "4", "5", "P", "P"]  # P is padding


def run(x, masks):
    """The first layers of our encoder, each with its own mask."""
    for layer, mask in zip(encoder.layers[: len(masks)], masks, strict=True):
        x = layer(x, mask)
    return x


def influence_map(masks):
    return (perturbation_map(lambda x: run(x[None], masks)[0], sentence[0]) > 0).float()


both = influence_map([real, real])
ax = figures.heatmap(both, positions, positions, "The mask in both layers", digits=0)

# %% [markdown]
# <!-- picture -->
# P is padding. A row is an output, and a column is an input.

# %% jupyter={"source_hidden": true}
# The text below relies on this.
assert both.sum() == 37
reveal("12.padding")

# %% [markdown]
# No real position changes when the padding changes. Now suppose that a bug leaves the mask out of one of the two layers:

# %% tags=["S15"]
cases = {
    "Mask in both layers": [real, real],
    "Mask in layer 1 only": [real, None],
    "Mask in layer 2 only": [None, real],
}
for ax, (title, masks) in zip(figures.panels(3, 4.2, 4.2), cases.items(), strict=True):
    figures.heatmap(influence_map(masks), positions, positions, title, digits=0, ax=ax)

# %% [markdown]
# <!-- picture -->
# on the left is the map that you have just seen. In the middle and on the right, all 49 cells are dark.
# **One layer without the mask is enough to let the padding in, whichever layer it is.** Once the padding is in, it stays in.
# On the right, the mask in layer 2 cannot remove it, because by then it is part of the real tokens' vectors.
# <!-- end -->
#
# So if there is padding, *every* layer needs the mask: the loop over the layers is `x = layer(x, mask)`. Python does not
# complain if the mask is missing. The vectors at the padding positions are computed too, but they mean nothing. Whatever reads
# the output of the encoder has to mask them once more.

# %% [markdown]
# ## What leaves the encoder?
#
# Now let's take the trained translator. Its encoder has two layers. What does it return for three sentences?

# %% tags=["E14"]
for text in ("nine", "nine million and one", "nine million six hundred and sixty two"):
    tokens = torch.tensor([english.encode(text.split())])
    print(tuple(translator.encode(tokens)[0].shape), text)

# %% [markdown]
# **One vector per token**, from the last layer only (tested under "Deeper"). Together, these vectors are called the
# **memory**. They are what the decoder attends to (lesson 13).
#
# You may read that an encoder turns a sentence into *one* context vector. That was true of older translators, which were made
# of two RNNs: everything had to pass through the last hidden state.
#
# What does the decoder do with a memory? To find out, we take 200 numbers that the translator has not seen in training. We
# count those for which it predicts every token correctly when it is given the correct preceding tokens.
# `accuracy_with_memory` lets us change the memory on its way to the decoder's two layers, which both attend to it. First we
# leave it as it is. Then we put its vectors into a random order:


# %%
def count_correct(choose_memory, model="translator"):
    name = choose_memory.__name__.replace("_", " ")
    print(f"{model}, {name}: {200 * accuracy_with_memory(choose_memory, model):.0f} of 200")


def as_it_is(after, real):  # the output of each encoder layer, and which tokens are real
    return [after[-1], after[-1]], real  # the same memory for both layers of the decoder


def shuffled(after, real):
    order = torch.randperm(real.shape[-1])
    return [after[-1][:, order]] * 2, real[..., order]


count_correct(as_it_is)

# %% predict="12.shuffled"


# %%
torch.manual_seed(0)
count_correct(shuffled)
reveal("12.shuffled")

# %% [markdown]
# To attention, the memory is a set of vectors. Each word's position is inside its vector: it was added to the embedding, and
# is still there after two layers.

# %% [markdown]
# ## Before you go {#exit}

# %% ask="12.exit"


# %% [markdown]
# <!-- answer -->
# **If you change one word, which vectors change?** All of them, from the first layer on. If a mask hides that word, only
# its own vector changes, but the mask works only if it is in every layer.

# %% [markdown]
# To take away:
#
# <!-- takeaway -->
# * A layer is self-attention, then a feed-forward network, each with its own residual connection and LayerNorm.
# * Tokens exchange information only in attention, and one layer is enough to reach the whole sentence.
# * The encoder's output, the memory, has one vector per token.
# <!-- end -->
#
# An encoder reads, but it does not write. Writing takes a decoder, and lesson 13 takes one apart. In [stage B5 of the
# Build](../exercises/B5_an_encoder_and_a_decoder.ipynb), you write an encoder layer for a translator of your own.
#
# To read next:
#
# <!-- readings -->
# * {vaswani2017}, section 3.1: the encoder, in one paragraph.
# * {cho2014}: an encoder with one context vector, and what happens to it on long
#   sentences.

# %% [markdown]
# ## Deeper {#deeper}
#
# You can read each of these parts on its own; nothing later needs them.
#
# ### How much do the vectors change?
#
# So far we have asked only *whether* a vector changes. Now let's see *how much* it changes, in the trained translator's
# encoder (two layers in pre-norm order, and a final LayerNorm) and in an untrained one with the same architecture.

# %% tags=["S15"]
words = ["nine", "million", "six", "hundred", "and", "sixty", "two"]
versions = {"Untrained": untrained(num_layers=2, norm="pre"), "Trained": translator.encoder}
for ax, (title, version) in zip(figures.panels(2, 6.0, 4.0), versions.items(), strict=True):
    figures.heatmap(changes(version), rows[:3], words, title, digits=2, ax=ax).invert_yaxis()

# %% [markdown]
# <!-- picture -->
# how much each vector changes, relative to its length, with the embeddings at the bottom. (After each
# layer, we apply the final LayerNorm, as if the encoder ended there.) The vector of the replaced word changes by about as much
# as its own length, the others by 4 to 13%. In the untrained encoder these six change by similar amounts. In the trained one,
# after layer 2, the next two words change more than the last two.
# <!-- end -->
#
# Is that more than chance? Take 200 such sentences, replace the first word of each, and divide the change in the next two words
# by that in the last two:

# %% tags=["S15"]
texts, digits = four_digit_numbers(200, english)
new_texts = first_word_changes(texts, digits, english)
for title, version in versions.items():
    pairs = zip(
        layer_outputs(version, translator.source(texts)),
        layer_outputs(version, translator.source(new_texts)),
        strict=True,
    )
    for k, (a, b) in enumerate(pairs, 1):
        far = (b - a).norm(dim=-1) / a.norm(dim=-1)
        ratio = far[:, 1:3].mean(1) / far[:, 5:].mean(1)
        low, middle, high = ratio.quantile(torch.tensor([0.05, 0.5, 0.95])).tolist()
        print(f"{title}, layer {k}: median {middle:.1f}, 90% between {low:.1f} and {high:.1f}")

# %% [markdown]
# After layer 1, the two encoders look much the same. After layer 2, the median is 2.3 in the trained one and 1.0 in the
# untrained one, and the two ranges do not overlap. So **how strongly a word is affected depends on the parameters.** (This is
# one trained model. We also tried two other seeds for the untrained one, and got nearly the same numbers.)
#
# ### How much does a missing mask cost?
#
# A sentence in a padded batch should give the same vectors as it does on its own. Here is how far off the five real
# vectors are, relative to their length:

# %% tags=["S15"]
alone = run(sentence[:, :5], [None, None])
for title, masks in {"Mask in no layer": [None, None], **cases}.items():
    off = (run(sentence, masks)[:, :5] - alone).norm() / alone.norm()
    print(f"{title}: {100 * off:.1f}%")

# %% [markdown]
# Leaving the mask out of one layer already does most of the damage.
#
# ### A stack in torch
#
# torch builds a stack from one layer, which it copies. So at first all layers have the same parameters:

# %% tags=["S15"]
copies = nn.TransformerEncoder(theirs, num_layers=3, enable_nested_tensor=False)
first, _, third = (layer.linear1.weight for layer in copies.layers)
print(f"largest difference between layers 1 and 3: {(first - third).abs().max():.4f}")
for parameter in copies.parameters():
    if parameter.dim() > 1:  # the matrices; γ stays 1
        nn.init.xavier_uniform_(parameter)
print(f"after drawing new ones: {(first - third).abs().max():.4f}")

# %% [markdown]
# torch's documentation advises you to initialise the layers yourself before training, as in the last loop. The library's
# `Encoder` creates every layer separately.
#
# ### Would one vector do?
#
# Each vector of the memory depends on all words. So could the decoder manage with one? We try two things. In the first, all
# vectors of a sentence are replaced by their mean. The second is milder: we leave out one vector of each sentence, drawn at
# random, and keep all the others.


# %% tags=["E14"]
def mean(after, real):
    weights = real / real.sum(-1, keepdim=True)  # (b, 1, m): the same for each real token
    return [weights @ after[-1]] * 2, None


def one_left_out(after, real):
    draw = torch.rand(real.shape) * real
    kept = (draw < draw.amax(-1, keepdim=True)) | (real.sum(-1, keepdim=True) == 1)
    return [after[-1]] * 2, real & kept  # a sentence of one word keeps it


count_correct(mean)
for seed in range(3):
    torch.manual_seed(seed)
    count_correct(one_left_out)

# %% [markdown]
# With the mean, the translator gets nothing right. This does not show that one vector cannot be enough: our decoder was
# trained with many. The older translators, trained with one, did translate, but did worse on long sentences (Cho and others
# 2014).
#
# But even with one vector left out, most numbers are wrong. Do the other vectors contain nothing about the word that was left
# out? To find out, we take 2000 sentences like ours, with different digits (in ours they are 9, 6, 6 and 2). Can a linear map
# name all four digits of a sentence from just *one* of its seven vectors? We fit it by least squares to 1600 of the sentences,
# and test it on the other 400.

# %% tags=["E14"]
texts, digits = four_digit_numbers(2000, english)
embeddings = translator.source(texts)
vectors = {
    "Embeddings": embeddings,
    "After the encoder, untrained": untrained(num_layers=2, norm="pre")(embeddings),
    "After the encoder, trained": translator.encode(texts)[0],
}
for ax, (title, x) in zip(figures.panels(3, 3.6, 4.8), vectors.items(), strict=True):
    accuracy = probe_accuracy(x, digits)
    figures.heatmap(accuracy, words, ["1st", "2nd", "3rd", "4th"], title, digits=2, ax=ax)

# %% [markdown]
# <!-- picture -->
# a row for each of the seven vectors, and a column for each digit; the number is the accuracy of the
# linear map. (Guessing gives about 0.11.) In the embeddings, only a word's own vector names its digit. After the trained
# encoder, **any one of the seven vectors names all four digits.** The encoder does not have to learn this: an untrained one
# does nearly as well.
# <!-- end -->
#
# So the digit of the missing word is in the other vectors too, but *this decoder* mostly fails without that word's own
# vector. If a vector contains something, that does not mean that the model uses it there.
#
# ### From which layer does the memory come?
#
# You may read that *each* encoder layer passes its output on to the decoder. torch has the whole Transformer in one module,
# so we can test this claim there. We give the decoder the output of each encoder layer in turn, and compare the result with
# that of the whole module:

# %% tags=["E7"]
torch.manual_seed(0)
whole = nn.Transformer(
    16, nhead=2, num_encoder_layers=3, num_decoder_layers=3, dim_feedforward=32, batch_first=True
).eval()
source, target = torch.randn(1, 5, 16), torch.randn(1, 4, 16)
expected, x = whole(source, target), source
for number, layer in enumerate(whole.encoder.layers, 1):
    x = layer(x)
    memory = whole.encoder.norm(x)  # torch has a final norm here; the original does not
    difference = (whole.decoder(target, memory) - expected).abs().max()
    print(f"memory from encoder layer {number}: largest difference {difference:.4f}")

# %% [markdown]
# **Only the last layer's output goes to the decoder**, and all decoder layers get the same one.
#
# Does it matter which layer's output a decoder layer gets? Let's connect our translator layer by layer: its first decoder
# layer gets the output of the *first* encoder layer, and its second decoder layer gets that of the second. (Both outputs go
# through the final LayerNorm, so they have the size that the decoder is used to.) The translator was not trained to work like
# that.

# %% predict="12.each_layer"


# %% tags=["E7"]
def layer_by_layer(after, real):
    return after, real


def crossed(after, real):  # the first decoder layer gets the last, the second the first
    return [after[-1], after[0]], real


def first_for_both(after, real):
    return [after[0], after[0]], real


for choose_memory in (as_it_is, layer_by_layer, crossed, first_for_both):
    count_correct(choose_memory)
reveal("12.each_layer")

# %% [markdown]
# Now try another of the course's translators, which writes *3 May 1999* as *1999-05-03*:

# %% tags=["E7"]
for choose_memory in (as_it_is, layer_by_layer, crossed, first_for_both):
    count_correct(choose_memory, "dates")

# %% [markdown]
# With numbers you would hardly notice the difference: two fewer are correct. **A good score does not prove that a model is
# connected as you think.** With dates, more than a quarter of the 200 are lost. If both decoder layers get the first encoder
# layer's output, both models lose much more, so the second encoder layer does contribute. For numbers it is enough if one of
# the decoder layers gets the output of the second encoder layer; for dates, both need it. (A decoder can also be *trained*
# to attend to all encoder layers, but that is a different model from the original; see {bapna2018}.)
