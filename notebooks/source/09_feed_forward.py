# %% [markdown]
# # 09 · Feed-forward: what does a layer need after attention, and why?
#
# Note 4 ends in two open questions. One of them: what is an *MLP*, and why does one follow attention in every layer? You
# answer it here: with two bits, with a curve made of straight pieces, and with the network that note 1 only sketches. At the
# end you put a common sentence about attention to the test.
#
# About 35 minutes. Afterwards you can
#
# * compute a feed-forward network by hand, and say what each of its parts is for;
# * show what a bend makes possible, beside the same network without it;
# * say why the network stands after attention, and judge the sentence "attention alone is linear".

# %%
import numpy as np
import torch

from transformer_course import figures
from transformer_course.attention import MultiHeadAttention
from transformer_course.exercises import ask, predict, reveal
from transformer_course.experiments.hull import outside_hull
from transformer_course.experiments.parity import train_parity
from transformer_course.inspection import perturbation_map
from transformer_course.layers import FeedForward

torch.set_num_threads(1)

# %% [markdown]
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %%
ask("09.recall")

# %% [markdown]
# ## Two bits
#
# Two tokens, each a bit, 0 or 1. **Do they differ?** The answer should be 1 for the rows [0, 1] and [1, 0], and 0 for [0, 0]
# and [1, 1]. (This is also called the **parity** of the bits: is the number of ones odd?)
#
# Somebody must look at both, so attention comes first. Let its weights be fixed, one half for each bit:

# %% tags=["S11"]
rows = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
mixture = rows @ [0.5, 0.5]
print(mixture)

# %% [markdown]
# The hull of 0 and 1 is all that lies between them. Any matrix may follow, with a bias, and then more layers of the same
# kind: attention with weights that stay as they are whatever the bits, then a matrix.

# %%
predict("09.layers")

# %% [markdown]
# We stack layers of random numbers, 32 wide, the same numbers for all four rows (biases are left out: they, too, would be the
# same for all four). Each token starts as a vector for its bit, plus one for its place, and each layer adds what it brings to
# what was there. Then we add the outputs for [0, 1] and [1, 0], and those for [0, 0] and [1, 1].


# %% tags=["S11"]
def stack(bits, layers):
    rng = np.random.default_rng(0)
    bit, place = rng.standard_normal((2, 2, 32))
    x = bit[bits] + place
    for _ in range(layers):
        weights, matrix = rng.dirichlet([1, 1], size=2), rng.standard_normal((32, 32)) / 6
        x = x + weights @ x @ matrix
    return x


# %% tags=["S11"]
def same_sums(function):
    """Whether [0, 1] and [1, 0] together give what [0, 0] and [1, 1] do."""
    out = [function(bits) for bits in rows]
    return np.allclose(out[1] + out[2], out[0] + out[3], rtol=1e-9)


for layers in (1, 4, 32):
    print(layers, "layers, the same sums:", same_sums(lambda bits, k=layers: stack(bits, k)))
reveal("09.layers")

# %% [markdown]
# Each layer is **linear**, up to a constant: whatever the numbers, it multiplies by a matrix what came in. Matrix after
# matrix is one matrix, at any depth. And what is linear must give the same sums here, since [0, 1] and [1, 0] together hold
# the same bits at the same places as [0, 0] and [1, 1]. We ask for 1 + 1 on one side and 0 + 0 on the other. So this is not
# a matter of training: no such stack exists.

# %% [markdown]
# ## One bend
#
# What is needed is a rule that sends 0 to 0, ½ to 1 and 1 to 0: up, and down again. Between its ends, a straight line only
# reaches what lies between. So take something that bends, the simplest thing there is: $\max(0, s)$, zero up to a point and
# a slope from there on. We call it a **hinge**; its usual name is **ReLU**. Two hinges, one that opens at 0 and one at ½:


# %% tags=["S11"]
def relu(h):
    return np.maximum(0, h)


print(2 * relu(mixture) - 4 * relu(mixture - 0.5))

