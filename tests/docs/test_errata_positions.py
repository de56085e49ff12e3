"""The sources' errors about positions (docs/sources.md): each test computes both versions."""

import numpy as np
import pytest
from by_hand import prints_as, waves

from transformer_course.experiments.lengths import accuracy, train_copier


def test_e4_the_second_pair_of_width_8_turns_by_a_tenth():
    printed = [0.0001, 1.0]  # sin(1/10000), cos(1/10000)
    assert prints_as(waves(2, 8)[1, 2:4]) == [0.0998, 0.995] != printed
    slowest = [10000 ** (1 - 2 / d) for d in range(2, 1025, 2)]
    assert slowest[3] == pytest.approx(1000)
    assert max(slowest) < 10000  # reached by no pair, at no width


def test_e9_i_counts_pairs():
    def lengths(i):
        angles = np.arange(200)[:, None] / 10000 ** (2 * i / 8)
        return np.hypot(np.sin(angles[:, 0::2]), np.cos(angles[:, 1::2]))

    np.testing.assert_allclose(lengths(np.arange(8) // 2), 1)  # the two numbers of a pair have one angle
    assert np.abs(lengths(np.arange(8)) - 1).max() > 0.3  # i for dimensions, as it says


def test_e17_low_dimensions_are_the_fast_ones():
    periods = {d: [2 * np.pi * 10000 ** (2 * i / d) for i in range(d // 2)] for d in (8, 16, 512)}
    for d, last in ((8, 1000), (16, 3162), (512, 9647)):
        assert periods[d] == sorted(periods[d])  # from short to long
        assert periods[d][0] == pytest.approx(2 * np.pi)
        assert periods[d][-1] / (2 * np.pi) == pytest.approx(last, abs=0.5)
    low = [(step := np.square(waves(2000, 16)[20 + k] - waves(2000, 16)[20]))[:8].sum() / step.sum() for k in (1, 1000)]
    assert low[0] > 0.99  # neighbours: the low dimensions
    assert low[1] < 0.4  # far apart: mostly the high ones


@pytest.mark.slow
def test_e19_sinusoids_are_defined_at_any_length_and_of_no_use_to_a_model_that_was_trained_on_short_texts():
    assert np.isfinite(waves(100_000, 32)).all()
    for seed in range(2):
        right = accuracy(train_copier("sinusoidal", seed=seed), seed=seed)
        assert right[:18].mean() > 0.9  # within the length of the training
        assert right[24:].mean() < 0.2  # beyond it; chance is 1/16
    assert accuracy(train_copier("sinusoidal", rows=40))[24:38].mean() > 0.9  # rows that were trained, texts as short


def test_e26_far_positions_may_coincide_in_the_fast_pairs():
    fast = np.linalg.norm(waves(711, 16)[:, :2] - [0, 1], axis=1)
    assert fast[1] > 0.95
    assert fast[44] < 0.02
    assert fast[710] < 1e-4
    assert fast[22] > 1.99


def test_e28_positions_are_whole_numbers_and_the_encoding_a_smooth_function_of_them():
    def tip(p):
        return np.array([np.sin(p), np.cos(p)])

    assert max(np.linalg.norm(tip(p + 1e-4) - tip(p)) for p in np.arange(0, 10, 0.1)) < 1.1e-4  # smooth
    assert min(np.linalg.norm(tip(p + 1) - tip(p)) for p in range(100)) > 0.95  # and far apart from token to token
