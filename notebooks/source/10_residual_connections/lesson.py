# %% [markdown] minutes=22
# # 10 · Residual connections: why does a sublayer add its output to its input?
#
# The largest Llama 3 model (2024) is a tower of 126 layers, with two sublayers in each ({grattafiori2024}, table 3). You know
# both kinds of sublayer: attention, in which tokens exchange information (lessons 02 to 05), and the feed-forward network,
# which works on each token separately (lesson 09). So could you build such a tower now? Not yet. Between any two neighbouring
# floors there is something that we have left out so far, and it is as small as a plus sign. In fact, it is a plus sign. To see
# what it is for, you will take it away.
#
# About {minutes} minutes, and nearly as long again for the parts under "Deeper". By the end, you will be able to
#
# * say what each part of a stack reads, and where its output goes;
# * measure how much of a gradient reaches the bottom of 2, 8 and 32 layers, with the plus sign and without it;
# * test in an experiment what the plus sign is for.

# %%
import math

import numpy as np
import torch

from transformer_course import figures
from transformer_course.exercises import ask, predict, reveal
from transformer_course.experiments import effort
from transformer_course.experiments.stacks import (
    echo_accuracy,
    gradient_at_input,
    new_stack,
    silencing_effects,
    token_specific_fractions,
)

torch.set_num_threads(1)

# %%
sides = [("encoder", (1, 2)), ("decoder", (1, 2, 3))]
lit = [f"{side} add & norm {k}" for side, numbers in sides for k in numbers]
ax = figures.architecture(*lit, title="Lesson 10: the word “add” in five boxes", small=True)

# %% [markdown]
# <!-- picture -->
# the map from lesson 00. Each filled box adds the output of the part below it to that part's input; the arrow around the
# part carries that input. The word "norm" in these boxes is for lesson 11.
# <!-- end -->
#
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %% ask="10.recall"


# %% [markdown]
# ## One plus sign, by hand
#
# Take three small machines, and the word *car* as a token of two numbers, [2, 1]. Each machine reads two numbers and outputs
# two:


# %%
def first(x):
    return np.array([x[1], 0.0])  # the second number, in first place


def second(x):
    return np.array([0.0, x[0] - x[1]])


def third(x):
    return np.array([-x[1], 0.0])


# %% [markdown]
# You can stack them in two ways. Either each output *replaces* the vector, and the next machine reads only that; or each
# output is *added* to the vector that the machine has read, and the next machine reads the sum.
#
# <!-- paper -->
# **Your turn, on paper.** The first step is done:
#
# | | replaced | output, when added | sum |
# | --- | --- | --- | --- |
# | *car* | [2, 1] | | [2, 1] |
# | after `first` | [1, 0] | [1, 0] | [2, 1] + [1, 0] = [3, 1] |
# | after `second` | ____ | ____ | ____ |
# | after `third` | ____ | ____ | ____ |

# %% tags=["S12"]
replaced = added = np.array([2.0, 1.0])
for machine in (first, second, third):
    output = machine(added)
    replaced, added = machine(replaced), added + output
    print(f"{machine.__name__:6} replaced {replaced}, output {output}, sum {added}")

# %% [markdown]
# In the left column, *car* is gone after one step: each machine reads only the output of the one before. In the right column,
# the last sum is [2, 1] + [1, 0] + [0, 2] + [−3, 0] = [0, 3]: the token itself, and everything that was ever added to it.
#
# Now for the names. A machine in a stack is called a **sublayer**, written $F$. Adding its output to its input,
#
# $$y = x + F(x),$$
#
# is a **residual connection** (or *skip connection*). The vector that goes up from sum to sum is the **residual
# stream**, or stream for short. So a residual connection does not lead from one sublayer to the next: **every sublayer reads
# the stream, and adds to it.** Only vectors of the same shape can be added, so the stream has the same width from bottom to
# top.
#
# Think of a whiteboard that is passed around: everybody reads all of it and adds something. (The analogy breaks down in one
# place: there is no free corner. All sublayers write over the same numbers, so one can wipe out what another has written.
# That is what `third` did to the first number.)

