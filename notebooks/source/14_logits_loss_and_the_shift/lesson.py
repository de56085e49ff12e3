# %% [markdown] minutes=25
# # 14 · Logits, loss and the shift: what is a model asked at each position?
#
# Before Llama 3 (2024) answered anyone, it had been asked the same question some 15 trillion times ({grattafiori2024}, section
# 1): which token comes next? The decoder of lesson 13 cannot even reply. It outputs a vector for each token of the target, not
# a word, and nothing tells it how wrong it is. Three things are missing: an output layer and softmax, which turn the vectors into
# probabilities; the loss, one number that says how wrong they are; and one step of gradient descent, which makes the model a
# little less wrong. All three depend on a small detail that is easily forgotten.
#
# About {minutes} minutes, and about as long again for the parts under "Deeper". By the end, you will be able to
#
# * say which distribution a model outputs at each position;
# * work out the loss of a batch, and the gradient of one row of logits, by hand;
# * write one training step.

# %%
import math

import numpy as np
import torch
from torch.nn import functional as F

from transformer_course import figures, models
from transformer_course.decoding import greedy
from transformer_course.embedding import pad_right
from transformer_course.exercises import ask, predict, reveal
from transformer_course.experiments import effort
from transformer_course.experiments.loss_variants import (
    encoded_numbers,
    new_translator,
    random_batches,
    train_translator,
)
from transformer_course.masks import causal_mask
from transformer_course.models.recipes import small_translator
from transformer_course.training import sequence_loss, shift, translation_loss

torch.set_num_threads(1)

# %% [markdown]
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %% ask="14.recall"


# %% [markdown]
# ## A score for every token of the vocabulary {#logits}
#
# Take a tiny model that is two numbers wide and knows four tokens: *red*, *car*, *orange* and `end`. At some position, the
# decoder outputs the vector [1, 2]. One more matrix, with a column for each token, turns it into four scores:

# %% tags=["S19"]
vector = np.array([1.0, 2.0])
W_out = np.array([[1.0, 0.0, 2.0, -1.0], [1.0, 0.0, -1.0, 1.0]])  # red, car, orange, end
z = vector @ W_out
print("logits       ", z)
print("probabilities", (np.exp(z) / np.exp(z).sum()).round(4))

# %% [markdown]
# The scores are called **logits**. They can be any numbers. Softmax, which you know from attention, turns them into a
# **distribution**: probabilities that sum to 1. The matrix is called the **output layer**:

# %%
ax = figures.schematic("output")

# %% [markdown]
# <!-- picture -->
# $n$ positions, each with a vector of width $d$, and a vocabulary of $v$ tokens. Each row of the
# probabilities sums to 1, and darker cells have higher values. The loss, in the last two boxes, comes later.
# <!-- end -->
#
# Now take a trained model: the translator of lesson 06, from English number words to Chinese numerals. It knows 18 target
# tokens. We print 三 as 3, 百 as 100, 零 as 0, and so on. *Three hundred and five* is then 3 100 0 5. The encoder gets the
# English words, and the decoder gets `begin 3 100 0 5`.

# %% tags=["S19"]
translator, vocabularies = models.load("translator")
english, chinese = vocabularies["source"], vocabularies["target"]
digits = [*"0123456789", "10", "100", "1000", "10⁴"]
reads = dict(zip("零一二三四五六七八九十百千万", digits, strict=True))
names = ["pad", "begin", "end", "?", *(reads[token] for token in chinese.tokens[4:])]

source = pad_right([english.encode(["three", "hundred", "and", "five"])])
written = torch.tensor([[chinese.begin, *chinese.encode("三百零五")]])
with torch.no_grad():
    memory, mask = translator.encode(source)
    embedded = translator.target(written)
    vectors = translator.decoder(embedded, memory, causal_mask(5), mask)
    logits = vectors @ translator.output.weight.T
    torch.testing.assert_close(logits, translator(source, written))
