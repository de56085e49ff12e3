# %% [markdown]
# # 11 · LayerNorm: who has a say in how a token is rescaled?
#
# After each sublayer, or before it, a Transformer rescales every token's vector. That looks like housekeeping. But for
# rescaling one needs a mean and a spread, and somebody has to say *of which numbers*. Here you find out what goes wrong
# when others have a say: the padding, the company, the future. And then, what depends on the place where it is done.
#
# About 35 minutes. Afterwards you can
#
# * write LayerNorm down, with its ε, γ and β, and say what it keeps of a vector and what it loses;
# * show what padding and company do to BatchNorm, and which of the two can be mended by a mask;
# * say what pre-norm and post-norm do to the stream, and when the difference decides whether a model learns.

# %% [markdown]
# **Recall** (click an answer to see what it leads to).
#
# *A sublayer f has a residual connection, and f gives zeros. What comes out?* (lesson 10)
# <details><summary>zeros</summary>That would be f alone. The input is added to it.</details>
# <details><summary>the input x, as it was</summary>Yes: x + f(x), and f(x) is 0. It comes back below, where a norm stands
# behind the sum.</details>
# <details><summary>half of x</summary>Nothing is halved: it is a sum, and no mean.</details>

# %% [markdown]
# *Why does a batch of texts need padding, and why a mask with it?* (lesson 04)
# <details><summary>To bring the texts to one length; the mask keeps others from attending to what means nothing</summary>Yes.
# In attention, a mask mends that completely. Today you meet a place where it mends half.</details>
# <details><summary>To hide the future</summary>That is the causal mask. Padding fills short texts up.</details>
# <details><summary>To make training faster; the mask is optional</summary>Without it, real tokens attend to padding.</details>

# %%
import numpy as np
import torch
from torch.nn import functional as F

from transformer_course import figures, models
from transformer_course.data import character_names, number_pairs
from transformer_course.embedding import pad_right
from transformer_course.exercises import reply
from transformer_course.experiments.norm_order import (
    edit_sizes,
    letters_alone,
    train_speller,
)
from transformer_course.inspection import influence
from transformer_course.layers import LayerNorm
from transformer_course.masks import causal_mask
from transformer_course.models.recipes import bits_a_character

torch.set_num_threads(1)

# %% [markdown]
# ## One token
#
# Take a token of four numbers, 1, 7, 9, 15. Their mean is 8. From it they stray by −7, −1, 1 and 7; the squares of that are
# 49, 1, 1, 49, on average 25. This average is the **variance**, and its root, 5, the **standard deviation**. Take the mean
# off, and divide by the standard deviation:

# %% tags=["S13"]
x = np.array([1.0, 7.0, 9.0, 15.0])
print(x.mean(), x.var(), (x - x.mean()) / np.sqrt(x.var()))

# %% [markdown]
# What comes out has mean 0 and variance 1, whatever went in. This is the heart of **LayerNorm**.
#
# **Predict.** A token that is ten times as large, and 3 more in each number: 13, 73, 93, 153. What comes out?
#
# * `"a"`: ten times as much, and 3 more
# * `"b"`: ten times as much: the mean takes off the 3, and not the 10
# * `"c"`: the same as before

# %%
guess = ...

# %% tags=["S13"]
y = 10 * x + 3
print((y - y.mean()) / np.sqrt(y.var()))

# %%
reply("11.scaled", guess)

# %% [markdown]
# So two things of a vector are lost: how large its numbers are on the whole, and how far they spread. What is kept is their
# pattern. Should a model need large numbers in some dimension all the same, two learned vectors give them back: **γ**
# multiplies each dimension, and **β** is added to it. (They are called gain and bias. γ starts with ones, β with zeros.)
#
# One thing is missing. A token whose numbers are all alike has variance 0, and 0/0 is no number. So a tiny **ε**, usually
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
# Note 5 has ε twice: inside the root, as here, and once more added to the root. Does it matter? We let the spread of our
# token shrink, and look at its last number, without γ and β. Beside it a third way, ε next to the root alone:

# %% tags=["E21"]
for spread in (1, 0.01, 0.001, 0.00001):
    t, eps = spread * (x - 8) / 5, 1e-5
    inside = t / np.sqrt(t.var() + eps)
    twice = t / (np.sqrt(t.var() + eps) + eps)
    outside = t / (t.std() + eps)
    print(f"{spread}:", *(f"{name[-1]:.5f}" for name in (inside, twice, outside)))

