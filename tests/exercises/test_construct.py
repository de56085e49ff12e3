"""The kind "construct": arrays of the learner's own, judged by what they do."""

import numpy as np
import torch
from examining import told

from transformer_course.exercises import catalogue, check
from transformer_course.exercises.exercise import Mistake
from transformer_course.exercises.kinds import Construct
from transformer_course.runner.run import record

EYE, RIGHT = np.eye(3), 9 * np.eye(3)[[1, 2, 0]]
CIRCLE = np.array([[1, 0], [-0.5, 0.75**0.5], [-0.5, -(0.75**0.5)]])


def test_whatever_has_the_property_passes():
    right = {
        "a pair": (RIGHT, EYE),
        "lists": [RIGHT.tolist(), EYE.astype(int).tolist()],
        "one array": np.stack([RIGHT, EYE]),
        "tensors": (torch.from_numpy(RIGHT), torch.eye(3)),
        "one tensor": torch.stack([torch.from_numpy(RIGHT).float(), torch.eye(3)]),
        "the keys turned": (EYE, RIGHT.T),
        "two columns": (CIRCLE[[1, 2, 0]] * 5, CIRCLE),
        "large numbers": (RIGHT * 1e5, EYE * 1e6),
        "twelve columns": (np.pad(RIGHT, ((0, 0), (0, 9))) * 2, np.pad(EYE, ((0, 0), (0, 9)))),
    }
    assert {name for name, answer in right.items() if not check("attention.one_way", answer)} == set()


def test_what_has_it_not_is_told_in_a_sentence(snapshot):
    answers = {
        "open": ...,
        "one open": (RIGHT, ...),
        "one array": RIGHT,
        "None": None,
        "a number": 3.0,
        "an array of one number": np.array(3.0),
        "a dictionary": {"w_q": RIGHT, "w_k": EYE},
        "text": "w_q, w_k",
        "a function": (lambda: 1, EYE),
        "text as an array": (RIGHT, "eye"),
        "ragged rows": (RIGHT, [[1, 0], [0]]),
        "NaN": (RIGHT * np.nan, EYE),
        "infinity": (RIGHT + np.inf, EYE),
        "two rows": (RIGHT[:2], EYE),
        "a vector": (RIGHT[0], EYE),
        "no columns": (np.zeros((3, 0)), EYE),
        "different widths": (RIGHT, EYE[:, :2]),
        "four rows": (EYE, np.ones((4, 3))),
        "transposed": (np.ones((3, 4)), np.ones((4, 3))),
        "numbers too large": (1e7 * RIGHT, EYE),
        "numbers far too large": (-1e300 * RIGHT, EYE),
        "a kind without a score": (RIGHT * [[1], [1], [0]], EYE),
    }
    assert {name: told("attention.one_way", answer) for name, answer in answers.items()} == snapshot


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
