# %% [markdown] minutes=25
# # 19 · The residual view: can you read a model's answer before it is finished?
#
# You know what goes into a model and what comes out. Between the two, as lesson 10 showed, runs a residual stream to which
# every sublayer adds its share. What does it contain halfway through? Nothing stops us from looking: we can read it after any
# block, as though the model ended there. A blogger did that to GPT-2 in 2020 ({nostalgebraist2020}), and opened a window
# through which people have looked into models ever since. It is a tempting window. The second half of the lesson is about what
# you cannot see through it.
#
# About {minutes} minutes, and as long again for the parts under "Deeper". By the end, you will be able to
#
# * record the residual stream of a trained model, and add it up from its parts;
# * decode it after every block, and say when the result misleads;
# * distinguish what can be read after a block from what is lost without that block.

# %%
from itertools import pairwise

import numpy as np
import torch
from torch.nn.functional import cross_entropy

from transformer_course import figures, models
from transformer_course.byte_pairs import BytePairs
from transformer_course.exercises import ask, predict, reveal
from transformer_course.experiments import effort, superposition
from transformer_course.experiments.induction import (
    WORDS,
    copying_accuracy,
    patterns,
    repeated_pieces,
    trained,
)
from transformer_course.experiments.stream import (
    accuracy,
    draw_names,
    draw_paragraphs,
    replaced,
    streams,
    tuned_lens,
    untrained_copy,
)
from transformer_course.inspection import attention_maps

torch.set_num_threads(1)
_ = torch.set_grad_enabled(False)  # only some parts under "Deeper" train a model

# %%
lit = ("output layer", "output softmax")
ax = figures.architecture(*lit, title="Lesson 19: the last two boxes, moved down", small=True)

# %% [markdown]
# <!-- picture -->
# the map from lesson 00. The filled boxes turn the last stream into probabilities. The stream has the same
# width everywhere, so these boxes fit further down, too.
# <!-- end -->
#
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %% ask="19.recall"


# %% [markdown]
# ## A stream of two numbers
#
# Take a model with a stream of two numbers and a vocabulary of three words: *red*, *car* and *orange*. At some position the
# embedding is [2, 1]. Block 1 adds the **edit** [−1, 1], and block 2 adds [−2, 1]. The output layer is a matrix with a column
# for each word: [1, 0] for *red*, [0, 1] for *car* and [−3, 2] for *orange*. This model has no LayerNorm.
#
# Normally only the last stream goes through the output layer. We decode all three.
#
# <!-- paper -->
# **Your turn, on paper.** Fill in the last row.
#
# | | edit | stream | logits of *red*, *car*, *orange* | most likely |
# | --- | --- | --- | --- | --- |
# | embedding | | [2, 1] | 2, 1, −4 | *red* |
# | after block 1 | [−1, 1] | [1, 2] | 1, 2, 1 | *car* |
# | after block 2 | [−2, 1] | ____ | ____ | ____ |
#
# <!-- compare -->
# <details><summary>Compare</summary>The stream is [−1, 3], the logits are −1, 3 and 9, and the most likely word is
# <em>orange</em>.</details>

# %% tags=["S14"]
W = np.array([[1.0, 0.0, -3.0], [0.0, 1.0, 2.0]])  # columns: red, car, orange
parts = {"embedding": [2.0, 1.0], "block 1": [-1.0, 1.0], "block 2": [-2.0, 1.0]}
stream = np.zeros(2)
for name, part in parts.items():
    stream = stream + part
    print(f"{name:10} logits of the stream {stream @ W}, of this part alone {part @ W}")

# %% [markdown]
# So you can follow the answer from block to block: *red*, *car*, *orange*. Decoding earlier streams with the model's own
# output layer is called the **logit lens** (nostalgebraist 2020).
#
# The stream is a sum, so its logits are a sum too. The right half of the printout shows what each part contributes. For
# *orange*, that is −4 + 5 + 8 = 9. Block 1 contributed 5 of the 9, although after block 1 the lens reads *car*.

# %%
ax = figures.schematic("lens")