# %% [markdown]
# The first column is what LayerNorm gives, the second is note 5's. They part by 0.3 % at the most: the root is never below
# √ε = 0.00316, and to that the second ε adds 0.00001. So it is a slip that hardly shows, and no library makes it: **one ε,
# inside the root.** The third column is another matter: ε by itself is far less than its root. A token whose
# numbers spread by a thousandth, which LayerNorm leaves small, is blown up to the full spread, and its noise with it.

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
# tokens of all texts of the batch. Note 4 says that LayerNorm "standardises each sample". In a table with a row for each
# sample that is right. But a sample here is a whole text, a table by itself, and the third line is what becomes of it if you
# take that at its word.
#
# What is the harm? Six tokens go through attention with a causal mask, so that none sees what comes after it; then through a
# norm. `influence` (lesson 04) changes one token after another, and notes which outputs move.


# %% tags=["E27", "S13"]
def over(axes):
    return lambda y: (y - y.mean(axes, keepdim=True)) / y.std(axes, keepdim=True)


def causal_then(norm):
    return lambda x: norm(F.scaled_dot_product_attention(x, x, x, causal_mask(len(x))))


six = torch.randn(6, 4, generator=torch.Generator().manual_seed(0))
names = {"Each token": (1,), "The whole text (note 4)": (0, 1), "Each dimension (BatchNorm)": (0,)}
places = [str(k + 1) for k in range(6)]
for ax, (name, axes) in zip(figures.panels(3, 3.4), names.items(), strict=True):
    moves = (influence(causal_then(over(axes)), six) != 0).float()
    figures.heatmap(moves, places, places, name, digits=0, ax=ax)

# %% [markdown]
# **In the picture:** a row for each output, a column for each token that was changed; dark: the output moved. On the left
# everything above the diagonal is empty, as the mask wants it. In the other two maps it is not: each output moves with every
# token, later ones too, although the mask is the same. The future came in through the mean.
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
# Our sentence is *three hundred and five*, with the vectors of the translator from lesson 06, and its company *seven hundred
# and two*. Padding is a row of zeros, as note 4 has it.

# %% tags=["S13"]
translator, vocabularies = models.load("translator")
english = vocabularies["source"]


def batch(*texts, columns=0):
    """The vectors of a batch, with so many more columns of padding; and which tokens are real."""
    ids = F.pad(pad_right([english.encode(text) for text in texts]), (0, columns))
    return translator.source.embedding(ids).detach() * (ids != 0)[..., None], ids != 0


ours, company = ["three", "hundred", "and", "five"], ["seven", "hundred", "and", "two"]
print(*(batch(ours, company, columns=k)[0].shape for k in (0, 24)))

# %% [markdown]
# **Predict.** The batch gets 24 columns of padding, as it would if a long text joined it. No token of our sentence changes,
# nor does one of its company. How far do our sentence's vectors move behind BatchNorm, beside their own length?
#
# * `"a"`: by more than their own length
# * `"b"`: by a few per cent: zeros pull the means towards 0, where they nearly are
# * `"c"`: not at all: what has not changed comes out unchanged

# %%
guess = ...

# %% tags=["S13"]
layer_norm = LayerNorm(128)
norms = {
    "BatchNorm": lambda vectors, real: batch_norm(vectors, torch.ones_like(real)),
    "BatchNorm, masked": batch_norm,
    "LayerNorm": lambda vectors, real: layer_norm(vectors).detach(),
}


def moved(norm, first, second):
    """How far our sentence's four vectors move from one batch to the other, beside their length."""
    a, b = norm(*first)[0, :4], norm(*second)[0, :4]
    return ((a - b).norm() / a.norm()).item()


print(f"{moved(norms['BatchNorm'], batch(ours, company), batch(ours, company, columns=24)):.0%}")

# %%
reply("11.padded", guess)

# %% [markdown]
# **The same sentence gets another output because its neighbour was padded.** The means move a little. But six tokens in seven
# are zeros now, so the variance falls to about a seventh, and everything real is blown up by nearly √7 = 2.6.
#
# BatchNorm marks on a curve: what 60 points are worth depends on who else sat the exam, and empty chairs that count as 0
# points make everybody brilliant. LayerNorm compares a pupil's own subjects with each other. (The picture breaks where
# BatchNorm is done with training: then its scale is fixed, as you will see.)
#
# Of course one can leave the padding out of means and variances. That is what a mask is for, and "BatchNorm, masked" does
# it: only real tokens count.
#
# **Predict.** Padding no longer counts. Now our sentence stands in a batch with *other texts* than before. Whose vectors stay
# as they were?
#
# * `"a"`: those of both: with the mask, nothing foreign is left in the means
# * `"b"`: those of LayerNorm alone
# * `"c"`: those of neither: every norm depends on the batch

