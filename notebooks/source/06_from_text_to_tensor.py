# %% [markdown]
# # 06 · From text to tensor: what does a model get to see of a sentence?
#
# So far tokens simply *were* vectors. Now you go from a string to these vectors, and back. On the way you shuffle a
# sentence and find out what attention notices; and you ask how one vector can say both which word it is and where it
# stands.
#
# About 30 minutes. Afterwards you can
#
# * go from a string to the first tensor of a model and back, and say what cannot come back;
# * say what the factor √d_model is for, and when it does that;
# * find out what attention knows of the order of its tokens;
# * read word and position from one vector, and test whether training has kept them apart.

# %% [markdown]
# **Recall** (click an answer to see what it leads to).
#
# *Two heads share 32 columns. What does the second head cost, compared with one head of 32?* (lesson 05)
# <details><summary>Twice the parameters</summary>The columns are shared out, 16 and 16: as many as before.</details>
# <details><summary>Width: each head's queries and keys are half as wide</summary>Yes. And there is one more table of
# weights.</details>
# <details><summary>Nothing at all</summary>No further parameters; but narrower queries and keys, and one more table of
# weights.</details>

# %% [markdown]
# *Queries and keys hold independent numbers of standard deviation 1. How far do their dot products spread?* (lesson 03)
# <details><summary>About 1</summary>A dot product adds d_k products up; its spread grows with their number.</details>
# <details><summary>About √d_k</summary>Yes. The variances of d_k products add up to d_k.</details>
# <details><summary>About d_k</summary>d_k is the variance. The spread is its root.</details>

# %%
import math

import torch

from transformer_course import figures, models
from transformer_course.attention import MultiHeadAttention, causal_mask
from transformer_course.decoding import greedy
from transformer_course.embedding import pad_right
from transformer_course.exercises import reply
from transformer_course.experiments.two_readers import (
    overlap,
    position_shares,
    read_both,
    readings_by_width,
    turned_overlaps,
)
from transformer_course.models.recipes import small_translator
from transformer_course.positions import sinusoidal_encoding

torch.set_num_threads(1)

# %% [markdown]
# ## From a string to ids
#
# This course has a small trained translator, from English number words to Chinese numerals. You train one yourself in
# lesson 15. First a text is cut into **tokens**. Here an English token is a word, and a Chinese one a single character:

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
# Some tokens stand for no word of the language: **special tokens**. Note 2 gives two as the Transformer's, [CLS]
# before a text and [SEP] after it.
#
# **Predict.** What does this translator's vocabulary make of `[CLS]`?
#
# * `"a"`: the id of its token for the beginning
# * `"b"`: the id of "unknown", as for any word that it does not know
# * `"c"`: an error, since it is no word

# %%
guess = ...

# %% tags=["E15"]
print("ids 0 to 3:", english.tokens[:4])
print("[CLS]:", english.encode(["[CLS]"]))

# %%
reply("06.cls", guess)

# %% [markdown]
# Whatever is not in the vocabulary gets the id 3, "unknown". From here on all such words are the same token, and on the
# way back nobody can say which was which:

# %% tags=["S2"]
ids = english.encode(["three", "hundred", "and", "a", "half"])
print(ids, english.decode(ids))

# %% [markdown]
# [CLS] and [SEP] belong to BERT, a later relative (lesson 18). There the output at [CLS] is used to judge the whole
# text, and [SEP] ends each part. The original Transformer *writes*: it needs a token to **begin** with, one that says
# **end**, and **padding** to fill a batch up (lesson 04).

# %% tags=["S2", "E15"]
print(chinese.decode([1, 7, 16, 17, 10, 2, 7, 7]))  # begin, 三百零五, end, and what comes after
print(pad_right([chinese.encode("三百零五"), chinese.encode("七")]))

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
# position is added. Note 4 says that the numbers then lie near ±1 too. Then neither would drown the other.
#
# We try it: 36 tokens of width 128, in a table as torch makes it, `nn.Embedding`, where each number has a standard
# deviation of 1. Times √128 = 11.3, plus the waves. The square of a vector's length is the sum of its squared numbers;
# so we can ask what share of the squares comes from the positions.
#
# **Predict.** What share is it?
#
# * `"a"`: about a half
# * `"b"`: about a third: a wave's squares are 0.5 on average, those of the table 1
# * `"c"`: less than 1 %

