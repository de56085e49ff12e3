"""Lesson 25: the shipped model of prose with weights of fewer bits, beside noise of the same size."""

import copy
from collections.abc import Sequence

import numpy as np
import torch
from jaxtyping import Float
from torch import nn

from transformer_course.byte_pairs import BytePairs
from transformer_course.data import python_docs
from transformer_course.embedding import Vocabulary
from transformer_course.models.recipes import bits_of_a_text
from transformer_course.quantization import quantize, quantized_copy

BITS = (8, 6, 5, 4, 3, 2)
GROUP = 32
PARTS, CHARACTERS = 3, 15_000
Part = tuple[list[int], int]  # the ids of a text, and its characters


def held_out(vocabulary: Vocabulary) -> list[Part]:
    """Return ``PARTS`` parts of Python's documentation that the model was not trained on, from its whole length."""
    tokenizer, text = BytePairs.from_tokens(vocabulary.tokens[len(vocabulary.specials) :]), python_docs().test
    starts = np.linspace(0, len(text) - CHARACTERS, PARTS).astype(int)
    parts = (text[start : start + CHARACTERS] for start in starts)
    return [(vocabulary.encode(tokenizer.tokenize(part)), len(part)) for part in parts]


def bits_per_character(model: nn.Module, parts: Sequence[Part]) -> Float[np.ndarray, "parts"]:
    """Return the bits per character that a model needs for each part."""
    return np.array([bits_of_a_text(model, ids, characters, model.config.max_length) for ids, characters in parts])


def with_fewer_bits(
    model: nn.Module, parts: Sequence[Part], group_size: int | None = None
) -> tuple[Float[np.ndarray, "parts k"], list[int]]:
    """Return the bits per character for each part and each of ``BITS``, and the bytes that the model takes then."""
    copies = [quantized_copy(model, bits, group_size) for bits in BITS]
    return np.stack([bits_per_character(copy, parts) for copy, _ in copies], axis=1), [size for _, size in copies]


def one_kind_in_two_bits(model: nn.Module, parts: Sequence[Part]) -> dict[str, float]:
    """Return how many bits per character are lost if only one kind of matrix is quantized to 2 bits, in groups."""
    kinds = {
        "embedding": "input.embedding",
        "attention": "self_attention",
        "feed-forward": "feed_forward.",
        "output": "output.",
    }
    whole, lost = bits_per_character(model, parts).mean(), {}
    for kind, name in kinds.items():
        copy, _ = quantized_copy(model, 2, GROUP)
        own = dict(model.named_parameters())
        with torch.no_grad():
            for key, parameter in copy.named_parameters():
                if name not in key:
                    parameter.copy_(own[key])
        lost[kind] = float(bits_per_character(copy, parts).mean() - whole)
    return lost


def with_noise(model: nn.Module, parts: Sequence[Part], bits: int, seed: int) -> float:
    """Return the mean bits per character after noise of the size that rounding has: even, up to half a scale of the row."""
    generator, noisy = torch.Generator().manual_seed(seed), copy.deepcopy(model)
    with torch.no_grad():
        for weight in (parameter for parameter in noisy.parameters() if parameter.ndim > 1):
            scales = quantize(weight, bits).scales.float()
            weight += (torch.rand(weight.shape, generator=generator) - 0.5) * scales
    return float(bits_per_character(noisy, parts).mean())


def zeros(model: nn.Module, bits: int, group_size: int | None = None) -> float:
    """Return the fraction of all weights in matrices that quantization turns into 0."""
    codes = [quantize(weight, bits, group_size).codes for weight in model.parameters() if weight.ndim > 1]
    return float(torch.cat([each.flatten() == 0 for each in codes]).float().mean())
