"""Stage B13: what was recorded of it, a model in eight bits that opens again, and a draft that changes no distribution."""

import pytest
import torch

from transformer_course import build_parts
from transformer_course.experiments import own_assistant, own_experts
from transformer_course.experiments.records import recorded


def test_the_record_is_of_these_settings_and_says_what_the_stage_says():
    assert recorded("own_experts")["settings"] == own_experts.settings()
    small, large, balanced = (own_experts.found(version) for version in ("dense", "dense, total size", "experts, balanced"))
    gains = [dense - mixed for dense, mixed in zip(small, balanced, strict=True)]
    assert (round(min(gains), 2), round(max(gains), 2)) == (0.03, 0.11)
    assert all(dense < mixed for dense, mixed in zip(large, balanced, strict=True))


@pytest.mark.slow
def test_a_model_in_eight_bits_opens_again_and_takes_less_room(folder):
    own = own_assistant.start("my-model", build_parts.GPT, build_parts.Tokenizer)
    small = own_experts.in_int8(own.model, build_parts.Int8Linear)
    own_experts.keep(own, small)
    again = own_experts.opened(build_parts.GPT, build_parts.Int8Linear, build_parts.Tokenizer)
    ids = torch.tensor([own.tokenizer.encode("The module")])
    assert torch.equal(again(ids), small(ids))
    assert own_experts.file_size(small) < 0.4 * own_experts.file_size(own.model)
    bits = own_experts.bits(own, small)
    assert bits == pytest.approx(own_experts.bits(own, own.model), abs=0.001)
    assert 1.2 < bits < 2  # of `prose`: in nats it would be 1.05
    read = own_experts.distributions(own.model, own.size.length)
    _, drawn, passes = own_experts.written(own, lambda ids: read(ids)[-1], build_parts.speculative, "The module", 0)
    assert drawn == 5 * passes  # the model as its own draft: all is kept


def test_written_ahead_has_the_distribution_of_the_model():
    p = torch.tensor([[0.5, 0.3, 0.15, 0.05], [0.25] * 4])
    q = torch.tensor([[0.2, 0.3, 0.3, 0.2]])
    seen = own_experts.first_tokens(build_parts.speculative, p, q)
    assert seen == pytest.approx(p[0].tolist(), abs=0.1)  # 500 rounds: four standard deviations


@pytest.mark.slow
def test_experts_train_with_their_balancing_loss_and_are_compared_with_models_of_their_active_and_of_their_total_size():
    mixed = own_experts.llama_with_experts(build_parts.Llama, build_parts.Experts)
    active, total = own_experts.active_parameters(mixed), sum(weight.numel() for weight in mixed.parameters())
    for size, name in ((active, "dense"), (total, "dense, total size")):
        dense = own_experts.dense_llama(build_parts.Llama, own_experts.VERSIONS[name])
        assert size == pytest.approx(own_experts.active_parameters(dense), rel=0.015)
    losses = []
    for balance in (0.0, 1.0):
        model = own_experts.llama_with_experts(build_parts.Llama, build_parts.Experts)
        own_experts.train_experts(model, balance, after_step=lambda step, loss: losses.append(loss))
    without, balanced = losses[0], losses[len(losses) // 2]
    assert 2 < balanced - without < 4  # of each of two layers, 1 or a little more
    assert all(sum(layer) == pytest.approx(1) and layer == sorted(layer, reverse=True) for layer in own_experts.shares(model))
