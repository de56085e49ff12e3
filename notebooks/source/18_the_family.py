# %% [markdown]
# # 18 · The family: what must change in one block to make a GPT, a BERT or a ViT of it?
#
# A GPT writes, a BERT fills gaps and sorts texts, a ViT reads pictures. The three are often taught as three architectures.
# Here you have three cards to swap: **mask, loss, ends** (what goes in at one end, and the head at the other). You train all
# three models, and set each beside something much simpler.
#
# About 40 minutes, with a place for a rest after the three cards; cells that train say how long they take. Afterwards you can
#
# * make any of the three from the same block, and say which card you changed;
# * say what each was asked in training, and so what it can and cannot do;
# * judge a claim such as "pre-training helps" by its control.

# %%
import unicodedata
from itertools import islice

import numpy as np
import torch

from transformer_course import figures, models
from transformer_course.data import digit_images
from transformer_course.decoding import sample
from transformer_course.exercises import ask, predict, reveal
from transformer_course.experiments.anatomy import attention_calls
from transformer_course.experiments.few_labels import (
    bag_of_words_accuracy,
    category_task,
    fine_tuned_accuracy,
    ngram_accuracy,
    order_task,
)
from transformer_course.experiments.name_models import (
    MASK,
    Bigram,
    NGram,
    TwoSidedBigram,
    bits_per_word,
    common_names,
    gap_accuracy,
    generate,
    known_pair_rate,
    masked_batches,
    random_words,
    train_bert,
    train_gpt,
)
from transformer_course.experiments.vit_digits import (
    accuracy,
    logistic_regression_accuracy,
    nearest_neighbour_accuracy,
    train_vit,
)
from transformer_course.family import (
    BERT,
    GPT,
    SequenceClassifier,
    ViT,
    ViTConfig,
    patches,
)
from transformer_course.inspection import perturbation_map
from transformer_course.masks import causal_mask
from transformer_course.training import masked_loss

torch.set_num_threads(1)

# %% [markdown]
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %%
ask("18.recall")

# %% [markdown]
# ## One text, one block
#
# Our texts are names of Unicode's characters, word by word. We keep those in which every word is fairly common. Each comes
# with a category, which we need later: `Lu` is a capital letter, `Nd` a decimal digit, and so on. (How many there are depends
# on your Python's version of Unicode.)

# %%
names = common_names()
vocabulary = names.vocabulary
for character in "aA٣→":
    print(character, unicodedata.category(character), unicodedata.name(character))
print("more than 9000 names:", len(names.train) > 9000)
print("more than 500 tokens:", len(vocabulary) > 500, "the first:", *vocabulary.tokens[:6])

# %% [markdown]
# Now a GPT and a BERT of two layers, 64 wide, with four heads; and a ViT (*vision transformer*) for images of 8 × 8 pixels,
# as wide and as deep as they.

# %%
predict("18.stacks")

# %% tags=["S24"] jupyter={"source_hidden": true}
config = names.config()
gpt, bert, vit = GPT(config), BERT(config), ViT(ViTConfig(dropout=0.0))
shapes = [
    {name: tuple(part.shape) for name, part in model.stack.state_dict().items()}
    for model in (gpt, bert, vit)
]
print(len(shapes[0]), "arrays in each stack; all the same:", shapes[0] == shapes[1] == shapes[2])
vit.stack.load_state_dict(gpt.stack.state_dict())
print("GPT's whole model fits BERT:", bert.load_state_dict(gpt.state_dict()))
reveal("18.stacks")

# %% [markdown]
# So you have one block in your hand. Even the weights could be moved: the ViT now holds GPT's stack. The difference must lie
# elsewhere. It lies in three cards.
#
# ## The first card: the mask
#
# Two copies of the same weights (we have just moved them), the same six tokens. Only the mask differs:

# %% tags=["S24"]
x = torch.randn(6, 64, generator=torch.Generator().manual_seed(0))
places = ["begin", "LATIN", "SMALL", "LETTER", "A", "end"]