print("vectors", tuple(vectors.shape), " logits", tuple(logits.shape))
p = logits[0].softmax(-1)

# %% [markdown]
# ## A distribution of what? {#distribution}
#
# At position 0, the decoder has seen only `begin`. At position 4, it has seen `begin 3 100 0 5`.

# %% predict="14.occurs"


# %% tags=["S19", "E25"] jupyter={"source_hidden": true}
print("p of 5:      ", *(f"{share:.2f}" for share in p[:, names.index("5")]))
print("sum of a row:", *(f"{total:.2f}" for total in p.sum(-1)))
reveal("14.occurs")

# %% tags=["S19", "E25"]
after = ["begin", "… 3", "… 100", "… 0", "… 5"]
ax = figures.panels(1, 9.5, 3.2)[0]
ax = figures.heatmap(p, after, names, "What the model outputs", ax=ax)

# %% [markdown]
# <!-- picture -->
# each row is a position, named after the last target token that it sees; dark cells are probabilities
# near 1. There is one dark cell per row: 3, then 100, 0, 5, and `end`.
# <!-- end -->
#
# So **at each position, the output is the distribution of the *next* token**, given the source and the target up to that
# position. The model is now complete:

# %%
title = "Lesson 14: the last two boxes"
ax = figures.architecture("output layer", "output softmax", title=title, small=True)

# %% [markdown]
# <!-- picture -->
# the map from lesson 00. The filled boxes are the output layer, which is a linear map, and softmax.

# %% [markdown]
# ## What goes in, and what comes out {#shift}
#
# So in training, each position has to predict the token that comes next. That token is the position's **label**. The
# labels are the target, with `end` as its last token. The inputs are the same tokens, **shifted** one position to the right:
# `begin` comes in on the left, and the last token drops out. So one pass makes every prediction for a target: five for 305.

# %% tags=["S19"]
target = [*chinese.encode("三百零五"), chinese.end]
tokens = [names[i] for i in target]
ax = figures.panels(1, 5.2, 2.6)[0]
ax = figures.token_labels(["begin", *tokens[:-1]], tokens, 2, "Shifted", ax=ax)

# %% [markdown]
# <!-- picture -->
# the inputs are above, the labels below. The filled boxes are the inputs that position 2 sees through the
# causal mask: `begin 3 100`. Its label is `0`.
# <!-- end -->
#
# The library's `shift` does this for a batch. For example, 305 and 40:

# %% tags=["S19"]
source = pad_right([english.encode(text.split()) for text in ("three hundred and five", "forty")])
targets = [[*chinese.encode(text), chinese.end] for text in ("三百零五", "四十")]
batch_inputs, batch_labels = shift(pad_right(targets))
for row in (0, 1):
    print("inputs:", *(f"{names[i]:5}" for i in batch_inputs[row]))
    print("labels:", *(f"{names[i]:5}" for i in batch_labels[row]))

# %% [markdown]
# In the second sequence, the last two labels are padding, and the loss will ignore them. And the inputs are the *correct*
# tokens, whatever the model would have generated itself. This is called **teacher forcing**. All decoders up to lesson 26 are
# trained this way.

# %% [markdown]
# ## From probabilities to a loss {#loss}
#
# How good is the answer at one position? We look only at the probability of the label, and take minus its logarithm. (The
# probability of a sequence is the product of its tokens' probabilities, so their logarithms, the *log-probabilities*, add up.)
# A probability of 1 costs −log 1 = 0, one half costs 0.69, a tenth 2.30, and a hundredth 4.61. The loss of several tokens is
# the mean of these costs.

# %% ask="14.check"


