"""The experiments of the lessons: each task asks what it says, and its arms differ in what they say and in nothing else."""

import itertools
import math
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from transformer_course import models
from transformer_course.data import character_names
from transformer_course.data.numbers import english
from transformer_course.experiments import lengths
from transformer_course.experiments.anatomy import watch
from transformer_course.experiments.asking import TOKENS, WIDTH, WORDS, number_texts, train_writer
from transformer_course.experiments.handed_over import _translator, after_each_layer, four_digits, read_out, share_right
from transformer_course.experiments.hull import outside
from transformer_course.experiments.lookup import Lookup, lookup_losses, lookup_texts
from transformer_course.experiments.neighbours import Reporter, examine, neighbour_texts, neighbours_of, train_reporter
from transformer_course.experiments.norm_order import (
    LENGTH,
    alike,
    beginnings,
    edit_sizes,
    letters_alone,
    name_batches,
    new_speller,
    train_speller,
)
from transformer_course.experiments.parity import ASK, ParityReader, all_rows, train_parity
from transformer_course.experiments.recall import KINDS, gradient_by_token, new_reader, recall_accuracy, recall_texts
from transformer_course.experiments.sorting import BEGIN, DIGITS, Sorter, commonest_digits, task, train_sorter, write
from transformer_course.experiments.stacks import (
    Echo,
    Stack,
    changes,
    echo_accuracy,
    gradient_at_the_bottom,
    new_stack,
    own_share,
    own_shares,
)
from transformer_course.experiments.stream import (
    accuracy,
    affine_map,
    catch,
    draw_names,
    fitted_lens,
    new_twin,
    read,
    reading,
    replaced,
    streams,
    sublayers,
)
from transformer_course.experiments.two_readers import (
    overlap,
    position_shares,
    read_both,
    readings_by_width,
    turned_overlaps,
)
from transformer_course.experiments.waves import encoding_as_in_note_3, learned_positions, shift_errors
from transformer_course.positions import sinusoidal_encoding
from transformer_course.training import exact_match, sequence_loss, translation_loss
from transformer_course.transformer import Encoder, StackConfig, Transformer, TransformerConfig


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
    norms = []
    for text, answer in zip(tokens[:, None], first, strict=True):
        x = reader.table(text).detach().requires_grad_()
        reader.answer(x)[0, answer].backward()
        norms.append(x.grad[0].norm(dim=-1))
    torch.testing.assert_close(gradient_by_token(reader, 6, seed=2), torch.stack(norms).median(0).values)
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


def test_outside_the_hull_is_what_no_mixture_reaches():
    corners = np.array([[1.0, 0], [0, 1], [1, 1]])
    mixtures = np.random.default_rng(0).dirichlet([1, 1, 1], size=50) @ corners
    assert not outside(np.vstack([mixtures, corners, corners[:2].mean(0)[None]]), corners).any()
    assert outside(np.array([[0, 0], [0.4, 0.5], [1.1, 1], [0.5, 1.2]]), corners).all()


@pytest.mark.parametrize("kinds", [(), ("attention",), ("feed-forward",), ("attention", "feed-forward")])
def test_a_stack_adds_at_the_sublayers_it_says_and_replaces_at_the_others(kinds):
    stack, x = new_stack(2, seed=3, residual=kinds)
    attention, network = stack.sublayers[2:]
    *_, below, middle, top = stack.streams(x)
    torch.testing.assert_close(middle, attention(below, below, below) + ("attention" in kinds) * below)
    torch.testing.assert_close(top, network(middle) + ("feed-forward" in kinds) * middle)
    assert torch.equal(stack(x), top)
    silent = stack.streams(x, silent=2)
    torch.testing.assert_close(silent[3], below * ("attention" in kinds))
    assert torch.equal(silent[2], below)


def test_the_arms_of_a_stack_differ_in_what_they_say():
    with pytest.raises(ValueError, match=r"attention and feed-forward; saw .*network"):
        Stack(1, residual=("network",))
    plain, alone = Stack(3), Stack(3, feed_forward=False)
    assert (len(plain.sublayers), len(alone.sublayers)) == (6, 3)
    assert size(plain) == size(Stack(3, residual=(), rescaled=True, xavier=True))
    torch.manual_seed(0)
    first, xavier = plain.sublayers[1].w_1, Stack(1, xavier=True).sublayers[1].w_1
    assert first.weight.std().item() == pytest.approx((3 * 32) ** -0.5, rel=0.05)
    assert xavier.weight.std().item() == pytest.approx((2 / (32 + 128)) ** 0.5, rel=0.05)
    assert not xavier.bias.any()
    stack, x = new_stack(2, rescaled=True)
    torch.testing.assert_close(stack(x).square().mean(-1), torch.ones(8, 12, dtype=torch.float64))


