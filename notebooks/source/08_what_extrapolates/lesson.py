# %% [markdown] minutes=22
# # 08 · What extrapolates? Which positions still work in texts longer than those in training?
#
# GPT-2 (2019) has a table of positions with 1,024 rows, one for each token that it can read at once ({radford2019}). What
# about token 1,025? There is no row for it. Sinusoids have a row for every position, however far along, so a model that was
# trained on texts of 20 tokens will at least *run* on one of 80. Will it still work? Lesson 07 showed what the rows of
# sinusoids *contain*, but not what a trained model makes of them. So you will train models with three kinds of positions on
# short sequences, and test them on long ones.
#
# About {minutes} minutes, and nearly as long again for the parts under "Deeper". By the end, you will be able to
#
# * say what a learned table of positions contains beyond the training length;
# * test a model position by position, beyond the lengths it was trained on;
# * rotate queries and keys by their positions, and say what their scores then depend on;
# * say what a result on one task tells you about another.

# %%
import copy
import math

import numpy as np
import torch

from transformer_course import figures
from transformer_course.exercises import ask, predict, reveal
from transformer_course.experiments import effort
from transformer_course.experiments.lengths import (
    TASKS,
    accuracy,
    long_sequences,
    train_copier,
    weights_by_distance,
)
from transformer_course.positions import rotate

torch.set_num_threads(1)

# %%
lit = ("source positions", "target positions")
ax = figures.architecture(*lit, title="Lesson 08: positions, once more", small=True)

# %% [markdown]
# <!-- picture -->
# the boxes from lesson 07 again. One of the three kinds of positions in this lesson leaves them empty and
# does its work inside attention.
# <!-- end -->
#
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %% ask="08.recall"


# %% [markdown]
# ## A small task and a strict test
#
# A model **extrapolates** if it works on longer sequences than in training. We test this on a task that needs positions: each
# token has to name **the token before it**. The tokens are random, from a vocabulary of 16.

# %% tags=["S9"]
text = long_sequences()[:1, :10]
print("tokens: ", text[0].tolist())
print("answers:", ["–", *TASKS["previous"](text)[0].tolist()])

# %% [markdown]
# The model is as small as possible: one attention layer with one head and a causal mask. Its output is added to the token's
# vector, and a linear map reads the answer from the sum. We train it on sequences of 6 to 20 tokens, each beginning at
# position 0. So position 19 is the last one that it sees in training.
#
# We test it on 500 sequences of 80 tokens, **position by position**. Because of the causal mask, this tests all lengths at
# once: position 49 sees 50 tokens, just as it would at the end of a sequence of 50.
#
# You know one kind of position, the sinusoids. The second kind is a **learned table**: one row of numbers per position,
# trained like all other parameters. Ours has 80 rows, enough for the test. At the start all of them are random.

# %% predict="08.rows"


# %% [markdown] seconds=10
# The next cell trains three models with a learned table, one for each seed. This takes about {seconds} seconds.


# %% tags=["S9"] jupyter={"source_hidden": true}
def tested(models, **options):
    """The accuracy of each model at positions 1 to 79, each on its own sequences."""
    return torch.stack([accuracy(m, seed=seed, **options) for seed, m in enumerate(models)])


def three(positions, task="previous", rows=20):
    """Train a model for each of three seeds; return them and their accuracy."""
    models = [train_copier(positions, task, rows, seed) for seed in effort.seeds()]
    return models, tested(models, task=task)


learned_models, learned = three("learned")
for seed, model in enumerate(learned_models):
    start = train_copier("learned", seed=seed, steps=1).positions.table  # rows 20–79: as drawn
    same = (model.positions.table == start).all(dim=1)
    print(f"unchanged: {same[:20].sum()} of rows 0–19, {same[20:].sum()} of rows 20–79")
reveal("08.rows")

# %% [markdown]
# ## Sinusoids, far beyond training
#
# With sinusoids, no row can miss its training, because none needs any: one formula gives them all. And in lesson 07, a single
# matrix moved every row by the same number of tokens. What does a trained model make of this?

# %% predict="08.waves"


# %% [markdown] seconds=20
# We train three models with sinusoids and, as a control, three without any positions. This takes about {seconds} seconds.


# %% tags=["S9", "E19"] jupyter={"source_hidden": true}
def shade(ax, start=20):
    """Shade what did not occur in training."""
    ax.axvspan(start - 0.5, 80, color="0.5", alpha=0.15, zorder=-1)


