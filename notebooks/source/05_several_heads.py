# %% [markdown]
# # 05 · Several heads: what do two heads see that one of the same size did not?
#
# A Transformer attends several times at once, each time with narrower vectors. In this lesson you finish an example that
# one of our sources leaves open, write all heads as one product, train a task on which one head fails, and find a fault
# that raises no error in a published program.
#
# About 35 minutes. Afterwards you can
#
# * compute attention with several heads, by hand and as one product, and give every shape in it;
# * show what a second head buys, what it costs, and what else would buy the same;
# * recognise a mask that goes to the wrong heads.

# %% [markdown]
# **Recall** (click an answer to see what it leads to).
#
# *A row of weights is masked: where does the −∞ go?* (lesson 04)
# <details><summary>Into the scores, before softmax</summary>Yes. Masked after softmax, the forbidden keys are still in the
# sum below the fraction bar.</details>
# <details><summary>Into the weights</summary>A weight of −∞ would make the output infinite. The weights *become*
# 0.</details>
# <details><summary>Into the values</summary>Then every mixture with a share of them is infinite.</details>

# %% [markdown]
# *W_V has shape d_model × d_v. How wide is the output?* (lesson 03)
# <details><summary>d_model</summary>Only if d_v = d_model.</details>
# <details><summary>d_v</summary>Yes: outputs are mixtures of values.</details>
# <details><summary>d_k</summary>Queries and keys have width d_k. They make the weights, and are gone after that.</details>

# %% [markdown]
# *Three tokens [1, 0], [0, 1], [1, 1], unscaled, all matrices the identity. The scores of token 3 are* (lesson 02)
# <details><summary>1, 1, 2</summary>Yes. Today you meet them again, divided by √2.</details>
# <details><summary>1, 1, 1</summary>With itself it scores 1 × 1 + 1 × 1 = 2.</details>
# <details><summary>0, 0, 2</summary>With token 1 it shares the first coordinate: 1 × 1 + 1 × 0 = 1.</details>

# %%
import math

import numpy as np
import torch

from transformer_course import figures
from transformer_course.attention import MultiHeadAttention, padding_mask
from transformer_course.embedding import pad_right
from transformer_course.exercises import reply
from transformer_course.experiments.neighbours import neighbour_texts, neighbours_of, train_reporter

torch.set_num_threads(1)


def softmax(scores):
    exponentials = np.exp(scores - scores.max(-1, keepdims=True))
    return exponentials / exponentials.sum(-1, keepdims=True)


# %% [markdown]
# ## An example that was left open
#
# Note 1 sets up attention with two heads on three tokens of three numbers, says how large the matrices are, and stops: it
# gives no numbers for them, and no result. We finish it.

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
# These are the three tokens of lesson 02. So you know its scores; they are only divided by √2 now:

# %% tags=["S7"]
A1 = softmax(Q1 @ K1.T / math.sqrt(2))
head_1 = A1 @ V1
print(A1.round(4), head_1.round(4), sep="\n\n")

# %% [markdown]
# Compared with lesson 02, the weights have moved a little towards each other: in row 1, 0.4011 and 0.1978, where there were
# 0.4223 and 0.1554. That is the division.
#
# Head 2 looks for something else. Its query asks for the third number and the second; its keys offer the second in place of
# the third, and the third in place of the second, twice as strong; and what it hands out are the third number and the
# first.

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
# <details><summary>Compare</summary>4.1133 again; the sum is 9.2265; weights 0.4458 and 0.4458.</details>

# %% tags=["S7"]
A2 = softmax(Q2 @ K2.T / math.sqrt(2))
head_2 = A2 @ V2
left, right = figures.panels(2)
names = ["token 1", "token 2", "token 3"]
ax = figures.heatmap(A1, names, names, "Head 1", ax=left)
ax = figures.heatmap(A2, names, names, "Head 2", ax=right)

# %% [markdown]
# **In the picture:** the same three tokens, seen by two heads. Head 1 favours what is alike. In head 2, token 1 looks at
# the other two, and they look at token 1. One table of weights could not say both.
#
# Now each token has two results of two numbers. They are laid side by side, four numbers a token, and one more matrix mixes
# them, **W_O**. It has to bring them back to the width of the tokens, $d_\text{model} = 3$, so that another layer can
# follow.
#
# **Predict.** What shape has W_O?
#
# * `"a"`: 3 × 3, that is, d_model × d_model
# * `"b"`: 4 × 3
# * `"c"`: 2 × 3, used for both heads

# %%
guess = ...

