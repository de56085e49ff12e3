"""The catalogue: every exercise is solvable, every mistake is told apart, and no right answer is failed."""

import numpy as np
import pytest
import torch

from transformer_course import authoring, course
from transformer_course.exercises import catalogue
from transformer_course.exercises.catalogue import by_lesson, predictions
from transformer_course.exercises.exercise import Exercise, Verdict, examine
from transformer_course.exercises.kinds import Counterexample, Implement, Number, TwoTier, WriteTest
from transformer_course.exercises.run import record, respond

EXERCISES = list(catalogue().values())
SEEDS = range(8)  # a grader draws its own seed, so every seed must tell the mistakes apart


def of(*kinds: type) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("exercise", [e for e in EXERCISES if isinstance(e, kinds)], ids=lambda e: e.id)


def verdict(exercise: Exercise, answer, seed: int = 0) -> Verdict:
    def ask(flavour, questions, oracle):
        return respond(answer, questions, flavour, oracle) if exercise.is_function else [record(answer)]

    return examine(exercise, ask, seed)


def solved(exercise: Exercise):
    cell = {"np": np}
    exec(authoring.solution_of(exercise), cell)
    return cell[exercise.answer]


@of(Exercise)
def test_the_solution_passes(exercise):
    for seed in SEEDS:
        assert verdict(exercise, solved(exercise), seed) == exercise.passed()


HOLDERS = [s for folder in course.FOLDERS for s in course.sources(folder) if "exercise=" in s.read_text(encoding="utf-8")]


@pytest.mark.parametrize("solved", [True, False], ids=["solved", "empty"])
@pytest.mark.parametrize("source", HOLDERS, ids=lambda s: f"{s.parent.parent.name}/{s.stem}")
def test_a_solved_sheet_passes_and_an_empty_one_fails_kindly(source, solved):
    """Each cell is run as the learner runs it, in order and in one namespace; none may raise."""
    names, cards = {}, []
    for cell in authoring.build(source, solved).cells:
        if cell.cell_type == "code" and cell.source.startswith("check("):
            cards.append(eval(cell.source, names))
        elif cell.cell_type == "code":
            exec(cell.source, names)
    assert len(cards) == len(by_lesson()[source.stem[:2]])
    for card in cards:
        assert bool(card) == solved
        assert ("still empty" in repr(card)) != solved


@of(Exercise)
def test_hints_lead_on_and_nothing_is_left_blank(exercise):
    assert len(set(exercise.hints)) == len(exercise.hints) >= 2
    assert exercise.asks.endswith(".")
    assert exercise.minutes > 0
    names = [mistake.name for mistake in exercise.mistakes]
    assert len(set(names)) == len(names)
    assert all(m.diagnosis.endswith(".") and m.hint for m in exercise.mistakes)


@of(Implement, Number, Counterexample)
def test_every_mistake_is_called_by_its_own_name(exercise):
    assert exercise.mistakes
    for mistake in exercise.mistakes:
        for spelling in (mistake.answer, *mistake.also):
            for seed in SEEDS:
                assert verdict(exercise, spelling, seed) == exercise.named(mistake)


@of(TwoTier)
def test_every_wrong_choice_is_answered(exercise):
    for mistake in exercise.mistakes:
        seen = verdict(exercise, {**exercise.right, **mistake.answer})
        assert (seen.passed, seen.mistake, seen.message) == (False, mistake.name, mistake.diagnosis)
    for part, letters in exercise.choices.items():
        for letter in letters:
            if letter != exercise.right[part]:
                assert not verdict(exercise, {**exercise.right, part: letter}).passed


def test_what_sheet_02_says_of_its_exercises_is_so():
    (source,) = (source for source in course.sources("exercises") if source.stem.startswith("02_"))
    cells = [cell.source for cell in authoring.build(source).cells]
    names = {"np": np}
    exec(next(cell for cell in cells if cell.startswith("def faulty(")), names)
    hidden, same = catalogue()["attention.hidden_fault"], np.testing.assert_allclose
    example, *others = catalogue()["attention.self_attention"].questions(0)
    same(names["faulty"](*example), hidden.reference(*example))  # right on the lesson's three tokens
    same(names["faulty"](*others[0]), hidden.faulty(*others[0]))  # what is shown is what is judged
    assert len(catalogue()["attention.test_softmax"].caught) == 11
    assert any("eleven broken ones" in cell for cell in cells)


@of(Implement)
def test_right_answers_in_other_styles_pass(exercise):
    reference = exercise.reference

    def in_torch(kind, layout=lambda tensor: tensor):
        def answer(*arguments):
            arrays = [a if isinstance(a, np.ndarray) else np.asarray(a, dtype=float) for a in arguments]
            return layout(torch.from_numpy(np.array(reference(*arrays))).to(kind))

        return answer

    styles = {
        "lists": lambda *a: np.asarray(reference(*a)).tolist(),
        "lists of arrays": lambda *a: list(reference(*a)),
        "tuples": lambda *a: tuple(np.asarray(reference(*a)).tolist()),
        "float32": lambda *a: reference(*a).astype(np.float32),
        "Fortran order": lambda *a: np.asfortranarray(reference(*a)),
        "reversed strides": lambda *a: np.flip(np.flip(reference(*a)).copy()),
        "read-only": lambda *a: np.broadcast_to(reference(*a), reference(*a).shape),
        "objects": lambda *a: reference(*a).astype(object),
        "float64 tensor": in_torch(torch.float64),
        "tensor with gradient": in_torch(torch.float32, lambda t: t.requires_grad_()),
        "non-contiguous tensor": in_torch(torch.float32, lambda t: torch.stack([t, t], -1)[..., 0]),
    }
    for name, answer in {**styles, **{style.__name__: style for style in exercise.styles}}.items():
        for seed in SEEDS:
            assert verdict(exercise, answer, seed).passed, name


