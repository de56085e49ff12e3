"""The map of the whole Transformer."""

import io

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest
from IPython.core.pylabtools import print_figure
from matplotlib.colors import to_rgb

from transformer_course import figures
from transformer_course.figures.architecture import PARTS
from transformer_course.figures.style import LIT

mpl.use("agg")


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
