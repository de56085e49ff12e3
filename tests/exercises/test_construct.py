"""The kind "construct": arrays of the learner's own, judged by what they do."""

import numpy as np
import pytest
import torch

from transformer_course.exercises import catalogue, check
from transformer_course.exercises.exercise import Mistake
from transformer_course.exercises.kinds import Construct
from transformer_course.runner.run import record

EYE, RIGHT = np.eye(3), 9 * np.eye(3)[[1, 2, 0]]
CIRCLE = np.array([[1, 0], [-0.5, 0.75**0.5], [-0.5, -(0.75**0.5)]])


def message_of(answer) -> str:
    card = check("attention.one_way", answer)
    assert not card
    return repr(card)


@pytest.mark.parametrize(
    "answer",
    [
        (RIGHT, EYE),
        [RIGHT.tolist(), EYE.astype(int).tolist()],
        np.stack([RIGHT, EYE]),
        (torch.from_numpy(RIGHT), torch.eye(3)),
        torch.stack([torch.from_numpy(RIGHT).float(), torch.eye(3)]),
        (EYE, RIGHT.T),
        (CIRCLE[[1, 2, 0]] * 5, CIRCLE),
        (RIGHT * 1e5, EYE * 1e6),
        (np.pad(RIGHT, ((0, 0), (0, 9))) * 2, np.pad(EYE, ((0, 0), (0, 9)))),
    ],
)
def test_whatever_has_the_property_passes(answer):
    assert check("attention.one_way", answer)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (..., "There's no answer in `one_way` yet"),
        ((RIGHT, ...), "There's no answer in `one_way` yet"),
        (RIGHT, "should contain 2 arrays in this order: w_q, w_k. It contains 3."),
        (None, "should contain 2 arrays in this order: w_q, w_k. It is NoneType."),
        (3.0, "It is float."),
        (np.array(3.0), "It is ndarray."),
        ({"w_q": RIGHT, "w_k": EYE}, "It is dict."),
        ("w_q, w_k", "It is str."),
        ((lambda: 1, EYE), "should contain 2 arrays in this order: w_q, w_k. It is function."),
        ((RIGHT, "eye"), "`w_k` should be an array of finite numbers, but contains something that is not a number"),
        (
            (RIGHT, [[1, 0], [0]]),
            "array of finite numbers, but contains rows of different lengths, 1 and 2.",
        ),
        ((RIGHT * np.nan, EYE), "`w_q` should be an array of finite numbers, but contains inf or nan"),
        ((RIGHT + np.inf, EYE), "`w_q` should be an array of finite numbers, but contains inf or nan"),
        ((RIGHT[:2], EYE), "`w_q` should have shape (3, d_k), but has shape (2, 3). Its transpose, `.T`, would fit."),
        ((RIGHT[0], EYE), "`w_q` should have shape (3, d_k), but has shape (3,)."),
        ((np.zeros((3, 0)), EYE), "`w_q` should have shape (3, d_k), but has shape (3, 0)."),
        ((RIGHT, EYE[:, :2]), "`w_k` should have shape (3, d_k) with d_k = 3, but has shape (3, 2)."),
        ((EYE, np.ones((4, 3))), "`w_k` should have shape (3, d_k) with d_k = 3, but has shape (4, 3).\n"),
        ((np.ones((3, 4)), np.ones((4, 3))), "with d_k = 4, but has shape (4, 3). Its transpose, `.T`, would fit."),
        ((1e7 * RIGHT, EYE), "`w_q` contains numbers up to 9e+07. Keep them all within ±1,000,000."),
        ((-1e300 * RIGHT, EYE), "Keep them all within ±1,000,000."),
        ((RIGHT * [[1], [1], [0]], EYE), "In the sequence of kinds 1 2 3, a token of kind 3 puts 0.333 of its weight on"),
    ],
)
def test_what_has_it_not_is_told_in_a_sentence(answer, words):
    assert words in message_of(answer)


def test_the_verdict_does_not_hang_on_the_seed():
    circle = catalogue()["attention.one_way"]
    for factor, passes in [(7.9, False), (8.0, True)]:  # 4.6 · √3 = 7.96
        answer = record((factor / 9 * RIGHT, EYE))
        assert {circle.judge(seed, [answer]).passed for seed in range(50)} == {passes}


def test_a_mistake_without_a_predicate_is_recognised_by_its_arrays():
    even = Construct(
        id="an.even_row",
        answer_name="row",
        prompt="A row of even numbers.",
        hints=("one", "two"),
        shapes={"row": ("n",)},
        draw=lambda rng: [int(rng.integers(2, 4))],
        violation=lambda drawn, row: None if (row % 2 == 0).all() else f"An odd number; drawn was {drawn}.",
        mistakes=(Mistake("odd", "These are the odd numbers.", "Look at the first.", [1, 3], variants=([1, 3, 5],)),),
    )
    assert even.judge(0, [record([2, 4])]).passed  # a single array is handed over as it is
    assert [even.judge(0, [record(row)]).mistake for row in ([1, 3], [1, 3, 5], [1, 3, 7])] == ["odd", "odd", None]
    assert {even.judge(seed, [record([7])]).message for seed in range(9)} == {
        "An odd number; drawn was 2.",
        "An odd number; drawn was 3.",
    }
    assert even.judge(0, [record([[2]])]).message == "`row` should have shape (n,), but has shape (1, 1)."
