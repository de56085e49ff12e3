"""Sheet 18: its table is measured, and its patches are those of the library."""

import re

import numpy as np
import pytest
import torch
from examining import verdict

from transformer_course._util import paths
from transformer_course.authoring import build
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
    (source,) = (source for source in paths.sources("exercises") if source.stem.startswith("18_"))
    text = "\n".join(cell.source for cell in build.notebook_of(source).cells)
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
    (source,) = (source for source in paths.sources("exercises") if source.stem.startswith("18_"))
    text = "\n".join(cell.source for cell in build.notebook_of(source).cells)
    image = [list(map(int, re.findall(r"\d+", line))) for line in text.split("```")[1].splitlines() if line.strip()]
    shown = re.findall(r"`\[([\d, ]+)\]`", text)[:4]
    cut = patches(torch.tensor(image, dtype=torch.float)[None], 2)[0]
    assert [list(map(int, row.split(", "))) for row in shown] == cut[:4].int().tolist()
    for images, size in catalogue()["family.patches"].questions(0):
        ours = catalogue()["family.patches"].reference(images, size)
        np.testing.assert_array_equal(ours, patches(torch.from_numpy(images), size))


def test_a_loop_that_counts_along_one_side_only_is_told():
    def answer(images, size):
        count = len(images[0]) // size
        corners = [(size * i, size * j) for i in range(count) for j in range(count)]
        return np.array([[image[i : i + size, j : j + size].ravel() for i, j in corners] for image in images])

    assert verdict(catalogue()["family.patches"], answer).mistake == "one side for both"


def test_halves_in_the_wrong_order_are_told_even_if_the_swap_is_the_right_one():
    def answer(images, size):
        b, height, width = images.shape
        split = images.reshape(b, size, height // size, size, width // size)
        return split.swapaxes(2, 3).reshape(b, -1, size * size)

    assert verdict(catalogue()["family.patches"], answer).mistake == "every so many pixels"


@pytest.mark.parametrize(
    ("masked", "replaced", "mistake"),
    [
        (lambda hidden, fate: fate < 0.8, lambda hidden, fate: hidden & (fate >= 0.9), "fate for all tokens"),
        (lambda hidden, fate: hidden & (fate < 0.8), lambda hidden, fate: fate >= 0.9, "fate for all tokens"),
        (lambda hidden, fate: hidden & (fate < 0.9), lambda hidden, fate: hidden & (fate >= 0.9), "kept ones masked"),
    ],
)
def test_inputs_that_go_wrong_in_one_row_of_the_table_are_told(masked, replaced, mistake):
    def answer(tokens, special, mask_id, draw, fate, others):
        hidden = (draw < 0.15) & ~special
        inputs = np.where(masked(hidden, fate), mask_id, tokens)
        return np.where(replaced(hidden, fate), others, inputs), np.where(hidden, tokens, -100)

    for seed in range(8):
        assert verdict(catalogue()["family.mask_tokens"], answer, seed).mistake == mistake


def test_a_percentage_is_told():
    seen = verdict(catalogue()["family.verdict"], {"claim": "b", "reason": "a", "value": 98})
    assert seen.mistake == "a percentage"
