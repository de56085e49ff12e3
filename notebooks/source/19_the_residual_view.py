# %% [markdown]
# # 19 · The residual view: can you read a model's answer before it is finished?
#
# A GPT's text goes up through its blocks, and only at the very top stands an output layer that says which letter comes next.
# But the stream has the same width at every height. So nothing keeps you from holding the output layer up to it further
# down. Here you do that, watch a name take shape from block to block, and then find out what this reading does not tell.
#
# About 35 minutes. Afterwards you can
#
# * catch the stream of a trained model, and take it apart into the edits it is made of;
# * read it after every block, and say where such a reading misleads;
# * tell three things apart: how large an edit is, what can be read after it, and what is lost without it.

# %%
from itertools import pairwise

import numpy as np
import torch
from torch.nn.functional import cross_entropy

from transformer_course import figures, models
from transformer_course.exercises import ask, predict, reveal
from transformer_course.experiments.stream import (
    accuracy,
    draw_names,
    replaced,
    streams,
    tuned_lens,
    untrained_copy,
)

torch.set_num_threads(1)
_ = torch.set_grad_enabled(False)  # nothing is trained today

# %% [markdown]
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %%
ask("19.recall")

# %% [markdown]
# ## A stream of two numbers
#
# A small model, with a stream of two numbers and three letters, A, B and C. At some place the letter's embedding is [2, 1]. A
# first block adds the edit [−1, 1], a second one [−2, 1]. The output layer gives A the first number, B the second, and C
# twice the second less three times the first. (No norm stands before it here.)
#
# Usually it is given the last stream alone. We give it every stream, **on paper**. The first two lines are done; do the
# third before you run the cell below:
#
# | | edit | stream | logits of A, B, C | likeliest |
# | --- | --- | --- | --- | --- |
# | bottom | | [2, 1] | 2, 1, −4 | A |
# | after block 1 | [−1, 1] | [1, 2] | 1, 2, 1 | B |
# | after block 2 | [−2, 1] | ____ | ____ | ____ |

# %% tags=["S14"]
W = np.array([[1.0, 0.0, -3.0], [0.0, 1.0, 2.0]])  # columns: A, B, C
parts = {"bottom": [2.0, 1.0], "block 1": [-1.0, 1.0], "block 2": [-2.0, 1.0]}
stream = np.zeros(2)
for name, part in parts.items():
    stream = stream + part
    print(f"{name:8} logits of the stream {stream @ W}, of this part alone {part @ W}")

# %% [markdown]
# So the answer can be followed from height to height: A, B, C. This reading is called the **logit lens** (nostalgebraist
# 2020).
#
# And since the stream is a sum, its logits are one too. On the right stands what each part says by itself, and for C that is
# −4 + 5 + 8 = 9. Block 1 wrote 5 of C's logit, although after block 1 one reads B. Keep that in mind.
#
# ## Catching the stream of a trained GPT
#
# Now a real one. The course has two small GPTs of six blocks, 128 wide, which continue the names of Unicode's characters
# letter by letter: `gpt-pre` and `gpt-post`, alike but for the place of their norms. We give them a name that neither saw in
# training, GUJARATI LETTER SHA.
#
# How does one get at the stream inside? With a **hook**: a function that torch calls whenever a given part of the model has
# run, with what went in and what came out.


# %%
def catch(model, parts, tokens):
    """What came out of each part of a model while it read the tokens."""
    caught = []

    def hook(part, went_in, came_out):
        caught.append(came_out)

    handles = [part.register_forward_hook(hook) for part in parts]
    model(tokens)
    for handle in handles:
        handle.remove()
    return caught  # in the order in which they ran


gpts = {name: models.load(name)[0] for name in ("gpt-pre", "gpt-post")}
text = models.load("gpt-pre")[1]["text"]
name = "GUJARATI LETTER SHA"
tokens = torch.tensor([[text.begin, *text.encode(name)]])
seven = catch(gpts["gpt-pre"], [gpts["gpt-pre"].input, *gpts["gpt-pre"].stack.layers], tokens)
print(len(seven), "streams, each", tuple(seven[0].shape))

