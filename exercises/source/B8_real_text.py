# %% [markdown] minutes=60 lessons=["06", "16"] stages=["B4"]
# # B8 · Real text
#
# **Where we stand.** Your GPT from stage B4 reads and writes single characters. It has to spell every word, and the 64
# characters that it sees are only about ten words.
#
# **What is missing** is a better alphabet. Language models read **tokens** that are pieces of words. A **tokenizer** learns
# these pieces from a text. You now write the one that GPT-2 uses, **byte-pair encoding**, and train your GPT on its
# tokens. At the end, you see what the same model writes after longer training.
#
# You need {lessons} and {stages}. The whole stage takes about {minutes} minutes.

# %%
import time

import torch

from transformer_course import byte_pairs, figures
from transformer_course.data import python_docs
from transformer_course.exercises import check
from transformer_course.experiments import build_ladder as ladder
from transformer_course.experiments import build_prose as prose
from transformer_course.experiments import effort, stage_models
from transformer_course.my_transformer import (
    GPT,
    estimate_loss,
    get_batch,
    next_probabilities,
    train_step,
)

# %% [markdown]
# ## Any text is bytes
#
# Unicode has more than 150,000 characters, too many for a table with a row for each. But a byte has only 256 values. UTF-8
# writes an ASCII character as one byte, and any other as two to four. Below we write each byte as the *character* with this
# number (Python calls this Latin-1). In English text you see no difference:

# %%
for example in ("token", "café", "日"):
    in_bytes = example.encode("utf-8")
    print(example, "·", list(in_bytes), "·", repr(in_bytes.decode("latin-1")))

# %% [markdown]
# Next, the text is split into words. Each space is attached to the word after it. No token crosses a word boundary.

# %%
byte_pairs.split("Return the café's id.")

# %% [markdown]
# ## 1 · Join a pair
#
# A word begins as a list of its letters, the first **pieces**. To **merge** a pair of pieces means to join them into one
# wherever they are neighbours. Write `merge(pieces, left, right)`, which returns a new list of strings. Go from left to right
# and use each piece only once: of `a, a, a`, the first two are joined.


# %% exercise="build.merge" form="program" minutes=8 difficulty=1 builds=["tokens"]
def merge(pieces, left, right):
    """The pieces, with left and right joined wherever they are neighbours."""
    ### BEGIN SOLUTION
    joined, i = [], 0
    while i < len(pieces):
        found = pieces[i : i + 2] == [left, right]
        joined.append(left + right if found else pieces[i])
        i += 2 if found else 1
    return joined
    ### END SOLUTION


# %% tags=["not-graded"]
print(merge(["b", "a", "n", "a", "n", "a"], "a", "n"))  # should be ['b', 'an', 'an', 'a']

# %%
check("build.merge")

# %% [markdown]
# ## 2 · Learn the merges
#
# Which pairs should be joined? Those that occur most often. Take a text with `low` five times, `lower` twice, `newest` six
# times and `widest` three times. The pair (s, t) occurs 6 + 3 = 9 times, and so does (e, s). No pair occurs more often. Among
# pairs that are equally frequent, the *largest* one wins, in Python's order of tuples: (s, t).
#
# **On paper:** now `newest` is n, e, w, e, st. Which pair is merged next?
#
# <details><summary>Compare</summary>(e, st), which occurs 6 + 3 = 9 times. (w, e), for example, occurs 2 + 6 = 8
# times.</details>
#
# Write `train_merges(words, num_merges)`. `words` is a dictionary from words to their counts. The function returns a
# list of the merged pairs, in order. For each merge,
#
# 1. count each pair of neighbours in each word, once for each time that the word occurs. Every place counts: `a, a, a` contains (a, a)
#    twice;
# 2. choose the most frequent pair, and the largest if several are equally frequent;
# 3. merge it in all words.
#
# Stop early when no pair is left. The check allows five seconds for all its tests.


# %% exercise="build.byte_pairs" form="program" minutes=20 difficulty=3 builds=["tokens"]
def train_merges(words, num_merges):
    """The pairs to merge, in the order in which they are merged."""
    ### BEGIN SOLUTION
    pieces = {word: list(word) for word in words}
    merges = []
    for _ in range(num_merges):
        counts = {}
        for word, count in words.items():
            for pair in zip(pieces[word], pieces[word][1:], strict=False):
                counts[pair] = counts.get(pair, 0) + count
        if not counts:
            break
        merges.append(max(counts, key=lambda pair: (counts[pair], pair)))
        pieces = {word: merge(pieces[word], *merges[-1]) for word in words}
    return merges
    ### END SOLUTION


