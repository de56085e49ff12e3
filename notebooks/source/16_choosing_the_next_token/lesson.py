# %% [markdown] minutes=25
# # 16 · Choosing the next token: how do probabilities turn into text?
#
# When GPT-2 was tested on summarising news in 2019, its authors had it draw each token from the two most probable ones
# ({radford2019}, section 3.6). Why two? Why draw at all, instead of simply taking the most probable token? The models that you
# have built output probabilities: for every position, how likely each token of the vocabulary is to come next (lesson 14).
# That is not text yet. Something outside the model has to choose one token, append it to the input, and run the model again.
# In this lesson you follow that loop, count its passes, and compare different ways of choosing.
#
# About {minutes} minutes, and half as long again for the parts under "Deeper". By the end, you will be able to
#
# * say which logits differ between reading a sequence and generating it, and why;
# * find out which sequences greedy decoding and beam search return in a small tree, and which ones they miss;
# * explain what temperature, top-k and top-p do to a distribution, and choose a method for a task.

# %%
import time
from functools import partial

import numpy as np
import torch

from transformer_course import explorables, figures, models
from transformer_course.byte_pairs import BytePairs
from transformer_course.data import character_names, number_pairs
from transformer_course.decoding import beam_search, greedy, next_token_distribution, sample
from transformer_course.embedding import pad_right
from transformer_course.exercises import ask, predict, reveal
from transformer_course.experiments.sequence_probability import evaluate_search, log_probability
from transformer_course.experiments.token_error import (
    DIGIT,
    UNIT,
    accuracy_after,
    continue_greedily,
    five_digit_numbers,
    replace_token,
    teacher_forced_predictions,
)
from transformer_course.training import shift

torch.set_num_threads(1)
_ = torch.set_grad_enabled(False)  # no model is trained in this lesson

# %%
lit = ("output softmax", "target embedding")
ax = figures.architecture(*lit, title="Lesson 16: from the last box back to the first", small=True)

# %% [markdown]
# <!-- picture -->
# the map from lesson 00. The dashed arrow is the subject of this lesson: a token is chosen from the
# probabilities and goes back in as input. No box of the model makes that choice.
# <!-- end -->
#
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %% ask="16.recall"


# %% [markdown]
# ## The loop
#
# Take the course's translator from English number words to Chinese numerals. We print the numerals as digits and units.
# `early` is the same model after less than a third of its training; it still makes mistakes.

# %%
translator, vocabularies = models.load("translator")
early, _ = models.load("translator-early")
english, chinese = vocabularies["source"], vocabularies["target"]
digits = [*"0123456789", "10", "100", "1000", "10⁴"]
reads = dict(zip("零一二三四五六七八九十百千万", digits, strict=True))
names = ["pad", "begin", "end", "?", *(reads[token] for token in chinese.tokens[4:])]

# %% [markdown]
# This is the whole loop. `argmax` takes the most probable token at each step, which is called **greedy** decoding. We also
# keep the logits of each step.


# %% tags=["S20"]
def write(model, source, steps):
    tokens, rows = torch.tensor([[chinese.begin]]), []
    for _ in range(steps):
        rows.append(model(source, tokens)[:, -1])  # at the last position: what comes next?
        tokens = torch.cat([tokens, rows[-1].argmax(-1, keepdim=True)], dim=1)
    return tokens[0, 1:], torch.cat(rows)


# %%
ax = figures.schematic("generation")

# %% [markdown]
# <!-- picture -->
# one step of the loop, for n tokens so far and a vocabulary of v tokens. (The model drawn here has no
# source; the translator also gets the English words.) The model outputs a row of logits for every position, but only the last
# row is used. The token that is chosen from it becomes token n + 1 of the next step.
# <!-- end -->
#
# Here `early` generates two numbers. The first is correct. In the second, the digit at position 5 (counted from 0) is wrong.

