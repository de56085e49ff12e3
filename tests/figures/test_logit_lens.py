"""The most likely token at each layer and position."""

import numpy as np
import pytest

from transformer_course import figures


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