waves_models, waves = three("sinusoidal")
_, none = three("none")
at = np.arange(1, 80)
lines = {"learned table": learned, "sinusoids": waves, "no positions": none}
title = "Asked for the previous token"
ax = figures.curves(at, lines, title, "position", "accuracy", level=(1 / 16, ""))
shade(ax)
beyond = {name: runs[:, 19:].mean(dim=1) for name, runs in lines.items()}
assert max(beyond["learned table"].max(), beyond["sinusoids"].max()) < beyond["no positions"].min()

# %% [markdown]
# <!-- picture -->
# the accuracy at each position; lines are medians of three seeds, and bands show the range. The faint line is chance, 1/16.
# The grey area marks the positions that did not occur in training. (The two tall spikes of the learned table come from single
# seeds, where an untrained row happens to work. Rows 18 and 19 occurred only in the longest sequences, and that is where the
# accuracy of the sinusoids begins to fall.)

# %%
reveal("08.waves")

# %% [markdown]
# The model without positions does poorly, because its mask tells it only which tokens came before. (It does well at the very
# beginning, where there is hardly anything to choose from.) And yet from position 20 on it is better on average than the
# other two: here a wrong position is worse than none.
#
# **A row may be defined and still be of no use to a model.** There is a matrix that would work at all positions. But many
# other matrices give the same answers on rows 0 to 19, and the loss does not favour the one that goes on working. (You may
# read that sinusoids generalise to any length. The authors of the Transformer were careful: they wrote that sinusoids *may*
# allow the model to extrapolate.)

# %% [markdown]
# ## Rotate instead of adding
#
# What if a model never got to see *where* a token is, but only how far apart two tokens are? Think of the clock again. Draw a
# query and a key of two numbers each as two hands on one clock; this time the hands may have any length. Instead of adding a
# row, rotate both by their positions, by 1 radian per token:


# %% tags=["S9"]
def rotated(pair, angle):
    (x, y), cos, sin = pair, math.cos(angle), math.sin(angle)
    return np.array([x * cos - y * sin, x * sin + y * cos])


def with_row(pair, position):  # as before: the position is added
    return pair + np.array([math.sin(position), math.cos(position)])


# %% tags=["S9"]
q, k = np.array([0.3, 0.7]), np.array([0.7, 0.2])
for way, word in ((rotated, "rotated"), (with_row, "added")):
    for ax, (p, r) in zip(figures.panels(3, 2.6, 2.6), ((3, 1), (10, 8), (52, 50)), strict=True):
        figures.clock([way(q, p), way(k, r)], title=f"{word}: {p} and {r}", ax=ax)

# %% [markdown]
# <!-- picture -->
# a query (round tip) and a key (square tip) two tokens before it, at three places in a text. In the
# upper row both are rotated. They point in new directions each time, but the angle between them and their lengths stay the
# same, and a dot product depends on nothing else. In the lower row, positions are added, and the lengths and the angle both
# change.
# <!-- end -->
#
# These are **rotary positions** (also called RoPE). Queries and keys are rotated, values are not, and nothing is added to
# the tokens. In a wider vector, numbers 0 and 1 are pair 0, numbers 2 and 3 are pair 1, and so on. Pair $i$ turns at the
# speed of its hand in lesson 07, by $1 / 10000^{2i/d}$ radians per token, where $d$ is now the width of queries and keys, 32
# in our model. (These hands turn anticlockwise. What matters is that queries and keys turn in the same direction.)

# %%
ax = figures.schematic("rotary")

# %% [markdown]
# <!-- picture -->
# attention with rotary positions. The rows of Q and K are rotated by their positions, and everything after
# that is as in lesson 03.
# <!-- end -->
#
# Here are the scores of one query and one key, two tokens apart, at three places in a text:

# %% tags=["S9"]
draw = torch.Generator().manual_seed(3)
query, key = torch.randn(2, 1, 32, generator=draw, dtype=torch.float64)
for p in (3, 52, 100_002):
    score = rotate(query, torch.tensor([p])) @ rotate(key, torch.tensor([p - 2])).T
    print(f"{p} and {p - 2}: {score.item():.4f}")

# %% [markdown]
# Rotation leaves no rows that training could miss. The task is still to name the previous token, which is always at distance 1.
# The training and the test stay the same.

# %% predict="08.rotary"


# %% [markdown] seconds=10
# Training takes about {seconds} seconds. The table shows the mean accuracy in four bands of positions, as the median of three
# seeds. Its second row is a control, explained below, in which each token sees only the last 20 tokens.

