# %% [markdown]
# # 01 · Why attention? How does the first word of a text still reach the last?
#
# Attention is one answer to an old question, and the question came first. In this lesson you put three kinds of readers to
# the same test: remember the first **token** of a text (its first piece, such as a word) until its end. You measure who
# forgets, why, and how many steps each has to wait for. Some of what is often said about them will turn out to be false.
#
# About 40 minutes; the headings are good places for a rest. Afterwards you can
#
# * say, with numbers, what a recurrent network loses over distance, and what it does not;
# * compare how far apart two tokens are for a recurrent network, a convolution and attention;
# * tell "less waiting" from "less work".

# %%
import functools
import math

import numpy as np
import torch

from transformer_course import figures
from transformer_course.exercises import ask, predict, reveal
from transformer_course.experiments.recall import (
    gradient_by_token,
    new_reader,
    recall_accuracy,
    recall_sequences,
)

torch.set_num_threads(1)

# %% [markdown]
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %%
ask("01.recall")

# %% [markdown]
# ## Something in between
#
# *The **keys** to the cabinet in the hall **are** gone.*
#
# Why *are*, and not *is*? Because of *keys*, seven words earlier. Two other nouns stand in between, both singular, and they
# do not count. A machine that writes this sentence word by word needs something of *keys* at the place of *are*. How does
# that get there?

# %% [markdown]
# ## Reading with one memory
#
# A **recurrent network** (RNN) reads as we do, one token after another. It keeps one memory, the **state**, and at each
# token it makes a new state from the old one and the token. Here is the smallest there is: its state is one number, and at
# each token it keeps 0.9 of what it had, and adds the token. The first token is 1, and zeros follow, so whatever is left
# comes from the first.

# %%
state = 0.0
for token in [1, 0, 0, 0, 0]:
    state = 0.9 * state + token
    print(round(state, 4))

# %%
predict("01.fading")

# %%
for keep in (0.9, 1.0, 1.1):
    print(f"{keep}: {keep**50:.4f}")
reveal("01.fading")

# %% [markdown]
# Each further token multiplies what is left by the same factor, so it shrinks *exponentially*. With 0.9, half a percent is
# left after fifty. With 1.1 it grows to over a hundred times what it was, and drowns everything else. Only exactly 1 keeps
# it, and then nothing is ever forgotten, and everything piles up.
#
# A real RNN has a state of many numbers, `h`, and matrices, `W_h` and `W_x`, that training chooses. At each token
#
# $$h_t = \tanh(h_{t-1} W_h + x_t W_x)$$
#
# where tanh squeezes each number to between −1 and 1. One thing stays: on its way from the first token to the last, a
# message goes through the same product once for every token.

# %% [markdown]
# ## A test of memory
#
# To measure that, we need a test in which nothing else helps. Here are three texts of ten tokens:

# %%
tokens, first = next(recall_sequences(length=10, size=3, seed=0))
print(tokens)
print("asked for at the end:", first)

# %% [markdown]
# The first token is one of eight kinds, 0 to 7. All others, 8 to 15, are noise. At the end the reader has to name the
# first. A guess is right once in eight.
#
# Three readers take the test. Each turns every kind of token into a list of 32 numbers, its *vector*, reads, and gives a
# score to each of the eight possible answers. All start with random numbers inside, and get the same **training**: 300
# steps, each of which shows 32 texts and moves all those numbers a little in the direction that makes the right answers
# likelier.
#
# * the **RNN** from above;
# * the **LSTM**, an RNN with a second memory beside its state. At each token, *gates* decide for each number of this memory
#   what share of it is kept (the *forget gate*) and what is added. (The LSTM is from 1997, its forget gate from 2000);
# * **attention**: the last token looks at all tokens at once, and takes a weighted average of them. Training finds out what
#   should get a large weight. (The next lesson does this by hand. Each token also carries a mark of its position, which the
#   others do not need, since they read in order; lesson 07.)

# %%
predict("01.recall")

# %% [markdown]
# The next cell trains 36 readers: three kinds, four lengths of text (each reader is trained and tested on one length),
# three random starts each, called *seeds*. Give it half a minute.