# %%
guess = ...

# %% tags=["S13"]
in_evaluation = torch.nn.BatchNorm1d(128).eval()
norms["BatchNorm, evaluation"] = lambda vectors, real: in_evaluation(vectors.mT).mT.detach()
home, padded = batch(ours, company), batch(ours, company, columns=24)
away = batch(ours, ["twenty", "six", "million"])
for name, norm in norms.items():
    print(
        f"{name:22} padding {moved(norm, home, padded):4.0%}  others {moved(norm, home, away):4.0%}"
    )

# %%
reply("11.company", guess)

# %% [markdown]
# The mask has cured the padding, and not the company. (In *evaluation*, BatchNorm takes fixed means and variances that it has
# collected while training, ours 0 and 1, so nothing moves. But then a model computes something else in use than it did while
# it learned.)
#
# Is it our choice of texts? Left: more and more padding. Right: a sentence in two batches with different company, drawn at
# random, three times, and in larger and larger batches.

# %% tags=["S13"]
texts = [words for words, _ in number_pairs(400, 1).train]
sizes = [1, 2, 4, 8, 16, 32]


def between_companies(norm, size, seed):
    drawn = np.random.default_rng(seed).choice(len(texts), 2 * size, replace=False)
    one, other = ([texts[k] for k in half] for half in np.split(drawn, 2))
    return moved(norm, batch(ours, *one), batch(ours, *other))


with_padding, with_others = {}, {}
for name in ("BatchNorm", "BatchNorm, masked", "LayerNorm"):
    norm, grown = norms[name], [batch(ours, company, columns=size) for size in sizes]
    with_padding[name] = [moved(norm, home, padded) for padded in grown]
    with_others[name] = [[between_companies(norm, k, seed) for k in sizes] for seed in range(3)]

# %% tags=["S13"]
left, right = figures.panels(2, 5.2)
unit = "moved, beside its length"
figures.curves(sizes, with_padding, "More padding", "columns of padding", unit, log="x", ax=left)
figures.curves(sizes, with_others, "Other company", "other texts in the batch", log="x", ax=right)
for ax in (left, right):
    ax.set_ylim(-0.1, 2.3)

# %% [markdown]
# **In the picture:** both panels have one scale. Left: BatchNorm moves our sentence further with each column of padding;
# masked BatchNorm and LayerNorm lie on the zero line. Right: both BatchNorms move it, by a quarter or so next to a single
# other text, and by less in larger batches, where one text counts for little; the bands are three draws. LayerNorm stays at
# exactly 0 in both: who stands beside a token has no say.

# %% [markdown]
# ## Before the sublayer, or behind the sum
#
# Lesson 10 named the two orders, with f for attention or the feed-forward network. **Post-norm**, the original's, is
# LayerNorm(x + f(x)). **Pre-norm** is x + f(LayerNorm(x)).
#
# Note 5 has post-norm as its formula. And its picture is a *stream*: word vectors that each layer edits a little, while what
# was there is kept. Do the two fit? Take a vector, and give it 24 edits in random directions, each half as long as itself. In
# pre-norm the sum is all that happens to the stream; in post-norm each sum is standardised. Then change the first vector a
# little. How much of that change still arrives?


# %% tags=["E22"]
def through(stream, order, edits):
    for edit in edits:
        stream = stream + edit
        if order == "post":
            stream = (stream - stream.mean()) / stream.std()
    return stream


# %% tags=["E22"]
rng = np.random.default_rng(0)
first, change, edits = rng.standard_normal(512), rng.standard_normal(512) / 100, []
for sublayers in (1, 2, 8, 24):
    edits += list(rng.standard_normal((sublayers - len(edits), 512)) / 2)
    for order in ("pre", "post"):
        arrived = through(first + change, order, edits) - through(first, order, edits)
        share = np.linalg.norm(arrived) / np.linalg.norm(change)
        print(f"{order}-norm after {sublayers}: {share:.2f}", end="   ")
    print()

