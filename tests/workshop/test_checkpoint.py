"""The states to rejoin from: they open with what comes next, and everything that is led after a break runs from them."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from workshop_pages import EACH_WRITTEN

from transformer_course import course
from transformer_course._util import paths
from transformer_course._util.paths import RECORD
from transformer_course.authoring.execute import run
from transformer_course.exercises import catalogue
from transformer_course.exercises.solutions import BEGIN
from transformer_course.experiments.translation import STEPS
from transformer_course.folders.learner_folder import deliver, handed_out, sync_files
from transformer_course.workshop import lesson, session_contents
from transformer_course.workshop.plans import PLANS
from transformer_course.workshop.sessions import Break, Lead, Plan, Practise, Project


def states(plan: Plan, content: dict) -> Iterator[tuple[int, str]]:
    """Each break's index, and its folder."""
    for at, name in plan.rejoin_folders().items():
        assert isinstance(plan.items[at], Break)
        assert {key.removeprefix(f"{name}/") for key in content if key.startswith(f"{name}/")} == {
            source.link for source in course.sources() if source.number in (*plan.lessons(), *plan.stages())
        } | {RECORD}
        yield at, name


@EACH_WRITTEN
def test_a_state_opens_with_what_follows_the_break_and_stays_as_it_is(plan, contents, tmp_path):
    content = contents[plan.name]
    for at, name in states(plan, content):
        sync_files(tmp_path, {key: text for key, text in content.items() if key.startswith(f"{name}/")})
        only, first = handed_out(tmp_path / name)
        upcoming = next(item for item in plan.items[at:] if isinstance(item, Lead | Practise | Project))
        assert Path(first).name.split("_")[0] == (upcoming.stage if isinstance(upcoming, Project) else upcoming.lesson)
        assert (tmp_path / name / first).exists()
        assert (Path(first).parent.name == "notebooks") == isinstance(upcoming, Lead)
        delivery = deliver(tmp_path / name, only)
        assert (set(delivery.added), delivery.updated, delivery.left) == (set(paths.PAGES), [], [])


@EACH_WRITTEN
def test_a_state_shows_outputs_up_to_the_stop_and_nothing_of_what_comes(plan, contents):
    content = contents[plan.name]
    for at, name in states(plan, content):
        for number in plan.lessons():
            original = lesson.stored(number)
            cells = nbformat.reads(content[f"{name}/{course.lesson(number).link}"], as_version=4).cells
            going_on = [cell for cell in cells if cell.id == "go-on-here"]
            led = [item for item in plan.items[:at] if isinstance(item, Lead) and item.lesson == number]
            ahead = [item for item in plan.items[at:] if isinstance(item, Lead) and item.lesson == number]
            assert bool(going_on) == bool(led and ahead)
            links = re.findall(r"\]\(([^():]+\.ipynb)\)", cells[-1].source)
            assert links or number == "00"  # which has no sheet
            assert all(os.path.normpath(f"{name}/notebooks/{link}") in content for link in links)
            code = [cell for cell in cells if cell.cell_type == "code"]
            originals = [cell for cell in original.cells if cell.cell_type == "code"]
            assert [cell.source for cell in code] == [cell.source for cell in originals]
            with_output = {
                original.cells[index].id for lead in led for part in session_contents.covered(lead) for index in part.cells
            }
            for cell, full in zip(code, originals, strict=True):
                assert cell.outputs == (full.outputs if cell.id in with_output else [])
            if led:
                assert sum(bool(cell.outputs) for cell in code) >= 2  # lesson 00 has no more in the part that is led


