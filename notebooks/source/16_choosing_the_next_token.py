# %% [markdown]
# # 16 · Choosing the next token: how does a text come out of probabilities?
#
# A trained model never writes. It reads a beginning, and says for each token of its vocabulary how probable it is as the next
# one (lesson 14). Somebody has to choose, put the token behind the beginning, and ask again. Here you watch this loop. You
# put a wrong token into it, compare ways to choose, and see what the loop costs.
#
# About 35 minutes. Afterwards you can
#
# * say when reading a text and writing it give the same logits, and from where on they part;
# * compute by hand what greedy choice and a beam find in a small tree, and what they miss;
# * choose between greedy, beam, temperature, top-k and top-p, and say what each does to the probabilities.

# %% [markdown]
# We use the two models of lesson 14 again, from English number words to Chinese numerals, printed as digits and units: the
# translator, and `early`, the same one less than a third of the way through its training, which still makes mistakes.

# %%
import time
from functools import partial

import numpy as np
import torch

from transformer_course import figures, models
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
_ = torch.set_grad_enabled(False)  # nothing is trained today

translator, vocabularies = models.load("translator")
early, _ = models.load("translator-early")
english, chinese = vocabularies["source"], vocabularies["target"]
digits = [*"0123456789", "10", "100", "1000", "10⁴"]
reads = dict(zip("零一二三四五六七八九十百千万", digits, strict=True))
names = ["pad", "begin", "end", "?", *(reads[token] for token in chinese.tokens[4:])]

# %% [markdown]
# **Recall.** What do you remember from earlier lessons? Click an answer to read the reply.

# %%
ask("16.recall")

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
# In training, the same model would *read* these numbers (teacher forcing): the whole right target in one pass, with the causal
# mask.

# %%
predict("16.apart")

# %% tags=["S20"]
apart = []
for source, target, _, rows in runs:
    read = early(source, shift(target)[0])[0]
    apart.append((rows - read).abs().amax(-1))
    print("the same at each position:", *(int(d < 1e-3) for d in apart[-1]))
reveal("16.apart")

# %% tags=["S20"]
titles = ("Written correctly", "A slip at position 5")
for ax, d, title in zip(figures.panels(2), apart, titles, strict=True):
    lines = {"reading against writing": d.clamp(min=1e-8)}
    figures.curves(np.arange(10), lines, title, "position", "largest difference", "y", ax=ax)
    ax.set_ylim(1e-8, 100)

# %% [markdown]
# **In the picture:** the largest difference between a logit from reading and the same logit from writing, on an axis of
# factors. On the left it is of rounding's size throughout, about a millionth. On the right too, up to and including position 5,
# where the wrong digit is *chosen*. At position 6 it is *read*, and the two jump apart, by more than a hundred thousand times
# as much. (Points on the lower edge are exactly 0.)
#
# So **reading and writing are one and the same computation, as long as the beginnings are the same** (and dropout is off).
# That is why teacher forcing trains a model for writing, although it never writes. What it does not train is what follows
# position 5 on the right: going on from one's own mistake.

# %% [markdown]
# ## One wrong token
#
# How bad is that? We take the fully trained translator, and numbers of five digits without a zero, that it was never trained
# on. They all have the same form, as 72,515: `7 10⁴ 2 1000 5 100 1 10 5 end`. We give it the right beginning, exchange the last
# token of that beginning, and let it write the rest:
#
# * the digit at position 2 for another digit: `7 10⁴ 9 …`
# * or the unit at position 3 for another unit: `7 10⁴ 2 10 …`

# %%
predict("16.one_error")


# %% tags=["S20"]
def after_error(continued):
    """For three draws of 60 numbers, what is right behind position 3, place by place."""
    found = {"no error": [], "wrong digit": [], "wrong unit": []}
    for seed in range(3):
        source, texts = five_digit_numbers(english, chinese, 60, seed)
        for name, place in (("no error", None), ("wrong digit", DIGIT), ("wrong unit", UNIT)):
            given = texts if place is None else replace_token(chinese, texts, place, seed)
            found[name].append(accuracy_after(UNIT, continued(source, given, place), texts))
    return {name: torch.stack(runs) for name, runs in found.items()}


own = after_error(
    lambda source, given, place: continue_greedily(
        translator, source, given[:, : (place or UNIT) + 1], 10
    )
)
for name, runs in own.items():
    print(f"{name:11} right afterwards:", *(f"{run.mean():.2f}" for run in runs))
