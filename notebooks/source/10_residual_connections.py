# %% [markdown]
# # 10 · Residual connections: why does a sublayer add to what it read?
#
# You know the two machines of a Transformer: attention, in which tokens meet, and the feed-forward network, which each
# token goes through alone. A model is a tall stack of them. The other question that note 4 leaves open: how does the
# residual *connect* the parts of such a stack? The whole answer is a plus sign. In this lesson you take it away, and look
# at what is lost.
#
# About 30 minutes. Afterwards you can
#
# * say what each part of a stack reads, and what becomes of what it makes;
# * measure what arrives at the bottom of 2, 8 and 32 layers, with the plus sign and without;
# * show that more than a gradient hangs on it, and correct a sentence of note 2.

# %%
import math

import numpy as np
import torch

from transformer_course import figures
from transformer_course.exercises import ask, predict, reveal
from transformer_course.experiments.stacks import (
    echo_accuracy,
    gradient_at_input,
    new_stack,
    silencing_effects,
    token_specific_fractions,
)

torch.set_num_threads(1)

# %% [markdown]
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %%
ask("10.recall")

# %% [markdown]
# ## One plus sign, by hand
#
# Take a token of two numbers, [2, 1], and three small machines that each make two numbers out of two:


# %%
def first(x):
    return np.array([x[1], 0.0])  # the second number, in first place


def second(x):
    return np.array([0.0, x[0] - x[1]])


def third(x):
    return np.array([-x[1], 0.0])


# %% [markdown]
# There are two ways to put them on top of each other. Either each machine *hands on* what it made, and the next one gets
# that alone. Or what it made is *added* to what it had read, and the next one gets the sum. Work it out on paper; the first
# line is done:
#
# | | handed on alone | made of the sum so far | sum |
# | --- | --- | --- | --- |
# | at the bottom | [2, 1] | | [2, 1] |
# | after `first` | [1, 0] | [1, 0] | [2, 1] + [1, 0] = [3, 1] |
# | after `second` | ____ | ____ | ____ |
# | after `third` | ____ | ____ | ____ |

# %% tags=["S12"]
handed_on = stream = np.array([2.0, 1.0])
for machine in (first, second, third):
    made = machine(stream)
    handed_on, stream = machine(handed_on), stream + made
    print(f"{machine.__name__:6} handed on {handed_on}, made {made}, sum {stream}")

# %% [markdown]
# On the left, the token is gone after one step: each machine sees only what the one below made of what was left. On the right
# the last line is [2, 1] + [1, 0] + [0, 2] + [−3, 0] = [0, 3]: the token, and everything that was ever added to it.
#
# Now the names. A machine in a stack is called a **sublayer**, written $F$. Adding what it made to what it read,
#
# $$y = x + F(x),$$
#
# is a **residual connection** (the plus sign is also called a *skip connection*). And the vector that goes up from sum to sum
# is the **stream** (elsewhere: *residual stream*). So, to the question of note 4: the residual does not connect each sublayer
# with the next one. **Every sublayer reads the stream, and adds to it.**
#
# Think of a whiteboard that goes round: everyone reads all of it, and adds something. (Where that breaks: there is no free
# corner. All write over the same two numbers, and one can wipe out what stood there, as `third` did with the first
# number, which had been 3.)

# %% [markdown]
# ## What note 2 leaves out
#
# A layer of an encoder has two sublayers, attention and after it the feed-forward network. In note 2, the feed-forward
# network's output is added to the input, and that is the layer's output. Of attention it says nothing of the kind: it hands
# on. (Which input? We take it to be the network's own; the other reading comes after.)
#
# Three tokens, and an attention that has not learned anything yet: all its scores are 0, and values are the tokens
# themselves. On top, a feed-forward network with random matrices.

# %% tags=["E13"]
X = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
rng = np.random.default_rng(0)
W_1, W_2 = rng.standard_normal((2, 8)), rng.standard_normal((8, 2))


def attention(x):
    return np.full((3, 3), 1 / 3) @ x


def feed_forward(x):
    return np.maximum(x @ W_1, 0) @ W_2


# %%
predict("10.note_2")

# %% tags=["E13"]
middle = attention(X)
note_2 = middle + feed_forward(middle)
middle = X + attention(X)
both = middle + feed_forward(middle)
for name, vectors in (("note 2's", note_2), ("with both additions", both)):
    print(f"{name}: different vectors: {len(np.unique(vectors.round(9), axis=0))} of 3")
