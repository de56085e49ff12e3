# %% [markdown] minutes=24 seconds=5
# # 05 · Several heads: why several narrow heads, and not one wide one?
#
# So far a token makes one query and gets one weighted average. In each of its 96 layers, GPT-3 (2020) makes 96 queries for
# every token, side by side, and each is only a 96th as wide as the token's own vector ({brown2020}, table 2.1). Why so many,
# and why so narrow? Two heads are enough to find out. You will work through both by hand, compute them in a single matrix
# product, and then train one head and two heads on the same task.
#
# About {minutes} minutes, and as long again for the parts under "Deeper". The first cell takes about {seconds}
# seconds. By the end, you will be able to
#
# * compute attention with several heads, by hand and in a single matrix product;
# * give the shape of every matrix in it;
# * compare one head with two in an experiment, and say what a second head costs.

# %%
import math

import numpy as np
import torch

from transformer_course import figures
from transformer_course.attention import MultiHeadAttention, padding_mask
from transformer_course.embedding import pad_right
from transformer_course.exercises import ask, predict, reveal
from transformer_course.experiments import effort
from transformer_course.experiments.neighbours import (
    neighbour_sequences,
    neighbours_of,
    train_reporter,
)

torch.set_num_threads(1)


def softmax(scores):
    exponentials = np.exp(scores - scores.max(-1, keepdims=True))
    return exponentials / exponentials.sum(-1, keepdims=True)


# %%
lit = ("encoder self-attention", "decoder self-attention", "cross-attention")
ax = figures.architecture(*lit, title="Lesson 05: several heads in each attention box", small=True)

# %% [markdown]
# <!-- picture -->
# the three attention boxes again. So far, each of them has been a single attention. From now on, each
# holds several attentions, side by side in the same box.
# <!-- end -->
#
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %% ask="05.recall"


# %% [markdown]
# ## Two heads by hand {#by-hand}
#
# A **head** is one attention step with its own three matrices. Take *red*, *car* and *orange* from lesson 02, with a third
# number. It says whether the token is the first in the text, as *red* is here.

# %%
names = ["red", "car", "orange"]
X = np.array([[1, 0, 1], [0, 1, 0], [1, 1, 0]], dtype=float)  # colour, thing, first

# %% [markdown]
# Each head turns these 3 numbers into 2. Head 1 takes the first two numbers as query, key and value, so it repeats lesson 02.
# The only difference is that the scores are now divided by $\sqrt{d_k} = \sqrt 2$.

# %% tags=["S7"]
W_Q1 = W_K1 = W_V1 = np.array([[1, 0], [0, 1], [0, 0]])
Q1, K1, V1 = X @ W_Q1, X @ W_K1, X @ W_V1
A1 = softmax(Q1 @ K1.T / math.sqrt(2))
head_1 = A1 @ V1

# %% [markdown]
# Head 2 does something else. A token $(x_1, x_2, x_3)$ has the query $(x_3, x_2)$, the key $(2 x_2, 2 x_3)$ and the
# value $(x_3, x_1)$. So the first token ($x_3 = 1$) looks for things ($x_2 = 1$), and things look for the first token.
# (The factor 2 makes the head's weights differ more.)

# %% tags=["S7"]
W_Q2 = np.array([[0, 0], [0, 1], [1, 0]])
W_K2 = np.array([[0, 0], [2, 0], [0, 2]])
W_V2 = np.array([[0, 1], [0, 0], [1, 0]])
Q2, K2, V2 = X @ W_Q2, X @ W_K2, X @ W_V2
print(Q2 @ K2.T)

# %% [markdown]
# <!-- paper -->
# **Your turn, on paper.** Compute the weights of *red*. Its scores are 0, 2 and 2. Divide them by √2 = 1.4142, take exp, and
# divide by the sum.
#
# | | red | car | orange | sum |
# | --- | --- | --- | --- | --- |
# | scores / √2 | 0 | 1.4142 | 1.4142 | |
# | exponentials | 1 | 4.1133 | ____ | ____ |
# | weights | 0.1084 | ____ | ____ | |
#
# <!-- compare -->
# <details><summary>Compare</summary>The missing exponential is 4.1133 again, and the sum is 9.2265 (or 9.2266, from rounded
# numbers). The missing weights are both 0.4458.</details>

