"""A shift of positions is one matrix for sinusoids, but not for random rows."""

import numpy as np
import pytest
import torch

from transformer_course.experiments.waves import encoding_per_dimension, learned_positions, shift_errors
from transformer_course.positions import sinusoidal_encoding


def test_the_program_of_note_3_makes_the_librarys_waves_and_half_a_hand_at_odd_widths():
    torch.testing.assert_close(torch.tensor(encoding_per_dimension(50, 12)).float(), sinusoidal_encoding(50, 12))
    odd = encoding_per_dimension(5, 3)
    assert odd.shape == (5, 3)
    np.testing.assert_allclose(odd[:, 2], np.sin(np.arange(5) / 10000 ** (2 / 3)))


def test_a_shift_is_one_matrix_for_waves_and_none_for_random_rows():
    assert max(shift_errors(encoding_per_dimension(96, 8), 2)) < 1e-9
    for seed in range(3):
        table = np.random.default_rng(seed).standard_normal((96, 8))
        own, new = shift_errors(table, 2)
        assert own > 0.7
        assert new > 1
        few = shift_errors(table, 2, every=16)  # six rows, eight dimensions: any table can be fitted
        assert few[0] < 1e-9
        assert few[1] > 1
    assert shift_errors(np.ones((96, 2)), 5) == pytest.approx((0, 0))


@pytest.mark.parametrize("model", ["gpt-pre", "gpt-post"])
def test_learned_positions_lie_between_waves_and_random_rows(model):
    table = learned_positions(model, 8)
    assert table.shape == (96, 8)
    assert (np.diff((table**2).sum(axis=0)) <= 0).all()  # the largest direction first
    own, new = shift_errors(table, 2)
    assert 0.1 < own < 0.4
    assert 0.4 < new < 0.75
