# %% [markdown]
# # 12 · The encoder: you change one word, and which vectors move?
#
# You know all its parts. Here they are put together into a layer, and layers into a stack, until the result is torch's
# encoder, number for number. Then you change one word of a sentence and watch from layer to layer what becomes of it; and
# you find out what leaves the encoder at the top, about which two of the notes are wrong.
#
# About 30 minutes. Afterwards you can
#
# * build an encoder from its parts, and give every shape in it;
# * say how a change of one word travels through it, and what a padding mask must do so that it does not travel at all;
# * say what the decoder is given, and test it.

# %%
import math

import numpy as np
import torch

from transformer_course import figures, models
from transformer_course.exercises import ask, predict, reveal
from transformer_course.experiments.encoder_memory import (
    accuracy_with_memory,
    four_digit_numbers,
    layer_outputs,
    probe_accuracy,
)
from transformer_course.inspection import perturbation_map
from transformer_course.transformer import Encoder, StackConfig

torch.set_num_threads(1)


def softmax(scores):
    exponentials = np.exp(scores - scores.max(-1, keepdims=True))
    return exponentials / exponentials.sum(-1, keepdims=True)


# %% [markdown]
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %%
ask("12.recall")

# %% [markdown]
# ## Where we are

# %% tags=["S29"]
lit = ["self-attention", "add & norm 1", "feed-forward", "add & norm 2"]
ax = figures.architecture(*(f"encoder {part}" for part in lit), title="One layer of the encoder")

# %% [markdown]
# **In the picture:** the map of lesson 00. The four lit boxes are one **layer**; the frame around them says that N such
# layers stand on top of each other, in the original N = 6. Twice a thin line leads around a sublayer: the residual
# connection.

# %% [markdown]
# ## One layer
#
# Four tokens, *three hundred and five*, with 6 random numbers each. We let torch make a layer with two heads, whose
# feed-forward network is 10 wide, and draw all its parameters anew (torch starts its γ at 1 and many biases at 0, which could
# hide a mistake). Then we take them out: twelve arrays.

# %% tags=["S15"]
torch.manual_seed(0)
sizes = {"d_model": 6, "nhead": 2, "dim_feedforward": 10, "dropout": 0.0, "batch_first": True}
theirs = torch.nn.TransformerEncoderLayer(**sizes).double()
for parameter in theirs.parameters():
    torch.nn.init.normal_(parameter, std=0.5)
W_in, b_in, W_O, b_O, W_1, b_1, W_2, b_2, gamma_1, beta_1, gamma_2, beta_2 = (
    parameter.detach().numpy().T  # torch keeps (out, in); ours stand on the right of x
    for parameter in theirs.parameters()
)
X = np.random.default_rng(0).standard_normal((4, 6))
print("X", X.shape, " W_in", W_in.shape, " W_O", W_O.shape, " W_1", W_1.shape, " W_2", W_2.shape)

# %% [markdown]
# `W_in` is W_Q, W_K and W_V side by side, 3 × 6 = 18 columns: one product makes all of Q, K and V. (And each has a bias in
# torch.) Now the boxes, one by one: attention for one text, head after head; the feed-forward network of lesson 09; the norm
# of lesson 11.


# %% tags=["S15"]
def attention(x):
    Q, K, V = np.split(x @ W_in + b_in, 3, axis=1)
    heads = []
    for own in (slice(0, 3), slice(3, 6)):  # each head's columns
        A = softmax(Q[:, own] @ K[:, own].T / math.sqrt(3))
        heads.append(A @ V[:, own])
    return np.concatenate(heads, axis=1) @ W_O + b_O


def feed_forward(x):
    return np.maximum(x @ W_1 + b_1, 0) @ W_2 + b_2


def norm(x, gamma, beta):
    centred = x - x.mean(1, keepdims=True)
    return gamma * centred / np.sqrt(x.var(1, keepdims=True) + 1e-5) + beta


# %% [markdown]
# And the layer is two lines, one for each sublayer. **Each has a norm of its own**, with its own γ and β:

# %% tags=["S15"]
middle = norm(X + attention(X), gamma_1, beta_1)
output = norm(middle + feed_forward(middle), gamma_2, beta_2)
by_torch = theirs(torch.from_numpy(X)[None])[0].detach()  # a batch of one
print(output.shape, " the same as torch:", np.allclose(output, by_torch))

# %% [markdown]
# **Your turn, on paper:** walk through it once more, for a text of *nine* tokens.
#
# | | 4 tokens | 9 tokens | do tokens meet? |
# | --- | --- | --- | --- |
# | X | 4 × 6 | 9 × 6 | |
# | Q, K, V side by side | 4 × 18 | 9 × 18 | no |
# | weights of one head, times its V | 4 × 4, 4 × 3 | 9 × 9, 9 × 3 | ____ |
# | heads side by side, then times W_O | 4 × 6 | 9 × 6 | no |
# | sum and norm | 4 × 6 | ____ | ____ |
# | inside the feed-forward network | 4 × 10 | ____ | ____ |
# | sum and norm | 4 × 6 | 9 × 6 | no |
#
# <details><summary>Compare</summary>9 × 6 and 9 × 10. Tokens meet in one place of a layer only, where the weights mix the
# values. Everything else in this table treats each row by itself.</details>
#
# The library's `EncoderLayer` has the same boxes, for batches and with masks.

# %% [markdown]
# ## Layers on layers
#
# A layer takes 4 × 6 and gives 4 × 6. So its output can go into another layer, and that is all there is to a stack; **each
# layer has parameters of its own**. torch makes the stack of one layer, which it copies, numbers included. Its documentation
# advises to draw the matrices anew before training, as below. (The library's `Encoder` draws them layer by layer.)

# %% tags=["S15"]
template = torch.nn.TransformerEncoderLayer(**sizes).double()
stack = torch.nn.TransformerEncoder(template, num_layers=3)
first, _, third = stack.layers
print("copies:", torch.equal(first.linear1.weight, third.linear1.weight))
for parameter in stack.parameters():
    if parameter.dim() > 1:  # the matrices; γ stays 1
        torch.nn.init.xavier_uniform_(parameter)
x = torch.from_numpy(X)[None]
for layer in stack.layers:
    x = layer(x)
loop_is_stack = torch.equal(x, stack(torch.from_numpy(X)[None]))
print(tuple(x.shape), " a loop over the layers gives what the stack gives:", loop_is_stack)

# %% [markdown]
# ## One word changes
#
# Now an encoder in the original's form: six layers, post-norm; here with 4 heads and vectors of 128 numbers. It has not
# learned anything yet. The sentence has seven words, and they get the vectors of the translator (lesson 06), positions
# included. Then the first word is exchanged: *one million six hundred and sixty two*.

# %%
translator, vocabularies = models.load("translator")
words = ["nine", "million", "six", "hundred", "and", "sixty", "two"]
sentence, changed = (
    translator.source(torch.tensor([vocabularies["source"].encode([word, *words[1:]])])).detach()
    for word in ("nine", "one")
)
print(tuple(sentence.shape), " vectors that differ:", (sentence != changed).any(-1).sum().item())

# %%
predict("12.spread")


# %% tags=["S15"]
def moved(encoder, mask=None):
    """How far each vector has moved, beside its length, at the bottom and after each layer."""
    before, after = ([x, *layer_outputs(encoder, x, mask)] for x in (sentence, changed))
    rows = [(b - a).norm(dim=-1) / a.norm(dim=-1) for a, b in zip(before, after, strict=True)]
    return torch.cat(rows).detach()


def fresh(seed=0, num_layers=6, norm="post"):
    torch.manual_seed(seed)
    sizes = {"d_model": 128, "num_heads": 4, "d_ff": 512, "dropout": 0.0}
    return Encoder(StackConfig(**sizes, num_layers=num_layers, norm=norm))


encoder = fresh()
print("vectors that moved, layer by layer:", (moved(encoder) > 0).sum(1).tolist())
reveal("12.spread")