# %% tags=["S20"]
numbers = {
    "seventy two thousand five hundred and fifteen": "七万二千五百一十五",
    "one hundred and seventy four thousand two hundred and two": "十七万四千二百零二",
}
runs = []
for words, numerals in numbers.items():
    source = pad_right([english.encode(words.split())])
    target = torch.tensor([[*chinese.encode(numerals), chinese.end]])
    runs.append((source, target, *write(early, source, steps=10)))
    print("correct:  ", *(f"{names[i]:4}" for i in target[0]))
    print("generated:", *(f"{names[i]:4}" for i in runs[-1][2]))

# %% [markdown]
# In training, the same model would *read* the correct numerals in a single pass, with the causal mask (teacher forcing). So
# there are two sets of logits for each number: from reading the correct sequence, and from generating one.

# %% predict="16.apart"


# %% tags=["S20"]
apart = []
for source, target, _, rows in runs:
    read = early(source, shift(target)[0])[0]
    apart.append((rows - read).abs().amax(-1))
    print("largest difference:", *(f"{d:.1f}" for d in apart[-1]))
reveal("16.apart")

# %% tags=["S20"]
titles = ("Generated correctly", "A mistake at position 5")
for ax, d, title in zip(figures.panels(2), apart, titles, strict=True):
    lines = {"reading against generating": d.clamp(min=1e-8)}
    figures.curves(np.arange(10), lines, title, "position", "largest difference", "y", ax=ax)
    ax.set_ylim(1e-8, 100)

# %% [markdown]
# <!-- picture -->
# the largest difference between the logits from reading and from generating, on a logarithmic scale.
# <!-- left -->
# it is a rounding error everywhere, about a millionth (points on the lower edge are exactly 0).
# <!-- right -->
# this also holds up to position 5, where the wrong digit is *chosen*. At position 6 it is *read*, and the difference jumps
# up.
# <!-- end -->
#
# So **reading and generating are the same computation as long as the tokens so far are the same** (and nothing in the model is
# random, as dropout is in training). That is why teacher forcing prepares a model for generating. But it never trains the
# model to continue after a mistake of its own.

# %% [markdown]
# ## Counting passes
#
# How much work does generating take? We let the library's `greedy` translate 72,515, which has seven English words and ten
# tokens in Chinese (with `end`), and count how often the encoder and the decoder run.


# %%
def passes(part, run):
    """Count how often a part of a model runs."""
    count = []
    handle = part.register_forward_hook(lambda *_: count.append(1))
    run()
    handle.remove()
    return len(count)


# %% predict="16.passes"


# %% tags=["E24"]
source = runs[0][0]
for name, part in (("encoder", translator.encoder), ("decoder", translator.decoder)):
    print(name, passes(part, lambda: greedy(translator, source, limit=12)))
reveal("16.passes")

# %% [markdown]
# A pass cannot begin before the previous token has been chosen, because it reads that token. In training nothing has to wait,
# because the whole target is known. What about a **prompt**, the tokens that a model is given to continue? `gpt-pre` is a GPT
# that was trained on the names of Unicode's characters, letter by letter. We give it 20 tokens:

# %% tags=["E24"]
gpt, vocabularies = models.load("gpt-pre")
letters = vocabularies["text"]
prompt = pad_right([[letters.begin, *letters.encode("GREEK SMALL LETTER ")]])
generated = greedy(gpt, prompt, limit=40)[0]
print(
    "read", prompt.shape[1], " generated", len(generated), "(with end):", *letters.decode(generated)
)
print("passes", passes(gpt.stack, lambda: greedy(gpt, prompt, limit=40)))

# %% [markdown]
# There are as many passes as *new* tokens: the first one reads the whole prompt and gives the first new token. So **training
# and reading a prompt are parallel; generating goes one token at a time.** (In **speculative decoding**, a small model guesses
# a few tokens ahead, and the large one checks all the guesses in a single pass. Each correct guess before the first wrong one
# saves a pass.)