def map_of(model, mask):
    """Which output moves with which input."""
    return (perturbation_map(lambda x: model.stack(x[None], mask)[0], x) != 0).float()


left, right = figures.panels(2)
triangle, full = map_of(gpt, causal_mask(6)), map_of(bert, None)
ax = figures.heatmap(triangle, places, places, "GPT: causal", digits=0, ax=left)
ax.tick_params(axis="x", rotation=40)
ax = figures.heatmap(full, places, places, "BERT: no mask", digits=0, ax=right)
ax.tick_params(axis="x", rotation=40)

# %% [markdown]
# **In the picture:** 1 and dark: the row's output moves when the column's token is changed. On the left the triangle of lesson
# 13; on the right each output knows every token. It is one argument of one call. (With padding, BERT gets a padding mask.)
#
# So GPT is called "decoder-only", but needs no cross-attention: there is nothing to cross to. And BERT cannot keep a cache,
# since with every new token all its vectors change: the first answer of the first recall question, now right.

# %% [markdown]
# ## The second card: the loss
#
# Behind a causal mask, each position can be asked for the next token (lesson 14). BERT sees all tokens, so that question would
# give its answer away. It is asked something else: some words are **hidden**, and only these are asked for. By hand, with
# SMALL hidden:

# %% tags=["S24"]
ids = names.ids(["LATIN", "SMALL", "LETTER", "A"])
given = [MASK if place == 2 else i for place, i in enumerate(ids)]
print("goes in: ", *(vocabulary.tokens[i] for i in given))
with torch.no_grad():
    p = bert(torch.tensor([given]))[0].softmax(-1)  # (6, tokens)
by_hand = -p[2, ids[2]].log()
labels = torch.tensor([[-100, -100, ids[2], -100, -100, -100]])  # -100: nothing is asked
loss = masked_loss(bert, torch.tensor([given]), labels)
print("the library's loss is the one by hand:", torch.allclose(loss, by_hand))

# %% [markdown]
# One position of six is asked. The label −100 says "ask nothing", as `pad` did in lesson 14. Which words are hidden is drawn
# anew for each batch. Devlin and others (2019, section 3.1) hide 15 % of the tokens; of these 80 % become `<mask>`, 10 % a
# random token, and 10 % stay as they are, since in the tasks that come later no `<mask>` stands in the text. These shares are
# a choice that worked, no law. (On the sheet you write this yourself.) How many questions does each model get out of a name?

# %% tags=["S24"]
some = list(islice(masked_batches(names, seed=0), 200))  # batches of 64 names, as BERT gets them
questions = sum((labels != -100).sum() for _, labels in some) / sum(len(rows) for rows, _ in some)
words = sum(len(words) for words, _ in names.train) / len(names.train)
print(f"words in a name {words:.1f}; asked: of GPT {words + 1:.1f}, of BERT {questions:.1f}")

# %% [markdown]
# GPT is asked for every word and for the end, more than five questions a name. BERT gets less than one. Remember this when you
# compare their steps of training.
#
# Mind the two meanings: BERT's *mask token* is a word like any other, which stands in a text. An attention *mask* says who may
# look at whom. Every token looks at BERT's mask tokens, and they at all others.
#
# ## The third card: the two ends
#
# A stack reads vectors. Where they come from, it does not know. For words it is a table; for pictures, Dosovitskiy and others
# (2021) cut the image into squares, **patches**, and let one matrix make a vector of each. In small, 4 × 4 pixels into four
# patches; then a real image:

# %% tags=["S24"]
image = np.arange(16).reshape(4, 4)
squares = image.reshape(2, 2, 2, 2).swapaxes(1, 2)  # rows of patches, patches of a row, and inside
print(image, "becomes", squares.reshape(4, 4), sep="\n")
digits = digit_images()
cut = patches(digits.train[0][:1], 2)[0]
left, right = figures.panels(2)
lines = [f"{k + 1}" for k in range(8)]
ax = figures.heatmap(digits.train[0][0], lines, lines, "An image", digits=1, ax=left)
ax = figures.heatmap(cut, [f"{k + 1}" for k in range(16)], lines[:4], "Its 16 tokens", ax=right)
ax.set_aspect(0.35)

