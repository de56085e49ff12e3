# %% [markdown] minutes=60 lessons=["06", "16"] stages=["B4", "B7", "B8"]
# # B10 · Your own model
#
# **Where we stand.** You have written a GPT, a tokenizer and a way to choose the next token. But every model you trained was
# partly ours: our text, our loop.
#
# **What is missing** is the rest. Today you write the loop, and train a model on a text of *your* choice. By the end it
# writes, and one file keeps it for another day.
#
# You need {lessons} and {stages}. The stage takes about {minutes} minutes, with ten minutes of training.

# %%
import json
import math
import re
from collections import Counter

import torch
from torch import nn
from torch.nn import functional as F

from transformer_course.exercises import check
from transformer_course.experiments import own_evaluation as evaluation
from transformer_course.experiments import own_model as own
from transformer_course.experiments import stage_models
from transformer_course.experiments.counting import CountTable
from transformer_course.my_transformer import (
    GPT,
    decode_ids,
    encode_word,
    estimate_loss,
    get_batch,
    learning_rate,
    next_probabilities,
    train_merges,
)

# %% [markdown]
# ## Your text
#
# Any text in UTF-8 will do, in any language: a file, a folder of files, or a text pasted between `"""` and `"""`. A model
# learns how its text sounds, so choose one whose sound you know: your notes, a book, a year of messages. You need at least
# 10,000 characters, and a million for good results. Other people's messages are theirs: ask first, and keep the model to
# yourself.
#
# An empty `SOURCE` means Python's documentation (about 5 seconds); `"packages"` means the documentation of the packages
# installed with the course, twelve times as long. About one paragraph in ten is held out. In a folder, files that end in .txt,
# .md, .rst, .tex, .py, .csv, .org or .html are read; save others as .txt.

# %% tags=["not-graded"]
SOURCE = ""  # such as "/home/me/notes" or "book.txt"
text = own.split(own.read_text(SOURCE))
print(f"{len(text.train):,} characters to learn from, {len(text.test):,} held out. It begins:")
print(text.train[:200])

# %% [markdown]
# ## 1 · Tokenizer
#
# Your functions from B8 become one object that can be saved with the model. Two parts are given: `split(text)` returns the
# words of a text, in byte characters, and `__init__` makes the tokens, the 256 bytes first. Fill in five short methods:
#
# * `train(text, num_merges)`: count the words (`Counter(words)` is a dictionary from each word to its count), learn the
#   merges, and return `cls(merges)`. `@classmethod` means that a method is called on the class, which it gets as `cls`.
# * `encode(text)`: the ids of any text, in one list. Each word's ids are needed often, so keep them in `self.known`. For a new
#   word, most merges do nothing: only those whose joined token occurs in the word can matter.
# * `decode(ids)`: the text again.
# * `to_json()` returns the merges as a string, with `json.dumps`. `from_json(text)` makes a tokenizer from it.


# %% exercise="build.tokenizer" form="program" minutes=15 difficulty=2 builds=["tokens"]
WORD = re.compile(r" ?[^\W\d_]+| ?(?:[\d_]|[^\w\s])+|\s")


def split(text):
    """The words, each with the space before it, in byte characters. Joined, they are the text."""
    return [word.encode("utf-8").decode("latin-1") for word in WORD.findall(text)]


class Tokenizer:
    """Byte pairs that were learned from a text: text to ids, and back."""

    def __init__(self, merges):
        self.merges = merges
        self.tokens = [chr(byte) for byte in range(256)] + [left + right for left, right in merges]
        self.ids = {token: number for number, token in enumerate(self.tokens)}
        self.known = {}  # the ids of words that were encoded before

    def __len__(self):
        return len(self.tokens)

    @classmethod
    def train(cls, text, num_merges):
        ### BEGIN SOLUTION
        return cls(train_merges(Counter(split(text)), num_merges))
        ### END SOLUTION

    def encode(self, text):
        ### BEGIN SOLUTION
        ids = []
        for word in split(text):
            if word not in self.known:
                merges = [(left, right) for left, right in self.merges if left + right in word]
                self.known[word] = [self.ids[piece] for piece in encode_word(word, merges)]
            ids += self.known[word]
        return ids
        ### END SOLUTION

    def decode(self, ids):
        ### BEGIN SOLUTION
        return decode_ids(ids, self.tokens)
        ### END SOLUTION

    def to_json(self):
        ### BEGIN SOLUTION
        return json.dumps(self.merges)
        ### END SOLUTION

    @classmethod
    def from_json(cls, text):
        ### BEGIN SOLUTION
        return cls([tuple(pair) for pair in json.loads(text)])
        ### END SOLUTION


