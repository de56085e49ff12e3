# %% [markdown] minutes=25
# # 06 · From text to tensor: what does a model get to see of a sentence?
#
# Until now, tokens simply *were* vectors: *red* was [1, 0]. But a text is a string of characters. GPT-2 (2019) knew 50,257
# different tokens ({radford2019}), and nobody drew up that list by hand: it came from counting. Counting what? You will go the
# whole way, from a string to the first tensor of a model. Then you shuffle a sentence to see what attention notices, and you
# test what can be read from a vector.
#
# About {minutes} minutes, and as long again for the parts under "Deeper". By the end, you will be able to
#
# * cut a text into tokens by merging pairs of letters, and turn the tokens into ids and vectors;
# * compare the sizes of word vectors and position vectors;
# * test what attention notices about the order of its tokens;
# * fit a probe to vectors, and say what its accuracy shows.

# %%
import math
from collections import Counter

import torch
from torch.nn.functional import normalize

from transformer_course import figures, models
from transformer_course.attention import MultiHeadAttention, causal_mask
from transformer_course.byte_pairs import BytePairs, merge, train_merges
from transformer_course.decoding import greedy
from transformer_course.embedding import pad_right
from transformer_course.exercises import ask, predict, reveal
from transformer_course.experiments.linear_probes import (
    position_fractions,
    probe_accuracies,
    probe_accuracies_by_width,
    rotated_overlaps,
)
from transformer_course.models.recipes import small_translator
from transformer_course.positions import sinusoidal_encoding

torch.set_num_threads(1)

# %%
lit = [f"{side} {part}" for side in ("source", "target") for part in ("embedding", "positions")]
ax = figures.architecture(*lit, title="Lesson 06: the way into the model", small=True)

# %% [markdown]
# <!-- picture -->
# the map from lesson 00. The filled boxes turn a text into vectors, before any attention.
# <!-- end -->
#
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %% ask="06.recall"


# %% [markdown]
# ## Cutting a text into tokens
#
# A token is the model's unit. Should it be a word? No list of words is complete: there are always new names and typing
# errors. Should it be a character? Then a text of a thousand words becomes five or six thousand tokens. Most language models
# use **subwords**: a frequent word is one token, and a rare word consists of several.
#
# The usual way to find subwords is **byte-pair encoding**. Start with single characters (today mostly bytes, so that no word
# is unknown), and repeatedly join the two neighbours that occur together most often. Here is a sentence to learn from:

# %% tags=["S2"]
text = "the cars in the street are older than the other car"
pieces = [list(word) for word in text.split()]
print(" | ".join(" ".join(word) for word in pieces))

# %% [markdown]
# The letters *t* and *h* occur side by side five times: three times in *the*, once in *than*, and once in *other*. No other
# pair inside a word is as frequent. So the first merge joins them into one piece, *th*.
#
# <!-- paper -->
# **Your turn, on paper.** After this first merge, how often do these pairs occur: *th* and *e* ____ times, *a* and *r* ____
# times, *c* and *a* ____ times? Which pair is merged next?
#
# <!-- compare -->
# <details><summary>Compare</summary>They occur four, three and two times. So <em>th</em> and <em>e</em> are merged next,
# into <em>the</em>.</details>

# %% tags=["S2"]
merges = train_merges(Counter(text.split()), 4)
for left, right in merges:
    pieces = [merge(word, left, right) for word in pieces]
    print(f"{left} + {right}:", " | ".join(" ".join(word) for word in pieces))

# %% [markdown]
# After four merges, *the* and *car* are single pieces, and *cars* consists of *car* and *s*. A program that cuts texts in
# this way is a *tokenizer*. We give ours a word that was not in the sentence: *father*.

# %% predict="06.pairs"


# %% tags=["S2"]
for word in ("father", "scarf", "orange"):
    print(f"{word}:", " ".join(BytePairs(merges).tokenize(word)))
reveal("06.pairs")

# %% [markdown]
# GPT-2 has 50,000 such merges, learned from far more text.
#
# ## From tokens to ids
#
# This course has a small trained translator, from English number words to Chinese numerals. It needs so few words that each
# English word is one token. In Chinese, each character is one:
#
# | 零 | 一 | 二 | 三 | 四 | 五 | 六 | 七 | 八 | 九 | 十 | 百 | 千 | 万 |
# | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
# | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 100 | 1,000 | 10,000 |
#
# So 三百零五 is three hundreds, a zero for the missing tens, and five. The **vocabulary** is the list of all tokens that a
# model knows. A token's index in it, counted from 0, is its **id**.

