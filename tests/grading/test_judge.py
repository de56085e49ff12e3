"""Whatever a learner's process says: either it is not as agreed, or it is judged; nothing else comes of it."""

import contextlib
import json
import random
import time
from dataclasses import asdict, replace

import numpy as np
import pytest

from transformer_course.exercises import catalogue, solutions
from transformer_course.exercises.exercise import Exercise, Verdict, examine, show
from transformer_course.exercises.kinds import Implement
from transformer_course.grading.judging import conversation, judge
from transformer_course.grading.sandbox.supervisor import Ended
from transformer_course.grading.submissions.notebook_file import Cell
from transformer_course.runner import wire
from transformer_course.runner.link import Late
from transformer_course.runner.run import Outcome, record, respond

EXERCISES = list(catalogue().values())
REASONS = {"passed", "empty", "mistake", "property", "value", "shape", "dtype", "type", "mutated", "error", "timeout"}
NAN, INF = float("nan"), float("inf")
NUMBERS = [0, 1, 1, 2, -1, 50, 2**63 - 1, -(2**63), 0.0, 0.5, 1.0, 1e-320, 1e300, -1e308, NAN, INF, -INF, True, False]
WORDS = ["", "a", "b", "lstm", "claim", " g ", "x" * 2000, "\ud800", "NoneType", "tuple", "ellipsis", "1", "model", "\n`"]
ERRORS = [
    None,
    None,
    None,
    "",
    "ValueError",
    "NotImplementedError",
    "TimeLimit",
    "NotAFunction",
    "KeyboardInterrupt",
    "x" * 2000,
]
MESSAGES = [*WORDS, "matmul: Input operand 1 has a mismatch (size 3 is different from 4)" * 25, "values to unpack", "'dim'"]
SHAPES = [
    (),
    (0,),
    (1,),
    (3,),
    (4, 3),
    (3, 3),
    (2, 0),
    (0, 2**20),
    (1, 1, 1, 1, 1),
    (2, 2, 1, 2),
    (101, 100),
    (2, 3, 5),
    (1,) * 15,
]


def anything(dice: random.Random, depth: int = 0):
    """A value of any kind that can arrive."""
    kind = dice.randrange(9 if depth < 3 else 5)
    if kind == 0:
        return dice.choice((None, dice.choice(WORDS)))
    if kind < 3:
        return dice.choice(NUMBERS)
    if kind < 5:
        return array(dice, dice.choice(SHAPES), dice.choice((None, dice.choice(NUMBERS))))
    if kind == 5:
        return {dice.choice(WORDS): anything(dice, depth + 1) for _ in range(dice.randrange(4))}
    items = [anything(dice, depth + 1) for _ in range(dice.randrange(5))]
    return items * dice.choice((1, 1, 1, 9)) if kind < 8 else [items] * dice.randrange(3)


def array(dice: random.Random, shape: tuple, number=None) -> np.ndarray:
    """Numbers of any dtype, all the same or with strange ones among them."""
    dtype = dice.choice(sorted(wire.DTYPES))
    if number is not None:
        return np.full(shape, np.array(number).astype(dtype))
    values = np.random.default_rng(dice.randrange(99)).normal(size=shape).astype(dtype)
    for _ in range(dice.randrange(3) if values.size else 0):
        values.reshape(-1)[dice.randrange(values.size)] = np.array(dice.choice(NUMBERS)).astype(dtype)
    return values


def near(value, dice: random.Random):
    """Something like this value: it comes further than what is wrong altogether."""
    if dice.random() < 0.1:
        return anything(dice)
    if isinstance(value, bool | int | float):
        return dice.choice((value, value, value, dice.choice(NUMBERS), np.array(value)))
    if isinstance(value, str):
        return dice.choice((value, value, value, dice.choice(WORDS)))
    if isinstance(value, dict):
        changed = dice.choice([*value, None])
        return {key: near(item, dice) if key == changed else item for key, item in value.items() if dice.random() < 0.97}
    if isinstance(value, list | tuple):
        items = list(value)
        for _ in range(dice.randrange(3) if items else 0):
            place = dice.randrange(len(items))
            items[place] = near(items[place], dice)
        dice.choice((list.reverse, list.reverse, dice.shuffle, lambda _: None, lambda _: None))(items)
        if dice.random() < 0.3 and all(isinstance(item, float) for item in items):
            return np.array(items, dice.choice(("float16", "float32", "float64")))
        return items * dice.choice((1, 1, 1, 1, 2))
    if isinstance(value, np.ndarray):
        kind = dice.randrange(7)
        if kind == 0:
            return array(dice, value.shape)
        if kind == 1:
            return value.astype(dice.choice(sorted(wire.DTYPES)))
        if kind == 2:
            return record(value.tolist()).value
        if kind == 3:
            return dice.choice(
                (value.T, value[None], value[:1] if value.ndim else value, np.zeros_like(value), value.reshape(-1))
            )
        if kind == 4 and value.size:
            changed = value.astype(float)
            changed.reshape(-1)[dice.randrange(value.size)] = dice.choice(NUMBERS)
            return changed
    return value