# %% [markdown]
# Who carried it? Two controls, with the same parameters and another mask: in one, each token may attend to itself alone; in
# the other, to itself and its two neighbours, as a convolution would have it (lesson 01).

# %% tags=["S15"]
apart = (torch.arange(7)[:, None] - torch.arange(7)).abs()
masks = {"Itself alone": apart == 0, "Neighbours": apart <= 1, "The encoder: all": apart >= 0}
rows = ["bottom", *(f"layer {k}" for k in range(1, 7))]
for ax, (title, mask) in zip(figures.panels(3, 4.2, 4.2), masks.items(), strict=True):
    reached = (moved(encoder, mask) > 0).float()
    figures.heatmap(reached, rows, [str(k) for k in range(1, 8)], title, digits=0, ax=ax)
    ax.invert_yaxis()  # as on the map, the bottom is below

# %% [markdown]
# **In the picture:** read from below; dark: this word's vector has moved. On the left, a change stays where it is, through
# six feed-forward networks: these carry nothing over. In the middle it gets one word further with each layer, and reaches the
# seventh word with the sixth. On the right, the first layer takes it everywhere.
#
# So distance does not count: **in one layer, everyone hears of everyone**, of those before and of those after. That is called
# **bidirectional**. It does not mean that the text is read twice, once in each direction: one table of weights holds both
# sides.
#
# Then why six layers? It depends on *what* is heard. In the first layer, everyone hears what the words are. In the second,
# what everyone has made of that.
#
# Think of a meeting in rounds. In each round everyone hears everyone, and then each thinks alone. (Where that breaks: nobody
# answers. All hear what the others had before the round, and how well they are heard is settled by scores before anyone has
# listened.)
#
# And how *far* do the vectors move? Beside the trained translator's encoder (two layers, pre-norm, and a norm that closes the
# stack) stands an untrained one of the same form.

# %% tags=["S15"]
trained = moved(translator.encoder)
untrained = [moved(fresh(seed, num_layers=2, norm="pre")) for seed in range(3)]
left, right = figures.panels(2, 6.0, 4.0)
for ax, title, far in ((left, "Untrained", untrained[0]), (right, "Trained", trained)):
    figures.heatmap(far, rows[:3], words, title, digits=2, ax=ax).invert_yaxis()

# %% [markdown]
# **In the picture:** the same two sentences, after each layer as the final norm would let it out; the number is how far
# the vector has moved, as a share of its length. The first word, the one that was exchanged, has moved by about its whole
# length. All others move, by 4 to 13 per cent. Untrained, these six move about alike. Trained, they do not: here the two
# words next to it have moved more than twice as far as the last two. **How far is up to the parameters.** (Three seeds
# untrained, below.)

# %% tags=["S15"]
for name, encoders in (("untrained", untrained), ("trained", [trained])):
    ratios = [(far[2, 1:3].mean() / far[2, 5:].mean()).item() for far in encoders]
    print(f"{name}, the next two beside the last two:", *(f"{ratio:.1f}" for ratio in ratios))

# %% [markdown]
# ## Padding, through several layers
#
# Take the last two of the seven places for padding, and mask them: no query may attend to them, in any layer. That is the
# encoder's only mask. We draw the influence map of two layers: for each output, does it move when an input is changed?

# %%
predict("12.padding")

# %% tags=["S15"]
real = (torch.arange(7) < 5)[None]  # one row, for all queries


def two_layers(*masks):
    def run(x):
        x = x[None]
        for layer, mask in zip(encoder.layers, masks, strict=False):  # two masks: the first two
            x = layer(x, mask)
        return x[0]

    return run


places = ["1", "2", "3", "4", "5", "pad", "pad"]
arms = {
    "No mask": (None, None),
    "A mask in both layers": (real, real),
    "In the first layer only": (real, None),
    "In the second layer only": (None, real),
}
for ax, (title, given) in zip(figures.panels(4, 3.4, 3.6), arms.items(), strict=True):
    reached = (perturbation_map(two_layers(*given), sentence[0]) > 0).float()
    figures.heatmap(reached, places, places, title, digits=0, ax=ax)

