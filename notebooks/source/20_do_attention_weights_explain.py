# %% [markdown]
# # 20 · Do attention weights explain?
#
# A map of attention is easily read as a reason: the model wrote 4 *because* it looked at "four". Note 2 says that the weights
# explain what a model decides. In this lesson you put that to the test. You hide words and see what it costs; you ask whether
# a head's output tells its weights; and you silence heads, one by one and several at once.
#
# About 40 minutes. Afterwards you can
#
# * test what a weight claims, with a control, and say where it holds here and where it does not;
# * say when a head's output fixes its weights, and find another row when it does not;
# * say what it shows when a head can be taken away, and what it does not.

# %%
import numpy as np
import torch

from transformer_course import figures, models
from transformer_course.data import character_names, number_pairs
from transformer_course.embedding import pad_right
from transformer_course.exercises import ask, predict, reveal
from transformer_course.experiments.alternative_weights import (
    alternative_weights,
    head_rows,
    logits_with_weights,
)
from transformer_course.experiments.removal import agreement, earlier_rows, source_rows
from transformer_course.experiments.spare_heads import (
    exact_match_rate,
    heads_of,
    mean_outputs,
    silenced,
)
from transformer_course.training import shift

torch.set_num_threads(1)

# %% [markdown]
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %%
ask("20.recall")

# %% [markdown]
# ## Take the word away
#
# The translator turns English number words into Chinese numerals. Our number is 340,200. English counts *three hundred and
# forty* thousand; Chinese counts *thirty-four* ten thousands, 3 10 4 10⁴ 0 2 100.

# %%
translator, vocabularies = models.load("translator")
english, chinese = vocabularies["source"], vocabularies["target"]


def ids(words, numerals):
    return english.encode(words), [*chinese.encode(numerals), chinese.end]


words = ["three", "hundred", "and", "forty", "thousand", "two", "hundred"]
source, target = ids(words, "三十四万零二百")

# %% [markdown]
# "It wrote 4 because of *forty*" says something about what would happen *without* that word. So we hide it, as padding is
# hidden: with a mask, from the encoder and from the decoder. What becomes of the probability of the right tokens?


# %% tags=["S23"]
@torch.no_grad()
def p_of_right(encoder_sees, decoder_sees):
    inputs, labels = shift(torch.tensor([target]))
    memory = translator.encoder(translator.source(torch.tensor([source])), encoder_sees)
    p = translator.decode(inputs, memory, decoder_sees).softmax(-1)
    return p.gather(-1, labels[..., None])[0, :, 0]


names = ["3", "10", "4", "10⁴", "0", "2", "100", "end"]
every = torch.ones(1, 1, len(words), dtype=torch.bool)
seen = every.clone()
seen[..., words.index("forty")] = False
changes = zip(names, p_of_right(every, every), p_of_right(seen, seen), strict=True)
for name, before, after in changes:
    print(f"{name:>4}: {before:.1f} → {after:.1f}")

# %% [markdown]
# That is an experiment: one thing is changed, and we look at what follows. An explanation that says what the model really did
# is called **faithful**, and one that merely sounds right to us **plausible** (Jacovi and Goldberg 2020). A map of attention is
# always there, and nearly always plausible. Whether it is faithful, an experiment like this one can test.
#
# Now all words in turn, beside the weights of the last layer's cross-attention (mean over its four heads):

# %% tags=["S23"]
rows = source_rows(translator, source, target)
weights = torch.stack([row.weights[-1] for row in rows])
lost = 1 - torch.exp(-torch.stack([row.drops for row in rows]).clamp(min=0))  # a share of p
columns = ["three", "hund.", "and", "forty", "thou.", "two", "hund."]
left, right = figures.panels(2, 5.4, 5.2)
ax = figures.heatmap(weights, names, columns, "Weight", digits=1, ax=left)
ax = figures.heatmap(lost, names, columns, "Lost when the word is hidden", digits=1, ax=right)

# %% [markdown]
# **In the picture:** a row for each token that is written, a column for each word. On the left, the weights. On the right, what
# share of the token's probability is lost when the word is hidden. Many dark cells are in the same place. But look at the row
# `10`: half of its weight is on the last *hundred*, and hiding that costs nothing. *Thousand* has no weight, and without it the
# token is lost: only *thousand* makes 3 10 of *three hundred*. How does it arrive? Perhaps inside the vectors of other words,
# which the encoder has mixed (lesson 12). So we hide it from one side alone:


# %% tags=["S23"]
def near(share):
    return round(20 * float(share)) / 20  # to the nearest 0.05


seen = every.clone()
seen[..., words.index("thousand")] = False
for side, masks in {"encoder": (seen, every), "decoder": (every, seen)}.items():
    p = dict(zip(names, p_of_right(*masks), strict=True))
    print(f"hidden from the {side} alone: 10: {near(p['10'])}, 10⁴: {near(p['10⁴'])}")

# %% [markdown]
# Hidden from the decoder alone, `10` stays; hidden from the encoder alone, it is lost. So what *thousand* says to `10` comes
# inside the vectors of other words. With `10⁴` it is the other way round: the decoder has to see *thousand* itself.
#
# One number proves little. We take three samples of 60 numbers that the model never saw, about 600 rows each.

# %%
predict("20.translator")

# %% tags=["S23"]
pairs = [ids(*pair) for pair in number_pairs(train=1, test=180).test]
of_numbers = []
for sample in (pairs[:60], pairs[60:120], pairs[120:180]):
    of_numbers.append(
        [row for s, t in sample if len(s) > 2 for row in source_rows(translator, s, t)]
    )
for rows in of_numbers:
    found, shuffled = agreement(rows), agreement(rows, seed=0)
    print(f"the same word: {found.top[-1]:.1f}, correlation {found.correlation[-1]:.1f};", end=" ")
    print(f"shuffled: {shuffled.top[-1]:.1f} and {abs(shuffled.correlation[-1]):.1f}")
reveal("20.translator")

# %% [markdown]
# The *correlation* is 1 where weights and costs rise and fall together, and 0 where they have nothing to do with each other; we
# compute it for each row, and take the mean. For the control, the weights of each row are shuffled among its words: just as
# sharp, but on other words. Nothing is left.
#
# And the misses? We say that a word *matters* to a token if hiding it costs more than 0.1 in log p, about a tenth of p.

# %% tags=["S23"]
for rows in of_numbers:
    counts = [int((row.drops > 0.1).sum()) for row in rows]  # how many words matter
    where = [row for row, count in zip(rows, counts, strict=True) if count]
    missed = [k for k, row in enumerate(rows) if row.weights[-1].argmax() != row.drops.argmax()]
    print("some word matters in", near(len(where) / len(rows)), end="; ")
    print(f"just one, in {counts.count(1) / len(where):.1f} of these;", end=" ")
    print("there the same word:", near(agreement(where).top[-1]), end="; ")
    print("of the misses, none matters in", near(np.mean([counts[k] == 0 for k in missed])))

# %% [markdown]
# In one row of three no word matters: the token is sure, whichever word is hidden, perhaps since the target's own tokens tell
# it. Most of the misses are among these. Leave these rows out, and the weights find the word in about 95 of 100. So here the map is
# a very good pointer, and the row `10` above an exception. It helps that for most tokens **one** word decides, and that nothing
# of the source reaches the decoder but through cross-attention.
#
# ## The same test for a GPT
#
# Now the GPT of six layers that continues the names of characters, `GREEK SMALL LETTER …`. From the sixth place on, each place
# is asked for the next letter. We hide `begin` and the letters before the place in turn, in all layers, and compare with the
# weights of the *last* layer (again the mean over the heads). The letter that goes in at the place itself is left out: it stays
# in that place's own stream, whatever a mask hides. By chance the two agree in about 8 of 100.

# %%
predict("20.gpt")

# %% tags=["S23"]
gpt, vocabularies = models.load("gpt-pre")
text = vocabularies["text"]
written = [name for name, _ in character_names().test if len(name) > 5]
unseen = [torch.tensor([*text.encode(name), text.end]) for name in written[:60]]

# %% tags=["S23"]
of_letters = []
for sample in (unseen[:20], unseen[20:40], unseen[40:60]):
    of_letters.append([row for name in sample for row in earlier_rows(gpt, name)])
for rows in of_letters:
    found, shuffled = agreement(rows), agreement(rows, seed=0)
    print(f"the same token: {near(found.top[-1])}; shuffled: {shuffled.top[-1]:.1f}")
reveal("20.gpt")

# %% tags=["S23"]
panels = {"Translator: words": of_numbers, "GPT: earlier letters": of_letters}
for ax, (title, samples) in zip(figures.panels(2, 5.0), panels.items(), strict=True):
    lines = {
        "largest weight": [agreement(rows).top for rows in samples],
        "largest contribution": [agreement(rows, "contributions").top for rows in samples],
        "weights shuffled": [agreement(rows, seed=0).top for rows in samples],
    }
    layers = range(1, len(samples[0][0].weights) + 1)
    figures.curves(layers, lines, title, "layer", "share of rows", ax=ax)
