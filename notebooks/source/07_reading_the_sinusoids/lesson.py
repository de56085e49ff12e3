# %% [markdown] minutes=20
# # 07 · Reading the sinusoids: what can you read off the numbers of a position?
#
# In lesson 06 you added a row of sines and cosines to every token, and after that the model could tell where each word was. In
# *the red car and the blue car*, only those rows tell the two cars apart. But could you look at such a row and say what is in
# it? It looks like something that only a mathematician could read. In fact it is a clock: a few hands, each slower than the
# one before. Models still carry such clocks: for longer texts, the makers of Llama 3 (2024) slowed its clock down
# ({grattafiori2024}, section 3.2). In this lesson you learn to read one.
#
# About {minutes} minutes, and as long again for the parts under "Deeper". By the end, you will be able to
#
# * write down the row of any position, and say how far each of its hands has turned;
# * say what each dimension tells you about a position;
# * find out whether one matrix can take every position to the one two tokens further on.

# %%
import inspect
import math

import numpy as np

from transformer_course import explorables, figures
from transformer_course.exercises import ask, predict, reveal
from transformer_course.experiments.waves import (
    encoding_per_dimension,
    learned_positions,
    shift_errors,
)
from transformer_course.positions import sinusoidal_encoding

# %%
lit = ("source positions", "target positions")
ax = figures.architecture(*lit, title="Lesson 07: the positions added to the tokens", small=True)

# %% [markdown]
# <!-- picture -->
# the map from lesson 00. The two filled boxes add the rows that you will learn to read in this lesson.
# <!-- end -->
#
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %% ask="07.recall"


# %% [markdown]
# ## A hand that turns with every token
#
# Take a clock with a single hand of length 1. At position 0 it points straight up, and each token turns it clockwise by the
# same angle. We measure angles in radians: 1 radian is about 57 degrees, and a full turn is 2π = 6.283.
#
# Where is the tip of a hand that has turned by an angle $a$? It is $\sin a$ to the right of the centre and $\cos a$ above it.
# So two numbers say where a hand points. This one turns by 1 radian per token:


# %% tags=["S8"]
def hand(angle):
    return np.array([math.sin(angle), math.cos(angle)])


for p in range(7):
    print(p, hand(p).round(4))

# %% [markdown]
# At position 0 the tip is at [0, 1], and neighbouring positions have clearly different tips. But after 6.283 tokens the hand
# has made a full turn, so at position 6 it points almost where it started. With only this hand, you are reading a watch that
# has lost its hour hand: it is five past, but five past what?
#
# A watch therefore has a second, slower hand. A Transformer has many. Each hand takes two dimensions, so a model of width $d$
# has room for $d/2$ of them. With $p$ for the position and $i$ for the number of the hand, both counted from 0:
#
# $$\text{PE}(p)_{2i} = \sin\frac{p}{10000^{2i/d}} \qquad\qquad \text{PE}(p)_{2i+1} = \cos\frac{p}{10000^{2i/d}}$$

# %% predict="07.second_hand"


# %% [markdown]
# Here are all four hands, counted from 0, each on a clock of its own. The pale hand is at position $p$, and the dark one is
# $k$ tokens further on. **Move $k$ until hand 1, the second one, has gone round exactly once: how far have the others turned
# by then?**

# %% tags=["S8", "E4"]
explorables.clock()

# %%
reveal("07.second_hand")

# %% [markdown]
# It takes 63 tokens. By then, hand 0 has gone round ten times, hand 2 has made a tenth of a turn, and hand 3 has hardly moved:
# it is for longer texts.
#
# By hand: 10000 is 10⁴, and 4 · 2/8 = 1, so 10000 to the power 2/8 is 10¹ = 10. At $d = 8$, each hand is ten times slower than
# the one before. Here are the rows of the first four positions, with the tips of all hands:

# %% tags=["S8"]
table = sinusoidal_encoding(4, 8).numpy()
print(table.round(4))

# %% [markdown]
# <!-- paper -->
# **Your turn, on paper:** what is in row 5, dimensions 2 and 3? Angle ____, tip [ ____ , ____ ].
#
# <!-- compare -->
# <details><summary>Compare</summary>Five tokens at 1/10 radian each make 0.5. The tip is at [sin 0.5, cos 0.5] = [0.4794,
# 0.8776].
# </details>
# <!-- end -->
#
# How long does the slowest hand take? The time for a full turn is called the **period**. At $d = 8$ the slowest hand turns by
# 1/1000 per token, so its period is 2π · 1000 = 6,283 tokens.