@EACH_WRITTEN
def test_in_a_state_what_was_practised_is_solved_and_passes_and_the_rest_is_empty(plan, contents, monkeypatch):
    monkeypatch.setenv("TRANSFORMER_COURSE_PROGRESS", "off")
    seen = set()
    for at, name in states(plan, contents[plan.name]):
        done = {exercise for item in plan.items[:at] if isinstance(item, Practise) for exercise in item.exercises}
        for number in [number for number in plan.lessons() if number != "00"]:
            text = contents[plan.name][f"{name}/{course.sheet(number).link}"]
            if text in seen:
                continue
            seen.add(text)
            assert BEGIN not in text
            names: dict = {}
            for cell in nbformat.reads(text, as_version=4).cells:
                call = re.fullmatch(r'check\("([\w.]+)"\)', cell.source)
                if call:
                    card = names["check"](call[1], names[catalogue()[call[1]].answer_name])
                    assert bool(card) == (call[1] in done), card
                    assert call[1] in done or "There's no answer in" in str(card)
                elif cell.cell_type == "code":
                    exec(cell.source, names)


# Each part that some plan leads otherwise than its lesson runs under nbval: not from the first cell on, not one cell after
# another, or, in lesson 15, with less training. Plans may stop at different headings of it.
LED = {(item.lesson, item.start, item.cut) for plan in PLANS.values() for item in plan.items if isinstance(item, Lead)}


@pytest.mark.slow
@pytest.mark.parametrize(
    "part",
    sorted((number, start, cut) for number, start, cut in LED if start or cut or number == "15"),
    ids=lambda part: f"{part[0]}{'-second' * bool(part[1])}{'-cut' * bool(part[2])}",
)
def test_what_is_led_runs_from_the_state_of_the_break_before_it(part, contents, tmp_path):
    """Without what is left out, up to the farthest stop of all plans, in a fresh kernel. (Before the first break, from what
    learners were given.)"""
    leads = [
        (len(session_contents.covered(item)), name, at)
        for name, plan in PLANS.items()
        for at, item in enumerate(plan.items)
        if isinstance(item, Lead) and (item.lesson, item.start, item.cut) == part
    ]
    _, name, at = max(leads)
    plan, lead = PLANS[name], PLANS[name].items[at]
    notebook = nbformat.from_dict(lesson.stored(lead.lesson))
    if before := [index for index, _ in plan.breaks() if index < at]:
        state = plan.rejoin_folders()[before[-1]]
        notebook = nbformat.reads(contents[name][f"{state}/{course.lesson(lead.lesson).link}"], as_version=4)
    original = lesson.stored(lead.lesson).cells
    wanted = [*session_contents.setup_cells(lead), *(index for part in session_contents.covered(lead) for index in part.cells)]
    ids = {original[index].id for index in wanted if original[index].cell_type == "code"}
    notebook.cells = [cell for cell in notebook.cells if cell.id in ids]
    assert len(notebook.cells) == len(ids) >= 3  # of lesson 00, half a day leads two headings
    if (lead.lesson, lead.start) == ("15", ""):
        train_less(notebook)
    run(notebook, tmp_path)
    assert any(cell.outputs for cell in notebook.cells)


def train_less(notebook) -> None:
    """Cut the training of lesson 15 short: a run that ends far below the lesson's score must not stop a room either."""
    (cell,) = [cell for cell in notebook.cells if f"effort.steps({STEPS})" in cell.source]
    cell.source = cell.source.replace(f"effort.steps({STEPS})", "120")


@pytest.mark.slow
def test_after_a_groups_project_its_stage_is_solved(contents):
    names = PLANS["two-days"].rejoin_folders()
    before, *_, last = names.values()
    solved = ["self.w_q = nn.Linear" in contents["two-days"][f"{name}/exercises/B2_one_head.ipynb"] for name in (before, last)]
    assert solved == [False, True]


@pytest.mark.slow
def test_what_a_project_is_given_is_solved_in_the_folder_that_its_groups_open(contents):
    (project,) = (item for item in PLANS["two-days"].items if isinstance(item, Project) and item.given)
    *_, last = PLANS["two-days"].rejoin_folders().values()
    assert last.endswith(f"before-{project.stage}")
    stage = contents["two-days"][f"{last}/{course.stage(project.stage).link}"]
    lines = {
        "build.tokenizer": "return decode_ids(",
        "build.generate_text": "torch.multinomial(probabilities",
        "build.fit": "best = min(best",
    }
    assert {name for name, line in lines.items() if line in stage} == {*project.given}