for plain, added in zip(lines["largest weight"], lines["largest contribution"], strict=True):
    assert added[0] > plain[0] + 0.08  # the GPT's first layer

# %% [markdown]
# **In the picture:** in how many rows the token with the largest weight is also the one that is dearest to lose; three samples,
# the middle one as a line, bands from the least to the most. (The second line comes in a moment.) On the left the translator's
# cross-attention, around 0.7 and 0.8. On the right the GPT: best in layers 2 and 3, and there one of three; the last layer,
# at which one would look first, is down at 0.15, with chance at 0.08.
#
# Why? The two tests differ in more than one thing, so we cannot be sure. Within the GPT, layer 1 points as badly as layer 6;
# for that, see the next section. The late layers point worse than layers 2 and 3, and a likely reason is this: what stands at a
# letter's place in layer 6 is no longer that letter. It has been mixed from all letters before it, five times over. And a letter
# reaches the answer by many roads, through other places and layers, of which one map shows one stretch.
#
# ## Weight times what?
#
# A second reason lies within a single head. Its output is a sum of *weight times value*. So what a token adds has the length
# $a_j \lVert v_j \rVert$, for its weight $a_j$ and its value $v_j$; it is called the token's **contribution** (Kobayashi and
# others 2020). A large weight on a short value adds little.
#
# **Your turn, on paper:**
#
# | token | weight | value | length of the value | contribution |
# | --- | --- | --- | --- | --- |
# | 1 | 0.6 | [0.1, 0] | 0.1 | ____ |
# | 2 | 0.3 | [0, 1] | 1 | ____ |
# | 3 | 0.1 | [4, 3] | ____ | ____ |
#
# <details><summary>Compare</summary>0.06; 0.3; the length is 5, so 0.5. The order is turned round.</details>
#
# Does that mend the picture above? There, the contribution of a token is the length of what all heads of a layer together add
# for it, W_O included. In the GPT's *first* layer it does: the share rises from about 0.15 to 0.27. In the other layers, and in
# the translator, the two lines nearly lie on each other.
#
# ## Does the output fix the map?
#
# Now the sharpest doubt. Three tokens have values of a single number each: 0, 1 and 2. A query gives them the weights 0.2, 0.6
# and 0.2. Its output is 0.6 · 1 + 0.2 · 2 = 1.

# %%
predict("20.twin")

# %% tags=["E16"] jupyter={"source_hidden": true}
values, weights = np.array([0.0, 1.0, 2.0]), np.array([0.2, 0.6, 0.2])
null = np.array([1.0, -2.0, 1.0])
for step in (0, 0.1, 0.2, 0.3):
    other = weights + step * null
    print(other.round(1), "sum", other.sum().round(4), " output", (other @ values).round(4))
reveal("20.twin")

# %% [markdown]
# The row [1, −2, 1] is called a **null vector** of this head: its numbers sum to 0, and times the values they sum to 0 as well.
# So adding it changes neither the sum of the weights nor the output. You may add it until a weight would become negative. In
# the last line the token that "was attended to most" gets nothing, and whatever comes after the head cannot know.
#
# When is there one? With $m$ tokens, and values of $d_v$ numbers, a null vector must fulfil $d_v + 1$ equations: one for each
# number of the output, and one for the sum. For values that are not special in some way, that leaves something free just when
# $m > d_v + 1$ (Brunner and others 2020).
#
# In our translator $d_v = 32$, and no sentence of ours has more than 14 words. So in there, unless its values are special, each
# output has *one* map. (Most models read texts that are longer than a head is wide.)
#
# Let us call another row with the same output a **twin**. The library's `alternative_weights` looks for one that gives
# as little as possible to the favourite: it walks along a null vector until some weight is 0, then along the next one, as long as
# there is any.
#
# ## In a trained model
#
# The GPT's heads are 32 wide as well, but some names of characters are long. Here are three of 71 letters, 72 tokens with
# `begin`. For the last place of the first name we let each of the 24 heads walk as far as it can:

# %% tags=["E16"]
long_names = (
    "RIGHTWARDS HARPOON WITH BARB UP ABOVE RIGHTWARDS HARPOON WITH BARB DOWN",
    "BOX DRAWINGS LIGHT DIAGONAL MIDDLE LEFT TO UPPER CENTRE TO MIDDLE RIGHT",
    "BOX DRAWINGS LIGHT DIAGONAL UPPER CENTRE TO MIDDLE LEFT TO LOWER CENTRE",
)
gpt = gpt.double()
tokens = [torch.tensor([text.begin, *text.encode(name)]) for name in long_names]
heads = [head_rows(gpt, each) for each in tokens]
twins = [[[alternative_weights(*head) for head in layer] for layer in name] for name in heads]

# %% tags=["E16"]
letters = ["·", *long_names[0].replace(" ", "_")]
for row, title in ((heads[0][5][2][0], "Layer 6, head 3, last place"), (twins[0][5][2], "A twin")):
    ax = figures.bars(row, letters, title, "weight", ax=figures.panels(1, 13, 2.2)[0])
    _ = ax.set(ylim=(0, 0.1), xlim=(-1, 72))

# %% [markdown]
# **In the picture:** one row of weights over the 72 tokens (`·` is `begin`, `_` a space), as trained, and below its twin, with the
# very same output. Some bars have grown, many are gone, and the tallest of the first row is among these.
#
# It is not so in every head. How much of its largest weight must each keep, at least as far as our walk finds it?


# %% tags=["E16"]
def in_one_list(names):
    return [row for name in names for layer in name for row in layer]


rows = list(zip(in_one_list(heads), in_one_list(twins), strict=True))
kept = np.array([other[w.argmax()] / w.max() for (w, _), other in rows])  # of the favourite
changed = np.array([abs(w - other).sum() / 2 for (w, _), other in rows])  # of the whole row
tiny = np.array([np.mean(w < 0.001) for (w, _), _ in rows])  # weights that cannot fall further
for title, such in {"under a tenth": kept < 0.1, "over four fifths": kept > 0.8}.items():
    print(f"keep {title}: {such.reshape(3, 24).sum(1)} of 24 heads;", end=" ")
    print("of the row's weight moved:", near(np.median(changed[such])), end="; ")
    print("weights below 0.001:", near(np.median(tiny[such])))

beginning = head_rows(gpt, tokens[0][:33])  # m = d_v + 1
alone = [np.allclose(alternative_weights(w, v), w) for layer in beginning for w, v in layer]
print("with 33 tokens, heads that have no twin:", sum(alone), "of", len(alone))

# %% [markdown]
# So there are twins in a trained model too, and in some heads the favourite gets nothing at all, though most of the row stays
# where it was. In others hardly anything can be taken from the favourite: there, many more of the weights are nearly 0 already,
# and cannot become negative. With 33 tokens, $d_v + 1$, no head has a twin.
#
# The demand is strict, though: each head must give *exactly* what it gave. Jain and Wallace (2019, "Attention is not
# Explanation") asked for no more than nearly the same answer at the end, and found very different maps for it, in recurrent
# networks with one attention.
#
# Put all 24 twins into the model at once, and let it write on. As a control, the weights of each head shuffled. Then put the
# twins of the *first* name to work on the two others, and as a control for that, its trained weights:


# %% tags=["E16"]
def in_turn(rows):
    remaining = iter(in_one_list([rows]))
    return lambda weights, values: next(remaining)


def moved(k, other):
    before = gpt(tokens[k][None])[0, -1].detach()
    return (logits_with_weights(gpt, tokens[k], other) - before).abs().max().item()


rng = np.random.default_rng(0)
trained = [[w for w, _ in layer] for layer in heads[0]]
mixed = moved(0, lambda weights, values: rng.permutation(weights))
print(f"largest change of a logit: twins {moved(0, alternative_weights):.6f}, shuffled {mixed:.1f}")
for title, borrowed in {"its twins": twins[0], "its trained weights": trained}.items():
    print(f"on the other names, {title}:", [round(moved(k, in_turn(borrowed)), 1) for k in (1, 2)])

# %% [markdown]
# With the twins nothing moves, and shuffled weights spoil the answer: not *any* weights will do. There is another side to the
# matter, though. Weights belong to *one* text: borrowed, the twins spoil the answer, and so do the trained weights. But trained
# weights come from queries and keys, which make new ones for each text. The twins were found afterwards, for this text alone;
# whether a model could learn to make such weights for all texts, we have not tested. Wiegreffe and Pinter (2019, "Attention is
# not not Explanation") insist on that: what would count is a *model*, trained to answer alike and to look elsewhere, on all
# texts.
#
# Where does that leave us? **With more than $d_v + 1$ tokens, a head's output does not determine its map. With no more than
# that it does, unless the values are special; and even then (row `10`) a large weight may stand on a word that can be spared. So
# "this weight was large" alone is no reason. It is a hint, to be tested by taking something away.**
#
# ## Heads that can go
#
# The same test for heads. The translator has 24: four in each attention of two encoder layers, and in both attentions of two
# decoder layers. We silence one at a time: it brings zeros. As a control it brings, in place of zeros, its own mean over many
# tokens: then nothing arrives that the next layer has never met.

