"""Sheet 04: what it says of its exercises is so, its references are right, and other answers are told why."""

import numpy as np
import pytest
import torch
from examining import SEEDS, verdict
from tokens import X, moved

from transformer_course import masks
from transformer_course._util import paths
from transformer_course.attention import scaled_dot_product_attention
from transformer_course.authoring import build
from transformer_course.exercises import catalogue
from transformer_course.exercises.lesson_04_masks import by_hand
from transformer_course.runner.run import respond


def test_what_sheet_04_says_of_its_exercises_is_so():
    (source,) = (source for source in paths.sources("exercises") if source.stem.startswith("04_"))
    cells = [cell.source for cell in build.notebook_of(source).cells]
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


def test_references_of_lesson_04_equal_torch_and_the_library():
    causal, padding, masked = (catalogue()[f"attention.{name}"] for name in ("causal_mask", "padding_mask", "masked"))
    refused = 0
    for seed in SEEDS:
        for (n,) in causal.questions(seed):
            assert np.array_equal(causal.reference(n), masks.causal_mask(n))
        for tokens, pad in padding.questions(seed):
            assert np.array_equal(padding.reference(tokens, pad), masks.padding_mask(torch.from_numpy(tokens), pad))
        for question, outcome in zip(
            masked.questions(seed), respond(masked.reference, masked.questions(seed), "numpy"), strict=True
        ):
            *tensors, mask = map(torch.from_numpy, question)
            if outcome.error is None:
                expected = torch.nn.functional.scaled_dot_product_attention(*tensors, attn_mask=mask)
                np.testing.assert_allclose(outcome.value, expected, atol=1e-9)
                np.testing.assert_allclose(outcome.value, scaled_dot_product_attention(*tensors, mask)[0], atol=1e-9)
            else:
                assert outcome.error == "ValueError"
                refused += 1
                with pytest.raises(ValueError, match="needs a key"):
                    scaled_dot_product_attention(*tensors, mask)
    assert refused == len(SEEDS)


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


@pytest.mark.parametrize(
    "test",
    [
        each_token_changed,
        each_token_changed_much,
        narrow_tokens_changed,
        each_token_zeroed,
        all_later_tokens_changed,
        prefixes_compared,
    ],
)
def test_every_thorough_way_to_look_for_leaks_passes(test):
    assert verdict(catalogue()["attention.test_causal"], test).passed


@pytest.mark.parametrize(
    ("test", "missed"),
    [
        (lambda f: not moved(f, -1)[0], "each token sees the next one too"),
        (lambda f: not moved(f, -1)[:-1].any(), "the first token sees the second"),
        (lambda f: not moved(f, 1)[0], "the second-to-last token sees the last"),
        (lambda f: not any(moved(f, j)[0] for j in range(1, 5)), "only the first row is masked"),
        (lambda f: not any(moved(f, j)[j - 1] for j in range(2, 5)), "the first row sees all"),
        (first_number_changed, "the last number of the next token is added"),
        (lambda f: not any(moved(f, j, x=np.zeros((5, 4)))[:j].any() for j in range(1, 5)), "weights set to 0 after softmax"),
    ],
)
def test_a_test_that_looks_at_some_pairs_only_lets_a_leak_through(test, missed):
    exercise = catalogue()["attention.test_causal"]
    (broken,) = (m.answer for m in exercise.target.mistakes if m.name == missed)
    assert test(broken)
    assert 0 < verdict(exercise, test).score < 1


@pytest.mark.parametrize(
    ("test", "words"),
    [
        (lambda f: np.array_equal(f(X)[:1], f(X[:1])) and bool(moved(f, 4)[4]), "rejects 5 of 7 functions that are right"),
        (
            lambda f: f(np.zeros(3)) is None,
            "takes one sequence x of shape (n, d), a row for each token, but got shape (3,)",
        ),
        (lambda f: f(np.full((2, 2), np.nan)) is None, "takes finite numbers"),
        (lambda f: f([[1.0]]) is None, "f takes 1 NumPy array(s), x; given: list"),
        (lambda f: True, "Call it with x of your own, as in `f(x)`"),
    ],
)
def test_a_test_of_causality_that_goes_astray_is_told(test, words):
    message = verdict(catalogue()["attention.test_causal"], test).message
    assert words in message
    assert "raise ValueError" not in message  # a line of ours


