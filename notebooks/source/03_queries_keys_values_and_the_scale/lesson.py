# %% [markdown] minutes=22 seconds=5
# # 03 · Queries, keys, values, and the scale: why three projections, and why scale the scores?
#
# With identity matrices, as in most of lesson 02, attention can do only one thing: find tokens that resemble each other.
# In *a red car*, however, *red* should find *car*, which is not a colour at all. Three matrices, which a model learns, make
# that possible. Our vectors were also short: we compared two numbers with two, but Llama 3 (2024) compares 128 with 128
# ({grattafiori2024}). With vectors that long, one token often gets nearly all the weight, even when nothing has been learned
# yet. A single division prevents it. Division by what?
#
# About {minutes} minutes, and nearly as long again for the parts under "Deeper". The first cell takes about {seconds}
# seconds. By the end, you will be able to
#
# * say what each of the three projections makes possible;
# * give the shape of every matrix in attention, even when queries and keys come from different sentences;
# * explain why scores are scaled before the softmax, and by how much.

# %%
import math

import numpy as np
import torch

from transformer_course import explorables, figures
from transformer_course.attention import scaled_dot_product_attention
from transformer_course.exercises import ask, predict, reveal
from transformer_course.experiments import effort
from transformer_course.experiments.lookup import Lookup, lookup_batches, lookup_losses, step_below

torch.set_num_threads(1)
rng = np.random.default_rng(0)


def softmax(scores):
    exponentials = np.exp(scores - scores.max(-1, keepdims=True))
    return exponentials / exponentials.sum(-1, keepdims=True)


# %%
lit = ("encoder self-attention", "decoder self-attention", "cross-attention")
ax = figures.architecture(*lit, title="Lesson 03: inside the attention boxes", small=True)

# %% [markdown]
# <!-- picture -->
# the highlighted boxes belong to this lesson. All three do the same calculation.
# They differ in where their queries, keys and values come from, and one of them also hides the future (lesson 04).
# <!-- end -->
#
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %% ask="03.recall"


# %% [markdown]
# ## A red car {#red-car}
#
# Take two tokens, *red* and *car*. The first number says whether the token is a colour, the second whether it is a thing.

# %%
names = ["red", "car"]
X = np.array([[1.0, 0.0], [0.0, 1.0]])

# %% [markdown]
# *red* is looking for the thing that it describes, and *car* for its colour. So each of them should give most of its weight
# to the *other*. A matrix W_Q turns tokens into queries, and a matrix W_K turns them into keys. Multiplying a vector by such
# a matrix is called a **projection**. A score is still the dot product of a query with a key.

# %% predict="03.back"


# %% jupyter={"source_hidden": true}
W = np.array([[1.0, 2.0], [3.0, 1.0]])
single = (X @ W) @ (X @ W).T
print(single)
reveal("03.back")

# %% [markdown]
# Each row belongs to a query, and each column to a key. Both scores between *red* and *car* are the dot product of the
# same two vectors, *red* times W and *car* times W. **With one matrix, the score is the same in both directions.** And *car*
# scores 10 with itself, twice as much as with *red*.
#
# With two matrices, a token has two sides. Its query says what it is looking for, and its key says what it offers:

# %% tags=["S3"]
W_K = np.eye(2)  # each token offers what it is
# A colour looks for a thing, and a thing for a colour (4: strongly):
W_Q = np.array([[0.0, 4.0], [4.0, 0.0]])
W_Q_one_way = np.array([[0.0, 4.0], [0.0, 0.0]])  # a thing looks for nothing
two_matrices, one_way = (X @ W_Q) @ (X @ W_K).T, (X @ W_Q_one_way) @ (X @ W_K).T

titles, tables = ("One matrix", "Two: both ways", "Two: one way"), (single, two_matrices, one_way)
for ax, scores, title in zip(figures.panels(3, 3.4), tables, titles, strict=True):
    figures.heatmap(softmax(scores), names, names, title, digits=2, ax=ax)

# %% [markdown]
# <!-- picture -->
# each row shows how one token distributes its weight. With our single matrix, *car* looks almost
# exclusively at itself; under "Deeper", ten thousand other single matrices fail as well. With two matrices, each token gives
# the other 0.98. On the right, *red* looks at *car*, but *car* looks for nothing. Its query is zero, so it gives each token
# one half: attention cannot look at nothing.
# <!-- end -->
#
# The third matrix, W_V, decides what a token hands over once it has been found. Give each token a third number, a message: 3
# for *red*, 12 for *car*. W_Q and W_K still see only the first two numbers. Now take the weights of the middle panel, and
# average three different things: the keys, the whole tokens, and the **values**, which are the tokens times W_V.

