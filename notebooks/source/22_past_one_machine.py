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

# %%
import inspect
import time

import torch
from torch.nn.utils import parameters_to_vector

from transformer_course import figures
from transformer_course.exercises import ask, predict, reveal
from transformer_course.experiments import two_processes
from transformer_course.experiments.two_processes import batch, count_tokens, gradient, shard, step

torch.set_num_threads(1)

# %% [markdown]
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %%
ask("22.recall")

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

# %%
predict("22.three_and_one")

# %%
A, B = gradients[:3].mean(), gradients[3:].mean()
print("A", A.item(), " B", B.item(), " average", ((A + B) / 2).item())
print("by their share of the targets:", (3 / 4 * A + 1 / 4 * B).item())
reveal("22.three_and_one")

# %% [markdown]
# ## Half a batch of sentences is not half of its tokens
#
# Who would split four targets into three and one? But the loss of a language model is a mean over *tokens*. Here are 64
# numbers and their words, as the translator of lesson 15 gets them, sorted by length, and that model before any training. A
# gets the first 32 sentences, B the others:

# %%
model, pairs = batch()
halves = [shard(pairs, rank, 2) for rank in (0, 1)]
print("sentences", *(len(half[0]) for half in halves), " tokens", *map(count_tokens, halves))
alone = gradient(model, pairs)
print(f"the gradient has {len(alone):,} numbers, one for each parameter")

# %% [markdown]
# For the comparison we need not start a second process yet. One process works out both halves, one after the other, and
# puts them together in either way. Is it the tokens that matter, or that A has simple sentences and B has difficult ones? As a
# control, the sorted batch is cut after the 44th sentence, where half of the *tokens* are through.


# %%
def off(together):
    """How far from one process's gradient, relative to its length."""
    return ((together - alone).norm() / alone.norm()).item()


def both_ways(parts):
    each = [gradient(model, mine) for mine in parts]
    shares = [count_tokens(mine) / count_tokens(pairs) for mine in parts]
    return off(sum(each) / 2), off(sum(s * g for s, g in zip(shares, each, strict=True)))


cut = [tuple(column[:44] for column in pairs), tuple(column[44:] for column in pairs)]
print("cut after 44: tokens", *map(count_tokens, cut))
(wrong, right), (wrong_cut, right_cut) = both_ways(halves), both_ways(cut)

# %%
names = ["cut after 32,\nmean of means", "cut after 44,\nmean of means", "cut after 32,\nby tokens"]
ax = figures.panels(1, 6.5, 3.6)[0]
figures.bars(
    [wrong, wrong_cut, right],
    names,
    "How far off the right gradient",
    "share of its length",
    "{:.1%}",
    ax,
)
_ = ax.set_ylim(0, 0.3)
assert wrong > 0.2
assert wrong_cut < 0.01
assert max(right, right_cut) < 1e-5

# %% [markdown]
# **In the picture:** how far the gradient that was put together lies from one process's, as a share of its length. With 144 tokens
# here and 352 there, the mean of the two means is off by a quarter. Cut where both have as many tokens, A still has the short
# sentences and B the long ones, and the fault is nearly gone. Weighed by tokens, nothing is left of it, wherever the cut is.
#
# ## Two real processes
#
# The same in earnest. `torchrun` starts two Pythons, and tells each who it is: its **rank**, 0 or 1. They talk through gloo,
# torch's library for exchanging tensors between processors. This is what each of them runs to get its gradient. `mine` is its own
# half, and the third argument of `gradient` multiplies the loss:

# %%
print(inspect.getsource(two_processes.one_mean))

# %% [markdown]
# `all_reduce` is the whole conversation: each process puts a tensor in, and each gets the sum of all of them, in its place.
# That happens twice: with one number, inside `_share` (how many tokens have you?), and with the gradient. `mean_of_means` does it
# once, and gives each process the same share.
#
# Beside it they try torch's own wrapper for this, `DistributedDataParallel`. It is widely used.

# %%
predict("22.wrapper")

# %% [markdown]
# The next cell starts the two Pythons, and is silent for some seconds.

