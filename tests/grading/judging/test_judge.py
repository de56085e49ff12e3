"""Whatever a learner's process sends, it is judged or it breaks the protocol, and nothing else comes of it."""

import contextlib
import math
import random
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import sampling
from examining import EXERCISES
from grading_a_class import PATIENT
from random_answers import LONG, OF_EACH_KIND, array, near, some_outcomes

from transformer_course.exercises.exercise import Exercise, Verdict
from transformer_course.grading.judging import judge
from transformer_course.grading.sandbox.supervisor import Ended
from transformer_course.grading.submissions.notebook_file import Cell
from transformer_course.runner import wire
from transformer_course.runner.link import Late


class Liar:
    """A learner's process that sends the messages in its script, and then fails."""

    def __init__(self, script: list, last: Exception):
        self.script, self.last, self.used, self.waited = script, last, 0.0, 0.0

    def send(self, value, deadline: float) -> None:
        wire.encode(value)

    def look(self, seconds: float) -> None:
        pass

    def receive(self, deadline: float):
        if not self.script:
            self.used = math.inf
            raise self.last
        return wire.decode(wire.encode(self.script.pop(0)))

    def processor_seconds(self) -> float:
        return self.used


def lies(truth: list, dice: random.Random) -> Liar:
    """Return a process that sends almost the right messages, or something else."""
    script = [near(message, dice) if dice.random() < 0.2 else message for message in truth]
    if script and dice.random() < 0.3:
        place = dice.randrange(len(script))
        script[place : place + dice.randrange(2)] = dice.choices(script, k=dice.randrange(3))
    return Liar(script, dice.choice((Late(), Ended(-9), Ended(0), wire.WireError())))


def submission(sources: list[str], exercise: Exercise, seed: int = 0) -> judge.Judge:
    cells = [Cell(source, None, ()) for source in sources]
    return judge.Judge(cells, [exercise], seed, None, PATIENT)


def test_a_cell_that_changes_an_answer_is_named():
    shapes, softmax = (next(each for each in EXERCISES if each.answer_name == name) for name in ("shapes", "softmax"))
    cells = [
        Cell("shapes = 1\nshapes = [(7, 6)]", shapes.id, ()),
        Cell("def softmax(x):\n    return x", softmax.id, ()),
        Cell("seen = shapes == 0\n    shapes = 3", None, ()),
        Cell("x = 1\nshapes = 0", None, ()),
    ]
    named = [*judge._assigned_again(cells, [shapes, softmax])]
    assert named == ["Code cell 4 gives `shapes` another value. The graded value is the one after the last cell."]
    assert [*judge._assigned_again(cells, [softmax])] == []
    for again in ("def softmax(x): ...", "class softmax: ..."):
        assert len([*judge._assigned_again([*cells, Cell(again, None, ())], [softmax])]) == 1
    assert [*judge._assigned_again(cells[1:], [shapes])] == []  # the cell's metadata is lost: nobody knows which one answers


@pytest.mark.parametrize("script", [[], [{"ended": 1, "error": None, "remarks": []}, {"ready": True}]])
def test_a_process_that_is_killed_for_its_memory_needed_too_much(script):
    """Whether a cell or the answer did."""
    exercise = next(each for each in EXERCISES if each.answer_name == "softmax")
    asked = judge.Judge([Cell("softmax = 1", exercise.id, ())], [exercise], 0, None, PATIENT)
    process = Liar(script, Ended(-9, memory=True))
    verdict = None
    if asked._run_cells(process):
        asked._judge(process, exercise)
        verdict = asked.verdicts[exercise.id]
    verdict = verdict or asked._missing(exercise)
    assert verdict.reason == "memory"
    assert "it needed more than 1024 MiB of memory" in verdict.message


def test_a_notebook_that_a_busy_computer_does_not_finish_has_no_mark(monkeypatch):
    exercise = EXERCISES[0]
    supervisor = SimpleNamespace(process=lambda: contextlib.nullcontext(Liar([], Late())))
    graded = judge.grade([Cell("x = 1", None, ())], [exercise], 0, supervisor, replace(PATIENT, clock=0.0))
    assert graded.verdicts == {exercise.id: None}
    assert "too busy" in graded.notes[0]