# %% tags=["S1"]
lengths, seeds = [5, 10, 20, 50], range(3)
accuracy = {}
for name, model in {"RNN": "rnn", "LSTM": "lstm", "attention": "attention"}.items():
    runs = [[recall_accuracy(model, n, seed=seed) for n in lengths] for seed in seeds]
    accuracy[name] = runs

# %% tags=["S1"]
ax = figures.curves(
    lengths,
    accuracy,
    "Who still knows the first token?",
    "tokens in the text (each step a factor)",
    "share of new texts answered correctly",
    log="x",
    level=(1 / 8, "chance"),
)

# %% [markdown]
# **In the picture:** each curve is the middle one of three seeds, the band goes from the worst to the best. At 5 tokens all
# three answer every text. From 10 tokens on, the RNN does no better than guessing, and from 20 on the LSTM neither (at 10
# its seeds still disagree). Attention stays at the top throughout.

# %% tags=["S1"] jupyter={"source_hidden": true}
rnn, lstm, attention = map(np.array, accuracy.values())
print("attention, every length and seed, at least 0.99:", attention.min() >= 0.99)
print("RNN from 10 tokens on, below 0.25:  ", rnn[:, 1:].max() < 0.25)
print("LSTM from 20 tokens on, below 0.25: ", lstm[:, 2:].max() < 0.25)
reveal("01.recall")

# %% [markdown]
# ## A trial for the LSTM
#
# Now one could write: "LSTMs cannot carry a token over twenty others." The course grew from five texts, which it calls
# notes 1 to 5 ([docs/sources.md](../docs/sources.md) lists them); notes 1 and 2 say in general that RNNs and LSTMs have
# trouble with distance. But we have tried *one* LSTM, as torch sets it up. Look at how that one starts.
#
# A gate lets through sigmoid(z), where z is what it computes from token and state, plus a number of its own, its **bias**.
# The sigmoid turns any number into a share between 0 and 1. Before training, z is near 0, and the share about one half:

# %%
for bias in (0.0, math.log(50)):
    print(f"sigmoid({bias:.2f}) = {torch.sigmoid(torch.tensor(bias)):.4f}")
print(f"a half, 50 times over: {0.5**50:.0e}")
print(f"50/51, 50 times over:  {(50 / 51) ** 50:.4f}")

# %% [markdown]
# One half at each of fifty tokens leaves nothing. But look at the second line. If the biases of the forget gates start at
# $\log T$ for texts of $T$ tokens (the natural logarithm), the gates start by keeping about $T/(T+1)$: with $T = 50$, 50/51
# = 0.98. Fifty times over, that leaves more than a third: the last line. (A simple form of a proposal by Tallec and
# Ollivier, 2018.)
#
# Does it help? The LSTM from above is the **control**. This one is the same, with as many numbers to train (its
# **parameters**), trained in the same way (some ten seconds). Only those biases start elsewhere.

# %% tags=["S1"]
patient = [
    [recall_accuracy("lstm", t, forget_bias=math.log(t), seed=seed) for t in lengths]
    for seed in seeds
]
print("LSTM with bias log T, every length and seed, at least 0.99:", np.min(patient) >= 0.99)
for model, bias in (("rnn", 0), ("lstm", 0), ("lstm", math.log(50)), ("attention", 0)):
    numbers = sum(p.numel() for p in new_reader(model, 50, forget_bias=bias).parameters())
    print(model, "with bias log T:" if bias else "", numbers)

# %% tags=["S1"]
left, right = figures.panels(2, 4.8)
style = {
    "xlabel": "tokens in the text",
    "ylabel": "correct",
    "log": "x",
    "level": (1 / 8, "chance"),
}
plain, biased = {"LSTM as it comes": accuracy["LSTM"]}, {"LSTM, bias log T": patient}
ax = figures.curves(lengths, plain, "It keeps about 1/2 at first", ax=left, **style)
ax = figures.curves(lengths, biased, "It keeps T/(T+1) at first", ax=right, **style)