def some_outcomes(exercise: Exercise, seed: int, dice: random.Random) -> list[Outcome]:
    """What a process might say of an answer to this exercise, as it arrives."""
    if exercise.is_function:
        answers = [exercise.reference] if isinstance(exercise, Implement) else [lambda f: True, lambda f: False]
        answers += [mistake.answer for mistake in exercise.mistakes]
        right = respond(dice.choice(answers), exercise.questions(seed), "numpy", lambda *_: Outcome(value=True))
        wild = dice.choice((0.1, 0.5, 1))
        outcomes = [
            replace(outcome, value=near(outcome.value, dice)) if dice.random() < wild else outcome for outcome in right
        ]
        if dice.random() < 0.05:
            last = Outcome(error=dice.choice(("NotAFunction", "KeyboardInterrupt")), message=dice.choice(MESSAGES))
            return [*map(arrived, outcomes[: dice.randrange(3)]), last]
    else:
        cell = {"np": np}
        exec(SOLUTIONS[exercise.id], cell)
        answers = [cell[exercise.answer_name], *(spelling for m in exercise.mistakes for spelling in (m.answer, *m.variants))]
        value = dice.choice((cell[exercise.answer_name], dice.choice(answers)))
        outcomes = [Outcome(value=near(record(value).value, dice), type=type(value).__name__)]
    return [arrived(said(outcome, dice) if dice.random() < 0.2 else outcome) for outcome in outcomes]


def said(outcome: Outcome, dice: random.Random) -> Outcome:
    """An outcome of which nothing but the value was true."""
    words = {"type": dice.choice(WORDS), "message": dice.choice(MESSAGES), "library": dice.choice(("", "numpy", "x"))}
    return replace(
        outcome, **words, error=dice.choice(ERRORS), mutated_argument=dice.choice((None, 0)), calls=dice.choice((0, 2**60))
    )


def arrived(outcome: Outcome) -> Outcome:
    data = outcome.as_data()
    try:
        frame = wire.encode(data)
    except wire.WireError:  # too large to be sent: then its type alone is
        frame = wire.encode({**data, "value": None})
    return conversation.read_outcome(wire.decode(frame))


SOLUTIONS = {exercise.id: solutions.solution_of(exercise) for exercise in EXERCISES}


@pytest.mark.slow
@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.id)
def test_judging_ends_in_a_verdict_whatever_was_answered(exercise):
    dice, seen = random.Random(exercise.id), set()
    for _ in range(60 if exercise.is_function else 500):
        seed = dice.randrange(3)
        with np.errstate(all="ignore"):
            outcomes = some_outcomes(exercise, seed, dice)
        verdict = examine(exercise, lambda *_, outcomes=outcomes: outcomes, seed)
        seen.add(verdict.reason)
        assert verdict.passed == (verdict.reason == "passed") == (verdict.score == 1)
        assert 0 <= verdict.score <= 1
        assert len(verdict.message) + len(verdict.hint) < 10_000
        assert Verdict(**json.loads(json.dumps(asdict(verdict)))) == verdict
    assert {"passed", "type"} & seen <= seen <= REASONS
    assert len(seen) >= 3


class Odd(Exception):
    __str__ = None


class TimeLimit(Exception):
    """A learner's own, of the same name as ours."""


def _raises(error):
    raise error


