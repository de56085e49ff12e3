# %% [markdown] minutes=23
# # 20 · Do attention weights explain?
#
# So far, you have taken attention maps at face value. They look like reasons: the model wrote 4 *because* it attended to
# *forty*. Are they? In February 2019 a paper appeared with the title *Attention is not Explanation* ({jain2019}). In August
# came a reply, *Attention is not not Explanation* ({wiegreffe2019}). Titles will not settle the question, but experiments can
# help: you will hide words, replace weights and remove heads, and compare the results.
#
# About {minutes} minutes, and as long again for the parts under "Deeper". By the end, you will be able to
#
# * use a control to test what a large attention weight seems to say;
# * decide whether a head's output determines its weights;
# * say what follows, and what does not, when a model works without one of its heads.

# %%
from itertools import combinations

import numpy as np
import torch

from transformer_course import explorables, figures, models
from transformer_course.data import character_names, number_pairs
from transformer_course.embedding import pad_right
from transformer_course.exercises import ask, predict, reveal
from transformer_course.experiments.alternative_weights import (
    alternative_weights,
    head_rows,
    logits_with_weights,
)
from transformer_course.experiments.patching import at_the_digit, patched, swap, swaps
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
lit = ("cross-attention",)
ax = figures.architecture(*lit, title="Lesson 20: can you trust its map?", small=True)

# %% [markdown]
# <!-- picture -->
# the map from lesson 00. We begin with the filled box, because everything that the decoder knows about the
# source passes through it.
# <!-- end -->
#
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %% ask="20.recall"


# %% [markdown]
# ## Take the word away {#translator}
#
# We take the course's translator from English number words to Chinese numerals, not the one that you trained in lesson 15,
# because this lesson refers to particular heads and results. Take the number 340,200. English counts *three hundred and
# forty* thousand. Chinese counts *thirty-four* ten-thousands, and the whole number is 3 10 4 10⁴ 0 2 100.

# %%
translator, vocabularies = models.load("translator")
english, chinese = vocabularies["source"], vocabularies["target"]


def ids(words, numerals):
    return english.encode(words), [*chinese.encode(numerals), chinese.end]


words = ["three", "hundred", "and", "forty", "thousand", "two", "hundred"]
source, target = ids(words, "三十四万零二百")

# %% [markdown]
# If the model wrote 4 because of *forty*, it should not write 4 *without* that word. So we hide *forty* with a mask, as we
# hide padding, from both encoder and decoder. How does the probability of each correct token change?


# %% tags=["S23"]
@torch.no_grad()
def p_correct(encoder_sees, decoder_sees):
    inputs, labels = shift(torch.tensor([target]))
    memory = translator.encoder(translator.source(torch.tensor([source])), encoder_sees)
    p = translator.decode(inputs, memory, decoder_sees).softmax(-1)
    return p.gather(-1, labels[..., None])[0, :, 0]


names = ["3", "10", "4", "10⁴", "0", "2", "100", "end"]
every = torch.ones(1, 1, len(words), dtype=torch.bool)
seen = every.clone()
seen[..., words.index("forty")] = False
changes = zip(names, p_correct(every, every), p_correct(seen, seen), strict=True)
for name, before, after in changes:
    print(f"{name:>4}: {before:.1f} → {after:.1f}")

# %% [markdown]
# This is an experiment: we change one thing and see what follows. An explanation that says what the model really did is
# **faithful**. One that merely convinces us is **plausible** ({jacovi2020}). An attention map easily looks plausible.
# Whether it is faithful has to be tested.
#
# Next, we hide each word in turn. Beside the result are the cross-attention weights of the last layer, averaged over its
# four heads:

# %% tags=["S23"]
rows = source_rows(translator, source, target)
weights = torch.stack([row.weights[-1] for row in rows])
lost = 1 - torch.exp(-torch.stack([row.drops for row in rows]).clamp(min=0))  # a fraction of p
columns = ["three", "hund.", "and", "forty", "thou.", "two", "hund."]
left, right = figures.panels(2, 5.4, 5.2)
ax = figures.heatmap(weights, names, columns, "Weight", digits=1, ax=left)
ax = figures.heatmap(lost, names, columns, "Lost when the word is hidden", digits=1, ax=right)