# %% tags=["not-graded"]
tokenizer = Tokenizer.train("low low lower newest newest", 4)
print(tokenizer.encode("lowest"), tokenizer.decode(tokenizer.encode("Zoë, lowest 🎏")))

# %%
check("build.tokenizer")

# %% [markdown]
# ## 2 · Writing, several texts at once
#
# Write `generate_text(model, tokenizer, prompt, count, length, temperature=0.8, p=0.9, rows=4)`. It returns a list of `rows`
# strings, each the prompt followed by `count` drawn tokens.
#
# * All rows are one tensor of shape `(rows, n)`, which grows by one column per round. The model sees only its last `length`
#   columns.
# * At the last position, each row has its own logits, `(rows, v)`. Your `next_probabilities` takes one row, so stack the
#   results.
# * `torch.multinomial(probabilities, 1)` draws a tensor of shape `(rows, 1)`, one id for each row: your `sample`, for a batch.
# * Use evaluation mode and no gradients. The ids belong where the model is: `device=next(model.parameters()).device`.


# %% exercise="build.generate_text" form="program" minutes=12 difficulty=2 builds=["choice"]
@torch.no_grad()
def generate_text(model, tokenizer, prompt, count, length, temperature=0.8, p=0.9, rows=4):
    """Several texts that begin with the prompt."""
    ### BEGIN SOLUTION
    model.eval()
    device = next(model.parameters()).device
    ids = torch.tensor([tokenizer.encode(prompt)] * rows, device=device)
    for _ in range(count):
        logits = model(ids[:, -length:])[:, -1]
        probabilities = torch.stack([next_probabilities(row, temperature, p) for row in logits])
        ids = torch.cat([ids, torch.multinomial(probabilities, 1)], dim=1)
    return [tokenizer.decode(row) for row in ids.tolist()]
    ### END SOLUTION


# %%
check("build.generate_text")

# %% [markdown]
# ## 3 · Your loop
#
# Write `fit(model, optimizer, batch, rate, evaluate, save, steps, every, start=0, best=math.inf)`. Four of its arguments are
# functions, which you will see below:
#
# * `batch(step)` returns inputs and labels, and `rate(step)` the learning rate, for step 0, 1, …, `steps` − 1. Both depend on
#   the step's number alone. So a run that stopped after `start` steps goes on exactly as it would have.
# * `evaluate(model)` returns two losses: on training and on held-out text. Call it in evaluation mode, and go on in training
#   mode.
# * `save(done, train, held_out, better)` keeps the model after `done` steps. `better` is True if the held-out loss is below
#   `best`, the lowest so far.
#
# Each step sets the rate in *every* group of `optimizer.param_groups`, as `group["lr"]`, and does what your `train_step` does.
# Between `backward` and `step`, `nn.utils.clip_grad_norm_(model.parameters(), 1.0)` shortens a gradient that is longer than 1.
# If the loss is not finite (`torch.isfinite`), raise a ValueError that says so, *before* it can spoil the weights. Evaluate
# and save after every `every` steps, and after the last one. Return the lowest held-out loss.


# %% exercise="build.fit" form="program" minutes=18 difficulty=3 builds=["training"]
def fit(model, optimizer, batch, rate, evaluate, save, steps, every, start=0, best=math.inf):
    """Train from step start on; return the lowest held-out loss."""
    ### BEGIN SOLUTION
    model.train()
    for step in range(start, steps):
        for group in optimizer.param_groups:
            group["lr"] = rate(step)
        inputs, labels = batch(step)
        loss = F.cross_entropy(model(inputs).flatten(0, 1), labels.flatten())
        if not torch.isfinite(loss):
            raise ValueError(f"the loss is {loss.item()} at step {step}; try a lower learning rate")
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        done = step + 1
        if done % every == 0 or done == steps:
            model.eval()
            train, held_out = evaluate(model)
            model.train()
            save(done, train, held_out, held_out < best)
            best = min(best, held_out)
    return best
    ### END SOLUTION


