"""Attention in several heads: equal to torch's, with positions and with dropout."""

import itertools
import math

import pytest
import torch
import twins
from attention_sizes import SIZES
from hypothesis import given
from hypothesis import strategies as st
from small_transformer import SOURCE, small
from torch.nn import functional as F
from twins import random, random_mask

from transformer_course import positions
from transformer_course.attention import KeyValueCache, MultiHeadAttention, scaled_dot_product_attention
from transformer_course.inspection import attention_maps
from transformer_course.positions import rotate


@given(
    st.integers(1, 3),
    SIZES,
    SIZES,
    st.integers(1, 4),
    st.integers(1, 4),
    st.booleans(),
    st.sampled_from(["none", "2", "3", "4"]),
)
def test_heads_equal_torch_in_values_and_gradients(b, n, m, heads, width, bias, axes):
    d_model = heads * width
    ours = twins.scatter_parameters(MultiHeadAttention(d_model, heads, bias=bias))
    theirs = torch.nn.MultiheadAttention(d_model, heads, bias=bias, batch_first=True, dtype=torch.float64)
    twins.share(pairs := twins.attention(ours, theirs), theirs)
    mask = None if axes == "none" else random_mask(*{"2": (n, m), "3": (b, n, m), "4": (b, heads, n, m)}[axes])
    torch_mask = mask
    if axes in "34":
        torch_mask = (mask if axes == "4" else mask[:, None].expand(b, heads, n, m)).flatten(0, 1)
    inputs, their_inputs = twins.leaves((b, n, d_model), (b, m, d_model), (b, m, d_model))
    expected, expected_weights = theirs(
        *their_inputs, attn_mask=None if mask is None else ~torch_mask, average_attn_weights=False
    )
    output, weights = ours(*inputs, mask, return_weights=True)
    torch.testing.assert_close(weights, expected_weights, rtol=0, atol=1e-6)
    torch.testing.assert_close(ours(*inputs, mask), output, rtol=0, atol=1e-6)  # the fused kernel, and the plain way
    twins.assert_equal(ours(*inputs, mask), expected, inputs, their_inputs, pairs)


def test_the_plain_way_has_the_fused_kernel_s_gradients():
    module = twins.scatter_parameters(MultiHeadAttention(6, 2))
    x, same = twins.leaves((2, 5, 6))
    mask = random_mask(2, 5, 5)
    twins.assert_equal(module(*x * 3, mask), module(*same * 3, mask, return_weights=True)[0], x, same, [])


@given(st.integers(1, 3), st.integers(1, 5), st.integers(1, 5))
def test_heads_of_any_width_equal_a_loop_over_heads(heads, d_k, d_v):
    module = twins.scatter_parameters(MultiHeadAttention(3, heads, d_k, d_v))
    assert module.w_o.weight.shape == (3, heads * d_v)
    query, memory, mask = random(2, 4, 3), random(2, 5, 3, seed=1), random_mask(2, 4, 5)
    brought = []
    for h in range(heads):
        keys, values = slice(h * d_k, (h + 1) * d_k), slice(h * d_v, (h + 1) * d_v)
        q = query @ module.w_q.weight[keys].T + module.w_q.bias[keys]
        k = memory @ module.w_k.weight[keys].T + module.w_k.bias[keys]
        v = memory @ module.w_v.weight[values].T + module.w_v.bias[values]
        brought.append(F.scaled_dot_product_attention(q, k, v, mask))
    torch.testing.assert_close(module(query, memory, memory, mask), module.w_o(torch.cat(brought, -1)))


def test_rotary_heads_turn_queries_and_keys_and_not_values():
    module, x = twins.scatter_parameters(MultiHeadAttention(8, 2, rotary=True)), random(2, 5, 8)  # the older argument
    q, k, v = (w(x).unflatten(-1, (2, 4)).transpose(1, 2) for w in (module.w_q, module.w_k, module.w_v))
    q, k = (rotate(t, torch.arange(5)) for t in (q, k))
    expected = module.w_o(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2))
    torch.testing.assert_close(module(x, x, x), expected)


@pytest.mark.parametrize("axes", ["none", "2", "3", "4"])
@torch.no_grad()
def test_alibi_heads_equal_a_loop_over_scores(axes):
    module, x = twins.scatter_parameters(MultiHeadAttention(9, 3, positions="alibi")), random(2, 5, 9)
    mask = None if axes == "none" else random_mask(*{"2": (5, 5), "3": (2, 5, 5), "4": (2, 3, 5, 5)}[axes])
    q, k, v = (w(x).unflatten(-1, (3, 3)) for w in (module.w_q, module.w_k, module.w_v))
    allowed = torch.ones(2, 3, 5, 5) if mask is None else (mask[:, None] if axes == "3" else mask).expand(2, 3, 5, 5)
    expected, brought = torch.zeros(2, 3, 5, 5, dtype=torch.float64), torch.zeros(2, 5, 3, 3, dtype=torch.float64)
    for b, h, i in itertools.product(range(2), range(3), range(5)):
        slope = (2**-4, 2**-8, 2**-2)[h]
        shares = [
            math.exp(float(q[b, i, h] @ k[b, j, h]) / 3**0.5 - slope * abs(i - j)) if allowed[b, h, i, j] else 0.0
            for j in range(5)
        ]
        expected[b, h, i] = torch.tensor(shares, dtype=torch.float64) / sum(shares)
        brought[b, i, h] = sum(share * v[b, j, h] for j, share in enumerate(shares)) / sum(shares)
    output, weights = module(x, x, x, mask, return_weights=True)
    torch.testing.assert_close(weights, expected, rtol=0, atol=1e-12)
    torch.testing.assert_close(output, module.w_o(brought.flatten(2)))
    torch.testing.assert_close(module(x, x, x, mask), output)


