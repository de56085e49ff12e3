"""Sheet 20: what it says of its exercises is so, and other answers are told why."""

import re

import numpy as np
import pytest
import torch
from examining import cells_of, told, verdict

from transformer_course import models
from transformer_course.attention import scaled_dot_product_attention
from transformer_course.exercises import catalogue
from transformer_course.exercises.lesson_20_explanation.twin import GIVEN, VALUES
from transformer_course.experiments import alternative_weights
from transformer_course.experiments.spare_heads import last_cross_attention


def test_what_sheet_20_says_of_its_exercises_is_so():
    cells = cells_of("20")
    text = "\n".join(cells)
    by_hand, row, table, plan = (catalogue()[f"explain.{name}"] for name in ("by_hand", "twin", "verdict", "spare"))

    rows = re.findall(r"^\| \d \| ([\d.]+) \| \[(\d), (\d)\] \|$", text, re.MULTILINE)
    weights, *values = np.array(rows, float).T
    scores, values = torch.tensor(weights).log()[None, None], torch.tensor(np.array(values).T)[None]
    seen = torch.tensor([[True, True, True]]), torch.tensor([[False, True, True]])
    before, after = (scaled_dot_product_attention(torch.ones(1, 1, 1).double(), scores.mT, values, may)[0] for may in seen)
    contributions = torch.from_numpy(weights) * values[0].norm(dim=-1)
    np.testing.assert_allclose(by_hand.value, [*contributions, (after - before).norm()])

    given = np.array(re.search(r"the weights ([\d., ]+) and ([\d.]+), so", text).group(1).split(", "), float)
    np.testing.assert_allclose(GIVEN, [*given, 0.5])
    np.testing.assert_allclose(GIVEN @ VALUES, [1.1, 1.1])
    for other in ([0.35, 0.1, 0.1, 0.45, 0], [0.1, 0.35, 0.35, 0.2, 0], [0.225, 0.225, 0.225, 0.325, 0]):
        assert verdict(row, other).passed

    model, vocabularies = models.load("gpt-pre")
    encode, begin = vocabularies["text"].encode, vocabularies["text"].begin
    names = ("RIGHTWARDS HARPOON WITH BARB UP ABOVE RIGHTWARDS HARPOON WITH BARB DOWN",
             "BOX DRAWINGS LIGHT DIAGONAL MIDDLE LEFT TO UPPER CENTRE TO MIDDLE RIGHT")  # fmt: skip
    first, second = (torch.tensor([begin, *encode(name)]) for name in names)
    model, used = model.double(), {letter: [] for letter in "ABCDE"}
    rng = np.random.default_rng(0)
    others = {
        "A": lambda w, v: w,
        "B": alternative_weights.alternative_weights,
        "C": lambda w, v: rng.permutation(w),
        "D": lambda w, v: used["B"][len(used["D"])],
        "E": lambda w, v: used["A"][len(used["E"])],
    }
    measured = {}
    for letter, other in others.items():
        tokens = second if letter in "DE" else first

        def noted(w, v, letter=letter, other=other):
            used[letter].append(other(w, v))
            return used[letter][-1]

        change = alternative_weights.logits_with_weights(model, tokens, noted) - model(tokens[None])[0, -1].detach()
        measured[letter] = f"{change.abs().max():.2f}", f"{used[letter][22][used['A'][22].argmax()]:.3f}"
    measured |= {letter: (measured[letter][0], "–") for letter in "DE"}
    printed = re.findall(r"^\| \*\*(\w)\*\* \| .* \| ([\d.]+) \| ([\d.]+|–) \|$", text, re.MULTILINE)
    assert {letter: (change, weight) for letter, change, weight in printed} == measured
    assert first[used["A"][22].argmax()] == encode("V")[0]
    assert float(measured["E"][0]) == table.right["value"]

    stated = {
        name: re.findall(r"`\"?([\w ]+)\"?`", line)
        for name in plan.fields
        for line in text.splitlines()
        if f'`"{name}"`' in line
    }
    assert all(set(stated[name][1:]) == set(plan.fields[name]) for name in ("head_1", "heads_2_to_4", "numbers"))
    example = next(cell for cell in cells if cell.startswith('{"head_1"'))
    assert verdict(plan, [eval(example)]).reason == "mistake"  # its form is right


def test_a_row_that_does_not_do_is_shown_with_enough_digits(snapshot):
    rows = {
        "a sum of 1.1": [0.3, 0.25, 0.25, 0.3, 0],
        "a sum of 0.9": [0.3, 0.2, 0.2, 0.2, 0],
        "a little on token 5": [0.2, 0.25, 0.25, 0.3, 0.0001],
        "a sum just above 1": [0.2, 0.25, 0.25, 0.30001, 0],
        "an output just beside": [0.2, 0.25, 0.24999, 0.30001, 0],
    }
    assert {case: told("explain.twin", row) for case, row in rows.items()} == snapshot


@pytest.mark.slow
def test_the_runs_of_sheet_20_tell_that_the_head_carries_something():
    for seed in range(3):
        alone, none, stood_in = (
            last_cross_attention(head_1, others, "unseen", seed)
            for head_1, others in (("working", "silenced"), ("silenced", "silenced"), ("silenced", "working"))
        )
        assert alone > 0.3 > 0.15 > none
        assert stood_in > 0.97