# %%
check("build.fit")

# %% [markdown]
# ## How large, how long?
#
# | size | parameters | needs | Python's documentation, bits per character |
# | --- | --- | --- | --- |
# | `"one minute"` | 0.4 million | one processor core | 2.45 |
# | `"ten minutes"` | 1.1 million | one core | 1.76 |
# | `"overnight"` | 6.0 million | several cores, 10 MB of text | not measured |
# | `"a GPU"` | 30 million | a GPU, 20 MB of text | not measured |
#
# A large model soon learns a small text by heart, so it needs more text. On the documentation of the packages, the course
# trained a GPT of 3.2 million parameters for an hour on one core. This GPT needs 1.42 bits per character, and the best table
# of counts 1.57.

# %% tags=["not-graded"]
NAME, SIZE = "my-model", own.size("one minute")
tokenizer = Tokenizer.train(text.train[:200_000], SIZE.merges)
ids = own.encode(tokenizer, text, SIZE)
print(f"{len(tokenizer):,} tokens; {len(text.train) / len(ids[0]):.2f} characters per token")

# %% [markdown]
# That took about ten seconds: 200,000 characters are enough for the merges. (For thousands of merges, the course's
# `byte_pairs.train_merges` finds the same ones faster.)
#
# Here are three of `fit`'s four functions. Find your own parts in them. A batch is drawn with a generator whose seed is the
# step's number.


# %% tags=["not-graded"]
DEVICE = torch.accelerator.current_accelerator() if torch.accelerator.is_available() else "cpu"


def windows(row, seed, count):
    generator = torch.Generator().manual_seed(seed)
    starts = torch.randint(len(row) - SIZE.length, (count,), generator=generator).tolist()
    return [part.to(DEVICE) for part in get_batch(row, starts, SIZE.length)]


def batch(step):
    return windows(ids[0], step, SIZE.batch)


