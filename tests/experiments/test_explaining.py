"""The experiments of lesson 20: hiding a token, exchanging weights, silencing heads. Each does what it says and no more."""

import importlib.util

import numpy as np
import pytest
import torch

from transformer_course import models
from transformer_course.attention import MultiHeadAttention
from transformer_course.data import character_names, number_pairs
from transformer_course.decoding import greedy
from transformer_course.embedding import pad_right
from transformer_course.experiments.alternative_weights import alternative_weights, head_rows, logits_with_weights
from transformer_course.experiments.removal import Row, agreement, earlier_rows, projected_values, source_rows
from transformer_course.experiments.spare_heads import exact_match_rate, heads_of, mean_outputs, silenced
from transformer_course.inspection import attention_maps
from transformer_course.training import continuation_loss, translation_loss


@pytest.fixture(scope="module")
def numbers():
    """The translator, and twelve unseen pairs as ids."""
    model, vocabularies = models.load("translator")
    english, chinese = vocabularies["source"], vocabularies["target"]
    pairs = [pair for pair in number_pairs(train=1, test=20).test if len(pair[0]) > 2][:12]
    return model, [(english.encode(words), [*chinese.encode(numerals), chinese.end]) for words, numerals in pairs]


@pytest.fixture(scope="module")
def names():
    model, vocabularies = models.load("gpt-pre")
    text = vocabularies["text"]
    return model, [torch.tensor([*text.encode(name), text.end]) for name, _ in character_names().test[:3]]


def test_a_hidden_source_word_is_as_good_as_cut_off_where_it_is_the_last(numbers):
    model, ((source, target), *_) = numbers
    rows = source_rows(model, source, target)
    whole, cut = (translation_loss(model, torch.tensor([words]), torch.tensor([target])) for words in (source, source[:-1]))
    assert len(rows) == len(target)
    assert sum(row.drops[-1] for row in rows) / len(rows) == pytest.approx((cut - whole).item(), abs=1e-4)
    assert all(row.weights.shape == row.contributions.shape == (2, len(source)) for row in rows)
    torch.testing.assert_close(rows[0].weights.sum(-1), torch.ones(2))


def test_a_hidden_letter_is_not_seen_and_its_own_place_goes_on(names):
    model, (text, *_) = names
    rows, n = earlier_rows(model, text), len(text)
    assert [len(row.drops) for row in rows] == list(range(5, n))
    with torch.no_grad(), attention_maps(model) as maps:
        loss = continuation_loss(model, text[None])
    torch.testing.assert_close(rows[-1].weights[3], maps["stack.layers.3.self_attention"][0, :, -1, :-1].mean(0))
    # by hand: letter 2 hidden from all places but its own
    inputs = torch.cat([torch.tensor([1]), text[:-1]])[None]
    mask = torch.ones(n, n, dtype=torch.bool).tril()
    mask[:, 2] = False
    mask[2, 2] = True
    with torch.no_grad():
        hidden, plain = (
            model.output(model.stack(model.input(inputs), may)).log_softmax(-1)[0]
            for may in (mask, torch.ones_like(mask).tril())
        )
    assert -plain.gather(-1, text[:, None]).mean() == pytest.approx(loss.item(), abs=1e-5)
    drop = (plain - hidden).gather(-1, text[:, None])[:, 0]
    torch.testing.assert_close(torch.stack([row.drops[2] for row in rows]), drop[5:], atol=1e-4, rtol=1e-3)


def test_what_the_heads_bring_sums_to_what_attention_gives_but_its_biases():
    torch.manual_seed(0)
    attention, x = MultiHeadAttention(12, 3).double(), torch.randn(2, 5, 12, dtype=torch.float64)
    output, weights = attention(x, x, x, return_weights=True)
    torch.testing.assert_close((weights @ projected_values(attention, x)).sum(1) + attention.w_o.bias, output)