reveal("16.one_error")

# %% tags=["S20"]
forced = after_error(
    lambda source, given, place: teacher_forced_predictions(translator, source, given)
)
left, right = figures.panels(2, 5.0)
for ax, lines, title in ((left, forced, "The right tokens follow"), (right, own, "Its own follow")):
    figures.curves(np.arange(4, 10), lines, title, "position", "accuracy", ax=ax)

# %% [markdown]
# **In the picture:** the share of right tokens at positions 4 to 9 (the middle of three draws of 60 numbers, and a band). On
# the left the text is read, as in training: behind the wrong token the right ones follow. After a wrong unit, positions 4 and 5
# come out wrong; from 6 on, where the next right unit has been read, all is well again. On the right the model goes on by
# itself. After a wrong digit hardly anything happens (that line lies on the one without error); after a wrong unit hardly
# anything stands where it should. But place by place, a text that is only shifted counts as wrong. So what does it write? Below,
# the wrong unit is the fourth token:

# %%
source, texts = five_digit_numbers(english, chinese, 180, seed=0)
given = replace_token(chinese, texts, UNIT, seed=0)
written = continue_greedily(translator, source, given[:, : UNIT + 1], 14)
for row in (4, 0, 1, 2):
    print("right:  ", *(f"{names[i]:4}" for i in texts[row]))
    print("written:", *(f"{names[i]:4}" for i in written[row] if i != chinese.pad))
behind = {"10": 8, "100": 6, "10⁴": 2}  # where, in the right number, one goes on after this unit
as_after_wrong = [texts[row, behind[names[i]]] for row, i in enumerate(given[:, UNIT])]
for name, token in (("right", texts[:, UNIT + 1]), ("wrong", torch.stack(as_after_wrong))):
    print(f"goes on as after the {name} unit: {(written[:, UNIT + 1] == token).sum()} of 180")

# %% [markdown]
# The first three lines are pieces of the right number, in the right order; a piece is left out, or comes twice. The written unit
# tells the model *where in the number it is*, like a finger under a line: after 10 it goes on where one goes on after 10, and
# likewise in more than half of the 180 numbers. In most others it does something else again: in the last line, it seems to try
# to mend the unit. As if nothing had happened it goes on in few. The written *digit* tells it nothing that it
# still needs; the next digits stand in the source.
#
# So "errors pile up" is neither true nor false. Here it depends on whether the later tokens need the wrong one. (This gap
# between training and writing is often called **exposure bias**; "Scheduled Sampling", Bengio and others 2015, is about it.)
# In no case does the model go back: what is chosen stays.

# %% [markdown]
# ## One after the other
#
# Note 2, one of the texts that this course grew from, says that the Transformer's parallel computation makes training *and
# inference* quick. In training, all ten positions are asked in one pass. And when writing? We let the library's `greedy` write,
# and count how often each half is run.


# %%
def passes(part, run):
    """How often a part of a model is run."""
    count = []
    handle = part.register_forward_hook(lambda *_: count.append(1))
    run()
    handle.remove()
    return len(count)


# %%
predict("16.passes")

# %% tags=["E24"]
words = ["seventy", "two", "thousand", "five", "hundred", "and", "fifteen"]
source = pad_right([english.encode(words)])
for name, part in (("encoder", translator.encoder), ("decoder", translator.decoder)):
    print(name, passes(part, lambda: greedy(translator, source, limit=12)))
reveal("16.passes")

# %% [markdown]
# (Our own loop above did run the encoder ten times. That was waste.) But a token cannot be computed before the one ahead of it is
# known, because it is asked *about a beginning with that one in it*. However many processors there are, it has to wait. How
# much is lost? We take a GPT (a decoder without cross-attention, lesson 13) that was trained on the names of Unicode's
# characters, letter by letter. It reads 80 letters in one pass. Then it reads them in 80 passes, each with one letter more, as
# our loop would when writing; and last, as a control, in 80 passes over a single letter each:

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
letter_by_letter = seconds(lambda: [gpt(letters[:, n : n + 1]) for n in range(80)])
print("80 growing passes take more than 10 times as long:", one_by_one > 10 * at_once)
print("80 passes over one letter, more than 4 times:", letter_by_letter > 4 * at_once)

