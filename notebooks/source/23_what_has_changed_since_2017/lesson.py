# %% [markdown] minutes=25
# # 23 · What has changed since 2017?
#
# In July 2024, Meta described Llama 3 as "a standard, dense Transformer", and cited the original Transformer paper for it
# ({grattafiori2024}, section 3.2). Seven years later, nothing new? Open Llama's block, and you find that most of the 2017 parts
# have been replaced. Which of these changes matter, and for what?
#
# You know each box of the old block by now. You cannot yet say what became of it, or what each change is worth.
#
# About {minutes} minutes. By the end, you will be able to
#
# * draw today's block beside the 2017 block, and name what replaced each part;
# * say, for each change, what it does to the loss and to the memory;
# * explain a mixture of experts, and say which two models it has to be compared with.

# %%
import torch

from transformer_course import figures
from transformer_course.data.python_docs import python_docs
from transformer_course.exercises import ask, predict, reveal
from transformer_course.experiments import effort
from transformer_course.experiments.since_2017 import (
    STEPS,
    VERSIONS,
    active_parameters,
    bits_per_character,
    found,
    parameters,
    trained,
)
from transformer_course.experts import balancing_loss, route

torch.set_num_threads(1)

# %%
lit = ("target embedding", "decoder self-attention", "decoder feed-forward")
ax = figures.architecture(*lit, title="Lesson 23: three boxes that got new contents", small=True)

# %% [markdown]
# <!-- picture -->
# the map from lesson 00. The highlighted boxes are still there, with something else inside. (The norms in between have
# changed as well.)
# <!-- end -->
#
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %% ask="23.recall"


# %% [markdown]
# ## One block beside the other {#blocks}

# %%
ax = figures.schematic("two_blocks")

# %% [markdown]
# <!-- picture -->
# vectors, n × d throughout, come in on the left and leave on the right. Boxes in yellow are new.
# <!-- end -->
#
# 1. The norm has moved in front of each sublayer, out of the stream (lesson 11).
# 2. **RMSNorm** has replaced LayerNorm. It subtracts no mean, and only divides a vector by its root mean square, the square
#    root of the mean of the squared numbers ({zhang2019}).
# 3. No sine waves are added to the input. Queries and keys are *rotated* instead (lesson 08).
# 4. Heads share keys and values, in *grouped-query attention* ({ainslie2023}). Four heads in two groups keep two keys and two
#    values for each token, in place of four of each.
# 5. **SwiGLU** has replaced the ReLU network ({shazeer2020}). A third matrix makes a *gate*: its output goes through a
#    smooth cousin of ReLU (SiLU, x · sigmoid x), and multiplies the output of the first matrix. Each matrix is made two-thirds
#    as wide, to keep the parameter count the same.
#
# Some models make a sixth change. In a *sliding window*, a mask lets a token see only the last few tokens before it.
#
# <!-- paper -->
# **Your turn, on paper.** LayerNorm turns the vector [1, 7] into [−1, 1]. What does RMSNorm turn it into? (ε is 0, and the
# gain 1.)
#
# <!-- compare -->
# <details><summary>Compare</summary>The squares are 1 and 49, their mean is 25, and its square root is 5. So the vector
# becomes [0.2, 1.4], whose mean is not 0.</details>

# %% [markdown]
# ## All of it at once {#both}
#
# We train two small character-level models on Python's documentation, each with two blocks of width 64 and four heads, reading
# 128 characters at a time. One has the 2017 parts, and the other the five new ones. Everything else is the same: text, order,
# steps and learning rate.

# %% [markdown] seconds=45
# This takes about {seconds} seconds.

# %% tags=["M1", "nbval-ignore-output"]
text, steps = python_docs(), effort.steps(STEPS)


def learn(name):
    """Train a model; return its bits per character on unseen text, and its losses."""
    losses = []
    model = trained(
        VERSIONS[name], text.train, steps=steps, after_step=lambda step, loss: losses.append(loss)
    )
    return bits_per_character(model, text.test), torch.tensor(losses)


