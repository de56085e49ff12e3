"""attention.py against torch and against its own laws."""

import math

import pytest
import torch
import twins
from hypothesis import given
from hypothesis import strategies as st
from torch.nn import functional as F
from twins import random, random_mask

from transformer_course.attention import (
    KeyValueCache,
    MultiHeadAttention,
    causal_mask,
    padding_mask,
    scaled_dot_product_attention,
    softmax,
)
from transformer_course.inspection import attention_maps, count_parameters, hooked, influence
from transformer_course.positions import rotate

SIZES = st.integers(1, 7)


@given(st.lists(SIZES, min_size=1, max_size=4), st.data())
def test_softmax_equals_torch_along_every_dimension(shape, data):
    scores = random(*shape) * 30
    dim = data.draw(st.integers(-len(shape), len(shape) - 1))
    torch.testing.assert_close(softmax(scores, dim), torch.softmax(scores, dim), rtol=0, atol=1e-12)


@pytest.mark.parametrize("size", [1e4, -1e4, 1e300])
def test_softmax_does_not_overflow(size):
    scores = torch.tensor([size, size + 1, size - 2], dtype=torch.float64)
    torch.testing.assert_close(softmax(scores), torch.softmax(scores, -1))


def test_softmax_gradient_equals_torch():
    ours, theirs = (random(3, 5).requires_grad_() for _ in range(2))
    direction = random(3, 5, seed=1)
    (softmax(ours) * direction).sum().backward()
    (torch.softmax(theirs, -1) * direction).sum().backward()
    torch.testing.assert_close(ours.grad, theirs.grad, rtol=0, atol=1e-12)


def test_softmax_refuses_whole_numbers():
    with pytest.raises(ValueError, match=r"floating-point scores, saw torch.int64; try scores.float"):
        softmax(torch.tensor([1, 2]))


@given(SIZES, SIZES, SIZES, SIZES, st.sampled_from([(), (2,), (2, 3)]), st.sampled_from([None, 1.0, 0.3]))
def test_attention_equals_torch_in_values_and_gradients(n, m, d_k, d_v, batch, scale):
    shapes = (*batch, n, d_k), (*batch, m, d_k), (*batch, m, d_v)
    ours, theirs = ([random(*s, seed=i).requires_grad_() for i, s in enumerate(shapes)] for _ in range(2))
    direction = random(*batch, n, d_v, seed=9)
    output, weights = scaled_dot_product_attention(*ours, scale=scale)
    expected = F.scaled_dot_product_attention(*theirs, scale=scale)
    torch.testing.assert_close(output, expected, rtol=0, atol=1e-6)
    assert weights.shape == (*batch, n, m)
    torch.testing.assert_close(weights.sum(-1), torch.ones(*batch, n, dtype=torch.float64))
    (output * direction).sum().backward()
    (expected * direction).sum().backward()
    for left, right in zip(ours, theirs, strict=True):
        torch.testing.assert_close(left.grad, right.grad, rtol=0, atol=1e-6)


def test_attention_equals_a_loop_over_plain_numbers():
    query, key, value = random(3, 2), random(5, 2, seed=1), random(5, 7, seed=2)
    output, _ = scaled_dot_product_attention(query, key, value)
    for i, q in enumerate(query.tolist()):
        shares = [math.exp(sum(a * b for a, b in zip(q, k, strict=True)) / math.sqrt(2)) for k in key.tolist()]
        for d in range(7):
            mixed = sum(s / sum(shares) * v[d] for s, v in zip(shares, value.tolist(), strict=True))
            assert output[i, d].item() == pytest.approx(mixed, abs=1e-12)


def test_without_positions_a_shuffled_sequence_gives_shuffled_outputs():
    x, order = random(7, 3), torch.tensor([4, 0, 6, 2, 5, 1, 3])
    output, _ = scaled_dot_product_attention(x, x, x)
    shuffled, _ = scaled_dot_product_attention(x[order], x[order], x[order])
    torch.testing.assert_close(shuffled, output[order])