# %% [markdown]
# (About 60 times and about 15 times, when we tried. So much of it is work done again and again, which lesson 17 shows how to
# keep, as the library's `greedy` does. The passes themselves stay.) A beginning that is *given* is another matter:

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
# three. The most probable is C x, and it begins with the <em>least</em> probable token.</details>
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
# Width 1 is greedy. Width 2 finds something better, and still misses the best. Among beams, only one that drops nothing is sure
# to find the most probable text, and with 18 tokens and ten steps there are $18^{10}$ beginnings to keep. In practice one takes a
# width of 4 or so, and compares logarithms, which add up (lesson 14).

# %% [markdown]
# ## More probable, and wrong
#
# Does a beam mend the mistakes of `early`? Three times 60 numbers that it never saw; greedy, and a beam of 4. For each text
# that comes out wrong, we also ask whether the model prefers it, that is, gives it more probability than the right one.

# %%
unseen = number_pairs(train=1, test=180).test
searches = {
    "greedy": partial(greedy, limit=24),
    "beam": partial(beam_search, limit=24, width=4, length_penalty=0),
}
for begin in (0, 60, 120):
    own_score = {}
    for name, search in searches.items():
        wrong, own_score[name], of_right = evaluate_search(
            early, {"source": english, "target": chinese}, unseen[begin : begin + 60], search
        )
        prefers = (own_score[name] > of_right)[wrong].sum()
        print(f"{name}: {wrong.sum()} wrong, {prefers} of them preferred", end="; ")
    better = (own_score["beam"] > own_score["greedy"] + 0.01).sum()
    print("more probable than greedy's:", better.item())

# %% [markdown]
# About a third is wrong, with greedy and with the beam. The beam does find a more probable text now and then, and mends next
# to nothing, for where greedy errs, `early` nearly always gives its *wrong* text more probability than the right one. That is
# the model's fault, and not the search's: a better search can only bring it out more clearly. The few others are the
# search's. (Wide beams make large translators worse, as Koehn and Knowles 2017 found. With ours that did not show, up to a
# width of 64.)
#
# Now the GPT, with nothing but `begin`. We take 150 names that it was not trained on, and the empty name, `end` at once, which it
# was not trained on either: there is none in the list.

# %%
predict("16.empty")


# %%
def of_names(texts):
    ids = pad_right([[text.begin, *text.encode(name), text.end] for name in texts])
    return log_probability(gpt(ids[:, :-1]), ids[:, 1:])


# %%
known = character_names()
real = of_names([name for name, _ in known.test[:150]])
(empty,) = of_names([""])
print(f"the empty name: {empty:.1f}; a real one in the middle: {real.median():.0f}")
print("real names above the empty one:", (real > empty).sum().item(), "of 150")
reveal("16.empty")

# %% [markdown]
# A name is the product of some twenty or thirty factors, none above 1, and the empty one is a single factor. (In a large
# translator, Stahlberg and Byrne 2019, "On NMT Search Errors and Model Errors", found by an exact search that for over half of
# the sentences the *empty* translation was the most probable of all.)
#
# What do greedy and beams of several widths write?

# %%
nothing, real_names = torch.tensor([[text.begin]]), {name for part in known for name, _ in part}
for width in (1, 2, 3, 16, 64):
    (ids,) = beam_search(gpt, nothing, limit=60, width=width, length_penalty=0)
    written = "".join(text.decode(ids))
    score, exists = of_names([written]).item(), written in real_names
    print(
        f"width {width:2} {score:6.1f}  {written:44}{'a real name' if exists else 'no such name'}"
    )
assert greedy(gpt, nothing, limit=60) == beam_search(gpt, nothing, 60, width=1, length_penalty=0)

# %% [markdown]
# Greedy, width 1, finds the least probable of the five, less probable than nothing at all. Wider is more probable by and
# large, and not in order: 3 finds a less probable text than 2, since a beginning that pushes another out need not end well.
# And more probable is not better: what 64 finds is the most probable of the five, and no character has that name. (With a
# **length penalty**, as in the sheet and by default in the library, longer texts are preferred. We had set it to 0.) Whatever
# the width, it is one text, the same every time.
#
# So two beliefs go: **greedy need not find the most probable text, and a more probable text need not be a better one.** Where
# there is one right answer, greedy or a narrow beam is the tool. Where there are many good ones, one draws.