# %%
guess = ...

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
shares = {}
for name, words in starts.items():
    shares[name] = waves.square().mean() / (waves.square().mean() + words.square().mean())
    print(f"{name:10}  spread {words.std():5.2f}, positions' share {shares[name]:.3f}")

# %%
reply("06.root", guess)

# %% tags=["S2"]
ax = figures.bars(list(shares.values()), list(shares), "How much of the sum is position?")

# %% [markdown]
# **In the picture:** four bars for four tables, by the standard deviation at the start, without and with the factor.
# Tables 1 and 4 are equal: a third is position. In the second, positions drown; in the third, words do.
#
# So the factor is not good in itself: what counts is start times factor. Note 4 is right for a table that starts at
# 1/√d, as in the original authors' program and in this course. The paper gives no reason for the factor. One may be
# that there the same table also makes the last scores (lesson 14), which should start small.

# %% [markdown]
# ## And back
#
# From a vector back to its token: take the row of the table that is nearest. But positions have been added, and each is
# a shift of length 8:

# %% tags=["S2"]
rows = translator.source.embedding.table.detach() * math.sqrt(d)  # the trained table, 36 × 128
print("length of each position:", f"{waves.norm(dim=1).min():.1f} to {waves.norm(dim=1).max():.1f}")
print(f"half the distance between two words: about {torch.pdist(rows).median() / 2:.0f}")

# %% [markdown]
# **Predict.** Each of the 36 tokens at each of 20 positions makes 720 vectors. We do *not* take the position off. For
# how many is the nearest row that of another token?
#
# * `"a"`: none
# * `"b"`: about half: a shift of 8 is as long as half the way to another token
# * `"c"`: all but those at position 0

# %%
guess = ...

# %% tags=["S2"]
sums = (rows[:, None] + waves).flatten(0, 1)
token = torch.arange(36).repeat_interleave(20)
found = torch.cdist(sums, rows).argmin(dim=1)  # cdist: all distances between the two
print((found != token).sum().item(), "of 720 are nearer to another token")

# %%
reply("06.back", guess)

# %% [markdown]
# A shift only leads astray if it goes *towards* another row, and in 128 dimensions two directions that have nothing to
# do with each other are nearly at a right angle. In few dimensions it is otherwise. Random tables of the same spread:

# %% tags=["S2"]
for width in (2, 8, 32, 128):
    wrong = []
    for seed in range(3):
        some = torch.randn(36, width, generator=torch.Generator().manual_seed(seed))
        moved = (some[:, None] + sinusoidal_encoding(20, width)).flatten(0, 1)
        wrong.append((torch.cdist(moved, some).argmin(1) != token).float().mean().item())
    print(f"width {width:3}: wrong in {min(wrong):.0%} to {max(wrong):.0%} (three seeds)")

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
#
# **Predict.** In the second sentence, `three` stands last and has `and` beside it. How does its output differ from that
# in the first?
#
# * `"a"`: it differs, since its neighbours have changed
# * `"b"`: it differs, but only a little: the same words take part
# * `"c"`: it is the same

# %%
guess = ...


# %%
def same_but_shuffled(attention, first, second, mask=None):
    (out_1,), (out_2,) = (attention(x[None], x[None], x[None], mask) for x in (first, second))
    return torch.allclose(out_1[moved_to], out_2, atol=1e-5)


for seed in range(3):
    torch.manual_seed(seed)
    attention = MultiHeadAttention(d, num_heads=4)
    without = same_but_shuffled(attention, a, b)
    added = same_but_shuffled(attention, a + waves[:4], b + waves[:4])
    print("the same, but shuffled: without positions", without, " with them", added)

# %%
reply("06.shuffled", guess)

# %% [markdown]
# By hand: the output of `three` is a sum over all tokens, a weight times a value for each. Both depend on the two
# vectors alone. Another order of the tokens is another order of the summands. (In the computer, that may move the last
# digits.) Stack as many layers as you like: **without positions, attention gives the same rows, only shuffled.** In two
# dimensions:

# %%
words = {"three": (0.9, 2.3), "hundred": (1.8, 0.5), "and": (0.4, 1.1), "five": (2.9, 2.2)}
dots = torch.tensor(list(words.values()))
for ax, text in zip(figures.panels(2), (sentence, shuffled), strict=True):
    at = [text.split().index(word) for word in words]
    figures.plane(dots, dots + sinusoidal_encoding(4, 2)[at], list(words), text, ax=ax)

# %% [markdown]
# **In the picture:** each arrow leads from a word to the word plus its position. Where arrows begin, both panels are
# alike: without positions, the sentence is a set of points. Where they end, `three` and `five` have changed, `hundred`
# and `and` have not. Only now are there two sentences.
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
# in by itself. Decoders without any positions can do well (Kazemnejad et al. 2023).

# %%
print(
    "causal, without positions, the same rows:", same_but_shuffled(attention, a, b, causal_mask(4))
)

# %% [markdown]
# ## One vector, two readers
#
# Now that both are in one sum, can they be told apart again? In two dimensions it is easy to arrange: words along the
# first axis, positions along the second. The sum [3, 2] is then word 3 at position 2. But nobody arranges the axes of a
# model.
#
# A **probe** is a linear map that is fitted to read something from vectors. Ours has two, one for the word, one for the
# position, each with a number for each possible answer, of which the largest counts. They are fitted on 7 sums in 10
# and asked about the others. To be safe, a little noise is added to each sum. Our table is random: it was *never
# trained*. So are the positions this time, not waves; they spread by 0.7, as the waves do.
#
# **Predict.** 36 words, 20 positions, 64 dimensions. What do the probes read?
#
# * `"a"`: neither: a sum does not tell what was added
# * `"b"`: both, nearly always
# * `"c"`: the word nearly always, the position hardly better than chance: it is the smaller one

# %%
guess = ...

# %% tags=["S10"]
widths = [4, 8, 16, 32, 64, 128]
random_rows = readings_by_width(widths)  # three seeds at each width
with_waves = readings_by_width(widths, waves=True)
null = readings_by_width(widths, shuffled=True)
for part in ("word", "position"):
    print(f"{part}: right in over 95 % at width 64:", bool((random_rows[part][:, 4] > 0.95).all()))

# %%
reply("06.probes", guess)

# %% tags=["S10"]
arms = {"Random positions": random_rows, "Waves": with_waves}
for ax, (title, read) in zip(figures.panels(2, 5.0), arms.items(), strict=True):
    lines = {**read, "position, null": null["position"]}
    figures.curves(widths, lines, title, "width", "share read rightly", log="x", ax=ax)
ax.get_legend().remove()  # the left one holds for both

# %% [markdown]
# **In the picture:** what share of unseen sums is read rightly, at each width (the middle of three seeds, and their
# spread). The lowest line is the **null**: the same probes, fitted to labels that were shuffled, so that there is
# nothing to read. At width 4 much is lost; from 32 on, word and random position are both read nearly always. **Nobody
# trained the table: what keeps the two apart is width.** With waves, the exact position is read in about half of the
# cases at most, since neighbouring positions are nearly alike and the noise hides the difference; give or take one, it
# is read nearly always. (By chance, ± 1 would be right about three times as often as the line of the null.)

# %% tags=["S10"]
print("waves, position: all below 60 %:         ", bool((with_waves["position"] < 0.6).all()))
print(
    "waves, ± 1, from width 64: above 95 %:   ",
    bool((with_waves["position ± 1"][:, 4:] > 0.95).all()),
)
print("null: all below 10 %:                    ", bool((null["position"] < 0.1).all()))

# %% [markdown]
# ## Does training keep them apart?
#
# One often reads that a trained model makes words and positions orthogonal, at right angles. We measure it: the cosine
# of each word's row with each position's row, and the root of the mean of the squares. 0 would be orthogonal. But in
# 128 dimensions, any directions are nearly orthogonal. So we need a null here too: the same positions, turned at
# random.

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
chance = {name: turned_overlaps(*both) for name, both in tables.items()}
print("below all of 100 turns:", [name for name in measured if measured[name] < min(chance[name])])
print("above all of 100 turns:", [name for name in measured if measured[name] > max(chance[name])])

