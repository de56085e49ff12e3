# %% [markdown]
# # 20 · Do attention weights explain?
#
# It is tempting to read an attention map as a reason: the model wrote 4 *because* it looked at *forty*. You may have read that
# attention weights explain what a model decides. Lesson 15 was more careful, and only said where a model looks. In this lesson
# you test what a weight can claim: you hide words, you ask whether an output tells you its weights, and you silence heads.
#
# About 21 minutes, and as long again for the parts under "Deeper". By the end, you will be able to
#
# * test the claim that a weight makes, with a control;
# * say what a head's output tells you about its weights, for any width and any number of tokens;
# * say what an experiment with silenced heads shows, and what it does not.

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

# %%
lit = ("encoder self-attention", "decoder self-attention", "cross-attention")
ax = figures.architecture(*lit, title="Lesson 20: what the attention boxes show", small=True)

# %% [markdown]
# **In the picture:** the map of lesson 00. The three highlighted boxes have weights that you can look at.
#
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %%
ask("20.recall")

# %% [markdown]
# ## Take the word away
#
# The course's translator turns English number words into Chinese numerals. Our number is 340,200. English says *three hundred
# and forty* thousand, and Chinese says *thirty-four* ten-thousands, which we print as 3 10 4 10⁴ 0 2 100.

# %%
translator, vocabularies = models.load("translator")
english, chinese = vocabularies["source"], vocabularies["target"]


def ids(words, numerals):
    return english.encode(words), [*chinese.encode(numerals), chinese.end]


words = ["three", "hundred", "and", "forty", "thousand", "two", "hundred"]
source, target = ids(words, "三十四万零二百")

# %% [markdown]
# "It wrote 4 because of *forty*" says what would happen *without* that word. So hide it, as padding is hidden: with a mask, both
# in the encoder and in the decoder. Here are the probabilities of the correct tokens, before and after:


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
# This is an experiment: one thing changes, and you see what follows. An explanation that says what a model really did is called
# **faithful**. One that merely makes sense to us is called **plausible** ([Jacovi and Goldberg
# 2020](https://arxiv.org/abs/2004.03685)). A map of attention is nearly always plausible. Whether it is faithful, an experiment
# can tell.
#
# Now hide each word in turn, and compare with the weights of the last cross-attention, averaged over its four heads:

# %% tags=["S23"]
rows = source_rows(translator, source, target)
weights = torch.stack([row.weights[-1] for row in rows])
lost = 1 - torch.exp(-torch.stack([row.drops for row in rows]).clamp(min=0))  # a share of p
columns = ["three", "hund.", "and", "forty", "thou.", "two", "hund."]
left, right = figures.panels(2, 5.4, 5.2)
ax = figures.heatmap(weights, names, columns, "Weight", digits=1, ax=left)
ax = figures.heatmap(lost, names, columns, "Lost when the word is hidden", digits=1, ax=right)

# %% [markdown]
# **In the picture:** a row for each token that is written, and a column for each word. On the left are the weights; on the right is
# the share of the token's probability that is lost when the word is hidden. Many dark cells are in the same place. But look at
# the row `10`. Half of its weight is on the last *hundred*, and hiding that word costs nothing. *Thousand* has no weight, and
# hiding it costs nearly everything.
#
# One number proves little. We take three samples of 60 numbers that the model has never seen, with about 600 rows each. As a
# control, we shuffle the weights of each row among its words.

# %%
predict("20.translator")

# %% tags=["S23"] jupyter={"source_hidden": true}
pairs = [ids(*pair) for pair in number_pairs(train=1, test=180).test]
of_numbers = []
for sample in (pairs[:60], pairs[60:120], pairs[120:180]):
    of_numbers.append(
        [row for s, t in sample if len(s) > 2 for row in source_rows(translator, s, t)]
    )
for rows in of_numbers:
    found, shuffled = agreement(rows), agreement(rows, seed=0)
    print(f"the same word: {found.top[-1]:.1f}; with shuffled weights: {shuffled.top[-1]:.1f}")
reveal("20.translator")

