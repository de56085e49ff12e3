"""Language models of character names, word by word: the same layers trained as a GPT and as a BERT, and tables of counts.

Shapes: ``b`` batch, ``n`` tokens.
"""

import hashlib
import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass

import torch
from jaxtyping import Float, Int
from torch import Generator, Tensor

from transformer_course.data import character_names
from transformer_course.embedding import Vocabulary, pad_right
from transformer_course.experiments import effort, kept_models
from transformer_course.experiments.counting import NGram
from transformer_course.family import BERT, GPT, IGNORE_INDEX, mask_tokens
from transformer_course.models.recipes import bits_per_character
from transformer_course.training import batches, continuation_loss, masked_loss, train
from transformer_course.transformer import TransformerConfig

SPECIALS = ("<pad>", "<begin>", "<end>", "<unknown>", "<mask>")
MASK = len(SPECIALS) - 1
RARE = 20  # a word is rare if it occurs in fewer names than this
LONGEST = 24  # the most tokens in a name, special tokens included

Words = Sequence[str]


@dataclass(frozen=True)
class Names:
    """Names without rare words, as pairs of (the name's words, its general category), and the vocabulary of their words."""

    train: list[tuple[list[str], str]]
    test: list[tuple[list[str], str]]
    vocabulary: Vocabulary

    def ids(self, words: Words) -> list[int]:
        """Return the ids of <begin>, the words and <end>."""
        return [Vocabulary.begin, *self.vocabulary.encode(words), Vocabulary.end]

    def config(self) -> TransformerConfig:
        """Return the configuration that the GPT and the BERT of lesson 18 share: 0.14 million parameters."""
        sizes = {"d_model": 64, "num_heads": 4, "num_layers": 2, "d_ff": 256, "dropout": 0.0, "max_length": LONGEST}
        choices = {"norm": "pre", "activation": "gelu", "positions": "learned"}
        return TransformerConfig(**sizes, **choices, vocabulary_size=len(self.vocabulary))


def common_names() -> Names:
    """Return the names of Unicode characters whose words all occur in 20 names or more: about 10,000 names."""
    train, test = ([(name.split(), category) for name, category in part] for part in character_names())
    in_names = Counter(word for words, _ in train for word in set(words))
    train, test = ([pair for pair in part if all(in_names[word] >= RARE for word in pair[0])] for part in (train, test))
    return Names(train, test, Vocabulary.from_sequences((words for words, _ in train), SPECIALS))


def train_gpt(names: Names, seed: int = 0, steps: int | None = None, again: bool = False) -> GPT:
    """Train a GPT on batches of 64 names, by default for 600 steps.

    Lesson 18's own, with the default seed and steps, is kept in the learner's folder and loaded from there, unless ``again``.
    """
    torch.manual_seed(seed)
    model = GPT(names.config())

    def learn(steps: int) -> GPT:
        data = batches([names.ids(words)[1:] for words, _ in names.train], seed=seed)
        train(model, data, continuation_loss, steps, lr=5e-3, warmup=50)
        return model.eval()

    return _kept("gpt", names, learn, 600, again) if steps is None and seed == 0 else learn(steps or effort.steps(600))


def train_bert(names: Names, seed: int = 0, steps: int | None = None, again: bool = False) -> BERT:
    """Train a BERT on batches of 64 names with masked words, by default for 800 steps; it is kept as `train_gpt`'s is."""
    torch.manual_seed(seed)
    model = BERT(names.config())

    def learn(steps: int) -> BERT:
        train(model, masked_batches(names, seed), masked_loss, steps, lr=3e-3, warmup=50)
        return model.eval()

    return _kept("bert", names, learn, 800, again) if steps is None and seed == 0 else learn(steps or effort.steps(800))


def _kept(kind: str, names: Names, learn: Callable[[int], GPT | BERT], full: int, again: bool) -> GPT | BERT:
    steps = effort.steps(full)
    read = hashlib.sha256(repr(names.train).encode()).hexdigest()
    settings = {"names": read, "steps": steps, "config": asdict(names.config())}
    call = f"train_{kind}(names, again=True)"
    return kept_models.trained(f"lesson-18-{kind}", settings, lambda: kept_models.Kept(learn(steps)), again, call).model


def masked_batches(names: Names, seed: int) -> Iterator[tuple[Int[Tensor, "b n"], Int[Tensor, "b n"]]]:
    """Yield endless batches of 64 names as (inputs, labels). Each time, a different choice of words is masked."""
    generator = Generator().manual_seed(seed)
    for (tokens,) in batches([names.ids(words) for words, _ in names.train], seed=seed):
        inputs, labels = mask_tokens(tokens, tokens <= Vocabulary.unknown, MASK, len(names.vocabulary), generator)
        if (labels != IGNORE_INDEX).any():
            yield inputs, labels


def bits_per_word(model: GPT, names: Names) -> float:
    """Return a GPT's bits per word on unseen names: the mean of -log2 p, <end> included."""
    return bits_per_character(model, [names.ids(words)[1:] for words, _ in names.test])


