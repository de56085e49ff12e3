"""The encoder's memory: what its vectors contain, and how a trained translator does when its decoder gets a different one.

Shapes: ``b`` batch, ``m`` source tokens, ``n`` target tokens, ``d`` width.
"""

import functools
from collections.abc import Callable, Sequence

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.nn import functional as F

from transformer_course import models
from transformer_course.data import date_pairs, number_pairs
from transformer_course.data.numbers import english
from transformer_course.embedding import Vocabulary, pad_right
from transformer_course.masks import causal_mask, padding_mask
from transformer_course.models.recipes import columns
from transformer_course.training import shift
from transformer_course.transformer import Encoder, Transformer

# (the outputs of all encoder layers in order, the padding mask) -> (the memory for each decoder layer, its mask)
ChooseMemory = Callable[[list[Float[Tensor, "b m d"]], Bool[Tensor, "b 1 m"]], tuple[Sequence[Tensor], Tensor]]


def layer_outputs(
    encoder: Encoder, x: Float[Tensor, "b m d"], mask: Bool[Tensor, "..."] | None = None
) -> list[Float[Tensor, "b m d"]]:
    """Return the output after each layer, final LayerNorm included, as if the encoder ended there."""
    outputs = []
    for layer in encoder.layers:
        x = layer(x, mask)
        outputs.append(encoder.norm(x))
    return outputs


@functools.cache
def _translator(name: str, count: int) -> tuple[Transformer, Int[Tensor, "b m"], Int[Tensor, "b n"]]:
    """Return a shipped translator, with ``count`` unseen sources and targets for it."""
    model, vocabularies = models.load(name)
    pairs = (date_pairs if name == "dates" else number_pairs)(count, count).test
    return model, *map(pad_right, columns(pairs, vocabularies["source"], vocabularies["target"]))


@torch.no_grad()
def accuracy_with_memory(choose_memory: ChooseMemory, name: str = "translator", count: int = 200) -> float:
    """Return the fraction of unseen sequences that a shipped translator (of numbers, or ``"dates"``) gets entirely right when
    ``choose_memory`` decides what its decoder attends to.

    One teacher-forced pass is enough: if the most likely token is correct at every position, <end> included, then greedy
    decoding produces exactly that sequence.
    """
    model, sources, targets = _translator(name, count)
    inputs, labels = shift(targets)
    real = padding_mask(sources, Vocabulary.pad)
    memories, mask = choose_memory(layer_outputs(model.encoder, model.source(sources), real), real)
    x = model.target(inputs)
    for layer, memory in zip(model.decoder.layers, memories, strict=True):
        x = layer(x, memory, causal_mask(inputs.shape[1]), mask)
    correct = model.output(model.decoder.norm(x)).argmax(-1) == labels
    return (correct | (labels == Vocabulary.pad)).all(-1).float().mean().item()


def four_digit_numbers(count: int, vocabulary: Vocabulary, seed: int = 0) -> tuple[Int[Tensor, "b 7"], Int[Tensor, "b 4"]]:
    """Draw ``count`` different numbers such as *nine million six hundred and sixty two*, with their digits: 9, 6, 6, 2.

    Each has seven words. There are 5832 such numbers.
    """
    every = torch.cartesian_prod(*(torch.arange(lowest, 10) for lowest in (1, 1, 2, 1)))
    digits = every[torch.randperm(len(every), generator=torch.Generator().manual_seed(seed))[:count]]
    texts = [english(1_000_000 * a + 100 * b + 10 * c + d) for a, b, c, d in digits.tolist()]
    return torch.tensor([vocabulary.encode(text) for text in texts]), digits


def first_word_changes(texts: Int[Tensor, "b 7"], digits: Int[Tensor, "b 4"], vocabulary: Vocabulary) -> Int[Tensor, "b 7"]:
    """Return the numbers of `four_digit_numbers` with the first digit raised by one; after nine comes one."""
    first = torch.tensor([vocabulary.encode(english(digit % 9 + 1)) for digit in digits[:, 0].tolist()])
    return torch.cat([first, texts[:, 1:]], dim=1)


@torch.no_grad()
def probe_accuracy(vectors: Float[Tensor, "b m d"], digits: Int[Tensor, "b k"]) -> Float[Tensor, "m k"]:
    """Return how accurately a linear probe on each of the ``m`` vectors predicts each of a sequence's ``k`` digits.

    The probe, a linear map with a bias, is fitted by least squares to the first four fifths of the sequences and tested on
    the rest.
    """
    vectors = F.pad(vectors, (0, 1), value=1.0).double()
    labels = F.one_hot(digits, 10).flatten(1).double()
    split, accuracies = 4 * len(digits) // 5, []
    for x in vectors.unbind(1):
        probe = torch.linalg.lstsq(x[:split], labels[:split], driver="gelsd").solution  # handles repeated vectors too
        predicted = (x[split:] @ probe).unflatten(1, (-1, 10)).argmax(-1)
        accuracies.append((predicted == digits[split:]).double().mean(0))
    return torch.stack(accuracies)