# %% [markdown]
# <!-- picture -->
# each row is a token to be written, each column a word.
# <!-- left -->
# a cell is the weight itself.
# <!-- right -->
# it is the fraction of the token's probability that is lost when the word is hidden. Many dark cells match. But look at the
# row `10`. Half of its weight is on the last *hundred*, yet hiding that word costs nothing. *Thousand* has a weight of about
# 0, yet without it the token is lost. ("Deeper" shows why.)
# <!-- end -->
#
# One number proves little. We take three samples of 60 numbers that the model did not see in training, with about 600 rows
# (tokens to be written) each. As a control, we also shuffle the weights of each row among its words. A shuffled row is just as
# sharp as before, but points at other words.

# %% predict="20.translator"


# %% tags=["S23"]
pairs = [ids(*pair) for pair in number_pairs(train=1, test=180).test]
of_numbers = []
for sample in (pairs[:60], pairs[60:120], pairs[120:180]):
    of_numbers.append(
        [row for s, t in sample if len(s) > 2 for row in source_rows(translator, s, t)]
    )
for rows in of_numbers:
    found, shuffled = agreement(rows), agreement(rows, seed=0)
    print(f"the same word: {found.top[-1]:.1f}; weights shuffled: {shuffled.top[-1]:.1f}")
reveal("20.translator")

# %% [markdown]
# ## The same test for a GPT {#gpt}
#
# One model and one task: perhaps we were lucky. `gpt-pre` has six blocks and continues the names of Unicode characters, such
# as `GREEK SMALL LETTER …`, letter by letter. From the sixth position on, we hide each earlier token in turn, in all layers,
# and look at the next letter. We compare the result with the weights of the *last* layer, averaged over its heads. (The token
# at the position itself is left out: a mask cannot remove it from its own residual stream.) In about 8% of the rows, chance
# alone would put the largest weight on the token that costs most to hide.

# %% predict="20.gpt"


# %% tags=["S23"]
def near(fraction):
    return round(20 * float(fraction)) / 20  # to the nearest 0.05


gpt, vocabularies = models.load("gpt-pre")
text = vocabularies["text"]
written = [name for name, _ in character_names().test if len(name) > 5]
unseen = [torch.tensor([*text.encode(name), text.end]) for name in written[:60]]
of_letters = []
for sample in (unseen[:20], unseen[20:40], unseen[40:60]):
    of_letters.append([row for name in sample for row in earlier_rows(gpt, name)])
for rows in of_letters:
    found, shuffled = agreement(rows), agreement(rows, seed=0)
    print(f"the same token: {near(found.top[-1])}; weights shuffled: {shuffled.top[-1]:.1f}")
reveal("20.gpt")

# %% [markdown]
# Why is this map so much worse? The two tests differ in more than one way, so we cannot be sure. A likely reason is that the
# vector at a letter's position in layer 6 no longer stands for that letter: after five layers, it is a mixture of all the
# letters so far. A letter also reaches the answer by many paths, through other positions and layers, and one map shows one
# step of one path.
#
# ## Weight times what? {#contributions}
#
# Within a single head, too, a large weight can mislead. The head's output is a sum of *weight times value*. So token $j$, with
# weight $a_j$ and value $v_j$, adds a vector of length $a_j \Vert v_j \Vert$. This is the token's **contribution**
# ({kobayashi2020}).
#
# <!-- paper -->
# **Your turn, on paper.** Fill in the gaps.
#
# | token | weight | value | length of the value | contribution |
# | --- | --- | --- | --- | --- |
# | *red* | 0.6 | [0.1, 0] | 0.1 | ____ |
# | *car* | 0.3 | [0, 1] | 1 | ____ |
# | *orange* | 0.1 | [4, 3] | ____ | ____ |
#
# <!-- compare -->
# <details><summary>Compare</summary>The contributions are 0.06, 0.3 and 0.5 (the last value has length 5). They rank the
# tokens in the opposite order to the weights.</details>
# <!-- end -->
#
# (A layer multiplies the outputs of its heads by $W_O$, which changes these lengths once more. The sheet and "Deeper" include
# $W_O$.)
#
# ## Does the output determine the weights? {#same-output}
#
# There is a more serious doubt. Suppose that *red*, *car* and *orange* have values of a single number each: 0, 1 and 2. A
# query gives them the weights 0.2, 0.6 and 0.2. Its output is 0.6 · 1 + 0.2 · 2 = 1.

