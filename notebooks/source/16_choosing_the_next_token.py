# %% [markdown]
# # 16 · Choosing the next token: how does a text come out of probabilities?
#
# A trained model never writes. It reads a beginning, and says for each token of its vocabulary how probable it is as the next
# one (lesson 14). Somebody has to choose, put the token behind the beginning, and ask again. Here you watch this loop. You
# put a wrong token into it, compare ways to choose, and see what the loop costs.
#
# About 30 minutes. Afterwards you can
#
# * say when reading a text and writing it give the same logits, and from where on they part;
# * compute by hand what greedy choice and a beam find in a small tree, and what they miss;
# * choose between greedy, beam, temperature, top-k and top-p, and say what each does to the probabilities.

# %% [markdown]
# **Recall** (click an answer to see what it leads to).
#
# *What stands at a decoder's input while it is trained?* (lesson 14)
# <details><summary>What it has written so far</summary>While it is trained it writes nothing: all positions are asked in one
# pass.</details>
# <details><summary>The right target, one place later</summary>Yes, teacher forcing. Today we compare that with the model left to
# itself.</details>
# <details><summary>The source</summary>That goes into the encoder.</details>

# %% [markdown]
# *Behind a causal mask, the target's token 6 is exchanged. Which of the decoder's outputs can move?* (lesson 13; counted from
# 0)
# <details><summary>6 and all after it</summary>Yes. We need that in a moment.</details>
# <details><summary>6 alone</summary>All later places look back at it.</details>
# <details><summary>All of them</summary>Then a place would know of what comes after it.</details>

# %% [markdown]
# *All scores are multiplied by 4 before softmax. What happens to the weights?* (lesson 03)
# <details><summary>Nothing: the ratios of the scores stay</summary>Softmax looks at differences, and they grow.</details>
# <details><summary>They get closer to each other</summary>So it is if you divide.</details>
# <details><summary>More goes to the largest; the order stays</summary>Yes. A knob for that has a name today.</details>

# %%
import time

import numpy as np
import torch

from transformer_course import figures, models
from transformer_course.data import character_names, number_pairs
from transformer_course.decoding import beam_search, greedy, next_token_distribution, sample
from transformer_course.embedding import pad_right
from transformer_course.exercises import reply
from transformer_course.experiments.slip import (
    DIGIT,
    UNIT,
    exchanged,
    five_digits,
    reading,
    right_after,
    writing,
)
from transformer_course.training import shift

torch.set_num_threads(1)
_ = torch.set_grad_enabled(False)  # nothing is trained today

# %% [markdown]
# We use the translator of lesson 14 again, from English number words to Chinese numerals, printed as digits and units, and
# beside it `early`, the same model less than a third of the way through its training, which still makes mistakes.

# %%
translator, vocabularies = models.load("translator")
early, _ = models.load("translator-early")
english, chinese = vocabularies["source"], vocabularies["target"]
digits = [*"0123456789", "10", "100", "1000", "10⁴"]
reads = dict(zip("零一二三四五六七八九十百千万", digits, strict=True))
names = ["pad", "begin", "end", "?", *(reads[token] for token in chinese.tokens[4:])]

# %% [markdown]
# ## Writing
#
# This is the whole loop. `argmax` takes the most probable token: that choice is called **greedy**. We keep the logits of each
# step.


# %% tags=["S20"]
def write(model, source, steps):
    text, rows = torch.tensor([[chinese.begin]]), []
    for _ in range(steps):
        rows.append(model(source, text)[:, -1])  # the last position: what comes next?
        text = torch.cat([text, rows[-1].argmax(-1, keepdim=True)], dim=1)
    return text[0, 1:], torch.cat(rows)


# %% [markdown]
# Two numbers for `early`. It writes the first one correctly. In the second one, it writes a wrong digit at position 5 (counted
# from 0), and everything else is right:

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
    print("right:  ", *(f"{names[i]:4}" for i in target[0]))
    print("written:", *(f"{names[i]:4}" for i in runs[-1][2]))

# %% [markdown]
# In training, the same model would *read* these numbers: the whole right target in one pass, with the causal mask.
#
# **Predict.** For the second number, at which positions are the logits of reading and of writing the same, but for rounding?
#
# * `"a"`: at all but position 5: everything else is right in both
# * `"b"`: at positions 0 to 5, and at none after that
# * `"c"`: nowhere: in reading all ten tokens are there, in writing only those so far

