# %% [markdown] minutes=21
# # 11 · LayerNorm: which numbers decide how a token is rescaled?
#
# In lesson 10, every sublayer adds its output to the residual stream, and the sums grow. Something has to bring the vectors
# back to a constant size before the next sublayer reads them. It needs a mean and a standard deviation, but *of which
# numbers*? One choice has an odd effect: what a model says about your sentence then depends on strangers' sentences that
# happen to be in the same batch. You will compute the Transformer's choice by hand, and then try the other one. And where in
# a layer does this rescaling belong? The original Transformer had it at the exit of each sublayer, and GPT-2 (2019) moved it
# to the entrance ({radford2019}). You will test what difference that makes.
#
# About {minutes} minutes, and as long again for the parts under "Deeper". By the end, you will be able to
#
# * write down LayerNorm, with its ε, γ and β, and say what it keeps of a vector and what it loses;
# * measure how much a norm lets a token depend on the rest of its batch;
# * tell pre-norm from post-norm, and test what difference they make at several depths.

# %%
import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from transformer_course import figures, models
from transformer_course.data import character_names, number_pairs
from transformer_course.embedding import pad_right
from transformer_course.exercises import ask, predict, reveal
from transformer_course.experiments import effort
from transformer_course.experiments.norm_order import (
    edit_sizes,
    train_speller,
    unigram_baseline,
)
from transformer_course.inspection import perturbation_map
from transformer_course.masks import causal_mask
from transformer_course.models.recipes import bits_per_character

torch.set_num_threads(1)

# %%
sides = [("encoder", (1, 2)), ("decoder", (1, 2, 3))]
lit = [f"{side} add & norm {k}" for side, numbers in sides for k in numbers]
ax = figures.architecture(*lit, title="Lesson 11: the word “norm” in five boxes", small=True)

# %% [markdown]
# <!-- picture -->
# the boxes from lesson 10 again. That lesson explained the word "add"; this one explains "norm".
# <!-- end -->
#
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %% ask="11.recall"


# %% [markdown]
# ## One token, by hand
#
# Take a token of four numbers, [1, 7, 9, 15]. Their mean is 8, and they differ from it by −7, −1, 1 and 7. The squares of
# these differences are 49, 1, 1 and 49, and the mean of the squares is 25. This is the **variance**, and its square root, 5,
# is the **standard deviation**. Now subtract the mean and divide by the standard deviation:

# %% tags=["S13"]
x = torch.tensor([1.0, 7.0, 9.0, 15.0])
y = 10 * x + 3
for token in (x, y):
    mean, std = token.mean(), token.std(correction=0)  # divided by 4, and not by 3
    print(
        f"mean {mean:.0f}, standard deviation {std:.0f}:", ((token - mean) / std).numpy().round(4)
    )

# %% [markdown]
# The result has mean 0 and standard deviation 1. The second line is for a token whose numbers are ten times as large, plus 3.
# The result is the same, because subtracting the mean removes the 3, and dividing removes the 10. So two things about a vector
# are lost, its mean and its standard deviation. What is kept is the pattern: the order of the numbers, and the ratios of their
# differences.
#
# Sometimes a model needs large numbers in one dimension. For that there are two learned vectors: **γ** (the gain) multiplies
# each dimension, and **β** (the bias) is added to it. Training starts with ones for γ and zeros for β. One danger remains: if
# all numbers of a token are equal, the variance is 0, and 0/0 is not a number. So a tiny **ε**, usually 0.00001, is added to
# the variance, inside the square root. All this together is **LayerNorm**:
#
# $$\text{LayerNorm}(x)_i = \gamma_i\, \frac{x_i - \mu}{\sqrt{\sigma^2 + \varepsilon}} + \beta_i \qquad \mu = \frac 1 d \sum_i
# x_i \qquad \sigma^2 = \frac 1 d \sum_i (x_i - \mu)^2$$
#
# <!-- paper -->
# **Your turn, on paper.** Take our token again, with γ = [1, 1, 2, 2] and β = [0, 0, 0, 10]: LayerNorm outputs [−1.4, −0.2,
# ____, ____].
#
# <!-- compare -->
# <details><summary>Compare</summary>2 · 0.2 = 0.4, and 2 · 1.4 + 10 = 12.8. So the output of a LayerNorm need not have mean 0 and
# standard deviation 1. But γ and β are the same for all tokens, so the tokens stay about equally large.</details>
# <!-- end -->
#
# And here it is as a module. γ and β are parameters, and are trained like all others:


# %% tags=["S13"]
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.gamma, self.beta = (
            nn.Parameter(torch.ones(d_model)),
            nn.Parameter(torch.zeros(d_model)),
        )
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, keepdim=True, correction=0)  # divided by d, not by d − 1
        return self.gamma * (x - mean) / torch.sqrt(variance + self.eps) + self.beta


norm = LayerNorm(4)
norm.gamma.data, norm.beta.data = torch.tensor([1.0, 1, 2, 2]), torch.tensor([0.0, 0, 0, 10])
for token in (x, torch.full((4,), 7.0)):
    print("ours: ", [round(number, 4) for number in norm(token).tolist()])
    of_torch = F.layer_norm(token, (4,), norm.gamma, norm.beta, eps=1e-5)
    print("torch:", [round(number, 4) for number in of_torch.tolist()])

# %% [markdown]
# The second token consists of four sevens. Without ε, its result would be 0/0.
#
# ## Mean and variance of what?
#
# LayerNorm uses the last axis: the numbers of one token. Convolutional networks for images usually have **BatchNorm**, which
# is older. It uses the numbers in one *dimension*, across all tokens of all texts in the batch:

# %%
ax = figures.schematic("norms")

# %% [markdown]
# <!-- picture -->
# a batch of two texts. Each row is a token; *pad* marks the rows of padding. The yellow cells are those
# that go into one mean and one variance. In BatchNorm, they include cells of the padding. A batch of $b$ texts with $n$ tokens
# of width $d$ gives $b · n$ means in LayerNorm (one per token), and $d$ in BatchNorm (one per dimension).
# <!-- end -->
#
# Could a Transformer use BatchNorm as well? Here it is, as it works in training (without γ and β), beside torch's own. Our
# function takes the batch and a mask of the tokens that count:


# %% tags=["S13"]
def batch_norm(vectors, counts):
    tokens = vectors[counts]  # one row for each token that counts, of all texts
    return (vectors - tokens.mean(0)) / torch.sqrt(tokens.var(0, correction=0) + 1e-5)


drawn = torch.randn(2, 4, 5, generator=torch.Generator().manual_seed(0))
ours = batch_norm(drawn, counts=torch.ones(2, 4, dtype=torch.bool))
of_torch = nn.BatchNorm1d(5)(drawn.flatten(0, 1)).unflatten(0, (2, 4)).detach()
print(f"largest difference: {(ours - of_torch).abs().max():.5f}")

# %% [markdown]
# ## The same sentence in different batches
#
# Does a sentence care who else is in its batch? Ours is *three hundred and five*, with the translator's vectors (lesson 06).
# The other text in the batch is
# *seven hundred and two*. A padding token is a row of zeros here, and at first BatchNorm counts it like any other token.

# %% tags=["S13"]
translator, vocabularies = models.load("translator")
english = vocabularies["source"]


def batch(*texts, columns=0):
    """The vectors of a batch with extra columns of padding, and which of its tokens are real."""
    ids = F.pad(pad_right([english.encode(text) for text in texts]), (0, columns))
    return translator.source.embedding(ids).detach() * (ids != 0)[..., None], ids != 0


sentence, other = ["three", "hundred", "and", "five"], ["seven", "hundred", "and", "two"]
for columns in (0, 24):
    print(batch(sentence, other, columns=columns)[0].shape)

# %% predict="11.padded"


# %% tags=["S13"] jupyter={"source_hidden": true}
layer_norm = LayerNorm(128)
norms = {
    "BatchNorm": lambda vectors, real: batch_norm(vectors, torch.ones_like(real)),
    "BatchNorm, masked": batch_norm,
    "LayerNorm": lambda vectors, real: layer_norm(vectors).detach(),
}


def moved(norm, first, second):
    """How far our sentence's vectors move from one batch to the other, relative to their length."""
    a, b = norm(*first)[0, :4], norm(*second)[0, :4]
    return ((a - b).norm() / a.norm()).item()


