"""Functions that learners write: a wrong one is told what it did, in terms of arrays or of tensors."""

import math

import numpy as np
import pytest
import torch
from examining import SOFTMAX, card_text

from transformer_course.exercises import check
from transformer_course.exercises.kinds import Implement
from transformer_course.exercises.lesson_02_self_attention.softmax import softmax
from transformer_course.runner.outcome import record


def in_place(scores):
    scores -= scores.max(-1, keepdims=True)
    return np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (3, "should be a function, but is int"),
        (None, "should be a function, but is NoneType"),
        (softmax(np.ones(3)), "should be a function, but is ndarray"),
        (lambda scores: None, "returned None. Is a `return` missing"),
        (lambda scores: softmax(scores)[..., :1], "should have shape (3, 3), but has (3, 1)"),
        (lambda scores: softmax(scores) * np.nan, "element [0, 0] should be 0.42232, but is nan"),
        (lambda scores: softmax(scores).astype(int), "has dtype int64: it contains integers"),
        (lambda scores: softmax(scores) > 0, "has dtype bool"),
        (lambda scores: softmax(scores) + 1j, "array of complex128"),
        (lambda scores: "0.42", "returned str"),
        (lambda scores: {1: 2}, "returned dict"),
        (lambda scores: object(), "returned object"),
        (lambda scores: [[1], [2, 3]], "it contains rows of different lengths, 1 and 2."),
        (lambda scores: (softmax(scores), scores), "returned 2 values as a tuple"),
        (lambda scores: np.zeros((1 << 21,)), "array of 2097152 elements (at most 1048576 are read)"),
        (lambda scores: scores.unknown, "raised AttributeError"),
        (lambda scores: softmax(scores) * 1.01, "weights must sum to 1. For scores = [[1, 0, 1]"),
        (lambda: 1, "takes 0 positional arguments"),
        (lambda scores: exit(3), "raised SystemExit: 3"),
        (in_place, "modifies its input: after the call, `scores` has changed"),
    ],
)
def test_a_wrong_answer_is_told_what_it_did(answer, words):
    assert words in card_text(answer)


def test_an_answer_that_refuses_what_it_should_take_is_pointed_at_its_own_raise():
    def masked_attention(query, key, value, mask):
        if mask.any():
            raise ValueError("no key")
        return value

    seen = card_text(masked_attention, "attention.masked")
    assert "raised ValueError: no key" in seen
    assert "That is your own `raise`" in seen


def test_an_error_names_the_line_that_raised():
    def answer(scores):
        middle = scores.sum(-1)
        return middle @ np.ones(99)

    assert "(in `return middle @ np.ones(99)`)" in card_text(answer)


def test_the_error_of_a_torch_answer_is_the_one_on_tensors():
    def answer(scores):
        return torch.exp(scores) @ torch.ones(99)

    assert "must be Tensor" not in card_text(answer)
    assert "RuntimeError" in card_text(answer)


def test_an_answer_that_takes_torchs_pair_for_a_tensor_is_told():
    def answer(x, w_q, w_k, w_v):
        scores = (x @ w_q) @ (x @ w_k).transpose(-2, -1)
        return torch.exp(scores - scores.max(-1, keepdim=True)) @ (x @ w_v)

    assert "returns a pair" in card_text(answer, "attention.self_attention")


def after_max(finish):
    """An answer in NumPy that crashes after a line on which tensors would give a pair."""

    def answer(scores):
        exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return finish(exponentials)

    return answer


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (after_max(lambda e: e / totl), "NameError: name 'totl' is not defined"),
        (after_max(lambda e: e / e.sum(-1, keepdim=True)), "unexpected keyword argument 'keepdim'"),
        (after_max(lambda e: e @ np.ones((99, 1))), "in a product @"),
        (lambda scores: math.exp(scores - scores.max()), "only length-1 arrays"),
    ],
)
def test_the_error_of_a_numpy_answer_is_the_one_on_arrays(answer, words):
    assert words in card_text(answer)


def test_an_answer_in_numpy_is_judged_on_arrays_first():
    # on float32 tensors this would overflow, and be called by another name
    card = check(
        SOFTMAX, lambda scores: np.exp(np.minimum(scores, 700)) / np.exp(np.minimum(scores, 700)).sum(-1, keepdims=True)
    )
    assert "You clipped large scores" in repr(card)


def test_an_answer_with_torch_inside_that_takes_arrays_alone_is_judged_on_arrays():
    text = card_text(lambda scores: torch.softmax(torch.from_numpy(scores), dim=0).numpy())
    assert "over axis 0" in text
    assert "expected np.ndarray" not in text


def test_a_test_that_forgets_to_call_is_told_without_our_own_names():
    assert "'function' and 'float'" in card_text(lambda f: np.allclose(f, 1.0), "attention.test_softmax")


def test_a_missing_transpose_is_hinted_at():
    words = "transpose(-2, -1) is torch's word, and leaves a NumPy matrix as it is"
    assert words in card_text(
        lambda x, w_q, w_k, w_v: np.exp((x @ w_q) @ (x @ w_k).transpose(-2, -1)), "attention.self_attention"
    )


def test_matrices_that_do_not_fit_are_told_by_their_sizes():
    words = "For x of shape (3, 2), w_q of shape (2, 2), w_k of shape (2, 2), w_v of shape (2, 2), it raised ValueError: "
    words += "in a product @, the left has 2 columns and the right 3 rows; these must be equal"
    assert words in card_text(lambda x, w_q, w_k, w_v: w_q @ x, "attention.self_attention")


def test_a_function_that_takes_other_arguments_is_told_how_it_is_called():
    def softmax(scores, axis):
        return scores

    assert "It is called as `softmax(scores)`." in card_text(softmax)


def test_whole_numbers_are_no_fault_where_whole_numbers_are_asked_for():
    double = Implement(
        id="double",
        answer_name="f",
        prompt="",
        hints=(),
        reference=lambda x: 2 * x,
        draw=lambda rng: [[np.arange(3)]],
    )
    assert double.judge(0, [record(np.array([0, 2, 4]))]).passed
    assert "element [2] should be 4" in double.judge(0, [record(np.array([0, 2, 5]))]).message
