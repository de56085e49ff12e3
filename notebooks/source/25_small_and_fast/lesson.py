# %% [markdown] minutes=25
# # 25 · Small and fast: what can a model do without?
#
# In August 2025, OpenAI published the weights of gpt-oss-120b, a model with 117 billion parameters ({openai2025}). At 16 bits
# each, they would fill three graphics cards (GPUs) of 80 GB. They fit on one, because most are stored in 4.25 bits each: 4 for
# a code, plus a shared scale. The model was then trained further with the rounded weights. What is lost by rounding alone?
#
# Your own models fit anywhere, so you have never had to ask what running one costs, or what could go.
#
# About {minutes} minutes. By the end, you will be able to
#
# * quantize a row of weights by hand, and say what 8, 4 and 2 bits cost a trained model;
# * compute the memory of a key-value cache, and say when it outgrows the weights;
# * explain why speculative decoding changes no probability, and estimate how many passes it saves.

# %%
import numpy as np
import torch

from transformer_course import figures, models
from transformer_course.byte_pairs import BytePairs
from transformer_course.decoding import next_token_distribution
from transformer_course.exercises import ask, predict, reveal
from transformer_course.experiments import drafting, effort, fewer_bits
from transformer_course.quantization import quantized_copy
from transformer_course.speculative import acceptance, leftover, speculative_sample

torch.set_num_threads(1)
_ = torch.set_grad_enabled(False)  # nothing is trained in this lesson

# %%
lit = ("target embedding", "decoder self-attention", "decoder feed-forward", "output layer")
ax = figures.architecture(*lit, title="Lesson 25: everything that has weights", small=True)

# %% [markdown]
# <!-- picture -->
# the map from lesson 00. The highlighted boxes hold nearly all the weights of a GPT.
# <!-- end -->
#
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %% ask="25.recall"


# %% [markdown]
# ## A bus with one passenger {#bus}
#
# A pass gives one new token (lesson 16), and it uses every weight of the model once. Take a model of 16 GB: 8 billion weights
# of 16 bits each. A GPU whose memory delivers 2,000 GB per second needs 8 ms just to fetch them. The arithmetic takes a small
# part of that time. So the pass is like a bus that drives the whole route for a single passenger.
#
# You can make the bus lighter: fewer bits for each weight. You can let more passengers ride: several texts in one batch. And
# you can let passengers of *later* rides board today, on a guess.

# %% [markdown]
# ## Fewer bits {#bits}
#
# Take a row of four weights, [0.70, −0.32, 0.14, 0.04]. We want integers from −7 to 7. They fit into 4 bits;
# the sixteenth value stays unused.
#
# 1. The largest magnitude is 0.70. Divide it by 7: the **scale** of the row is 0.1.
# 2. Divide each weight by the scale and round. The **codes** are 7, −3, 1 and 0.
# 3. To compute with the row, multiply the codes by the scale: 0.7, −0.3, 0.1 and 0.
#
# This is **quantization**. No weight moves by more than half a scale.
#
# <!-- paper -->
# **Your turn, on paper.** What are the scale and the codes of [−1.40, 0.94, 0.36, −0.06]? What do the codes stand for?
#
# <!-- compare -->
# <details><summary>Compare</summary>The largest magnitude is 1.40, so the scale is 0.2. The codes are −7, 5 (from 4.7), 2 (from 1.8)
# and 0 (from −0.3). They stand for −1.4, 1.0, 0.4 and 0.</details>

# %%
row = torch.tensor([-1.40, 0.94, 0.36, -0.06])
scale = row.abs().max() / 7
codes = (row / scale).round()
print(f"scale {scale:.1f}, codes {codes.int().tolist()}, back: {(codes * scale).round(decimals=2)}")

# %% [markdown]
# One large weight spoils a row. If a weight of 8 joins the row above, the scale becomes 1.14, and the
# other four codes become −1, 1, 0 and 0. So people give each *group* of 32 neighbours a scale of its own. That costs 16 bits
# per 32 weights, half a bit each. (gpt-oss has scales of 8 bits, hence 4.25.)

# %%
ax = figures.schematic("quantization")