# %% tags=["S2"]
translator, vocabularies = models.load("translator")
english, chinese = vocabularies["source"], vocabularies["target"]
sentence, shuffled = "three hundred and five", "five hundred and three"
print(len(english), "English tokens, among them", english.tokens[:6])
print(english.encode(sentence.split()))

# %% [markdown]
# The vocabulary's first four entries are **special tokens**, which are not pieces of a text. *Padding* fills up a batch
# (lesson 04), *begin* and *end* mark where a text starts and stops, and *unknown* replaces every word that is not in the
# vocabulary:

# %% tags=["S2"]
ids = english.encode(["three", "hundred", "and", "a", "half"])
print(ids, english.decode(ids))

# %% [markdown]
# Here are two Chinese numerals, with *begin* and *end* added. The shorter one is padded:

# %% tags=["S2"]
written = [[chinese.begin, *chinese.encode(text), chinese.end] for text in ("三百零五", "七")]
print(pad_right(written))

# %% [markdown]
# ## From ids to vectors
#
# An id is only a name: ids 4 and 5 are *and* and *eight*, which have nothing in common. So each id has its own row of learned
# numbers in a table, the **embedding**. Looking up a token means taking its row. Here is a toy table; row 0 is for padding:

# %% tags=["S2"]
table = torch.tensor([[0.0, 0.0, 0.0, 0.0], [0.5, 0.3, 0.8, 0.1], [0.2, 0.9, 0.4, 0.6]])
print(table[[1, 1, 2]])

# %% [markdown]
# To each token's row, the model adds a row for the token's **position**, counted from 0. The original Transformer uses sines
# and cosines, which lesson 07 explains:

# %% tags=["S2"]
print(sinusoidal_encoding(3, 4))

# %% [markdown]
# At position 0, the token [0.5, 0.3, 0.8, 0.1] becomes [0.5 + 0, 0.3 + 1, 0.8 + 0, 0.1 + 1] = [0.5, 1.3, 0.8, 1.1].
#
# <!-- paper -->
# **Your turn, on paper.** At position 1, the same token becomes [1.3415, ____, ____, 1.0999].
#
# <!-- compare -->
# <details><summary>Compare</summary>0.3 + 0.5403 = 0.8403, and 0.8 + 0.0100 = 0.8100.</details>

# %% tags=["S2"]
print(table[[1, 1, 2]] + sinusoidal_encoding(3, 4))

# %% [markdown]
# ## How large is a word?
#
# We have left out one step. The original Transformer multiplies the token's row by $\sqrt{d_\text{model}}$ before it adds
# the position. How large are the words' vectors then, compared with those of the positions?
#
# Take 36 tokens of width 128. In torch, `nn.Embedding` draws their numbers with a standard deviation of 1. The factor is
# √128 = 11.3. To measure size, we square all the numbers and ask what fraction of the total comes from the positions.

# %% predict="06.root"


# %% tags=["S2"]
d = 128
waves = sinusoidal_encoding(20, d)  # 20 positions
drawn = torch.randn(36, d, generator=torch.Generator().manual_seed(0))  # 36 words
for start in (1, 1 / math.sqrt(d)):
    for factor in (1, math.sqrt(d)):
        words = drawn * start * factor
        fraction = waves.square().mean() / (waves.square().mean() + words.square().mean())
        print(f"standard deviation {start:.2f}, factor {factor:4.1f}: positions {fraction:.3f}")
reveal("06.root")

# %% [markdown]
# You will often read that the factor brings words and positions to the same size. But that depends on how the embedding
# table starts: in the second line above, the words drown out the positions; in the third, the positions drown out the words.
# In the other two, they are of similar size. **What matters is the standard deviation at the start, times the factor.** This
# course's tables start with a standard deviation of $1/\sqrt{d_\text{model}}$, and the factor brings it to 1.

# %%
ax = figures.schematic("embedding")

