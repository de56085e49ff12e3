"""The experiments of the lessons: each task asks what it says, and its arms differ in what they say and in nothing else."""

import math

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from transformer_course import models
from transformer_course.experiments.asking import TOKENS, WIDTH, WORDS, number_texts, train_writer
from transformer_course.experiments.lookup import Lookup, lookup_losses, lookup_texts
from transformer_course.experiments.neighbours import Reporter, examine, neighbour_texts, neighbours_of, train_reporter
from transformer_course.experiments.recall import KINDS, gradient_by_token, new_reader, recall_accuracy, recall_texts
from transformer_course.experiments.two_readers import (
    overlap,
    position_shares,
    read_both,
    readings_by_width,
    turned_overlaps,
)
from transformer_course.experiments.waves import encoding_as_in_note_3, learned_positions, shift_errors
from transformer_course.positions import sinusoidal_encoding
from transformer_course.training import sequence_loss, translation_loss
from transformer_course.transformer import Transformer, TransformerConfig


def size(model) -> int:
    return sum(p.numel() for p in model.parameters())


def test_nothing_but_the_first_token_tells_the_first_token():
    tokens, first = next(recall_texts(length=7, size=500, seed=3))
    assert tokens.shape == (500, 7)
    assert torch.equal(tokens[:, 0], first)
    assert set(first.tolist()) == set(range(KINDS))
    assert set(tokens[:, 1:].flatten().tolist()) == set(range(KINDS, 2 * KINDS))
    again, other = next(recall_texts(7, 500, seed=3)), next(recall_texts(7, 500, seed=4))
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
    # Where gates read nothing but their bias, they keep T/(T+1) at each token: torch's second block is the forget gate.
    with torch.no_grad():
        for parameter in patient.cell.parameters():
            parameter.zero_()
        patient.cell.bias_ih_l0[32:64] = math.log(20)
        _, (_, memory) = patient.cell(torch.zeros(1, 1, 32), (torch.zeros(1, 1, 32), torch.ones(1, 1, 32)))
    torch.testing.assert_close(memory, torch.full((1, 1, 32), 20 / 21))


@pytest.mark.parametrize(("cell", "bias"), [("gru", 0.0), ("rnn", 1.0)])
def test_readers_that_do_not_exist_are_refused(cell, bias):
    with pytest.raises(ValueError, match=f'"rnn" .* or "lstm", saw {cell!r}'):
        new_reader(cell, 5, forget_bias=bias)


def test_recall_of_a_short_text_is_learned_and_repeatable():
    assert recall_accuracy("attention", 5, seed=1) == recall_accuracy("attention", 5, seed=1) > 0.99


def test_the_gradient_of_each_token_is_that_of_the_right_logit():
    reader = new_reader("attention", 6, seed=0)
    tokens, first = next(recall_texts(6, 200, seed=1002))
    lengths = []
    for text, answer in zip(tokens[:, None], first, strict=True):
        x = reader.table(text).detach().requires_grad_()
        reader.answer(x)[0, answer].backward()
        lengths.append(x.grad[0].norm(dim=-1))
    torch.testing.assert_close(gradient_by_token(reader, 6, seed=2), torch.stack(lengths).median(0).values)
    falling = gradient_by_token(new_reader("rnn", 40, seed=0), 40)
    assert falling[0] < 1e-9 * falling[-1]


def test_a_look_up_names_each_pair_once_and_asks_for_one():
    names, values, place = next(lookup_texts(size=50, seed=0))
    assert all(len(set(row.tolist())) == 16 for row in names)
    assert names.shape == values.shape == (50, 16)
    assert place.shape == (50,)
    assert 0 <= place.min() <= place.max() < 16


@pytest.mark.parametrize(("scaled", "start"), [(False, 8**-0.5), (True, 1.0)])
def test_the_arms_of_the_look_up_start_with_the_scores_that_they_say(scaled, start):
    names, values, place = next(lookup_texts(20, seed=0))
    torch.manual_seed(0)
    model = Lookup(64, scaled, start)
    torch.manual_seed(0)
    plain = Lookup(64)
    torch.testing.assert_close(model.attend(names, values, place)[1], plain.attend(names, values, place)[1])
    torch.manual_seed(0)
    large = Lookup(64, start=8**0.5).attend(names, values, place)[1]
    torch.manual_seed(0)
    torch.testing.assert_close(large, Lookup(64, scaled=False).attend(names, values, place)[1])


