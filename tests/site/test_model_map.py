"""The map of the model on the site: every part leads to a page."""

import re
from pathlib import Path

import pytest

from transformer_course._util import paths
from transformer_course.figures.model_map import PARTS
from transformer_course.site import pages
from transformer_course.site.model_map import model_map
from transformer_course.site.notebook_page import write_page

KEYS = {Path(key).with_suffix(".html").as_posix() for part in pages.parts().values() for key in part}


def test_on_a_page_at_the_top_every_part_is_a_link_to_a_page():
    links = re.findall(r'<a [^>]*href="(.*?)"', model_map())
    assert len(links) == len(PARTS)
    assert {*links} <= KEYS
    assert "\n" not in model_map()  # in Markdown, a blank line would end it


@pytest.mark.parametrize("key", ["notebooks/00_start_here.ipynb", "exercises/B4_a_gpt.ipynb"])
def test_the_map_in_a_lesson_and_at_the_end_of_a_stage_leads_to_pages_too(key, tmp_path):
    (tmp_path / key).parent.mkdir()
    write_page(paths.ROOT / key, tmp_path, key, ())
    written = (tmp_path / key).read_text(encoding="utf-8")
    links = re.findall(r"<a class=.{1,2}part[^>]*href=.{1,2}\.\./([\w/]+\.\w+)", written)
    assert len(links) == len(PARTS)
    assert {*links} <= KEYS
