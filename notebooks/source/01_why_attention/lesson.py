# %% [markdown] minutes=21
# # 01 · Why attention? How does the first word of a text still reach the last?
#
# In 2016, Google presented a translator made of two recurrent networks. One read a sentence, the other wrote it in another
# language, and attention connected the two ({wu2016}). One year later came a paper that kept only the attention
# ({vaswani2017}): the Transformer. What was wrong with the rest? You know the trouble from long sentences: by
# the time you reach the end, the beginning has faded. By how much? You will give three kinds of
# model the same memory test, and see which of them still remembers the first token at the end.
#
# About {minutes} minutes. By the end, you will be able to
#
# * say, with numbers, what happens to the first token inside a recurrent network;
# * use a gradient to tell whether training can find a connection;
# * say in what sense attention is faster than a recurrent network, and what it costs.

# %%
import functools
import math

import numpy as np
import torch

from transformer_course import figures
from transformer_course.exercises import ask, predict, reveal
from transformer_course.experiments import effort
from transformer_course.experiments.recall import (
    accuracies,
    gradient_by_token,
    new_reader,
    recall_sequences,
)

torch.set_num_threads(1)

# %%
attention = ["encoder self-attention", "decoder self-attention", "cross-attention"]
ax = figures.architecture(
    *attention, title="Lesson 01: why are these three boxes there?", small=True
)

# %% [markdown]
# <!-- picture -->
# the highlighted boxes are the subject of lessons 01 to 05.

# %% [markdown]
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %% ask="01.recall"


# %% [markdown]
# ## Something in between
#
# *The **keys** to the cabinet in the hall **are** gone.*
#
# Why *are*, not *is*? Because of *keys*, seven words earlier. Two other nouns, both singular, come in between, but they do
# not matter. A model that writes this sentence word by word needs some information about *keys* when it writes *are*. How
# does that information get there?

# %% [markdown]
# ## Reading with one memory
#
# A **recurrent network** (RNN) reads as we do, one **token** after another; a token is one piece of a text, such as a word.
# The network keeps one memory, the **state**. At each token it computes a new state from the old state and the token. Here is
# the smallest possible network. Its state is one number: at each token it keeps 0.9 of what it had, and adds the token. The
# first token is 1 and zeros follow (here each token is simply a number), so whatever is left comes from the first.

# %%
state = 0.0
for token in [1, 0, 0, 0, 0]:
    state = 0.9 * state + token
    print(round(state, 4))

# %% predict="01.fading"


# %%
for keep in (0.9, 1.0, 1.1):
    print(f"{keep}: {keep**50:.4f}")
reveal("01.fading")

# %% [markdown]
# At each token, what is left is multiplied by the same factor, so it shrinks or grows *exponentially*. With 0.9, half a
# percent is left after fifty tokens. With 1.1 it grows more than a hundredfold and drowns out everything else. Only a factor
# of exactly 1 keeps it. But then nothing is ever forgotten, and everything piles up.
#
# A real RNN has a state of many numbers, $h$. Training chooses its matrices, $W_h$ and $W_x$. At each token
#
# $$h_t = \tanh(h_{t-1} W_h + x_t W_x)$$
#
# where tanh squeezes each number to between −1 and 1. One thing stays the same: information about the first token is
# multiplied by $W_h$ and squeezed once at every later token.

# %% [markdown]
# ## A memory test
#
# To measure this, we need a test in which nothing but memory helps. Here are three sequences of ten tokens:

# %%
tokens, first = next(recall_sequences(length=10, size=3, seed=0))
print(tokens)
print("correct answers:", first)

# %% [markdown]
# The first token is a number from 0 to 7. All others, from 8 to 15, are noise. At the end the model has to name the first
# token. A blind guess is right one time in eight.
#
# Three models take the test. Each turns every token into a list of 32 numbers, its **vector**, reads the sequence, and gives a
# score to each of the eight possible answers. All of them start from random numbers and get the same **training**: 300 steps,
# each of which shows the model 32 sequences and changes all the model's numbers a little, so that the right answers get higher
# scores.
#
# * The **RNN** is the one above.
# * The **LSTM** is an RNN with a second memory beside its state. At each token, *gates* decide for each number of this memory
#   what fraction of it is kept (the *forget gate*) and how much is added.
# * In **attention**, the last token looks at all tokens at once and takes a weighted average of them. Training finds out which
#   ones should get a large weight. (You do the averaging by hand in lesson 02. Each vector also carries its position, which
#   the other two models do not need because they read in order; see lesson 07.)

# %% predict="01.recall"


# %% [markdown] seconds=30
# The next cell trains 36 models: three kinds, four lengths (each model is trained and tested on one length), and three
# different random starts, called **seeds**. This takes about {seconds} seconds.

