# %% [markdown] minutes=20 seconds=5
# # 02 · Self-attention by hand: what does one token take from the others?
#
# In *a red car and an orange*, is the orange a colour or a fruit? You can tell from the words around it. So can a model, if
# each word takes something from the others. In the smaller version of BERT, a model from 2018 that reads whole sentences, each
# word does so 144 times ({devlin2018}). But how much does it take, and from which words? You will work that out on paper, for
# three words, each described by two numbers. Then three lines of code do it all.
#
# About {minutes} minutes. (The first cell takes about {seconds} seconds.) Keep a pencil at hand, and paper or a printout of
# [this page](../docs/paper/02_self_attention_by_hand.pdf). By the end, you will be able to
#
# * compute every number of a self-attention by hand, and all of them at once in NumPy;
# * say what an attention weight depends on;
# * check a printed table of weights without computing it again.

# %%
import math

import numpy as np

from transformer_course import explorables, figures
from transformer_course.exercises import ask, predict, reveal

# %%
lit = ("encoder self-attention", "decoder self-attention", "cross-attention")
ax = figures.architecture(*lit, title="Lesson 02: self-attention", small=True)

# %% [markdown]
# <!-- picture -->
# all three highlighted boxes compute what you compute today, the two on the right with one change each (lessons 04 and 13). A
# GPT has only the lower one on the right.

# %% [markdown]
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %% ask="02.recall"


# %% [markdown]
# ## Three words {#three-words}
#
# A **token** is one piece of a text: a word, part of a word, or a character. A model never sees the piece itself. It sees a
# list of numbers that represents it, its **vector**. We take three words from *a red car and an orange*, and give each of
# them two numbers: is it a colour, and is it a thing? *Red* is a colour, *car* is a thing, and *orange* is both.

# %%
names = ["red", "car", "orange"]
X = np.array([[1, 0], [0, 1], [1, 1]], dtype=float)  # one token per row
ax = figures.plane(X, names=names, title="Three words as vectors")
_ = ax.set(xlabel="first number: a colour?", ylabel="second number: a thing?")

# %% [markdown]
# <!-- picture -->
# *red* points right, *car* points up, and *orange* points halfway between them.
# <!-- end -->
#
# Self-attention gives every token a new vector, a mixture of the old ones. Think of three pots of paint. Each token mixes a
# new pot for itself from the old pots, its own included. (The analogy breaks down where numbers are negative: you cannot take
# paint back out.) The question is **how much to take from each**.

# %% [markdown]
# ## How well do two tokens match? {#scores}
#
# How much a token takes from another depends on how well the two match. We measure the match by a dot product: multiply
# coordinate by coordinate, and add. The result is called the **score**.

# %% predict="02.largest"


# %%
print(X @ X[0])  # @ multiplies matrices: here, the dot product of each row of X with red
reveal("02.largest")

# %% [markdown]
# By hand, the three scores of *red*:
#
# | red [1, 0] with | products, added | score |
# | --- | --- | --- |
# | red [1, 0] | 1 × 1 + 0 × 0 | 1 |
# | car [0, 1] | 1 × 0 + 0 × 1 | 0 |
# | orange [1, 1] | 1 × 1 + 0 × 1 | 1 |

# %% [markdown]
# ## From scores to weights {#weights}
#
# *Red* now has a score for each token. The scores have to become **weights**, the fractions of paint to take from each pot.
# The weights must sum to 1, so that the new pot is as full as the old ones.

# %% predict="02.zero"


# %% jupyter={"source_hidden": true}
# From the scores of red to its weights
exponentials = np.exp(X @ X[0])
weights = exponentials / exponentials.sum()
print(weights.round(4))  # of red, car and orange
reveal("02.zero")

# %% [markdown]
# First take exp of each score, which makes even a negative one positive. Then divide by the sum, so that the results sum to 1.
# Together the two steps are called **softmax** (stage B1 has it, too), and the results are the **attention weights**.
#
# By hand: exp(1) = e = 2.7183 and exp(0) = 1. The sum is 2.7183 + 1 + 2.7183 = 6.4366. So *red* takes from
#
# * itself 2.7183 / 6.4366 = **0.4223**,
# * *car* 1 / 6.4366 = **0.1554**,
# * and *orange* **0.4223** again.
#
# Remember: **a score that is 1 higher gets e times the weight.** Here, 0.4223 / 0.1554 = 2.718.
#
# Run the next cell. Then **drag *car*, or select it with Tab and press the arrow keys: can you bring its weight down to 0?**

