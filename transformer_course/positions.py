"""Positions: how a model learns the order of its tokens, which attention alone treats as a set.

There are three ways: add fixed sine waves to the token vectors, add a learned table to them, or rotate the vectors that
attention compares (its queries and keys) by an angle that grows with the position. A model uses one of them.

Shapes: ``b`` batch, ``n`` tokens, ``d`` width. Positions count from 0.
"""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn


def _angles(positions: Tensor, width: int, base: float = 10_000.0) -> Tensor:
    """Return one angle per position and pair of dimensions, in radians: ``position / base^(2i / width)``, (..., width / 2).

    The angles are float64, because at position 1,000,000 a float32 angle is off by several hundredths.
    """
    if width < 2 or width % 2:
        raise ValueError(f"positions need an even width (each pair of dimensions is one wave), got {width}; try {width + 1}")
    exponents = torch.arange(0, width, 2, dtype=torch.float64, device=positions.device) / width
    return positions.double()[..., None] / base**exponents


def sinusoidal_encoding(length: int, d_model: int) -> Float[Tensor, "length d_model"]:
    """Return the table of sine waves: row ``p`` is for position ``p``; dimensions ``2i`` and ``2i + 1`` form a pair.

    ``PE[p, 2i] = sin(p / 10000^(2i / d_model))``, and ``PE[p, 2i + 1]`` is the cosine of the same angle. ``i`` numbers the
    pairs from 0 to d_model/2 - 1. The first pair is the fastest (period 2π), the last the slowest. All values are between
    -1 and 1, and none of them are learned.

    Raises ValueError if ``length`` is below 1 or ``d_model`` is odd.
    Source: Vaswani et al. 2017, "Attention Is All You Need", section 3.5.
    """
    if length < 1:
        raise ValueError(f"a table of positions needs at least one row, got length {length}")
    angles = _angles(torch.arange(length), d_model)
    pairs = torch.stack([angles.sin(), angles.cos()], dim=-1)  # (length, d_model / 2, 2)
    return pairs.flatten(-2).to(torch.get_default_dtype())


class SinusoidalPositions(nn.Module):
    """Add the fixed waves of `sinusoidal_encoding` to token vectors. The module has no parameters.

    Source: Vaswani et al. 2017, section 3.5.
    """

    def __init__(self, d_model: int, max_length: int):
        super().__init__()
        # A buffer, because it is not learned; not saved, because it can always be recomputed.
        self.register_buffer("table", sinusoidal_encoding(max_length, d_model), persistent=False)

    def forward(self, x: Float[Tensor, "b n d"], start: int = 0) -> Float[Tensor, "b n d"]:
        """Return ``x`` plus rows ``start`` … ``start + n - 1``; with a cache, ``start`` is the number of earlier tokens.

        Raises ValueError if a position is outside 0 … ``max_length - 1``, or if ``x`` has a different width.
        """
        return x + _rows(self.table, x, start)


class LearnedPositions(nn.Module):
    """Add one learned vector per position. Positions beyond the longest training sequence stay untrained.

    Rows are initialised with standard deviation ``std``: 0.02 if they are added to vectors from a tied table (Radford et
    al. 2018, section 4.1), and more if those vectors are larger and would drown them out.

    Source: Gehring et al. 2017, "Convolutional Sequence to Sequence Learning", section 3.1; Vaswani et al. 2017,
    section 3.5, compare both.
    """

    def __init__(self, d_model: int, max_length: int, std: float = 0.02):
        super().__init__()
        self.table = nn.Parameter(torch.randn(max_length, d_model) * std)

    def forward(self, x: Float[Tensor, "b n d"], start: int = 0) -> Float[Tensor, "b n d"]:
        """Return ``x`` plus rows ``start`` … ``start + n - 1``. Raises ValueError as `SinusoidalPositions` does."""
        return x + _rows(self.table, x, start)


def rotate(x: Float[Tensor, "... n d"], positions: Int[Tensor, "n"]) -> Float[Tensor, "... n d"]:
    """Rotate each pair of dimensions (2i, 2i + 1) of row ``j`` by the angle ``positions[j] / 10000^(2i / d)``.

    These are rotary positions. Apply them to queries and keys, not to values: the dot product of a rotated query and a
    rotated key then depends only on the two vectors and on the *difference* of their positions. Lengths do not change.

    Raises ValueError if the width is odd, if ``x`` holds integers, or if there is not one position per row.
    Source: Su et al. 2021, "RoFormer: Enhanced Transformer with Rotary Position Embedding", section 3.2.2.
    """
    if positions.shape != x.shape[-2:-1]:
        raise ValueError(
            f"rotate needs one position per row, got {tuple(positions.shape)} positions for x of {tuple(x.shape)}"
        )
    if not x.is_floating_point():
        raise ValueError(f"rotate expects floating-point vectors, got {x.dtype}; try x.float()")
    angles = _angles(positions, x.shape[-1])
    sin, cos = angles.sin().to(x.dtype), angles.cos().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    pairs = torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1)  # (..., n, d / 2, 2)
    return pairs.flatten(-2)


def _rows(table: Tensor, x: Tensor, start: int) -> Tensor:
    max_length, d_model = table.shape
    end = start + x.shape[-2]
    if x.shape[-1] != d_model:
        raise ValueError(f"the table of positions has width {d_model}, got vectors of width {x.shape[-1]} {tuple(x.shape)}")
    if start < 0:
        raise ValueError(f"start must be 0 or more, got {start}")
    if end > max_length:
        raise ValueError(
            f"there are {max_length} positions, got a sequence of {end} tokens; raise max_length or shorten the sequence"
        )
    return table[start:end]