def test_the_first_example_by_hand():
    x = torch.tensor([[1, 0], [0, 1], [1, 1]], dtype=torch.float64)
    output, weights = scaled_dot_product_attention(x, x, x, scale=1.0)
    assert weights.mul(1e4).round().tolist() == [[4223, 1554, 4223], [1554, 4223, 4223], [2119, 2119, 5761]]
    assert output.mul(1e4).round().tolist() == [[8446, 5777], [5777, 8446], [7881, 7881]]
    scaled, _ = scaled_dot_product_attention(x, x, x)
    assert scaled[0].mul(1e4).round().tolist() == [8022, 5989]


def test_widths_and_numbers_that_do_not_fit_are_told():
    with pytest.raises(ValueError, match=r"key needs floating-point numbers of shape \(\.\.\., rows, width\), saw .* \(2,\)"):
        scaled_dot_product_attention(random(3, 2), random(2), random(5, 2))
    with pytest.raises(ValueError, match=r"value needs floating-point numbers .* saw torch.int64 \(5, 2\)"):
        scaled_dot_product_attention(random(3, 2), random(5, 2), torch.ones(5, 2, dtype=torch.int64))
    with pytest.raises(ValueError, match=r"same width d_k, saw \(3, 2\) and \(5, 4\)"):
        scaled_dot_product_attention(random(3, 2), random(5, 4), random(5, 2))
    with pytest.raises(ValueError, match=r"one value, saw 5 keys \(5, 2\) and 3 values \(3, 2\)"):
        scaled_dot_product_attention(random(3, 2), random(5, 2), random(3, 2))


# Masks


@given(SIZES, SIZES, st.sampled_from([(), (2,), (2, 3)]), st.integers(0, 9))
def test_masked_attention_equals_torch_in_values_and_gradients(n, m, batch, seed):
    mask = random_mask(*batch, n, m, seed=seed)
    ours, theirs = twins.leaves((*batch, n, 3), (*batch, m, 3), (*batch, m, 5))
    output, weights = scaled_dot_product_attention(*ours, mask)
    twins.assert_equal(output, F.scaled_dot_product_attention(*theirs, mask), ours, theirs, [])
    assert (weights[~mask] == 0).all()
    torch.testing.assert_close(weights.sum(-1), torch.ones_like(weights[..., 0]))


def test_a_mask_of_two_axes_serves_the_whole_batch():
    q, k, v, mask = random(2, 3, 5, 4), random(2, 3, 7, 4, seed=1), random(2, 3, 7, 6, seed=2), random_mask(5, 7)
    once, _ = scaled_dot_product_attention(q, k, v, mask)
    torch.testing.assert_close(once, scaled_dot_product_attention(q, k, v, mask.expand(2, 3, 5, 7))[0])


def test_masks_that_do_not_fit_are_told():
    q, k = random(2, 3, 5, 4), random(2, 3, 7, 4)
    for mask, told in [
        (torch.ones(5, 7), r"boolean tensor, True = may attend, saw torch.float32"),
        ([[True] * 7] * 5, "boolean tensor, True = may attend, saw list"),
        (torch.ones(5, 6, dtype=torch.bool), r"of the scores \(2, 3, 5, 7\), saw \(5, 6\)$"),
        (torch.ones(2, 5, 7, dtype=torch.bool), r"saw \(2, 5, 7\); for one mask a sample, try mask.unsqueeze\(1\)"),
        (torch.ones(7, dtype=torch.bool), r"needs two axes \(n, m\)"),
    ]:
        with pytest.raises(ValueError, match=told):
            scaled_dot_product_attention(q, k, k, mask)


def test_a_mask_a_sample_is_refused_even_when_the_batch_is_as_large_as_the_heads():
    q = random(3, 3, 5, 4)  # b = h = 3: broadcasting would silently give head i the mask of sample i
    with pytest.raises(ValueError, match=r"saw \(3, 5, 5\); for one mask a sample"):
        scaled_dot_product_attention(q, q, q, random_mask(3, 5, 5))


def test_a_query_without_any_key_is_told():
    mask = torch.ones(2, 3, 5, dtype=torch.bool)
    mask[1, 2] = False
    with pytest.raises(ValueError, match=r"row \[1, 2\] of the mask \(2, 3, 5\) has none"):
        scaled_dot_product_attention(random(2, 3, 4), random(2, 5, 4), random(2, 5, 4), mask)


def test_causal_mask_is_told_apart_from_its_neighbours():
    assert causal_mask(3).tolist() == [[True, False, False], [True, True, False], [True, True, True]]
    with pytest.raises(ValueError, match="at least one token, saw 0"):
        causal_mask(0)