# %% tags=["S7"]
A2 = softmax(Q2 @ K2.T / math.sqrt(2))
head_2 = A2 @ V2
left, right = figures.panels(2)
ax = figures.heatmap(A1, names, names, "Head 1", ax=left)
ax = figures.heatmap(A2, names, names, "Head 2", ax=right)

# %% [markdown]
# <!-- picture -->
# each row shows how one token distributes its weight. In head 1, tokens look at tokens that resemble them.
# In head 2, *red* looks mainly at the two things, and the things look mainly at *red*.
# <!-- end -->
#
# Each token now has one result of two numbers per head. We concatenate the two results, and multiply by one more matrix,
# **W_O**. It combines the heads, and maps them back to vectors that the next layer can read: three numbers per token.

# %% predict="05.w_o"


# %% tags=["S7"] jupyter={"source_hidden": true}
# Both heads, side by side, times W_O
W_O = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]])
both_heads = np.concatenate([head_1, head_2], axis=1)
output = both_heads @ W_O
print("both heads:", both_heads.round(4), "output:", output.round(4), sep="\n")
reveal("05.w_o")

# %% [markdown]
# By hand for *red*: head 1 gives [0.8022, 0.5989], and head 2 gives [0.1084, 0.5542]. The first column of our W_O is 1, 0, 0,
# 1, so it adds the first and the fourth of these numbers, and the output begins with 0.8022 + 0.5542 = 1.3564.

# %% [markdown]
# ## All heads in one product {#one-product}
#
# In practice, heads are not computed one by one. We put their matrices
# side by side, and one product gives the queries of all heads:

# %% tags=["S6"]
pairs = ((W_Q1, W_Q2), (W_K1, W_K2), (W_V1, W_V2))
W_Q, W_K, W_V = (np.concatenate(pair, axis=1) for pair in pairs)
Q, K, V = X @ W_Q, X @ W_K, X @ W_V
print(Q)  # columns 1 and 2: head 1; columns 3 and 4: head 2

# %% [markdown]
# To attend in all heads at once, we give the heads their own axis: from $(n, h \cdot d_k) = (3, 4)$ to $(h, n, d_k) = (2, 3,
# 2)$, for $h$ heads.

# %% predict="05.reshape"


# %%
for head, block in enumerate(Q.reshape(2, 3, 2), 1):
    print(f"reshaped, block {head}: {block.tolist()}")
for head, queries in enumerate((Q1, Q2), 1):
    print(f"queries, head {head}:   {queries.tolist()}")
reveal("05.reshape")

# %% [markdown]
# The right way takes two steps. First split the last axis, $(n, h, d_k) = (3, 2, 2)$, which leaves each token in its place.
# Then swap the axes of tokens and heads. After attention, go back: swap the axes again, and concatenate.

# %% tags=["S6"]
n, h, d_k = 3, 2, 2
# (n, h · d_k) becomes (n, h, d_k), and then (h, n, d_k):
Q_heads, K_heads, V_heads = (M.reshape(n, h, d_k).swapaxes(0, 1) for M in (Q, K, V))
np.testing.assert_array_equal(Q_heads, [Q1, Q2])
A = softmax(Q_heads @ K_heads.swapaxes(-2, -1) / math.sqrt(d_k))  # @ works head by head
# (h, n, d_k) becomes (n, h, d_k), and then (n, h · d_k):
merged = (A @ V_heads).swapaxes(0, 1).reshape(n, h * d_k)
print((merged @ W_O).round(4))

# %%
ax = figures.schematic("heads")

# %% [markdown]
# <!-- picture -->
# multi-head attention with three heads, and the shapes on the way. The tokens X are projected and split
# into heads. Each head does its own attention, and Z is its result. The results are concatenated, and W_O combines them. ($d$
# is $d_\text{model}$.)
# <!-- end -->
#
# The usual choice is $d_k = d_v = d_\text{model} / h$, so that the heads together are exactly as wide as the tokens. Our
# example, with $d_\text{model} = 3$ and two heads of width 2, shows that this is not necessary.

# %% [markdown]
# ## The same task for one head and for two {#neighbours}
#
# Now let one head and two heads compete, with the same number of parameters. A sequence has twelve random tokens from a
# vocabulary of 16. Each inner token (all but the first and the last) should report its left neighbour and its right neighbour.
# Here is a sequence, followed by what its second, third and fourth tokens should report:

