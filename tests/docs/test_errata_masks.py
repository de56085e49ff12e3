"""The sources' errors about masks (docs/sources.md): each test computes both versions."""

import numpy as np
import pytest
import torch
from by_hand import X

from transformer_course.exercises.lesson_02_self_attention.softmax import softmax


def test_e10_a_mask_without_a_head_axis_is_an_error_or_silently_wrong():
    def attend(scores, mask):
        return torch.softmax(scores.masked_fill(~mask, -1e9), dim=-1)

    def scores(b, h):
        return torch.randn(b, h, 3, 3, generator=torch.Generator().manual_seed(0))

    def mask(b):  # text i has i + 1 tokens
        return (torch.arange(3) <= torch.arange(b)[:, None])[:, None].expand(b, 3, 3)

    with pytest.raises(RuntimeError, match="must match"):
        attend(scores(3, 2), mask(3))
    silent, right = attend(scores(2, 2), mask(2)), attend(scores(2, 2), mask(2)[:, None])
    assert silent.shape == right.shape
    assert not torch.allclose(silent, right)
    for head in range(2):  # head i got text i's mask
        torch.testing.assert_close(silent[:, head], attend(scores(2, 2), mask(2)[head])[:, head])
    assert attend(scores(3, 1), mask(3)).shape == (3, 3, 3, 3) != attend(scores(3, 1), mask(3)[:, None]).shape


def test_e11_a_very_low_score_does_not_fit_half_precision_and_spreads_a_row_that_is_masked_whole():
    everything = torch.ones(3, dtype=torch.bool)
    with pytest.raises(RuntimeError, match="overflow"):
        torch.zeros(3, dtype=torch.float16).masked_fill(everything, -1e9)
    torch.zeros(3, dtype=torch.bfloat16).masked_fill(everything, -1e9)
    scores = torch.tensor([1.0, 5.0, -2.0])
    torch.testing.assert_close(scores.masked_fill(everything, -1e9).softmax(-1), torch.full((3,), 1 / 3))
    assert scores.masked_fill(everything, -torch.inf).softmax(-1).isnan().all()
    query, none = torch.ones(1, 3, 2), torch.zeros(3, 3, dtype=torch.bool)
    assert not torch.nn.functional.scaled_dot_product_attention(query, query, query, none).any()


def test_e12_the_decoders_self_attention_needs_the_causal_mask():
    torch.manual_seed(0)
    layer = torch.nn.TransformerDecoderLayer(8, 2, dim_feedforward=16, dropout=0.0, batch_first=True).double()
    target, memory = torch.randn(1, 5, 8, dtype=torch.float64), torch.randn(1, 3, 8, dtype=torch.float64)

    def knows(mask):
        """Entry (i, j): whether output i depends on target token j."""
        slopes = torch.autograd.functional.jacobian(lambda x: layer(x, memory, tgt_mask=mask)[0], target)[:, :, 0]
        return (slopes != 0).any(-1).any(1)

    assert torch.equal(knows(~torch.ones(5, 5, dtype=torch.bool).tril()), torch.ones(5, 5, dtype=torch.bool).tril())
    assert knows(None).all()  # the encoder's, as it says


def test_e20_a_mask_is_set_into_scores_and_a_token_is_among_its_own_keys():
    may = np.tri(3, dtype=bool)
    scores = np.where(may, X @ X.T, -np.inf)
    assert np.isfinite(softmax(scores) @ X).all()
    with np.errstate(invalid="ignore"):
        assert not np.isfinite(np.where(may, softmax(X @ X.T), -np.inf) @ X).all()  # set into weights, as it says
    assert may.any(axis=1).all()
    assert not (may & ~np.eye(3, dtype=bool))[0].any()  # "the other words" alone leave the first none