def test_what_a_lost_process_has_used_is_missing_in_the_next_one():
    supervisor = SimpleNamespace(process=lambda: contextlib.nullcontext(Liar([{"ready": True}], Ended(-9))))
    graded = judge.grade([], EXERCISES[:2], 0, supervisor, PATIENT)
    assert [verdict.reason for verdict in graded.verdicts.values()] == ["ended", "timeout"]


def test_a_cell_that_asks_us_alone_is_not_run():
    asks = ['check("attention.softmax", softmax)', "\nhint('attention.softmax')\n", 'solution("attention.softmax")']
    runs = [
        'check("attention.softmax", softmax); x = 1',
        'check("attention.softmax", x := 1)',
        "check(name, f())",
        "check = 1",
    ]
    assert list(submission([*asks, *runs], EXERCISES[0]).cells) == [4, 5, 6, 7]


def verdict_on_lies(exercise: Exercise, seed: int) -> Verdict:
    """Judge what a process says of its answer. No verdict would mean a bug on our side."""
    dice = random.Random(f"{exercise.id} {seed}")
    asked_with = dice.randrange(3)
    with np.errstate(all="ignore"):
        answers = [outcome.as_data() for outcome in some_outcomes(exercise, asked_with, dice)]
        answers[-1]["mutated_argument"] = dice.choice((*[answers[-1]["mutated_argument"]] * 3, 1, 99))
        truth = [{"answers": answers}]
        call = {"call": [dice.randrange(len(exercise.questions(asked_with)) or 1), [array(dice, (2, 3))]]}
        truth[:0] = [call] * dice.choice((0, 0, 0, 1, 5))
        truth[:0] = dice.choice(([], [], [], [], [], [{"missing": True}], [{"answers": None}]))
        process = lies(truth, dice)
    asked = submission([], exercise, asked_with)
    asked._judge(process, exercise)
    assert asked.verdicts[exercise.id] is not None, f"{exercise.id}, seed {seed}"
    return asked.verdicts[exercise.id]


def test_whatever_is_said_of_an_answer_it_has_a_verdict():
    """Some of what is said breaks the protocol, and some does not."""
    reasons = [verdict_on_lies(each, seed).reason for each in OF_EACH_KIND for seed in range(1 if each.id in LONG else 4)]
    assert 0.1 < reasons.count("ended") / len(reasons) < 0.9


@pytest.mark.slow
@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.id)
def test_whatever_is_drawn_to_be_said_of_an_answer_it_has_a_verdict(exercise):
    for seed in sampling.seeds(10, "judge", exercise.id):
        verdict_on_lies(exercise, seed)


def test_whatever_is_said_of_cells_they_were_run_or_one_is_left_out():
    dice, ran = random.Random(1), 0
    for _ in range(500):
        truth = []
        for number in (1, 2):
            error = dice.choice((None, None, ["NameError", "name 'x' is not defined"], ["\ud800" * 9, ""]))
            remarks = dice.choice(([], ["`!ls` was not run"], [""] * 99))
            truth.append({"ended": number, "error": error, "remarks": remarks})
        with np.errstate(all="ignore"):
            process = lies([*truth, {"ready": True}], dice)
        asked = submission(["x = 1", "\n y"], EXERCISES[0])
        to_the_end = asked._run_cells(process)
        ran += to_the_end
        assert len(asked.cells) == 2 if to_the_end else len(asked.cells) == 1
        assert all(isinstance(note, str) and len(note) < 1000 for notes in asked.notes.values() for note in notes)
        assert all(len(notes) <= 6 for notes in asked.notes.values())
    asked, raised = submission(["x"], EXERCISES[0]), {"ended": 1, "error": ["NameError", "x"], "remarks": ["seen"]}
    assert [asked._run_cells(Liar([raised, {"ready": True}], Late())) for _ in range(2)] == [True, True]
    assert asked.notes[1] == ["Code cell 1 (`x`): seen", "Code cell 1 (`x`) raised NameError: x"]  # once, as for one run
    assert 50 < ran < 450