# %%
(sequence,) = next(neighbour_sequences(size=1, seed=0))
print(sequence[0].tolist())
print(neighbours_of(sequence)[0, :3].tolist())

# %% [markdown] seconds=20
# Each token has a vector of 32 numbers, which says what it is and where it is. One layer of attention reads these vectors, and
# its output is added to the token's own vector (this is a *residual connection*, the topic of lesson 10). Then a **linear
# map** (one matrix and a bias) predicts both neighbours. We train two such models. One has a single head of width 32; the
# other has two heads of width 16. Each gets 600 steps with each of three seeds; this takes about {seconds} seconds in all.

# %% predict="05.neighbours"


# %% tags=["S6", "nbval-ignore-output"] jupyter={"source_hidden": true}
one = [train_reporter(num_heads=1, seed=seed) for seed in effort.seeds()]
two = [train_reporter(num_heads=2, seed=seed) for seed in effort.seeds()]


def table(name, runs):
    print(f"{name}, {runs[0].parameters} parameters")
    for run in runs:
        print(f"  left {run.left:.2f}  right {run.right:.2f}  pair {run.pair:.2f}")


table("one head", one)
table("two heads", two)

# %% [markdown]
# The table has one line per seed. *Left* and *right* are the accuracies for the two neighbours, measured on 500 new sequences
# (1 means always right; a blind guess scores 0.06). *Pair* is a weaker test. For each of the 16 tokens of the vocabulary, we
# add two probabilities that the model gives: that the token is on the left, and that it is on the right. Are the two tokens
# with the highest sums the two neighbours, in either order? (We count only positions whose two neighbours differ.)

# %% jupyter={"source_hidden": true}
# The text below relies on these numbers
assert all(min(run.left, run.right) < 0.2 < 0.95 < max(run.left, run.right) for run in one)
assert all(run.pair > 0.95 for run in one)
assert all(min(run.left, run.right) > 0.95 for run in two)
reveal("05.neighbours")

# %% tags=["S6"]
looks_left, looks_right = sorted(two[0].maps, key=lambda weights: -weights.diagonal(-1).sum())
maps = {
    "One head": one[0].maps[0],
    "Two heads: the first": looks_left,
    "Two heads: the second": looks_right,
}
cut, labels = slice(3, 9), [str(position) for position in range(4, 10)]
for ax, (title, weights) in zip(figures.panels(3, 3.8), maps.items(), strict=True):
    figures.heatmap(weights[cut, cut], labels, labels, title, digits=2, ax=ax)

# %% [markdown]
# <!-- picture -->
# average weights over the 500 sequences, for six tokens in the middle, at positions 4 to 9. Each row is a token that looks.
# (Rows and columns are both cut off: the left neighbour of token 4 and the right neighbour of token 9 are outside the picture.)
# The single head gives each neighbour about half its weight, with a little more on one side. Of the two heads, one has taken
# the left neighbour and the other the right. Nobody told them to.
# <!-- end -->
#
# So the single head *finds* both neighbours. Why can it name only one? Its output is one mixture of the two. Suppose, for
# example, that the left neighbour has a weight of ⅔ and the right one ⅓. (The argument is the same for any two unequal
# weights. With equal ones, A B and B A give the same mixture, even with their positions added in.) Compare three sequences:
#
# | left | right | mixture | answer for "right" |
# | --- | --- | --- | --- |
# | A | B | ⅔ A + ⅓ B | B, not A |
# | B | A | ⅓ A + ⅔ B | A |
# | C | B | ⅔ C + ⅓ B | B, not A |
#
# The right neighbour is the token with the *smaller* amount in the mixture. The linear map computes a number for each possible
# answer, and the largest number wins. The number for the answer "A is on the right" should be large when the amount of A is ⅓,
# and small when the amount is ⅔ or 0. But in a linear map it changes along a straight line, and a straight line has no peak in
# the middle. (The other token in the mixture changes too. "Deeper" proves that this does not help.) Naming the token with the
# *larger* amount is easy: more of it always means a larger number. Two heads give two mixtures, in separate columns, and the
# linear map can read each of them by itself.
#
# Is one head simply too weak, then? No. With a second layer, or with a *nonlinearity* (lesson 09) before the linear map,
# one head names both neighbours too, though either costs more parameters (see "Deeper").

