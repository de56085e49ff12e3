"""Each inner token reports its two neighbours, and a report has an accuracy for each side and for the pair."""

import pytest
import torch
from sizes import size
from torch.nn import functional as F

from transformer_course.experiments.neighbours import Reporter, evaluate, neighbour_sequences, neighbours_of, train_reporter


def test_each_inner_token_reports_its_two_neighbours():
    tokens = torch.tensor([[4, 7, 1, 9]])
    assert neighbours_of(tokens).tolist() == [[[4, 1], [7, 9]]]
    (texts,) = next(neighbour_sequences(300, seed=0))
    assert texts.shape == (300, 12)
    assert set(texts.flatten().tolist()) == set(range(16))


def test_heads_share_the_width_and_cost_nothing():
    assert size(Reporter(1)) == size(Reporter(2)) == size(Reporter(4)) < size(Reporter(1, layers=2))


def test_a_report_scores_both_sides_and_the_pair():
    class Swapped(Reporter):
        """Predicts both neighbours, each on the wrong side."""

        def forward(self, tokens):
            super().forward(tokens)
            return F.one_hot(neighbours_of(tokens).flip(-1), 16) * 9.0

    report = evaluate(Swapped(num_heads=2), seed=1000)
    truth = neighbours_of(*next(neighbour_sequences(500, seed=1000)))
    equal = (truth[..., 0] == truth[..., 1]).float().mean().item()
    assert report.pair == 1
    assert (report.left, report.right) == pytest.approx((equal, equal))
    assert report.maps.shape == (2, 12, 12)
    torch.testing.assert_close(report.maps.sum(-1), torch.ones(2, 12))


def test_left_and_right_are_told_apart():
    class NamesTheLeft(Reporter):
        """Predicts the left neighbour for both sides."""

        def forward(self, tokens):
            super().forward(tokens)
            return F.one_hot(neighbours_of(tokens)[..., :1].expand(-1, -1, 2), 16) * 9.0

    report = evaluate(NamesTheLeft(num_heads=1), seed=0)
    assert report.left == 1 > 0.2 > report.right
    assert report.parameters == size(Reporter(1))
    untrained = train_reporter(num_heads=2, seed=0, steps=1)
    assert max(untrained.left, untrained.right) < 0.2