# %% predict="07.last_hand"


# %% tags=["E17", "E4"] jupyter={"source_hidden": true}
for d in (8, 16, 512):
    slowest = 10000 ** ((d - 2) / d)  # 2i = d − 2
    print(f"d = {d}: a full turn in 2π · {slowest:.0f} = {2 * math.pi * slowest:.0f} tokens")
reveal("07.last_hand")

# %% [markdown]
# The periods begin at 2π tokens, and the longest is 2π · 10000^(1 − 2/d). It gets closer to 2π · 10000 as the model gets
# wider, but never reaches it.

# %% [markdown]
# ## Which hands see what?
#
# Which hands does a model need to tell two tokens apart? In a table of width 16, we subtract row 20 from a later row, square
# the differences, and add them up, once for the low dimensions (0 to 7) and once for the high ones (8 to 15).

# %% predict="07.share"


# %% tags=["E17"]
waves = sinusoidal_encoding(2000, 16).double().numpy()
for k in (1, 2, 3, 6, 10, 100, 1000):
    squared = (waves[20 + k] - waves[20]) ** 2
    low, high = squared[:8].sum(), squared[8:].sum()
    print(f"{k:4} apart: low {low:5.2f}, high {high:5.2f}; {low / squared.sum():.1%} of it is low")
reveal("07.share")

# %% [markdown]
# Nearly all of the difference between two neighbours is in the low dimensions; the high ones contribute about one part in
# 10,000, too little for the table to show. **Low dimensions are the fast hands: they see small steps. High dimensions are the
# slow hands: they barely notice a small step, but they keep moving apart after the fast ones have come round again.** From 3
# tokens on, the low sum falls and rises as one fast hand after another comes round.
#
# Now look at the whole table at once, as a map. Below it is a table of random numbers, which is what a *learned* table of
# positions looks like before training.

# %% tags=["S8"]
ours = waves[:100]
random = np.random.default_rng(0).standard_normal((100, 16)) * math.sqrt(1 / 2)  # as large as sines
names = ["" if k % 2 else str(k) for k in range(16)]
places = ["" if p % 10 else str(p) for p in range(60)]
titles = "Sinusoids", "Random numbers of the same average size"
for values, title in zip((ours, random), titles, strict=True):
    ax = figures.heatmap(
        values[:60].T, names, places, title, lowest=-1, ax=figures.panels(1, 9, 3)[0]
    )

# %% [markdown]
# <!-- picture -->
# each column is a position, each row a dimension; light cells are −1 or less, dark cells +1 or more. In
# the upper map, the stripes get wider from top to bottom, because each hand is slower than the one above it. At the bottom
# hardly anything changes within 60 positions. If you read a column from top to bottom, you read one clock, from its fastest
# hand to its slowest. In the lower map every column is different, but there is no pattern to read.

# %% [markdown]
# ## Two tokens further on
#
# Attention multiplies every vector by a matrix. Is there a matrix that turns the row of *any* position into the row two tokens
# further on? It would have to do that without knowing which position it is given. If there is one, it could serve as W_Q:
# with the words left aside, each query would be the row two tokens further on. And with the rows themselves as keys, the key
# two tokens further on would match that query best.

# %% predict="07.shift"


# %% [markdown]
# Let us look for such a matrix. *Least squares* finds the matrix with the smallest error on the given examples. We give it
# every second row of a table of 96 positions, and measure the matrix's error on those rows and on the rows that were left out.
# An error of 0 is perfect, and 1 is no better than answering with zeros. (A width of 8 keeps the matrix small. We try three
# random tables.)

# %% tags=["S8"] jupyter={"source_hidden": true}
tables = {"sinusoids": [sinusoidal_encoding(96, 8).double().numpy()]}
tables["random"] = [np.random.default_rng(s).standard_normal((96, 8)) for s in range(3)]
for name, each in tables.items():
    for fitted, new in (shift_errors(rows, 2) for rows in each):
        print(f"{name:9} error on the fitted rows {fitted:.2f}, on new rows {new:.2f}")
reveal("07.shift")

# %% [markdown]
# Why does it work for sinusoids? Look at the clocks again, now with $k = 2$. **Move $p$ from one end to the other: which of
# the angles below the clocks change?**

# %% tags=["S8"]
explorables.clock(50, 2)