# %% [markdown]
# One at the bottom, that is, the embeddings with their positions, and one after each block: for every one of 20 places (the
# beginning and 19 characters) 128 numbers. Note 5's picture of a stream is that every layer edits it a little, and what was
# there is kept. Lesson 11 tried it with random edits, and found that only pre-norm keeps it. And in trained models? We add up
# the embedding and all twelve edits, what attention and feed-forward networks made. By how much does the sum miss the last
# stream?

# %% tags=["E22", "S14"]
for name_of, model in gpts.items():
    blocks = model.stack.layers
    sublayers = [part for block in blocks for part in (block.self_attention, block.feed_forward)]
    bottom, *_, top = catch(model, [model.input, *blocks], tokens)
    missed = top - (bottom + sum(catch(model, sublayers, tokens)))
    share = (missed.norm(dim=-1) / top.norm(dim=-1)).mean()
    print(f"{name_of}: off by {share:.0%}, less than a hundred-thousandth: {bool(share < 1e-5)}")

# %% [markdown]
# **With pre-norm, the last stream is the embedding plus all edits**, to rounding. With post-norm this sum misses it by nearly
# the stream's own length: the twelve edits were added, but each norm has rescaled all that stood there by then.
#
# ## A little?
#
# From here on we need more than one name: three draws of 40 names that the models never saw. `streams` does what `catch` did,
# for the bottom and the six blocks.

# %%
draws = [draw_names(text, 40, seed) for seed in range(3)]  # what goes in, what is asked, and where
caught = {name: [streams(model, inputs) for inputs, _, _ in draws] for name, model in gpts.items()}
print([int(asked.sum()) for _, _, asked in draws], "places in all")

# %% [markdown]
# For every block we take the difference that it makes, the stream after it minus the stream before it (with post-norm, its
# rescaling included), and divide its length by the length of the stream before.

# %%
predict("19.sizes")


# %% tags=["E22", "S14"]
def differences(caught):
    """For each draw and block: the length of what the block changed, as a share of the stream."""
    shares = []
    for seven, (_, _, asked) in zip(caught, draws, strict=True):
        pairs = [(low[asked], high[asked]) for low, high in pairwise(seven)]
        shares.append([((b - a).norm(dim=-1) / a.norm(dim=-1)).mean().item() for a, b in pairs])
    return np.array(shares)


edits = {name: differences(caught[name]) for name in gpts}
for name, shares in edits.items():
    print(name, *(f"{share:.1f}" for share in np.median(shares, axis=0)))
reveal("19.sizes")

# %% [markdown]
# Little they are not, as lesson 11 found of single sublayers: in both models, no block changes the stream by less than half of
# its length. How much of that is learned? Beside `gpt-pre` we put three untrained models of the same form.
#
# And what becomes of what was there? We follow the embedding $e$, its position included. *How much of it* is in a stream $s$
# is a number: $s \cdot e / e \cdot e$, 1 at the bottom, where $s = e$, and 0 where the stream stands at a right angle to it.


# %% tags=["E22", "S14"]
def left_of_the_bottom(seven, asked):
    """How much of the embedding is in each of the seven streams, on average over places."""
    e = seven[0][asked]
    return [((s[asked] * e).sum(-1) / (e * e).sum(-1)).mean().item() for s in seven]


twins = [untrained_copy(gpts["gpt-pre"], seed) for seed in range(3)]
caught["untrained"] = [streams(twins[k], draws[k][0]) for k in range(3)]
changed = {name: differences(caught[name]) for name in ("gpt-pre", "untrained", "gpt-post")}
kept = {
    name: [left_of_the_bottom(caught[name][k], draws[k][2]) for k in range(3)]
    for name in ("gpt-pre", "untrained")
}
left, right = figures.panels(2, 5.2)
ax = figures.curves(range(1, 7), changed, "What a block changes", "block", "of the stream", ax=left)
ax.set_ylim(0, 1.25)
ax = figures.curves(range(7), kept, "What is left of e", "after block", "times e", ax=right)
_ = ax.set_ylim(-0.2, 1.25)