reveal("10.note_2")

# %% [markdown]
# (Equal weights are the extreme case. Others keep the tokens a little apart, and the next layer brings them closer again: how
# fast, you will measure below.)
#
# Note 2 speaks of the "original" input, so it may mean the layer's: one plus sign round both sublayers, and still none round
# attention alone. Then the tokens stay apart. But the network never gets to read them:

# %% tags=["E13"]
one_sign = X + feed_forward(attention(X))
added = one_sign - X
print("different vectors:", len(np.unique(one_sign.round(9), axis=0)), "of 3")
print("the network adds the same to all three:", np.allclose(added, added[0]))

# %% [markdown]
# In the paper, *each* of the two sublayers has its residual connection (Vaswani and others 2017, section 3.1). So it has in
# torch. The test: silence attention, by setting its last matrix to zero. With a plus sign round it alone, the network still
# reads the tokens, and adds something else to each. With one sign round both sublayers it would read zeros, and add the same
# to all. Then silence the network too. If each of the two is added, nothing is added now.

# %% tags=["E13"]
layer = torch.nn.TransformerEncoderLayer(
    4, nhead=1, dim_feedforward=8, dropout=0.0, norm_first=True, batch_first=True
)
tokens = torch.randn(1, 3, 4)
for name, last in (("attention", layer.self_attn.out_proj), ("both", layer.linear2)):
    torch.nn.init.zeros_(last.weight)
    torch.nn.init.zeros_(last.bias)
    added = layer(tokens) - tokens
    same = torch.allclose(added, added[:, :1], atol=1e-6)
    print(f"{name} silent: added the same to all: {same}, nothing: {not added.any()}")

# %% [markdown]
# (`norm_first` is one of two places for a *norm*, which makes vectors comparable in size; lesson 11.)
#
# ## What arrives at the bottom?
#
# Now a real stack: layers of attention (4 heads) and a feed-forward network, 32 numbers a token, texts of 12 random tokens.
# No training yet, and no norm. The parameters are as torch draws them. The two kinds of stack differ in one line:
#
# ```python
# x = x + sublayer(x) if residual else sublayer(x)
# ```
#
# Training sends a gradient from the top to the bottom: how the loss would change with each number. We start it at the top with
# random numbers, and ask how long it is at the bottom, divided by its length at the top. With 1 it arrives as long as it set
# out, with more it has grown. If it is hardly there, the table of embeddings and the lowest layers learn hardly anything.

# %%
predict("10.gradient")

# %% tags=["S12"]
depths = (2, 8, 32)


def by_depth(**arm):
    """A row for each of three seeds."""
    return [[gradient_at_input(depth, seed, **arm) for depth in depths] for seed in range(3)]


torch_start = {"without": by_depth(residual=()), "residual": by_depth()}
for name, runs in torch_start.items():
    powers = [round(math.log10(arrives)) for arrives in np.median(runs, axis=0)]
    print(
        name, ", ".join(f"{depth} layers: 10^{p}" for depth, p in zip(depths, powers, strict=True))
    )
reveal("10.gradient")

# %% [markdown]
# Is that the fault of the start? There is another common one, which is called Xavier, after one of its authors: larger
# numbers in the matrices, and biases of 0. (Glorot and Bengio, 2010.)

# %% tags=["S12"]
xavier = {"without": by_depth(residual=(), xavier=True), "residual": by_depth(xavier=True)}
left, right = figures.panels(2, 5.0)
for start, title, ax in ((torch_start, "As torch starts", left), (xavier, "Xavier's start", right)):
    level, ylabel = (1, ""), "gradient, bottom ÷ top"
    figures.curves(depths, start, title, "layers", ylabel, log="xy", level=level, ax=ax)
    ax.set_ylim(1e-40, 1e15)

# %% [markdown]
# **In the picture:** how long the gradient is at the bottom, on a scale on which it is a factor of a million from label to
# label; the middle one of three seeds, with a band from least to most, mostly hidden by the line. The faint line is 1: as long
# as at the top. On the left, without residual connections, it falls out of sight; with them it stays near 1, and comes to
# about ten in 32 layers. On the right the fall is slower, but it is one. And there the other line *rises*, to a billion and
# more.
#
# Why? Take sublayers of one number, which multiply it by a half: $F(x) = 0.5\,x$. Handing on multiplies the slope by 0.5 each
# time. With the plus sign, each multiplies it by $1 + 0.5$:

# %% tags=["S12"]
for slope in (0.1, 0.5):
    print(
        f"64 sublayers of slope {slope}: handed on {slope**64:.0e}, added {(1 + slope) ** 64:.0e}"
    )

# %% [markdown]
# So the plus sign cured vanishing here, in both panels; it does not cure the opposite, as the right panel shows too. (Our one
# number tells which way it goes, not how fast: a token has 32.) Something else must keep the stream's size in hand, the norm
# of lesson 11.
#
# "With a residual connection the gradient arrives unharmed" is thus not a law. **The 1 is always there, but what is added to
# it can be large, or cancel it:** a sublayer that learns $F(x) = -x$ makes $1 + (-1) = 0$, and nothing passes it.

# %% [markdown]
# ## Who notices?
#
# Four layers, so eight sublayers, with residual connections, as torch starts. Sublayer 3, an attention, is silenced: what it
# makes is replaced by zeros. All others stay.

# %%
predict("10.silenced")


# %% tags=["S12"]
def moved(residual):
    """A map for each of three seeds: which one was silenced, and how far what each reads moved."""
    return [
        silencing_effects(*new_stack(layers=4, seed=seed, residual=residual)) for seed in range(3)
    ]


silenced = {"with": moved(("attention", "feed-forward")), "without": moved(())}
for name, runs in silenced.items():
    print(name, [[place + 1 for place in range(8) if run[2, place] > 0.1] for run in runs])
reveal("10.silenced")

# %% tags=["S12"]
rows, columns = [f"{k} silent" for k in range(1, 8)], [str(k) for k in range(1, 9)]
titles = ("With residual connections", "Without")
for ax, runs, title in zip(figures.panels(2, 5.6, 5), silenced.values(), titles, strict=True):
    figures.heatmap(runs[0][:7, :8], rows, columns, title, digits=2, ax=ax)

# %% [markdown]
# **In the picture:** a row for the sublayer that was silenced, a column for one that reads; the number is how far what it
# reads has moved, as a share of its length. On the left, each row is level to its end: what sublayer 1 added is still in
# what sublayer 8 reads, and is missed there as much as right above. On the right, the next one misses everything (it reads
# zeros), the one after it less, and five sublayers further hardly anything shows of it (a hundredth or less).

# %% [markdown]
# ## Is it only the gradient?
#
# Note 3 gives one reason for residual connections, and it is the one most often read: gradients vanish without them. If that
# were all, one could do without, by mending the gradient in some other way. Let us try. We take Xavier's start and, after each
# sublayer (with a plus sign: after the sum), stretch or shrink every vector so that the mean of its squares is 1. That we do
# in three stacks: with no residual connections, with that of note 2, and with both. Before training:

# %%
mended = {"xavier": True, "rescaled": True}
arms = {"none": (), "feed-forward": ("feed-forward",), "both": ("attention", "feed-forward")}
for name, residual in arms.items():
    arriving = [gradient_at_input(4, seed, residual=residual, **mended) for seed in range(3)]
    print(f"residual connections: {name}; more than half arrives: {min(arriving) > 0.5}")

# %% [markdown]
# Through four layers the gradient now arrives in all three. Now a task for which nothing has to be computed: each token of
# a text is to say *which of 16 kinds it is itself*. There is a table of embeddings, such a stack of four layers, and a
# linear map that reads the answer off. Guessing gives 0.06. Sixty training steps.
# (Nine small trainings, about ten seconds.)

# %%
predict("10.mended")

# %% tags=["S12", "E13"]
for name, residual in arms.items():
    right = [echo_accuracy(4, seed, residual=residual, **mended) for seed in range(3)]
    print(f"{name}: all below 0.25: {max(right) < 0.25}, all above 0.99: {min(right) > 0.99}")
reveal("10.mended")

# %% [markdown]
# Three arms that differ in nothing but plus signs, all with a gradient that arrives; and only the one with both learns. The
# other two come to about 0.14 and 0.17 (sheet 10 has the numbers of each run). That is more than guessing, but no more than
# one can get by giving all tokens of a text the same answer, its commonest kind:

