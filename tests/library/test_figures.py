"""Figures: a style that works in grey print and for colour-blind readers, and plots that show the numbers they are given."""

import itertools
import sys

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from matplotlib.colors import to_rgb

from transformer_course import figures
from transformer_course.figures.architecture import DARK, LIT, PARTS
from transformer_course.figures.counts import counts
from transformer_course.figures.style import CYCLE, FAINT, INK, MAP, TEXT, contrast_text, luminance

mpl.use("agg")
X = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])

# Machado, Oliveira & Fernandes 2009, table 1, severity 1.0: linear RGB as seen with red–green colour blindness.
COLOUR_BLIND = {
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
}


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def contrast(left, right) -> float:
    lighter, darker = sorted((luminance(left), luminance(right)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def test_luminance_of_known_colours():
    assert [luminance(c) for c in ("black", "white")] == pytest.approx([0, 1])
    assert luminance("#808080") == pytest.approx(0.2159, abs=1e-4)


def test_inks_differ_in_grey():
    for left, right in itertools.combinations(CYCLE, 2):
        assert contrast(left, right) > 1.5
    assert contrast(TEXT, "white") > 7
    assert contrast(LIT, DARK) > 1.25
    assert contrast(FAINT, "white") > 1.5


@pytest.mark.parametrize("kind", COLOUR_BLIND)
def test_inks_differ_for_the_colour_blind(kind):
    seen = [np.clip(np.array(COLOUR_BLIND[kind]) @ np.square(to_rgb(ink)), 0, 1) for ink in CYCLE]
    assert min(np.abs(a - b).max() for a, b in itertools.combinations(seen, 2)) > 0.08


def test_the_map_of_weights_darkens_steadily_and_its_numbers_stay_legible():
    shades = [mpl.colormaps[MAP](x) for x in np.linspace(0, 1, 101)]
    assert (np.diff([luminance(shade) for shade in shades]) < 0).all()
    assert min(contrast(contrast_text(shade), shade) for shade in shades) > 4.5


def test_a_heat_map_shows_its_weights_on_a_fixed_scale():
    weights = np.array([[0.25, 0.75], [0.9, 0.1], [0.5, 0.5]])
    ax = figures.heatmap(torch.from_numpy(weights), ["a", "b", "c"], ["x", "y"], "Title", marked=[(1, 0)])
    (image,) = ax.images
    np.testing.assert_array_equal(image.get_array(), weights)
    assert image.get_clim() == (0, 1)
    assert [t.get_text() for t in ax.texts] == ["0.2500", "0.7500", "0.9000", "0.1000", "0.5000", "0.5000"]
    assert [t.get_text() for t in ax.get_yticklabels()] == ["a", "b", "c"]
    assert [t.get_text() for t in ax.get_xticklabels()] == ["x", "y"]
    assert ax.get_title("left") == "Title"
    (frame,) = ax.patches
    assert frame.get_xy() == pytest.approx((-0.47, 0.53))  # around row 1, column 0


def test_a_large_heat_map_leaves_the_numbers_out():
    assert len(figures.heatmap(np.full((9, 9), 1 / 9)).texts) == 0


def test_a_heat_map_refuses_a_batch():
    with pytest.raises(ValueError, match=r"matrix of weights \(n, m\), got shape \(2, 3, 3\)"):
        figures.heatmap(np.zeros((2, 3, 3)))


def test_a_heat_map_rounds_its_numbers():
    assert [t.get_text() for t in figures.heatmap([[0.256, 0.744]], digits=1).texts] == ["0.3", "0.7"]


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
    assert "chance" in {t.get_text() for t in ax.texts}
    assert figures.curves([5, 10], {"loss": [0.5, 2.7]}).get_ylim()[1] > 2.7


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
    assert [t.get_text() for t in figures.bars([0.5, 0.5], ["a", "b"]).get_xticklabels()] == ["a", "b"]
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


def test_the_plane_shows_tokens_outputs_hull_and_mirror():
    outputs = X * 0.5
    ax = figures.plane(X, outputs, hull=True, mirror=True)
    points = [line.get_xydata().ravel().tolist() for line in ax.lines if len(line.get_xydata()) == 1]
    assert points == [p for token, output in zip(X.tolist(), outputs.tolist(), strict=True) for p in (token, output)]
    assert [t.get_text() for t in ax.texts if t.get_text().startswith("token")] == ["token 1", "token 2", "token 3"]
    (triangle,) = ax.patches
    np.testing.assert_array_equal(triangle.get_xy()[:3], X)
    mirror = ax.lines[0].get_xydata()
    np.testing.assert_array_equal(mirror[:, 0], mirror[:, 1])
    low, high = ax.get_xlim()
    assert low < X.min() <= X.max() < high


def test_the_plane_refuses_other_dimensions():
    with pytest.raises(ValueError, match=r"points with two coordinates, \(n, 2\), got shape \(3, 5\)"):
        figures.plane(np.zeros((3, 5)))
    with pytest.raises(ValueError, match="two coordinates"):
        figures.plane(X, np.zeros((3, 3)))


def lit_boxes(ax) -> set[str]:
    return {box.get_label() for box in ax.patches if box.get_label() in PARTS and box.get_facecolor()[:3] == to_rgb(LIT)}


@pytest.mark.parametrize("part", PARTS)
def test_any_part_of_the_map_can_be_lit(part):
    assert lit_boxes(figures.architecture(part)) == {part}


def test_the_map_holds_every_part_once_and_names_a_near_one():
    ax = figures.architecture()
    assert lit_boxes(ax) == set()
    assert {box.get_label() for box in ax.patches} >= set(PARTS)
    places = {(part.x, part.y) for part in PARTS.values()}
    assert len(places) == len(PARTS)
    with pytest.raises(ValueError, match="unknown part 'cross attention'; did you mean 'cross-attention'\\?"):
        figures.architecture("cross attention")


def test_the_scale_of_a_heat_map_may_begin_below_0():
    (image,) = figures.heatmap(np.array([[-1.0, 1.0]]), lowest=-1).images
    assert image.get_clim() == (-1, 1)


def test_a_clock_shows_its_hands_and_how_far_they_have_turned():
    angles, turns = np.array([[0.5, 6.0], [2.0, 0.7]])
    hands, later = (np.stack([np.sin(a), np.cos(a)], axis=-1) for a in (angles, angles + turns))
    ax = figures.clock(torch.from_numpy(hands), later, title="Title")
    tips = [tuple(line.get_xydata()[0]) for line in ax.lines if line.get_ls() == "None"]
    assert tips == [tuple(tip) for pair in zip(hands, later, strict=True) for tip in pair]
    assert [t.get_text() for t in ax.texts] == ["turned by 2.00, 0.70"]
    first, second = (patch for patch in ax.patches if isinstance(patch, mpl.patches.Wedge))
    assert first.theta2 - first.theta1 == pytest.approx(np.degrees(2.0))
    assert first.theta2 == pytest.approx(90 - np.degrees(0.5))  # the sector begins at the hand and goes clockwise
    assert second.theta2 - second.theta1 == pytest.approx(np.degrees(0.7))  # past 12 o'clock
    assert second.r < first.r
    assert ax.get_title("left") == "Title"


def test_a_clock_names_its_hands_and_stacks_the_names_of_those_in_one_place():
    ax = figures.clock([[0.0, 1.0], [0.01, 1.0], [1.0, 0.0]], names=["0", "1", "2"])
    places = {t.get_text(): np.linalg.norm(t.get_position()) for t in ax.texts}
    assert places["1"] - places["0"] > 0.1
    assert places["2"] == pytest.approx(places["0"])
    assert not [patch for patch in ax.patches if isinstance(patch, mpl.patches.Wedge)]
    assert ax.get_xlim() == figures.clock([[1.5, 0.0]]).get_xlim()  # all clocks have the same scale


def test_a_clock_refuses_what_are_no_hands():
    with pytest.raises(ValueError, match=r"1 to 4 hands of two numbers, \(k, 2\), got shape \(8,\)"):
        figures.clock(np.zeros(8))
    with pytest.raises(ValueError, match=r"got shape \(5, 2\)"):
        figures.clock(np.zeros((5, 2)))
    with pytest.raises(ValueError, match="each of the 2 hands needs one later position, got 1"):
        figures.clock(np.ones((2, 2)), np.ones((1, 2)))


def test_a_cloud_marks_what_lies_outside_of_its_corners():
    points = np.array([[0.5, 0.5], [0.2, 0.1], [2.0, 2.0]])
    ax = figures.scatter_hull(points, X, outside=np.array([False, False, True]), limits=(-1, 3), title="Cloud")
    inside, outside, corners = (line.get_xydata() for line in ax.lines)
    assert inside.tolist() == points[:2].tolist()
    assert outside.tolist() == points[2:].tolist()
    assert corners.tolist() == X.tolist()
    np.testing.assert_array_equal(ax.patches[0].get_xy()[:3], X)
    assert (ax.get_xlim(), ax.get_ylim(), ax.get_title("left")) == ((-1, 3), (-1, 3), "Cloud")
    assert ax.lines[0].get_marker() != ax.lines[1].get_marker()  # distinguishable without colour
    assert len(figures.scatter_hull(points, X).lines[1].get_xydata()) == 0


def test_a_cloud_refuses_other_dimensions():
    with pytest.raises(ValueError, match="two coordinates"):
        figures.scatter_hull(np.ones((4, 3)), X)


def test_progress_fills_what_is_passed():
    ax = figures.progress({"00 · Start": [True], "02 · By hand": [False, True, False], "22 · Last": []})
    filled = [box.get_xy() for box in ax.patches if luminance(box.get_facecolor()) < 0.1]
    assert filled == [(0, 0.1), (1, 1.1)]
    assert len(ax.patches) == 4
    assert [t.get_text() for t in ax.texts] == ["1 of 1", "1 of 3", "no exercises"]
    assert [t.get_text() for t in ax.get_yticklabels()] == ["00 · Start", "02 · By hand", "22 · Last"]


def test_progress_of_the_whole_course_fits_its_picture():
    ax = figures.progress(
        {f"{row:02d} · A title of some forty characters, as": [False] * 8 for row in range(23)}, title="Passed"
    )
    ax.figure.canvas.draw()
    width, height = ax.figure.bbox.width, ax.figure.bbox.height
    for text in [*ax.texts, *ax.get_yticklabels()]:
        box = text.get_window_extent()
        assert min(box.x0, box.y0, width - box.x1, height - box.y1) >= 0, text.get_text()


def test_progress_before_any_sheet_exists():
    assert not figures.progress({}).patches


def test_figures_are_drawn_into_given_axes_and_leave_the_style_alone():
    before = dict(mpl.rcParams)
    left, right = figures.panels(2)
    assert figures.heatmap(np.eye(2), ax=left) is left
    assert figures.plane(X, ax=right) is right
    assert figures.architecture(ax=figures.panels()[0]).figure is not left.figure
    assert dict(mpl.rcParams) == before


def test_asked_lights_what_a_position_sees_and_frames_its_label():
    tokens = ["3", "100", "0", "5", "end"]
    shifted = figures.token_labels(["begin", *tokens[:-1]], tokens, 2)
    above, below = _rows(shifted)
    assert [box.get_label() for box in above] == ["begin", *tokens[:-1]]
    assert [box.get_label() for box in below] == tokens
    assert [to_rgb(box.get_facecolor()[:3]) == to_rgb(INK["sand"]) for box in above] == [True, True, True, False, False]
    assert not any(to_rgb(box.get_facecolor()[:3]) == to_rgb(INK["sand"]) for box in below)
    assert [box.get_linewidth() > 2 for box in above + below] == [False] * 7 + [True] + [False] * 2
    above, below = _rows(figures.token_labels(tokens, tokens, 2))  # the label is among the inputs too
    assert [box.get_linewidth() > 2 for box in above + below] == ([False] * 2 + [True] + [False] * 2) * 2


def _rows(ax) -> tuple[list, list]:
    boxes = sorted(ax.patches, key=lambda box: box.get_x())
    boxes = [box for box in boxes if box.get_label() and not box.get_label().startswith("_")]
    return [box for box in boxes if box.get_y() > 0], [box for box in boxes if box.get_y() == 0]


@pytest.mark.parametrize(("labels", "position"), [(["a"], 0), (["a", "b"], 2), (["a", "b"], -1)])
def test_asked_refuses_what_has_no_label(labels, position):
    with pytest.raises(ValueError, match="one label for each input"):
        figures.token_labels(["x", "y"], labels, position)


def test_a_live_figure_shows_the_whole_run_at_last_and_once_where_nobody_looks(monkeypatch):
    shown = []
    monkeypatch.setenv("TRANSFORMER_COURSE_PROGRESS", "off")
    monkeypatch.setattr("IPython.display.display", lambda figure, display_id: shown.append(figure))
    clock = itertools.count()
    monkeypatch.setattr("time.monotonic", lambda: float(next(clock)))  # each reading of the clock is a second later
    with figures.live(40, "learning") as watch:
        for step in range(1, 41):
            watch(step, 1 / step, {"right": step / 40} if step % 10 == 0 else {})
    (figure,) = shown
    loss, share = figure.axes
    np.testing.assert_allclose(loss.lines[0].get_xydata(), [[step, 1 / step] for step in range(1, 41)])
    np.testing.assert_allclose(share.lines[0].get_xydata(), [[step, step / 40] for step in (10, 20, 30, 40)])
    assert loss.get_xlim() == share.get_xlim() == (0, 40)
    assert loss.get_yscale() == "log"
    assert not plt.get_fignums()  # otherwise the notebook would show it twice


def test_a_live_figure_is_drawn_over_at_most_twice_a_second_and_keeps_what_an_interrupted_run_saw(monkeypatch):
    now, shown = [0.0], []

    class Handle:
        def update(self, figure):
            shown.append((now[0], len(figure.axes[0].lines[0].get_xdata())))

    def display(figure, display_id):
        assert display_id
        shown.append((now[0], len(figure.axes[0].lines[0].get_xdata())))
        return Handle()

    monkeypatch.delenv("TRANSFORMER_COURSE_PROGRESS", raising=False)
    monkeypatch.setitem(sys.modules, "ipykernel", object())
    monkeypatch.setattr("IPython.display.display", display)
    monkeypatch.setattr("time.monotonic", lambda: now[0])

    def interrupted() -> None:
        with figures.live(100) as watch:
            for step in range(1, 13):
                now[0] = step / 5
                watch(step, 1.0)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert shown == [(0.6, 3), (1.2, 6), (1.8, 9), (2.4, 12), (2.4, 12)]


def test_readings_grow_upwards_and_frame_what_is_right():
    letters, shares = [["a", "b", "c"], ["b", "c", "x"]], [[0.8, 0.5, 0.3], [0.2, 0.7, 0.1]]
    ax = figures.logit_lens(letters, shares, ["a", "b", "c"], ["b", "c", "d"], ["bottom", "block 1"], "Read")
    cells = {text.get_position(): text for text in ax.texts}
    assert {place: text.get_text() for place, text in cells.items()} == {
        (n, k): letters[k][n] for k in (0, 1) for n in (0, 1, 2)
    }
    assert ax.get_ylim() == (-0.5, 1.5)  # the first row is at the bottom
    np.testing.assert_array_equal(ax.images[0].get_array(), shares)
    assert ax.images[0].get_clim() == (0, 1)  # the same scale in every figure
    framed = [tuple(round(part) for part in box.get_xy()) for box in ax.patches]
    assert framed == [(0, 1), (1, 1)]
    assert [place for place, text in cells.items() if text.get_weight() == "bold"] == framed
    assert [label.get_text() for label in ax.get_xticklabels()] == ["a", "b", "c"]
    (above,) = ax.child_axes
    assert [label.get_text() for label in above.get_xticklabels()] == ["b", "c", "d"]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["bottom", "block 1"]


@pytest.mark.parametrize(
    ("letters", "shares", "inputs", "labels"),
    [
        ([["a"]], [[1, 0]], "ab", "bc"),
        ([["a", "b"]], [[1, 0]], "a", "bc"),
        ([["a", "b"]], [[1, 0]], "ab", "b"),
        (["a"], [1], "a", "b"),
    ],
)
def test_readings_refuse_what_does_not_fit(letters, shares, inputs, labels):
    with pytest.raises(ValueError, match="a letter per probability"):
        figures.logit_lens(letters, shares, inputs, labels)