# %% [markdown]
# **In the picture:** the same network twice, scored as before. On the left it only guesses from 20 tokens on. On the right
# nothing is lost up to 50: there is no curve to see but the line along the top.
#
# So the sentence was false. An LSTM *can*, at least this far, if its gates start nearly open; and it even has the most
# parameters of all. Attention needed no such start, and has about half as many. That is a real difference, and a smaller
# one than the sentence claimed.
#
# (We have not tried to save the plain RNN. Others have, with W_h started as the identity and another function in place of
# tanh: Le, Jaitly and Hinton, 2015.)

# %% [markdown]
# ## What reaches token 1
#
# Why does the start matter so much, if training can change everything? Because training goes by slopes: if this number
# moved a little, how much would the score of the right answer move? All these slopes together are called the **gradient**.
# If the *first token's vector* can move the score, training can learn to use it. If the score does not move with it,
# training cannot see that it matters.
#
# A token's vector has 32 numbers, so 32 slopes; we take the length of this list of slopes, for each token of a text. All
# readers are as they start, not yet trained.

# %%
predict("01.gradient")

# %% tags=["S1"]
arms = {
    "RNN": ("rnn", 0),
    "LSTM": ("lstm", 0),
    "attention": ("attention", 0),
    "LSTM, bias log T": ("lstm", math.log(40)),
}
gradient = {}
for name, (model, bias) in arms.items():
    readers = [new_reader(model, 40, forget_bias=bias, seed=seed) for seed in seeds]
    gradient[name] = np.array([gradient_by_token(reader, 40) for reader in readers])

# %% tags=["S1"]
ax = figures.curves(
    np.arange(1, 41),
    gradient,
    "Falling on the way back to token 1, or level",
    "token (40 is the last)",
    "gradient, each step a factor of 100",
    log="y",
)

# %% [markdown]
# **In the picture:** upwards, each step of the axis is a *factor*. Read from right to left. The RNN's gradient falls in a
# straight line: each token that it passes multiplies it by the same factor, and at token 1 it is less than a millionth of a
# millionth of what it was. The LSTM's falls too, in a flatter line. With the other bias, the line stays within a factor of
# about three. Attention's is level too, but for the last token, which asks the question itself; and it lies *below* that of
# the LSTM with bias log T. (How high it lies depends on the length, as you will see in a moment. What matters is level or
# falling.)

# %% tags=["S1"]
for name, lines in gradient.items():
    share = np.median(lines[:, 0] / lines[:, 38])  # 38 is token 39: the last one asks the question
    print(f"{name}: token 1 has more than a tenth of the gradient of token 39: {share > 0.1}")
assert np.median(gradient["RNN"][:, 0] / gradient["RNN"][:, 38]) < 1e-12
reveal("01.gradient")

# %% [markdown]
# Where next to no gradient arrives, training can hardly see that token 1 matters; and the RNN and the LSTM did not learn it in
# our 300 steps, in any text of 20 tokens or more. That fits together, and is why the start matters so much.
#
# The picture also shows what attention pays. Before training it shares its weight out about evenly, so each of 40 tokens gets
# about a fortieth. Its line is level, but the lower the longer the text. How much lower? The mean over all tokens but the
# last, and over ten seeds:

# %% tags=["S1"]
level = {}
for n in (20, 40, 80):
    readers = [new_reader("attention", n, seed=seed) for seed in range(10)]
    level[n] = np.mean([gradient_by_token(reader, n)[:-1].mean() for reader in readers])
print(f"from 20 to 40 tokens: divided by {level[20] / level[40]:.1f}")
print(f"from 40 to 80 tokens: divided by {level[40] / level[80]:.1f}")

# %% [markdown]
# Twice as many tokens, half the gradient: that is a division by $T$. In the RNN, twice as many tokens *square* the share
# that is left: a hundredth becomes a ten-thousandth.

# %% [markdown]
# ## How long must you wait?
#
# The second price of a recurrent network is the queue: token 50 cannot be read before token 49 has been. torch keeps a
# record of which operation needs the result of which other, so we can let it count the longest chain. Here are both ideas
# in a few lines, with any matrices (you need not follow how the counting works):

