# %% [markdown]
# # 06 · From text to tensor: what does a model get to see of a sentence?
#
# So far tokens simply *were* vectors. Now you go from a string to these vectors, and back. On the way you shuffle a
# sentence and find out what attention notices; and you ask what can be told from one vector, and what it proves when
# something cannot.
#
# About 35 minutes; half way, behind the shuffled sentence, is a good place for a rest. Afterwards you can
#
# * go from a string to the first tensor of a model and back, and say what cannot come back;
# * say when the factor √d_model brings words and positions to one size, and when not;
# * find out what attention knows of the order of its tokens;
# * fit a probe to vectors, and say what its success proves, and what its failure does.

# %%
import math

import torch
from torch.nn.functional import normalize

from transformer_course import figures, models
from transformer_course.attention import MultiHeadAttention, causal_mask
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

# %% [markdown]
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %%
ask("06.recall")

# %% [markdown]
# ## From a string to ids
#
# This course has a small trained translator, from English number words to Chinese numerals. You train one yourself in
# lesson 15. First a text is cut into tokens: here an English one is a word, and a Chinese one a single character.

# %% tags=["S2"]
translator, vocabularies = models.load("translator")
english, chinese = vocabularies["source"], vocabularies["target"]
sentence, shuffled = "three hundred and five", "five hundred and three"
print(sentence.split())
print(list("三百零五"))

# %% [markdown]
# The **vocabulary** is the list of all tokens that the model knows. A token's place in it, counted from 0, is its
# **id**.

# %% tags=["S2"]
print(len(english), "English tokens, among them", english.tokens[20:26])
print(len(chinese), "Chinese tokens: ", " ".join(chinese.tokens[4:]))
print(english.encode(sentence.split()))

# %% [markdown]
# Some tokens stand for no word of the language: **special tokens**. Note 2 gives two as the Transformer's: [CLS] before
# a text and [SEP] after it.

# %%
predict("06.cls")

# %% tags=["E15"]
print("ids 0 to 3:", english.tokens[:4])
print("[CLS]:", english.encode(["[CLS]"]))
reveal("06.cls")

# %% [markdown]
# Whatever is not in the vocabulary gets the id 3, "unknown". From here on all such words are the same token, and on the
# way back nobody can say which was which:

# %% tags=["S2"]
ids = english.encode(["three", "hundred", "and", "a", "half"])
print(ids, english.decode(ids))

# %% [markdown]
# [CLS] and [SEP] belong to BERT, a later relative (lesson 18). In the original BERT the output at [CLS] is used to
# judge the whole text, and [SEP] ends each part. The original Transformer *writes*: it needs a token to **begin** with, one that says
# **end**, and **padding** to fill a batch up (lesson 04). Our translator takes the source as it is; what it writes has
# both. (`encode` takes a row of tokens. A string is one of characters, which are the Chinese tokens; English is split.)

# %% tags=["S2", "E15"]
written = [[chinese.begin, *chinese.encode(text), chinese.end] for text in ("三百零五", "七")]
print(pad_right(written))
print(chinese.decode([1, 7, 16, 17, 10, 2, 7, 7]))  # what comes after the end is left out

# %% [markdown]
# ## A row for each id
#
# Ids are names. That `and` is 4 and `eight` 5 says nothing about what they mean. So each id has a row of numbers of its
# own in a table, the **embedding**, and these are learned. Looking a token up is taking its row:

# %% tags=["S2"]
table = torch.tensor([[0.0, 0.0, 0.0, 0.0], [0.5, 0.3, 0.8, 0.1], [0.2, 0.9, 0.4, 0.6]])
print(table[[1, 1, 2]])

# %% [markdown]
# To the row of the token, a row for its **position** is added. Which rows these are is the question of lessons 07 and
# 08; the original takes waves, numbers between −1 and 1. Positions are counted from 0:

# %% tags=["S2"]
print(sinusoidal_encoding(3, 4))

# %% [markdown]
# Note 1 has this example: the token [0.5, 0.3, 0.8, 0.1] at position 0. The sum is [0.5 + 0, 0.3 + 1, 0.8 + 0, 0.1 + 1]
# = [0.5, 1.3, 0.8, 1.1], and that is right.
#
# **Your turn, on paper:** the same token at position 1 gives [1.3415, ____, ____, 1.0999].
#
# <details><summary>Compare</summary>0.3 + 0.5403 = 0.8403, and 0.8 + 0.01 = 0.81.</details>

# %% tags=["S2"]
print(table[[1, 1, 2]] + sinusoidal_encoding(3, 4))