# %% tags=["S3"]
X_message = np.array([[1.0, 0.0, 3.0], [0.0, 1.0, 12.0]])  # colour, thing, message
W_V = np.array([[0.0], [0.0], [1.0]])
for name, mixed in (("keys", X @ W_K), ("tokens", X_message), ("values", X_message @ W_V)):
    print(f"{name:6}", (softmax(two_matrices) @ mixed).round(1).tolist())

# %% [markdown]
# The keys lack the message. The whole tokens deliver it together with everything else. The values deliver only the message:
# *red* receives 11.8, nearly the 12 of *car*. **What makes a token easy to find need not be what it has to say.**
#
# A dictionary is a good analogy: you bring a query, compare it with the keys, and take home a value. It breaks down in
# one place: a dictionary finds one entry or none, but attention always takes a weighted average of *all* values.

# %% [markdown]
# ## Two tokens look at three {#shapes}
#
# Queries need not come from the same sentence as keys and values. A translator that has written *voiture rouge* looks at *a
# red car*: $n = 2$ queries meet $m = 3$ keys. Let each token have $d_\text{model} = 6$ numbers, drawn at random.

# %%
written, source = rng.standard_normal((2, 6)), rng.standard_normal((3, 6))
W_Q, W_K, W_V = (
    rng.standard_normal((6, width)) / math.sqrt(6) for width in (4, 4, 5)
)  # small numbers
Q, K, V = written @ W_Q, source @ W_K, source @ W_V
print("Q", Q.shape, " K", K.shape, " V", V.shape)

# %% [markdown]
# Queries and keys have the same width, $d_k = 4$, because they meet in a dot product. Values may have a width $d_v$ of their
# own; here it is 5. The output has one row per query. Each row is an average of values, so it is as wide as a value:


# %% tags=["S4"]
def attention_in_loops(Q, K, V):
    outputs = []
    for query in Q:
        exponentials = [math.exp(query @ key) for key in K]
        weights = [each / sum(exponentials) for each in exponentials]
        outputs.append(sum(weight * value for weight, value in zip(weights, V, strict=True)))
    return np.array(outputs)


print(attention_in_loops(Q, K, V).shape)

# %% [markdown]
# ## Longer vectors {#scale}
#
# Our queries and keys had two numbers, then four. In most real models they have 64 or more, and a score is a sum of $d_k$
# products. Before training, queries and keys are random. Suppose that their entries are independent, with mean 0 and
# **standard deviation** 1 (the square root of the variance).

# %% predict="03.spread"


# %% tags=["S4"] jupyter={"source_hidden": true}
for d_k in (4, 16, 64, 256):
    q, k = rng.standard_normal((2, 10_000, d_k))
    scores = (q * k).sum(axis=1)
    print(f"d_k = {d_k:3}: variance {scores.var():3.0f}, standard deviation {scores.std():4.1f}")
reveal("03.spread")

# %% [markdown]
# By hand: multiply one entry of a query by one entry of a key. The two are independent, and each has mean 0 and variance 1. If
# independent numbers with mean 0 are multiplied, so are their variances: the product has mean 0 and variance 1 · 1 = 1. If
# independent numbers are added, so are their variances. (Take both as given.) A sum of $d_k$ such products therefore has
# variance $d_k$ and standard deviation $\sqrt{d_k}$. **Divide the scores by $\sqrt{d_k}$, and their standard deviation is 1,
# whatever the width.** (If you divided by $d_k$, it would be 1/16 at width 256, and all weights would be nearly equal.)
#
# What do large scores do to a row of weights? Take one query and eight keys, all random, of width 512. In most draws, one of
# the eight keys gets practically all the weight. Nothing has been learned yet: that key wins by chance.

# %% predict="03.divided"


# %% [markdown]
# Here are twelve such draws at several widths. Beside each weight $a$ is its *slope*, $a(1 - a)$: how much of a small rise in
# its score reaches the weight. **Tick the box at several widths and in several draws: does the longest bar ever belong to
# a different key, and what happens to the slopes?**


# %% tags=["S4"]
def random_scores(d_k, seed):
    draw = np.random.default_rng(seed)
    return draw.standard_normal(d_k) @ draw.standard_normal((8, d_k)).T


draws = {d_k: [random_scores(d_k, seed) for seed in range(12)] for d_k in 2 ** np.arange(1, 10)}
explorables.scale(draws)

# %%
reveal("03.divided")