# %% [markdown]
# <!-- picture -->
# a row of eight weights in groups of four. Only the codes and the scales are stored. The large weights of group 2 do not
# change how finely group 1 is rounded.
# <!-- end -->
#
# `prose` (lesson 16) has 1.1 million parameters of 32 bits. On three unseen parts of Python's
# documentation, it needs 1.64 bits per character (lesson 18). Other Python versions give slightly different numbers.

# %% tags=["M3"]
prose, vocabularies = models.load("prose")
parts = fewer_bits.held_out(vocabularies["text"])
in_full = fewer_bits.bits_per_character(prose, parts)

# %% [markdown]
# We round every matrix, row by row.

# %% predict="25.bits"


# %% [markdown] seconds=12
# This takes about {seconds} seconds.

# %% tags=["M3", "nbval-ignore-output"]
by_rows, row_bytes = fewer_bits.with_fewer_bits(prose, parts)
by_groups, group_bytes = fewer_bits.with_fewer_bits(prose, parts, group_size=fewer_bits.GROUP)
low, high = in_full.min(), in_full.max()
print(f"32 bits  4,554 kB {in_full.mean():.3f}   (parts: {low:.2f} to {high:.2f})")
for k, bits in enumerate(fewer_bits.BITS):
    rows = f"{row_bytes[k] // 1000:5,} kB {by_rows[:, k].mean():.3f}"
    groups = f"{group_bytes[k] // 1000:5,} kB {by_groups[:, k].mean():.3f}"
    print(f"{bits:2} bits  {rows}   in groups {groups}")
found = {"a scale per row": by_rows, "a scale per 32 weights": by_groups}
lines = {name: bits_needed - in_full[:, None] for name, bits_needed in found.items()}
ylabel = "more bits per character"
ax = figures.curves(fewer_bits.BITS, lines, "What fewer bits cost", "bits per weight", ylabel)

# %% [markdown]
# <!-- picture -->
# the extra bits per character; lines are medians of three parts of the text, and bands show the range.

# %% jupyter={"source_hidden": true}
costs = by_rows - in_full[:, None]
assert ((costs[:, 3] > 0.005) & (costs[:, 3] < 0.04)).all()
assert (costs[:, 5] > 0.8).all()
assert (by_groups[:, 3:] < by_rows[:, 3:]).all()

# %%
reveal("25.bits")

# %% [markdown]
# **With a scale per row, 4 bits cost 0.02 bits per character, and 2 bits about 1.3.** (The three parts differ by more than
# 0.1.) From 4 bits down, groups help: 2 bits then cost 0.9, and 4 bits take 650 kB instead of 4,554 at 32 bits. Why are 2 bits
# so bad? With each bit removed, the steps between the values more than double. With 2 bits, a row has only −1, 0 and 1 times
# its largest weight. Whatever is smaller than half of that becomes 0:

# %% tags=["M3"]
for bits in (8, 4, 3, 2):
    print(f"{bits} bits: {fewer_bits.zeros(prose, bits):.0%} of the weights become 0")

# %% [markdown]
# The zeros are only a symptom of coarse steps: random noise as large as the rounding errors makes none, and costs about as
# much (see "Deeper").
#
# `prose` and two rounded copies now draw 20 tokens each, with the same random numbers.

# %%
special = len(vocabularies["text"].specials)
tokenizer = BytePairs.from_tokens(vocabularies["text"].tokens[special:])


def drawn_text(model, count=20):
    generator = torch.Generator().manual_seed(0)
    ids = torch.tensor([tokenizer.encode("\nIf the file")])
    for _ in range(count):
        p = next_token_distribution(model(ids + special)[:, -1, special:], temperature=0.7)
        ids = torch.cat([ids, p.multinomial(1, generator=generator)], dim=1)
    return tokenizer.decode(ids[0].tolist())[1:]


# %%
print("32 bits:", repr(drawn_text(prose)))
for bits in (4, 2):
    copy, _ = quantized_copy(prose, bits, group_size=32)
    print(f" {bits} bits:", repr(drawn_text(copy)))

# %% [markdown]
# With 4 bits, this sample reads no worse than the original. With 2, it falls apart.

