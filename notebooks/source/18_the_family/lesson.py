# %% [markdown] minutes=24
# # 18 · The family: how do GPT, BERT and ViT differ?
#
# The Transformer of lesson 15 has two stacks: one reads a source, the other writes a target. Many models that you hear about
# have a single stack and no source. A GPT continues a text, a BERT fills gaps in it, and a ViT (vision Transformer) says
# what an image shows. The first ViT (2020) treated an image as a sentence whose words are squares of 16 by 16 pixels
# ({dosovitskiy2020}). What do the three share, and how do they differ? You will train them all, and compare each with
# something much simpler.
#
# About {minutes} minutes, and half as long again for the parts under "Deeper". By the end, you will be able to
#
# * say what goes into each of the three, which tokens see which, and what each is trained to predict;
# * compare two models fairly, even if they were trained in different ways;
# * judge a score by comparing it with that of a simple method.

# %%
from itertools import islice

import numpy as np
import torch

from transformer_course import figures, models
from transformer_course.data import digit_images
from transformer_course.exercises import ask, predict, reveal
from transformer_course.experiments import effort
from transformer_course.experiments.anatomy import attention_calls
from transformer_course.experiments.counting import (
    IN_VIEW,
    LARGER_TEXT_START,
    LARGER_TEXT_STEPS,
    number_bits,
    prose_bits,
)
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
    TwoSidedBigram,
    bits_per_word,
    common_names,
    gap_accuracy,
    gap_probabilities,
    generate,
    known_pair_rate,
    masked_batches,
    random_words,
    train_bert,
    train_gpt,
    with_end,
    word_table,
)
from transformer_course.experiments.vit_digits import (
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

# %%
lit = [
    f"{side} {part}"
    for side in ("encoder", "decoder")
    for part in ("self-attention", "feed-forward")
] + ["cross-attention"]
ax = figures.architecture(*lit, title="Lesson 18: models with one stack", small=True)

# %% [markdown]
# <!-- picture -->
# the map from lesson 00, with two stacks. The models of this lesson have one, without cross-attention.
# <!-- end -->
#
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %% ask="18.recall"


# %% [markdown]
# ## Three models
#
# Our texts are the names of Unicode characters, split into words. Here is Ώ:

# %%
names = common_names()
omega = ["GREEK", "CAPITAL", "LETTER", "OMEGA", "WITH", "OXIA"]
ids = names.ids(omega)
print(len(ids), "tokens: <begin>", *names.vocabulary.decode(ids), "<end>")

# %% [markdown]
# We build a GPT and a BERT for these names, and a ViT for images of 8 × 8 pixels. How much do their stacks have in common?

# %% predict="18.stacks"


# %% tags=["S24"] jupyter={"source_hidden": true}
config = names.config()
gpt, bert, vit = GPT(config), BERT(config), ViT(ViTConfig(dropout=0.0))
for model in (gpt, bert, vit):
    arrays = model.stack.state_dict().values()
    size = sum(array.numel() for array in arrays)
    print(f"{type(model).__name__:4} stack of {len(arrays)} arrays, {size:,} parameters")
print("\nGPT's stack into the ViT:", vit.stack.load_state_dict(gpt.stack.state_dict()))
print("the whole GPT into BERT: ", bert.load_state_dict(gpt.state_dict()))
reveal("18.stacks")

# %% [markdown]
# Each stack has two layers of width 64 with four heads, and the parameters of one stack even fit into another. So all three
# are made of the same **block**: self-attention and a feed-forward network, each with a residual connection and a norm. The
# models differ in what surrounds the stack, and in its mask:

# %%
ax = figures.schematic("family")

# %% [markdown]
# <!-- picture -->
# each row is a model, read from left to right. In the stack, a dark cell means that the row's token
# sees the column's token. On the right are the labels; a dash marks a position that has none.
# <!-- end -->
#
# * **GPT** has the causal mask, so every position can be trained to predict the *next* token. It is called "decoder-only", but
#   has no cross-attention, because there is no source.
# * **BERT** masks only padding. Every token sees the next one, so predicting it would be copying. Instead, about one token in
#   seven is chosen; most of these are replaced by a **mask token**, `<mask>`, and BERT predicts what was there. It is a
#   **masked language model**.
# * **ViT** needs no mask at all, because images have no padding. An image is cut into squares, its **patches**, and one matrix
#   turns each into a vector. A class token, the same for every image, is put in front of them. Only its output is used, to
#   predict the label of the image.
#
# The last linear layer is called the **head** of the model (it has nothing to do with attention heads). And a mask *token* is
# an input that every token sees, while an attention *mask* says which tokens see which.

# %% [markdown] seconds=25
# ## One gap
#
# We train a GPT for 600 steps, and a BERT, which gets fewer labels, for 800. This takes about {seconds} seconds.

# %%
gpt, bert = train_gpt(names), train_bert(names)

# %% [markdown]
# The name of Ώ was not used in training. We leave one word out. BERT gets the whole name with `<mask>` in the
# gap, and GPT gets the words before it. Here are their best three words for two gaps:

# %% tags=["S24", "nbval-ignore-output"]
for position in (1, 4):
    print(*omega[: position - 1], "____", *omega[position:])
    for name, model in (("GPT", gpt), ("BERT", bert)):
        best = gap_probabilities(names, model, omega, position).topk(3)
        words = zip(names.vocabulary.decode(best.indices), best.values, strict=True)
        print(f"  {name:5}", ", ".join(f"{word} {p:.2f}" for word, p in words))

# %% [markdown]
# In the first gap, GPT has nothing to go by, so it lists the words that most often begin a name. BERT sees OMEGA and OXIA, and
# finds GREEK. In the other gap, several letters fit, and neither model is sure.
#
# Is this typical? We leave out each word of over 900 unseen names in turn. For comparison, we add a **table of pairs**, which
# counts how often one word follows another in the training names. It fills a gap from the word on the left, or from both sides,
# multiplying the probability that a word follows the left one by the probability that the right one follows it.

# %% tags=["S24"]
pairs, both = Bigram(names), TwoSidedBigram(names)
shares = [gap_accuracy(names, filler) for filler in (gpt, bert, pairs, both)]
fillers = ["GPT", "BERT", "pairs:\nleft", "pairs:\nboth"]
ax = figures.bars(shares, fillers, "Filling gaps", "accuracy", "%.2f")

# %% [markdown]
# <!-- picture -->
# the fraction of gaps that each method fills with the right word. BERT is a little ahead of GPT (with two other
# seeds too). But the table gains far more from seeing both sides, and beats both models.

# %% [markdown]
# ## What do they write?
#
# GPT draws one word after another, as in lesson 16. BERT can write too: it starts with nothing but masks, fills in the first
# by drawing from its probabilities, then the second, and so on. Both write 500 names with the lengths of real ones.
#
# A pair of neighbouring words is *known* if it occurs in a training name. In real unseen names, 97% are known; in GPT's, 79%;
# and in words drawn at random, 23%.

# %% predict="18.writing"


# %% tags=["S24"] jupyter={"source_hidden": true}
written = {"GPT": generate(names, gpt), "BERT": generate(names, bert)}
rates = [known_pair_rate(names, texts) for texts in written.values()]
real = known_pair_rate(names, [words for words, _ in names.test])
chance = known_pair_rate(names, random_words(names))
ax = figures.bars(
    [real, *rates, chance],
    ["real\nnames", "GPT", "BERT", "random\nwords"],
    "",
    "fraction of known pairs",
    "%.2f",
)

# %% [markdown]
# <!-- picture -->
# the fraction of known pairs.

# %%
reveal("18.writing")

# %% [markdown]
# Some of their names, drawn with the same random numbers:

# %% tags=["S24", "nbval-ignore-output"]
print(f"{'GPT':44} BERT")
for by_gpt, by_bert in islice(zip(*written.values(), strict=True), 8):
    print(f"{' '.join(by_gpt):44.44} {' '.join(by_bert)}")

# %% [markdown]
# GPT's names sound more real. Is that because of how the two were trained? Count the labels that each got (in the
# code, −100 stands for "no label"):

# %% tags=["S24"]
batches = list(islice(masked_batches(names, seed=0), 200))
asked = sum((labels != -100).sum() for _, labels in batches) / sum(len(ids) for ids, _ in batches)
length = np.mean([len(words) for words, _ in names.train])
print(f"labels per name: GPT {length + 1:.2f}, BERT {asked:.2f}")
totals = effort.count(600) * 64 * (length + 1), effort.count(800) * 64 * float(asked)
print("in the whole training: GPT {:,.0f}, BERT {:,.0f}".format(*np.round(totals, -3)))

# %% [markdown]
# GPT has a label for every word and for `<end>`, and BERT for 15% of the words. As a control, we train a GPT for 100 steps,
# with about 35,000 labels, as few as BERT.

# %% tags=["S24", "nbval-ignore-output"]
short = train_gpt(names, steps=100)
print(f"GPT after 100 steps: {known_pair_rate(names, generate(names, short)):.2f} known pairs")

# %% [markdown]
# With as few labels as BERT, GPT writes no better (0.57 against 0.62); two other seeds agree. But BERT had to read eight times
# as many names to get these labels. **What the causal mask buys is a label at every position**, and a cache (lesson 17), which
# BERT cannot have.

# %% [markdown]
# ## An image as sixteen patches
#
# Can an encoder read a picture? It needs tokens, so we cut the picture up. The ViT reads handwritten digits. Each image has 8
# × 8 pixels, and each patch 2 × 2:

# %% tags=["S24"]
digits = digit_images()
image, cut = digits.train[0][0], patches(digits.train[0][:1], 2)[0]
left, right = figures.panels(2)
lines, tokens = [str(k + 1) for k in range(8)], [str(k + 1) for k in range(16)]
ax = figures.heatmap(image, lines, lines, "An image: 8 × 8 pixels", digits=1, ax=left)
ax = figures.heatmap(cut, tokens, lines[:4], "Its patches: 16 × 4 numbers", ax=right)
ax.set_aspect(0.35)

# %% [markdown] seconds=10
# <!-- picture -->
# dark pixels are ink. Row 1 on the right is the image's top-left patch; beside that patch is row 2, and *below* it row 5.
# Only the positions added to the tokens show which patches touch. (With the class token in front, the stack reads 17 tokens.)
# We train the ViT on 1,297 images (about {seconds} seconds), and show its mistakes on 500 others:

# %% tags=["S24"]
vit = train_vit(digits)
test_images, truth = digits.test
with torch.no_grad():
    predicted = vit(test_images).argmax(-1)
wrong = torch.nonzero(predicted != truth)[:, 0]
captions = [f"{truth[i]}, taken for {predicted[i]}" for i in wrong]
ax = figures.images(test_images[wrong], captions, f"{len(wrong)} mistakes in 500 images")

# %% [markdown]
# <!-- picture -->
# the images that the ViT got wrong. It gets about 97% right. Is that good? Compare it with two simpler methods.
# **Logistic regression** has one matrix from the 64 pixels to ten logits. The **nearest neighbour** learns nothing: it looks
# for the training image with the most similar pixels, and gives its label.

# %% tags=["S24"]
for name, accuracy in (
    ("logistic regression", logistic_regression_accuracy(digits)),
    ("nearest neighbour", nearest_neighbour_accuracy(digits)),
):
    print(f"{name:19} {500 - round(500 * accuracy)} mistakes")

# %% [markdown]
# The nearest neighbour gets 98% right without learning anything. So 97% is not impressive.

# %% [markdown]
# ## Tables of counts
#
# Now for an embarrassing question: does any of this beat counting? Back to the names. Tables of counts predict the next word
# from the 0, 1, 2 or 3 words before it. (The rarer a group of words, the more the table mixes in the counts of shorter
# groups.) We measure the loss on unseen names in bits: the mean of −log₂ of the probability of the right word. One bit less
# means twice the probability.

# %% tags=["S24"]
counted = word_table(names, 4).bits_per_token(with_end(names.test))
for in_view, bits in zip(IN_VIEW, counted, strict=True):
    print(f"{in_view} words in view: {bits:.1f} bits per word")

# %% [markdown]
# Three words are no better than two: most groups of three were seen too rarely.

# %% predict="18.counting"


# %% tags=["S24"] jupyter={"source_hidden": true}
of_gpt = bits_per_word(gpt, names)
print(f"GPT: {of_gpt:.1f} bits per word")
reveal("18.counting")

# %% [markdown] seconds=10
# Now we hold the same contest on two other texts. One is Python's documentation: 1.2 million characters, split into pieces of
# words. The GPT trained on it has 1.1 million parameters. The other text comes from lesson 15: numbers in words, each with its
# numeral in single characters. The table reads the words and the numeral as one sequence, *three hundred and five → 三百零五*, but
# table and translator are scored only on the numeral. This takes about {seconds} seconds.

# %% predict="18.texts"


# %% tags=["S24", "nbval-ignore-output"] jupyter={"source_hidden": true}
contests = {
    "Names": (counted, of_gpt, "GPT"),
    "Documentation": (*prose_bits(), "GPT"),
    "Numbers": (*number_bits(), "translator"),
}
for ax, (title, (tables, score, name)) in zip(
    figures.panels(3, 3.4, 3.4), contests.items(), strict=True
):
    score_line = {"table": tables, name: [score] * len(IN_VIEW)}
    figures.curves(
        IN_VIEW, score_line, title, "tokens that the table sees", "bits per token", ax=ax
    )
    ax.set_ylim(bottom=0)
    print(f"{title:13} best table {min(tables):.1f}, {name} {score:#.2g}")

# %% [markdown]
# <!-- picture -->
# the loss on unseen text; the dashed line shows the Transformer, which sees up to 127 earlier tokens.

# %% jupyter={"source_hidden": true}
lead = {title: min(tables) - score for title, (tables, score, _) in contests.items()}
assert max(abs(lead["Names"]), abs(lead["Documentation"])) < 0.5 < 1.5 < lead["Numbers"]

# %%
reveal("18.texts")

# %% [markdown]
# On names and documentation, the best table is close to the GPT, and on the documentation a little better. (There, 42% of
# all groups of four tokens had occurred in training.) On the numbers, the translator wins by far. The numeral depends on words
# up to a dozen tokens back, in combinations that never occurred in training.
#
# Does more text help? A larger GPT learned for an hour from twelve times as much text, the documentation of packages:

# %% tags=["S24"]
best_table = [LARGER_TEXT_START] * len(LARGER_TEXT_STEPS)
score_line = {"best table": best_table, "GPT": [*LARGER_TEXT_STEPS.values()]}
ax = figures.curves(
    list(LARGER_TEXT_STEPS), score_line, "14 million characters", "steps", "bits per character"
)

# %% [markdown]
# <!-- picture -->
# the loss on some unseen paragraphs; the dashed line shows the GPT. (On all unseen paragraphs, it ended at 1.42 bits; the
# table has 1.57.)
# <!-- end -->
#
# So a table of counts is hard to beat **where a short text repeats itself and the next token depends on the last few. A
# Transformer won with more text, a larger model and longer training, or where the answer follows by a rule from tokens far
# apart.**

# %% [markdown]
# ## Before you go {#exit}

# %% ask="18.check"


# %% ask="18.exit"


# %% [markdown]
# <!-- answer -->
# **How do GPT, BERT and ViT differ?** In the mask, in what they are trained to predict, and at the two ends: how the input
# becomes vectors, and what the head computes. Their blocks are the same.

# %% [markdown]
# To take away:
#
# <!-- takeaway -->
# * GPT: causal mask, and a label at every position. BERT: no causal mask, and labels only at the hidden tokens.
# * ViT: patches as tokens, no mask, and one label per image.
# * A score means something only next to that of a simple method on the same data.
# <!-- end -->
#
# Three names, one block. In [stage B8 of the Build](../exercises/B8_real_text.ipynb), a GPT that you wrote learns to predict
# Python's documentation.
#
# To read next:
#
# <!-- readings -->
# * {devlin2018}: BERT, and what it is fine-tuned for.
# * {dosovitskiy2020}: ViT, and how much data it needs (section 4.3).
# * {wang2019}: better ways to generate text with a BERT.

# %% [markdown]
# ## Deeper {#deeper}
#
# You can read each of these parts on its own; nothing later needs them.
#
# ### A BERT with GPT's mask
#
# One of the last questions asked what happens if a trained BERT gets a causal mask. We can measure that, because its
# parameters fit into a GPT.

# %% tags=["S24"]
half = GPT(config)
half.load_state_dict(bert.state_dict())
half.eval()
rate, bits = known_pair_rate(names, generate(names, half)), bits_per_word(half, names)
print(f"known pairs:   BERT with GPT's mask {rate:.1f}, random words {chance:.1f}")
print(
    f"bits per word: BERT with GPT's mask {bits:.1f}, table with no word in view {counted[0]:.1f}"
)
assert rate < chance + 0.05
assert bits > counted[0]

# %% [markdown]
# With GPT's mask, BERT writes no better than chance, and predicts the next word worse than a table that sees no other word.
# BERT was trained to say which word is *at* a position, not which one comes next. The mask and the loss have to fit each
# other.
#
# ### What BERT has to predict
#
# Here is BERT's loss on one name, by hand. We hide SMALL in LATIN SMALL LETTER A. With `<begin>` and `<end>`, which are not
# printed, there are six positions, and one of them has a label:

# %% tags=["S24"]
ids = names.ids(["LATIN", "SMALL", "LETTER", "A"])
given = torch.tensor([[MASK if position == 2 else i for position, i in enumerate(ids)]])
labels = torch.tensor([[-100, -100, ids[2], -100, -100, -100]])
torch.manual_seed(0)
untrained = BERT(config)
by_hand = -untrained(given)[0, 2].log_softmax(-1)[ids[2]]
print("input:", *names.vocabulary.decode(given[0]))
difference = by_hand - masked_loss(untrained, given, labels)
print(f"the loss by hand minus the library's: {difference.abs():.4f}")

# %% [markdown] seconds=10
# Different words are chosen in each batch. Of the 15% that are chosen, 80% become `<mask>`, 10% become a random token, and 10%
# stay as they are (Devlin and others 2018, section 3.1); our BERT was trained in the same way. Not all become `<mask>`,
# because the texts that the model reads later contain no `<mask>`. These percentages are a choice that worked, not a law.
#
# ### Few labels: does pre-training help?
#
# BERT became known for a different use. It is first trained on texts without labels; this is **pre-training**. Then it gets a
# new head, one matrix applied to the vector of the first token. This head and the rest of the model, its *body*, are trained
# a little more on a few labelled examples. This is **fine-tuning**.
#
# Each name in our data has a label, the **general category** of its character: `Lu` is a capital letter, `Nd` a digit, and so
# on. We take the ten most frequent categories and compare three models. *Pre-trained* is the BERT from above, fine-tuned for
# 100 steps. *Fresh* is the same model with random parameters, trained for the same number of steps. The third is not a
# Transformer: a **bag of words** records which words occur, but not their order, and logistic regression turns this into ten
# logits. Each of three seeds draws its own labelled names. This takes about {seconds} seconds.

# %% predict="18.few"


# %% tags=["S24"] jupyter={"source_hidden": true}
def compare(task, labels_per_class):
    """The accuracy of each model: the median of three seeds."""
    runs = {"pre-trained\nBERT": [], "fresh\nBERT": [], "bag of\nwords": []}
    for seed in effort.seeds():
        torch.manual_seed(seed)
        bodies = (bert, BERT(config))
        tuned = [fine_tuned_accuracy(names, body, task, labels_per_class, seed) for body in bodies]
        counted = bag_of_words_accuracy(names, task, labels_per_class, seed)
        for accuracies, accuracy in zip(runs.values(), (*tuned, counted), strict=True):
            accuracies.append(accuracy)
    return {name: np.median(accuracies) for name, accuracies in runs.items()}


medians = compare(category_task(names), 4)
title = "Which category? 4 labels each"
ax = figures.bars(list(medians.values()), list(medians), title, "accuracy", "%.2f")

# %% [markdown]
# <!-- picture -->
# the accuracy on unseen names, as the median of three seeds.

# %%
reveal("18.few")

# %% [markdown] seconds=10
# The bag of words is ahead of both BERTs. (With 64 labels per category, we measured 0.89 to 0.93 for all three.)
#
# Here is another question, for which single words are no help at all: are the words of a name in their original order, or
# shuffled? The bag of words cannot see any order. But BERT has learned from ten thousand names which word goes where. As a
# control that has read the same names, we add the table of pairs. It needs the labels only to set a threshold: a name that
# costs more bits per word than the threshold is taken to be shuffled. All four learn from 256 labelled names of each kind.
# (This takes about {seconds} seconds.)

# %% tags=["S24"]
task, pair_table = order_task(names), word_table(names, 2)
medians = compare(task, 256)
by_pairs = [ngram_accuracy(names, pair_table, task, 256, seed) for seed in range(3)]
medians["table of\npairs"] = np.median(by_pairs)
ax = figures.bars(list(medians.values()), list(medians), "", "accuracy", "%.2f")

# %% [markdown]
# <!-- picture -->
# the accuracy again, where 0.5 is chance. The bag of words and the fresh BERT stay near chance. The
# pre-trained BERT does not: it reaches about 0.84. But the table of pairs is ahead of them all, at 0.98.
# <!-- end -->
#
# So **pre-training helped most with the question that depends on what BERT had learned to predict**. On the other question it
# helped only a little, and a bag of words was better. Two questions do not prove a rule. And Transformers are not the only
# models that can be pre-trained.
#
# ### Who sees whom, checked in code
#
# Is the drawing of the three models right? We change one input vector of a stack, and see which outputs change. GPT and BERT
# get the same parameters and the same six random vectors:

# %% tags=["S24"]
x = torch.randn(6, 64, generator=torch.Generator().manual_seed(0))
positions = [str(position) for position in range(6)]
for ax, name, mask in zip(
    figures.panels(2),
    ("GPT: causal mask", "BERT (no padding)"),
    (causal_mask(6), None),
    strict=True,
):
    change = perturbation_map(lambda x, mask=mask: bert.stack(x[None], mask)[0], x)
    figures.heatmap((change != 0).float(), positions, positions, name, digits=0, ax=ax)

# %% [markdown]
# <!-- picture -->
# a dark cell with a 1 means that the row's output changes when the column's input does.
# <!-- end -->
#
# `attention_calls` (lesson 13) records the mask of each attention while a model runs. The last row is the translator of lesson
# 15:

# %% tags=["S24"]
name = torch.tensor([ids])
translator, _ = models.load("translator")
family = {
    "GPT": (gpt, name),
    "BERT": (bert, name),
    "BERT, classifier": (SequenceClassifier(bert, 10), name),
    "ViT": (vit, test_images[:1]),
    "translator": (translator, torch.tensor([[4, 5, 6]]), torch.tensor([[1, 4, 5, 6]])),
}
for kind, (model, *inputs) in family.items():
    masks = dict.fromkeys(call.mask for call in attention_calls(model, *inputs))
    axes = model(*inputs).dim()
    what = "logits for each token" if axes == 3 else "logits for the whole input"
    print(f"{kind:17} masks: {', '.join(masks):17} {what}")

# %% [markdown]
# "padding" means that only padding is hidden. Many other uses take one of these models and change one thing:
#
# | use | mask | input | labels | head | model |
# | --- | --- | --- | --- | --- | --- |
# | generation | causal | words so far | every next word | vocabulary | GPT |
# | filling gaps | padding | words, some hidden | the hidden words | vocabulary | BERT |
# | classification | padding | words | one | classes, at the first token | BERT, fine-tuned |
# | images | none | patches | one | classes, at the class token | ViT |
# | question answering | padding | question and text | start and end of the answer | 2 logits per token | BERT, fine-tuned |
# | the same, as text | causal | question, answer so far | every next word | vocabulary | GPT, or encoder and decoder |
# | translation | padding; causal | source; target so far | every next word | vocabulary | encoder and decoder |
# | DALL·E (2021) | causal | text, image tokens so far | every next token | text and image tokens | GPT |
#
# (A GPT need not mask padding, which comes after the words: no word sees what follows it.) The first DALL·E wrote 1,024 image
# tokens, one after another ({ramesh2021}, section 2). Real models differ in more than the mask, the loss and the two ends.
# They also differ in where the norms go, how positions are encoded, how much data they see, and how long they are trained. But
# each of these choices is open to all three.
