"""Sheet 04: what it says of its exercises is so, and other answers are told why."""

import numpy as np
import torch
from examining import cells_of, told, verdict
from tokens import X, moved

from transformer_course import masks
from transformer_course.exercises import catalogue
from transformer_course.exercises.lesson_04_masks import by_hand


def test_what_sheet_04_says_of_its_exercises_is_so():
    cells = cells_of("04")
    text, names, late = "\n".join(cells), {"np": np}, catalogue()["attention.late_mask"]
    exec(next(cell for cell in cells if cell.startswith("def masked_late(")), names)
    rng = np.random.default_rng(0)
    scores, mask = rng.normal(size=(4, 6)), np.tri(4, 6, dtype=bool)
    for function in (names["masked_late"], late.faulty, late.reference):  # right on ordinary scores
        np.testing.assert_allclose(function(scores, mask), late.reference(scores, mask))
    for row in by_hand.TABLE:  # the table that is judged is the one that is shown
        assert f"| {' | '.join(f'{score:.0f}' for score in row)} |" in text
    causal = catalogue()["attention.test_causal"]
    assert (len(causal.target.alternatives) + 1, len(causal.caught), len(causal.target.mistakes)) == (7, 15, 15)
    assert "seven functions that are causal, and with fifteen that are not" in text
    layer = torch.nn.MultiheadAttention(2, 1, batch_first=True)
    for parameter in layer.parameters():
        torch.nn.init.zeros_(parameter)  # all scores are equal
    output, weights = layer(*[torch.ones(1, 3, 2)] * 3, attn_mask=masks.causal_mask(3))
    right = catalogue()["attention.two_conventions"].right
    assert output[0].isnan().any(-1).tolist() == [False, False, True]
    assert (right["claim"], float(weights[0, 0, 2].detach())) == ("b", right["value"])


def each_token_changed(f):
    return not any(moved(f, j)[:j].any() for j in range(1, len(X)))


def each_token_changed_much(f):
    return not any(moved(f, j, by=100.0)[:j].any() for j in range(1, len(X)))


def narrow_tokens_changed(f):
    return not any(moved(f, j, by=0.1, x=X[:, :1])[:j].any() for j in range(1, len(X)))


def each_token_zeroed(f):
    return not any(moved(f, j, by=-X[j])[:j].any() for j in range(1, len(X)))


def all_later_tokens_changed(f):
    return not any(moved(f, slice(j, None), by=X[: len(X) - j])[:j].any() for j in range(1, len(X)))


def prefixes_compared(f):
    return all(np.allclose(f(X[:i]), f(X)[:i]) for i in range(1, len(X)))


def first_number_changed(f):
    return not any(moved(f, j, by=np.eye(4)[0])[:j].any() for j in range(1, len(X)))


def test_every_thorough_way_to_look_for_leaks_passes():
    thorough = (
        each_token_changed,
        each_token_changed_much,
        narrow_tokens_changed,
        each_token_zeroed,
        all_later_tokens_changed,
        prefixes_compared,
    )
    assert [test for test in thorough if not verdict(catalogue()["attention.test_causal"], test).passed] == []


def test_a_test_that_looks_at_some_pairs_only_lets_a_leak_through():
    exercise = catalogue()["attention.test_causal"]
    broken = {mistake.name: mistake.answer for mistake in exercise.target.mistakes}
    incomplete = {
        "each token sees the next one too": lambda f: not moved(f, -1)[0],
        "the first token sees the second": lambda f: not moved(f, -1)[:-1].any(),
        "the second-to-last token sees the last": lambda f: not moved(f, 1)[0],
        "only the first row is masked": lambda f: not any(moved(f, j)[0] for j in range(1, 5)),
        "the first row sees all": lambda f: not any(moved(f, j)[j - 1] for j in range(2, 5)),
        "the last number of the next token is added": first_number_changed,
        "weights set to 0 after softmax": lambda f: not any(moved(f, j, x=np.zeros((5, 4)))[:j].any() for j in range(1, 5)),
    }
    for missed, test in incomplete.items():
        assert test(broken[missed]), missed
        assert 0 < verdict(exercise, test).score < 1, missed


def test_zeros_and_ones_in_place_of_true_and_false_get_half_the_credit(snapshot):
    messages = {}
    for name in ("attention.causal_mask", "attention.padding_mask"):
        exercise = catalogue()[name]
        for kind in (int, float, np.uint8):
            seen = verdict(exercise, lambda *a, right=exercise.reference, kind=kind: right(*a).astype(kind))
            assert (seen.reason, seen.score) == ("dtype", 0.5)
            messages[kind.__name__] = seen.message
        opposite = verdict(exercise, lambda *a, right=exercise.reference: (~right(*a)).astype(int))
        assert opposite.mistake in ("True for what is forbidden", "True for the padding")
    assert messages == snapshot


def test_of_several_faults_the_one_that_is_wrong_altogether_is_told():
    # zeros and ones in the right places for small n; for larger n the last row is wrong
    seen = verdict(catalogue()["attention.causal_mask"], lambda n: np.tri(n) * (np.arange(n)[:, None] < 3))
    assert (seen.reason, seen.score) == ("dtype", 0.0)


def test_other_answers_to_sheet_04_are_told_why(snapshot):
    right = {name: catalogue()[f"attention.{name}"].reference for name in ("padding_mask", "masked")}

    def on_one_axis(f):
        return f(np.zeros(3)) is None

    def on_nan(f):
        return f(np.full((2, 2), np.nan)) is None

    def on_a_list(f):
        return f([[1.0]]) is None

    def instead_of_an_error(result):
        return lambda *question: right["masked"](*question) if question[-1].any(-1).all() else result

    answers = {
        "attention.causal_mask": {
            "one entry wrong": lambda n: np.tri(n) > (n == 3) * np.eye(n),
            "zeros and ones, some of them wrong": lambda n: np.tri(n) * (np.arange(n)[:, None] < 3),
        },
        "attention.padding_mask": {
            "halves": lambda tokens, pad: right["padding_mask"](tokens, pad) * 0.5,
            "no axis for the queries": lambda tokens, pad: tokens == pad,
        },
        "attention.masked": {
            "a result in place of an error": instead_of_an_error(np.ones((4, 2))),
            "nothing in place of an error": instead_of_an_error(None),
            "text in place of an error": instead_of_an_error("no key is allowed"),
        },
        "attention.late_mask": {
            "two numbers": (5, 1),
            "empty": ([], []),
            "mask of one axis": ([[1000, 0]], [False, True]),
            "mask with a 2": ([[1000, 0]], [[0, 2]]),
            "a row without a key": ([[1000, 0], [0, 0]], [[False, True], [False, False]]),
            "too large": ([[1e9, 0]], [[False, True]]),
            "infinite": ([[np.inf, 0]], [[False, True]]),
        },
        "attention.test_causal": {
            "rejects right functions": lambda f: np.array_equal(f(X)[:1], f(X[:1])) and bool(moved(f, 4)[4]),
            "one axis": on_one_axis,
            "not finite": on_nan,
            "a list": on_a_list,
            "no call": lambda f: True,
        },
    }
    assert {name: {case: told(name, answer) for case, answer in cases.items()} for name, cases in answers.items()} == snapshot


def test_every_trap_that_shows_the_fault_passes():
    for trap in (([0, 800], [1, 0]), (np.array([[0.0, -1.0, 745.0]]), np.array([[True, True, False]]))):
        assert verdict(catalogue()["attention.late_mask"], trap).passed
