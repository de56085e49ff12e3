"""Measured memory, multiplications and seconds are correct."""

import pytest
import torch
from torch.nn import functional as F

from transformer_course.attention import scaled_dot_product_attention
from transformer_course.experiments.costs import Memory, attention_in_blocks, memory, multiplications, seconds


def test_memory_is_what_a_run_takes_at_its_worst_moment_and_what_it_keeps():
    million = 250_000  # numbers of 4 bytes

    def three_then_one():
        first = torch.zeros(million)
        second = torch.zeros(2 * million)
        del second
        return first

    before = torch.zeros(5 * million)  # earlier allocations do not count
    assert memory(three_then_one) == Memory(peak=3_000_000, kept=1_000_000)
    assert memory(three_then_one).working == 2_000_000
    assert memory(lambda: before.add_(1)).peak < 1000
    q, k, v = torch.zeros(3, 1, 1, 1024, 64)
    inside = memory(lambda: F.scaled_dot_product_attention(q, k, v))
    assert (
        1024 * 64 * 4 == inside.kept - 1024 * 4 * (inside.kept > 1024 * 64 * 4) < inside.peak
    )  # memory inside a kernel is seen


def test_the_profiler_says_nothing(capfd):
    memory(lambda: torch.zeros(3))
    assert capfd.readouterr() == ("", "")


def test_multiplications_are_counted_in_products_and_inside_attention():
    left, right = torch.ones(3, 2), torch.ones(2, 5)
    assert multiplications(lambda: left @ right) == 30
    assert multiplications(lambda: left * 2 + 1) == 0
    x = torch.ones(1, 2, 7, 4)  # two heads
    assert multiplications(lambda: F.scaled_dot_product_attention(x, x, x)) == 2 * 2 * 7 * 7 * 4
    assert multiplications(lambda: scaled_dot_product_attention(x, x, x)) == 2 * 2 * 7 * 7 * 4


@pytest.mark.parametrize("size", [1, 5, 16, 37, 100])
@pytest.mark.parametrize("factor", [1, 200])
def test_attention_in_blocks_is_attention(size, factor):
    draw = torch.Generator().manual_seed(size)
    q, k = factor * torch.randn(23, 6, generator=draw).double(), torch.randn(37, 6, generator=draw).double()
    v = torch.randn(37, 4, generator=draw).double()
    expected = F.scaled_dot_product_attention(q, k, v)
    torch.testing.assert_close(attention_in_blocks(q, k, v, size), expected, rtol=1e-9, atol=1e-9)


def test_seconds_are_the_processors_in_the_quickest_round(monkeypatch):
    clock = iter([0.0, 3.0, 3.0, 3.0, 3.04, 3.12, 5.0, 9.0])  # a coarse clock: a single run seems to take no time
    monkeypatch.setattr("time.process_time", lambda: next(clock))
    assert seconds(lambda: None, rounds=3) == pytest.approx(0.04)
    assert next(clock, None) is None
