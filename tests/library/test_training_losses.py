"""The losses of the course's models, and exact match."""

import math

import pytest
import torch
import twins
from hypothesis import given
from hypothesis import strategies as st
from torch import nn
from training_data import CONFIG, SIZES

from transformer_course.decoding import greedy
from transformer_course.embedding import Vocabulary, pad_right
from transformer_course.family import BERT, IGNORE_INDEX, SequenceClassifier
from transformer_course.training import (
    classification_loss,
    continuation_loss,
    exact_match,
    masked_loss,
    sequence_loss,
    shift,
    translation_loss,
)
from transformer_course.transformer import Transformer, TransformerConfig


def test_shift_puts_each_label_after_its_input():
    inputs, labels = shift(torch.tensor([[5, 6, 2], [7, 2, 0]]))
    assert inputs.tolist() == [[1, 5, 6], [1, 7, 2]]
    assert labels.tolist() == [[5, 6, 2], [7, 2, 0]]


@given(st.floats(0, 0.9), st.integers(0, 20))
def test_the_loss_is_the_mean_over_real_tokens_as_a_loop_has_it(smoothing, seed):
    logits, labels = twins.random(2, 3, 5, seed=seed), torch.tensor([[4, 1, 2], [3, 0, 0]])
    total = 0.0
    for row, position in [(0, 0), (0, 1), (0, 2), (1, 0)]:
        scores = logits[row, position].tolist()
        log_sum = math.log(sum(math.exp(score) for score in scores))
        aims = [smoothing / 5 + (1 - smoothing) * (token == labels[row, position]) for token in range(5)]
        total -= sum(aim * (score - log_sum) for aim, score in zip(aims, scores, strict=True))
    assert sequence_loss(logits, labels, 0, smoothing).item() == pytest.approx(total / 4)


def test_labels_that_do_not_fit_are_told():
    logits = twins.random(2, 3, 5)
    for labels, told in [
        (torch.ones(3, 2, dtype=torch.int64), r"got \(2, 3, 5\), \(3, 2\) and 0.0"),
        (torch.zeros(2, 3, dtype=torch.int64), "ids 0 … 4, and at least one is needed, got nothing but 0"),
        (torch.full((2, 3), 5), "ids 0 … 4, and at least one is needed, got 5 … 5"),
        (torch.full((2, 3), -100), "labels other than pad = 0 must be ids 0 … 4, .* got -100 … -100; check pad"),
    ]:
        with pytest.raises(ValueError, match=told):
            sequence_loss(logits, labels)
    with pytest.raises(ValueError, match=r"and 1\.5"):
        sequence_loss(logits, torch.ones(2, 3, dtype=torch.int64), smoothing=1.5)
    with pytest.raises(ValueError, match=r"targets must have shape \(b, n\).* got \(3,\)"):
        shift(torch.tensor([5, 6, 2]))
    labels = torch.tensor([[IGNORE_INDEX, 3, IGNORE_INDEX], [IGNORE_INDEX] * 3])
    torch.testing.assert_close(sequence_loss(logits, labels, IGNORE_INDEX), -logits[0, 1].log_softmax(-1)[3])


def test_an_oracle_of_the_next_token_has_no_loss_and_one_of_the_same_token_has():
    class Oracle(nn.Module):
        def forward(self, tokens):
            return 100.0 * nn.functional.one_hot(tokens + 1, 10)  # counts up

    text = torch.tensor([[2, 3, 4, 5]])  # after <begin> = 1
    assert continuation_loss(Oracle(), text).item() == pytest.approx(0)
    assert continuation_loss(Oracle(), text.flip(1)).item() > 10


def test_translation_loss_teaches_with_the_target_shifted():
    model = twins.scatter_parameters(Transformer(CONFIG))
    source, target = torch.tensor([[5, 6]]), torch.tensor([[7, 8, 2]])
    expected = nn.functional.cross_entropy(model(source, torch.tensor([[1, 7, 8]]))[0], target[0])
    torch.testing.assert_close(translation_loss(model, source, target), expected)
    assert translation_loss(model, source, target, smoothing=0.3) != expected


def test_masked_and_classification_losses_ask_what_their_models_answer():
    bert = twins.scatter_parameters(BERT(TransformerConfig(**SIZES)))
    inputs, labels = torch.tensor([[1, 4, 6], [1, 7, 0]]), torch.tensor([[IGNORE_INDEX, 5, IGNORE_INDEX], [IGNORE_INDEX] * 3])
    torch.testing.assert_close(masked_loss(bert, inputs, labels), -bert(inputs)[0, 1].log_softmax(-1)[5])
    classifier, kinds = SequenceClassifier(bert, 3).double(), torch.tensor([2, 0])
    expected = -classifier(inputs).log_softmax(-1)[range(2), kinds].mean()
    torch.testing.assert_close(classification_loss(classifier, inputs, kinds), expected)


def test_exact_match_counts_whole_sequences():
    torch.manual_seed(0)
    model = Transformer(CONFIG)
    sources = [[5, 6], [7], [8, 4, 4]] * 300
    model.output.weight.data[Vocabulary.end] += 0.2  # so that all of them end
    targets = greedy(model, pad_right(sources), 9)
    assert exact_match(model, sources, targets) == 1
    targets[0] = [4, *targets[0]]
    targets[1] = [*targets[1][:-1], 4, Vocabulary.end]
    assert exact_match(model, sources, targets) == 898 / 900
    with pytest.raises(ValueError, match=r"targets must end with <end>, id 2, .* got one without"):
        exact_match(model, [[5]], [[6]])
    with pytest.raises(ValueError, match="got 900 sources and 899 targets"):
        exact_match(model, sources, targets[1:])
