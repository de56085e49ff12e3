# %% [markdown]
# # 08 · What extrapolates? Which positions still work in texts longer than those of the training?
#
# A model has seen texts of up to 20 tokens. Now it gets one of 80. To work beyond the lengths of the training is called to
# **extrapolate**. Two of the course's notes, 1 and 3, say which positions can do it. Here you train four kinds, and look.
#
# About 30 minutes. Afterwards you can
#
# * say what a learned table holds in the rows that training never used, and treat them fairly;
# * show whether a model fails because of unseen rows, or because of the length itself;
# * say what rotary positions depend on;
# * say what a result on one task is worth for another.

# %%
import copy
import math

import numpy as np
import torch

from transformer_course import figures
from transformer_course.exercises import ask, predict, reveal
from transformer_course.experiments.lengths import (
    TASKS,
    accuracy,
    long_sequences,
    train_copier,
    weights_by_distance,
)
from transformer_course.positions import rotate

torch.set_num_threads(1)

# %% [markdown]
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %%
ask("08.recall")

# %% [markdown]
# ## A small task, and a strict test
#
# Each token, of 16 kinds, is to name **the token before it**. What stands there is random; so only positions can tell which of
# the tokens that it sees is the one. A blind guess is right once in 16, 0.06; one among the tokens that it sees, more often.

# %% tags=["S9"]
text = long_sequences()[:1, :10]
print("tokens:", text[0].tolist())
print("asked: ", ["–", *TASKS["previous"](text)[0].tolist()])

# %% [markdown]
# The model is as small as it can be: one attention with one head and a causal mask, what it brings is added to the
# token's vector, and one linear map reads the answer off. It is trained for 550 steps on texts of 6 to 20 tokens, always
# counted from 0. So position 19 is the last that it sees.
#
# The test is 500 texts of 80 tokens, **position by position**. Thanks to the causal mask that is the same as a test at each
# length: what stands at position 49 sees 50 tokens, as it would at the end of a text of 50.
#
# Two kinds of positions you know: the waves of lesson 07, which are defined at any position, and a **learned table**, a
# row of free numbers for each position, trained like all other parameters. A table ends somewhere. Ours gets 80 rows, so
# that it lasts for the test.

# %%
predict("08.rows")


# %% tags=["S9"] jupyter={"source_hidden": true}
def tested(models, **options):
    """The accuracy of each model at the positions 1 to 79, on texts of its own."""
    return torch.stack([accuracy(m, seed=seed, **options) for seed, m in enumerate(models)])


def three(positions, task="previous", rows=20):
    """Three seeds: the models, and their accuracy."""
    models = [train_copier(positions, task, rows, seed) for seed in range(3)]
    return models, tested(models, task=task)


learned_models, learned = three("learned")
for seed, model in enumerate(learned_models):
    start = train_copier("learned", seed=seed, steps=1).positions.table  # 20–79: as drawn
    same = (model.positions.table == start).all(dim=1)
    print("unchanged:", same[:20].sum().item(), "of rows 0–19,", same[20:].sum().item(), "of 20–79")
reveal("08.rows")

# %% [markdown]
# In training, only rows 0 to 19 are ever added to a token. So from position 20 on this model adds noise. We come to what would
# be fair to it below.
#
# The waves have no such rows: one rule makes them all, and a matrix that finds "the token before" *exists* for all of them.
# Notes 1 and 3 say that sinusoids generalise to any length.

# %%
predict("08.waves")

# %% tags=["S9", "E19"] jupyter={"source_hidden": true}
bands = {"1–19": (0, 19), "20–39": (19, 39), "40–59": (39, 59), "60–79": (59, 79)}


def level(shares):
    means = shares.mean(dim=1)  # one for each seed
    return "over 0.85" if means.min() > 0.85 else "under 0.5" if means.max() < 0.5 else "between"


def table(**kinds):
    print(" " * 10, *(f"{name:>10}" for name in bands))
    for name, runs in kinds.items():
        print(f"{name:10}", *(f"{level(runs[:, a:b]):>10}" for a, b in bands.values()))


waves_models, waves = three("sinusoidal")
_, none = three("none")
table(learned=learned, waves=waves, none=none)
with_rows, without = (runs[:, 19:].mean(dim=1) for runs in (torch.cat([learned, waves]), none))
print("20–79, each seed: learned and waves under 0.15:", bool(with_rows.max() < 0.15), end=", ")
print("none is better than both:", bool(without.min() > with_rows.max()))
reveal("08.waves")

