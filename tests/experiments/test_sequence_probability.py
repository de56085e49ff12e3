"""A search is evaluated by the probabilities that the model assigns."""

from functools import partial

import pytest
import torch

from transformer_course import models
from transformer_course.data import number_pairs
from transformer_course.decoding import beam_search, greedy
from transformer_course.experiments.sequence_probability import evaluate_search


def test_a_search_is_judged_by_the_models_own_probabilities():
    model, vocabularies = models.load("translator-early")
    pairs, target = number_pairs(train=1, test=12).test, vocabularies["target"]
    wrong, own, of_right = evaluate_search(model, vocabularies, pairs, partial(greedy, limit=24))
    assert 0 < wrong.sum() < 12
    assert own[~wrong].tolist() == pytest.approx(of_right[~wrong].tolist(), abs=1e-4)
    words, numerals = pairs[int(wrong.nonzero()[0])]
    text, total = [target.begin], 0.0
    for token in [*target.encode(numerals), target.end]:  # one at a time, without padding
        logits = model(torch.tensor([vocabularies["source"].encode(words)]), torch.tensor([text]))[0, -1]
        total += logits.log_softmax(-1)[token].item()
        text.append(token)
    assert of_right[wrong][0].item() == pytest.approx(total, abs=1e-3)


@pytest.mark.slow
def test_wide_beams_do_not_harm_the_early_translator():
    model, vocabularies = models.load("translator-early")
    pairs = number_pairs(train=1, test=200).test

    def right(search):
        return int((~evaluate_search(model, vocabularies, pairs, search)[0]).sum())

    assert right(partial(greedy, limit=24)) == pytest.approx(128, abs=3)
    for width, penalty in ((2, 0.0), (4, 0.6), (16, 0.0)):
        found = right(partial(beam_search, limit=24, width=width, length_penalty=penalty))
        assert found == pytest.approx(130, abs=3)
