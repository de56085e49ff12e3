"""The map of what a learner has built: which exercise fills which part, and where each part leads."""

import re
from pathlib import Path

import pytest

from transformer_course import course
from transformer_course._util import paths
from transformer_course._util.folder_record import write_record
from transformer_course.course import Stage
from transformer_course.exercises import choose_path, my_progress, passes
from transformer_course.figures.model_map import PARTS


def shown(part: str, start: Path = paths.ROOT / "notebooks") -> tuple[str, str, str]:
    """Return the look of a part's box, where it leads, and what it says of that."""
    tag, place = re.search(
        rf"<((?:a|span) [^>]*)>{PARTS[part]} <small>(.*?)</small>", my_progress(start)._repr_html_()
    ).groups()
    return re.search(r'class="part ?(\w*)', tag)[1], (re.findall(r'href="(.*?)"', tag) or [""])[0], place


def test_each_part_of_the_map_is_built_in_the_build():
    built = {part for part, builders in course.builders().items() if any(isinstance(source, Stage) for source, _ in builders)}
    assert built == {*course.builders()} == {*PARTS}


def test_a_part_is_half_filled_by_its_sheet_and_filled_by_the_build(home):
    choose_path("everything")
    assert shown("norm") == ("", "../exercises/B4_a_gpt.ipynb", "B4")  # in sheet 11 it is practice
    passes.remember("layers.standardised")  # another exercise of that sheet
    assert shown("norm") == ("half", "../exercises/B4_a_gpt.ipynb", "½ B4")
    passes.remember("build.layer_norm")
    assert shown("norm") == ("built", "../exercises/B9_from_a_gpt_to_a_llama.ipynb", "✓ next: B9")
    passes.remember("build.rms_norm")
    assert shown("norm") == ("built", "../exercises/B9_from_a_gpt_to_a_llama.ipynb", "✓ B9")
    assert repr(my_progress()).startswith("1 of 15 parts of the model built: LayerNorm.\n")


def test_a_part_leads_to_what_is_open_on_the_path_or_else_to_the_build(home):
    choose_path("gpt")
    assert shown("norm")[2] == "B4"
    assert shown("mask")[2] == "B2"  # in sheet 04, which is on the path, it is practice
    assert shown("encoder")[2] == "B5"  # nor this stage, but one builds it nowhere else
    passes.remember("build.layer_norm")
    assert shown("norm") == ("built", "../exercises/B4_a_gpt.ipynb", "✓ B4")  # B9 is not on the path
    passes.remember("build.sample")
    assert shown("choice")[2] == "✓ next: B7"


def test_a_part_is_no_link_where_the_folder_lacks_its_notebook(home, tmp_path):
    for folder in paths.FOLDERS:
        (tmp_path / folder).mkdir()
    write_record(tmp_path, {})
    stage = course.stage("B4").link
    (tmp_path / stage).touch()
    assert shown("norm", tmp_path / "exercises") == ("", Path(stage).name, "B4")
    assert shown("mask", tmp_path / "exercises") == ("", "", "B2")


@pytest.mark.parametrize("path", ["gpt", "ideas"])
def test_below_the_map_are_the_count_what_is_next_and_a_list_of_what_is_open(home, path, snapshot):
    choose_path(path)
    passes.remember("start.average")
    passes.remember("build.encode")
    _, _, below = my_progress(paths.ROOT / "notebooks")._repr_html_().partition('role="group"')
    below = re.sub(r"^.*?(?=<div>)", "", below, flags=re.DOTALL)
    assert re.sub(r"(?<=>)(?=<)", "\n", below) == snapshot