# %% [markdown]
# ## How much of the gradient reaches the bottom?
#
# Take a real stack: layers of attention (4 heads) and a feed-forward network. It reads sequences of 12 random tokens, with 32
# numbers each. Its parameters are still torch's random initial values. Two versions differ in one line:
#
# ```python
# x = x + sublayer(x) if residual else sublayer(x)
# ```
#
# In training, the gradient goes from top to bottom. If hardly anything arrives there, the token embeddings and the lowest
# layers hardly learn. So we start with a random gradient at the top, and divide its length at the bottom by its length at the
# top. A result of 1 means that the length has not changed.

# %% predict="10.gradient"


# %% tags=["S12"] jupyter={"source_hidden": true}
depths = (2, 8, 32)


def by_depth(**version):
    """A row for each of three seeds."""
    return [[gradient_at_input(depth, seed, **version) for depth in depths] for seed in range(3)]


torch_start = {"without": by_depth(residual=()), "residual": by_depth()}
for name, runs in torch_start.items():
    medians = zip(depths, np.median(runs, axis=0), strict=True)
    print(f"{name:8}", ", ".join(f"{depth} layers: {arrives:.1g}" for depth, arrives in medians))
reveal("10.gradient")

# %% tags=["S12"]
title, ylabel = "Gradient at the bottom", "length, bottom ÷ top"
ax = figures.curves(depths, torch_start, title, "layers", ylabel, log="xy", level=(1, ""))

# %% [markdown]
# <!-- picture -->
# the length of the gradient at the bottom, relative to the top; lines are medians of three seeds, and
# bands show the range. The faint line is 1. Without residual connections, the gradient falls by 37 powers
# of ten in 32 layers. With them it stays near 1 in 2 and 8 layers, and grows to about 7 in 32.
# <!-- end -->
#
# Why? Take sublayers $F(x) = 0.5\,x$, which halve a single number, so their slope is 0.5. If each output replaces its
# input, each sublayer multiplies the gradient by 0.5. With the plus sign, the factor is $1 + 0.5$. Here are 64 sublayers (32
# layers), with slopes 0.5 and 0.1:

# %% tags=["S12"]
for slope in (0.5, 0.1):
    print(f"64 sublayers of slope {slope}: replaced {slope**64:.0e}, added {(1 + slope) ** 64:.0e}")

# %% [markdown]
# In the real stack without the plus sign, a fall of 37 powers of ten over 64 sublayers is a factor of about a quarter per
# sublayer. With the plus sign, two gradients meet at a sublayer's input: the one from above, unchanged, and a quarter of it
# through the sublayer. The matrices are random, so these two are nearly at right angles. By Pythagoras, the factor is
# $\sqrt{1 + 0.25^2} \approx 1.03$ per sublayer, and $1.03^{64} \approx 7$.
#
# So the plus sign cures *vanishing* gradients here. It does not stop gradients from growing; for that, lesson 11 has LayerNorm.
# And the plus sign is no guarantee: **the 1 is always there, but the slope that is added to it can be large, or cancel it.** If
# a sublayer learns $F(x) = -x$, the gradient is multiplied by $1 + (-1) = 0$, and nothing passes.

# %% [markdown]
# ## What if one sublayer fails?
#
# If one sublayer stops working, who notices? Take four layers, so eight sublayers, with residual connections. Each sublayer
# adds a vector that is about a fifth as long as the stream. We silence sublayer 3, which is attention: it outputs zeros. All
# the others stay as they are.

# %% predict="10.silenced"


# %% tags=["S12"] jupyter={"source_hidden": true}
def changes(residual):
    """For each of three seeds: how far each sublayer's input changes when another is silenced."""
    return [
        silencing_effects(*new_stack(layers=4, seed=seed, residual=residual)) for seed in range(3)
    ]


silenced = {"with": changes(("attention", "feed-forward")), "without": changes(())}
print("change in the input of sublayers 1 to 8:")
for name, runs in silenced.items():
    print(f"{name:7}", [round(float(runs[0][2, place]), 2) for place in range(8)])
reveal("10.silenced")

# %% [markdown]
# The changes are fractions of the input's length. Here is the same with sublayers 1 to 7 silenced in turn:

