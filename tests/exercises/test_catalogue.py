"""The catalogue: every exercise is solvable, every mistake is told apart, and no right answer is failed.

Here each answer is judged on one seed. `make test-all` draws others, and what it finds becomes a case in FOUND.
"""

import re
from dataclasses import replace

import numpy as np
import pytest
import sampling
import torch
from examining import EXERCISES, SEEDS, of, verdict
from right_answers import right_answers
from torch.nn import Transformer
from torch.nn.functional import cross_entropy
from torch.nn.functional import scaled_dot_product_attention as attention
from torch_modules import spellings

from transformer_course import course
from transformer_course.authoring import build
from transformer_course.exercises import api, catalogue
from transformer_course.exercises.catalogue import by_lesson
from transformer_course.exercises.exercise import Exercise, Verdict, examine
from transformer_course.exercises.kinds import Experiment, Implement, Number, TwoTier, WriteTest
from transformer_course.runner.run import respond

# Answers that were once judged wrongly on a drawn seed: the exercise, the answer's name as in the message, and the seed.
FOUND = [
    ("build.layer_norm", "in torch, 1", 1),
    ("build.layer_norm", "in torch, 2", 3),
    ("attention.scaled_dot_product", "scores clipped, 1", 27066921559874877),
    ("encoder.layer", "your attention: one max for all rows, 3", 3692804952),
    ("heads.multi_head", "the smallest score or the mean subtracted, 1", 12294337372434169),
    ("family.mask_tokens", "fate for all tokens, 3", 10781052620672243),
    ("build.byte_pairs", "overlaps not counted, 1", 46357407639237607),
    ("training.loss", "cut at the first padding, 1", 5716870805182580),
    ("build.experts", "each text by itself, 1", 32992054467217780),
    ("build.generate_text", "temperature and p swapped, 1", 4632327933050237),
]


def misjudged_right_answers(exercise: Exercise, seed: int, only: str | None = None) -> list[str]:
    judged = (
        (name, verdict(exercise, answer, seed)) for name, answer in right_answers(exercise).items() if only in (None, name)
    )
    return [f"{exercise.id}, {name}, seed {seed}: {said(seen)}" for name, seen in judged if seen != exercise.passed()]


def misjudged_mistakes(exercise: Exercise, seed: int, only: str | None = None, first: bool = False) -> list[str]:
    """Judge every spelling of every mistake; or only the first of each, and in the first backend, which is quicker."""
    asked = verdict_in_first_backend if first else verdict
    assert exercise.mistakes or isinstance(exercise, WriteTest), exercise.id  # a test's mistakes are those of its function
    judged = (
        (name, mistake, asked(exercise, answer, seed))
        for name, mistake, answer in spellings(exercise)
        if only in (None, name) and (name.endswith(", 1") or not first)
    )
    return [
        f"{exercise.id}, {name}, seed {seed}: {said(seen)}"
        for name, mistake, seen in judged
        if _without_details(exercise, mistake, seen) != exercise.named(mistake)
    ]


def said(seen: Verdict) -> str:
    return f"{seen.mistake or seen.reason}: {seen.message}"


def _without_details(exercise: Exercise, mistake, seen: Verdict) -> Verdict:
    """The verdict without what depends on the answer's numbers."""
    if isinstance(exercise, Experiment) and seen.message.endswith(mistake.diagnosis):  # after the runs that show it
        seen = replace(seen, message=mistake.diagnosis)
    partial = isinstance(exercise, Number | TwoTier)  # each right part counts
    return replace(seen, comparison=None, score=0.0 if partial else seen.score)


def verdict_in_first_backend(exercise: Exercise, answer, seed: int) -> Verdict:
    """Of a function for arrays or tensors, its verdict on arrays alone."""

    def ask(backend, questions, oracle):
        return respond(answer, questions, backend, oracle) if backend == exercise.backends[0] else None

    return examine(exercise, ask, seed) if exercise.is_function else verdict(exercise, answer, seed)


@of(Exercise)
def test_right_answers_pass(exercise):
    wrong = misjudged_right_answers(exercise, 0)
    assert not wrong, "\n".join(wrong)


@of(Exercise)
def test_every_mistake_is_called_by_its_own_name(exercise):
    wrong = misjudged_mistakes(exercise, 0, first=True)
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("name", "answer", "mistake"),
    [
        ("attention.softmax", lambda scores: scores.softmax(0), "softmax over the first axis"),
        ("attention.self_attention", lambda x, q, k, v: attention(x @ q, x @ k, x @ v), "scaled by √d_k"),
        ("attention.scaled_dot_product", lambda q, k, v: attention(q, k, v, scale=1.0), "not scaled"),
        ("attention.masked", lambda q, k, v, mask: attention(q, k, v), "mask ignored"),
        ("attention.masked", lambda q, k, v, mask: attention(q, k, v, is_causal=True), "always causal"),
        ("attention.masked", lambda q, k, v, mask: attention(q, k, v, ~mask), "mask inverted"),
        ("attention.causal_mask", lambda n: torch.ones(n, n).triu(1).bool(), "True for what is forbidden"),
        ("attention.causal_mask", Transformer.generate_square_subsequent_mask, "the additive form"),
        (
            "layers.layer_norm",
            lambda x, g, b, eps: (x - x.mean(-1, keepdim=True)) / (x.var(-1, keepdim=True) + eps).sqrt() * g + b,
            "divided by d − 1",
        ),
        ("training.loss", lambda logits, labels, pad: cross_entropy(logits.mT, labels), "padding counted"),
    ],
)
def test_a_mistake_in_torchs_own_words_is_called_by_its_name_too(name, answer, mistake):
    """Elsewhere, the mistakes that are judged are those of the catalogue, so nothing tells that one of them is gone."""
    assert verdict(catalogue()[name], answer).mistake == mistake


