"""Superposition: how many features two numbers keep, and that what is asked must be a probability."""

import pytest
import torch

from transformer_course.experiments.superposition import trained


@pytest.mark.parametrize(("present", "kept"), [(1.0, 2), (0.05, 5)])
def test_two_numbers_keep_two_features_that_are_always_present_and_five_rare_ones(present, kept):
    model = trained(present, seed=1)
    assert (model.directions.norm(dim=1) > 0.5).sum() == kept
    if kept == 5:
        assert torch.equal(model(torch.eye(5)).argmax(1), torch.arange(5))


@pytest.mark.parametrize("present", [0, -0.1, 1.5])
def test_what_is_no_probability_is_refused(present):
    with pytest.raises(ValueError, match="at most 1"):
        trained(present, seed=0)