# %% tags=["S12"]
rows, columns = [f"{k} silent" for k in range(1, 8)], [str(k) for k in range(1, 9)]
titles = ("With residual connections", "Without")
for ax, runs, title in zip(figures.panels(2, 5.6, 5), silenced.values(), titles, strict=True):
    figures.heatmap(runs[0][:7, :8], rows, columns, title, digits=2, ax=ax)

# %% [markdown]
# <!-- picture -->
# each row is a sublayer that was silenced, each column a sublayer that reads; the number is the change in its input.
# <!-- left -->
# each row stays at about the same level to the end: sublayer 8 still misses the output of sublayer 1 as much as sublayer 2
# does.
# <!-- right -->
# the next sublayer misses everything (it reads zeros), the one after it less, and five sublayers above the silent one there
# is almost no trace. That does not make this stack more robust: each sublayer passes on only a fraction of *every*
# difference, including the useful ones.

# %% [markdown]
# ## Repair the gradient, and train
#
# Is the plus sign there for the gradient? To find out, we repair the gradient in another way: we draw larger parameters (a
# recipe called *Xavier*), and after each sublayer we rescale every vector so that its mean square is 1. We do this in a stack
# without residual connections, in one with residual connections only around the feed-forward networks, and in one with residual
# connections around both sublayers. How much of the gradient arrives now, through four layers?

# %% tags=["S12"]
repaired = {"xavier": True, "rescaled": True}
versions = {"none": (), "feed-forward": ("feed-forward",), "both": ("attention", "feed-forward")}
for name, residual in versions.items():
    arriving = [gradient_at_input(4, seed, residual=residual, **repaired) for seed in range(3)]
    print(f"{name:12}", np.round(arriving, 2), "for three seeds")

# %% [markdown] seconds=15
# The gradient arrives in all three. Now we train each on a task in which nothing has to be computed: the model should output
# each token unchanged. There are 16 different tokens, so guessing gives 0.06. Each stack is trained for 60 steps, with three
# seeds. This takes about {seconds} seconds.

# %% predict="10.mended"


# %% tags=["S12", "E13", "nbval-ignore-output"]
accuracy = {}
for name, residual in versions.items():
    accuracy[name] = [
        echo_accuracy(4, seed, residual=residual, **repaired) for seed in effort.seeds()
    ]
    print(f"{name:12}", np.round(accuracy[name], 2))

# %% tags=["S12", "E13"] jupyter={"source_hidden": true}
# The text below relies on this.
assert max(accuracy["none"] + accuracy["feed-forward"]) < 0.25
assert min(accuracy["both"]) > 0.99
reveal("10.mended")

# %% [markdown]
# The three stacks differ only in their plus signs. The gradient arrives in all of them, but in 60 steps only one learns. (Why
# 0.14 and not 0.06? "Deeper" has the answer.) So let us look at the vectors themselves, before training. How much do they
# differ from token to token? We subtract the mean over all tokens of the sequence, and divide the length of what remains by
# the length of the whole. If the result is 0, all tokens have the same vector.

# %% tags=["S12"]
own = {
    name: [token_specific_fractions(8, seed, residual=residual, **repaired) for seed in range(3)]
    for name, residual in versions.items()
}
title = "Differences between the tokens"
ax = figures.curves(range(9), own, title, "layers", "fraction of the length", log="y")

# %% [markdown]
# <!-- picture -->
# how much the tokens' vectors still differ after each layer, before training; lines are medians of three
# seeds, and bands show the range. With both residual connections, the line falls slowly. The other two plunge: after four
# layers less than one part in ten thousand is left, and soon only rounding errors remain. Every token has become the same
# vector. Attention computes averages, and averages of averages get more and more alike.
# <!-- end -->
#
# If all tokens share one vector, nobody can tell which token was which. And the gradient, although it arrives, does not
# help. If the differences between tokens change at the bottom, the loss at the top hardly changes, so the gradient says
# little about keeping these differences. Under "Deeper", a control shows that this is what stops the learning here.
#
# So residual connections do two things: **on the way down they pass on the gradient, and on the way up they keep what tells
# one token from another.**