# %% [markdown]
# **In the picture:** on the left a handwritten digit; dark is ink. On the right the same 64 numbers as a text of 16 "words" of
# four numbers each. The patch that lay below another is now four rows further down: that the two touch, nothing says any more.
# As with words, only the positions added to them can.
#
# At the other end stands the **head**, one matrix. GPT's and BERT's gives a logit for every token, at every position. A ViT
# has one extra token in front, a learned vector that is the same for every image, and from what the stack makes of it the head
# makes ten logits, one for each digit. Its loss is asked once an image, for the label.

# %% [markdown]
# ---
#
# **A good place for a rest.** What follows trains the three, and sets neighbours beside them.
#
# ## GPT beside a table of counts
#
# Now train. First three GPTs, from three seeds, with 600 steps of 64 names each.
#
# What is a good score? There is a model without any training: **count** which word followed which in the training names. We
# measure what an unseen name's words cost, in bits: −log₂ of the probability of the right word. One bit less means twice the
# probability.

# %% tags=["S24"]
for order in (1, 2, 3, 4):
    bits = NGram(names, order).bits_per_word(names)
    print(f"counting, with {order - 1} words before in view: {bits:.1f} bits a word")

# %% [markdown]
# Where a beginning was seldom seen, these tables lean on what followed a shorter one. Three words before are no better than
# two: most such beginnings were seen too seldom.

# %%
predict("18.counting")

# %% tags=["S24", "nbval-ignore-output"]
gpts = [train_gpt(names, seed) for seed in range(3)]
bits = [bits_per_word(model, names) for model in gpts]
print("bits a word:", *(f"{b:.2f}" for b in bits))
start = torch.tensor([names.ids(["CYRILLIC", "SMALL"])[:-1]] * 4)
for written in sample(gpts[0], start, 8, generator=torch.Generator().manual_seed(0)):
    print("CYRILLIC SMALL …", *vocabulary.decode(written))

# %% tags=["S24"] jupyter={"source_hidden": true}
print("between 3.1 and 3.4:", [3.1 < b < 3.4 for b in bits])
reveal("18.counting")

# %% [markdown]
# Ahead of the best table, and not by much; and the table needed no training.
#
# ## Can BERT write?
#
# Three BERTs, 800 steps of 64 names, with words hidden anew each time. First what each was made for: unseen names, one word
# hidden, and the best guess. GPT sees only the words before the gap. Beside them the table of pairs, with one word before in
# view: `Bigram` uses it on the left of the gap, `TwoSidedBigram` on the right as well. (Under a minute.)

# %% tags=["S24"]
berts = [train_bert(names, seed) for seed in range(3)]
gaps = [[gap_accuracy(names, model) for model in models] for models in (gpts, berts)]
pairs, both = Bigram(names), TwoSidedBigram(names)
one_sided, two_sided = (gap_accuracy(names, table) for table in (pairs, both))
print(f"table of pairs: left side {one_sided:.2f}, both {two_sided:.2f}")
print("GPT between 0.30 and 0.38: ", [0.30 < share < 0.38 for share in gaps[0]])
print("BERT between 0.36 and 0.44:", [0.36 < share < 0.44 for share in gaps[1]])

# %% [markdown]
# BERT is a little ahead of GPT. But look at the table: the second side takes it from 29 gaps in a hundred to 48. There is far
# more in that side than these BERTs have found.
#
# Now the other way round. BERT knows words and their neighbours, so let it write: it starts from masks alone, draws the first
# word by the probabilities it gives, puts it in, then the second, and so on. GPT draws its words in the same way. Both write
# names of the lengths of 500 real ones: GPT is stopped there, and `<end>` is not allowed before.
#
# We count pairs of neighbouring words that occur in some training name. Of the pairs in real unseen names 97 in a hundred do,
# of GPT's nearly 80, and of words drawn at random 23.