# %%
explorables.drag_tokens(X, names, outputs=False)

# %% [markdown]
# <!-- compare -->
# <details><summary>Compare</summary>Even at the left edge, where its score is −1.5, <em>car</em> keeps a weight of 0.0394. And
# moving it up or down changes nothing, because <em>red</em> = [1, 0] multiplies the second number by 0.</details>

# %% [markdown]
# ## The weighted average {#average}
#
# Now multiply each token's vector by its weight, and add everything up. That is the new vector of *red*:
#
# | token | weight | vector | weight × vector |
# | --- | --- | --- | --- |
# | red | 0.4223 | [1, 0] | [0.4223, 0] |
# | car | 0.1554 | [0, 1] | [0, 0.1554] |
# | orange | 0.4223 | [1, 1] | [0.4223, 0.4223] |
# | | | sum | **[0.8446, 0.5777]** |

# %%
z_red = sum(weight * vector for weight, vector in zip(weights, X, strict=True))
print(z_red.round(4))

# %%
ax = figures.schematic("mixture")

# %% [markdown]
# <!-- picture -->
# the same steps from left to right, with one row for each token that *red* looks at.
# <!-- end -->
#
# Before, the second number of *red* was 0: *red* was not a thing at all. Now this number is 0.5777, taken from *car* and
# *orange*.
#
# <!-- paper -->
# **Your turn, on paper.** Fill in the three blanks for *orange*, whose scores are 1, 1 and 2.
#
# | | red | car | orange | sum |
# | --- | --- | --- | --- | --- |
# | exponentials | 2.7183 | 2.7183 | ____ | ____ |
# | weights | 0.2119 | 0.2119 | ____ | |
#
# <!-- compare -->
# <details><summary>Compare</summary>exp(2) = 7.3891, the sum is 12.8257, and 7.3891 / 12.8257 = 0.5761. The new vector of
# orange is 0.2119 × [1, 0] + 0.2119 × [0, 1] + 0.5761 × [1, 1] = [0.7881, 0.7881]. (With the rounded weights you get 0.7880.
# Round only at the end.)</details>

# %% [markdown]
# ## The missing row {#missing-row}
#
# You have the new vector of *red*, and under *Compare* that of *orange*. What about *car* = [0, 1]?

# %% predict="02.car"


# %%
exponentials = np.exp(X @ X[1])
print((exponentials / exponentials.sum() @ X).round(4))
reveal("02.car")

# %% [markdown]
# You could have known that without computing. Swap the two columns of X, so that the first coordinate becomes the
# second:

# %%
print(X[:, ::-1])

# %% [markdown]
# These are the same three vectors, but *red* and *car* have changed places: they are mirror images of each other, and *orange*
# is its own.
#
# Now go through the steps. A dot product does not depend on which coordinate comes first. The exponential sees one score at a
# time. The weighted average treats each coordinate by itself, in any order of the tokens. So whatever happens to *red* must
# happen to *car* **in the mirror**, and the new vector of *orange* must have two equal coordinates. (The argument no longer
# holds once learned matrices treat the two coordinates differently.)

# %% [markdown]
# ## All three rows at once {#all-rows}
#
# So far each token has played three roles. It *looked* for matches, it *was matched* by others, and it *handed out* its own
# numbers. A model uses a separate vector for each role. It multiplies X by three matrices, which it learns, and gets the
# **queries** Q, the **keys** K and the **values** V. Scores are dot products of queries with keys, and the outputs are
# weighted averages of values. In our example all three matrices are the identity, which changes nothing:

# %%
W_Q = W_K = W_V = np.eye(2)
Q, K, V = X @ W_Q, X @ W_K, X @ W_V

# %% [markdown]
# Now the whole of self-attention takes three lines. `K.T` is the transpose of K, so `Q @ K.T` holds all dot products: row $i$
# has the scores of query $i$. Softmax is taken for each row separately. `keepdims=True` keeps the sums in a column of shape
# (3, 1), so that each row is divided by its own sum.

# %% tags=["S5"]
S = Q @ K.T
A = np.exp(S) / np.exp(S).sum(axis=1, keepdims=True)
Z = A @ V
print(Z.round(4))

# %% [markdown]
# As a formula:
#
# $$Z = \text{softmax}(Q K^\top)\,V$$
#
# Every row of Z is one you have computed by hand or found in the mirror. The weights A are what people draw when they draw
# attention:

