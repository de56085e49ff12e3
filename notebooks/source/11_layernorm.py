# %% [markdown]
# # 11 · LayerNorm: who has a say in how a token is rescaled?
#
# After each sublayer, or before it, a Transformer rescales every token's vector. That looks like housekeeping. But for
# rescaling one needs a mean and a spread, and somebody has to say *of which numbers*. Here you find out what happens to a
# token when the numbers of others are among them. And then, what depends on the place where it is done.
#
# About 30 minutes. Afterwards you can
#
# * write LayerNorm down, with its ε, γ and β, and say what it keeps of a vector and what it loses;
# * show what padding and other texts do to BatchNorm, with a mask and without it;
# * say what pre-norm and post-norm do to the stream, and when the difference decides whether a model learns.

# %%
import numpy as np
import torch
from torch.nn import functional as F

from transformer_course import figures, models
from transformer_course.data import character_names, number_pairs
from transformer_course.embedding import pad_right
from transformer_course.exercises import ask, predict, reveal
from transformer_course.experiments.norm_order import (
    edit_sizes,
    train_speller,
    unigram_baseline,
)
from transformer_course.inspection import perturbation_map
from transformer_course.layers import LayerNorm
from transformer_course.masks import causal_mask
from transformer_course.models.recipes import bits_per_character

torch.set_num_threads(1)

# %% [markdown]
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %%
ask("11.recall")

# %% [markdown]
# ## One token
#
# Take a token of four numbers, 1, 7, 9, 15. Their mean is 8. From it they stray by −7, −1, 1 and 7; the squares of that are
# 49, 1, 1, 49, on average 25. This average is the **variance**, and its root, 5, the **standard deviation**. Take the mean
# off, and divide by the standard deviation:

# %% tags=["S13"]
x = np.array([1.0, 7.0, 9.0, 15.0])
y = 10 * x + 3
print(x.mean(), x.var(), (x - x.mean()) / np.sqrt(x.var()))
print(y.mean(), y.var(), (y - y.mean()) / np.sqrt(y.var()))

# %% [markdown]
# What comes out has mean 0 and variance 1, as long as the numbers are not all alike. This is the heart of **LayerNorm**. A
# token that is ten times as large, and 3 more in each number, comes out the same: the second line. The mean takes off the 3,
# and the standard deviation, ten times as large as well, the ten.
#
# So two things of a vector are lost: how large its numbers are on the whole, and how far they spread. What is kept is their
# pattern. Should a model need large numbers in some dimension all the same, two learned vectors give them back: **γ**
# multiplies each dimension, and **β** is added to it. (They are called gain and bias. γ starts with ones, β with zeros.)
#
# One thing is missing. A token whose numbers *are* all alike has variance 0, and 0/0 is no number. So a tiny **ε**, usually
# 0.00001, is added to the variance, inside the root:
#
# $$\text{LayerNorm}(x)_i = \gamma_i\, \frac{x_i - \mu}{\sqrt{\sigma^2 + \varepsilon}} + \beta_i \qquad \mu = \frac 1 d \sum_i
# x_i \qquad \sigma^2 = \frac 1 d \sum_i (x_i - \mu)^2$$
#
# **Your turn, on paper:** our token with γ = [1, 1, 2, 2] and β = [0, 0, 0, 10]. [−1.4, −0.2, ____, ____].
#
# <details><summary>Compare</summary>2 · 0.2 = 0.4, and 2 · 1.4 + 10 = 12.8. Its mean is no longer 0: after γ and β, a
# LayerNorm's output may have any mean and any spread.</details>

# %% tags=["S13"]
gamma, beta = np.array([1.0, 1.0, 2.0, 2.0]), np.array([0.0, 0.0, 0.0, 10.0])
by_hand = gamma * (x - x.mean()) / np.sqrt(x.var() + 1e-5) + beta
x_t, gamma_t, beta_t = map(torch.from_numpy, (x, gamma, beta))
by_torch = F.layer_norm(x_t, (4,), gamma_t, beta_t, eps=1e-5)
print(by_hand.round(4), "the same as torch:", np.allclose(by_hand, by_torch))
print("all alike:", (np.full(4, 7.0) - 7) / np.sqrt(0 + 1e-5))