def test_the_strangest_answers_are_written_down():
    assert respond(lambda x: _raises(Odd), [[1]], "numpy") == [Outcome(error="Odd", message=" (in `raise error`)")]
    assert len(respond(lambda x: _raises(TimeLimit()), [[1], [2]], "numpy")) == 2
    assert respond(lambda x: setattr(x, "dtype", "S8"), [[np.ones(2)]], "numpy")[0].mutated_argument == 0
    assert len(respond(lambda x: _raises(ValueError("x" * 9999)), [[1]], "numpy")[0].message) < 700
    assert len(record(type("x" * 9999, (), {})()).type) == 100
    assert [record(10**30).value, record([2**63, -(10**20)]).value] == [1e30, [2.0**63, -1e20]]
    assert (record([10**400]).value, record([10**400]).type) == (None, "list")


def test_what_is_large_is_shown_by_its_beginning():
    assert show([1, 0.123456, "a", None, [2, []]]) == "[1, 0.1235, 'a', None, [2, []]]"
    assert show({"a": {"b": [1, [2]]}}) == "{a: {b: […]}}"
    assert show([0] * 10) == "[0, 0, 0, 0, 0, 0, 0, 0, 0, …]"
    assert show([np.ones(3), np.ones(10)]) == "[[1., 1., 1.], an array of shape (10,)]"
    assert all(len(show(large)) < 210 for large in (["x" * 99] * 9, {"x" * 99: 1, "y": "z" * 200}, [[["x" * 99]] * 9] * 9))


def test_what_takes_too_long_to_judge_is_stopped_and_not_taken_for_an_error_of_what_runs():
    def long(x):
        for _ in range(5):
            with contextlib.suppress(Exception):
                time.sleep(0.5)

    with pytest.raises(judge.Untold), judge._alarm(0.01):
        respond(long, [[1]], "numpy")


class Liar:
    """A learner's process that says what stands in its script, and then nothing more."""

    def __init__(self, script: list, last: Exception):
        self.script, self.last = script, last

    def send(self, value, deadline: float) -> None:
        wire.encode(value)

    def receive(self, deadline: float):
        if not self.script:
            raise self.last
        return wire.decode(wire.encode(self.script.pop(0)))


def lies(truth: list, dice: random.Random) -> Liar:
    """A process that says nearly what was agreed, or something else."""
    script = [near(said, dice) if dice.random() < 0.2 else said for said in truth]
    if script and dice.random() < 0.3:
        place = dice.randrange(len(script))
        script[place : place + dice.randrange(2)] = dice.choices(script, k=dice.randrange(3))
    return Liar(script, dice.choice((Late(), Ended(-9), Ended(0), wire.WireError())))


def submission(sources: list[str], exercise: Exercise, seed: int = 0) -> judge._Submission:
    cells = [Cell(source, None, ()) for source in sources]
    return judge._Submission(cells, [exercise], seed, None, judge.Patience())


def test_a_cell_that_asks_us_alone_is_not_run():
    asks = ['check("attention.softmax", softmax)', "\nhint('attention.softmax')\n", 'solution("attention.softmax")']
    runs = [
        'check("attention.softmax", softmax); x = 1',
        'check("attention.softmax", x := 1)',
        "check(name, f())",
        "check = 1",
    ]
    assert list(submission([*asks, *runs], EXERCISES[0]).cells) == [4, 5, 6, 7]


@pytest.mark.slow
@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.id)
def test_whatever_is_said_of_an_answer_it_has_a_verdict(exercise):
    """None would stand for a fault of our own side."""
    dice, ended = random.Random(exercise.id), 0
    for _ in range(60):
        seed = dice.randrange(3)
        with np.errstate(all="ignore"):
            outcomes = some_outcomes(exercise, seed, dice)
            truth = [{"answers": len(outcomes)}, *(outcome.as_data() for outcome in outcomes)]
            truth[-1]["mutated_argument"] = dice.choice((*[truth[-1]["mutated_argument"]] * 3, 1, 99))
            call = {"call": [dice.randrange(len(exercise.questions(seed)) or 1), [array(dice, (2, 3))]]}
            truth[:0] = [call] * dice.choice((0, 0, 0, 1, 5))
            truth[:0] = dice.choice(([], [], [], [], [], [{"missing": True}], [{"answers": None}]))
            process = lies(truth, dice)
        asked = submission([], exercise, seed)
        asked._ask(process, exercise)
        assert asked.verdicts[exercise.id] is not None
        ended += asked.verdicts[exercise.id].reason == "ended"
    assert 0 < ended < 60


def test_whatever_is_said_of_cells_they_were_run_or_one_is_left_out():
    dice, ran = random.Random(1), 0
    for _ in range(3000):
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
    assert 300 < ran < 2700
