# %% [markdown]
# # 20 · Do attention weights explain?
#
# A map of attention is easily read as a reason: the model wrote 4 *because* it looked at "four". Note 2 says that the weights
# explain what a model decides. In this lesson you put that to the test. You hide words and see what it costs; you find other weights that give the very same output; and you
# silence heads, one by one and several at once.
#
# About 30 minutes. Afterwards you can
#
# * test what a weight claims, with a control, and say where it holds here and where it does not;
# * find by hand another row of weights with the same output, and say when there is one;
# * say what it shows when a head can be taken away, and what it does not.

# %% [markdown]
# **Recall** (click an answer to see what it leads to).
#
# *In a GPT with pre-norm, what does the last layer's attention add to?* (lesson 19)
# <details><summary>To the vector of the token, as the table has it</summary>That was several layers ago. All of them have
# added to it since.</details>
# <details><summary>To a stream into which all layers below have written already</summary>Yes. Keep that in mind when a weight
# of the last layer seems to point at one token.</details>
# <details><summary>To nothing: it replaces the stream</summary>Then there would be no residual connection (lesson
# 10).</details>

# %% [markdown]
# *In cross-attention, one row of weights belongs to* (lesson 13)
# <details><summary>a token of the target; it says which source tokens are mixed for it</summary>Yes: queries from the decoder,
# keys and values from the memory.</details>
# <details><summary>a token of the source; it says where its value goes</summary>That is a column. Rows sum to 1: each *query*
# shares out its attention.</details>
# <details><summary>a head</summary>Each head has a whole table of them.</details>

# %% [markdown]
# *A head's weights are fixed, and one value changes. How does the head's output change?* (lesson 09)
# <details><summary>By the change of the value, times its weight</summary>Yes: for fixed weights, attention is linear in the
# values. Today this line is turned round: the values are fixed, and the weights change.</details>
# <details><summary>By the change of the value</summary>Only with a weight of 1.</details>
# <details><summary>That cannot be said: softmax bends it</summary>Softmax made the weights. After that, it is a plain
# mixture.</details>

# %%
import numpy as np
import torch

from transformer_course import figures, models
from transformer_course.data import character_names, number_pairs
from transformer_course.embedding import pad_right
from transformer_course.exercises import reply
from transformer_course.experiments.neighbours import train_reporter
from transformer_course.experiments.removal import agreement, earlier_rows, source_rows
from transformer_course.experiments.spare_heads import exact, heads_of, silenced, usual
from transformer_course.experiments.twin_maps import head_rows, logits_with_other, twin
from transformer_course.training import shift

torch.set_num_threads(1)

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
def p_of_right(seen):
    inputs, labels = shift(torch.tensor([target]))
    memory = translator.encoder(translator.source(torch.tensor([source])), seen)
    p = translator.decode(inputs, memory, seen).softmax(-1)
    return p.gather(-1, labels[..., None])[0, :, 0]


names = ["3", "10", "4", "10⁴", "0", "2", "100", "end"]
seen = torch.ones(1, 1, len(words), dtype=torch.bool)
whole = p_of_right(seen)
seen[..., words.index("forty")] = False
for name, before, after in zip(names, whole, p_of_right(seen), strict=True):
    print(f"{name:>4}: {before:.1f} → {after:.1f}")

# %% [markdown]
# That is an experiment: one thing is changed, and we look at what follows. An explanation that passes it is called
# **faithful**: it says what the model really did. One that merely sounds right to us is called *plausible* (Jacovi and
# Goldberg 2020). A map of attention is always there, and nearly always plausible.
#
# Now all words in turn, beside the weights of the last layer's cross-attention (mean over its four heads):

# %% tags=["S23"]
rows = source_rows(translator, source, target)
weights = torch.stack([row.weights[-1] for row in rows])
lost = 1 - torch.exp(-torch.stack([row.drops for row in rows]).clamp(min=0))  # a share of p

# %% tags=["S23"]
columns = ["three", "hund.", "and", "forty", "thou.", "two", "hund."]
left, right = figures.panels(2, 5.4, 5.2)
ax = figures.heatmap(weights, names, columns, "Weight", digits=1, ax=left)
ax = figures.heatmap(lost, names, columns, "Lost when the word is hidden", digits=1, ax=right)

