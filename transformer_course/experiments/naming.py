"""Names of characters, word by word: what one block learns of them as a GPT and as a BERT, and what counting gives.

Shapes: ``b`` batch, ``n`` tokens.
"""

import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Generator, Tensor

from transformer_course.data import character_names
from transformer_course.embedding import Vocabulary, pad_right
from transformer_course.family import BERT, GPT, IGNORE_INDEX, mask_tokens
from transformer_course.models.recipes import bits_per_character
from transformer_course.training import batches, continuation_loss, masked_loss, train
from transformer_course.transformer import TransformerConfig

SPECIALS = ("<pad>", "<begin>", "<end>", "<unknown>", "<mask>")
MASK = len(SPECIALS) - 1
RARE, LONGEST = 20, 24  # a word in fewer names is rare; tokens in a name, the special ones among them, are fewer

Words = Sequence[str]


@dataclass(frozen=True)
class Names:
    """Pairs of (words of a name, its general category), made of no rare words, and the vocabulary of their words."""

    train: list[tuple[list[str], str]]
    test: list[tuple[list[str], str]]
    vocabulary: Vocabulary

    def ids(self, words: Words) -> list[int]:
        """Return <begin>, the ids of the words, <end>."""
        return [Vocabulary.begin, *self.vocabulary.encode(words), Vocabulary.end]

    def config(self) -> TransformerConfig:
        """Return what the GPT and the BERT of lesson 18 are both made of: 0.2 million parameters."""
        sizes = {"d_model": 64, "num_heads": 4, "num_layers": 2, "d_ff": 256, "dropout": 0.0, "max_length": LONGEST}
        kinds = {"norm": "pre", "activation": "gelu", "positions": "learned"}
        return TransformerConfig(**sizes, **kinds, vocabulary_size=len(self.vocabulary))


def common_names() -> Names:
    """Return the names of Unicode's characters whose words all occur in 20 names or more: about 10,000."""
    train, test = ([(name.split(), category) for name, category in part] for part in character_names())
    in_names = Counter(word for words, _ in train for word in set(words))
    train, test = ([pair for pair in part if all(in_names[word] >= RARE for word in pair[0])] for part in (train, test))
    return Names(train, test, Vocabulary.from_sequences((words for words, _ in train), SPECIALS))


def train_gpt(names: Names, seed: int = 0, steps: int = 600) -> GPT:
    """Train a GPT on batches of 64 names."""
    torch.manual_seed(seed)
    model = GPT(names.config())
    data = batches([names.ids(words)[1:] for words, _ in names.train], seed=seed)
    train(model, data, continuation_loss, steps, lr=5e-3, warmup=50)
    return model.eval()


def train_bert(names: Names, seed: int = 0, steps: int = 800) -> BERT:
    """Train a BERT on batches of 64 names, of which words are hidden."""
    torch.manual_seed(seed)
    model = BERT(names.config())
    train(model, hidden(names, seed), masked_loss, steps, lr=3e-3, warmup=50)
    return model.eval()


def hidden(names: Names, seed: int) -> Iterator[tuple[Int[Tensor, "b n"], Int[Tensor, "b n"]]]:
    """Yield batches of 64 names without end, as (inputs, labels), with words hidden anew each time."""
    generator = Generator().manual_seed(seed)
    for (tokens,) in batches([names.ids(words) for words, _ in names.train], seed=seed):
        inputs, labels = mask_tokens(tokens, tokens <= Vocabulary.unknown, MASK, len(names.vocabulary), generator)
        if (labels != IGNORE_INDEX).any():
            yield inputs, labels


def bits_a_word(model: GPT, names: Names) -> float:
    """Return what a word of an unseen name costs a GPT: the mean of -log2 p, <end> included."""
    return bits_per_character(model, [names.ids(words)[1:] for words, _ in names.test])


class Counting:
    """A model that only counts: how often did each word follow the ``order - 1`` words before it?

    Where these were seldom seen, or never, it leans on what followed fewer of them, at last on nothing at all, with every
    word equally likely: p = (count + kinds · p of one word less) / (all + kinds), where kinds is how many different words
    followed.

    Source: Witten and Bell 1991, "The Zero-Frequency Problem", method C, as an interpolation.
    """

    def __init__(self, names: Names, order: int):
        self.order, self.words = order, len(names.vocabulary) - len(SPECIALS) + 1  # and the end
        self.counts: dict[tuple, Counter] = defaultdict(Counter)
        for words, _ in names.train:
            for before, word in self._steps(words):
                for k in range(order):
                    self.counts[before[len(before) - k :]][word] += 1
        self.totals = {before: followed.total() for before, followed in self.counts.items()}

    def _steps(self, words: Words) -> Iterator[tuple[tuple, str]]:
        padded = [*["<begin>"] * (self.order - 1), *words, "<end>"]
        for i in range(self.order - 1, len(padded)):
            yield tuple(padded[i - self.order + 1 : i]), padded[i]

    def probability(self, before: tuple, word: str) -> float:
        """Return p(word), given at least ``order - 1`` words before it."""
        p = 1 / self.words
        for k in range(self.order):
            seen = before[len(before) - k :]
            if followed := self.counts.get(seen):
                p = (followed[word] + len(followed) * p) / (self.totals[seen] + len(followed))
        return p

    def cost(self, words: Words) -> float:
        """Return the mean of -log2 p over the words of one name, <end> included."""
        costs = [-math.log2(self.probability(*step)) for step in self._steps(words)]
        return sum(costs) / len(costs)

    def bits_a_word(self, names: Names) -> float:
        """Return what a word of an unseen name costs: the mean of -log2 p, <end> included."""
        steps = [len(words) + 1 for words, _ in names.test]
        return sum(n * self.cost(words) for n, (words, _) in zip(steps, names.test, strict=True)) / sum(steps)


