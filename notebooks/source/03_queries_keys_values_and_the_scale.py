# %% [markdown]
# # 03 · Queries, keys, values, and the scale: why three projections, and why divide by √d_k?
#
# In lesson 02 all three matrices were the identity, and nothing was divided. Real attention learns three matrices, and
# divides every score by one strange number before the softmax. Here you find out what each of them is for.
#
# About 45 minutes; "Why divide?" is a good place for a rest before it. Afterwards you can
#
# * say what each of the three projections makes possible;
# * give the shape of everything in attention when queries and keys come from different texts;
# * say where √d_k comes from, and what happens to softmax and to learning without it.

# %%
import math

import numpy as np
import torch

from transformer_course import figures
from transformer_course.attention import scaled_dot_product_attention
from transformer_course.exercises import ask, predict, reveal
from transformer_course.experiments.lookup import Lookup, lookup_batches, lookup_losses

torch.set_num_threads(1)
rng = np.random.default_rng(0)


def softmax(scores):
    exponentials = np.exp(scores - scores.max(-1, keepdims=True))
    return exponentials / exponentials.sum(-1, keepdims=True)


# %% [markdown]
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %%
ask("03.recall")

# %% [markdown]
# ## A red car
#
# Take two tokens, *red* and *car*, each with two numbers: is it a colour, is it a thing?

# %%
names = ["red", "car"]
X = np.array([[1.0, 0.0], [0.0, 1.0]])

# %% [markdown]
# *red* wants to know what is red, and *car* which colour it has: each should look mainly at the *other*. A score is the dot
# product of one token's query with another's key; W_Q makes the queries from the tokens, W_K the keys.

# %%
predict("03.symmetric")

# %%
W = np.array([[2.0, 1.0], [1.0, 3.0]])
print((X @ W) @ (X @ W).T)
reveal("03.symmetric")

# %% [markdown]
# The score is the dot product of two vectors, *red* times W and *car* times W, and a dot product does not care which comes
# first. **With one matrix for both, scores are the same in both directions.** (The weights need not be, as lesson 02
# showed, since each row is divided by its own sum.)
#
# Can a single matrix make the two look mainly at each other? We try ten thousand.


# %% tags=["S3"]
def looks_at_the_other(scores):
    weights = softmax(scores)
    return min(weights[0, 1], weights[1, 0])  # the less successful of the two


tries = [rng.standard_normal((2, 2)) * 3 for _ in range(10_000)]
single = [looks_at_the_other((X @ W) @ (X @ W).T) for W in tries]
print("over one half in both directions:", sum(one > 0.5 for one in single), "of", len(single))

# %% [markdown]
# None, and there can be none. Each of the two would have to score the other higher than itself. But the dot product of two
# vectors is at most as large as that of the *longer* one with itself (it is the product of both lengths and a cosine). So
# the longer one prefers itself, or is undecided.
#
# With two matrices, a token has two faces, one for what it looks for and one for what it offers. Then this is easy, and so
# is looking in one direction only:

# %% tags=["S3"]
W_K = np.eye(2)  # everything offers what it is
W_Q = np.array([[0.0, 4.0], [4.0, 0.0]])  # a colour looks for a thing, a thing for a colour
W_Q_one_way = np.array([[0.0, 4.0], [0.0, 0.0]])  # a thing looks for nothing
best = (X @ tries[np.argmax(single)]) @ (X @ tries[np.argmax(single)]).T
two_matrices, one_way = (X @ W_Q) @ (X @ W_K).T, (X @ W_Q_one_way) @ (X @ W_K).T
print(one_way)

# %% tags=["S3"]
titles = ("Best of 10,000 single ones", "Two: each other", "Two: one way")
axes, tables = figures.panels(3, 3.4), (best, two_matrices, one_way)
for ax, scores, title in zip(axes, tables, titles, strict=True):
    figures.heatmap(softmax(scores), names, names, title, digits=2, ax=ax)

