"""Sheet 03: what it says of its exercises is so, and other answers are told why."""

from fractions import Fraction

import numpy as np
import pytest
from examining import cells_of, lettered_rows, verdict

from transformer_course.exercises import catalogue


def test_what_sheet_03_says_of_its_exercises_is_so():
    cells = cells_of("03")
    names = {"np": np}
    exec(next(cell for cell in cells if "def look(" in cell), names)
    circle, rng = catalogue()["attention.one_way"], np.random.default_rng(0)
    for kinds in circle.draw(rng):  # what is shown is what is judged
        w_q, w_k = rng.standard_normal((2, 3, 5))
        weights = names["look"](kinds + 1, w_q, w_k)
        least = min((row * (kinds == [1, 2, 0][kind])).sum() for kind, row in zip(kinds, weights, strict=True))
        complaint = circle.violation(kinds, w_q, w_k)
        assert (complaint is None) == (least >= 0.9)
        assert complaint is None or float(complaint.split(" puts ")[1].split()[0]) == pytest.approx(least, abs=0.003)

    def holds(counts, w_q, w_k):
        return circle.violation(np.repeat(np.arange(3), counts), w_q, w_k) is None

    every = [(a, b, c) for a in range(1, 11) for b in range(1, 11) for c in range(1, 11) if a + b + c <= 12]
    for _ in range(100):  # near the limit, the sequences of every draw demand what all sequences demand
        w_q, w_k = np.eye(3)[[1, 2, 0]] * rng.uniform(7.5, 9) + rng.uniform(-0.4, 0.4, (3, 3)), np.eye(3)
        assert verdict(circle, (w_q, w_k)).passed == all(holds(counts, w_q, w_k) for counts in every)

    table = next(cell for cell in cells if "What makes it slow?" in cell)
    rows = lettered_rows(table)
    spread = {}
    for row, (divided, w_q, w_k, *_) in rows.items():
        spread[row] = float(Fraction(w_q) * Fraction(w_k)) * 8 / (8 if divided == "yes" else 1)
    steps = {row: [int(entry) for entry in entries[3:]] for row, entries in rows.items()}
    assert spread == {"A": 1, "B": 8, "C": 1, "D": 8, "E": catalogue()["attention.saturated"].right["value"]}
    assert max(steps["A"] + steps["C"]) == 99 < 149 == min(steps["B"] + steps["D"] + steps["E"])
    assert max(max(runs) / min(runs) for runs in steps.values()) < 4 / 3 + 0.01
