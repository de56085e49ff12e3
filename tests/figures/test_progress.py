"""How far a learner has got, as a picture."""

import matplotlib as mpl

from transformer_course import figures

mpl.use("agg")


def test_progress_fills_what_is_passed():
    ax = figures.progress({"00 · Start": [True], "02 · By hand": [False, True, False], "22 · Last": []})
    filled = [box.get_xy() for box in ax.patches if box.get_facecolor()[3] > 0]
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