# %%
texts = np.random.default_rng(0).integers(0, 16, (20_000, 12))
commonest = (texts[:, :, None] == np.arange(16)).sum(axis=1).max(axis=1)
print(f"the commonest of 16 kinds makes {commonest.mean() / 12:.2f} of a text of 12")

# %% [markdown]
# So let us look at the vectors themselves, before training. How much of them is a token's own, and how much do all tokens of
# the text have in common? We subtract the mean of the text's tokens, and take what is left as a share of the whole: 1 is
# all different, 0 all the same.

# %% tags=["S12"]
own = {
    name: [token_specific_fractions(8, seed, residual=residual, **mended) for seed in range(3)]
    for name, residual in arms.items()
}
title = "With both, tokens stay apart"
ax = figures.curves(range(9), own, title, "layers", "a token's own share", log="y")

# %% [markdown]
# **In the picture:** what is left of the tokens' differences after each layer, before training; the middle one of three
# seeds, with a band from least to most. A line is named after the sublayers that have residual connections. With both it
# sinks slowly. The others plunge, that of note 2 as well: after three layers about a hundredth is left, after six only
# rounding, and all tokens of a text are one and the same vector. Attention makes mixtures, and mixtures of mixtures are ever
# more alike.

# %% tags=["S12"]
for name, runs in own.items():
    after_4, after_8 = max(run[4] for run in runs), min(run[8] for run in runs)
    print(
        f"{name}: after 4 layers below 0.01: {after_4 < 0.01}, after 8 above 0.1: {after_8 > 0.1}"
    )

# %% [markdown]
# Is that what stops the learning? So far we saw two things together. The control: the stack with *no* residual connections
# once more, same parameters, same rescaling, but each token may attend to itself alone. Nothing is mixed, so tokens stay apart.

# %% tags=["S12"]
arm = {"residual": (), "xavier": True, "rescaled": True, "self_only": True}
print(
    "own share above 0.5:",
    min(token_specific_fractions(4, seed, **arm)[4] for seed in range(3)) > 0.5,
)
print("accuracy above 0.99:", min(echo_accuracy(4, seed, **arm) for seed in range(3)) > 0.99)

# %% [markdown]
# It learns, without a plus sign. Where all tokens are alike, a gradient does not help: from what is the same in all of them,
# none can tell which one it is. (To forbid the mixing is no way out: then tokens would never meet.)
#
# This is called **rank collapse** (Dong and others 2021, who prove it for attention alone). The *rank* meant here is the
# number of rows from which a table's others can be built; if all are the same, that is one. Do residual connections forbid it?

# %% tags=["S12"]
for name, xavier_start in (("Xavier's start", True), ("as torch starts", False)):
    arm = {"xavier": xavier_start, "rescaled": True}
    left = [token_specific_fractions(32, seed, **arm)[32] for seed in range(3)]
    print(f"{name}: after 32 layers below 0.001: {max(left) < 0.001}, above 0.1: {min(left) > 0.1}")

# %% [markdown]
# No: with Xavier's start tokens became alike in 32 layers with them as well; with torch's smaller numbers they did not. But
# residual connections slow it: above, a good part outlived eight layers with the plus signs, and hardly anything four without
# them.
#
# So residual connections do two things: **downwards they let the gradient through, and upwards what tells one token from
# another.** And they must stand round attention too, where the mixing is done; that is why note 2's layer will not do. Its
# sentence, corrected: *what each sublayer makes, attention as well as the feed-forward network, is added to what that sublayer
# read.* (And is the one round attention enough? Sheet 10.)

# %% [markdown]
# <details><summary>Why does d_model stay the same, all the way up?</summary>From the table of embeddings to the top of
# the model, vectors keep their width. The reason is the plus sign: one can add only what has the same shape. (One number
# a token would be stretched without a word, so test the shape of what your sublayer returns.) Inside, a sublayer may be
# as wide as it likes: $W_O$ brings the heads back to $d_\text{model}$, and the feed-forward network widens and comes
# back. Were one sublayer to return another width, a further matrix would have to stand on the stream itself, and the 1
# would be gone from the slope.</details>

# %% [markdown]
# ## Before you go

# %%
ask("10.exit")

# %% [markdown]
# **Why does a sublayer add to what it read?** Because then the token, and whatever was added to it, is still there for all
# later sublayers, as long as none of them wipes it out, and the gradient has a way down on which every factor contains a 1.
# What it does not do is keep the size in hand; that is lesson 11.