# %% [markdown]
# ## The most probable sequence
#
# Now we turn to the choice itself. Greedy decoding takes the most probable token at each step. Is the result the most
# probable *sequence*? Here is a tree of two steps. The first token is A, B or C, the second x, y or z:
#
# | | | then x | then y | then z | best sequence |
# | --- | --- | --- | --- | --- | --- |
# | A | 0.40 | 0.50 | 0.30 | 0.20 | 0.40 · 0.50 = 0.20 |
# | B | 0.35 | 0.60 | 0.25 | 0.15 | ____ |
# | C | 0.25 | 0.90 | 0.05 | 0.05 | ____ |
#
# <!-- paper -->
# **Your turn, on paper.** Fill in the two blanks. Which sequence does greedy decoding return? Which is the most probable one?
#
# <!-- compare -->
# <details><summary>Compare</summary>B x has 0.35 · 0.60 = 0.21, and C x has 0.25 · 0.90 = 0.225. Greedy decoding returns A x, with
# 0.20. The most probable sequence is C x, which begins with the <em>least</em> probable token.</details>
# <!-- end -->
#
# **Beam search** is more careful: it keeps the w most probable *prefixes* (beginnings), continues each of them, and again
# keeps the best w. The number w is its width.

# %%
first = np.array([0.40, 0.35, 0.25])
then = np.array([[0.50, 0.30, 0.20], [0.60, 0.25, 0.15], [0.90, 0.05, 0.05]])
for width in (1, 2, 3):
    kept = np.argsort(first)[::-1][:width]  # the most probable prefixes
    sequences = {f"{'ABC'[k]} {'xyz'[i]}": first[k] * then[k, i] for k in kept for i in range(3)}
    best = max(sequences, key=sequences.get)
    print(f"width {width}: {best} {sequences[best]:.3f}")

# %% [markdown]
# Width 1 is greedy decoding. Width 2 finds something better, but not the best. A beam that drops prefixes (width 3 drops none
# here) may miss the best sequence. And you cannot try all sequences: with the translator's 18 tokens, ten steps allow
# $18^{10}$, more than three trillion. In practice w is about 4, and we add log-probabilities (lesson 14), since a product of
# many probabilities soon becomes too small to store.

# %% [markdown]
# ## Many good answers
#
# A number has one correct translation, but most texts could go on in many ways. `prose` is a small GPT trained on Python's
# documentation. Its tokens are words and pieces of words. We let it continue *Return the* for 40 tokens, with the same greedy
# loop.

# %%
prose, vocabularies = models.load("prose")
special = len(vocabularies["text"].specials)  # begin, end and so on; the ids for text come after
tokenizer = BytePairs.from_tokens(vocabularies["text"].tokens[special:])


def logits_of(ids):
    return prose(ids + special)[..., special:]


def continued(text, count, choose):
    ids = torch.tensor([tokenizer.encode("\n" + text)])  # a new line begins a paragraph
    for _ in range(count):
        ids = torch.cat([ids, choose(logits_of(ids)[:, -1])], dim=1)
    return tokenizer.decode(ids[0].tolist())[1:]


# %% predict="16.prose"


# %%
by_greedy = continued("Return the", 40, lambda logits: logits.argmax(-1, keepdim=True))
print(by_greedy)
reveal("16.prose")

# %% [markdown]
# Would a better search help? Here is the log-probability per token that the model gives to this continuation, and to one
# that a person wrote (from a part of the documentation that the model was not trained on):

# %%
by_person = "Return the docstring for the given node or None if no docstring can be found."
for name, text in (("greedy", by_greedy), ("person", by_person)):
    ids = torch.tensor([tokenizer.encode("\n" + text)])
    given = len(tokenizer.encode("\nReturn the"))
    scores = log_probability(logits_of(ids[:, :-1])[:, given - 1 :], ids[:, given:])
    print(f"{name}: {scores.item() / (ids.shape[1] - given):.2f} per token")

# %% [markdown]
# No: the model itself prefers the repetition. (We tried beams of width 4 and 16, and they repeat phrases too.) **A more
# probable text need not be a better one.** If there is one correct answer, use greedy decoding or a narrow beam. If there are
# many, draw one at random.