# %% [markdown]
# ## The luggage {#cache}
#
# With light weights, what fills the memory? Each text that is being written has a key-value cache: in each layer, a key and a
# value for each token so far (lesson 17). The 8-billion-parameter Llama 3.1 of July 2024 has 32 layers. Its 32 heads share 8
# keys and 8 values of width 128 ({grattafiori2024}). For each token it keeps
#
# 2 · 32 layers · 8 · 128 numbers · 2 bytes = 131,072 bytes.
#
# The model's weights, at 4.5 bits each, take 4.5 GB. Suppose it serves 40 people at once, each in a conversation of 8,000
# tokens.

# %% predict="25.cache"


# %%
token_bytes = 2 * 32 * 8 * 128 * 2
conversation = 8000 * token_bytes
print(f"weights {8e9 * 4.5 / 8 / 1e9:.1f} GB, 40 caches {40 * conversation / 1e9:.1f} GB")
reveal("25.cache")

# %% [markdown]
# All 40 ride the same bus, since a pass fetches the weights once for the batch. But each brings a suitcase of 1 GB,
# which every pass has to fetch, too: from the fifth on, the caches outgrow the weights. That is why keys and values are shared
# among heads: without sharing, each cache would be 4 GB.

# %% [markdown]
# ## A guess, checked in one pass {#draft}
#
# A pass can read many tokens at once; only *choosing* has to go token by token (lesson 16). In **speculative decoding**,
# something cheap, the **draft**, proposes a few tokens. The model reads all of them in one pass, and then knows how probable
# it finds each. Our draft is a table that counts which token followed which three in the training text. (Where these are new,
# it goes by the last two, or one.)

# %%
ax = figures.schematic("speculative")

# %% [markdown]
# <!-- picture -->
# one round with k = 3 drafted tokens. The draft drew each from its distribution q. The model's pass gives its own
# distribution p at each of these positions, and at the next. Tokens are kept up to the first that is rejected.
# <!-- end -->
#
# The rest is dropped, since it was drafted after a token that is gone. But each pass gives a token of its own: in place of the
# rejected one or, if all are kept, after the last.
#
# Which tokens may the model keep, if the text is to look as if the model had drawn every token? Four tokens could come next:
#
# | | *returns* | *is* | *takes* | *of* |
# | --- | --- | --- | --- | --- |
# | the model's p | 0.50 | 0.30 | 0.15 | 0.05 |
# | the draft's q | 0.20 | 0.30 | 0.10 | 0.40 |
#
# Think of 100 drafted tokens. The draft proposes *returns* 20 times, *is* 30, *takes* 10 and *of* 40. The model alone would
# have drawn them 50, 30, 15 and 5 times. So always keep the first three: there are not too many of them. Of the 40 *of*, keep
# 5: that is, each with probability 5/40, which is p/q. Now 35 tokens are rejected, and 30 *returns* and 5 *takes* are missing:
# 35 as well. Turn each rejected token into *returns* with probability 30/35 and into *takes* with 5/35, and you have 50, 30,
# 15 and 5.
#
# **This works for every p and every q.** As many are rejected as are missing, because both rows sum to 1. So each
# position comes out right, and hence the whole text. In a formula: keep a drafted token with probability $\min(1, p/q)$;
# otherwise draw from $\max(p - q, 0)$, divided by its sum.
#
# <!-- paper -->
# **Your turn, on paper.** A model has p = (0.6, 0.4) for *yes* and *no*, and the draft has q = (0.9, 0.1). Of 100 drafted
# tokens, how many are kept, and what do the others become?
#
# <!-- compare -->
# <details><summary>Compare</summary>Of the 90 <em>yes</em>, 60 are kept, and so are all 10 <em>no</em>. The other 30 become
# <em>no</em>, since only <em>no</em> is missing. That makes 60 and 40.</details>
# <!-- end -->
#
# Somebody suggests a simpler last step: "When a token is rejected, draw again from p. That is the distribution that we want."

# %% predict="25.redraw"


# %% tags=["M3"]
p, q = torch.tensor([[0.50, 0.30, 0.15, 0.05], [0.20, 0.30, 0.10, 0.40]])
N = 20_000