# %% [markdown]
# **In the picture:** a row for each token that is written, a column for each word. On the left, the weights. On the right, what
# share of the token's probability is lost when the word is hidden. Many dark cells are in the same place. But look at the row
# `10`: half of its weight is on the last *hundred*, and hiding that costs nothing. *Thousand* has no weight, and without it the
# token is lost: only *thousand* makes 3 10 of *three hundred*. What it says must have come by another way, perhaps inside the
# vectors of other words, which the encoder has mixed (lesson 12).
#
# One number proves little. We take three samples of 60 numbers that the model never saw, about 600 rows each. In how many of
# these rows is the word with the largest weight also the one whose hiding costs most? (By chance: in about one of ten.)
#
# **Predict.**
#
# * `"a"`: in nearly all: more than 95 of 100
# * `"b"`: in most: 65 to 90 of 100
# * `"c"`: in 20 to 40 of 100: the weights are only where it looks, not what it uses

# %%
guess = ...

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
    print(f"shuffled: {shuffled.top[-1]:.1f} and {abs(shuffled.correlation[-1]):.1f};", end=" ")
    matters = agreement([row for row in rows if row.drops.max() > 0.1]).top[-1]
    print(f"where a word matters, over 0.9: {bool(matters > 0.9)}")

# %%
reply("20.translator", guess)

# %% [markdown]
# The *correlation* is 1 where weights and costs rise and fall together, and 0 where they have nothing to do with each other; we
# compute it for each row, and take the mean. For the control, the weights of each row are shuffled among its words: just as
# sharp, but on other words. Nothing is left.
#
# Most of the misses are rows in which no word matters: the token is sure, whichever one is hidden, perhaps since the target's own
# tokens tell it. Leave these out (no hiding costs more than 0.1 in log p), and the weights find the word in more than 90 of 100 rows.
# So here the map is a very good pointer, and the row `10` above an exception. It helps that for most tokens **one** word
# decides, and that nothing of the source reaches the decoder but through cross-attention.
#
# ## The same test for a GPT
#
# Now the GPT of six layers that continues the names of characters, `GREEK SMALL LETTER …`. From the sixth place on, each place
# is asked for the next letter. We hide each of the tokens before it in turn, in all layers, and compare with the weights of the
# *last* layer. By chance the two agree in about 8 of 100.
#
# **Predict.** In how many rows is it the same token?
#
# * `"a"`: hardly more often than by chance: fewer than 25 of 100
# * `"b"`: about as often as in the translator
# * `"c"`: in 30 to 60 of 100: less often than there, since more letters have a say, but far above chance

# %%
guess = ...

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
    print("the same token, below 0.25:", bool(found.top[-1] < 0.25), end="; ")
    print("correlation below 0.2:", bool(found.correlation[-1] < 0.2), end="; ")
    print("shuffled, below 0.15:", bool(shuffled.top[-1] < 0.15))

# %%
reply("20.gpt", guess)

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

# %% [markdown]
# **In the picture:** in how many rows the token with the largest weight is also the one that is dearest to lose; three samples,
# the middle one as a line, bands from the least to the most. (The second line comes in a moment.) On the left the translator's
# cross-attention, around 0.7 and 0.8. On the right the GPT: best in layers 2 and 3, and there one of three; the last layer,
# at which one would look first, is down at 0.15, with chance at 0.08.
#
# Why? The two tests differ in more than one thing, so we cannot be sure. But within the GPT the late layers point worse than
# layers 2 and 3, and a likely reason is this: what stands at a letter's place in layer 6 is no longer that letter. It has been
# mixed from all letters before it, five times over. And a letter reaches the answer by many roads, through other places and
# layers, of which one map shows one stretch.
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
# for it, W_O included. In the GPT's *first* layer it does: the share nearly doubles. In the other layers, and in the
# translator, the two lines lie on each other.

# %% tags=["S23"]
for rows in of_letters:
    by_weight, by_contribution = agreement(rows).top, agreement(rows, "contributions").top
    gain = by_contribution - by_weight
    print("layer 1: over 0.08 more:", bool(gain[0] > 0.08), end="; ")
    print("layers 2 to 6: less than 0.06 either way:", bool(gain[1:].abs().max() < 0.06))