# %% [markdown]
# **In the picture:** a row for each output, a column for each input that was changed, after two layers. Without a mask, all 49
# are dark. With it in both layers, nothing real moves with the padding. Two cells of padding are dark all the same: a
# place's own vector goes past attention by the residual connection. With it in one layer only,
# everything is dark again, as if there were none. **One open layer is enough, whichever it is:** what has come in stays in,
# and a mask behind it no longer finds it, since it now sits in real tokens.

# %%
reveal("12.padding")

# %% [markdown]
# So the loop of a stack with padding is `for layer in layers: x = layer(x, mask)`, and a program without the mask runs as
# well. The rows of padding are computed too, and mean nothing; who reads the encoder's output must leave them out once
# more. Then a sentence in a padded batch gives what it gives alone:

# %% tags=["S15"]
alone = two_layers(None, None)(sentence[0, :5])
for title, given in arms.items():
    off = (two_layers(*given)(sentence[0])[:5] - alone).norm() / alone.norm()
    print(f"{title}: {100 * off:.1f} % off what it gives alone")

# %% [markdown]
# ## What leaves at the top?
#
# Note 2 says that the encoder turns the sequence into *one context vector*. Look:

# %% tags=["E14"]
for text in ("nine", "nine million and one", "nine million six hundred and sixty two"):
    tokens = torch.tensor([vocabularies["source"].encode(text.split())])
    print(tuple(translator.encode(tokens)[0].shape), text)

# %% [markdown]
# **One vector for each token.** Together they are called the **memory**; it is what the decoder's cross-attention takes its
# keys and values from (lesson 13). One context vector is what older translators had, two RNNs, in which everything had to go
# through the last state.
#
# The decoder of our translator has two layers, and each is given the memory. On 200 numbers that it has not seen in training
# we give it something else, and count those that come out without a mistake (each next character, given the right ones so
# far). First the memory as it is; then the same vectors in another order.


# %%
def tell(choose_memory, model="translator"):
    name = choose_memory.__name__.replace("_", " ")
    print(f"{model}, {name}: {200 * accuracy_with_memory(choose_memory, model):.0f} of 200")


def as_it_is(after, real):  # what each encoder layer made, and which tokens are real
    return [after[-1], after[-1]], real  # for the decoder's two layers, and its mask


def shuffled(after, real):
    order = torch.randperm(real.shape[-1])
    return [after[-1][:, order]] * 2, real[..., order]


# %%
predict("12.shuffled")

# %%
tell(as_it_is)
torch.manual_seed(0)
tell(shuffled)
reveal("12.shuffled")

# %% [markdown]
# To attention the memory is a set; where a word stood is written in its vector. And each of these vectors has heard of all the
# words. So would one of them do? Two things to try. One: all vectors of a text are replaced by their mean. Two, which is
# milder: of each text one vector is left out, drawn at random, and all others stay.


# %% tags=["E14"]
def mean(after, real):
    weights = real / real.sum(-1, keepdim=True)  # (b, 1, m): the same for each real token
    return [weights @ after[-1]] * 2, None


def one_left_out(after, real):
    draw = torch.rand(real.shape) * real
    kept = (draw < draw.amax(-1, keepdim=True)) | (real.sum(-1, keepdim=True) == 1)
    return [after[-1]] * 2, real & kept  # of a text of one word, none is left out


tell(mean)
for number in range(3):
    torch.manual_seed(number)
    tell(one_left_out)

# %% [markdown]
# With their mean, nothing is right. That does not show that one vector could not be enough: this decoder was trained with
# many, and the older translators, trained with one, did translate, the worse the longer the sentence (Cho and others 2014).
# But with one vector less, most is lost already. Does none of the others know that word, then?
#
# Let us ask each of them. We take 2000 sentences like ours, with other digits. From *one* of a sentence's seven vectors, a
# linear map is to name its four digits. It is fitted to 1600 of the sentences by least squares, and tried on the other 400.