# %% [markdown]
# So this map is a good pointer, and the row `10` is an exception. It helps that for most of its tokens **one** word decides, and
# that nothing of the source reaches the decoder except through cross-attention.
#
# ## The same test for a GPT
#
# The course's GPT of six layers continues the names of characters, such as `GREEK SMALL LETTER …`. At each position from the
# sixth on, we hide one earlier token after another, in all layers. Which of them costs most, and which has the largest weight in
# the *last* layer? (We leave out the token at the position itself: it remains in its own residual stream, whatever a mask
# hides.) By chance, the two agree in about 8 of 100 rows.

# %%
gpt, vocabularies = models.load("gpt-pre")
text = vocabularies["text"]
written = [name for name, _ in character_names().test if len(name) > 5]
unseen = [torch.tensor([*text.encode(name), text.end]) for name in written[:60]]


# %%
def near(share):
    return round(20 * float(share)) / 20  # to the nearest 0.05


# %%
predict("20.gpt")

# %% tags=["S23"] jupyter={"source_hidden": true}
of_letters = []
for sample in (unseen[:20], unseen[20:40], unseen[40:60]):
    of_letters.append([row for name in sample for row in earlier_rows(gpt, name)])
for rows in of_letters:
    found, shuffled = agreement(rows), agreement(rows, seed=0)
    print(f"the same token: {near(found.top[-1])}; with shuffled weights: {shuffled.top[-1]:.1f}")
reveal("20.gpt")

# %% tags=["S23"]
panels = {"Translator: words": of_numbers, "GPT: earlier letters": of_letters}
for ax, (title, samples) in zip(figures.panels(2, 5.0), panels.items(), strict=True):
    lines = {
        "largest weight": [agreement(rows).top for rows in samples],
        "weights shuffled": [agreement(rows, seed=0).top for rows in samples],
    }
    layers = range(1, len(samples[0][0].weights) + 1)
    figures.curves(layers, lines, title, "layer", "share of rows", ax=ax)

# %% [markdown]
# **In the picture:** the share of rows in which the token with the largest weight is also the one that costs most; lines are
# medians of three samples, and bands show the range. For the translator, it is 0.7 to 0.8 in both layers. For the GPT, it is
# highest in layers 2 and 3, about one third, and down at 0.15 in the last layer.
#
# Why? The two tests differ in several ways, so we cannot be sure. One likely reason: in layer 6, the vector at a letter's position
# is no longer that letter. Five layers have mixed other letters into it. And a letter can reach the output along many paths,
# through other positions and layers. One map shows a single step of one path.
#
# ## Does the output determine the weights?
#
# Take a single head, and three tokens whose values have just one number: 0, 1 and 2. A query gives them the weights 0.2, 0.6 and
# 0.2, so the output is 0.6 · 1 + 0.2 · 2 = 1.

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
# The cell adds multiples of [1, −2, 1]. This is a **null vector** of the head: its numbers sum to 0, and their sum weighted with
# the values, 1 · 0 − 2 · 1 + 1 · 2, is also 0. So neither the sum of the weights nor the output changes. You can go on until a
# weight would become negative. In the last row, the token with the largest weight gets nothing, and no later part of the model
# can notice.
#
# When is there a null vector? With $m$ tokens, it has $m$ numbers. It must satisfy $d_v + 1$ equations: one for each number of
# the output, and one for the sum. So unless the values are special, there is one exactly when $m > d_v + 1$ ([Brunner and others
# 2020](https://arxiv.org/abs/1908.04211)). In our translator $d_v = 32$, and no sentence has more than 14 words, so each output
# has *one* row of weights. Most models read texts that are longer than their heads are wide. (Under "Deeper", you find such other
# weights in a trained GPT.)
#
# **With more than $d_v + 1$ tokens, a head's output does not determine its weights.** With fewer it does, but even then, as in
# the row `10`, a large weight may be on a word that can be spared.
#
# ## Heads that can go
#
# Now the same test for heads. The translator has 24: four in each of six attentions. We silence one at a time, so that it
# outputs zeros, and translate 200 numbers that the model has never seen. What fraction is completely correct?

# %% tags=["E29"]
pairs = [ids(*pair) for pair in number_pairs(train=1, test=600).test]
thirds = [list(zip(*pairs[k : k + 200], strict=True)) for k in (0, 200, 400)]
samples = [[pad_right(side) for side in third] for third in thirds]
all_heads = heads_of(translator)