def variance(vectors, _):
    """The variance over all tokens, averaged over the dimensions."""
    return vectors.flatten(0, 1).var(0, correction=0).mean()


home, padded = batch(sentence, other), batch(sentence, other, columns=24)
print(f"moved by {moved(norms['BatchNorm'], home, padded):.0%} of their length")
print(f"variance: {variance(*padded) / variance(*home):.2f} of what it was")
reveal("11.padded")

# %% [markdown]
# **The same sentence gets a different output because there is padding beside it.** Six in every seven tokens are zeros now. So
# the variance falls to 0.17 of what it was, and dividing by its square root makes all real tokens more than twice as large.
# And the means, which are subtracted, move towards 0.
#
# Padding can be left out of means and variances with a mask, as in attention. In "BatchNorm, masked", only real tokens count.

# %% predict="11.company"


# %% tags=["S13"] jupyter={"source_hidden": true}
away = batch(sentence, ["twenty", "six", "million"])
print(f"{'':17} {'more padding':>13} {'another text':>13}")
for name, norm in norms.items():
    print(f"{name:17} {moved(norm, home, padded):13.0%} {moved(norm, home, away):13.0%}")
reveal("11.company")

# %% [markdown]
# BatchNorm grades on a curve: what 60 points are worth depends on who else sat the exam (and without a mask, even the empty
# chairs count, as 0 points). LayerNorm compares a student's marks only with that student's other marks.
#
# After training, BatchNorm no longer depends on the batch: it uses means and variances that it collected during training,
# the same for every batch. But then it is a different function from the one that the model was trained with.
#
# ## Before the sublayer, or after the sum
#
# Where in a layer does the norm go? There are two answers, for a sublayer $f$ (attention or the feed-forward network):


# %%
def post_norm(x, f, norm):
    return norm(x + f(x))


def pre_norm(x, f, norm):
    return x + f(norm(x))


# %%
ax = figures.schematic("norm_orders")

# %% [markdown]
# <!-- picture -->
# the two orders, from left to right. In **post-norm**, every sum is rescaled. In **pre-norm**, the stream
# itself may grow (it is the line at the top), but every sublayer *reads* it rescaled. So a pre-norm model has one more norm
# after its last layer (not in the picture): the **final norm**.
# <!-- end -->
#
# Does the order matter for learning? We train small GPTs (stacks of layers with a causal mask) on the names of Unicode
# characters, such as LATIN SMALL LETTER A. For 70 steps, they learn to predict the next letter. The **learning rate**, which
# determines how far each step goes, is 0.01 from the first step on. A model that knows only how frequent each letter is has a
# loss of 2.9 per letter, and we call a model *stuck* if it gets no further.

# %% predict="11.fast"


# %% [markdown] seconds=15
# The next cell trains 18 models with 2, 6 or 12 layers. This takes about {seconds} seconds.


# %% tags=["S13"] jupyter={"source_hidden": true}
def three(norm, layers, lr, **others):
    return [train_speller(norm, layers, lr, **others, seed=seed) for seed in effort.seeds()]


def finals(runs):
    return [run.final for run in runs]


depths, orders = (2, 6, 12), ("pre", "post")
by_depth = {norm: [three(norm, layers, 0.01) for layers in depths] for norm in orders}
fast = {norm: by_depth[norm][-1] for norm in orders}  # twelve layers
lines = {f"{norm}-norm": np.transpose([finals(runs) for runs in by_depth[norm]]) for norm in orders}
title, level = (
    "Learning rate 0.01 from the first step on",
    (unigram_baseline(), "letter frequencies alone"),
)
ax = figures.curves(depths, lines, title, "layers", "loss, mean of steps 51 to 70", level=level)
assert max(finals(fast["pre"])) < 2.6 < 2.75 < min(finals(fast["post"]))
assert max(finals(by_depth["post"][0])) < 2.6

# %% [markdown]
# <!-- picture -->
# the mean loss of the last 20 steps; lines are medians of three seeds, and bands show the range. The faint line is the loss
# of a model that knows only letter frequencies.

# %%
reveal("11.fast")

