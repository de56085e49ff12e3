"""Linear probes: how well a word and a position can be read from the sum of their vectors, and which of them heads use.

Shapes: ``v`` words, ``p`` positions, ``d`` width, ``k`` vectors, ``h`` heads.
"""

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from torch import Tensor
from torch.nn import functional as F

from transformer_course.embedding import SPECIALS
from transformer_course.inspection import attention_maps
from transformer_course.positions import sinusoidal_encoding
from transformer_course.transformer import Transformer

NOISE = 0.1  # standard deviation, where that of the words is 1


class ProbeAccuracy(NamedTuple):
    """The accuracy of two linear probes on pairs of a word and a position that are not in their training data."""

    word: float
    position: float
    ends: float  # of the position, for the first and the last position only


@torch.no_grad()
def probe_accuracies(
    table: Float[Tensor, "v d"],
    positions: Float[Tensor, "p d"],
    seed: int = 0,
    shuffled: bool = False,
    least_squares: bool = False,
) -> ProbeAccuracy:
    """Add each position to each word, fit both probes to 70% of the pairs, and return their accuracy on the others.

    A probe is a linear map with a bias that scores every word (or position); the highest score is its answer. It is fitted
    by linear discriminant analysis, that is, to the mean vector of each answer, or by ``least_squares``, to scores of 1 for
    the correct answer and 0 for the others. The vectors get a little noise, so that a probe cannot rely on differences too
    small for a model to use. ``shuffled`` gives each vector the word and the position of a different one: a baseline for
    chance.
    """
    draw = torch.Generator().manual_seed(1000 + seed)  # not the seed that may have generated the table
    v, p = len(table), len(positions)
    x = (table[:, None] + positions).flatten(0, 1).double()
    x = x + NOISE * torch.randn(x.shape, generator=draw, dtype=x.dtype)
    word, position = torch.arange(v).repeat_interleave(p), torch.arange(p).repeat(v)
    if shuffled:
        word, position = (labels[torch.randperm(v * p, generator=draw)] for labels in (word, position))
    known = torch.rand(v * p, generator=draw) < 0.7
    predict = _least_squares if least_squares else _discriminant_analysis
    word_correct = predict(x, word, known) == word[~known]
    correct, end = predict(x, position, known) == position[~known], position[~known] % (p - 1) == 0
    return ProbeAccuracy(*(answers.double().mean().item() for answers in (word_correct, correct, correct[end])))


def _discriminant_analysis(x: Float[Tensor, "k d"], labels: Int[Tensor, "k"], known: Tensor) -> Int[Tensor, "test"]:
    fitted = LinearDiscriminantAnalysis().fit(x[known].numpy(), labels[known].numpy())
    return torch.from_numpy(fitted.predict(x[~known].numpy()))


def _least_squares(x: Float[Tensor, "k d"], labels: Int[Tensor, "k"], known: Tensor) -> Int[Tensor, "test"]:
    x = torch.cat([x, torch.ones_like(x[:, :1])], dim=1)  # the bias
    fitted = torch.linalg.lstsq(x[known], F.one_hot(labels[known]).double()).solution
    return (x[~known] @ fitted).argmax(1)


def probe_accuracies_by_width(
    widths: Sequence[int], waves: bool = False, shuffled: bool = False, least_squares: bool = False, seeds: int = 3
) -> dict[str, Float[Tensor, "seeds widths"]]:
    """Return the accuracy of both probes for 36 words and 20 positions at each width. Nothing but the probes is trained.

    Words are drawn with a standard deviation of 1. Positions are sinusoids (``waves``), or are drawn with the same root mean
    square. The other arguments are those of `probe_accuracies`.
    """
    found = []
    for seed, width in itertools.product(range(seeds), widths):
        draw = torch.Generator().manual_seed(seed)
        table, drawn = torch.randn(36, width, generator=draw), torch.randn(20, width, generator=draw)
        positions = sinusoidal_encoding(20, width) if waves else drawn * 0.5**0.5
        found.append(probe_accuracies(table, positions, seed, shuffled, least_squares))
    by_probe = torch.tensor(found).unflatten(0, (seeds, -1)).unbind(-1)
    return dict(zip(ProbeAccuracy._fields, by_probe, strict=True))


@torch.no_grad()
def overlap(table: Float[Tensor, "v d"], positions: Float[Tensor, "p d"]) -> float:
    """Return the root mean square cosine between words and positions: 0 if every pair is orthogonal."""
    cosines = F.normalize(table, dim=1) @ F.normalize(positions, dim=1).T
    return cosines.square().mean().sqrt().item()


def rotated_overlaps(
    table: Float[Tensor, "v d"], positions: Float[Tensor, "p d"], count: int = 100, seed: int = 0
) -> list[float]:
    """Return the overlaps after ``count`` random rotations of all positions together: a baseline for chance."""
    draw, d = torch.Generator().manual_seed(seed), table.shape[1]
    rotations = (torch.linalg.qr(torch.randn(d, d, generator=draw, dtype=torch.float64))[0] for _ in range(count))
    return [overlap(table.double(), positions.double() @ rotation) for rotation in rotations]


@torch.no_grad()
def position_fractions(model: Transformer, length: int = 10, count: int = 1000, seed: int = 0) -> Float[Tensor, "layers h"]:
    """Return the fraction, from 0 to 1, of each encoder head's attention pattern that does not depend on the words.

    The sequences are random words. A pattern is the logarithm of the weights minus each query's mean. Its mean over all
    sequences depends on the positions alone; the result is the sum of squares of this mean, as a fraction of the total.
    """
    draw = torch.Generator().manual_seed(seed)
    words = torch.randint(len(SPECIALS), model.config.vocabulary_size, (count, length), generator=draw)
    with attention_maps(model.encoder) as maps:
        model.encode(words)
    patterns = torch.stack([weights.log() for weights in maps.values()])  # (layers, b, h, n, n)
    patterns = patterns - patterns.mean(-1, keepdim=True)
    return patterns.mean(1).square().mean((-2, -1)) / patterns.square().mean((1, 3, 4))