# %%
W_1 = torch.eye(4, requires_grad=True)  # requires_grad: keep the record
W_2 = torch.eye(4, requires_grad=True)


def recurrent(x):
    h = torch.zeros(4)
    for token in x:
        h = torch.tanh(h @ W_1 + token @ W_2)
    return h


def attend(x):
    scores = x @ W_1 @ x[-1]  # the last token asks
    return torch.softmax(scores, dim=0) @ x @ W_2  # softmax makes shares of scores: lesson 02


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
# (torch counts some bookkeeping too, such as taking one row of x.) What matters is how it grows: on one side the chain
# doubles each time the text does, on the other it is the same for any length (a sum over many tokens counts as one
# operation here). This holds for *reading* a text that is there. A text that is being *written*, token after token, makes
# attention wait as well; lesson 16.
#
# Does attention have less to *do*, then? Count the multiplications, for vectors of $d$ numbers. An RNN multiplies each of
# $n$ tokens, and each state, by a matrix of $d \times d$ numbers: $2 n d^2$. In a Transformer, every token asks, not just the
# last. Then each of $n$ tokens is compared with all $n$ and takes an average of all $n$, $2 n^2 d$; and attention has four
# matrices, by which each token is multiplied (lessons 03 and 05), $4 n d^2$.

# %%
d = 512
for n in (64, 512, 4096):
    rnn, attention = 2 * n * d * d, 4 * n * d * d + 2 * n * n * d
    print(f"{n} tokens, in millions: RNN {rnn / 1e6:.0f}, attention {attention / 1e6:.0f}")

# %% [markdown]
# Attention does more than the RNN at every length, and only its work grows with the *square* of the length. "Attention is
# faster" is thus half true: **it waits less, and works more.** Which of them counts depends on the machine. Lesson 17 comes
# back to what grows with $n^2$.

# %% [markdown]
# ## A third way: convolutions
#
# A **convolution** makes each new vector from a token and its near neighbours. With a *kernel* of 3, these are the token
# itself and one on each side. Further layers mix those mixtures. All places of a layer are computed at once, but each
# layer waits for the one below it. So how many layers does it take until the first token reaches the last?

# %%
predict("01.layers")

# %% [markdown]
# We can watch it. A 1 at the first place, zeros elsewhere, and layer by layer each place becomes 1 as soon as one of those
# that it sees is. A larger `gap` means that it sees not its next neighbours but those `gap` places away:


# %% tags=["S30"]
def layers_needed(distance, gap_of_layer):
    reached, layers = np.arange(distance + 1) == 0, 0
    while not reached[-1]:
        gap, before = gap_of_layer(layers), reached.copy()
        reached[gap:] |= before[:-gap]  # what reached the place so far to the left
        layers += 1
    return layers


print("always the next neighbours:", layers_needed(64, lambda layer: 1))
print("gaps 1, 2, 4, 8, …:        ", layers_needed(64, lambda layer: 2**layer))
reveal("01.layers")

# %% [markdown]
# With kernel 3 a layer reaches *one* place further, so 64 places take 64 layers. A kernel of 5 reaches two further, a
# kernel of $k$ reaches $(k-1)/2$. If each layer leaves gaps twice as large as the one before, the reach doubles: after 6
# layers it is 1 + 2 + 4 + 8 + 16 + 32 = 63, just short, and the seventh gets there. And attention? Every token sees every
# other at once: one step.

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
ax = figures.curves(apart, paths, title, "places apart", "steps", log="xy")

# %% [markdown]
# **In the picture:** each step of either axis is a factor. The recurrent network and the plain convolution climb with the
# distance; with a wider kernel one layer is enough for near tokens; beyond its reach, the line climbs just as steeply.
# Doubling gaps bend the line: one step more each time the distance doubles. Attention stays at 1.

# %% [markdown]
# ## Before you go

# %%
ask("01.exit")

# %% [markdown]
# **Why attention? How does the first word still reach the last?** In a recurrent network only through every token in
# between, and what it carries is multiplied at each by a factor that has to stay close to 1; in attention directly, in one
# step that waits for no other, at the price of comparing every token with every other.