# %% [markdown]
# In every draw, at every width, the same key wins with and without the division. But in draw 1 at 512, none of the eight
# slopes is above 0.001 without it; with it, all eight are.
#
# A softmax with almost all its weight on one key is called **saturated**. Does a gradient get through it? Let the eight keys
# hand over values from 0 to 1, and ask torch how the output depends on each score. Here is the largest gradient in a typical
# draw (the median of twelve):

# %% tags=["S4"]
values = torch.linspace(0, 1, 8, dtype=torch.float64)
for d_k in (2, 8, 64, 512):
    for label, scale in (("q·k", 1), ("q·k / √d_k", 1 / math.sqrt(d_k))):
        scores = torch.tensor(np.array(draws[d_k]) * scale, requires_grad=True)
        (scores.softmax(-1) @ values).sum().backward()
        largest = scores.grad.abs().amax(-1)
        print(f"d_k = {d_k:3}  {label:10}  {np.median(largest):.4f}")

# %% [markdown]
# With the division, the gradient is about as large at 512 as at 2. Without it, about a thousandth of that is left in these
# draws: **what lies below a saturated softmax gets hardly any gradient.**
#
# So attention divides its scores by $\sqrt{d_k}$ before the softmax. With $i$ for a query, and $j$ and $l$ for keys:
#
# $$s_{ij} = \frac{q_i \cdot k_j}{\sqrt{d_k}} \qquad a_{ij} = \frac{\exp(s_{ij})}{\sum_{l} \exp(s_{il})} \qquad z_i = \sum_j a_{ij} v_j$$
#
# For all queries at once, this is
#
# $$Z = \text{softmax}\Big(\frac{Q K^\top}{\sqrt{d_k}}\Big) V.$$

# %% tags=["S4"]
ax = figures.schematic("attention")

# %% [markdown]
# <!-- picture -->
# the whole calculation with its shapes, from $n$ tokens X to the output ($d$ is $d_\text{model}$). Queries
# are blue, keys red and values green. This is self-attention, where all three come from the same tokens. If K and V come from
# $m$ other tokens, as in our example, the scores and weights are $n \times m$. The output has one row per query, as wide as a
# value.
# <!-- end -->
#
# Does torch divide too? We compare its own function with ours, and with our loops, which do not divide:

# %% tags=["S4"]
Z = softmax(Q @ K.T / math.sqrt(4)) @ V
tensors = [torch.from_numpy(matrix) for matrix in (Q, K, V)]
Z_library, A = scaled_dot_product_attention(*tensors)
Z_torch = torch.nn.functional.scaled_dot_product_attention(*tensors)
Z_loops = torch.from_numpy(attention_in_loops(Q, K, V))
for name, other in {"NumPy": torch.from_numpy(Z), "library": Z_library, "loops": Z_loops}.items():
    print(f"torch and {name:7} differ by up to {(Z_torch - other).abs().max():.4f}")

# %% [markdown] seconds=10
# ## Training with and without the division {#training}
#
# A small model learns to look things up. It is shown sixteen name–value pairs, and gets one of the names as its query; it
# should answer with the value of that pair. A single attention layer with $d_k = 64$ does this. At the start, the entries of
# its queries and keys have a standard deviation of 1. The *loss* says how wrong its answers are: it is log 16 = 2.77 if the
# model guesses among 16 values, and 0 if it is always right and certain. We train the model for 500 steps, with and without
# the division, with three seeds for each. This takes about {seconds} seconds.

# %% predict="03.training"


# %% tags=["S4", "nbval-ignore-output"] jupyter={"source_hidden": true}
losses = {"divided": [lookup_losses(d_k=64, seed=seed) for seed in effort.seeds()]}
losses["not divided"] = [lookup_losses(d_k=64, scaled=False, seed=seed) for seed in effort.seeds()]
for name, runs in losses.items():
    print(f"{name:12} first step below 0.5:", [step_below(0.5, run) for run in runs])
reveal("03.training")

# %% [markdown]
# Without the division, learning takes about twice as many steps. So our claim is: **large scores at the start saturate the
# softmax, and a saturated start costs steps.** We do not claim that attention cannot be trained without the division. What
# its absence costs will differ from task to task. Under "Deeper", you test whether it is the large scores or the missing
# division that costs steps here.

# %% [markdown]
# ## Before you go {#exit}

# %% ask="03.exit"


# %% [markdown]
# <!-- answer -->
# **Why three projections, and why scale the scores?** What a token looks for, what it offers and what it hands over can be
# three different things, and each gets a matrix. The scores are divided by $\sqrt{d_k}$ because they are sums of $d_k$
# products: for wide vectors they would be large, and the softmax would start out saturated.

