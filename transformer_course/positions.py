"""Positions: how a model that sees a set of tokens learns in which order they stand.

Three ways, of which a model takes one: fixed waves added to the tokens' vectors, a learned table added to them, or a
rotation, by an angle that grows with the position, of the vectors that attention compares (its queries and keys).

Shapes: ``b`` batch, ``n`` tokens, ``d`` width. Positions count from 0.
"""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn


def _angles(positions: Tensor, width: int, base: float = 10_000.0) -> Tensor:
    """Give each position one angle a pair of dimensions, in radians: ``position / base^(2i / width)``, (..., width / 2).

    In float64: at position 1,000,000 a float32 angle is wrong by several hundredths.
    """
    if width < 2 or width % 2:
        raise ValueError(
            f"positions need an even width, since each pair of dimensions is one wave, saw {width}; try {width + 1}"
        )
    exponents = torch.arange(0, width, 2, dtype=torch.float64, device=positions.device) / width
    return positions.double()[..., None] / base**exponents


def sinusoidal_encoding(length: int, d_model: int) -> Float[Tensor, "length d_model"]:
    """Return the table of sine waves: row ``p`` is position ``p``, dimensions ``2i`` and ``2i + 1`` are one pair.

    ``PE[p, 2i] = sin(p / 10000^(2i / d_model))`` and ``PE[p, 2i + 1]`` is the cosine of the same angle, where ``i``
    counts pairs: 0 … d_model/2 - 1. The first pair is the fastest (period 2π), the last the slowest.
    Values lie between -1 and 1; there is nothing to learn.

    Raises ValueError for a length below 1 or an odd ``d_model``.
    Source: Vaswani et al. 2017, "Attention Is All You Need", section 3.5.
    """
    if length < 1:
        raise ValueError(f"a table of positions needs at least one row, saw length {length}")
    angles = _angles(torch.arange(length), d_model)
    pairs = torch.stack([angles.sin(), angles.cos()], dim=-1)  # (length, d_model / 2, 2)
    return pairs.flatten(-2).to(torch.get_default_dtype())


class SinusoidalPositions(nn.Module):
    """Add the fixed waves of `sinusoidal_encoding` to vectors. No parameters.

    Source: Vaswani et al. 2017, section 3.5.
    """

    def __init__(self, d_model: int, max_length: int):
        super().__init__()
        # Not a parameter, and not saved: it can always be made again.
        self.register_buffer("table", sinusoidal_encoding(max_length, d_model), persistent=False)

    def forward(self, x: Float[Tensor, "b n d"], start: int = 0) -> Float[Tensor, "b n d"]:
        """Return ``x`` plus the rows ``start`` … ``start + n - 1``; with a cache, ``start`` tokens came before.

        Raises ValueError when a position lies outside 0 … ``max_length - 1``, or ``x`` has another width.
        """
        return x + _rows(self.table, x, start)


class LearnedPositions(nn.Module):
    """Add one learned vector a position. A row that training never used stays what it was at the start.

    Source: Gehring et al. 2017, "Convolutional Sequence to Sequence Learning", section 3.1; Vaswani et al. 2017,
    section 3.5, compare both. Rows start with standard deviation ``std``: 0.02 beside a tied table of tokens (Radford et
    al. 2018, section 4.1), more beside larger vectors, in which they would drown.
    """

    def __init__(self, d_model: int, max_length: int, std: float = 0.02):
        super().__init__()
        self.table = nn.Parameter(torch.randn(max_length, d_model) * std)

    def forward(self, x: Float[Tensor, "b n d"], start: int = 0) -> Float[Tensor, "b n d"]:
        """Return ``x`` plus the rows ``start`` … ``start + n - 1``; raises as `SinusoidalPositions` does."""
        return x + _rows(self.table, x, start)


def rotate(x: Float[Tensor, "... n d"], positions: Int[Tensor, "n"]) -> Float[Tensor, "... n d"]:
    """Turn each pair of dimensions (2i, 2i + 1) of row ``j`` by the angle ``positions[j] / 10000^(2i / d)``: rotary positions.

    Applied to queries and keys, not to values: the dot product of a turned query with a turned key then depends on the
    two vectors and on the *difference* of their positions alone. Lengths are kept.

    Raises ValueError for an odd width, whole numbers in ``x``, or when there is not one position a row.
    Source: Su et al. 2021, "RoFormer: Enhanced Transformer with Rotary Position Embedding", section 3.2.2.
    """
    if positions.shape != x.shape[-2:-1]:
        raise ValueError(f"rotate needs one position a row, saw {tuple(positions.shape)} positions for x of {tuple(x.shape)}")
    if not x.is_floating_point():
        raise ValueError(f"rotate expects floating-point vectors, saw {x.dtype}; try x.float()")
    angles = _angles(positions, x.shape[-1])
    sin, cos = angles.sin().to(x.dtype), angles.cos().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    pairs = torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1)  # (..., n, d / 2, 2)
    return pairs.flatten(-2)


def _rows(table: Tensor, x: Tensor, start: int) -> Tensor:
    max_length, d_model = table.shape
    end = start + x.shape[-2]
    if x.shape[-1] != d_model:
        raise ValueError(f"the table of positions has width {d_model}, saw vectors of width {x.shape[-1]} {tuple(x.shape)}")
    if start < 0:
        raise ValueError(f"positions count from 0, saw a start of {start}")
    if end > max_length:
        raise ValueError(f"there are {max_length} positions, saw a sequence that ends at {end}; raise max_length or cut it")
    return table[start:end]
