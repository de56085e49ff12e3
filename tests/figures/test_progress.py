"""How far a learner has got, as a picture."""

import matplotlib as mpl

from transformer_course import figures

mpl.use("agg")


def test_progress_fills_what_is_passed():
    ax = figures.progress({"00 · Start": [True], "02 · By hand": [False, True, False], "22 · Last": []})
    first, *others = [box.get_xy() for box in ax.patches]
    assert {y for _, y in others} == {first[1] + 1}  # the next row
    assert others[0][0] == first[0]
    assert [box.get_facecolor()[3] > 0 for box in ax.patches] == [True, False, True, False]
    written = ["00 · Start", "1 of 1", "02 · By hand", "1 of 3", "22 · Last", "reading"]
    assert [t.get_text() for t in ax.texts] == written


def test_progress_of_the_whole_course_fits_its_picture_and_no_text_touches_another():
    sheets = {f"{row:02d} · A title of some forty characters, as": [False] * 8 for row in range(30)}
    ax = figures.progress({**sheets, "30 · Last": []}, title="Passed")
    ax.figure.canvas.draw()
    width, height = ax.figure.bbox.width, ax.figure.bbox.height
    boxes = [text.get_window_extent() for text in ax.texts]
    for place, box in enumerate(boxes):
        assert min(box.x0, box.y0, width - box.x1, height - box.y1) >= 0, ax.texts[place].get_text()
        assert not [other for other in boxes[place + 1 :] if box.padded(1).overlaps(other)], ax.texts[place].get_text()


def test_progress_before_any_sheet_exists():
    assert not figures.progress({}).patches
