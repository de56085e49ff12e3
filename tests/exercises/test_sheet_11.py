"""Sheet 11: what it says of its exercises is so, and other answers are told why."""

import numpy as np
import pytest
import torch
from examining import cells_of, lettered_rows, solved, told, verdict

from transformer_course.exercises import catalogue


def test_what_sheet_11_says_of_its_exercises_is_so():
    cells = cells_of("11")
    text, names = "\n".join(cells), {"np": np}
    one, twice, company, world = (
        catalogue()[f"layers.{name}"] for name in ("standardised", "two_epsilons", "company", "which_world")
    )
    token, gamma, beta = (
        torch.tensor(numbers, dtype=torch.float64) for numbers in ([2, 4, 5, 6, 8], [2, 1, 3, 1, 2], [0, 1, 1, 0, -1])
    )
    assert "[2, 4, 5, 6, 8]. LayerNorm has γ = [2, 1, 3, 1, 2] and β = [0, 1, 1, 0, −1]" in text
    np.testing.assert_allclose(one.value, torch.nn.functional.layer_norm(token, (5,), gamma, beta), atol=1e-4)

    for start in ("def one_epsilon(", "ours = "):
        exec(next(cell for cell in cells if cell.startswith(start)), names)
    rng = np.random.default_rng(0)
    for spread in [*10.0 ** np.arange(-5, 3, 0.25), *np.arange(0.0005, 0.012, 1e-4)]:  # what is shown is what is judged
        x = spread * np.array([1.0, -1.0, 1.0, -1.0])
        assert verdict(twice, x).passed == (names["apart"](x) > 0.001)
        assert names["one_epsilon"](x) == pytest.approx(torch.nn.functional.layer_norm(torch.tensor(x), (4,)).numpy())
    for drawn in [*rng.normal(2, 3, (300, 3, 3)), *(np.array(solved(company)) + rng.normal(0, 0.5, (300, 3, 3)))]:
        first, second, third = names["ours_among"](drawn)
        assert verdict(company, drawn).passed == (first > 1 and abs(second) < 0.1 and third < -1)
    of_torch = torch.nn.BatchNorm1d(3, dtype=torch.float64)(torch.tensor([[1.0, 2, 3], *solved(company)], dtype=torch.float64))
    np.testing.assert_allclose(names["ours_among"](solved(company)), of_torch[0].detach())

    rows = lettered_rows(text)
    losses = {row: [float(loss) for loss in entries[5:]] for row, entries in rows.items()}
    stuck, learns = losses["A"] + losses["E"] + losses["F"], losses["B"] + losses["C"] + losses["D"]
    assert min(stuck) - max(learns) == pytest.approx(world.right["value"])
    assert max(max(runs) - min(runs) for runs in losses.values()) == pytest.approx(0.16)  # as a diagnosis says
    for row in "BCDF":
        assert sum(a != b for a, b in zip(rows["A"][:5], rows[row][:5], strict=True)) == 1


def test_every_token_that_spreads_by_about_the_root_of_epsilon_passes():
    for x in ([0.0, 0.006], [7.004, 7.0, 7.004, 6.996], torch.tensor([0.01] + [0.0] * 15)):
        assert verdict(catalogue()["layers.two_epsilons"], x).passed, x


def test_other_answers_to_sheet_11_are_told_why(snapshot):
    answers = {
        "layers.two_epsilons": {
            "two axes": [[0.0, 0.006]],
            "one number": [0.003],
            "too many numbers": np.zeros(17),
            "too large": [0, 1e6],
            "all equal": [5.0, 5.0, 5.0],
        },
        "layers.company": {
            "ours is the mean of the first column": [[1, 5, 3]] * 3,
            "two numbers each": [[0, 2]] * 3,
            "too large": [[0, 2, 4000], [0, 2, 4], [0, 2, 4]],
        },
    }
    assert {name: {case: told(name, answer) for case, answer in cases.items()} for name, cases in answers.items()} == snapshot
