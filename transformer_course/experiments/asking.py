"""What a model is asked: the numbers 1 to 99, translated by a small model whose loss may be asked for in several ways.

Shapes: ``b`` batch, ``m`` English words, ``n`` Chinese tokens.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
from jaxtyping import Int
from torch import Tensor
from torch.nn import functional as F

from transformer_course.data.numbers import chinese, english
from transformer_course.embedding import Vocabulary, pad_right
from transformer_course.training import exact_match, train, translation_loss
from transformer_course.transformer import Transformer, TransformerConfig

WIDTH, EVERY = 8, 10  # tokens in a row, so that more than half of them are padding; steps between two looks at a model
WORDS, TOKENS = 36, 18  # of the shipped translator's vocabularies

Pairs = tuple[Int[Tensor, "b m"], Int[Tensor, "b n"]]


def number_texts(source: Vocabulary, target: Vocabulary) -> Pairs:
    """Return the numbers 1 to 99 in the shipped translator's vocabularies: English words, and Chinese numerals, which end with
    <end> and are padded to 8 tokens."""
    numbers = range(1, 100)
    words = pad_right([source.encode(english(number)) for number in numbers])
    numerals = pad_right([[*target.encode(chinese(number)), target.end] for number in numbers])
    return words, F.pad(numerals, (0, WIDTH - numerals.shape[1]), value=target.pad)


@dataclass(frozen=True)
class Writer:
    """A model, and what was seen of it while it learned."""

    model: Transformer
    printed: list[float]  # the loss that was asked for, of each step's batch
    true: list[float]  # the loss on the shifted target without padding, of all numbers, after every tenth step
    exact: float  # the share of the numbers that it writes rightly by itself


def train_writer(pairs: Pairs, loss_of: Callable[..., Tensor] = translation_loss, seed: int = 0, steps: int = 100) -> Writer:
    """Train a small translator on batches of 32 of the pairs, with any loss: ``loss_of(model, source, target)``."""
    source, target = pairs
    torch.manual_seed(seed)
    sizes = {"d_model": 32, "num_heads": 2, "num_layers": 1, "d_ff": 64, "max_length": 16, "dropout": 0.0}
    words = {"vocabulary_size": WORDS, "target_vocabulary_size": TOKENS, "tied": False}
    model, true = Transformer(TransformerConfig(**sizes, **words, norm="pre")), []

    def look(step: int, loss: float) -> None:
        if step % EVERY == 0:
            with torch.no_grad():
                true.append(translation_loss(model, source, target).item())

    printed = train(model, _drawn(pairs, seed), loss_of, steps, lr=1e-2, warmup=10, weight_decay=0.0, after_step=look)
    real = [[row[row != Vocabulary.pad].tolist() for row in ids] for ids in pairs]
    return Writer(model, printed, true, exact_match(model, *real))


def _drawn(pairs: Pairs, seed: int) -> Iterator[Pairs]:
    generator = torch.Generator().manual_seed(seed)
    while True:
        rows = torch.randint(len(pairs[0]), (32,), generator=generator)
        yield tuple(ids[rows] for ids in pairs)
