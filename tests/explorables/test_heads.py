"""Remove heads: rows, value norms and predictions without a head are those of the model."""

import numpy as np
import pytest
import torch
from explorable_samples import SAMPLES, SOURCE, TARGET, heads
from playwright.sync_api import expect
from small_transformer import small

from transformer_course.explorables.heads import weights_and_norms
from transformer_course.inspection import hooked

BOXES = """() => [...document.querySelector("course-heads").querySelectorAll(".token, .head")].map(each => {
  const { x, y, width, height } = each.getBoundingClientRect();
  return [x, y + scrollY, width, height];
})"""
LAST = "decoder.layers.1.cross_attention"


def test_its_numbers_are_those_of_numpy_in_200_random_states(show):
    page = show("heads")
    rng = np.random.default_rng(0)
    sides = rng.integers(2, size=200).tolist()
    states = [
        {"side": side, "token": int(rng.integers((3, 2)[side])), "norms": bool(k % 2), "off": int(rng.integers(-1, 24))}
        for k, side in enumerate(sides)
    ]
    seen = page.evaluate("states => states.map(each => document.querySelector('course-heads').compute(each))", states)
    content = SAMPLES["heads"]().content
    without = [each for attention in content["without"] for each in attention]
    for state, numbers in zip(states, seen, strict=True):
        for each, rows in zip(content["attentions"], numbers["rows"], strict=True):
            if each["queries"] != state["side"]:
                assert rows == []
                continue
            parts = np.array(each["weights"])[:, state["token"]] * (np.array(each["norms"]) if state["norms"] else 1)
            np.testing.assert_allclose(rows, parts / parts.sum(1, keepdims=True), atol=1e-6)
        expected = content["predictions"] if state["off"] < 0 else without[state["off"]]
        assert numbers["predictions"] == expected
        assert numbers["changed"] == sum(a[0] != b[0] for a, b in zip(expected, content["predictions"], strict=True))


def test_a_token_is_chosen_by_click_and_the_text_follows(show):
    page = show("heads")
    status = page.get_by_role("status").first
    expect(status).to_contain_text("From target 1, d:")
    page.get_by_role("radio", name="Source 2: c").first.check(force=True)
    expect(status).to_contain_text("From source 2, c:")
    expect(page.locator(".names").first).to_have_text("abc␣")
    expect(page.locator(".attentions").first.locator(".map[role=img]")).to_have_count(6)  # two attentions of three heads


def test_a_button_removes_a_head_or_all_of_an_attention_and_puts_them_back_and_moves_nothing(show):
    page = show("heads")
    status, below = page.get_by_role("status").first, page.locator(".token small").nth(3)  # the first token of the target
    before = page.evaluate(BOXES)
    press = page.get_by_role("button", name="Remove head 2 of decoder layer 1, cross-attention").first
    press.click()
    expect(status).to_contain_text("Without head 2 of decoder layer 1, cross-attention, ")
    expect(press).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".head.off")).to_have_count(1)
    page.get_by_role("button", name="Remove all 3 heads of decoder layer 2, cross-attention").first.click()
    expect(status).to_contain_text("Without all 3 heads of decoder layer 2, cross-attention, ")
    expect(page.locator(".head.off")).to_have_count(3)
    expect(below).to_have_text("→ t1\n0.17\nwas t3")
    assert page.evaluate(BOXES) == before
    page.get_by_role("button", name="all heads back").first.click()
    expect(page.locator(".head.off")).to_have_count(0)
    expect(below).not_to_contain_text("was ")


def test_nothing_says_what_a_removal_changes_before_it_is_made(show):
    page = show("heads")
    assert "change" not in page.locator(".course-explorable").first.inner_text()
    assert page.locator("option").count() == 0


def test_tokens_that_come_later_look_masked(show):
    page = show("heads")
    masked = page.locator(".course-explorable").first.locator(".masked")
    page.get_by_role("radio", name="Target, given 1: d").first.check(force=True)
    expect(masked).to_have_count(6)
    page.get_by_role("radio", name="Target, given 2: e").first.check(force=True)
    expect(masked).to_have_count(0)


@torch.no_grad()
def test_weights_times_transformed_values_add_up_to_what_the_attention_adds():
    torch.manual_seed(0)
    model = small().eval()
    added = []
    last = model.get_submodule(LAST)
    with hooked([last], after=lambda module, args, output: added.append(output)):
        model(SOURCE, TARGET)
        recorded = weights_and_norms(model, SOURCE, TARGET)
    weights, norms = recorded[LAST]
    memory, _ = model.encode(SOURCE)
    values = last.w_v(memory[0]).unflatten(-1, (3, -1)).transpose(0, 1)
    moved = torch.stack([values[h] @ last.w_o.weight[:, 2 * h : 2 * h + 2].T for h in range(3)])
    torch.testing.assert_close((weights @ moved).sum(0) + last.w_o.bias, added[0][0])
    torch.testing.assert_close(norms, moved.norm(dim=-1))


def test_stored_rows_are_thousandths_and_missing_names_are_refused():
    content = SAMPLES["heads"]().content
    for each in content["attentions"]:
        assert np.abs(np.sum(each["weights"], axis=-1) - 1000).max() <= 2
    with pytest.raises(ValueError, match="a name for each token"):
        heads(["a"], ["b", "c"])