# %% [markdown]
# ## Times √d_model
#
# One step is missing in that example. The original multiplies the token's row by $\sqrt{d_\text{model}}$ before the
# position is added. Note 4 says that the numbers then lie near ±1, as the waves do. Then neither would drown the other.
#
# We try it: 36 tokens of width 128, in a table as torch makes it, `nn.Embedding`, where each number has a standard
# deviation of 1. Times √128 = 11.3, plus the waves. The square of a vector's length is the sum of its squared numbers;
# so we can ask what share of the squares comes from the positions.

# %%
predict("06.root")

# %% tags=["S2"]
d = 128
waves = sinusoidal_encoding(20, d)  # 20 positions
drawn = torch.randn(36, d, generator=torch.Generator().manual_seed(0))
root = math.sqrt(d)
starts = {
    "1": drawn,
    "1, × √d": drawn * root,
    "1/√d": drawn / root,
    "1/√d, × √d": drawn / root * root,
}
for name, words in starts.items():
    share = waves.square().mean() / (waves.square().mean() + words.square().mean())
    print(f"start {name:10}  spread {words.std():5.2f}, positions' share {share:.3f}")
reveal("06.root")

# %% [markdown]
# The first and the last table are equal: a third is position. In the second, positions drown; in the third, words do.
#
# So the factor is not good in itself: what counts is start times factor. Note 4 is right for a table that starts at
# 1/√d, as in this course. The paper gives no reason for the factor. One may be that there the same table also makes the
# last scores (lesson 14), which should start small.

# %% [markdown]
# ## And back
#
# From a vector back to its token: take the row of the table that is nearest. But positions have been added, and each is
# a shift of length √64 = 8 (64 pairs of a sine and a cosine, whose squares add up to 1):

# %% tags=["S2"]
rows = translator.source.embedding.table.detach() * math.sqrt(d)  # the trained table, 36 × 128
print("length of each position:", f"{waves.norm(dim=1).min():.1f} to {waves.norm(dim=1).max():.1f}")
half = torch.pdist(rows) / 2  # of each two rows
print(f"half the way between two words: from {half.min():.1f}, in the middle {half.median():.1f}")

# %%
predict("06.back")

# %% tags=["S2"]
sums = (rows[:, None] + waves).flatten(0, 1)
token = torch.arange(36).repeat_interleave(20)
found = torch.cdist(sums, rows).argmin(dim=1)  # cdist: all distances between the two
print((found != token).sum().item(), "of 720 are nearer to another token")
reveal("06.back")

# %% [markdown]
# A shift leads astray only if its part *towards* another row is longer than half the way there. In 128 dimensions, two
# directions that have nothing to do with each other are nearly at a right angle: their *cosine*, the dot product
# divided by both lengths, is about 1/√128 = 0.09. So of a length of 8, little goes towards any row:

# %% tags=["S2"]
to_others = normalize(rows[None] - rows[:, None], dim=-1)  # directions, of length 1
towards = to_others @ waves.T
print(f"towards another row: at most {towards.max():.1f}; half the way: from {half.min():.1f}")

# %% [markdown]
# ## The same sentence, shuffled
#
# Three hundred and five, five hundred and three: the same four words, 305 and 503. Suppose that no positions are added:

# %%
a, b = (rows[english.encode(text.split())] for text in (sentence, shuffled))
moved_to = [3, 1, 2, 0]  # token 0 of the one is token 3 of the other
print("the same vectors, in another order:", torch.equal(a[moved_to], b))

# %% [markdown]
# Both go through the same attention, with random matrices, and neither gets positions.

# %%
predict("06.shuffled")


# %%
def difference(attention, first, second, mask=None):
    (out_1,), (out_2,) = (attention(x[None], x[None], x[None], mask) for x in (first, second))
    return (out_1[moved_to] - out_2).abs().max()  # of each word's two outputs


for seed in range(3):
    torch.manual_seed(seed)
    attention = MultiHeadAttention(d, num_heads=4)
    without, added = (
        difference(attention, a, b),
        difference(attention, a + waves[:4], b + waves[:4]),
    )
    print(f"largest difference: without positions {without:.2f}, with them {added:.2f}")
reveal("06.shuffled")

# %% [markdown]
# By hand: the output of `three` is a sum over all tokens, a weight times a value for each. Both depend on the two
# vectors alone. Another order of the tokens is another order of the summands. (In the computer, that may move the last
# digits.) **Without positions, attention gives the same rows, only shuffled**, and so a further
# layer is again given the same rows (the translator below has two). In two dimensions:

# %%
words = {"three": (0.5, 2.4), "five": (2.9, 2.4), "hundred": (2.1, 0.4), "and": (0.9, 1.2)}
dots = torch.tensor(list(words.values()))
for ax, text in zip(figures.panels(2), (sentence, shuffled), strict=True):
    at = [text.split().index(word) for word in words]
    figures.plane(dots, dots + sinusoidal_encoding(4, 2)[at], list(words), text, ax=ax)
    ax.texts[4].set_position((-4, -16))  # "hundred", out of its arrow's way

# %% [markdown]
# **In the picture:** a thin line leads from the origin to each word, an arrow from the word to the word plus its
# position. Where arrows begin, both panels are alike: without positions, the sentence is a set of points. Where they
# end, `three` and `five` have changed, `hundred` and `and` have not. Only now are there two sentences.
#
# What does the trained translator make of it? We take the positions off its source, and leave all else as it is:


# %% tags=["S2"]
def translate(text):
    source = pad_right([english.encode(text.split())])
    return "".join(chinese.decode(greedy(translator, source, limit=20)[0]))


print("with positions:   ", translate(sentence), translate(shuffled))
positions = translator.source.positions
translator.source.positions = None
print("without positions:", translate(sentence), translate(shuffled))
translator.source.positions = positions  # put them back

# %% [markdown]
# 305 and 503 have become one and the same number. *Which* one is an accident; that it is the same for both is not.
#
# One limit: this holds where every token may look at all. A causal mask says who comes before whom, and so brings order
# in by itself. Models that write behind such a mask can do well without any positions (Kazemnejad
# and others 2023).

# %%
print(f"causal, without positions: {difference(attention, a, b, causal_mask(4)):.2f}")

# %% [markdown]
# ## One vector, two readers
#
# Now that both are in one sum, can they be told apart again? In two dimensions it is easy to arrange: words along the
# first axis, positions along the second. The sum [3, 2] is then word 3 at position 2. But nobody arranges the axes of a
# model.
#
# A **probe** is fitted to read something from vectors. Ours gives each possible answer a score, by a linear map and a
# number added to each (a bias), and the largest score counts. One probe is for the word, one for the position. They are
# fitted on 7 sums in 10 and asked about the others. To each sum we add a little noise, of standard deviation 0.1.
#
# Fitted how? *By means*: take the mean of the vectors for each answer; the nearest mean wins, where directions in which
# vectors of one answer differ anyway count for less. (It is called linear discriminant analysis.)
#
# Now a random table, whose numbers spread by 1. The positions are random too, and as large as waves:
# the root of the mean of their squares is 0.7.

# %%
predict("06.probes")

# %% tags=["S10"]
widths = [4, 8, 16, 32, 64, 128]
drawn_rows = probe_accuracies_by_width(widths)  # three seeds at each width
null = probe_accuracies_by_width(widths, shuffled=True)
for part in ("word", "position"):
    read, by_chance = drawn_rows[part][:, 4].min(), null[part][:, 4].max()
    print(
        f"{part:8} at width 64: right in {read:.0%} or more; labels shuffled: {by_chance:.0%} or less"
    )
reveal("06.probes")

# %% [markdown]
# The last number is the **null**: the same probes, fitted to labels that were shuffled, so that there is nothing to read.
# And nobody trained the table.
#
# ### A probe that fails
#
# Another common way to fit a probe is *least squares*: the score of the right answer should be 1, those of all others
# 0, with the least squared error. The scores are linear as before. First in the two dimensions that we arranged, then on
# our random words with waves, in 128 dimensions:

# %% tags=["S10"]
on_axes = torch.zeros(36, 2), torch.zeros(20, 2)
on_axes[0][:, 0], on_axes[1][:, 1] = torch.arange(36), torch.arange(20)
for name, least_squares in (("by means", False), ("least squares", True)):
    flat = probe_accuracies(*on_axes, least_squares=least_squares)
    wide = probe_accuracies(drawn, waves, least_squares=least_squares)
    print(f"{name}, two dimensions: word {flat.word:.0%}, position {flat.position:.0%}")
    print(f"  waves: word {wide.word:.0%}, position {wide.position:.0%}, its ends {wide.ends:.0%}")
print(f"from one wave to the next: {torch.dist(waves[0], waves[1]):.2f}, twenty times the noise")

# %% [markdown]
# ("Its ends" are the first and the last position.) In two dimensions the reason can be seen. The positions lie on a line,
# and a score is a straight line over it. To be 1 at position 10 and 0 on both sides of it, the best it can do is to stay
# almost flat, and it is hardly anywhere the largest. (By means, each answer's line is steeper the further out it belongs,
# and the bias lets it win at its own place.) Waves bend, but gently: there too least squares finds the ends, and loses more
# than half of what lies between them.
#
# So does the vector not hold the position, or does noise hide it? Neither: the other probe reads it. **A probe that fails
# shows by itself nothing about the vector.**