def test_padding_mask_marks_real_tokens_for_every_query():
    assert padding_mask(torch.tensor([[5, 6, 0], [7, 0, 0]]), 0).tolist() == [[[True, True, False]], [[True, False, False]]]
    with pytest.raises(ValueError, match=r"tokens are \(b, m\).*saw \(3,\)"):
        padding_mask(torch.tensor([5, 6, 0]), 0)


def test_a_huge_score_does_not_leak_through_a_mask():
    key = torch.tensor([[1.0], [1e30]], dtype=torch.float64)
    output, weights = scaled_dot_product_attention(torch.ones(2, 1).double(), key, key, causal_mask(2), scale=1.0)
    assert weights[0].tolist() == [1, 0]
    assert output[0].item() == 1


def test_however_low_an_allowed_score_is_a_masked_one_stays_below_it():
    key = torch.tensor([[-1e12], [0.0]], dtype=torch.float64)  # a stand-in for -inf, such as -1e9, would win here
    _, weights = scaled_dot_product_attention(torch.ones(2, 1).double(), key, key, causal_mask(2), scale=1.0)
    assert weights[0].tolist() == [1, 0]
    half = random(4, 2).half()
    output, _ = scaled_dot_product_attention(half, half, half, causal_mask(4))  # and float16 has no room for it
    assert torch.equal(output[0], half[0])


# Several heads


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


def test_a_shuffled_sequence_gives_shuffled_outputs():
    module, x, order = twins.scatter_parameters(MultiHeadAttention(6, 3)), random(2, 5, 6), torch.tensor([4, 0, 2, 1, 3])
    torch.testing.assert_close(module(x[:, order], x[:, order], x[:, order]), module(x, x, x)[:, order])


def test_a_padding_mask_serves_all_heads_and_queries():
    module, x = twins.scatter_parameters(MultiHeadAttention(6, 3)), random(2, 5, 6)
    mask = padding_mask(torch.tensor([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0]]), 0)
    alone = module(x[1:, :3], x[1:, :3], x[1:, :3])
    torch.testing.assert_close(module(x, x, x, mask)[1:, :3], alone)


def test_rotary_heads_see_differences_of_positions_alone():
    module = twins.scatter_parameters(MultiHeadAttention(8, 2, rotary=True))
    x = random(1, 4, 8)
    _, weights = module(x, x, x, return_weights=True)
    plain = MultiHeadAttention(8, 2)
    plain.load_state_dict(module.state_dict())
    _, unturned = plain.double()(x, x, x, return_weights=True)
    assert (weights - unturned).abs().max() > 0.01
    # one token, three times: its score with itself depends on the distance alone
    _, weights = module(*[x[:, :1].expand(1, 3, 8)] * 3, return_weights=True)
    scores = weights.log() - weights.log().diagonal(dim1=-2, dim2=-1)[..., None]
    torch.testing.assert_close(scores[..., 1, 0], scores[..., 2, 1])


def test_rotary_heads_turn_queries_and_keys_and_not_values():
    module, x = twins.scatter_parameters(MultiHeadAttention(8, 2, rotary=True)), random(2, 5, 8)
    q, k, v = (w(x).unflatten(-1, (2, 4)).transpose(1, 2) for w in (module.w_q, module.w_k, module.w_v))
    q, k = (rotate(t, torch.arange(5)) for t in (q, k))
    expected = module.w_o(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2))
    torch.testing.assert_close(module(x, x, x), expected)


def test_dropout_falls_on_weights_while_training_only():
    torch.manual_seed(0)
    module = twins.scatter_parameters(MultiHeadAttention(4, 2, dropout=0.5))
    x = random(1, 50, 4)
    _, weights = module(x, x, x, return_weights=True)
    assert 0.4 < (weights == 0).double().mean() < 0.6
    assert weights.sum(-1).mean().item() == pytest.approx(1, abs=0.1)  # on average only
    assert not torch.equal(module(x, x, x), module(x, x, x))
    module.eval()
    assert torch.equal(module(x, x, x), module(x, x, x))