# %% [markdown]
# "Over" and "under" hold for the mean over these positions, with all three seeds; "between" is the rest. `none` is the
# control, a model without any positions: its mask tells it what came before, but not which of these came last. It is poor
# throughout, and from 20 on still better than the two others: there a wrong position is worse than none.
#
# **That the rows are defined does not mean that a model can use them.** Notes 1 and 3 are right about the first. The second
# has to be measured, and here it fails. (The Transformer's authors were careful: they hoped that the waves *may* allow longer
# texts. Vaswani and others 2017, section 3.5.)
#
# ## Is it fair to the table?
#
# A table that adds untrained noise is an easy victim. Perhaps zeros would be kinder, or rows 0 to 19 over and over again, so
# that each row that is used is a trained one:


# %% tags=["S9"]
def with_late_rows(model, rows):
    other = copy.deepcopy(model)
    other.positions.table.data[20:] = rows
    return other


ways = {"zeros": lambda known: 0.0, "0–19 in turn": lambda known: known.repeat(3, 1)}
for name, fill in ways.items():
    filled = [with_late_rows(m, fill(m.positions.table.data[:20])) for m in learned_models]
    means = tested(filled)[:, 19:39].mean(dim=1)
    few, some = means.max() < 0.2, means.min() > 0.2 and means.max() < 0.6
    print(f"{name:12} 20–39:", "under 0.2" if few else "between 0.2 and 0.6" if some else "other")

# %% [markdown]
# Zeros are of as little use as the noise. Going round helps, but not enough. Two things are still new. The token at position
# 25 has row 5 and looks for row 4, which the tokens at 4 and at 24 both have. And it sees tokens with rows 6 to 19: in
# training these always came after it, behind the mask. So the result does not hang on the noise: **neither way to fill the
# rows came near to what the table does at positions 1 to 19.**
#
# ## Is it the length?
#
# Two things are new at once from position 20 on: the *rows*, and that a token sees more than 20 tokens. So a control. The
# texts stay as short as before, 6 to 20 tokens. But now each batch begins at a random row, anywhere within rows 0 to 39: its
# first token may get row 11, the next one row 12, and so on. The test stays as it was, 80 tokens from row 0.

# %%
predict("08.cliff")

# %% tags=["S9"]
_, learned_40 = three("learned", rows=40)
_, waves_40 = three("sinusoidal", rows=40)
table(learned=learned_40, waves=waves_40)
reveal("08.cliff")

# %% tags=["S9"]
at = np.arange(1, 80)
trained = {
    "Trained on rows 0–19: a cliff at 20": ({"learned": learned, "waves": waves, "none": none}, 20),
    "Trained on rows 0–39: a cliff at 40": ({"learned": learned_40, "waves": waves_40}, 40),
}
for ax, (title, (lines, rows)) in zip(figures.panels(2, 5.6, 3.6), trained.items(), strict=True):
    ax.axvspan(rows - 0.5, 80, color="0.5", alpha=0.15, zorder=-1)
    figures.curves(at, lines, title, "position", "accuracy", level=(1 / 16, ""), ax=ax)

# %% [markdown]
# **In the picture:** accuracy at each position of the long texts, the median of three seeds and a band from the lowest to the
# highest; the faint line is chance. Rows on grey were never trained. On the left table and waves fall off a cliff at the edge
# of the grey. On the right the edge has moved to 40, and the cliff with it, though no text of the training was longer. **Here
# the failure is one of unseen rows, not of length, and not of tables as such.** The waves fall at the same edge: what training
# found works for the rows that it met. (Where single peaks and dips of the learned table stand differs from seed to seed.)
#
# ## Turn, and do not add
#
# What if a model never got to see *where* a token stands, but only how far apart two of them are? Take up the clock once more.
# A query and a key, of two numbers each, are hands. Instead of adding a row, **turn** each by its position, by 1 radian a
# token:


# %% tags=["S9"]
def turned(pair, angle):
    (x, y), cos, sin = pair, math.cos(angle), math.sin(angle)
    return np.array([x * cos - y * sin, x * sin + y * cos])