# %% [markdown]
# <!-- picture -->
# the whole path for $n = 4$ tokens. Each id picks a row of the table $E$, which has one row for each of
# the $v$ tokens of the vocabulary. The rows are multiplied by √d, and positions 0 to 3 are added. The sum X goes to the first
# attention.

# %% [markdown]
# ## The same sentence, shuffled
#
# *Three hundred and five* and *five hundred and three* consist of the same four words. They mean 305 and 503. We take the
# translator's rows for both sentences, and for now we add no positions.

# %% tags=["S2"]
rows = translator.source.embedding.table.detach() * math.sqrt(d)  # the trained table, 36 × 128
a, b = (rows[english.encode(text.split())] for text in (sentence, shuffled))

# %% [markdown]
# Both sentences go through the same attention, with random matrices and no mask.

# %% predict="06.shuffled"


# %% jupyter={"source_hidden": true}
moved_to = [3, 1, 2, 0]  # token 0 of the first sentence is token 3 of the second


def difference(attention, first, second, mask=None):
    out_1, out_2 = (attention(x[None], x[None], x[None], mask)[0] for x in (first, second))
    largest = (out_1[moved_to] - out_2).abs().max()  # out_1, in the order of the second sentence
    return largest / out_2.std()


print("largest difference of a word's outputs, in standard deviations")
for seed in range(3):
    torch.manual_seed(seed)
    attention = MultiHeadAttention(d, num_heads=4)
    without = difference(attention, a, b)
    added = difference(attention, a + waves[:4], b + waves[:4])
    print(f"random matrices {seed}: without positions {without:.2f}, with positions {added:.2f}")
reveal("06.shuffled")

# %% [markdown]
# Why? Each score depends only on two vectors, and each value on one, and these have not changed. The denominator of softmax
# and the output are sums over all tokens, and a sum does not depend on the order. **Without positions, shuffled tokens get the
# same outputs, shuffled.** The next layer is then in the same situation. In two dimensions, you can see what positions do:

# %%
words = {"three": (0.5, 2.4), "five": (2.9, 2.4), "hundred": (2.1, 0.4), "and": (0.9, 1.2)}
dots = torch.tensor(list(words.values()))
for ax, text in zip(figures.panels(2), (sentence, shuffled), strict=True):
    at = [text.split().index(word) for word in words]
    figures.plane(dots, dots + sinusoidal_encoding(4, 2)[at], list(words), text, ax=ax)
    ax.texts[4].set_position((-4, -16))  # "hundred", out of its arrow's way

# %% [markdown]
# <!-- picture -->
# a thin line leads from the origin to each word, and an arrow from the word to the sum of word and
# position. The arrows start at the same points in both panels. So without positions, the model gets a bag of words: which
# words there are, and how many of each. The end points of *three* and *five* differ between the panels, so now the model can
# tell the sentences apart.
# <!-- end -->
#
# Now we remove the positions on the source side of the trained translator:


# %% tags=["S2"]
def translate(text):
    source = pad_right([english.encode(text.split())])
    written = greedy(translator, source, limit=20)  # one token after another, see lesson 16
    return "".join(chinese.decode(written[0]))


print("with positions:   ", translate(sentence), translate(shuffled))
positions = translator.source.positions
translator.source.positions = None
print("without positions:", translate(sentence), translate(shuffled))
translator.source.positions = positions  # put them back

# %% [markdown]
# Now 305 also comes out as 503. The two outputs had to be the same, because the decoder, too, reads the source only through
# attention. (A causal mask would change this: see "Deeper".)

# %% [markdown]
# ## What is left in the sum?
#
# Word and position are now added together. Can each of them still be read from the sum?
#
# A **probe** is a small model that is fitted to read something from vectors. Ours is linear: a matrix and a bias give each
# possible answer a score, and the highest score wins. One probe reads the word, the other the position. 36 words at 20
# positions make 720 sums. We fit both probes to 70% of the sums, and test them on the rest: on words and positions that each
# probe has seen, but not together. ("Deeper" explains how they are fitted.)
#
# For now, words and positions are random vectors, with a standard deviation of 1 for words and, like sinusoids, 0.7 for
# positions. We add a little noise to each sum.

# %% predict="06.probes"


