"""Scaling: sizes, arithmetic and fitted lines, a training, and what lesson 24 says of the record."""

import numpy as np
import pytest
import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from transformer_course.experiments import scaling
from transformer_course.experiments.records import recorded
from transformer_course.experiments.scaling import SIZES, power_law, power_law_with_floor

SAMPLES = np.array([1e3, 4e3, 2e4, 1e5])


def test_the_parameters_of_the_blocks_leave_out_the_tables_at_both_ends():
    for size in SIZES:
        model = scaling.new_model(size)
        ends = 2 * 96 * size.d_model  # the embedding table and the output layer, without biases
        assert size.parameters + ends == sum(parameter.numel() for parameter in model.parameters())
        matrices = 12 * size.num_layers * size.d_model**2
        assert matrices < size.parameters < 1.1 * matrices


def test_a_training_takes_six_operations_per_parameter_and_token():
    """A forward and a backward pass of one matrix: three products of (b, m) and (m, n), two operations for each number."""
    layer, x = nn.Linear(7, 5, bias=False), torch.randn(11, 7, requires_grad=True)
    with FlopCounterMode(display=False) as counter:
        layer(x).sum().backward()
    assert scaling.flops(7 * 5, 11) == counter.get_total_flops()
    with pytest.raises(ValueError, match="both must be above 0, got 0 and 5"):
        scaling.flops(0, 5)


def test_equal_budgets_are_equal():
    for part in scaling.BUDGETS:
        whole = scaling.budget(part)
        for size in SIZES:
            spent = scaling.flops(size.parameters, scaling.steps_for(size, whole) * scaling.TOKENS)
            assert abs(spent - whole) <= scaling.flops(size.parameters, scaling.TOKENS) / 2
    assert scaling.steps_for(SIZES[2], scaling.budget(1)) == scaling.STEPS


def test_a_power_law_is_found_again():
    line = power_law(SAMPLES, 6 * SAMPLES**-0.1)
    np.testing.assert_allclose([line.floor, line.factor, line.slope], [0, 6, 0.1])
    np.testing.assert_allclose(line.at(1e6), 6 * 1e6**-0.1)
    line = power_law_with_floor(SAMPLES, 1.2 + 9 * SAMPLES**-0.3)
    np.testing.assert_allclose([line.floor, line.factor, line.slope], [1.2, 9, 0.3], rtol=1e-6)


@pytest.mark.parametrize(
    ("sizes", "values", "floor"),
    [([1], [1], 0), ([1, 1], [1, 2], 0), ([1, 2], [1], 0), ([0, 2], [1, 1], 0), ([1, 2], [1, 3], 1)],
)
def test_a_line_needs_two_sizes_and_values_above_the_floor(sizes, values, floor):
    with pytest.raises(ValueError, match="needs two or more sizes above 0 and a value above the floor"):
        power_law(sizes, values, floor)


@pytest.mark.slow
def test_a_few_steps_teach_a_small_model_something():
    before, after = scaling.new_model(SIZES[0]).eval(), scaling.train(SIZES[0], 0.03, steps=30)
    assert scaling.bits(before) > 6
    assert scaling.bits(after) < 4.6


def test_the_record_is_of_these_settings():
    assert recorded("scaling")["settings"] == scaling.settings()


def test_what_the_lesson_says_of_the_record():
    record = recorded("scaling")
    sizes = np.array(record["settings"]["parameters in blocks"])
    rates = [scaling.runs(record, "equal steps", k) for k in range(3)]
    assert [len(found) for found in rates[1:]] == [3, 3]
    assert (rates[2][:, 4] > rates[2][:, 3]).all()  # the fifth is worse than the fourth at the rate of the smallest
    assert (rates[2][:, 0] < rates[1][:, 0]).all()
    assert (rates[1][:, 4] < rates[2][:, 4]).all()
    medians = np.array([np.median(found, axis=0) for found in rates])
    assert abs(power_law(sizes[:4], medians[0, :4]).at(sizes[4]) - medians[0, 4]) < 0.04
    best = medians.min(axis=0)
    assert best[4] < best[3]
    assert power_law(sizes[:4], best[:4]).at(sizes[4]) < best[4] - 0.03
    assert power_law_with_floor(sizes, best).floor > record["shipped"]["prose-large"] + 0.5
    for part, winner in ((0, 0), (1, 1)):
        found = scaling.at_equal_budget(record, part)
        assert found.shape == (3, 5)
        assert (found.argmin(axis=1) == winner).all()
    more = scaling.runs(record, "more steps")
    assert (more < best[[0, 4]] - 0.35).all()
    assert (more[:, 1] < record["tables"]["characters"][3]).all()


def test_what_the_lesson_says_of_tables_and_of_shipped_models():
    found, tables = recorded("scaling")["shipped"], recorded("scaling")["tables"]
    assert min(tables["characters"]) == tables["characters"][5] > found["prose"]
    assert found["prose-large"] < min(tables["byte pairs"]) == tables["byte pairs"][3] < found["prose"]