# %% tags=["S7"]
W_O = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]])
both_heads = np.concatenate([head_1, head_2], axis=1)
output = both_heads @ W_O
print(both_heads.round(4), output.round(4), sep="\n\n")

# %%
reply("05.w_o", guess)

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
# \cdot d_v$ happens to *be* $d_\text{model}$. But here $d_\text{model} = 3$ is not divisible by 2 at all, and nothing is
# wrong with the example.

# %% [markdown]
# ## All heads as one product
#
# Nobody computes heads one by one. The heads' matrices are laid side by side, and one product makes all queries:

# %% tags=["S6"]
W_Q, W_K, W_V = (np.concatenate(pair, axis=1) for pair in ((W_Q1, W_Q2), (W_K1, W_K2), (W_V1, W_V2)))
Q, K, V = X @ W_Q, X @ W_K, X @ W_V
print(Q.shape, " head 1 owns the first two columns:", np.array_equal(Q[:, :2], Q1))

# %% [markdown]
# To attend in all heads at once, the heads need an axis of their own: from $(n, h \cdot d_k) = (3, 4)$ to $(h, n, d_k) =
# (2, 3, 2)$.
#
# **Predict.** `Q.reshape(2, 3, 2)` has this shape. Does it hold the two heads' queries?
#
# * `"a"`: yes: the same twelve numbers, in the right shape
# * `"b"`: no: right shape, wrong numbers
# * `"c"`: it raises an error

# %%
guess = ...

# %%
print("reshape:\n", Q.reshape(2, 3, 2)[0], "\nhead 1:\n", Q1)

# %%
reply("05.reshape", guess)

# %% [markdown]
# `reshape` takes the numbers in the order in which they lie, row by row. Its first "head" got one and a half tokens with
# all their numbers, instead of all tokens with half of their numbers. The right way has two steps: split the last axis, (3,
# 2, 2), which leaves each token in its place; then swap tokens and heads.

# %% tags=["S6"]
Q_heads, K_heads, V_heads = (M.reshape(3, 2, 2).swapaxes(0, 1) for M in (Q, K, V))
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
# The library's `MultiHeadAttention` does the same for a whole batch. A torch layer keeps its matrix turned round, hence the
# `.T`:

# %% tags=["S6"]
attention = MultiHeadAttention(3, num_heads=2, d_k=2, d_v=2, bias=False).double()
for layer, matrix in zip((attention.w_q, attention.w_k, attention.w_v, attention.w_o), (W_Q, W_K, W_V, W_O), strict=True):
    layer.weight.data = torch.tensor(matrix.T, dtype=torch.float64)
x = torch.from_numpy(X)[None]  # a batch of one
np.testing.assert_allclose(attention(x, x, x).detach()[0], output)
print("By hand, as one product, and by the library: the same.")

# %% [markdown]
# ## What does the second head buy?
#
# A task that has nothing to do with words. Twelve random tokens of 16 kinds; each inner one is to report its left neighbour
# and its right one.

# %%
(text,) = next(neighbour_texts(size=1, seed=0))
print(text[0])
print(neighbours_of(text)[0, :3])

# %% [markdown]
# Above stands a text, below what its second, third and fourth token should report: left neighbour, right neighbour.
#
# We train one layer of attention, with positions (lesson 06) and one linear map at the end that reads both answers off each
# token's output. Vectors are 32 wide. In one model, one head has all 32; in the other, two heads have 16 each. Both have
# equally many parameters.
#
# **Predict.** What does the model with *one* head achieve?
#
# * `"a"`: it solves the task: it can attend to both neighbours, half and half
# * `"b"`: it finds one of the two neighbours
# * `"c"`: it knows which two they are, and not which of them is on the left

# %%
guess = ...

# %% tags=["S6"]
one = [train_reporter(num_heads=1, seed=seed) for seed in range(3)]
two = [train_reporter(num_heads=2, seed=seed) for seed in range(3)]


# %% tags=["S6"]
def share(runs, what):
    return [getattr(report, what) for _, report in runs]


print("two heads name both, each on its side (over 0.99):", min(share(two, "both")) > 0.99)
print("one head does so (over 0.25):                     ", max(share(one, "both")) > 0.25)
print("one head knows the two, in any order (over 0.95): ", min(share(one, "pair")) > 0.95)
print("parameters:", [sum(p.numel() for p in runs[0][0].parameters()) for runs in (one, two)])

# %%
reply("05.neighbours", guess)

# %% tags=["S6"]
axes = figures.panels(3, 3.8)
maps = [one[0][1].maps[0], *two[0][1].maps]
for ax, weights, title in zip(axes, maps, ("One head: both sides", "Two heads: the one", "… and the other"), strict=True):
    figures.heatmap(weights, [""] * 12, [""] * 12, title, ax=ax)

