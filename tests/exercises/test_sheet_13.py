"""Sheet 13: what it says of its exercises is so, and other answers are told why."""

import math
import re
from functools import partial

import numpy as np
import torch
from examining import cells_of, solved, told, verdict

from transformer_course import masks
from transformer_course.exercises import catalogue
from transformer_course.exercises.exercise import in_order
from transformer_course.exercises.families.mask import MASK, added, filled
from transformer_course.exercises.families.wiring import in_turn
from transformer_course.exercises.lesson_12_encoder.steps import decoder_layer
from transformer_course.experiments.sorting import majority_baseline, sorting_data, train_sorter
from transformer_course.inspection import perturbation_map
from transformer_course.transformer import Decoder, StackConfig


def test_each_norm_of_the_decoder_layer_needs_its_epsilon():
    def wire(order, norms, sublayers, x, number):
        def without(norm):
            return lambda y: norm(y * 2**20)  # so large that ε no longer matters

        return in_turn(order, [without(norm) if k == number else norm for k, norm in enumerate(norms)], sublayers, x)

    for number in (0, 1, 2):
        assert not verdict(catalogue()["decoder.layer"], decoder_layer(wire=partial(wire, number=number))).passed, number


def test_a_mask_that_does_not_forbid_in_one_of_the_two_attentions_fails():
    """In both attentions at once, they are mistakes of the catalogue."""
    for mistake in in_order(MASK):
        for weigh in (mistake.answer, *mistake.variants):
            steps = {"weigh_masked": weigh}
            for answer in (decoder_layer(own=steps), decoder_layer(cross=steps)):
                assert verdict(catalogue()["decoder.layer"], answer).reason != "passed", mistake.name


def test_a_large_negative_number_masks_as_well():
    for hide in (filled(-1e4), added(-1e9)):
        steps = {"hide": hide}
        assert verdict(catalogue()["decoder.layer"], decoder_layer(own=steps, cross=steps)).passed


def test_what_sheet_13_says_of_its_exercises_is_so():
    cells = cells_of("13")
    reach, trap, leak = (catalogue()[f"decoder.{name}"] for name in ("reach", "swapped", "leak"))

    decoder = Decoder(StackConfig(d_model=8, num_heads=2, num_layers=2, d_ff=16, dropout=0.0)).double()
    target, memory = torch.randn(4, 8, dtype=torch.float64), torch.randn(3, 8, dtype=torch.float64)
    window = masks.causal_mask(4) & ~masks.causal_mask(4).tril(-2)
    real = torch.tensor([[[True, True, False]]])
    maps = [
        perturbation_map(lambda x: decoder(x[None], memory[None], window, real)[0], target),
        perturbation_map(lambda x: decoder(target[None], x[None], window, real)[0], memory),
    ]
    assert (torch.cat(maps, dim=1) > 0).int().tolist() == reach.value

    names = {"np": np, "math": math}
    exec(next(cell for cell in cells if cell.startswith("def attend(")), names)
    x, one = (np.array(part, float) for part in solved(trap))
    for given in (one, np.random.default_rng(0).standard_normal((3, 2))):  # of other lengths, and of the same
        np.testing.assert_allclose(names["right_sum"](x, given), trap.reference(x, given))
        np.testing.assert_allclose(names["swapped_sum"](x, given), trap.faulty(x, given))

    rows = re.findall(r"^\| \*\*\w\*\* \| .* \| ([\d.]+) \| ([\d.]+) \|$", "\n".join(cells), re.MULTILINE)
    printed = [tuple(map(float, row)) for row in rows]
    asked = sorting_data(500, seed=1)
    masked, without = (train_sorter(causal, seed=1) for causal in (True, False))
    without.model.causal = True
    hidden = (without.model(*asked[:2]).argmax(-1) == asked[2]).float().mean()
    measured = [
        (masked.teacher_forced.mean(), masked.free_running.mean()),
        (without.teacher_forced.mean(), without.free_running.mean()),
    ]
    measured += [(hidden, without.free_running.mean()), (majority_baseline().mean(), majority_baseline().mean())]
    np.testing.assert_allclose(printed, measured, atol=0.15)  # training differs between processors
    assert leak.right["value"] == printed[2][0]


def test_one_wrong_entry_of_the_map_is_told(snapshot):
    reach = [[1, 0, 0, 0, 1, 1, 0], [1, 1, 0, 0, 1, 1, 0], [1, 1, 1, 0, 1, 1, 0], [0, 0, 1, 1, 1, 1, 0]]
    assert told("decoder.reach", reach) == snapshot