# %% tags=["S10"]
in_waves = probe_accuracies_by_width(widths, waves=True)
by_squares = probe_accuracies_by_width(widths, waves=True, least_squares=True)
drawn_by_squares = probe_accuracies_by_width(widths, least_squares=True)
arms = {
    "Random positions: both fits read them": (drawn_rows, drawn_by_squares),
    "Waves: least squares does not": (in_waves, by_squares),
}
for ax, (title, (means, squares)) in zip(figures.panels(2, 5.0), arms.items(), strict=True):
    lines = {"word": means["word"], "position": means["position"]}
    lines |= {"position, least squares": squares["position"], "position, null": null["position"]}
    figures.curves(widths, lines, title, "width", "accuracy", log="x", ax=ax)
    ax.legend_.set_visible(squares is drawn_by_squares)  # the left one holds for both

# %% [markdown]
# **In the picture:** what share of unseen sums is read rightly at each width (the middle of three seeds, and their
# spread). By means, word and position are both read from some width on: random positions from 32, waves from 64. Least
# squares catches up on random positions only. **What a linear reader needs is width, not training.**

# %% [markdown]
# ## Does training keep them apart?
#
# One often reads that a trained model makes words and positions orthogonal, at right angles. We measure it: the cosine
# of each word's row with each position's row, and the root of the mean of their squares. 0 would be orthogonal; directions
# that have nothing to do with each other have 1/√128 = 0.09.


# %% tags=["S10"]
def overlap(table, positions):
    cosines = normalize(table, dim=1) @ normalize(positions, dim=1).T
    return cosines.square().mean().sqrt().item()


print(f"translator, English: {overlap(rows[4:], waves):.3f}")  # without the four special tokens

# %% [markdown]
# As a null, we turn the same positions at random, 100 times. And we ask more of the course's models: one that rewrites
# dates, and two that spell names of characters, the "GPTs", which *learn* their positions. (Pre- and post-norm are two
# ways to build a layer, lesson 11.)

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
ax = figures.beside_chance(
    measured, chance, "None is more orthogonal than chance", "overlap (0 is orthogonal)"
)

# %% [markdown]
# **In the picture:** each row is a table of a trained model; a bar spans what 100 random turns gave, and the dot is what
# was measured. None lies to the left of its bar; the GPTs, two models trained once each, are even *less* orthogonal than
# chance. (In the others, only the words could have turned: waves are fixed.) Nor is it needed to be orthogonal:

# %% tags=["S10"]
read, chance_read = (
    probe_accuracies(rows[4:], waves),
    probe_accuracies(rows[4:], waves, shuffled=True),
)
print(f"translator, by means: word {read.word:.0%}, position {read.position:.0%}")
print(f"null: {chance_read.word:.0%}, {chance_read.position:.0%}")

# %% [markdown]
# The same as with a table that was never trained.
#
# ## Do heads pull them apart?
#
# Note 4 expects some heads to separate position and meaning. We ask each head of the translator's encoder: what of its
# *pattern* stays the same whichever words stand there? That is decided by position alone. The pattern is the logarithm
# of the head's weights, without each row's mean; we take it on 1000 texts of random words, and ask what share of its
# squares is left in the mean over the texts.

# %% tags=["S10"]
lengths = [4, 6, 8, 10, 12]
shares = torch.stack([position_fractions(translator, length) for length in lengths], dim=-1)
titles = "Layer 1: the words decide", "Layer 2: position counts too"
for layer, ax in enumerate(figures.panels(2)):
    lines = {f"head {head + 1}": shares[layer, head] for head in range(4)}
    ylabel = "share decided by position"
    figures.curves(lengths, lines, titles[layer], "tokens in a text", ylabel, ax=ax)

# %% [markdown]
# **In the picture:** a line for each head, over the length of the text. Layer 1 goes by the words. In layer 2 position on
# the whole counts for more in longer texts: with 4 tokens no head goes by position for the most part, with 10 tokens
# three do. As a control, the same model untrained, with the longest texts:

# %% tags=["S10"]
for seed in range(3):
    torch.manual_seed(seed)
    untrained = position_fractions(small_translator(english, chinese), length=12)
    print(f"not trained, 12 tokens: at most {untrained.max():.2f}")

# %% [markdown]
# There, position decides next to nothing. So heads do pull the two apart, by degrees: none is pure, and this is one model.

# %% [markdown]
# ## Before you go

# %%
ask("06.exit")

# %% [markdown]
# **What does a model get to see of a sentence?** One vector for each token, its row of the table times √d_model plus
# the row of its position; take the positions away, and all that is left is a set, in which 305 and 503 are the same.