# %% [markdown]
# That is a result about these settings, not about post-norm as such. With a smaller learning rate, or with a **warm-up**, in
# which the learning rate rises slowly during the first steps, these twelve post-norm layers do learn (see "Deeper"). The
# original Transformer has post-norm *and* a warm-up; most models since GPT-2 have pre-norm. Under "Deeper", we also measure
# what happens in the stuck models.

# %% [markdown]
# ## Before you go {#exit}

# %% ask="11.exit"


# %% [markdown]
# <!-- answer -->
# **Which numbers decide how a token is rescaled?** In LayerNorm, the token's own numbers, and the learned γ and β. Padding
# and other texts have no influence.

# %% [markdown]
# To take away:
#
# <!-- takeaway -->
# * LayerNorm: subtract the token's mean, divide by $\sqrt{\sigma^2 + \varepsilon}$, multiply by γ, add β.
# * BatchNorm mixes the tokens of a batch. A mask removes the influence of padding, but not that of other texts.
# * Post-norm is $\text{LayerNorm}(x + f(x))$. Pre-norm is $x + f(\text{LayerNorm}(x))$, with a final norm at the end.
# <!-- end -->
#
# You have met every part of a block now: attention, the feed-forward network, the addition and the norm. In [stage B4 of the
# Build](../exercises/B4_a_gpt.ipynb) you write LayerNorm as a class of your own, and put all four together.
#
# To read next:
#
# <!-- readings -->
# * {ba2016}: LayerNorm, compared with BatchNorm in recurrent networks.
# * {ioffe2015}: BatchNorm, and what it uses after training.
# * {xiong2020}: pre-norm, post-norm, and why warm-up matters for one of them.

# %% [markdown]
# ## Deeper {#deeper}
#
# You can read each of these parts on its own; nothing later needs them.
#
# ### Each sample, or each token?
#
# You may read that LayerNorm normalises each *sample*. In a table with one row per sample that is right. But a sample here is
# a whole text. So there are three candidates: each token, the whole text, or each dimension across the text. We send nine
# tokens through attention with a causal mask, so that no token sees later ones, and then through a norm. `perturbation_map`
# (lesson 04) changes each token in turn and records which outputs change.


# %% tags=["E27", "S13"]
def over(axes):
    return lambda y: (y - y.mean(axes, keepdim=True)) / y.std(axes, correction=0, keepdim=True)


def causal_then(norm):
    return lambda x: norm(F.scaled_dot_product_attention(x, x, x, causal_mask(len(x))))


nine = torch.randn(9, 4, generator=torch.Generator().manual_seed(0))
names = {"Each token": (1,), "The whole text": (0, 1), "Each dimension": (0,)}
places = [str(k + 1) for k in range(9)]
for ax, (name, axes) in zip(figures.panels(3, 3.4), names.items(), strict=True):
    moves = (perturbation_map(causal_then(over(axes)), nine) != 0).float()
    figures.heatmap(moves, places, places, name, ax=ax)

# %% [markdown]
# <!-- picture -->
# one row for each output, one column for each token that was changed; a cell is dark if the output
# changed. On the left, everything above the diagonal is empty, as the mask demands. In the other two maps each output changes
# with every token, even with later ones. The mask is the same, but the future leaks in through the mean and variance. So in a
# Transformer, LayerNorm normalises **each token's vector**.
#
# ### One ε, or two?
#
# In some published formulas ε occurs twice: inside the square root, as here, and once more outside it. Does it matter? The
# root is never smaller than √ε = 0.00316. It comes close to that for a token whose numbers are nearly equal. There, a second ε
# makes the largest relative difference (although the results themselves are then tiny):

# %% tags=["E21"]
t, eps = torch.tensor([-1.4, -0.2, 0.2, 1.4]) / 100_000, 1e-5
once = t / torch.sqrt(t.var(correction=0) + eps)
twice = t / (torch.sqrt(t.var(correction=0) + eps) + eps)
for name, result in {"torch": F.layer_norm(t, (4,), eps=eps), "one": once, "two": twice}.items():
    print(f"{name:5}", [f"{number:.6f}" for number in result.tolist()])

# %% [markdown]
# With a second ε, the numbers are 0.3% smaller. That hardly matters to a model. But torch, and the formula, have **one ε,
# inside the root.**
#
# ### How much do the other texts matter?
#
# Another text moved our sentence by 47% of its length. Was that text a special case? We put our sentence into two batches with
# different random texts, and repeat this three times for each of several sizes.

