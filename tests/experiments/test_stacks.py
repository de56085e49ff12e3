"""Stacks have residual connections at the stated sublayers, and differ only as stated."""

import pytest
import torch
from sizes import size

from transformer_course.experiments.stacks import (
    Echo,
    Stack,
    echo_accuracy,
    gradient_at_input,
    new_stack,
    silencing_effects,
    token_specific_fraction,
    token_specific_fractions,
)


@pytest.mark.parametrize("kinds", [(), ("attention",), ("feed-forward",), ("attention", "feed-forward")])
def test_a_stack_adds_at_the_sublayers_it_says_and_replaces_at_the_others(kinds):
    stack, x = new_stack(2, seed=3, residual=kinds)
    attention, network = stack.sublayers[2:]
    *_, below, middle, top = stack.streams(x)
    torch.testing.assert_close(middle, attention(below, below, below) + ("attention" in kinds) * below)
    torch.testing.assert_close(top, network(middle) + ("feed-forward" in kinds) * middle)
    assert torch.equal(stack(x), top)
    silenced = stack.streams(x, silenced=2)
    torch.testing.assert_close(silenced[3], below * ("attention" in kinds))
    assert torch.equal(silenced[2], below)


def test_the_arms_of_a_stack_differ_in_what_they_say():
    with pytest.raises(ValueError, match=r"attention and feed-forward, got .*network"):
        Stack(1, residual=("network",))
    plain, attention_only = Stack(3), Stack(3, feed_forward=False)
    assert (len(plain.sublayers), len(attention_only.sublayers)) == (6, 3)
    assert size(plain) == size(Stack(3, residual=(), rescaled=True, xavier=True))
    torch.manual_seed(0)
    first, xavier = plain.sublayers[1].w_1, Stack(1, xavier=True).sublayers[1].w_1
    assert first.weight.std().item() == pytest.approx((3 * 32) ** -0.5, rel=0.05)
    assert xavier.weight.std().item() == pytest.approx((2 / (32 + 128)) ** 0.5, rel=0.05)
    assert not xavier.bias.any()
    stack, x = new_stack(2, rescaled=True)
    torch.testing.assert_close(stack(x).square().mean(-1), torch.ones(8, 12, dtype=torch.float64))


def test_where_each_token_is_alone_no_other_one_moves_it():
    (mixing, x), (self_only, _) = new_stack(2, seed=1), new_stack(2, seed=1, self_only=True)
    others = x.clone()
    others[:, 1:] += 1
    assert torch.equal(self_only(x)[:, 0], self_only(others)[:, 0])
    assert not torch.allclose(mixing(x)[:, 0], mixing(others)[:, 0])
    assert all(torch.equal(a, b) for a, b in zip(mixing.parameters(), self_only.parameters(), strict=True))


def test_a_gradient_arrives_whole_where_nothing_is_in_its_way_and_dies_without_the_residual():
    assert gradient_at_input(0) == 1
    assert gradient_at_input(8, seed=1) > 1
    assert gradient_at_input(8, seed=1, residual=()) < 1e-8
    assert gradient_at_input(8, seed=1, xavier=True) > 100


def test_an_own_share_is_0_for_equal_tokens_and_1_for_tokens_that_cancel():
    one = torch.ones(2, 3, 4)
    assert token_specific_fraction(one) == 0
    assert token_specific_fraction(torch.stack([one[:, 0], -one[:, 0]], dim=1)) == 1
    shares = token_specific_fractions(3, seed=1, feed_forward=False)
    stack, x = new_stack(3, seed=1, feed_forward=False)
    assert shares == [token_specific_fraction(stream) for stream in stack.streams(x)]
    assert token_specific_fractions(3, seed=1)[-1] == token_specific_fraction(new_stack(3, seed=1)[0](x))


def test_a_silent_sublayer_is_missed_above_and_never_below():
    moved = silencing_effects(*new_stack(2, residual=()))
    assert moved.shape == (4, 5)
    assert not moved.tril().any()
    assert (moved.diagonal(1) == 1).all()  # without a residual connection, the next sublayer reads zeros
    assert (silencing_effects(*new_stack(2)).triu(1)[:, 1:].triu() > 0.1).sum() == 10


def test_an_echo_knows_each_token_by_what_comes_out_at_its_place():
    assert size(Echo(1)) == size(Echo(1, residual=()))
    assert echo_accuracy(1, steps=40) == echo_accuracy(1, steps=40) > 0.9
    assert echo_accuracy(4, steps=20, residual=()) < 0.2