# %% [markdown]
# By hand for ½: 2 · ½ − 4 · 0 = 1. For 1: 2 · 1 − 4 · ½ = 0. The first hinge goes up with slope 2; the second takes 4 off
# that, so from ½ on it goes down with slope 2.
#
# We bent the *mixture*, after attention. Suppose that we bend each bit before attention mixes them instead: each bit becomes a
# vector of its own, as long as you like, and the bend goes over that. The weights stay one half each.

# %%
predict("09.after")

# %% [markdown]
# Take a vector of 32 random numbers for each bit, and look at the two sums again. (You see here that this check can also say
# no.)

# %% tags=["S11"]
bit, half = np.random.default_rng(1).standard_normal((2, 32)), np.full((2, 2), 0.5)
print("bend, then mix, the same sums:", same_sums(lambda bits: half @ relu(bit[bits])))
print("mix, then bend, the same sums:", same_sums(lambda bits: relu(half @ bit[bits])))
reveal("09.after")

# %% [markdown]
# That is why the bend comes **after** attention: what it bends must have something of both tokens in it. (In a stack, the bend
# of one layer also stands before the attention of the next. But before the *first* attention, a bend sees one token only.)
#
# **Your turn, on paper.** Three bits, mixed by thirds: 0, ⅓, ⅔, 1 for no, one, two, three ones. Parity asks for 0, 1, 0, 1.
# 3 · max(0, s) goes up. At ⅓ it must turn: − ____ · max(0, s − ⅓). At ⅔ again: + ____ · max(0, s − ⅔).
#
# <details><summary>Compare</summary>6, and 6: from slope +3 to −3, and from −3 to +3. At s = 1 that makes 3 − 6 · ⅔ + 6 · ⅓
# = 1.</details>
#
# Three hinges, three straight pieces. A carpenter's folding rule is a good picture of it. (It breaks here: the pieces of a
# rule have a fixed length. These may have any slope, and hinges wherever you like.)

# %% [markdown]
# Can it follow a curve as well? We spread k hinges evenly over a wave. Each makes one number, which nobody sees outside: a
# **hidden** number. Least squares finds by how much each of them turns the rule.


# %% tags=["S11"]
def fit(curve, s, k, bend):
    hidden = s[:, None] - np.arange(k) / k
    return bend(hidden) @ np.linalg.lstsq(bend(hidden), curve, rcond=None)[0]


s = np.linspace(0, 1, 1001)
wave = np.sin(2 * np.pi * s)
for k, ax in zip((3, 5, 9), figures.panels(3, 3.6, 3.2), strict=True):
    lines = {"wave": wave, "hinges": fit(wave, s, k, relu), "no bend": fit(wave, s, k, lambda h: h)}
    figures.curves(s, lines, f"{k} hidden numbers", "s", ax=ax).set_ylim(-1.6, 1.6)
    bent, straight = (np.abs(lines[name] - wave).max() for name in ("hinges", "no bend"))
    print(f"{k} hidden numbers: off by {bent:.2f} at most; without max(0, …): {straight:.2f}")

# %% [markdown]
# **In the picture:** the same wave three times, with three, five and nine hidden numbers. The dashed line with hinges is made
# of as many straight pieces, and with nine it nearly covers the wave. The line without the bend is the same straight line in
# all three panels. It is tempting to think that *more numbers* are what helps. **Without the bend, more numbers are not more
# at all.**

# %% [markdown]
# ## The network
#
# What we have just built is called a **multilayer perceptron (MLP)**, and in a Transformer the **feed-forward network
# (FFN)**. A matrix and a bias make the hidden numbers, each goes through its hinge, and another matrix and bias put together
# what comes out:
#
# $$\text{FFN}(x) = \max(0,\; x W_1 + b_1)\, W_2 + b_2$$
#
# $x$ is now a vector, of width $d_\text{model}$; the hidden numbers are $d_\text{ff}$ many. Note 1 sketches it for 3 → 6 → 3,
# and gives shapes but no numbers. We put some in, for the tokens of lesson 05. Each is three bits, so there are three
# questions: are the first and second equal, the second and third, the third and first? The answers shall be 1 for yes and 0
# for no. Six hinges take each difference, both ways round:

# %% tags=["S11"]
X = np.array([[1, 0, 1], [0, 1, 0], [1, 1, 0]], dtype=float)
differences = np.array([[1, 0, -1], [-1, 1, 0], [0, -1, 1]])
W1, b1 = np.hstack([differences, -differences]), np.zeros(6)
W2, b2 = 0 - np.vstack([np.eye(3), np.eye(3)]), np.ones(3)  # 0 - …, so that no −0 is printed
print(W1, b1, W2, b2, sep="\n\n")

# %% [markdown]
# **By hand for token 1**, $x = [1, 0, 1]$. Column by column, the hidden numbers are x₁ − x₂ = 1, x₂ − x₃ = −1, x₃ − x₁ = 0,
# and then the same with the other sign: −1, 1, 0; b1 is 0 here. The hinges leave [1, 0, 0, 0, 1, 0]. W2 takes the first and
# the fourth from output 1, the second and the fifth from output 2, the third and the sixth from output 3, and b2 begins each
# with 1: [1 − 1, 1 − 1, 1 − 0] = **[0, 0, 1]**. Only the third and first number of token 1 are equal. That is so.
#
# **Your turn**, for token 3, [1, 1, 0]: hidden [0, 1, −1, 0, ____, ____ ]; after the hinges [0, 1, 0, 0, ____, ____ ];
# output [1, ____ , ____ ]. And then token 2, [0, 1, 0], alone.
#
# <details><summary>Compare</summary>Token 3: −1 and 1; 0 and 1; 0 and 0. Token 2: hidden [−1, 1, 0, 1, −1, 0], after the
# hinges [0, 1, 0, 1, 0, 0], output [0, 0, 1].</details>


# %% tags=["S11"]
def network(x, bend):
    hidden = [b1[j] + sum(x[i] * W1[i, j] for i in range(3)) for j in range(6)]
    return [b2[k] + sum(bend(hidden[j]) * W2[j, k] for j in range(6)) for k in range(3)]


by_hand = np.array([network(x, bend=lambda h: max(0, h)) for x in X])
print(by_hand)
print("without the bend:", np.array([network(x, bend=lambda h: h) for x in X]).tolist())

# %% [markdown]
# Without the bend, each difference meets itself with the other sign, and all tokens get the same answer. The library's layer
# takes all tokens at once. (Its matrices are transposed, as in lesson 05.)

# %% tags=["S11"]
ffn = FeedForward(d_model=3, d_ff=6)
for layer, matrix, bias in ((ffn.w_1, W1, b1), (ffn.w_2, W2, b2)):
    layer.weight.data, layer.bias.data = torch.tensor(matrix.T).float(), torch.tensor(bias).float()
from_library = ffn(torch.tensor(X).float()).detach()
print("the library's layer gives the same:", np.allclose(from_library, by_hand))

# %% [markdown]
# ## Outside the hull
#
# Back to the triangle. The values are the tokens of lesson 02: [1, 0], [0, 1] and [1, 1]. We draw 400 rows of weights, and
# so get 400 outputs of attention. Then each output goes through a network 2 → 4 → 2, chosen so that it does the same to both
# coordinates, with two hinges for each: 3 · max(0, s) − 4 · max(0, s − ½). So 0 stays 0, 1 stays 1, and ½ becomes 1½. The
# corners go through it too, so that we know where the hull of the *new* corners lies. `outside_hull` tells which points are no
# mixture of them: one of the three weights would have to be negative.

# %% tags=["S11"]
V, A = np.array([[1.0, 0], [0, 1], [1, 1]]), np.random.default_rng(0).dirichlet([1, 1, 1], size=400)
steps = {
    "Attention": lambda x: x,
    "Attention, FFN without bend": lambda x: 3 * x - 4 * (x - 0.5),
    "Attention, FFN": lambda x: 3 * relu(x) - 4 * relu(x - 0.5),
}
for ax, (name, step) in zip(figures.panels(3, 4, 4), steps.items(), strict=True):
    out = outside_hull(step(A @ V), step(V))
    figures.scatter_hull(step(A @ V), step(V), out, name, limits=(-0.2, 2.2), ax=ax)
    print(f"{name}: {out.sum()} of 400 outside the hull")

