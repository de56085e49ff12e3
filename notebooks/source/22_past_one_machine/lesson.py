# %% [markdown] minutes=18
# # 22 · Past one machine (appendix): what do two processes have to tell each other?
#
# Llama 3 (2024) was trained on up to 16,384 graphics processors at once, and in 54 days its training was interrupted 466 times
# ({grattafiori2024}, section 3.3.4). Every model in this course was trained by one process, on one computer, with one loss and
# one gradient per step. What do 16,384 processors have to tell each other, in order to train *one* model between them? Two are
# enough to find out. On the computer in front of you, two processes share a batch, and together they must end up with the same
# model that a single process would have trained.
#
# About {minutes} minutes, and a few more for the parts under "Deeper". There is no sheet. By the end, you will be able to
#
# * combine the gradients of several processes into the gradient of the whole batch;
# * compute how many bytes they exchange at each step;
# * measure where the time of a step goes, and estimate it for a slower network.

# %%
import inspect

import torch
from torch.nn.utils import parameters_to_vector

from transformer_course import figures
from transformer_course.exercises import ask, predict, reveal
from transformer_course.experiments import two_processes
from transformer_course.experiments.two_processes import (
    batch,
    count_tokens,
    gradient,
    shard,
    step,
    timed_steps,
)

torch.set_num_threads(1)

# %%
ax = figures.architecture(title="Lesson 22: the model stays as it is", small=True)

# %% [markdown]
# <!-- picture -->
# the map from lesson 00. No box is filled, because this lesson changes nothing in the model. Each process
# holds a copy of all of it; what we divide is the batch.
# <!-- end -->
#
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %% ask="22.recall"


# %% [markdown]
# ## Four targets, by hand
#
# Start with a model that is a single number, w. It should come close to each of the targets 1, 2, 3 and 6. The loss for a
# target y is (w − y)², so its gradient is 2 (w − y). We begin at w = 0. The gradient of the mean loss is the mean of four
# gradients:

# %%
targets = torch.tensor([1.0, 2.0, 3.0, 6.0])
gradients = 2 * (0 - targets)
print("gradients", gradients.tolist(), " mean", gradients.mean().item())

# %% [markdown]
# Now process A gets the first two targets and process B the last two. Each computes the mean of its own gradients. Then they
# exchange these means, and both take the average of the two:

# %%
A, B = gradients[:2].mean(), gradients[2:].mean()
print("A", A.item(), " B", B.item(), " average", ((A + B) / 2).item())

# %% [markdown]
# The result is −6 again, although neither process has seen the other's targets. This is **data parallel** training: each
# process holds the whole model and works on its part of the batch, and the gradients are averaged.

# %% predict="22.three_and_one"


# %% jupyter={"source_hidden": true}
A, B = gradients[:3].mean(), gradients[3:].mean()
print("A", A.item(), " B", B.item(), " average", ((A + B) / 2).item())
print("3/4 of A's mean and 1/4 of B's:", (3 / 4 * A + 1 / 4 * B).item())
reveal("22.three_and_one")

# %% [markdown]
# ## A batch of translations
#
# The loss of a language model is a mean over *tokens* (lesson 14).
# Here is a batch for the translator of lesson 15, before any training: 64 numbers in English words, to be translated into
# Chinese numerals. They are sorted by the length of the numeral. A gets the first 32 and B the other 32:

# %%
model, pairs = batch()
halves = [shard(pairs, rank, 2) for rank in (0, 1)]
print("pairs", *(len(half[0]) for half in halves), " tokens", *map(count_tokens, halves))
whole = gradient(model, pairs)
print(f"the gradient has {len(whole):,} numbers, one for each parameter")

# %% [markdown]
# You don't need a second process yet to see the result. One process can compute both gradients, and combine them in two ways:
# as the mean of the two means, or with each mean weighted by its fraction of the tokens.
#
# If the results differ, is it because of the number of tokens, or because A's numerals are short and B's long? As a
# control, we also cut the sorted batch after the 44th pair. Then each part has about half of the tokens.


# %%
def distance(combined):
    """The distance from the gradient of the whole batch, relative to that gradient's length."""
    return ((combined - whole).norm() / whole.norm()).item()


