"""LoRA: it begins as the model was, trains only the correction, and can be merged."""

import copy

import pytest
import torch
from torch import nn

from transformer_course.family import GPT
from transformer_course.lora import LoRALinear, add_lora, merge_lora
from transformer_course.transformer import TransformerConfig

IDS = torch.randint(1, 11, (2, 5), generator=torch.Generator().manual_seed(0))


def model() -> GPT:
    torch.manual_seed(1)
    return GPT(
        TransformerConfig(vocabulary_size=11, d_model=12, num_heads=3, num_layers=2, d_ff=20, max_length=7, dropout=0.0)
    )


def test_a_layer_computes_what_the_paper_says():
    torch.manual_seed(0)
    base = nn.Linear(5, 7)
    layer = LoRALinear(base, rank=3, alpha=6.0)
    nn.init.normal_(layer.lora_b)
    x = torch.randn(2, 4, 5)
    weight = base.weight + 6.0 / 3 * layer.lora_b @ layer.lora_a
    torch.testing.assert_close(layer(x), x @ weight.T + base.bias)
    torch.testing.assert_close(layer.merged()(x), layer(x))
    assert type(layer.merged()) is nn.Linear


def test_the_model_begins_as_it_was_and_only_the_correction_is_trained():
    whole, small = model(), model()
    before = copy.deepcopy(small.state_dict())
    trained = add_lora(small, rank=2, alpha=4.0)
    assert torch.equal(whole(IDS), small(IDS))
    layers = [each for each in whole.modules() if isinstance(each, nn.Linear)]
    assert sum(each.numel() for each in trained) == sum(2 * sum(each.weight.shape) for each in layers)
    optimizer = torch.optim.SGD(trained, 1.0)
    for _ in range(2):  # B is 0, so A has no gradient in the first step
        optimizer.zero_grad()
        small(IDS).square().mean().backward()
        optimizer.step()
    after = small.state_dict()
    assert all(torch.equal(after[name], weight) for name, weight in before.items())
    assert all((after[name] != 0).any() for name in after.keys() - before.keys())
    assert not torch.allclose(whole(IDS), small(IDS))


def test_merging_changes_nothing_but_the_parts():
    torch.manual_seed(2)
    changed, plain = model(), model()
    for each in add_lora(changed, rank=2, alpha=4.0):
        nn.init.normal_(each, std=0.3)
    expected = changed(IDS)
    merge_lora(changed)
    torch.testing.assert_close(changed(IDS), expected)
    assert changed.state_dict().keys() == plain.state_dict().keys()


def test_refuses_what_does_not_fit_and_changes_nothing():
    with pytest.raises(ValueError, match=r"from 1 to min\(d_in, d_out\) = 5 and alpha above 0, got 6 and 1.0"):
        LoRALinear(nn.Linear(5, 7), 6, 1.0)
    with pytest.raises(ValueError, match=r"alpha above 0, got 2 and 0"):
        LoRALinear(nn.Linear(5, 7), 2, 0)
    untouched = nn.Sequential(nn.Linear(9, 9), nn.Linear(9, 5))
    with pytest.raises(ValueError, match="= 5 and alpha above 0, got 8"):
        add_lora(untouched, 8, 1.0)  # fits into the first layer only
    assert all(each.requires_grad for each in untouched.parameters())
    assert not any(isinstance(each, LoRALinear) for each in untouched.modules())
    add_lora(untouched, 2, 1.0)
    with pytest.raises(ValueError, match="call merge_lora first"):
        add_lora(untouched, 2, 1.0)
    with pytest.raises(ValueError, match="got none"):
        add_lora(nn.LayerNorm(3), 1, 1.0)
