"""Lesson 25's measurements: what is measured is what the name says, and the claims on the shipped model."""

import numpy as np
import pytest
import torch
from torch import nn

from transformer_course import models
from transformer_course.experiments import drafting, fewer_bits
from transformer_course.quantization import quantize, quantized_copy


def two_layers() -> nn.Module:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(8, 16), nn.Linear(16, 4))


def test_the_fraction_of_zeros_is_counted_over_all_matrices():
    model = two_layers()
    codes = [quantize(layer.weight, 2).codes for layer in model]
    expected = sum(int((each == 0).sum()) for each in codes) / sum(each.numel() for each in codes)
    assert fewer_bits.zeros(model, 2) == pytest.approx(expected)
    assert fewer_bits.zeros(model, 2, 4) < expected < 1


def test_noise_is_as_large_as_rounding_and_leaves_vectors_and_the_model_alone(monkeypatch):
    model, seen = two_layers(), []
    before = [parameter.clone() for parameter in model.parameters()]
    monkeypatch.setattr(fewer_bits, "bits_per_character", lambda noisy, parts: seen.append(noisy) or np.zeros(1))
    fewer_bits.with_noise(model, [], 3, seed=0)
    for old, kept, new in zip(before, model.parameters(), seen[0].parameters(), strict=True):
        torch.testing.assert_close(kept, old, rtol=0, atol=0)
        moved = (new - old).abs()
        half = quantize(old, 3).scales.float() / 2 if old.ndim > 1 else torch.zeros(1)
        assert (moved <= half + 1e-6).all()
        assert moved.amax() > 0.8 * half.amax() or old.ndim == 1


@pytest.mark.slow
def test_the_held_out_parts_are_texts_that_the_model_was_not_trained_on():
    vocabulary = models.load("prose")[1]["text"]
    parts = fewer_bits.held_out(vocabulary)
    assert [characters for _, characters in parts] == [fewer_bits.CHARACTERS] * fewer_bits.PARTS
    assert len({tuple(ids) for ids, _ in parts}) == fewer_bits.PARTS
    assert all(max(ids) < len(vocabulary) for ids, _ in parts)


@pytest.mark.slow
def test_four_bits_cost_little_and_two_bits_cost_much_as_much_as_noise_of_that_size():
    model, vocabularies = models.load("prose")
    parts = fewer_bits.held_out(vocabularies["text"])
    with torch.no_grad():
        whole = fewer_bits.bits_per_character(model, parts)
        rows, sizes = fewer_bits.with_fewer_bits(model, parts)
        groups, _ = fewer_bits.with_fewer_bits(model, parts, fewer_bits.GROUP)
        noise = [fewer_bits.with_noise(model, parts, 4, seed) - whole.mean() for seed in range(3)]
        lost = fewer_bits.one_kind_in_two_bits(model, parts)
    cost, four, two = rows - whole[:, None], fewer_bits.BITS.index(4), fewer_bits.BITS.index(2)
    assert (np.abs(cost[:, 0]) < 0.002).all()
    assert ((cost[:, four] > 0.01) & (cost[:, four] < 0.03)).all()
    assert (cost[:, two] > 1).all()
    assert (groups[:, four:] < rows[:, four:]).all()
    assert sizes == sorted(sizes, reverse=True)
    assert all(0.7 < each / cost[:, four].mean() < 1.4 for each in noise)
    assert lost["output"] > lost["embedding"] > lost["attention"] > lost["feed-forward"] > 0.05


def test_only_one_kind_is_quantized(monkeypatch):
    model = models.load("prose")[0]
    seen = []
    monkeypatch.setattr(fewer_bits, "bits_per_character", lambda found, parts: seen.append(found) or np.zeros(1))
    fewer_bits.one_kind_in_two_bits(model, [])
    whole = dict(quantized_copy(model, 2, fewer_bits.GROUP)[0].named_parameters())
    own, changed = dict(model.named_parameters()), []
    for copy in seen[1:]:
        names = {name for name, parameter in copy.named_parameters() if not torch.equal(parameter, own[name])}
        assert all(torch.equal(dict(copy.named_parameters())[name], whole[name]) for name in names)
        changed.append(names)
    assert not set.intersection(*changed)
    matrices = {name for name, parameter in own.items() if parameter.ndim > 1}
    assert set.union(*changed) == matrices - {"input.positions.table"}


def test_expected_tokens_are_the_mean_over_where_the_draft_is_rejected():
    a, ahead = 0.6, 3
    by_hand = (1 - a) * 1 + a * (1 - a) * 2 + a**2 * (1 - a) * 3 + a**3 * 4
    assert drafting.expected_tokens(a, ahead) == pytest.approx(by_hand)


@pytest.mark.slow
def test_a_table_of_counts_is_kept_about_half_of_the_time_and_longer_drafts_gain_little():
    writers = drafting.writers()
    rates = [drafting.rate_of_acceptance(writers, seed) for seed in range(3)]
    tokens = {ahead: [drafting.tokens_per_pass(writers, ahead, seed) for seed in range(3)] for ahead in (1, 4)}
    assert all(0.4 < rate < 0.6 for rate in rates)
    assert all(1.35 < each < 1.6 for each in tokens[1])
    assert all(1.6 < each < 2.2 for each in tokens[4])
    (distribution,) = writers.model()(writers.prompts[0], 1)
    assert len(writers.draft(writers.prompts[0])) == len(distribution) == len(writers.tokenizer)
