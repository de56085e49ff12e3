"""Sheet 14: what it says of its exercises is so, and other answers are told why."""

import math
from fractions import Fraction

import numpy as np
import pytest
import torch
from examining import cells_of, solved, told, verdict

from transformer_course import models
from transformer_course.exercises import catalogue
from transformer_course.experiments.loss_variants import encoded_numbers, train_translator
from transformer_course.training import sequence_loss, shift, translation_loss


def test_what_sheet_14_says_of_its_exercises_is_so():
    cells = cells_of("14")
    by_hand, too_good = catalogue()["training.by_hand"], catalogue()["training.too_good"]
    rows = [[part.strip(" *") for part in line.split("|")[2:-1]] for line in "\n".join(cells).splitlines() if line[:1] == "|"]
    texts = [[part.removeprefix("padding:").strip("* ") for part in row] for row in rows if "1/" in "".join(row)]
    logits = torch.tensor([[[math.log(f), math.log(max(1 - f, 1e-9))] for f in map(float, map(Fraction, r))] for r in texts])
    for labels, right in zip(
        ([[0] * 4] * 2, [[0] * 4, [0, 0, -100, -100]]), (by_hand.value[1], by_hand.value[0]), strict=True
    ):
        assert sequence_loss(logits, torch.tensor(labels), -100).item() == pytest.approx(right, rel=1e-6)
    assert math.exp(by_hand.value[2]) == pytest.approx(50)

    names = {"np": np}
    exec(next(cell for cell in cells if cell.startswith("def by_probability(")), names)
    trap = catalogue()["training.underflow"]
    rng = np.random.default_rng(0)
    for logits, label in (solved(trap), *((rng.standard_normal(5) * 300, int(rng.integers(5))) for _ in range(200))):
        with np.errstate(divide="ignore"):
            assert names["by_probability"](logits, label) == trap.faulty(np.array(logits), label)
        assert names["from_logits"](logits, label) == trap.reference(np.array(logits), label)
    assert next(row for row in rows if row[1:] == ["0.0105", "1.00"])[0] == str(too_good.right["value"])


@pytest.mark.slow
def test_the_table_of_sheet_14_is_measured():
    pairs = encoded_numbers(*(models.load("translator")[1][side] for side in ("source", "target")))

    def as_logits(model, source, target):
        inputs, labels = shift(target)
        return sequence_loss(model(source, inputs).softmax(-1), labels)

    def padding_counts(model, source, target):
        inputs, labels = shift(target)
        return sequence_loss(model(source, inputs), labels, -100)

    def not_shifted(model, source, target):
        return sequence_loss(model(source, target), target)

    losses = translation_loss, not_shifted, as_logits, padding_counts
    printed = (2.94, 0.0161, 1.0), (2.69, 0.0015, 0.0), (2.89, 2.46, 0.01), (3.44, 0.0105, 1.0)
    runs = [train_translator(pairs, loss_of) for loss_of in losses]
    for run, (first, last, exact) in zip(runs, printed, strict=True):
        assert run.losses[0] == pytest.approx(first, abs=0.01)
        assert run.losses[-1] == pytest.approx(last, rel=0.3)
        assert run.exact == pytest.approx(exact, abs=0.08)
    assert [runs[k].next_token_losses[-1] for k in (0, 3)] == pytest.approx([0.01, 0.02], abs=0.005)


def test_other_answers_to_sheet_14_are_told_why(snapshot):
    right = catalogue()["training.shift"].reference

    def modifies_targets(targets, begin):
        before = targets.copy()
        targets[:, 1:], targets[:, 0] = before[:, :-1], begin
        return targets.copy(), before

    answers = {
        "training.shift": {
            "nothing returned": lambda targets, begin: None,
            "three arrays": lambda targets, begin: (targets, targets, targets),
            "a number": lambda targets, begin: 7,
            "one array": lambda targets, begin: targets + 1,
            "text": lambda targets, begin: ("a", targets),
            "one row of inputs": lambda targets, begin: (targets[:1], targets),
            "other labels": lambda targets, begin: (right(targets, begin)[0], targets + 1),
            "other inputs": lambda targets, begin: np.stack(right(targets, begin)) * 2,
            "targets modified": modifies_targets,
        },
        "training.underflow": {
            "one logit": ([1.0], 0),
            "two axes": ([[1.0, 2.0]], 0),
            "too large": ([0.0, 2000.0], 0),
            "label too large": ([0.0, 800.0], 2),
            "half a label": ([0.0, 800.0], 0.5),
            "negative label": ([0.0, 800.0], -2),
            "three numbers": [0.0, 800.0, 0.0],
            "not small": ([0.0, 1.0], 0),
        },
    }
    assert {name: {case: told(name, answer) for case, answer in cases.items()} for name, cases in answers.items()} == snapshot


def test_every_label_far_below_the_largest_passes():
    for trap in (([800.0, 3.0, 800.0], 1), ([-1000.0, -200.0], 0), ([-500.0, 500.0, 499.0], 0)):
        assert verdict(catalogue()["training.underflow"], trap).passed, trap
