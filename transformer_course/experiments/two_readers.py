"""Two readers of one vector: what linear maps read of the word and of the position in their sum, and what heads look at.

Shapes: ``v`` words, ``p`` positions, ``d`` width, ``h`` heads.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from torch import Tensor
from torch.nn import functional as F

from transformer_course.embedding import SPECIALS
from transformer_course.inspection import attention_maps
from transformer_course.positions import sinusoidal_encoding
from transformer_course.transformer import Transformer

NOISE = 0.1  # its standard deviation; words have 1


@dataclass(frozen=True)
class Reading:
    """What two linear readers get right on pairs of word and position that they never saw together."""

    word: float
    position: float
    ends: float  # the first and the last position only


@torch.no_grad()
def read_both(
    table: Float[Tensor, "v d"],
    positions: Float[Tensor, "p d"],
    seed: int = 0,
    shuffled: bool = False,
    least_squares: bool = False,
) -> Reading:
    """Add each position to each word, fit both readers on 7 pairs in 10, and ask them about the others.

    A reader is a linear map with a bias: one score for each word (or position), of which the largest is its answer. It goes
    by the means of the vectors of each answer (linear discriminant analysis), or by ``least_squares``: a score of 1 for the
    right answer and 0 for the others. The vectors get a little noise; without it, a reader could hang on differences that no
    model could use. ``shuffled`` gives each vector the word and the position of another one: what is still right
    then is right by chance.
    """
    draw = torch.Generator().manual_seed(1000 + seed)  # not the draws that may have made the table
    v, p = len(table), len(positions)
    x = (table[:, None] + positions).flatten(0, 1).double()
    x = x + NOISE * torch.randn(x.shape, generator=draw, dtype=x.dtype)
    word, position = torch.arange(v).repeat_interleave(p), torch.arange(p).repeat(v)
    if shuffled:
        word, position = (labels[torch.randperm(v * p, generator=draw)] for labels in (word, position))
    known = torch.rand(v * p, generator=draw) < 0.7
    reader = _by_least_squares if least_squares else _by_means
    word_right = reader(x, word, known) == word[~known]
    right, end = reader(x, position, known) == position[~known], position[~known] % (p - 1) == 0
    return Reading(*(answers.double().mean().item() for answers in (word_right, right, right[end])))


def _by_means(x: Float[Tensor, "k d"], labels: Int[Tensor, "k"], known: Tensor) -> Int[Tensor, "asked"]:
    fitted = LinearDiscriminantAnalysis().fit(x[known].numpy(), labels[known].numpy())
    return torch.from_numpy(fitted.predict(x[~known].numpy()))


def _by_least_squares(x: Float[Tensor, "k d"], labels: Int[Tensor, "k"], known: Tensor) -> Int[Tensor, "asked"]:
    x = torch.cat([x, torch.ones_like(x[:, :1])], dim=1)  # the bias
    fitted = torch.linalg.lstsq(x[known], F.one_hot(labels[known]).double()).solution
    return (x[~known] @ fitted).argmax(1)


def readings_by_width(
    widths: Sequence[int], waves: bool = False, shuffled: bool = False, least_squares: bool = False, seeds: int = 3
) -> dict[str, Float[Tensor, "seeds widths"]]:
    """Return what both readers get right for 36 words and 20 positions at each width. Nothing is trained but the readers.

    Words are drawn with standard deviation 1; positions are drawn too, with the root mean square of the ``waves`` that may
    stand in for them. The other arguments are those of `read_both`.
    """
    found = {"word": [], "position": [], "ends": []}
    for seed in range(seeds):
        row = []
        for width in widths:
            draw = torch.Generator().manual_seed(seed)
            table, drawn = torch.randn(36, width, generator=draw), torch.randn(20, width, generator=draw)
            positions = sinusoidal_encoding(20, width) if waves else drawn * 0.5**0.5
            row.append(read_both(table, positions, seed, shuffled, least_squares))
        for name, shares in found.items():
            shares.append([getattr(reading, name) for reading in row])
    return {name: torch.tensor(shares) for name, shares in found.items()}


@torch.no_grad()
def overlap(table: Float[Tensor, "v d"], positions: Float[Tensor, "p d"]) -> float:
    """Return the root mean square of the cosines between all words and all positions: 0 if each pair is orthogonal."""
    cosines = F.normalize(table, dim=1) @ F.normalize(positions, dim=1).T
    return cosines.square().mean().sqrt().item()


def turned_overlaps(
    table: Float[Tensor, "v d"], positions: Float[Tensor, "p d"], turns: int = 100, seed: int = 0
) -> list[float]:
    """Return the overlaps after the positions were turned, all together, in random ways: what chance alone gives."""
    draw, d = torch.Generator().manual_seed(seed), table.shape[1]
    rotations = (torch.linalg.qr(torch.randn(d, d, generator=draw, dtype=torch.float64))[0] for _ in range(turns))
    return [overlap(table.double(), positions.double() @ rotation) for rotation in rotations]


@torch.no_grad()
def position_shares(model: Transformer, length: int = 10, texts: int = 1000, seed: int = 0) -> Float[Tensor, "layers h"]:
    """Return how much of each encoder head's pattern stays the same whichever words stand there: from 0 to 1.

    The texts are random words. A pattern is the logarithm of the weights, less each query's mean. Its mean over all texts
    is what positions alone decide, and the share is one of sums of squares.
    """
    draw = torch.Generator().manual_seed(seed)
    words = torch.randint(len(SPECIALS), model.config.vocabulary_size, (texts, length), generator=draw)
    with attention_maps(model.encoder) as maps:
        model.encode(words)
    patterns = torch.stack([weights.log() for weights in maps.values()])  # (layers, b, h, n, n)
    patterns = patterns - patterns.mean(-1, keepdim=True)
    return patterns.mean(1).square().mean((-2, -1)) / patterns.square().mean((1, 3, 4))