def without(*gone, sample=1, instead=None):
    with silenced(translator, gone, instead):
        return exact_match_rate(translator, *samples[sample])


single = np.array([without(head) for head in all_heads])
print("all heads:", near(without()))
print(f"one silenced: lowest {near(min(single))}, median {near(np.median(single))}")

# %% [markdown]
# Whichever head is silenced, hardly anything is lost. Take the last cross-attention, whose map was such a good pointer. Each of its
# four heads can go.

# %%
predict("20.four")

# %% tags=["E29"] jupyter={"source_hidden": true}
blocks = ["enc 1", "enc 2", "dec 1 self", "dec 1 cross", "dec 2 self", "dec 2 cross"]
names = dict(all_heads)  # the six attentions
fours = dict(zip(blocks, ([h for h in all_heads if h[0] == name] for name in names), strict=True))
shares = [near(without(*fours["dec 2 cross"], sample=k)) for k in range(3)]
print("dec 2 cross, all four, on three samples of 200 numbers:", shares)
reveal("20.four")

# %% tags=["E29"]
columns = ["head 1", "head 2", "head 3", "head 4", "all four"]
together = [without(*four) for four in fours.values()]
table = np.column_stack([single.reshape(6, 4), together])
ax = figures.panels(1, 6.4, 3.6)[0]
ax = figures.heatmap(table, blocks, columns, "Still correct", digits=2, ax=ax)

# %% [markdown]
# **In the picture:** a row for each attention. The numbers say what fraction of 200 numbers is still correct when that head is
# silenced or, in the last column, all four. One by one, every head can go. All four together can go only in the encoder's first
# attention.
#
# So each could go only because the others were still there. **"It can go" is a statement about a head among the others**, as of a
# beam in a roof. (The analogy ends there: nobody has planned which head carries what.) In large models, too, many heads can be
# removed after training with little loss.

# %% [markdown]
# ## Before you go

# %%
ask("20.exit")

# %% [markdown]
# **Do attention weights explain?** They say how a head mixed its values, and no more. In our translator, where usually one word
# decides, they pointed at it; in our GPT, they seldom did. In long texts other weights can give the same output, and other heads
# can take over. What explains is an experiment: take something away, compare with a control, and look.

# %% [markdown]
# To take away:
#
# * A large weight is a hint. Hide the token, and shuffle the weights as a control.
# * With more than $d_v + 1$ tokens, different weights can give the same output.
# * A head that can be removed alone may be indispensable together with others.
#
# You can put the maps of your own models to this test, for example in [stage B6 of the
# Build](../exercises/B6_training_it_for_real.ipynb).
#
# To read next:
#
# * [Jain and Wallace 2019](https://arxiv.org/abs/1902.10186), "Attention is not Explanation", and [Wiegreffe and Pinter
#   2019](https://arxiv.org/abs/1908.04626), "Attention is not not Explanation": the two sides of the debate.
# * [Kobayashi and others 2020](https://arxiv.org/abs/2004.10102): weights times the length of the values.
# * [Michel and others 2019](https://arxiv.org/abs/1905.10650) and [Voita and others 2019](https://arxiv.org/abs/1905.09418):
#   heads that can be removed.

# %% [markdown]
# ## Deeper
#
# Each of the following parts can be read by itself, and nothing later needs them.
#
# ### How does *thousand* reach the 10?
#
# In the row `10` of the first picture, *thousand* had no weight, and yet the token was lost without it: only *thousand* makes 3 10
# of *three hundred*. Perhaps it arrives inside the vectors of other words, because the encoder has mixed them (lesson 12). So hide
# it on one side only:

# %% tags=["S23"]
names = ["3", "10", "4", "10⁴", "0", "2", "100", "end"]
seen = every.clone()
seen[..., words.index("thousand")] = False
for side, masks in {"encoder": (seen, every), "decoder": (every, seen)}.items():
    p = dict(zip(names, p_of_right(*masks), strict=True))
    print(f"hidden only from the {side}: 10: {near(p['10'])}, 10⁴: {near(p['10⁴'])}")