# %% [markdown]
# <!-- picture -->
# the streams of a model with pre-norm. The solid arrows show the model itself, the dashed ones the lens:
# the same last LayerNorm and output layer, given an earlier stream.
#
# ## Recording the stream
#
# Now take a trained model: `gpt-pre`, a small GPT with six blocks of width 128. It continues the names of Unicode characters,
# letter by letter. We give it an unseen name, GUJARATI LETTER SHA.
#
# How do you get at the stream inside? With a **hook**: a function that torch calls whenever a given part of the model has run,
# with that part's inputs and output.


# %%
def record(model, parts, tokens):
    """The output of each of these parts, while the model reads the tokens."""
    outputs = []
    hooks = [part.register_forward_hook(lambda part, x, y: outputs.append(y)) for part in parts]
    model(tokens)
    for hook in hooks:
        hook.remove()
    return outputs  # in the order in which the parts ran


gpts = {name: models.load(name)[0] for name in ("gpt-pre", "gpt-post")}
text = models.load("gpt-pre")[1]["text"]
name = "GUJARATI LETTER SHA"
tokens = torch.tensor([[text.begin, *text.encode(name)]])
model = gpts["gpt-pre"]
seven = record(model, [model.input, *model.stack.layers], tokens)
print(len(seven), "streams, each", tuple(seven[0].shape))

# %% [markdown]
# There is one stream for the embeddings (with their positions) and one after each block, with 128 numbers for each of 20
# positions.
#
# Do the edits add up? We add the twelve outputs of attention and feed-forward networks to the embedding, and compare the sum
# with the last stream, in `gpt-pre` and in `gpt-post`, which differs only in where its LayerNorms are.

# %% tags=["E22", "S14"]
for which, gpt in gpts.items():
    blocks = gpt.stack.layers
    sublayers = [part for block in blocks for part in (block.self_attention, block.feed_forward)]
    bottom, *_, top = record(gpt, [gpt.input, *blocks], tokens)
    difference = top - (bottom + sum(record(gpt, sublayers, tokens)))
    share = (difference.norm(dim=-1) / top.norm(dim=-1)).mean()
    print(f"{which}: the sum differs by {share:.4f} of the stream's length")

# %% [markdown]
# **With pre-norm, the last stream is the embedding plus all edits.** With post-norm, it is not: each LayerNorm rescales
# everything that is in the stream so far.

# %% [markdown]
# ## Through the lens
#
# For a real model, the lens is one line: the final LayerNorm, which the code calls `stack.norm`, then the output layer. (The
# last block of `gpt-post` ends in a LayerNorm, so there `stack.norm` passes the stream on unchanged.) torch stores the output
# layer as a table with a *row* for each token, where our example on paper had a column. In `gpt-pre`, this table is **tied**
# to the embeddings: the same table is used at both ends.


# %% tags=["S14"]
def lens(model, stream):
    return model.output(model.stack.norm(stream))


# %% predict="19.bottom"


# %% tags=["S14"]
show = {text.begin: "▹", text.end: "◃", text.pad: "□", text.unknown: "?"}
letters = [show.get(k, token.replace(" ", "␣")) for k, token in enumerate(text.tokens)]
goes_in = [letters[k] for k in tokens[0]]
p = lens(model, seven[0])[0].softmax(-1)
print("input", *goes_in)
print("read ", *(letters[k] for k in p.argmax(-1)))
print("median probability:", round(p.max(-1).values.median().item(), 3))
reveal("19.bottom")

# %% [markdown]
# (`▹` is `<begin>`, `◃` is `<end>`, `␣` is a space, and `□` is padding.) The lens reads the input letter at each position but
# the first. (There it reads padding, and we do not know why.) The lens is certain, but the answer would be the *next* letter.
# **A lens can be certain and still be wrong.**
#
# Here are all seven streams:


# %% tags=["S14"]
def table(logits):
    best, read = logits.softmax(-1).max(-1)
    rows = ["embedding", *(f"block {k}" for k in range(1, 7))]
    return [[letters[k] for k in row] for row in read], best, goes_in, [*goes_in[1:], "◃"], rows


name_logits = torch.cat([lens(model, stream) for stream in seven])
ax = figures.logit_lens(*table(name_logits), "gpt-pre through the lens")

