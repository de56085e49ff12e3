# %% [markdown]
# # 05 · Several heads: what do two heads see that one of the same size did not?
#
# A Transformer attends several times at once, each time with narrower vectors. In this lesson you finish an example that
# note 1 leaves open, compute all heads as one product, give one head and two the same task, and see what becomes of a mask
# when there are heads.
#
# About 45 minutes; "The same task for one head and for two" is a good place for a rest before it. Afterwards you can
#
# * compute attention with several heads, by hand and as one product, and give every shape in it;
# * show what a second head buys, what it costs, and what else would buy the same;
# * say what shape a mask needs when there are heads, and what happens otherwise.

# %%
import math

import numpy as np
import torch

from transformer_course import figures
from transformer_course.attention import MultiHeadAttention, padding_mask
from transformer_course.embedding import pad_right
from transformer_course.exercises import ask, predict, reveal
from transformer_course.experiments.neighbours import (
    neighbour_sequences,
    neighbours_of,
    train_reporter,
)

torch.set_num_threads(1)


def softmax(scores):
    exponentials = np.exp(scores - scores.max(-1, keepdims=True))
    return exponentials / exponentials.sum(-1, keepdims=True)


# %% [markdown]
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %%
ask("05.recall")

# %% [markdown]
# ## An example that was left open
#
# Note 1, of the five that this course grew from, sets up attention with two heads on three tokens of three numbers, says how
# large the matrices are, and stops: it gives no numbers for them, and no result. We finish it.

# %%
X = np.array([[1, 0, 1], [0, 1, 0], [1, 1, 0]], dtype=float)

# %% [markdown]
# A **head** is one attention, with three matrices of its own. Here they turn 3 numbers into 2: each is 3 × 2, and
# $\sqrt{d_k} = \sqrt 2$.
#
# Head 1 takes the first two numbers of each token, for queries, keys and values alike:

# %% tags=["S7"]
W_Q1 = W_K1 = W_V1 = np.array([[1, 0], [0, 1], [0, 0]])
Q1, K1, V1 = X @ W_Q1, X @ W_K1, X @ W_V1
print(Q1)

# %% [markdown]
# These are the three tokens of lesson 02. So you know their scores, except that they are now divided by √2:

# %% tags=["S7"]
A1 = softmax(Q1 @ K1.T / math.sqrt(2))
head_1 = A1 @ V1
print(A1.round(4), head_1.round(4), sep="\n\n")

# %% [markdown]
# Dividing has brought the weights a little closer to each other: row 1 has 0.4011 and 0.1978 where lesson 02 had 0.4223 and
# 0.1554.
#
# Head 2 takes other numbers. For a token $(x_1, x_2, x_3)$, its query is $(x_3, x_2)$, its key $(2 x_2, 2 x_3)$, and its
# value $(x_3, x_1)$. So a score is high when one token has a third number and the other a second.

# %% tags=["S7"]
W_Q2 = np.array([[0, 0], [0, 1], [1, 0]])
W_K2 = np.array([[0, 0], [2, 0], [0, 2]])
W_V2 = np.array([[0, 1], [0, 0], [1, 0]])
Q2, K2, V2 = X @ W_Q2, X @ W_K2, X @ W_V2
print(Q2 @ K2.T)

# %% [markdown]
# **Your turn, on paper**, for token 1, whose scores are 0, 2 and 2. Divide by √2 = 1.4142, take exp, and share out.
#
# | | token 1 | token 2 | token 3 | sum |
# | --- | --- | --- | --- | --- |
# | scores / √2 | 0 | 1.4142 | 1.4142 | |
# | exponentials | 1 | 4.1133 | ____ | ____ |
# | weights | 0.1084 | ____ | ____ | |
#
# <details><summary>Compare</summary>4.1133 again; the sum is 9.2265 (or 9.2266, from rounded numbers); weights 0.4458 and
# 0.4458.</details>

# %% tags=["S7"]
A2 = softmax(Q2 @ K2.T / math.sqrt(2))
head_2 = A2 @ V2
left, right = figures.panels(2)
names = ["token 1", "token 2", "token 3"]
ax = figures.heatmap(A1, names, names, "Head 1", ax=left)
ax = figures.heatmap(A2, names, names, "Head 2", ax=right)