# %% tags=["S9", "nbval-ignore-output"] jupyter={"source_hidden": true}
bands = {"1–19": (0, 19), "20–39": (19, 39), "40–59": (39, 59), "60–79": (59, 79)}


def table(**kinds):
    """Print the mean accuracy in each band of positions, the median of the seeds."""
    print(f"{'':14}", *(f"{name:>7}" for name in bands))
    for name, runs in kinds.items():
        means = (runs[:, a:b].mean(dim=1).median() for a, b in bands.values())
        print(f"{name.replace('_', ' '):14}", *(f"{mean:7.2f}" for mean in means))


rotary_models, rotary = three("rotary")
near = tested(rotary_models, window=20)
table(sees_all=rotary, sees_last_20=near)
assert rotary[:, 19:39].mean(dim=1).min() > 0.9 > 0.85 > rotary[:, 59:].mean(dim=1).max()
assert near.mean(dim=1).min() > 0.98

# %%
reveal("08.rotary")

# %% [markdown]
# Rotary models, too, face something that they never met in training: long *distances*. To name the previous token, it is not
# enough to give distance 1 a high score. All other distances must get a lower score, and at position 79 these go up to 79.
# In training, no distance was above 19.
#
# The second line of the table shows the same models without further training, but with a mask that lets each token see only
# the last 20 tokens, itself included. So no distance is new, and the answers stay right to the very end.

# %% [markdown]
# ## The first token
#
# Now each token has to name **the first token of the sequence**. The model, the training lengths and the test stay the same.

# %% predict="08.task"


# %% [markdown] seconds=30
# The next cell trains nine models, which takes about {seconds} seconds.

# %% tags=["S9"] jupyter={"source_hidden": true}
kinds = {"learned table": "learned", "sinusoids": "sinusoidal", "rotary": "rotary"}
trained_first = {name: three(kind, "first") for name, kind in kinds.items()}
first = {name: runs for name, (_, runs) in trained_first.items()}
before = {"learned table": learned, "sinusoids": waves, "rotary": rotary}
titles = "Asked for the previous token", "Asked for the first token"
for ax, lines, title in zip(figures.panels(2, 5.6, 3.6), (before, first), titles, strict=True):
    shade(ax)
    figures.curves(at, lines, title, "position", "accuracy", level=(1 / 16, ""), ax=ax)
    ax.legend_.set_visible(lines is before)  # the same lines on both sides
late = {name: runs[:, 19:39].mean(dim=1) for name, runs in first.items()}
assert late["rotary"].max() < 0.6 < 0.85 < min(late["learned table"].min(), late["sinusoids"].min())

# %% [markdown]
# <!-- picture -->
# models with three kinds of positions, trained on 6 to 20 tokens and tested on two tasks. The grey area marks the positions
# that did not occur in training. On the left, the rotary line falls at 57, all at once. ("Why distance 57?" under "Deeper"
# explains that.)

# %%
reveal("08.task")

# %% [markdown]
# Why are the results the other way round here? The first token always has row 0, which is trained, and the token that looks
# for it need not know its own position. With rotary positions, the first token is the one furthest back, and from position
# 20 on, that distance did not occur in training. (Even so, one of the three models names the first token more often than not
# until about position 28. Models with sinusoids do well until about position 55, and then differ widely from seed to seed. We
# have not looked into why.)
#
# So **a result about longer texts holds only for its task**, and for its model: ours has one attention layer with one head,
# and no feed-forward network.

# %% [markdown]
# ## Before you go {#exit}

# %% ask="08.exit"


# %% [markdown]
# <!-- answer -->
# **What extrapolates?** Rows and distances that a model has met in training can still work in longer texts, unless new ones
# interfere. Row 0 still works with a table or sinusoids, and short distances mostly still work with rotary positions. Some
# new rows and distances work too, but others do not. Which ones work depends on the task, and has to be measured.

# %% [markdown]
# To take away:
#
# <!-- takeaway -->
# * A row of a learned table that no training text used is still random noise.
# * Sinusoids are defined everywhere, but here models with them failed right after the training length when asked for the
#   previous token.
# * Rotary positions rotate queries and keys, so a score depends only on the two vectors and on how many tokens apart they are.
# <!-- end -->
#
# When somebody promises you a longer context, you now know what to ask: at which positions, and on which task, was it tested?
# In [stage B2 of the Build](../exercises/B2_one_head.ipynb) your model has a learned table with one row per training position.
# Beyond those it has no rows, not even random ones.
#
# To read next:
#
# <!-- readings -->
# * {su2021}: rotary positions, and why a score then depends on the distance alone.
# * {press2021}: training on short texts, testing on long ones, in language
#   models.
# * {kazemnejad2023}: the same for small reasoning tasks, and for models without positions.