# %% [markdown]
# **Post-norm rescales the stream at every sublayer**; with pre-norm, what was written stays as it was written. So note 5's
# picture is exact for pre-norm only. (There, too, its share of the *whole* shrinks, since the stream gets longer and longer.)
#
# And are the edits little? This course has two small trained GPTs of six layers, one of each kind. How long is what a
# sublayer adds, beside the stream it is added to?

# %% tags=["E22"]
for name in ("gpt-pre", "gpt-post"):
    model, vocabulary = models.load(name)
    text = torch.tensor([vocabulary["text"].encode("LATIN SMALL LETTER A WITH ACUTE")])
    edits = edit_sizes(model, text)
    print(
        f"{name}: each of {len(edits)} edits is {edits.min():.1f} to {edits.max():.1f} of the stream"
    )

# %% [markdown]
# The least is 0.3 or 0.4 of the stream, and the largest 0.7 of it, or more than all of it. "Little" they are not. (More on
# that in lesson 19.)

# %% [markdown]
# ## Twelve layers, quickly
#
# Now we train. Small GPTs, 32 wide, continue the names of Unicode's characters, such as LATIN SMALL LETTER A, letter by
# letter, for 100 steps. Twelve layers is deep for such a model, and 0.01 a high **learning rate**: how far each step
# goes. Weights start as torch draws them.
#
# Whoever knows how frequent each letter is and nothing else has a certain loss, which we can compute. A run that has not got
# clearly below it is called stuck.
#
# **Predict.** Learning rate 0.01, from the first step on, three seeds. What happens at twelve layers?
#
# * `"a"`: post-norm is stuck, and pre-norm learns
# * `"b"`: pre-norm is stuck: nothing keeps its stream in bounds
# * `"c"`: both learn: either way each sublayer has its norm

# %%
guess = ...


# %% tags=["S13"]
def three(norm, layers, lr, **others):
    return [train_speller(norm, layers, lr, **others, seed=seed) for seed in range(3)]


def told(runs):
    return " ".join("stuck" if run.final > letters_alone() - 0.3 else "learns" for run in runs)


two = {norm: three(norm, 2, 0.01) for norm in ("pre", "post")}
fast = {norm: three(norm, 12, 0.01) for norm in ("pre", "post")}
for norm in ("pre", "post"):
    print(f"{norm:5} 2 layers: {told(two[norm])}   12 layers: {told(fast[norm])}")

# %%
reply("11.fast", guess)

# %% [markdown]
# So at two layers there is no difference, and at twelve it decides. A common explanation is that with post-norm hardly any
# gradient reaches the first layers. That can be measured.
#
# **Predict.** Twelve layers, before the first step. How large is the gradient of the first layer with post-norm, beside that
# with pre-norm?
#
# * `"a"`: less than a hundredth of it
# * `"b"`: more than a hundred times as large
# * `"c"`: about as large, give or take a factor of 2

# %%
guess = ...

# %% tags=["S13"]
pairs = zip(fast["pre"], fast["post"], strict=True)
ratios = [post.gradient / pre.gradient for pre, post in pairs]
print("post / pre, for each seed between 1/2 and 2:", [0.5 < ratio < 2 for ratio in ratios])

# %%
reply("11.gradient", guess)

# %% [markdown]
# It is no smaller. Then what does being stuck look like? Take the vectors that leave the last layer, and the mean cosine
# between those of two letters of a name: 1 if all letters look alike.

# %% tags=["S13"]
for norm, runs in fast.items():
    before = all(run.alike_before > 0.99 for run in runs)
    after = all(run.alike_after > 0.99 for run in runs)
    print(f"{norm:5} all letters alike: before training {before}, after it {after}")

# %% [markdown]
# In the stuck models all letters have become alike, so nothing is left to go by but how frequent letters are. Before training
# it was not so. So which steps did it?
#
# ## In which world?
#
# Is post-norm to blame? We change one thing at a time: the learning rate; a **warm-up**, in which the rate climbs to 0.01
# during the first 50 steps; and the start. *Xavier*'s start, which many programs take, draws weights about √3 times as large
# as torch's.