# %% [markdown]
# We use `translator-early`, the same model less than a third of the way through its training. It gave the labels these
# probabilities.
#
# <!-- paper -->
# **Your turn, on paper.** (Throughout the course, log is the natural logarithm, ln on a calculator.)
#
# | | 3 | 100 | 0 | 5 | end | 4 | 10 | end |
# | --- | --- | --- | --- | --- | --- | --- | --- | --- |
# | p | 0.9948 | 0.0054 | 0.2472 | 0.9879 | 0.9742 | 0.9914 | 0.0961 | 0.0209 |
# | −ln p | 0.0052 | ____ | 1.3976 | 0.0122 | 0.0261 | 0.0086 | 2.3424 | ____ |
#
# The sum of all eight is ____ , and the loss, their mean, is ____ .
#
# <!-- compare -->
# <details><summary>Compare</summary>The missing costs are 5.22 and 3.87, the sum is about 12.88 (12.89 if p is not rounded), and
# the mean is 1.61. Nearly nine-tenths of the loss comes from the three labels that got the smallest probabilities.</details>

# %% tags=["S19"]
early, _ = models.load("translator-early")
with torch.no_grad():
    logits = early(source, batch_inputs)
p = logits.softmax(-1)
shares = [[p[row, t, i].item() for t, i in enumerate(targets[row])] for row in (0, 1)]
by_hand = np.mean([-math.log(share) for row in shares for share in row])
flat, labels = logits.flatten(0, 1), batch_labels.flatten()  # torch expects one row per label
of_torch = F.cross_entropy(flat, labels, ignore_index=chinese.pad)
print(f"by hand {by_hand:.2f}, torch {of_torch:.2f}")

# %% [markdown]
# Number the batch's labels, without padding, from 1 to $N$, and write $y_t$ for label $t$:
#
# $$\text{loss} = -\frac{1}{N} \sum_{t} \log p_t(y_t)$$
#
# This is the **cross-entropy**. torch's function takes *logits*, and applies softmax and the logarithm itself.
#
# What is the loss of a model that knows nothing? It gives all $v$ tokens the same probability, so each label gets $1/v$ and
# costs $\log v$. For 18 tokens, that is 2.89. **If your training starts far from $\log v$, check how the loss is computed, and
# how large the first logits are.**

# %% [markdown]
# ## One step of gradient descent {#gradient}
#
# The loss is one number, and every parameter of the model affects it. For training, we need the gradient: how much the loss
# changes when we change each parameter a little. **Gradient descent** then changes each one a little in the opposite
# direction. The learning rate sets the size of this step:
#
# $$\text{new} = \text{old} - \text{learning rate} \times \text{gradient}$$
#
# Start with the four logits above, [3, 0, 0, 1]. Suppose that the label is *car*. We take one step on the logits themselves.

# %% predict="14.gradient"


# %% tags=["S19"] jupyter={"source_hidden": true}
z = torch.tensor([3.0, 0.0, 0.0, 1.0], requires_grad=True)
loss = F.cross_entropy(z, torch.tensor(1))  # the label is token 1, car
loss.backward()  # computes the gradient, and stores it in z.grad
print("probabilities", z.detach().softmax(0).numpy().round(4))
print("gradient     ", z.grad.numpy().round(4))
print("new logits   ", (z - 1 * z.grad).detach().numpy().round(4))  # the learning rate is 1
reveal("14.gradient")

# %% [markdown]
# Compare the first two rows: they differ only at *car*, where the gradient is the probability minus 1. Write the label as a
# row with a single 1, here [0, 1, 0, 0]. Such a row is called **one-hot**. Then, for one position,
#
# $$\text{gradient of the logits} = p - \text{one-hot}.$$
#
# (The loss is $-\log p_y = \log \sum_j e^{z_j} - z_y$. The derivative of the first term with respect to $z_k$ is
# $e^{z_k} / \sum_j e^{z_j} = p_k$; the second
# subtracts 1 at the label.)
# If the model is already sure of the label, the gradient is nearly 0.
#
# For the parameters of all layers, `backward()` computes the gradient by the chain rule, from the loss down to the embeddings.
# Here is one step for a small untrained translator (32 wide, one layer on each side), on the numbers 1 to 99:

# %% tags=["S19"]
pairs = encoded_numbers(english, chinese)  # 99 sources and their targets
small = new_translator(seed=0)
loss = translation_loss(small, *pairs)
loss.backward()
with torch.no_grad():  # from here on, torch need not remember how a number was computed
    for parameter in small.parameters():
        parameter -= 0.1 * parameter.grad
print(f"loss before {loss:.2f}, after {translation_loss(small, *pairs):.2f}")

# %% [markdown] seconds=10
# Training repeats these five lines, from `loss` to `-=`, with a new batch each time. (It clears the old
# gradients first, since `backward()` adds to them.)
#
# In practice an *optimizer* does the subtraction. This course uses **AdamW**: *Adam* with *weight decay*, a slight pull of
# parameters towards 0. Adam divides a running mean of each parameter's gradient by that gradient's usual size. So in the first
# step, every parameter that has a gradient moves by the learning rate, whether that gradient is 0.001 or 10; later steps are
# usually shorter. How large should the learning rate be? We try three (about {seconds} seconds).


# %% tags=["S19"]
def losses_of(
    lr, seed, warmup=1, steps=100
):  # warmup=1: the full learning rate from the first step on
    model, losses = new_translator(seed), []
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    for step, batch in zip(range(1, steps + 1), random_batches(pairs, seed), strict=False):
        optimizer.param_groups[0]["lr"] = lr * min(1, step / warmup)
        loss = translation_loss(model, *batch)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return np.reshape(losses, (10, 10)).mean(axis=1)  # means of ten steps


steps = np.arange(10, 101, 10)
rates = {f"{lr:g}": [losses_of(lr, seed) for seed in effort.seeds()] for lr in (0.0001, 0.01, 0.1)}
ax = figures.curves(steps, rates, "The loss, for three learning rates", "step")

# %% [markdown]
# <!-- picture -->
# the loss of the batches (means of ten steps); lines are medians of three seeds, and bands show the range.
# With 0.0001 the loss is still above 2 after 100 steps. With 0.1 it falls at first, but gets stuck above 1: the steps are too
# long. With 0.01 it comes close to 0.

# %% [markdown]
# ## What if the shift is forgotten? {#no-shift}
#
# Suppose you forget the shift, so the inputs and the labels are both the target. The causal mask is still in place. We train
# the small translator for 100 steps without the shift, and with it:


# %% tags=["S19"]
def with_shift(model, source, target):
    inputs, labels = shift(target)
    return sequence_loss(model(source, inputs), labels)


def without_shift(model, source, target):
    return sequence_loss(model(source, target), target)


# %% [markdown] seconds=10
# After that, each model translates the 99 training numbers by itself, starting from `begin`. (Six training runs, about
# {seconds} seconds.) Without the shift, the final loss is at least as low as with it.

# %% predict="14.no_shift"


# %% tags=["S19", "nbval-ignore-output"] jupyter={"source_hidden": true}
right = [train_translator(pairs, with_shift, seed) for seed in effort.seeds()]
copied = [train_translator(pairs, without_shift, seed) for seed in effort.seeds()]
for name, runs in (("shift", right), ("no shift", copied)):
    print(f"{name:9} loss", *(f"{run.losses[-1]:.2f}" for run in runs), end="   ")
    print("correct", *(f"{run.exact:.0%}" for run in runs))
assert all(run.losses[-1] < 0.1 for run in right + copied)
reveal("14.no_shift")

# %% tags=["S19"]
versions = {"shift": right, "no shift": copied}
panels = {
    "The loss that each was trained on": lambda run: np.reshape(run.losses, (10, 10)).mean(axis=1),
    "The loss on the next token": lambda run: run.next_token_losses,
}
for ax, (title, losses) in zip(figures.panels(2, 5.0), panels.items(), strict=True):
    lines = {name: [losses(run) for run in runs] for name, runs in versions.items()}
    figures.curves(steps, lines, title, "step", ax=ax).set_ylim(-0.3, 9)