# %% tags=["not-graded"]
words = {"hug": 4, "hugs": 2, "mug": 3}
print(train_merges(words, 3))  # should be [('u', 'g'), ('h', 'ug'), ('m', 'ug')]

# %%
check("build.byte_pairs")

# %% [markdown]
# ## 3 · Encode a word
#
# Write `encode_word(word, merges)`, which returns the pieces of any word, as a list. The word is already written in byte
# characters, as `byte_pairs.split` returns it. Begin with its letters and apply the merges in the order in which they were
# learned. Letters that occur in no merge stay single.


# %% exercise="build.encode_word" form="program" minutes=6 difficulty=1 builds=["tokens"]
def encode_word(word, merges):
    """The pieces of a word."""
    ### BEGIN SOLUTION
    pieces = list(word)
    for pair in merges:
        pieces = merge(pieces, *pair)
    return pieces
    ### END SOLUTION


# %% tags=["not-graded"]
merges = [("s", "t"), ("e", "st"), ("o", "w"), ("l", "ow")]
print(encode_word("slowest", merges))  # should be ['s', 'low', 'est']

# %%
check("build.encode_word")

# %% [markdown]
# ## 4 · Back to text
#
# Every piece has an id: its position in a list `tokens`, which holds the 256 bytes and then one piece per merge. Write
# `decode_ids(ids, tokens)`. It joins the tokens, turns the result into bytes with `.encode("latin-1")`, and reads these with
# `.decode("utf-8", errors="replace")`. A character's bytes may belong to two tokens, so join *before* you decode.
# `errors="replace"` is for models: they may write bytes that form no character.


# %% exercise="build.decode_ids" form="program" minutes=5 difficulty=1
def decode_ids(ids, tokens):
    """The text of the ids."""
    ### BEGIN SOLUTION
    return "".join(tokens[i] for i in ids).encode("latin-1").decode("utf-8", errors="replace")
    ### END SOLUTION


# %% tags=["not-graded"]
print(decode_ids([1, 0, 2], ["Ã", "caf", "©!"]))  # should be café!

# %%
check("build.decode_ids")

# %% [markdown]
# ## On real text
#
# Your functions now learn 100 merges from the first 50,000 characters of Python's documentation. The course's own trainer
# should learn the same.

# %% tags=["not-graded"]
text = python_docs()
words = byte_pairs.count_words(text.train[:50_000])
start = time.perf_counter()
mine = train_merges(words, 100)
print(f"{time.perf_counter() - start:.1f} s for {len(words):,} different words")
print("the same merges:", mine == byte_pairs.train_merges(words, 100))
print(mine[:12])

# %% [markdown]
# Your function counts all pairs again after each merge, so 1,024 merges on the whole text would take most of a minute. The
# course's trainer recounts only the words that a merge has changed, and needs about four seconds:

# %% tags=["not-graded"]
merges = byte_pairs.train_merges(byte_pairs.count_words(text.train), 1024)
tokenizer = byte_pairs.BytePairs(merges)
print(len(tokenizer), "tokens, among them", sorted(tokenizer.tokens, key=len)[-8:])

# %% [markdown]
# A tokenizer must not lose anything, even if it has never seen some of the characters:

# %% tags=["not-graded"]
strange = "Zoë draws a 日本 flag 🎏"
pieces = [piece for word in byte_pairs.split(strange) for piece in encode_word(word, merges)]
ids = [tokenizer.ids[piece] for piece in pieces]
print(decode_ids(ids, tokenizer.tokens) == strange, "·", len(ids), "tokens")
print(pieces)

# %% [markdown]
# Nothing is lost, but the emoji takes four tokens.
#
# ## Train your GPT on tokens
#
# The model has four blocks of width 128 and sees 128 tokens at a time. What it writes is drawn from your
# `next_probabilities` (stage B7), at temperature 0.8 and with p = 0.9.


# %% tags=["not-graded"]
def write(model, tokenizer, count, start="\n"):
    ids = prose.write(model, tokenizer, start, count, probabilities=next_probabilities)
    return decode_ids(ids, tokenizer.tokens)


ids, held_out = (torch.tensor(tokenizer.encode(part)) for part in text)
print(f"{len(ids):,} tokens, {len(text.train) / len(ids):.2f} characters per token")

# %% [markdown]
# The loss is now per *token*, and a token is about three characters long. To compare the model with the others on the ladder,
# we divide the bits per token by the characters per token.
#
# One number differs from stage B4: the table of tokens starts with torch's standard deviation of 1, and only the positions
# start small. After 100 steps, this start was 0.4 bits ahead of B4's. But on characters, it was worse than all four starts
# in B4's table: one block had 3.3 bits. We have not found out why.
#
# **Predict:** three blocks on characters reached about 2.5 bits per character. Where will this model end: near 2.4, near 2.2
# or near 1.9? Training takes one to three minutes, or several times as long on a slow computer.