def count_draws(replacement, seed):
    """Draw N tokens: drafted and kept with probability p/q, or else drawn from a replacement."""
    generator = torch.Generator().manual_seed(seed)
    drafted = q.multinomial(N, replacement=True, generator=generator)
    kept = torch.rand(N, generator=generator) < (p / q)[drafted]
    other = replacement.multinomial(N, replacement=True, generator=generator)
    return torch.where(kept, drafted, other).bincount(minlength=4) / N


missing = (p - q).clamp(min=0)
right = torch.stack([count_draws(missing / missing.sum(), seed) for seed in range(3)])
wrong = torch.stack([count_draws(p, seed) for seed in range(3)])
print("                  returns     is  takes     of")
for name, found in (("what is missing", right), ("again from p", wrong)):
    for seed, fractions in enumerate(found):
        print(f"{name:15} {seed}", *(f"{each:6.3f}" for each in fractions.tolist()))
reveal("25.redraw")

# %%
names = ["returns", "is", "takes", "of"]
generator = torch.Generator().manual_seed(0)
alone = torch.stack([p.multinomial(N, True, generator=generator) for _ in range(20)])
alone = torch.stack([row.bincount(minlength=4) / N for row in alone])
by_chance = dict(zip(names, alone.T.tolist(), strict=True))
titles = ("By what is missing", "By a draw from p")
for ax, found, title in zip(figures.panels(2), (right, wrong), titles, strict=True):
    values = dict(zip(names, found[0].tolist(), strict=True))
    figures.beside_chance(values, by_chance, title, "fraction of 20,000 draws", ax=ax)
ax.get_legend().remove()  # the one on the left is enough

# %% [markdown]
# <!-- picture -->
# the bars show the model alone, in 20 times 20,000 draws; dots are speculative draws.
# <!-- left -->
# every dot is on its bar.
# <!-- right -->
# *returns* falls short, because the draft proposes it too rarely, and a fresh draw makes up only a little more than half of
# what is missing.
# <!-- end -->
#
# With the right rule, a bad draft cannot spoil the text. It only wastes its guesses. About half of ours are kept.

# %% predict="25.passes"


# %% [markdown] seconds=15
# We draw texts of 100 tokens, with drafts of 1, 2, 4 and 6 tokens. This takes about {seconds} seconds.

# %% tags=["M3", "nbval-ignore-output"]
writers, seeds, ahead = drafting.writers(), effort.seeds(), (1, 2, 4, 6)
measured = [[drafting.tokens_per_pass(writers, k, seed) for k in ahead] for seed in seeds]
rate = np.mean([drafting.rate_of_acceptance(writers, seed) for seed in seeds])
print(f"a drafted token is kept with probability {rate:.2f}")
for k, column in zip(ahead, zip(*measured, strict=True), strict=True):
    print(f"draft of {k}: tokens per pass", *(f"{each:.2f}" for each in column))
by_rule = [drafting.expected_tokens(rate, k) for k in ahead]
lines = {"measured": np.array(measured), "1 + a + a² + …": by_rule}
ax = figures.curves(ahead, lines, "What a draft saves", "drafted tokens", "tokens per pass")

# %% [markdown]
# <!-- picture -->
# the line is the median of three seeds, and the band shows the range.

# %% jupyter={"source_hidden": true}
assert 0.4 < rate < 0.6
assert all(1.3 < row[0] < 1.6 and 1.5 < row[2] < 2.2 for row in measured)

# %%
reveal("25.passes")

# %% [markdown]
# The second guess counts only if the first was kept, and the third only if both were. If each is kept with probability a, a
# pass with k drafted tokens gives $1 + a + a^2 + … + a^k$ tokens on average. However far ahead you draft, that is less than
# $1/(1 - a)$: with a = ½, less than 2. (Measured numbers scatter, and a is not the same at every position.)

# %% [markdown]
# ## Before you go {#exit}

# %% ask="25.exit"


# %% [markdown]
# <!-- answer -->
# **What can a model do without?** Most of its bits, and about half of its passes. Four bits per weight are enough for this
# model. And a draft that is right half of the time nearly doubles the tokens per pass, without changing a single probability.

