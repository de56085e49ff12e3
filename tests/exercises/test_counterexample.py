"""Inputs that should expose a bug: what is wrong with one that does not."""

import pytest
from examining import card_text

EYE = [[1, 0], [0, 1]]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ((EYE, EYE, EYE), "should contain 4 arrays in this order: x, w_q, w_k, w_v"),
        (EYE, "should contain 4 arrays"),
        ((EYE, EYE, "swap", EYE), "`w_k` should be an array of finite numbers"),
        ((EYE, EYE, [[float("inf"), 0], [0, 1]], EYE), "`w_k` should be an array of finite numbers"),
        (([1, 0], EYE, EYE, EYE), "`x` should be a matrix (two axes, not empty), but has shape (2,)"),
        ((EYE, [[1, 0]], EYE, EYE), "`w_q` should have one row for each of the 2 columns of x, but has 1"),
        ((EYE, [[1], [0]], EYE, EYE), "`w_q` and `w_k` should have the same shape"),
        ((EYE, EYE, [[0, 1e9], [1, 0]], EYE), "Use numbers between"),
        ((EYE, EYE, [[1, 1], [1, 1]], [[1, 1], [1, 1]]), "All your values are equal"),
        ((EYE, EYE, ..., EYE), "There's no answer in"),
    ],
)
def test_an_input_that_is_none_or_hides_the_fault_is_told(answer, words):
    assert words in card_text(answer, "attention.hidden_fault")


def test_an_input_on_which_both_agree_by_chance_is_told():
    # all scores of a row are alike for both, since the second coordinate, which tells the tokens apart, is projected away
    x, w_q, w_k = [[1, 0], [1, 1]], [[1], [0]], [[2], [0]]
    assert "This input does not expose the bug" in card_text((x, w_q, w_k, EYE), "attention.hidden_fault")