def test_where_each_token_is_alone_no_other_one_moves_it():
    (mixing, x), (alone, _) = new_stack(2, seed=1), new_stack(2, seed=1, alone=True)
    others = x.clone()
    others[:, 1:] += 1
    assert torch.equal(alone(x)[:, 0], alone(others)[:, 0])
    assert not torch.allclose(mixing(x)[:, 0], mixing(others)[:, 0])
    assert all(torch.equal(a, b) for a, b in zip(mixing.parameters(), alone.parameters(), strict=True))


def test_a_gradient_arrives_whole_where_nothing_is_in_its_way_and_dies_without_the_residual():
    assert gradient_at_the_bottom(0) == 1
    assert gradient_at_the_bottom(8, seed=1) > 1
    assert gradient_at_the_bottom(8, seed=1, residual=()) < 1e-8
    assert gradient_at_the_bottom(8, seed=1, xavier=True) > 100


def test_an_own_share_is_0_for_equal_tokens_and_1_for_tokens_that_cancel():
    one = torch.ones(2, 3, 4)
    assert own_share(one) == 0
    assert own_share(torch.stack([one[:, 0], -one[:, 0]], dim=1)) == 1
    shares = own_shares(3, seed=1, feed_forward=False)
    stack, x = new_stack(3, seed=1, feed_forward=False)
    assert shares == [own_share(stream) for stream in stack.streams(x)]
    assert own_shares(3, seed=1)[-1] == own_share(new_stack(3, seed=1)[0](x))


def test_a_silent_sublayer_is_missed_above_and_never_below():
    moved = changes(*new_stack(2, residual=()))
    assert moved.shape == (4, 5)
    assert not moved.tril().any()
    assert (moved.diagonal(1) == 1).all()  # without the residual, the next one reads zeros
    assert (changes(*new_stack(2)).triu(1)[:, 1:].triu() > 0.1).sum() == 10


def test_an_echo_knows_each_token_by_what_comes_out_at_its_place():
    assert size(Echo(1)) == size(Echo(1, residual=()))
    assert echo_accuracy(1, steps=40) == echo_accuracy(1, steps=40) > 0.9
    assert echo_accuracy(4, steps=20, residual=()) < 0.2


def test_short_texts_have_every_length_and_stay_within_their_rows():
    for rows, most in ((20, 0), (40, 34)):
        drawn = [batch for batch, _ in zip(lengths.short_texts(4, seed=1, rows=rows), range(3000), strict=False)]
        assert {tokens.shape[1] for tokens, _ in drawn} == set(range(6, 21))
        assert {start for _, start in drawn} == set(range(most + 1))
        assert max(start + tokens.shape[1] for tokens, start in drawn) == rows
    assert torch.equal(drawn[0][0], next(lengths.short_texts(4, seed=1, rows=40))[0])


def test_each_task_asks_for_the_token_that_it_names():
    tokens = torch.tensor([[5, 3, 7, 1]])
    assert lengths.TASKS["previous"](tokens).tolist() == [[5, 3, 7]]
    assert lengths.TASKS["first"](tokens).tolist() == [[5, 5, 5]]


def test_copiers_differ_in_their_positions_alone_and_none_sees_the_future():
    tokens, parameters = lengths.long_texts()[:3], {}
    for positions in ("none", "learned", "sinusoidal", "rotary"):
        torch.manual_seed(0)
        copier = lengths.Copier(positions)
        parameters[positions] = size(copier)
        torch.testing.assert_close(copier(tokens)[:, :20], copier(tokens[:, :21]))  # position 20 is a text of 21 tokens
    assert parameters["none"] == parameters["sinusoidal"] == parameters["rotary"] == parameters["learned"] - 80 * 32
    changed = tokens.clone()
    changed[:, 30] = (changed[:, 30] + 1) % 16
    moved = (copier(tokens, reach=20) != copier(changed, reach=20)).any(-1).any(0)  # of the positions 1 to 79
    assert moved.nonzero().flatten().add(1).tolist() == list(range(30, 50))
    with pytest.raises(ValueError, match="one of sinusoidal, learned, rotary, none, saw 'waves'"):
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
        copier.attention.w_o.weight.mul_(3)  # above the token itself
    assert torch.equal(lengths.accuracy(copier), torch.ones(79))
    assert lengths.accuracy(copier, "first")[0] == 1  # the token before position 1 is the first
    assert lengths.accuracy(copier, "first")[1:].max() < 0.12
    for position in (1, 19, 79):
        weights = lengths.weights_by_distance(copier, position)
        assert len(weights) == position + 1
        torch.testing.assert_close(weights[1], torch.tensor(1.0))


