# %% [markdown] minutes=21
# # 24 · Does bigger always win?
#
# GPT-3 came in May 2020, with 175 billion parameters, over a hundred times as many as GPT-2 ({brown2020}). Chinchilla came in
# March 2022, with 70 billion, and was better on a wide range of tests ({hoffmann2022}). What did the smaller model have that
# the larger one lacked?
#
# You cannot yet say which size suits a text and a budget.
#
# About {minutes} minutes. By the end, you will be able to
#
# * draw a line through the losses of four models, predict a fifth, and say what such a line takes for granted;
# * count the arithmetic of a training run as 6·N·D, and say what this leaves out;
# * choose between a larger model and more text, and say what two famous papers advised.

# %%
import numpy as np
import torch

from transformer_course import figures
from transformer_course.exercises import ask, predict, reveal
from transformer_course.experiments import effort, scaling
from transformer_course.experiments.records import recorded
from transformer_course.experiments.scaling import RATES, SIZES, power_law

torch.set_num_threads(1)

# %%
lit = ("decoder self-attention", "decoder feed-forward")
ax = figures.architecture(*lit, title="Lesson 24: the blocks, wider and more of them", small=True)

# %% [markdown]
# <!-- picture -->
# the map from lesson 00. The highlighted boxes are the parts that grow, in width and in number.
# <!-- end -->
#
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %% ask="24.recall"


# %% [markdown]
# ## Four readers of one text {#four}
#
# We train four GPTs of increasing size on Python's documentation, and keep a fifth for later. A token is one character, and a
# model sees up to 64 of them. N counts the blocks' parameters, without the tables at both ends.

# %%
for size in SIZES:
    print(f"width {size.d_model}, {size.num_layers} blocks: N = {size.parameters:,}")

# %% [markdown]
# Every model gets 300 steps of 2,048 characters, with a learning rate of 0.03 at its peak. Of 0.003, 0.01 and 0.03, this rate
# is best for the smallest model, where trying is cheap.

# %% [markdown] seconds=25
# Train the first three, in about {seconds} seconds; the fourth is recorded below. All are measured on
# the same 40,000 held-out characters.

# %% tags=["M2", "nbval-ignore-output"]
live, steps = [], effort.steps(300)
for size in SIZES[:3]:
    model = scaling.train(size, rate=0.03, steps=steps)
    live.append(scaling.bits(model))
    print(f"N = {size.parameters:6,}: {live[-1]:.2f} bits per character")

# %%
assert live[0] > live[1] > live[2]

# %% [markdown]
# ## A straight line {#line}
#
# From the first model to the second, N more than doubles, and the bits fall by 9%. If every doubling of N multiplies the bits
# by the same factor below 1, then the points lie on a straight line on **log–log paper**, where equal steps mean equal factors
# (lesson 17):
#
# $$L(N) = a \cdot N^{-s}$$
#
# where L is the loss in bits, a is a constant, and −s is the slope of the line. This is a **power law**. People love such
# lines, because they can be extended: from four small models, you read off how good one a hundred times as large will be.
#
# You trained with one seed; our record has three. This is the line through their medians:

# %% tags=["M2"]
record = recorded("scaling")
N = np.array(record["settings"]["parameters in blocks"])


def measured(rate):
    """Bits per character (seeds, sizes) after 300 steps."""
    return scaling.runs(record, "equal steps", RATES.index(rate))


first = np.median(measured(0.03), axis=0)
line = power_law(N[:4], first[:4])
print("medians:", first[:4])
print(f"line: {line.factor:.2f} · N^-{line.slope:.3f}")
print(f"for the fifth model, N = {N[4]:,}: {line.at(N[4]):.2f}")

# %% predict="24.fifth"


# %% tags=["M2"]
lines = {"measured": measured(0.03), "line through the first four": line.at(N)}
axes = ("thousand parameters in blocks", "bits per character", "xy")
ax = figures.curves((N / 1000).round(1), lines, "The fifth model, at the same rate", *axes)

# %% [markdown]
# <!-- picture -->
# points are medians of three seeds, the band is their range, and both axes are logarithmic. The line goes on falling, but the
# fifth model's loss rises.

# %%
print("fourth:", measured(0.03)[:, 3], "  fifth:", measured(0.03)[:, 4])
reveal("24.fifth")

