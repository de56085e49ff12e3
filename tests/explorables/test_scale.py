"""The scale: weights and slopes on the page are NumPy's."""

import numpy as np
import pytest
from explorable_samples import SAMPLES
from playwright.sync_api import expect

from transformer_course import explorables


def test_its_numbers_are_those_of_numpy_in_200_random_states(show):
    page = show("scale")
    rng = np.random.default_rng(0)
    states = [{"width": int(rng.integers(9)), "draw": int(rng.integers(12)), "divided": bool(k % 2)} for k in range(200)]
    seen = page.evaluate("states => states.map(each => document.querySelector('course-scale').compute(each))", states)
    content = SAMPLES["scale"]().content
    for state, numbers in zip(states, seen, strict=True):
        scores = np.array(content["scores"][state["width"]][state["draw"]])
        scores = scores / np.sqrt(content["widths"][state["width"]]) if state["divided"] else scores
        weights = np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum()
        slopes = weights - weights**2
        np.testing.assert_allclose(numbers["weights"], weights, atol=1e-6)
        np.testing.assert_allclose(numbers["slopes"], slopes, atol=1e-6)
        assert numbers["movable"] == (slopes > 1e-3).sum()


def test_the_division_moves_weight_but_keeps_the_order(show):
    page = show("scale")
    status = page.get_by_role("status").first
    row = SAMPLES["scale"]().content["scores"][-1][0]
    winner = f"key {np.argmax(row) + 1} has the most weight, "
    expect(status).to_have_text(f"d_k = 512, scores not divided: {winner}1.000; 0 of 8 slopes are above 0.001.")
    page.get_by_role("checkbox").first.check()
    expect(status).to_contain_text(f"d_k = 512, scores divided: {winner}0.")
    expect(status).to_contain_text("; 8 of 8 slopes")


@pytest.mark.parametrize(
    "scores", [{2: [1, 2]}, {2: [[1, 2]], 4: [[1, 2, 3]]}, {2: [[1, np.inf]]}, {}], ids=["one row", "ragged", "inf", "none"]
)
def test_scores_of_other_shapes_are_refused_in_one_sentence(scores):
    with pytest.raises(ValueError, match=r"of one shape \(draws, m\)"):
        explorables.scale(scores)