# %% [markdown]
# To take away:
#
# <!-- takeaway -->
# * Four bits cost 0.02 bits per character; two bits cost about 1.3 with a scale per row, and 0.9 in groups of 32.
# * A pass fetches the weights once for the whole batch, but each text brings its own cache.
# * Keep a drafted token with probability min(1, p/q); otherwise draw from what is missing. The result follows p
#   exactly.
# <!-- end -->
#
# Keys and values are shared in [stage B9 of the Build](../exercises/B9_from_a_gpt_to_a_llama.ipynb); your GPT gets eight bits
# and a draft in [stage B13](../exercises/B13_experts_and_eight_bits.ipynb).
#
# To read next:
#
# <!-- readings -->
# * {dettmers2022}: why a few large numbers make 8 bits difficult in large models.
# * {frantar2022}: each weight makes up for the errors of those before it.
# * {leviathan2022}: speculative decoding, with the proof.
# * {charlie2023}: the same rule, found at the same time.

# %% [markdown]
# ## Deeper {#deeper}
#
# You can read each of these parts on its own; nothing later needs them.
#
# ### Is rounding more than noise? {#noise}
#
# Rounding moves each weight by up to half the scale of its row, up or down. As a control, we keep full precision and add
# a random number from the same range to each weight, with all values equally likely. We do this three times:

# %% tags=["nbval-ignore-output"]
for ax, bits, k in zip(figures.panels(2, height=1.9), (4, 2), (3, 5), strict=True):
    noisy = [fewer_bits.with_noise(prose, parts, bits, seed) - in_full.mean() for seed in range(3)]
    rounded = (by_rows[:, k] - in_full).mean()
    print(f"{bits} bits: rounding costs {rounded:.3f}, noise", *(f"{cost:.3f}" for cost in noisy))
    xlabel = "more bits per character"
    figures.beside_chance({"rounding": rounded}, {"rounding": noisy}, f"{bits} bits", xlabel, ax=ax)

# %% [markdown]
# <!-- picture -->
# the dot is what rounding costs, and the bar shows the range of three draws of noise.
# <!-- end -->
#
# The costs are about the same for 4 bits, and roughly so for 2, although noise produces no zeros. So what matters is less
# *that* the weights are rounded than how coarsely. (Methods such as {frantar2022} choose the direction of each rounding with
# the help of example texts, so that the errors of a row cancel in its outputs. That is better than noise.)
#
# ### Where two bits hurt {#where}
#
# We quantize one kind of matrix to 2 bits, in groups, and leave the others as they are:

# %% tags=["nbval-ignore-output"]
lost = fewer_bits.one_kind_in_two_bits(prose, parts)
title, ylabel = "Two bits for one kind of matrix", "more bits per character"
names = [kind.replace("-", "-\n") for kind in lost]
ax = figures.bars(list(lost.values()), names, title, ylabel, labels="%.2f")

# %% [markdown]
# <!-- picture -->
# each bar is what the model loses if only one kind of matrix has 2 bits.
# <!-- end -->
#
# The feed-forward networks have nearly half of all the weights, but suffer least. The output layer, which turns the last
# vector into logits, suffers most. So people who go below 4 bits often keep more for the embedding table and the output layer.
#
# ### Counted on the real model {#real}
#
# The example had four tokens. Here is one step of the real model, whose vocabulary has 1,280. We draw its next token 20,000
# times, and compare the fractions with the exact probabilities. The **total variation distance** is half the sum of the
# differences: 0 if two distributions are equal, 1 if they have no token in common.

# %% tags=["nbval-ignore-output"]
prompt = tokenizer.encode("\nReturn the")
p_real, q_real = writers.model()(prompt, 1)[0], writers.draft(prompt)


def distance(replacement, seed):
    generator = torch.Generator().manual_seed(seed)
    drafted = q_real.multinomial(N, replacement=True, generator=generator)
    kept = torch.rand(N, generator=generator) < acceptance(p_real, q_real)[drafted]
    other = replacement.multinomial(N, replacement=True, generator=generator)
    found = torch.where(kept, drafted, other).bincount(minlength=len(p_real)) / N
    return (found - p_real).abs().sum().item() / 2


