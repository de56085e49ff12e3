"""What one can claim about a language model of one's own: its bits, with an interval; what it copied; which facts it knows.

Everything works with any model that maps ids (b, n) to logits (b, n, v), and with any ``encode`` that maps a text to a list of
ids. A *reader* is a function that returns -log₂ p of each id after the first, given those before it: `model_reader` makes one
from a model, and ``CountTable(…).reader(3)`` in `counting` is one for a table of counts. So both take the same tests.

Shapes: ``b`` batch, ``n`` ids, ``p`` paragraphs, ``v`` vocabulary.
"""

import math
import random
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float
from torch import nn
from torch.nn import functional as F

Encode = Callable[[str], Sequence[int]]
Reader = Callable[[Sequence[int]], Float[np.ndarray, "n-1"]]

RESAMPLES = 2000
LONGEST_SEED = 64  # characters


class Estimate(NamedTuple):
    """A measured value, and the 95% interval around it."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.3f} ({self.low:.3f} … {self.high:.3f})"


def model_reader(model: nn.Module, length: int) -> Reader:
    """Return the reader of a model, which sees windows of ``length`` ids that do not overlap.

    The reader raises ValueError if a probability is not a number.
    """

    @torch.no_grad()
    def read(ids: Sequence[int]) -> Float[np.ndarray, "n-1"]:
        was_training, device = model.training, next(model.parameters(), torch.empty(0)).device
        row, full = torch.as_tensor(ids), (len(ids) - 1) // length * length
        inputs, labels = row[:-1], row[1:]
        windows = [*zip(*(part[:full].reshape(-1, length).split(32) for part in (inputs, labels)), strict=True)]
        windows.append((inputs[None, full:], labels[None, full:]))  # the rest, which is shorter
        model.eval()
        try:
            nats = [
                F.cross_entropy(model(x.to(device)).float().flatten(0, 1), y.to(device).flatten(), reduction="none").cpu()
                for x, y in windows
                if x.numel()
            ]
        finally:
            model.train(was_training)
        bits = torch.cat(nats).numpy() / math.log(2)
        if np.isnan(bits).any():
            raise ValueError("the model gives probabilities that are not numbers (NaN); load its last good checkpoint")
        return bits

    return read


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a text, which blank lines separate or, if there are none, the ends of lines.

    Joined, they are the whole text.
    """
    return [part for part in re.split(r"(?<=\n\n)(?!\n)" if "\n\n" in text else r"(?<=\n)", text) if part]


def paragraph_bits(reader: Reader, encode: Encode, parts: Sequence[str]) -> Float[np.ndarray, "p"]:
    """Return the bits of each paragraph of a text, read from beginning to end. The very first id is not predicted.

    Raises ValueError for a text of fewer than two ids.
    """
    ids = [list(encode(part)) for part in parts]
    every = [each for part in ids for each in part]
    if len(every) < 2:
        raise ValueError(f"the text must have at least 2 tokens, got {len(every)}; pass text that was held out from training")
    of_paragraph = np.repeat(np.arange(len(ids)), [len(part) for part in ids])[1:]
    return np.bincount(of_paragraph, weights=reader(every), minlength=len(ids))


def per_character(bits: Float[np.ndarray, "p"], parts: Sequence[str], seed: int = 0) -> Estimate:
    """Return the bits per character of a text from those of its paragraphs, with a 95% interval.

    The interval comes from a *bootstrap*: it contains the middle 95% of what ``RESAMPLES`` texts give, each made of as many
    paragraphs, drawn from these with replacement. It says how much depends on which text was held out, not on the seed of
    the training. Pass the difference of two models' bits for an interval of their difference, which is narrower than either,
    since a hard paragraph is hard for both.

    Raises ValueError for fewer than two paragraphs.
    """
    if len(parts) < 2:
        raise ValueError(f"an interval needs at least 2 paragraphs, got {len(parts)}; end each with a newline")
    characters = np.array([len(part) for part in parts])
    generator = np.random.default_rng(seed)
    chosen = (generator.integers(len(parts), size=len(parts)) for _ in range(RESAMPLES))
    low, high = np.quantile([bits[rows].sum() / characters[rows].sum() for rows in chosen], (0.025, 0.975))
    return Estimate(float(bits.sum() / characters.sum()), float(low), float(high))


def bits_with_interval(model: nn.Module, encode: Encode, text: str, length: int, seed: int = 0) -> Estimate:
    """Return a model's bits per character on held-out text, with a 95% interval over its paragraphs (see `per_character`).

    ``length`` is the number of ids that the model sees at a time; the text may be shorter. Raises ValueError for a text of
    fewer than two ids or two paragraphs, and if a probability is not a number.
    """
    parts = paragraphs(text)
    return per_character(paragraph_bits(model_reader(model, length), encode, parts), parts, seed)


def longest_copy(written: str, train: str) -> str:
    """Return the longest run of characters of ``written`` that occurs, character by character, in ``train``.

    Of several it returns one. It looks for pieces of 64 characters that begin in ``train`` at multiples of 64: every run of
    127 characters or more contains one. If no run is that long, it tries pieces of 32, of 16, and so on. On 15 million
    characters of training text, this takes about a second.
    """
    best, step = "", LONGEST_SEED
    while step and len(best) < 4 * step - 1 and len(best) < len(written):  # those of 2 * step are done
        starts = defaultdict(list)
        for i in range(len(written) - step + 1):
            starts[written[i : i + step]].append(i)
        for at in range(0, len(train) - step + 1, step):
            for i in starts.get(train[at : at + step], ()):
                best = max(best, _around(written, i, train, at, step), key=len)
                if len(best) == len(written):
                    return best
        step //= 2
    return best