# %% tags=["S13"]
texts, sizes = [words for words, _ in number_pairs(400, 1).train], [1, 2, 8, 32]


def between_batches(norm, size, seed):
    chosen = np.random.default_rng(seed).choice(len(texts), 2 * size, replace=False)
    one, another = ([texts[k] for k in half] for half in np.split(chosen, 2))
    return moved(norm, batch(sentence, *one), batch(sentence, *another))


lines = {}
for name in ("BatchNorm, masked", "LayerNorm"):
    lines[name] = [[between_batches(norms[name], k, seed) for k in sizes] for seed in range(3)]
unit = "moved, as a fraction of its length"
title, below = "Our sentence, from one batch to another", "other texts in the batch"
ax = figures.curves(sizes, lines, title, below, unit, log="x")

# %% [markdown]
# <!-- picture -->
# how far our sentence moves from one batch to the other; lines are medians of three draws, and bands show the range. If there
# is only one other text, masked BatchNorm moves our sentence by about 0.3 of its length, so 47% was more than usual. In larger
# batches the sentence moves less, because their means and variances differ less. LayerNorm stays at exactly 0.
#
# ### What becomes of the first vector?
#
# You may read of a stream of word vectors that each layer edits a little, and also that a layer outputs LayerNorm(x + f(x)).
# Do the two fit together? Take a vector and give it 24 edits in random directions, each half as long as the stream at that
# point. In the end, by what factor has the first vector been multiplied, and what fraction of the stream's length is it?

# %% tags=["E22"]
for order in ("pre", "post"):
    rng, kept = np.random.default_rng(0), 1.0
    stream = rng.standard_normal(512)
    stream = (stream - stream.mean()) / stream.std()  # as a norm would pass it on
    for edits in range(1, 25):
        stream = stream + rng.standard_normal(512) * stream.std() / 2
        if order == "post":
            kept = kept / stream.std()
            stream = (stream - stream.mean()) / stream.std()
        if edits in (1, 8, 24):
            fraction = kept / stream.std()
            shown = f"factor {kept:.2f}, {fraction:.2f} of the stream's length"
            print(f"{order}-norm after {edits:2}: {shown}")

# %% [markdown]
# **Post-norm rescales the stream at every sublayer**, along with everything that was written into it. With pre-norm, the first
# vector stays in the sum unchanged. So the picture of a stream is exact only for pre-norm. But the first vector is no easier to
# *see* there: it is an equally small fraction of the stream in both orders, because in pre-norm the stream grows around it.
#
# And are the edits small? This course has two trained GPTs of six layers, one of each kind. How long is a sublayer's output,
# compared with the stream that it is added to?

# %% tags=["E22"]
for name in ("gpt-pre", "gpt-post"):
    model, vocabulary = models.load(name)
    text = torch.tensor([vocabulary["text"].encode("LATIN SMALL LETTER A WITH ACUTE")])
    edits = edit_sizes(model, text)
    print(f"{name}: {len(edits)} edits, from {edits.min():.1f} to {edits.max():.1f} of the stream")

# %% [markdown]
# The outputs range from a third of the stream's length to more than its whole length, which is a lot. (Lesson 19 has more
# about this.)
#
# ### The gradient before the first step
#
# Why is the deep post-norm model stuck? Perhaps hardly any gradient reaches its first layers. Let us measure it.

# %% predict="11.gradient"


# %% tags=["S13"]
for pre, post in zip(fast["pre"], fast["post"], strict=True):
    print(f"pre-norm {pre.gradient:.2f}, post-norm {post.gradient:.2f}")
reveal("11.gradient")

# %% [markdown]
# So a lack of gradient is not the reason. Then what does being stuck look like? We take the vectors that go into the output
# matrix (in pre-norm, after the final norm), and compute the mean cosine over all pairs of letters in a name. It is 1 if all
# letters look the same.

# %% tags=["S13", "nbval-ignore-output"]
ten = three("post", 12, 0.01, steps=10)
print("post-norm, before training:", *(f"{run.cosine_before:.1f}" for run in ten))
print("post-norm, after ten steps:", *(f"{run.cosine_after:.1f}" for run in ten))
for norm, runs in fast.items():
    print(f"{norm}-norm, after 70 steps:", *(f"{run.cosine_after:.1f}" for run in runs))
