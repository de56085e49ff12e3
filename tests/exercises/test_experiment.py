"""Plans of experiments: sound ones pass, and others are told which question they cannot answer, and why."""

import numpy as np
import pytest
import torch
from examining import told

from transformer_course.exercises import catalogue
from transformer_course.exercises.exercise import Mistake, Verdict, examine
from transformer_course.exercises.kinds import Experiment
from transformer_course.exercises.kinds.experiment import FLAWS
from transformer_course.runner.run import record

EXPERIMENTS = [exercise for exercise in catalogue().values() if isinstance(exercise, Experiment)]


def verdict(plan, exercise=None) -> Verdict:
    return examine(exercise or catalogue()["recall.plan"], lambda *_: [record(plan)], seed=0)


def runs(hidden=32, seeds=(0, 1, 2), **others) -> list[dict]:
    """One arm of a plan for sheet 01."""
    run = {"model": "lstm", "hidden": hidden, "forget_bias": 0.0, "length": 20, **others}
    return [{**run, "seed": seed} for seed in seeds]


@pytest.mark.parametrize("exercise", EXPERIMENTS, ids=lambda e: e.id)
def test_every_fault_of_a_plan_is_called_by_its_name_in_any_order_of_its_runs(exercise):
    assert set(FLAWS) <= {mistake.name for mistake in exercise.mistakes}
    for mistake in exercise.mistakes:
        for plan in (mistake.answer, *mistake.variants):
            for order in (plan, plan[::-1]):
                seen = verdict(order, exercise)
                assert (seen.passed, seen.reason, seen.mistake) == (False, "mistake", mistake.name), order
                assert seen.message.endswith(mistake.diagnosis)
                assert seen.hint == mistake.hint


@pytest.mark.parametrize(
    "plan",
    [
        runs(64) + runs(32),
        tuple(runs(32.0) + runs(64.0)),
        runs(32, range(10)) + runs(128, range(10)),
        runs(32, np.arange(3), forget_bias=np.float32(0)) + runs(np.int64(128), torch.arange(3), length=20.0),
        runs() + runs(64) + runs(128),  # two sizes against one control
        runs() + runs(64) + runs(32, (4, 5, 6), length=50) + runs(64, (4, 5, 6), length=50),
        [
            run for bias in (0.0, 3.0) for size in (32, 64) for run in runs(size, forget_bias=bias)
        ],  # size crossed with the bias
        runs(length=5) + runs(64, length=5) + runs() + runs(64),  # one length that can tell is enough
        runs() + runs(64) + runs(64, forget_bias=3.0),  # the confounded pair, taken apart step by step
        runs() + runs(64) + runs(model="attention"),  # a yardstick beside it
        runs() + runs(64, (0, 1, 2, 3)),  # a seed more in one arm
        runs() + runs(64) + runs(128, (7,), length=50),  # a stray run
    ],
)
def test_every_sound_plan_passes(plan):
    assert verdict(plan).passed


def test_a_plan_in_a_wrong_form_is_told(snapshot):
    plans = {
        "None": None,
        "one run": runs()[0],
        "a generator": (run for run in runs()),
        "a number as a name": [{1: 2}],
        "no runs": [],
        "too many runs": runs() * 9,
        "a number": [1],
        "an extra field": [{**runs()[0], "lr": 0.1}],
        "fields missing": [*runs(), {"model": "lstm", "hidden": 32, "seed": 0}],
        "a field misnamed": [{"model": "lstm", "hidden": 32, "bias": 0, "seed": 0}],
        "capitals": runs(model="LSTM"),
        "another bias": runs(forget_bias=2.9957),
        "NaN": runs(forget_bias=float("nan")),
        "a truth value as the seed": runs(32, [True]),
        "a list of seeds": runs(32, [[0, 1, 2]]),
        "an array of seeds": runs(32, [np.arange(3)]),
        "None as the seed": runs(32, [None]),
        "a seed left open": runs(32, [...]),
    }
    assert {name: told("recall.plan", plan) for name, plan in plans.items()} == snapshot


def test_a_plan_that_cannot_answer_is_told_what_was_seen(snapshot):
    short = runs(length=5) + runs(64, length=5)
    plans = {
        "a run twice": runs(32, (0, 1, 0)),
        "the bias varied": runs() + runs(forget_bias=3.0),
        "no control": runs(64) + runs(128, forget_bias=3.0),
        "two factors varied": runs() + runs(64, length=50),
        "different seeds at each length": runs() + runs(64, (3, 4)) + runs(32, (3, 4), length=50) + runs(64, length=50),
        "too few seeds where it matters": short + runs(32, (0, 1)) + runs(64, (0, 1)),
        "another model": runs(model="rnn") + runs(64, model="rnn"),
    }
    assert {name: told("recall.plan", plan) for name, plan in plans.items()} == snapshot


def test_a_plan_may_have_other_fields_and_truth_values():
    exercise = Experiment(
        id="other.plan",
        answer_name="plan",
        prompt="Whether warm-up is what lets post-norm train.",
        hints=("Compare.", "Repeat."),
        fields={"norm": ("pre", "post"), "layers": (2, 8), "warmup": (False, True), "start": range(4)},
        factor="warmup",
        control=False,
        fixed={"norm": "post"},
        uninformative=lambda run: "trains anyhow" if run["layers"] == 2 else None,
        seeds=2,
        max_runs=8,
        seed="start",
        mistakes=[Mistake(name, f"It is {name}.", "Look again.", []) for name in (*FLAWS, "trains anyhow")],
    )

    def arm(warmup, starts=(0, 1), **others):
        return [{"norm": "post", "layers": 8, "warmup": warmup, **others, "start": start} for start in starts]

    assert verdict(arm(False) + arm(np.True_), exercise).passed
    assert "`warmup` should be one of False, True, but is 1" in verdict(arm(1), exercise).message
    for plan, name in (
        (arm(True), "no control"),
        (arm(False, layers=2) + arm(True, layers=2), "trains anyhow"),
        (arm(False, norm="pre") + arm(True, norm="pre"), "a different thing varied"),
        (arm(False, norm="pre") + arm(True), "two factors varied"),
        (arm(False) + arm(True, (2, 3)), "different seeds in the two groups"),
        (arm(False, (0,)) + arm(True, (0,)), "too few seeds"),
    ):
        assert verdict(plan, exercise).mistake == name
