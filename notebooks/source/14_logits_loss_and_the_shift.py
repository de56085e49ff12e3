# %% [markdown]
# # 14 · Logits, loss and the shift: what is a model asked at each position?
#
# The decoder of lesson 13 ends in a vector for each token of the target. Here these vectors become probabilities, and the
# probabilities one number, the loss, which is all that training ever sees. In between stands a step so small that it is
# easily forgotten: everything moves by one place.
#
# About 30 minutes. Afterwards you can
#
# * say what the numbers that leave a model are a distribution of;
# * work out the loss of a batch by hand: what goes in, what is asked, and what is left out;
# * recognise a forgotten shift and counted padding by what they do.

# %%
import math

import numpy as np
import torch
from torch.nn import functional as F

from transformer_course import figures, models
from transformer_course.decoding import greedy
from transformer_course.embedding import pad_right
from transformer_course.exercises import ask, predict, reveal
from transformer_course.experiments.loss_variants import encoded_numbers, train_translator
from transformer_course.masks import causal_mask
from transformer_course.models.recipes import small_translator
from transformer_course.training import sequence_loss, shift, translation_loss

torch.set_num_threads(1)

# %% [markdown]
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %%
ask("14.recall")

# %% [markdown]
# ## A score for every token that there is
#
# Suppose that a model is two numbers wide and knows four tokens: a, b, c and the end. At some position the decoder has
# arrived at the vector [1, 2]. A last matrix, with a column for each token, turns it into four scores:

# %% tags=["S19"]
vector = np.array([1.0, 2.0])
W = np.array([[1.0, 0.0, 2.0, -1.0], [1.0, 0.0, -1.0, 1.0]])  # columns: a, b, c, end
z = vector @ W
print("logits       ", z)
print("probabilities", (np.exp(z) / np.exp(z).sum()).round(4))

# %% [markdown]
# These scores are called **logits**. They may be any numbers. Softmax, which you know from attention, makes a
# distribution of them. That is the whole output layer.
#
# Now the real thing: the translator of lesson 06, from English number words to Chinese numerals. It knows 18 target tokens.
# If you do not read Chinese: 三 is 3, 百 is 100, 零 is 0, and so on; from here on we print such names, and `?` for the unknown.

# %%
translator, vocabularies = models.load("translator")
english, chinese = vocabularies["source"], vocabularies["target"]
reads = dict(
    zip("零一二三四五六七八九十百千万", [*"0123456789", "10", "100", "1000", "10⁴"], strict=True)
)
names = ["pad", "begin", "end", "?", *(reads[token] for token in chinese.tokens[4:])]
print(len(names), "tokens:", *names)

# %% [markdown]
# *Three hundred and five* is 三百零五, or 3 100 0 5. We give the encoder the English words, and the decoder `begin 3 100 0
# 5`. What the decoder makes of them goes through one matrix, the translator's `output`:

# %% tags=["S19"]
source = pad_right([english.encode(["three", "hundred", "and", "five"])])
written = torch.tensor([[chinese.begin, *chinese.encode("三百零五")]])
with torch.no_grad():
    memory, mask = translator.encode(source)
    vectors = translator.decoder(translator.target(written), memory, causal_mask(5), mask)
    logits = vectors @ translator.output.weight.T
    torch.testing.assert_close(logits, translator(source, written))
print("vectors", tuple(vectors.shape), " logits", tuple(logits.shape))
p = logits[0].softmax(-1)

# %% [markdown]
# Five positions, and 18 logits at each.
#
# ## A distribution of what?
#
# Note 2 says that the output gives, for each word, the probability that it *occurs in the target sequence*. In our
# sentence `5` does occur, and nobody doubts it.

# %%
predict("14.occurs")

# %% tags=["S19", "E25"]
print("p of 5:     ", *(f"{share:.2f}" for share in p[:, names.index("5")]))
print("sum of a row:", *(f"{total:.2f}" for total in p.sum(-1)))
reveal("14.occurs")

