"""Sheet 21: what it says of its exercises is so, and other answers are told why."""

import numpy as np
import pytest
import torch
from examining import cells_of, lettered_rows, told, verdict

from transformer_course.exercises import catalogue
from transformer_course.exercises.catalogue import by_lesson
from transformer_course.layers import layer_norm
from transformer_course.positions import sinusoidal_encoding
from transformer_course.transformer import Encoder, StackConfig


def moved_by_the_side(positions: str, seed: int, masked: bool) -> float:
    """How far the outputs of four tokens move when three of padding stand before them in place of behind them."""
    torch.manual_seed(seed)
    encoder = Encoder(StackConfig(d_model=16, num_heads=2, num_layers=2, d_ff=32, dropout=0.0, positions=positions))
    tokens, padding = torch.randn(1, 4, 16), torch.randn(1, 1, 16).expand(1, 3, 16)
    waves = sinusoidal_encoding(7, 16) if positions == "sinusoidal" else 0
    real = torch.arange(7) < 4
    behind = encoder(torch.cat([tokens, padding], dim=1) + waves, real[None] if masked else None)[0, :4]
    before = encoder(torch.cat([padding, tokens], dim=1) + waves, real.flip(0)[None] if masked else None)[0, 3:]
    return (behind - before).abs().max().item()


def sums_at(size):
    return lambda f: np.allclose(f(size * X_Y[0] + size * X_Y[1]), f(size * X_Y[0]) + f(size * X_Y[1]), atol=1e-6)


def as_a_matrix(f):
    """What f makes of each unit array is its matrix: f must be that matrix on others too."""
    units = np.eye(6).reshape(6, 2, 3)
    matrix = np.array([f(unit) for unit in units])
    return all(
        np.allclose(f(x), np.tensordot(x.ravel(), matrix, 1)) for x in 10 * np.random.default_rng(1).normal(size=(5, 2, 3))
    )


def mixtures(f):
    x, y = 10 * X_Y
    return all(np.allclose(f(a * x + b * y), a * f(x) + b * f(y)) for a, b in ((2, -3), (0.1, 0.1), (-1, 0.5), (0, 0)))


def test_what_sheet_21_says_of_its_exercises_is_so():
    cells = cells_of("21")
    text, names = "\n".join(cells), {"np": np}
    norms, near, lower, linear, side = by_lesson()["21"]

    tokens = [[3.0, -1, -3, 1], list(range(100)), [9.0, -3, -9, 3]]
    behind = [np.linalg.norm(layer_norm(torch.tensor(t), torch.ones(len(t)), torch.zeros(len(t)), 0.0)) for t in tokens[::2]]
    hundred = torch.nn.functional.layer_norm(torch.tensor(tokens[1]).float(), (100,), eps=0.0).norm()
    np.testing.assert_allclose(norms.value, [1, behind[0], hundred, behind[1]], rtol=1e-6)

    exec(next(cell for cell in cells if cell.startswith("def weights(")), names)
    for scores in np.random.default_rng(0).uniform(-5, 5, (200, 4)):  # what is shown is what is judged
        before, after = names["weights"](scores), names["weights"](scores / 2)
        farther = (np.abs(after - 1 / 4) - np.abs(before - 1 / 4)).max()
        assert verdict(near, scores.tolist()).passed == (farther >= 0.01)
        assert after.max() <= before.max()  # as the sheet says in the end
        assert after.min() >= before.min()
        two = [names["weights"](part)[0] for part in (scores[:2], scores[:2] / 2)]
        assert abs(two[1] - 1 / 2) <= abs(two[0] - 1 / 2)  # and, of two scores, a diagnosis

    exec(next(cell for cell in cells if cell.startswith("def loss_and_right(")), names)
    rng, passed, sure = np.random.default_rng(0), 0, 0
    for _ in range(300):
        a, b = rng.dirichlet([1, 1, 1], (2, 2)).clip(1e-3)
        a, b = (rows / rows.sum(1, keepdims=True) for rows in (a, b))
        (loss_a, right_a), (loss_b, right_b) = names["loss_and_right"](a), names["loss_and_right"](b)
        refutes = loss_b - loss_a >= 0.05 and right_a < right_b
        passed += refutes
        assert verdict(lower, (a, b)).passed == refutes
        sure += loss_a < np.log(2) / 2
        assert right_a == 2 or loss_a >= np.log(2) / 2  # as the sheet says afterwards
    assert 0 < passed < 100
    assert sure

    exec(next(cell for cell in cells if cell.startswith("def network(")), names)
    x = rng.standard_normal((5, 3))
    np.testing.assert_allclose(names["network"](2 * x), 2 * names["network"](x))
    assert not np.allclose(names["network"](-x), -names["network"](x))
    assert (len(linear.target.alternatives) + 1, len(linear.caught), len(linear.target.mistakes)) == (6, 11, 11)
    assert "six linear functions and with eleven that are not" in text

    rows = lettered_rows(text)
    for row, positions in (("A", "none"), ("B", "sinusoidal"), ("C", "rotary"), ("D", "rotary")):
        moves = [moved_by_the_side(positions, seed, masked=rows[row][1] == "yes") for seed in range(3)]
        assert moves == pytest.approx([float(entry) for entry in rows[row][2:]], abs=0.006)
    assert side.right["value"] == min(float(entry) for entry in rows["B"][2:])