# %% [markdown]
# ## What does a head cost? {#cost}

# %% predict="05.cost"


# %% tags=["S6"] jupyter={"source_hidden": true}
n = 100
print("heads × width  parameters  multiplications  weights")
for heads in (1, 8):
    layer, width = MultiHeadAttention(512, heads, bias=False), 512 // heads
    parameters = sum(p.numel() for p in layer.parameters())
    products = heads * n * n * width  # in each head, n · n scores of `width` products
    print(f"{heads:5} × {width:<5} {parameters:11,} {products:16,} {heads * n * n:8,}")
reveal("05.cost")

# %% [markdown]
# With more heads, each is narrower, so it has less room to tell tokens apart ("Deeper" measures that). The best number of
# heads has to be found by experiment. The authors of the Transformer tried 1, 4, 8, 16 and 32 heads of the same total width.
# Their translations scored 24.9, 25.5, 25.8, 25.8 and 25.4 (BLEU, higher is better).

# %% [markdown]
# ## Before you go {#exit}

# %% ask="05.exit"


# %% [markdown]
# <!-- answer -->
# **Why several narrow heads, and not one wide one?** Each head outputs its own weighted average, in its own columns. Two heads
# keep apart what one head mixes into a single vector. They need no extra parameters, but each of them is narrower.

# %% [markdown]
# To take away:
#
# <!-- takeaway -->
# * Project, split into heads, attend in each, merge, multiply by W_O. The shape of W_O is $(h \cdot d_v) \times
#   d_\text{model}$.
# * Split the last axis, then swap axes. A single reshape gives the right shape with the numbers in the wrong places.
# * In our task one head found both neighbours but could name only one. Two heads named both, and so did one head with a second
#   layer or a nonlinearity.
# <!-- end -->
#
# Nobody tells heads what to look for. Lessons 13, 15 and 20 show some at work; before that, in [stage B3 of the
# Build](../exercises/B3_several_heads.ipynb), you write the whole layer yourself, without a loop over the heads.
#
# To read next:
#
# <!-- readings -->
# * {vaswani2017}, section 3.2.2, and table 3 for the number of heads.
# * {michel2019}: many heads can be removed after training.
# * {bhojanapalli2020}: how narrow heads limit what attention can express.

# %% [markdown] seconds=50
# ## Deeper {#deeper}
#
# You can read each of these parts on its own; nothing later needs them.
#
# ### Is this a general rule?
#
# Can we conclude that one head cannot name both neighbours? Our model has only one layer and ends in a linear map. So here
# are three variants, all with one head: trained three times as long; with two layers; and with a small *feed-forward
# network* before the linear map. Such a network has two matrices with a **nonlinearity** between them, which sets negative
# numbers to 0 (lesson 09). Training all of them takes about {seconds} seconds.

# %% tags=["S6", "nbval-ignore-output"]
longer = [train_reporter(num_heads=1, seed=seed, steps=1800) for seed in effort.seeds()]
deeper = [train_reporter(num_heads=1, layers=2, seed=seed) for seed in effort.seeds()]
nonlinear = [train_reporter(num_heads=1, feed_forward=True, seed=seed) for seed in effort.seeds()]
table("one head, three times as long", longer)
table("one head, two layers", deeper)
table("one head, feed-forward network", nonlinear)

# %% tags=["S6"]
maps = {
    "One head": one[0].maps[0],
    "Feed-forward network": nonlinear[0].maps[0],
    "Two layers: the first": deeper[0].maps[0],
}
for ax, (title, weights) in zip(figures.panels(3, 3.8), maps.items(), strict=True):
    figures.heatmap(weights[cut, cut], labels, labels, title, digits=2, ax=ax)