# %% [markdown]
# If only the decoder cannot see it, `10` stays. If only the encoder cannot see it, `10` is lost. So *thousand* reaches `10`
# inside the vectors of other words. With `10⁴` it is the other way round: the decoder has to look at *thousand* itself.
#
# ### Where the translator's map misses
#
# In about one row of five, another word than the one with the largest weight costs most. What about these rows? Say that a word
# *matters* to a token if hiding it lowers log p by more than 0.1, which takes away about a tenth of p.

# %% tags=["S23"]
for rows in of_numbers:
    counts = [int((row.drops > 0.1).sum()) for row in rows]  # how many words matter
    where = [row for row, count in zip(rows, counts, strict=True) if count]
    missed = [k for k, row in enumerate(rows) if row.weights[-1].argmax() != row.drops.argmax()]
    print("some word matters in", near(len(where) / len(rows)), end="; ")
    print(f"only one, in {counts.count(1) / len(where):.1f} of these;", end=" ")
    print("there, the same word:", near(agreement(where).top[-1]), end="; ")
    print("of the misses, none matters in", near(np.mean([counts[k] == 0 for k in missed])))

# %% [markdown]
# In one row of three, no word matters: the token is certain, whichever word is hidden, perhaps because the target's earlier tokens
# determine it. Most of the misses are among these. Without these rows, the weights find the word in about 95 of 100.
#
# ### Weight times what?
#
# A head's output is a sum of *weight times value*. So what a token adds has the length $a_j \lVert v_j \rVert$, for its weight
# $a_j$ and its value $v_j$. This is the token's **contribution** ([Kobayashi and others
# 2020](https://arxiv.org/abs/2004.10102)). A large weight on a short value adds little.
#
# **Your turn, on paper:**
#
# | token | weight | value | length of the value | contribution |
# | --- | --- | --- | --- | --- |
# | 1 | 0.6 | [0.1, 0] | 0.1 | ____ |
# | 2 | 0.3 | [0, 1] | 1 | ____ |
# | 3 | 0.1 | [4, 3] | ____ | ____ |
#
# <details><summary>Compare</summary>The contributions are 0.06, 0.3 and 0.5, because the third value has length 5. The order is
# reversed.</details>
#
# Do contributions point better than weights? For a layer with several heads, the contribution of a token is the length of what
# all heads together add for it, W_O included. Here is the GPT again:

# %% tags=["S23"]
lines = {
    "largest weight": [agreement(rows).top for rows in of_letters],
    "largest contribution": [agreement(rows, "contributions").top for rows in of_letters],
}
title = "GPT: which token costs most?"
ax = figures.curves(range(1, 7), lines, title, "layer", "share of rows")
for name, shares in lines.items():
    print(f"layer 1, {name}:", [near(share[0]) for share in shares])

# %% [markdown]
# **In the picture:** in the first layer, contributions point better than weights, at about 0.27 instead of 0.15. In the other
# layers, the two lines are close together. (The translator's two layers show no difference.)

# %% [markdown]
# ### Other weights in a trained model
#
# The GPT's heads are 32 wide too, but some names are long. Here are three of 71 letters, which makes 72 tokens with `begin`. Let us
# call other weights with the same output a **twin**. The library's `alternative_weights` looks for a twin that gives as
# little as possible to the token with the largest weight: it follows a null vector until some weight is 0, then the next one, as
# long as there is one. We do this for the last position, in each of the 24 heads.

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
for row, title in (
    (heads[0][5][2][0], "Layer 6, head 3, last position"),
    (twins[0][5][2], "A twin"),
):
    ax = figures.bars(row, letters, title, "weight", ax=figures.panels(1, 13, 2.2)[0])
    _ = ax.set(ylim=(0, 0.1), xlim=(-1, 72))

# %% [markdown]
# **In the picture:** the weights of one head over the 72 tokens (`·` is `begin`, and `_` is a space), as trained and, below, a
# twin with exactly the same output. Some bars have grown, and many are gone, among them the tallest of the first row.
#
# Not every head can change so much. What fraction of its largest weight must each head keep, as far as our search finds?


# %% tags=["E16"]
def in_one_list(names):
    return [row for name in names for layer in name for row in layer]


