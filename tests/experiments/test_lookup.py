"""The look-up retrieves the value paired with a name, and its conditions begin with the scores that they should."""

import math

import pytest
import torch

from transformer_course.experiments.lookup import Lookup, lookup_batches, lookup_losses, step_below


def test_a_look_up_names_each_pair_once_and_asks_for_one():
    names, values, index = next(lookup_batches(size=50, seed=0))
    assert all(len(set(row.tolist())) == 16 for row in names)
    assert names.shape == values.shape == (50, 16)
    assert index.shape == (50,)
    assert 0 <= index.min() <= index.max() < 16


@pytest.mark.parametrize(("scaled", "init_scale"), [(False, 8**-0.5), (True, 1.0)])
def test_the_arms_of_the_look_up_start_with_the_scores_that_they_say(scaled, init_scale):
    names, values, index = next(lookup_batches(20, seed=0))
    torch.manual_seed(0)
    model = Lookup(64, scaled, init_scale)
    torch.manual_seed(0)
    plain = Lookup(64)
    torch.testing.assert_close(model.attend(names, values, index)[1], plain.attend(names, values, index)[1])
    torch.manual_seed(0)
    large = Lookup(64, init_scale=8**0.5).attend(names, values, index)[1]
    torch.manual_seed(0)
    torch.testing.assert_close(large, Lookup(64, scaled=False).attend(names, values, index)[1])


def test_a_look_up_asks_for_the_value_beside_the_name():
    """If the scores are certain of the name, all weight is on the pair with that name."""
    names, values, index = next(lookup_batches(20, seed=1))
    torch.manual_seed(0)
    model = Lookup(64)
    with torch.no_grad():
        model.values.weight.zero_()  # only the name is left in the keys
        model.w_q.copy_(100 * torch.eye(64))
        model.w_k.copy_(torch.eye(64))
    weights = model.attend(names, values, index)[1]
    assert (weights.gather(1, index[:, None]) > 0.99).all()
    assert lookup_losses(8, seed=0, steps=3) == lookup_losses(8, seed=0, steps=5)[:3]


def test_the_step_is_the_first_whose_mean_of_ten_is_below_the_level():
    losses = [2.0] * 10 + [0.0] * 20
    assert step_below(1.0, losses) == 16  # of the last ten losses, six are 0
    assert step_below(-1.0, losses) == math.inf


def test_without_the_division_the_look_up_is_learned_later_as_lesson_03_says():
    divided = [step_below(0.5, lookup_losses(64, seed=seed, steps=150)) for seed in range(3)]
    not_divided = [step_below(0.5, lookup_losses(64, scaled=False, seed=seed, steps=300)) for seed in range(3)]
    assert 1.5 * max(divided) < min(not_divided) < max(not_divided) < math.inf