# %% [markdown]
# **In the picture:** average weights over 500 new texts; each row is a token that looks, each column one that is looked at.
# On the left, one head draws two pale lines beside the diagonal, one half on each neighbour. On the right, two heads draw
# one dark line each: one looks left, the other right. Nobody told them to; which takes which side is a matter of the seed.
# (The first and the last token are asked nothing, so their rows are what they are.)
#
# Why could one head not tell the sides apart? Half of the left plus half of the right is the same mixture as half of the
# right plus half of the left. With two heads, each side arrives in columns of its own.


# %% tags=["S6"]
def on_each_side(report):
    inner = report.maps[:, 1:-1]  # the rows of the tokens that are asked
    return [inner.diagonal(place, 1, 2).mean(-1) for place in (0, 2)]  # left and right: one number for each head


favourites = [torch.stack(on_each_side(report)).amax(0) for _, report in one + two]
print("one head: at most 0.6 on either side:     ", max(f.max() for f in favourites[:3]).item() < 0.6)
print("two heads: at least 0.8 on one side, each:", min(f.min() for f in favourites[3:]).item() > 0.8)

# %% [markdown]
# ## Is it a law?
#
# "One head cannot do it", then? It could give the sides *unequal* shares, say two thirds and one third, and so mark which
# is which. To use that, the end of the model must tell "much" from "little": name as left neighbour the token of which
# there is most, and as right neighbour the one of which there is some, but not most. A linear map cannot: more of a token
# always moves its logit in the same direction. A bend in the map could. So could more time, or a second layer. We try all
# three, with one head.

# %% tags=["S6"]
longer = [train_reporter(num_heads=1, steps=1800)[1]]
deeper = [train_reporter(num_heads=1, layers=2, seed=seed)[1] for seed in range(3)]
bent = [train_reporter(num_heads=1, feed_forward=True, seed=seed)[1] for seed in range(3)]
for name, runs in (("three times as long", longer), ("two layers", deeper), ("with a feed-forward network", bent)):
    print(f"one head, {name}: over 0.95 {min(run.both for run in runs) > 0.95}")

# %% tags=["S6"]
left, right = figures.panels(2, 3.8)
ax = figures.heatmap(one[0][1].maps[0], [""] * 12, [""] * 12, "One head, linear", ax=left)
ax = figures.heatmap(bent[0].maps[0], [""] * 12, [""] * 12, "One head, feed-forward", ax=right)

# %% [markdown]
# **In the picture:** on the left the two lines are equally pale. On the right one of them is darker than the other, about
# two to one: the model has found the trick with the unequal shares, and the feed-forward network (lesson 09) reads the
# order from them.
#
# So the honest sentence is: **one head in one layer, read by a linear map, did not solve this here, at best of three seeds
# and with three times the time; two heads of the same total size did, and so did one head with depth or with a bend.**
# Heads are one way to keep things apart, and a cheap one. They are no specialists that somebody appointed: what each comes
# to do is what training found, and lesson 20 shows how many can be taken away.

# %% [markdown]
# ## What does a head cost?
#
# **Predict.** A layer with $d_\text{model} = 512$ gets eight heads instead of one, each of width 512/8 = 64. Its parameters
#
# * `"a"`: become eight times as many
# * `"b"`: stay the same
# * `"c"`: become fewer, since the heads are narrower

# %%
guess = ...

# %% tags=["S6"]
for heads in (1, 2, 8):
    layer = MultiHeadAttention(512, heads, bias=False)
    print(heads, "heads:", sum(p.numel() for p in layer.parameters()), "parameters, W_Q", tuple(layer.w_q.weight.shape))

# %%
reply("05.cost", guess)

# %% [markdown]
# The products stay the same too, for scores as for mixtures: $h$ tables of $n \times m$, each from vectors that are $h$
# times narrower. What does grow is the number of weights that have to be kept, $h \cdot n \cdot m$.
#
# And something is lost. A table of scores made from vectors of width $d_k$ has at most rank $d_k$: it cannot be just any
# table. For 40 tokens of width 32:

# %% tags=["S6"]
x = torch.randn(1, 40, 32, generator=torch.Generator().manual_seed(0))
torch.manual_seed(0)
for heads in (1, 4, 16):
    layer = MultiHeadAttention(32, heads, bias=False)
    q, k = (w(x)[0, :, : 32 // heads] for w in (layer.w_q, layer.w_k))  # what head 1 owns
    print(f"{heads} heads of width {32 // heads}: scores of head 1 have rank {torch.linalg.matrix_rank(q @ k.T)}")

# %% [markdown]
# With many very narrow heads, each can only make simple patterns. So their number is a compromise; the paper's authors
# tried 1 to 32 heads, and did best with 8 or 16.

# %% [markdown]
# ## A fault without an error
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
    return torch.randn(3, b, h, 4, 6, generator=torch.Generator().manual_seed(0))  # query, key, value


# %% [markdown]
# The scores have shape $(b, h, n, m)$, the mask $(b, n, m)$. Three texts and two heads do not even start:


# %% tags=["S25", "E10"]
def mask_for(*texts):
    tokens = pad_right(texts)
    return padding_mask(tokens, pad=0).expand(-1, tokens.shape[1], -1)


three_texts = mask_for([5, 6, 7, 8], [5, 6, 7], [5, 6])
try:
    heads_as_in_note_2(*random_heads(b=3, h=2), three_texts)
except RuntimeError as error:
    print(type(error).__name__)

# %% [markdown]
# **Predict.** Now *two* texts and two heads, the second text with two places of padding. What happens?
#
# * `"a"`: an error again
# * `"b"`: the right result, since the shapes fit
# * `"c"`: a result of the right shape in which head 1 everywhere has text 1's mask, and head 2 text 2's

# %%
guess = ...

# %% tags=["S25", "E10"]
query, key, value = random_heads(b=2, h=2)
mask = mask_for([5, 6, 7, 8], [5, 6])
out = heads_as_in_note_2(query, key, value, mask)
value[1, :, 2:] += 100  # the padding of text 2: nobody may see it
moved = (heads_as_in_note_2(query, key, value, mask) - out).abs().amax((-2, -1)) > 0
print(out.shape)
print("text 2 sees its padding, by head:", moved[1])

# %%
reply("05.mask", guess)

# %% [markdown]
# No error, the right shape, and head 1 of text 2 looks at padding. torch lines up shapes from the right, so the first axis
# of the mask, the texts, comes to lie on the second of the scores: the heads. With $b = h$ that fits. It needs an axis for
# the heads, `mask[:, None]`:

# %% tags=["S25", "E10"]
out = heads_as_in_note_2(query, key, value, mask[:, None])
value[1, :, 2:] += 100
moved = (heads_as_in_note_2(query, key, value, mask[:, None]) - out).abs().amax((-2, -1)) > 0
print("text 2 sees its padding, by head:", moved[1])
one_head = heads_as_in_note_2(*random_heads(b=3, h=1), three_texts)
print("three texts, one head, mask as it came:", tuple(one_head.shape), "instead of", (3, 1, 4, 6))

# %% [markdown]
# (The last line is the third case: with one head, the result gets the wrong shape.) A batch whose size happens to equal the
# number of heads is nothing unusual: 8 and 8, 16 and 16. This course's library adds the axis itself to a mask of three
# axes, and refuses one that could be read in two ways.

# %% [markdown]
# ## Before you go
#
# *Four heads with d_v = 5 in a model of width 12. What shape has W_O?*
# <details><summary>12 × 12</summary>That needs h · d_v = d_model. Here h · d_v = 20.</details>
# <details><summary>20 × 12</summary>Yes: from the heads side by side to the width of the model.</details>
# <details><summary>5 × 12</summary>W_O gets all heads at once, side by side: 4 · 5 = 20 numbers for each token.</details>

# %% [markdown]
# *Somebody turns (n, h·d_k) into (h, n, d_k) by one reshape, and all shapes are right. How do you find the fault?*
# <details><summary>By looking at more shapes</summary>They are all right.</details>
# <details><summary>By comparing numbers: head 1 must be the first d_k columns</summary>Yes. With one token or one head even
# that shows nothing, since then both ways agree.</details>
# <details><summary>Training will fail</summary>It need not. Models have been trained well with such a fault; they are then
# another model.</details>

# %% [markdown]
# *"One head cannot attend to two things." What would you answer?*
# <details><summary>True, we have measured it</summary>It attended to both, half and half. What it did not do is keep them
# apart, in one layer, for a linear map.</details>
# <details><summary>It can; what was lost here is which is which</summary>Yes, and depth or a feed-forward network recovered
# that.</details>
# <details><summary>It can if it is trained for longer</summary>Three times as long did not help here.</details>

# %% [markdown]
# **What do two heads see that one of the same size did not?** Two things kept apart: each head brings its own mixture in
# its own columns, where one head adds everything into one; for no further parameters, but with narrower queries and keys.