X_Y = np.random.default_rng(5).normal(size=(2, 5, 3))
X, OWN_SIZE = 10 * X_Y[0], "x · |x|, divided by each token's length"


def test_every_thorough_way_to_look_for_linearity_passes():
    for test in (lambda f: sums_at(1)(f) and sums_at(20)(f), as_a_matrix, mixtures):
        assert verdict(catalogue()["reading.test_linear"], test).passed


def test_a_test_of_linearity_that_looks_at_less_lets_something_through():
    exercise = catalogue()["reading.test_linear"]
    broken = {mistake.name: mistake.answer for mistake in exercise.target.mistakes}
    incomplete = [
        ("a network with ReLU", lambda f: np.allclose(f(2 * X_Y[0]), 2 * f(X_Y[0]))),
        ("ReLU alone", lambda f: np.allclose(f(abs(X_Y[0]) + abs(X_Y[1])), f(abs(X_Y[0])) + f(abs(X_Y[1])))),
        ("cubes", lambda f: np.allclose(f(-X_Y[0]), -f(X_Y[0]))),
        ("cut off at 6", sums_at(1)),
        (OWN_SIZE, lambda f: np.allclose(f(3 * X), 3 * f(X)) and np.allclose(f(-X), -f(X))),
        (
            OWN_SIZE,
            lambda f: all(np.allclose(f(c * size * X), c * f(size * X)) for c in (-3, -1, 0, 0.5, 2, 20) for size in (0.1, 1)),
        ),
        (
            OWN_SIZE,
            lambda f: np.allclose(f(X + X), f(X) + f(X)) and all(np.allclose(f(c * X), c * f(X)) for c in (2, -1, 0.5, 3)),
        ),
    ]
    for missed, test in incomplete:
        assert test(broken[missed]), missed
        assert 0 < verdict(exercise, test).score < 1, missed


def test_models_of_which_the_worse_is_right_more_often_pass():
    for models in (([[0.34, 0.66, 0]] * 2, [[0.9, 0.1, 0], [0.001, 0.5, 0.499]]), ([[0.48, 0.52, 0]], [[0.34, 0.33, 0.33]])):
        assert verdict(catalogue()["reading.lower_loss"], models).passed


def test_other_answers_to_sheet_21_are_told_why(snapshot):
    answers = {
        "reading.lower_loss": {
            "seven rows": ([[0.45, 0.55, 0.0]] * 7, [[0.4, 0.3, 0.3]] * 7),
            "two tokens": ([[0.45, 0.55]], [[0.4, 0.6]]),
            "not as many rows": ([[0.45, 0.55, 0.0]], [[0.4, 0.3, 0.3]] * 2),
        },
        "reading.nearer": {"too large": [25.0, 0.0, 0.0], "two axes": [[1.0, 2.0, 3.0]], "one score": [1.0]},
        "reading.lengths": {
            "a length of 0": [1, 2, 10, 0],
            "a hundred, which may be a guess": [1, 5, 100, 5],  # so no sum of squares
        },
    }
    assert {name: {case: told(name, answer) for case, answer in cases.items()} for name, cases in answers.items()} == snapshot