# %% [markdown]
# ## Before you go {#exit}

# %% ask="10.exit"


# %% [markdown]
# <!-- answer -->
# **Why does a sublayer add its output to its input?** Because then the token, and everything that was added to it, is still
# there for all later sublayers unless one of them wipes it out; and because every factor of the gradient on its way down
# contains a 1. Every sublayer adds, and nothing here keeps the size of the stream under control. That is the job of lesson 11.

# %% [markdown]
# To take away:
#
# <!-- takeaway -->
# * $y = x + F(x)$: every sublayer reads the residual stream and adds to it.
# * Without the plus sign, our gradients vanished with depth, *and* attention made all tokens the same.
# * The width $d_\text{model}$ is the same from bottom to top.
# <!-- end -->
#
# An addition costs no parameters. What is it worth? After lesson 11, in [stage B4 of the
# Build](../exercises/B4_a_gpt.ipynb), you write a block with it, then one without.
#
# To read next:
#
# <!-- readings -->
# * {he2015}: residual connections in image models of 152 layers and more.
# * {vaswani2017}, section 3.1: a residual connection around each sublayer.
# * {dong2021}: a proof that pure attention makes all tokens the same.

# %% [markdown] seconds=5
# ## Deeper {#deeper}
#
# You can read each of these parts on its own; nothing later needs them.
#
# ### Is the collapse what stops the learning?
#
# So far we have seen the collapse and the failure to learn happen together. Here is the control: the stack with *no* residual
# connections once more, with the same parameters and the same rescaling, but every token may attend only to itself. Nothing is
# averaged, so the tokens stay apart. (The three training runs take about {seconds} seconds.)

# %% tags=["S12", "nbval-ignore-output"]
version = {"residual": (), "self_only": True, **repaired}
apart = [token_specific_fractions(4, seed, **version)[4] for seed in range(3)]
learned = [echo_accuracy(4, seed, **version) for seed in effort.seeds()]
print("still differs after 4 layers:", np.round(apart, 2), " accuracy:", np.round(learned, 2))

# %% tags=["S12"]
assert min(apart) > 0.5
assert min(learned) > 0.99

# %% [markdown]
# This stack learns without any plus sign. (Forbidding the averages is no way out, of course: then tokens could never
# exchange information.)
#
# And where did the accuracies of 0.14 to 0.18 come from? If all tokens of a sequence have the same vector, they all get the
# same answer, and the best such answer is the most frequent token. So the accuracy of such a stack cannot be higher than the
# following number, and after 60 steps the stacks have not quite reached it:

# %%
sequences = np.random.default_rng(0).integers(0, 16, (20_000, 12))
most_frequent = (sequences[:, :, None] == np.arange(16)).sum(axis=1).max(axis=1)
print(f"the most frequent token makes up {most_frequent.mean() / 12:.2f} of a sequence of 12")

# %% [markdown]
# ### Do residual connections rule out the collapse?
#
# When all tokens become the same, this is called **rank collapse** (Dong and others 2021). The *rank* of a table is the
# smallest number of its rows from which you get all the others as weighted sums; if all rows are the same, the rank is 1. Here
# is how much still differs after 32 layers *with* residual connections, for the larger parameters used above and for torch's
# own, both times with rescaling:

# %% tags=["S12"]
for name, xavier in (("larger parameters", True), ("as torch draws them", False)):
    left = [
        token_specific_fractions(32, seed, xavier=xavier, rescaled=True)[32] for seed in range(3)
    ]
    print(f"{name:20}", np.round(left, 4))

# %% [markdown]
# So residual connections do not rule out the collapse. With the larger parameters, the tokens still end up the same, only
# later.
#
# ### With other parameters
#
# Is the vanishing gradient the fault of torch's parameters? The larger parameters used above come from a common recipe, named
# after Xavier Glorot: larger numbers in the matrices, and biases of 0 (Glorot and Bengio 2010).