def _around(written: str, i: int, train: str, at: int, size: int) -> str:
    """Return the longest run of both texts around ``size`` equal characters, which begin at ``i`` and at ``at``."""
    left, right = 0, size
    while left < min(i, at) and written[i - left - 1] == train[at - left - 1]:
        left += 1
    while i + right < len(written) and at + right < len(train) and written[i + right] == train[at + right]:
        right += 1
    return written[i - left : i + right]


def usual_copies(held_out: str, train: str, length: int, count: int = 5, seed: int = 0) -> list[int]:
    """Return how long the longest copy is in passages of held-out text, which nobody copied: the control of `longest_copy`.

    Each of the ``count`` passages has ``length`` characters, because longer ones contain longer copies. Sorted.

    Raises ValueError if the text is shorter than one passage.
    """
    if not 0 < length <= len(held_out):
        raise ValueError(f"the held-out text must have at least {max(1, length)} characters, got {len(held_out)}")
    draw = random.Random(seed)
    starts = [draw.randrange(len(held_out) - length + 1) for _ in range(count)]
    return sorted(len(longest_copy(held_out[start : start + length], train)) for start in starts)


# In each group, every continuation is right for exactly one of the four beginnings. So whoever ignores the beginning gets one
# in four, however long or frequent the continuations are.
FACTS: list[dict[str, str]] = [
    {
        "If the key is not in the dictionary, Python raises": " KeyError.",
        "If the second number of a division is zero, Python raises": " ZeroDivisionError.",
        "If the iterator has no further items, its next method raises": " StopIteration.",
        "If the module to import cannot be found, Python raises": " ModuleNotFoundError.",
    },
    {
        "If an object does not have the requested attribute, Python raises": " AttributeError.",
        "If the position is outside the list, Python raises": " IndexError.",
        "If the user presses Control and C, Python raises": " KeyboardInterrupt.",
        "If the source code is not valid Python, the parser raises": " SyntaxError.",
    },
    {
        "The module re provides": " regular expressions.",
        "The module socket provides": " network connections.",
        "The module os provides": " access to the operating system.",
        "The module hashlib provides": " secure message digests.",
    },
    {
        "The module argparse is for": " command line options.",
        "The module csv is for": " tables in text files.",
        "The module subprocess is for": " running other programs.",
        "The module pdb is for": " debugging a program.",
    },
    {
        "The module sqlite is for": " databases.",
        "The module gzip is for": " compressed files.",
        "The module unittest is for": " tests.",
        "The module locale is for": " languages and countries.",
    },
    {
        "The break statement": " ends the nearest enclosing loop.",
        "The return statement": " leaves the current function call.",
        "The import statement": " finds and loads a module.",
        "The pass statement": " does nothing when it is executed.",
    },
    {
        "The function len returns": " the number of items.",
        "The function max returns": " the largest item.",
        "The function open returns": " a file object.",
        "The function ord returns": " the Unicode code of a character.",
    },
    {
        "The string method strip returns a copy with": " leading and trailing whitespace removed.",
        "The string method upper returns a copy with": " all characters converted to uppercase.",
        "The string method replace returns a copy with": " all occurrences of one substring exchanged.",
        "The string method zfill returns a copy with": " zeros added on the left.",
    },
    {
        "The method that is called when an object is created is": " __init__.",
        "The method that the function len calls is": " __len__.",
        "The method that returns an iterator over a container is": " __iter__.",
        "The method that is called when a with statement is entered is": " __enter__.",
    },
    {
        "A mapping from keys to values is called a": " dictionary.",
        "An immutable sequence of items is called a": " tuple.",
        "A number with a decimal point is called a": " float.",
        "A collection of distinct items without order is called a": " set.",
    },
]


class Known(NamedTuple):
    """How many of ``count`` questions were answered correctly; with luck alone, one in four would be."""

    right: int
    count: int

    def by_luck(self) -> float:
        """Return the probability of at least as many right answers if each is right with probability 1/4."""
        n = self.count
        return sum(math.comb(n, k) * 0.25**k * 0.75 ** (n - k) for k in range(self.right, n + 1))

    def __str__(self) -> str:
        return f"{self.right} of {self.count} (by luck, at least as many with probability {self.by_luck():.2g})"


def known_facts(reader: Reader, encode: Encode, shuffled: bool = False) -> Known:
    """Let a reader choose between four continuations of each of 40 beginnings of sentences about Python: `FACTS`.

    The score of a continuation is log₂ p after this beginning, minus the mean of its log₂ p after all four beginnings of its
    group. So what is long, rare or surprising in any case has no disadvantage, and what is short no advantage. The highest
    score counts. With ``shuffled``, the beginnings of each group are replaced by those of the next one. Then there is nothing
    to know, and about one in four is right.

    Raises ValueError if the tokenizer cannot encode the sentences, as with characters that its text did not have.
    """
    right = 0
    for number, group in enumerate(FACTS):
        beginnings = list(FACTS[(number + shuffled) % len(FACTS)])
        bits = np.array([[_bits_after(reader, encode, start, end) for end in group.values()] for start in beginnings])
        right += int(((bits - bits.mean(axis=0)).argmin(axis=1) == np.arange(len(group))).sum())
    return Known(right, sum(map(len, FACTS)))


def _bits_after(reader: Reader, encode: Encode, start: str, end: str) -> float:
    try:
        before, after = list(encode(start)), list(encode(end))
    except (KeyError, ValueError, IndexError) as error:
        raise ValueError(
            f"the tokenizer must encode plain English with capitals and underscores, got {type(error).__name__} for "
            f"{start + end!r}; these questions are for models of texts about Python"
        ) from None
    return float(reader([*before, *after])[-len(after) :].sum())