# %% [markdown]
# Note 5 has ε twice: inside the root, as here, and once more added to the root. Does it matter? The root is never below √ε,
# which is 0.00316. It comes near that where a token's numbers are nearly all alike, so there a second ε counts for most:

# %% tags=["E21"]
t, eps = torch.tensor([-1.4, -0.2, 0.2, 1.4]) / 100_000, 1e-5
once = t / torch.sqrt(t.var(correction=0) + eps)
twice = t / (torch.sqrt(t.var(correction=0) + eps) + eps)
print("torch has one ε:", torch.allclose(F.layer_norm(t, (4,), eps=eps), once, rtol=1e-4, atol=0))
print(f"with two, the token comes out smaller by {1 - (twice / once)[0]:.1%}")

# %% [markdown]
# So it is a slip that hardly shows. But the formula has **one ε, inside the root.**

# %% [markdown]
# ## Whose mean?
#
# Three tokens now. There are two directions in which means can be taken:

# %% tags=["S13", "E27"]
X = np.array([[1.0, 7.0, 9.0, 15.0], [3.0, 3.0, 3.0, 7.0], [5.0, 5.0, 9.0, 5.0]])
print("of each token, over its numbers:    ", X.mean(axis=1))
print("of each dimension, over the tokens: ", X.mean(axis=0))
print("of the whole text, over everything: ", X.mean().round(4))

# %% [markdown]
# LayerNorm takes the first. **BatchNorm**, which is older and comes from models for images, takes the second, and over the
# tokens of all texts of the batch. Note 4 says that LayerNorm standardises each sample. In a table with a row for each
# sample that is right. But a sample here is a whole text, a table by itself, and the third line is what becomes of it if you
# take that at its word.
#
# What is the harm? Nine tokens go through attention with a causal mask, so that none sees what comes after it; then through a
# norm. `perturbation_map` (lesson 04) changes one token after another, and notes which outputs move.


# %% tags=["E27", "S13"]
def over(axes):
    return lambda y: (y - y.mean(axes, keepdim=True)) / y.std(axes, correction=0, keepdim=True)


def causal_then(norm):
    return lambda x: norm(F.scaled_dot_product_attention(x, x, x, causal_mask(len(x))))


nine = torch.randn(9, 4, generator=torch.Generator().manual_seed(0))
names = {"Each token": (1,), "The whole text (note 4)": (0, 1), "Each dimension (BatchNorm)": (0,)}
places = [str(k + 1) for k in range(9)]
for ax, (name, axes) in zip(figures.panels(3, 3.4), names.items(), strict=True):
    moves = (perturbation_map(causal_then(over(axes)), nine) != 0).float()
    figures.heatmap(moves, places, places, name, ax=ax)

# %% [markdown]
# **In the picture:** a row for each output, a column for each token that was changed; dark: the output moved. On the left
# everything above the diagonal is empty, as the mask wants it. In the other two maps it is not: each output moves with every
# token, later ones too, although the mask is the same. The future came in through mean and spread.
#
# So it is **each token's vector** that LayerNorm standardises, and in a text of n tokens it takes n means.

# %% [markdown]
# ## The same sentence, with more padding beside it
#
# Now BatchNorm, as it works while training: for each dimension, mean and variance of the tokens that count. (It has γ and β
# too; we leave both at their start.)


# %% tags=["S13"]
def batch_norm(vectors, counts):
    tokens = vectors[counts]  # of all texts: a row for each token that counts
    return (vectors - tokens.mean(0)) / torch.sqrt(tokens.var(0, correction=0) + 1e-5)


draw = torch.randn(2, 4, 5, generator=torch.Generator().manual_seed(0))
everything = torch.ones(2, 4, dtype=torch.bool)
of_torch = torch.nn.BatchNorm1d(5)(draw.flatten(0, 1)).unflatten(0, (2, 4))
print("the same as torch:", torch.allclose(batch_norm(draw, everything), of_torch, atol=1e-5))

# %% [markdown]
# Our sentence is *three hundred and five*, with the vectors of the translator from lesson 06. Its *company*, that is, the
# other text in the batch, is *seven hundred and two*. Padding is a row of zeros, as note 4 has it.

# %% tags=["S13"]
translator, vocabularies = models.load("translator")
english = vocabularies["source"]


def batch(*texts, columns=0):
    """The vectors of a batch, with so many more columns of padding; and which tokens are real."""
    ids = F.pad(pad_right([english.encode(text) for text in texts]), (0, columns))
    return translator.source.embedding(ids).detach() * (ids != 0)[..., None], ids != 0