# %% [markdown]
# **In the picture:** weights, a row for each token that looks. With the best of the single matrices, each looks at the
# other with just about one half. With two matrices, each looks at the other with 0.98. On the right, *red* scores *car* 4,
# and *car* scores *red* 0: scores of both directions can be chosen apart. (*car* then scores everybody 0, and shares
# evenly: attention cannot look nowhere.)
#
# And the third matrix, W_V? It decides what is handed over once the weights are made. Suppose that each token has a third
# number, an age, which W_Q and W_K pass over; and that the age is what we want. Three tries: hand over the keys; the whole
# tokens; or what W_V makes of them.

# %% tags=["S3"]
X_age = np.array([[1.0, 0.0, 3.0], [0.0, 1.0, 12.0]])  # colour, thing, age
no_age = np.zeros((1, 2))
Q, K = X_age @ np.concatenate([W_Q, no_age]), X_age @ np.concatenate([W_K, no_age])
W_V = np.array([[0.0], [0.0], [1.0]])
for name, handed_over in (("keys", K), ("tokens", X_age), ("values", X_age @ W_V)):
    print(name, (softmax(Q @ K.T) @ handed_over).round(1).tolist())

# %% [markdown]
# With the keys, no age arrives: they hold what tokens are found by. With the whole tokens, it arrives among everything
# else. With W_V it arrives alone: *red* receives nearly the age of *car*, 12, and *car* nearly that of *red*. **What makes
# a token easy to find need not be what it has to tell.**
#
# A dictionary is a good picture for all three: you come with a query, compare it with the keys, and take home a value. (It
# breaks in one place: a dictionary finds one entry or none; attention always takes a share of *every* one.)

# %% [markdown]
# ## Two tokens look at three
#
# Queries may come from other tokens than keys and values. A translator that has written *voiture rouge* looks at *the red
# car*: $n = 2$ queries, $m = 3$ keys. Each token has a vector of 6 numbers, here at random. That width is called
# $d_\text{model}$.

# %%
written, source = rng.standard_normal((2, 6)), rng.standard_normal((3, 6))
W_Q, W_K, W_V = (rng.standard_normal((6, width)) / math.sqrt(6) for width in (4, 4, 5))
Q, K, V = written @ W_Q, source @ W_K, source @ W_V
print("Q", Q.shape, " K", K.shape, " V", V.shape)

# %% [markdown]
# Queries and keys have 4 numbers each: $d_k = 4$. They must have the same width, since they meet in a dot product. Values
# meet nobody, so they may have a width of their own: $d_v = 5$.

# %%
predict("03.shape")

# %% [markdown]
# Here it is in loops, with the letters $i$ for a query and $j$ for a key. One thing is new: each score is divided by
# $\sqrt{d_k}$. We first do it, and then find out why.

# %% tags=["S4"]
d_k = K.shape[1]
outputs = []
for i in range(len(Q)):
    scores = [Q[i] @ K[j] / math.sqrt(d_k) for j in range(len(K))]
    total = sum(math.exp(score) for score in scores)
    outputs.append(sum(math.exp(scores[j]) / total * V[j] for j in range(len(V))))
print(np.shape(outputs))
reveal("03.shape")

# %% [markdown]
# | | made of | shape | here |
# | --- | --- | --- | --- |
# | queries Q | the tokens that look | $n \times d_k$ | 2 × 4 |
# | keys K | the tokens looked at | $m \times d_k$ | 3 × 4 |
# | values V | the tokens looked at | $m \times d_v$ | 3 × 5 |
# | scores, weights | Q and K | $n \times m$ | 2 × 3 |
# | output | weights and V | $n \times d_v$ | 2 × 5 |
#
# As formulas:
#
# $$s_{ij} = \frac{q_i \cdot k_j}{\sqrt{d_k}} \qquad a_{ij} = \frac{\exp(s_{ij})}{\sum_{l} \exp(s_{il})} \qquad z_i = \sum_j a_{ij} v_j
# \qquad\text{or}\qquad Z = \text{softmax}\Big(\frac{Q K^\top}{\sqrt{d_k}}\Big) V$$
#
# And in NumPy and in torch:

# %% tags=["S4"]
S = Q @ K.T / math.sqrt(d_k)
A = softmax(S)
Z = A @ V

