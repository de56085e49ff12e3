"""What the encoder hands over: what stands in its vectors, and a trained translator whose decoder is given something else.

Shapes: ``b`` batch, ``m`` tokens of the source, ``d`` width.
"""

import functools
from collections.abc import Callable, Sequence

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.nn import functional as F

from transformer_course import models
from transformer_course.data import date_pairs, number_pairs
from transformer_course.embedding import Vocabulary, pad_right
from transformer_course.masks import causal_mask, padding_mask
from transformer_course.models.recipes import columns
from transformer_course.training import shift
from transformer_course.transformer import Encoder, Transformer

# What the encoder's layers made, from the first to the last, and which tokens are real -> what each decoder layer is given
HandOver = Callable[[list[Float[Tensor, "b m d"]], Bool[Tensor, "b 1 m"]], tuple[Sequence[Tensor], Tensor]]


def after_each_layer(
    encoder: Encoder, x: Float[Tensor, "b m d"], mask: Bool[Tensor, "..."] | None = None
) -> list[Float[Tensor, "b m d"]]:
    """Return the vectors after each layer of a stack, as they would leave it there: with its closing norm, if any."""
    after = []
    for layer in encoder.layers:
        x = layer(x, mask)
        after.append(encoder.norm(x))
    return after


@functools.cache
def _translator(name: str, texts: int) -> tuple[Transformer, Int[Tensor, "b m"], Int[Tensor, "b n"]]:
    """A shipped translator, and unseen sources and targets for it."""
    model, vocabularies = models.load(name)
    pairs = (date_pairs if name == "dates" else number_pairs)(texts, texts).test
    return model, *map(pad_right, columns(pairs, vocabularies["source"], vocabularies["target"]))


@torch.no_grad()
def share_right(hand_over: HandOver, name: str = "translator", texts: int = 200) -> float:
    """Return the share of unseen texts that a shipped translator (of numbers, or ``"dates"``) writes without a mistake, when
    its decoder is given what ``hand_over`` makes of the encoder's layers.

    At each character, the decoder reads the right ones so far, so one pass is enough: a text counts when the likeliest next
    character is right everywhere, its end included. Written one after the other, they would then be the same.
    """
    model, sources, targets = _translator(name, texts)
    inputs, labels = shift(targets)
    real = padding_mask(sources, Vocabulary.pad)
    memories, mask = hand_over(after_each_layer(model.encoder, model.source(sources), real), real)
    x = model.target(inputs)
    for layer, memory in zip(model.decoder.layers, memories, strict=True):
        x = layer(x, memory, causal_mask(inputs.shape[1]), mask)
    right = model.output(model.decoder.norm(x)).argmax(-1) == labels
    return (right | (labels == Vocabulary.pad)).all(-1).float().mean().item()


ONES = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def four_digits(size: int, vocabulary: Vocabulary, seed: int = 0) -> tuple[Int[Tensor, "b 7"], Int[Tensor, "b 4"]]:
    """Return ``size`` different numbers like *nine million six hundred and sixty two*, with their digits: 9, 6, 6, 2.

    All have seven words; there are 5832 of them.
    """
    every = torch.cartesian_prod(*(torch.arange(lowest, 10) for lowest in (1, 1, 2, 1)))
    digits = every[torch.randperm(len(every), generator=torch.Generator().manual_seed(seed))[:size]]
    texts = (
        [ONES[a - 1], "million", ONES[b - 1], "hundred", "and", TENS[c - 2], ONES[d - 1]] for a, b, c, d in digits.tolist()
    )
    return torch.tensor([vocabulary.encode(text) for text in texts]), digits


@torch.no_grad()
def read_out(vectors: Float[Tensor, "b m d"], digits: Int[Tensor, "b k"]) -> Float[Tensor, "m k"]:
    """Return how often each of a text's ``k`` digits is named right from each of its ``m`` vectors alone, by a linear map.

    The map, with a bias, is fitted by least squares to the first four fifths of the texts, and tried on the others.
    """
    vectors = F.pad(vectors, (0, 1), value=1.0).double()
    wanted = F.one_hot(digits, 10).flatten(1).double()
    fitted, shares = 4 * len(digits) // 5, []
    for one in vectors.unbind(1):
        solution = torch.linalg.lstsq(one[:fitted], wanted[:fitted], driver="gelsd").solution  # also where few vectors differ
        named = (one[fitted:] @ solution).unflatten(1, (-1, 10)).argmax(-1)
        shares.append((named == digits[fitted:]).double().mean(0))
    return torch.stack(shares)