# %%
predict("18.writing")

# %% tags=["S24"] jupyter={"source_hidden": true}
real = known_pair_rate(names, [words for words, _ in names.test])
chance = known_pair_rate(names, random_words(names))
by_gpt, by_bert = (
    [known_pair_rate(names, generate(names, m)) for m in three] for three in (gpts, berts)
)
print(f"real names {real:.2f}, random words {chance:.2f}, ", end="")
print(f"the table of pairs {known_pair_rate(names, generate(names, pairs)):.2f}")
print("GPT above 0.72:", [share > 0.72 for share in by_gpt])
print("BERT between 0.50 and 0.72:", [0.50 < share < 0.72 for share in by_bert])
reveal("18.writing")

# %% [markdown]
# First the measure: it counts pairs, so a table of pairs does best on it. Between two models that never saw such a table it
# says which keeps closer to the names, not which writes well.
#
# Then the comparison. Is it BERT's card that holds it back? In its 800 steps BERT has answered about 34,000 questions, GPT in
# its 600 about 209,000. So here are three GPTs with as many questions as BERT, that is 100 steps (a few seconds):

# %% tags=["S24"]
short = [train_gpt(names, seed, steps=100) for seed in range(3)]
stopped = [known_pair_rate(names, generate(names, model)) for model in short]
ahead = [b > g for g, b in zip(stopped, by_bert, strict=True)]
print("GPT after as many questions, between 0.45 and 0.65:", [0.45 < s < 0.65 for s in stopped])
print("BERT writes more known pairs than this one:        ", ahead)

# %% tags=["S24"]
left, right = figures.panels(2, 5.0)
shares = [np.median(row) for row in (*gaps, by_gpt, by_bert, stopped)]
shares[2:2] = [one_sided, two_sided]
tasks = ["GPT", "BERT", "pairs:\nleft", "pairs:\nboth"]
ax = figures.bars(shares[:4], tasks, "Fills a gap", "share of gaps", "%.2f", ax=left)
tasks = ["GPT", "BERT", "GPT,\n100 steps"]
ax = figures.bars(shares[4:], tasks, "Writes", "share of known pairs", "%.2f", ax=right)
for share, dashes in ((real, "--"), (chance, ":")):
    ax.axhline(share, color="0.5", lw=1, ls=dashes)

# %% [markdown]
# **In the picture:** of the models, the median of three seeds. On the left BERT is a little ahead of GPT, and well behind the
# table that looks at both sides. On the right GPT is ahead of BERT; but the GPT that was asked no more often than BERT is
# behind both. The dashed line is real names, the dotted one random words.
#
# So "a BERT cannot write" is not what we saw. It has a probability for each gap, so something can be drawn from it (better
# ways than ours fill and refill, Wang and Cho 2019), and question for question it writes no worse than GPT. But it is asked so
# seldom. That is what the causal mask buys: every word of every name is a question. (Not run here, as it takes minutes: after
# 3,200 steps three such BERTs filled about 52 gaps in a hundred, more than the table, and of a hundred pairs that they wrote,
# about 80 were known.) And GPT keeps its cache, while BERT computes everything anew for each word.

# %% [markdown]
# ## Few labels, with and without pre-training
#
# BERT became known for a third use. The body is **pre-trained** on texts without labels. Then it gets a new head, one
# matrix on the vector of the first token, and body and head train a little on a few labelled examples: **fine-tuning**.
#
# Our labels are the categories, ten of them. We compare three. *Pre-trained*: the BERTs from above. *Fresh*: the same model,
# the same 100 steps, but a random body. And a control without any Transformer, the **bag of words**: which words occur, in
# whatever order, and one matrix from there to ten logits (*logistic regression*).

# %%
predict("18.few")


