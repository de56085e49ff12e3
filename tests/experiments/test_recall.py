"""Recall: only the first token reveals the label, and the readers differ only as stated."""

import math

import pytest
import torch
from sizes import size

from transformer_course.experiments import recall
from transformer_course.experiments.recall import (
    FIRST_TOKENS,
    accuracies,
    gradient_by_token,
    new_reader,
    recall_accuracy,
    recall_sequences,
)


def test_nothing_but_the_first_token_tells_the_first_token():
    tokens, first = next(recall_sequences(length=7, size=500, seed=3))
    assert tokens.shape == (500, 7)
    assert torch.equal(tokens[:, 0], first)
    assert set(first.tolist()) == set(range(FIRST_TOKENS))
    assert set(tokens[:, 1:].flatten().tolist()) == set(range(FIRST_TOKENS, 2 * FIRST_TOKENS))
    again, other = next(recall_sequences(7, 500, seed=3)), next(recall_sequences(7, 500, seed=4))
    assert torch.equal(again[0], tokens)
    assert not torch.equal(other[0], tokens)


def test_the_forget_bias_opens_the_forget_gates_alone_and_adds_no_parameter():
    plain, patient = (new_reader("lstm", 20, forget_bias=bias, seed=5) for bias in (0.0, math.log(20)))
    assert size(plain) == size(patient)
    for (name, a), b in zip(plain.named_parameters(), patient.parameters(), strict=True):
        moved = b - a
        if name == "cell.bias_ih_l0":
            torch.testing.assert_close(moved[32:64], torch.full((32,), math.log(20)))
            moved = torch.cat([moved[:32], moved[64:]])
        assert not moved.any(), name
    # With all weights 0, the gates depend only on their bias and keep T/(T+1) per token; the second block is the forget gate.
    with torch.no_grad():
        for parameter in patient.cell.parameters():
            parameter.zero_()
        patient.cell.bias_ih_l0[32:64] = math.log(20)
        _, (_, memory) = patient.cell(torch.zeros(1, 1, 32), (torch.zeros(1, 1, 32), torch.ones(1, 1, 32)))
    torch.testing.assert_close(memory, torch.full((1, 1, 32), 20 / 21))


@pytest.mark.parametrize(("cell", "bias"), [("gru", 0.0), ("rnn", 1.0)])
def test_readers_that_do_not_exist_are_refused(cell, bias):
    with pytest.raises(ValueError, match=f'"rnn" .* or "lstm", got {cell!r}'):
        new_reader(cell, 5, forget_bias=bias)


def test_recall_of_a_short_text_is_learned_and_repeatable():
    assert recall_accuracy("attention", 5, seed=1) == recall_accuracy("attention", 5, seed=1) > 0.99


def test_accuracies_have_a_row_per_seed_and_a_column_per_length(monkeypatch):
    monkeypatch.setattr(recall, "recall_accuracy", lambda model, length, forget_bias, seed: (model, length, forget_bias, seed))
    assert accuracies("lstm", [5, 10, 20], [7, 8], forget_bias=math.log) == [
        [("lstm", length, math.log(length), seed) for length in (5, 10, 20)] for seed in (7, 8)
    ]


def test_the_gradient_of_each_token_is_that_of_the_right_logit():
    reader = new_reader("attention", 6, seed=0)
    tokens, first = next(recall_sequences(6, 200, seed=1002))
    norms = []
    for text, answer in zip(tokens[:, None], first, strict=True):
        x = reader.table(text).detach().requires_grad_()
        reader.answer(x)[0, answer].backward()
        norms.append(x.grad[0].norm(dim=-1))
    torch.testing.assert_close(gradient_by_token(reader, 6, seed=2), torch.stack(norms).median(0).values)
    falling = gradient_by_token(new_reader("rnn", 40, seed=0), 40)
    assert falling[0] < 1e-9 * falling[-1]