def test_a_look_up_asks_for_the_value_beside_the_name():
    """With scores that find the name for certain, the output is the value at that place."""
    names, values, place = next(lookup_texts(20, seed=1))
    torch.manual_seed(0)
    model = Lookup(64)
    with torch.no_grad():
        model.values.weight.zero_()  # nothing but the name in the keys
        model.w_q.copy_(100 * torch.eye(64))
        model.w_k.copy_(torch.eye(64))
    weights = model.attend(names, values, place)[1]
    assert (weights.gather(1, place[:, None]) > 0.99).all()
    assert lookup_losses(8, seed=0, steps=3) == lookup_losses(8, seed=0, steps=5)[:3]


def test_each_inner_token_reports_its_two_neighbours():
    tokens = torch.tensor([[4, 7, 1, 9]])
    assert neighbours_of(tokens).tolist() == [[[4, 1], [7, 9]]]
    (texts,) = next(neighbour_texts(300, seed=0))
    assert texts.shape == (300, 12)
    assert set(texts.flatten().tolist()) == set(range(16))


def test_heads_share_the_width_and_cost_nothing():
    assert size(Reporter(1)) == size(Reporter(2)) == size(Reporter(4)) < size(Reporter(1, layers=2))


def test_a_report_scores_both_sides_and_the_pair():
    class Swapped(Reporter):
        """Names both, each on the wrong side."""

        def forward(self, tokens):
            super().forward(tokens)
            return F.one_hot(neighbours_of(tokens).flip(-1), 16) * 9.0

    report = examine(Swapped(num_heads=2), seed=1000)
    truth = neighbours_of(*next(neighbour_texts(500, seed=1000)))
    equal = (truth[..., 0] == truth[..., 1]).float().mean().item()
    assert report.pair == 1
    assert (report.left, report.right) == pytest.approx((equal, equal))
    assert report.maps.shape == (2, 12, 12)
    torch.testing.assert_close(report.maps.sum(-1), torch.ones(2, 12))


def test_left_and_right_are_told_apart():
    class NamesTheLeft(Reporter):
        """Names the left neighbour for both answers."""

        def forward(self, tokens):
            super().forward(tokens)
            return F.one_hot(neighbours_of(tokens)[..., :1].expand(-1, -1, 2), 16) * 9.0

    report = examine(NamesTheLeft(num_heads=1), seed=0)
    assert report.left == 1 > 0.2 > report.right
    assert report.parameters == size(Reporter(1))
    untrained = train_reporter(num_heads=2, seed=0, steps=1)
    assert max(untrained.left, untrained.right) < 0.2


@pytest.mark.parametrize("least_squares", [False, True])
def test_readers_find_what_stands_on_axes_of_its_own_and_nothing_where_there_is_nothing(least_squares):
    words, places = torch.eye(12)[:7], torch.eye(12)[7:]
    apart = read_both(words, places, least_squares=least_squares)
    assert (apart.word, apart.position, apart.ends) == (1, 1, 1)
    assert read_both(words, torch.zeros(5, 12), least_squares=least_squares).position < 0.5
    assert read_both(torch.zeros(7, 12), places, least_squares=least_squares).word < 0.5
    null = read_both(torch.eye(100)[:40], torch.eye(100)[40:], shuffled=True, least_squares=least_squares)
    assert max(null.word, null.position) < 0.1
    axes = torch.eye(40)
    alike = read_both(axes[:30], axes[[30, 31, 31, 32]], least_squares=least_squares)  # 1 and 2 are alike
    assert alike.position < 0.95 < 1 == alike.ends
    last_two = read_both(axes[:30], axes[[30, 31, 32, 32]], least_squares=least_squares)
    assert last_two.ends < 0.95


def test_along_a_line_means_tell_all_points_apart_and_least_squares_hardly_any():
    words, places = torch.zeros(36, 2), torch.zeros(20, 2)
    words[:, 0], places[:, 1] = torch.arange(36), torch.arange(20)
    means, squares = read_both(words, places), read_both(words, places, least_squares=True)
    assert (means.word, means.position) == (1, 1)
    assert max(squares.word, squares.position) < 0.1


def test_readings_are_of_three_seeds_at_each_width_and_the_arms_differ():
    plain, waves = readings_by_width([4, 64]), readings_by_width([4, 64], waves=True)
    squares = readings_by_width([4, 64], waves=True, least_squares=True)
    assert {shares.shape for shares in plain.values()} == {(3, 2)}
    assert (plain["word"][:, 1] > plain["word"][:, 0]).all()
    assert (plain["position"][:, 0] > 1.5 * waves["position"][:, 0]).all()  # neighbouring waves are alike in few dimensions
    assert (waves["position"][:, 1] > 0.95).all()
    assert (squares["position"][:, 1] < 0.6).all()
    assert (squares["ends"][:, 1] > 0.95).all()


