# %% [markdown] minutes=25
# # 15 · The whole Transformer, trained: what has it learned?
#
# In 2017, training the smaller of the two original Transformers took twelve hours on eight graphics processors ({vaswani2017},
# section 5.2). Yours will take about a minute on the computer in front of you, because it translates only numbers, from
# English words to Chinese numerals. You know its parts, and how one step of gradient descent changes its parameters. But you
# have not yet watched a whole Transformer learn its task. You will read a training loop and watch it work. Then you will find
# out where the model fails, and where it looks while it writes.
#
# About {minutes} minutes, and half as long again for the parts under "Deeper". By the end, you will be able to
#
# * read a training loop, and explain what you see in its loss curve;
# * distinguish token accuracy from exact match, and say which examples a test score tells you about;
# * read an alignment, and check it by changing the source.

# %%
import random
from itertools import islice

import numpy as np
import torch
from torch.nn.utils import clip_grad_norm_

from transformer_course import explorables, figures, models
from transformer_course.data import date_pairs, number_pairs
from transformer_course.data.numbers import chinese, english
from transformer_course.decoding import greedy
from transformer_course.embedding import pad_right
from transformer_course.exercises import ask, predict, reveal
from transformer_course.experiments import effort
from transformer_course.experiments.learner_translator import (
    keep_translator,
    own_translator,
    reopen_translator,
)
from transformer_course.experiments.number_translation import translate, with_value, write_samples
from transformer_course.experiments.translation import (
    DIGIT_POSITIONS,
    DIGITS,
    KINDS,
    alignment_scores,
    date_map,
    decided_by,
    follow_rate,
    mean_cosine,
    replace_year_digit,
    teacher_forced,
    uniform_baseline,
    untrained,
)
from transformer_course.inspection import count_parameters
from transformer_course.models.recipes import columns, small_translator
from transformer_course.my_transformer import own_or
from transformer_course.training import batches, exact_match, translation_loss
from transformer_course.transformer import Transformer, TransformerConfig

torch.set_num_threads(min(2, torch.get_num_threads()))

# %%
from transformer_course.figures.architecture import PARTS  # the names of all boxes

ax = figures.architecture(*PARTS, title="Lesson 15: all parts together", small=True)

# %% [markdown]
# <!-- picture -->
# the map from lesson 00. Every box is filled, because today all the parts work together.
# <!-- end -->
#
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %% ask="15.recall"


# %% [markdown]
# ## A task and an untrained model {#task}
#
# *Twelve thousand three hundred* is 一万二千三百: 1 ten-thousand, 2 thousand, 3 hundred. English counts in thousands, Chinese in
# ten-thousands (万), so the words cannot be replaced one by one.
#
# We have 30,000 numbers of up to eight digits to train on, and 2,000 others to test on. Here are three. (This takes a few
# seconds.)

# %%
numbers = number_pairs()
for source, target in numbers.train[:3]:
    print(*source, "→", target)

# %% [markdown]
# The model has two encoder layers and two decoder layers. It is 128 wide, with four heads and pre-norm (the map shows
# post-norm). If your `my_transformer.py` contains a `Transformer` (stage B5 of the Build), the next cell uses yours.

# %%
translator, vocabularies = untrained(numbers, make=own_or("Transformer", Transformer))
known, unseen = (columns(part, *vocabularies.values()) for part in numbers)
print(f"{sum(count_parameters(translator).values()):,} parameters")
overlap = {*map(tuple, known[0])} & {*map(tuple, unseen[0])}
print(f"{len(overlap)} of the {len(unseen[0]):,} test numbers are among the training numbers")
print(f"{len(known[0]) / 10**8:.2%} of all numbers below 100,000,000 are training numbers")

# %% [markdown]
# ## The training loop {#loop}

# %%
ax = figures.schematic("training")

# %% [markdown]
# <!-- picture -->
# one step, with b numbers in a batch, m source tokens, n target tokens, and v tokens in the vocabulary.
# The next batch goes through a model with slightly different parameters.
# <!-- end -->
#
# This is the loop of lesson 14, with two details added. The learning rate rises for 100 steps, and then falls in a straight
# line to nearly 0. And before each step comes **gradient clipping**: if the gradient, all 935,424 numbers taken as one vector,
# is longer than 1, it is scaled down to length 1. So a single unusual batch has less influence. (The `betas` of AdamW's
# running means are the original paper's.)