# %% [markdown]
# ## Deeper {#deeper}
#
# You can read each of these parts on its own; nothing later needs them.
#
# ### Is the test fair to the table?
#
# From position 20 on, the learned table adds noise that nobody trained. Perhaps zeros would be better, or rows 0 to 19 over
# and over again, so that only trained rows are used.


# %% tags=["S9"]
def with_late_rows(model, rows):
    changed = copy.deepcopy(model)
    changed.positions.table.data[20:] = rows
    return changed


ways = {"zeros": lambda known: 0.0, "rows 0–19 again": lambda known: known.repeat(3, 1)}
lines = {"as trained": learned}
for name, fill in ways.items():
    filled = [with_late_rows(m, fill(m.positions.table.data[:20])) for m in learned_models]
    lines[name] = tested(filled)
title = "The learned table, asked for the token before"
ax = figures.curves(at, lines, title, "position", "accuracy", level=(1 / 16, ""))
shade(ax)

# %% [markdown]
# <!-- picture -->
# accuracy with three versions of rows 20 to 79, without further training. Zeros are no more use than noise. Trained rows help
# somewhat, but two things are still new. The token at position 25 has row 5 and looks for row 4, which the tokens at positions
# 4 *and* 24 have. It cannot tell these two apart, so the best that it can do is about 1/2. (From position 40 on there are
# three such tokens, and the best is about 1/3, and so on.) And the token at 25 also sees rows 6 to 19, which in training
# always came after row 5, hidden by the mask. So the failure is not due to the noise alone: neither replacement comes near the
# accuracy up to position 19.
#
# ### New rows, or new lengths?
#
# From position 20 on, two things are new at once: the *rows*, and the number of tokens in view, now over 20. Here is a
# control. The training sequences stay as short as before, 6 to 20 tokens. But each batch begins at a random row, chosen so
# that the whole sequence fits into rows 0 to 39: its first token may get row 11, its second row 12, and so on. The test is the
# same, 80 tokens from row 0.

# %% predict="08.cliff"


# %% [markdown] seconds=20
# The next cell trains six models, which takes about {seconds} seconds.

# %% tags=["S9"] jupyter={"source_hidden": true}
_, learned_40 = three("learned", rows=40)
_, waves_40 = three("sinusoidal", rows=40)
trained = {
    "Trained on rows 0–19": ({"learned table": learned, "sinusoids": waves}, 20),
    "Trained on rows 0–39": ({"learned table": learned_40, "sinusoids": waves_40}, 40),
}
for ax, (title, (lines, rows)) in zip(figures.panels(2, 5.6, 3.6), trained.items(), strict=True):
    shade(ax, rows)
    figures.curves(at, lines, title, "position", "accuracy", level=(1 / 16, ""), ax=ax)

# %% [markdown]
# <!-- picture -->
# accuracy for the previous token. The grey area marks the rows that training never used. The drop has moved with them, to
# 40, although no training sequence was longer than before. (The narrow spikes and dips of the learned table come from single
# seeds.)

# %% jupyter={"source_hidden": true}
for runs in (learned_40, waves_40):
    assert runs[:, 19:39].mean(dim=1).min() > 0.7 > 0.3 > runs[:, 40:].mean(dim=1).max()
reveal("08.cliff")

# %% [markdown]
# **Here the failure comes from unseen rows, not from length or from tables as such.** Sinusoids fail at the same edge as the
# table: what a model learned works only for the rows that it saw in training.
#
# ### Why distance 57?
#
# Asked for the previous token, the rotary models were right well beyond position 20, but much less often from position 57 on.
# Where does the weight go?

# %% tags=["S9"]
for position, ax in zip((19, 79), figures.panels(2, 5.6, 3.0), strict=True):
    weights = torch.stack([weights_by_distance(m, position) for m in rotary_models])
    shade(ax)
    back, title = np.arange(position + 1), f"Where position {position} looks"
    lines = {"rotary": weights}
    figures.curves(back, lines, title, "tokens back", "weight", ax=ax).set_xlim(-2, 80)
    ax.lines[-1].set_marker("")
    ax.get_legend().remove()

# %% [markdown]
# <!-- picture -->
# the weights of one token by distance. The grey area marks the distances that did not occur in training.
# At position 19 nearly all of the weight goes one token back. At position 79 only about half does, and most of the rest goes 57
# and 58 tokens back. How many full turns do the five fastest hands make in the 56 tokens between 1 back and 57 back?