# %% [markdown]
# ## Drawing from the distribution
#
# To **sample** is to draw the next token according to the model's probabilities. Three settings change them first:
#
# * **temperature** $T$: all logits are divided by $T$ before softmax. Below 1, large probabilities grow; above 1, all move
#   closer together;
# * **top-k** keeps only the k most probable tokens;
# * **top-p** keeps the smallest set of most probable tokens that *together* have probability p or more.
#
# After top-k or top-p, the remaining probabilities are divided by their sum.
#
# <!-- paper -->
# **Your turn, on paper.** Five tokens have the probabilities 0.40, 0.30, 0.15, 0.10 and 0.05. Which of them does top-p keep
# for p = 0.8, and what are their probabilities then?
#
# <!-- compare -->
# <details><summary>Compare</summary>0.40 + 0.30 = 0.70 is too little, and 0.40 + 0.30 + 0.15 = 0.85 is enough. So top-p keeps
# three of the five tokens, with 0.40/0.85 = 0.47, 0.35 and 0.18.</details>

# %%
p = np.array([0.40, 0.30, 0.15, 0.10, 0.05])
for T in (0.5, 1.0, 2.0):
    powers = p ** (1 / T)  # exp(log p / T)
    print(f"T = {T}:    ", (powers / powers.sum()).round(2))
logits = torch.tensor(p).log()  # softmax of log p is p again
print("top-k 2:    ", next_token_distribution(logits, top_k=2).numpy().round(2))
print("top-p 0.8:  ", next_token_distribution(logits, top_p=0.8).numpy().round(2))
print("T = 0.01:   ", next_token_distribution(logits, 0.01).numpy().round(2))

# %% [markdown]
# No temperature changes the order of the tokens. As $T$ approaches 0, the most probable token gets everything, as in the last
# line. That is greedy decoding again.
#
# `prose` can choose among 1,280 tokens. After *If the*, many of them make sense; after *… the file is clo*, hardly any but
# *sed*.

# %% predict="16.adapts"


# %% [markdown]
# Outlines show the tokens' probabilities before top-k and top-p; filled bars show them afterwards. **Choose a text, move the
# sliders, and find such a setting.**

# %%
ids = torch.tensor([tokenizer.encode("\nIf the file is not specified, the file is closed.")])
last = [2, 5, 11]  # the last tokens of the three texts: " the", " not" and " clo"
texts = [tokenizer.decode(ids[0, : n + 1].tolist()).strip() for n in last]
tokens = [tokenizer.decode([i]) for i in range(1280)]
explorables.next_token(texts, tokens, logits_of(ids)[0, last])

# %%
reveal("16.adapts")

# %% [markdown]
# Top-p at 0.80, for example, keeps 123 tokens after the first text, 45 after the second and 1 after the third: it adapts to
# how certain the model is. Now let the model write:


# %%
def drawn_text(T, p):
    generator = torch.Generator().manual_seed(0)

    def draw(logits):
        return next_token_distribution(logits, T, top_p=p).multinomial(1, generator=generator)

    return continued("If the file", 20, draw)


for T in (0.5, 1.0, 2.0):
    for p in (1.0, 0.9):
        print(f"T = {T}, p = {p}: {drawn_text(T, p)!r}")

# %% [markdown]
# (`\n` ends a paragraph.) At $T = 0.5$ the text is readable, but it begins to repeat itself. At 1 it varies more, and some
# words go wrong. At 2 it is no longer English, and top-p does not save it, because too many tokens remain, as the sliders
# show.

# %% [markdown]
# ## Before you go {#exit}

# %% ask="16.exit"


# %% [markdown]
# <!-- answer -->
# **How do probabilities turn into text?** One token at a time: the model says how probable each token is to come next, given
# all tokens so far, and a rule outside the model chooses one. The chosen token is then read as if it were correct. As long as
# the tokens so far are the same as in reading, the logits are the same too.