def combine(parts):
    means = [gradient(model, part) for part in parts]
    weights = [count_tokens(part) / count_tokens(pairs) for part in parts]
    weighted = sum(w * mean for w, mean in zip(weights, means, strict=True))
    return distance(sum(means) / 2), distance(weighted)


cut = [tuple(column[:44] for column in pairs), tuple(column[44:] for column in pairs)]
print("pairs", *(len(part[0]) for part in cut), " tokens", *map(count_tokens, cut))
found = {"32 and 32": combine(halves), "44 and 20": combine(cut)}

# %%
bars = {
    f"{pairs_each} pairs,\n{way}": value
    for pairs_each, values in found.items()
    for way, value in zip(("mean of means", "weighted"), values, strict=True)
}
ax = figures.panels(1, 6.5, 3.6)[0]
title, ylabel = "Distance from the gradient of the whole batch", "relative to its length"
figures.bars(list(bars.values()), list(bars), title, ylabel, "{:.1%}", ax)
_ = ax.set_ylim(0, 0.3)

# %% [markdown]
# <!-- picture -->
# each bar shows how far the combined gradient is from the gradient of the whole batch. With 32 pairs each, A has 144 tokens
# and B 352, and the mean of their means is off by a quarter. After the other cut, with 247 and 249 tokens, A still has the
# short numerals and B the long ones, but the error is almost gone. So what matters is the number of tokens. **Weighted by
# tokens, the average is the gradient of the whole batch**, wherever we cut.
# <!-- end -->
#
# Here is a training step that weights by tokens:

# %%
ax = figures.schematic("data_parallel")

# %% [markdown]
# <!-- picture -->
# one step with two processes. Each runs forward and backward on its own pairs, and multiplies its gradient by its fraction of
# the tokens, $w_A$ or $w_B$. The sum goes back to both, and both update their copies of the parameters identically. So the
# copies never differ.

# %% [markdown]
# ## Two real processes
#
# Now we start two processes. `torchrun` runs Python twice, and tells each process its **rank**: 0 or 1. They communicate
# through gloo, one of torch's libraries for exchanging tensors between processes. `one_mean`, below, computes the weighted
# mean. `mine` is this process's half of the batch. The third argument of `gradient` multiplies the loss;
# `all_reduce` overwrites a tensor with the sum over all processes:

# %%
print(inspect.getsource(two_processes.one_mean))
print(inspect.getsource(two_processes.token_fraction))

# %% [markdown]
# The processes talk to each other only in an all-reduce: each passes in a tensor, and each gets back the sum of both. It
# happens twice here: first, in `token_fraction`, with their token counts, and then with their gradients.
# `two_processes.mean_of_means` does only the second, with a weight of 1/2 for each process.
#
# We also try torch's own wrapper around the model, `DistributedDataParallel`. Each process computes the mean loss of its own
# half, as usual, and calls `backward()`.

# %% predict="22.wrapper"


# %% [markdown] seconds=6
# The next cell starts the two processes. It takes about {seconds} seconds and prints nothing until they are done.

# %%
found = two_processes.launch()
for way in two_processes.METHODS:
    print(f"{way:24} off by {distance(found[way]):.0%}")
reveal("22.wrapper")

# %% [markdown]
# The last line is the wrapper with a scaled loss: each process multiplies its loss by its fraction of the tokens, and also by
# the number of processes, because the wrapper divides by that number.
#
# Does a gradient that is off by a quarter matter? The two processes also took ten steps of plain gradient descent with
# `one_mean`. Here, one process takes the same ten steps on the whole batch. Then it trains a fresh copy of the model for
# ten steps with the mean of means:

# %%
alone = timed_steps(model, pairs)  # it takes ten steps, and returns the milliseconds of their parts
other, _ = batch()
for _ in range(two_processes.STEPS):
    step(other, sum(gradient(other, half) for half in halves) / 2)
start, one, mean_of_means = (
    parameters_to_vector(m.parameters()).detach() for m in (batch()[0], model, other)
)
print(f"in ten steps, a parameter has moved by at most {(one - start).abs().max():.4f}")
for name, parameters in (("two processes", found["trained"]), ("mean of means", mean_of_means)):
    print(f"{name}: parameters differ by at most {(one - parameters).abs().max():.4f}")

