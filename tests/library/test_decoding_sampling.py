"""Sampling: the model's probabilities, temperature, top-k and top-p."""

import pytest
import torch
import twins
from decoding_models import BEGIN, PROMPTS, gpt, translator
from hypothesis import given
from hypothesis import strategies as st

from transformer_course.decoding import greedy, next_token_distribution, sample
from transformer_course.embedding import pad_right


def test_samples_have_the_model_s_probabilities():
    model = gpt(2)
    model.eval()
    prompt = torch.tensor([[BEGIN, 5]])
    expected = model(prompt)[0, -1].index_fill(0, torch.tensor(0), -torch.inf).softmax(-1)
    generator = torch.Generator().manual_seed(0)
    drawn = [text[0] for text in sample(model, prompt.expand(5000, 2), 1, generator=generator)]
    shares = torch.bincount(torch.tensor(drawn), minlength=7) / 5000
    torch.testing.assert_close(shares.double(), expected.detach(), rtol=0, atol=0.03)


def test_the_same_generator_writes_the_same_text_and_another_another():
    model, prompts = translator(), pad_right(PROMPTS * 3)

    def text(seed: int) -> list[list[int]]:
        return sample(model, prompts, 8, generator=torch.Generator().manual_seed(seed))

    assert text(1) == text(1) != text(2)


@pytest.mark.parametrize("make", [translator, gpt])
def test_one_candidate_or_a_low_temperature_is_greedy(make):
    model, prompts, generator = make(), pad_right(PROMPTS), torch.Generator().manual_seed(0)
    assert sample(model, prompts, 6, top_k=1, generator=generator) == greedy(model, prompts, 6)
    assert sample(model, prompts, 6, top_p=1e-9, generator=generator) == greedy(model, prompts, 6)
    assert sample(model, prompts, 6, temperature=1e-4, generator=generator) == greedy(model, prompts, 6)


@given(st.integers(1, 9), st.integers(0, 99), st.sampled_from([0.3, 1.0, 4.0]))
def test_top_k_keeps_the_k_most_probable_in_proportion(k, seed, temperature):
    logits = twins.random(2, 6, seed=seed) * 3
    plain, kept = (logits / temperature).softmax(-1), next_token_distribution(logits, temperature, top_k=k)
    for p, q in zip(plain, kept, strict=True):
        best = p.argsort(descending=True)[:k]
        torch.testing.assert_close(q[best], p[best] / p[best].sum())
        assert q.sum().item() == pytest.approx(1)


@given(st.floats(0.01, 1.0), st.integers(0, 99))
def test_top_p_keeps_the_fewest_that_reach_p(p, seed):
    logits = twins.random(6, seed=seed) * 3
    plain, kept = logits.softmax(-1), next_token_distribution(logits, top_p=p)
    ranked = sorted(plain.tolist(), reverse=True)
    needed = next((n for n in range(1, 7) if sum(ranked[:n]) >= p - 1e-12), 6)
    assert (kept > 0).sum() == needed
    torch.testing.assert_close(kept[kept > 0], plain[kept > 0] / plain[kept > 0].sum())


def test_top_p_is_taken_of_what_top_k_left():
    logits = torch.tensor([0.4, 0.3, 0.2, 0.1]).log()
    assert (next_token_distribution(logits, top_k=2, top_p=0.5) > 0).tolist() == [True, False, False, False]  # 0.4/0.7 > 0.5


def test_small_probabilities_in_16_bits_are_not_lost():
    logits = (twins.random(300) * 3).bfloat16()
    assert (next_token_distribution(logits, top_p=1.0) > 0).all()
    assert next_token_distribution(torch.tensor([700.0, 0.0]).half(), temperature=0.01).tolist() == [1, 0]


def test_ties_do_not_widen_top_k():
    assert (next_token_distribution(torch.zeros(5), top_k=2) > 0).sum() == 2