# %% tags=["S1"]
lengths, seeds = [5, 10, 20, 50], effort.seeds()
accuracy = {
    name: accuracies(model, lengths, seeds)
    for name, model in {"RNN": "rnn", "LSTM": "lstm", "attention": "attention"}.items()
}

# %% tags=["S1"]
ax = figures.curves(
    lengths,
    accuracy,
    "Who still knows the first token?",
    "tokens in the sequence (log scale)",
    "accuracy on new sequences",
    log="x",
    level=(1 / 8, "chance"),
)

# %% [markdown]
# <!-- picture -->
# each line is the median of three seeds, and the band shows their range. The horizontal axis is a *log scale*: equal
# distances mean equal factors, so from 5 to 10 is as far as from 10 to 20. At 5 tokens all three models are right every
# time. From 10 tokens on, the RNN does no better than chance. From 20 tokens on, the LSTM does no better either; at 10, its
# seeds still disagree. Attention is right at every length.

# %% jupyter={"source_hidden": true}
rnn, lstm, attentive = map(np.array, accuracy.values())
assert attentive.min() >= 0.99
assert rnn[:, 1:].max() < 0.25
assert lstm[:, 2:].max() < 0.25
reveal("01.recall")

# %% [markdown]
# ## How the gates start
#
# You might conclude that an LSTM cannot remember the first of twenty tokens. But we have tried only *one* LSTM, with
# torch's default initial values.
#
# A gate lets through a fraction, $\text{sigmoid}(z) = 1 / (1 + e^{-z})$, between 0 and 1. Here z is what the gate computes
# from the token and the state, plus a learned number, its **bias**. Before training, z varies around 0, so the fraction varies
# around one half:

# %%
for bias in (0.0, math.log(50)):
    kept = torch.sigmoid(torch.tensor(bias)).item()
    print(f"bias {bias:.2f}: the gate keeps {kept:.4f}, and after 50 tokens {kept**50:.2g}")

# %% [markdown] seconds=10
# After fifty halvings, almost nothing is left ($9 \cdot 10^{-16}$). In the second line, the biases of the forget gates start
# at $\log T$ for sequences of $T$ tokens (the natural logarithm). Since $\text{sigmoid}(\log T) = 1/(1 + 1/T) = T/(T+1)$, the
# gates keep about 50/51 at first, and over a third of the token survives.
#
# Does that help? The LSTM above is our **control**. The new one has just as many numbers to train, its **parameters**, and is
# trained in the same way. Only those biases start at a different value. Training takes about {seconds} seconds.

# %% tags=["S1"]
patient = accuracies("lstm", lengths, seeds, forget_bias=math.log)  # the log of each length
for model, bias in (("rnn", 0), ("lstm", 0), ("lstm", math.log(50)), ("attention", 0)):
    reader = new_reader(model, 50, forget_bias=bias)
    print(f"{model:9} {sum(p.numel() for p in reader.parameters()):6,} parameters, bias {bias:.2f}")

# %% tags=["S1"]
ax = figures.curves(
    lengths,
    {"bias log T": patient, "default start": accuracy["LSTM"]},
    "One LSTM, two starts",
    "tokens in the sequence (log scale)",
    "accuracy on new sequences",
    log="x",
    level=(1 / 8, "chance"),
)
assert np.min(patient) >= 0.99  # every length and every seed

# %% [markdown]
# <!-- picture -->
# the same network with two starts. With the bias at log T it makes hardly any mistakes up to 50 tokens.
# <!-- end -->
#
# So the conclusion was false. An LSTM *can* do it, at least this far, if its gates start nearly open. Attention needs no such
# help, and it has only about half as many parameters.

# %% [markdown]
# ## What reaches token 1
#
# Why does the start matter so much, if training can change everything? Because training follows slopes: they say how much the
# score of the right answer would change if a number in the model or in its input changed a little. All these slopes together
# are the **gradient**. If the score does not depend on the *first* token's vector, training cannot see that this token
# matters.
#
# Take our four models (RNN, LSTM, LSTM with bias log T, attention) before training, and sequences of 40 tokens. A token's
# vector has 32 numbers, so there are 32 slopes. These form a vector too. We measure its length,
# $\sqrt{s_1^2 + \dots + s_{32}^2}$, for each token.

# %% predict="01.gradient"


# %% tags=["S1"]
conditions = {
    "RNN": ("rnn", 0),
    "LSTM": ("lstm", 0),
    "attention": ("attention", 0),
    "LSTM, bias log T": ("lstm", math.log(40)),
}
gradient = {}
for name, (model, bias) in conditions.items():
    readers = [new_reader(model, 40, forget_bias=bias, seed=seed) for seed in seeds]
    gradient[name] = np.array([gradient_by_token(reader, 40) for reader in readers])