def plus_row(pair, position):  # as so far: the position is added
    return pair + np.array([math.sin(position), math.cos(position)])


q, k = np.array([0.3, 0.7]), np.array([0.7, 0.2])
for way, word in ((turned, "turned"), (plus_row, "added")):
    for ax, (p, r) in zip(figures.panels(3, 2.6, 2.6), ((3, 1), (10, 8), (52, 50)), strict=True):
        figures.clock([way(q, p), way(k, r)], title=f"{word}: {p} and {r}", ax=ax)

# %% [markdown]
# **In the picture:** the query (round tip) and the key (square tip), two tokens apart, at three places of a text. Above, both
# are turned. They stand in another place each time, but with the same angle between them and the same lengths; and that is all
# a dot product knows. Below, rows are added: lengths and angle change with the place.
#
# These are **rotary positions** (Su and others 2021). Queries and keys are turned, values are not, and nothing is added to the
# tokens. A wider vector is taken in pairs, numbers 0 and 1, 2 and 3, and so on, and each pair turns at the speed of its hand:
# 1 / 10000^(2i/d) a token. (These hands turn anticlockwise, unlike those of lesson 07. What counts is that queries and keys
# turn the same way.) In the library:

# %% tags=["S9"]
draw = torch.Generator().manual_seed(0)
query, key = torch.randn(2, 1, 32, generator=draw, dtype=torch.float64)
places = [(torch.tensor([p]), torch.tensor([p - 2])) for p in (3, 52, 100_002)]
scores = torch.cat([rotate(query, p) @ rotate(key, r).T for p, r in places])
print("the same score at 3, 52 and 100,002:", bool((scores - scores[0]).abs().max() < 1e-6))
pair = rotate(query, torch.tensor([52]))[0, :2]
print("the first pair, by hand:", np.allclose(turned(query[0, :2].numpy(), 52), pair))

# %% [markdown]
# So there are no rows here that could be unseen: a pair of tokens two apart looks at position 52 just as it does at 3.

# %%
predict("08.rotary")

# %% tags=["S9"] jupyter={"source_hidden": true}
rotary_models, rotary = three("rotary")
table(rotary=rotary)
print("60–79: under 0.85 with every seed:", bool(rotary[:, 59:].mean(dim=1).max() < 0.85))
reveal("08.rotary")

# %% [markdown]
# To be right, it is not enough to score high at distance 1. The token must score *lower* at all other distances that it sees.
# At position 79 these reach up to 79, and training has never gone beyond 19.

# %% tags=["S9"]
for position, ax in zip((19, 79), figures.panels(2, 5.6, 3.0), strict=True):
    weights = torch.stack([weights_by_distance(m, position) for m in rotary_models])
    ax.axvspan(19.5, 80, color="0.5", alpha=0.15, zorder=-1)
    back, title = np.arange(position + 1), f"Where position {position} looks"
    lines = {"rotary": weights}
    figures.curves(back, lines, title, "tokens back", "weight", ax=ax).set_xlim(-2, 80)
    ax.lines[-1].set_marker("")
    ax.get_legend().remove()

# %% [markdown]
# **In the picture:** where the weight of one token goes, by distance; on grey, distances that training never had. At position
# 19, nearly all of it goes one token back. At position 79 that is only about half, and most of the rest goes 57 and 58 tokens
# back. Where does the score of the five fastest hands, which make up 10 of the 32 numbers, stand highest beyond 19? And how
# many rounds do they make in 56 tokens, from 1 back to 57 back?

# %% tags=["S9"]
for model in rotary_models:
    mean = model.embedding(torch.arange(16)[None])[0].mean(dim=0)  # of the 16 kinds of tokens
    query, key = model.attention.w_q(mean), model.attention.w_k(mean)
    by_distance = rotate(query.expand(80, 32), torch.arange(80))[:, :10] @ key[:10]
    print("highest at 57 or 58:", by_distance[20:].argmax().item() + 20 in (57, 58))
print("rounds:", (56 / 10000 ** (2 * np.arange(5) / 32) / (2 * np.pi)).round(2))