# %% [markdown]
# **In the picture:** hollow circles are the three corners, grey is their hull. On the left, the outputs of attention fill
# the triangle, and none leaves it. In the middle, the network without its bend has turned the triangle round and moved it;
# its points have moved along with it, and none leaves it either. On the right, the corners are back where they were, and
# everything else has stepped outside (orange squares). No attention over these corners could have put them there, whatever
# its weights.
#
# **The outputs of a head never leave the hull of its values. A matrix takes the hull along. A bend can step
# outside.** (How many points do depends on the numbers: where all hinges stay open, nothing bends.) The two bits were the
# same thing on a line: the corners 0 and 1 went to 0, and what lay half way between went to 1.
#
# (A layer also adds what came in to what it brings, lesson 10. For one token, that moves its triangle and all the mixtures in
# it by the same step, as a bias does. It bends nothing.)

# %% [markdown]
# ## Each token for itself
#
# Attention moves numbers between tokens. What does the FFN do? We change one token after another, and look which outputs
# move (the influence map of lesson 04).

# %% tags=["S11"]
torch.manual_seed(0)
attention, tokens = MultiHeadAttention(3, num_heads=1), torch.randn(5, 3)
maps = {"Attention": lambda x: attention(x[None], x[None], x[None])[0], "Feed-forward": ffn}
names = [str(i) for i in range(1, 6)]
for ax, (name, layer) in zip(figures.panels(2, 3.6), maps.items(), strict=True):
    moved = (perturbation_map(layer, tokens) != 0).float()
    figures.heatmap(moved, names, names, name, digits=0, ax=ax)

# %% [markdown]
# **In the picture:** a row for each output, a column for each token that was changed; dark means that the output moved.
# Under attention everything moves everything. Under the FFN each token moves its own output alone.
#
# The FFN is **position-wise**: the same matrices for each token, and no token knows of another. The map shows the second half
# of that. The first you see in the formula: one W1 and one W2, however many tokens there are. (These are the convolutions of
# lesson 01 with a kernel of 1: they look at one place at a time.)

# %%
predict("09.parameters")

# %% tags=["S11"]
for layer in (MultiHeadAttention(512, num_heads=8), FeedForward(512, 2048)):
    print(f"{type(layer).__name__}: {sum(p.numel() for p in layer.parameters()):,}")
reveal("09.parameters")

# %% [markdown]
# So in such a layer, two parameters of three belong to the FFN.

# %% [markdown]
# ## Is attention alone linear?
#
# A sentence found in many places: without the FFN a Transformer would be linear, so it could not even tell whether two bits
# differ. The first half of this lesson is the argument for it.

# %%
predict("09.two_heads")

# %% [markdown]
# A third token asks, and gives each bit a score: 20 times the bit in one head, −20 times the bit in the other. The values
# are the bits themselves, and the matrix takes the difference.

# %% tags=["S11"]
for bits in torch.tensor(rows).float():
    seeks_ones = torch.softmax(20 * bits, dim=0) @ bits
    seeks_zeros = torch.softmax(-20 * bits, dim=0) @ bits
    print(bits.tolist(), f"{seeks_ones:.4f} − {seeks_zeros:.4f} = {seeks_ones - seeks_zeros:.4f}")
reveal("09.two_heads")

# %% [markdown]
# Each head stays in the hull of 0 and 1. But which of the two bits it takes depends on the bits: one head finds the larger
# one, one the smaller. So the sentence is half true. **Attention is linear in the values as long as its weights are *fixed*.
# Weights that come from the content bend as well**: what weighs and what is weighed are the same bits. In one layer,
# parity takes at least one head for each bit: two heads for two bits, and four heads can never do six.
#
# <details><summary>Why at least one head for each bit? A proof</summary>Let one query, always the same, read n bits with h
# heads, and let a linear map and a sign follow. What a head brings to the answer is a fraction N / D: both are sums over the
# tokens of terms that depend on one bit each (exp of its score, once with its value and once without), and D is positive.
# Multiply by all D, and the sign does not change. What is left is a sum of products of at most h such sums: a polynomial in
# the bits in which no product has more than h of them. But a polynomial with the sign of the parity of n bits needs a
# product of all n: take the mean of the polynomial, times +1 where the number of ones is odd and −1 where it is even, over
# all rows. It should be above 0, since the signs agree everywhere; but any product that lacks a bit is the same with and
# without that bit, and cancels. So one head cannot tell whether two bits differ, two heads can, and one layer of four heads
# can never do six bits. (The step about the product of all n bits is from Minsky and Papert, 1969.)</details>

