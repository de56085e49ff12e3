"""positions.py against plain formulas, and against its own laws."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from twins import random

from transformer_course.positions import LearnedPositions, SinusoidalPositions, alibi_slopes, rotate, sinusoidal_encoding


@given(st.integers(1, 20), st.integers(1, 9))
def test_the_waves_equal_the_formula_number_by_number(length, half):
    table = sinusoidal_encoding(length, 2 * half)
    assert table.shape == (length, 2 * half)
    assert table.dtype == torch.float32
    for p in range(length):
        for i in range(half):
            angle = p / 10000 ** (2 * i / (2 * half))
            assert table[p, 2 * i].item() == pytest.approx(math.sin(angle), abs=1e-6)
            assert table[p, 2 * i + 1].item() == pytest.approx(math.cos(angle), abs=1e-6)


def test_far_positions_are_as_exact_as_near_ones():
    far = sinusoidal_encoding(1_000_001, 6)[-1]
    assert far[0].item() == pytest.approx(math.sin(1_000_000), abs=1e-6)


@pytest.mark.parametrize("kind", [SinusoidalPositions, LearnedPositions])
def test_positions_are_added_by_place_and_not_by_sample(kind):
    positions, x = kind(6, 9), torch.zeros(3, 5, 6)
    assert torch.equal(positions(x)[0], positions.table[:5])
    assert torch.equal(positions(x)[2], positions.table[:5])
    assert torch.equal(positions(x, start=4)[1], positions.table[4:])
    assert torch.equal(positions(x + 1)[1], positions.table[:5] + 1)


def test_waves_are_neither_learned_nor_saved_and_tables_are():
    assert not list(SinusoidalPositions(6, 9).state_dict())
    assert LearnedPositions(6, 9).table.requires_grad
    assert LearnedPositions(64, 500).table.std().item() == pytest.approx(0.02, rel=0.05)


@pytest.mark.parametrize("kind", [SinusoidalPositions, LearnedPositions])
def test_positions_past_the_table_and_other_widths_are_told(kind):
    with pytest.raises(ValueError, match="there are 9 positions, got a sequence of 10 tokens; raise max_length"):
        kind(6, 9)(torch.zeros(1, 5, 6), start=5)
    with pytest.raises(ValueError, match="has width 6, got vectors of width 1"):
        kind(6, 9)(torch.zeros(1, 5, 1))
    with pytest.raises(ValueError, match="start must be 0 or more, got -1"):
        kind(6, 9)(torch.zeros(1, 2, 6), start=-1)


def test_odd_widths_and_empty_tables_are_told():
    with pytest.raises(ValueError, match=r"even width.*got 7; try 8"):
        sinusoidal_encoding(4, 7)
    with pytest.raises(ValueError, match="at least one row, got length 0"):
        sinusoidal_encoding(0, 8)


def test_rotation_equals_multiplying_complex_numbers():
    x, positions = random(2, 3, 5, 6), torch.tensor([0, 7, 2, 100, 3])
    angles = positions[:, None] / 10000 ** (torch.arange(0, 6, 2).double() / 6)
    turned = torch.view_as_complex(x.unflatten(-1, (3, 2))) * torch.polar(torch.ones_like(angles), angles)
    torch.testing.assert_close(rotate(x, positions), torch.view_as_real(turned).flatten(-2))


def test_rotation_needs_one_position_a_row_and_pairs():
    with pytest.raises(ValueError, match=r"one position per row, got \(2,\) positions for x of \(3, 4\)"):
        rotate(random(3, 4), torch.tensor([0, 1]))
    with pytest.raises(ValueError, match=r"even width.*got 3"):
        rotate(random(2, 3), torch.tensor([0, 1]))
    with pytest.raises(ValueError, match=r"floating-point vectors, got torch.int64; try x.float\(\)"):
        rotate(torch.tensor([[3, 4]]), torch.tensor([1]))


def test_slopes_halve_and_other_numbers_of_heads_take_slopes_from_between():
    assert alibi_slopes(8) == [1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 32, 1 / 64, 1 / 128, 1 / 256]
    assert alibi_slopes(1) == [1 / 256]
    assert alibi_slopes(6) == [1 / 4, 1 / 16, 1 / 64, 1 / 256, 1 / 2, 1 / 8]
    assert alibi_slopes(7) == [1 / 4, 1 / 16, 1 / 64, 1 / 256, 1 / 2, 1 / 8, 1 / 32]
    assert alibi_slopes(16)[:3] == pytest.approx([0.7071, 0.5, 0.3536], abs=1e-4)
    with pytest.raises(ValueError, match="num_heads must be 1 or more, got 0"):
        alibi_slopes(0)