# %% [markdown]
# To take away:
#
# <!-- takeaway -->
# * Reading takes one pass per sequence, in training and for a prompt. Generating takes one pass per new token.
# * Greedy decoding need not find the most probable sequence, and a more probable sequence need not be a better one.
# * Temperature reshapes the distribution; top-k and top-p cut off its tail. Then you sample from what is left.
# <!-- end -->
#
# How dull or how daring a text becomes is decided by a few lines outside the model. You write them in [stage B7 of the
# Build](../exercises/B7_writing.ipynb), after your own encoder and decoder have written numerals in [stage
# B5](../exercises/B5_an_encoder_and_a_decoder.ipynb).
#
# To read next:
#
# <!-- readings -->
# * {holtzman2019}: why the most probable text repeats itself, and how top-p avoids it.
# * {stahlberg2019}: what an exact search finds in a large translator.
# * {leviathan2022}: speculative decoding, in which a small model proposes tokens and the large one checks them.

# %% [markdown]
# ## Deeper {#deeper}
#
# You can read each of these parts on its own; nothing later needs them.
#
# ### One wrong token
#
# How much harm does a mistake do? Take the fully trained translator, and five-digit numbers that it was not trained on and
# that contain no zero. For example, 72,515 is `7 10⁴ 2 1000 5 100 1 10 5 end`. We give the translator a correct prefix,
# replace the last token of this prefix, and let the model generate the rest:
#
# * the digit at position 2 becomes a different digit: `7 10⁴ 9 …`
# * or the unit at position 3 becomes a different unit: `7 10⁴ 2 10 …`
#
# In both cases, we check the tokens at positions 4 to 9.

# %% predict="16.one_error"


# %% tags=["S20"]
def after_error(continue_from):
    """The accuracy at each position after position 3, for three draws of 60 numbers."""
    found = {"no error": [], "wrong digit": [], "wrong unit": []}
    for seed in range(3):
        source, targets = five_digit_numbers(english, chinese, 60, seed)
        for name, position in (("no error", None), ("wrong digit", DIGIT), ("wrong unit", UNIT)):
            given = targets if position is None else replace_token(chinese, targets, position, seed)
            predicted = continue_from(source, given, position)
            found[name].append(accuracy_after(UNIT, predicted, targets))
    return {name: torch.stack(runs) for name, runs in found.items()}


free_running = after_error(
    lambda source, given, position: continue_greedily(
        translator, source, given[:, : (position or UNIT) + 1], 10
    )
)
for name, accuracies in free_running.items():
    print(f"{name:11} accuracy afterwards:", *(f"{run.mean():.2f}" for run in accuracies))
reveal("16.one_error")

# %% tags=["S20"]
forced = after_error(
    lambda source, given, position: teacher_forced_predictions(translator, source, given)
)
panels = zip(figures.panels(2, 5.0), (forced, free_running), strict=True)
for (ax, lines), title in zip(panels, ("Teacher-forced", "Free-running"), strict=True):
    figures.curves(np.arange(4, 10), lines, title, "position", "accuracy", ax=ax)

# %% [markdown]
# <!-- picture -->
# the accuracy at positions 4 to 9; lines are medians of three draws of 60 numbers, and bands show the
# range. On the left the model reads, as in training, and correct tokens follow the wrong one. After a wrong unit, positions 4
# and 5 are nearly always wrong; from 6 on, the next correct unit has been read. On the right the model continues by itself. A
# wrong digit does next to no harm (its line covers the one without an error), but after a wrong unit hardly any token is where
# it should be.
# <!-- end -->
#
# A sequence that is merely shifted counts as wrong at every position. So look at what the model generates. The wrong unit is
# the fourth token:

# %%
source, targets = five_digit_numbers(english, chinese, 180, seed=0)
given = replace_token(chinese, targets, UNIT, seed=0)
generated = continue_greedily(translator, source, given[:, : UNIT + 1], 14)
for row in (4, 0, 1, 2):
    print("correct:  ", *(f"{names[i]:4}" for i in targets[row]))
    print("generated:", *(f"{names[i]:4}" for i in generated[row] if i != chinese.pad))