ours, company = ["three", "hundred", "and", "five"], ["seven", "hundred", "and", "two"]
print(*(batch(ours, company, columns=k)[0].shape for k in (0, 24)))

# %%
predict("11.padded")

# %% tags=["S13"]
layer_norm = LayerNorm(128)
norms = {
    "BatchNorm": lambda vectors, real: batch_norm(vectors, torch.ones_like(real)),
    "BatchNorm, masked": batch_norm,
    "LayerNorm": lambda vectors, real: layer_norm(vectors).detach(),
}


def moved(norm, first, second):
    """How far our sentence's four vectors move from one batch to the other, as a share of their length."""
    a, b = norm(*first)[0, :4], norm(*second)[0, :4]
    return ((a - b).norm() / a.norm()).item()


def variance(vectors, _):
    """The variance over all tokens, in the mean of all dimensions."""
    return vectors.flatten(0, 1).var(0, correction=0).mean()


home, padded = batch(ours, company), batch(ours, company, columns=24)
print(f"moved by {moved(norms['BatchNorm'], home, padded):.0%} of their length")
print(f"variance: {variance(*padded) / variance(*home):.2f} of what it was")
reveal("11.padded")

# %% [markdown]
# **The same sentence gets another output because of padding that stands beside it.** The means move towards 0. But above all,
# six tokens in seven are zeros now, so the variance falls to about a sixth, and dividing by its root makes everything real
# more than twice as large.
#
# BatchNorm marks on a curve: what 60 points are worth depends on who else sat the exam, and empty chairs that count as 0
# points make everybody brilliant. LayerNorm compares a pupil's own subjects with each other. (The comparison breaks once
# BatchNorm has finished training. Then it marks by means and variances that it collected before, the same for everybody; but
# that is another function than the one with which the model learned.)
#
# Of course one can leave the padding out of means and variances. That is what a mask is for, and "BatchNorm, masked" does
# it: only real tokens count.

# %%
predict("11.company")

# %% tags=["S13"]
away = batch(ours, ["twenty", "six", "million"])
for name, norm in norms.items():
    print(
        f"{name:17} padding {moved(norm, home, padded):4.0%}  others {moved(norm, home, away):4.0%}"
    )
reveal("11.company")

# %% [markdown]
# The mask has cured the padding, and not the company. Is it our choice of texts? We put our sentence into two batches with
# different company, drawn at random, three times; and then into larger and larger ones.

# %% tags=["S13"]
texts, sizes = [words for words, _ in number_pairs(400, 1).train], [1, 2, 8, 32]


def between_companies(norm, size, seed):
    drawn = np.random.default_rng(seed).choice(len(texts), 2 * size, replace=False)
    one, other = ([texts[k] for k in half] for half in np.split(drawn, 2))
    return moved(norm, batch(ours, *one), batch(ours, *other))


lines = {}
for name in ("BatchNorm, masked", "LayerNorm"):
    lines[name] = [[between_companies(norms[name], k, seed) for k in sizes] for seed in range(3)]
unit = "moved, as a share of its length"
title, below = "Other company moves BatchNorm, even masked", "other texts in the batch"
ax = figures.curves(sizes, lines, title, below, unit, log="x")

# %% [markdown]
# **In the picture:** how far our sentence moves from one batch to the other, each with so many other texts; the middle one of
# three draws, and a band for all. BatchNorm moves it, although padding does not count: by about a third of its length next to
# a single other text, and by less in larger batches, whose means differ less. LayerNorm stays at exactly 0: who stands beside
# a token has no say.

# %% [markdown]
# ## Before the sublayer, or behind the sum
#
# Where in a layer does the norm stand? There are two orders, with f for attention or the feed-forward network. **Post-norm**,
# the original's, is LayerNorm(x + f(x)). **Pre-norm** is x + f(LayerNorm(x)). Nothing has rescaled the sum that leaves its
# last layer, so one more norm stands at the end, the **final norm**. (The question from the beginning: with f = 0, pre-norm
# gives back x, and post-norm LayerNorm(x).)
#
# Note 5 has post-norm as its formula. And its picture is a *stream*: word vectors that each layer edits a little, while what
# was there is kept. Do the two fit? Take a vector, and give it 24 edits in random directions, each half as long as the stream
# it meets. In pre-norm the sum is all that happens to the stream; in post-norm each sum is standardised. By what has the
# first vector been multiplied in the end? And how much of the whole is it?