# %%
guess = ...

# %% tags=["S20"]
apart = []
for source, target, _, rows in runs:
    read = early(source, shift(target)[0])[0]
    apart.append((rows - read).abs().amax(-1))
    print("the same at each position:", *(int(d < 1e-3) for d in apart[-1]))

# %%
reply("16.apart", guess)

# %% tags=["S20"]
left, right = figures.panels(2)
for ax, d, title in (
    (left, apart[0], "Written correctly"),
    (right, apart[1], "A slip at position 5"),
):
    lines = {"reading against writing": d.clamp(min=1e-8)}
    figures.curves(np.arange(10), lines, title, "position", "largest difference", "y", ax=ax)
    ax.set_ylim(1e-8, 100)

# %% [markdown]
# **In the picture:** the largest difference between a logit from reading and the same logit from writing, on an axis of
# factors. On the left it is of rounding's size throughout, about a millionth. On the right too, up to and with position 5,
# where the wrong digit is *chosen*. At position 6 it is *read*, and the two jump apart, by more than a million times as much.
# (The lower edge stands for 0, too.)
#
# So **reading and writing are one and the same computation, as long as the beginnings are the same** (and dropout is off).
# That is why teacher forcing trains a model for writing, although it never writes. What it does not train is the right-hand
# side of the right picture: going on from one's own mistake.

# %% [markdown]
# ## One wrong token
#
# How bad is that? We take the fully trained translator, and numbers of five digits without a zero, that it was never trained
# on. They all have the same form, as 72,515: `7 10⁴ 2 1000 5 100 1 10 5 end`. We give it the right beginning, exchange the last
# token of that beginning, and let it write the rest:
#
# * the digit at position 2 for another digit: `7 10⁴ 9 …`
# * or the unit at position 3 for another unit: `7 10⁴ 2 10 …`
#
# **Predict.** How much is right of what the model then writes *after* the wrong token?
#
# * `"a"`: little, either way: in training the model never saw a wrong beginning, and errors pile up
# * `"b"`: little after a wrong digit, nearly all after a wrong unit
# * `"c"`: nearly all after a wrong digit, little after a wrong unit
# * `"d"`: nearly all, either way: the source is still there to be read

# %%
guess = ...


# %% tags=["S20"]
def after_error(continued):
    """For three draws of 60 numbers, what is right behind position 3, place by place."""
    found = {"no error": [], "wrong digit": [], "wrong unit": []}
    for seed in range(3):
        source, texts = five_digits(english, chinese, 60, seed)
        for name, place in (("no error", None), ("wrong digit", DIGIT), ("wrong unit", UNIT)):
            given = texts if place is None else exchanged(chinese, texts, place, seed)
            found[name].append(right_after(UNIT, continued(source, given, place), texts))
    return {name: torch.stack(runs) for name, runs in found.items()}


own = after_error(
    lambda source, given, place: writing(translator, source, given[:, : (place or UNIT) + 1], 10)
)
for name, runs in own.items():
    print(f"{name:11} over 95 % right:", [bool(run.mean() > 0.95) for run in runs], end="  ")
    print("under 15 %:", [bool(run.mean() < 0.15) for run in runs])

# %%
reply("16.one_error", guess)

# %% tags=["S20"]
forced = after_error(lambda source, given, place: reading(translator, source, given))
left, right = figures.panels(2, 5.0)
for ax, lines, title in ((left, forced, "The right tokens follow"), (right, own, "Its own follow")):
    figures.curves(np.arange(4, 10), lines, title, "position", "share right", ax=ax)

# %% [markdown]
# **In the picture:** the share of right tokens at positions 4 to 9 (the middle of three draws of 60 numbers, and a band). On
# the left the text is read, as in training: behind the wrong token the right ones follow. Two positions later the wrong
# unit is forgotten. On the right the model goes on by itself. After a wrong digit nothing happens at all (that line lies on the
# one without error); after a wrong unit hardly anything stands where it should. What does it write?

# %%
source, texts = five_digits(english, chinese, 60, seed=0)
for row in range(4):
    given = exchanged(chinese, texts, UNIT, seed=0)[row : row + 1, : UNIT + 1]
    written = writing(translator, source[row : row + 1], given, 10)[0]
    print("right:  ", *(f"{names[i]:4}" for i in texts[row]))
    print("written:", *(f"{names[i]:4}" for i in written if i != chinese.pad))