# %% tags=["S10"] jupyter={"source_hidden": true}
widths = [4, 8, 16, 32, 64, 128]
drawn_rows = probe_accuracies_by_width(widths)  # three seeds for each width
null = probe_accuracies_by_width(widths, shuffled=True)
print("width   ", *(f"{width:5}" for width in widths))
for name, found in (("", drawn_rows), (", null", null)):
    for part in ("word", "position"):
        medians = found[part].median(dim=0).values
        print(f"{part + name:15}", *(f"{accuracy:5.0%}" for accuracy in medians))
reveal("06.probes")

# %% [markdown]
# The table shows the accuracy on unseen sums, as the median of three seeds. The last two lines are the **null**: the same
# probes, fitted to shuffled labels, so that there is nothing to find.
#
# How can a sum be read? A probe's score is the sum's dot product with some direction. So it is the word's dot product plus the
# position's. In a wide vector, each word has a direction along which it stands out and the positions hardly matter.
#
# What about the vectors of the trained translator, whose width is 128?

# %% tags=["S10"]
read = probe_accuracies(rows[4:], waves)  # without the special tokens
print(f"translator: word {read.word:.0%}, position {read.position:.0%}")

# %% [markdown]
# The result is the same as for random vectors. So if a probe reads a trained model's vectors well, this alone says nothing
# about the training. And if a probe *fails*, a different one may still succeed (see "Deeper").

# %% [markdown]
# ## Before you go {#exit}

# %% ask="06.exit"


# %% [markdown]
# <!-- answer -->
# **What does a model get to see of a sentence?** One vector for each token: the token's row of the table, times √d_model, plus
# the row of its position. Without the positions, 305 and 503 look the same to it.

# %% [markdown]
# To take away:
#
# <!-- takeaway -->
# * Byte-pair encoding joins the most frequent neighbours. Frequent words become one token each, and rare ones several.
# * $X = \sqrt{d_\text{model}}\, E[\text{ids}] + \text{positions}$, of shape $n \times d_\text{model}$.
# * Attention without positions or a mask treats a text as a bag of words. With enough width, a word and its position can both
#   be read from their sum.
# <!-- end -->
#
# The model can tell 305 from 503 now. But what do the numbers of a position mean? Lesson 07 reads them. Your own model gets
# positions in [stage B2 of the Build](../exercises/B2_one_head.ipynb), and in [stage B8](../exercises/B8_real_text.ipynb)
# you write its tokenizer.
#
# To read next:
#
# <!-- readings -->
# * {sennrich2015}: byte pairs (named after a method that compresses files) for rare words.
# * {vaswani2017}, sections 3.4 and 3.5: the embedding, its factor, and
#   positions.
# * {hewitt2019}: what a probe's accuracy should be compared with.

# %% [markdown]
# ## Deeper {#deeper}
#
# You can read each of these parts on its own; nothing later needs them.
#
# ### From a vector back to its token
#
# To get from a vector back to its token, take the nearest row of the table. But a position has been added, and that moves the
# vector by √64 = 8, because each of the position's 64 pairs of a sine and a cosine has length 1.

# %% tags=["S2"]
half = torch.pdist(rows) / 2  # for each pair of rows
print("length of each position:", f"{waves.norm(dim=1).min():.1f} to {waves.norm(dim=1).max():.1f}")
print(f"half the distance between two words: from {half.min():.1f}, median {half.median():.1f}")

# %% predict="06.back"


# %% tags=["S2"]
sums = (rows[:, None] + waves).flatten(0, 1)
token = torch.arange(36).repeat_interleave(20)
found = torch.cdist(sums, rows).argmin(dim=1)  # cdist: all distances between the two
print((found != token).sum().item(), "of 720 are nearer to another token")
reveal("06.back")

# %% [markdown]
# A shift leads to the wrong row only if its component *towards* that row is longer than half the distance. In 128 dimensions,
# two unrelated directions are nearly at a right angle. Their cosine, the dot product divided by both lengths, is about 1/√128
# = 0.09, above or below 0. So only a small part of the shift of length 8 goes towards another row, typically 0.7. There are 36
# · 35 · 20 = 25,200 such components: from each row towards each of the others, for each shift. Here is the largest of them:

# %% tags=["S2"]
to_others = normalize(rows[None] - rows[:, None], dim=-1)  # directions, of length 1
towards = to_others @ waves.T
print(f"towards another row: at most {towards.max():.1f}; half the distance: from {half.min():.1f}")

