"""The map of the whole Transformer."""

import matplotlib as mpl
import pytest
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