rows = list(zip(in_one_list(heads), in_one_list(twins), strict=True))
kept = np.array([other[w.argmax()] / w.max() for (w, _), other in rows])  # of the largest weight
changed = np.array([abs(w - other).sum() / 2 for (w, _), other in rows])  # of the whole row
tiny = np.array([np.mean(w < 0.001) for (w, _), _ in rows])  # weights that cannot fall further
for title, such in {"less than a tenth": kept < 0.1, "over four fifths": kept > 0.8}.items():
    print(f"keep {title}: {such.reshape(3, 24).sum(1)} of 24 heads;", end=" ")
    print("of the row's weight moved:", near(np.median(changed[such])), end="; ")
    print("weights below 0.001:", near(np.median(tiny[such])))

beginning = head_rows(gpt, tokens[0][:33])  # m = d_v + 1
alone = [np.allclose(alternative_weights(w, v), w) for layer in beginning for w, v in layer]
print("with 33 tokens, heads that have no twin:", sum(alone), "of", len(alone))

# %% [markdown]
# In some heads, the largest weight can fall to nothing, although most of the row stays as it was. In others, hardly anything can be
# taken from it. There, many more of the weights are nearly 0 already, and they cannot become negative. With 33 tokens, which is
# $d_v + 1$, no head has a twin.
#
# Jain and Wallace asked for less: not that each head's output stays *exactly* the same, but that the model's final answer
# stays nearly the same. They found very different maps that do this, in recurrent networks with one attention.
#
# Now put all 24 twins into the model at once, and compare the logits of the next letter. As a control, shuffle the weights of
# each head. Then use the twins of the *first* name on the two other names, and as a control for that, its trained weights:


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
# With the twins, no logit moves. With shuffled weights, some move a lot, so not *any* weights will do. But weights belong to *one*
# text: on another name, the twins of the first name change the logits, and so do its trained weights. A trained model computes new
# weights for each text, from queries and keys. We computed the twins afterwards, for this text alone. Whether a model could learn
# to compute such weights for every text, we have not tested. Wiegreffe and Pinter insist on exactly this: what would count is a
# *model* that is trained to give the same answers and to look elsewhere.
#
# ### Zeros, or the mean?
#
# A silenced head outputs zeros, and the next layer may never have met zeros. As a control, let the head output its own mean over
# many tokens. Then what is removed is only what differs from token to token. (The mean is a compromise too: usually it is a
# vector that the head never outputs itself, and ours includes the padding.)

# %% tags=["E29"]
means = mean_outputs(translator, *samples[0])
of_mean = np.array([without(head, instead=means) for head in all_heads])
together = [without(*four, instead=means) for four in fours.values()]
table = np.column_stack([of_mean.reshape(6, 4), together])
ax = figures.panels(1, 6.4, 3.6)[0]
ax = figures.heatmap(table, blocks, columns, "Still correct, with means", digits=2, ax=ax)
print(f"one replaced: lowest {near(min(of_mean))}, median {near(np.median(of_mean))}")

# %% [markdown]
# **In the picture:** the same table as above, with means in place of zeros. The columns of single heads are as dark as before, and in
# the last column the same attentions are indispensable.
#
# Is that because the four heads belong to one attention? As a control, we silence four heads drawn at random from all 24, twenty times.

# %% tags=["E29"]
rng = np.random.default_rng(0)
drawn = [[all_heads[i] for i in rng.permutation(24)[:4]] for _ in range(20)]
some = [without(*four) for four in drawn]
print(f"four heads at random: median {near(np.median(some))}, lowest {near(min(some))}")

# %% [markdown]
# Four heads at random usually cost little, though not in every draw.
#
# ### Does each head have a job?
#
# You may have read that one head attends to grammar and another to meaning. Sometimes such heads are found: Voita and others
# found some for neighbouring words, for syntax and for rare words. But nothing in the loss asks for such jobs. It asks for
# correct tokens. And a head's number means nothing: if two heads change places, together with their rows of W_O, the layer's
# output is the same. So a head's job, if it has one, has to be found anew in each trained model. (Ours is one model, from one
# seed. What we found about its heads holds for it, and need not hold for another.)