# %% [markdown]
# <!-- picture -->
# the same six models; lines are medians of three seeds, and bands show the range.
# <!-- left -->
# each line is a training loss, averaged over ten steps at a time. Without the shift, it is near 0 after 30 steps.
# <!-- right -->
# the same models are tested on the *next* token every ten steps. Without the shift, they get much worse: their loss rises far
# above the 2.89 of a model that knows nothing.
# <!-- end -->
#
# Each position finds its label in its own input, so all there is to learn is to copy it. **A low loss says that the model can
# answer what it was asked. It does not say that it was asked the right question.** So let every model generate something.

# %% [markdown]
# ## Before you go {#exit}

# %% ask="14.exit"


# %% [markdown]
# <!-- answer -->
# **What is a model asked at each position?** Which token comes next, given the source and the target up to that position. The
# loss is the mean of −log of the labels' probabilities, and each training step changes all parameters a little in the
# direction that lowers it.

# %% [markdown]
# To take away:
#
# <!-- takeaway -->
# * Inputs are the labels shifted one position to the right; with the causal mask, no position sees its own answer.
# * The gradient of one row of logits is $p - \text{one-hot}$; `backward()` carries it to all parameters.
# * A model that knows nothing has a loss of $\log v$. A model with a low loss may still be answering the wrong question.
# <!-- end -->
#
# Training lowers one number, nothing more. You shift targets yourself in [stage B5 of the
# Build](../exercises/B5_an_encoder_and_a_decoder.ipynb), and in [stage B6](../exercises/B6_training_it_for_real.ipynb) you
# write the training loop.
#
# To read next:
#
# <!-- readings -->
# * {vaswani2017}, sections 3.4 and 5.3: the output layer, and the optimizer.
# * {kingma2014}: Adam, its running means and their correction.
# * {loshchilov2017}: the W in AdamW, weight decay kept separate from the gradient.

# %% [markdown]
# ## Deeper {#deeper}
#
# You can read each of these parts on its own; nothing later needs them.
#
# ### Does the output say which words occur?
#
# You may have read that the output gives, for each word, the probability that it *occurs in the target*. *Three hundred and
# five* and *five hundred and three* have the same target tokens. An output that only said what occurs would have to be the
# same for both. Here is the translator's first token for each:

# %% tags=["E25"]
for text in ("three hundred and five", "five hundred and three"):
    with torch.no_grad():
        first = translator(pad_right([english.encode(text.split())]), written[:, :1])[0, 0]
    print(f"{text}: the first token is {names[first.argmax()]}")

# %% [markdown] seconds=5
# And if the output said which tokens occur, each row would give five of them a probability of 1, and sum to 5. You have
# printed the sums: they are all 1.
#
# ### What does warm-up do?
#
# During warm-up (lesson 11), the learning rate rises from near 0 to its full value over the first steps. The original
# Transformer was trained with it (Vaswani and others 2017, section 5.3). Here is the loss at the rate that was too large, with
# and without a warm-up of 50 steps. (Three training runs, about {seconds} seconds.)

# %% tags=["S19"]
warmed = {
    "no warm-up": rates["0.1"],
    "50 steps": [losses_of(0.1, seed, 50) for seed in effort.seeds()],
}
ax = figures.curves(steps, warmed, "Learning rate 0.1", "step", "loss")

# %% [markdown]
# <!-- picture -->
# the loss with a learning rate of 0.1; lines are medians of three seeds, and bands show the range. With warm-up, the median
# falls much further in the first 30 steps, while the rate is at most 0.06. Then the loss goes up again, and the three runs
# differ a lot. So warm-up does not reliably rescue a rate that is too large. It protects the start of training, when AdamW's
# running means are based on few batches (Liu and others 2019), and when, in a post-norm model, the gradients near the output
# are large (Xiong and others 2020). Long first steps can throw a deep model off course, as you saw in lesson 11. Many recipes
# let the rate rise first, and then fall again.
#
# ### Five mistakes in a loss
#
# How much does each detail of the loss matter? We get one wrong at a time, first with `translator-early` and our batch:


# %% tags=["S19"]
def slips(model, source, target):
    inputs, labels = shift(target)
    with torch.no_grad():
        logits, not_shifted = model(source, inputs), model(source, target)
    flat, asked = logits.flatten(0, 1), labels.flatten()
    p, pad = flat.softmax(-1), chinese.pad
    total = F.cross_entropy(flat, asked, ignore_index=pad, reduction="sum")
    each = [sequence_loss(*text) for text in zip(logits[:, None], labels[:, None], strict=True)]
    return {
        "correct": sequence_loss(logits, labels),
        "padding included": F.cross_entropy(flat, asked),
        "the mean of each sequence, then their mean": np.mean(each),
        "probabilities passed as logits": F.cross_entropy(p, asked, ignore_index=pad),
        "no shift": sequence_loss(not_shifted, target),
        "the sum instead of the mean": total,
    }


for name, loss in slips(early, source, batch_labels).items():
    print(f"{loss:.2f}  {name}")

# %% [markdown]
# Four of these six numbers look plausible; only two are above 2.89, the loss of a model that knows nothing. (The mean of
# means gives the tokens of short sequences more weight. Passing probabilities instead of logits applies softmax twice, and
# the second softmax gets inputs between 0 and 1: at best a 1 and seventeen 0s, which cost log(1 + 17/e) = 1.98.)
#
# Would you notice these mistakes before the first step? Here are the losses of three untrained translators on the numbers 1 to
# 99, and of the last one with an output matrix of zeros, so that all its logits are equal:

# %% tags=["S19"]
starts = []
for seed in range(3):
    torch.manual_seed(seed)
    untrained = small_translator(english, chinese)
    starts.append(translation_loss(untrained, *pairs).item())
print(f"log 18 = {math.log(18):.2f}; untrained:", *(f"{start:.1f}" for start in starts))

torch.nn.init.zeros_(untrained.output.weight)
for name, loss in slips(untrained, *pairs).items():
    print(f"{loss:7.2f}  {name}")

# %% [markdown]
# Random logits are not quite equal, so the loss starts within a few tenths of $\log v$. A sum in place of the mean gives
# itself away: it starts at about 1000. The other four mistakes pass this check, because with equal logits every label costs
# $\log v$. To find the missing shift, let the trained model generate.
#
# ($e^\text{loss}$ is called **perplexity**: a uniform guess among this many tokens would have the same loss. For 2.89, it
# is 18.)
#
# ### What does the copying model generate?
#
# Here are the translations of *five*, *forty* and *seventy three* by two of the models above. The last line for each model
# gives its loss when every English number is swapped for a different one, while the targets stay the same:

# %% tags=["S19"]
rows = pairs[0][[4, 39, 72]]
others = pairs[0].roll(33, 0)
for name, run, loss_of in (("shift", right[0], with_shift), ("no shift", copied[0], without_shift)):
    for ids in greedy(run.model, rows, limit=6):
        same = len(ids) > 1 and len(set(ids)) == 1
        print(f"{name}:", *(["one token, over and over"] if same else [names[i] for i in ids]))
    with torch.no_grad():
        wrong = loss_of(run.model, others, pairs[1])
        print(f"{name}: loss with the wrong English numbers {wrong:.0f}")

# %% [markdown] seconds=5
# The source makes no difference to the copying model's loss. When it generates by itself, there is only `begin` to copy, and
# `begin` was never a label. So the model's first token is arbitrary. After that it copies what it has just generated.
#
# In lesson 13 the mask was missing, so each position could copy the next token from its input. Only the last position had no
# next token to copy, and there the model learned to read the source. Here the mask is right, and *every* position sees its
# answer.
#
# ### Padding in the loss
#
# `encoded_numbers` has padded our numbers to 8 tokens, though 4 would be enough. The same happens when short sequences share
# a batch with a long one. What if the loss includes the padding, so that the model is trained to predict `pad` after `end`?
# (Three training runs, about {seconds} seconds.)

