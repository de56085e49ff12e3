"""Copiers differ only in their positions, and the labels of each task are the tokens that its name says."""

import pytest
import torch
from sizes import size

from transformer_course.experiments import lengths


def test_short_texts_have_every_length_and_stay_within_their_rows():
    for rows, most in ((20, 0), (40, 34)):
        drawn = [batch for batch, _ in zip(lengths.short_sequences(4, seed=1, rows=rows), range(3000), strict=False)]
        assert {tokens.shape[1] for tokens, _ in drawn} == set(range(6, 21))
        assert {start for _, start in drawn} == set(range(most + 1))
        assert max(start + tokens.shape[1] for tokens, start in drawn) == rows
    assert torch.equal(drawn[0][0], next(lengths.short_sequences(4, seed=1, rows=40))[0])


def test_each_task_asks_for_the_token_that_it_names():
    tokens = torch.tensor([[5, 3, 7, 1]])
    assert lengths.TASKS["previous"](tokens).tolist() == [[5, 3, 7]]
    assert lengths.TASKS["first"](tokens).tolist() == [[5, 5, 5]]


def test_copiers_differ_in_their_positions_alone_and_none_sees_the_future():
    tokens, parameters = lengths.long_sequences()[:3], {}
    for positions in ("none", "learned", "sinusoidal", "rotary", "alibi"):
        torch.manual_seed(0)
        copier = lengths.Copier(positions)
        parameters[positions] = size(copier)
        torch.testing.assert_close(copier(tokens)[:, :20], copier(tokens[:, :21]))  # position 20 ends a sequence of 21 tokens
    assert parameters["none"] == parameters["sinusoidal"] == parameters["rotary"] == parameters["alibi"]
    assert parameters["none"] == parameters["learned"] - 80 * 32
    changed = tokens.clone()
    changed[:, 30] = (changed[:, 30] + 1) % 16
    differs = (copier(tokens, window=20) != copier(changed, window=20)).any(-1).any(0)  # at positions 1 to 79
    assert differs.nonzero().flatten().add(1).tolist() == list(range(30, 50))
    with pytest.raises(ValueError, match="must be one of sinusoidal, learned, rotary, alibi, none, got 'waves'"):
        lengths.Copier("waves")


def test_training_leaves_the_rows_that_no_text_uses_as_they_were_drawn():
    torch.manual_seed(3)
    drawn = lengths.Copier("learned").positions.table.detach().clone()
    short, wide = (lengths.train_copier("learned", rows=rows, seed=3, steps=60).positions.table for rows in (20, 40))
    assert torch.equal(short[20:], drawn[20:])
    assert not torch.isclose(short[:20], drawn[:20]).all(1).any()
    assert torch.equal(wide[40:], drawn[40:])
    assert not torch.isclose(wide[:35], drawn[:35]).all(1).any()


def test_a_copier_made_by_hand_is_right_everywhere_and_its_weight_lies_on_the_token_before():
    copier = lengths.Copier("learned", d_model=96)
    with torch.no_grad():
        for parameter in copier.parameters():
            parameter.zero_()
        copier.embedding.table[:, :16] = torch.eye(16) / 96**0.5
        copier.positions.table[:, 16:] = torch.eye(80)
        copier.attention.w_k.weight[16:] = torch.eye(96)[16:]
        copier.attention.w_q.weight[16:-1, 17:] = 1000 * torch.eye(79)  # position p looks for row p - 1
        copier.attention.w_v.weight[:16] = copier.attention.w_o.weight[:16] = torch.eye(96)[:16]
        copier.output.weight[:, :16] = 0.5 * torch.eye(16)
        copier.attention.w_o.weight.mul_(3)  # to outweigh the token itself
    assert torch.equal(lengths.accuracy(copier), torch.ones(79))
    assert lengths.accuracy(copier, "first")[0] == 1  # the token before position 1 is the first
    assert lengths.accuracy(copier, "first")[1:].max() < 0.12
    for position in (1, 19, 79):
        weights = lengths.weights_by_distance(copier, position)
        assert len(weights) == position + 1
        torch.testing.assert_close(weights[1], torch.tensor(1.0))