# %% [markdown]
# Well-formed numbers, in which a piece is left out, or comes twice. The written unit tells the model *where in the number it
# is*, like a finger under a line: after 10 it goes on where one goes on after 10. The written digit tells it nothing that it
# still needs; the next digits stand in the source.
#
# So "errors pile up" is neither true nor false. Here it depends on whether the later tokens need the wrong one. (Bengio et
# al. 2015, "Scheduled Sampling", is about this gap between training and writing, often called exposure bias.) In no case
# does the model go back: what is chosen stays.

# %% [markdown]
# ## One after the other
#
# Note 2 says that the Transformer's parallel computation makes training *and inference* quick. In training, all ten positions
# are asked in one pass. And when writing? We let the library's `greedy` write, and count how often each half is run.
#
# **Predict.** 72,515 has seven English words and ten Chinese tokens, `end` included. How often do encoder and decoder run?
#
# * `"a"`: the encoder once, the decoder ten times
# * `"b"`: once each: that is what "parallel" means
# * `"c"`: ten times each: with every new token the whole model runs again

# %%
guess = ...


# %% tags=["E24"]
def passes(part, run):
    """How often a part of a model is run."""
    count = []
    handle = part.register_forward_hook(lambda *_: count.append(1))
    run()
    handle.remove()
    return len(count)


words = ["seventy", "two", "thousand", "five", "hundred", "and", "fifteen"]
source = pad_right([english.encode(words)])
for name, part in (("encoder", translator.encoder), ("decoder", translator.decoder)):
    print(name, passes(part, lambda: greedy(translator, source, limit=12)))

# %%
reply("16.passes", guess)

# %% [markdown]
# The sixth token cannot be computed before the fifth is known, because it is asked *about a beginning with the fifth in it*.
# No hardware helps. How much is lost? We take a GPT (a decoder without cross-attention, lesson 13) that was trained on the
# names of Unicode's characters, letter by letter. It reads 80 letters in one pass, and then the same 80 one after the other, in
# 80 passes, as it would have to write them:

# %% tags=["E24"]
gpt, vocabularies = models.load("gpt-pre")
text = vocabularies["text"]
letters = pad_right([text.encode("GREEK SMALL LETTER OMEGA WITH PSILI " * 3)])[:, :80]


