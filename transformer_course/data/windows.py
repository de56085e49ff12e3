"""Windows of a long row of ids, cut out at random: what a language model trains on."""

from collections.abc import Sequence

import torch
from jaxtyping import Int
from torch import Generator, Tensor


def random_windows(
    ids: Int[Tensor, "n"], count: int, length: int, generator: Generator
) -> tuple[Int[Tensor, "b length"], Int[Tensor, "b length"]]:
    """Cut out ``count`` windows; return inputs, and labels, which are one further on. Both have shape (count, length).

    Raises ValueError for fewer than ``length`` + 1 ids.
    """
    if len(ids) <= length:
        raise ValueError(f"windows of length {length} need at least {length + 1} ids, got {len(ids)}")
    return windows_at(ids, torch.randint(len(ids) - length, (count,), generator=generator), length)


def windows_at(
    ids: Int[Tensor, "n"], starts: Sequence[int] | Int[Tensor, "b"], length: int
) -> tuple[Int[Tensor, "b length"], Int[Tensor, "b length"]]:
    """Cut out the windows that begin at ``starts``; return inputs and labels as `random_windows` does."""
    places = torch.as_tensor(starts)[:, None] + torch.arange(length)
    return ids[places], ids[places + 1]