# %% tags=["S13"]
slow = {norm: three(norm, 12, 0.003) for norm in ("pre", "post")}
warm = three("post", 12, 0.01, warmup=50)
large = {norm: three(norm, 12, 0.003, start="xavier") for norm in ("pre", "post")}
print("rate 0.003:             ", "pre", told(slow["pre"]), "  post", told(slow["post"]))
print("rate 0.01, with warm-up:", "post", told(warm))
print("rate 0.003, Xavier:     ", "pre", told(large["pre"]), "  post", told(large["post"]))
alike = any(run.alike_after > 0.99 for run in slow["post"] + warm)
print("Post, rate 0.003 or warm-up, letters alike after training:", alike)
at_start = {norm: [run.alike_before > 0.95 for run in runs] for norm, runs in large.items()}
print("Xavier, letters alike before training:", at_start)

# %% tags=["S13"]
worlds = {
    "torch's start, rate 0.003": slow,
    "torch's start, rate 0.01": {**fast, "post, with warm-up": warm},
    "Xavier's start, rate 0.003": large,
}


def by_tens(runs):
    return [np.reshape(run.losses, (-1, 10)).mean(axis=1) for run in runs]


steps, words = np.arange(5, 100, 10), ["letters alone", "", ""]
for ax, name, word in zip(figures.panels(3, 4.2), worlds, words, strict=True):
    lines = {arm: by_tens(runs) for arm, runs in worlds[name].items()}
    level = (letters_alone(), word)
    figures.curves(steps, lines, name, "step", "loss", level=level, ax=ax).set_ylim(1.6, 4.2)

# %% [markdown]
# **In the picture:** twelve layers each time, at one scale; lines are the middle of three seeds, bands go from the least to
# the largest. On the left, both orders fall together. In the middle, post-norm falls to the line of a model that knows letter
# frequencies alone, and stays there; with warm-up it goes on falling. On the right it is stuck although the rate is that of
# the left panel. Pre-norm learns in all three.
#
# So "post-norm does not train when deep" is a sentence about certain worlds. With Xavier's start, twelve post-norm layers make
# all letters alike from the outset (cosines above 0.95), and such steps do not get them apart. With torch's start and a rate
# of 0.01 the first steps make them alike; at 0.003, or with a warm-up, they do not, and the sentence is false. The post-norm
# models of the left panel and those of the middle one *start equal*, number by number: **nothing that one measures at their
# start can tell who will be stuck.** (Does a warm-up help with Xavier's start as well? `told(three("post", 12, 0.003,
# start="xavier", warmup=50))` takes a few seconds.)
#
# And pre-norm is not the better one for that. Trained with a warm-up, our two GPTs of six layers both know the names well:

# %% tags=["S13"]
bits = {}
for name in ("gpt-pre", "gpt-post"):
    model, vocabulary = models.load(name)
    text = vocabulary["text"]
    unseen = [[*text.encode(word), text.end] for word, _ in character_names().test[:60]]
    bits[name] = bits_a_character(model, unseen)
print("both below 1.5 bits a letter:", max(bits.values()) < 1.5)
print("less than 0.2 apart:", abs(bits["gpt-pre"] - bits["gpt-post"]) < 0.2)

# %% [markdown]
# One seed each, so who is a little ahead says nothing. Others report that post-norm ends better where it does train (Liu and
# others 2020), and that pre-norm can do without a warm-up (Xiong and others 2020). The original has post-norm *and* warm-up;
# most models since GPT-2 have pre-norm.

# %% [markdown]
# ## Before you go
#
# *Somebody leaves padding out of BatchNorm's means, and says that now each sentence is by itself. Is it?*
# <details><summary>Yes, as with LayerNorm</summary>Padding has no say any more. The real tokens of the other texts
# have.</details>
# <details><summary>No: other texts still have a say in its means</summary>Yes. The mask cures the padding, and not the
# company.</details>
# <details><summary>No: the padding still counts</summary>That is just what the mask prevents: masked, our sentence did not
# move with it.</details>

# %% [markdown]
# *A post-norm model of twelve layers is stuck. What would you try first?*
# <details><summary>More steps</summary>All its letters look alike already; the line in the picture is flat.</details>
# <details><summary>A warm-up, or smaller weights or steps</summary>Yes. Or pre-norm. Which of them helps depends on the world
# you are in.</details>
# <details><summary>A larger learning rate, to get out</summary>Large first steps are what got it there.</details>

# %% [markdown]
# **Who has a say in how a token is rescaled?** With LayerNorm, its own numbers and nobody else: no padding, no company, no
# future; γ and β then give each dimension back what it needs. Where the norm stands decides whether the stream is rescaled
# with it, and when depth, start and steps are large, also whether a model learns.
