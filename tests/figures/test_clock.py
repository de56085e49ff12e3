"""Pairs of numbers as the hands of a clock."""

import matplotlib as mpl
import numpy as np
import pytest
import torch

from transformer_course import figures


def test_a_clock_shows_its_hands_and_how_far_they_have_turned():
    angles, turns = np.array([[0.5, 3.0], [2.0, 0.7]])
    hands, later = (np.stack([np.sin(a), np.cos(a)], axis=-1) for a in (angles, angles + turns))
    ax = figures.clock(torch.from_numpy(hands), later, title="Title")
    tips = [tuple(line.get_xydata()[0]) for line in ax.lines if line.get_ls() == "None"]
    assert tips == [tuple(tip) for pair in zip(hands, later, strict=True) for tip in pair]
    assert [t.get_text() for t in ax.texts] == ["turned by 2.00, 0.70"]
    first, second = (patch for patch in ax.patches if isinstance(patch, mpl.patches.Wedge))
    assert first.theta2 - first.theta1 == pytest.approx(np.degrees(2.0))
    assert first.theta2 == pytest.approx(90 - np.degrees(0.5))  # the sector begins at the hand and goes clockwise
    assert second.theta2 - second.theta1 == pytest.approx(np.degrees(0.7))  # past 6 o'clock
    assert second.r < first.r
    assert ax.get_title("left") == "Title"


def test_hands_that_have_not_moved_have_no_sector_and_all_clocks_the_same_scale():
    ax = figures.clock([[0.0, 1.0], [1.0, 0.0]])
    assert not [patch for patch in ax.patches if isinstance(patch, mpl.patches.Wedge)]
    assert ax.get_xlim() == figures.clock([[1.5, 0.0]]).get_xlim()


def test_a_clock_refuses_what_are_no_hands():
    with pytest.raises(ValueError, match=r"1 to 4 hands of two numbers, \(k, 2\), got shape \(8,\)"):
        figures.clock(np.zeros(8))
    with pytest.raises(ValueError, match=r"got shape \(5, 2\)"):
        figures.clock(np.zeros((5, 2)))
    with pytest.raises(ValueError, match="each of the 2 hands needs one later position, got 1"):
        figures.clock(np.ones((2, 2)), np.ones((1, 2)))