(bits_2017, losses_2017), (bits_today, losses_today) = learn("2017"), learn("today")
for name, bits in (("2017", bits_2017), ("today", bits_today)):
    print(f"{name:6} {parameters(VERSIONS[name]):,} parameters, {bits:.2f} bits per character")
smooth = {
    name: losses.unfold(0, 10, 10).mean(1)
    for name, losses in (("2017", losses_2017), ("today", losses_today))
}
title, ylabel = "Two blocks, one text", "loss in nats"
ax = figures.curves(range(5, steps - 4, 10), smooth, title, "step", ylabel)

# %% [markdown]
# <!-- picture -->
# the loss on the training text, as means of ten steps. The bits per character above are for text that neither model has seen.
# <!-- end -->
#
# The new block is far ahead. But which of its five parts made the difference?

# %% [markdown]
# ## One part at a time {#parts}
#
# So we put a single new part into the 2017 model, and leave the rest alone.

# %% predict="23.part"


# %% jupyter={"source_hidden": true}
assert bits_today < bits_2017 - 0.1

# %% [markdown]
# We recorded these runs, with three seeds each. "Cache" is the memory for a text of 128 characters, at 4 bytes per number, and
# "s" is the processor time of the training in seconds.

# %% tags=["M1"]
alone = ["norm in front", "RMSNorm", "SwiGLU", "rotation", "2 groups", "window of 32"]
for name in ("2017", *alone, "today"):
    needed = " ".join(f"{bits:.2f}" for bits in found(name))
    cache, seconds = VERSIONS[name].cache() // 1024, min(found(name, "seconds"))
    print(f"{name:13} {needed} bits {parameters(VERSIONS[name]):,} {cache:3} kB {seconds:2.0f} s")
reveal("23.part")


# %%
def against(reference, versions):
    """What each version needs more, or less, than the reference with the same seed."""
    return {
        name: [bits - base for bits, base in zip(found(name), found(reference), strict=True)]
        for name in versions
    }


title, xlabel = (
    "One new part in the 2017 model",
    "more bits per character than 2017 (left is better)",
)
ax = figures.differences(against("2017", [*alone, "today"]), title, xlabel)

# %% [markdown]
# <!-- picture -->
# each dot is a seed, compared with the 2017 model with the same seed; bars show the means.
# <!-- end -->
#
# The rotation accounts for nearly all of the lead: 0.7 bits. SwiGLU helps with every seed, and so do two groups, although
# they *save* parameters. The window helps with two seeds and hurts with one. RMSNorm changes little, and the norm in front
# makes things worse. The control for the rotation is the whole new block without it:

# %% tags=["M1"]
for version in ("2017", "today, no rotation", "rotation", "today"):
    print(f"{version:18}", *(f"{bits:.2f}" for bits in found(version)))

# %% [markdown]
# Without the rotation, the other changes together gain nothing, and on top of it they gain next to nothing: the norm in front
# may cost what the others gain. So we also take today's model, and put one *old* part back:

# %% tags=["M1"]
back = {name: f"today, {name}" for name in ("ReLU", "LayerNorm", "norm behind", "4 groups")}
more = against("today", back.values())
values = {name: more[version] for name, version in back.items()}
title, xlabel = "One old part back", "more bits per character than today (left is better)"
ax = figures.differences(values, title, xlabel)

# %% [markdown]
# <!-- picture -->
# each dot is a seed, compared with today's model with the same seed; bars show the means.
# <!-- end -->
#
# So SwiGLU is worth 0.1 bits with every seed, and the norm in front costs half of that. (It is there to help deep models; ours
# have two blocks.) RMSNorm and the groups make no more difference than the seed.
#
# Better, or only quicker? We let three of the models train four times as long, with one seed.

