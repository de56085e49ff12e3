"""A figure that grows while a model learns."""

import html
import itertools
import re
import sys

import matplotlib.pyplot as plt
import numpy as np
import pytest

from transformer_course import figures


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


def test_the_loss_on_held_out_text_is_a_second_curve_as_far_as_it_was_measured():
    watch = figures.live(40)
    for step in range(1, 31):
        watch(step, 1.0, held_out=2 - step / 40 if step in (1, 11, 21) else None)
    (axes,) = watch.draw()
    steps, values = axes.lines[1].get_xdata(), axes.lines[1].get_ydata()
    np.testing.assert_allclose(values[:21], 2 - steps[:21] / 40)
    assert np.isnan(values[21:]).all()
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["training batches", "held-out text"]
    plt.close(axes.figure)


@pytest.mark.parametrize(("lowest", "expected"), [(0.55, ["0.6", "1", "2"]), (0.003, ["$\\mathdefault{10^{-2}}$"])])
def test_losses_of_less_than_a_power_of_ten_have_plain_labels(lowest, expected):
    watch = figures.live(40)
    watch.losses = list(np.geomspace(3, lowest, 40))
    (axes, *_) = watch.draw()
    axes.figure.canvas.draw()
    labels = {label.get_text() for minor in (False, True) for label in axes.get_yticklabels(minor=minor)}
    assert {*expected} <= labels
    plt.close(axes.figure)


def test_a_live_figure_is_drawn_over_at_most_twice_a_second_and_keeps_what_an_interrupted_run_saw(monkeypatch):
    now, shown, labels = [0.0], [], []

    class Handle:
        def update(self, figure):
            labels.append(figure.axes[0].get_xlabel())
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
    assert labels == ["step", "step", "step (about 18 s left)", "step"]  # no estimate before ten steps


def test_samples_become_a_table_below_the_figure(monkeypatch):
    shown = []
    monkeypatch.setenv("TRANSFORMER_COURSE_PROGRESS", "off")
    monkeypatch.setattr("IPython.display.display", lambda content, display_id: shown.append(content))
    with figures.live(4) as watch:
        for step in range(1, 5):
            watch(step, 1.0, samples={"twelve": f"<{step}>", "two": "二"} if step % 2 == 0 else None)
    figure, table = shown
    assert figure.axes
    rows = re.findall(r"<tr>(.*?)</tr>", table.data)
    texts = [[html.unescape(cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)] for row in rows]
    assert texts == [["step", "twelve", "two"], ["2", "<2>", "二"], ["4", "<4>", "二"]]


def test_without_accuracies_the_loss_has_the_figure_to_itself(monkeypatch):
    monkeypatch.setattr("IPython.display.display", lambda figure, display_id: None)
    with figures.live(3) as watch:
        for step in (1, 2, 3):
            watch(step, 1.0)
    (ax,) = watch.draw()
    assert ax.get_ylabel() == "loss (log scale)"
    assert ax.get_xlim() == (0, 3)