# %% tags=["E29"]
pairs = [ids(*pair) for pair in number_pairs(train=1, test=600).test]
thirds = [list(zip(*pairs[k : k + 200], strict=True)) for k in (0, 200, 400)]
samples = [[pad_right(side) for side in third] for third in thirds]
all_heads, means = heads_of(translator), mean_outputs(translator, *samples[0])


# %% tags=["E29"]
def without(*gone, sample=1, instead=None):
    with silenced(translator, gone, instead):
        return exact_match_rate(translator, *samples[sample])


single = {}
for title, instead in (("Zeros", None), ("Its mean", means)):
    single[title] = np.array([without(head, instead=instead) for head in all_heads])
    print(f"{title}: least {near(min(single[title]))}, middle {near(np.median(single[title]))}")
print("all heads at work:", near(without()))

# %% [markdown]
# (Measured is the share of 200 unseen numbers that are translated without a mistake.) So whichever of the 24 is silenced, and
# whatever it brings instead, about 5 of 100 are lost at most, and mostly none.
#
# Take the last cross-attention, whose map was such a good pointer. Each of its four heads can go.

# %%
predict("20.four")

# %% tags=["E29"]
blocks = ["enc 1", "enc 2", "dec 1 self", "dec 1 cross", "dec 2 self", "dec 2 cross"]
names = dict(all_heads)  # the six attentions
fours = dict(zip(blocks, ([h for h in all_heads if h[0] == name] for name in names), strict=True))
shares = [near(without(*fours["dec 2 cross"], sample=k)) for k in range(3)]
print("dec 2 cross, all four, on three samples of 200 numbers:", shares)
reveal("20.four")

# %% tags=["E29"]
columns = ["head 1", "head 2", "head 3", "head 4", "all four"]
for ax, (title, shares) in zip(figures.panels(2, 5.6, 4.4), single.items(), strict=True):
    instead = means if title == "Its mean" else None
    together = [without(*four, instead=instead) for four in fours.values()]
    table = np.column_stack([shares.reshape(6, 4), together])
    figures.heatmap(table, blocks, columns, f"Silenced: {title.lower()}", digits=2, ax=ax)

# %% [markdown]
# **In the picture:** a row for each attention; the number says what share of 200 numbers is still right when that head is silenced,
# or, in the last column, all four. One by one, everything is dark. Together, only the encoder's first attention can go.
#
# Is that because they are the four of one attention? The control: four heads drawn at random from all 24, twenty times.

# %% tags=["E29"]
rng = np.random.default_rng(0)
drawn = [[all_heads[i] for i in rng.permutation(24)[:4]] for _ in range(20)]
some = [without(*four) for four in drawn]
print(f"four heads at random: middle {near(np.median(some))}, least {near(min(some))}")

# %% [markdown]
# Four heads at random mostly cost little, though not in every draw. But in five of the six attentions, heads that can be
# spared one by one cannot be spared together: each could go because the others were still there. **"It can go" is a statement
# about a head among the rest.** In that, heads are like the beams of a roof. (The likeness ends soon: nobody has planned which
# of them carries what.) In large models, too, many heads can be removed after training with little loss, and some attentions
# do with one (Michel and others 2019; Voita and others 2019).
#
# Notes 1 and 5 say that one head attends to grammar, and another to meaning. Sometimes one finds such heads: Voita and others
# found some for neighbours, for syntax and for rare words. But nothing in the loss asks for such jobs: it asks for answers. And
# a head's number means nothing: exchange two heads, together with their rows of W_O, and the layer's sum is the same. So a head's
# job, if it has one, must be looked for anew in each trained model. (Ours is one model from one seed: what we found about its
# heads holds for it, and need not hold for its sibling.)

# %% [markdown]
# ## Before you go

# %%
ask("20.exit")

# %% [markdown]
# **Do attention weights explain?** They say how a head mixed its values, and no more. In our translator, where mostly one word
# decides, they pointed at it; in our GPT, seldom. In wide contexts other weights may give the same output, and other heads the
# same answer. What explains is an experiment: take it away, with a control, and look.
