"""Curves with the spread of their seeds, bars, counts and measurements beside chance."""

import numpy as np
import pytest
import torch

from transformer_course import figures
from transformer_course.figures.counts import counts


def test_curves_show_the_middle_run_and_the_spread_of_the_seeds():
    runs = [[1.0, 4.0, 16.0], [2.0, 5.0, 20.0], [9.0, 9.0, 17.0]]
    ax = figures.curves([1, 10, 100], {"three": runs, "one": torch.tensor([3.0, 2.0, 1.0])}, "Title", "n", "steps", log="xy")
    three, one = ax.lines
    np.testing.assert_array_equal(three.get_xydata(), [[1, 2], [10, 5], [100, 17]])
    np.testing.assert_array_equal(one.get_ydata(), [3, 2, 1])
    (band,) = ax.collections
    corners = {tuple(point) for point in band.get_paths()[0].vertices}
    assert {(1, 1), (1, 9), (10, 4), (10, 9), (100, 16), (100, 20)} <= corners
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")
    assert [t.get_text() for t in ax.get_xticklabels()] == ["1", "10", "100"]
    assert [t.get_text() for t in ax.get_legend().get_texts()] == ["three", "one"]


def test_curves_of_shares_have_one_scale_and_may_show_a_level():
    ax = figures.curves([5, 10], {"share": [0.5, 0.7]}, level=(0.125, "chance"))
    assert ax.get_ylim() == (0, 1.05)
    assert ax.lines[0].get_ydata() == [0.125, 0.125]
    assert [(t.get_text(), t.xy) for t in ax.texts] == [("chance", (10, 0.125))]  # at the end where the curve is farther away
    assert figures.curves([5, 10], {"loss": [0.5, 2.7]}).get_ylim()[1] > 2.7


def test_a_levels_name_keeps_its_distance_from_the_legend():
    falling = 0.69 / (1 + np.exp((np.arange(300) - 95) / 12))
    ax, _ = figures.panels(2, 5.2)
    figures.curves(
        range(300), {"one layer": falling, "three layers": np.full(300, 0.693), "one": falling}, level=(0.69, "guess"), ax=ax
    )
    (name,) = ax.texts
    box = name.get_window_extent()
    assert not ax.get_legend().get_window_extent().padded(0.9 * box.height).overlaps(box)


def test_curves_refuse_what_cannot_be_told_apart_or_placed():
    with pytest.raises(ValueError, match="at most 4 distinguishable lines"):
        figures.curves([1], {str(k): [1.0] for k in range(5)})
    with pytest.raises(ValueError, match=r"'a' needs 2 values, one per x, got shape \(3,\)"):
        figures.curves([1, 2], {"a": [1.0, 2.0, 3.0]})


def test_bars_show_a_row_on_a_fixed_scale():
    ax = figures.bars(np.array([0.25, 0.75]), title="Title", ylabel="weight")
    assert [bar.get_height() for bar in ax.patches] == [0.25, 0.75]
    assert ax.get_ylim() == (0, 1)
    assert [t.get_text() for t in ax.get_xticklabels()] == ["1", "2"]
    assert not ax.texts
    labelled = figures.bars([0.5, 0.25], ["a", "b"], labels="%.1f")
    assert [t.get_text() for t in labelled.get_xticklabels()] == ["a", "b"]
    assert [t.get_text() for t in labelled.texts] == ["0.5", "0.2"]
    with pytest.raises(ValueError, match=r"one row of numbers, got shape \(2, 2\)"):
        figures.bars(np.zeros((2, 2)))


def test_counts_lie_with_the_first_on_top_and_room_for_long_names():
    long = "a mistake with a name that is much too long for a single line (attention.scaled_dot_product)"
    ax = counts({long: 30, "short": 1}, "Title", "submissions")
    assert [bar.get_width() for bar in ax.patches] == [30, 1]
    first, second = (bar.get_y() for bar in ax.patches)
    bottom, top = ax.get_ylim()
    assert top < first < second < bottom
    assert [t.get_text() for t in ax.texts] == ["30", "1"]
    names = [t.get_text() for t in ax.get_yticklabels()]
    assert [name.replace("\n", " ") for name in names] == [long, "short"]
    assert max(len(line) for name in names for line in name.split("\n")) <= 44
    assert all(place == int(place) for place in counts({"one": 1}).get_xticks())


def test_a_difference_has_a_bar_to_its_mean_and_a_dot_for_each_run():
    ax = figures.differences({"first": [-0.3, -0.1], "second": torch.tensor([0.1, 0.2, 0.6])})
    bars = [(bar.get_x() + bar.get_width(), bar.get_y() + bar.get_height() / 2) for bar in ax.patches]
    np.testing.assert_allclose(bars, [(-0.2, 0), (0.3, 1)], atol=1e-6)
    dots = [line.get_xydata().tolist() for line in ax.lines if line.get_marker() == "o"]
    np.testing.assert_allclose(dots[0], [(-0.3, 0), (-0.1, 0)], atol=1e-6)
    np.testing.assert_allclose(dots[1], [(0.1, 1), (0.2, 1), (0.6, 1)], atol=1e-6)
    assert ax.get_ylim()[0] > ax.get_ylim()[1]  # the first row is on top


def test_a_measurement_stands_on_the_span_of_chance():
    ax = figures.beside_chance({"first": 0.3, "second": 0.1}, {"second": [0.4, 0.2], "first": torch.tensor([0.1, 0.5, 0.2])})
    bars = [(bar.get_x(), bar.get_x() + bar.get_width(), bar.get_y() + bar.get_height() / 2) for bar in ax.patches]
    np.testing.assert_allclose(bars, [(0.1, 0.5, 0), (0.2, 0.4, 1)], atol=1e-6)
    np.testing.assert_allclose([line.get_xydata()[0] for line in ax.lines], [(0.3, 0), (0.1, 1)])
    assert [label.get_text() for label in ax.get_yticklabels()] == ["first", "second"]
    assert ax.get_ylim()[0] > ax.get_ylim()[1]  # the first row is on top
    assert ax.get_xlim()[0] == 0
    assert sorted(text.get_text() for text in ax.get_legend().get_texts()) == ["by chance", "measured"]
    with pytest.raises(ValueError, match="chance values to compare with, got none for third"):
        figures.beside_chance({"third": 1.0}, {"first": [0.0]})