# %% tags=["M1"]
for version in ("2017", "rotation", "today"):
    (short, *_), (long,) = found(version), found(version, steps=4 * STEPS)
    print(f"{version:9} {STEPS} steps {short:.2f}, {4 * STEPS:,} steps {long:.2f}")

# %% [markdown]
# The old block begins to catch up: the rotation's lead shrinks from 0.7 bits to 0.24. Much of what the rotation gains here
# is therefore *speed*. A likely reason, which we have not tested: with the rotation, equal distances are equal angles from
# the first step on. The other four parts, which had hardly mattered after 400 steps, now gain 0.09 bits. (That is one seed.
# What a part is worth depends on when you ask.)

# %% [markdown]
# ## What the others are for {#cache}
#
# Look at the column "Cache". Each text that is being written needs its own cache, which grows with each token (lesson 17).

# %% predict="23.cache"


# %%
for n in (128, 1000, 10_000):
    old, new = VERSIONS["2017"].cache(n), VERSIONS["today, window of 32"].cache(n)
    print(f"{n:6,} tokens: {old // 1024:6,} kB, or {new // 1024} kB, ratio {old / new:.0f}")
reveal("23.cache")

# %% [markdown]
# Groups divide a cache by a constant, and a window stops its growth. (The sizes are calculated: our models stop at 128
# characters.) The price? None that we could measure: with a window on top of its groups, today's model needs *fewer* bits with
# every seed ("Deeper" has the numbers). Be careful: with a window of 32, two layers reach 2 · 31 = 62 characters back, and in
# documentation these characters say the most about the next one. In larger models, Gemma 3 for instance, most layers have a
# window, and a few see everything ({gemma2025}).
#
# ## More parameters than you use {#experts}
#
# One change is left, the boldest. The feed-forward networks hold most of a model's parameters, and every token uses all of
# them. What if there were many networks, and each token went through only a few? In a **mixture of experts**, a small matrix,
# the **router**, scores all **experts** for each token. Only the k experts with the highest scores are computed, and their
# weighted outputs are added ({shazeer2017}).

# %%
ax = figures.schematic("experts")

# %% [markdown]
# <!-- picture -->
# one token and e = 4 experts, of which k = 2 are used. Boxes in yellow are computed.
# <!-- end -->
#
# The weights come from a softmax over the chosen scores. If the softmax over *all* scores is 0.6, 0.2, 0.1 and 0.1, then the
# first two are chosen, and their probabilities divided by their sum: 0.75 and 0.25.
#
# <!-- paper -->
# **Your turn, on paper.** Another token has the probabilities 0.45, 0.05, 0.15 and 0.35. Which two experts does it use, and
# with which weights?
#
# <!-- compare -->
# <details><summary>Compare</summary>Experts 1 and 4. Their probabilities sum to 0.8, so the weights are 0.5625
# and 0.4375.</details>

# %%
probabilities = torch.tensor([[0.6, 0.2, 0.1, 0.1], [0.45, 0.05, 0.15, 0.35]])
routing = route(probabilities.log(), k=2)
for experts, weights in zip(routing.chosen + 1, routing.weights, strict=True):
    print("experts", experts.tolist(), "weights", weights.numpy().round(4).tolist())

# %% [markdown]
# In today's model, each of the two networks becomes 8 experts, half as wide, of which a token uses 2. So the model does
# as much work per token as before, and stores four times the network parameters. A fair judgement needs two dense controls,
# without experts: one with as many **active parameters**, those that a token uses, and one with as many in *total*.

# %% predict="23.experts"