# %% [markdown]
# **In the picture:** medians of three draws, with bands from least to most, mostly hidden by the lines. On the left, how much
# of its length each block changes. Edits of about half a stream and more are nothing learned: those of an untrained model
# are as long. What training has added in `gpt-pre` is the large last one. On the right, how much of the embedding is left.
# Untrained, it stays near 1: the edits point anywhere, and leave it alone. Trained, each block takes away between a tenth and
# a quarter of it, and at the top there is even a little of its opposite.
#
# So the embedding is *kept* as a summand, and yet cancelled along its own direction: **the edits contain its opposite.** On
# this whiteboard nobody has a sponge; one writes the opposite over it. (The letter need not be forgotten by that: it may stand
# in another direction.)

# %% [markdown]
# ## The lens, at the bottom
#
# Now the lens for the real model. It is one line, what the model itself does with its last stream: final norm, then output
# layer. (`gpt-post` has no final norm; its last block ends in one.)


# %%
def lens(model, stream):
    return model.output(model.stack.norm(stream))


# %%
predict("19.bottom")

# %% tags=["S14"]
show = {text.begin: "▹", text.end: "◃", text.pad: "□", text.unknown: "?"}
letters = [show.get(k, token.replace(" ", "␣")) for k, token in enumerate(text.tokens)]
goes_in = [letters[k] for k in tokens[0]]
p = lens(gpts["gpt-pre"], seven[0])[0].softmax(-1)
print("goes in", *goes_in)
print("read   ", *(letters[k] for k in p.argmax(-1)))
print("above 0.95:", int((p.max(-1).values > 0.95).sum()), "of 20")
reveal("19.bottom")

# %% [markdown]
# (`▹` is the beginning, `◃` the end, `␣` the blank, and `□` padding, which no text ever asks for.) The reason lies in the
# model: its output layer is **tied** to the embeddings, one table used twice. So each letter's row in the output layer *is*
# its embedding. Is it also the row that fits best? And does an untrained model read the same?

# %% tags=["S14"]
table_of = gpts["gpt-pre"].output.weight
print("one table for both ends:", table_of is gpts["gpt-pre"].input.embedding.table)
fits_best = (table_of @ table_of.T).argmax(-1)
print("fit another row better:", *(letters[k] for k, row in enumerate(fits_best) if row != k))
p = lens(twins[0], streams(twins[0], tokens)[0])[0].softmax(-1)
right = int((p.argmax(-1) == tokens[0]).sum())
print(f"untrained: reads what goes in at {right} of 20, at most with {p.max():.1f}")

# %% [markdown]
# For every letter, its own row fits best. (For `▹` and the digits it does not: the rows of `□` and `?` are long, and win.) An
# untrained model reads what goes in as well, so that much comes from the tying; training makes it nearly certain.
#
# Do not take that for an answer: nobody asked for it. **A lens that is sure need not be near the answer.**
#
# ## A name takes shape
#
# Now all seven streams, for each place of the name:


# %% tags=["S14"]
def table(logits):
    best, read = logits.softmax(-1).max(-1)
    rows = ["bottom", *(f"block {k}" for k in range(1, 7))]
    return [[letters[k] for k in row] for row in read], best, goes_in, [*goes_in[1:], "◃"], rows


of_the_name = torch.cat([lens(gpts["gpt-pre"], stream) for stream in seven])
ax = figures.logit_lens(*table(of_the_name), "gpt-pre, read through the lens")

# %% [markdown]
# **In the picture:** read it from below. A column is a place of the text; the input letter is below the table, the label above
# it. A cell holds what the lens reads there, the darker the likelier; a frame marks a letter that matches the label. Up to
# block 2 each column but the first reads what goes in. At block 3 it becomes doubtful. From block 4 on a word emerges that is
# not below but one place further, LETTER, and above it everything becomes dark. (At the beginning of a word much is possible;
# there it stays pale to the top. The three lowest frames are luck: in LETTER, a T follows a T.) And three answers, J, S and H,
# are read on the way and given up again: what a lens reads halfway is not the model's word yet.
#
# One name is an anecdote. The three draws, in both models:


# %% tags=["S14"]
def reads(name, wanted):
    """For each draw, how often the lens reads what is wanted, at the seven heights."""
    found = []
    for seven, (inputs, labels, asked) in zip(caught[name], draws, strict=True):
        target = {"what goes in": inputs, "what is asked": labels}[wanted]
        found.append([accuracy(lens(gpts[name], s), target, asked) for s in seven])
    return found


