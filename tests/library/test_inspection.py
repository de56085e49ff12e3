"""Hooks, attention maps, influence and parameter counts."""

import pytest
import torch
import twins
from twins import random

from transformer_course.attention import MultiHeadAttention
from transformer_course.inspection import attention_maps, count_parameters, hooked, perturbation_map


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
    arrives = perturbation_map(lambda x: spread.double() @ x, x)
    torch.testing.assert_close(arrives, 1.5 * spread.abs().double())  # the last number of a token moves most, by 1.5
    assert torch.equal(x, before)
    normed = perturbation_map(lambda x: torch.nn.functional.layer_norm(x, x.shape[-1:]), x)
    assert torch.equal(normed > 1e-9, torch.eye(4, dtype=torch.bool))  # an even step would be invisible here
    with pytest.raises(ValueError, match=r"\(m, d\) and outputs \(n, d_out\), got \(1, 4, 5\)"):
        perturbation_map(lambda x: x, x[None])
    with pytest.raises(ValueError, match=r"got \(4, 5\) and \(4,\)"):
        perturbation_map(lambda x: x.sum(-1), x)


def test_parameters_are_counted_once_and_all():
    class Both(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.own = torch.nn.Parameter(torch.zeros(3))
            self.one, self.two = torch.nn.Linear(2, 5), torch.nn.Linear(2, 5)
            self.two.weight = self.one.weight

    assert count_parameters(Both()) == {"own": 3, "one": 15, "two": 5}