# %% [markdown]
# <!-- picture -->
# read it from the bottom. A column is a position, with its input below and its label above. A cell shows
# the letter that the lens reads; darker cells have a higher probability, and a frame marks a letter that matches the label.
# <!-- end -->
#
# Up to block 2, nearly every cell shows its own input. At block 3 most cells become pale. From block 4 on, the word LETTER
# emerges, one position to the left of where it is in the input. (The three frames at the bottom are luck: a T follows a T.)
#
# ## Words emerge
#
# A letter is a small step. What about words? `prose` (lesson 16) has four blocks, and its tokens are words and pieces of
# words. Its output layer is a matrix of its own, not tied to the embeddings. We give it the beginning of a sentence that it
# did not see in training, *Test whether a path is a regular*.

# %% predict="19.prose"


# %% tags=["S14"]
prose, vocabularies = models.load("prose")
pieces = vocabularies["text"]
special = len(pieces.specials)
tokenizer = BytePairs.from_tokens(pieces.tokens[special:])


def ids_of(text):
    return [special + k for k in tokenizer.encode(text)]


def shown(ids):
    return [pieces.tokens[k].replace(" ", "␣").replace("\n", "↵") for k in ids]


sentence = torch.tensor([ids_of("\nTest whether a path is a regular")])
five = streams(prose, sentence[:, :-1])
p, read = torch.cat([lens(prose, stream) for stream in five]).softmax(-1).max(-1)
goes_in_words, labels_of_words = (shown(ids) for ids in (sentence[0, :-1], sentence[0, 1:]))
print("input:", *goes_in_words)
print("read: ", *shown(read[0]))
reveal("19.prose")

# %%
rows = ["embedding", *(f"block {k}" for k in range(1, 5))]
arguments = [shown(row) for row in read], p, goes_in_words, labels_of_words, rows
ax = figures.logit_lens(*arguments, "prose through the lens", width=0.95)

# %% [markdown]
# <!-- picture -->
# as before; `↵` is the new line that begins a paragraph. On the embeddings, the lens reads something that can follow the
# token: for *is*, it reads *not*. Block by block, the context comes in: after *T*, the lens reads *est*; after *Test*,
# *whether*; and after *Test whether a path*, *is*.
# <!-- end -->

# %% [markdown]
# ## Where is the work done?
#
# Which block of `gpt-pre` finds the answers? One way to measure this is the lens: how many labels does it read after each
# block, in three draws of 40 unseen names?


# %% tags=["S14"]
def percentages(model, draws, wanted):
    """For each draw, how often the lens reads the input or the label, after each block."""
    found = []
    for inputs, labels, real in draws:
        target = {"input": inputs, "label": labels}[wanted]
        found.append([accuracy(lens(model, s), target, real) for s in streams(model, inputs)])
    return 100 * np.array(found)


draws = [draw_names(text, 40, seed) for seed in range(3)]  # inputs, labels, where there is a label
read_after = percentages(model, draws, "label")
print("read after block 0 … 6, in %:", *(f"{share:.0f}" for share in np.median(read_after, axis=0)))

# %% [markdown]
# There is a second way: leave a block out, so that the stream goes past it unchanged, and let all the others run as before.
# (`replaced` does this with a hook; our function passes on the block's input, `below`.)

# %% predict="19.left_out"


# %% tags=["S14"]
def lost(model):
    """For each draw and block: how many percentage points of accuracy are lost without it."""
    losses = []
    for inputs, labels, real in draws:
        right = [accuracy(model(inputs), labels, real)]
        for block in model.stack.layers:
            with replaced(block, lambda below, above: below):
                right.append(accuracy(model(inputs), labels, real))
        losses.append(right[0] - np.array(right[1:]))
    return 100 * np.array(losses)


without = lost(model)
print("lost without block 1 … 6:", *(f"{loss:.0f}" for loss in np.median(without, axis=0)))
reveal("19.left_out")

# %% tags=["S14"]
gained = np.diff(read_after, axis=1)
lines = {"lost without the block": without, "gained through the lens": gained}
ax = figures.curves(range(1, 7), lines, "gpt-pre", "block", "percentage points")