def test_the_starts_of_a_speller_differ_in_the_weights_of_its_layers_alone():
    plain, again, xavier = (new_speller("post", 2, start, seed=3) for start in ("torch", "torch", "xavier"))
    halved = new_speller("post", 2, scale=0.5, seed=3)
    for (name, a), b, c in zip(plain.named_parameters(), again.parameters(), halved.parameters(), strict=True):
        assert torch.equal(a, b)
        assert torch.equal(a * (0.5 if name.startswith("stack") and a.ndim == 2 else 1), c), name
    linear, drawn = (model.stack.layers[0].self_attention.w_q for model in (plain, xavier))
    assert (drawn.weight.std() / linear.weight.std()).item() == pytest.approx(3**0.5, rel=0.1)
    assert not drawn.bias.any()
    assert torch.equal(plain.input.embedding.table, xavier.input.embedding.table)
    assert size(new_speller("pre", 2)) == size(plain) + 64  # the closing norm
    with pytest.raises(ValueError, match=r'"torch" or "xavier", saw .he.'):
        new_speller("pre", 2, start="he")


def test_names_are_as_long_as_the_model_reads_and_the_same_for_one_seed():
    names = next(name_batches(0))
    assert names.shape == (8, LENGTH)
    assert torch.equal(names, next(name_batches(0)))
    assert not torch.equal(names, next(name_batches(1)))
    assert names.min() > 3  # no special token