# %% [markdown]
# **In the picture:** the same three tokens, seen by two heads. Head 1 favours tokens that share a first or second number.
# In head 2, token 1 looks at the other two, and they look at token 1.
#
# Now each token has two results of two numbers. They are laid side by side, and one more matrix mixes them, **W_O**. It has
# to lead to outputs that another layer can read.

# %%
predict("05.w_o")

# %% tags=["S7"] jupyter={"source_hidden": true}
W_O = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]])
both_heads = np.concatenate([head_1, head_2], axis=1)
output = both_heads @ W_O
print(both_heads.round(4), output.round(4), sep="\n\n")
reveal("05.w_o")

# %% [markdown]
# By hand for token 1: its two heads bring [0.8022, 0.5989] and [0.1084, 0.5542]. The first number of the output is 0.8022 +
# 0.5542 = 1.3564, the second 0.5989, the third 0.1084.
#
# Note 1 says that W_O is $d_\text{model} \times d_\text{model}$. In its own example that does not fit:

# %% tags=["E5"]
try:
    both_heads @ np.eye(3)
except ValueError:
    print("four numbers for each token,", both_heads.shape, "cannot meet a 3 × 3 matrix")

# %% [markdown]
# It is $(h \cdot d_v) \times d_\text{model}$, for $h$ heads. Usually one takes $d_k = d_v = d_\text{model} / h$; then $h
# \cdot d_v$ happens to *be* $d_\text{model}$. But here $d_\text{model} = 3$ is not divisible by 2 at all, and the example
# is sound all the same: only the statement about W_O is wrong.

# %% [markdown]
# ## All heads as one product
#
# In practice, heads are not computed one by one. The heads' matrices are laid side by side, and one product makes all
# queries:

# %% tags=["S6"]
pairs = ((W_Q1, W_Q2), (W_K1, W_K2), (W_V1, W_V2))
W_Q, W_K, W_V = (np.concatenate(pair, axis=1) for pair in pairs)
Q, K, V = X @ W_Q, X @ W_K, X @ W_V
print(Q.shape, " head 1 owns the first two columns:", np.array_equal(Q[:, :2], Q1))

# %% [markdown]
# To attend in all heads at once, the heads need an axis of their own: from $(n, h \cdot d_k) = (3, 4)$ to $(h, n, d_k) =
# (2, 3, 2)$.

# %%
predict("05.reshape")

# %%
print("reshape:\n", Q.reshape(2, 3, 2)[0], "\nhead 1:\n", Q1)
reveal("05.reshape")

# %% [markdown]
# `reshape` takes the numbers in the order in which they lie, row by row. The right way has two steps: split the last axis,
# $(n, h, d_k) = (3, 2, 2)$, which leaves each token in its place; then swap tokens and heads.

# %% tags=["S6"]
n, h, d_k = 3, 2, 2
Q_heads, K_heads, V_heads = (M.reshape(n, h, d_k).swapaxes(0, 1) for M in (Q, K, V))
assert np.array_equal(Q_heads[0], Q1)
assert np.array_equal(Q_heads[1], Q2)

# %% [markdown]
# Then attention, with `@` working head by head, and the way back: swap, and lay side by side.

# %% tags=["S6"]
A = softmax(Q_heads @ K_heads.swapaxes(-2, -1) / math.sqrt(2))
merged = (A @ V_heads).swapaxes(0, 1).reshape(3, 4)
np.testing.assert_allclose(merged @ W_O, output)
print("weights", A.shape, " merged", merged.shape, " output", (merged @ W_O).shape)

# %% [markdown]
# The library's `MultiHeadAttention` does the same for a whole batch. (A torch layer keeps its matrix transposed, hence the
# `.T`.)

# %% tags=["S6"]
attention = MultiHeadAttention(3, num_heads=2, d_k=2, d_v=2, bias=False).double()
layers = (attention.w_q, attention.w_k, attention.w_v, attention.w_o)
for layer, matrix in zip(layers, (W_Q, W_K, W_V, W_O), strict=True):
    layer.weight.data = torch.tensor(matrix.T, dtype=torch.float64)