# %% predict="20.twin"


# %% tags=["E16"] jupyter={"source_hidden": true}
values, weights = np.array([0.0, 1.0, 2.0]), np.array([0.2, 0.6, 0.2])
null = np.array([1.0, -2.0, 1.0])
for step in (0, 0.1, 0.2, 0.3):
    other = weights + step * null
    print(other.round(1), "sum", other.sum().round(4), " output", (other @ values).round(4))
reveal("20.twin")

# %% [markdown]
# The row [1, −2, 1] is a **null vector** of this head: its numbers sum to 0, and so do its numbers times the values. Adding a
# multiple of it to the weights therefore changes neither their sum nor the output. The multiple can grow until a weight
# reaches 0. In the last line, *car*, which had the largest weight, has none at all. Nothing after this head can tell the
# difference.
#
# When is there a null vector? It has $m$ numbers, one for each token, and has to satisfy $d_v + 1$ equations: one for each of
# the $d_v$ numbers of the output, and one for the sum. Here, three numbers had to satisfy two equations, which leaves one
# free. With more numbers than equations, $m > d_v + 1$, there is always a null vector. Otherwise there is usually none (unless
# the values depend on one another, for example because two tokens have the same value; {brunner2019}). In our translator $d_v
# = 32$, and our sentences have at most 14 words. So there, the output almost certainly determines the weights. In most large
# models, where texts are longer than a head is wide, it does not.
#
# ## Removing heads {#heads}
#
# You can also take away a whole head. The translator has 24 heads: four in each of its six attention layers. To silence one,
# we replace its output with zeros.

# %%
ax = figures.schematic("interventions")

# %% [markdown]
# <!-- picture -->
# one head, and the three places where this lesson intervenes.
# <!-- end -->
#
# We measure the fraction of 200 unseen numbers that are translated without a mistake.

# %% tags=["E29"]
pairs = [ids(*pair) for pair in number_pairs(train=1, test=600).test]
thirds = [list(zip(*pairs[k : k + 200], strict=True)) for k in (0, 200, 400)]
samples = [[pad_right(side) for side in third] for third in thirds]
all_heads = heads_of(translator)


def without(*gone, sample=1, instead=None):
    with silenced(translator, gone, instead):
        return exact_match_rate(translator, *samples[sample])


print("all heads at work:", near(without()))
single = {"Zeros": np.array([without(head) for head in all_heads])}
print("one silenced: median", near(np.median(single["Zeros"])), end=", ")
print("worst of the 24", near(min(single["Zeros"])))

# %% [markdown]
# So whichever head you silence, at most about 5% of the numbers are lost, and usually far fewer. (The fractions are rounded to
# the nearest 0.05.) Now look at the last cross-attention, whose map you saw above. Each of its four heads can be silenced
# alone at little cost.

# %% predict="20.four"


# %% [markdown]
# First try it on 340,200, the number from the beginning. All 24 heads are here: each row shows where a head looks from the
# token that you click, and each arrow shows what the model predicts after a token.

# %% tags=["E29"]
numerals = dict(zip("三十四万零二百一", [*names[:-1], "1"], strict=True))
outputs = [numerals.get(token, token) for token in chinese.tokens]
both_sides = torch.tensor([source]), torch.tensor([[chinese.begin, *target[:-1]]])
task = "Remove the heads of the last cross-attention, one at a time and then all four."
explorables.heads(translator, *both_sides, words, ["begin", *names[:-1]], outputs, task)

# %% [markdown]
# That is one number. Now we take 200 numbers, three times:

# %% tags=["E29"]
last = [head for head in all_heads if head[0] == "decoder.layers.1.cross_attention"]
rates = [near(without(*last, sample=k)) for k in range(3)]
print("all four silenced, three samples of 200:", rates)
reveal("20.four")

# %% [markdown]
# So "this head can be removed" is a statement about one head *among the others*. In larger models, too, many heads can be
# removed at little cost ({michel2019}; {voita2019}, who kept training the model as heads were removed). That does not show
# that they did nothing.
#
# ## Before you go {#exit}

# %% ask="20.exit"


# %% [markdown]
# <!-- answer -->
# **Do attention weights explain?** They say exactly how a head mixed its values, and no more. In our translator, they
# usually pointed at the word that mattered; in our GPT, they rarely did. A large weight is a hint. To find out whether it
# is a reason, take something away, compare with a control, and measure.

