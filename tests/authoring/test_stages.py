"""The stages of the Build: short enough, every exercise tried before it is checked, and no training while they are graded."""

import itertools
import re

import pytest

from transformer_course._util import headings, paths
from transformer_course.authoring import build

STAGES = paths.stages()
LADDER = [stage for stage in STAGES if "build_ladder" in stage.read_text(encoding="utf-8")]  # those that train on the text
# What reads the text, or uses something that did; it takes seconds, or does not exist while a stage is graded.
SLOW = r"python_docs\(\)|ladder\.(train|sample|record|bits)|figures\.|\btext\.|\bids = |write\(model"
SLOW += r"|models\.load|number_pairs\(|greedy\(|exact_match\(|vocabular"


@pytest.mark.parametrize("stage", STAGES, ids=lambda s: s.stem[:2])
def test_a_stage_has_at_most_1200_words_and_states_the_minutes_of_the_whole(stage):
    words = sum(len(cell.source.split()) for cell in build.notebook_of(stage).cells[1:-1] if cell.cell_type == "markdown")
    assert words <= 1200
    exercises = sum(heading.minutes for heading in headings.exercises(stage).values())
    assert exercises + 5 <= headings.minutes(stage) <= 75


@pytest.mark.parametrize("stage", STAGES, ids=lambda s: s.stem[:2])
def test_what_takes_long_is_left_out_when_a_stage_is_graded(stage):
    for cell in build.notebook_of(stage).cells:
        if cell.cell_type == "code" and "exercise" not in cell.metadata and re.search(SLOW, cell.source):
            assert "not-graded" in cell.metadata.get("tags", []), cell.source


def test_the_first_four_stages_train_on_the_text():
    assert [stage.stem[:2] for stage in LADDER][:4] == ["B1", "B2", "B3", "B4"]


@pytest.mark.parametrize("stage", LADDER, ids=lambda s: s.stem[:2])
def test_a_stage_shows_a_sample_before_and_after_training_and_its_place_on_the_ladder(stage):
    code = [cell.source for cell in build.notebook_of(stage).cells if cell.cell_type == "code"]
    trained = next(place for place, cell in enumerate(code) if "figures.live" in cell)
    samples = [place for place, cell in enumerate(code) if re.search(r"print\(.*(ladder\.sample|write)\(model", cell)]
    assert min(samples) <= trained < max(samples)
    assert any("figures.ladder" in cell for cell in code[trained:])


@pytest.mark.parametrize("stage", STAGES, ids=lambda s: s.stem[:2])
def test_every_figure_of_a_stage_is_described(stage):
    cells = build.notebook_of(stage).cells
    for cell, after in itertools.pairwise(cells):
        if cell.cell_type == "code" and "figures." in cell.source:
            assert after.source.startswith("**In the picture:**"), cell.source
