# %% [markdown]
# # 07 · Reading the sinusoids: what can be read off the numbers of a position?
#
# A position becomes a row of sines and cosines. It looks like a code that only a mathematician could read. It is a clock:
# a few hands, each slower than the one before. In this lesson you learn to read it, and so find out what two of the notes
# got wrong about it.
#
# About 35 minutes. Afterwards you can
#
# * write the row of any position, and say how far each of its hands has turned;
# * say which dimensions tell neighbours apart, and which tell places far apart;
# * show what "three tokens further" does to such a row, and test whether other tables can do the same.

# %%
import inspect
import math

import numpy as np

from transformer_course import figures
from transformer_course.exercises import ask, predict, reveal
from transformer_course.experiments.waves import (
    encoding_as_in_note_3,
    learned_positions,
    shift_errors,
)
from transformer_course.positions import sinusoidal_encoding

# %% [markdown]
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %%
ask("07.recall")

# %% [markdown]
# ## A hand that turns with every token
#
# Take a clock with one hand of length 1. At position 0 it points straight up, and with each token it turns on by the same
# angle, clockwise. We measure angles in radians: 1 radian is about 57 degrees, and once round is 2π = 6.283.
#
# Where is the tip of a hand that has turned by an angle a? As far to the right as sin a, as far up as cos a. So two
# numbers say where a hand points:


# %% tags=["S8"]
def hand(angle):
    return np.array([math.sin(angle), math.cos(angle)])


for p in range(7):
    print(p, hand(p).round(4))

# %% [markdown]
# This hand turns by 1 radian a token. Position 0 is [0, 1], and neighbours are clearly apart. But after 6.283 tokens the
# hand has been once round, and position 6 already looks rather like position 0. It is like a watch that has a minute hand
# alone: five past is clear, but five past *what*?
#
# A watch therefore has a second, slower hand. A Transformer takes many. Each hand needs two numbers; in a model of width $d$
# there is room for $d/2$ hands. With $p$ for the position and $i$ for the number of the hand, both counted
# from 0:
#
# $$\text{PE}(p)_{2i} = \sin\frac{p}{10000^{2i/d}} \qquad\qquad \text{PE}(p)_{2i+1} = \cos\frac{p}{10000^{2i/d}}$$

# %%
predict("07.second_hand")

# %% tags=["E4"]
i = np.arange(4)
turns = 1 / 10000 ** (2 * i / 8)
print(turns.round(4))
reveal("07.second_hand")

# %% [markdown]
# By hand: 10000 is 10⁴, so 10000 to the power 2/8 is 10 to the power 4 · 2/8 = 1. At $d = 8$ each hand is ten times slower
# than the one before. Here is the whole example of note 1, a row for each position, and what note 1 prints of row 1:

# %% tags=["S8", "E4"]
table = sinusoidal_encoding(4, 8).numpy()
print(table.round(4))
print("printed:", *np.concatenate([hand(1), hand(1 / 10000)]).round(4))

# %% [markdown]
# Dimensions 2 and 3 of PE(1) are 0.0998 and 0.9950; the printed ones would be 0.0001 and 1. And no other hand of this
# example turns by 1/10000 either: the slowest, $i = 3$, turns by 1/1000.
#
# **Your turn, on paper:** what would stand in row 5, dimensions 2 and 3? Angle ____ , tip [ ____ , ____ ].
#
# <details><summary>Compare</summary>Five tokens of 1/10 are 0.5. The tip is [sin 0.5, cos 0.5] = [0.4794, 0.8776]. (The table
# ends at row 3.)</details>

# %% tags=["S8"]
for k, ax in enumerate(figures.panels(4, 2.6, 2.8)):
    title = f"Dimensions {2 * k}, {2 * k + 1}"
    figures.clock(table[:, 2 * k : 2 * k + 2], names=["0", "1", "2", "3"], title=title, ax=ax)