# %% tags=["S24"] jupyter={"source_hidden": true}
def compare(question, sizes):
    """Shares right: (seeds, sizes) for each of the three."""
    runs = {"pre-trained": [], "fresh": [], "bag of words": []}
    for seed, body in enumerate(berts):
        torch.manual_seed(seed)
        fresh = BERT(config)
        runs["pre-trained"].append(
            [fine_tuned_accuracy(names, body, question, k, seed) for k in sizes]
        )
        runs["fresh"].append([fine_tuned_accuracy(names, fresh, question, k, seed) for k in sizes])
        runs["bag of words"].append(
            [bag_of_words_accuracy(names, question, k, seed) for k in sizes]
        )
    return {name: np.array(shares) for name, shares in runs.items()}


category = compare(category_task(names), (4, 64))
middle = {name: np.median(shares, axis=0) for name, shares in category.items()}
ahead = [middle["bag of words"] > middle[name] for name in ("pre-trained", "fresh")]
print("with 4 labels each, the bag ahead of both:", bool(ahead[0][0] and ahead[1][0]))
print("with 64 labels each, pre-trained and fresh within 0.04:", end=" ")
print(bool(abs(middle["pre-trained"] - middle["fresh"])[1] < 0.04))
reveal("18.few")

# %% [markdown]
# Here the simplest model won. Nearly everything about a category hangs on single words (CAPITAL, DIGIT), and a bag of words is
# made for that. So is pre-training of no use? Another question about the same names, one for which single words are of no use
# at all: *are these words in the order of a name, or shuffled?* A bag has no order, so the control must guess. But which word
# stands where is just what BERT was asked on ten thousand names.
#
# And since that gives it an advantage, one more control, which has read the same names: the table of counts from above, with one
# word before in view. It needs the labels for one number alone, a threshold: a name that costs more bits a word than this is
# taken to be shuffled. (Under half a minute.)

# %% tags=["S24"]
question, table = order_task(names), NGram(names, 2)
order = compare(question, (16, 64, 256))
order["table of pairs"] = np.array(
    [[ngram_accuracy(names, table, question, k, seed) for k in (16, 64, 256)] for seed in range(3)]
)
last = {name: shares[:, 2] for name, shares in order.items()}
print("256 labels each, pre-trained above 0.70:", (last["pre-trained"] > 0.70).tolist())
print("fresh below 0.65:", (last["fresh"] < 0.65).tolist())
print("bag below 0.60:  ", (last["bag of words"] < 0.60).tolist())
print(
    "table of pairs, 16 labels each, above 0.95:", (order["table of pairs"][:, 0] > 0.95).tolist()
)

# %% tags=["S24"]
left, right = figures.panels(2, 5.0)
ax = figures.curves(
    (4, 64), category, "Which category?", "labels per class", "accuracy", log="x", ax=left
)
ax = figures.curves(
    (16, 64, 256), order, "In order?", "labels per class", "accuracy", log="x", ax=right
)

# %% [markdown]
# **In the picture:** the median of three seeds, and a band from the least to the most. On the left the bag of words leads with
# four labels, and between the two BERTs nothing is certain; with 64 the three are nearly level. On the right the bag stays
# near one half. So does the fresh BERT, even with 512 names in all. The pre-trained one learns: nearly 0.6, 0.7, 0.8. And
# above them all lies the table of pairs, at 0.98.
#
# So here **pre-training paid with the question that hangs on what it had asked**, and not with the other. Two questions are no
# law; but with the left panel alone one would have called it useless. And pre-training is no privilege of Transformers. On ten
# thousand short names, a table that had read them was the best of all. What a BERT can do and no table can would show on longer
# texts and larger collections; nothing here measures it.

# %% [markdown]
# ## ViT beside its neighbours
#
# 1,297 images to train on, 500 to be tested. The competition: *logistic regression* on the 64 pixels, and *the nearest
# neighbour*, which learns nothing at all: it looks for the training image that is most alike, pixel by pixel, and takes over
# its label.
#
# Then the ViT, with 300 steps of 64 images (a few seconds, one seed).