# %% tags=["S9"]
print((56 / 10000 ** (2 * np.arange(5) / 32) / (2 * np.pi)).round(2))  # the width is 32

# %% [markdown]
# The first two hands are within a tenth of a full turn of where they were, and the third and the fifth within a fifth. Only
# the fourth points the other way. To most of these hands, 57 tokens back looks much like one token back. This is the
# **aliasing** from lesson 07. Are these five hands, 10 of the 32 numbers, enough to explain it? We compute the score from them
# alone, with the mean of the 16 token vectors in place of a real query token and key token:

# %% tags=["S9"]
scores = []
for model in rotary_models:
    mean = model.embedding(torch.arange(16)[None])[0].mean(dim=0)
    query, key = model.attention.w_q(mean), model.attention.w_k(mean)
    by_distance = rotate(query.expand(80, 32), torch.arange(80))[:, :10] @ key[:10]
    scores.append(by_distance.detach())
lines = {"score": torch.stack(scores)}
ax = figures.curves(np.arange(80), lines, "Five fastest hands only", "tokens back", "score")
shade(ax)
ax.get_legend().remove()

# %% [markdown]
# <!-- picture -->
# the score by distance (not divided by √32); the line is the median of the three models, and the band shows their range. It is
# highest at 1, and beyond the training distances it is highest at 57 and 58. No training sequence was long enough to teach the
# models the difference.
# <!-- end -->
#
# If that is the reason, the models should do well as long as distance 57 is out of sight. So we let each token see only the
# last 57 tokens, which just excludes that distance, and then the last 60. As a control, the models with the other two kinds
# of positions see only the last 20:

# %% tags=["S9", "nbval-ignore-output"]
table(
    rotary_57=tested(rotary_models, window=57),
    rotary_60=tested(rotary_models, window=60),
    learned_20=tested(learned_models, window=20),
    sinusoids_20=tested(waves_models, window=20),
)

# %% [markdown]
# With 57 tokens, little accuracy is lost, but with 60, a lot: now each token also sees the distances 57, 58 and 59. The
# learned table and the sinusoids gain little from seeing less. **Here they fail at unseen rows, and rotary positions fail at
# those unseen distances that look like trained ones.** Two methods adapt trained models to longer texts: train them further
# on long texts, or slow their hands down, so that no distance looks longer than in training ({chen2023}). The authors of the
# second method found that scores can become very large at distances that did not occur in training.
#
# ### How can noise do so little harm?
#
# Asked for the first token, the models with a learned table do well even where its rows are noise. Here is their accuracy,
# next to that of the same models with zeros in these rows:

# %% tags=["S9"]
first_models = trained_first["learned table"][0]
zeros = [with_late_rows(m, 0.0) for m in first_models]
lines = {"as trained": first["learned table"], "zeros": tested(zeros, task="first")}
ax = figures.curves(at, lines, "Asked for the first token", "position", "accuracy")
shade(ax)

# %% [markdown]
# <!-- picture -->
# the same models with two versions of rows 20 to 79. With zeros, the dips are nearly gone, so the noise
# does cause them. Row 0 is all that the task needs. What is added to other tokens should matter only where it happens to
# resemble row 0.
#
# ### How can a rotary model name the first token?
#
# A rotary model has no row 0, and yet up to position 19 it was right. Here is where it looks from three positions:

# %% tags=["S9"]
for position, ax in zip((5, 10, 79), figures.panels(3, 3.6, 3.0), strict=True):
    models = trained_first["rotary"][0]
    weights = torch.stack([weights_by_distance(m, position) for m in models])
    title = f"Where position {position} looks"
    back = np.arange(position + 1)
    figures.curves(back, {"rotary": weights}, title, "tokens back", "weight", ax=ax)
    ax.get_legend().remove()

# %% [markdown]
# <!-- picture -->
# the weights by distance, for models that were asked for the first token. At positions 5 and 10 the
# highest weight is on the token furthest back. The models seem to have learned just that. At position 79 the highest weight is
# on tokens about 20 or about 28 back, depending on the seed (so the median, which is drawn, adds up to less than 1). In
# training the largest distance was 19.
#
# ### And in larger models?
#
# In language models, sinusoids failed just beyond the training length, and rotary positions somewhat later ({press2021}). On
# small reasoning tasks, causal models without positions did best ({kazemnejad2023}). Our models without positions did poorly
# when asked for the previous token.
