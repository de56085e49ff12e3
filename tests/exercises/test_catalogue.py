"""The catalogue: every exercise is solvable, every mistake is told apart, and no right answer is failed."""

import re
from dataclasses import replace

import numpy as np
import pytest
import torch
from examining import SEEDS, of, solved, verdict
from torch_modules import as_answer, recorded

from transformer_course._util import paths
from transformer_course.authoring import build
from transformer_course.exercises import api
from transformer_course.exercises.build_7_writing.generate import Generate
from transformer_course.exercises.catalogue import by_lesson
from transformer_course.exercises.exercise import Exercise, Verdict, examine
from transformer_course.exercises.kinds import (
    Construct,
    Counterexample,
    Implement,
    ImplementStrings,
    InPlace,
    Module,
    Number,
    ParsonsProblem,
    TrainingStep,
    TwoTier,
)
from transformer_course.runner.run import respond


@of(Exercise)
def test_the_solution_passes(exercise):
    for seed in SEEDS:
        assert verdict(exercise, solved(exercise), seed) == exercise.passed()


HOLDERS = [s for folder in paths.FOLDERS for s in paths.sources(folder) if "exercise=" in s.read_text(encoding="utf-8")]


@pytest.mark.parametrize("source", HOLDERS, ids=lambda s: f"{s.parent.parent.name}/{s.stem}")
def test_an_empty_sheet_fails_kindly(source, monkeypatch):
    """Each cell is run as the learner runs it, in order and in one namespace; none may raise.

    In an empty stage of the Build, the cells that try a class or train a model come after it has been written.
    """
    names, cards = {}, []
    monkeypatch.setattr(api, "_notebook_variables", lambda: names)
    for cell in build.notebook_of(source).cells:
        if cell.cell_type == "code" and cell.source.startswith("check("):
            cards.append(eval(cell.source, names))
        elif cell.cell_type == "code" and "not-graded" not in cell.metadata.get("tags", ()):
            exec(cell.source, names)
    assert len(cards) == len(by_lesson()[source.stem[:2]])
    for card in cards:
        assert not card
        assert re.search("There's no answer in|is not finished: `forward`", repr(card))


@of(Exercise)
def test_hints_lead_on_and_nothing_is_left_blank(exercise):
    assert len(set(exercise.hints)) == len(exercise.hints) >= 2
    assert exercise.prompt.endswith(".")
    names = [mistake.name for mistake in exercise.mistakes]
    assert len(set(names)) == len(names)
    assert all(m.diagnosis.endswith(".") and m.hint for m in exercise.mistakes)


@of(Number)
def test_no_number_is_called_right_that_is_wrong(exercise):
    right = np.asarray(exercise.value, float)
    answers = [answer for answer in (np.array(m.answer, float) for m in exercise.mistakes) if answer.shape == right.shape]
    for answer in answers:
        answer.flat[0] = 1.37 * right.flat[0] + 0.37
        message = verdict(exercise, answer.tolist()).message
        assert not re.search(r"\b(is|are) right\.", message), message


@of(Implement, Number, Counterexample, Construct, ParsonsProblem, Module, TrainingStep, InPlace)
def test_every_mistake_is_called_by_its_own_name(exercise):
    assert exercise.mistakes
    assert_told_apart(exercise, SEEDS[:2])


@pytest.mark.slow  # each spelling is compared with all others, so the time grows with the square of a catalogue
@of(Implement, Construct, ParsonsProblem, TrainingStep, InPlace)
def test_every_mistake_is_called_by_its_own_name_on_further_seeds(exercise):
    """Only the drawn numbers differ from seed to seed, so answers in NumPy are enough where torch would do as well."""
    assert_told_apart(exercise, SEEDS[2:], verdict_in_numpy)


def verdict_in_numpy(exercise: Exercise, answer, seed: int) -> Verdict:
    def ask(backend, questions, oracle):
        return respond(answer, questions, backend, oracle) if backend == exercise.backends()[0] else None

    return examine(exercise, ask, seed) if exercise.is_function else verdict(exercise, answer, seed)


@pytest.mark.slow
@of(Module)
def test_every_mistake_in_a_class_is_called_by_its_own_name_on_further_seeds(exercise):
    """Only the drawn numbers differ from seed to seed. So the outputs are computed without torch, in a tenth of the time."""
    for mistake in exercise.mistakes:
        for forward in (mistake.answer, *mistake.variants):
            for seed in SEEDS[2:]:
                seen = examine(exercise, lambda *_, forward=forward, seed=seed: recorded(exercise, forward, seed), seed)
                assert seen == exercise.named(mistake)


def assert_told_apart(exercise: Exercise, seeds: range, asked=verdict) -> None:
    for mistake in exercise.mistakes:
        for spelling in (mistake.answer, *mistake.variants):
            for seed in seeds:
                seen = asked(exercise, as_answer(exercise, spelling), seed)
                score = seen.score if isinstance(exercise, Number) else 0.0  # each right number counts
                assert replace(seen, comparison=None) == exercise.named(mistake, score)