def distance_alone(seed):
    generator = torch.Generator().manual_seed(seed)
    found = p_real.multinomial(N, replacement=True, generator=generator)
    return (found.bincount(minlength=len(p_real)) / N - p_real).abs().sum().item() / 2


alone = [distance_alone(seed) for seed in range(3)]
values = {"speculative": distance(leftover(p_real, q_real), 0), "again from p": distance(p_real, 0)}
xlabel = "total variation distance from p"
ax = figures.beside_chance(values, dict.fromkeys(values, alone), "20,000 next tokens", xlabel)

# %% [markdown]
# <!-- picture -->
# the bars show how far the model alone is from its own probabilities, in three sets of 20,000 draws; dots are speculative
# draws.
# <!-- end -->
#
# Even the model alone does not match its probabilities exactly in 20,000 draws. The speculative draws come just as close. The
# wrong rule is several times as far away.
#
# ### How much time does this save here? {#speed}
#
# Fewer passes need not mean less time. A pass over several tokens may take longer, and the draft takes time, too. Each ratio
# below compares processor times on your computer, with one thread.

# %%
import statistics
import time


def seconds(run, rounds=15):
    """The processor time of a run: the median of several."""
    times = []
    for _ in range(rounds + 1):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return statistics.median(times[1:])  # the first one prepares


context = writers.prompts[0] * 7  # 56 tokens that have been read


def pass_over(tokens):
    reader = writers.model()
    reader(context, 1)
    return lambda: reader(context + context[:tokens], tokens)


def step_of_a_batch(size):
    caches = prose.caches(128)
    prose(torch.tensor([context] * size) + special, caches)

    def run():
        caches_length = caches[0].length
        prose(torch.full((size, 1), 20), caches)
        for cache in caches:
            cache.forget_after(caches_length)

    return run


# %% tags=["nbval-ignore-output"]
one = seconds(pass_over(1))
print(f"a pass over 5 tokens: {seconds(pass_over(5)) / one:.1f} times as long as over one")
single = seconds(step_of_a_batch(1))
for size in (8, 32):
    print(f"a pass for {size:2} texts: {seconds(step_of_a_batch(size)) / single:.1f} times as long")


def draw(drafted, count=60):
    generator = torch.Generator().manual_seed(0)
    reader, ids = writers.model(), list(writers.prompts[0])
    if drafted:
        speculative_sample(reader, writers.draft, ids, count, ahead=4, generator=generator)
    else:
        for _ in range(count):
            ids.append(reader(ids, 1)[0].multinomial(1, generator=generator).item())


ratio = seconds(lambda: draw(True), 5) / seconds(lambda: draw(False), 5)
print(f"60 tokens with drafts of 4: {ratio:.1f} times as long as without")

# %% [markdown]
# A batch of 32 takes far less than 32 times as long as a single text (in our runs, up to five times): batching *is* speed
# here. (With enough texts, the arithmetic takes longer than the fetching, and lighter weights save less time.) Whether the
# draft saves time depends on the computer. It saves nearly half of the passes, but a pass over five tokens takes longer than
# one over a single token, and the guesses take time, too. With the draft, our runs took 0.7 to 1.7 times as long. With models of
# billions of weights on GPUs, where fetching the weights dominates, {leviathan2022} report two to three times the speed, and
# {charlie2023} 2 to 2.5 times.
#
# Other savings depend on the machine, too. Our low-bit copies are no faster, because they compute with floats. A product of
# 8-bit integers is four to six times as fast as one of floats on our processor, which has instructions for it. A **static cache** has its full
# length from the beginning, so that all shapes stay the same, and `torch.compile` can turn the whole pass into one program.
# That needs a C++ compiler, which your computer may not have. On ours, compiling took 11 seconds and gained nothing: with
# `prose`, the static cache needed 1.0 times the processor time of the growing one, and the compiled pass 1.3 times. On a GPU,
# where each small operation is started separately, a single program saves this overhead; we have not measured that. (`python -m
# benchmarks small-and-fast` repeats our measurements.)
