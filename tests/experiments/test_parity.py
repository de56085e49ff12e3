"""Parity asks for all rows, and its arms differ in the bend alone."""

import torch

from transformer_course.experiments.parity import ASK, ParityReader, all_rows, train_parity


def test_parity_asks_for_all_rows_once():
    rows, ones = all_rows()
    assert rows.shape == (64, 7)
    assert len({tuple(row) for row in rows.tolist()}) == 64
    assert (rows[:, -1] == ASK).all()
    assert torch.equal(ones, (rows == 1).sum(1))
    assert all_rows(bits=3)[0].shape == (8, 4)


def test_the_arms_of_parity_differ_in_the_bend_alone_and_layers_without_it_have_no_fewer_parameters():
    def reader(*args, **options):
        torch.manual_seed(0)
        return ParityReader(*args, **options)

    bent, straight, deep = reader(1, feed_forward=True), reader(1, feed_forward=True, bend=False), reader(4, layers=3)
    for left, right in zip(bent.parameters(), straight.parameters(), strict=True):
        assert torch.equal(left, right)
    x, y = torch.randn(2, 5, 32)
    for model, additive in ((bent, False), (straight, True)):
        f = model.feed_forward
        assert torch.allclose(f((x + y) / 2), (f(x) + f(y)) / 2, atol=1e-5) == additive
    counts = [sum(p.numel() for p in model.parameters()) for model in (deep, bent)]
    assert counts[0] - counts[1] == 96
    blind = reader(1, layers=0)(all_rows()[0])  # without attention, the token that is read knows of no bit
    assert torch.allclose(blind, blind[0])


def test_a_bend_learns_parity_and_the_same_parameters_without_it_do_not():
    bent, straight = (train_parity(1, feed_forward=True, bend=bend) for bend in (True, False))
    assert (bent.right, len(bent.losses), bent.odd.shape) == (1.0, 300, (7,))
    assert ((bent.odd > 0.5) == torch.tensor([0, 1, 0, 1, 0, 1, 0]).bool()).all()
    assert straight.right < 0.7
    assert min(straight.losses) > 0.68


def test_attention_alone_learns_three_bits():
    few = train_parity(num_heads=4, layers=3, bits=3)
    assert (few.right, few.odd.shape) == (1.0, (4,))
    assert few.losses[-1] < 0.05