assert min(run.cosine_after for run in ten + fast["post"]) > 0.95

# %% [markdown] seconds=25
# **The first ten steps made all letters the same**, and then letter frequencies are all that the model can learn. (In lesson
# 10, tokens became the same because the plus signs were missing. Here nothing is missing.)
#
# ### When is post-norm stuck?
#
# We change one thing at a time: the learning rate, the warm-up, and the initialisation, that is, the random numbers that the
# weights have at the start. *Xavier initialisation* makes the weights of a square matrix √3 times as large as torch's, and
# starts biases at 0. The warm-up takes 50 of the 70 steps. (These 15 runs take about {seconds} seconds.)

# %% tags=["S13"]
slow = {norm: three(norm, 12, 0.003) for norm in orders}
warm = three("post", 12, 0.01, warmup=50)
large = {norm: three(norm, 12, 0.003, init="xavier") for norm in orders}
settings = {
    "torch's weights, rate 0.003": slow,
    "torch's weights, rate 0.01": {**fast, "post, warm-up": warm},
    "Xavier initialisation, rate 0.003": large,
}
steps, labels = np.arange(5, 70, 10), ["letter frequencies alone", "", ""]
for ax, (name, runs), label in zip(figures.panels(3, 4.2), settings.items(), labels, strict=True):
    lines = {
        order: [np.reshape(run.losses, (-1, 10)).mean(axis=1) for run in each]
        for order, each in runs.items()
    }
    level = (unigram_baseline(), label)
    figures.curves(steps, lines, name, "step", "loss", level=level, ax=ax).set_ylim(1.6, 4.2)
assert max(finals([*slow["pre"], *slow["post"], *warm, *large["pre"]])) < 2.75
assert min(finals(large["post"])) > 2.75

# %% [markdown]
# <!-- picture -->
# twelve layers in each panel; a line is the median of three seeds, and a band goes from the smallest to
# the largest. On the left, both orders learn. In the middle, post-norm gets no further than letter frequencies, but
# learns with a warm-up. On the right, it is stuck at the learning rate of the left panel. Pre-norm learns in all
# three.
# <!-- end -->
#
# So "deep post-norm models cannot be trained" is true for some settings. How alike are the letters in each panel?

# %% tags=["S13", "nbval-ignore-output"]
cosines = {
    "Xavier, post, before training": [run.cosine_before for run in large["post"]],
    "Xavier, pre,  before training": [run.cosine_before for run in large["pre"]],
    "rate 0.003, post, after 70 steps": [run.cosine_after for run in slow["post"]],
    "warm-up, post, after 70 steps": [run.cosine_after for run in warm],
}
for name, values in cosines.items():
    print(f"{name:33}", *(f"{value:.1f}" for value in values))
assert min(cosines["Xavier, post, before training"]) > 0.95
assert max(run.cosine_after for run in slow["post"] + warm) < 0.8
for rate, kind in ((0.003, slow), (0.01, fast)):
    print(f"loss of the first step, rate {rate}:", *(f"{r.losses[0]:.3f}" for r in kind["post"]))

# %% [markdown]
# With Xavier initialisation, twelve post-norm layers make all letters the same before training begins. With torch's weights,
# the first large steps do it. The last two lines belong to models that *start out identical* and differ in their learning
# rate: **nothing measured before training can tell which of these two will be stuck.**
#
# ### Fully trained
#
# Is pre-norm better, then? The course's two GPTs of six layers were trained with a warm-up. We compare them on names that they
# have not seen. (Their loss is in *bits*, with the logarithm to base 2; the 2.9 above is 4.2 bits.)

# %% tags=["S13"]
for name in ("gpt-pre", "gpt-post"):
    model, vocabulary = models.load(name)
    text = vocabulary["text"]
    unseen = [[*text.encode(word), text.end] for word, _ in character_names().test[:60]]
    print(f"{name}: {bits_per_character(model, unseen):.1f} bits per letter")

# %% [markdown]
# Both models know the names well. Each was trained with one seed, so this does not show that the two orders are equally
# good.
