"""Attention weights as an HTML table."""

import re
from xml.etree import ElementTree

import pytest
from contrast import contrast
from matplotlib.colors import to_rgb

from transformer_course._util.palette import PALETTE
from transformer_course.figures.attention_table import PURPLE, STRONGEST, attention_table

WEIGHTS = [[0.96, 0.04, 0.0], [0.05, 0.25, 0.7]]


def rows_of(page: str) -> list[list[str]]:
    table = ElementTree.fromstring(re.search(r"<table.*</table>", page.replace("<br>", "<br/>"))[0])
    return [["".join(cell.itertext()) for cell in row] for row in table]


def test_the_table_has_a_row_per_word_a_column_per_character_and_leaves_small_weights_blank():
    page = attention_table(WEIGHTS, ["二", "<"], ["two", "a & b", "c"], ["2", ""], "Where it looked")
    assert rows_of(page) == [["", "二2", "<"], ["two", "96", "5"], ["a & b", "", "25"], ["c", "", "70"]]
    assert page.startswith('<div style="padding:.4em 0">Where it looked</div>')


def test_labels_must_fit_the_weights():
    with pytest.raises(ValueError, match="zip"):
        attention_table(WEIGHTS, ["one"], ["a", "b", "c"], ["1", "2"], "")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_darkest_cell_is_readable_in_both_themes(theme):
    ground, text = (to_rgb(PALETTE["jupyterlab"][name][theme]) for name in ("ground", "text"))
    purple = [int(part) / 255 for part in PURPLE.split(",")]
    cell = [STRONGEST * ours + (1 - STRONGEST) * behind for ours, behind in zip(purple, ground, strict=True)]
    assert contrast(text, cell) >= 4.5