# %% tags=["E22"]
for order in ("pre", "post"):
    rng, kept = np.random.default_rng(0), 1.0
    stream = rng.standard_normal(512)
    stream = (stream - stream.mean()) / stream.std()  # as a norm would hand it over
    for edits in range(1, 25):
        stream = stream + rng.standard_normal(512) * stream.std() / 2
        if order == "post":
            kept = kept / stream.std()
            stream = (stream - stream.mean()) / stream.std()
        if edits in (1, 8, 24):
            share = kept / stream.std()
            print(f"{order}-norm after {edits:2}: times {kept:.2f}, share of the whole {share:.2f}")

# %% [markdown]
# **Post-norm rescales the stream at every sublayer**, and what was written with it; with pre-norm it stands there to the
# last, number by number. That is what note 5's picture needs, and it is exact for pre-norm only. It does not mean that more of
# it can be *seen*: of the whole, just as little is left with either, since in pre-norm the stream grows round it.
#
# And are the edits little? This course has two small trained GPTs of six layers, one of each kind. How long is what a
# sublayer adds, as a share of the stream it is added to?

# %% tags=["E22"]
for name in ("gpt-pre", "gpt-post"):
    model, vocabulary = models.load(name)
    text = torch.tensor([vocabulary["text"].encode("LATIN SMALL LETTER A WITH ACUTE")])
    edits = edit_sizes(model, text)
    print(f"{name}: {len(edits)} edits, of {edits.min():.1f} to {edits.max():.1f} of the stream")

# %% [markdown]
# From a third of the stream to about all of it: "little" they are not. (More on that in lesson 19.)

# %% [markdown]
# ## Twelve layers, quickly
#
# Now we train. Small GPTs, 32 wide, continue the names of Unicode's characters, such as LATIN SMALL LETTER A, letter by
# letter, for 70 steps. Twelve layers is deep for such a model, and 0.01 a high **learning rate**: how far each step goes.
# Weights start as torch draws them.
#
# Whoever knows how frequent each letter is and nothing else has a loss of 2.9 a letter. A run whose last 20 steps are not, in
# the mean, at least 0.15 below that is called stuck.

# %%
predict("11.fast")


# %% tags=["S13"]
def three(norm, layers, lr, **others):
    return [train_speller(norm, layers, lr, **others, seed=seed) for seed in range(3)]


def told(runs):
    return " ".join("stuck" if run.final > unigram_baseline() - 0.15 else "learns" for run in runs)


fast = {norm: three(norm, 12, 0.01) for norm in ("pre", "post")}
print("12 layers:", "pre", told(fast["pre"]), "  post", told(fast["post"]))
print(" 2 layers:", "post", told(three("post", 2, 0.01)))
print(f"letters alone: {unigram_baseline():.1f}")
reveal("11.fast")

# %% [markdown]
# So two layers learn with post-norm as well, and at twelve the order decides. A common explanation is that with post-norm
# hardly any gradient reaches the first layers. That can be measured.

# %%
predict("11.gradient")


# %% tags=["S13"]
def ratios(runs):
    pairs = zip(runs["pre"], runs["post"], strict=True)
    return [round(post.gradient / pre.gradient, 1) for pre, post in pairs]


print("post / pre, three seeds:", ratios(fast))
reveal("11.gradient")

# %% [markdown]
# It is about as large. Then what does being stuck look like? Take the vectors that leave the last layer, and the mean cosine
# between those of two letters of a name: 1 if all letters look alike.


# %% tags=["S13"]
def alike(cosines):
    return [cosine > 0.95 for cosine in cosines]


print("post, before training:", alike(run.cosine_before for run in fast["post"]))
print(
    "post, after ten steps:", alike(run.cosine_after for run in three("post", 12, 0.01, steps=10))
)
for norm, runs in fast.items():
    print(f"{norm}, after 70 steps:", alike(run.cosine_after for run in runs))