# %% tags=["M1"]
sizes = {
    "today": "dense, equal active",
    "experts": "8 experts, 2 used",
    "experts, balanced": "the same, balanced",
    "dense, total size": "dense, equal total",
}
for version, name in sizes.items():
    needed = " ".join(f"{bits:.3f}" for bits in found(version))
    total, active = (count(VERSIONS[version]) // 1000 for count in (parameters, active_parameters))
    print(f"{name:20} {needed}  {active:3}k of {total:3}k {min(found(version, 'seconds')):3.0f} s")
reveal("23.experts")

# %% [markdown]
# Left alone, the experts are no better than the small dense network, although they store three times as much. With balancing,
# the mixture is ahead of it by 0.03 bits with every seed. The large dense network is not reliably better than either: for its
# size, 400 steps may be too few. It takes nearly twice as long as the small one. The mixture takes a quarter longer, since the
# router and many small products take time, too. So **a mixture costs nearly the arithmetic of a small model, and the memory of
# a large one**, and what it gains depends on balancing, and on training long enough.
#
# What does "balanced" mean? Nothing forces a router to use all experts.

# %% predict="23.balance"


# %% tags=["M1"]
for version in ("experts", "experts, balanced"):
    for shares in found(version, "shares")[0]:
        print(f"{version:18}", *(f"{share:4.0%}" for share in sorted(shares, reverse=True)))
reveal("23.balance")

# %% [markdown]
# In one of the layers (with seed 0), two experts get three-quarters of all choices.
#
# A common cure is a **balancing loss**, a second loss that is small if the work is spread evenly. Multiply each expert's share
# of the choices by its mean probability, add up the products, and multiply by the number of experts ({fedus2021}). The
# balancing loss is 1 if all experts are used equally:

# %%
for probabilities in ([[0.4, 0.3, 0.2, 0.1]] * 4, [[0.4, 0.1, 0.3, 0.2], [0.1, 0.4, 0.2, 0.3]] * 2):
    uses = route(torch.tensor(probabilities).log(), k=2)
    print(f"shares {uses.shares.tolist()}, balancing loss {balancing_loss(uses):.2f}")

# %% [markdown]
# ## Before you go {#exit}

# %% ask="23.exit"


# %% [markdown]
# <!-- answer -->
# **What has changed since 2017?** Most of the parts, but hardly the plan: attention and a network, each added to a stream. In
# our small models, the rotation made learning far quicker, SwiGLU helped a little, and groups and windows saved memory at no
# visible cost. Experts separate what a model stores from what a token uses.

# %% [markdown]
# To take away:
#
# <!-- takeaway -->
# * Norm in front, RMSNorm, SwiGLU, rotated queries and keys, shared keys and values: these make up today's block.
# * A cache shrinks with the groups, and a window stops it from growing.
# * Compare a mixture of experts with two dense models: one of equal active and one of equal total size.
# <!-- end -->
#
# In [stage B9 of the Build](../exercises/B9_from_a_gpt_to_a_llama.ipynb), you write four of these parts, and in [stage
# B13](../exercises/B13_experts_and_eight_bits.ipynb) the experts.
#
# To read next:
#
# <!-- readings -->
# * {grattafiori2024}: section 3.2 has the whole architecture on a page.
# * {shazeer2020}: gates, with an honest last sentence.
# * {fedus2021}: experts at scale, and why balancing them is hard.
# * {narang2021}: which published changes survive a fair comparison.

# %% [markdown]
# ## Deeper {#deeper}
#
# You can read each of these parts on its own; nothing later needs them.
#
# ### Who has which parts? {#models}
#
# This is what the reports, or the published code, say. "As in 2017" means that each head has its own keys and values, and, in
# the window column, that a token sees the whole text before it.
#
# | model | report of | norm | keys and values | window | network |
# | --- | --- | --- | --- | --- | --- |
# | Mixtral 8x7B ({jiang2024}) | January 2024 | RMSNorm, in front | 32 heads share 8 | as in 2017 | 8 experts, 2 used |
# | Llama 3, 405B ({grattafiori2024}) | July 2024 | RMSNorm, in front | 128 heads share 8 | as in 2017 | SwiGLU |
# | DeepSeek-V3 ({liu2024}) | December 2024 | RMSNorm, in front | compressed, see below | as in 2017 | 256 experts, 8 used, plus one that every token uses |
# | OLMo 2, 7B ({walsh2025}) | January 2025 | RMSNorm, after each sublayer, before the sum | as in 2017 | as in 2017 | SwiGLU |
# | Gemma 3, 27B ({gemma2025}) | March 2025 | RMSNorm, in front and after | 32 heads share 16 | 1,024 in five layers of six | a gate with GELU |
# | Qwen3, 235B ({yang2025}) | May 2025 | RMSNorm, in front | 64 heads share 4 | as in 2017 | 128 experts, 8 used |
# | gpt-oss-120b ({openai2025}) | August 2025 | RMSNorm, in front | 64 heads share 8 | 128 in every second layer | 128 experts, 4 used |
#
# All of them rotate queries and keys, though DeepSeek-V3 rotates only a part of each. OLMo 2, Gemma 3 and Qwen3 also normalise
# both before they are compared, which keeps the scores small.
#
# ### Keys and values, compressed {#mla}
#
# DeepSeek-V2 ({deepseek2024}) has 128 heads. For each token and layer, it stores neither 128 keys nor a few shared ones, but
# one vector of 512 numbers, from which all keys and values can be computed, and a rotated key of 64 numbers that all heads
# share: **multi-head latent attention** (MLA). How much is that?

# %%
full = 2 * 128 * 128  # a key and a value of 128 numbers for each of 128 heads
for name, numbers in (
    ("each head its own", full),
    ("8 groups", 2 * 8 * 128),
    ("compressed", 512 + 64),
):
    print(f"{name:18} {numbers:6,} numbers per token and layer, {numbers / full:.1%}")

# %% [markdown]
# So the compressed form takes as much room as 2¼ groups would. Must the keys be computed again at every step? No. A key is $W
# c$, where $c$ is the stored vector, and its score with a query $q$ is $q^T (W c) = (W^T q)^T c$. So you transform the query
# once, and compare it with the stored vectors as they are:

# %%
generator = torch.Generator().manual_seed(0)
W, stored, query = (
    torch.randn(shape, generator=generator).double() for shape in ((128, 512), (1000, 512), (128,))
)
as_keys, as_stored = (stored @ W.T) @ query, stored @ (W.T @ query)
print(f"1,000 scores, largest difference {(as_keys - as_stored).abs().max():.4f}")

# %% [markdown]
# A rotation between $q$ and $W$ would depend on the position, so this trick would not work. That is why there is an extra key
# of 64 numbers, which carries the position. (We have computed this, not trained it.)
#
# ### Was the learning rate fair? {#rate}
#
# A single rate may favour one of the two blocks. Here are the results for seed 0, also with half and with double the rate:

# %% tags=["M1"]
rates = (0.006, 0.012, 0.024)
for version in ("2017", "today"):
    print(f"{version:6}", *(f"{rate:g}: {found(version, rate=rate)[0]:.2f}  " for rate in rates))

# %% [markdown]
# The rate that we used is the best of the three for both. The old block suffers more when it is too high. And what about the
# norm in front, which made things worse when it was the only change?

# %% tags=["M1"]
for rate in (*rates, 0.048):
    print(f"{rate:g}: {found('norm in front', rate=rate)[0]:.2f}")

# %% [markdown]
# None of these rates saves it.
#
# ### One group, and a window on top {#more}

# %% tags=["M1"]
for version in ("2017", "2 groups", "1 group", "today", "today, window of 32"):
    needed = " ".join(f"{bits:.2f}" for bits in found(version))
    print(f"{version:20} {needed}  {VERSIONS[version].cache() // 1024:3} kB")

# %% [markdown]
# Even a single group costs no more than the difference between seeds. That does not make it free: {ainslie2023} find in large
# models that one group loses quality, while eight lose almost none.