def word_table(names: Names, order: int) -> NGram:
    """Return a table that counts which word, or <end>, follows the ``order - 1`` words before it."""
    return NGram(with_end(names.train), len(names.vocabulary) - len(SPECIALS) + 1, order)


def with_end(part: Iterable[tuple[Words, str]]) -> list[list[str]]:
    """Return the words of each name in a part of `Names`, and <end> after them."""
    return [[*words, "<end>"] for words, _ in part]


class Bigram:
    """A bigram table, used like a GPT: for each token, log p of every token that may come next."""

    def __init__(self, names: Names):
        table, tokens = word_table(names, 2), names.vocabulary.tokens
        p = torch.tensor([[table.probabilities((previous,), word)[-1] for word in tokens] for previous in tokens])
        self.log_p = p.log()  # (v, v): row, the previous token; column, the next

    def __call__(self, tokens: Int[Tensor, "b n"]) -> Float[Tensor, "b n v"]:
        """Return the logits of the token after each of ``tokens``."""
        return self.log_p[tokens]


class TwoSidedBigram(Bigram):
    """The same table, used like a BERT: p(word | previous word) · p(next word | word)."""

    def __call__(self, tokens: Int[Tensor, "b n"]) -> Float[Tensor, "b n v"]:
        """Return the logits of the token *at* each position except the first and the last."""
        logits = torch.zeros(*tokens.shape, len(self.log_p))
        logits[:, 1:-1] = self.log_p[tokens[:, :-2]] + self.log_p.T[tokens[:, 2:]]
        return logits


@torch.no_grad()
def gap_accuracy(names: Names, model: BERT | GPT | Bigram) -> float:
    """Return a model's accuracy at filling gaps: each word of each unseen name in turn is masked and predicted.

    A BERT sees all the other words, a GPT those before the gap, a bigram table one word on the left or on both sides.
    """
    gaps = [(names.ids(words), position) for words, _ in names.test for position in range(1, len(words) + 1)]
    tokens, positions = pad_right([ids for ids, _ in gaps]), torch.tensor([position for _, position in gaps])
    labels = tokens[torch.arange(len(gaps)), positions]
    return (_gap_logits(model, tokens, positions).argmax(-1) == labels).float().mean().item()


@torch.no_grad()
def gap_probabilities(names: Names, model: BERT | GPT | Bigram, words: Words, position: int) -> Float[Tensor, "v"]:
    """Return the probability of each token of the vocabulary in a gap: at ``position`` of a name, counted from 1."""
    return _gap_logits(model, torch.tensor([names.ids(words)]), torch.tensor([position]))[0].softmax(-1)


def _gap_logits(model: BERT | GPT | Bigram, tokens: Int[Tensor, "b n"], positions: Int[Tensor, "b"]) -> Float[Tensor, "b v"]:
    rows = torch.arange(len(tokens))
    if isinstance(model, BERT | TwoSidedBigram):
        return model(tokens.index_put((rows, positions), torch.tensor(MASK)))[rows, positions]
    return model(tokens)[rows, positions - 1]  # the prediction of the next token


@torch.no_grad()
def generate(names: Names, model: BERT | GPT | Bigram, seed: int = 0, size: int = 500) -> list[list[str]]:
    """Generate names that are as long as unseen names, sampling each word from the model's probabilities.

    A BERT starts with nothing but masks and replaces them from left to right. A GPT is given the length too: it cannot stop
    early, because special tokens are never drawn.
    """
    generator = Generator().manual_seed(seed)
    lengths = [len(words) for words, _ in random.Random(seed).sample(names.test, size)]
    tokens = torch.full((size, max(lengths) + 2), Vocabulary.pad)
    tokens[:, 0] = Vocabulary.begin
    for row, length in zip(tokens, lengths, strict=True):
        row[1 : length + 2] = MASK
        row[length + 1] = Vocabulary.end
    for position in range(1, max(lengths) + 1):
        logits = model(tokens)[:, position] if isinstance(model, BERT) else model(tokens[:, :position])[:, -1]
        logits[:, : len(SPECIALS)] = -math.inf
        drawn = torch.multinomial(logits.softmax(-1), 1, generator=generator)[:, 0]
        tokens[:, position] = torch.where(tokens[:, position] == MASK, drawn, tokens[:, position])
    return [names.vocabulary.decode(row) for row in tokens]


def random_words(names: Names, seed: int = 0, size: int = 500) -> list[list[str]]:
    """Return names of the same lengths whose words are drawn independently, in proportion to their frequency."""
    draw = random.Random(seed)
    words_in_use = [word for words, _ in names.train for word in words]
    return [draw.choices(words_in_use, k=len(words)) for words, _ in draw.sample(names.test, size)]


def known_pair_rate(names: Names, generated: Sequence[Words]) -> float:
    """Return the fraction of pairs of adjacent words, <begin> and <end> included, that occur in some training name."""

    def pairs(words: Words) -> list[tuple[str, str]]:
        return list(zip(("<begin>", *words), (*words, "<end>"), strict=True))

    known = {pair for words, _ in names.train for pair in pairs(words)}
    found = [pair in known for words in generated for pair in pairs(words)]
    return sum(found) / len(found)