# %% [markdown]
# **The first ten steps made all letters alike**, and then nothing is left to go by but how frequent letters are. (In lesson 10
# tokens became alike because the plus signs were missing. Here they are all there.)
#
# ## In which world?
#
# Is post-norm to blame? We change one thing at a time: the learning rate; a **warm-up**, in which the rate climbs to 0.01
# during the first 50 steps; and the start. *Xavier*'s, which you know from lesson 10 and which many programs take, draws
# the weights of a square matrix √3 times as large as torch's, and starts biases at 0.

# %% tags=["S13"]
slow = {norm: three(norm, 12, 0.003) for norm in ("pre", "post")}
warm = three("post", 12, 0.01, warmup=50)
large = {norm: three(norm, 12, 0.003, init="xavier") for norm in ("pre", "post")}
print("rate 0.003:             ", "pre", told(slow["pre"]), "  post", told(slow["post"]))
print("rate 0.01, with warm-up:", "post", told(warm))
print("rate 0.003, Xavier:     ", "pre", told(large["pre"]), "  post", told(large["post"]))
left = alike(run.cosine_after for run in slow["post"] + warm)
print("post, rate 0.003 or warm-up, alike after 70 steps:", left)
for norm, runs in large.items():
    print(f"{norm}, Xavier, alike before training:", alike(run.cosine_before for run in runs))
pairs = zip(slow["post"], fast["post"], strict=True)
same = all(a.gradient == b.gradient and a.losses[0] == b.losses[0] for a, b in pairs)
print("post, rate 0.003 and rate 0.01, first loss and gradient equal:", same)

# %% tags=["S13"]
worlds = {
    "torch's start, rate 0.003": slow,
    "torch's start, rate 0.01": {**fast, "post, with warm-up": warm},
    "Xavier's start, rate 0.003": large,
}


def by_tens(runs):
    return [np.reshape(run.losses, (-1, 10)).mean(axis=1) for run in runs]


steps, words = np.arange(5, 70, 10), ["letters alone", "", ""]
for ax, name, word in zip(figures.panels(3, 4.2), worlds, words, strict=True):
    lines = {arm: by_tens(runs) for arm, runs in worlds[name].items()}
    level = (unigram_baseline(), word)
    figures.curves(steps, lines, name, "step", "loss", level=level, ax=ax).set_ylim(1.6, 4.2)

# %% [markdown]
# **In the picture:** twelve layers each time, at one scale; lines are the middle of three seeds, bands go from the least to
# the largest. On the left, both orders fall together. In the middle, post-norm falls to the line of a model that knows letter
# frequencies alone, and stays there; with warm-up it goes on falling. On the right it is stuck although the rate is that of
# the left panel. Pre-norm learns in all three.
#
# So "post-norm does not train when deep" is a sentence about certain worlds. With Xavier's start, twelve post-norm layers
# make all letters alike from the outset, and in 70 steps they learned no more than how frequent letters are. With torch's
# start and a rate of 0.01 the first steps make them alike; at 0.003, or with a warm-up, they do not, and the sentence is
# false. The post-norm models of the left panel and those of the middle one *start equal*: **nothing that one measures at the
# start alone can tell which of these two will be stuck.**
#
# That does not make pre-norm the better one. Trained with a warm-up, our two GPTs of six layers both know the names well.
# (The loss is given in *bits* here: with the logarithm to base 2, the 2.9 above are 4.2.)

# %% tags=["S13"]
bits = {}
for name in ("gpt-pre", "gpt-post"):
    model, vocabulary = models.load(name)
    text = vocabulary["text"]
    unseen = [[*text.encode(word), text.end] for word, _ in character_names().test[:60]]
    bits[name] = bits_per_character(model, unseen)
print(f"letters alone: {unigram_baseline() / np.log(2):.1f} bits a letter")
print("both below 1.5:", max(bits.values()) < 1.5)
print("less than 0.2 apart:", abs(bits["gpt-pre"] - bits["gpt-post"]) < 0.2)

# %% [markdown]
# One seed each, so who is a little ahead says nothing. The original has post-norm *and* warm-up; most models since GPT-2 have
# pre-norm, which can do without one (Xiong and others 2020).

# %% [markdown]
# ## Before you go

# %%
ask("11.exit")

# %% [markdown]
# **Who has a say in how a token is rescaled?** With LayerNorm, its own numbers and nobody else: no padding, no company, no
# future; γ and β then give each dimension back what it needs. Where the norm stands decides whether the stream is rescaled
# with it, and, in a deep model with large first weights or large first steps, also whether it learns.