def test_letters_alone_is_the_least_loss_of_a_model_that_sees_nothing():
    names, vocabulary = beginnings()
    logits = torch.zeros(len(vocabulary), requires_grad=True)
    optimizer = torch.optim.Adam([logits], lr=0.3)
    for _ in range(200):
        loss = F.cross_entropy(logits.expand(names[:2000].numel(), -1), names[:2000].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert loss.item() == pytest.approx(letters_alone(), abs=0.05)


def test_letters_that_all_have_one_vector_are_alike_and_others_are_not():
    model, names = new_speller("post", 1), next(name_batches(0))
    assert alike(model, names) < 0.5
    torch.nn.init.zeros_(model.stack.layers[0].around_feed_forward.norm.gamma)
    torch.nn.init.ones_(model.stack.layers[0].around_feed_forward.norm.beta)
    assert alike(model, names) == pytest.approx(1, abs=1e-5)
    apart = SimpleNamespace(input=lambda tokens: tokens, stack=lambda x, mask: torch.eye(LENGTH).expand(8, -1, -1))
    assert alike(apart, names) == 0  # a letter is not compared with itself


def test_a_run_is_repeatable_and_its_warm_up_slows_the_first_steps():
    runs = [train_speller("pre", 1, 0.01, warmup=warmup, seed=1, steps=20) for warmup in (1, 1, 20)]
    assert runs[0] == runs[1]
    assert runs[0].gradient == runs[2].gradient > 0
    assert runs[0].alike_before == runs[2].alike_before != runs[0].alike_after
    assert runs[0].losses[0] == runs[2].losses[0]
    assert runs[0].final == pytest.approx(sum(runs[0].losses) / 20)
    short = train_speller("pre", 1, 0.01, seed=1, steps=3)
    assert short.final == pytest.approx(sum(short.losses) / 3)
    assert runs[0].losses[4] < runs[2].losses[4]


def test_deep_post_norm_is_stuck_at_large_first_steps_and_pre_norm_is_not():
    stuck, learns = (train_speller(norm, 12, 0.01) for norm in ("post", "pre"))
    assert stuck.final > letters_alone() - 0.2
    assert stuck.alike_after > 0.99 > stuck.alike_before
    assert learns.final < letters_alone() - 0.4


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_edits_are_measured_beside_the_stream_that_they_are_added_to(norm):
    model, names = new_speller(norm, 2, seed=1), next(name_batches(0))
    with torch.no_grad():
        model.stack.layers[1].feed_forward.w_2.weight.zero_()
        model.stack.layers[1].feed_forward.w_2.bias.fill_(3.0)
    edits = edit_sizes(model, names)
    assert edits.shape == (4,)
    streams = []
    hook = model.stack.layers[1].around_feed_forward.register_forward_pre_hook(lambda _, args: streams.append(args[0]))
    model(names)
    hook.remove()
    assert edits[3] == pytest.approx(3 * 32**0.5 / streams[0].norm(dim=-1).mean().item(), rel=1e-4)
    assert not any(part._forward_hooks or part._forward_pre_hooks for part in model.modules())


def test_the_layers_of_an_encoder_end_in_what_it_gives():
    for norm in ("pre", "post"):
        config = StackConfig(d_model=8, num_heads=2, num_layers=3, d_ff=16, dropout=0.0, norm=norm)
        encoder, x, mask = Encoder(config), torch.randn(2, 5, 8), torch.tensor([True, True, True, True, False])[None]
        after = after_each_layer(encoder, x, mask)
        assert len(after) == 3
        torch.testing.assert_close(after[-1], encoder(x, mask))
        torch.testing.assert_close(after[0], encoder.norm(encoder.layers[0](x, mask)))
        assert not torch.allclose(after[-1], after_each_layer(encoder, x)[-1])


@pytest.mark.parametrize("name", ["translator", "translator-early", "dates"])
def test_a_translator_that_is_given_its_memory_is_as_good_as_when_it_writes(name):
    model, sources, targets = _translator(name, 60)
    columns = [[row[row != 0].tolist() for row in side] for side in (sources, targets)]
    score = exact_match(model, *columns)
    assert share_right(lambda after, real: ([after[-1]] * 2, real), name, 60) == pytest.approx(score)
    assert score > 0.4
    assert (score < 0.9) == (name == "translator-early")


def test_the_memory_may_be_shuffled_but_not_exchanged():
    def shuffled(after, real):
        order = torch.randperm(real.shape[-1], generator=torch.Generator().manual_seed(1))
        return [after[-1][:, order]] * 2, real[..., order]

    def another_texts(after, real):
        return [after[-1].roll(1, 0)] * 2, real.roll(1, 0)

    assert share_right(shuffled) == share_right(lambda after, real: ([after[-1]] * 2, real)) > 0.97
    assert share_right(another_texts) < 0.05


def test_the_sentences_of_four_digits_are_numbers_in_words_and_all_differ():
    vocabularies = models.load("translator")[1]
    texts, digits = four_digits(5832, vocabularies["source"])
    assert len(set(map(tuple, digits.tolist()))) == len({tuple(text) for text in texts.tolist()}) == 5832
    for text, (a, b, c, d) in zip(texts[:100].tolist(), digits.tolist(), strict=False):
        assert vocabularies["source"].decode(text) == english(a * 10**6 + b * 100 + c * 10 + d)
    assert torch.equal(four_digits(50, vocabularies["source"])[0], texts[:50])
    assert not torch.equal(four_digits(50, vocabularies["source"], seed=1)[0], texts[:50])


def test_a_digit_is_read_where_it_stands_and_nowhere_else_and_only_from_texts_that_were_not_fitted():
    digits = torch.randint(1, 10, (500, 2), generator=torch.Generator().manual_seed(0))
    one_hot = torch.nn.functional.one_hot(digits, 10).float()
    vectors = torch.stack([one_hot[:, 0], one_hot[:, 1] + 1, torch.zeros(500, 10)], dim=1)
    shares = read_out(vectors, digits)
    assert shares.shape == (3, 2)
    assert shares[0, 0] == shares[1, 1] == 1
    assert (shares[[0, 1, 2, 2], [1, 0, 0, 1]] < 0.3).all()
    noise = torch.randn(500, 1, 450, generator=torch.Generator().manual_seed(1))  # wide enough to learn 400 texts by heart
    assert (read_out(noise, digits) < 0.3).all()


def test_the_sorter_is_asked_for_the_digit_that_comes_next():
    source, shown, wanted = task(300, seed=2)
    assert sorted(source[5].tolist()) == wanted[5].tolist()
    assert (source != wanted).any()
    assert (shown[:, 0] == BEGIN).all()
    assert torch.equal(shown[:, 1:], wanted[:, :-1])
    assert not torch.equal(task(300, seed=3)[0], source)
    asked = task(500, seed=1)[2]
    best = [max((asked[:, place] == digit).float().mean() for digit in range(DIGITS)) for place in range(asked.shape[1])]
    torch.testing.assert_close(commonest_digits(), torch.stack(best))


def test_sorters_differ_in_what_they_may_see_and_in_nothing_else():
    torch.manual_seed(0)
    masked, without = Sorter(causal=True), Sorter(causal=False)
    without.load_state_dict(masked.state_dict())
    source, shown, _ = task(4, seed=0)
    other = torch.cat([shown[:, :3], (shown[:, 3:] + 1) % DIGITS], dim=1)
    same = [torch.isclose(model(source, shown), model(source, other)).all(-1).all(0) for model in (masked, without)]
    assert same[0].tolist() == [True] * 3 + [False] * 3
    assert not same[1].any()
    assert (masked(source.roll(1, 0), shown) != masked(source, shown)).any()  # and both read the source
    digits = write(masked, source)
    for place in range(digits.shape[1]):  # each digit follows from those before it
        before = torch.cat([shown[:, :1], digits[:, :place]], dim=1)
        assert torch.equal(masked(source, before)[:, -1].argmax(-1), digits[:, place])


def test_without_its_mask_a_sorter_copies_and_cannot_write():
    masked, without = (train_sorter(causal, seed=0) for causal in (True, False))
    assert masked.alone.mean() > 0.9
    assert without.shown.mean() > 0.97
    assert without.alone.mean() < 0.6
    without.model.causal = True
    source, shown, wanted = task(500, seed=1)
    assert (without.model(source, shown).argmax(-1) == wanted).float().mean() < 0.65  # later tokens hidden, all else the same


def test_attentions_are_watched_as_they_are_called():
    sizes = {"vocabulary_size": 9, "d_model": 8, "num_heads": 2, "num_layers": 1, "d_ff": 8, "max_length": 12, "dropout": 0.0}
    model = Transformer(TransformerConfig(**sizes))
    seen = [
        (call.name.removesuffix("_attention"), call.queries, call.keys, call.same, call.mask)
        for call in watch(model, torch.tensor([[4, 5, 6, 7, 8]]), torch.tensor([[1, 5, 6]]))
    ]
    assert seen == [
        ("encoder.layers.0.self", 5, 5, True, "padding"),
        ("decoder.layers.0.self", 3, 3, True, "causal"),
        ("decoder.layers.0.cross", 3, 5, False, "padding"),
    ]
    layer = model.encoder.layers[0]
    for mask, kind in ((None, "none"), (torch.eye(4, dtype=torch.bool), "other")):
        assert [call.mask for call in watch(layer, torch.randn(1, 4, 8), mask)] == [kind]
    assert not any(part._forward_pre_hooks for part in model.modules())


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


@pytest.fixture(scope="module")
def gpt_pre():
    model, vocabularies = models.load("gpt-pre")
    return model, vocabularies["text"]


def test_names_are_drawn_unseen_or_seen_and_padding_asks_for_nothing(gpt_pre):
    _, text = gpt_pre
    drawn = {}
    for seen, part in ((False, character_names().test), (True, character_names().train)):
        inputs, labels, real = draw_names(text, 20, seed=1, seen=seen)
        assert torch.equal(real, labels != text.pad)
        assert (inputs[:, 0] == text.begin).all()
        read_back = {"".join(text.tokens[i] for i in row[mask][:-1]) for row, mask in zip(labels, real, strict=True)}
        assert len(read_back) == 20
        assert read_back <= {name for name, _ in part}
        assert (torch.where(real, labels, text.end).amax(-1) >= text.end).all()
        drawn[seen] = inputs
    again = draw_names(text, 20, seed=1)[0]
    assert torch.equal(again, drawn[False])
    assert not torch.equal(draw_names(text, 20, seed=2)[1][:, :5], again[:, 1:6])


@torch.no_grad()
def test_what_is_caught_is_what_came_out_in_the_order_that_was_asked(gpt_pre):
    model, text = gpt_pre
    inputs, _, _ = draw_names(text, 3, seed=0)
    seven, edits = streams(model, inputs), catch(model, sublayers(model), inputs)
    assert (len(seven), len(edits)) == (7, 12)
    torch.testing.assert_close(seven[0], model.input(inputs))
    torch.testing.assert_close(seven[1] - seven[0], edits[0] + edits[1], atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(read(model, seven[-1]), model(inputs))
    assert torch.equal(catch(model, sublayers(model)[::-1], inputs)[0], edits[-1])
    assert not any(part._forward_hooks for part in model.modules())


@torch.no_grad()
def test_a_part_is_replaced_within_its_block_alone(gpt_pre):
    model, text = gpt_pre
    inputs, _, _ = draw_names(text, 3, seed=0)
    whole, seven = model(inputs), streams(model, inputs)
    with replaced(model.stack.layers[0], lambda below, above: below):
        torch.testing.assert_close(streams(model, inputs)[1], seven[0])
        assert not torch.allclose(model(inputs), whole)
    with pytest.raises(ZeroDivisionError), replaced(model.stack.layers[0], lambda below, above: 1 / 0):
        model(inputs)
    assert torch.equal(model(inputs), whole)


def test_an_affine_map_finds_a_matrix_and_a_bias_even_where_few_rows_differ():
    generator = torch.Generator().manual_seed(0)
    x, matrix, bias = (torch.randn(*shape, generator=generator) for shape in ((50, 4), (4, 3), (3,)))
    torch.testing.assert_close(affine_map(x, x @ matrix + bias)(x[:5]), x[:5] @ matrix + bias, atol=1e-4, rtol=1e-4)
    few = x[:2].repeat(20, 1)
    torch.testing.assert_close(affine_map(few, few @ matrix)(few), few @ matrix, atol=1e-3, rtol=1e-3)


@torch.no_grad()
def test_a_fitted_lens_reads_more_than_the_plain_one_and_its_controls_less(gpt_pre):
    model, text = gpt_pre
    inputs, labels, real = draw_names(text, 40, seed=5)
    seven = streams(model, inputs)
    plain = [accuracy(read(model, stream), labels, real) for stream in seven]
    tuned = [accuracy(lens(stream), labels, real) for lens, stream in zip(fitted_lens(model, text, 5), seven, strict=True)]
    assert plain[2] < 0.1 < 0.3 < tuned[2] < tuned[6]
    assert tuned[6] == pytest.approx(plain[6], abs=0.01)  # the last stream is its own best copy
    of_the_twin = zip(fitted_lens(model, text, 5, untrained=True), streams(new_twin(model, 5), inputs), strict=True)
    bottom, *_, untrained, _, _ = (lens(stream) for lens, stream in of_the_twin)
    assert accuracy(bottom, labels, real) == pytest.approx(tuned[0], abs=0.02)  # below all blocks, both know the same
    assert 0.2 < accuracy(untrained, labels, real) < tuned[4] - 0.2
    assert reading("trained", "tuned", "others", 2, 5) == pytest.approx(tuned[2], abs=1e-6)
    assert reading("trained", "plain", "others", 6, 5) == pytest.approx(plain[6], abs=1e-6)
    assert reading("untrained", "tuned", "others", 4, 5) == pytest.approx(accuracy(untrained, labels, real), abs=1e-6)
    assert reading("trained", "tuned", "fitted", 2, 5) > tuned[2]


def test_a_new_twin_leaves_the_random_numbers_as_they_were(gpt_pre):
    model, _ = gpt_pre
    torch.manual_seed(3)
    first = torch.rand(1)
    torch.manual_seed(3)
    one, other = new_twin(model, 0), new_twin(model, 1)
    assert torch.equal(torch.rand(1), first)
    assert not torch.equal(one.output.weight, other.output.weight)
    assert one.config == model.config


@torch.no_grad()
def test_what_lesson_19_shows_of_the_shipped_models(gpt_pre):
    model, text = gpt_pre
    inputs, labels, real = draw_names(text, 40, seed=4)
    seven = streams(model, inputs)
    assert accuracy(read(model, seven[0]), inputs, real) > 0.9  # at the bottom the lens reads what goes in
    right, lost = accuracy(model(inputs), labels, real), []
    for block in model.stack.layers:
        with replaced(block, lambda below, above: below):
            lost.append(right - accuracy(model(inputs), labels, real))
    assert lost[0] > 0.4 > 0.15 > lost[5]
    shares = [((b - a)[real].norm(dim=-1) / a[real].norm(dim=-1)).mean() for a, b in itertools.pairwise(seven)]
    assert max(shares) == shares[5] > 0.9
    left = (seven[6] * seven[0]).sum(-1)[real] / (seven[0] ** 2).sum(-1)[real]
    assert left.mean().abs() < 0.2