def rate(step):
    return learning_rate(step, SIZE.peak, SIZE.steps // 10 + 1, SIZE.steps)


def evaluate(model):
    return [estimate_loss(model, [windows(row, -1, 128)]) for row in ids]  # training, held out


# %% [markdown]
# **Predict:** which of the two curves will be lower, and where will they separate?
#
# The cell trains for one minute. Stop it whenever you like (■ above, or Ctrl+C): when run again, it goes on after the last
# point of the curve. It does the same after a crash, if you run the cells above first.

# %% tags=["not-graded"]
torch.manual_seed(0)
model = GPT(len(tokenizer), **SIZE.gpt()).to(DEVICE)
nn.init.normal_(model.tokens.weight, std=1.0)  # as in B8
optimizer = torch.optim.AdamW(own.decay_groups(model), lr=SIZE.peak)
run = own.Run(
    NAME,
    model,
    optimizer,
    tokenizer,
    SIZE,
    text,
    ids,
    write=lambda: generate_text(model, tokenizer, text.test[:20], 40, SIZE.length, rows=1)[0],
)
best = fit(
    model, optimizer, batch, rate, evaluate, run.save, SIZE.steps, SIZE.every, run.start, run.best
)

# %% [markdown]
# <!-- picture -->
# bits per character on the text that the model learns from, and on the held-out text. Where the second curve rises again,
# the model begins to learn the text by heart; the file holds the model from the curve's lowest point.
# <!-- end -->
#
# **Now the one to keep.** That was the rehearsal: your larger model from B8 was ahead, with 1.94 bits on Python's
# documentation. In the cell with `NAME`, choose another name and `own.size("ten minutes")`, and run the cells from there to
# here again.
#
# ## What is it worth?
#
# A number alone says little, so we compare your model with a table that counts which token follows which three (lesson 18).
# How many bits per character does each need on held-out text, with an interval over its paragraphs? And how long is the
# model's longest copied passage, compared with passages that nobody copied? If your text is Python's documentation, we also
# ask 40 questions about Python, of which guessing gets 10 right. (This takes about half a minute.)

# %% tags=["not-graded"]
model, tokenizer, notes = own.load(NAME, GPT, Tokenizer)  # the best one, from its file
parts = evaluation.paragraphs(text.test)
table = CountTable(ids[0], len(tokenizer), 4)
for name, reader in {
    "your model": evaluation.model_reader(model, SIZE.length),
    "the table": table.reader(3),
}.items():
    bits = evaluation.paragraph_bits(reader, tokenizer.encode, parts)
    print(f"{name}: {evaluation.per_character(bits, parts)} bits per character")
    if SOURCE in ("", "packages"):
        print("  facts:", evaluation.known_facts(reader, tokenizer.encode))
samples = "".join(generate_text(model, tokenizer, "\n", 100, SIZE.length, rows=8))
written, train, unseen = (" ".join(each.split()) for each in (samples, text.train, text.test))
print(f"longest copy: {evaluation.longest_copy(written, train)!r}")
print("usual:", evaluation.usual_copies(unseen, train, len(written)), "characters")

# %% [markdown]
# This is how all your models from the Build continue the same beginning:

# %% tags=["not-graded"]
sample = generate_text(model, tokenizer, stage_models.PROMPT, 60, SIZE.length, rows=1)[0]
stage_models.show("B10", NAME, notes["bits"], sample.removeprefix(stage_models.PROMPT))
stage_models.gallery()

# %% [markdown]
# ## Open it again
#
# Your model's file in `models/`, in your folder, now holds everything: weights, sizes, tokenizer. **Restart the kernel**
# (Kernel → Restart Kernel), and run only the cells from here on.

# %% tags=["not-graded"]
from transformer_course.experiments import own_model as own
from transformer_course.my_transformer import GPT, Tokenizer, generate_text

NAME = "my-model"  # the name that you gave it
model, tokenizer, notes = own.load(NAME, GPT, Tokenizer)
LENGTH = notes["sizes"]["length"]
print(
    f"saved {notes['saved']}, after {notes['steps']} steps: {notes['bits']:.2f} bits per character\n"
)
for written in generate_text(model, tokenizer, "\nThe", 60, LENGTH):
    print(written.strip(), "\n")

# %% [markdown]
# ## Talk to it
#
# Type the beginning of a text, and your model goes on: each token appears as soon as it is drawn. An empty line ends the
# session. To stop earlier, interrupt the kernel (■ above): what has been written stays.

# %% tags=["not-graded"]
from transformer_course.experiments.talking import talk

talk(model, tokenizer)

# %% [markdown]
# ## A file that you can send
#
# `export` writes one file that runs your model in any browser, on a phone too, without a network: whoever opens it can let
# your model write, and see what else it could have written and where each head looked. Fill in who you are and what it was
# trained on: a model may repeat passages of its text.

# %% tags=["not-graded"]
from transformer_course.export import export

BY, READ = "", ""  # such as "Ada" and "the letters of my grandmother"
export(model, tokenizer, f"{NAME}.html", title="My model", by=BY, text=READ)

# %% [markdown]
# The file is beside this notebook: download it from the list of files on the left, and open it.
#
# ## What you can claim now, and where to go next
#
# *I trained a language model on my own text, with my own loop; it is in one file, it opens again, and it writes.* You can also
# say how good it is, how you know, and what it is not: it has learned how a text sounds, but not whether it is true.
#
# Nearly every line on the way from text to text is yours, and you can read all of it in half an hour. Three ways lead on:
#
# * **Longer.** Set `SIZE` to `"overnight"`, with a different `NAME`, and run the cells again.
# * **Bigger.** [Going further](../docs/bigger.md) tells you what changes on a GPU.
# * **Newer.** In stage B9 your GPT becomes a Llama.
#
# Send somebody your file. They will ask how it works, and you can tell them.