# %% [markdown]
# ### Order from a mask
#
# Without positions, shuffled tokens get the same outputs if every token may look at all others. With a causal mask, each token
# sees only itself and the tokens before it, so it notices the order. Here is the earlier measurement again, without
# positions but with this mask:

# %%
print(f"causal mask, without positions: {difference(attention, a, b, causal_mask(4)):.2f}")

# %% [markdown]
# So with a causal mask alone, the outputs depend on the order. On several tasks, models with a causal mask did well without
# any positions ({kazemnejad2023}).
#
# ### A probe that fails
#
# Our probes used *class means*: they take the mean vector of each answer, and the nearest mean wins. (Directions in which
# the vectors for one answer vary widely count for less; this is linear discriminant analysis.) Another common method is *least
# squares*: the right answer should have score 1 and all others 0, with the smallest squared error. Both give a linear map with
# a bias.
#
# We compare them twice. The first time we use two dimensions: words are the points 0 to 35 on the first axis, and positions
# the points 0 to 19 on the second. The second time we use our random words and sinusoids, in 128 dimensions.

# %% tags=["S10"]
on_axes = torch.zeros(36, 2), torch.zeros(20, 2)
on_axes[0][:, 0], on_axes[1][:, 1] = torch.arange(36), torch.arange(20)
for name, least_squares in (("class means", False), ("least squares", True)):
    for space, versions in (("two dimensions", on_axes), ("128 dimensions", (drawn, waves))):
        found = probe_accuracies(*versions, least_squares=least_squares)
        print(f"{space}, {name:13}: word {found.word:4.0%}, position {found.position:4.0%}")

# %% [markdown]
# In two dimensions you can see why least squares fails. The positions are the points 0 to 19 on an axis, so each score is a
# straight line over that axis. The score for position 10 should be 1 at 10 and 0 on *both* sides of it. The best that a
# straight line can do is to stay almost flat, so it is hardly ever the highest.
#
# The probe with class means need not output 1 and 0: the right answer only has to win. If x is a vector's coordinate on the
# axis and p a position, the nearest mean has the smallest (x − p)² = x² − 2px + p². Since x² is the same for all, the
# nearest mean has the largest score p·x − p²/2. The further out the position, the steeper its line and the lower its value
# at 0. At x = 10, position 10 scores 100 − 50 = 50, and its neighbours 9 and 11 both score 49.5.
#
# In 128 dimensions, least squares reads only about half of the positions, although the other probe reads them all. So the
# vector holds the position, and the noise does not hide it. **By itself, a failed probe says nothing about the vector.**

# %% tags=["S10"]
in_waves = probe_accuracies_by_width(widths, waves=True)
by_squares = probe_accuracies_by_width(widths, waves=True, least_squares=True)
drawn_by_squares = probe_accuracies_by_width(widths, least_squares=True)
versions = {
    "Random positions": (drawn_rows, drawn_by_squares),
    "Sinusoids": (in_waves, by_squares),
}
for ax, (title, (means, squares)) in zip(figures.panels(2, 5.0), versions.items(), strict=True):
    lines = {"word": means["word"], "position": means["position"]}
    lines |= {"position, least squares": squares["position"], "position, null": null["position"]}
    figures.curves(widths, lines, title, "width", "accuracy", log="x", ax=ax)
    ax.legend_.set_visible(squares is drawn_by_squares)  # the left one holds for both

# %% [markdown]
# <!-- picture -->
# accuracy on unseen sums at each width; lines are medians of three seeds, and bands show the range. Class-mean probes read
# both word and position once the vectors are wide enough: 32 for random positions, 64 for sinusoids. Least squares does so
# only for random positions. (For sinusoids of width 128, its median is about 0.43; the 51% above came from a single seed.) For
# these vectors, and with class-mean probes, enough width was all it took.
#
# ### Does training keep words and positions apart?
#
# You may have read that a trained model makes words and positions orthogonal, that is, puts them at right angles. To measure
# this, we compute the cosine of each word's row with each position's row, and take the root mean square of all the cosines.
# It is 0 if all are orthogonal, and about 1/√128 = 0.09 for unrelated directions.


