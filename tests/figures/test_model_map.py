"""The map of the model: what is filled, where each part leads, and that everybody can read it on any screen."""

import re

import pytest
from axe import serious_faults
from chromium import chromium, open_page

from transformer_course import figures
from transformer_course.figures.model_map import BUILT, HALF, PARTS, Part, model_map

MIXED = {
    name: Part(("", HALF, BUILT)[place % 3], "sheet 09" if place % 2 else "B4", "#here") for place, name in enumerate(PARTS)
}
WIDER = """[...document.querySelectorAll('.course-map *')]
    .filter(each => each.scrollWidth > each.clientWidth + 1 && each.clientWidth).map(each => each.textContent)"""


def box(drawn: str, name: str) -> str:
    """Return the tag that begins the box of a part, and what is in it."""
    (found,) = re.findall(rf"<(?:a|span) [^>]*>{re.escape(PARTS[name])} <small>.*?</small>", drawn)
    return found


def test_each_part_has_one_box_that_says_its_state_and_where_it_leads():
    shown = model_map({"mask": Part(BUILT, "B2", "../B2.ipynb"), "norm": Part(HALF, "B4", "../B4.ipynb")}, "Title")
    boxes = {name: box(shown._repr_html_(), name) for name in PARTS}
    assert boxes["mask"] == '<a class="part built" href="../B2.ipynb" aria-label="Mask ✓ B2: built">Mask <small>✓ B2</small>'
    assert 'class="part half" href="../B4.ipynb" aria-label="LayerNorm ½ B4: its sheet is begun"' in boxes["norm"]
    assert boxes["head"] == '<span class="part">One head <small></small>'
    assert {name for name, each in boxes.items() if "left-out" in each} == {"encoder", "decoder"}
    assert repr(shown) == "Title: 1 of 15 parts of the model built: Mask."


def test_a_part_that_the_map_does_not_have_is_an_error():
    with pytest.raises(ValueError, match="unknown part 'maks'; the map has tokens, "):
        model_map({"maks": Part()})


def test_a_copy_of_an_older_lesson_00_shows_the_map_too(monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", shown.append)
    figures.progress("what my_progress returns", title="Passed so far")
    assert shown == ["what my_progress returns"]


def test_on_any_screen_the_map_fits_and_has_no_serious_fault():
    drawn = model_map(MIXED, "Title")._repr_html_()
    with chromium() as browser:
        page = open_page(browser, offline=True)
        for ground, text in (("#FFFFFF", "#212121"), ("#111111", "#FFFFFF")):
            page.set_content(f"<main style='background: {ground}; color: {text}; font-family: sans-serif'>{drawn}</main>")
            for width in (1280, 390, 320):
                page.set_viewport_size({"width": width, "height": 800})
                assert page.evaluate(WIDER) == []
            assert serious_faults(page, [".course-map"]) == []