# %% [markdown]
# To take away:
#
# <!-- takeaway -->
# * A large weight on a short value contributes little: a contribution is $a_j \Vert v_j \Vert$.
# * With more than $d_v + 1$ tokens, many different rows of weights give a head the same output.
# * A head that can be removed alone may still be needed when others are removed too.
# <!-- end -->
#
# The next time that a picture of attention convinces you, ask what happened when somebody hid the word that it points at. In
# [stage B5](../exercises/B5_an_encoder_and_a_decoder.ipynb) of the Build you write the cross-attention whose map you have
# tested here.
#
# To read next, both sides of the debate:
#
# <!-- readings -->
# * {jain2019}: other weights, and nearly the same prediction.
# * {wiegreffe2019}: what such weights show, and what they do not.
# * {brunner2019}: when a head's output determines its weights.
# * {michel2019}: how many heads can be removed after training.

# %% [markdown]
# ## Deeper {#deeper}
#
# You can read each of these parts on its own; nothing later needs them.
#
# ### How does *thousand* reach the token 10?
#
# In the first map, *thousand* had a weight of about 0 in the row `10`, and still the token was lost without it. (Only
# *thousand* turns *three hundred* into 3 10.) Perhaps it arrives inside the vectors of other words, which the encoder has
# mixed. So we hide it from one side at a time:

# %% tags=["S23"]
seen = every.clone()
seen[..., words.index("thousand")] = False
for side, masks in {"encoder": (seen, every), "decoder": (every, seen)}.items():
    p = dict(zip(names, p_correct(*masks), strict=True))
    print(f"hidden from the {side} alone: 10: {near(p['10'])}, 10⁴: {near(p['10⁴'])}")

# %% [markdown]
# Hiding *thousand* from the decoder alone makes no difference to `10`; hiding it from the encoder alone does. So for `10`, the
# information about *thousand* arrives inside the vectors of other words. For `10⁴` it is the other way round: the decoder has
# to see *thousand* itself.
#
# Which heads could carry *thousand* into another word's vector? In the core, under "Removing heads", you see all 24. **Click
# the first *hundred* there. Which two heads look almost only at *thousand*? Does the model still predict 10 without one of
# them?**
#
# <!-- compare -->
# <details><summary>Compare</summary>Head 4 of the encoder's first layer (weight 0.93) and head 1 of its second (0.98). With only one
# of them removed, the model still predicts 10. From the token 3, after which it writes 10, most heads of the cross-attentions
# look at this <em>hundred</em>.</details>
# <!-- end -->
#
# So the maps suggest a path: from *thousand* into *hundred*, and from there to `10`. And they suggest why neither head is
# missed: the other one is still there. We test that by silencing both, and compare with the other 27 pairs of the
# encoder's heads:

# %% tags=["S23"]
encoder_heads = [head for head in heads_of(translator) if head[0].startswith("encoder")]
suspects = (encoder_heads[3], encoder_heads[4])  # head 4 of layer 1, head 1 of layer 2


def p_10(*gone):
    with silenced(translator, gone):
        return p_correct(every, every)[1].item()


others = [pair for pair in combinations(encoder_heads, 2) if pair != suspects]
print("p(10) with all heads:", near(p_10()))
print("without one of the two:", *(near(p_10(head)) for head in suspects))
print("without both:", near(p_10(*suspects)))
print("without any other pair: at least", near(min(p_10(*pair) for pair in others)))

# %% [markdown]
# Without both, the probability of `10` is only 0.4. No other pair of the encoder's heads does that much harm. Here a map was
# worth having, because it told us what to remove. But one number proves little. We also tried 200 unseen numbers in which
# *hundred* comes before *thousand*: without the two heads, 94.5% are still right, and without any other pair, at least 98.5%.
# So for most of these numbers, there are other paths.
#
# ### Put in a vector from another run
#
# Hiding a word removes everything that depends on it. **Activation patching** is finer ({meng2022} call their form of it
# *causal tracing*). The translator reads 340,200, but a single vector, at one position after one layer, comes from its run on
# 360,200. If it then writes 6 in place of 4, this vector carries the digit. We measure by how much the logit of 6 exceeds that
# of 4, on a scale from 0 (the run on 340,200) to 1 (the run on 360,200).
#
# The two numbers differ in one word: *forty* or *sixty*. So at the encoder's input, only that word's vector can carry the
# digit. The input is our control. Then come two layers, in which each word attends to all the others.

