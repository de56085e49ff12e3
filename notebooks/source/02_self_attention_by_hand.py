# %% [markdown]
# # 02 · Self-attention by hand: what does one token take from the others?
#
# Three tokens of two numbers each: small enough to do every step of attention on paper, and large enough that a
# published calculation went wrong on it. You will see that it must be wrong before any computer does.
#
# About 35 minutes; the sheet afterwards takes longer. Keep paper and a pencil at hand, or print [this page](../docs/paper/02_self_attention_by_hand.pdf). Afterwards you can
#
# * compute every number of a self-attention by hand, and in loops, NumPy and torch;
# * say what a weight depends on, and what it does not;
# * judge a printed attention table without recomputing it.

# %%
import math

import numpy as np
import torch

from transformer_course import figures
from transformer_course.exercises import ask, predict, reveal

# %% [markdown]
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %%
ask("02.recall")

# %% [markdown]
# ## Three tokens
#
# A **token** is one piece of a text: a word, a part of a word, a character. A model never sees the piece itself but a
# list of numbers that stands for it, its **vector**. Here are three tokens with vectors of two numbers, one token a row.

# %%
X = np.array([[1, 0], [0, 1], [1, 1]], dtype=float)
ax = figures.plane(X, title="Tokens 1 and 2 share nothing; token 3 holds both")

# %% [markdown]
# **In the picture:** token 1 points right and token 2 points up: they have nothing in common. Token 3 points halfway
# between the two and is longer than either.
#
# Self-attention gives every token a new vector: a mixture of all three. Think of three pots of paint. Each token mixes a
# new pot, with a share from every old one, its own included. (The comparison breaks where numbers go below zero: paint
# cannot be taken back out.) The whole question is: **which shares?**

# %% [markdown]
# ## How well do two tokens match?
#
# Each token's shares come from how well it matches the others, and a match is measured by the dot product: multiply
# coordinate by coordinate, and add. This number is called the **score**.

# %%
predict("02.largest")

# %%
print(X @ X[0])  # each token's dot product with token 1
reveal("02.largest")

# %% [markdown]
# By hand, the three scores of token 1:
#
# | with | products, added | score |
# | --- | --- | --- |
# | token 1 | 1 × 1 + 0 × 0 | 1 |
# | token 2 | 1 × 0 + 0 × 1 | 0 |
# | token 3 | 1 × 1 + 0 × 1 | 1 |

# %% [markdown]
# ## From scores to shares
#
# Token 1 has scores 1, 0 and 1, and wants to mix three pots of paint. So the scores have to become **shares**: numbers that
# sum to 1.

# %%
predict("02.zero")

# %%
exponentials = np.exp(X @ X[0])
weights = exponentials / exponentials.sum()
print(exponentials.round(4), weights.round(4))
reveal("02.zero")

# %% [markdown]
# Two steps: take exp of each score, which makes every number positive, negative scores included; then divide by the sum,
# which makes them add up to 1. Together they are called **softmax**, and the shares that come out are the attention
# **weights**.
#
# By hand: exp(1) = e = 2.7183 and exp(0) = 1. The sum is 2.7183 + 1 + 2.7183 = 6.4366. So the weights of token 1 are
#
# 2.7183 / 6.4366 = **0.4223**, 1 / 6.4366 = **0.1554**, and **0.4223** again.
#
# Keep one fact in mind for later: **one point of score is a factor of e in weight.** 0.4223 / 0.1554 = 2.718.

# %% [markdown]
# ## Mixing
#
# Now the new vector of token 1: each token's vector times its weight, all added up.
#
# | token | weight | vector | weight × vector |
# | --- | --- | --- | --- |
# | 1 | 0.4223 | [1, 0] | [0.4223, 0] |
# | 2 | 0.1554 | [0, 1] | [0, 0.1554] |
# | 3 | 0.4223 | [1, 1] | [0.4223, 0.4223] |
# | | | together | **[0.8446, 0.5777]** |
#
# Half of the first coordinate is token 1's own; the other half comes from token 3. The second coordinate, which token 1 did
# not have at all, comes from tokens 2 and 3.

# %%
z_1 = sum(weight * vector for weight, vector in zip(weights, X, strict=True))
print(z_1.round(4))