# %% [markdown]
# <!-- picture -->
# two answers to the question of which block matters. They disagree: through the lens, block 1 gains almost
# no labels, but without it more than half of all labels are lost. (At block 6 the two lines meet, because a model without
# block 6 *is* the lens after block 5.) **Even where no label can be read, a block may do something that everything later
# depends on.**
# <!-- end -->
#
# This test has a limit too: without a block, the later ones get streams that they never met in training.

# %% [markdown] seconds=3
# ## A note for another head {#induction}
#
# What, besides answers, do later blocks need? A text says *the red car*, and later *the red* again. What comes next? A model
# can find the earlier *red*, and predict the word after it. A head that does this is called an **induction head**
# ({olsson2022}).
#
# We train two layers of attention with one head each, and no feed-forward networks, to read a piece of 8 to 12 random words
# twice and to predict the second copy. (This takes about {seconds} seconds.)

# %% tags=["nbval-ignore-output"]
with figures.live(300, "A model of attention alone") as watch:
    copier = trained(num_layers=2, after_step=watch)
rate = copying_accuracy(copier)
print(f"right: {rate:.0%} of the next words in 1,000 new sequences")
assert rate > 0.98

# %% [markdown]
# <!-- picture -->
# the loss drops late, but then quickly. Here is where the two heads look:

# %% tags=["nbval-ignore-output"]
(pieces_twice,) = next(repeated_pieces(1, seed=1006))
sequence = [WORDS[k] for k in pieces_twice[0]]
with attention_maps(copier) as maps:
    copier(pieces_twice[:, :-1])
for ax, (layer, weights) in zip(figures.panels(2, 5.0, 4.6), maps.items(), strict=True):
    title = f"layer {1 + int(layer[-1])}"
    figures.heatmap(weights[0, 0], sequence[:-1], sequence[:-1], title, ax=ax)
    ax.tick_params(axis="x", rotation=90, labelsize=10)

# %% [markdown]
# <!-- picture -->
# rows are queries, and columns are keys. In layer 1, words of the first copy attend to the word just before. In layer 2, words
# of the second copy attend to the word that came *after* them in the first: the word to predict.
# <!-- end -->
#
# So the head of layer 2 is the induction head. Does it need the other one?

# %% predict="19.induction"


# %% tags=["nbval-ignore-output"]
first_head, second_head = patterns(copier)
print(f"both heads:              {copying_accuracy(copier):.2f}")
print(f"without layer 2's head:  {copying_accuracy(copier, (second_head,)):.2f}")
print(f"without layer 1's head:  {copying_accuracy(copier, (first_head,)):.2f}")
reveal("19.induction")

# %%
ax = figures.schematic("induction")

# %% [markdown]
# <!-- picture -->
# the second *red* looks for a word whose *predecessor* was *red*. In layer 1, a word receives the value of
# the word before it, so *car* now carries a note: "*red* came before me". In layer 2, the query of *red* matches the key that
# is made from this note, and the value of *car* says what to predict.
# <!-- end -->
#
# The note travels in the stream, **written by one head for another.** It is not an answer: after layer 1, the lens reads *red*
# at *car* ("Deeper" counts how often).

# %% [markdown]
# ## Before you go {#exit}

# %% ask="19.exit"


# %% [markdown]
# <!-- answer -->
# **Can you read a model's answer before it is finished?** Yes: decode the stream after any block with the model's own output
# layer, and you see the answer take shape. But the lens shows only what *this* output layer finds there. It can be certain and
# wrong, and it can miss what the rest of the model depends on.

# %% [markdown]
# To take away:
#
# <!-- takeaway -->
# * With pre-norm, the last stream is the embedding plus all edits. In a model without a final LayerNorm, the logits are a sum
#   over these parts too.
# * The logit lens decodes an earlier stream with the final LayerNorm and the output layer.
# * What can be read after a block and what is lost without it are two different measurements.
# <!-- end -->
#
# Now turn the lens on a model of your own: the GPT from [stage B4](../exercises/B4_a_gpt.ipynb) of the Build has such a
# stream, and in [stage B8](../exercises/B8_real_text.ipynb) you train it on the text that `prose` was trained on.
#
# To read next:
#
# <!-- readings -->
# * {nostalgebraist2020}: the logit lens, tried on GPT-2.
# * {elhage2021}: the residual stream as a channel
#   between layers.
# * {veit2016}: blocks left out of image-recognition networks.
# * {belrose2023}: where the logit lens misleads, and a lens that is trained.