# %% [markdown]
# To four decimal places, the two processes have trained the same model as one process. (The last bits differ because of
# rounding.) The mean of means has trained a different model.
#
# ## Where the time goes
#
# Each of the two processes does half of the work. Are they twice as fast? Here are the parts of a step in milliseconds, with
# one thread per process. *Waiting* is the time that the faster process spends idle until the other one is done too; *exchange*
# is the all-reduce of the gradients after that. (Both halves are padded to the same width, so A needs about as long as B.)

# %% tags=["nbval-ignore-output"]
print(f"{'':20} one process   each of two")
together = found["milliseconds"]
for part, milliseconds in together.items():
    print(f"{part:20} {alone.get(part, 0):11.1f} {milliseconds:13.1f}")
print(f"{'sum':20} {sum(alone.values()):11.1f} {sum(together.values()):13.1f}")

# %% [markdown]
# On our two cores, we ran this six times. In three runs, two processes took 50 to 57 ms per step, and one took 86 to 104.
# With two, forward and backward took about half as long as with one. The update is not divided, because each process changes
# *all* the parameters. (Its few milliseconds vary from run to run.)
#
# In the other three, other programs kept the cores busy. Two processes took 128 to 170 ms, and one took 98 to 153: **two
# processes were no faster.** They need two free cores. Moreover, you do not need a second process to use a second core: with
# two threads, one process took about 63 ms in our best run. Data-parallel training is worth it when you need cores that your
# threads cannot reach, in another computer or on another GPU.
#
# Between two computers, the gradients travel over a network. Each number takes 4 bytes. In the usual scheme, parts of the
# gradient go round in a ring, and each of N processes sends 2 (N − 1)/N times the size of the gradient ({patarasuk2009}). For
# N = 2, that is just the size of the gradient. The times below are computed, not measured:

# %%
size = 4 * len(whole)
print(f"each process sends {size / 1e6:.1f} MB per step")
for network, bits in {
    "Wi-Fi, 100 Mbit/s": 1e8,
    "cable, 1 Gbit/s": 1e9,
    "data centre, 100 Gbit/s": 1e11,
}.items():
    print(f"{network:24} {1000 * 8 * size / bits:6.1f} ms per step")

# %% [markdown]
# In our undisturbed runs, a step took about 90 ms in one process. Over this Wi-Fi, the exchange alone would take three times
# as long.

# %% predict="22.share"


# %% jupyter={"source_hidden": true}
def on_the_network(parameters, tokens, bits=1e9, operations=1e11):
    """The fraction of a step's time, for this many tokens in each process."""
    compute, send = 6 * parameters * tokens / operations, 8 * 4 * parameters / bits
    return send / (compute + send)


print("                        tokens in each process")
print("                           500   5,000  50,000")
for parameters in (1_000_000, 100_000_000):
    fractions = (on_the_network(parameters, tokens) for tokens in (500, 5_000, 50_000))
    print(f"{parameters:>11,} parameters", *(f"{fraction:7.0%}" for fraction in fractions))
reveal("22.share")

# %% [markdown]
# The table assumes a computer that does 10¹¹ operations per second, and a cable of 1 Gbit/s. For each token, each parameter
# takes part in about 6 operations: a multiplication and an addition in the forward pass, and twice as many in the backward
# pass. So both the computation and the message are proportional to the number of parameters, but only the computation also to
# the number of tokens. This is one reason for large batches in data-parallel training. They come at a price: the same amount
# of text gives fewer steps.
#
# This is an estimate. A real network has delays, and `DistributedDataParallel` hides part of the exchange by sending the
# first gradients while it is still computing the others.

# %% [markdown]
# ## Before you go {#exit}

# %% ask="22.exit"


# %% [markdown]
# <!-- answer -->
# **What do two processes have to tell each other?** At each step, they exchange token counts, and their gradients: as many
# numbers as the model has parameters. Weighted by tokens, the average is the gradient of the whole batch, and the model comes
# out as with one process, except for rounding.