@pytest.mark.slow
@of(Exercise)
def test_answers_are_judged_alike_on_drawn_seeds(exercise):
    (seed,) = sampling.seeds(1, exercise.id)
    wrong = misjudged_right_answers(exercise, seed) + misjudged_mistakes(exercise, seed)
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(("name", "answer", "seed"), FOUND)
def test_what_a_drawn_seed_once_found_stays_mended(name, answer, seed):
    exercise = catalogue()[name]
    assert answer in {*right_answers(exercise), *(spelling for spelling, _, _ in spellings(exercise))}
    wrong = misjudged_right_answers(exercise, seed, answer) + misjudged_mistakes(exercise, seed, answer)
    assert not wrong, wrong


HOLDERS = [source for source in course.sources() if source.exercises]


@pytest.mark.parametrize("source", HOLDERS, ids=lambda s: s.link)
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
    assert len(cards) == len(by_lesson()[source.number])
    for card in cards:
        assert not card
        assert re.search("There's no answer in|is not finished: `forward`", repr(card))


@of(Exercise)
def test_hints_lead_on_and_nothing_is_left_blank(exercise):
    assert len(set(exercise.hints)) == len(exercise.hints) >= 2
    assert exercise.prompt.endswith(".")
    names = [mistake.name for mistake in exercise.mistakes]
    assert len(set(names)) == len(names)
    blank = [m.name for m in exercise.mistakes if not (m.diagnosis.endswith(".") and m.hint and isinstance(m.hint, str))]
    assert not blank, "a mistake has a diagnosis, then a hint, then its answers"


@of(Number)
def test_no_number_is_called_right_that_is_wrong(exercise):
    right = np.asarray(exercise.value, float)
    answers = [answer for answer in (np.array(m.answer, float) for m in exercise.mistakes) if answer.shape == right.shape]
    for answer in answers:
        answer.flat[0] = 1.37 * right.flat[0] + 0.37
        message = verdict(exercise, answer.tolist()).message
        assert not re.search(r"\b(is|are) right\.", message), message


@of(TwoTier)
def test_every_wrong_choice_fails(exercise):
    for part, letters in exercise.choices.items():
        for letter in letters:
            passed = verdict(exercise, {**exercise.right, part: letter}).passed
            assert passed == (letter == exercise.right[part])


def arrays_in(question: list) -> list[np.ndarray]:
    values = [part for value in question for part in (value.values() if isinstance(value, dict) else [value])]
    parts = [part for value in values for part in (arrays_in(value) if isinstance(value, list) else [value])]
    return [part for part in parts if not isinstance(part, int | float | str)]  # what remains must be arrays


ROUNDED = {  # torch rounds the first sheet's numbers as it rounds these; the second asks whether rounding is noticed
    "family.mask_tokens": (0.15, 0.8, 0.9),
    "rewards.advantages": (0.1, 1.9e-10),
}


@pytest.mark.parametrize("exercise", [e for e in EXERCISES if e.kind == "implement"], ids=lambda e: e.id)
def test_questions_are_exact_in_float32_and_have_distinct_sizes(exercise):
    for seed in SEEDS:
        for question in exercise.questions(seed):
            for value in arrays_in(question):
                if exercise.id in ROUNDED:
                    value = np.where(np.isin(value, ROUNDED[exercise.id]), 0, value)
                assert np.array_equal(value.astype(np.float32).astype(float), value)
    shapes = [value.shape for question in exercise.questions(0) for value in arrays_in(question) if value.ndim >= 2]
    assert not shapes or any(len(set(shape)) == len(shape) for shape in shapes)


@of(Implement)
def test_an_answer_that_squeezes_its_result_fails(exercise):
    """As one ends that gives a single vector a second axis and takes it away again, and others of length 1 with it."""
    if exercise.backends[0] == "numpy" and getattr(exercise.reference(*exercise.questions(0)[0]), "ndim", 0) > 1:
        assert not verdict(exercise, lambda *given: np.squeeze(exercise.reference(*given))).passed


def test_no_two_answers_of_a_sheet_have_the_same_name():
    for lesson, exercises in by_lesson().items():
        assert len({e.answer_name for e in exercises}) == len(exercises), lesson


def test_each_sheet_holds_its_exercises_in_order_and_of_several_kinds():
    for source in course.sheets():  # a stage is about writing programs
        cells = build.notebook_of(source).cells
        held = [cell.metadata["exercise"] for cell in cells if "exercise" in cell.metadata]
        exercises = by_lesson()[source.number]
        assert held == [e.id for e in exercises]
        kinds = [e.kind for e in exercises]
        assert len(kinds) >= 3
        assert len(set(kinds)) >= 2
        assert kinds.count("implement") <= len(kinds) / 2
        text = "\n".join(cell.source for cell in cells)
        for exercise in exercises:
            assert f'check("{exercise.id}")' in text