# %% tags=["S19", "E25"]
after = ["begin", "… 3", "… 100", "… 0", "… 5"]
occurs = np.tile([name in ("3", "100", "0", "5", "end") for name in names], (5, 1))
for values, title in ((p, "What the model says"), (occurs, "What occurs in the target")):
    ax = figures.heatmap(values, after, names, title, ax=figures.panels(1, 9.5, 3.2)[0])

# %% [markdown]
# **In the picture:** a row for each position, named by the last target token that it sees; dark is a probability near 1.
# Above, each row has one dark cell, and it moves: 3, 100, 0, 5, end. Below stands what note 2's sentence would mean: five dark
# cells in a row, the same at every position, and a sum of 5. No softmax can give that.
#
# So **at each position the output is the distribution of the *next* token**, given the source and all that stands there
# already. Still not convinced? *Five hundred and three* has the very same tokens. Whatever only says what occurs has to say
# the same of both:

# %% tags=["E25"]
for text in ("three hundred and five", "five hundred and three"):
    with torch.no_grad():
        first = translator(pad_right([english.encode(text.split())]), written[:, :1])[0, 0]
    print(f"{text}: the first token is {names[first.argmax()]}")

# %% [markdown]
# ## What goes in, what is asked
#
# If the output at a position is about the next token, then training asks for that one. It is called the **label** of the
# position. So the labels are the target, with `end` as its last token. The inputs are the same tokens, **shifted** one place
# to the right: `begin` comes in on the left, and the last token drops out, since after it there is nothing to ask. Five
# questions, and all of them are answered in one pass.

# %% tags=["S19"]
target = [*chinese.encode("三百零五"), chinese.end]
tokens = [names[i] for i in target]
left, right = figures.panels(2, 5.2, 2.6)
ax = figures.token_labels(["begin", *tokens[:-1]], tokens, 2, "Shifted", ax=left)
ax = figures.token_labels(tokens, tokens, 2, "Not shifted", ax=right)

# %% [markdown]
# **In the picture:** the inputs are above, the labels below. Highlighted are the inputs that position 2 sees through the causal
# mask. On the left it sees `begin 3 100`, and is asked for `0`. On the right the shift is left out. The mask is the same, and yet
# the answer is among what it sees: in its own place.
#
# The library's `shift` does it for a batch. We take two texts, 305 and 40:

# %% tags=["S19"]
source = pad_right([english.encode(text.split()) for text in ("three hundred and five", "forty")])
targets = [[*chinese.encode(text), chinese.end] for text in ("三百零五", "四十")]
batch_inputs, batch_labels = shift(pad_right(targets))
for row in (0, 1):
    print("in:   ", *(f"{names[i]:5}" for i in batch_inputs[row]))
    print("asked:", *(f"{names[i]:5}" for i in batch_labels[row]))

# %% [markdown]
# In the second text the last two labels are padding: they ask for nothing. (Here a `pad` dropped out, and `end` goes in. That
# does no harm: at its position nothing is asked.) And the inputs are the *right* beginning, whatever the model would have
# written there itself. That is called **teacher forcing**. All decoders of this course are trained so.
#
# ## From probabilities to a loss
#
# How good is the answer at one position? We look at the probability that the model gave to the label, and at nothing else,
# and take minus its logarithm. A probability of 1 costs −log 1 = 0, one half costs 0.69, a tenth 2.30, a hundredth 4.61: each
# factor of ten costs 2.30 more. The loss of several tokens is the mean.
#
# Why a logarithm? The probability of a whole text is the product of those of its tokens, and logarithms of factors add up.
# And what comes near 0 costs without limit.

# %%
ask("14.check")

# %% [markdown]
# Now our batch. So that there is something to lose, we ask `translator-early`, the same model less than a third of the way
# through its training. Here is what it gives to each label:

# %% tags=["S19"]
early, _ = models.load("translator-early")
with torch.no_grad():
    logits = early(source, batch_inputs)
p = logits.softmax(-1)
shares = [[p[row, t, i].item() for t, i in enumerate(targets[row])] for row in (0, 1)]
print(*(np.round(row, 4) for row in shares), sep="\n")