# %% [markdown]
# ## Deeper {#deeper}
#
# You can read each of these parts on its own; nothing later needs them. Several of them use the streams of `gpt-pre` and
# `gpt-post`, and of three untrained models with the same configuration as `gpt-pre`:

# %%
caught = {name: [streams(gpt, inputs) for inputs, _, _ in draws] for name, gpt in gpts.items()}
copies = [untrained_copy(model, seed) for seed in range(3)]
caught["untrained"] = [streams(copies[k], draws[k][0]) for k in range(3)]

# %% [markdown] seconds=5
# ### More names, and paragraphs
#
# Does `prose` always do that? Three times, we pick 80 unseen paragraphs at random, take their beginnings, and compare them
# with the names. (This takes about {seconds} seconds.)

# %% tags=["S14"]
paragraphs = [draw_paragraphs(ids_of, 80, seed) for seed in range(3)]
for ax, (title, gpt, drawn) in zip(
    figures.panels(2, 5.0),
    (("gpt-pre", model, draws), ("prose", prose, paragraphs)),
    strict=True,
):
    lines = {wanted: percentages(gpt, drawn, wanted) for wanted in ("input", "label")}
    heights = range(len(gpt.stack.layers) + 1)
    figures.curves(heights, lines, title, "after block", "% of positions", ax=ax)

# %% [markdown]
# <!-- picture -->
# how often the most likely token is the input, and how often it is the label; lines are medians of three
# draws, and bands show the range. In `gpt-pre`, the label overtakes the input between blocks 3 and 4, and ends at 79%. In
# `prose`, the most likely token is almost never the input, and the label rises from about 11% to about 29%: a piece of a word
# is harder to predict than a letter.

# %% [markdown]
# ### Copying: controls
#
# How sure can we be of the two heads that we found? First we look at their weights, averaged over 250 sequences. Then we count
# how often, after layers 1 and 2, the lens reads the next word (in the second copy) and the word before (in the first):

# %% tags=["nbval-ignore-output"]
for (layer, _), (previous, after_copy) in patterns(copier).items():
    print(f"layer {1 + int(layer[-1])}: ", end="")
    print(f"{previous:.2f} on the word before, {after_copy:.2f} on the word after the earlier copy")
(many,) = next(repeated_pieces(250, seed=1000))
half = many.shape[1] // 2
for after, stream in enumerate(record(copier, copier.residuals, many[:, :-1]), 1):
    read = copier.output(copier.norm(stream)).argmax(-1)
    following = (read[:, half:] == many[:, half + 1 :]).float().mean()
    before = (read[:, 1:half] == many[:, : half - 1]).float().mean()
    print(f"read after layer {after}: next word {following:.0%}, word before {before:.0%}")

# %% [markdown] seconds=10
# In each of the first two lines, the first weight is averaged over the rows of the first copy, and the second over those of
# the second copy. After layer 1 the lens reads few of the next words, but nearly always the word before: the note. After layer
# 2 it reads nearly all of the next words.
#
# If a note has to travel from layer to layer, one layer should not be enough. We try three seeds, each with two layers and
# with one. (This takes about {seconds} seconds.)

# %% tags=["nbval-ignore-output"]
print("seed   two layers   without layer 1's head   without layer 2's head   one layer")
for seed in effort.seeds():
    two = copier if seed == 0 else trained(num_layers=2, seed=seed)
    found = [copying_accuracy(two), *(copying_accuracy(two, (head,)) for head in patterns(two))]
    found.append(copying_accuracy(trained(num_layers=1, seed=seed)))
    print("{:3} {:12.2f} {:18.2f} {:24.2f} {:17.2f}".format(seed, *found))

