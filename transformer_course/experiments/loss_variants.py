"""What a loss teaches: a small model learns to translate the numbers 1 to 99, with the correct loss or a faulty one.

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

LENGTH = 8  # tokens per target, so that more than half of them are padding
EVAL_INTERVAL = 10  # training steps between two measurements
SOURCE_VOCABULARY, TARGET_VOCABULARY = 36, 18  # sizes of the shipped translator's vocabularies

Pairs = tuple[Int[Tensor, "b m"], Int[Tensor, "b n"]]


def encoded_numbers(source: Vocabulary, target: Vocabulary) -> Pairs:
    """Encode the numbers 1 to 99 as English words and Chinese numerals, in the shipped translator's vocabularies.

    Each numeral ends with <end> and is padded to 8 tokens.
    """
    numbers = range(1, 100)
    words = pad_right([source.encode(english(number)) for number in numbers])
    numerals = pad_right([[*target.encode(chinese(number)), target.end] for number in numbers])
    return words, F.pad(numerals, (0, LENGTH - numerals.shape[1]), value=target.pad)


@dataclass(frozen=True)
class TrainingRun:
    """A trained model, with what was measured during and after training."""

    model: Transformer
    losses: list[float]  # the loss that was trained on, of each step's batch
    next_token_losses: list[float]  # the loss on the shifted targets of all numbers without padding, every ten steps
    exact: float  # the fraction of numbers that the model translates without a mistake


def new_translator(seed: int) -> Transformer:
    """Return an untrained translator: 32 wide, with one layer on each side."""
    torch.manual_seed(seed)
    sizes = {"d_model": 32, "num_heads": 2, "num_layers": 1, "d_ff": 64, "max_length": 16, "dropout": 0.0}
    vocabularies = {"vocabulary_size": SOURCE_VOCABULARY, "target_vocabulary_size": TARGET_VOCABULARY, "tied": False}
    return Transformer(TransformerConfig(**sizes, **vocabularies, norm="pre"))


def train_translator(
    pairs: Pairs, loss_of: Callable[..., Tensor] = translation_loss, seed: int = 0, steps: int = 100
) -> TrainingRun:
    """Train a small translator on batches of 32 pairs, with any loss: ``loss_of(model, source, target)``."""
    source, target = pairs
    model, next_token_losses = new_translator(seed), []

    def measure(step: int, loss: float) -> None:
        if step % EVAL_INTERVAL == 0:
            with torch.no_grad():
                next_token_losses.append(translation_loss(model, source, target).item())

    losses = train(
        model, random_batches(pairs, seed), loss_of, steps, lr=1e-2, warmup=10, weight_decay=0.0, after_step=measure
    )
    unpadded = [[row[row != Vocabulary.pad].tolist() for row in ids] for ids in pairs]
    return TrainingRun(model, losses, next_token_losses, exact_match(model, *unpadded))


def random_batches(pairs: Pairs, seed: int) -> Iterator[Pairs]:
    """Yield batches of 32 pairs without end; a pair can be drawn twice."""
    generator = torch.Generator().manual_seed(seed)
    while True:
        rows = torch.randint(len(pairs[0]), (32,), generator=generator)
        yield tuple(ids[rows] for ids in pairs)
