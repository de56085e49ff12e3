"""Drag the tokens: the numbers on the page are those of the course's attention."""

import numpy as np
import pytest
import torch
from playwright.sync_api import expect

from transformer_course.attention import scaled_dot_product_attention


@pytest.mark.slow
def test_its_numbers_are_those_of_attention_in_200_random_states(show):
    page = show("drag_tokens")
    rng = np.random.default_rng(0)
    states = [{"tokens": rng.uniform(-3, 3, (3, 2)).tolist()} for _ in range(200)]
    seen = page.evaluate("states => states.map(each => document.querySelector('course-drag-tokens').compute(each))", states)
    for state, numbers in zip(states, seen, strict=True):
        tokens = torch.tensor(state["tokens"], dtype=torch.float64)
        outputs, weights = scaled_dot_product_attention(tokens, tokens, tokens, scale=1.0)
        np.testing.assert_allclose(numbers["scores"], tokens @ tokens.T, atol=1e-6)
        np.testing.assert_allclose(numbers["weights"], weights, atol=1e-6)
        np.testing.assert_allclose(numbers["outputs"], outputs, atol=1e-6)


@pytest.mark.slow
def test_a_token_follows_the_pointer_and_stops_at_the_edge_of_the_plane(show):
    page = show("drag_tokens")
    orange = page.get_by_role("slider", name="orange").first
    orange.hover()
    page.mouse.down()
    box = page.get_by_role("group", name="Plane of tokens").first.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(orange).to_have_attribute("aria-valuetext", "[0.50, 0.50]")
    page.mouse.move(5000, 5000)
    expect(orange).to_have_attribute("aria-valuetext", "[2.50, −1.50]")
    page.mouse.up()
    page.mouse.move(0, 0)
    expect(orange).to_have_attribute("aria-valuetext", "[2.50, −1.50]")
    page.get_by_role("button", name="Reset").first.click()
    expect(orange).to_have_attribute("aria-valuetext", "[1.00, 1.00]")


def test_the_question_of_lesson_02_is_answered_with_the_arrow_keys(show):
    page = show("drag_tokens")
    status = page.get_by_role("status").first
    car = page.get_by_role("slider", name="car").first
    car.focus()
    for key, answer in (
        ("ArrowUp", "scores 1.00, 0.00, 1.00 → weights 0.4223, 0.1554, 0.4223."),
        ("ArrowLeft", "scores 1.00, −1.50, 1.00 → weights 0.4803, 0.0394, 0.4803."),
    ):
        for _ in range(20):
            page.keyboard.press(key)
        expect(status).to_have_text(f"red: {answer}")
    assert car.get_attribute("aria-valuetext") == "[−1.50, 2.50]"  # left and up, to the edge
    page.locator("course-drag-tokens").first.evaluate("each => each.parentNode.prepend(each)")  # as JupyterLab does
    expect(status).to_have_text(f"red: {answer}")


def test_a_row_is_shown_when_it_is_chosen_and_the_outputs_with_all_of_them(show):
    page = show("drag_tokens")
    chosen, table = page.get_by_role("combobox", name="row of").first, page.get_by_role("img", name="Weights over").first
    rows = {"red": "0.4223, 0.1554, 0.4223", "car": "0.1554, 0.4223, 0.4223", "orange": "0.2119, 0.2119, 0.5761"}
    before = "Weights over red, car, orange. "
    for name, weights in rows.items():
        chosen.select_option(name)
        expect(table).to_have_attribute("aria-label", f"{before}{name}: {weights}.")
    chosen.select_option("all, with their outputs")
    expect(table).to_have_attribute("aria-label", before + "; ".join(f"{name}: {row}" for name, row in rows.items()) + ".")
    expect(page.get_by_role("status").first).to_contain_text("orange [1.00, 1.00] → [0.79, 0.79]")
