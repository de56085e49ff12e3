"""Choosing: the probabilities on the page are those of the course's decoding, and draws follow them."""

import json
import re

import numpy as np
import pytest
import torch
from explorable_samples import LOGITS, SAMPLES
from playwright.sync_api import expect

from transformer_course import explorables
from transformer_course.decoding import next_token_distribution

KEEP = [1, 2, 3, 5, 10, 20, 40, 80, 160, 320, 640, None]


def test_its_probabilities_are_those_of_decoding_in_200_random_states(show):
    page = show("next_token")
    rng = np.random.default_rng(0)
    states = [
        {
            "text": int(rng.integers(2)),
            "T": rng.uniform(0.1, 3),
            "k": int(rng.integers(12)),
            "p": rng.uniform(0.05, 1),
            "seed": k,
        }
        for k in range(200)
    ]
    seen = page.evaluate("states => states.map(each => document.querySelector('course-next-token').compute(each))", states)
    logits = torch.tensor(SAMPLES["next_token"]().content["logits"], dtype=torch.float64)
    for state, numbers in zip(states, seen, strict=True):
        row = logits[state["text"]]
        before = next_token_distribution(row, state["T"])
        after = next_token_distribution(row, state["T"], KEEP[state["k"]], state["p"]).numpy()
        np.testing.assert_allclose(numbers["before"], before, atol=1e-6)
        np.testing.assert_allclose(numbers["after"], after, atol=1e-6)
        assert numbers["kept"] == (after > 0).sum()
        if state["seed"]:
            counts = np.array(numbers["counts"])
            assert counts.sum() == 1000
            assert not counts[after == 0].any()
            assert (np.abs(counts - 1000 * after) < 5 * np.sqrt(1000 * after * (1 - after) + 1)).all()


def test_the_sliders_and_the_button_say_what_they_did(show):
    page = show("next_token")
    status = page.get_by_role("status").first
    spoken = page.get_by_role("img", name="Bars for").first.get_attribute("aria-label")
    assert sum(map(float, re.findall(r"\d\.\d{3}", spoken))) == pytest.approx(1, abs=0.01)  # with all others
    page.get_by_role("combobox", name="after").first.select_option(index=1)
    page.get_by_role("slider", name="top-k").first.fill("1")
    expect(status).to_contain_text("After “a”, 2 of 50 tokens are kept (with the same settings: ")
    page.get_by_role("button", name="Draw 1,000 tokens").first.click()
    expect(status).to_contain_text("1,000 draws gave 2 different tokens.")


def test_logits_are_sorted_and_rounded_and_a_line_end_has_a_name():
    shown = explorables.next_token(["x"], ["\n", " a", "b"], torch.tensor([[1.004, -2.0, 3.0]]))
    assert shown.content["names"] == [["b", "\\n", "a"]]
    assert shown.content["logits"] == [[3.0, 1.0, -2.0]]
    json.loads(json.dumps(shown.content, allow_nan=False))


@pytest.mark.parametrize("logits", [LOGITS[0], LOGITS[:, :9], LOGITS * np.nan], ids=["one row", "narrow", "nan"])
def test_logits_that_do_not_fit_the_tokens_are_refused_in_one_sentence(logits):
    with pytest.raises(ValueError, match="one row per text and one column per token"):
        explorables.next_token(["a", "b"], [str(i) for i in range(50)], logits)