# %%
found = two_processes.launch()
for way in two_processes.METHODS:
    print(f"{way:24} off by {off(found[way]):.0%}")
reveal("22.wrapper")

# %% [markdown]
# The last line is how to use it: count the tokens yourself, and scale each process's loss by its share of them, and by the number
# of processes, since the wrapper will divide by that.
#
# Does a gradient that is off by a quarter matter? And with the right average, is the *model* the same? The two processes took ten
# steps of plain gradient descent with `one_mean`. Here one process alone takes them, and once more with the mean of the means:

# %%
astray, _ = batch()
for _ in range(two_processes.STEPS):
    step(model, gradient(model, pairs))
    step(astray, sum(gradient(astray, half) for half in halves) / 2)
one, other = (parameters_to_vector(m.parameters()).detach() for m in (model, astray))
print("two processes: equal to the last bit:", torch.equal(one, found["trained"]))
print(f"two processes: apart by less than 0.00001: {((one - found['trained']).abs() < 1e-5).all()}")
print(f"mean of means: apart by up to {(one - other).abs().max():.2f}")

# %% [markdown]
# Equal but for rounding: a sum of two sums is not rounded as one long sum is. The wrong average is another training, and by
# thousands of times as much. (In long training the small differences can grow too: do not expect two runs on unlike machines to
# end with the same bits.)
#
# ## What it costs
#
# First, time. These lines are from the computer that made this page, with two cores; run the cell to have yours.

# %% tags=["nbval-ignore-output"]
begun = time.perf_counter()
for _ in range(10):
    step(model, gradient(model, pairs))
seconds = (time.perf_counter() - begun) / 10
print(f"one process, a step:    {1000 * seconds:.0f} ms")
print(f"two processes, a step:  {found['step']:.0f} ms")
print(f"of that, the exchange:  {found['exchange']:.0f} ms")

# %% [markdown]
# Each process has half of the sentences, but its step takes more than half of the time. The exchange is only a small part of that;
# and every process changes all the parameters itself. If other programs keep your cores busy, two may be no quicker than one.
#
# Between two processes of one computer, numbers move as quickly as memory is copied. Between two computers they go through a wire,
# and how long that takes can be reckoned. Each number is 4 bytes. The usual scheme passes parts of the gradient around in a ring;
# with N processes each sends 2 (N − 1)/N times the gradient's size (Patarasuk and Yuan 2009). For N = 2, once its size:

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
# Compare that with what your two processes save in a step. Over Wi-Fi, two computers would lose more than that by waiting.

# %%
predict("22.share")

# %% [markdown]
# For each token, each parameter is used in about 6 operations: a multiplication and an addition on the way forward, and twice
# that on the way back (the products of attention, which lesson 17 counts, are left out here). Take computers that make 10¹¹ operations
# a second, several times what a step here makes, and a cable of 1 Gbit/s:


# %%
def on_the_wire(parameters, each_has, bits=1e9, operations=1e11):
    compute, send = 6 * parameters * each_has / operations, 8 * 4 * parameters / bits
    return send / (compute + send)


for parameters in (1e6, 1e8):
    waits = [f"{on_the_wire(parameters, each_has):.0%}" for each_has in (500, 5_000, 50_000)]
    print(f"{parameters:>13,.0f} parameters; 500, 5,000, 50,000 tokens each:", *waits)
reveal("22.share")

# %% [markdown]
# What counts is how many tokens each process has for one exchange. That is why data parallel training comes with large
# batches. (They are not free: for the same text there are fewer steps.) All this was reckoned, not measured: a real network has
# delays, and `DistributedDataParallel` sends the first gradients while the last are still computed.
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
# or recorded twice: the course's tests kill a worker and compare the marks. (Keep such computers in a network of your own: whoever
# reaches a Dask scheduler can run programs on its workers.)

# %% [markdown]
# ## Before you go

# %%
ask("22.exit")

# %% [markdown]
# **What do two processes have to tell each other?** How many tokens each had, and their gradients: as many numbers as the model
# has parameters, at every step. Weighed by tokens, the average is the gradient of one process, and the model is the same but for
# rounding.
