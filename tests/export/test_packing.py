"""Weights in few bytes: 8 bits unless they cost too much, and what is stored is what was measured."""

import numpy as np
import pytest
import torch
from small_gpts import gpt, spread_out

from transformer_course.build_parts import GPT
from transformer_course.export.packing import COST, GROUP, divergence, pack
from transformer_course.export.sizes import sizes_of


def unpacked(content: bytes, count: int, kind: str, start: int) -> np.ndarray:
    """What a stored weight holds, in a loop."""
    if kind == "float16":
        return np.frombuffer(content, "<f2", count, start).astype("f4")
    scales = np.frombuffer(content, "<f2", -(-count // GROUP), start)
    whole = np.frombuffer(content, "i1", count, start + scales.nbytes)
    return np.array([float(scales[k // GROUP]) * int(whole[k]) for k in range(count)], "f4")


def test_the_bytes_hold_the_weights_that_were_measured():
    sizes, weights = sizes_of(gpt(), 13)
    packed = pack(sizes, weights)
    for name, count, kind, start in packed.tensors:
        assert (kind == "int8") == (weights[name].ndim > 1)
        np.testing.assert_array_equal(unpacked(packed.content, count, kind, start), packed.weights[name].flatten())
        assert (packed.weights[name] - weights[name]).abs().max() <= weights[name].abs().max() / 200
    assert 0 < packed.cost == divergence(sizes, weights, packed.weights) <= COST


def test_where_8_bits_cost_too_much_16_are_taken():
    """One large number in each group leaves the others few of the 255 steps."""
    model = gpt(spread=0.3)
    with torch.no_grad():
        for weight in model.parameters():
            if weight.ndim > 1:
                weight.flatten()[::GROUP] = 40
        model.output.weight *= 3
    packed = pack(*sizes_of(model, 13))
    assert {kind for _, _, kind, _ in packed.tensors} == {"float16"}
    assert packed.cost <= COST


def test_weights_that_16_bits_cannot_hold_are_refused():
    model = gpt()
    model.output.weight.data[0, 0] = 1e5
    with pytest.raises(ValueError, match=r"at most 65,504, which output\.weight is not"):
        pack(*sizes_of(model, 13))


@pytest.mark.slow
def test_a_page_of_one_and_a_half_million_parameters_has_at_most_4_mb():
    model = spread_out(GPT(4096, 128, d_model=112, num_heads=4, num_layers=4, d_ff=448), 0.02)
    assert 1.45e6 < sum(weight.numel() for weight in model.parameters()) < 1.55e6
    assert len(pack(*sizes_of(model, 13)).content) * 4 / 3 < 2.3e6  # in base64; all else is less than 100 kB
