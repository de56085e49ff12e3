"""Sheet 14: what it says of its exercises is so, its references are right, and other answers are told why."""

import math
from fractions import Fraction

import numpy as np
import pytest
import torch
from examining import SEEDS, solved, verdict

from transformer_course import models
from transformer_course._util import paths
from transformer_course.authoring import build
from transformer_course.exercises import catalogue
from transformer_course.experiments.loss_variants import encoded_numbers, train_translator
from transformer_course.training import sequence_loss, shift, translation_loss


def test_what_sheet_14_says_of_its_exercises_is_so():
    (source,) = (source for source in paths.sources("exercises") if source.stem.startswith("14_"))
    cells = [cell.source for cell in build.notebook_of(source).cells]
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


def test_shift_and_loss_of_sheet_14_equal_the_librarys_and_torchs():
    moved, loss = catalogue()["training.shift"], catalogue()["training.loss"]
    for seed in SEEDS:
        for targets, begin in moved.questions(seed):
            for ours, theirs in zip(moved.reference(targets, begin), shift(torch.tensor(targets), begin), strict=True):
                np.testing.assert_array_equal(ours, theirs)
        for logits, labels, pad in loss.questions(seed):
            theirs = sequence_loss(torch.tensor(logits), torch.tensor(labels), pad)
            assert loss.reference(logits, labels, pad) == pytest.approx(theirs.item(), rel=1e-9)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda t, begin: None, "it should return two arrays, but returned None"),
        (lambda t, begin: (t, t, t), "but returned 3 values"),
        (lambda t, begin: 7, "but returned int"),
        (lambda t, begin: t + 1, "but returned ndarray"),
        (lambda t, begin: ("a", t), "the inputs are not an array of numbers"),
        (lambda t, begin: (t[:1], t), "the inputs should have shape (2, 5), but have (1, 5)"),
        (lambda t, begin: (catalogue()["training.shift"].reference(t, begin)[0], t + 1), "row 0 of the labels should be"),
        (lambda t, begin: np.stack(catalogue()["training.shift"].reference(t, begin)) * 2, "row 0 of the inputs should be"),
    ],
)
def test_a_pair_that_is_none_is_told(answer, words):
    seen = verdict(catalogue()["training.shift"], answer)
    assert not seen.passed
    assert words in seen.message


@pytest.mark.parametrize(
    ("trap", "words"),
    [
        (([1.0], 0), "one row of 2 to 8 numbers"),
        (([[1.0, 2.0]], 0), "one row of 2 to 8 numbers"),
        (([0.0, 2000.0], 0), "between −1000 and 1000"),
        (([0.0, 800.0], 2), "counted from 0: an integer from 0 to 1"),
        (([743, 0], 1), "You are close."),
        (([0.0, 800.0], 0.5), "an integer from 0 to 1"),
        (([0.0, 800.0], -2), "an integer from 0 to 1"),
        ([0.0, 800.0, 0.0], "should contain 2 arrays"),
    ],
)
def test_logits_that_are_no_trap_are_told(trap, words):
    assert words in verdict(catalogue()["training.underflow"], trap).message


@pytest.mark.parametrize("trap", [([800.0, 3.0, 800.0], 1), ([-1000.0, -200.0], 0), ([-500.0, 500.0, 499.0], 0)])
def test_every_label_far_below_the_largest_passes(trap):
    assert verdict(catalogue()["training.underflow"], trap).passed


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (2.94, "2.94 is A's number"),
        (0.5, "0.5 is the difference"),
    ],
)
def test_a_wrong_value_with_the_right_claim_and_reason_is_told(value, words):
    exercise = catalogue()["training.too_good"]
    assert words in verdict(exercise, {**exercise.right, "value": value}).message


@pytest.mark.parametrize("tiny", [1e-300, 1e-12])
def test_a_probability_kept_above_0_is_told(tiny):
    def answer(logits, labels, pad):
        p = np.exp(logits - logits.max(-1, keepdims=True))
        p = np.clip(p / p.sum(-1, keepdims=True), tiny, 1)
        real = labels != pad
        return -np.log(p[real][np.arange(real.sum()), labels[real]]).mean()

    for seed in SEEDS:
        assert "this caps the loss: at 28" in verdict(catalogue()["training.loss"], answer, seed).message


def test_a_softmax_without_the_padding_token_is_told():
    def answer(logits, labels, pad):
        logits = logits.copy()
        if pad >= 0:
            logits[..., pad] = -np.inf
        return catalogue()["training.loss"].reference(logits, labels, pad)

    for seed in SEEDS:
        assert "You removed the padding token from the softmax." in verdict(catalogue()["training.loss"], answer, seed).message


def _cost(logits, labels, base=np.e):
    p = np.exp(logits - logits.max(-1, keepdims=True))
    p = p / p.sum(-1, keepdims=True)
    with np.errstate(divide="ignore"):
        return -np.log(np.take_along_axis(p, np.maximum(labels, 0)[..., None], -1)[..., 0]) / np.log(base)


def _times_the_mask(logits, labels, pad):
    with np.errstate(invalid="ignore"):
        return (_cost(logits, labels) * (labels != pad)).sum() / (labels != pad).sum()


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda z, y, pad: catalogue()["training.loss"].reference(z, y, pad) / np.log(10), "base 2 or 10"),
        (_times_the_mask, "You compute the probability first."),
        (
            lambda z, y, pad: (np.logaddexp.reduce(z, -1) - z.mean(-1))[y != pad].mean(),
            "the mean of −log p over all tokens of the vocabulary",
        ),
    ],
)
def test_another_loss_is_told(answer, words):
    for seed in SEEDS:
        assert words in verdict(catalogue()["training.loss"], answer, seed).message


@pytest.mark.parametrize(
    ("losses", "words"),
    [
        ([0.92, 1.56, 1.70], "base 2 or 10"),
        ([0.92, 1.56, 5.64], "base 2 or 10"),
        ([0.92, 2.08, 3.91], "all eight costs, divided by six"),
    ],
)
def test_a_single_wrong_loss_is_told(losses, words):
    assert words in verdict(catalogue()["training.by_hand"], losses).message


def test_a_probability_that_is_not_small_is_not_called_small():
    assert "is small" not in verdict(catalogue()["training.underflow"], ([0.0, 1.0], 0)).message