# %% tags=["S10"]
ax = figures.beside_chance(
    measured, chance, "Words and positions of trained models", "overlap (0 is orthogonal)"
)

# %% [markdown]
# **In the picture:** each row is a table of one of the course's trained models; a bar spans what 100 random turns gave,
# and the dot is what was measured. No dot lies to the left of its bar. Two lie to the right: the GPTs, which learn
# their positions, have words and positions *less* orthogonal than chance.
#
# So "orthogonal by training" is not what came out here (two GPTs, each trained once, are few; the four others have
# fixed waves, so that only their words could have turned away). Nor is it needed:

# %% tags=["S10"]
read = read_both(*tables["translator, English"])
print("word and position ± 1 right in over 95 %:", min(read.word, read.near) > 0.95)

# %% [markdown]
# The same as with a table that was never trained.
#
# ## Do heads pull them apart?
#
# Note 4 expects some heads to separate position and meaning. In the translator's encoder, two layers of four heads, we
# give each head 1000 texts of random words. What of its pattern stays the same whichever words stand there? That is
# decided by position alone. The control: the same model, not trained.

# %% tags=["S10"]
trained = position_shares(translator)
untrained = []
for seed in range(3):
    torch.manual_seed(seed)
    untrained.append(position_shares(small_translator(english, chinese)))
print("trained, layer 1: all below 0.2:       ", bool((trained[0] < 0.2).all()))
print("trained, layer 2: three above 0.5:     ", int((trained[1] > 0.5).sum()) == 3)
print("untrained, three seeds: all below 0.1: ", bool((torch.stack(untrained) < 0.1).all()))

# %% tags=["S10"]
heads = [f"{layer}.{head}" for layer in (1, 2) for head in (1, 2, 3, 4)]
left, right = figures.panels(2)
ax = figures.bars(trained.flatten(), heads, "Trained: decided by position", ax=left)
ax = figures.bars(untrained[0].flatten(), heads, "Not trained", ax=right)

# %% [markdown]
# **In the picture:** a bar for each head, "2.3" is the third head of layer 2. After training, layer 1 goes by the
# words, and in layer 2 three heads go by position more than by anything else. Before training, none does. So heads do
# pull the two apart, by degrees: none is pure, and this is one model. (The pattern is the logarithm of the weights,
# without its mean.)

# %% [markdown]
# ## Before you go
#
# *A model adds no positions and uses no mask. It is given "dog bites man" and "man bites dog". The outputs*
# <details><summary>differ a little</summary>By rounding at most. The sums are the same.</details>
# <details><summary>are the same three rows in another order</summary>Yes. Whatever reads them as a set gives the same
# answer for both.</details>
# <details><summary>are the same for "bites" only</summary>For "bites" as well; and "dog" has in the one sentence what
# "dog" has in the other.</details>

# %% [markdown]
# *Somebody takes `nn.Embedding` as it is, multiplies by √512, and adds waves. What is the trouble?*
# <details><summary>None: the factor brings both to ±1</summary>Only a table that starts at 1/√512. This one starts at
# 1.</details>
# <details><summary>The words drown in the positions</summary>They are about 30 times as large as the waves.</details>
# <details><summary>The positions drown in the words</summary>Yes: their share of the squares is 0.5 / (512 + 0.5), a
# thousandth.</details>

# %% [markdown]
# *Two linear maps read word and position from one vector, almost without a fault. What does this show about training?*
# <details><summary>It made the two orthogonal</summary>A random table does as well, and trained ones were no more
# orthogonal than chance.</details>
# <details><summary>Nothing, before the same was tried without training</summary>Yes. Width was enough.</details>
# <details><summary>It keeps the two in different dimensions</summary>Nobody arranges the axes. The probes find
# directions that lie askew.</details>

# %% [markdown]
# **What does a model get to see of a sentence?** One vector for each token, its row of the table times √d_model plus
# the row of its position; take the positions away, and all that is left is a set, in which 305 and 503 are the same.