# %% tags=["S10"]
def overlap(table, positions):
    cosines = normalize(table, dim=1) @ normalize(positions, dim=1).T
    return cosines.square().mean().sqrt().item()


print(f"translator, English: {overlap(rows[4:], waves):.3f}")  # without the four special tokens

# %% [markdown]
# As a null, we rotate the same position vectors at random, in 100 ways. And we measure more of the course's
# models: one that rewrites dates, and two GPTs trained on names of Unicode characters, such as LATIN SMALL LETTER A. The GPTs
# *learn* their positions. (Pre-norm and post-norm are two ways to build a layer; see lesson 11.)

# %% tags=["S10"]
dates, gpt = models.load("dates")[0], models.load("gpt-pre")[0]
inputs = {
    "translator, English": translator.source,
    "translator, Chinese": translator.target,
    "dates, as written": dates.source,
    "dates, as numbers": dates.target,
    "GPT, pre-norm": gpt.input,
    "GPT, post-norm": models.load("gpt-post")[0].input,
}
tables = {
    name: (part.embedding.table[4:], part.positions.table[:20]) for name, part in inputs.items()
}
measured = {name: overlap(*both) for name, both in tables.items()}
chance = {name: rotated_overlaps(*both) for name, both in tables.items()}
title = "Words and positions of trained models"
ax = figures.beside_chance(measured, chance, title, "overlap (0 is orthogonal)")

# %% [markdown]
# <!-- picture -->
# each row is one table of a trained model. The bar spans the overlaps after 100 random rotations, and the
# dot is the model's own. No dot is to the left of its bar, so none of these tables is more orthogonal than chance. The two
# GPTs, each trained once, are even *less* orthogonal. (In the other models, training can change only the words, because their
# positions are sinusoids. With few words, the overlap varies more by chance: dates as numbers, with the fewest, have the
# longest bar.)
#
# ### Do heads pull words and positions apart?
#
# You may also read that some heads go by meaning and others by position. We can ask each head of the translator's encoder:
# how much of its attention pattern stays the same, whatever the words are? The logarithm of a weight is its score, up to a
# constant for each row. So we take the logarithms of the weights and subtract each row's mean, for 1,000 sequences of random
# words. In the average over all sequences, the effect of the words cancels, and the effect of position remains. We divide
# the mean square of this average by the mean square of all the patterns.

# %% tags=["S10"]
lengths = [4, 6, 8, 10, 12]
fractions = torch.stack([position_fractions(translator, length) for length in lengths], dim=-1)
for layer, ax in enumerate(figures.panels(2)):
    lines = {f"head {head + 1}": fractions[layer, head] for head in range(4)}
    ylabel = "fraction that depends on position"
    figures.curves(lengths, lines, f"Layer {layer + 1}", "tokens in a sequence", ylabel, ax=ax)
    ax.set_ylim(0, 1)

# %% [markdown]
# <!-- picture -->
# one line per head, plotted against sequence length. In layer 1, position alone decides little. In layer 2, it matters more,
# mostly in longer sequences: with 4 tokens it accounts for less than half in every head, and with 10 tokens for more than half
# in three of them. For comparison, here is the largest fraction of any head in untrained copies of the model, with 12 tokens:

# %% tags=["S10"]
for seed in range(3):
    torch.manual_seed(seed)
    untrained = position_fractions(small_translator(english, chinese), length=12)
    print(f"seed {seed}: {untrained.max():.2f}")

# %% [markdown]
# So in this one model, training has made some heads depend more on position than others. None depends on
# position alone.
#
# ### In print
#
# Which special tokens does a Transformer have? You may have read that they are [CLS], before a text, and [SEP], after it.

# %% predict="06.cls"


# %% tags=["E15"]
print("ids 0 to 3:", english.tokens[:4])
print("[CLS]:", english.encode(["[CLS]"]))
reveal("06.cls")

# %% [markdown]
# [CLS] and [SEP] belong to BERT, a later model (lesson 18). In the original BERT, the output at [CLS] is used to classify the
# whole text, and [SEP] ends each of its parts. The original Transformer *writes* its output, one token after another. So it
# needs a token to start from, a token that says when it has finished, and padding:

# %% tags=["E15"]
print(chinese.decode([1, 7, 16, 17, 10, 2, 7, 7]))  # whatever comes after the end is left out