# %% [markdown]
# To take away:
#
# <!-- takeaway -->
# * A score is the dot product of a query with a key. A single matrix would make it the same in both
#   directions.
# * $n$ queries and $m$ keys give $n \times m$ weights. Each row sums to 1 and gives one output, as wide as a value.
# * Random scores have a standard deviation of $\sqrt{d_k}$. Divide by it before the softmax.
# <!-- end -->
#
# The authors of the 2017 paper only suspected why scores should be scaled; you have tested their suspicion on one task. In
# [stage B2 of the Build](../exercises/B2_one_head.ipynb), after lesson 04, the whole calculation becomes part of your own
# model.
#
# To read next:
#
# <!-- readings -->
# * {vaswani2017}, section 3.2.1: the formula, and the authors' *suspicion* that
#   large dot products cause small gradients.
# * {bahdanau2014}, three years earlier: a translator that looks back at its
#   source. Its scores come from a small network.
# * {luong2015}, section 3.1: three ways to compute a score, the dot product
#   among them.

# %% [markdown]
# ## Deeper {#deeper}
#
# You can read each of these parts on its own; nothing later needs them.
#
# ### Could a single matrix do it?
#
# Can any single matrix make *red* and *car* look mainly at each other? We draw ten thousand. For each, we note the weight that
# *red* gives *car* and the weight that *car* gives *red*, and keep the smaller of the two.


# %% tags=["S3"]
def weight_on_the_other(scores):
    weights = softmax(scores)
    return min(weights[0, 1], weights[1, 0])


drawn = [rng.standard_normal((2, 2)) * 3 for _ in range(10_000)]
found = [weight_on_the_other((X @ W) @ (X @ W).T) for W in drawn]
print("best of 10,000 single matrices:", round(max(found), 4))
print("two matrices:                  ", round(weight_on_the_other(two_matrices), 4))

# %% [markdown]
# None of these smaller weights is above one half, and none can be. For that, each of the two tokens would have to score the
# other higher than itself. But the dot product of two vectors is never larger than that of the *longer* vector with itself. So
# the longer one prefers itself, or is undecided.
#
# ### How many keys can still be moved?
#
# A weight near 1 is not bad in itself. After training, it may be just right. But how easily does it change?

# %% predict="03.slope"


# %% jupyter={"source_hidden": true}
score = math.log(999)  # against one other key with score 0, this gives a weight of 999/1000
before, after = softmax(np.array([score, 0.0]))[0], softmax(np.array([score + 0.1, 0.0]))[0]
print(f"{before:.5f} → {after:.5f}, a change of {after - before:.5f}")
reveal("03.slope")

# %% [markdown]
# The slope of a weight $a$ with respect to its own score is $a(1-a)$ (the derivative of $e^s / (e^s + R)$, where $R$ is the
# sum for the other keys). At one half the slope is 1/4, the steepest there is, and at 0.999 it is only 0.001. At 0.001 it is
# the same: **a weight near 0 is as hard to move as one near 1.**
#
# Training may want to raise the weight of any key. So how many keys can still be moved? We count those whose weight has a
# slope above 1/1000, in 300 random rows of 64 keys. We also compute the effective number of keys over which a row spreads its
# weight. This is exp of the **entropy** $-\sum a \log a$: for weights ½ and ½ it is 2, for 64 equal weights it is 64, and if
# one key has all the weight it is 1.


# %% tags=["S4"]
def measure(d_k, divide):
    q, k = rng.standard_normal((300, 1, d_k)), rng.standard_normal((300, d_k, 64))
    weights = softmax((q @ k)[:, 0] / (math.sqrt(d_k) if divide else 1))
    entropy = -(weights * np.log(weights + 1e-300)).sum(-1)  # the tiny number avoids log 0
    return np.median(np.exp(entropy)), (weights * (1 - weights) > 1e-3).mean()


widths = [4, 16, 64, 256]
plain, scaled = ([measure(d_k, divide) for d_k in widths] for divide in (False, True))
for d_k, (keys, movable), (keys_scaled, movable_scaled) in zip(widths, plain, scaled, strict=True):
    print(f"d_k {d_k:3}: {keys:4.1f} keys, {movable:.0%} can move", end=";  ")
    print(f"divided: {keys_scaled:.1f} keys, {movable_scaled:.0%}")