# %% [markdown]
# **Your turn, on paper.** (A pocket calculator has ln. Here and in the whole course, log is this natural logarithm.)
#
# | | 3 | 100 | 0 | 5 | end | 4 | 10 | end |
# | --- | --- | --- | --- | --- | --- | --- | --- | --- |
# | p | 0.9948 | 0.0054 | 0.2472 | 0.9879 | 0.9742 | 0.9914 | 0.0961 | 0.0209 |
# | −ln p | 0.0052 | ____ | 1.3976 | 0.0122 | 0.0261 | 0.0086 | 2.3424 | ____ |
#
# The sum of all eight is ____ , and the loss, their mean, is ____ .
#
# <details><summary>Compare</summary>5.22 and 3.87; the sum is about 12.88 (12.89 if p is not rounded); the mean 1.61. Nearly
# nine tenths of it comes from three tokens of which the model thought little.</details>

# %% tags=["S19"]
by_hand = np.mean([-math.log(share) for row in shares for share in row])
library = sequence_loss(logits, batch_labels)
flat, asked = logits.flatten(0, 1), batch_labels.flatten()  # torch wants one row a question
of_torch = F.cross_entropy(flat, asked, ignore_index=chinese.pad)
print(f"by hand {by_hand:.2f}, library {library:.2f}, torch {of_torch:.2f}")
np.testing.assert_allclose([library, of_torch], by_hand, rtol=1e-5)

# %% [markdown]
# With $y_t$ for the label of position $t$, and a sum over the $N$ real labels of the whole batch:
#
# $$\text{loss} = -\frac{1}{N} \sum_{t} \log p_t(y_t)$$
#
# It is called **cross-entropy**. torch's function takes *logits*, and does softmax and logarithm itself; that is more exact,
# as the sheet will show. `ignore_index` names the label that asks for nothing. How much hangs on each piece? We get one wrong
# at a time:


# %% tags=["S19"]
def slips(model, source, target):
    inputs, labels = shift(target)
    with torch.no_grad():
        logits, not_shifted = model(source, inputs), model(source, target)
    flat, asked = logits.flatten(0, 1), labels.flatten()
    p, pad = flat.softmax(-1), chinese.pad
    total = F.cross_entropy(flat, asked, ignore_index=pad, reduction="sum")
    of_texts = [sequence_loss(*text) for text in zip(logits[:, None], labels[:, None], strict=True)]
    return {
        "as it should be": sequence_loss(logits, labels),
        "padding counted": F.cross_entropy(flat, asked),
        "the mean of each text, then their mean": np.mean(of_texts),
        "probabilities in place of logits": F.cross_entropy(p, asked, ignore_index=pad),
        "shift left out": sequence_loss(not_shifted, target),
        "the sum in place of the mean": total,
    }


for name, loss in slips(early, source, batch_labels).items():
    print(f"{loss:.2f}  {name}")

# %% [markdown]
# Six numbers, all of them possible. (The third gives each token of a short text more weight. The fourth takes softmax twice:
# its scores lie between 0 and 1, so even a perfect model could not get below log(1 + 17/e) = 1.98. The fifth asks a model
# that says what comes next for what stands there already.) How would you notice? By two checks: one before the first step,
# one after the last.
#
# ## A check before the first step
#
# A model that knows nothing should find all $V$ tokens of its vocabulary equally likely. Then each label gets $1/V$, and the
# loss is $\log V$. For 18 tokens that is 2.89. Three untrained translators, on the numbers 1 to 99; and then the last one with
# an output matrix of zeros, so that all its logits are equal:

# %% tags=["S19"]
pairs, starts = encoded_numbers(english, chinese), []
for seed in range(3):
    torch.manual_seed(seed)
    untrained = small_translator(english, chinese)
    starts.append(translation_loss(untrained, *pairs).item())
print(f"log 18 = {math.log(18):.2f}; untrained:", *(f"{start:.1f}" for start in starts))

torch.nn.init.zeros_(untrained.output.weight)
for name, loss in slips(untrained, *pairs).items():
    print(f"{loss:7.2f}  {name}")