# %% [markdown]
# None. The hands go round, but two tokens further on, the first has always turned by 2 radians, and the second by 0.2,
# wherever they started. In a random table there are no such angles. **Moving k tokens further turns each hand by an angle of
# its own, which is the same from any start.** This is the picture to remember.
#
# Turning a hand by an angle $b$ means multiplying its tip by a matrix, as the formulas for $\sin(a + b)$ and $\cos(a + b)$
# show:
#
# $$\begin{pmatrix} \sin(a + b) \\ \cos(a + b) \end{pmatrix} = \begin{pmatrix} \cos b & \sin b \\ -\sin b & \cos b
# \end{pmatrix} \begin{pmatrix} \sin a \\ \cos a \end{pmatrix}$$
#
# The matrix contains $b$ but not $a$: where the hand points does not matter. Put one such 2 × 2 block for each hand, with its
# own $b$, along the diagonal of a $d \times d$ matrix, and zeros everywhere else. That is the one matrix for the whole row.
# (It multiplies the numbers as a column. W_Q multiplies them as a row, so there it is transposed.) Here is the block of the
# first hand:

# %% tags=["S8"]
b = 2 * 1  # two tokens, and the first hand turns by 1 per token
M = np.array([[math.cos(b), math.sin(b)], [-math.sin(b), math.cos(b)]])
for p in (0, 3, 50, 1500):
    print(
        f"{p:4}: matrix times row", (M @ waves[p, :2]).round(4), " row", waves[p + 2, :2].round(4)
    )

# %% [markdown]
# (The analogy breaks down in one place: a watch's hands are geared, so all of them come back to 12 together. At width 16, each
# hand is √10 times slower than the one before. Gears have whole numbers of teeth, and √10 is not a ratio of such numbers, so
# no gears could drive them. And the first hand never returns *exactly* to where it was at an earlier token, because π is
# irrational.)

# %% [markdown]
# ## Before you go {#exit}

# %% ask="07.exit"


# %% [markdown]
# <!-- answer -->
# **What can you read off the numbers of a position?** Where each of $d/2$ hands points, from the fastest to the slowest. The
# distance between two tokens determines how far each hand turns from one to the other, and that is the same from any start.

# %% [markdown]
# To take away:
#
# <!-- takeaway -->
# * Dimensions $2i$ and $2i + 1$ are one hand: the sine and the cosine of its angle, $p / 10000^{2i/d}$.
# * The hands of low dimensions turn fast and separate neighbours; those of high dimensions turn slowly and separate positions
#   that are far apart.
# * For each k, there is one matrix that moves every position by k tokens. Lesson 08 tests whether training finds it.
# <!-- end -->
#
# You can read these clocks now. Can a model, in places where it has never been? Lesson 08 finds out. In [stage B2 of the
# Build](../exercises/B2_one_head.ipynb), positions come from a learned table. Put a table of sinusoids in its place, and see
# what the loss says.
#
# To read next:
#
# <!-- readings -->
# * {vaswani2017}, section 3.5: the formula, and why the authors chose it. ("From
#   2π to 10000 · 2π" is rounded up.)
# * {su2021}: rotary positions, which turn the queries and keys themselves.
#   Lesson 08 uses them.

# %% [markdown]
# ## Deeper {#deeper}
#
# You can read each of these parts on its own; nothing later needs them.
#
# ### Is there a matrix for a learned table?
#
# Two of the course's small GPTs, `gpt-pre` and `gpt-post`, have learned their positions (lesson 11 explains the names). Their
# tables are 128 wide, and with so many dimensions *any* 94 pairs of rows can be fitted; 96 positions make 94 pairs. So we keep
# only the 8 directions in which the rows vary most, and look for a matrix once more.

# %% tags=["S8"]
for model in ("gpt-pre", "gpt-post"):
    fitted, new = shift_errors(learned_positions(model, 8), 2)
    print(f"{model}: error on the rows it was fitted to {fitted:.1f}, on new rows {new:.1f}")

# %% [markdown]
# Both errors lie between those of the sinusoids and those of the random tables. Training has created some of this
# regularity, although nothing in the loss asks for it.
#
# ### A query that looks three tokens back
#
# What could a model do with such a matrix? Suppose that W_Q turns every hand back by three tokens, while W_K leaves the keys
# as they are. Each query then looks like the position three tokens earlier, and its score is highest there, because a row has
# its largest dot product with itself (see the next part). We let least squares find this W_Q, from positions alone, without
# any words. It is fitted to the first 48 queries and tested on the other 49.