class Pairs:
    """Counting with one word in view, in the place of a GPT: for each token, log p of every token after it."""

    def __init__(self, names: Names):
        counting, tokens = Counting(names, 2), names.vocabulary.tokens
        p = torch.tensor([[counting.probability((before,), word) for word in tokens] for before in tokens])
        self.after = p.log()  # (v, v)

    def __call__(self, tokens: Int[Tensor, "b n"]) -> Float[Tensor, "b n v"]:
        """Return logits for the token after each of ``tokens``."""
        return self.after[tokens]


class BothSides(Pairs):
    """The same table in the place of a BERT: p(a word after the one before) · p(the one after it after the word)."""

    def __call__(self, tokens: Int[Tensor, "b n"]) -> Float[Tensor, "b n v"]:
        """Return logits for what stands *at* each position but the first and the last."""
        logits = torch.zeros(*tokens.shape, len(self.after))
        logits[:, 1:-1] = self.after[tokens[:, :-2]] + self.after.T[tokens[:, 2:]]
        return logits


@torch.no_grad()
def filled(names: Names, model: BERT | GPT | Pairs) -> float:
    """Return the share of words of unseen names that a model names, each hidden alone.

    A BERT sees all the other words, a GPT those before, a table of pairs the one before, on both sides the one after too.
    """
    rows = [(names.ids(words), place) for words, _ in names.test for place in range(1, len(words) + 1)]
    tokens, places = pad_right([ids for ids, _ in rows]), torch.tensor([place for _, place in rows])
    every = torch.arange(len(rows))
    asked = tokens[every, places]
    if isinstance(model, BERT | BothSides):
        logits = model(tokens.index_put((every, places), torch.tensor(MASK)))[every, places]
    else:
        logits = model(tokens)[every, places - 1]  # what it expects next
    return (logits.argmax(-1) == asked).float().mean().item()


@torch.no_grad()
def write(names: Names, model: BERT | GPT | Pairs, seed: int = 0, size: int = 500) -> list[list[str]]:
    """Return names that a model writes, each word drawn by its probability, as long as unseen names are.

    A BERT starts from masks alone and fills them from left to right; what is filled stays. A GPT is told the length as well:
    it gives no <end> before. Special tokens are never drawn.
    """
    generator = Generator().manual_seed(seed)
    lengths = [len(words) for words, _ in random.Random(seed).sample(names.test, size)]
    tokens = torch.full((size, max(lengths) + 2), Vocabulary.pad)
    tokens[:, 0] = Vocabulary.begin
    for row, length in zip(tokens, lengths, strict=True):
        row[1 : length + 2] = MASK
        row[length + 1] = Vocabulary.end
    for place in range(1, max(lengths) + 1):
        logits = model(tokens)[:, place] if isinstance(model, BERT) else model(tokens[:, :place])[:, -1]
        logits[:, : len(SPECIALS)] = -math.inf
        drawn = torch.multinomial(logits.softmax(-1), 1, generator=generator)[:, 0]
        tokens[:, place] = torch.where(tokens[:, place] == MASK, drawn, tokens[:, place])
    return [names.vocabulary.decode(row) for row in tokens]


def random_words(names: Names, seed: int = 0, size: int = 500) -> list[list[str]]:
    """Return names of as many words, each word drawn as often as it is used, whatever stands beside it."""
    draw = random.Random(seed)
    used = [word for words, _ in names.train for word in words]
    return [draw.choices(used, k=len(words)) for words, _ in draw.sample(names.test, size)]


def known_pairs(names: Names, written: Sequence[Words]) -> float:
    """Return the share of all pairs of neighbours, <begin> and <end> among them, that some name of the training has."""

    def pairs(words: Words) -> list[tuple[str, str]]:
        return list(zip(("<begin>", *words), (*words, "<end>"), strict=True))

    known = {pair for words, _ in names.train for pair in pairs(words)}
    found = [pair in known for words in written for pair in pairs(words)]
    return sum(found) / len(found)
