"""The clock: its hands and dot products are those of the course's sinusoids."""

import numpy as np
import pytest
import torch
from playwright.sync_api import expect

from transformer_course.positions import sinusoidal_encoding


@pytest.fixture
def in_float64():
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(torch.float32)


def test_its_numbers_are_those_of_the_sinusoids_in_200_random_states(show, in_float64):
    page = show("clock")
    rng = np.random.default_rng(0)
    states = [
        {"d": int(rng.choice([8, 16, 64])), "p": int(rng.integers(0, 201)), "k": int(rng.integers(0, 101))} for _ in range(200)
    ]
    seen = page.evaluate("states => states.map(each => document.querySelector('course-clock').compute(each))", states)
    tables = {d: sinusoidal_encoding(302, d).numpy() for d in (8, 16, 64)}
    for state, numbers in zip(states, seen, strict=True):
        d, p, k = state.values()
        rows = tables[d]
        np.testing.assert_allclose(np.ravel(numbers["from"]), rows[p], atol=1e-6)
        np.testing.assert_allclose(np.ravel(numbers["to"]), rows[p + k], atol=1e-6)
        np.testing.assert_allclose(numbers["turns"], k / 10000 ** (np.arange(0, d, 2) / d), atol=1e-6)
        np.testing.assert_allclose(numbers["dots"], rows[p + np.array(numbers["away"])] @ rows[p], atol=1e-6)
        assert numbers["dot"] == pytest.approx(rows[p] @ rows[p + k], abs=1e-6)


def test_the_turn_and_the_dot_product_are_the_same_from_any_start(show):
    page = show("clock")
    status = page.get_by_role("status").first
    turns = "hand 0 by 2.00, hand 1 by 0.20, hand 2 by 0.0200, hand 3 by 0.0020 radians. Dot product: 2.56 of at most 4."
    for p in (0, 50, 150):
        page.get_by_role("slider", name="position p").first.fill(str(p))
        expect(status).to_have_text(f"Width 8, position {p} to {p + 2}: {turns}")
    page.get_by_role("combobox", name="width d").first.select_option("64")
    expect(page.locator(".faces").first.locator("svg")).to_have_count(32)
    expect(status).to_contain_text("(and 28 slower hands)")