# %% [markdown]
# ## Two maps, one output
#
# Now the sharpest doubt. Three tokens have values of a single number each: 0, 1 and 2. A query gives them the weights 0.2, 0.6
# and 0.2. Its output is 0.6 · 1 + 0.2 · 2 = 1.
#
# **Predict.** Is there another row of weights (not negative, with the sum 1) that gives exactly this output?
#
# * `"a"`: no: the weights make the output, so another row makes another output
# * `"b"`: yes, but in each of them token 2, with its 0.6, keeps the largest weight
# * `"c"`: yes, and token 2 may even get nothing

# %%
guess = ...

# %% tags=["E16"]
values, weights = np.array([0.0, 1.0, 2.0]), np.array([0.2, 0.6, 0.2])
null = np.array([1.0, -2.0, 1.0])
for step in (0, 0.1, 0.2, 0.3):
    other = weights + step * null
    print(other.round(1), "sum", other.sum().round(4), " output", (other @ values).round(4))

# %%
reply("20.twin", guess)

# %% [markdown]
# The row [1, −2, 1] is called a **null vector** of this head: its numbers sum to 0, and times the values they sum to 0 as well.
# So adding it changes neither the sum of the weights nor the output. You may add it until a weight would become negative. In
# the last line the token that "was attended to most" gets nothing, and whatever comes after the head cannot know.
#
# When is there one? With $m$ tokens, and values of $d_v$ numbers, a null vector must fulfil $d_v + 1$ equations: one for each
# number of the output, and one for the sum. For values that are not special in some way, that leaves something free just when
# $m > d_v + 1$ (Brunner and others 2020).
#
# Let us call another row with the same output a **twin**. The library's `twin` looks for one that gives as little as possible to
# the favourite: it walks along a null vector until some weight is 0, then along the next one, as long as there is any. Six
# random tokens with values of 3 numbers, and with values of 5:


# %% tags=["E16"]
def six_tokens(width, seed):
    rng = np.random.default_rng(seed)
    values, scores = rng.standard_normal((6, width)), rng.standard_normal(6)
    return np.exp(scores) / np.exp(scores).sum(), values


for width in (3, 5):
    for seed in range(3):
        weights, values = six_tokens(width, seed)
        other = twin(weights, values)
        assert np.allclose(other @ values, weights @ values)
        most = weights.argmax()
        print(f"d_v {width}: largest weight {weights[most]:.2f}, may become {other[most]:.2f}")

# %% [markdown]
# With $d_v = 5$ there is no other row: six equations for six weights. That holds for our translator too: its heads have
# $d_v = 32$, and no sentence of ours has more than 14 words. So in there, each output has *one* map. (Most models read texts
# that are longer than a head is wide.)
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

# %% tags=["E16"]
gpt = gpt.double()
tokens = [torch.tensor([text.begin, *text.encode(name)]) for name in long_names]
heads = [head_rows(gpt, each) for each in tokens]
twins = [[[twin(*head) for head in layer] for layer in name] for name in heads]

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
for name, others in zip(heads, twins, strict=True):
    pairs_of_rows = [
        pair for layer in zip(name, others, strict=True) for pair in zip(*layer, strict=True)
    ]
    kept = np.array([other[w.argmax()] / w.max() for (w, _), other in pairs_of_rows])
    print("under a tenth, in at least 5 heads:", (kept < 0.1).sum() >= 5, end="; ")
    print("over four fifths, in at least 5 others:", (kept > 0.8).sum() >= 5)

beginning = head_rows(gpt, tokens[0][:33])  # m = d_v + 1
still = [np.allclose(twin(w, v), w) for layer in beginning for w, v in layer]
print("with 33 tokens, heads that have no twin:", sum(still), "of", len(still))

# %% [markdown]
# So there are twins in a trained model too, and in some heads they turn the map upside down. In others hardly anything can be
# moved: most of the weights there are nearly 0 already, and cannot become negative. The demand is strict, though: each head must
# give *exactly* what it gave. Jain and Wallace (2019, "Attention is not Explanation") asked for no more than nearly the same
# answer at the end, and found very different maps for it, in recurrent networks with one attention.
#
# Put all 24 twins into the model at once, and let it write on. As a control, the weights of each head shuffled. And then put the
# twins of the *first* name to work on the two others:


