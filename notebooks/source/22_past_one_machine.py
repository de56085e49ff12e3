# %% [markdown]
# # 22 · Past one machine (appendix): what do two processes have to tell each other?
#
# Large models are trained by thousands of processors. What that takes can be seen with two processes on the computer in
# front of you: they share one batch, and must end with the same model as one process alone.
#
# About 20 minutes. There is no sheet. Afterwards you can
#
# * say what is sent at each step, and how much of it;
# * recognise the average that is none, and mend it;
# * say why grading a class is easily shared, and training is not.

# %% [markdown]
# **Recall** (click an answer to see what it leads to).
#
# *The loss of a batch is a mean. Over what?* (lesson 14)
# <details><summary>Over its sentences</summary>Then a long sentence would count as much as a short one.</details>
# <details><summary>Over its tokens that are not padding</summary>Yes. Today everything hangs on that word.</details>
# <details><summary>Over all its places</summary>Then the padding would count too, and the loss would look better than it
# is.</details>

# %% [markdown]
# *One sentence of a batch goes to process A, another to process B. Which norm gives each of them other vectors than both
# together would get?* (lesson 11)
# <details><summary>LayerNorm</summary>It looks at the numbers of one token. It does not matter where the others are.</details>
# <details><summary>BatchNorm</summary>Yes: its means are taken over the batch, and each process sees only its own
# part of it. A Transformer with LayerNorm can be shared out as it is.</details>

# %%
import inspect
import time

import torch
from torch.nn.utils import parameters_to_vector

from transformer_course import figures
from transformer_course.exercises import reply
from transformer_course.experiments import two_processes
from transformer_course.experiments.two_processes import batch, gradient, part, step, tokens

torch.set_num_threads(1)

# %% [markdown]
# ## Four examples, by hand
#
# A model that is one number, w, shall come close to each of the targets 1, 2, 3 and 6. The loss of a target y is
# (w − y)², and its gradient 2 (w − y). We begin at w = 0, and the gradient of the mean loss is the mean of four gradients:

# %%
targets = torch.tensor([1.0, 2.0, 3.0, 6.0])
gradients = 2 * (0 - targets)
print("gradients", gradients.tolist(), " mean", gradients.mean().item())

# %% [markdown]
# Now process A gets the first two and process B the last two. Each works out the mean of its own. Then they exchange these
# means and take the average:

# %%
A, B = gradients[:2].mean(), gradients[2:].mean()
print("A", A.item(), " B", B.item(), " average", ((A + B) / 2).item())

# %% [markdown]
# The same −6. Neither process has seen the other's targets; one number each was enough. That is all that
# **data parallel** training does: every process holds the whole model, works on its part of the batch, and the gradients are
# averaged.
#
# **Predict.** This time A gets three targets, 1, 2 and 3, and B gets the 6 alone. Again each takes the mean of its own
# gradients, and the two means are averaged. What comes out?
#
# * `"a"`: −6: an average of averages is the average
# * `"b"`: −8
# * `"c"`: −4: A has most of the targets, and its mean is −4

# %%
guess = ...

# %%
A, B = gradients[:3].mean(), gradients[3:].mean()
print("A", A.item(), " B", B.item(), " average", ((A + B) / 2).item())
print("by their share of the targets:", (3 / 4 * A + 1 / 4 * B).item())

# %%
reply("22.three_and_one", guess)

# %% [markdown]
# ## Half a batch of sentences is not half of its tokens
#
# Who would split four targets into three and one? But the loss of a language model is a mean over *tokens*. Here are 64
# numbers for the translator of lesson 15, before any training, sorted by length; A gets the first 32 sentences, B the others:

# %%
model, pairs = batch()
halves = [part(pairs, rank, 2) for rank in (0, 1)]
print("sentences", *(len(half[0]) for half in halves), " tokens", *map(tokens, halves))
alone = gradient(model, pairs)
print(f"the gradient has {len(alone):,} numbers, one for each parameter")

# %% [markdown]
# For the comparison we need not start a second process yet. One process works out both halves, one after the other, and
# puts them together in either way. Beside that, a control: the 64 sentences are dealt out in turn, like cards.