# %% tags=["E14"]
texts, digits = four_digit_numbers(2000, vocabularies["source"])
bottom = translator.source(texts)
arms = {
    "At the bottom": bottom,
    "At the top, untrained": fresh(0, num_layers=2, norm="pre")(bottom),
    "At the top, trained": translator.encode(texts)[0],
}
named = {title: probe_accuracy(vectors, digits) for title, vectors in arms.items()}
for ax, (title, shares) in zip(figures.panels(3, 3.6, 4.8), named.items(), strict=True):
    figures.heatmap(shares, words, ["1st", "2nd", "3rd", "4th"], title, digits=2, ax=ax)
    print(f"{title}: {(shares > 0.9).sum()} of 28 are above 0.9")

# %% [markdown]
# **In the picture:** a row for each of the seven vectors, a column for each digit that is asked for; the number is how
# often it was named right. (Guessing gives about 0.11.) At the bottom, only a word's own vector names it. At the top, **any
# single one of the seven vectors names all four digits**. Nobody has to learn that: it is nearly so in the untrained
# encoder.
#
# So with the vector that was left out, nothing is gone that the others do not hold too; gone is where *this decoder* looks for
# it. That something stands in a vector does not say that it is read there. And one context vector is no absurd idea; it is
# only not what this encoder hands over.

# %% [markdown]
# ## From which layer?
#
# Note 1 says that *each* encoder layer's output is passed on to the decoder. In torch's whole Transformer, the stack of
# decoder layers is given a single memory, and we can find out which it is:

# %% tags=["E7"]
torch.manual_seed(0)
whole = torch.nn.Transformer(
    16, nhead=2, num_encoder_layers=3, num_decoder_layers=3, dim_feedforward=32, batch_first=True
).eval()
source, target = torch.randn(1, 5, 16), torch.randn(1, 4, 16)
answer, x = whole(source, target), source
for number, layer in enumerate(whole.encoder.layers, 1):
    x = layer(x)
    memory = whole.encoder.norm(x)  # torch closes the stack with a norm; the paper does not
    same = torch.allclose(whole.decoder(target, memory), answer, atol=1e-5)
    print(f"given what layer {number} made, the decoder gives the same as the whole: {same}")

# %% [markdown]
# **Only the last layer's output goes to the decoder.** (`whole.decoder` takes a single memory, so all its layers get the
# same.)
#
# Does it matter? Let us wire our translator as note 1 says: its decoder's first layer is given what the encoder's *first*
# layer made, its second what the second made. (Each goes through the final norm, so its size is what the decoder is used
# to.) It was not trained so. We try the same with another translator of the course, which writes *3 May 1999* as
# *1999-05-03*.

# %%
predict("12.each_layer")


# %% tags=["E7"]
def as_note_1_says(after, real):
    return after, real


def crossed(after, real):  # the first decoder layer gets the last, the second the first
    return [after[-1], after[0]], real


def first_for_both(after, real):
    return [after[0], after[0]], real


for model in ("translator", "dates"):
    for choose_memory in (as_it_is, as_note_1_says, crossed, first_for_both):
        tell(choose_memory, model)
reveal("12.each_layer")

# %% [markdown]
# With numbers you would hardly notice: two fewer than before. **A good score does not prove that a model is wired as you
# think.** With dates, more than a quarter is lost. And where both decoder layers are given the first layer's vectors, much
# more is lost in both. So what the second encoder layer adds is needed. With numbers it is enough if either of the
# decoder's layers gets it; with dates, both should. (A decoder can also be *trained* on all layers, Bapna and others 2018:
# another model than the paper's.)

# %% [markdown]
# ## Before you go

# %%
ask("12.exit")

# %% [markdown]
# **You change one word, and which vectors move?** All of them, from the first layer on, unless a mask keeps them from hearing
# of it: the exchanged one by about its whole length, the others far less, and how far is up to the parameters. What leaves at
# the top are the last layer's vectors, one for each token.
