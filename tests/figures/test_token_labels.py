"""Inputs and labels of a sequence, and what one position sees."""

import pytest
from matplotlib.colors import to_rgb

from transformer_course import figures
from transformer_course.figures.style import LIT


def test_asked_lights_what_a_position_sees_and_frames_its_label():
    tokens = ["3", "100", "0", "5", "end"]
    shifted = figures.token_labels(["begin", *tokens[:-1]], tokens, 2)
    above, below = _rows(shifted)
    assert [box.get_label() for box in above] == ["begin", *tokens[:-1]]
    assert [box.get_label() for box in below] == tokens
    assert [box.get_facecolor()[:3] == to_rgb(LIT) for box in above] == [True, True, True, False, False]
    assert not any(box.get_facecolor()[:3] == to_rgb(LIT) for box in below)
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