# %% predict="14.padding"


# %% tags=["S19", "nbval-ignore-output"] jupyter={"source_hidden": true}
def padding_included(model, source, target):
    inputs, labels = shift(target)
    return sequence_loss(model(source, inputs), labels, pad=-100)  # no label is −100


counted = [train_translator(pairs, padding_included, seed) for seed in effort.seeds()]
for run, twin in zip(counted, right, strict=True):
    with torch.no_grad():
        ratio = padding_included(run.model, *pairs) / with_shift(run.model, *pairs)
    on_the_way = np.mean(run.next_token_losses), np.mean(twin.next_token_losses)
    print(f"included ÷ left out: {ratio:.1f};  translated correctly: {run.exact:.1f};", end="  ")
    print(
        "loss on real tokens, mean over training: {:.1f}, trained without padding {:.1f}".format(
            *on_the_way
        )
    )
reveal("14.padding")

# %% [markdown]
# In the table of mistakes, including the padding made the loss larger, because that model had never been trained on padding.
# These models have, and padding is easy to predict, so it soon costs nearly nothing.
#
# They still learn the task, only more slowly. But you can no longer trust the *value* of the loss. Here is the loss of the
# first of these models on rows padded to 8, 12 and 16 tokens, relative to its loss with 8:

# %% tags=["S19"]
model, (words, numerals) = counted[0].model, pairs
for width in (8, 12, 16):
    wider = F.pad(numerals, (0, width - 8))
    with torch.no_grad():
        included = padding_included(model, words, wider) / padding_included(model, *pairs)
        left_out = with_shift(model, words, wider) / with_shift(model, *pairs)
    print(f"{width} wide: padding included {included:.1f}, left out {left_out:.1f}")

# %% [markdown]
# ### Label smoothing
#
# However sure a model is of a label, its loss falls a little more if it becomes surer. So training never stops pushing the
# label's logit up. **Label smoothing** asks for less than certainty: the label gets $1 - \varepsilon$, and the remaining
# $\varepsilon$ is spread evenly over all $v$ tokens, the label included. All tokens then enter the loss,
# $-\sum_k q_k \log p_k$, where $q_k$ is the target probability of token $k$. The original Transformer used
# $\varepsilon = 0.1$. Its authors report that perplexity ($e$ to the power of the loss) got worse and translations got
# better (Vaswani and others 2017, section 5.4).

# %% predict="14.smoothing"


# %% tags=["S19"] jupyter={"source_hidden": true}
V, epsilon = 18, 0.1
q = 1 - epsilon + epsilon / V  # the target probability of the label


def smoothed(p):
    return q * -np.log(p) + (1 - q) * -np.log((1 - p) / (V - 1))


for p in (0.8, 0.9, 0.99, 0.9999):
    print(f"p = {p}: plain {-np.log(p):.2f}, smoothed {smoothed(p):.2f}")
logits = torch.tensor([0.8, *[0.2 / 17] * 17]).log()
of_torch = F.cross_entropy(logits, torch.tensor(0), label_smoothing=epsilon)
assert math.isclose(smoothed(0.8), of_torch, rel_tol=1e-5)

places = np.linspace(0.3, 0.9999, 300)
lines = {"plain": -np.log(places), "smoothed, ε = 0.1": smoothed(places)}
title, below = "Plain and smoothed loss", "probability of the label"
ax = figures.curves(places, lines, title, below, "loss")
_ = ax.set_ylim(0, 1.6)

# %% [markdown]
# <!-- picture -->
# the loss of one token, plotted against the probability of its label. The plain loss falls all the way to
# 0. The smoothed loss is lowest where the model gives exactly what it is asked for, $0.9 + 0.1/18 = 0.906$, and rises steeply
# as the probability approaches 1. It never gets below 0.58, so you cannot compare a smoothed loss with a plain one.

# %%
reveal("14.smoothing")
