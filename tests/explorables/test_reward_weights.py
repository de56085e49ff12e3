"""The weights of rewards: the page's probabilities are those of the closed form, and paying for length is gamed."""

import numpy as np
import pytest
from explorable_samples import ANSWERS, PAYS, SAMPLES
from playwright.sync_api import expect

from transformer_course import explorables


def test_its_numbers_are_those_of_the_closed_form_in_200_random_states(show):
    page = show("reward_weights")
    rng = np.random.default_rng(0)
    states = [{"weights": rng.uniform(0, 2, 2).tolist(), "beta": int(rng.integers(8))} for _ in range(200)]
    seen = page.evaluate("states => states.map(each => document.querySelector('course-reward-weights').compute(each))", states)
    content = SAMPLES["reward_weights"]().content
    before = np.exp(content["logits"])
    for state, numbers in zip(states, seen, strict=True):
        rewards = np.array(state["weights"]) @ np.array(list(PAYS.values()))
        after = before * np.exp((rewards - rewards.max()) / content["betas"][state["beta"]])
        np.testing.assert_allclose(numbers["rewards"], rewards, atol=1e-6)
        np.testing.assert_allclose(numbers["before"], before / before.sum(), atol=1e-6)
        np.testing.assert_allclose(numbers["after"], after / after.sum(), atol=1e-6)


def test_paid_length_wins_as_soon_as_beta_is_small(show):
    page = show("reward_weights")
    status, bars = page.get_by_role("status").first, page.get_by_role("img", name="Probabilities").first
    page.get_by_role("slider", name="β").first.fill("4")
    expect(status).to_have_text(
        "β = 0.5: “4” is the most probable answer, 0.77 (before: 0.31). It earns 1.5; “55555” would earn 2.5."
    )
    page.get_by_role("slider", name="β").first.fill("0")
    expect(status).to_have_text(
        "β = 0.02: “55555” is the most probable answer, 1.00 (before: 10⁻⁵). It earns 2.5, and none earns more."
    )
    page.get_by_role("slider", name="pay for each character").first.fill("0")
    expect(status).to_contain_text("“4” is the most probable answer, 1.00")
    rows = "4 1.00, before 0.31, reward 1.0; 5 0.00, before 0.69, reward 0.0; 55555 0.00, before 10⁻⁵, reward 0.0"
    expect(bars).to_have_attribute("aria-label", f"Probabilities: {rows}.")


@pytest.mark.parametrize(
    ("log_probs", "pays", "weights", "beta"),
    [
        ([-1, -2], PAYS, [1, 1], 1.0),
        ([-1, -2, -np.inf], PAYS, [1, 1], 1.0),
        ([-1, -2, -3], PAYS, [1], 1.0),
        ([-1, -2, -3], PAYS, [1, 3], 1.0),
        ([-1, -2, -3], {"right": [1]}, [1], 1.0),
        ([-1, -2, -3], PAYS, [1, 1], 0.3),
    ],
)
def test_numbers_that_do_not_fit_are_refused_in_one_sentence(log_probs, pays, weights, beta):
    with pytest.raises(ValueError, match="a finite number per answer"):
        explorables.reward_weights("2+2=", ANSWERS, log_probs, pays, weights, beta)