@of(TwoTier)
def test_every_wrong_choice_is_answered(exercise):
    for mistake in exercise.mistakes:
        seen = verdict(exercise, {**exercise.right, **mistake.answer})
        assert (seen.passed, seen.mistake, seen.message) == (False, mistake.name, mistake.diagnosis)
    for part, letters in exercise.choices.items():
        for letter in letters:
            if letter != exercise.right[part]:
                assert not verdict(exercise, {**exercise.right, part: letter}).passed


def styles_of(exercise: Implement) -> dict:
    """The reference with other types and layouts of its result."""
    reference = exercise.reference
    boolean = np.asarray(reference(*exercise.questions(0)[0])).dtype == bool
    floats, double, single = (bool, torch.bool, torch.bool) if boolean else (np.float32, torch.float64, torch.float32)

    def in_torch(kind, layout=lambda tensor: tensor):
        def answer(*arguments):
            arrays = [
                a if isinstance(a, np.ndarray | int | str | dict | list) else np.asarray(a, dtype=float) for a in arguments
            ]
            return layout(torch.from_numpy(np.array(reference(*arrays))).to(kind))

        return answer

    styles = {
        "lists": lambda *a: np.asarray(reference(*a)).tolist(),
        "lists of arrays": lambda *a: list(reference(*a)),
        "tuples": lambda *a: tuple(np.asarray(reference(*a)).tolist()),
        "float32": lambda *a: reference(*a).astype(floats),
        "Fortran order": lambda *a: np.asfortranarray(reference(*a)),
        "reversed strides": lambda *a: np.flip(np.flip(reference(*a)).copy()),
        "read-only": lambda *a: np.broadcast_to(reference(*a), reference(*a).shape),
        "objects": lambda *a: reference(*a).astype(object),
        "float64 tensor": in_torch(double),
        "tensor with gradient": in_torch(single, lambda t: t if boolean else t.requires_grad_()),
        "non-contiguous tensor": in_torch(single, lambda t: torch.stack([t, t], -1)[..., 0]),
    }
    if np.ndim(reference(*exercise.questions(0)[0])) == 0:  # a single number has no rows, and no layout
        styles = {name: styles[name] for name in ("float32", "float64 tensor", "tensor with gradient")}
    if exercise.differentiable:
        styles = {name: style for name, style in styles.items() if "tensor" in name}
    return styles


@of(Implement)
def test_right_answers_in_other_styles_pass(exercise):
    without_rows = exercise.id == "decoding.extend_cache" or isinstance(exercise, ImplementStrings | Generate)
    without_rows |= getattr(exercise, "ids", False)  # ids are integers in every style
    styles = {} if without_rows else styles_of(exercise)
    for name, answer in {**styles, **{style.__name__: style for style in exercise.alternatives}}.items():
        for seed in SEEDS:
            assert verdict(exercise, answer, seed).passed, name


def arrays_in(question: list) -> list[np.ndarray]:
    values = [part for value in question for part in (value.values() if isinstance(value, dict) else [value])]
    parts = [part for value in values for part in (arrays_in(value) if isinstance(value, list) else [value])]
    return [part for part in parts if not isinstance(part, int | float | str)]  # what remains must be arrays


@of(Implement)
def test_questions_are_exact_in_float32_and_have_distinct_sizes(exercise):
    for seed in SEEDS:
        for question in exercise.questions(seed):
            for value in arrays_in(question):
                if exercise.id == "family.mask_tokens":  # torch rounds the sheet's 0.15, 0.8 and 0.9 as it rounds these
                    value = np.where(np.isin(value, (0.15, 0.8, 0.9)), 0, value)
                assert np.array_equal(value.astype(np.float32).astype(float), value)
    shapes = [value.shape for question in exercise.questions(0) for value in arrays_in(question) if value.ndim >= 2]
    assert not shapes or any(len(set(shape)) == len(shape) for shape in shapes)


def test_no_two_answers_of_a_sheet_have_the_same_name():
    for lesson, exercises in by_lesson().items():
        assert len({e.answer_name for e in exercises}) == len(exercises), lesson


@pytest.mark.parametrize("folder", ["exercises"])
def test_each_sheet_holds_its_exercises_in_order_and_of_several_kinds(folder):
    for source in paths.sources(folder):
        if paths.is_stage(source):  # a stage is about writing programs
            continue
        cells = build.notebook_of(source).cells
        held = [cell.metadata["exercise"] for cell in cells if "exercise" in cell.metadata]
        exercises = by_lesson()[source.stem[:2]]
        assert held == [e.id for e in exercises]
        kinds = [e.kind for e in exercises]
        assert len(kinds) >= 3
        assert len(set(kinds)) >= 2
        assert kinds.count("implement") <= len(kinds) / 2
        text = "\n".join(cell.source for cell in cells)
        for exercise in exercises:
            assert f'check("{exercise.id}")' in text