def test_sizes_that_do_not_fit_are_told():
    with pytest.raises(ValueError, match="num_heads must divide d_model, saw 2 heads for d_model 3; or give d_k and d_v"):
        MultiHeadAttention(3, 2)
    with pytest.raises(ValueError, match=r"from 0 to below 1, saw 1\.5"):
        MultiHeadAttention(4, 2, dropout=1.5)
    module, x = MultiHeadAttention(4, 2), torch.zeros(2, 3, 4)
    for query, key, value, told in [
        (x[..., :3], x, x, r"query needs the shape \(b, n, d_model = 4\), saw \(2, 3, 3\)"),
        (x, x[0], x[0], r"key needs the shape .* saw \(3, 4\)"),
        (x, x[:, :2], x, r"every key one value, saw \(2, 3, 4\), \(2, 2, 4\) and \(2, 3, 4\)"),
        (x, x[:1], x[:1], r"need one batch"),
        (x, None, None, "None only together, and only with a cache"),
    ]:
        with pytest.raises(ValueError, match=told):
            module(query, key, value)
    with pytest.raises(ValueError, match=r"scores \(2, 3, 3\), saw \(2, 5, 3\)"):
        module(x, x, x, torch.ones(2, 5, 3, dtype=torch.bool))


# The cache


@pytest.mark.parametrize("rotary", [False, True])
@given(cuts=st.lists(st.integers(1, 8), unique=True, max_size=4).map(sorted))
def test_in_pieces_with_a_cache_equals_the_whole_at_once(rotary, cuts):
    module, x = twins.scatter_parameters(MultiHeadAttention(8, 2, d_v=3, d_k=4, rotary=rotary)), random(2, 9, 8)
    cache, pieces = KeyValueCache(9), []
    for start, end in zip([0, *cuts], [*cuts, 9], strict=True):
        new = x[:, start:end]
        pieces.append(module(new, new, new, causal_mask(end)[start:], cache))
    torch.testing.assert_close(torch.cat(pieces, 1), module(x, x, x, causal_mask(9)))
    assert cache.length == 9


def test_a_memory_in_the_cache_is_read_again_without_being_given():
    module, x, memory = twins.scatter_parameters(MultiHeadAttention(4, 2)), random(2, 3, 4), random(2, 5, 4, seed=1)
    cache = KeyValueCache(5)
    once = module(x, memory, memory, cache=cache)
    torch.testing.assert_close(module(x, None, None, cache=cache), once)


def test_a_mask_that_does_not_fit_leaves_the_cache_as_it_was():
    module, x, cache = MultiHeadAttention(4, 2), torch.zeros(1, 2, 4), KeyValueCache(9)
    module(x, x, x, cache=cache)
    with pytest.raises(ValueError, match=r"scores \(1, 2, 2, 4\), saw \(2, 2\)"):
        module(x, x, x, causal_mask(2), cache)  # as if nothing came before: it needs causal_mask(4)[2:]
    assert cache.length == 2


def test_keys_of_another_batch_or_width_are_told():
    cache = KeyValueCache(9)
    with pytest.raises(ValueError, match="the cache is empty"):
        cache.all()
    cache.extend(random(2, 3, 1, 4), random(2, 3, 1, 5))
    for shape in ((1, 3, 1, 4), (2, 1, 1, 4), (2, 3, 1, 1)):
        with pytest.raises(ValueError, match=r"keys of batch, heads and width \[2, 3, 4\], saw .* new caches for a new text"):
            cache.extend(random(*shape), random(*shape))
    assert cache.length == 1


def test_a_full_cache_is_told_and_keeps_what_it_has():
    cache = KeyValueCache(3)
    cache.extend(random(1, 2, 3, 4), random(1, 2, 3, 5))
    with pytest.raises(ValueError, match="room for 3 tokens, saw token 4; make it with a larger max_length"):
        cache.extend(random(1, 2, 1, 4), random(1, 2, 1, 5))
    assert cache.length == 3


def test_a_cache_keeps_some_rows_some_twice():
    cache, key, value = KeyValueCache(4), random(3, 2, 3, 4), random(3, 2, 3, 5, seed=1)
    cache.extend(key, value)
    cache.select(torch.tensor([2, 0, 2]))
    torch.testing.assert_close(cache.all(), (key[[2, 0, 2]], value[[2, 0, 2]]))


# Looking in