# %% tags=["S20", "S21"]
def learn(model, data, steps, after_step, lr=0.002, warmup=100):
    optimizer = torch.optim.AdamW(model.parameters(), betas=(0.9, 0.98))
    for step in range(1, steps + 1):
        rise, fall = step / warmup, (steps + 1 - step) / (steps - warmup)
        optimizer.param_groups[0]["lr"] = lr * min(rise, fall)
        loss = translation_loss(model, *next(data))
        optimizer.zero_grad()
        loss.backward()
        clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        after_step(step, loss.item())


# %% [markdown]
# `next(data)` gives a batch of 64 numbers of similar length, so that little of it is padding. No number is used twice.
#
# While the model learns, we test it every 25 steps on 200 of the test numbers, in two ways:
#
# * *tokens, teacher-forced*: at each position, the model gets the correct tokens before it. For what fraction of positions is
#   its most probable next token correct? That fraction is its **token accuracy**.
# * *numbers, free-running*: the model starts from `begin` and reads its own tokens. For what fraction of the numbers is
#   every token correct, up to `end`? This is called **exact match**.

# %% predict="15.tokens"


# %% [markdown] seconds=60
# Now train. This takes about {seconds} seconds, and in JupyterLab the figure grows while you watch. The table below it shows
# what the model writes for three numbers; a ✓ means correct. The translator is then saved in your folder. When you come back,
# this cell loads it and its figure instead of training again. (Too slow? Stop it with ■: a cell below loads the course's
# translator.)

# %% tags=["S20", "S21", "nbval-ignore-output"]
STEPS, sample = effort.steps(450), [column[:200] for column in unseen]
train_again = False  # with True, this cell trains a new translator even if yours is saved


def look(step, loss):
    accuracies, samples = {}, {}
    if step % 25 == 0:
        accuracies["tokens, teacher-forced"] = teacher_forced(translator, *sample)[0]
        accuracies["numbers, free-running"] = exact_match(translator, *sample)
    if step % 50 == 0:
        samples = write_samples((translator, vocabularies), [20_481, 42_007, 305_018])
    watch(step, loss, accuracies, samples)


with figures.live(STEPS, "The translator learns") as watch:
    if train_again or not reopen_translator(translator, watch):
        translator, _ = untrained(numbers, make=type(translator))  # the random weights again
        data = batches(*known, batch_size=64)
        learn(translator, data, STEPS, look)
        keep_translator(translator, vocabularies, watch)

tokens, exact = (np.array(watch.accuracies[name])[:, 1] for name in watch.accuracies)
enough = np.flatnonzero(tokens >= 0.9)  # the tests with at least 90% of the tokens
first = enough[0] if len(enough) else len(tokens) - 1
print(f"step {25 * (first + 1)}: {tokens[first]:.0%} of tokens, {exact[first]:.0%} of numbers")
print(f"ten independent tokens would all be correct in {tokens[first] ** 10:.0%}")
print(f"largest drop from one test to the next: {100 * max(0, -np.diff(exact).min()):.0f} points")
score = exact_match(translator, *unseen)
print(f"at the end: {score:.1%} of 2,000 unseen numbers")

# %% [markdown]
# <!-- picture -->
# <!-- left -->
# the loss of each batch, on a logarithmic scale.
# <!-- right -->
# the two accuracies of the same model on the same 200 numbers.

# %% tags=["S20"] jupyter={"source_hidden": true}
if len(watch.losses) < STEPS:
    print("The training was stopped. The next cell can load a trained model.")
elif score < 0.99 or not 0.2 < exact[first] < 0.6:
    print("On this computer the run came out differently from ours. Nothing is broken: read on.")
reveal("15.tokens")

# %% [markdown]
# Did you stop the training? Then remove the `#` below, and load the course's translator, trained in the same way for 700
# steps:

# %%
# translator, vocabularies = models.load("translator")

# %% [markdown]
# Now give your translator numbers of your own, in words or digits, as often as you like. (Lesson 00 showed this table with the
# course's weights. These are yours.)

# %% tags=["nbval-ignore-output"]
translate("three hundred and five thousand and eighteen", (translator, vocabularies))

