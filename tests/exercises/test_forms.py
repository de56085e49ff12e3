"""Right answers in every form that a person would accept."""

import threading
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType

import numpy as np
import pytest
from examining import SOFTMAX, told, verdict

from transformer_course.exercises import catalogue, check, time_limit
from transformer_course.exercises.families.loss import loss as loss_of
from transformer_course.exercises.lesson_02_self_attention.softmax import softmax

REACH = [[1, 0, 0, 0, 1, 1, 0], [1, 1, 0, 0, 1, 1, 0], [1, 1, 1, 0, 1, 1, 0], [0, 1, 1, 1, 1, 1, 0]]
CLAIM = {"claim": "b", "reason": "a", "value": 0.98}


def is_softmax(f):
    scores = [[[0.0, 1.0], [0.0, 0.0]], [[1000.0, -1000.0], [0.0, 2.0]]]
    examples = (*scores, scores, [1.0, 0.0], [[1001.0, 1000.0], [0.0, 1.0]])
    return all(np.allclose(f(np.array(each)), softmax(np.array(each))) for each in examples)


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("start.average", Fraction(4)),
        ("start.average", Decimal("4.0")),
        ("start.average", [4]),
        ("residual.right_angles", [13, Fraction(4, 3), Decimal("2.4"), 1, 0.36]),
        ("residual.right_angles", np.array([13, Fraction(4, 3), Decimal("2.4"), 1, 0.36])),
        ("decoder.reach", np.array(REACH, bool)),
        ("decoder.reach", np.array(REACH, bool).tolist()),
        ("heads.order", "GCHJE"),
        ("heads.order", "g, c, h, j, e"),
        ("heads.order", np.array(list("GCHJE"))),
        ("heads.order", [np.str_(letter) for letter in "GCHJE"]),
        ("family.verdict", {**CLAIM, "claim": "B", "reason": " a"}),
        ("family.verdict", {**CLAIM, "claim": "(b)", "reason": "a)"}),
        ("family.verdict", {**CLAIM, "claim": np.str_("b"), "value": Decimal("0.98")}),
        ("family.verdict", MappingProxyType(CLAIM)),
        ("training.loss", lambda *a: loss_of(*a).reshape(1)),
        ("training.loss", lambda *a: [loss_of(*a)]),
        ("attention.test_softmax", lambda f: int(is_softmax(f))),
        ("attention.test_softmax", lambda f: np.array([is_softmax(f)])),
    ],
)
def test_a_right_answer_in_an_unusual_form_passes(name, answer):
    result = verdict(catalogue()[name], answer)
    assert result.passed, result.message


def test_a_form_that_is_refused_is_told_the_form_wanted(snapshot):
    assert {
        "a number as text": told("start.average", "4"),
        "numbers as text": told("attention.score_spread", np.array(["9", "1.5"])),
        "a number as an order": told("heads.order", 5),
        "a value as text": told("family.verdict", {**CLAIM, "value": "0.98"}),
        "a test that says yes": told("attention.test_softmax", lambda f: "yes" if is_softmax(f) else "no"),
        "a test that returns 2": told("attention.test_softmax", lambda f: 2 * is_softmax(f)),
        "two losses": told("training.loss", lambda *a: np.full((1, 2), loss_of(*a))),
    } == snapshot


def test_a_wrong_loss_in_an_array_of_one_is_recognised():
    assert verdict(catalogue()["training.loss"], lambda *a: -loss_of(*a).reshape(1)).mistake == "the sign"


def test_without_threads_a_check_runs_and_says_once_that_it_has_no_time_limit(monkeypatch, capsys):
    def no_threads(self):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", no_threads)
    monkeypatch.setattr(time_limit, "_warned", threading.Event())
    assert check(SOFTMAX, softmax)
    assert capsys.readouterr().out.count("no time limit") == 1
    assert check(SOFTMAX, softmax)
    assert "time limit" not in capsys.readouterr().out