# %% [markdown] seconds=3
# When we ran it, two layers reached 1.00 for every seed; they reached 0.37 to 0.39 without the head of layer 1, and 0.21 to
# 0.27 without the head of layer 2. One layer reached 0.47 to 0.51. None of these is as low as 1/32, the rate of a random
# guess, because the model can see which words are in the piece, and which of them have already come twice. (By our
# calculation, that alone is worth up to about 0.3. With one layer, a model can also make use of the positions.) But only the
# two heads together can copy.
#
# With *two* heads per layer, removing one costs much less: the heads of a layer share the work. (This takes about {seconds}
# seconds.)

# %% tags=["nbval-ignore-output"]
wide = trained(num_layers=2, num_heads=2)
heads = list(patterns(wide))
for layer, number in heads:
    alone = copying_accuracy(wide, ((layer, number),))
    print(f"without head {number + 1} of layer {1 + int(layer[-1])}: {alone:.2f}")
for pair in (heads[:2], heads[2:]):
    rate = copying_accuracy(wide, tuple(pair))
    print(f"without both heads of layer {1 + int(pair[0][0][-1])}: {rate:.2f}")

# %% [markdown]
# So if removing one head costs little, that does not show that the head does little. Lesson 20 comes back to this.
#
# ### How large are the edits?
#
# You may read that each layer edits the stream *a little*. We can test that. For every block we take the change that it makes
# (the stream after it minus the stream before it) and divide its length by that of the stream before.

# %% predict="19.sizes"


# %% tags=["E22", "S14"]
def sizes(caught):
    """For each draw and block: the length of what the block changed, relative to the stream's."""
    shares = []
    for seven, (_, _, real) in zip(caught, draws, strict=True):
        pairs = [(low[real], high[real]) for low, high in pairwise(seven)]
        shares.append([((b - a).norm(dim=-1) / a.norm(dim=-1)).mean().item() for a, b in pairs])
    return np.array(shares)


for which in gpts:
    print(which, *(f"{share:.1f}" for share in np.median(sizes(caught[which]), axis=0)))
reveal("19.sizes")

# %% [markdown]
# These edits are not small: in both models, every block changes the stream by at least half of its length. How much of that is
# learned? We compare `gpt-pre` with the three untrained models.
#
# And does the stream keep what was there? We follow the embedding $e$, with its position. We measure *how much of it* is in a
# stream $s$ by the number $(s \cdot e) / (e \cdot e)$. It is 1 for the embeddings, where $s = e$, and 0 where the stream is at
# a right angle to $e$.


# %% tags=["E22", "S14"]
def embedding_component(seven, real):
    """How much of the embedding is in each of the seven streams, averaged over positions."""
    e = seven[0][real]
    return [((s[real] * e).sum(-1) / (e * e).sum(-1)).mean().item() for s in seven]


changed = {which: sizes(caught[which]) for which in ("gpt-pre", "untrained", "gpt-post")}
kept = {
    which: [embedding_component(caught[which][k], draws[k][2]) for k in range(3)]
    for which in ("gpt-pre", "untrained")
}
left, right = figures.panels(2, 5.2)
ax = figures.curves(range(1, 7), changed, "What a block changes", "block", "of the stream", ax=left)
ax.set_ylim(0, 1.25)
ax = figures.curves(range(7), kept, "What is left of e", "after block", "times e", ax=right)
_ = ax.set_ylim(-0.2, 1.25)

# %% [markdown]
# <!-- picture -->
# medians of three draws, with bands for the range. On the left, an untrained model makes large edits too.
# Only at the last block are those of `gpt-pre` more than twice as large. On the right, an untrained model keeps the embedding:
# its edits have almost no component along $e$. In the trained model, each block removes between a tenth and a quarter of it,
# and at the end the stream even contains a little of its opposite.
# <!-- end -->
#
# So the embedding is *kept* as a summand, and yet cancelled along its own direction: **the edits contain its opposite.**
# Nobody has a sponge for this whiteboard, but you can write the opposite over what is there. (The model need not have
# forgotten the letter: it may be stored in another direction.)
#
# ### A block that changes a lot but is hardly missed
#
# Block 6 of `gpt-pre` changes the stream most, and without it the fewest labels are lost. Is it idle? Accuracy does not show
# how certain a model is, but the loss of lesson 14 does. Here it is with all six blocks, and with five:

# %% tags=["S14"]
for height in (6, 5):
    losses = [
        cross_entropy(lens(model, seven_of[height])[real], labels[real]).item()
        for seven_of, (_, labels, real) in zip(caught["gpt-pre"], draws, strict=True)
    ]
    print(f"{height} blocks, loss: {np.median(losses):.2f}")

# %% [markdown]
# Block 6 changes few answers, but it gives the right ones much more probability. And with post-norm? There, too, the two
# measurements disagree:

# %% tags=["S14"]
post = gpts["gpt-post"]
gained = np.median(np.diff(percentages(post, draws, "label"), axis=1), axis=0)
print("lost without block 1 … 6:", *(f"{loss:.0f}" for loss in np.median(lost(post), axis=0)))
print("gained through the lens: ", *(f"{gain:.0f}" for gain in gained))

# %% [markdown]
# In image-recognition networks, Veit and others (2016) found that removing a single block usually does little harm. Those
# networks had many more blocks. In `gpt-pre`, only the last blocks can be removed so cheaply.
#
# ### What the lens misses
#
# If block 1 does so much, why does the lens not see it? Perhaps the input letter drowns out everything else. So we rule out
# this letter, and take the most likely of the others.

# %% tags=["S14"]
inputs, labels, real = draws[0]


def without_input(logits):
    return logits.scatter(-1, inputs[..., None], -1e9)


rows = {
    "gpt-pre": [lens(model, stream) for stream in caught["gpt-pre"][0]],
    "input ruled out": [without_input(lens(model, stream)) for stream in caught["gpt-pre"][0]],
    "untrained, ruled out": [
        without_input(lens(copies[0], stream)) for stream in caught["untrained"][0]
    ],
}
for title, logits_of in rows.items():
    print(f"{title:21}", *(f"{accuracy(logits, labels, real):.2f}" for logits in logits_of))

# %% [markdown]
# After block 2, the label is now read at about 25% of positions instead of 3%, and after block 3 at about 40%. In an untrained
# model, the same trick gets 2% to 4%. So part of the answer was already there, hidden by the input letter.
#
# We can go further. The output layer was trained on the *last* stream. So for each block, we fit a matrix and a bias that turn
# the stream there into the last stream as well as possible, and decode the result. This is a **tuned lens** (Belrose and
# others 2023). They fit it by gradient descent, so that its *probabilities* match the model's. We fit the *stream* by least
# squares (lesson 12), on names from the training set, and test on the unseen names from before. Here is the fit for block 2,
# step by step:

# %% tags=["S14"]
others, _, known = draw_names(text, 150, seed=0, seen=True)
x, top = (streams(model, others)[k][known] for k in (2, 6))
ones = torch.ones(len(x), 1)
M = torch.linalg.lstsq(torch.cat([x, ones], 1), top).solution  # 129 rows: matrix, bias
ours = caught["gpt-pre"][0][2]
logits = lens(model, ours @ M[:-1] + M[-1])
print(f"after block 2: {accuracy(logits, labels, real):.2f}")

# %% [markdown] seconds=7
# So does the model know 40% of the labels after block 2? To find out, we need a **control**: an *untrained* model. For its
# streams, too, we fit a map to the last stream of the trained model. (This takes about {seconds} seconds.)

# %% predict="19.control"


# %% tags=["S14"]
found = {"logit lens": percentages(model, draws, "label")}
for version in ("tuned lens", "untrained model"):
    found[version] = []
    for seed, (_, labels, real) in enumerate(draws):
        untrained = version == "untrained model"
        lenses = tuned_lens(model, text, seed, untrained=untrained)
        pairs = zip(lenses, caught["untrained" if untrained else "gpt-pre"][seed], strict=True)
        found[version].append(
            [100 * accuracy(read(stream), labels, real) for read, stream in pairs]
        )
for version in ("tuned lens", "untrained model"):
    print(f"{version:15}", *(f"{share:.0f}%" for share in np.median(found[version], axis=0)))
reveal("19.control")

# %% tags=["S14"]
title = "How often the label is read"
ax = figures.curves(range(7), found, title, "after block", "% of positions")