# %% tags=["not-graded"]
torch.manual_seed(0)
model = GPT(len(tokenizer), **prose.SIZES)
torch.nn.init.normal_(model.tokens.weight, std=1.0)
print("before training:", repr(write(model, tokenizer, 20)))
parts = {"get_batch": get_batch, "estimate_loss": estimate_loss, "held_out": held_out}
sizes = {"vocabulary_size": len(tokenizer), **prose.SIZES}
stage = stage_models.Stage(
    "byte pairs", model, train_step, text.train, prose.STEPS, sizes, merges=merges
)


def after_step(step, loss, held_out=None):
    sample = {}
    if step % 50 == 0:
        sample["a new paragraph"] = write(model, tokenizer, 20)
        model.train()
    watch(step, loss, samples=sample, held_out=held_out)


if not stage.opened():
    with figures.live(prose.steps(), "A GPT learns byte pairs") as watch:
        prose.train(model, train_step, ids, after_step=after_step, **parts)
bits = prose.bits_per_character(model, tokenizer, text.test)
own = stage.keep(bits, write(model, tokenizer, 50, stage_models.PROMPT))

# %% [markdown]
# <!-- picture -->
# the loss on training batches and on held-out text, in nats per token, and below it what the model writes along the way, each
# time with the same random numbers.
# <!-- end -->
#
# A table that counts which tokens follow each sequence of three tokens in the training text has a place on the ladder too:

# %% tags=["not-graded"]
own = ladder.record("counts of three tokens", prose.bits_of_counts(tokenizer, text))
ax = figures.ladder(own, ladder.COURSE, ladder.GUESSING)

# %% [markdown]
# <!-- picture -->
# your model's bar is about half a bit shorter than that of three blocks on characters. (For this model, we measured 1.94
# bits.) The tokens are not the only difference: the model is also wider, has one more block, and sees about 390 characters
# instead of 64. But the shortest bar is the table's: **on this text, counting wins**.

# %% tags=["not-graded"]
print(write(model, tokenizer, 120))

# %% [markdown]
# Frequent words are single tokens now. Rarer ones are still assembled from pieces that do not belong together.
#
# ## The same model, trained longer
#
# Why not just go on training? **Predict** what the two curves will do if a small GPT reads a fortieth of the text, 10,000
# tokens, about thirty times. (This takes about 15 seconds.)

# %% tags=["not-graded"]
torch.manual_seed(0)
small = GPT(len(tokenizer), 64, d_model=64, num_heads=4, num_layers=2, d_ff=256)
steps = effort.steps(150, short=3)
with figures.live(steps, "A small GPT learns a short text by heart") as watch:
    ladder.train_on_ids(small, train_step, ids[:10_000], 64, steps, after_step=watch, **parts)

# %% [markdown]
# <!-- picture -->
# on the short training text the loss keeps falling, while on held-out text it turns and rises: **overfitting**. (With
# `--light`, training may end before the turn.)
# <!-- end -->
#
# A larger text delays this: on the whole text, the larger GPT stopped getting better after about 800 steps. The one that the
# course ships was trained for 1,500, with its own tokens and with **dropout**, which sets randomly chosen numbers to 0
# (lesson 04, under "Deeper").
#
# The weights have the same names as in your classes, so your `GPT` loads them:

# %% tags=["not-graded"]
weights, its_tokenizer = prose.trained_longer()
longer = GPT(len(its_tokenizer), **prose.SIZES)
longer.load_state_dict(weights)
print(f"{prose.bits_per_character(longer, its_tokenizer, text.test):.2f} bits per character\n")
for start in ("\n", "\nIf the file", "\nReturn the"):
    print(start.strip() + write(longer, its_tokenizer, 60, start).split("\n")[0])

# %% [markdown]
# We measured 1.64 bits per character. The model writes something like sentences about Python. Most of them are wrong: it has
# learned only how such sentences sound. And it is still behind the table, which has 1.59 bits (lesson 18): this text is small
# and repeats itself. On twelve times as much text (the docstrings of the packages that the course requires), the best table
# has 1.57 bits, and a GPT with three times as many parameters reached 1.42 within an hour (stage B10). GPT-2 has nearly the
# same parts, but even its smallest version has 110 times as many parameters as the model here, and learned from 40 GB of
# text.
#
# Here are all your models, continuing the same words:

# %% tags=["not-graded"]
stage_models.gallery()

# %% [markdown]
# `my_transformer.py` now has every part from text to text, except for the splitting into words.