for ax, name in zip(figures.panels(2, 5.0), gpts, strict=True):
    lines = {wanted: reads(name, wanted) for wanted in ("what goes in", "what is asked")}
    figures.curves(range(7), lines, f"{name}, read", "after block", "share of places", ax=ax)

# %% [markdown]
# **In the picture:** medians and bands as before: how often the likeliest letter is the one that goes in, and how often the
# one that is asked. The first falls, the second rises to about 0.78; they cross between blocks 3 and 4 with pre-norm, and one
# block higher with post-norm. That the stream is rescaled there does not spoil the reading.

# %% [markdown]
# ## Where is the work done?
#
# Through the lens, the work seems to be done in blocks 3 to 5: before block 3 it is right for 3 places in a hundred, after
# block 5 for about 70. We can ask in another way: leave one block out. The stream then goes past it unchanged, and
# all others work as before. (`replaced` does it by a hook: a function says what the block hands on, here what it was given.)

# %%
predict("19.left_out")


# %% tags=["S14"]
def lost(name):
    """For each draw and block: how much less often the model is right without it."""
    model, losses = gpts[name], []
    for inputs, labels, asked in draws:
        right = [accuracy(model(inputs), labels, asked)]
        for block in model.stack.layers:
            with replaced(block, lambda below, above: below):
                right.append(accuracy(model(inputs), labels, asked))
        losses.append(right[0] - np.array(right[1:]))
    return np.array(losses)


without = {name: lost(name) for name in gpts}
for name, losses in without.items():
    print(name, *(f"{loss:.2f}" for loss in np.median(losses, axis=0)))
reveal("19.left_out")

# %% tags=["S14", "E22"]
for ax, name in zip(figures.panels(2, 5.4), gpts, strict=True):
    gained = np.diff(reads(name, "what is asked"), axis=1)
    lines = {"changes in the stream": edits[name], "lost without it": without[name]}
    lines["gained through the lens"] = gained
    share = "share (of length, or of places)"
    figures.curves(range(1, 7), lines, name, "block", share, ax=ax).set_ylim(-0.05, 1.25)

# %% [markdown]
# **In the picture:** three answers to "which block matters?", for each block: how much of the stream's length it changes, how
# much accuracy is lost without it, and how much the lens gains with it. No two of them tell the same story. (Only at block 6
# must two lines meet: a model without its last block *is* the lens after block 5.) With pre-norm, block 1 gains nothing
# through the lens, and without it more than half of all places are lost; block 6 changes the stream by more than its length,
# and without it six or seven places in a hundred are lost. With post-norm the losses fall too, only less steeply.
#
# Is block 6 idle, then? Right letters are one count; lesson 14's loss is another, and sees how sure the model is. With all six
# blocks, and with five:

# %% tags=["S14"]
for height in (6, 5):
    losses = [
        cross_entropy(lens(gpts["gpt-pre"], seven_of[height])[asked], labels[asked]).item()
        for seven_of, (_, labels, asked) in zip(caught["gpt-pre"], draws, strict=True)
    ]
    print(f"{height} blocks, loss: {np.median(losses):.2f}")

# %% [markdown]
# So block 6 changes few answers, and gives the right ones much more probability. **A large edit need not change many answers,
# and where nothing can be read, something may be done on which all else depends.** In networks for images, Veit and others
# (2016) found that hardly any single block is missed. Those networks had many more blocks; of our six, only the uppermost come
# near to it.
#
# (A model whose block is left out meets streams that it never saw in training. How much of the harm comes from their
# strangeness, such a test does not tell.)
#
# ## What lies beneath
#
# If block 1 does so much: why does the lens not see it? Perhaps because what goes in drowns it. That can be tried with no new
# tool: forbid the lens that one letter, and take the likeliest of the others.

# %% tags=["S14"]
inputs, labels, asked = draws[0]


def forbidden(logits):
    return logits.scatter(-1, inputs[..., None], -1e9)


rows = {
    "as it is": [lens(gpts["gpt-pre"], stream) for stream in caught["gpt-pre"][0]],
    "forbidden": [forbidden(lens(gpts["gpt-pre"], stream)) for stream in caught["gpt-pre"][0]],
    "untrained": [forbidden(lens(twins[0], stream)) for stream in caught["untrained"][0]],
}
for title, logits_of in rows.items():
    print(f"{title:9}", *(f"{accuracy(logits, labels, asked):.2f}" for logits in logits_of))

