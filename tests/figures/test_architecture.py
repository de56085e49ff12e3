"""The map of the whole Transformer."""

import io

import matplotlib.pyplot as plt
import pytest
from IPython.core.pylabtools import print_figure
from matplotlib.colors import to_rgb

from transformer_course import figures
from transformer_course.figures.architecture import PARTS
from transformer_course.figures.style import LIT


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


def test_a_small_map_fits_above_a_lessons_text_and_names_the_lit_parts_alone():
    ax = figures.architecture("cross-attention", "output layer", small=True)
    assert lit_boxes(ax) == {"cross-attention", "output layer"}
    labels = {part.label for part in PARTS.values()}
    assert {text.get_text() for text in ax.texts} & labels == {"Cross-attention", "Linear"}
    picture = plt.imread(io.BytesIO(print_figure(ax.figure, "png")))
    assert picture.shape[0] * min(1, 720 / picture.shape[1]) <= 290


def test_a_large_map_has_large_type_that_fits_into_the_boxes():
    ax = figures.architecture(*PARTS, large=True)
    ax.figure.canvas.draw()
    written = {text.get_text(): text for text in ax.texts if text.get_text()}
    assert min(text.get_fontsize() for text in written.values()) == 15
    for name, part in PARTS.items():
        box = next(patch for patch in ax.patches if patch.get_label() == name).get_window_extent()
        label = next(text for text in ax.texts if text.get_text() == part.label and near(text, part)).get_window_extent()
        assert box.x0 < label.x0 < label.x1 < box.x1, name
        assert box.height > 0.9 * label.height, name
    page = ax.figure.bbox
    assert all(page.x0 <= text.get_window_extent().x0 and text.get_window_extent().x1 <= page.x1 for text in written.values())


def near(text, part) -> bool:
    return part.x < text.get_position()[0] < part.x + 4 and part.y < text.get_position()[1] < part.y + 1