# %% predict="20.patching"


# %% tags=["S23"]
pair = swap(340_200, 360_200)
stacks = {"Encoder": columns, "Decoder": ["begin", *names[:-1]]}
for ax, (stack, read) in zip(figures.panels(2, 5.4, 3), stacks.items(), strict=True):
    shares = patched(translator, english, chinese, pair, stack.lower()).clamp(min=0)
    ax = figures.heatmap(shares, ["input", "layer 1", "layer 2"], read, stack, digits=1, ax=ax)
reveal("20.patching")

# %% [markdown]
# <!-- picture -->
# each cell is the effect of one vector from the run on 360,200. Rows are the input and the outputs of the two layers.
# <!-- left -->
# columns are words. The digit stays where it came in.
# <!-- right -->
# columns are the tokens that the decoder reads. After `10`, it has to write 4 or 6. A little of the digit is there after the
# first layer, and all of it after the second.
# <!-- end -->
#
# Now we do the same for thirty numbers, three times over, each time with one digit replaced by another:

# %% tags=["S23"]
for seed in range(3):
    at = at_the_digit(translator, english, chinese, swaps(30, seed))
    for stack in ("encoder", "decoder"):
        print(f"{stack}:", *(f"{near(share):.2f}" for share in at[stack]), end="; ")
    elsewhere = max(at["encoder, elsewhere"].max(), at["decoder, elsewhere"].max())
    print(f"elsewhere at most {near(elsewhere):.2f}")

# %% [markdown]
# So the digit waits at its word until the decoder fetches it, about a third in the first layer and the rest in the second.
# By contrast, *thousand*, a word of the same sentence, had to reach the vectors of other words, as an earlier part showed.
#
# What a patch shows is that a vector is *enough*. It does not show that a vector with no effect carries nothing: as with the
# heads, a second copy elsewhere may outvote it.
#
# ### Where does the translator's map miss?
#
# We say that a word *matters* to a token if hiding it lowers log p by more than 0.1, that is, lowers p by more than about a
# tenth.

# %% tags=["S23"]
for rows in of_numbers:
    counts = [int((row.drops > 0.1).sum()) for row in rows]  # how many words matter
    where = [row for row, count in zip(rows, counts, strict=True) if count]
    missed = [k for k, row in enumerate(rows) if row.weights[-1].argmax() != row.drops.argmax()]
    print("some word matters in", near(len(where) / len(rows)), end="; ")
    print(f"exactly one in {counts.count(1) / len(where):.1f} of these;", end=" ")
    print("there the same word:", near(agreement(where).top[-1]), end="; ")
    print(f"in {near(np.mean([counts[k] == 0 for k in missed]))} of the misses, no word matters")

# %% [markdown]
# In about one row in three, no word matters: hiding a single word lowers the token's probability by no more than about a
# tenth, perhaps because the target so far already determines it. Most misses are in these rows. Without them, the weights find
# the word in about 95% of the rows. It helps that most tokens depend mainly on a single word, and that nothing from the source
# reaches the decoder except through cross-attention.
#
# The **correlation** of two lists of numbers is 1 when they rise and fall together, and 0 when they have nothing to do with
# each other. For each row, we compute it for the words' weights and the drops in log p, and take the mean:

# %% tags=["S23"]
for rows in of_numbers:
    found, shuffled = agreement(rows), agreement(rows, seed=0)
    print(f"correlation: {found.correlation[-1]:.1f};", end=" ")
    print(f"weights shuffled: {abs(shuffled.correlation[-1]):.1f}")

# %% [markdown]
# ### Every layer, and contributions

# %% tags=["S23"]
panels = {"Translator: words": of_numbers, "GPT: earlier letters": of_letters}
for ax, (title, by_sample) in zip(figures.panels(2, 5.0), panels.items(), strict=True):
    lines = {
        "largest weight": [agreement(rows).top for rows in by_sample],
        "largest contribution": [agreement(rows, "contributions").top for rows in by_sample],
        "weights shuffled": [agreement(rows, seed=0).top for rows in by_sample],
    }
    layers = range(1, len(by_sample[0][0].weights) + 1)
    figures.curves(layers, lines, title, "layer", "fraction of rows", ax=ax)
