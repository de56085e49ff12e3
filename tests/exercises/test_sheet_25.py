"""Sheet 25: what it says of its exercises is so, and other answers are told why."""

import numpy as np
import torch
from examining import cells_of, solved, told

from transformer_course.exercises import catalogue
from transformer_course.exercises.lesson_25_small_and_fast import outlier
from transformer_course.experiments.drafting import expected_tokens
from transformer_course.quantization import quantize


def test_what_sheet_25_says_of_its_exercises_is_so():
    cells = cells_of("25")
    weights, cache, shared, tokens = catalogue()["fast.memory"].value
    group = quantize(torch.randn(10, 320), 4, 32)
    np.testing.assert_allclose(weights, 7 * group.size / group.codes.numel())
    np.testing.assert_allclose([cache / shared, tokens], [8, expected_tokens(0.6, 3)])

    names = {"np": np}
    exec(next(cell for cell in cells if cell.startswith("def lost_by_row(")), names)
    rng = np.random.default_rng(0)
    for row in (names["example"], solved(catalogue()["fast.outlier"]), *rng.normal(size=(50, 8))):
        assert names["lost_by_row"](row) == outlier.lost_by_row(np.array(row))
        assert names["lost_in_groups"](row) == outlier.lost_in_groups(np.array(row))
    assert names["lost_by_row"](names["example"]) == names["lost_in_groups"](names["example"]) == 2


def test_other_answers_to_sheet_25_are_told_why(snapshot):
    answers = {
        "fast.outlier": {
            "seven numbers": [1.0] * 7,
            "a number below 0.5": [0.1, *[1.0] * 7],
            "groups lose some": [0.5, 1, 1, 10, 1, 1, 1, 1],
            "in the middle of two codes": [0.5, 0.5, 0.5, 0.5, 7, 7, 7, 7],
        },
        "fast.memory": {"a wrong number of tokens": [3.9375, 2.097152, 0.262144, 1.9]},
        "fast.quantize": {"zeros": lambda weights, bits, group_size: 0 * weights},
        "fast.rule": {"twice": lambda p, q: 2 * catalogue()["fast.rule"].reference(p, q)},
    }
    assert {name: {case: told(name, answer) for case, answer in cases.items()} for name, cases in answers.items()} == snapshot
