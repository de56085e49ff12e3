"""Random answers to exercises, and outcomes as a learner's process may send them."""

import random
from dataclasses import replace

import numpy as np
from examining import EXERCISES
from torch_modules import as_answer

from transformer_course.exercises import solutions
from transformer_course.exercises.exercise import Exercise
from transformer_course.exercises.kinds import WriteTest
from transformer_course.grading.judging import protocol
from transformer_course.runner import wire
from transformer_course.runner.run import Outcome, record, respond

OF_EACH_KIND = list({type(exercise): exercise for exercise in EXERCISES}.values())  # the last one of each
LONG = {"build.cache", "build.generate_text"}  # judging one answer to these takes as long as forty to another
REASONS = {"passed", "empty", "mistake", "property", "value", "shape", "dtype", "type", "mutated", "error", "timeout"}
NAN, INF = float("nan"), float("inf")
NUMBERS = [0, 1, 1, 2, -1, 50, 2**63 - 1, -(2**63), 0.0, 0.5, 1.0, 1e-320, 1e300, -1e308, NAN, INF, -INF, True, False]
WORDS = ["", "a", "b", "lstm", "claim", " g ", "x" * 2000, "\ud800", "NoneType", "tuple", "ellipsis", "1", "model", "\n`"]
ERRORS = [None, None, None, "", "ValueError", "NotImplementedError", "TimeLimit", "NotAFunction", "KeyboardInterrupt"]
ERRORS += ["x" * 2000]
MESSAGES = [*WORDS, "matmul: Input operand 1 has a mismatch (size 3 is different from 4)" * 25, "values to unpack", "'dim'"]
SHAPES = [(), (0,), (1,), (3,), (4, 3), (3, 3), (2, 0), (0, 2**20), (1, 1, 1, 1, 1), (2, 2, 1, 2), (101, 100), (2, 3, 5)]
SHAPES += [(1,) * 15]


def anything(dice: random.Random, depth: int = 0):
    """Return a value of any kind that can arrive."""
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
    """Return an array of any dtype, with one number throughout, or with strange numbers among ordinary ones."""
    dtype = dice.choice(sorted(wire.DTYPES))
    if number is not None:
        return np.full(shape, np.array(number).astype(dtype))
    values = np.random.default_rng(dice.randrange(99)).normal(size=shape).astype(dtype)
    for _ in range(dice.randrange(3) if values.size else 0):
        values.reshape(-1)[dice.randrange(values.size)] = np.array(dice.choice(NUMBERS)).astype(dtype)
    return values


def near(value, dice: random.Random):
    """Return something similar to this value: it gets further than something completely wrong."""
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
    """Return what a process might send as the answer to this exercise, as it arrives."""
    if exercise.is_function:
        answers = [lambda f: True, lambda f: False] if isinstance(exercise, WriteTest) else [exercise.reference]
        answers += [mistake.answer for mistake in exercise.mistakes]
        answer, backend = as_answer(exercise, dice.choice(answers)), exercise.backends[0]
        right = respond(answer, exercise.questions(seed), backend, lambda *_: Outcome(value=True))
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
    return [arrived(forged(outcome, dice) if dice.random() < 0.2 else outcome) for outcome in outcomes]


def forged(outcome: Outcome, dice: random.Random) -> Outcome:
    """Return an outcome in which everything but the value is a lie."""
    lies = {
        "type": dice.choice(WORDS),
        "message": dice.choice(MESSAGES),
        "library": dice.choice(("", "numpy", "x")),
        "error": dice.choice(ERRORS),
        "mutated_argument": dice.choice((None, 0)),
        "calls": dice.choice((0, 2**60)),
    }
    return replace(outcome, **lies)


def arrived(outcome: Outcome) -> Outcome:
    data = outcome.as_data()
    try:
        frame = wire.encode(data)
    except wire.WireError:  # too large for a frame: the process sends only its type
        frame = wire.encode({**data, "value": None})
    return protocol.read_outcome(wire.decode(frame))


SOLUTIONS = {exercise.id: solutions.solution_of(exercise.id) for exercise in EXERCISES}