# %% [markdown]
# ## Drawing, with the dice loaded
#
# To **sample** is to draw the next token with the model's probabilities. Three knobs change them first. The temperature comes
# before the cut:
#
# * **temperature** $T$: all logits are divided by $T$ before softmax. Below 1 the large get larger, above 1 they come closer to
#   each other;
# * **top-k** keeps the k most probable tokens;
# * **top-p** keeps the fewest that *together* have at least the probability p, from the most probable one on. What is kept is
#   divided by its sum.
#
# **Your turn, on paper.** Five tokens have 0.40, 0.30, 0.15, 0.10 and 0.05. Which does top-p keep for
# p = 0.8, and what are their probabilities then?
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
print("top-k 2:  ", next_token_distribution(logits, top_k=2).numpy().round(2))
print("top-p 0.8:", next_token_distribution(logits, top_p=0.8).numpy().round(2))
print("T = 0.01: ", next_token_distribution(logits, 0.01).numpy().round(2))

# %% [markdown]
# At temperature 0.5 the first two have 88 % between them; at 2 the largest is less than three times the smallest, where it was
# eight times. The order is always the same: no temperature changes which token is the most probable. At 0 one would divide by 0;
# what one means is the limit, the last line, and that you have already: greedy, or top-k 1.
#
# Now top-p at work. While the GPT reads a name, how many of its 42 tokens are kept at each letter?

# %%
name = "BLACK RIGHT-POINTING TRIANGLE"
ids = torch.tensor([[text.begin, *text.encode(name)]])
kept, hot = ((next_token_distribution(gpt(ids)[0], T, top_p=0.9) > 0).sum(-1) for T in (1, 2))
lines = {"top-p 0.9": kept, "top-k 5": torch.full_like(kept, 5), "top-p 0.9 at T = 2": hot}
ax = figures.panels(1, 9.5, 3.4)[0]
title = "Where a word begins, top-p keeps many tokens"
ax = figures.curves(np.arange(len(kept)), lines, title, "next letter", "tokens kept", ax=ax)
ax.set_ylim(0, 34)
_ = ax.set_xticks(np.arange(len(kept)), [*name.replace(" ", "␣"), "end"])

# %% [markdown]
# **In the picture:** above each letter, how many tokens could have stood in its place. Top-k keeps five everywhere. Top-p keeps
# many where a word begins, and often a single one where it is already clear how the word goes on (behind the hyphen, too: after
# RIGHT- it is clear that POINTING comes). "90 %" is a share of the probability, not of the tokens. At temperature 2, where the
# tokens are closer to each other, it takes many of them to have 90 %.
#
# What do the knobs do to whole names? Three times 24 names at each temperature, drawn as they are, and with top-p:

# %%
words = {word for part in known for name, _ in part for word in name.split()}


def drawn(temperature, top_p=None):
    """For three draws of 24 names: the share of words that exist, and of names that differ."""
    generator = torch.Generator().manual_seed(0)  # 72 rows at once: three times 24 draws
    knobs = {"temperature": temperature, "top_p": top_p, "generator": generator}
    rows = sample(gpt, nothing.expand(72, 1), 60, **knobs)
    names = ["".join(text.decode(ids)) for ids in rows]
    thirds = [names[i : i + 24] for i in (0, 24, 48)]
    exist = [np.mean([w in words for name in third for w in name.split()]) for third in thirds]
    return exist, [len(set(third)) / 24 for third in thirds], names


# %%
temperatures = (0.25, 0.5, 1.0, 2.0)
plain, cut = ([drawn(T, top_p) for T in temperatures] for top_p in (None, 0.9))
for found, title in ((plain, "Drawn as they are"), (cut, "With top-p 0.9")):
    print(title)
    for T, (exist, _, names_drawn) in zip(temperatures, found, strict=True):
        print(f"  T = {T:4} exist: {np.mean(exist):.2f}  {' | '.join(names_drawn[:3])}")
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
# trade: cold, nearly all words exist; hot, few do. Names begin to repeat only at the coldest. On the right, top-p has taken rare
# letters away: at temperature 1 more words exist than without it, and the names still differ. At 2 it helps little: as the
# picture before showed, too many letters stay. (Both were drawn with the same seed, so some names are the same.)

# %% [markdown]
# ## Before you go

# %%
ask("16.exit")

# %% [markdown]
# **How does a text come out of probabilities?** One token at a time: the model says how probable each next token is, given
# all that stands there already, and a rule that is no part of it chooses one, which is never taken back. As long as the
# beginning is the same, this gives the very logits of training; after the first other token, it is another text.
