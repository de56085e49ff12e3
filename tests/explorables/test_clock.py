"""The clock: its hands are those of the course's sinusoids."""

import re

import numpy as np
import pytest
import torch
from playwright.sync_api import expect

from transformer_course import explorables
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


def test_the_turn_is_the_same_from_any_start(show):
    page = show("clock")
    status = page.get_by_role("status").first
    expect(status).to_have_text(
        "Width 8, position 0 to 1: hand 0 by 1.00, hand 1 by 0.10, hand 2 by 0.0100, hand 3 by 0.0010 radians."
    )
    page.get_by_role("slider", name="k tokens further").first.fill("2")
    for p in (0, 50, 150):
        page.get_by_role("slider", name="position p").first.fill(str(p))
        turns = "hand 0 by 2.00, hand 1 by 0.20, hand 2 by 0.0200, hand 3 by 0.0020 radians."
        expect(status).to_have_text(f"Width 8, position {p} to {p + 2}: {turns}")
    sector = page.locator(".faces path[fill-opacity]").first
    for k, large in ((4, 1), (7, 0)):  # 4 radians are more than half a turn, and so are 7, but only the rest is drawn
        page.get_by_role("slider", name="k tokens further").first.fill(str(k))
        expect(sector).to_have_attribute("d", re.compile(f"A30 30 0 {large} 1 "))
    page.get_by_role("slider", name="k tokens further").first.fill("2")
    page.get_by_role("combobox", name="width d").first.select_option("64")
    expect(page.locator(".faces").first.locator("svg")).to_have_count(32)
    expect(status).to_contain_text("(and 28 slower hands)")


@pytest.mark.parametrize("start", [(-1, 2), (201, 2), (0, 101), (0, 0.5)])
def test_a_start_that_the_sliders_do_not_have_is_refused_in_one_sentence(start):
    with pytest.raises(ValueError, match="a position from 0 to 200 and a shift from 0 to 100, got"):
        explorables.clock(*start)