resumes = {"10": 8, "100": 6, "10⁴": 2}  # the position after this unit in the correct number
as_after_wrong = [targets[row, resumes[names[i]]] for row, i in enumerate(given[:, UNIT])]
for name, token in (("correct", targets[:, UNIT + 1]), ("wrong", torch.stack(as_after_wrong))):
    count = (generated[:, UNIT + 1] == token).sum()
    print(f"goes on as after the {name} unit: {count} of 180")

# %% [markdown]
# In 102 of 180 cases, the next token is the one that would follow the unit just read, so the model skips or repeats a part of
# the number. In 24, it is the one that would follow the correct unit. (18 cases count twice: in them, both tokens are the
# same.) In 72 it is something else; in the last example, the model writes `10⁴ 0`, which occurs in no five-digit number
# without a zero, and then goes on correctly.
#
# You may have read that errors pile up. That depends on whether later tokens need the one that went wrong. The digit is not
# needed again, because the next digits are in the source. The unit tells the model where in the number it is. (The gap between
# training and generating is often called **exposure bias**; {bengio2015} tried
# to close it.)
#
# ### What one token at a time costs
#
# You may have read that the Transformer's parallel computation makes training *and inference* fast. How much time is lost when
# tokens have to wait for each other? The GPT trained on names reads 80 letters in one pass. Then it reads them in 80 passes,
# each one letter longer, as our loop would; and finally, as a control, in 80 passes over a single letter each:

# %% tags=["E24", "nbval-ignore-output"]
text = pad_right([letters.encode("GREEK SMALL LETTER OMEGA WITH PSILI " * 3)])[:, :80]