# %% tags=["S4"]
tensors = [torch.from_numpy(matrix) for matrix in (Q, K, V)]
Z_ours, A_ours = scaled_dot_product_attention(*tensors)
Z_torch = torch.nn.functional.scaled_dot_product_attention(*tensors)
for result in (outputs, Z_ours, Z_torch):
    np.testing.assert_allclose(result, Z, atol=1e-12)
print("Loops, NumPy, our library and torch agree.")

# %% [markdown]
# ## Three sentences, put to the test
#
# Notes 1 and 3, of the five that this course grew from, say three things here that the example can decide.
#
# Note 1: *the output has the size of the input.* That is so, for the tokens that look, only where $d_v = d_\text{model}$:

# %% tags=["E6"]
print("input", written.shape, " output", Z.shape)
print("the same if W_V is 6 × 6:", (A @ source @ rng.standard_normal((6, 6))).shape)

# %% [markdown]
# Note 1 again: *the sum of all weights is 1.* (Its formula uses the letter $j$ for one key above the fraction bar, and for
# all keys in the sum below; ours has $l$ there.) What does sum to 1?

# %% tags=["E8"]
print("each row:", A.sum(axis=1).round(4), " all together:", A.sum().round(4))

# %% [markdown]
# Note 3 calls softmax(QKᵀ/√d_k)·V the *attention scores*. Look at the three stages, and judge which one scores anything:

# %% tags=["E18"]
print("scores (before softmax):\n", S.round(2))
print("weights (after it):\n", A.round(2))
print("output:\n", Z.round(2))

# %% [markdown]
# There is one **score** for each query and key, of any sign. The **weights** have the same shape and sum to 1 in each row.
# The **output** has one row of 5 numbers for each query, and from none of them can you read how well something matched.
# Keep these three words apart: masks, in lesson 04, work on scores, and fail on weights.

# %% [markdown]
# ## Why divide?
#
# A score is a sum of $d_k$ products. Before training, queries and keys are random; suppose that their numbers have mean 0
# and standard deviation 1 (the **standard deviation** is the root of the variance).

# %%
predict("03.spread")

# %% tags=["S4"]
for d_k in (4, 16, 64, 256):
    q, k = rng.standard_normal((2, 10_000, d_k))
    scores = (q * k).sum(axis=1)
    print(f"d_k = {d_k}: variance {scores.var():.0f}, standard deviation {scores.std():.1f}")
reveal("03.spread")

# %% [markdown]
# By hand: take one of the products, of a query's number with a key's. Both have mean 0 and variance 1, and they know
# nothing of each other; then the product has mean 0 and variance 1 · 1 = 1. (For numbers of standard deviation $s$ and $t$
# it would be $s^2 t^2$.) When independent things are added up, so are their variances: a sum of $d_k$ such products has
# variance $d_k$, and standard deviation $\sqrt{d_k}$. **Divided by $\sqrt{d_k}$, scores of such queries and keys stray by
# 1, whatever the width.** That is where the strange number comes from.
#
# (Divided by $d_k$, they would stray less and less: by 1/16 at 256, and all weights would be nearly even.)

# %% [markdown]
# ## What large scores do to softmax
#
# One query, eight keys, all random. Only the width grows from left to right. Above without the division, below with it:


# %% tags=["S4"]
def one_row(d_k, seed=4):
    draw = np.random.default_rng(seed)
    return draw.standard_normal(d_k) @ draw.standard_normal((8, d_k)).T


for divide, label in ((False, "q·k"), (True, "q·k / √d_k")):
    for ax, d_k in zip(figures.panels(4, 3.0, 2.5), (2, 8, 64, 512), strict=True):
        scores = one_row(d_k) / (math.sqrt(d_k) if divide else 1)
        figures.bars(softmax(scores), title=f"{label}, d_k = {d_k}", ax=ax)

# %% [markdown]
# **In the picture:** each panel is one row of weights over eight keys. Above, the bars collapse: at $d_k = 64$ and 512 one
# key has taken all but a trace. Below, with the same queries and keys, every row is still shared among several keys.
# Nothing has been learned yet, so the winner above won by chance. Seed 4 shows it well; is it typical?