x = torch.from_numpy(X)[None]  # a batch of one
np.testing.assert_allclose(attention(x, x, x).detach()[0], output)
print("By hand, as one product, and by the library: the same.")

# %% [markdown]
# ## The same task for one head and for two
#
# A text is twelve random tokens of 16 kinds, and each inner one is to report its left neighbour and its right one.

# %%
(text,) = next(neighbour_sequences(size=1, seed=0))
print(text[0])
print(neighbours_of(text)[0, :3])

# %% [markdown]
# Above stands a text, below what its second, third and fourth token should report: left neighbour, right neighbour.
#
# We train one layer of attention. Each token has a vector of 32 numbers that says what it is and where it stands (lesson
# 06). What attention found is added to that, and a **linear map**, one matrix and a number added to each answer, reads both
# answers off the sum. In one model, one head has all 32 columns; in the other, two heads have 16 each. Both answers count
# alike in training, which takes 600 steps of 64 texts.

# %%
predict("05.neighbours")

# %% tags=["S6"] jupyter={"source_hidden": true}
one = [train_reporter(num_heads=1, seed=seed) for seed in range(3)]
two = [train_reporter(num_heads=2, seed=seed) for seed in range(3)]


def table(runs):
    for report in runs:
        better, worse = max(report.left, report.right), min(report.left, report.right)
        print(
            f"one side {better:.1f}, the other",
            "below 0.2," if worse < 0.2 else f"{worse:.1f},",
            f"the pair {report.pair:.1f}",
        )


