"""Sheet 07: what it says of its exercises is so, and other answers are told why."""

import math
from functools import partial

import numpy as np
import pytest
from examining import cells_of, lettered_rows, solved, told, verdict

from transformer_course.exercises import catalogue
from transformer_course.experiments.waves import learned_positions, shift_errors
from transformer_course.positions import sinusoidal_encoding


def test_what_sheet_07_says_of_its_exercises_is_so():
    cells = cells_of("07")
    text, names = "\n".join(cells), {"np": np, "math": math}
    periods, clocks, back, far, fits = (
        catalogue()[f"positions.{name}"] for name in ("periods", "test_encoding", "three_back", "far_and_near", "one_matrix")
    )
    for period, (width, dimension) in zip(periods.value, ((12, 4), (12, 9), (4, 3)), strict=True):
        first = dimension - dimension % 2  # the sine of the hand
        sines = sinusoidal_encoding(4000, width)[:, first].numpy()
        (crossings,) = np.nonzero((sines[:-1] < 0) & (sines[1:] >= 0))  # where the hand comes past 12 o'clock
        assert crossings[0] + 1 == math.ceil(period)

    assert (len(clocks.target.alternatives) + 1, len(clocks.caught), len(clocks.target.mistakes)) == (3, 11, 11)
    assert "three correct functions and eleven broken ones" in text
    obeying = [m.name for m in clocks.target.mistakes if obeys_the_laws(m.answer)]
    assert len(obeying) >= 5  # "many"
    assert {"a different base", "the exponent halved", "angles in degrees"} <= set(obeying)

    for start in ("def row(", "def as_published("):
        exec(next(cell for cell in cells if cell.startswith(start)), names)
    m = solved(back)
    for p in range(3, 500):
        np.testing.assert_allclose(names["row"](p) @ m, names["row"](p - 3), atol=1e-12)
        np.testing.assert_allclose(names["row"](p), sinusoidal_encoding(500, 4)[p], atol=1e-6)
    assert back.violation(np.array([10]), m.round(3)) is None  # three digits are enough
    rng = np.random.default_rng(0)
    for trap in (solved(far), *rng.integers(0, 1000, (200, 3))):
        assert names["as_published"](*trap) == far.faulty(*trap)
        assert names["measured"](*trap) == far.reference(*trap)

    rows = lettered_rows(text)
    waves, random = sinusoidal_encoding(96, 8).double().numpy(), np.random.default_rng(0).standard_normal((96, 8))
    for row, table in {"A": waves, "B": random, "C": random, "D": learned_positions("gpt-pre", 8)}.items():
        _, fitted, *errors = rows[row]
        every = {"47": 2, "6": 16}[fitted]
        assert len(range(0, 94, every)) == int(fitted)
        assert shift_errors(table, 2, every) == pytest.approx(tuple(map(float, errors)), abs=0.006)
    assert fits.right["value"] == float(rows["B"][3])


def obeys_the_laws(f) -> bool:
    """Hands of length 1 that turn by the same angle from every start, in pairs of dimensions."""
    hands = f(np.arange(60.0)).reshape(60, 4, 2) @ [1j, 1]
    turns = hands[1:] * hands[:-1].conj()
    return np.allclose(np.abs(hands), 1) and np.allclose(turns, turns[0])


def test_a_test_of_clocks_that_looks_at_some_of_it_lets_some_through():
    exercise = catalogue()["positions.test_encoding"]
    broken = {mistake.name: mistake.answer for mistake in exercise.target.mistakes}
    near = partial(np.allclose, atol=1e-4)
    incomplete = [
        ("a different base", obeys_the_laws),
        ("a different base", lambda f: np.allclose(f(np.array([0.0]))[0, 0::2], 0)),
        ("entries counted, positions ignored", lambda f: near(f(np.arange(4.0)), sinusoidal_encoding(4, 8))),
        ("positions cut to whole numbers", lambda f: near(f(np.array([3.0, 1.0])), sinusoidal_encoding(4, 8)[[3, 1]])),
    ]
    for missed, test in incomplete:
        assert 0 < verdict(exercise, test).score < 1, missed
        assert test(broken[missed]), missed


def test_other_traps_of_sheet_07_are_told_why(snapshot):
    traps = {
        "not far enough": (0, 1, 199),
        "q is p": (0, 0, 710),
        "not a whole number": (0, 0.5, 710),
        "negative": (0, 1, -710),
        "p in a list": ([0], 1, 710),
        "two positions": (0, 1),
    }
    assert {case: told("positions.far_and_near", trap) for case, trap in traps.items()} == snapshot
    first, _, third = solved(catalogue()["positions.periods"])
    assert "5 for dimension 9" in told("positions.periods", [first, 5.0, third])


def test_every_far_position_at_which_the_hand_is_back_passes():
    for trap in (np.array([0, 1, 710]), (0, 1, 710), (800, 799, 90), (0, 2, 402), (7, 8, 227)):
        assert verdict(catalogue()["positions.far_and_near"], trap).passed, trap


def test_a_round_number_is_no_far_position_at_which_the_hand_is_back():
    for hundreds in range(2, 9):
        seen = verdict(catalogue()["positions.far_and_near"], (0, 1, 100 * hundreds))
        assert seen.mistake in ("the hand not back yet", "the hand opposite")


def test_a_right_matrix_passes_with_two_decimals():
    three_back = catalogue()["positions.three_back"]
    assert verdict(three_back, np.array(solved(three_back)).round(2)).passed
