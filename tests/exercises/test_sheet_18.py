"""Sheet 18: its table is measured, and its patches are those that it shows."""

import re

import numpy as np
import pytest
import torch
from examining import cells_of, told

from transformer_course.data import Split, digit_images
from transformer_course.exercises.catalogue import catalogue
from transformer_course.experiments.vit_digits import (
    accuracy,
    logistic_regression_accuracy,
    nearest_neighbour_accuracy,
    train_vit,
)
from transformer_course.family import patches


@pytest.mark.slow
def test_the_table_of_sheet_18_is_measured():
    text = "\n".join(cells_of("18"))
    printed = re.findall(r"^\| \*\*[ABC]\*\* \| ([\d,]+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$", text, re.MULTILINE)
    digits, measured = digit_images(), []
    for size, *_ in printed:
        runs = []
        for seed in range(3):
            rows = torch.randperm(len(digits.train[1]), generator=torch.Generator().manual_seed(seed))[
                : int(size.replace(",", ""))
            ]
            part = Split((digits.train[0][rows], digits.train[1][rows]), digits.test)
            runs.append(
                (
                    accuracy(train_vit(part, seed, steps=200, batch_size=32), *digits.test),
                    logistic_regression_accuracy(part),
                    nearest_neighbour_accuracy(part),
                )
            )
        measured.append(np.median(runs, axis=0))
    np.testing.assert_allclose([list(map(float, row[1:])) for row in printed], measured, atol=0.02)
    assert catalogue()["family.verdict"].right["value"] == float(printed[-1][-1])


def test_sheet_18_shows_the_patches_that_it_says():
    text = "\n".join(cells_of("18"))
    image = [list(map(int, re.findall(r"\d+", line))) for line in text.split("```")[1].splitlines() if line.strip()]
    shown = re.findall(r"`\[([\d, ]+)\]`", text)[:4]
    cut = patches(torch.tensor(image, dtype=torch.float)[None], 2)[0]
    assert [list(map(int, row.split(", "))) for row in shown] == cut[:4].int().tolist()


def test_a_value_that_is_not_in_the_table_is_told(snapshot):
    assert told("family.verdict", {"claim": "b", "reason": "a", "value": 0.81}) == snapshot