@pytest.mark.parametrize("kind", [int, float, np.float32, np.uint8])
def test_zeros_and_ones_in_place_of_true_and_false_are_told(kind):
    for name in ("attention.causal_mask", "attention.padding_mask"):
        exercise = catalogue()[name]
        seen = verdict(exercise, lambda *a, right=exercise.reference: right(*a).astype(kind))
        assert (seen.reason, seen.score) == ("dtype", 0.5)
        assert f"are numbers (dtype {np.dtype(kind)})" in seen.message
        opposite = verdict(exercise, lambda *a, right=exercise.reference: (~right(*a)).astype(kind))
        assert opposite.mistake in ("True for what is forbidden", "True for the padding")
        halves = verdict(exercise, lambda *a, right=exercise.reference: right(*a) * 0.5)
        assert "numbers where True and False were expected. You returned [[" in halves.message
    one_off = verdict(catalogue()["attention.causal_mask"], lambda n: np.tri(n) > (n == 3) * np.eye(n))
    assert "For n = 3, element [0, 0] should be True, but is False." in one_off.message


def test_an_error_that_is_asked_for_is_told_by_its_reason():
    reference = catalogue()["attention.masked"].reference

    def quiet(query, key, value, mask):
        return reference(query, key, value, mask) if mask.any(-1).all() else np.ones((4, 2))

    message = verdict(catalogue()["attention.masked"], quiet).message
    assert message.endswith("it should raise ValueError, since one row of the mask has no True at all. It returned a result.")

    def printing(query, key, value, mask):
        return reference(query, key, value, mask) if mask.any(-1).all() else None

    seen = verdict(catalogue()["attention.masked"], printing)
    assert seen.message.endswith("no True at all. It returned None.")
    assert "don't return or print it" in seen.hint


def test_of_several_faults_the_one_that_is_wrong_altogether_is_told():
    # zeros and ones in the right places for small n; for larger n the last row is wrong
    seen = verdict(catalogue()["attention.causal_mask"], lambda n: np.tri(n) * (np.arange(n)[:, None] < 3))
    assert (seen.reason, seen.score) == ("dtype", 0.0)
    assert "numbers where True and False were expected" in seen.message


def test_whole_numbers_in_a_question_are_shown_as_such():
    seen = verdict(catalogue()["attention.padding_mask"], lambda tokens, pad: tokens == pad)
    assert "For tokens = [[5, 2, 7, 4], [3, 6, 0, 0]], pad = 0, the result should have shape (2, 1, 4)" in seen.message


@pytest.mark.parametrize(
    ("trap", "words"),
    [
        ((5, 1), "`scores` should be a matrix (n, m) or a row (m,), but has shape ()"),
        (([], []), "but has shape (0,)"),
        (([[1000, 0]], [False, True]), "`mask` should have the shape of `scores`, (1, 2), but has (2,)"),
        (([[1000, 0]], [[0, 2]]), "`mask` should hold True and False (or 1 and 0)"),
        (([[1000, 0], [0, 0]], [[False, True], [False, False]]), "Each row needs at least one True"),
        (([[1e9, 0]], [[False, True]]), "keep all scores between"),
        (([[np.inf, 0]], [[False, True]]), "`scores` should be an array of finite numbers"),
    ],
)
def test_a_trap_that_is_none_is_told(trap, words):
    assert words in verdict(catalogue()["attention.late_mask"], trap).message


@pytest.mark.parametrize("trap", [([0, 800], [1, 0]), (np.array([[0.0, -1.0, 745.0]]), np.array([[True, True, False]]))])
def test_every_trap_that_shows_the_fault_passes(trap):
    assert verdict(catalogue()["attention.late_mask"], trap).passed


def test_a_row_check_on_the_inverted_mask_is_told_as_an_inverted_mask():
    right = catalogue()["attention.masked"].reference
    seen = verdict(catalogue()["attention.masked"], lambda query, key, value, mask: right(query, key, value, ~mask))
    assert seen.mistake == "the mask the other way round"


def test_a_sum_of_the_weights_before_the_division_is_told_as_such():
    seen = verdict(catalogue()["attention.dropout_row"], [0.5, 0.0, 0.375, 0.25, 0.9])
    assert seen.mistake == "the sum before the division"
    assert "is not 1" not in seen.message
