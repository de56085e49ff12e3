"""Tables of counts beside trained models: n-grams of any tokens, on two texts for which a trained model is shipped."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

import numpy as np
import torch
from jaxtyping import Float

from transformer_course import models
from transformer_course.byte_pairs import BytePairs
from transformer_course.data import number_pairs, python_docs
from transformer_course.embedding import Vocabulary, pad_right
from transformer_course.models.recipes import bits_of_a_text, columns
from transformer_course.training import translation_loss

START = "<begin>"  # fills the context of a sequence's first tokens
ARROW = "→"  # separates the words of a number from its numeral


class NGram:
    """An n-gram model: it counts how often each token follows the ``order - 1`` tokens before it.

    The rarer a context, the more the estimate relies on the context that is one token shorter, and below single tokens on the
    uniform distribution: p = (count + distinct · p with the shorter context) / (total + distinct), where ``distinct`` is the
    number of different tokens that followed the context.

    Source: Witten and Bell 1991, "The Zero-Frequency Problem", method C, as an interpolation.
    """

    def __init__(self, sequences: Iterable[Sequence[Hashable]], vocabulary_size: int, order: int):
        self.order, self.vocabulary_size = order, vocabulary_size
        self.counts: dict[tuple, Counter] = defaultdict(Counter)
        for (context, token), count in Counter(step for sequence in sequences for step in self._steps(sequence)).items():
            for k in range(order):
                self.counts[context[len(context) - k :]][token] += count
        self.totals = {context: following.total() for context, following in self.counts.items()}

    def _steps(self, sequence: Sequence[Hashable]) -> Iterator[tuple[tuple, Hashable]]:
        padded = [*[START] * (self.order - 1), *sequence]
        for i in range(self.order - 1, len(padded)):
            yield tuple(padded[i - self.order + 1 : i]), padded[i]

    def probabilities(self, context: tuple, token: Hashable) -> list[float]:
        """Return the probability of ``token`` with none of a context's tokens in view, with the last one, the last two …"""
        p, found = 1 / self.vocabulary_size, []
        for k in range(self.order):
            recent = context[len(context) - k :]
            if following := self.counts.get(recent):
                p = (following[token] + len(following) * p) / (self.totals[recent] + len(following))
            found.append(p)
        return found

    def distribution(self, context: tuple) -> Float[np.ndarray, "v"]:
        """Return the probability of each token, for ids from 0 to ``vocabulary_size`` - 1, with all of a context in view."""
        p = np.full(self.vocabulary_size, 1 / self.vocabulary_size)
        for k in range(min(self.order, len(context) + 1)):
            recent = context[len(context) - k :]
            if following := self.counts.get(recent):
                p *= len(following)
                p[list(following)] += list(following.values())
                p /= self.totals[recent] + len(following)
        return p

    def bits(self, sequence: Sequence[Hashable]) -> Float[np.ndarray, "n order"]:
        """Return -log2 p for each token of a sequence: in column k, with the k tokens before it in view."""
        return -np.log2([self.probabilities(*step) for step in self._steps(sequence)])

    def bits_per_token(self, sequences: Iterable[Sequence[Hashable]]) -> Float[np.ndarray, "order"]:
        """Return the mean of -log2 p over all tokens of all sequences, with 0, 1 … ``order - 1`` tokens in view."""
        return np.concatenate([self.bits(sequence) for sequence in sequences]).mean(axis=0)