# %% tags=["S24"]
vit = train_vit(digits, seed=0)
neighbour, matrix = nearest_neighbour_accuracy(digits), logistic_regression_accuracy(digits)
share = accuracy(vit, *digits.test)
print(f"nearest neighbour {neighbour:.3f}, logistic regression {matrix:.2f}")
print("ViT between 0.955 and 0.985:         ", 0.955 < share < 0.985)
print("ViT with half the neighbour's mistakes:", 1 - share <= (1 - neighbour) / 2)

# %% [markdown]
# About 0.97. The neighbour, which has learned nothing, makes 11 mistakes in these 500 images, the ViT about 15, the single
# matrix about 22. So 100,000 parameters buy about seven images, and with other images it might be fewer. That is no verdict on
# ViTs. The paper says itself (section 4.3) that they fall behind on little data, where it helps to know beforehand that near
# pixels belong together, and overtake with much. It is a verdict on showing a new model without a neighbour.

# %% [markdown]
# ## The family table, built from the code
#
# `attention_calls` (lesson 13) records each attention's mask. We run all models of this lesson, and the translator:

# %% tags=["S24"]
name = torch.tensor([ids])
translator, _ = models.load("translator")
family = {
    "GPT": (gpts[0], name),
    "BERT": (berts[0], name),
    "BERT, classifier": (SequenceClassifier(berts[0], 10), name),
    "ViT": (vit, digits.test[0][:1]),
    "translator": (translator, torch.tensor([[4, 5, 6]]), torch.tensor([[1, 4, 5, 6]])),
}
for kind, (model, *given) in family.items():
    masks = [call.mask for call in attention_calls(model, *given)]
    made = model(*given).shape
    head = "a logit for each token" if len(made) == 3 else f"{made[-1]} logits in all"
    print(f"{kind:17}masks: {', '.join(dict.fromkeys(masks)):17}head: {head}")

# %% [markdown]
# "padding" means that no token is kept from any but padding. And other uses that one reads about? Many are one of these with
# some card swapped:
#
# | use | mask | goes in | is asked in training | head | model |
# | --- | --- | --- | --- | --- | --- |
# | generation | causal | words so far | every next word | vocabulary | GPT |
# | filling gaps | padding | words, some hidden | the hidden ones | vocabulary | BERT |
# | classification | padding | words | one label | classes, at the first token | BERT, fine-tuned |
# | pictures | none | patches | one label | classes, at the extra token | ViT |
# | question answering | padding | question and text | begin and end of the answer | 2 logits a token | BERT, fine-tuned |
# | … as text | causal | question, answer so far | every next word | vocabulary | GPT, or encoder and decoder |
# | translation | padding; causal | source; target so far | every next word | vocabulary | encoder and decoder |
# | DALL·E (2021) | causal | text, image tokens so far | every next token | text and image tokens | GPT |
#
# (GPT need not mask padding: that stands after the words, where no word looks. A ViT has none.) The first DALL·E wrote 1,024
# image tokens one after another (Ramesh and others 2021, section 2).
#
# "Cards" is a picture too, and here it breaks: real models differ in more than three. Where the norms stand, which positions,
# how much data, how long. But those can be chosen for any of the three.

# %% [markdown]
# ## Before you go

# %%
ask("18.check")

# %% tags=["S24"]
half = GPT(config)
half.load_state_dict(berts[0].state_dict())
share = known_pair_rate(names, generate(names, half.eval()))
print("BERT with GPT's mask: known pairs no more than random words, 0.05 aside:", end=" ")
print(share < chance + 0.05)
print("costs more bits than counting with no word in view:", bits_per_word(half, names) > 7.0)

# %% [markdown]
# With GPT's mask and BERT's training it writes no better than words drawn at random. Mask and loss are two cards, and they have
# to fit each other.

# %%
ask("18.exit")

# %% [markdown]
# **What must change in one block to make a GPT, a BERT or a ViT of it?** Not the block. A mask (what each token may see), a
# loss (what is asked of it), and what stands at both ends (how things become vectors, and what is read off them).
