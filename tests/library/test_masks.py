"""Masks, and attention under a mask."""

import pytest
import torch
import twins
from attention_sizes import SIZES
from hypothesis import given
from hypothesis import strategies as st
from torch.nn import functional as F
from twins import random, random_mask

from transformer_course.attention import causal_mask, padding_mask, scaled_dot_product_attention


@given(SIZES, SIZES, st.sampled_from([(), (2,), (2, 3)]), st.integers(0, 9))
def test_masked_attention_equals_torch_in_values_and_gradients(n, m, batch, seed):
    mask = random_mask(*batch, n, m, seed=seed)
    ours, theirs = twins.leaves((*batch, n, 3), (*batch, m, 3), (*batch, m, 5))
    output, weights = scaled_dot_product_attention(*ours, mask)
    twins.assert_equal(output, F.scaled_dot_product_attention(*theirs, mask), ours, theirs, [])
    assert (weights[~mask] == 0).all()
    torch.testing.assert_close(weights.sum(-1), torch.ones_like(weights[..., 0]))


def test_masks_that_do_not_fit_are_told():
    q, k = random(2, 3, 5, 4), random(2, 3, 7, 4)
    for mask, told in [
        (torch.ones(5, 7), r"boolean tensor \(True = may attend\), got torch.float32"),
        ([[True] * 7] * 5, r"boolean tensor \(True = may attend\), got list; if 1 means .may attend., try mask.bool\(\)"),
        (torch.ones(5, 6, dtype=torch.bool), r"of the scores \(2, 3, 5, 7\), got \(5, 6\)$"),
        (torch.ones(2, 5, 7, dtype=torch.bool), r"got \(2, 5, 7\); for one mask per sample, try mask.unsqueeze\(1\)"),
        (torch.ones(7, dtype=torch.bool), r"must have shape \(n, m\)"),
    ]:
        with pytest.raises(ValueError, match=told):
            scaled_dot_product_attention(q, k, k, mask)


def test_a_mask_a_sample_is_refused_even_when_the_batch_is_as_large_as_the_heads():
    q = random(3, 3, 5, 4)  # b = h = 3: broadcasting would silently give head i the mask of sample i
    with pytest.raises(ValueError, match=r"got \(3, 5, 5\); for one mask per sample"):
        scaled_dot_product_attention(q, q, q, random_mask(3, 5, 5))


def test_a_query_without_any_key_is_told():
    mask = torch.ones(2, 3, 5, dtype=torch.bool)
    mask[1, 2] = False
    with pytest.raises(ValueError, match=r"row \[1, 2\] of the mask \(2, 3, 5\) has none"):
        scaled_dot_product_attention(random(2, 3, 4), random(2, 5, 4), random(2, 5, 4), mask)


def test_causal_mask_is_told_apart_from_its_neighbours():
    assert causal_mask(3).tolist() == [[True, False, False], [True, True, False], [True, True, True]]
    with pytest.raises(ValueError, match="at least one token, got 0"):
        causal_mask(0)


def test_padding_mask_marks_real_tokens_for_every_query():
    assert padding_mask(torch.tensor([[5, 6, 0], [7, 0, 0]]), 0).tolist() == [[[True, True, False]], [[True, False, False]]]
    with pytest.raises(ValueError, match=r"tokens must have shape \(b, m\).*got \(3,\)"):
        padding_mask(torch.tensor([5, 6, 0]), 0)


def test_a_huge_score_does_not_leak_through_a_mask():
    key = torch.tensor([[1.0], [1e30]], dtype=torch.float64)
    output, weights = scaled_dot_product_attention(torch.ones(2, 1).double(), key, key, causal_mask(2), scale=1.0)
    assert weights[0].tolist() == [1, 0]
    assert output[0].item() == 1


def test_however_low_an_allowed_score_is_a_masked_one_stays_below_it():
    key = torch.tensor([[-1e12], [0.0]], dtype=torch.float64)  # a stand-in for -inf, such as -1e9, would win here
    _, weights = scaled_dot_product_attention(torch.ones(2, 1).double(), key, key, causal_mask(2), scale=1.0)
    assert weights[0].tolist() == [1, 0]
    half = random(4, 2).half()
    output, _ = scaled_dot_product_attention(half, half, half, causal_mask(4))  # and float16 has no room for it
    assert torch.equal(output[0], half[0])