for plain, added in zip(lines["largest weight"], lines["largest contribution"], strict=True):
    assert added[0] > plain[0] + 0.08  # the GPT's first layer

# %% [markdown]
# <!-- picture -->
# how often the token with the largest weight, or with the largest contribution, is also the one that costs
# most to hide. Lines are medians of three samples, and bands show the range. On the left is the translator's cross-attention,
# at 0.7 to 0.8. On the right is the GPT. Its weights do best in layers 2 and 3, where they point at that token in about one
# row in three.
# <!-- end -->
#
# Here a token's contribution is the length of what all heads of a layer together add for it, $W_O$ included. In the GPT's
# *first* layer, contributions are a better guide than weights: the fraction rises from about 0.15 to 0.27. In its other
# layers, and in the translator, the two are nearly equal.
#
# ### Other weights in a trained model
#
# The GPT's heads have $d_v = 32$ too, but some character names are longer. Here are three names of 71 characters (72 tokens
# with `<begin>`). The library's `alternative_weights` looks for a row with the same output that gives as little as possible to
# the token with the largest weight. It follows a null vector until some weight is 0, then another null vector, until none is
# left. We run it for the last position of each name, in each of the 24 heads.

# %% tags=["E16"]
long_names = (
    "RIGHTWARDS HARPOON WITH BARB UP ABOVE RIGHTWARDS HARPOON WITH BARB DOWN",
    "BOX DRAWINGS LIGHT DIAGONAL MIDDLE LEFT TO UPPER CENTRE TO MIDDLE RIGHT",
    "BOX DRAWINGS LIGHT DIAGONAL UPPER CENTRE TO MIDDLE LEFT TO LOWER CENTRE",
)
gpt = gpt.double()
tokens = [torch.tensor([text.begin, *text.encode(name)]) for name in long_names]
heads = [head_rows(gpt, each) for each in tokens]
others = [[[alternative_weights(*head) for head in layer] for layer in name] for name in heads]

# %% tags=["E16"]
letters = ["·", *long_names[0].replace(" ", "_")]
trained_row, other_row = heads[0][5][2][0], others[0][5][2]
for row, title in ((trained_row, "Layer 6, head 3: trained"), (other_row, "The same output")):
    ax = figures.bars(row, letters, title, "weight", ax=figures.panels(1, 13, 2.2)[0])
    _ = ax.set(ylim=(0, 0.1), xlim=(-1, 72))

# %% [markdown]
# <!-- picture -->
# the weights over the 72 tokens (`·` is `<begin>`, `_` a space), first the trained ones, then an alternative with exactly the
# same output. Some bars have grown and many are gone, including the tallest of the first row.
# <!-- end -->
#
# Not every head allows that. How much of its largest weight does each head have to keep, as far as this search can tell? For
# the heads that keep little and for those that keep most of it, we also print what fraction of the row's weight has moved in
# all, and what fraction of its weights is below 0.001 (medians). There is almost nothing to take from weights this small. The
# three counts of heads are for the three names.


# %% tags=["E16"]
def in_one_list(names):
    return [row for name in names for layer in name for row in layer]


rows = list(zip(in_one_list(heads), in_one_list(others), strict=True))
kept = np.array([other[w.argmax()] / w.max() for (w, _), other in rows])  # of the largest weight
changed = np.array([abs(w - other).sum() / 2 for (w, _), other in rows])  # of the whole row
tiny = np.array([np.mean(w < 0.001) for (w, _), _ in rows])  # weights that cannot fall further
for title, such in {"under a tenth": kept < 0.1, "over four fifths": kept > 0.8}.items():
    print(f"keep {title}: {such.reshape(3, 24).sum(1)} of 24 heads;", end=" ")
    print("of the row's weight moved:", near(np.median(changed[such])), end="; ")
    print("weights below 0.001:", near(np.median(tiny[such])))

beginning = head_rows(gpt, tokens[0][:33])  # m = d_v + 1
alone = [np.allclose(alternative_weights(w, v), w) for layer in beginning for w, v in layer]
print("with 33 tokens, heads without an alternative:", sum(alone), "of", len(alone))

