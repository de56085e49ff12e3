"""Beam search, compared with looking at every sequence."""

import itertools

import pytest
from decoding_models import END, PROMPTS, gpt, log_probabilities, translator
from hypothesis import given, settings
from hypothesis import strategies as st

from transformer_course.decoding import beam_search, greedy
from transformer_course.embedding import pad_right


def best_by_hand(model, prompt: list[int], limit: int, alpha: float) -> list[int]:
    """Look at every text there is: all that end within the limit, and all that are cut off by it."""
    tokens = [t for t in range(1, model.config.vocabulary_size) if t != END]
    found = []
    for length in range(1, limit + 1):
        texts = [[*text, END] for text in itertools.product(tokens, repeat=length - 1)]
        if length == limit:
            texts += [list(text) for text in itertools.product(tokens, repeat=limit)]
        scores = log_probabilities(model, prompt, texts).sum(-1) / ((5 + length) / 6) ** alpha
        found.append((scores.max().item(), texts[scores.argmax()]))
    return max(found)[1]


@settings(deadline=None, max_examples=20)
@given(st.sampled_from([translator, gpt]), st.integers(1, 50), st.sampled_from([0.0, 0.6, 2.0]))
def test_a_beam_as_wide_as_all_prefixes_finds_the_best_of_all_texts(make, seed, alpha):
    model, limit = make(seed), 3
    best = [best_by_hand(model, prompt, limit, alpha) for prompt in PROMPTS]
    assert beam_search(model, pad_right(PROMPTS), limit, width=7**limit, length_penalty=alpha) == best


@settings(deadline=None, max_examples=20)
@given(st.sampled_from([translator, gpt]), st.integers(1, 50))
def test_a_beam_of_one_without_penalty_is_greedy(make, seed):
    model, prompts = make(seed), pad_right(PROMPTS)
    for limit in (1, 6):
        assert beam_search(model, prompts, limit, width=1, length_penalty=0.0) == greedy(model, prompts, limit)


@pytest.mark.parametrize("make", [translator, gpt])
def test_a_wider_beam_beats_greedy_where_greedy_is_led_astray(make):
    def beats(seed: int, prompt: list[int]) -> bool:
        model = make(seed)
        one, wide = greedy(model, pad_right([prompt]), 6)[0], beam_search(model, pad_right([prompt]), 6, width=5)[0]
        scores = [log_probabilities(model, prompt, [text]).sum() / ((5 + len(text)) / 6) ** 0.6 for text in (one, wide)]
        return scores[1] > scores[0] + 1e-9

    found = (1 for seed in range(1, 30) for prompt in PROMPTS if beats(seed, prompt))
    assert sum(itertools.islice(found, 6)) == 6  # whoever has found six need not look on