# %% tags=["E16"]
def in_turn(rows):
    remaining = iter([row for layer in rows for row in layer])
    return lambda weights, values: next(remaining)


def moved(k, other):
    trained = gpt(tokens[k][None])[0, -1].detach()
    return (logits_with_other(gpt, tokens[k], other) - trained).abs().max().item()


rng = np.random.default_rng(0)
print("twins: largest change of a logit below 1e-9:", moved(0, twin) < 1e-9)
print("shuffled: above 1:", moved(0, lambda weights, values: rng.permutation(weights)) > 1)
print("its twins, other names: above 1:", [moved(k, in_turn(twins[0])) > 1 for k in (1, 2)])

# %% [markdown]
# This is the other side of the matter. A twin was made for *one* text, after the fact, with its values in hand. Elsewhere it is
# wrong: it is not a way to attend that a model could have learned. Wiegreffe and Pinter (2019, "Attention is not not
# Explanation") insist on that: what would count is a *model*, trained to answer alike and to look elsewhere, on all texts.
#
# Where does that leave us? **The output does not determine the map; so "this weight was large" alone is no reason. It is a
# hint, to be tested by taking something away.**
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
all_heads, means = heads_of(translator), usual(translator, *samples[0])


# %% tags=["E29"]
def without(*gone, sample=1, instead=None):
    with silenced(translator, gone, instead):
        return exact(translator, *samples[sample])


single = {}
for title, instead in (("Zeros", None), ("Its mean", means)):
    single[title] = np.array([without(head, instead=instead) for head in all_heads])
    print(f"{title}: all over 0.9: {min(single[title]) > 0.9};", end=" ")
    print("most over 0.98:", np.median(single[title]) > 0.98)

# %% [markdown]
# (Measured is the share of 200 unseen numbers that are translated without a mistake. With all heads at work, all of them
# are.) So whichever of the 24 is silenced, and whatever it brings instead, hardly anything is lost.
#
# Take the last cross-attention, whose map was such a good pointer. Each of its four heads can go.
#
# **Predict.** All four go at once, and bring zeros. What share is still right?
#
# * `"a"`: over 90 of 100: we have just seen that none of them is needed
# * `"b"`: under 20 of 100
# * `"c"`: about half: the cross-attention of the layer before does half of the work

# %%
guess = ...

# %% tags=["E29"]
blocks = ["enc 1", "enc 2", "dec 1 self", "dec 1 cross", "dec 2 self", "dec 2 cross"]
names = dict(all_heads)  # the six attentions
fours = dict(zip(blocks, ([h for h in all_heads if h[0] == name] for name in names), strict=True))
for block, low, high in (("dec 2 cross", 0, 0.2), ("enc 1", 0.95, 1)):
    shares = [without(*fours[block], sample=k) for k in range(3)]
    print(f"{block}, all four, {low} to {high}:", [low <= share <= high for share in shares])

# %% tags=["E29"]
columns = ["head 1", "head 2", "head 3", "head 4", "all four"]
for ax, (title, shares) in zip(figures.panels(2, 5.6, 4.4), single.items(), strict=True):
    instead = means if title == "Its mean" else None
    together = [without(*four, instead=instead) for four in fours.values()]
    table = np.column_stack([shares.reshape(6, 4), together])
    figures.heatmap(table, blocks, columns, title, digits=2, ax=ax)

# %% [markdown]
# **In the picture:** a row for each attention; the number says what share of 200 numbers is still right when that head is silenced,
# or, in the last column, all four. One by one, everything is dark. Together, only the encoder's first attention can go.

# %%
reply("20.four", guess)

# %% [markdown]
# Heads that can be spared one by one cannot be spared together: each of them could go because the others were still there. **"It
# can go" is a statement about a head among the rest.** In that, heads are like the beams of a roof. (The likeness ends soon:
# nobody has planned which of them carries what.)
#
# And if one chooses well? We searched beforehand: ten times in a row, the head whose loss harms least, on the first 200
# numbers. Here is the list, tried on the 400 others, and as a control ten heads drawn at random, five times:

# %% tags=["E29"]
spare = {"enc 1": (1, 2, 3, 4), "enc 2": (3, 4), "dec 1 self": (1, 3)}
spare |= {"dec 2 self": (2,), "dec 2 cross": (3,)}
ten = [fours[block][number - 1] for block, numbers in spare.items() for number in numbers]
print(len(ten), "chosen heads silenced, over 0.9:", [without(*ten, sample=k) > 0.9 for k in (1, 2)])
rng = np.random.default_rng(0)
drawn = [[all_heads[i] for i in rng.permutation(24)[:10]] for _ in range(5)]
print("ten at random, below 0.8:", [without(*some) < 0.8 for some in drawn])

# %% [markdown]
# Ten of 24 heads can go, and about 95 of 100 numbers are still right. In large models it is similar: many heads can be removed
# after training with little loss, and some attentions do with one (Michel and others 2019; Voita and others 2019).
#
# ## Does each head have its office?
#
# Notes 1 and 5 say that one head attends to grammar, and another to meaning. Sometimes one finds such heads: Voita
# and others (2019) found some for neighbours, for syntax and for rare words. Is it bound to happen, and to the same head? Back to the task of lesson 05, where each token names its left and its right neighbour. This
# time the model has *four* heads; three seeds.
#
# **Predict.** What will the four heads do?
#
# * `"a"`: some look left, some right, but which of them, and how cleanly, differs from seed to seed
# * `"b"`: in each seed heads 1 and 2 look left, and heads 3 and 4 right
# * `"c"`: two of them do the work, and the two others stay idle

# %%
guess = ...

# %% tags=["E29"]
reporters = [train_reporter(num_heads=4, seed=seed, steps=300) for seed in range(3)]
print("names both neighbours, over 0.95:", [min(run.left, run.right) > 0.95 for run in reporters])
inner = [run.maps[:, 1:-1] for run in reporters]
sides = [torch.stack([m.diagonal(k, 1, 2).mean(-1) for k in (0, 2)], dim=1) for m in inner]
left_first = [(side[:, 0] > side[:, 1]).tolist() for side in sides]
print("heads 1 to 4 divide the sides alike in seeds 0 and 1:", left_first[0] == left_first[1])

# %% tags=["E29"]
rows = [f"head {k}" for k in range(1, 5)]
for ax, (seed, side) in zip(figures.panels(3, 3.4, 3.6), enumerate(sides), strict=True):
    figures.heatmap(side, rows, ["left", "right"], f"Seed {seed}", digits=1, ax=ax)

# %% [markdown]
# **In the picture:** the mean weight that each head gives to the left and to the right neighbour. The same task, the same
# marks, and three divisions of labour. Seed 2 has a head that does both.

# %%
reply("20.seeds", guess)

# %% [markdown]
# Nothing in the loss asks for a division of labour by head, or for any at all: it asks for answers. A head's number means
# nothing, and its office has to be looked for anew in each trained model. (Our translator is one model from one seed: what we
# found about its heads holds for it, and need not hold for its sibling.)

# %% [markdown]
# ## Before you go
#
# *A head of width 8 looks at 20 tokens. Somebody shows you the largest weight as the reason for the output.*
# <details><summary>Right: softmax has put it there</summary>It has, and yet the output does not depend on just these
# weights: 20 > 8 + 1, so there are other rows with the same output.</details>
# <details><summary>I ask what happens when that token is hidden</summary>Yes. The weight is a hint; taking away is the test, with
# other tokens as a control.</details>
# <details><summary>Wrong: weights have nothing to do with the output</summary>Shuffle them, or borrow those of another text, and
# the output changes very much.</details>

# %% [markdown]
# *A head was silenced, and nothing got worse. So it*
# <details><summary>does nothing</summary>In the translator's last cross-attention that would hold for all four, and together they
# are indispensable.</details>
# <details><summary>is not needed as long as the others are there</summary>Yes. Another head may stand in for it.</details>
# <details><summary>could be left out before training as well</summary>That is another experiment: then the others would learn
# without it. It has not been made here.</details>

# %% [markdown]
# **Do attention weights explain?** They say how a head mixed its values, and no more. Where one token decides and can arrive
# by one way only, they point at it. Elsewhere other weights may give the same output, and other heads and layers the same
# answer. What explains is an experiment: take it away, with a control, and look.