# %% [markdown]
# In some heads, at least nine-tenths of the largest weight can go, though most of the row stays where it was. In others, less
# than a fifth of it can go: many more of their weights are nearly 0 already, and cannot become negative. With 33 tokens, which
# is $d_v + 1$, no head has an alternative.
#
# ### Both sides of the debate
#
# These alternatives keep the output of each head *exactly*. {jain2019} asked only for nearly the same final prediction, and
# found very different weights for it, in recurrent networks with a single attention layer.
#
# We put all 24 alternatives into the model at once and compare the logits at the last position, those of the next letter.
# As a control, we shuffle the weights of each head. Then we use the alternatives of the *first* name for the other two
# names. The control for this is the trained weights of the first name.


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
same = moved(0, alternative_weights)
print(f"largest change of a logit: alternatives {same:.6f}, shuffled {mixed:.1f}")
for title, borrowed in {"its alternatives": others[0], "its trained weights": trained}.items():
    print(f"on the other names, {title}:", [round(moved(k, in_turn(borrowed)), 1) for k in (1, 2)])

# %% [markdown]
# With the alternatives, no logit changes. Shuffled weights change the logits a lot, so it is not true that *any* weights
# will do.
#
# Here is the other side. Used for a different name, the alternatives change the logits a lot, but so do the first name's
# trained weights. Each set of weights belongs to one text. The difference is that the model computes new weights for each text,
# from queries and keys, whereas we found the alternatives afterwards, for one text. We have not tested whether a model could
# learn to compute such weights for every text. {wiegreffe2019} make this their main point: what matters is whether a *model*
# can be trained to give the same answers while attending elsewhere, on all texts.
#
# ### Zeros, or the mean?
#
# A head that outputs zeros gives the next layer something that it may never have met. It is also common to let the head
# output, for every token, its mean output over many tokens. Then only what differs from token to token is removed. The mean is
# not a natural output either: it is usually a vector that the head never outputs. (Ours also includes the padding of the
# shorter sentences.) Do the two ways agree?

# %% tags=["E29"]
means = mean_outputs(translator, *samples[0])
single["Its mean"] = np.array([without(head, instead=means) for head in all_heads])
blocks = ["enc 1", "enc 2", "dec 1 self", "dec 1 cross", "dec 2 self", "dec 2 cross"]
modules = dict(all_heads)  # the six attentions
fours = [[head for head in all_heads if head[0] == name] for name in modules]
columns = ["head 1", "head 2", "head 3", "head 4", "all four"]
for ax, (title, rates) in zip(figures.panels(2, 5.6, 4.4), single.items(), strict=True):
    instead = means if title == "Its mean" else None
    together = [without(*four, instead=instead) for four in fours]
    table = np.column_stack([rates.reshape(6, 4), together])
    figures.heatmap(table, blocks, columns, f"Replaced by: {title.lower()}", digits=2, ax=ax)

# %% [markdown]
# <!-- picture -->
# each row is one attention sublayer. Each cell gives the fraction of 200 numbers still translated correctly without
# that head or, in the last column, without all four. With either replacement, removing a single head costs at most 6%.
# Only the encoder's first attention can do without all four heads.
# <!-- end -->
#
# Do four heads cost so much because they belong to the same attention? As a control, we draw four heads at random from all 24,
# twenty times.

# %% tags=["E29"]
rng = np.random.default_rng(0)
drawn = [[all_heads[i] for i in rng.permutation(24)[:4]] for _ in range(20)]
some = [without(*four) for four in drawn]
print(f"four heads at random: median {near(np.median(some))}, worst {near(min(some))}")

# %% [markdown]
# Four random heads usually cost little, though not in every draw. In five of the six sublayers, silencing all four heads
# costs more than the median of these draws. This fits the idea that heads of the same attention stand in for each other. But it
# is no proof, because removing all four heads removes a whole sublayer.
#
# ### Does each head have its own job?
#
# You may also read that one head attends to grammar and another to meaning. You can sometimes find such heads: {voita2019}
# found some for neighbouring words, for syntax and for rare words. But nothing in the loss requires such jobs. A head's number
# means nothing either: swap two heads together with their rows of $W_O$, and the layer's sum is the same. So you have to look
# for a head's job in each trained model separately. Ours is one model from one seed. What we found about its heads holds for
# this model, and need not hold for one trained from another seed.
