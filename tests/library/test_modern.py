"""The parts of today: equal to torch or to plain loops, and to the parts of 2017 where they are the same."""

import pytest
import torch
from torch import nn

from transformer_course.attention import MultiHeadAttention
from transformer_course.cache import KeyValueCache
from transformer_course.layers import FeedForward
from transformer_course.masks import causal_mask
from transformer_course.modern import GroupedQueryAttention, RMSNorm, SwiGLU, sliding_window_mask

pytestmark = pytest.mark.usefixtures("doubles")


def test_rms_norm_divides_by_the_root_mean_square():
    norm, x = RMSNorm(7), 3 * torch.randn(2, 5, 7) + 2
    nn.init.normal_(norm.gamma)
    for vector, result in zip(x.flatten(0, 1), norm(x).flatten(0, 1), strict=True):
        root = (sum(number**2 for number in vector) / 7 + 1e-5) ** 0.5
        torch.testing.assert_close(result, norm.gamma * vector / root)
    with pytest.raises(ValueError, match=r"expects vectors of width 7, got \(2, 5\)"):
        norm(torch.ones(2, 5))


def test_swiglu_multiplies_a_gate_with_a_value():
    network, x = SwiGLU(5, 11), torch.randn(3, 5)
    gate, up = x @ network.w_gate.weight.T, x @ network.w_up.weight.T
    torch.testing.assert_close(network(x), (gate / (1 + torch.exp(-gate)) * up) @ network.w_down.weight.T)
    with pytest.raises(ValueError, match="expects vectors of width 5"):
        network(torch.ones(3, 4))


def test_swiglu_with_two_thirds_of_the_width_has_as_many_weights():
    old, new = FeedForward(6, 24), SwiGLU(6, 16)
    count = sum(weights.numel() for name, weights in old.named_parameters() if name.endswith("weight"))
    assert sum(weights.numel() for weights in new.parameters()) == count


@pytest.mark.parametrize("positions", ["none", "rotary", "alibi"])
@pytest.mark.parametrize("groups", [1, 2, 4])
def test_groups_are_attention_whose_heads_have_equal_keys_and_values(groups, positions):
    grouped = GroupedQueryAttention(16, 4, groups, positions=positions)
    full, x = MultiHeadAttention(16, 4, positions=positions), torch.randn(2, 7, 16)
    full.w_q, full.w_o = grouped.w_q, grouped.w_o
    for name in ("w_k", "w_v"):  # each head gets a copy of the rows of its group
        shared, own = getattr(grouped, name), getattr(full, name)
        for parameter in ("weight", "bias"):
            rows = getattr(shared, parameter).unflatten(0, (groups, 4)).repeat_interleave(4 // groups, 0).flatten(0, 1)
            getattr(own, parameter).data = rows.detach()
    mask = causal_mask(7)
    torch.testing.assert_close(grouped(x, x, x, mask), full(x, x, x, mask))
    output, weights = grouped(x, x, x, mask, return_weights=True)
    torch.testing.assert_close(output, grouped(x, x, x, mask))
    assert weights.shape == (2, 4, 7, 7)


def test_a_cache_of_groups_gives_the_same_and_holds_only_groups():
    grouped, x, cache = GroupedQueryAttention(12, 6, 2, positions="rotary"), torch.randn(3, 5, 12), KeyValueCache(5)
    steps = [grouped(x[:, t : t + 1], x[:, t : t + 1], x[:, t : t + 1], cache=cache) for t in range(5)]
    torch.testing.assert_close(torch.cat(steps, 1), grouped(x, x, x, causal_mask(5)))
    assert [tuple(each.shape) for each in cache.contents()] == [(3, 2, 5, 2)] * 2


@pytest.mark.parametrize("groups", [0, 3, 8, -2])
def test_groups_must_divide_the_heads(groups):
    with pytest.raises(ValueError, match=f"num_groups must divide num_heads, got {groups} groups for 4 heads"):
        GroupedQueryAttention(16, 4, groups)


def test_a_window_shows_the_last_tokens():
    for n in (1, 5, 7):
        for window in (1, 3, 7, 20):
            expected = [[i - window < j <= i for j in range(n)] for i in range(n)]
            assert sliding_window_mask(n, window).tolist() == expected
    assert torch.equal(sliding_window_mask(6, 6), causal_mask(6))
    with pytest.raises(ValueError, match="at least itself, got 0"):
        sliding_window_mask(5, 0)