def test_hooks_see_and_replace_what_goes_in_and_comes_out_and_are_removed_even_after_an_error():
    parts, seen = [torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)], []
    model, x = torch.nn.Sequential(*parts), torch.ones(1, 2)
    plain, doubled = model(x), parts[0](2 * x)
    with hooked(parts, before=lambda part, args: seen.append((part, args[0]))):
        torch.testing.assert_close(model(x), plain, rtol=0, atol=0)
    assert [part for part, _ in seen] == parts
    assert torch.equal(seen[1][1], parts[0](x))
    with hooked(parts[1:], after=lambda part, args, output: args[0] + 1):
        assert torch.equal(model(x), parts[0](x) + 1)
    with hooked(parts[:1], before=lambda part, args, kwargs: ((), {"input": 2 * kwargs["input"]}), with_kwargs=True):
        assert torch.equal(parts[0](input=x), doubled)
    with pytest.raises(ZeroDivisionError), hooked(parts, after=lambda part, args, output: 1 / 0):
        model(x)
    with pytest.raises(AttributeError), hooked([*parts, "no module"], before=lambda part, args: 1 / 0):
        pass
    torch.testing.assert_close(model(x), plain, rtol=0, atol=0)
    assert len(seen) == 2


def test_attention_maps_changes_no_output_and_leaves_no_hook():
    module, x = twins.scatter_parameters(torch.nn.ModuleDict({"first": MultiHeadAttention(4, 2)})), random(1, 3, 4)
    plain, weights = module["first"](x, x, x, return_weights=True)
    with attention_maps(module) as maps:
        torch.testing.assert_close(module["first"](x, x, x), plain)
    assert list(maps) == ["first"]
    assert not isinstance(module["first"](x + 1, x, x), tuple)
    torch.testing.assert_close(maps["first"], weights)  # what comes after the block is not kept


def test_attention_maps_leaves_the_weights_to_those_who_asked_and_may_be_nested():
    module, x = twins.scatter_parameters(MultiHeadAttention(4, 2)), random(2, 3, 4)
    plain, weights = module(x, x, x, return_weights=True)
    with attention_maps(module) as outer, attention_maps(module) as inner:
        torch.testing.assert_close(module(x, x, x, return_weights=True), (plain, weights))
        torch.testing.assert_close(module(x, x, x, None, None, True), (plain, weights))
        torch.testing.assert_close(module(x, x, x), plain)
        torch.testing.assert_close(outer[""], weights)
        torch.testing.assert_close(inner[""], weights)
    with pytest.raises(ZeroDivisionError), attention_maps(module):
        raise ZeroDivisionError
    assert not isinstance(module(x, x, x), tuple)


def test_influence_shows_which_input_reaches_which_output_and_how_far_it_moves_it():
    spread = torch.tensor(
        [[1.0, 0.0, 0.0, 2.0], [0.0, -3.0, 0.0, 0.0]]
    )  # output 1 hears of inputs 1 and 4, output 2 of input 2
    x = random(4, 5)
    before = x.clone()
    arrives = influence(lambda x: spread.double() @ x, x)
    torch.testing.assert_close(arrives, 1.5 * spread.abs().double())  # the last number of a token moves most, by 1.5
    assert torch.equal(x, before)
    normed = influence(lambda x: torch.nn.functional.layer_norm(x, x.shape[-1:]), x)
    assert torch.equal(normed > 1e-9, torch.eye(4, dtype=torch.bool))  # an even step would be invisible here
    with pytest.raises(ValueError, match=r"\(m, d\) and outputs \(n, d_out\), saw \(1, 4, 5\)"):
        influence(lambda x: x, x[None])
    with pytest.raises(ValueError, match=r"saw \(4, 5\) and \(4,\)"):
        influence(lambda x: x.sum(-1), x)


def test_parameters_are_counted_once_and_all():
    class Both(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.own = torch.nn.Parameter(torch.zeros(3))
            self.one, self.two = torch.nn.Linear(2, 5), torch.nn.Linear(2, 5)
            self.two.weight = self.one.weight

    assert count_parameters(Both()) == {"own": 3, "one": 15, "two": 5}


def test_16_bits_hold_large_queries():
    q = torch.full((1, 2, 64), 60.0, dtype=torch.float16)  # the product, 230,400, is too large for 16 bits; /8 it is not
    output, _ = scaled_dot_product_attention(q, q, q)
    assert torch.equal(output, q)
