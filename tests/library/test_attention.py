"""Attention equals torch's, in values and gradients, and refuses what does not fit."""

import pytest
import torch
from attention_sizes import SIZES
from hypothesis import given
from hypothesis import strategies as st
from torch.nn import functional as F
from twins import random

from transformer_course.attention import scaled_dot_product_attention, softmax


@given(st.lists(SIZES, min_size=1, max_size=4), st.data())
def test_softmax_equals_torch_along_every_dimension(shape, data):
    scores = random(*shape) * 30
    dim = data.draw(st.integers(-len(shape), len(shape) - 1))
    torch.testing.assert_close(softmax(scores, dim), torch.softmax(scores, dim), rtol=0, atol=1e-12)


@pytest.mark.parametrize("size", [1e4, -1e4, 1e300])
def test_softmax_does_not_overflow(size):
    scores = torch.tensor([size, size + 1, size - 2], dtype=torch.float64)
    torch.testing.assert_close(softmax(scores), torch.softmax(scores, -1))


def test_softmax_refuses_whole_numbers():
    with pytest.raises(ValueError, match=r"floating-point scores, got torch.int64; try scores.float"):
        softmax(torch.tensor([1, 2]))


@given(SIZES, SIZES, SIZES, SIZES, st.sampled_from([(), (2,), (2, 3)]), st.sampled_from([None, 1.0, 0.3]))
def test_attention_equals_torch_in_values_and_gradients(n, m, d_k, d_v, batch, scale):
    shapes = (*batch, n, d_k), (*batch, m, d_k), (*batch, m, d_v)
    ours, theirs = ([random(*s, seed=i).requires_grad_() for i, s in enumerate(shapes)] for _ in range(2))
    direction = random(*batch, n, d_v, seed=9)
    output, weights = scaled_dot_product_attention(*ours, scale=scale)
    expected = F.scaled_dot_product_attention(*theirs, scale=scale)
    torch.testing.assert_close(output, expected, rtol=0, atol=1e-6)
    assert weights.shape == (*batch, n, m)
    torch.testing.assert_close(weights.sum(-1), torch.ones(*batch, n, dtype=torch.float64))
    (output * direction).sum().backward()
    (expected * direction).sum().backward()
    for left, right in zip(ours, theirs, strict=True):
        torch.testing.assert_close(left.grad, right.grad, rtol=0, atol=1e-6)


def test_widths_and_numbers_that_do_not_fit_are_told():
    with pytest.raises(
        ValueError, match=r"key must be a floating-point tensor of shape \(\.\.\., rows, width\), got .* \(2,\)"
    ):
        scaled_dot_product_attention(random(3, 2), random(2), random(5, 2))
    with pytest.raises(ValueError, match=r"value must be a floating-point tensor .* got torch.int64 \(5, 2\)"):
        scaled_dot_product_attention(random(3, 2), random(5, 2), torch.ones(5, 2, dtype=torch.int64))
    with pytest.raises(ValueError, match=r"same width d_k, got \(3, 2\) and \(5, 4\)"):
        scaled_dot_product_attention(random(3, 2), random(5, 4), random(5, 2))
    with pytest.raises(ValueError, match=r"one value, got 5 keys \(5, 2\) and 3 values \(3, 2\)"):
        scaled_dot_product_attention(random(3, 2), random(5, 2), random(3, 2))
    for bias in (torch.ones(3, 5, dtype=torch.bool), random(5, 3), random(2, 3, 5)):
        with pytest.raises(ValueError, match=r"a bias must be floating-point and have the shape of the scores \(3, 5\)"):
            scaled_dot_product_attention(random(3, 2), random(5, 2), random(5, 2), bias=bias)