@of(Implement)
def test_questions_are_exact_in_float32_and_have_distinct_sizes(exercise):
    for seed in SEEDS:
        for question in exercise.questions(seed):
            for value in question:
                assert np.array_equal(value.astype(np.float32).astype(float), value)
    assert any(len(set(value.shape)) == value.ndim >= 2 for question in exercise.questions(0) for value in question)


def test_references_equal_torch():
    softmax, attend = catalogue()["attention.softmax"], catalogue()["attention.self_attention"]
    for seed in SEEDS:
        for (scores,) in softmax.questions(seed):
            np.testing.assert_allclose(softmax.reference(scores), torch.from_numpy(scores).softmax(-1), atol=1e-12)
        for question in attend.questions(seed):
            x, w_q, w_k, w_v = map(torch.from_numpy, question)
            expected = torch.nn.functional.scaled_dot_product_attention(x @ w_q, x @ w_k, x @ w_v, scale=1.0)
            np.testing.assert_allclose(attend.reference(*question), expected, atol=1e-9)


TORCH_ANSWERS = {
    "attention.softmax": [
        lambda scores: torch.softmax(scores, dim=-1),
        lambda scores: scores.softmax(-1),
        lambda scores: (scores - scores.logsumexp(-1, keepdim=True)).exp(),
        lambda scores: torch.softmax(torch.as_tensor(scores, dtype=torch.float32), dim=-1),
    ],
    "attention.self_attention": [
        lambda x, q, k, v: ((x @ q) @ (x @ k).transpose(-2, -1)).softmax(-1) @ (x @ v),
        lambda x, q, k, v: torch.nn.functional.scaled_dot_product_attention(x @ q, x @ k, x @ v, scale=1.0),
        lambda x, q, k, v: torch.einsum("...nd,...md->...nm", x @ q, x @ k).softmax(-1) @ (x @ v),
    ],
}


@pytest.mark.parametrize(("name", "answer"), [(name, a) for name, answers in TORCH_ANSWERS.items() for a in answers])
def test_answers_written_for_tensors_pass(name, answer):
    for seed in SEEDS:
        assert verdict(catalogue()[name], answer, seed).passed


def test_a_torch_mistake_is_named_too():
    assert verdict(catalogue()["attention.softmax"], lambda scores: scores.softmax(0)).mistake == "softmax over the first axis"


@of(WriteTest)
def test_a_test_is_marked_by_what_it_catches(exercise):
    assert set(exercise.caught) <= {mistake.name for mistake in exercise.target.mistakes}
    example = exercise.target.questions(0)[0]
    lenient, strict = verdict(exercise, lambda f: f(*example) is not None), verdict(exercise, lambda f: f(*example) is None)
    assert (lenient.passed, lenient.score, lenient.mistake is not None) == (False, 0.0, True)
    assert any(shown in lenient.hint for shown in exercise.caught.values())
    assert "never calls `f`" in verdict(exercise, lambda f: True).message
    assert "refuses a function that is right" in strict.message
    assert "returned nothing" in verdict(exercise, lambda f: [f(*example), None][1]).message
    assert "NameError" in verdict(exercise, lambda f: undefined(f)).message
    sums = verdict(exercise, lambda f: np.allclose(f(np.array([[1.0, 2.0, 4.0], [3.0, 0.0, 1.0]])).sum(-1), 1))
    assert 0 < sums.score < 1


def test_a_test_is_capped_in_its_calls():
    def is_softmax(f):
        while True:
            f(np.zeros(3))

    seen = verdict(catalogue()["attention.test_softmax"], is_softmax)
    assert "1000 times" in seen.message


def test_names_and_predictions_fit_together():
    for lesson, exercises in by_lesson().items():
        assert len({e.answer for e in exercises}) == len(exercises), lesson
    for prediction in predictions().values():
        assert prediction.right in prediction.replies
        assert len(prediction.replies) >= 3


@pytest.mark.parametrize("folder", ["exercises"])
def test_each_sheet_holds_its_exercises_in_order_and_of_several_kinds(folder):
    for source in course.sources(folder):
        cells = authoring.build(source).cells
        held = [cell.metadata["exercise"] for cell in cells if "exercise" in cell.metadata]
        exercises = by_lesson()[source.stem[:2]]
        assert held == [e.id for e in exercises]
        kinds = [e.kind for e in exercises]
        assert len(kinds) >= 3
        assert len(set(kinds)) >= 2
        assert kinds.count("implement") <= len(kinds) / 2
        text = "\n".join(cell.source for cell in cells)
        for exercise in exercises:
            assert f'check("{exercise.id}", {exercise.answer})' in text
            assert f"{exercise.minutes} minutes" in text