# %% [markdown]
# Random logits are not quite equal, so the loss begins near $\log V$, here up to a few tenths away. **If yours begins far from
# it, look at the loss before you look at the model:** the sum in place of the mean begins at about 1000. But the other four
# pass. With equal logits every label costs $\log V$, whatever is asked. For them it takes the second check, and that is no
# loss: let the trained model write. It finds the shift, as you will see now, and one of the others on the sheet.
#
# (Read backwards: $e^\text{loss}$ is called **perplexity**, and says among how many tokens an even guess would be as bad. For
# 2.89 it is 18.)
#
# ## The shift left out
#
# Somebody forgets the shift: the target goes in, and the target is asked. (The causal mask is there, and works.) We train
# small translators on the numbers 1 to 99, once with the shift and once without, with nothing else changed. They are 32 wide,
# and take 100 steps of 32 numbers, three seeds each. These are the two losses:


# %% tags=["S19"]
def with_shift(model, source, target):
    inputs, labels = shift(target)
    return sequence_loss(model(source, inputs), labels)


def without_shift(model, source, target):
    return sequence_loss(model(source, target), target)


# %% [markdown]
# The second loss falls at least as far as the first. After that the models write by themselves, from `begin` on: all the 99
# numbers that they were trained on.

# %%
predict("14.no_shift")

# %% tags=["S19"] jupyter={"source_hidden": true}
right = [train_translator(pairs, with_shift, seed) for seed in range(3)]
copied = [train_translator(pairs, without_shift, seed) for seed in range(3)]
for name, runs in (("shift", right), ("no shift", copied)):
    print(f"{name}: loss below 0.1 at the end: {[run.losses[-1] < 0.1 for run in runs]}")
    print(f"    writes over 90 % of them correctly: {[run.exact > 0.9 for run in runs]},", end=" ")
    print(f"writes none: {[run.exact == 0 for run in runs]}")
reveal("14.no_shift")

# %% tags=["S19"]
arms, steps = {"shift": right, "no shift": copied}, np.arange(10, 101, 10)
panels = {
    "The loss that each was trained on": lambda run: np.reshape(run.losses, (10, 10)).mean(axis=1),
    "The loss on the next token": lambda run: run.next_token_losses,
}
for ax, (title, losses) in zip(figures.panels(2, 5.0), panels.items(), strict=True):
    lines = {name: [losses(run) for run in runs] for name, runs in arms.items()}
    figures.curves(steps, lines, title, "step", ax=ax).set_ylim(-0.3, 9)

# %% [markdown]
# **In the picture:** the same six runs, three with the shift and three without (the middle one, and a band for all). On the
# left the loss that each was trained on (means of ten steps): without the shift it is nearly 0 after 30 steps, long before the
# other. On the right the same models, asked for the *next* token. There the runs without the shift get worse each time we
# look, far above the 2.89 of knowing nothing.
#
# What do they write? And what if each English number is exchanged for another one, with the target as it was?

# %% tags=["S19"]
rows = pairs[0][[4, 39, 72]]  # five, forty, seventy three
others = pairs[0].roll(33, 0)  # each number moved by 33 rows
arms = (("shift", right[0], with_shift), ("no shift", copied[0], without_shift))
for name, run, loss_of in arms:
    for ids in greedy(run.model, rows, limit=6):
        same = len(ids) > 1 and len(set(ids)) == 1
        print(f"{name}:", *(["one token, over and over"] if same else [names[i] for i in ids]))
    with torch.no_grad():
        exchanged = loss_of(run.model, others, pairs[1])
    print(f"{name}: loss below 0.1 with other English numbers: {bool(exchanged < 0.1)}")

# %% [markdown]
# The label stands in the position's own input. So all that there is to learn is to copy it, and the source makes no
# difference. When the model then writes by itself, there is only `begin` to copy, which it never met, so its first token is
# arbitrary; after that it copies whatever it has just written. **A loss near 0 says that the model can answer what it was
# asked. It does not say that it was asked the right question.**
#
# In lesson 13 the mask was missing: the last place had no next one to copy from, and there the model learned to read the
# source. Here the mask is right, and *every* place has its answer.