# %% [markdown]
# ## What the line took for granted {#granted}
#
# The first suspect is the learning rate. Here are all five sizes at
# three rates:

# %% tags=["M2"]
lines = {f"rate {rate}": measured(rate) for rate in RATES}
ax = figures.curves((N / 1000).round(1), lines, "Three rates, each for all sizes", *axes)

# %% [markdown]
# <!-- picture -->
# each curve shows one rate, as medians of three seeds.
# <!-- end -->
#
# **One rate does not suit all sizes.** The first four are best at 0.03, the highest that we tried. The largest is best at
# 0.01, and at 0.03 its steps are too long. Tuning on the small model, as we did, punishes the large one.
#
# And how well does a line at 0.003 predict? The points there do lie on a line.

# %% tags=["M2"]
best = np.min([np.median(measured(rate), axis=0) for rate in RATES], axis=0)
slowest = np.median(measured(0.003), axis=0)
for name, found in (("rate 0.003", slowest), ("best of three", best)):
    line = power_law(N[:4], found[:4])
    print(f"{name:13} slope {line.slope:.3f}, predicted {line.at(N[4]):.2f}, got {found[4]:.2f}")

# %% [markdown]
# At 0.003 the prediction is off by less than 0.02. But the line describes bad models: each does better at a higher rate, the
# smallest by 0.7 bits. **A line that fits is not yet a law.** If every size gets its best rate, the fifth beats the fourth,
# and the line misses by 0.06 bits instead of 0.23. And 300 steps aren't many:

# %% tags=["M2"]
for place, k in ((0, 0), (-1, 1)):
    short, long = best[place], np.median(scaling.runs(record, "more steps")[:, k])
    print(f"N = {N[place]:7,}: {short:.2f} bits after 300 steps, {long:.2f} after 900")

# %% [markdown]
# The smallest and largest models both improve by over 0.4 bits with three times the steps. So the line shows how fast
# models learn, not what they could become.
#
# ## What a training run costs {#cost}
#
# More steps cost more, and so does a larger model. To compare them, count the arithmetic. In the forward pass, each parameter
# is multiplied by something once per token, and the product is added to a sum: two operations. The backward pass needs two
# such products per parameter, for the gradients of the weights and of the inputs. So N parameters and D tokens take about
#
# $$C = 6 \cdot N \cdot D$$
#
# floating-point operations, **FLOPs** for short. Our first model takes 6 · 6,592 · 614,400 = 2.4 · 10¹⁰.
#
# What does the formula leave out? Per character, the output layer has 16 · 96 = 1,536 products. Attention multiplies a query
# by up to 64 keys, and weights by 64 values, each of width 16, in 2 blocks: 2 · 64 · 16 · 2 = 4,096. Together, these come
# close to the 6,592! In GPT-3, attention over 2,048 tokens adds 3% at most: the formula suits large models.
#
# <!-- paper -->
# **Your turn, on paper.** GPT-3 read 300 billion tokens, and Chinchilla, with its 70 billion parameters, 1.4 trillion. How
# many FLOPs did each training run take, and how many tokens is that per parameter?
#
# <!-- compare -->
# <details><summary>Compare</summary>6 · 175 · 10⁹ · 300 · 10⁹ = 3.2 · 10²³, and 6 · 70 · 10⁹ · 1.4 · 10¹² = 5.9 · 10²³. That is
# 1.7 tokens per parameter for GPT-3 and 20 for Chinchilla.</details>
# <!-- end -->
#
# So the larger model lacked text. (Chinchilla also had 1.9 times the arithmetic; sheet 24 has a fairer pair.)
#
# ## One evening each {#budget}
#
# Think of the budget as an evening. A large reader gets more out of each page, but reads slowly; a small one gets through a
# whole shelf. (The analogy is imperfect: our budget is arithmetic, not hours.) All five models now get the same 6·N·D, 1.4 ·
# 10¹¹ FLOPs: 1,737, 790, 300, 135 and 57 steps, from the smallest to the largest. Each gets the better rate, 0.01 or 0.03.

# %% predict="24.budget"