# %% tags=["S1"]
ax = figures.curves(
    np.arange(1, 41),
    gradient,
    "What reaches each token, before training",
    "token (40 is the last)",
    "gradient (log scale)",
    log="y",
)

# %% [markdown]
# <!-- picture -->
# each step of the vertical axis is a factor of 100. Read from right to left, because slopes are computed
# backwards from the answer. The RNN's gradient falls in a straight line: each token multiplies it by about the same factor.
# The LSTM's line falls too, but less steeply. With the bias at log T it stays nearly level. Attention's line is level too,
# except at the last token: its vector also decides how much weight each token gets.

# %% tags=["S1"]
for name, lines in gradient.items():
    ratio = np.median(lines[:, 0] / lines[:, 38])  # token 1 over token 39
    print(f"{name:17} token 1 gets {ratio:.1g} times the gradient of token 39")
reveal("01.gradient")

# %% [markdown]
# Where almost no gradient arrives, training can hardly see that token 1 matters. That fits our test.

# %% [markdown]
# ## How long must you wait?
#
# A recurrent network has a second drawback: it cannot read token 50 before it has read token 49. torch records which
# operations need the results of which others, so we can count the operations in the longest chain, where each waits for the
# one before. Here are a recurrent network and attention in a few lines:

# %%
W_1 = torch.eye(4, requires_grad=True)  # requires_grad: keep the record
W_2 = torch.eye(4, requires_grad=True)


def recurrent(x):
    h = torch.zeros(4)
    for token in x:
        h = torch.tanh(h @ W_1 + token @ W_2)
    return h


def attend(x):
    scores = x @ W_1 @ x[-1]  # how well each token matches the last one
    return torch.softmax(scores, dim=0) @ x @ W_2  # softmax turns scores into weights: lesson 02


# %% tags=["S1"]
@functools.cache
def chain(operation):
    """How many operations have to wait for each other, up to this one."""
    earlier = [before for before, _ in operation.next_functions if before is not None]
    return 1 + max(map(chain, earlier), default=0)


for n in (10, 20, 40):
    x = torch.ones(n, 4)
    longest = [chain(result.grad_fn) for result in (recurrent(x), attend(x))]
    print(f"{n} tokens: recurrent {longest[0]}, attention {longest[1]}")

# %% [markdown]
# (The counts include some bookkeeping, such as adding an axis and removing it again.) What matters is how the chain grows:
# the recurrent one doubles when the sequence does, but attention's stays the same. This holds for *reading*. When a model
# *writes* a text token by token, attention has to wait too; see lesson 16.
#
# But less waiting is not less work. In a Transformer, every token looks at all tokens, not only the last one. A part under
# *Deeper* counts what that costs.

# %% [markdown]
# ## Before you go {#exit}

# %% ask="01.exit"


# %% [markdown]
# <!-- answer -->
# **Why attention? How does the first word of a text still reach the last?** In a recurrent network, it passes through every
# token in between, and each multiplies it by a factor that has to stay very near 1. In attention, it gets there directly, in
# one step, at the price of comparing every token with every other.

# %% [markdown]
# Three lines to take away:
#
# <!-- takeaway -->
# 1. A number that is multiplied by the same factor at every token vanishes or explodes with the distance, unless the factor is
#    almost exactly 1.
# 2. Here, the gradient at token 1 showed before training which models would find the task hard.
# 3. A failed run with one setting does not show that a model *cannot* do something. Ask how it started.
# <!-- end -->
#
# You now know what attention is for. Lesson 02 works out on paper what it computes, with six numbers. In [B1 · A model
# that learns](../exercises/B1_a_model_that_learns.ipynb), your own first model sees one character and nothing before it; [B2 ·
# One head](../exercises/B2_one_head.ipynb) gives it attention.
#
# To read next:
#
# <!-- readings -->
# * {hochreiter1997}: the LSTM, whose gates protect what it has stored.
# * {tallec2018}: why the LSTM's forget bias should depend on the length. Our log T is a simple form of their proposal.
# * {bahdanau2014}: attention is added to a recurrent translator, because the authors suspected that one vector cannot hold a
#   long sentence.

# %% [markdown]
# ## Deeper {#deeper}
#
# You can skip any of these parts, or come back to them later.

# %% [markdown]
# ### The price of attention
#
# In the picture of the gradients, attention's line was level, but it was below that of the LSTM with bias log T. Before
# training, attention spreads its weight almost evenly, so each of 40 tokens gets about a fortieth. How does the gradient
# depend on the length? We take the mean over all tokens but the last, and over ten seeds:

