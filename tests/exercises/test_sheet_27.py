"""Sheet 27: its table is the lesson's record, and equal rewards teach nothing even where rounding makes them differ."""

import re

import numpy as np
import torch
from examining import verdict

from transformer_course import course
from transformer_course.exercises import catalogue
from transformer_course.experiments.records import recorded


def test_the_table_has_the_recorded_numbers():
    text = course.sheet("27").path.read_text(encoding="utf-8")
    rows = re.findall(r"^# \| \*\*([A-D])\*\* \| .+ \| ([\d.]+) \| ([\d.]+) \|$", text, re.MULTILINE)
    arms = dict(zip("ABCD", ("before", "rewards", "rewards, 5 times the rate", "imitation, same sums as before"), strict=True))
    found = recorded("rewards")["seeds"]["0"]
    expected = [(row, *(f"{found[arm]['pass'][k][0]:.2f}" for k in ("1", "8"))) for row, arm in arms.items()]
    assert rows == expected


def test_a_deviation_that_is_only_rounding_counts_as_0():
    def advantages(rewards, least=0.0):
        deviation = rewards.std(axis=1, keepdims=True)
        return (rewards - rewards.mean(axis=1, keepdims=True)) / np.where(deviation > least, deviation, 1)

    def in_torch(rewards):
        centred = rewards - rewards.mean(1, keepdim=True)
        deviation = centred.square().mean(1, keepdim=True).sqrt()
        return torch.where(deviation == 0, 0.0, centred / deviation)

    exercise = catalogue()["rewards.advantages"]
    assert not verdict(exercise, in_torch).passed
    assert verdict(exercise, lambda rewards: advantages(rewards, 1e-8)).passed
    assert "deviation of 1e-17" in verdict(exercise, advantages).message
    assert verdict(exercise, lambda rewards: rewards - rewards.mean()).mistake == "not divided by the deviation"
