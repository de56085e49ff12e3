"""Quantization against plain loops, and what must hold of every result."""

import math

import numpy as np
import pytest
import torch
import twins
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from transformer_course.quantization import Quantized, quantize, quantized_copy

BITS = st.integers(2, 8)


def by_hand(row: list[float], bits: int) -> tuple[list[int], float]:
    """The codes and the scale of one group, one number after another."""
    top = 2 ** (bits - 1) - 1
    scale = float(np.float16(max(abs(x) for x in row) / top))
    return [max(-top, min(top, round(x / scale))) if scale else 0 for x in row], scale


def packed(codes: list[int], bits: int) -> bytes:
    """Codes as one long binary number, to see how many bytes they need."""
    whole = 0
    for code in codes:
        whole = (whole << bits) | (code & (2**bits - 1))
    return whole.to_bytes(math.ceil(len(codes) * bits / 8), "big")


@given(BITS, st.sampled_from([None, 1, 5, 15]), st.integers(0, 99))
def test_codes_and_scales_are_those_of_a_loop(bits, group_size, seed):
    weight = twins.random(2, 3, 15, seed=seed).float()
    found, size = quantize(weight, bits, group_size), group_size or 15
    for row, codes, scales in zip(weight.reshape(6, 15), found.codes.reshape(6, 15), found.scales.reshape(6, -1), strict=True):
        for k, scale in enumerate(scales):
            expected, expected_scale = by_hand(row[k * size : (k + 1) * size].tolist(), bits)
            assert float(scale) == expected_scale
            # a number between two codes may go to either one, depending on the precision of the division
            assert np.abs(np.subtract(codes[k * size : (k + 1) * size].tolist(), expected)).sum() <= 1
    stored = found.codes.float().reshape(6, -1, size) * found.scales.float().reshape(6, -1, 1)
    torch.testing.assert_close(found.dequantized(), stored.reshape(weight.shape), rtol=0, atol=0)


@given(BITS, st.sampled_from([None, 3, 9]))
def test_the_size_is_that_of_packed_bits_and_16_bit_scales(bits, group_size):
    found = quantize(twins.random(7, 9).float(), bits, group_size)
    assert found.size == len(packed(found.codes.flatten().tolist(), bits)) + found.scales.numpy().nbytes


def test_what_a_code_can_hold_is_kept_and_zeros_stay_zeros():
    codes = torch.arange(-7.0, 8)
    assert quantize(codes / 4, 4).codes.tolist() == codes.tolist()
    torch.testing.assert_close(quantize(codes / 4, 4).dequantized(), codes / 4, rtol=0, atol=0)
    assert quantize(torch.tensor([[0.0, 0.0], [1e-9, 0.0], [3.0, -1.0]]), 2).codes.tolist() == [[0, 0], [0, 0], [1, 0]]


def test_a_copy_has_quantized_matrices_and_its_own_vectors():
    model = nn.Sequential(nn.Embedding(5, 8), nn.LayerNorm(8), nn.Linear(8, 3))
    before = [p.clone() for p in model.parameters()]
    found, size = quantized_copy(model, 4, 4)
    for old, kept, new in zip(before, model.parameters(), found.parameters(), strict=True):
        torch.testing.assert_close(kept, old, rtol=0, atol=0)
        torch.testing.assert_close(new, quantize(old, 4, 4).dequantized() if old.ndim > 1 else old, rtol=0, atol=0)
    assert size == (40 + 24) // 2 + 2 * (10 + 6) + 2 * (8 + 8 + 3)


@pytest.mark.parametrize(
    ("weight", "bits", "group_size", "sentence"),
    [
        (torch.ones(2, 8), 1, None, "bits must be an integer from 2 to 8, got 1"),
        (torch.ones(2, 8), 9, None, "from 2 to 8, got 9; more than 8 do not fit"),
        (torch.ones(2, 8), 4.0, None, r"from 2 to 8, got 4\.0"),
        (torch.ones(2, 8), 4, 3, "group_size must divide the 8 columns of the weight, got 3; try another one, or None"),
        (torch.ones(2, 8), 4, 0, "group_size must divide the 8 columns of the weight, got 0"),
        (torch.tensor([[1.0, math.nan, math.inf]]), 4, None, "weights must be finite, got 2 that are NaN or infinite"),
        (torch.ones(2, 8, dtype=torch.long), 4, None, r"a tensor of floats .*, got torch\.int64 \(2, 8\)"),
        (torch.tensor(1.0), 4, None, r"at least one axis, and not empty, got torch\.float32 \(\)"),
        ([1.0, 2.0], 4, None, "got list"),
        (torch.tensor([1e6]), 2, None, "with 2 bits, weights must be at most 65,504, got 1e"),
    ],
)
def test_what_cannot_be_quantized_is_refused_in_one_sentence(weight, bits, group_size, sentence):
    with pytest.raises(ValueError, match=sentence):
        quantize(weight, bits, group_size)


def test_a_model_with_a_broken_weight_is_refused_by_its_name():
    model = nn.Linear(4, 2)
    model.weight.data[1, 2] = math.nan
    with pytest.raises(ValueError, match="weight: weights must be finite, got 1 that"):
        quantized_copy(model)
    assert isinstance(quantize(model.bias), Quantized)