# %% [markdown]
# To take away:
#
# <!-- takeaway -->
# * In data-parallel training, each process holds the whole model and part of the batch; an all-reduce adds up the gradients.
# * The mean of the two means is the mean over all tokens only if both parts have the same number of tokens. Otherwise, weight
#   the means.
# * More tokens per process make the exchange a smaller fraction of the time. By our estimate, the size of
#   the model makes no difference.
# <!-- end -->
#
# More machines change how soon you have the gradient, not what it is. [Stage B6](../exercises/B6_training_it_for_real.ipynb)
# of the Build trains your own model in one process. Its loss is a mean over tokens, so its gradients have to be weighted in
# the same way if you divide each batch between processes.
#
# To read next:
#
# <!-- readings -->
# * {li2020}: how `DistributedDataParallel` works, with measurements.
# * {goyal2017}: training with large batches on many processors.
# * {rajbhandari2019}: ZeRO, which divides the memory as well.

# %% [markdown]
# ## Deeper {#deeper}
#
# You can read each of these parts on its own; nothing later needs them.
#
# ### When the model does not fit
#
# In data-parallel training, each process holds the whole model. Adam keeps two more numbers for each parameter, so memory
# fills up quickly. Large models often keep parameters and gradients in 2 bytes each. Adam's two numbers and a more exact copy
# of the parameter take 4 bytes each, so there are 2 + 2 + 12 = 16 bytes per parameter.
#
# With ZeRO, each of N processes stores only 1/N of some of these bytes, and fetches the rest when it needs them. In stage 1,
# the processes divide the 12 bytes; in stage 2, the gradients too; and in stage 3, also the parameters. Here is the memory
# that each process needs for a model the size of GPT-3, with 96 layers of width 12,288 (lesson 17), and 1,024 processes:

# %%
parameters, processes = 12 * 96 * 12288**2, 1024  # 12 d² per layer
for name, kept, divided in (
    ("data parallel", 16, 0),
    ("ZeRO, stage 1", 4, 12),
    ("ZeRO, stage 2", 2, 14),
    ("ZeRO, stage 3", 0, 16),
):
    print(f"{name:14} {parameters * (kept + divided / processes) / 1e9:8.1f} GB per process")

# %% [markdown]
# Of these, only stage 3 fits into a GPU with 80 GB, and the vectors of the forward pass need memory too. In stages 1 and 2, no
# more numbers are sent than in data-parallel training; stage 3 sends half as many again (section 7 of the ZeRO paper).
#
# ### Dividing a layer
#
# A layer can be divided too. In a feed-forward network, each hidden unit works by itself (lesson 09). So A can hold the first
# half of the units and B the second: half of the columns of the first matrix, and the same half of the rows of the second.
# Each computes an output, and the two outputs are added:

# %%
tokens, width, hidden = 10, 8, 32
draw = torch.Generator().manual_seed(0)
x = torch.randn(tokens, width, generator=draw)
W_1 = torch.randn(width, hidden, generator=draw)
W_2 = torch.randn(hidden, width, generator=draw)
undivided = torch.relu(x @ W_1) @ W_2
each = [torch.relu(x @ W_1[:, half]) @ W_2[half] for half in (slice(16), slice(16, 32))]
print("outputs of A and B:", *(tuple(output.shape) for output in each))
print(f"their sum differs from the whole by at most {(sum(each) - undivided).abs().max():.4f}")

# %% [markdown]
# This is called tensor parallel training ({shoeybi2019}). Here, an all-reduce
# adds up outputs, of shape n × d, within every layer and not just once per step, so it needs a fast network. A third way is
# to give A the lower layers and B the upper ones, and to pass on only the vectors between them: pipeline parallel training
# ({huang2018}). Then B waits for A, unless the batch goes through in small
# pieces.
#
# ### Work without any exchange
#
# To translate 2,000 numbers, two processes can take 1,000 each. They have nothing to exchange until the end. Grading a class
# is the same kind of work, because no notebook depends on another. If you teach, and have computers on the same network, the
# course's grader can use all of them:
#
# ```sh
# dask scheduler                            # on one computer; it prints its address
# dask worker tcp://10.0.0.5:8786           # on each computer, with that address
# transformer-course grade handed-in --out results --scheduler tcp://10.0.0.5:8786
# ```
#
# The scheduler sends out notebooks and gets back results. If a computer fails, others grade the notebooks that it had begun,
# and no result is lost or recorded twice. (Use a network of your own for this: anyone who can reach a Dask scheduler can run
# programs on its workers.)