# %% tags=["S4"]
parts = ((0, "Effective number of keys", "xy"), (1, "Fraction of keys that can be moved", "x"))
for ax, (column, title, log) in zip(figures.panels(2, 4.8), parts, strict=True):
    lines = {"q·k": [row[column] for row in plain], "q·k / √d_k": [row[column] for row in scaled]}
    figures.curves(widths, lines, title, "d_k", log=log, ax=ax)

# %% [markdown]
# <!-- picture -->
# the left panel shows how many of the 64 keys share the weight of a typical row, and the right panel shows
# what fraction of the keys can be moved, for widths 4 to 256. With the division, both lines are level: the width no longer
# matters. Without the division, both fall. At width 256 a typical row has settled on about one key, and about one key in
# thirty can still be moved.
# <!-- end -->
#
# ### In print
#
# Here are three statements that you may read elsewhere. Our example of two queries and three keys can settle each of them. The
# first: *the output of attention has the size of its input.* It has a row for each query, but its width is $d_v$.

# %% predict="03.shape"


# %% tags=["E6"]
print("input", written.shape, " output", Z.shape)
print("with a W_V of 6 × 6:", (A.numpy() @ source @ rng.standard_normal((6, 6))).shape)
reveal("03.shape")

# %% [markdown]
# The second: *all attention weights sum to 1.* It comes from the formula $a = \exp(s_j) / \sum_j \exp(s_j)$, which does not
# say that the query stays the same in the sum. Ours does: $i$ is fixed, and $l$ runs over the keys. So each row sums to 1:

# %% tags=["E8"]
print("each row:", A.sum(dim=1).numpy().round(4), " all together:", A.sum().numpy().round(4))

# %% [markdown]
# The third calls softmax(QKᵀ/√d_k)·V the *attention scores*. Here are the three stages:

# %% tags=["E18"]
print("scores (before softmax):\n", (Q @ K.T / math.sqrt(4)).round(2))
print("weights (after softmax):\n", A.numpy().round(2))
print("output:\n", Z.round(2))

# %% [markdown]
# There is one **score** per query and key, positive or negative. The **weights** have the same shape, and each row sums to 1.
# The **output** has one row of 5 numbers per query, and you cannot tell from it how well anything matched. Keep these three
# words apart: the masks of lesson 04 work on scores.
#
# ### What makes the start slow?
#
# In the look-up, was it the missing division that cost steps, or the size of the first scores? First count the keys that can
# be moved (those with a slope above 1/1000) before training. There are 16 keys here, not 64 as above, so a larger fraction of
# them can be moved.

# %% tags=["S4"]
for scaled in (True, False):
    torch.manual_seed(0)
    weights = Lookup(d_k=64, scaled=scaled).attend(*next(lookup_batches(size=300, seed=0)))[1]
    movable = (weights * (1 - weights) > 1e-3).float().mean()
    print(f"{'divided' if scaled else 'not divided':12} {movable:.0%} of the keys can be moved")

# %% [markdown] seconds=10
# Two more conditions separate the two causes. Training them takes about {seconds} seconds.
#
# * *not divided, small start*: W_Q and W_K are each divided by $\sqrt 8$ before training. The first scores are then divided by
#   8 = √64, exactly as if the model divided them itself;
# * *divided, large start*: W_Q and W_K are each multiplied by $\sqrt 8$ before training. The first scores are then exactly
#   those of the model without the division.

# %% tags=["S4", "nbval-ignore-output"]
conditions = {
    "not divided, small start": (False, 1 / math.sqrt(8)),
    "divided, large start": (True, math.sqrt(8)),
}
for name, (scaled, start) in conditions.items():
    losses[name] = [lookup_losses(64, scaled, start, seed) for seed in effort.seeds()]
for name, runs in losses.items():
    print(f"{name:25} {[step_below(0.5, run) for run in runs]}")

# %% tags=["S4"]
smooth = {
    name: [np.convolve(run, np.ones(10) / 10, "valid") for run in runs]
    for name, runs in losses.items()
}
title, below, beside = "Look-up, four ways to start", "training step", "loss (mean of ten steps)"
ax = figures.curves(np.arange(10, 501), smooth, title, below, beside)

# %% [markdown]
# <!-- picture -->
# lines are medians of three seeds, and bands show the range. The two conditions with small first scores
# learn first, whether they divide or not, and the two with large first scores take longer. So here it is the size of the first
# scores that matters most. But that is not the whole story: of two conditions that start with the same scores, the one that
# divides is slower. We do not know why.
# <!-- end -->
#
# So the division helps if the entries of queries and keys start with a standard deviation of about 1. If they start with a
# larger one, the division is not enough. All of this was measured on one task, with one learning rate.