# %%
def off(together):
    """How far from one process's gradient, relative to its length."""
    return ((together - alone).norm() / alone.norm()).item()


def both_ways(halves):
    each = [gradient(model, half) for half in halves]
    shares = [tokens(half) / tokens(pairs) for half in halves]
    return off(sum(each) / 2), off(sum(s * g for s, g in zip(shares, each, strict=True)))


dealt = [tuple(column[rank::2] for column in pairs) for rank in (0, 1)]
print("tokens", *map(tokens, dealt))
short_long, right = both_ways(halves)
dealt_out, right_too = both_ways(dealt)
assert max(right, right_too) < 1e-5
assert 0.2 < short_long < 0.35
assert dealt_out < 0.02

# %%
names = [
    "short | long,\nmean of means",
    "dealt in turn,\nmean of means",
    "short | long,\nby tokens",
]
ax = figures.panels(1, 6.5, 3.6)[0]
ax = figures.bars([short_long, dealt_out, right], names, "Off the right gradient", "share", ax=ax)

# %% [markdown]
# **In the picture:** how far the gradient that was put together lies from one process's, as a share of its length. With short
# sentences here and long ones there, the mean of the two means is off by more than a quarter. Dealt out in turn, the halves
# have nearly as many tokens, and the fault nearly vanishes: a mistake that one does not notice until the data are sorted.
# Weighed by tokens, nothing is left of it.
#
# ## Two real processes
#
# The same in earnest. `torchrun` starts two Pythons, and tells each who it is: its **rank**, 0 or 1. They talk through gloo,
# torch's library for exchanging tensors between processors. This is what each of them runs to get its gradient:

# %%
print(inspect.getsource(two_processes.one_mean))

# %% [markdown]
# `all_reduce` is the whole conversation: each process puts a tensor in, and each gets the sum of all of them out. Here that
# happens twice, with one number (how many tokens have you?) and with the gradient.
#
# Beside it they try torch's own wrapper for this, `DistributedDataParallel`, which averages while `backward` still runs, so that
# nobody waits. It is used everywhere.
#
# **Predict.** What does `DistributedDataParallel` make of the short and the long half?
#
# * `"a"`: the right gradient: it is what everybody uses
# * `"b"`: the mean of the two means, off by a quarter
# * `"c"`: neither: it lets the two models drift apart, and averages them at the end

# %%
guess = ...

# %%
found = two_processes.launch()
for way in two_processes.WAYS:
    print(f"{way:24} off by {off(found[way]):.0%}")
assert off(found["one mean"]) < 1e-5

# %%
reply("22.wrapper", guess)

# %% [markdown]
# If you use it, count the tokens yourself, and scale each process's loss: by its share of the tokens, and by the number of
# processes, since the wrapper will divide by that.
#
# With the right average, is the *model* the same too? The two processes took ten steps of plain gradient descent with it. One
# process alone takes them here:

# %%
for _ in range(two_processes.STEPS):
    step(model, gradient(model, pairs))
mine = parameters_to_vector(model.parameters()).detach()
print("equal to the last bit:", torch.equal(mine, found["trained"]))
print("apart by less than 0.00001:", ((mine - found["trained"]).abs() < 1e-5).all().item())

# %% [markdown]
# Equal but for rounding: a sum of two sums is not rounded as one long sum is. For ten steps that is nothing. Over many
# thousands such differences grow, and two runs of one recipe do not end with the same bits. Nobody expects them to: you
# have seen that other seeds move results far more.
#
# ## What it costs
#
# First, time. These lines are from the computer that made this page, with two cores; run the cell to have yours.

# %% tags=["nbval-ignore-output"]
begun = time.perf_counter()
for _ in range(10):
    step(model, gradient(model, pairs))
print(f"one process, a step:    {100 * (time.perf_counter() - begun):.0f} ms")
print(f"two processes, a step:  {found['step']:.0f} ms")
print(f"of that, the exchange:  {found['exchange']:.0f} ms")

