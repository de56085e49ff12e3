"""The stages of the Build: no training while they are graded, and what each shows of its training."""

import re

import pytest
from built_notebooks import made

from transformer_course import course

STAGES = course.stages()
LADDER = [stage for stage in STAGES if any("build_ladder" in cell.text for cell in stage.cells)]  # they train on the text
# What reads the text, or uses something that did; it takes seconds, or does not exist while a stage is graded.
SLOW = r"python_docs\(\)|ladder\.(train|sample|record|bits)|figures\.|\btext\.|\bids = |write\(model"
SLOW += r"|models\.load|number_pairs\(|greedy\(|exact_match\(|vocabular"


@pytest.mark.parametrize("stage", STAGES, ids=lambda s: s.number)
def test_what_takes_long_is_left_out_when_a_stage_is_graded(stage):
    for cell in made(stage).cells:
        if cell.cell_type == "code" and "exercise" not in cell.metadata and re.search(SLOW, cell.source):
            assert "not-graded" in cell.metadata.get("tags", []), cell.source


def test_the_first_four_stages_train_on_the_text():
    assert [stage.number for stage in LADDER][:4] == ["B1", "B2", "B3", "B4"]


@pytest.mark.parametrize("stage", LADDER, ids=lambda s: s.number)
def test_a_stage_shows_a_sample_before_and_after_training_and_its_place_on_the_ladder(stage):
    code = [cell.source for cell in made(stage).cells if cell.cell_type == "code"]
    trained = next(place for place, cell in enumerate(code) if "figures.live" in cell)
    samples = [place for place, cell in enumerate(code) if re.search(r"print\(.*(ladder\.sample|write)\(model", cell)]
    assert min(samples) <= trained < max(samples)
    assert any("figures.ladder" in cell for cell in code[trained:])


def test_a_stage_ends_with_what_comes_next_on_each_of_its_paths(snapshot):
    """A path that ends here names those that can follow it."""
    ends = {
        stage.number: made(stage).cells[-1].source.rpartition("\n\n")[0]
        for stage in map(course.sheet, ("B1", "B4", "B6", "B10", "B12"))
    }
    assert "\n".join(ends.values()) == snapshot
    for stage in STAGES:
        assert "**Next" in made(stage).cells[-1].source