for name, runs in (("one head", one), ("two heads", two)):
    print(name, "of", 32 // len(runs[0].maps), "columns,", runs[0].parameters, "parameters in all")
    table(runs)

# %% [markdown]
# A line for each of three seeds, measured on the 5000 inner tokens of 500 new texts. First, what share of them is named
# correctly on the one side, and on the other. (Naming the left one for both would give 0.06 on the right for nothing: one
# token in sixteen has the same kind on both sides.) The last number asks for less. Each answer gives every one of the 16
# kinds a probability; we add both, and ask whether the two highest kinds are the two neighbours, in whatever order (where
# these differ).

# %%
reveal("05.neighbours")

# %% tags=["S6"]
axes = figures.panels(3, 3.8)
looks_left, looks_right = sorted(two[0].maps, key=lambda weights: -weights.diagonal(-1).sum())
maps = {"One head": one[0].maps[0], "Two heads: left": looks_left, "… and right": looks_right}
for ax, (title, weights) in zip(axes, maps.items(), strict=True):
    figures.heatmap(weights, [""] * 12, [""] * 12, title, ax=ax)

# %% [markdown]
# **In the picture:** average weights over 500 new texts; each row is a token that looks, each column one that is looked at.
# On the left, one head draws two pale lines beside the diagonal, nearly half on each neighbour, with a little more on one
# side. On the right, two heads draw one dark line each. Nobody told them to. (The first and the last token are asked
# nothing, so their rows mean nothing.)
#
# So the one head *finds* both, and which two they are can be read off its mixture. What fails is naming the one with the
# smaller share *alone*. The linear map gives each kind of token a score in proportion to its share. So the one of which
# there is most it can put first. But one of which there is *some, and not most*, it cannot: it would have to score a small
# share above none, and above a large one.
#
# <details><summary>A proof, for fixed shares</summary>Let the left neighbour have the share ⅔ and the right one ⅓, and let
# m(x, t) be what a whole token t adds to the score of the answer "x is on the right". In a text with A left and B right, B
# must beat A: ⅔ m(B, A) + ⅓ m(B, B) > ⅔ m(A, A) + ⅓ m(A, B). With B left and A right it is the other way: ⅔ m(A, B) + ⅓
# m(A, A) > ⅔ m(B, B) + ⅓ m(B, A). Add the two, and what is left is m(A, B) + m(B, A) > m(A, A) + m(B, B). This holds for
# any two kinds. Now take a third kind C, with A on the left. With B on the right, B must beat C: ⅔ m(B, A) + ⅓ m(B, B) > ⅔
# m(C, A) + ⅓ m(C, B); with C on the right, C must beat B: ⅔ m(C, A) + ⅓ m(C, C) > ⅔ m(B, A) + ⅓ m(B, C). Add these two:
# m(B, B) + m(C, C) > m(C, B) + m(B, C). That is the opposite of what we had, for B and C. What the token itself and its
# position add to each score cancels in both sums. So no such map exists; only shares that change with the tokens could get
# around it. (Any share above one half works the same way; at exactly one half, the first two lines contradict each other
# already.)</details>

# %% [markdown]
# ## Is it a law?
#
# "One head cannot do it", then? But our model has one layer, and ends in a linear map. Three more variants, all with one
# head: trained three times as long; with two layers; and with a small *feed-forward network* before the linear map, which
# bends: it sets negative numbers to 0 on the way (lesson 09).

# %% tags=["S6"]
longer = [train_reporter(num_heads=1, seed=seed, steps=1800) for seed in range(3)]
deeper = [train_reporter(num_heads=1, layers=2, seed=seed) for seed in range(3)]
bent = [train_reporter(num_heads=1, feed_forward=True, seed=seed) for seed in range(3)]
arms = {"three times as long": longer, "two layers": deeper, "feed-forward network": bent}
for name, runs in arms.items():
    print(f"one head, {name}, {runs[0].parameters} parameters")
    table(runs)

# %% tags=["S6"]
left, right = figures.panels(2, 3.8)
ax = figures.heatmap(one[0].maps[0], [""] * 12, [""] * 12, "One head, then a linear map", ax=left)
ax = figures.heatmap(bent[0].maps[0], [""] * 12, [""] * 12, "One head, then a bend", ax=right)

# %% [markdown]
# **In the picture:** on the left the two lines are nearly equal. On the right one of them is about twice as dark as the
# other. This model marks the sides by clearly unequal shares, and the bend can read "some, and not most". So much for one
# seed. What of the others, and of the model with two layers?


# %% tags=["S6"]
def on_each_side(report):
    inner = report.maps[0, 1:-1]  # head 1, the rows of the tokens that are asked
    return sorted(inner.diagonal(place).mean().item() for place in (0, 2))  # left and right


uneven = [more > 1.5 * less for less, more in map(on_each_side, bent)]
print("a bend: more than 1.5 times as much on one side:", all(uneven))
one_sided = [more > 0.8 for less, more in map(on_each_side, deeper)]
print("two layers: over 0.8 on one side in the first:  ", all(one_sided))

# %% [markdown]
# With two layers, the first looks mostly at one side; the other must come with the second.
#
# So the honest sentence is: **with one head in one layer, read by a linear map, none of our runs named both neighbours, not
# with three times the time either; two heads of the same total size did, and so did one head with a second layer or a bend,
# which cost more parameters.** What each head comes to do is what training found; lesson 20 shows what happens when some are
# taken away.

# %% [markdown]
# ## What does a head cost?

# %%
predict("05.cost")

# %% tags=["S6"]
n = 100
for heads in (1, 8):
    layer, width = MultiHeadAttention(512, heads, bias=False), 512 // heads
    parameters = sum(p.numel() for p in layer.parameters())
    scoring = heads * n * n * width  # in each head, n · n scores of `width` products each
    print(f"{heads} × {width}: {parameters} parameters, {scoring} multiplications", end=", ")
    print(heads * n * n, "weights")
reveal("05.cost")

# %% [markdown]
# What one loses is width. A table of scores made from vectors of width $d_k$ has at most *rank* $d_k$ (in the sense of
# linear algebra: at most that many independent rows): it cannot be just any table. For 40 tokens and a model of width 32:

# %% tags=["S6"]
x = torch.randn(1, 40, 32, generator=torch.Generator().manual_seed(0))
torch.manual_seed(0)
for heads in (1, 4, 16):
    layer, width = MultiHeadAttention(32, heads, bias=False), 32 // heads
    q, k = layer.w_q(x)[0, :, :width], layer.w_k(x)[0, :, :width]  # what head 1 owns
    print(f"{heads} × {width}: the scores of head 1 have rank {torch.linalg.matrix_rank(q @ k.T)}")

# %% [markdown]
# How many heads are best has to be found by trial. The authors of the Transformer tried 1, 4, 8, 16 and 32 at equal size.
# Their translations scored 24.9, 25.5, 25.8, 25.8 and 25.4, where more is better (Vaswani and others 2017, table 3).

# %% [markdown]
# ## A mask, and heads
#
# Note 2 ends in a program, two classes for attention and for several heads. Here is an equivalent of how they work
# together. The mask is passed on as it came, with shape $(b, n, m)$, one for each text:


# %% tags=["S25", "E10"]
def heads_as_in_note_2(query, key, value, mask):
    """Queries (b, h, n, d), keys and values (b, h, m, d), mask (b, n, m)."""
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = torch.softmax(scores.masked_fill(~mask, -1e9), dim=-1)
    return weights @ value


def random_heads(b, h):
    torch.manual_seed(0)
    return torch.randn(3, b, h, 4, 6)  # query, key, value; four tokens


def mask_for(*texts):
    tokens = pad_right(texts)
    return padding_mask(tokens, pad=0).expand(-1, tokens.shape[1], -1)  # (b, 1, m) to (b, n, m)


# %% [markdown]
# We give it two texts and two heads. Text 1 has four tokens; text 2 has two, and two places of padding.

# %%
predict("05.mask")

# %% [markdown]
# To see who sees what, we change the values in the last two places of both texts, and look where outputs move. In text 1
# these are tokens, and both heads should see them; in text 2 they are padding, and neither should.


# %% tags=["S25", "E10"]
def sees_the_last_two(mask):
    query, key, value = random_heads(b=2, h=2)
    before = heads_as_in_note_2(query, key, value, mask)
    value[:, :, 2:] += 100
    return (
        (heads_as_in_note_2(query, key, value, mask) != before).any(-1).any(-1)
    )  # a row for each text, a column for each head


mask = mask_for([5, 6, 7, 8], [5, 6])
print(sees_the_last_two(mask))
reveal("05.mask")

# %% [markdown]
# No error is raised, and the result has the right shape. But head 1 of text 2 sees padding, and head 2 of text 1 is blind to
# two of its tokens. The scores have shape $(b, h, n, m)$, the mask $(b, n, m)$. torch lines shapes up from the right, so
# the mask's first axis, the texts, comes to lie on the heads: head 1 gets text 1's mask in *all* texts. That needs an axis
# for the heads:

# %% tags=["S25", "E10"]
print(sees_the_last_two(mask[:, None]))  # (b, 1, n, m)

# %% [markdown]
# The fault raised no error because $b = h$, two texts and two heads. With several texts and other numbers:

# %% tags=["S25", "E10"]
three_texts = mask_for([5, 6, 7, 8], [5, 6, 7], [5, 6])
try:
    heads_as_in_note_2(*random_heads(b=3, h=2), three_texts)
except RuntimeError as error:
    print("three texts, two heads:", type(error).__name__)
out = heads_as_in_note_2(*random_heads(b=3, h=1), three_texts)
print("three texts, one head: ", tuple(out.shape), "instead of", (3, 1, 4, 6))

# %% [markdown]
# An error, or a result of the wrong shape. (With a *single* text nothing goes wrong at all, however many heads there are:
# its one mask is right for all of them. That is how such a fault passes the first tests.) This course's
# `MultiHeadAttention` reads a mask of three axes as $(b, n, m)$, and gives it the axis for the heads itself.

# %% [markdown]
# ## Before you go

# %%
ask("05.exit")

# %% [markdown]
# **What do two heads see that one of the same size did not?** Nothing more, for both models attended to both neighbours; but
# two heads bring two mixtures, in columns of their own, from which each neighbour can be named, where one head brings one,
# and they cost no further parameters, only width: narrower queries, keys and values.