# %% [markdown]
# The work of a step is halved; that both wait for the other's numbers, and do some work twice, is added. (Had one process both
# cores to itself, it would be quicker too.) Between two processes of one computer, numbers move as quickly as memory is copied. Between
# two computers they go through a wire, and how long that takes can be reckoned. Each number is 4 bytes. The usual scheme passes
# parts of the gradient around in a ring; with N processes each sends 2 (N − 1)/N times the gradient's size (Patarasuk and Yuan
# 2009). For N = 2, once its size:

# %%
size = 4 * len(alone)
print(f"a step sends {size / 1e6:.1f} MB")
for network, bits in {
    "Wi-Fi, 100 Mbit/s": 1e8,
    "cable, 1 Gbit/s": 1e9,
    "data centre, 100 Gbit/s": 1e11,
}.items():
    print(f"{network:24} {1000 * 8 * size / bits:6.1f} ms a step")

# %% [markdown]
# Compare that with your milliseconds for a step: over Wi-Fi, two computers would spend most of their time waiting, and be
# slower than one.
#
# **Predict.** A model with a hundred times as many parameters sends a hundred times as much. With the same batch, what becomes of
# the share of its time that is spent on the wire?
#
# * `"a"`: it grows: that is why large models need such networks
# * `"b"`: it stays about the same
# * `"c"`: it falls: large models have more to compute

# %%
guess = ...

# %% [markdown]
# For each token, each parameter is used in about 6 operations: a multiplication and an addition on the way forward, and twice
# that on the way back (the products of attention, which lesson 17 counts, are left out here). Take a processor that makes 10¹¹
# operations a second, and a cable of 1 Gbit/s:


# %%
def on_the_wire(parameters, tokens, bits=1e9, operations=1e11):
    compute, send = 6 * parameters * tokens / operations, 8 * 4 * parameters / bits
    return send / (compute + send)


for parameters in (1e6, 1e8, 1e10):
    shares = [f"{on_the_wire(parameters, tokens):.0%}" for tokens in (500, 5_000, 50_000)]
    print(f"{parameters:>16,.0f} parameters; with 500, 5,000, 50,000 tokens:", *shares)

# %%
reply("22.share", guess)

# %% [markdown]
# What counts is how many tokens each process has for one exchange. That is why data parallel training comes with large
# batches, and why those who have slow wires exchange less often. All this was reckoned, not measured: a real network has
# delays, and clever programs send the first gradients while the last are still computed.
#
# There is one more price. If one of a thousand processes dies, the others stand and wait for its numbers, so that training has to
# go on from the last state that was saved.
#
# ## Work that needs no talk
#
# Not everything is like that. To translate 2,000 numbers, two processes take 1,000 each and need not exchange a thing
# until the end. So it is with grading a class: no notebook depends on another. If you teach, and have computers that
# share a network, the course's own grader does it:
#
# ```sh
# dask scheduler                            # on one computer; it prints its address
# dask worker tcp://10.0.0.5:8786           # on each of them
# transformer-course grade handed-in --out results --scheduler tcp://10.0.0.5:8786
# ```
#
# A notebook goes out, a result comes back. If a computer dies in the middle, others grade what it had begun, and no result is lost
# or recorded twice: the course's tests kill one and compare the marks.

# %% [markdown]
# ## Before you go
#
# *Two processes, two halves. A has 30 tokens and a mean gradient of 1, B has 10 and a mean gradient of 5. What is the gradient of
# the whole?*
# <details><summary>3</summary>The mean of the means. B's 10 tokens would count as much as A's 30.</details>
# <details><summary>2</summary>Yes: 30/40 · 1 + 10/40 · 5.</details>
# <details><summary>6</summary>That is the sum of the means. A sum would do if each had scaled its own by its share
# before.</details>

# %% [markdown]
# *You exchange gradients over a slow cable. What helps most?*
# <details><summary>A smaller model</summary>It sends less and computes less, in the same ratio.</details>
# <details><summary>More tokens in each process's part</summary>Yes: more is computed for the same message.</details>
# <details><summary>Sending parameters instead of gradients</summary>There are as many of them.</details>

# %% [markdown]
# **What do two processes have to tell each other?** How many tokens each had, and their gradients: as many numbers as the model
# has parameters, at every step. Weighed by tokens, the average is the gradient of one process, and the model is the same but for
# rounding.
