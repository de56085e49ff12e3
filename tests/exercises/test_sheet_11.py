"""Sheet 11: what it says of its exercises is so, its references are right, and other answers are told why."""

import numpy as np
import pytest
import torch
from examining import SEEDS, solved, verdict

from transformer_course._util import paths
from transformer_course.authoring import build
from transformer_course.exercises import catalogue
from transformer_course.layers import layer_norm


def test_what_sheet_11_says_of_its_exercises_is_so():
    (source,) = (source for source in paths.sources("exercises") if source.stem.startswith("11_"))
    cells = [cell.source for cell in build.notebook_of(source).cells]
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

    rows = {line[4]: [part.strip() for part in line.split("|")[2:-1]] for line in text.splitlines() if line.startswith("| **")}
    losses = {row: [float(loss) for loss in entries[5:]] for row, entries in rows.items()}
    stuck, learns = losses["A"] + losses["E"] + losses["F"], losses["B"] + losses["C"] + losses["D"]
    assert min(stuck) - max(learns) == pytest.approx(world.right["value"])
    assert max(max(runs) - min(runs) for runs in losses.values()) == pytest.approx(0.16)  # as a diagnosis says
    for row in "BCDF":
        assert sum(a != b for a, b in zip(rows["A"][:5], rows[row][:5], strict=True)) == 1


def test_the_layer_norm_of_sheet_11_is_the_librarys():
    exercise = catalogue()["layers.layer_norm"]
    for seed in SEEDS:
        for *arrays, eps in exercise.questions(seed):
            expected = layer_norm(*map(torch.from_numpy, arrays), eps)
            np.testing.assert_allclose(exercise.reference(*arrays, eps), expected, atol=1e-12)


@pytest.mark.parametrize(
    ("x", "words"),
    [
        ([[0.0, 0.006]], "one token: a row of 2 to 16 numbers. It has shape (1, 2)"),
        ([0.003], "It has shape (1,)"),
        (np.zeros(17), "It has shape (17,)"),
        ([0, 1e6], "between −1000 and 1000"),
        ([5.0, 5.0, 5.0], "both formulas give 0"),
    ],
)
def test_a_token_that_shows_no_second_epsilon_is_told(x, words):
    assert words.lower() in verdict(catalogue()["layers.two_epsilons"], x).message.lower()


@pytest.mark.parametrize("x", [[0.0, 0.006], [7.004, 7.0, 7.004, 6.996], torch.tensor([0.01] + [0.0] * 15)])
def test_every_token_that_spreads_by_about_the_root_of_epsilon_passes(x):
    assert verdict(catalogue()["layers.two_epsilons"], x).passed


@pytest.mark.parametrize(
    ("company", "words"),
    [
        ([[1, 5, 3], [1, 5, 3], [1, 5, 3]], "the first number of our token comes out as 0.00; it should be above 1"),
        ([[0, 2, 3], [0, 2, 3], [0, 2, 3]], "One of the two outer numbers has changed sign"),
        ([[0, 3, 4], [0, 3, 4], [0, 3, 4]], "The two outer numbers have changed sign."),
        ([[0, 2], [0, 2], [0, 2]], "`company` should have shape (3, 3), but has shape (3, 2)"),
        ([[0, 2, 4000], [0, 2, 4], [0, 2, 4]], "Keep them all within ±1,000"),
    ],
)
def test_a_company_that_does_not_turn_our_token_is_told(company, words):
    seen = verdict(catalogue()["layers.company"], company)
    assert not seen.passed
    assert words in seen.message


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0.75, "You subtracted 2.15"),
        (0.9, "You subtracted 2.00"),
        (2.9, "your value is a single loss"),
        (2.17, "your value is a single loss"),
        (-0.73, "your value is negative"),
    ],
)
def test_a_wrong_value_with_the_right_claim_and_reason_is_told(value, words):
    exercise = catalogue()["layers.which_world"]
    assert words in verdict(exercise, {**exercise.right, "value": value}).message


@pytest.mark.parametrize(
    ("under_the_root", "words"),
    [
        (lambda x, centred: (x**2).mean(-1, keepdims=True), "the mean of x², not of the squared distances"),
        (lambda x, centred: (centred**2).sum(-1, keepdims=True), "the sum of the squared distances"),
    ],
)
def test_a_variance_that_is_none_is_told(under_the_root, words):
    def answer(x, gamma, beta, eps):
        centred = x - x.mean(-1, keepdims=True)
        return gamma * centred / np.sqrt(under_the_root(x, centred) + eps) + beta

    for seed in SEEDS:
        assert words in verdict(catalogue()["layers.layer_norm"], answer, seed).message