# %% tags=["M2"]
small, large = (scaling.at_equal_budget(record, part) for part in (0, 1))
lines = {"3.5 · 10¹⁰ FLOPs": small, "1.4 · 10¹¹ FLOPs": large}
ax = figures.curves((N / 1000).round(1), lines, "The same arithmetic for all", *axes)

# %% [markdown]
# <!-- picture -->
# all models on one curve get the same 6·N·D. Lines are medians of three seeds.

# %%
for name, found in lines.items():
    print(f"{name}: {np.median(found, axis=0)}")
    print("    best size for each seed: N =", *(f"{n:,}" for n in N[found.argmin(axis=1)]))
reveal("24.budget")

# %% [markdown]
# At its best rate and with the same number of steps, the largest model was ahead of all others. With the same arithmetic it is
# far behind: 57 steps of 2,048 characters are few updates, and little text. On the larger budget, the second model wins. Nor
# is smaller always better: the first has more steps and loses. (It goes through our 1.2 million characters three times, the
# second 1.4 times.) On a quarter of the budget, the first wins. So here **each budget has a best size, and the larger budget
# has a larger one.**
#
# ## Two famous papers {#papers}
#
# How does the best size grow with the budget? {kaplan2020} found $N \propto C^{0.73}$, and Hoffmann and others in 2022 about
# $C^{0.5}$. Since C is 6·N·D, the tokens get what is left.
#
# | | Kaplan and others, 2020 | Hoffmann and others, 2022 |
# | --- | --- | --- |
# | with ten times the arithmetic: parameters | 5.4 times as many | 3.2 times as many |
# | tokens | 1.9 times as many | 3.2 times as many |
# | a model built on this advice | GPT-3: 1.7 tokens per parameter | Chinchilla: 20 tokens per parameter |
#
# Why did they differ? Hoffmann and others blame the schedule: in the earlier runs, the rate fell over one fixed number of
# steps, so a shorter run was measured before its rate had fallen. Later work found more reasons (see "Deeper"). You have just
# counted one of them: the output layer, which 6·N·D leaves out, matters most in small models.
#
# Our runs can show that a budget has a best size, which grows with the budget. They cannot show with what power: two budgets,
# five sizes and one text are not enough, and on the small budget the best size is at the edge of what we tried. Nor can our
# best model's 112 characters per parameter be compared with 20 tokens. A character is less than a token, and what 6·N·D leaves
# out favours small models: our smallest took about 1.5 times as much real arithmetic as the largest.
#
# ## Past the tables {#tables}
#
# When does size beat *counting*? A table of counts (lesson 18) with three characters in view needs 2.06 bits here, and the
# best one, with five, 1.71. We place two shipped models beside them: `prose`, with 793,000 parameters in its blocks, and
# `prose-large`, with 2.7 million, over ten times as large as the fifth model. **They are not part of the line.** They read
# byte-pair tokens, 128 at a time, for 1,500 and 3,600 steps, and `prose-large` was trained on a different text, twelve times
# as long.

# %% tags=["M2"]
shipped = record["shipped"]
few = np.full(2, np.nan)
everything = [*(N / 1000).round(1), 793, 2670]
lines = {
    "300 steps, best rate": [*best, *few],
    "shipped models": [*[np.nan] * 5, shipped["prose"], shipped["prose-large"]],
    "table, 3 in view": [record["tables"]["characters"][3]] * 7,
    "table, 5 in view": [record["tables"]["characters"][5]] * 7,
}
ax = figures.curves(everything, lines, "On the same held-out text", *axes)
print("tables of byte pairs, with 0, 1, … in view:", *record["tables"]["byte pairs"])

# %% [markdown]
# <!-- picture -->
# circles are our five models at each size's best rate, squares are the two shipped ones, and the horizontal lines are tables
# of counts.
# <!-- end -->
#
# After 300 steps, our largest model beats the table with two characters in view (2.72), and after 900 steps the one with
# three. `prose`, at 1.56, overtakes the best table of characters. But a table may count byte pairs, too. With three of these
# in view, such a table needs 1.54, a little less than `prose`. **`prose-large`, at 1.49, is the first to beat every table.**
# It read no Python documentation in training, but twelve times as much other text, which these tables did not have.

# %% [markdown]
# ## Before you go {#exit}

# %% ask="24.exit"