# %% [markdown]
# <!-- picture -->
# average weights of one head, in the model from the core and in two of the variants. On the left, the two
# neighbours have nearly equal weights. With the feed-forward network, the weights are clearly unequal: the model marks the
# sides with weights of ⅔ and ⅓, and the nonlinearity can read "some, but not most". With two layers, the first layer looks
# almost only at one side, so the other side must come in with the second layer.
# <!-- end -->
#
# So our claim is: **with one head in one layer, read by a linear map, none of our runs named both neighbours, even with three
# times the training. Two heads of the same total width did, and so did one head with a second layer or a nonlinearity.** Each
# head's role was found by training, not set by us. Lesson 20 shows what happens when heads are removed.
#
# ### A proof, for fixed weights
#
# The straight-line argument left something out: the number for "A is on the right" may also depend on *which* other token is
# in the mixture. That does not help. Let the left neighbour have weight ⅔ and the right one ⅓, and let $m(x, t)$ be what a
# token $t$ with a weight of 1 would add to the number for "x is on the right".
#
# With A on the left and B on the right, the number for B must exceed the number for A; with B on the left and A on the right,
# it is the other way round:
#
# $$\tfrac23 m(B, A) + \tfrac13 m(B, B) > \tfrac23 m(A, A) + \tfrac13 m(A, B)$$
#
# $$\tfrac23 m(A, B) + \tfrac13 m(A, A) > \tfrac23 m(B, B) + \tfrac13 m(B, A)$$
#
# Add the two inequalities. What is left is $m(A, B) + m(B, A) > m(A, A) + m(B, B)$, and the same holds for any two tokens.
#
# Now keep A on the left, and let B or C be on the right. B must beat C in one case, and C must beat B in the other:
#
# $$\tfrac23 m(B, A) + \tfrac13 m(B, B) > \tfrac23 m(C, A) + \tfrac13 m(C, B)$$
#
# $$\tfrac23 m(C, A) + \tfrac13 m(C, C) > \tfrac23 m(B, A) + \tfrac13 m(B, C)$$
#
# Add these two: $m(B, B) + m(C, C) > m(C, B) + m(B, C)$. For B and C, that is the opposite of what we had. (The bias, the
# token's own vector and its position add something for each answer too. But after the addition, they occur on both sides and
# cancel.) Therefore no such linear map exists. (Any weight above one half works in the same way. At exactly one half, the
# first two inequalities already contradict each other. Only weights that change with the tokens could get around this.)
#
# ### What a narrow head finds hard
#
# A score matrix made from vectors of width $d_k$ has **rank** at most $d_k$: at most $d_k$ of its rows are independent, and
# all others are weighted sums of them. Does that matter? Let each of 40 tokens look only at itself. The simplest scores for
# this are a multiple of the 40 × 40 identity, which has rank 40. A matrix of rank $d_k$ can act like the identity in only
# $d_k$ directions. We draw $d_k$ random directions at right angles (`np.linalg.qr` makes them so) as the columns of an array.
# Its 40 rows are the tokens' queries, and also their keys. From these we compute the scores, and print the weight that a token
# gives itself. The factor 10 makes this weight nearly 1 at full rank:

# %% tags=["S6"]
draw = np.random.default_rng(0)
for d_k in (40, 32, 8, 2):
    directions = np.linalg.qr(draw.standard_normal((40, 40)))[0][
        :, :d_k
    ]  # d_k directions at right angles
    scores = 10 * directions @ directions.T
    own = softmax(scores).diagonal()
    print(
        f"d_k = {d_k:2}: rank {np.linalg.matrix_rank(scores):2}, weight on itself {own.mean():.3f}"
    )

# %% [markdown]
# With 40 directions, each token gives itself nearly all its weight. With 2, most of it goes elsewhere. But then a token's
# score with itself is also smaller: 0.5 on average instead of 10. So now let the 40 rows point in 40 directions of a plane,
# evenly spaced, with factors of 10 (a token's score with itself) and 500:

# %% tags=["S6"]
angles = 2 * np.pi * np.arange(40) / 40
plane = np.stack([np.sin(angles), np.cos(angles)], axis=1)  # width 2
for factor in (10, 500):
    own = softmax(factor * plane @ plane.T).diagonal()
    print(f"d_k = 2, factor {factor:3}: weight on itself {own.mean():.3f}")

# %% [markdown]
# At factor 10, most of the weight still goes elsewhere. With scores fifty times as large, even width 2 is enough. So a narrow
# head can have such a pattern too, but it needs much larger scores.
#
# ### A mask for several heads
#
# Here is multi-head attention with a mask of shape $(b, n, m)$, that is, one mask for each sequence. You may find a version
# like this in print:


# %% tags=["S25", "E10"]
def attend_in_heads(query, key, value, mask):
    """Queries (b, h, n, d), keys and values (b, h, m, d), mask (b, n, m)."""
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = torch.softmax(scores.masked_fill(~mask, -1e9), dim=-1)
    return weights @ value


def random_heads(b, h):
    torch.manual_seed(0)
    return torch.randn(3, b, h, 4, 6)  # query, key, value; four tokens


def mask_for(*sequences):
    tokens = pad_right(sequences)
    return padding_mask(tokens, pad=0).expand(-1, tokens.shape[1], -1)  # (b, 1, m) to (b, n, m)


# %% [markdown]
# We give it two sequences and two heads. Sequence 1 has four tokens; sequence 2 has two, and two positions of padding.

# %% predict="05.mask"


# %% [markdown]
# To see which head sees what, we change the values in the last two positions of both sequences, and note where the outputs
# change (1) and where they do not (0). In sequence 1 these positions are tokens, and both heads should see them. In sequence 2
# they are padding, and neither head should.


# %% tags=["S25", "E10"]
def sees_the_last_two(mask):
    query, key, value = random_heads(b=2, h=2)
    before = attend_in_heads(query, key, value, mask)
    value[:, :, 2:] += 100
    after = attend_in_heads(query, key, value, mask)
    return (after != before).any(-1).any(-1).int()  # one row per sequence, one column per head


mask = mask_for([5, 6, 7, 8], [5, 6])
print(sees_the_last_two(mask))
reveal("05.mask")

# %% [markdown]
# There is no error, and the result has the right shape. But head 1 of sequence 2 sees padding, and head 2 of sequence 1 does
# not see two of its tokens. The scores have shape $(b, h, n, m)$ and the mask $(b, n, m)$. torch aligns shapes from the right,
# so it takes the mask's first axis, the sequences, for the heads. The mask needs its own axis for the heads:

# %% tags=["S25", "E10"]
print(sees_the_last_two(mask[:, None]))  # (b, 1, n, m)

# %% [markdown]
# There was no error because $b = h$: two sequences and two heads. Now try three sequences:

# %% tags=["S25", "E10"]
three = mask_for([5, 6, 7, 8], [5, 6, 7], [5, 6])
try:
    attend_in_heads(*random_heads(b=3, h=2), three)
except RuntimeError as error:
    print("three sequences, two heads:", type(error).__name__)
result = attend_in_heads(*random_heads(b=3, h=1), three)
print("three sequences, one head: ", tuple(result.shape), "instead of", (3, 1, 4, 6))

# %% [markdown]
# You get an error, or a result of the wrong shape. (With a *single* sequence nothing goes wrong, however many heads there are,
# because its one mask is right for all of them. That is how such a bug passes the first tests.) The course's
# `MultiHeadAttention` takes a mask $(b, n, m)$ and adds the axis for the heads itself:

# %% tags=["S6", "S25"]
attention = MultiHeadAttention(3, num_heads=2, d_k=2, d_v=2, bias=False).double()
layers = (attention.w_q, attention.w_k, attention.w_v, attention.w_o)
for layer, matrix in zip(layers, (W_Q, W_K, W_V, W_O), strict=True):
    layer.weight.data = torch.tensor(matrix.T, dtype=torch.float64)  # torch stores the transpose
x = torch.from_numpy(X)[None]  # a batch of one
everything = torch.ones(1, 3, 3, dtype=torch.bool)
print(attention(x, x, x, everything).detach()[0].numpy().round(4))  # as by hand

# %% [markdown]
# ### In print
#
# You may have read that W_O is $d_\text{model} \times d_\text{model}$. The example in this lesson comes from a text that
# says so, but a matrix of that shape does not fit the example:

# %% tags=["E5"]
try:
    both_heads @ np.eye(3)
except ValueError:
    print(
        "both heads", both_heads.shape, "cannot be multiplied by a matrix of shape", np.eye(3).shape
    )

# %% [markdown]
# The shape is $(h \cdot d_v) \times d_\text{model}$. If $d_v = d_\text{model} / h$, that *is* $d_\text{model} \times
# d_\text{model}$. But here $d_\text{model} = 3$ is not divisible by 2, and the example still works.