# %% [markdown]
# **In the picture:** one clock for each hand, and on it where the hand stands at positions 0 to 3. The first has gone nearly
# half round, the second has just left, and of the third and fourth one sees no movement at all (their labels are stacked only
# for room). They are not idle: they need a longer text.

# %%
predict("07.last_hand")

# %% tags=["E17", "E4"]
for d in (8, 16, 512):
    slowest = 10000 ** ((d - 2) / d)  # 2i = d − 2
    print(f"d = {d}: once round in 2π · {slowest:.0f} = {2 * math.pi * slowest:.0f} tokens")
reveal("07.last_hand")

# %% [markdown]
# The time for once round is called the **period**. Periods begin at 2π, and the last is 2π · 10000^(1 − 2/d). So the
# factor 10000 is never reached, at any width, and no period is as long as 2π · 10000. (The paper says "from 2π to 10000 ·
# 2π", which is rounded up.)

# %% [markdown]
# ## What does i count?
#
# Note 1 says that the formula gives "the i-th dimension", and note 3 that $i$ is the place of the current dimension. Take
# them at their word: each dimension 0, 1, 2, 3, … puts its own number in for $i$. Then the sine and the cosine of a pair
# have different angles. A hand has length 1; what is the length of the one in dimensions 2 and 3, at width 8 and
# position 100?