# %% [markdown]
# <!-- picture -->
# the logit lens reads almost no labels up to block 2, but the tuned lens improves with every block. A
# fitted map learns something by itself: from an untrained model it reads up to 29% of the labels. That is how much a
# *linear* map finds in the letter, its position, and a random mixture of the other letters. What *training* has added for such
# a map is the difference between the two lines. For the embeddings, before any block has run, there is no difference; then
# it grows with every block.
# <!-- end -->
#
# This holds for linear maps only. With a different kind of map, the difference may be larger or smaller. For example, we also
# gave the map 1,000 random ReLU features of the stream after block 4 (seed 0). It then read 67% from the trained model and 41%
# from the untrained one, a difference of 26 percentage points. With the linear map and the same seed, it was 33.
#
# Here is our name again, now through the tuned lens:

# %% tags=["S14"]
tuned = tuned_lens(model, text, seed=0)
tuned_logits = torch.cat([read(stream) for read, stream in zip(tuned, seven, strict=True)])
ax = figures.logit_lens(*table(tuned_logits), "gpt-pre through the tuned lens")

# %% [markdown]
# <!-- picture -->
# on the embeddings, the tuned lens already reads what usually follows a letter at that position; the map
# itself has learned that. After block 2, LETTER is there except for its first letter. After block 3, nearly everything that
# the model will ever know about this name is there.

# %% ask="19.deeper"


# %% [markdown]
# ### Five features in two numbers
#
# The stream of `gpt-pre` has 128 numbers. Is that also the largest number of things that it can hold? Take the smallest case.
# Five features, called a to e, are numbers from 0 to 1. They have to pass through a stream of *two* numbers: a matrix writes
# them in, and the same matrix, transposed, reads them out again, with a bias and ReLU. Each feature counts a little less in
# the loss than the one before it.
#
# In the control, all five features are present in every example. The trained model then keeps a and b, at right angles, and
# gives up the others. Now each feature is absent in 19 of 20 examples.

# %% predict="19.superposition"


# %% [markdown] seconds=9
# We train both models, with three seeds, and draw the direction in which each feature is written, for seed 0. (This takes
# about {seconds} seconds.)

# %% tags=["nbval-ignore-output"]
panels = {1.0: "always present", 0.05: "present in 1 of 20"}
for ax, (present, title) in zip(figures.panels(2, 4.4, 4.4), panels.items(), strict=True):
    squeezed = [superposition.trained(present, seed) for seed in effort.seeds()]
    kept = [int((model.directions.norm(dim=1) > 0.5).sum()) for model in squeezed]
    assert set(kept) == {2 if present == 1 else 5}
    title = f"{title}: {', '.join(map(str, kept))} kept"
    ax = figures.plane(squeezed[0].directions, names=superposition.NAMES, title=title, ax=ax)
reveal("19.superposition")

# %% [markdown]
# <!-- picture -->
# each point is the vector that a feature of size 1 adds to the stream. The titles say how many features are kept with seeds 0,
# 1 and 2. A feature counts as kept if its vector is longer than 0.5.
# <!-- left -->
# two of them have length 1 and are at right angles. The others are near the centre: the model gives them up.
# <!-- right -->
# the five are spread around the full circle.
# <!-- end -->
#
# This is **superposition** ({elhage2022}). Two numbers have room for only two directions at right angles, but for more that
# are merely *far* from each other. What does the model pay for that? Here is what is read out for a feature of size 1, alone
# and together with its nearest neighbour, averaged over all five:

# %%
model, alone = squeezed[0], torch.eye(5)
nearest = (model.directions @ model.directions.T).fill_diagonal_(-1).argmax(1)
print(f"alone: {model(alone).diag().mean():.1f}")
print(f"with its nearest neighbour: {model(alone + alone[nearest]).diag().mean():.1f}")

# %% [markdown]
# A feature alone comes out right. Two neighbours at once come out too large. As long as features are rarely present together,
# that is a good bargain. So you cannot count what a stream contains by counting its numbers, and a direction that you find in
# it may be a mixture. How much real models use superposition is still being studied; ours has only ten weights.