# %% [markdown]
# So these five are enough to point there. The first two are back to within a tenth of a round, the third and the fifth to
# within a fifth; only the fourth points the other way. To most of them 57 tokens back looks much like one token back: the
# **aliasing** of lesson 07. Nobody has taught the model to tell the two apart, since no text of the training was so long.
#
# Is it really the distances? A control without any training. The mask is cut so that each token sees the last 20 tokens alone,
# itself included. Then no distance is new, while the positions are new as before. And two more cuts for the rotary models: 57
# tokens, just short of the distance 57, and 60.

# %% tags=["S9"]
near = {
    "learned 20": tested(learned_models, window=20),
    "waves 20": tested(waves_models, window=20),
}
for reach in (20, 57, 60):
    near[f"rotary {reach}"] = tested(rotary_models, window=reach)
table(**near)

# %% [markdown]
# Seeing 20, the rotary models are right up to the end, and learned tables and waves are lost as before. It is hardly a matter
# of how many: 57 tokens do little harm, 60 do. What is new in these are the distances 57, 58 and 59. **Here tables and waves
# fail at unseen rows; rotary positions fail at some unseen distances, those that look like a seen one.** Two ways in use to
# lengthen models aim at that: train them further on long texts, or slow their hands down (Chen and others 2023).
#
# ## Another task
#
# Now each token is to name **the first token of the text**, not the one before it. Training and test stay as they were.

# %%
predict("08.task")

# %% tags=["S9"]
kinds = {"learned": "learned", "waves": "sinusoidal", "rotary": "rotary"}
trained_first = {name: three(kind, "first") for name, kind in kinds.items()}
first = {name: runs for name, (_, runs) in trained_first.items()}
table(**first)
reveal("08.task")

# %% tags=["S9"]
before = {"learned": learned, "waves": waves, "rotary": rotary}
titles = "The token before: rotary lasts longest", "The first token: rotary fails first"
for ax, lines, title in zip(figures.panels(2, 5.6, 3.6), (before, first), titles, strict=True):
    ax.axvspan(19.5, 80, color="0.5", alpha=0.15, zorder=-1)
    figures.curves(at, lines, title, "position", "accuracy", level=(1 / 16, ""), ax=ax)

# %% [markdown]
# **In the picture:** three kinds of positions on two tasks, all trained on 6 to 20 tokens. On the left rotary positions go far
# into the grey (down to about 0.75 at position 57, the first that has a token 57 back, and to 0.7 soon after), and the others
# fall at its edge. On the right it is the other way: rotary positions fall at the edge, with one seed ten tokens later; the
# learned tables stay near 1, and the waves last till about 55 (why till there, we have not looked into).
#
# Two things are odd. How can a row of noise do so little harm here? And how can rotary positions, which know no first token,
# name it at all? Where is their highest weight?

# %% tags=["S9"]
zeros = [with_late_rows(m, 0.0) for m in trained_first["learned"][0]]
right = tested(zeros, task="first").mean(dim=1)
print("learned, zeros for the noise: over 0.99 with every seed:", bool(right.min() > 0.99))


def highest(position):  # how far back the highest weight is, for each seed
    return [weights_by_distance(m, position).argmax().item() for m in trained_first["rotary"][0]]


print("rotary, at 5 and at 10, the furthest back:", highest(5) + highest(10) == 3 * [5] + 3 * [10])
print("rotary, at 79, 17 to 29 back:", all(17 <= back <= 29 for back in highest(79)))

# %% [markdown]
# The first token always has row 0, which is trained, and the asking token need not know where it is itself. With zeros in
# place of the noise the table is right nearly everywhere; so the noise does a little harm, the dips in the picture. What
# rotary positions seem to have learned is "the furthest back". At 79 that is a distance which they have never seen, and the
# highest weight is on a token not far from the furthest of the training.
#
# So **a result about extrapolation belongs to its task** (and to its model: ours has one attention and one head, and no
# feed-forward network).
#
# <details><summary>And in larger models?</summary>In language models waves failed soon after the training length, and rotary
# positions somewhat later (Press and others 2022). On small tasks of reasoning, models without positions did best behind a
# causal mask (Kazemnejad and others 2023). Ours, asked for the token before, were poor throughout.</details>

# %% [markdown]
# ## Before you go

# %%
ask("08.exit")

# %% [markdown]
# **What extrapolates?** In longer texts, what training has met goes on working: rows for tables and for waves, distances for
# rotary positions. Of what it has not met, some works and some does not. Which, depends on what the task needs, and has to be
# measured, position by position.