def test_agreement_is_whole_where_weights_are_the_drops_and_chance_where_they_are_shuffled():
    generator = torch.Generator().manual_seed(0)
    rows = [
        Row(drops[None].expand(2, -1), -drops[None].expand(2, -1), drops) for drops in torch.rand(400, 8, generator=generator)
    ]
    same, opposite, shuffled = agreement(rows), agreement(rows, "contributions"), agreement(rows, seed=1)
    assert same.top.tolist() == [1, 1]
    torch.testing.assert_close(same.correlation, torch.ones(2))
    torch.testing.assert_close(opposite.correlation, -torch.ones(2))
    assert shuffled.top == pytest.approx([1 / 8, 1 / 8], abs=0.06)
    assert shuffled.correlation.abs().max() < 0.1


@pytest.mark.parametrize("seed", range(5))
def test_a_twin_is_a_row_of_weights_with_the_same_output_and_exists_for_many_tokens_only(seed):
    rng = np.random.default_rng(seed)
    for m, d in ((9, 2), (7, 5), (6, 5), (4, 8)):
        values, weights = rng.standard_normal((m, d)), rng.dirichlet(np.ones(m))
        other = alternative_weights(weights, values)
        assert other.min() >= 0
        assert other.sum() == pytest.approx(1)
        np.testing.assert_allclose(other @ values, weights @ values, atol=1e-12)
        assert (other[weights.argmax()] < weights.max() - 1e-6) == (m > d + 1)


@pytest.mark.skipif(importlib.util.find_spec("scipy") is None, reason="the bound comes from a linear program")
def test_the_walk_comes_near_the_least_that_the_largest_weight_can_have():
    from scipy.optimize import linprog

    kept = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        values, weights = rng.standard_normal((12, 3)), rng.dirichlet(np.ones(12))
        wish, fixed = np.eye(12)[weights.argmax()], np.vstack([values.T, np.ones(12)])
        least = linprog(wish, A_eq=fixed, b_eq=fixed @ weights, bounds=(0, None)).fun
        found = alternative_weights(weights, values)[weights.argmax()]
        assert found >= least - 1e-9
        kept.append(found - least)
    assert np.mean(kept) < 0.05


def test_exchanged_weights_are_used_and_the_same_ones_change_nothing(names):
    model, (text, *_) = names
    model = models.load("gpt-pre")[0].double()
    plain = model(text[None])[0, -1].detach()
    torch.testing.assert_close(logits_with_weights(model, text, lambda weights, values: weights), plain)
    assert (logits_with_weights(model, text, lambda weights, values: weights[::-1]) - plain).abs().max() > 0.1
    rows = head_rows(model, text)
    assert (len(rows), len(rows[0])) == (6, 4)
    with torch.no_grad(), attention_maps(model) as maps:
        model(text[None])
    np.testing.assert_allclose(rows[2][1][0], maps["stack.layers.2.self_attention"][0, 1, -1])
    torch.testing.assert_close(model(text[None])[0, -1], plain)  # and afterwards all is as it was


def test_silenced_heads_bring_nothing_and_come_back(numbers):
    model, pairs = numbers
    source, target = (pad_right(side) for side in zip(*pairs, strict=True))
    plain = model(source, target)
    name = "decoder.layers.0.cross_attention"
    attention = model.get_submodule(name)
    with silenced(model, [(name, 1)]):
        without = model(source, target)
    kept = attention.w_o.weight.data.clone()
    attention.w_o.weight.data[:, 32:64] = 0  # the same, done to the weights
    torch.testing.assert_close(without, model(source, target))
    attention.w_o.weight.data = kept
    torch.testing.assert_close(model(source, target), plain)
    means = mean_outputs(model, source, target)
    assert set(means) == set(heads_of(model))
    with silenced(model, heads_of(model), means):
        assert not torch.allclose(model(source, target), without)


def test_exact_counts_what_greedy_writes(numbers):
    model, pairs = numbers
    with silenced(model, [("decoder.layers.1.cross_attention", k) for k in (0, 1, 2)]):
        written = greedy(model, pad_right([s for s, _ in pairs]), limit=max(len(t) for _, t in pairs))
        share = exact_match_rate(model, *(pad_right(side) for side in zip(*pairs, strict=True)))
    assert 0 < share < 1
    assert share == pytest.approx(np.mean([ours == t for ours, (_, t) in zip(written, pairs, strict=True)]))