# %% tags=["S12"]
xavier_start = {"without": by_depth(residual=(), xavier=True), "residual": by_depth(xavier=True)}
left, right = figures.panels(2, 5.0)
for start, title, ax in (
    (torch_start, "As torch draws them", left),
    (xavier_start, "Xavier initialisation", right),
):
    ylabel = "gradient, bottom ÷ top"
    figures.curves(depths, start, title, "layers", ylabel, log="xy", level=(1, ""), ax=ax)
    ax.set_ylim(1e-40, 1e15)

# %% [markdown]
# <!-- picture -->
# the left panel repeats the first plot of this lesson, and the right panel shows the same for larger
# parameters. In both, the scale goes up by a factor of a million from one label to the next. On the right, the lower line
# falls more slowly, but it does fall. And the upper line *rises*, to a billion and more: here the plus sign cures vanishing
# gradients, but not growing ones.
#
# ### One plus sign per layer, or two?
#
# A layer of an encoder has two sublayers: attention, then the feed-forward network. You may have read that "the output of the
# feed-forward network is added to the original input", with nothing of the kind said about attention. Is one plus sign enough?
# Take three tokens, an attention layer that has not learned anything yet (all its scores are 0, and its values are the tokens
# themselves), and a feed-forward network with random matrices.

# %% tags=["E13"]
X = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
rng = np.random.default_rng(0)
W_1, W_2 = rng.standard_normal((2, 8)), rng.standard_normal((8, 2))


def attention(x):
    return np.full((3, 3), 1 / 3) @ x


def feed_forward(x):
    return np.maximum(x @ W_1, 0) @ W_2


# %% predict="10.note_2"


# %% tags=["E13"]
middle = attention(X)
one_plus = middle + feed_forward(middle)
middle = X + attention(X)
two = middle + feed_forward(middle)
for name, vectors in (("around the feed-forward network:", one_plus), ("around both:", two)):
    print(f"{name:33} {vectors.round(2).tolist()}")
reveal("10.note_2")

# %% [markdown]
# (Equal weights are an extreme case. With unequal weights, the tokens stay a little apart, and the next layer brings them
# closer still. You have seen how fast.)
#
# Perhaps "the original input" means the input of the whole layer: one plus sign around both sublayers, and none around
# attention alone. Then the tokens stay apart. But the feed-forward network never reads them, so it adds the same vector to all
# three:

# %% tags=["E13"]
one_around_both = X + feed_forward(attention(X))
print("added to each token:", (one_around_both - X).round(2).tolist())

# %% [markdown]
# In the original Transformer paper, *each* of the two sublayers has a residual connection (Vaswani and others 2017, section
# 3.1), and the same is true in torch. You can test it. Silence torch's attention by setting its last matrix to zero. If
# attention has a plus sign of its own, the feed-forward network still reads the tokens, and adds something different to
# each. Then silence that network as well: now the layer should add nothing at all. (`norm_first=True` places the norms
# inside the sublayers, so they leave the stream alone; lesson 11.)

# %% tags=["E13"]
torch.manual_seed(0)
layer = torch.nn.TransformerEncoderLayer(
    4, nhead=1, dim_feedforward=8, dropout=0.0, norm_first=True, batch_first=True
)
tokens = torch.randn(1, 3, 4)
for name, last in (("attention", layer.self_attn.out_proj), ("both", layer.linear2)):
    torch.nn.init.zeros_(last.weight)
    torch.nn.init.zeros_(last.bias)
    added = (layer(tokens) - tokens)[0, :, 0]
    print(
        f"{name} silent, added to the first number of each token:", added.detach().numpy().round(2)
    )

# %% [markdown]
# So the sentence should read: *the output of each sublayer, attention as well as the feed-forward network, is added to the
# input of that sublayer.* (Would a plus sign around attention alone be enough? That is a question on sheet 10.)
#
# <!-- end -->
# <details><summary>What if one sublayer returned a different width?</summary>Then its output could not be added. The stream
# itself would have to go through another matrix, and the slope would lose its 1. Inside, a sublayer may be as wide as it
# likes: W_O brings the heads back to d_model, and the feed-forward network widens and then narrows again. (Take care with a
# single number per token: it would be broadcast to the full width without any error. So test the shape that your sublayer
# returns.) </details>