# %% [markdown]
# After block 2 it is now right for about 25 places in a hundred instead of 3, after block 3 for about 40; in an untrained
# model the same trick gets 2 to 4 in a hundred at every height. The answer was growing all the time, beneath the letter.
# **What a lens does not read may be there all the same.**
#
# One can go further. The output layer is made for the *last* stream. So fit, for each height, a matrix with a bias that makes
# of the stream there a last stream as well as it can, and read that. We fit on names from the training set, and test on
# ours. This is called a **tuned lens** (Belrose and others 2023, who fit by gradient; we take least squares, as for
# the probes of lesson 12). By hand, for block 2:

# %% tags=["S14"]
model = gpts["gpt-pre"]
others, _, known = draw_names(text, 150, seed=0, seen=True)
x, top = (streams(model, others)[k][known] for k in (2, 6))
ones = torch.ones(len(x), 1)
M = torch.linalg.lstsq(torch.cat([x, ones], 1), top).solution  # 129 rows: matrix, bias
ours = caught["gpt-pre"][0][2]
logits = lens(model, ours @ M[:-1] + M[-1])
print(f"after block 2: {accuracy(logits, labels, asked):.2f}")

# %% [markdown]
# About 40 in a hundred. So does the model know 40 in a hundred letters after block 2 already? That needs a
# control: an *untrained* model. For each of its streams, too, a map is fitted that makes of it the trained model's last
# stream, as well as it can.

# %%
predict("19.control")

# %% tags=["S14"]
model, found = gpts["gpt-pre"], {"lens": reads("gpt-pre", "what is asked")}
for arm in ("tuned", "untrained model"):
    found[arm] = []
    for seed, (_, labels, asked) in enumerate(draws):
        untrained = arm == "untrained model"
        lenses = tuned_lens(model, text, seed, untrained=untrained)
        pairs = zip(lenses, caught["untrained" if untrained else "gpt-pre"][seed], strict=True)
        found[arm].append([accuracy(read(stream), labels, asked) for read, stream in pairs])
for arm in ("tuned", "untrained model"):
    print(f"{arm}, after block 2: {np.median(found[arm], axis=0)[2]:.1f}")
distance = np.median(np.array(found["tuned"]) - np.array(found["untrained model"]), axis=0)
print("their distance: none at the bottom:", bool(abs(distance[0]) < 0.02), end="; ")
print("grows with every block:", bool((np.diff(distance) > 0).all()))
reveal("19.control")

# %% tags=["S14"]
title = "How often what is asked is read"
ax = figures.curves(range(7), found, title, "after block", "share of places")

# %% [markdown]
# **In the picture:** where the lens as it is sees nothing until block 3, the tuned lens rises from block to block, about
# evenly. But a fit learns something of its own: a map fitted to an untrained model's streams gets to a little below 0.3 and no
# further. So much do a letter, its place and a random mixture of the others tell about the next one. What the blocks'
# *training* has made readable for such a map is the *distance* between the two: nothing at the bottom, a few hundredths after
# block 1, and more with every block. (Another map than a linear one might find more.)
#
# Once more our name, now through the tuned lens:

# %% tags=["S14"]
tuned = tuned_lens(gpts["gpt-pre"], text, seed=0)
of_the_tuned = torch.cat([read(stream) for read, stream in zip(tuned, seven, strict=True)])
ax = figures.logit_lens(*table(of_the_tuned), "Through the tuned lens")

# %% [markdown]
# **In the picture:** already at the bottom, what usually follows a letter at that place: that much is the map's own. After
# block 2 the rest of LETTER is there, after block 3 nearly all that the model will ever know of this name.

# %% [markdown]
# ## Before you go

# %%
ask("19.exit")

# %% [markdown]
# **Can you read a model's answer before it is finished?** Yes: hold the output layer up to the stream after any block, and
# from the middle on the answer takes shape. But such a reading shows what *this* output layer can find there. Below, it reads
# what goes in, and is sure of it; more is there than it shows; and which block is needed, only leaving it out can tell.