# %% [markdown]
# ## The second row

# %%
predict("02.mirror")

# %% [markdown]
# Here is an argument that settles it. Swap the two columns of X, so that "first" and "second" coordinate change names:

# %%
swapped = X[:, ::-1]
print(swapped)
assert np.array_equal(swapped, X[[1, 0, 2]])

# %% [markdown]
# The same three tokens, with tokens 1 and 2 in each other's place and token 3 where it was: tokens 1 and 2 are mirror images
# of each other, and token 3 is its own.
#
# Now go through the steps. A dot product does not care which coordinate is called first. exp sees one score at a time. The
# sum, and the mixing, do not care in which order the tokens come. So whatever happens to token 1 must happen to token 2
# **in the mirror**: if token 1 becomes [0.8446, 0.5777], token 2 becomes [0.5777, 0.8446]. And token 3 must get two equal
# coordinates. (Once learned matrices treat the two coordinates differently, this argument ends.)

# %%
exponentials = np.exp(X @ X[1])
weights = exponentials / exponentials.sum()
print((weights @ X).round(4))
reveal("02.mirror")

# %% [markdown]
# **Your turn, on paper.** Fill the three blanks for token 3, whose scores are 1, 1 and 2.
#
# | | token 1 | token 2 | token 3 | sum |
# | --- | --- | --- | --- | --- |
# | exponentials | 2.7183 | 2.7183 | ____ | ____ |
# | weights | 0.2119 | 0.2119 | ____ | |
#
# <details><summary>Compare</summary>exp(2) = 7.3891, the sum is 12.8257, and 7.3891 / 12.8257 = 0.5761. The output is
# [0.7881, 0.7881], two equal coordinates, as the mirror demands. (With the rounded weights you get 0.7880. Round at the end
# only.)</details>

# %% [markdown]
# ## Three slips in a published calculation
#
# Note 1, of the five that this course grew from, works through exactly these three tokens. It prints these weights and
# these outputs:

# %%
A_printed = np.array([[0.4223, 0.1554, 0.4223], [0.2119, 0.3940, 0.3940], [0.2119, 0.2119, 0.5762]])
Z_printed = np.array([[0.8446, 0.5777], [0.7880, 0.7880], [0.7880, 0.9999]])

# %% [markdown]
# Before you go on, hold the outputs against the mirror. **Which rows of `Z_printed` cannot be right?** Decide, then open
# the answer.
#
# <details><summary>My answer is ready</summary>Row 1 is what we found by hand, so row 2 must be its mirror image,
# [0.5777, 0.8446]; it is printed as [0.7880, 0.7880]. And row 3 must have two equal coordinates, but shows
# [0.7880, 0.9999]. Rows 2 and 3 are both wrong, and nobody needed to compute them.</details>

# %% tags=["E3"]
print("row 1 in the mirror:", Z_printed[0, ::-1], " row 2:", Z_printed[1])
print("row 3 in the mirror:", Z_printed[2, ::-1], " row 3:", Z_printed[2])

# %% [markdown]
# **Slip 1: the outputs.** They do not even follow from the printed weights. Mix the tokens with those:

# %% tags=["E3"]
print(A_printed @ X)

# %% [markdown]
# Row 3 would have come out as [0.7881, 0.7881], as it should. Row 2 comes out as [0.6059, 0.7880], neither what is printed
# nor the mirror image of row 1. So something is wrong with its weights as well.
#
# **Slip 2: the weights of row 2**, [0.2119, 0.3940, 0.3940]. Token 2's scores are 0, 1, 1, the same numbers as token 1's in
# another order. So its weights must be the same numbers too: **0.1554, 0.4223, 0.4223**. A tempting check is to add each
# printed row up:

# %% tags=["E1"]
print("sums:", A_printed.sum(axis=1).round(4))
row = A_printed[1]
print("weight of score 1 over weight of score 0:", (row[1] / row[0]).round(3))

# %% [markdown]
# Row 2 sums to 0.9999, which rounding explains: three numbers, each off by up to 0.00005. It passes this check, and **is
# wrong all the same**. A sum of 1 shows that the numbers sum to 1, and no more. The ratio shows more: one point of score must
# be a factor of e = 2.718, and here it is 1.859.
#
# **Slip 3: one digit in row 3.** Its sum is exactly 1.0000, because its last weight is printed as 0.5762. Count it out:

# %% tags=["E2"]
last = math.exp(2) / (math.exp(1) + math.exp(1) + math.exp(2))
print(f"{last:.6f} rounds to {last:.4f}")
assert f"{last:.4f}" == "0.5761"

# %% [markdown]
# So 0.5761, and the rounded row sums to 0.9999. That is as it should be: rounded weights need not sum to exactly 1.

# %% [markdown]
# ## Queries, keys and values
#
# So far each token played three parts at once. It *looked* for matches, it *was matched* by others, and it *handed out* its
# own numbers. Note 1 keeps the three apart: it multiplies X by three matrices, one for each part, and calls the results
# **queries** Q, **keys** K and **values** V. Scores are dot products of queries with keys; what is mixed are the values. In
# this first example all three matrices are the identity, which changes nothing:

# %%
W_Q = W_K = W_V = np.eye(2)
Q, K, V = X @ W_Q, X @ W_K, X @ W_V
assert np.array_equal(Q, X)

# %% [markdown]
# What would another matrix do? Here is one for the keys that swaps their two coordinates:

# %%
W_swap = np.array([[0, 1], [1, 0]])
print(Q @ (X @ W_swap).T)

# %% [markdown]
# Row 1 says 0, 1, 1: token 1 now matches token 2, and no longer itself. **W_Q and W_K decide what counts as a match.** W_V
# decides what is handed out, and that may even have another width. Here is one that turns two numbers into three:

# %%
W_wide = np.array([[1, 0, 5], [0, 1, 5]])
print(X @ W_wide)

# %% [markdown]
# With these values, every output would be a mixture of [1, 0, 5], [0, 1, 5] and [1, 1, 10]. Training will choose all three
# matrices; lesson 03 takes it from there.

# %% [markdown]
# ## All three rows at once
#
# First in loops, just as you did it on paper. For one query after another: scores, exp, sum, mixture.

# %% tags=["S5"]
Z_loops = []
for q in Q:
    shares = [math.exp(q @ k) for k in K]
    total = sum(shares)
    Z_loops.append(sum(share / total * v for share, v in zip(shares, V, strict=True)))

# %% [markdown]
# Then in NumPy. `K.T` is K with rows and columns exchanged, and `Q @ K.T` the table of all dot products: row $i$ holds the
# scores of query $i$. Each row gets its own softmax: sum along the row, and keep that axis, so that the sums stand in a column
# of shape (3, 1). NumPy stretches this column over the table, and each row is divided by its own sum.

# %% tags=["S5"]
S = Q @ K.T
A = np.exp(S) / np.exp(S).sum(axis=1, keepdims=True)
Z = A @ V
print(S, A.round(4), Z.round(4), sep="\n\n")

# %% [markdown]
# The same as formulas, now that every part has been seen. The weight $a_{ij}$ is what query $i$ takes of value $j$; the sum
# below the line runs over all tokens $l$:
#
# $$a_{ij} = \frac{\exp(q_i \cdot k_j)}{\sum_l \exp(q_i \cdot k_l)} \qquad\qquad z_i = \sum_j a_{ij} v_j$$
#
# For all tokens at once, with softmax taken row by row: $Z = \text{softmax}(Q K^\top)\,V$.

# %% [markdown]
# Last in torch: with this course's library, which is plain code that you can read, and with torch's own function. Unless
# told otherwise, both divide the scores by √d for vectors of d numbers, as the paper of 2017 does that introduced the
# Transformer. Lesson 03 measures why; note 1 leaves it out here, and so do we, with `scale=1.0`.

# %% tags=["S5"]
from transformer_course.attention import scaled_dot_product_attention

tensors = [torch.from_numpy(matrix) for matrix in (Q, K, V)]
Z_ours, A_ours = scaled_dot_product_attention(*tensors, scale=1.0)
Z_torch = torch.nn.functional.scaled_dot_product_attention(*tensors, scale=1.0)

# %%
for result in (Z_loops, Z_ours, Z_torch):
    np.testing.assert_allclose(result, Z, atol=1e-12)  # alike, but for the last bits