# %% tags=["S5"]
ax = figures.heatmap(A, names, names, "Attention weights: softmax(Q Kᵀ)")
_ = ax.set(xlabel="takes from (key)", ylabel="token (query)")

# %% [markdown]
# <!-- picture -->
# each row shows how one token distributes its attention over the columns, and sums to 1. The row of
# *car* is the row of *red* with its first two cells swapped.
# <!-- end -->
#
# *Red* gives *orange* the weight 0.4223, but gets only 0.2119 back. Both scores are 1, but each row is divided by its own sum.
# So weights need not be symmetric, even when the scores are.

# %% [markdown]
# ## In print {#in-print}
#
# A published calculation with these three vectors (note 1 in [docs/sources.md](../docs/sources.md)) gives these outputs:
# *red* [0.8446, 0.5777], *car* [0.7880, 0.7880], and *orange* [0.7880, 0.9999]. Which of the last two break the mirror
# symmetry? Decide before you run the cell.

# %% tags=["E1", "E2", "E3"]
A_printed = np.array([[0.4223, 0.1554, 0.4223], [0.2119, 0.3940, 0.3940], [0.2119, 0.2119, 0.5762]])
Z_printed = np.array([[0.8446, 0.5777], [0.7880, 0.7880], [0.7880, 0.9999]])
for name, computed, printed in zip(names, Z, Z_printed, strict=True):
    print(f"{name:6}  computed {computed.round(4)}  printed {printed}")
print("weights of car:    computed", A[1].round(4), " printed", A_printed[1])
print("weights of orange: computed", A[2].round(6), " printed", A_printed[2])

# %% [markdown]
# Both do. *Car* has to be the mirror image of *red*, and *orange* its own.
#
# The printed weights of *car* are wrong too, although they sum to 1 up to rounding. **A row that sums to 1 may
# still be wrong.** The ratio of two weights shows the slip: a score that is 1 higher must get 2.718 times the weight,
# not 0.394 / 0.2119 = 1.859.

# %% [markdown]
# ## What the matrices decide {#matrices}
#
# So is the orange a colour or a fruit? Its new vector, [0.7881, 0.7881], cannot say: *red* and *car* pull equally
# hard. With other matrices, it can. This key matrix uses only the second number, *is it a thing?*, and doubles it:

# %%
W_thing = np.array([[0, 0], [0, 2]])
scores = Q[2] @ (X @ W_thing).T
weights = np.exp(scores) / np.exp(scores).sum()
print("scores", scores, " weights", weights.round(4), " new orange", (weights @ V).round(4))

# %% [markdown]
# Now *orange* takes 7.4 times as much from *car* as from *red*, and becomes more of a thing than a colour: a fruit. **W_Q and
# W_K decide what counts as a match, and W_V decides what is handed out.** A model learns all three.

# %% [markdown]
# ## When scores are large {#large-scores}
#
# What if every score is 1,000 higher?

# %% predict="02.shift"


# %% jupyter={"source_hidden": true}
# The weights, if every score is 1,000 higher
from decimal import Decimal

exponentials = [Decimal(score + 1000).exp() for score in S[0].tolist()]  # exact, as on paper
print(np.array([each / sum(exponentials) for each in exponentials], dtype=float).round(4))
reveal("02.shift")

# %% [markdown]
# On paper, every exponential grows by the same factor, exp(1000), and so does their sum. The factor cancels. The computer,
# however, cannot hold exp(1000). It stores infinity, `inf`, and infinity divided by infinity is *not a number*, `nan`:

# %%
with np.errstate(over="ignore", invalid="ignore"):  # no warnings from NumPy
    large = np.exp(S[0] + 1000)
    print(large, large / large.sum())

# %% [markdown]
# Adding the same number to all scores changes no weight. So **subtract the row's largest score first**, and exp never sees a
# number above 0.

# %% [markdown]
# ## Before you go {#exit}

# %% ask="02.exit"


# %% [markdown]
# <!-- answer -->
# **What does one token take from the others?** A weighted average of their values, its own included. The weights are the
# softmax of its query's scores with all keys, so a key that scores 1 higher gets e ≈ 2.7 times the weight. Whether the orange
# comes out as a colour or a fruit is up to the words around it, and to the matrices.