def test_overlap_is_0_at_right_angles_1_along_and_random_turns_give_what_the_width_does():
    words, places = torch.eye(64)[:20], torch.eye(64)[20:30]
    assert overlap(words, places) == 0
    assert overlap(3 * words[:1], -2 * words[:1]) == pytest.approx(1)
    turned = turned_overlaps(words, places, turns=20)
    assert len(set(turned)) == 20
    assert sum(turned) / 20 == pytest.approx(64**-0.5, rel=0.05)


def test_a_share_of_position_is_1_without_words_and_0_without_positions():
    torch.manual_seed(0)
    sizes = {"vocabulary_size": 9, "d_model": 16, "num_heads": 2, "num_layers": 1, "d_ff": 8, "max_length": 12, "dropout": 0.0}
    model = Transformer(TransformerConfig(**sizes))
    with torch.no_grad():
        model.source.embedding.table[:] = model.source.embedding.table[:1]
        assert position_shares(model).shape == (1, 2)
        torch.testing.assert_close(position_shares(model), torch.ones(1, 2), atol=1e-3, rtol=0)
        torch.nn.init.normal_(model.source.embedding.table, std=0.25)
        model.source.positions.table.zero_()
        assert position_shares(model).max() < 0.02


def test_the_program_of_note_3_makes_the_librarys_waves_and_half_a_hand_at_odd_widths():
    torch.testing.assert_close(torch.tensor(encoding_as_in_note_3(50, 12)).float(), sinusoidal_encoding(50, 12))
    odd = encoding_as_in_note_3(5, 3)
    assert odd.shape == (5, 3)
    np.testing.assert_allclose(odd[:, 2], np.sin(np.arange(5) / 10000 ** (2 / 3)))


def test_a_shift_is_one_matrix_for_waves_and_none_for_random_rows():
    assert max(shift_errors(encoding_as_in_note_3(96, 8), 2)) < 1e-9
    for seed in range(3):
        table = np.random.default_rng(seed).standard_normal((96, 8))
        own, new = shift_errors(table, 2)
        assert own > 0.7
        assert new > 1
        few = shift_errors(table, 2, every=16)  # six starts, eight dimensions: any table is fitted
        assert few[0] < 1e-9
        assert few[1] > 1
    assert shift_errors(np.ones((96, 2)), 5) == pytest.approx((0, 0))


@pytest.mark.parametrize("model", ["gpt-pre", "gpt-post"])
def test_learned_positions_lie_between_waves_and_random_rows(model):
    table = learned_positions(model, 8)
    assert table.shape == (96, 8)
    assert (np.diff((table**2).sum(axis=0)) <= 0).all()  # the largest direction first
    own, new = shift_errors(table, 2)
    assert 0.1 < own < 0.4
    assert 0.4 < new < 0.75


def test_the_numbers_to_99_are_asked_in_the_shipped_vocabularies_and_mostly_padding():
    vocabularies = models.load("translator")[1]
    english, chinese = vocabularies["source"], vocabularies["target"]
    assert (len(english), len(chinese)) == (WORDS, TOKENS)
    words, numerals = number_texts(english, chinese)
    assert (len(words), numerals.shape) == (99, (99, WIDTH))
    assert " ".join(english.decode(words[72])) == "seventy three"
    assert "".join(chinese.decode(numerals[72])) == "七十三"
    assert english.unknown not in words
    assert chinese.unknown not in numerals
    assert (numerals == chinese.end).sum() == 99
    assert round(float((numerals == chinese.pad).float().mean()), 2) == 0.55  # as lesson 14 says


def test_a_writer_is_looked_at_on_the_next_token_whatever_it_is_asked():
    pairs = number_texts(*(models.load("translator")[1][side] for side in ("source", "target")))
    right = train_writer(pairs, steps=20)
    assert (len(right.printed), len(right.true)) == (20, 2)
    assert right.true[-1] == pytest.approx(translation_loss(right.model, *pairs).item(), rel=1e-5)
    again = train_writer(pairs, lambda model, source, target: 0.5 * translation_loss(model, source, target), steps=20)
    assert again.printed[0] == pytest.approx(right.printed[0] / 2)  # the same start and the same batch
    assert train_writer(pairs, seed=1, steps=1).printed != right.printed[:1]


@pytest.mark.slow
def test_the_runs_of_lesson_14():
    pairs = number_texts(*(models.load("translator")[1][side] for side in ("source", "target")))

    def without_shift(model, source, target):
        return sequence_loss(model(source, target), target)

    right, copied = train_writer(pairs), train_writer(pairs, without_shift)
    assert right.exact > 0.9
    assert right.printed[-1] < 0.1
    assert copied.exact == 0
    assert copied.printed[-1] < right.printed[-1]
    assert copied.true == sorted(copied.true)  # worse from look to look
    assert copied.true[0] > math.log(TOKENS)
