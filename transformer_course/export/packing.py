"""Weights in few bytes: as 16-bit floats, or as 8-bit integers in groups that share a scale.

Which of the two is measured: on texts that the model writes, how much worse does it predict with weights of 8 bits?
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from transformer_course.quantization import quantize

from .sizes import Sizes, Weights, logits

GROUP = 32  # numbers that share a scale: 8.5 bits each
COST = 0.005  # bits per token that 8-bit weights may cost; what they save is half of the file


@dataclass(frozen=True)
class Packed:
    """``tensors``: for each weight its name, how many numbers it has, its format, and where it begins in ``content``."""

    tensors: list[tuple[str, int, str, int]]
    content: bytes
    weights: Mapping[str, Float[Tensor, "..."]]  # as the page will have them
    cost: float  # in bits per token


def pack(sizes: Sizes, weights: Weights) -> Packed:
    """Return a model's weights in 8 bits, or in 16 if that costs too much.

    Raises ValueError for weights that 16 bits cannot hold.
    """
    if large := [name for name, weight in weights.items() if not weight.half().isfinite().all()]:
        raise ValueError(f"weights must be at most 65,504, which {large[0]} is not; train with a smaller learning rate")
    for bits in (8, 16):
        packed = {name: _integers(w) if bits == 8 and w.ndim > 1 else _floats(w) for name, w in weights.items()}
        unpacked = {name: values.reshape(weights[name].shape) for name, (_, _, values) in packed.items()}
        cost = divergence(sizes, weights, unpacked)
        if cost <= COST:
            break
    tensors, content = [], b""
    for name, (kind, stored, values) in packed.items():
        tensors.append((name, values.numel(), kind, len(content)))
        content += stored + bytes(-len(stored) % 4)
    return Packed(tensors, content, unpacked, cost)


def _floats(weight: Tensor) -> tuple[str, bytes, Tensor]:
    half = weight.half().contiguous()
    return "float16", half.numpy().tobytes(), half.float()


def _integers(weight: Tensor) -> tuple[str, bytes, Tensor]:
    flat = weight.flatten()
    found = quantize(torch.cat([flat, flat.new_zeros(-len(flat) % GROUP)]), 8, GROUP)
    stored = found.scales.numpy().tobytes() + found.codes[: len(flat)].numpy().tobytes()
    return "int8", stored, found.dequantized()[: len(flat)]


@torch.no_grad()
def divergence(sizes: Sizes, weights: Weights, others: Weights, texts: int = 4) -> float:
    """Return how many bits per token other weights lose, on texts that the model itself draws: the mean of Σ p log₂(p/q)."""
    generator = torch.Generator().manual_seed(0)
    total = 0.0
    for _ in range(texts):
        tokens = torch.randint(sizes.vocabulary, (1,), generator=generator)
        while len(tokens) < min(sizes.context, 48):
            probabilities = logits(sizes, weights, tokens)[-1].softmax(-1)
            tokens = torch.cat([tokens, torch.multinomial(probabilities, 1, generator=generator)])
        ours, theirs = (logits(sizes, each, tokens).log_softmax(-1) for each in (weights, others))
        total += float((ours.exp() * (ours - theirs)).sum(-1).mean())
    return total / texts / math.log(2)