def seconds(run):
    """The shortest of three."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)


at_once = seconds(lambda: gpt(letters))
one_by_one = seconds(lambda: [gpt(letters[:, : n + 1]) for n in range(80)])
print("one by one takes more than 10 times as long:", one_by_one > 10 * at_once)

# %% [markdown]
# (About 50 times, when we tried. Much of that is work done again and again. Lesson 17 shows how to keep it, as the library's
# `greedy` does; the number of passes stays.) A beginning that is *given* is another matter:

# %% tags=["E24"]
prompt = pad_right([[text.begin, *text.encode("GREEK SMALL LETTER ")]])
written = greedy(gpt, prompt, limit=40)[0]
print("read", prompt.shape[1], " written", len(written), *text.decode(written))
print("passes", passes(gpt.stack, lambda: greedy(gpt, prompt, limit=40)))

# %% [markdown]
# As many passes as *new* tokens: the first of them reads the whole beginning, and gives the first new token. So note 2 should
# say: **training is parallel, and so is reading what is given; writing goes one token after another.** (Many texts can be
# written side by side. That does not make one of them come sooner.)

# %% [markdown]
# ## The most probable text
#
# Now the choice itself. Greedy takes the most probable token at each step. So is its text the most probable one? A tree with
# two steps: first A, B or C, then x, y or z, with these probabilities:
#
# | | | then x | then y | then z | best text |
# | --- | --- | --- | --- | --- | --- |
# | A | 0.40 | 0.50 | 0.30 | 0.20 | 0.40 · 0.50 = 0.20 |
# | B | 0.35 | 0.60 | 0.25 | 0.15 | ____ |
# | C | 0.25 | 0.90 | 0.05 | 0.05 | ____ |
#
# **Your turn, on paper.** Fill in the two blanks. Which text does greedy write? Which is the most probable?
#
# <details><summary>Compare</summary>B x: 0.35 · 0.60 = 0.21. C x: 0.25 · 0.90 = 0.225. Greedy writes A x, 0.20, the worst of the
# three. The most probable is C x, and it begins with the *least* probable token.</details>
#
# **Beam search** is more careful: it keeps the w most probable *beginnings*, goes on from each of them, and again keeps the w
# best. w is its width.


# %%
first = np.array([0.40, 0.35, 0.25])
then = np.array([[0.50, 0.30, 0.20], [0.60, 0.25, 0.15], [0.90, 0.05, 0.05]])


def beam(width):
    kept = np.argsort(first)[::-1][:width]  # the most probable beginnings
    texts = {"ABC"[k] + "xyz"[i]: first[k] * then[k, i] for k in kept for i in range(3)}
    return max(texts.items(), key=lambda text: text[1])


for width in (1, 2, 3):
    found, p = beam(width)
    print(f"width {width}: {found} {p:.3f}")

# %% [markdown]
# Width 1 is greedy here. Width 2 finds something better, and still misses the best. Only a beam that drops nothing is sure to find
# the most probable text, and with 18 tokens and ten steps there are $18^{10}$ beginnings to keep. In practice one takes a
# width of 4 or so, and compares logarithms, which add up (lesson 14).

# %% [markdown]
# ## More probable, and wrong
#
# Does a beam mend the mistakes of `early`? Three times 60 numbers that it never saw; greedy, and a beam of 4. For each
# text we also ask how probable the model thinks it, and the right one:


# %%
def log_probability(logits, labels):
    of_labels = logits.log_softmax(-1).gather(-1, labels[..., None])[..., 0]
    return (of_labels * (labels != 0)).sum(-1)  # 0 is padding


unseen = number_pairs(train=1, test=180).test
tables = []
for begin in (0, 60, 120):
    words, numerals = zip(*unseen[begin : begin + 60], strict=True)
    source = pad_right([english.encode(text) for text in words])
    target = [[*chinese.encode(text), chinese.end] for text in numerals]
    table = [(target, target)]
    table.append((target, greedy(early, source, limit=24)))
    table.append((target, beam_search(early, source, limit=24, width=4, length_penalty=0)))
    shifted = [shift(pad_right(texts)) for _, texts in table]
    scores = [log_probability(early(source, inputs), labels) for inputs, labels in shifted]
    tables.append((table, scores))

# %%
for table, (of_right, of_greedy, of_beam) in tables:
    by_greedy, by_beam = (
        torch.tensor([a != b for a, b in zip(*t, strict=True)]) for t in table[1:]
    )
    print("greedy errs in 8 to 30 of 60:", bool(8 <= by_greedy.sum() <= 30), end=" ")
    print("| the beam mends at most 3:", bool(by_greedy.sum() - by_beam.sum() <= 3), end=" ")
    print("| finds more probable texts:", bool((of_beam > of_greedy + 0.01).any()), end=" ")
    preferred = (of_beam > of_right)[by_beam].float().mean()
    print("| prefers its own wrong text:", f"{preferred:.0%}")

# %% [markdown]
# The beam finds more probable texts now and then, and hardly anything is mended. For where `early` errs, it gives its
# *wrong* text a higher probability than the right one. That is not a fault of the search, but of the model: a better search
# can only bring it out more clearly. (Stahlberg and Byrne 2019, "On NMT Search Errors and Model Errors", measured this in large
# translators. That wide beams make translations worse, as Koehn and Knowles 2017 found, did not show here: on 200 numbers,
# every width from 2 to 64 gave 65 % of right texts, and greedy 64 %.)
#
# How strange the most probable text can be, the GPT shows. Give it nothing but `begin`. We take 150 names that it was not
# trained on, and the empty name, `end` at once, which it was not trained on either: there is none in the list.
#
# **Predict.** How many of the 150 real names does it find more probable than the empty one?
#
# * `"a"`: all or nearly all: it has learned what names look like, and none is empty
# * `"b"`: about half
# * `"c"`: hardly any

# %%
guess = ...


# %%
def of_names(texts):
    ids = pad_right([[text.begin, *text.encode(name), text.end] for name in texts])
    return log_probability(gpt(ids[:, :-1]), ids[:, 1:])


known = character_names()
real = of_names([name for name, _ in known.test[:150]])
(empty,) = of_names([""])
print(f"the empty name: {empty:.1f}; more probable than that are under 5:", end=" ")
print(bool((real > empty).sum() < 5))

# %%
reply("16.empty", guess)

# %% [markdown]
# And what do greedy and two beams write?

# %%
nothing = torch.tensor([[text.begin]])
found = {"greedy": greedy(gpt, nothing, limit=60)}
for width in (4, 16):
    found[f"beam {width}"] = beam_search(gpt, nothing, limit=60, width=width, length_penalty=0)
for name, (ids,) in found.items():
    written = "".join(text.decode(ids))
    print(f"{name:8} {of_names([written]).item():6.1f}  {written}")
print("half of the real names are below -14:", bool(real.median() < -14))

# %% [markdown]
# What greedy writes is less probable than nothing at all. The wider the beam, the more probable is the text, and the shorter:
# each token is one more factor below 1. (The library's `length_penalty` corrects for that; the sheet has its formula. We had
# set it to 0.) And whatever the width, it is one text, the same every time.
#
# So two beliefs go: **greedy does not find the most probable text, and the most probable text need not be the best.** Where there
# is one right answer, greedy or a narrow beam is the tool. Where there are many good ones, one draws.

# %% [markdown]
# ## Drawing, with the dice loaded
#
# To **sample** is to draw the next token with the model's probabilities. Three knobs change them first. Five tokens with
# 0.40, 0.30, 0.15, 0.10 and 0.05:
#
# * **temperature** $T$: all logits are divided by $T$ before softmax. Below 1 the large get larger, above 1 they come closer to
#   each other;
# * **top-k** keeps the k most probable tokens;
# * **top-p** keeps the fewest that *together* have at least the probability p, from the most probable one on. What is kept is
#   divided by its sum.
#
# **Your turn, on paper.** Which tokens does top-p keep for p = 0.8, and what are their probabilities then?
#
# <details><summary>Compare</summary>0.40 + 0.30 = 0.70 is too little, and 0.40 + 0.30 + 0.15 = 0.85 is enough: three of the five
# tokens, not 80 % of them. Divided by 0.85: 0.47, 0.35, 0.18.</details>

# %%
p = np.array([0.40, 0.30, 0.15, 0.10, 0.05])
logits = torch.tensor(p).log()
for T in (0.5, 1.0, 2.0):
    by_hand = p ** (1 / T) / (p ** (1 / T)).sum()  # exp(log p / T)
    np.testing.assert_allclose(by_hand, next_token_distribution(logits, T))
    print(f"T = {T}:", by_hand.round(2))
print("top-k 2:", next_token_distribution(logits, top_k=2).numpy().round(2))
print("top-p 0.8:", next_token_distribution(logits, top_p=0.8).numpy().round(2))

# %%
for ax, T in zip(figures.panels(3, 3.2, 3.0), (0.5, 1.0, 2.0), strict=True):
    ax = figures.bars(next_token_distribution(logits, T), [*"abcde"], f"T = {T}", ax=ax)

# %% [markdown]
# **In the picture:** the same five probabilities at three temperatures. At 0.5 the first two have nearly all; at 2 all five are
# near each other. The order is the same in all three: no temperature changes which token is the most probable.
#
# And at temperature 0? That would be a division by 0. What one means is the limit, and that you have already:

# %%
cold = next_token_distribution(logits, 0.01).numpy().round(4)
print("T = 0.01:", cold, " top-k 1:", next_token_distribution(logits, top_k=1).numpy())
try:
    next_token_distribution(logits, 0.0)
except ValueError as error:
    print(error)

# %% [markdown]
# Greedy. Now top-p at work. While it reads a name, how many of its 42 tokens are kept at each letter?

# %%
name = "BLACK RIGHT-POINTING TRIANGLE"
ids = torch.tensor([[text.begin, *text.encode(name)]])
kept = (next_token_distribution(gpt(ids)[0], top_p=0.9) > 0).sum(-1)
lines = {"top-p 0.9": kept, "top-k 5": torch.full_like(kept, 5)}
ax = figures.panels(1, 9.5, 3.4)[0]
ax = figures.curves(np.arange(len(kept)), lines, "Tokens kept", "next letter", "tokens", ax=ax)
_ = ax.set_xticks(np.arange(len(kept)), [*name.replace(" ", "␣"), "end"])

# %% [markdown]
# **In the picture:** above each letter, how many tokens could have stood in its place. Top-k keeps five everywhere. Top-p keeps
# many where a word begins, and often a single one where it is already clear how the word goes on. "90 %" is a share of the
# probability, not of the tokens.
#
# What do the knobs do to whole names? Three times 24 names at each temperature, drawn as they are, and with top-p:


# %%
words = {word for part in known for name, _ in part for word in name.split()}


def drawn(temperature, top_p=None):
    """For three draws of 24 names: the share of words that exist, and of names that differ."""
    generator = torch.Generator().manual_seed(0)  # 72 rows at once: three times 24 draws
    knobs = {"temperature": temperature, "top_p": top_p, "generator": generator}
    drawn = sample(gpt, nothing.expand(72, 1), 40, **knobs)
    names = ["".join(text.decode(ids)) for ids in drawn]
    thirds = [names[i : i + 24] for i in (0, 24, 48)]
    exist = [np.mean([w in words for name in third for w in name.split()]) for third in thirds]
    return exist, [len(set(third)) / 24 for third in thirds], names


# %%
temperatures = (0.25, 0.5, 1.0, 2.0)
plain, cut = ([drawn(T, top_p) for T in temperatures] for top_p in (None, 0.9))
for found, title in ((plain, "Drawn as they are"), (cut, "With top-p 0.9")):
    print(title)
    for T, (*_, names_drawn) in zip(temperatures, found, strict=True):
        print(f"  T = {T}: {' | '.join(names_drawn[:3])}")

# %%
for ax, found, title in zip(
    figures.panels(2), (plain, cut), ("As they are", "top-p 0.9"), strict=True
):
    lines = {
        "words that exist": [run[0] for run in found],
        "names that differ": [run[1] for run in found],
    }
    lines = {name: np.transpose(values) for name, values in lines.items()}
    figures.curves(temperatures, lines, title, "temperature", "share", "x", ax=ax)

# %% [markdown]
# **In the picture:** the middle of three draws, and a band; the temperature grows to the right, in factors. On the left, the
# trade: cold, nearly all words exist, but names begin to repeat; hot, all names differ, and few of their words exist. On the
# right, top-p has taken the rare letters away. In between, at temperature 1, more words exist than without it, and the names
# still differ; at 2 it helps little, since there the rare letters are too many to be cut.
#
# In long texts, greedy choice is known to run in circles (Holtzman et al. 2020, "The Curious Case of Neural Text Degeneration").
# Names are too short for it; we looked at what greedy writes behind 40 different beginnings:

# %%
for T, (exist, differ, _) in zip(temperatures, plain, strict=True):
    print(f"T = {T}: words, over 0.9: {[bool(x > 0.9) for x in exist]}", end="  ")
    print(f"under 0.5: {[bool(x < 0.5) for x in exist]}  differ, under 0.9: {min(differ) < 0.9}")
assert np.mean(cut[2][0]) > np.mean(plain[2][0])  # at temperature 1, more exist with top-p
starts = sorted({name[:2] for name, _ in known.test})[:40]
ids = greedy(gpt, pad_right([[text.begin, *text.encode(start)] for start in starts]), limit=60)
written = [
    (start + "".join(text.decode(row))).split() for start, row in zip(starts, ids, strict=True)
]
print("a word twice, in under 4:", sum(len(set(w)) < len(w) for w in written) < 4)

# %% [markdown]
# ## Before you go
#
# *A model writes its fifth token wrong. Which logits differ from those of reading the right text?*
# <details><summary>Those of the fifth, where the mistake was made</summary>They were computed from the right beginning. The choice
# differed, the logits did not.</details>
# <details><summary>Those of the sixth and of all after it</summary>Yes: from there on the wrong token is read.</details>
# <details><summary>All of them</summary>What stands before a token does not depend on it.</details>

# %% [markdown]
# *A beam of 100 finds a text that is more probable than that of greedy, and it is worse. What is to blame?*
# <details><summary>The beam: it is too wide</summary>It did what it was asked, better than greedy.</details>
# <details><summary>The model: it gives the worse text more probability</summary>Yes. A narrow beam only hides it.</details>
# <details><summary>The temperature</summary>None was used: the beam adds log-probabilities as they are.</details>

# %% [markdown]
# **How does a text come out of probabilities?** One token at a time: the model says how probable each next token is, given
# all that stands there already, and a rule that is no part of it chooses one, which is never taken back. As long as the
# beginning is the same, this gives the very logits of training; after the first other token, it is another text.