class CountTable:
    """What `NGram` computes for one long row of ids, with arrays: 4.6 million tokens take seconds.

    ``ids`` are integers from 0 to ``vocabulary_size`` - 1.
    """

    def __init__(self, ids: Sequence[int], vocabulary_size: int, order: int):
        self.order, self.vocabulary_size = order, vocabulary_size
        self._levels = []
        row, contexts = _padded(ids, order), np.zeros(len(ids), dtype=np.int64)
        for k in range(order):
            pairs, counts = np.unique(contexts * (vocabulary_size + 1) + row[order - 1 :], return_counts=True)
            owners = pairs // (vocabulary_size + 1)
            totals, distinct = np.bincount(owners, weights=counts), np.bincount(owners)
            keys, longer = np.unique(self._longer(contexts, row, k), return_inverse=True)
            self._levels.append((pairs, counts, totals, distinct, keys))
            contexts = longer

    def _longer(self, contexts: np.ndarray, row: np.ndarray, k: int) -> np.ndarray:
        """Return the keys of the contexts that have one token more on the left, the one ``k`` + 1 before the next."""
        return (
            contexts * (self.vocabulary_size + 1) + row[self.order - 2 - k : len(row) - 1 - k]
            if k < self.order - 1
            else contexts
        )

    def bits(self, ids: Sequence[int]) -> Float[np.ndarray, "n order"]:
        """Return -log2 p for each id: in column k, with the k ids before it in view."""
        row, contexts = _padded(ids, self.order), np.zeros(len(ids), dtype=np.int64)  # -1 for a context that was not counted
        p, columns = np.full(len(ids), 1 / self.vocabulary_size), []
        for k, (pairs, counts, totals, distinct, keys) in enumerate(self._levels):
            count = _looked_up(pairs, contexts * (self.vocabulary_size + 1) + row[self.order - 1 :], counts, 0)
            estimate = (count + distinct[contexts] * p) / (totals[contexts] + distinct[contexts])
            p = np.where(contexts >= 0, estimate, p)
            columns.append(p)
            contexts = _looked_up(keys, self._longer(contexts, row, k), np.arange(len(keys)), -1)
        return -np.log2(np.stack(columns, axis=1))

    def reader(self, in_view: int) -> Callable[[Sequence[int]], Float[np.ndarray, "n-1"]]:
        """Return a reader (see `own_evaluation`) with ``in_view`` ids before each one in view."""
        return lambda ids: self.bits(ids)[1:, in_view]


def _padded(ids: Sequence[int], order: int) -> np.ndarray:
    """Return the ids plus 1, after zeros that fill the context of the first ones."""
    return np.concatenate([np.zeros(order - 1, dtype=np.int64), np.asarray(ids, dtype=np.int64) + 1])


def _looked_up(keys: np.ndarray, wanted: np.ndarray, values: np.ndarray, otherwise: int) -> np.ndarray:
    """Return the value of each wanted key, among sorted ``keys``."""
    at = np.searchsorted(keys, wanted).clip(max=len(keys) - 1)
    return np.where(keys[at] == wanted, values[at], otherwise)


IN_VIEW = (0, 1, 2, 3)  # how many tokens before the next one the tables of lesson 18 look at
# Bits per character on held-out `package_docs`, twelve times as much text: python -m benchmarks claims
LARGER_TEXT_TABLES = (3.194, 2.097, 1.652, 1.573, 1.581)  # with 0 to 4 tokens in view
LARGER_TEXT_GPT = 1.420  # `prose-large`
# By steps, while `prose-large` was trained: on the first 21,500 characters, where the best table has the second number
LARGER_TEXT_STEPS = {1000: 1.743, 1500: 1.649, 2000: 1.596, 2500: 1.565, 3000: 1.529, 3250: 1.480, 3500: 1.439, 3600: 1.429}
LARGER_TEXT_START = 1.579


def prose_bits() -> tuple[Float[np.ndarray, "k"], float]:
    """Return the bits per token on held-out Python documentation: of a table for each of ``IN_VIEW``, and of the shipped GPT.

    Both read the same tokens, byte pairs. The GPT sees up to 127 tokens before each.
    """
    model, vocabularies = models.load("prose")
    vocabulary = vocabularies["text"]
    tokens = vocabulary.tokens[len(vocabulary.specials) :]
    text, tokenizer = python_docs(), BytePairs.from_tokens(tokens)
    train, test = (vocabulary.encode(tokenizer.tokenize(part)) for part in text)
    tables = CountTable(train, len(vocabulary), len(IN_VIEW)).bits(test).mean(axis=0)
    return tables, bits_of_a_text(model, test, len(test), model.config.max_length)


@torch.no_grad()
def number_bits() -> tuple[Float[np.ndarray, "k"], float]:
    """Return the bits per character of unseen numerals: of a table for each of ``IN_VIEW``, and of the shipped translator.

    The table reads each pair as one sequence: the words of the number, an arrow and the numeral.
    """
    model, vocabularies = models.load("translator")
    source, target = vocabularies["source"], vocabularies["target"]
    pairs = number_pairs()
    train, test = ([[*words, ARROW, *numeral, "<end>"] for words, numeral in part] for part in pairs)
    lengths = [len(numeral) + 1 for _, numeral in pairs.test]
    table = NGram(train, len(target), len(IN_VIEW))
    tables = np.concatenate([table.bits(row)[-n:] for row, n in zip(test, lengths, strict=True)]).mean(axis=0)
    words, numerals = columns(pairs.test, source, target)
    nats = 0.0
    for i in range(0, len(words), 250):
        batch = pad_right(numerals[i : i + 250])
        nats += translation_loss(model, pad_right(words[i : i + 250]), batch).item() * int((batch != Vocabulary.pad).sum())
    return tables, nats / sum(lengths) / math.log(2)
