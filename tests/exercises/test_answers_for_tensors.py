"""Answers that are written for tensors pass as those for arrays do."""

import pytest
from examining import SEEDS, verdict
from torch_answers import TORCH_ANSWERS

from transformer_course.exercises import catalogue


@pytest.mark.parametrize(("name", "answer"), [(name, a) for name, answers in TORCH_ANSWERS.items() for a in answers])
def test_answers_written_for_tensors_pass(name, answer):
    for seed in SEEDS:
        assert verdict(catalogue()[name], answer, seed).passed


def test_a_torch_mistake_is_named_too():
    assert verdict(catalogue()["attention.softmax"], lambda scores: scores.softmax(0)).mistake == "softmax over the first axis"