def test_a_scheme_of_ones_own_needs_no_change_elsewhere(monkeypatch):
    class OnlyNeighbours(positions.Scheme):
        in_attention = True

        def bias(self, num_heads, queries, keys):
            return torch.zeros(num_heads, 1, 1).masked_fill((queries[:, None] - keys).abs() > 1, -torch.inf)

    x = random(2, 5, 6)
    module = twins.scatter_parameters(MultiHeadAttention(6, 2, positions=OnlyNeighbours()))
    near = module(x, x, x, return_weights=True)[1] > 0
    assert torch.equal(near, torch.ones(5, 5, dtype=torch.bool).tril(1).triu(-1).expand(2, 2, 5, 5))
    monkeypatch.setitem(positions.SCHEMES, "neighbours", OnlyNeighbours())
    model = small(positions="neighbours", num_layers=1)
    with attention_maps(model) as maps:
        model.encode(SOURCE)
    assert torch.equal(maps["encoder.layers.0.self_attention"][0, 0] > 0, near[0, 0])


def test_positions_that_do_not_fit_are_told():
    with pytest.raises(ValueError, match="positions must be one of sinusoidal, learned, rotary, alibi, none, got 'alibis'"):
        MultiHeadAttention(4, 2, positions="alibis")
    with pytest.raises(ValueError, match=r"rotary positions need an even width .* got 3; try 4"):
        MultiHeadAttention(6, 2, rotary=True)
    with pytest.raises(ValueError, match="rotary=True means positions=\"rotary\", got positions='alibi' as well"):
        MultiHeadAttention(4, 2, rotary=True, positions="alibi")
    x, memory = torch.zeros(2, 3, 4), torch.zeros(2, 5, 4)
    for name, kind in (("alibi", "ALiBi"), ("rotary", "Rotary")):
        module, told = (
            MultiHeadAttention(4, 2, positions=name),
            rf"{kind} positions need .* of the same tokens .*, got 3 queries",
        )
        with pytest.raises(ValueError, match=f"{told} and 5 keys; for cross-attention, leave positions out"):
            module(x, memory, memory)
        module(x, x, x, cache=(cache := KeyValueCache(9)))
        with pytest.raises(ValueError, match=f"{told} and no new keys"):
            module(x, None, None, cache=cache)


def test_dropout_falls_on_weights_while_training_only():
    torch.manual_seed(0)
    module = twins.scatter_parameters(MultiHeadAttention(4, 2, dropout=0.5))
    x = random(1, 50, 4)
    output, weights = module(x, x, x, return_weights=True)
    torch.testing.assert_close(output, module._merge(weights @ module._split(module.w_v(x))))  # made with these weights
    assert 0.4 < (weights == 0).double().mean() < 0.6
    assert weights.sum(-1).mean().item() == pytest.approx(1, abs=0.1)  # on average only
    assert not torch.equal(module(x, x, x), module(x, x, x))
    module.eval()
    assert torch.equal(module(x, x, x), module(x, x, x))


def test_sizes_that_do_not_fit_are_told():
    with pytest.raises(
        ValueError,
        match="num_heads must divide d_model, got 2 heads for d_model 3; choose another number, or give both d_k and d_v",
    ):
        MultiHeadAttention(3, 2)
    with pytest.raises(ValueError, match=r"at least 0 and below 1, got 1\.5"):
        MultiHeadAttention(4, 2, dropout=1.5)
    module, x = MultiHeadAttention(4, 2), torch.zeros(2, 3, 4)
    for query, key, value, told in [
        (x[..., :3], x, x, r"query must have shape \(b, n, d_model = 4\), got \(2, 3, 3\)"),
        (x, x[0], x[0], r"key must have shape .* got \(3, 4\)"),
        (x, x[:, :2], x, r"every key needs one value, got \(2, 3, 4\), \(2, 2, 4\) and \(2, 3, 4\)"),
        (x, x[:1], x[:1], r"must have the same batch size"),
        (x, None, None, "None only together, and only with a cache"),
    ]:
        with pytest.raises(ValueError, match=told):
            module(query, key, value)
    with pytest.raises(ValueError, match=r"scores \(2, 3, 3\), got \(2, 5, 3\)"):
        module(x, x, x, torch.ones(2, 5, 3, dtype=torch.bool))


def test_16_bits_hold_large_queries():
    q = torch.full((1, 2, 64), 60.0, dtype=torch.float16)  # the product, 230,400, is too large for 16 bits; /8 it is not
    output, _ = scaled_dot_product_attention(q, q, q)
    assert torch.equal(output, q)