# %% [markdown]
# ## Padding that counts
#
# We have padded our numbers to 8 tokens, though 4 would do, as happens when short texts meet a long one in a batch: so 55 %
# of all labels are padding. Somebody counts them: the model is to write `pad` after `end`, and is praised for it.

# %%
predict("14.padding")


# %% tags=["S19"] jupyter={"source_hidden": true}
def padding_counts(model, source, target):
    inputs, labels = shift(target)
    return sequence_loss(model(source, inputs), labels, pad=-100)  # which no label is


counted = [train_translator(pairs, padding_counts, seed) for seed in range(3)]
for run, twin in zip(counted, right, strict=True):
    with torch.no_grad():
        ratio = padding_counts(run.model, *pairs) / with_shift(run.model, *pairs)
    print(f"counted, about half of not counted: {bool(0.4 < ratio < 0.6)};", end=" ")
    behind = np.mean(run.next_token_losses) > np.mean(twin.next_token_losses)
    print(f"over 80 % written correctly: {run.exact > 0.8}; behind its twin on the way: {behind}")
reveal("14.padding")

# %% [markdown]
# Above, counting made the loss larger: that model had never been asked for padding. These have, it is easy, and it costs
# nearly nothing.
#
# They learned all the same, only later: on the way each is behind the model with the same seed that was not asked for padding.
# What stays spoiled is the *number*. The same model, with rows padded to 8, 12 and 16 tokens:

# %% tags=["S19"]
model, (words, numerals) = counted[0].model, pairs
for width in (8, 12, 16):
    wider = F.pad(numerals, (0, width - 8))
    with torch.no_grad():
        ratio = padding_counts(model, words, wider) / padding_counts(model, *pairs)
        left_out = with_shift(model, words, wider) / with_shift(model, *pairs)
    print(f"{width} wide: counted {ratio:.1f}, left out {left_out:.1f} of what it was")

# %% [markdown]
# ## A little doubt
#
# One last piece. However sure a model is of a label, its loss still falls a little if it becomes surer. So training never
# stops pushing that logit up. **Label smoothing** asks for less than certainty: the label shall get $1 - \varepsilon$, and
# $\varepsilon$ is spread evenly over all $V$ tokens, the label included. Then all tokens are in the loss, each with its share:
# $-\sum_k q_k \log p_k$, with $q_k$ for the share of token k. The original Transformer took $\varepsilon = 0.1$. Its authors
# report that perplexity became worse, and translations better (Vaswani and others 2017, section 5.4).

# %%
predict("14.smoothing")

# %% tags=["S19"] jupyter={"source_hidden": true}
V, epsilon = 18, 0.1
q = 1 - epsilon + epsilon / V  # the label's share


def smoothed(p):
    return q * -np.log(p) + (1 - q) * -np.log((1 - p) / (V - 1))


for p in (0.8, 0.9, 0.99, 0.9999):
    print(f"p = {p}: plain {-np.log(p):.2f}, smoothed {smoothed(p):.2f}")
logits = torch.tensor([0.8, *[0.2 / 17] * 17]).log()
of_torch = F.cross_entropy(logits, torch.tensor(0), label_smoothing=epsilon)
assert math.isclose(smoothed(0.8), of_torch, rel_tol=1e-5)

places = np.linspace(0.3, 0.9999, 300)
lines = {"plain": -np.log(places), "smoothed, ε = 0.1": smoothed(places)}
title, below = "Smoothed, the loss rises again near 1", "probability of the label"
ax = figures.curves(places, lines, title, below, "loss")
_ = ax.set_ylim(0, 1.6)

# %% [markdown]
# **In the picture:** the loss of one token over the probability of its label. The plain one falls all the way to 0. The
# smoothed one is lowest where the model gives exactly what it is asked for, $0.9 + 0.1/18 = 0.906$, and rises steeply at the
# right edge. It never gets below 0.58: a smoothed loss and a plain one cannot be compared.

# %%
reveal("14.smoothing")

# %% [markdown]
# ## Before you go

# %%
ask("14.exit")

# %% [markdown]
# **What is a model asked at each position?** How probable it thinks the token that really comes next, given the source and
# the tokens before it. The answer costs −log of that probability, and the loss is the mean over all real tokens of the
# batch.