# %% tags=["E9"]
dimension = np.arange(8)
for name, i in (("i counts dimensions", dimension), ("i counts pairs", dimension // 2)):
    angles = 100 / 10000 ** (2 * i / 8)
    print(f"{name}: tip [{np.sin(angles[2]):.3f}, {np.cos(angles[3]):.3f}], length", end=" ")
    print(f"{math.hypot(np.sin(angles[2]), np.cos(angles[3])):.3f}")

# %% [markdown]
# With $i$ for dimensions there is no hand: its tip leaves the circle. **$i$ counts pairs, from 0 to $d/2 - 1$**, and
# dimensions $2i$ and $2i + 1$ are the two numbers of one hand.
#
# Note 3 also prints a program, `get_positional_encoding`. Here is an equivalent of our own; then we compare it with our
# library:

# %% tags=["S25", "E9"]
print(inspect.getsource(encoding_as_in_note_3))

# %% tags=["S25", "E9"]
ours = sinusoidal_encoding(100, 16).numpy()
print("the same:", np.allclose(encoding_as_in_note_3(100, 16), ours, atol=1e-6))

# %% [markdown]
# The program is right. Its counter, `i` in note 3 and `dimensions` here, counts dimensions too; but what goes into the
# formula is the counter `// 2`: 0, 0, 1, 1, 2, 2, …, and these are the pairs. Text and program of one note mean different
# things by the same letter.

# %% [markdown]
# ## Which dimensions see what?

# %%
predict("07.share")

# %% tags=["E17"]
waves = sinusoidal_encoding(2000, 16).double().numpy()
for k in (1, 10, 91, 100, 1000):
    squared = (waves[20 + k] - waves[20]) ** 2
    low, high = squared[:8].sum(), squared[8:].sum()
    print(
        f"{k:4} apart: {low:.2f} from low dimensions, {high:.2f} from high, {low / squared.sum():.1%} low"
    )
reveal("07.share")

# %% [markdown]
# Note 3 says: periods go from long to short; low dimensions catch long distances, and high ones small steps. Neighbours, rows
# 20 and 21, show the reverse: all but about one part in 10,000 of it is low. **Low dimensions are the fast hands, and
# see small steps. High dimensions are the slow hands; they hardly notice small steps, and are the ones that still grow when
# the fast ones have been round.** From 10 tokens on the low sum goes up and down (8.70 at 10 apart, 15.57 at 91, 4.15 at
# 1000): one low hand after another has been round, and comes back. Here are the curves that note 3 plots, the first eight
# dimensions:

# %% tags=["S8", "E17"]
for k, ax in zip((0, 2, 4, 6), figures.panels(4, 3.2, 2.8), strict=True):
    lines = {str(k): ours[:, k], str(k + 1): ours[:, k + 1]}
    figures.curves(np.arange(100), lines, f"Dimensions {k}, {k + 1}", "position", ax=ax)
    ax.set_ylim(-1.1, 1.5)
    ax.legend(ncols=2, loc="upper right", frameon=False, labelcolor="0.475")

# %% [markdown]
# **In the picture:** a panel for each of the first four hands, followed through 100 positions. The first goes round 16 times,
# the second five times, the third one and a half times, and the fourth only half way: from short to long, not from long to
# short. The two curves of a panel are one wave, a quarter of a round apart.
#
# Now all 16 dimensions at once, as a map, and below it a table of random numbers. That is what a *learned* table of
# positions is before training.

# %% tags=["S8"]
random = np.random.default_rng(0).standard_normal((100, 16)) * math.sqrt(1 / 2)
names = ["" if k % 2 else str(k) for k in range(16)]
places = ["" if p % 10 else str(p) for p in range(60)]
titles = "Sinusoids: fast hands above, slow ones below", "Random numbers of the same size"
for values, title in zip((ours, random), titles, strict=True):
    ax = figures.heatmap(
        values[:60].T, names, places, title, lowest=-1, ax=figures.panels(1, 9, 3)[0]
    )

# %% [markdown]
# **In the picture:** a column for each position, a row for each dimension; light is −1 (or less), dark is +1 (or more). Above,
# the fast stripes are on top, each pair of rows is slower than the one before, and at the bottom nothing changes within 60
# positions: sines near 0, cosines near 1. A column read downwards is a clock, from its fast hand to its slow ones. Below,
# nothing of the kind: no two columns are the same, and that is all.

# %% [markdown]
# ## k tokens further
#
# Two tokens further: what happens to the row? (A matrix does to each row what its numbers say, and knows nothing of $p$.
# *Least squares*, as in lesson 06, finds the matrix that misses given examples least.)

# %%
predict("07.shift")

# %% [markdown]
# Think of the clock. Two tokens further, the first hand turns by 2 radians, and the second, at width 16, by 2 / 10000^(2/16) =
# 2 · 0.316, whatever the time. Turning by an angle $b$ is a matrix; it follows from the formulas for $\sin(a + b)$ and
# $\cos(a + b)$:
#
# $$\begin{pmatrix} \sin(a + b) \\ \cos(a + b) \end{pmatrix} = \begin{pmatrix} \cos b & \sin b \\ -\sin b & \cos b
# \end{pmatrix} \begin{pmatrix} \sin a \\ \cos a \end{pmatrix}$$
#
# In the matrix there is no $a$: where the hand stands does not matter.

# %% tags=["S8"]
b = 2 * 1  # two tokens, and the first hand turns by 1 a token
M = np.array([[math.cos(b), math.sin(b)], [-math.sin(b), math.cos(b)]])
for p in (0, 3, 50, 1500):
    print(p, (M @ waves[p, :2]).round(4), waves[p + 2, :2].round(4))

# %% tags=["S8"]
M = np.zeros((16, 16))
for i, b in enumerate(2 / 10000 ** (2 * np.arange(8) / 16)):
    pair = slice(2 * i, 2 * i + 2)
    M[pair, pair] = [[math.cos(b), math.sin(b)], [-math.sin(b), math.cos(b)]]
missed = np.abs(waves[:-2] @ M.T - waves[2:]).max()
print("one matrix for all 8 hands and", len(waves) - 2, "starts:", bool(missed < 1e-6))

# %% tags=["S8"]
for rows, name in ((ours, "sinusoids"), (random, "random")):
    for p, ax in zip((0, 3, 50, 90), figures.panels(4, 2.6, 2.8), strict=True):
        before, after = rows[p, :4].reshape(2, 2), rows[p + 2, :4].reshape(2, 2)
        figures.clock(before, after, title=f"{name}: {p} to {p + 2}", ax=ax)

# %% [markdown]
# **In the picture:** the first hand (round tips) and the second (square tips) of a table of width 16, pale at one position
# and dark two tokens further. Above, the hands start from four different places, and each time the first turns by 2.00 and
# the second by 0.63. Below, with random numbers, every start has turns of its own, and the hands are not even of the same
# length.
#
# **k positions further turns every hand by the same angle, from any start.** Keep this picture; the rest follows from it.
#
# (Where the comparison breaks: a watch's hands are geared, so that all of them stand at 12 again together. Ours need not
# be: at width 16 each is √10 times slower than the one before. Width 8 is an exception; see below. And the first hand
# never stands *exactly* where it stood at an earlier token, since π is no fraction.)

# %% [markdown]
# What about a matrix for the random table, or for one that was learned? We let least squares look for one. It is fitted on
# every second start, and its error is measured there and on the starts between. 0 is perfect; 1 is what one misses by
# guessing zeros.

# %% tags=["S8"]
tables = {"sinusoids": [sinusoidal_encoding(96, 8).double().numpy()]}
tables["random"] = [np.random.default_rng(s).standard_normal((96, 8)) for s in range(3)]
tables["learned"] = [
    learned_positions(m, 8) for m in ("gpt-pre", "gpt-post")
]  # the two GPTs of lesson 06
for name, each in tables.items():
    for own, new in (shift_errors(rows, 2) for rows in each):
        print(f"{name}: at its own starts {own:.1f}, at new ones {new:.1f}")
reveal("07.shift")

# %% [markdown]
# For sinusoids there is such a matrix. For the others, at width 8, even the best one fails at its own starts, so at this width
# there is none. The learned tables are those of the two GPTs of lesson 06. They are 128 wide, and with so many
# dimensions *any* 94 starts can be fitted; so we took the 8 directions in which they are largest. There, both lie between:
# training has brought in some order, though nothing demands it.
#
# What is such a matrix good for? Attention has matrices of its own. If W_Q turns every hand back by three tokens, each query
# looks like the position three places earlier, and scores highest with it (W_K leaves the keys as they are). Least squares
# finds that W_Q, here with positions alone, without words. It is fitted to the first 48 queries, and tried on the other 49:


# %% tags=["S8"]
def hits(rows):
    turned_back, *_ = np.linalg.lstsq(rows[3:51], rows[:48], rcond=None)  # in the place of W_Q
    scores = rows[51:] @ turned_back @ rows.T
    return (scores.argmax(axis=1) == np.arange(48, 97)).mean()


print(f"sinusoids: {hits(waves[:100]):.0%} of 49 new queries; random: {hits(random):.0%}")

# %% [markdown]
# One W_Q for the whole text. So for sinusoids such a W_Q *exists*. Whether training finds it, and whether it still works
# in longer texts than it has seen, is the question of lesson 08.

# %% [markdown]
# ## How alike are two positions?
#
# The usual measure is the dot product of their rows.

# %%
predict("07.direction")

# %% tags=["S8"]
for p in (50, 80):
    print(p, "with 5 before and 5 after:", (ours[p] @ ours[[p - 5, p + 5]].T).round(4))
print("50 with itself:", (ours[50] @ ours[50]).round(4))
reveal("07.direction")

# %% [markdown]
# Why: for two hands of length 1 the dot product is the cosine of the angle between them, and for two rows it is the sum over
# all their hands.

# %% tags=["S8"]
away = np.arange(-20, 20)
titles = ("Sinusoids: only the distance counts", "Random numbers: each start its own")
for rows, title, ax in zip((ours, random), titles, figures.panels(2, 5.0, 3.4), strict=True):
    lines = {f"from {p}": rows[p + away] @ rows[p] for p in (20, 50, 80)}
    figures.curves(away, lines, title, "positions away", "dot product", ax=ax).set_ylim(-6, 13)
    ax.legend(ncols=3, loc="upper center", frameon=False, labelcolor="0.475")

# %% [markdown]
# **In the picture:** the dot products of three positions with their neighbourhood. On the left the three curves lie on each
# other, the same to both sides: highest with itself, at 8, one for each hand. From there it falls, but not steadily: it rises
# again about every 6 tokens, when the fast hand is back. On the right each curve has its own heights. All three
# are highest at 0, one of them only just; before and after it there is no symmetry and no slope.
#
# So **the dot product knows the distance, and not the direction**. (For that, attention needs its matrices, such as the W_Q
# above.) And "the further away, the less alike" is only roughly so. At $d = 512$, with its many hands, it holds up to 43
# tokens away:

# %% tags=["S8", "E26"]
rows = sinusoidal_encoding(200, 512).double().numpy()
likeness = rows @ rows[0]
print("first rise:", next(k for k in range(1, 200) if likeness[k] > likeness[k - 1]))

# %% [markdown]
# ## Far apart, and in the same place
#
# Note 1 says that positions near each other differ little in the slow hands, which you have seen; and that positions far
# apart differ more in the *fast* ones. How far is the tip of the fast hand from where it stood at position 0?

# %% tags=["E26"]
for k in (1, 2, 3, 6, 22, 44, 710):
    print(f"{k} positions away: {math.dist(hand(k), hand(0)):.4f}")

# %% [markdown]
# It grows for the first three tokens. After that, far or near says nothing: 22 tokens away the hand points the opposite
# way, 44 away it is nearly back, and 710 tokens, which are almost exactly 113 rounds, bring it within 0.0001 of where it was.
# Two far positions *may* coincide in a fast hand. That is called **aliasing**, and is the reason for having slow hands.
#
# Can it happen to all hands at once? Look for the position that is most like position 0, from position 20 on (before
# that, at $d = 8$, the fast hand alone is back at 6, and 6 is 0.66 away):

# %% tags=["E26"]
for d in (8, 16, 512):
    rows = sinusoidal_encoding(20_000, d).double().numpy()
    distances = np.linalg.norm(rows - rows[0], axis=1)
    nearest = 20 + distances[20:].argmin()
    print(f"d = {d}: {nearest}, {distances[nearest]:.2f} away (the neighbour: {distances[1]:.2f})")

# %% [markdown]
# At $d = 8$ each hand is exactly ten times slower than the one before, so these *are* geared like a watch: when the
# slowest has been round, all the others are nearly back too, and position 6283 is more like position 0 than position 1
# is. At 16 and 512, nothing among the first 20,000 positions came as near as the neighbour (at 512 the nearest was simply
# the first that we looked at, 20).
#
# Note 1's sentence is not all wrong. In all fast hands together, tokens 100 apart do differ more than neighbours (8.00
# against 1.03, in the table further up). But they differ less than tokens 10 apart (8.70): near or far, yes; how far, no.

# %% [markdown]
# ## Between two tokens
#
# Note 3 says that the rows change continuously, which suits positions in language, being continuous themselves. Two things
# are mixed here. The formula takes any number, and moves smoothly from one token to the next:

# %% tags=["E28"]
for p in (2, 2.25, 2.5, 2.75, 3):
    print(p, hand(p).round(3), hand(p / 10).round(3))

# %% [markdown]
# But a text has a token 2 and a token 3, and nothing between them: **positions are whole numbers, and the encoding is a
# smooth function of them.** The fast hand jumps by 57 degrees from token to token, and what lies between is never seen.
#
# <details><summary>Is the smoothness of any use?</summary>That is contested. A learned table has no row 2.5, and on the
# original's task did just as well (Vaswani and others 2017, table 3, row E). On the other hand, one way to give a trained
# model longer texts squeezes their positions into fractions such as 2.5, and with some further training this works (Chen and
# others 2023, for rotary positions, lesson 08).</details>

# %% [markdown]
# ## Before you go

# %%
ask("07.exit")

# %% [markdown]
# **What can be read off the numbers of a position?** Where each of $d/2$ hands stands, the first fast, the last slow. How
# far one token is from another is how far every hand has turned, and that is the same from any start: one matrix for "k
# tokens further", and a dot product in which only the distance counts.
