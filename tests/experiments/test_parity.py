"""The parity task has all rows, and its conditions differ only in the nonlinearity."""

import torch

from transformer_course.experiments.parity import QUERY, ParityReader, all_rows, train_parity


def test_parity_asks_for_all_rows_once():
    rows, ones = all_rows()
    assert rows.shape == (64, 7)
    assert len({tuple(row) for row in rows.tolist()}) == 64
    assert (rows[:, -1] == QUERY).all()
    assert torch.equal(ones, (rows == 1).sum(1))
    assert all_rows(bits=3)[0].shape == (8, 4)


def test_the_arms_of_parity_differ_in_the_bend_alone_and_layers_without_it_have_no_fewer_parameters():
    def reader(*args, **options):
        torch.manual_seed(0)
        return ParityReader(*args, **options)

    with_relu, linear, deep = reader(1, feed_forward=True), reader(1, feed_forward=True, nonlinear=False), reader(4, layers=3)
    for left, right in zip(with_relu.parameters(), linear.parameters(), strict=True):
        assert torch.equal(left, right)
    x, y = torch.randn(2, 5, 32)
    for model, additive in ((with_relu, False), (linear, True)):
        f = model.feed_forward
        assert torch.allclose(f((x + y) / 2), (f(x) + f(y)) / 2, atol=1e-5) == additive
    counts = [sum(p.numel() for p in model.parameters()) for model in (deep, with_relu)]
    assert counts[0] - counts[1] == 96
    without_attention = reader(1, layers=0)(all_rows()[0])  # then the query token sees no bit
    assert torch.allclose(without_attention, without_attention[0])


def test_a_bend_learns_parity_and_the_same_parameters_without_it_do_not():
    with_relu, linear = (train_parity(1, feed_forward=True, nonlinear=nonlinear) for nonlinear in (True, False))
    assert (with_relu.accuracy, len(with_relu.losses), with_relu.p_odd.shape) == (1.0, 300, (7,))
    assert ((with_relu.p_odd > 0.5) == torch.tensor([0, 1, 0, 1, 0, 1, 0]).bool()).all()
    assert linear.accuracy < 0.7
    assert min(linear.losses) > 0.68


def test_attention_alone_learns_three_bits():
    few = train_parity(num_heads=4, layers=3, bits=3)
    assert (few.accuracy, few.p_odd.shape) == (1.0, (4,))
    assert few.losses[-1] < 0.05