def seconds(run):
    """The fastest of three runs."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)


at_once = seconds(lambda: gpt(text))
growing = seconds(lambda: [gpt(text[:, : n + 1]) for n in range(80)])
single = seconds(lambda: [gpt(text[:, n : n + 1]) for n in range(80)])
print(f"80 growing passes take {growing / at_once:.0f} times as long as one pass over everything")
print(f"80 passes over one letter each: {single / at_once:.0f} times")

# %% [markdown]
# The ratios depend on the machine; we measured between 40 and 70 for the first, and between 10 and 20 for the second. Most of
# the first ratio comes from work that is done again and again. Lesson 17 shows how to avoid that, as the library's `greedy`
# does. But generating still takes one pass per token. (Many sequences can be generated side by side, but none of them is
# finished any sooner.)
#
# ### Does a beam repair the mistakes?
#
# `early` translates three sets of 60 numbers that it was not trained on, greedily and with a beam of width 4. For each wrong
# translation, we also check whether the model *prefers* it, that is, gives it a higher probability than the correct one.

# %%
unseen = number_pairs(train=1, test=180).test
searches = {
    "greedy": partial(greedy, limit=24),
    "beam": partial(beam_search, limit=24, width=4, length_penalty=0),
}
for begin in (0, 60, 120):
    own_score = {}
    for name, search in searches.items():
        wrong, own_score[name], of_correct = evaluate_search(
            early, {"source": english, "target": chinese}, unseen[begin : begin + 60], search
        )
        preferred = (own_score[name] > of_correct)[wrong].sum()
        print(f"{name}: {wrong.sum()} wrong, {preferred} of them preferred", end="; ")
    better = (own_score["beam"] > own_score["greedy"] + 0.01).sum()
    print("more probable than greedy's:", better.item())

# %% [markdown]
# About a third of the translations are wrong with either method. The beam does find a more probable sequence now and then, but
# repairs next to nothing, because `early` nearly always prefers its own mistake. That is the model's fault: a better search
# only shows it more clearly. The few other mistakes are the search's fault. (Wide beams make large translators worse, as
# {koehn2017} found. With ours we saw nothing of the kind up to a width of 64.)
#
# ### The empty sequence
#
# The GPT trained on names starts from nothing but `begin`. We compute the probability of 150 names that it was not trained on,
# and of the empty name, which consists of `end` alone. The training data had no empty name either.

# %% predict="16.empty"


# %%
def log_probabilities(texts):
    ids = pad_right([[letters.begin, *letters.encode(name), letters.end] for name in texts])
    return log_probability(gpt(ids[:, :-1]), ids[:, 1:])


known = character_names()
real = log_probabilities([name for name, _ in known.test[:150]])
(empty,) = log_probabilities([""])
print(f"the empty name: {empty:.1f}; a real one (median): {real.median():.0f}")
print("real names that are more probable:", (real > empty).sum().item(), "of 150")
reveal("16.empty")

# %% [markdown]
# A name's probability is a product of some twenty or thirty factors, none above 1; the empty name has a single factor.
# (Stahlberg and Byrne 2019 searched a large translator exactly. For more than half of the sentences, the *empty* translation
# was the most probable of all.) What do greedy decoding and beams of several widths find?

# %%
nothing, real_names = torch.tensor([[letters.begin]]), {name for part in known for name, _ in part}
for width in (1, 2, 3, 16, 64):
    (ids,) = beam_search(gpt, nothing, limit=60, width=width, length_penalty=0)
    found = "".join(letters.decode(ids))
    score = log_probabilities([found]).item()
    exists = "a real name" if found in real_names else "no such name"
    print(f"width {width:2} {score:6.1f}  {found:44}{exists}")

# %% [markdown] seconds=5
# Width 1 is greedy decoding. Its name is the least probable of the five. It is even less probable than the empty name, and so
# is the name from width 3. Wider beams mostly find more probable names, but not always: width 3 does worse than width 2,
# because a prefix can push another out and still end badly. And the most probable of the five, from width 64, is not the name
# of any character. (A **length penalty**, as on the sheet and by default in the library, favours longer sequences. We set it
# to 0.)
#
# ### Words that exist
#
# What do the settings do to whole names? The GPT trained on names draws three sets of 24 names at each temperature, with and
# without top-p. This takes about {seconds} seconds.

# %%
words = {word for part in character_names() for name, _ in part for word in name.split()}
begin = torch.full((72, 1), letters.begin)  # three times 24 names, all at once


def drawn(temperature, top_p=None):
    """For three draws of 24 names: the fraction of words that exist, and of names that differ."""
    generator = torch.Generator().manual_seed(0)
    settings = {"temperature": temperature, "top_p": top_p, "generator": generator}
    rows = sample(gpt, begin, 60, **settings)
    names = ["".join(letters.decode(ids)) for ids in rows]
    thirds = [names[i : i + 24] for i in (0, 24, 48)]
    exist = [np.mean([w in words for name in third for w in name.split()]) for third in thirds]
    return exist, [len(set(third)) / 24 for third in thirds], names


# %%
temperatures = (0.25, 0.5, 1.0, 2.0)
plain, cut = ([drawn(T, top_p) for T in temperatures] for top_p in (None, 0.9))
for found, title in ((plain, "without top-p"), (cut, "top-p 0.9")):
    print(title)
    for T, (exist, _, names_drawn) in zip(temperatures, found, strict=True):
        print(f"  T = {T:4} exist: {np.mean(exist):.2f}  {' | '.join(names_drawn[:3])}")

# %%
panels = zip(figures.panels(2), (plain, cut), ("Without top-p", "Top-p 0.9"), strict=True)
for ax, found, title in panels:
    lines = {
        "words that exist": np.transpose([exist for exist, _, _ in found]),
        "distinct names": np.transpose([differ for _, differ, _ in found]),
    }
    figures.curves(temperatures, lines, title, "temperature", "fraction", "x", ax=ax)

# %% [markdown]
# <!-- picture -->
# lines are medians of three draws, and bands show the range; the temperature doubles from tick to tick.
# The left panel shows a trade-off: at low temperatures nearly all words exist, at high ones few do. Names begin to repeat
# only at the lowest temperature. On the right, top-p has removed improbable letters: at temperature 1 more words exist than
# without it, and hardly any name repeats. At 2 it helps little, because too many letters remain.
