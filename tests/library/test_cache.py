"""Attention with a cache equals attention to the whole sequence at once."""

import pytest
import torch
import twins
from hypothesis import given
from hypothesis import strategies as st
from twins import random

from transformer_course.attention import KeyValueCache, MultiHeadAttention, causal_mask


@pytest.mark.parametrize("positions", ["none", "rotary", "alibi"])
@given(cuts=st.lists(st.integers(1, 8), unique=True, max_size=4).map(sorted))
def test_in_pieces_with_a_cache_equals_the_whole_at_once(positions, cuts):
    module, x = twins.scatter_parameters(MultiHeadAttention(8, 2, 4, 3, positions=positions)), random(2, 9, 8)
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
    with pytest.raises(ValueError, match=r"scores \(1, 2, 2, 4\), got \(2, 2\)"):
        module(x, x, x, causal_mask(2), cache)  # as if nothing came before: it needs causal_mask(4)[2:]
    assert cache.length == 2


def test_keys_of_another_batch_or_width_are_told():
    cache = KeyValueCache(9)
    with pytest.raises(ValueError, match="the cache is empty"):
        cache.contents()
    cache.extend(random(2, 3, 1, 4), random(2, 3, 1, 5))
    for shape in ((1, 3, 1, 4), (2, 1, 1, 4), (2, 3, 1, 1)):
        with pytest.raises(
            ValueError, match=r"keys with batch size, heads and width \[2, 3, 4\], got .* new caches for a new sequence"
        ):
            cache.extend(random(*shape), random(*shape))
    assert cache.length == 1


def test_a_full_cache_is_told_and_keeps_what_it_has():
    cache = KeyValueCache(3)
    cache.extend(random(1, 2, 3, 4), random(1, 2, 3, 5))
    with pytest.raises(ValueError, match="room for 3 tokens, got token 4; create it with a larger max_length"):
        cache.extend(random(1, 2, 1, 4), random(1, 2, 1, 5))
    assert cache.length == 3


def test_a_cache_keeps_some_rows_some_twice():
    cache, key, value = KeyValueCache(4), random(3, 2, 3, 4), random(3, 2, 3, 5, seed=1)
    cache.extend(key, value)
    cache.select(torch.tensor([2, 0, 2]))
    torch.testing.assert_close(cache.contents(), (key[[2, 0, 2]], value[[2, 0, 2]]))


def test_what_was_forgotten_is_replaced_by_what_comes_next():
    module, x, cache = twins.scatter_parameters(MultiHeadAttention(8, 2)), random(1, 5, 8), KeyValueCache(5)
    wrong = random(1, 2, 8, seed=1)
    module(x[:, :3], x[:, :3], x[:, :3], causal_mask(3), cache)
    module(wrong, wrong, wrong, causal_mask(5)[3:], cache)
    cache.forget_after(3)
    found = module(x[:, 3:], x[:, 3:], x[:, 3:], causal_mask(5)[3:], cache)
    torch.testing.assert_close(found, module(x, x, x, causal_mask(5))[:, 3:])
    with pytest.raises(ValueError, match="the cache holds 5 tokens, so it cannot keep the first 6"):
        cache.forget_after(6)