# %% [markdown]
# <!-- answer -->
# **Does bigger always win?** No. With the same number of steps, and at a rate that suited it, the larger model won here. But
# for the same arithmetic there is a best size, and a model that is too large for its budget loses: it gets too few steps and
# too little text.

# %% [markdown]
# To take away:
#
# <!-- takeaway -->
# * A power law is a straight line on log–log paper. It holds only as long as rate, steps and text suit the new size as well.
# * Training takes about 6·N·D FLOPs. The budget fixes the product; dividing it between size and text is up to you.
# * Kaplan: spend mostly on size. Hoffmann: let text keep pace, at about 20 tokens per parameter.
# <!-- end -->
#
# In [stage B10](../exercises/B10_your_own_model.ipynb) the budget is yours: one text, one evening. Which size?
#
# To read next:
#
# <!-- readings -->
# * {kaplan2020}: power laws over seven orders of magnitude, and 6·N·D in section 2.1.
# * {hoffmann2022}: three ways to find the best size, in section 3.
# * {porian2024}: why the two papers differ, reason by reason.

# %% [markdown]
# ## Deeper {#deeper}
#
# You can read each of these parts on its own; nothing later needs them.
#
# ### A floor {#floor}
#
# A pure power law goes down to 0. But no model can know the next character for certain: text has an entropy. So papers often
# write $L(N) = E + a \cdot N^{-s}$, with a floor E, the **irreducible loss**. Which of the two fits our models better, and
# what does each predict?

# %% tags=["M2"]
for name, found in (("rate 0.003", np.median(measured(0.003), axis=0)), ("best of three", best)):
    for law in (power_law, scaling.power_law_with_floor):
        line = law(N, found)
        off = np.abs(line.at(N) - found).max()
        far = "  ".join(f"{line.at(each):.2f}" for each in (2.7e6, 1e9, 1e12))
        print(f"{name:13} floor {line.floor:.2f}, off by up to {off:.2f}:  {far}")

# %% [markdown]
# The numbers at the end of a line are predictions for 2.7 million, a billion and 10¹² parameters. At rate 0.003, the best fit
# needs no floor. With each size's best rate the curve flattens, and the best fit has a floor above 2.2 bits. It follows the
# points more closely, but it is wrong: our own largest model needs 1.90 after 900 steps, and `prose-large` 1.49. **The curve
# flattens because of what was kept the same, and the fit takes that for a property of the text.** A curve with three free
# numbers fits nearly any five points. Papers fit such laws to hundreds of runs, and even so they dispute the result.
#
# ### Too little text {#text}
#
# The third thing that a line takes for granted is enough text. We keep only 60,000 characters of our text, a twentieth. The
# 300 steps then go through it ten times.

# %% tags=["M2"]
for place, k in ((0, 0), (-1, 1)):
    all_of_it, little = best[place], scaling.runs(record, "less text")[:, k]
    print(
        f"N = {N[place]:7,}: all of it {all_of_it:.2f}, a twentieth",
        *(f"{each:.2f}" for each in little),
    )

# %% [markdown]
# The smallest model gets worse by less than 0.1 bits, the largest by over 0.2. The largest stays ahead, but its lead shrinks: a
# larger model uses up a text sooner, perhaps because it learns more of it by heart.
#
# ### Why the two papers differ {#why}
#
# {porian2024} repeated the earlier study and changed one thing at a time. Three changes explain nearly the whole gap: counting
# the arithmetic of the last layer, shortening the warm-up (which had eaten up much of the short runs of small models), and
# tuning the optimizer for each size. The schedule mattered less than Hoffmann and others thought. {pearce2024} put most of the
# difference down to counting parameters without the embeddings, in models so small that these make up much of the total.
#
# Nor was the second paper free of errors. It estimates the best size in three ways. {besiroglu2024} took the points of the
# third from its figure and fitted them again. The published numbers do not fit these points well, and their intervals are far
# too narrow. The new fit agrees with the other two ways, at about 20 tokens per parameter.
#
# Today's models go far beyond 20. If you *use* a model a lot, you pay for its size with every token. So it pays to train a
# small one for longer: Llama 3.1 with 8 billion parameters read about 15 trillion tokens ({grattafiori2024}), some 1,900 per
# parameter.