# %% tags=["S1"]
level = {}
for n in (20, 40, 80):
    readers = [new_reader("attention", n, seed=seed) for seed in range(10)]
    level[n] = np.mean([gradient_by_token(reader, n)[:-1].mean() for reader in readers])
print(f"from 20 to 40 tokens: divided by {level[20] / level[40]:.1f}")
print(f"from 40 to 80 tokens: divided by {level[40] / level[80]:.1f}")

# %% [markdown]
# Twice as many tokens, half the gradient. In the RNN, doubling the length *squares* the fraction that is left: a hundredth
# becomes a ten-thousandth.

# %% [markdown]
# ### Less waiting, more work
#
# Count the multiplications, for vectors of $d$ numbers and a sequence of $n$ tokens. An RNN multiplies each token and each
# state by a matrix of $d \times d$ numbers, which takes $2 n d^2$ multiplications. An LSTM does that four times, once for each
# of its three gates (the third decides what is output) and once for what it adds, so it takes $8 n d^2$. In this lesson only
# the last token looks at all tokens, but in a Transformer every token does. Each of $n$ tokens is compared with all $n$ and
# averages all $n$, which takes $2 n^2 d$; and each token is multiplied by four matrices (lessons 03 and 05), which takes
# another $4 n d^2$.

# %%
d = 512
for n in (64, 512, 1024, 4096):
    rnn, lstm, attention = 2 * n * d * d, 8 * n * d * d, 4 * n * d * d + 2 * n * n * d
    print(
        f"{n:4} tokens, in millions: RNN {rnn / 1e6:5.0f}, LSTM {lstm / 1e6:6.0f}, "
        f"attention {attention / 1e6:6.0f}"
    )

# %% [markdown]
# Attention does more work than a plain RNN at every length. An LSTM and attention do the same amount at $2d$ tokens (here
# 1,024). Below that, the LSTM does more. Beyond it, attention does the most, because its work grows with the *square* of the
# length; lesson 17 comes back to that. So whether attention takes fewer *seconds* depends on the machine and on the length.
# But beyond two tokens, attention has the shortest chain.

# %% [markdown]
# ### A third way: convolutions
#
# A **convolution** computes each new vector from a token and its near neighbours. With a *kernel* of 3, these are the token
# itself and one neighbour on each side. Further layers combine these results. All positions of a layer are computed at once,
# but each layer waits for the one below it. So how many layers does it take before the last position depends on the first?

# %% predict="01.layers"


# %% [markdown]
# You can watch this happen. Start with a 1 at the first position and zeros elsewhere. Layer by layer, each position becomes 1
# as soon as one of the positions that it sees is 1. With a larger `gap`, a position sees not its direct neighbours but those
# `gap` positions away:


# %% tags=["S30"]
def layers_needed(distance, gap_of_layer):
    reached, layers = np.arange(distance + 1) == 0, 0
    while not reached[-1]:
        gap, before = gap_of_layer(layers), reached.copy()
        reached[gap:] |= before[:-gap]  # what had reached the position `gap` places to the left
        layers += 1
    return layers


print("always the direct neighbours:", layers_needed(64, lambda layer: 1))
print("gaps 1, 2, 4, 8, …:          ", layers_needed(64, lambda layer: 2**layer))
reveal("01.layers")

# %% [markdown]
# With a kernel of 3, each layer reaches *one* position further, so 64 positions take 64 layers. With a kernel of $k$, each
# layer reaches $(k-1)/2$ positions further. If the gaps double from each layer to the next, so does the distance that each
# layer adds. After 6 layers the total is 1 + 2 + 4 + 8 + 16 + 32 = 63, one short, and the seventh layer gets there. In
# attention, every token sees every other in one step.

# %% tags=["S30"]
apart = [2, 4, 8, 16, 32, 64, 128, 256]
doubling = [layers_needed(distance, lambda layer: 2**layer) for distance in apart]
paths = {
    "recurrent, and convolution of 3": apart,
    "convolution of 9": [math.ceil(distance / 4) for distance in apart],
    "convolution, gaps doubling": doubling,
    "attention": [1 for distance in apart],
}
title = "Steps from one token to another"
ax = figures.curves(apart, paths, title, "positions apart", "steps", log="xy")

# %% [markdown]
# <!-- picture -->
# both axes are logarithmic. For the recurrent network and the plain convolution, the line
# climbs with the distance. With a wider kernel, one layer is enough for nearby tokens; beyond that, the line climbs just as
# steeply. With doubling gaps, the line adds one step each time the distance doubles. Attention stays at 1.

# %% [markdown]
# ### And the plain RNN?
#
# We have not tried to rescue the plain RNN. Others have, with $W_h$ initialised as the identity and ReLU (negative numbers
# become 0) in place of tanh: {le2015}. (The forget gate is itself younger than the LSTM: it was added in 2000.)
