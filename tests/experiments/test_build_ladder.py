"""The ladder of the Build: what is measured, what is drawn, and what is remembered."""

import itertools
import json
import math

import pytest
import torch
from torch import nn

from transformer_course._util import folder_record
from transformer_course.data.python_docs import CHARACTERS, encode
from transformer_course.data.windows import windows_at
from transformer_course.experiments import build_ladder as ladder


class Successor(nn.Module):
    """Predict the character after the last one in the vocabulary, with probability p, and all others alike."""

    def __init__(self, p: float):
        super().__init__()
        v = len(CHARACTERS)
        rest = math.log((1 - p) / (v - 1))
        self.table = nn.Parameter(torch.full((v, v), rest) + torch.eye(v).roll(1, 1) * (math.log(p) - rest))

    def forward(self, tokens):
        return self.table[tokens]


CYCLE = CHARACTERS[1:] * 8  # each character is followed by its successor, except at the end of each round


def sgd_step(model, optimizer, inputs, labels):
    loss = nn.functional.cross_entropy(model(inputs).flatten(0, 1), labels.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def test_bits_are_the_mean_of_minus_log_2_p():
    half = CHARACTERS[5:80]  # 75 characters: one window of 64, each followed by its successor
    assert ladder.bits_per_character(Successor(0.5), half) == pytest.approx(1.0, abs=1e-5)
    assert ladder.bits_per_character(Successor(1 / 96), half) == pytest.approx(ladder.GUESSING[0], abs=1e-5)
    assert ladder.GUESSING[0] == pytest.approx(6.585, abs=1e-3)


def test_every_window_of_the_text_counts_once_and_dropout_is_off():
    text = CYCLE[: 1 + 11 * ladder.LENGTH]
    model = nn.Sequential(Successor(0.5), nn.Dropout(0.5)).train()
    ends = sum(a == "~" for a in text[:-1])  # here the successor does not follow
    bits = (len(text) - 1 - ends + ends * math.log2(95 / 0.5)) / (len(text) - 1)
    assert ladder.bits_per_character(model, text) == pytest.approx(bits, abs=1e-5)
    with pytest.raises(ValueError, match="the text must have at least 65 characters, got 64"):
        ladder.bits_per_character(model, text[:64])


def test_training_uses_the_learners_step_and_the_seed_decides_all():
    def run(seed):
        torch.manual_seed(0)
        rates = []

        def step(model, optimizer, inputs, labels):
            rates.append(optimizer.param_groups[0]["lr"])
            return sgd_step(model, optimizer, inputs, labels)

        seen = []
        model = ladder.TextModel(nn.Identity())
        losses = ladder.train(model, step, CYCLE, steps=60, seed=seed, after_step=lambda *each: seen.append(each))
        assert seen == list(enumerate(losses, start=1))
        assert not model.training
        return losses, rates

    losses, rates = run(0)
    assert losses[-1] < 0.5 < 3 < losses[0]
    assert max(rates) == rates[ladder.WARMUP - 1] == ladder.PEAK
    assert rates[0] == pytest.approx(ladder.PEAK / ladder.WARMUP)
    assert 0 < rates[-1] < ladder.PEAK / 5
    assert run(0)[0] == losses != run(1)[0]


def test_training_uses_the_learners_windows_and_estimates_on_the_same_held_out_ones_now_and_then():
    starts, seen, estimated = [], {}, []

    def get_batch(ids, begin, length):
        starts.append((len(ids), begin))
        return windows_at(ids, begin, length)

    def estimate_loss(model, batches):
        estimated.append(torch.stack([inputs for inputs, _ in batches]))
        return 7.0

    def after_step(step, loss, **measured):
        seen[step] = measured

    model, held_out = ladder.TextModel(nn.Identity()), CYCLE[:200]
    options = {"get_batch": get_batch, "estimate_loss": estimate_loss, "held_out": held_out, "after_step": after_step}
    ladder.train(model, sgd_step, CYCLE, steps=30, **options)
    assert [each for each, _ in starts] == [len(held_out)] * ladder.ESTIMATED + [len(CYCLE)] * 30
    assert all(len(begin) == ladder.BATCH and max(begin) < size - ladder.LENGTH for size, begin in starts)
    assert [step for step, measured in seen.items() if measured == {"held_out": 7.0}] == [1, ladder.EVERY, 30]
    assert all(torch.equal(each, estimated[0]) for each in estimated)


def test_a_sample_continues_its_start_and_the_model_sees_only_the_last_characters():
    lengths = []

    class Watched(Successor):
        def forward(self, tokens):
            lengths.append(tokens.shape[1])
            return super().forward(tokens)

    assert ladder.sample(Watched(1 - 1e-7), 70, start="ab") == (CHARACTERS * 2)[CHARACTERS.index("c") :][:70]
    assert lengths[0] == 2
    assert max(lengths) == ladder.LENGTH
    cold = Successor(0.9)
    cut = ladder.sample(cold, 300, start="ab", p=0.5)  # nothing but the most likely character
    assert cut == (CHARACTERS * 4)[CHARACTERS.index("c") :][:300] != ladder.sample(cold, 300, start="ab", p=1, temperature=2)
    free = Successor(0.1)
    assert ladder.sample(free, 50, seed=0) == ladder.sample(free, 50, seed=0) != ladder.sample(free, 50, seed=1)


def test_the_text_model_adds_what_its_options_say():
    x = encode("abcab")[None]
    for positions, add_input in ((True, True), (False, True), (True, False)):
        model = ladder.TextModel(nn.Identity(), positions, add_input)
        vectors = model.tokens(x) + (model.positions(torch.arange(5)) if positions else 0)
        expected = model.output(2 * vectors if add_input else vectors)
        torch.testing.assert_close(model(x), expected)
        assert torch.allclose(model(x)[0, 0], model(x)[0, 3]) != positions  # "a" at positions 0 and 3


def test_numbers_are_kept_in_the_learners_folder_in_the_order_of_the_course(folder, monkeypatch):
    assert ladder.record("one head", 3.4) == {"one head": 3.4}
    monkeypatch.setattr(ladder, "_own", {})  # the next stage runs in another kernel
    assert list(ladder.record("bigram table", 3.7).items()) == [("bigram table", 3.7), ("one head", 3.4)]
    assert ladder.record("one head", 3.3)["one head"] == 3.3
    assert folder_record.read_record(folder)["ladder"] == {"bigram table": 3.7, "one head": 3.3}


def test_a_ladder_that_somebody_edited_loses_only_what_cannot_be_read(folder, capsys):
    for kept in ("nonsense", ["one head"], {"one head": "3.4", "six heads": 1.0, "four heads": 3.2}):
        (folder / folder_record.RECORD).write_text(json.dumps({"ladder": kept}), encoding="utf-8")
        ladder.record("bigram table", 3.7)
    assert ladder.record("bigram table", 3.7) == {"bigram table": 3.7, "four heads": 3.2}
    with pytest.raises(ValueError, match=r"name must be one of version 0, bigram table, .*, got 'six heads'"):
        ladder.record("six heads", 1.0)


def test_a_full_disk_costs_a_sentence_and_no_number(folder, capsys, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(ladder, "update_record", full)
    assert ladder.record("one head", 3.4) == {"one head": 3.4}
    assert capsys.readouterr().out == (
        "Your number could not be saved (No space left on device), so later stages will not show it.\n"
    )


def test_outside_a_learners_folder_numbers_last_as_long_as_the_kernel(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(ladder, "_own", {})
    ladder.record("one head", 3.4)
    assert list(ladder.record("bigram table", 3.7)) == ["bigram table", "one head"]
    assert list(tmp_path.iterdir()) == []


def test_the_courses_own_ladder_has_three_seeds_and_leads_downwards():
    assert all(len(bits) == 3 for bits in ladder.COURSE.values())
    steps = ("bigram table", "one head, no positions", "one head", "four heads", "one block", "three blocks", "byte pairs")
    assert all(min(ladder.COURSE[a]) > max(ladder.COURSE[b]) for a, b in itertools.pairwise(steps))