# %% [markdown]
# Three lines to take away:
#
# <!-- takeaway -->
# 1. Attention is $\text{softmax}(Q K^\top)\,V$: scores, then weights, then a weighted average of the values.
# 2. Weights depend only on the differences between the scores of a row, and on paper no weight is 0.
# 3. To check a row of weights, compare their ratios or look for a symmetry. A sum of 1 is not enough.
# <!-- end -->
#
# We chose all the matrices in this lesson. In a real model, training finds them. In [B2 · One
# head](../exercises/B2_one_head.ipynb), today's three lines of code become a module, which you train.
#
# To read next:
#
# <!-- readings -->
# * {bahdanau2014}: attention as a weighted average whose weights a translator learns.
# * {vaswani2017}, section 3.2.1: today's formula, with scaled scores.
# * {phuong2022}: every part of a Transformer as a short algorithm.

# %% [markdown]
# ## Deeper {#deeper}
#
# You can skip any of these parts, or come back to them later.

# %% [markdown]
# ### Where do the outputs go?

# %% predict="02.hull"


# %%
left, right = figures.panels(2, 4.6, 4.4)
ax = figures.plane(X, Z, names, title="Computed", hull=True, mirror=True, ax=left)
ax = figures.plane(X, Z_printed, names, title="Printed", hull=True, mirror=True, ax=right)

# %% [markdown]
# <!-- picture -->
# the arrows lead from each token (hollow) to its output (filled). The grey triangle has the three tokens
# as its corners. On the left, *red* and *car* move inwards as mirror images of each other, and *orange* slides down along
# the mirror line. On the right are the published outputs: *car* has landed on the mirror line, where only *orange* may be,
# and *orange* has left it.

# %%
reveal("02.hull")

# %% [markdown]
# A weighted average of two points lies on the line between them; for three points, it lies in their triangle. So **outputs
# stay among the values**. Here the values are the tokens themselves; W_V can put the whole triangle somewhere else, but no
# output leaves it. (Lesson 09 introduces a part of the Transformer whose outputs do leave it.)
#
# The triangle alone would not have revealed the errors: the published outputs are in it too, though one of them only
# just. It took the mirror to find the errors.
#
# Drag the tokens again. If you choose *all, with their outputs*, the triangle follows the tokens.

# %%
explorables.drag_tokens(X, names)

# %% [markdown]
# ### Values of a different width
#
# The values need not be as wide as the tokens. This W_V turns two numbers into three:

# %%
W_wide = np.array([[1, 0, 5], [0, 1, 5]])
print(X @ W_wide)

# %% [markdown]
# The third numbers of these values are 5, 5 and 10. So the third number of each output must be between 5 and 10:

# %%
print((A @ X @ W_wide).round(4))

# %% [markdown]
# ### The same in loops and in torch
#
# These loops do what you did on paper. For one query after another, they compute the scores, the exponentials, their sum and
# the weighted average. The weight $a_{ij}$ says how much of value $j$ query $i$ takes, and the sum in the denominator runs
# over all tokens $l$:
#
# $$a_{ij} = \frac{\exp(q_i \cdot k_j)}{\sum_l \exp(q_i \cdot k_l)} \qquad\qquad z_i = \sum_j a_{ij} v_j$$

# %% tags=["S5"]
Z_loops = []
for q in Q:
    exponentials = [math.exp(q @ k) for k in K]
    total = sum(exponentials)
    Z_loops.append(sum(e / total * v for e, v in zip(exponentials, V, strict=True)))

# %% [markdown]
# The Build uses the library torch, whose arrays are called *tensors*. It has a function for attention, and this course's
# library has attention in plain code that you can read. By default, both divide the scores by √d for vectors of d numbers, as
# the original Transformer paper does. Lesson 03 shows why. We leave the division out here, with `scale=1.0`.

# %% tags=["S5"]
import torch

from transformer_course.attention import scaled_dot_product_attention

tensors = [torch.from_numpy(matrix) for matrix in (Q, K, V)]
Z_ours, A_ours = scaled_dot_product_attention(*tensors, scale=1.0)
Z_torch = torch.nn.functional.scaled_dot_product_attention(*tensors, scale=1.0)

# %%
for name, result in {"loops": Z_loops, "NumPy": Z, "ours": Z_ours, "torch": Z_torch}.items():
    print(f"{name:6}", *np.asarray(result).round(4).tolist())
    np.testing.assert_allclose(result, Z, atol=1e-12)
