"""Positions: how a model learns the order of its tokens, which attention alone treats as a set.

There are four ways: add fixed sine waves to the token vectors, add a learned table to them, rotate the vectors that attention
compares (its queries and keys) by an angle that grows with the position, or lower the scores of distant keys (ALiBi). A model
uses one of them. `SCHEMES`, at the end of this file, has them by name, and is the only place where a new one is added.

Shapes: ``b`` batch, ``h`` heads, ``n`` tokens or queries, ``m`` keys, ``d`` width. Positions count from 0.
"""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn


def _angles(positions: Tensor, width: int, base: float = 10_000.0) -> Tensor:
    """Return one angle per position and pair of dimensions, in radians: ``position / base^(2i / width)``, (..., width / 2).

    The angles are float64, because at position 1,000,000 a float32 angle is off by several hundredths.
    """
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
    _check_pairs("sinusoidal", d_model)
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
    _check_pairs("rotary", x.shape[-1])
    angles = _angles(positions, x.shape[-1])
    sin, cos = angles.sin().to(x.dtype), angles.cos().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    pairs = torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1)  # (..., n, d / 2, 2)
    return pairs.flatten(-2)


def _check_pairs(name: str, width: int) -> None:
    if width < 2 or width % 2:
        raise ValueError(
            f"{name} positions need an even width (each pair of dimensions is one wave), got {width}; try {width + 1}"
        )


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


def alibi_slopes(num_heads: int) -> list[float]:
    """Return the slope ``m`` of each head in ALiBi: 1/2, 1/4, …, 1/256 for eight heads; steep slopes look nearby only.

    For ``h`` heads, a power of two, slope ``i`` is ``2^(-8i / h)``, with ``i`` from 1 to ``h``. For any other number, the
    slopes are those of the next smaller power of two. The missing ones are the first, third, fifth, … of twice that power,
    which lie between them.

    Raises ValueError if ``num_heads`` is below 1.
    Source: Press, Smith and Lewis 2022, "Train Short, Test Long: Attention with Linear Biases Enables Input Length
    Extrapolation", section 3; for other numbers of heads, the authors' code.
    """
    if num_heads < 1:
        raise ValueError(f"num_heads must be 1 or more, got {num_heads}")
    power = 2 ** (num_heads.bit_length() - 1)
    slopes = [2 ** (-8 * i / power) for i in range(1, power + 1)]
    between = [2 ** (-8 * i / (2 * power)) for i in range(1, 2 * power, 2)]
    return slopes + between[: num_heads - power]


class Scheme:
    """How a model learns the order of its tokens. This scheme is "none", which changes nothing; each other overrides one hook.

    A scheme changes the model's input (`embedding`), or what self-attention compares (`turn`), or its scores (`bias`). The
    last two are used only if ``in_attention`` is True. A scheme has no parameters; those of a table belong to its module.
    """

    in_attention = False

    def check(self, d_model: int, d_k: int) -> None:
        """Raise ValueError if a model of this width, with heads of width ``d_k``, cannot have the scheme."""

    def embedding(self, d_model: int, max_length: int, std: float = 0.02) -> nn.Module | None:
        """Return the module that adds positions to token vectors, or None. A learned table begins with deviation ``std``."""

    def turn(self, x: Float[Tensor, "b h n d_k"], positions: Int[Tensor, "n"]) -> Float[Tensor, "b h n d_k"]:
        """Return the queries, or the keys, of tokens at these positions as attention compares them."""
        return x

    def bias(self, num_heads: int, queries: Int[Tensor, "n"], keys: Int[Tensor, "m"]) -> Float[Tensor, "h n m"] | None:
        """Return what is added to the scaled scores of queries and keys at these positions, or None."""


class Sinusoidal(Scheme):
    """The input gets `SinusoidalPositions` (Vaswani et al. 2017)."""

    def check(self, d_model: int, d_k: int) -> None:
        _check_pairs("sinusoidal", d_model)

    def embedding(self, d_model: int, max_length: int, std: float = 0.02) -> nn.Module:
        return SinusoidalPositions(d_model, max_length)


class Learned(Scheme):
    """The input gets `LearnedPositions` (Gehring et al. 2017)."""

    def embedding(self, d_model: int, max_length: int, std: float = 0.02) -> nn.Module:
        return LearnedPositions(d_model, max_length, std)


class Rotary(Scheme):
    """Attention compares queries and keys after `rotate` (Su et al. 2021)."""

    in_attention = True

    def check(self, d_model: int, d_k: int) -> None:
        _check_pairs("rotary", d_k)

    def turn(self, x: Float[Tensor, "b h n d_k"], positions: Int[Tensor, "n"]) -> Float[Tensor, "b h n d_k"]:
        return rotate(x, positions)


class ALiBi(Scheme):
    """Attention lowers each score by the distance between query and key: by ``m · |i - j|``, with `alibi_slopes` ``m``.

    In a causal model no key is later than its query, so this is the paper's ``m · (i - j)``. Without a causal mask, it is the
    same in both directions.

    Source: Press, Smith and Lewis 2022, "Train Short, Test Long", section 3.
    """

    in_attention = True

    def bias(self, num_heads: int, queries: Int[Tensor, "n"], keys: Int[Tensor, "m"]) -> Float[Tensor, "h n m"]:
        slopes = torch.tensor(alibi_slopes(num_heads), dtype=torch.float64, device=queries.device)
        return slopes[:, None, None] * -(queries[:, None] - keys).abs()


SCHEMES = {"sinusoidal": Sinusoidal(), "learned": Learned(), "rotary": Rotary(), "alibi": ALiBi(), "none": Scheme()}


def scheme(positions: str | Scheme) -> Scheme:
    """Return the scheme of this name, or ``positions`` itself if it is a `Scheme` already.

    Raises ValueError for an unknown name.
    """
    if isinstance(positions, Scheme):
        return positions
    if positions not in tuple(SCHEMES):
        raise ValueError(f"positions must be one of {', '.join(SCHEMES)}, got {positions!r}")
    return SCHEMES[positions]