# %% [markdown]
# Your translator has seen 28,800 numbers, once each, and it translates numbers that it has never seen. So it has learned
# something about how numbers are built.
#
# You may have seen odd things. Exact match can drop from one test to the next while the learning rate is high: each step
# changes parameters that all numbers share. Now and then, the loss jumps to many times its usual value. The next section
# explains some of these jumps.
#
# ## Where does it fail? {#failures}
#
# Nearly always right is not always right. Let's try three groups of about 20 numbers: random eight-digit numbers; three-digit
# numbers with a zero, such as 305; and the numbers from 1 to 20.

# %% predict="15.groups"


# %% tags=["S21", "nbval-ignore-output"] jupyter={"source_hidden": true}
draw = random.Random(0)
groups = {
    "eight digits": [73_519_284, *(draw.randrange(10**7, 10**8) for _ in range(19))],
    "three, with zero": [100 * k + m for k in range(1, 10) for m in (3, 7)] + [405, 909],
    "1 to 20": list(range(1, 21)),
}
learned = {tuple(words) for words, _ in numbers.train}
assert not learned & {tuple(english(number)) for number in groups["eight digits"]}


def translated(group):
    source, target = vocabularies.values()
    ids = greedy(translator, pad_right([source.encode(english(number)) for number in group]), 20)
    return ["".join(target.decode(row)) for row in ids]


def wrong(group):
    pairs = zip(group, translated(group), strict=True)
    return {number: output for number, output in pairs if output != chinese(number)}


right_in = {name: 1 - len(wrong(group)) / len(group) for name, group in groups.items()}
for name, group in groups.items():
    examples = [f"{number} → {with_value(said)}" for number, said in wrong(group).items()][:1]
    print(f"{name:18}{right_in[name]:4.0%} correct", *examples, sep="  ")

# %% tags=["S21"] jupyter={"source_hidden": true}
# The text below relies on this.
if not min(right_in["eight digits"], right_in["three, with zero"]) > 0.8 > right_in["1 to 20"]:
    print("On this computer the model behaves differently from ours. What might be the reason?")
reveal("15.groups")

# %% [markdown]
# The model translates eight-digit numbers that it has never seen, but hardly any from 1 to 20, most of which are among its
# training numbers. Is it simply that short numbers fail? Look at four more groups:

# %% tags=["S21", "nbval-ignore-output"]
kinds = {
    "one word": [number for number in range(1, 100) if len(english(number)) == 1],
    "two words": [number for number in range(1, 100) if len(english(number)) == 2],
    "… thousand": range(1000, 100_000, 1000),
    "… million": range(10**6, 10**8, 10**6),
}
for name, group in kinds.items():
    in_training = sum(tuple(english(number)) in learned for number in group)
    correct = len(group) - len(wrong(group))
    print(f"{name:12}{len(group):3} numbers, {in_training:2} in training, {correct:2} correct")

# %% [markdown]
# So short numbers of two words hardly ever fail. How often does a training number end after *thousand*, after *million*, or
# after one word?

# %% tags=["S21"]
training, test = ([words for words, _ in part] for part in (numbers.train, numbers.test))
for word in ("thousand", "million"):
    having = [words for words in training if word in words]
    ending = sum(words[-1] == word for words in having)
    print(f"{word:9} ends {ending:2} of the {len(having):,} numbers with it")
for name, part in (("training", training), ("test", test)):
    single = sum(len(words) == 1 for words in part)
    print(f"{single:2} of the {len(part):,} {name} numbers have one word")

# %% [markdown]
# The numbers that fail end where training numbers rarely do. After the first word, or after *thousand* or *million*, nearly
# all training numbers go on. The model seems to have learned that, and keeps writing. (But hardly any training number has two
# words either. Is rarity really the reason? In the sheet, you plan runs that could tell you.)
#
# The test does not show this, because its numbers were drawn like the training numbers. **A score on unseen examples tells
# you only about examples drawn in the same way.**
#
# Rare endings also explain some of the jumps in the loss. A batch holds numbers of similar length, so such endings cluster in
# a few batches. From step 200 on:

# %% tags=["S21", "nbval-ignore-output"]
used = islice(batches(*known, batch_size=64), len(watch.losses))  # the same batches again
words = np.array([(source != 0).sum(1).float().mean() for source, _ in used])
losses, late = np.array(watch.losses), np.arange(len(words)) >= min(200, len(words) // 2)
bins = {"under 5 words": (0, 5), "5 to 8": (5, 8), "8 and more": (8, 99)}
medians = [np.median(losses[late & (low <= words) & (words < high)]) for low, high in bins.values()]
(ax,) = figures.panels(1, 5.4, 3.0)
ax = figures.bars(medians, [*bins], "Loss by words per number", "median loss", ax=ax)
_ = ax.set(ylim=(0, 1.2 * max(medians)))

# %% [markdown]
# <!-- picture -->
# each bar is for batches whose numbers have that many words on average. The shortest numbers cost the most.

# %% [markdown]
# ## Where does it look? {#attention-map}
#
# The table of `translate` also shows what your translator looks at. To judge such a map, we need a task where we know what
# the model *should* look at. So here we use a ready-made model of the same size, which turns dates in nine English formats
# into YYYY-MM-DD, character by character. (If your kernel was shut down during a break, run the first code cell of this
# lesson and go on here.)

# %% tags=["resume"]
dates, (dater, letters) = date_pairs(), models.load("dates")

# %% [markdown]
# Each digit of the year and of the day is determined by the same digit in the text (the 3 in *3 May* determines both digits,
# 03), and the month by the letters of its name. An output's **alignment** says which source positions it looks at; here we
# know the ideal one. How much attention weight does the model put on it? We take the last cross-attention, averaged over its
# four heads.

# %% predict="15.least"


# %% tags=["S18"]
def draw_alignment(text, iso):
    pairs = zip(DIGIT_POSITIONS, decided_by(text), strict=True)
    ideal = [(row, column) for row, columns_ in pairs for column in columns_]
    weights = date_map(dater, letters, text, iso)
    (ax,) = figures.panels(1, 9.6, 5.0)
    figures.heatmap(weights, [*iso, "end"], [*text], f"It reads “{text}”", marked=ideal, ax=ax)
    ax.set_aspect("auto")


text, iso = "the 25th of March 2019", "2019-03-25"
assert iso not in {answer for _, answer in dates.train}
draw_alignment(text, iso)

# %% [markdown]
# <!-- picture -->
# a row for each character of the answer, from the top, and a column for each character of the text. Darker
# cells have more weight; frames mark the ideal alignment. The dark cells run from top right to bottom left: the answer begins
# with the year.
# <!-- end -->
#
# The same date can be written in the answer's order. Where will the dark cells be? Try `draw_alignment("2019, Mar 25", iso)`.
#
# Here is the weight inside the frames, averaged over 200 dates that were not used in training:

# %% tags=["S18"]
some, untrained_dater = dates.test[:200], untrained(dates)[0]
lines = {
    "trained": alignment_scores(dater, letters, some),
    "untrained": alignment_scores(untrained_dater, letters, some),
    "uniform weights": uniform_baseline(some),
}
title = "Weight on what determines the digit"
ax = figures.curves(range(8), lines, title, "", "mean of 200 dates")
_ = ax.set_xticks(range(8), ["Y", "Y", "Y", "Y", "M", "M", "D", "D"])

# %% [markdown]
# <!-- picture -->
# the mean weight inside the frames, for each of the eight digits. The untrained model's line follows the
# uniform one. The trained model's is above both everywhere.

# %% tags=["S18"] jupyter={"source_hidden": true}
# The text below relies on this.
assert lines["trained"].argmin() == 1
assert (lines["trained"] > lines["uniform weights"]).all()
reveal("15.least")

# %% [markdown]
# ## Change the source {#change-source}
#
# The year's second digit follows from its first, so the model could do without the text. Does it? A map cannot tell us. We
# have to change the text, one digit of the year at a time:

# %% tags=["S18"]
for digit in (1, 2, 3):
    changed, _ = replace_year_digit(text, digit)
    (ids,) = greedy(dater, pad_right([letters["source"].encode(changed)]), 12)
    print(f"{changed} → {''.join(letters['target'].decode(ids))}")

# %% [markdown]
# The third and fourth digits follow the text. The second is less clear: for 2919 the model writes 1919. The text's `9` has
# changed the *first* digit to 1, and after a 1 the model has only ever seen a 9.
#
# So a frame shows what determines the correct answer, not how the model finds it. **An alignment shows where a model looks. To
# learn what decides its output, change the source.**
#
# ## Remove a head {#remove-heads}
#
# We can also change the model. It has 24 heads. What if one of them outputs only zeros?

# %% predict="15.heads"


# %%
source = pad_right([letters["source"].encode(text)])
target = torch.tensor([[letters["target"].begin, *letters["target"].encode(iso)]])
characters = [*text], ["begin", *iso]
task = "Remove one head after another: find one that this date needs."
explorables.heads(dater, source, target, *characters, letters["target"].tokens, task)

# %% [markdown]
# The arrows show what the model predicts after each character. The rows show where the heads look from the character that you
# click.

# %%
reveal("15.heads")

# %% [markdown]
# Where a head looks and whether the model needs it are separate questions. Lesson 20 returns to them.

# %% [markdown]
# ## Before you go {#exit}

# %% ask="15.exit"


# %% [markdown]
# <!-- answer -->
# **What has it learned?** To translate numbers that it has never seen, as long as they are like most of its training numbers.
# Our date model mostly looks at what determines the next digit, wherever that is in the source.

# %% [markdown]
# To take away:
#
# <!-- takeaway -->
# * Training repeats five lines: compute the loss, clear the gradients, `backward()`, clip, step.
# * A sequence is correct only if all its tokens are, so exact match rises later than token accuracy.
# * A test score tells you about examples drawn in the same way, and an alignment shows where a model looks.
# <!-- end -->
#
# You know what our translator gets right, where it fails, and which heads the date model can do without. The next model is
# yours, down to the last layer: you train it in [stage B6 of the Build](../exercises/B6_training_it_for_real.ipynb).
#
# To read next:
#
# <!-- readings -->
# * {vaswani2017}, sections 5 and 6: how the original Transformer was trained.
# * {bahdanau2014}, figure 3: alignments between English and French, which leave the diagonal where word order differs.
# * {pascanu2012}: why gradients are clipped.

# %% [markdown]
# ## Deeper {#deeper}
#
# You can read each of these parts on its own; nothing later needs them.
#
# ### How many parameters does the paper's model have?
#
# The base model of the original Transformer paper has six layers on each side. Its width is $d_\text{model} = 512$, and
# $d_\text{ff} = 2048$. One table of about 37,000 tokens serves three purposes: it is the embedding of the source, the
# embedding of the target, and the output matrix. The paper states a total of 65 million parameters.

# %% predict="15.largest"


# %% [markdown]
# <!-- paper -->
# **Your turn, on paper**, before you run the next cell. In the library's model, every matrix of the attention and feed-forward
# networks has a bias. The table has none, and the sinusoids have no parameters. The model is post-norm, with a LayerNorm after
# each sublayer: two in an encoder layer, three in a decoder layer.
#
# | | each | how many | together |
# | --- | --- | --- | --- |
# | attention: W_Q, W_K, W_V, W_O | 4 · (512 · 512 + 512) = 1,050,624 | 6 + 12 | ____ |
# | feed-forward network | 512 · 2048 + 2048 + 2048 · 512 + 512 = 2,099,712 | ____ | ____ |
# | LayerNorm: γ and β | ____ | 12 + 18 | 30,720 |
# | table | 37,000 · 512 = 18,944,000 | 1 | 18,944,000 |
#
# <!-- compare -->
# <details><summary>Compare</summary>The attention sublayers have 18,911,232 parameters. There are 12 feed-forward networks,
# with 25,196,544 in all. A LayerNorm has 2 · 512 = 1,024. The sum of the last column is 63,082,496.</details>
# <!-- end -->
#
# Does the library's model have as many? We build it on torch's device `meta`, where tensors have shapes but no numbers, so
# the model needs no memory. Its default vocabulary has 37,000 tokens.

# %% tags=["S21"] jupyter={"source_hidden": true}
with torch.device("meta"):
    paper = Transformer(TransformerConfig(num_layers=6, d_model=512, d_ff=2048, num_heads=8))
for kind in ("MultiHeadAttention", "FeedForward", "LayerNorm", "TokenEmbedding"):
    parts = {m for m in paper.modules() if type(m).__name__ == kind}
    print(f"{kind:18}{sum(sum(count_parameters(part).values()) for part in parts):12,}")
print(f"together          {sum(count_parameters(paper).values()):12,}")
reveal("15.largest")

# %% [markdown]
# The sum agrees with yours, but not with the paper: 63 million instead of 65. Biases and LayerNorms are too small to explain
# the difference. (In the paper, only the feed-forward networks have biases; the attention biases of our model add just
# 36,864.) A larger vocabulary could explain it: ten of the models in the paper's table 3 would need about 41,000 tokens. But
# the "big" model, with 213 million parameters, would need fewer than 37,000. So no single vocabulary explains every row.
#
# ### Does it help to be given the correct tokens?
#
# Here we need a model that still makes many mistakes, as yours did on the way. `translator-early` is the course's translator
# after less than a third of its training.
# Among the first 1,000 test numbers, we count those in which all tokens are correct, teacher-forced and free-running:

# %% tags=["S20"]
early, vocabularies = models.load("translator-early")
half = columns(number_pairs(300, 1000).test, *vocabularies.values())
_, forced = teacher_forced(early, *half)
written = greedy(early, pad_right(half[0]), 20)
free = [ours == correct for ours, correct in zip(written, half[1], strict=True)]
print(f"teacher-forced {np.mean(forced):.0%}, free-running {np.mean(free):.0%}")
print("numbers that are correct in only one of the two:", np.sum(np.array(forced) != free))

# %% [markdown]
# Up to its first error, a free-running model has been given the correct tokens: its own. The two ways differ only after that
# error, and by then the number is already wrong. (Lesson 16 goes on from here.)
#
# ### Which words are close together in the embedding?
#
# You may have read that a learned embedding places words with similar meanings close together. Here are the words for 1 to 9,
# 11 to 19, and 20, 30, … 90. (*Ten* is missing: it has no digit of its own.) In your translator's table, each of them
# has a row of 128 numbers, which were random at first. We take *close* to mean a large cosine: the dot product of two
# vectors, divided by their lengths (lesson 06).

# %% predict="15.alike"


# %% [markdown]
# There are two controls: an untrained table, and the same rows with their words shuffled, a thousand times.

# %% tags=["S28"]
words = list(DIGITS)
trained, vocabularies = own_translator()
torch.manual_seed(0)
tables = {"trained": trained, "untrained": small_translator(*vocabularies.values())}
rows = vocabularies["source"].encode(words)
rng, measured, chance = np.random.default_rng(0), {}, {}
for when, model in tables.items():
    vectors = model.source.embedding.table[rows]
    for alike, labels in (("digit", DIGITS), ("kind", KINDS)):
        groups, name = [labels[word] for word in words], f"same {alike}, {when}"
        measured[name] = mean_cosine(vectors, groups)
        chance[name] = [mean_cosine(vectors, rng.permutation(groups)) for _ in range(1000)]
ax = figures.beside_chance(measured, chance, "Words with something in common", "mean cosine")
ax.set_xlim(-0.08, 0.25)
ax.get_legend().set_loc("lower right")

# %% [markdown]
# <!-- picture -->
# each dot is the mean cosine over all pairs of words with the same digit, or of the same kind (ones, teens
# or tens). The grey bar shows the range of a thousand shuffles. In the trained table, both dots are outside the bar, and the
# one for the digit is further out. In the untrained table, both are inside.

# %% jupyter={"source_hidden": true}
assert all(
    measured[f"same {alike}, trained"] > max(chance[f"same {alike}, trained"])
    for alike in ("digit", "kind")
)
assert measured["same digit, trained"] > measured["same kind, trained"]
reveal("15.alike")

# %% [markdown]
# So the claim holds here, but look at what *similar* means. The closest words are those for which the same numeral has to be
# written: 六 for *six*, *sixteen* and *sixty*. Words of the same kind are also closer than chance, but less so. **Here, words
# are similar if the task treats them alike.** (This is one task; a different task may group words differently. And a mean
# cosine below 0.2 is far from 1.)
#
# ### Two habits behind one mean
#
# The second digit of the year got the least weight on average. Now take the dates of each century separately. Next to the
# weight, you see how often the model writes the new digit when we change that digit in the text. (The model is given the
# original digits before it.)

# %% tags=["S18"]
for century in ("19", "20"):
    part = [pair for pair in some if pair[1].startswith(century)]
    weight = alignment_scores(dater, letters, part)[1]
    rate = follow_rate(dater, letters, part, 1)
    print(f"{century}..: weight on the second digit {weight:.1f}, follows the change {rate:.1f}")
rates = [follow_rate(dater, letters, some, digit) for digit in (2, 3)]
print(
    f"all dates: follows a change of the third digit {rates[0]:.1f}, of the fourth {rates[1]:.1f}"
)

# %% [markdown]
# After a `1`, the model gives the second digit far more weight than after a `2`, and yet it does not follow the text more
# often. More weight need not mean more influence: the decoder's other layer has looked at the text as well. (The comparison
# with the third and fourth digits is not quite fair. A year such as 2919 never occurs in training, but years with a different
# third or fourth digit do.)