# %% tags=["S4"]
largest = [softmax(one_row(512, seed)).max() for seed in range(12)]
print("a weight over 0.95 at d_k = 512:", sum(one > 0.95 for one in largest), "of 12 seeds")

# %% [markdown]
# A weight near 1 is not bad in itself; after training it may be just right. But how easily does it change?

# %%
predict("03.slope")

# %%
score = math.log(999)  # against one other key with score 0: a weight of 999/1000
before, after = softmax(np.array([score, 0.0]))[0], softmax(np.array([score + 0.1, 0.0]))[0]
print(round(before, 4), round(after, 4), f"{after - before:.5f}")
reveal("03.slope")

# %% [markdown]
# How fast a weight $a$ changes with its own score is $a(1-a)$: at one half 1/4, the steepest there is; at 0.999 only 0.001.
# And at 0.001 the same: **a weight near 0 is as stuck as one near 1.** (It is the derivative of $e^s / (e^s + r)$, where
# $r$ is what the other keys contribute.)
#
# Training wants to raise the weight of one certain key, and before training that may be any of them. So how many keys can
# still be moved? We count those with a slope above 1/1000, in 300 random rows of 64 keys. Beside it stands among how many
# keys a row is shared: exp of its **entropy** $-\sum a \log a$. For weights ½ and ½ that is 2, for 64 equal weights it is
# 64, and for a spike 1.


# %% tags=["S4"]
def measure(d_k, divide):
    q, k = rng.standard_normal((300, 1, d_k)), rng.standard_normal((300, d_k, 64))
    weights = softmax((q @ k)[:, 0] / (math.sqrt(d_k) if divide else 1))
    entropy = -(weights * np.log(weights + 1e-300)).sum(-1)  # the tiny number: log 0 would be −∞
    return np.median(np.exp(entropy)), (weights * (1 - weights) > 1e-3).mean()


widths = [4, 16, 64, 256]
plain, scaled = ([measure(d_k, divide) for d_k in widths] for divide in (False, True))
for d_k, (keys, movable), (keys_scaled, movable_scaled) in zip(widths, plain, scaled, strict=True):
    print(f"d_k {d_k}: {keys:.1f} keys, {movable:.0%} can move", end=";  ")
    print(f"divided: {keys_scaled:.1f} keys, {movable_scaled:.0%}")

# %% tags=["S4"]
left, right = figures.panels(2, 4.8)
for ax, place, title in (
    (left, 0, "Among how many keys a row is shared"),
    (right, 1, "Share of keys that can be moved"),
):
    lines = {"q·k": [row[place] for row in plain], "q·k / √d_k": [row[place] for row in scaled]}
    figures.curves(widths, lines, title, "d_k", log="xy" if place == 0 else "x", ax=ax)

# %% [markdown]
# **In the picture:** on the left, among how many of 64 keys a typical row is shared, on the right, the share of keys that can
# be moved, both from width 4 to 256. Divided, both lines are level, at about 41 keys and nearly all: the width no longer
# matters. Undivided, both fall: at width 256 a typical row has settled on about one key, and of all keys about one in thirty
# still has a slope to speak of.

# %% [markdown]
# ## Does training suffer?
#
# The task is a look-up. In each text there are sixteen pairs of a name and a value; a query holds one of the names, and
# must bring back the value that stands beside it. There are 32 names and 16 values. Each has a vector of 64 numbers, and a
# pair is the sum of two such vectors. One attention with $d_k = 64$ looks at the pairs, and a last matrix makes a score for
# each of the 16 values of what it brings. W_Q and W_K start so that the numbers of queries and keys have a spread of 1. The
# *loss* says how little probability the right value gets: a guess among 16 gives 2.77, certainty 0. One training step takes
# 64 texts and moves all numbers, the vectors included, a little along their slopes; how far, the *learning rate* says (here
# 0.001). A run has 500 steps and takes a second or two.
#
# Before the first step, the rows of this task are as the random ones above:

# %% tags=["S4"]
torch.manual_seed(0)
for scaled in (True, False):
    weights = Lookup(d_k=64, scaled=scaled).attend(*next(lookup_batches(size=300, seed=0)))[1]
    movable = (weights * (1 - weights) > 1e-3).float().mean()
    print("divided:    " if scaled else "not divided:", f"{movable:.0%} of the keys can be moved")

# %%
predict("03.training")

# %% tags=["S4"]
losses = {"divided": [lookup_losses(d_k=64, seed=seed) for seed in range(3)]}
losses["not divided"] = [lookup_losses(d_k=64, scaled=False, seed=seed) for seed in range(3)]


# %% jupyter={"source_hidden": true}
def steps_until(level, runs):
    """For each run, the step at which the mean loss of the last ten steps first is below the level."""
    smooth = [np.convolve(run, np.ones(10) / 10, "valid") for run in runs]  # means of ten in a row
    first = [int(np.argmax(run < level)) for run in smooth]  # argmax: the place of the first True
    return [f + 10 if run.min() < level else math.inf for f, run in zip(first, smooth, strict=True)]


with_it, without = (steps_until(0.5, losses[arm]) for arm in ("divided", "not divided"))
print("every run gets below a loss of 0.5:", max(with_it + without) < math.inf)
print("all without took 1.5 times as long as any with it:", min(without) > 1.5 * max(with_it))
reveal("03.training")

# %% [markdown]
# It took about twice as many steps, and got there: most keys were stuck, but about one in five was not, and a batch asks for
# many. (The authors of the Transformer wrote that they *suspect* this effect: Vaswani and others 2017, section 3.2.1.) What
# helped: the division, or merely that the first scores are small? Two more groups of runs, or *arms*, tell these apart:
#
# * *not divided*, but W_Q and W_K are divided by $\sqrt 8$ each before training. The first scores are then divided by 8 =
#   √64, exactly as in the divided arm;
# * *divided*, but W_Q and W_K are multiplied by $\sqrt 8$ each before training: the first scores are exactly those of the
#   undivided arm.

# %% tags=["S4"]
small, large = 1 / math.sqrt(8), math.sqrt(8)
arms = {"not divided, small start": (False, small), "divided, large start": (True, large)}
for name, (scaled, start) in arms.items():
    losses[name] = [lookup_losses(64, scaled, start, seed) for seed in range(3)]

# %% tags=["S4"]
smooth = {}
for name, runs in losses.items():
    smooth[name] = [np.convolve(run, np.ones(10) / 10, "valid") for run in runs]
title, below, beside = "Small first scores learn first", "training step", "loss (mean of ten steps)"
ax = figures.curves(np.arange(10, 501), smooth, title, below, beside)

# %% [markdown]
# **In the picture:** the middle one of three seeds, with the band from best to worst. The two arms with small first scores
# fall first, whether they divide or not. The two with large first scores come later, whether they divide or not. But within
# each pair, with the very same first scores, the divided arm is the slower one: the first scores are not the whole story,
# and the rest of it we leave open.

# %%
slowest_small = max(with_it + steps_until(0.5, losses["not divided, small start"]))
quickest_large = min(without + steps_until(0.5, losses["divided, large start"]))
print("six runs with small first scores quicker than all others:", slowest_small < quickest_large)
print("every run gets below 0.5:", max(steps_until(0.5, losses["divided, large start"])) < math.inf)

# %% [markdown]
# So we say: **large first scores saturate softmax, and a saturated start costs steps.** If the numbers of queries and keys
# start with a spread of about 1, dividing by √d_k prevents it for any width. If they start larger, it does not: see the
# fourth arm. We do not say that attention cannot be trained without it: all twelve runs came below 0.5, though the fourth
# arm still stood well above the others after 500 steps. And how much it costs will differ from task to task and with the
# learning rate; we tried one of each.

# %% [markdown]
# ## Before you go

# %%
ask("03.exit")

# %% [markdown]
# **Why three projections, and why divide by √d_k?** Two for the scores, so that looking and being found need not be the
# same, and a third for what is handed over; and the division, because a sum of d_k products strays by √d_k, and a softmax
# that starts saturated learns slowly.