print("Loops, NumPy, our library and torch agree.")

# %% [markdown]
# Four ways, one result, and the mirror was right about all of it. This is the table of weights beside the printed one, on
# the same scale. Framed are the cells that differ by more than rounding can explain:

# %%
left, right = figures.panels(2)
names = ["token 1", "token 2", "token 3"]
ax = figures.heatmap(A, names, names, "Computed", ax=left)
differ = np.argwhere(~np.isclose(A, A_printed, atol=6e-5))
title = "Printed: row 2, and one last digit"
ax = figures.heatmap(A_printed, names, names, title, marked=differ, ax=right)

# %% [markdown]
# **In the picture:** each row is one token's attention, shared out over the columns. In the computed table, row 2 is row 1
# with its first two cells swapped. In the printed one it is not: the frames mark its whole second row, and the rounding
# slip at the bottom right.
#
# Look at one more pair of cells, top right and bottom left. Token 1 gives token 3 a weight of 0.4223, and token 3 gives
# token 1 only 0.2119. The scores were symmetric (both are 1); the weights are not.

# %%
print("scores symmetric: ", np.allclose(S, S.T))
print("weights symmetric:", np.allclose(A, A.T))

# %% [markdown]
# Each row is divided by its own sum, and token 3, with the larger scores, has the larger sum. **Attention need not be
# returned.**

# %% [markdown]
# ## Where attention moves the tokens

# %%
predict("02.hull")

# %%
left, right = figures.panels(2, 4.6, 4.4)
ax = figures.plane(X, Z, title="Computed", hull=True, mirror=True, ax=left)
ax = figures.plane(X, Z_printed, title="Printed", hull=True, mirror=True, ax=right)

# %% [markdown]
# **In the picture:** the arrows lead from each token (hollow) to its output (filled); the grey triangle has the three
# tokens for corners. On the left, tokens 1 and 2 move inwards as mirror images of each other, and token 3 slides down
# along the mirror line. On the right, token 2 has landed on the mirror line, where only token 3 may be, and token 3 has
# left it.

# %%
reveal("02.hull")

# %% [markdown]
# A weighted average of two points lies on the line between them; one of three points lies in their triangle. So **outputs
# stay among the values**. Here the values are the tokens themselves; W_V can put the whole triangle elsewhere, but no output
# leaves it. (To get out of it, a Transformer needs another part, which lesson 09 adds.)
#
# This alone would not have caught the printed outputs. They lie in the triangle too, though one of them barely. It took the
# mirror.
#
# Here are the same shares of the wider values from above, [1, 0, 5], [0, 1, 5] and [1, 1, 10]. Their third numbers run from 5
# to 10; so those of the outputs must lie between:

# %%
print((A @ X @ W_wide).round(4))

# %% [markdown]
# ## A trap before you write your own
#
# In the sheet you will write softmax for scores of any size. So what happens when scores are large?

# %%
predict("02.shift")

# %%
with np.errstate(over="ignore", invalid="ignore"):  # else NumPy warns: overflow encountered in exp
    large = np.exp(S[0] + 1000)
    print(large, large / large.sum())

# %% [markdown]
# The computer gives no answer: exp(1000) is larger than the largest number it can hold, so it becomes infinity (`inf`),
# and infinity divided by infinity is *not a number* (`nan`). On paper, though, every exponential grows by the same factor
# exp(1000), in the fraction above and below the line, and cancels. That is also the cure. **Subtract the row's largest
# score first**: the weights stay as they are, and exp never sees a number above 0. (At the other end, exp(−1000) is so small
# that the computer holds exactly 0. That does no harm: on paper the weight is not 0, but has hundreds of zeros.)

# %%
shifted = S[0] + 1000
exponentials = np.exp(shifted - shifted.max())
print((exponentials / exponentials.sum()).round(4))
reveal("02.shift")

# %% [markdown]
# ## Before you go

# %%
ask("02.exit")

# %% [markdown]
# **What does one token take from the others?** A share of each one's vector, its own included: the shares are the softmax
# of its query's dot products with all keys, so whoever matches one point better gives e times as much, and the result lies
# among the values it was mixed from.