# %% tags=["S8"]
def hits(rows):
    turned_back, *_ = np.linalg.lstsq(rows[3:51], rows[:48], rcond=None)  # from row p to row p − 3
    scores = rows[51:] @ turned_back @ rows.T
    return (scores.argmax(axis=1) == np.arange(48, 97)).mean()


print(f"sinusoids: {hits(ours):.0%} of 49 new queries; random: {hits(random):.0%}")

# %% [markdown]
# So for sinusoids there is one W_Q that looks three tokens back everywhere. Lesson 08 asks whether training finds it, and
# whether it still works in texts longer than those the model was trained on.
#
# ### How similar are two positions?
#
# The usual measure is the dot product of their rows.

# %% predict="07.direction"


# %% tags=["S8"]
for p in (50, 80):
    print(p, "with 5 before and 5 after:", (ours[p] @ ours[[p - 5, p + 5]].T).round(4))
print("50 with itself:", (ours[50] @ ours[50]).round(4))
reveal("07.direction")

# %% [markdown]
# Why? For two hands of length 1, the dot product is the cosine of the angle between them. For two rows, it is the sum
# of these cosines over all hands.

# %% tags=["S8"]
away = np.arange(-20, 20)
titles = ("Sinusoids", "Random numbers")
for rows, title, ax in zip((ours, random), titles, figures.panels(2, 5.0, 3.4), strict=True):
    lines = {f"from {p}": rows[p + away] @ rows[p] for p in (20, 50, 80)}
    figures.curves(away, lines, title, "positions away", "dot product", ax=ax).set_ylim(-6, 13)
    ax.legend(ncols=3, loc="upper center", frameon=False, labelcolor="0.475")

# %% [markdown]
# <!-- picture -->
# the dot products of three positions with the positions around them. On the left the three curves coincide
# and are symmetric. Each is highest at the position itself, where it is 8, one for each hand. From there it falls, but not
# steadily: it rises again about every 6 tokens, when the fast hand comes round. On the right each curve goes its own way.
# <!-- end -->
#
# So **the dot product depends on the distance but not on the direction**. (For the direction, attention needs its matrices,
# such as the W_Q above.) And "the further apart, the less similar" is only roughly true. At $d = 512$, with its many hands, it
# holds up to 43 tokens:

# %% tags=["S8", "E26"]
rows = sinusoidal_encoding(200, 512).double().numpy()
similarity = rows @ rows[0]
print("first rise:", next(k for k in range(1, 200) if similarity[k] > similarity[k - 1]))

# %% [markdown]
# ### Far apart, and almost the same
#
# You may have read that nearby positions differ little in the slow hands (as you have seen), and that distant positions differ
# more in the *fast* ones. How far is the tip of the fast hand from where it was at position 0?

# %% tags=["E26"]
for k in (1, 2, 3, 6, 22, 44, 710):
    print(f"{k} positions away: {math.dist(hand(k), hand(0)):.4f}")

# %% [markdown]
# The distance grows for the first three tokens. After that, it says nothing about near or far: after 22 tokens the hand points
# the opposite way, after 44 it is nearly back, and after 710 tokens, almost exactly 113 turns, it is within 0.0001 of where it
# was. Two positions that are far apart can nearly coincide in a fast hand. This is called **aliasing**, and it is one reason
# for having slow hands.
#
# Can it happen to all hands at once? We look for the position most similar to position 0, from position 20 on. (Before that,
# at $d = 8$, position 6 wins, at a distance of 0.66, because the fast hand is back.)

# %% tags=["E26"]
for d in (8, 16, 512):
    rows = sinusoidal_encoding(20_000, d).double().numpy()
    distances = np.linalg.norm(rows - rows[0], axis=1)
    nearest = 20 + distances[20:].argmin()
    print(f"d = {d}: {nearest}, {distances[nearest]:.2f} away (the neighbour: {distances[1]:.2f})")

# %% [markdown]
# At $d = 8$ each hand is exactly ten times slower than the one before, so these hands *are* geared like a watch. When the
# slowest has made a full turn, all the others are nearly back too, and position 6283 is more similar to position 0 than
# position 1 is. At 16 and 512, nothing among the first 20,000 positions comes as close as the neighbour. (At 512, the closest
# is simply the first one that we looked at, 20.)
#
# Still, the statement is not entirely wrong. If you take all fast hands together, tokens 100 apart do differ more than
# neighbours: 8.00 against 1.03 in the low column of the first table. But they differ less than tokens 10 apart (8.70). The
# fast hands tell neighbours from the rest; they do not show how far away the rest is.
#
# ### Between two tokens
#
# Does such a row change smoothly with the position? The formula accepts any number, and the tips of the hands move smoothly
# from one token to the next:

# %% tags=["E28"]
for p in (2, 2.25, 2.5, 2.75, 3):
    print(p, hand(p).round(3), hand(p / 10).round(3))

# %% [markdown]
# But a text has a token 2 and a token 3, and nothing between them. **Positions are integers, and the encoding is a smooth
# function of them.** The fast hand jumps by 57 degrees from token to token, and what lies between is never used.
#
# <!-- end -->
# <details><summary>Is the smoothness of any use?</summary>That is contested. A learned table has no row 2.5, and in the
# original Transformer paper it did just as well (Vaswani and others 2017, table 3, row E). On the other hand, one way to
# prepare a trained model for longer texts squeezes their positions into fractions such as 2.5, and after some further training
# this works (<a href="https://arxiv.org/abs/2306.15595">Chen and others 2023</a>, for the rotary positions of lesson
# 08).</details>
#
# ### In print
#
# Formulas with so many letters are easy to misread. Here are three published statements about this formula; you can
# check each of them on the spot. The first is an example with $d = 8$, which gives PE(1) as [sin 1, cos 1, sin(1/10000),
# cos(1/10000), …]:

# %% tags=["E4"]
print("row 1:  ", table[1, :4].round(4))
print("printed:", *np.concatenate([hand(1), hand(1 / 10000)]).round(4))

# %% [markdown]
# Dimensions 2 and 3 are 0.0998 and 0.9950. In the printed row, the exponent 2i/d has been read as 1. No hand of this example
# turns by 1/10000: even the slowest, $i = 3$, turns by 1/1000.
#
# The second says that $i$ counts dimensions. If so, dimension 2 is computed with $i = 2$, and dimension 3
# with $i = 3$. So the sine and the cosine of a pair have different angles. A hand has length 1; how long is the one in
# dimensions 2 and 3, at width 8 and position 100?

# %% tags=["E9"]
dimension = np.arange(8)
for name, i in (("i counts dimensions", dimension), ("i counts pairs", dimension // 2)):
    angles = 100 / 10000 ** (2 * i / 8)
    print(f"{name}: tip [{np.sin(angles[2]):.3f}, {np.cos(angles[3]):.3f}], length", end=" ")
    print(f"{math.hypot(np.sin(angles[2]), np.cos(angles[3])):.3f}")

# %% [markdown]
# If $i$ counts dimensions, there is no hand: the tip leaves the circle. **$i$ counts pairs, from 0 to $d/2 - 1$.** The program
# that comes with that text has a counter for dimensions as well, and yet it is right. Can you see why? Here is an equivalent
# program of our own, and its largest difference from our library's table:

# %% tags=["S25", "E9"]
print(inspect.getsource(encoding_per_dimension))
print(np.abs(encoding_per_dimension(100, 16) - sinusoidal_encoding(100, 16).numpy()).max().round(4))

# %% [markdown]
# The program puts the counter `// 2` into the formula: 0, 0, 1, 1, 2, 2, …, so it counts pairs. The text that we quoted calls
# both its counters *i*.
#
# The third says that the periods go from long to short, so that low dimensions see long distances and high dimensions see
# small steps. The main part of this lesson has shown the opposite, in numbers. Here are the curves, for the first eight
# dimensions:

# %% tags=["S8", "E17"]
for k, ax in zip((0, 2, 4, 6), figures.panels(4, 3.2, 2.8), strict=True):
    lines = {str(k): ours[:, k], str(k + 1): ours[:, k + 1]}
    figures.curves(np.arange(100), lines, f"Dimensions {k}, {k + 1}", "position", ax=ax)
    ax.set_ylim(-1.1, 1.5)
    ax.legend(ncols=2, loc="upper right", frameon=False, labelcolor="0.475")

# %% [markdown]
# <!-- picture -->
# one panel for each of the first four hands, over 100 positions. The first makes nearly 16 turns, the
# second five, the third about 1.6, and the fourth half a turn: the periods go from short to long. The two curves of a
# panel are the same wave, a quarter of a turn apart.