# %% [markdown]
# ## With and without, at equal size
#
# And six bits? Attention alone may have several layers, and of those the proof says nothing. We train on all 64 rows, three
# seeds each. The models end in a linear map that reads the answer at a seventh token, which only asks.
#
# * three layers of attention, no FFN, with four heads each to give it the better chance;
# * one layer of attention with one head, then an FFN;
# * the same with max(0, …) taken out: a control with exactly as many parameters;
# * the first one again on *three* bits: a control that shows whether it learns at all in this way.
#
# What each part brings is added to what was there (lesson 10). LayerNorm, which real models have as well, is left out: it
# bends too (lesson 11), and would blur the comparison. Guessing gets about half of the rows right; we print whether it is all
# of them, or below 0.7. It takes half a minute, or a little more:

# %% tags=["S11"]
arms = {
    "three layers, no FFN": [train_parity(num_heads=4, layers=3, seed=k) for k in range(3)],
    "one layer and FFN": [train_parity(num_heads=1, feed_forward=True, seed=k) for k in range(3)],
    "the same, no bend": [
        train_parity(num_heads=1, feed_forward=True, nonlinear=False, seed=k) for k in range(3)
    ],
    "no FFN, three bits": [train_parity(num_heads=4, layers=3, bits=3, seed=k) for k in range(3)],
}
for name, runs in arms.items():
    right = [
        "all" if run.accuracy == 1 else "below 0.7" if run.accuracy < 0.7 else "more"
        for run in runs
    ]
    print(f"{name}, {runs[0].parameters} parameters; share of rows right:", ", ".join(right))

# %% tags=["S11"]
left, right = figures.panels(2, 5.2)
six = {name: runs for name, runs in arms.items() if "three bits" not in name}
losses = {name: [run.losses for run in runs] for name, runs in six.items()}
ax = figures.curves(
    range(300), losses, "Loss, six bits", "step", level=(0.693, "guessing"), ax=left
)
odd = {name: np.array([run.p_odd for run in runs]) for name, runs in six.items()}
ax = figures.curves(range(7), odd, "Probability of “odd”", "number of ones", ax=right)
ax.get_legend().remove()  # as on the left

# %% [markdown]
# **In the picture:** on the left, the loss at each step, of three seeds each, with a band from the least to the largest;
# where there is only a line, all three agree. Both models without max(0, …) stay where guessing is (0.693, the loss of ½
# for everything), and one hides the other. On the right, what the trained models say, by the number of ones: the one with
# max(0, …) goes up three times and down three times, the folding rule of the two bits grown longer, and the others say ½ to
# everything.
#
# The first control settles what helped: not the parameters (there are equally many), not the two further matrices. It was
# the bend. (Of that control, the proof above even says "cannot": it is one layer, one head, and a linear map.) Of three
# layers of attention you may say "did not learn six bits, in 300 steps, with three seeds". That they learned three bits, in
# the last line above, shows that such layers can be trained in this way. Nothing here says that they *cannot* learn six: what
# becomes of `seed=1` with `steps=1200` you may try yourself.

# %% [markdown]
# ## Before you go

# %%
ask("09.exit")

# %% [markdown]
# **What does a layer need after attention, and why?** A bend for each token by itself. Attention brings together what
# belongs together, but a head's outputs stay among its values, and a matrix only takes them along; the bend in its weights
# tells two bits apart, and did not get as far as six here. A feed-forward network (an MLP: matrix, hinges, matrix) can step
# outside, and make of a mixture what was in none of its parts.
