"""Linear probes find words and positions that are there, and nothing if they are not."""

import pytest
import torch

from transformer_course.experiments.linear_probes import (
    overlap,
    position_fractions,
    probe_accuracies,
    probe_accuracies_by_width,
    rotated_overlaps,
)
from transformer_course.transformer import Transformer, TransformerConfig


@pytest.mark.parametrize("least_squares", [False, True])
def test_readers_find_what_stands_on_axes_of_its_own_and_nothing_where_there_is_nothing(least_squares):
    words, places = torch.eye(12)[:7], torch.eye(12)[7:]
    apart = probe_accuracies(words, places, least_squares=least_squares)
    assert (apart.word, apart.position, apart.ends) == (1, 1, 1)
    assert probe_accuracies(words, torch.zeros(5, 12), least_squares=least_squares).position < 0.5
    assert probe_accuracies(torch.zeros(7, 12), places, least_squares=least_squares).word < 0.5
    null = probe_accuracies(torch.eye(100)[:40], torch.eye(100)[40:], shuffled=True, least_squares=least_squares)
    assert max(null.word, null.position) < 0.1
    axes = torch.eye(40)
    same_inside = probe_accuracies(
        axes[:30], axes[[30, 31, 31, 32]], least_squares=least_squares
    )  # positions 1 and 2 have the same vector
    assert same_inside.position < 0.95 < 1 == same_inside.ends
    last_two = probe_accuracies(axes[:30], axes[[30, 31, 32, 32]], least_squares=least_squares)
    assert last_two.ends < 0.95


def test_along_a_line_means_tell_all_points_apart_and_least_squares_hardly_any():
    words, places = torch.zeros(36, 2), torch.zeros(20, 2)
    words[:, 0], places[:, 1] = torch.arange(36), torch.arange(20)
    means, squares = probe_accuracies(words, places), probe_accuracies(words, places, least_squares=True)
    assert (means.word, means.position) == (1, 1)
    assert max(squares.word, squares.position) < 0.1


def test_readings_are_of_three_seeds_at_each_width_and_the_arms_differ():
    plain, waves = probe_accuracies_by_width([4, 64]), probe_accuracies_by_width([4, 64], waves=True)
    squares = probe_accuracies_by_width([4, 64], waves=True, least_squares=True)
    assert {shares.shape for shares in plain.values()} == {(3, 2)}
    assert (plain["word"][:, 1] > plain["word"][:, 0]).all()
    assert (
        plain["position"][:, 0] > 1.5 * waves["position"][:, 0]
    ).all()  # in few dimensions, neighbouring sinusoids are similar
    assert (waves["position"][:, 1] > 0.95).all()
    assert (squares["position"][:, 1] < 0.6).all()
    assert (squares["ends"][:, 1] > 0.95).all()


def test_overlap_is_0_at_right_angles_1_along_and_random_turns_give_what_the_width_does():
    words, places = torch.eye(64)[:20], torch.eye(64)[20:30]
    assert overlap(words, places) == 0
    assert overlap(3 * words[:1], -2 * words[:1]) == pytest.approx(1)
    turned = rotated_overlaps(words, places, count=20)
    assert len(set(turned)) == 20
    assert sum(turned) / 20 == pytest.approx(64**-0.5, rel=0.05)


def test_a_share_of_position_is_1_without_words_and_0_without_positions():
    torch.manual_seed(0)
    sizes = {"vocabulary_size": 9, "d_model": 16, "num_heads": 2, "num_layers": 1, "d_ff": 8, "max_length": 12, "dropout": 0.0}
    model = Transformer(TransformerConfig(**sizes))
    with torch.no_grad():
        model.source.embedding.table[:] = model.source.embedding.table[:1]
        assert position_fractions(model).shape == (1, 2)
        torch.testing.assert_close(position_fractions(model), torch.ones(1, 2), atol=1e-3, rtol=0)
        torch.nn.init.normal_(model.source.embedding.table, std=0.25)
        model.source.positions.table.zero_()
        assert position_fractions(model).max() < 0.02
