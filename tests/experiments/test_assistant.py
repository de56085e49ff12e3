"""Lesson 26: the training on questions, what is measured of it, and what was recorded."""

import math

import pytest
import torch
from scipy.stats import binomtest
from torch.nn import functional as F

from transformer_course.chat import Reply, chat_rows, encode_turns, reply
from transformer_course.data.questions import Question
from transformer_course.experiments import assistant, records
from transformer_course.inspection import count_parameters

RECORD = records.recorded("assistant")


def runs(version: str) -> list[dict]:
    return [run for run in RECORD["runs"] if run["version"] == version]


@pytest.mark.parametrize(("right", "count"), [(0, 7), (7, 7), (257, 300), (1, 2)])
def test_the_interval_is_wilsons(right, count):
    expected = binomtest(right, count).proportion_ci(0.95, "wilson")
    found = assistant.interval(right, count)
    assert found == pytest.approx((right / count, expected.low, expected.high), abs=1e-4)


@pytest.mark.parametrize(("right", "count"), [(0, 0), (4, 3), (-1, 3)])
def test_an_interval_needs_a_count(right, count):
    with pytest.raises(ValueError, match=f"got {right} of {count}"):
        assistant.interval(right, count)


def test_a_reply_is_right_if_it_is_the_answer_and_stops_there():
    asked = Question("Is 4 even or odd?", "even", "even")
    found = [(asked, Reply(*said)) for said in (("even", True), ("even", False), ("Even", True), ("even odd", True))]
    assert [assistant.is_right(*each) for each in found] == [True, False, False, False]
    other = (Question("What type is 4?", "int", "type"), Reply("int", True))
    assert assistant.by_kind([*found, other]) == {"even": (1, 4), "type": (1, 1)}
    assert assistant.exact_match([*found, other]) == assistant.interval(2, 5)


def test_each_conversation_is_in_one_batch_per_epoch():
    rows = [([i] * (1 + i % 4), [-100] * (1 + i % 4)) for i in range(10)]
    batches = assistant.chat_batches(rows, seed=0, size=4)
    for _ in range(2):
        seen = [int(row[0]) for _ in range(3) for row in next(batches)[0]]
        assert sorted(seen) == list(range(10))


@pytest.mark.slow
def test_the_loss_of_two_pairs_is_their_sum():
    model, chat = assistant.predictor()
    rows = chat_rows(chat, [[("Is 4 even or odd?", "even")]], 128)
    chats = assistant.chat_batches(rows, 0, 1)
    batch = next(assistant.with_prose(chats, chat, seed=0))
    assert [part.shape for part in batch[2:]] == [(4, 128)] * 2
    each = [F.cross_entropy(model(x).flatten(0, 1), y.flatten()) for x, y in (batch[:2], batch[2:])]
    torch.testing.assert_close(assistant.loss_of(model, *batch), sum(each))
    assert batch[3][0, :-1].equal(batch[2][0, 1:])


@torch.no_grad()
def test_the_bits_of_questions_are_those_of_their_tokens_and_not_of_marks():
    model, chat = assistant.predictor()
    asked = [Question("Is 4 even or odd?", "even", "even"), Question("What type is 'name'?", "str", "type")]
    total = 0.0
    for each in asked:
        ids, _ = encode_turns(chat, [(each.text, each.answer)])
        log_p = model(torch.tensor([ids]))[0].log_softmax(-1)
        end = ids.index(chat.assistant)
        total -= sum(log_p[place - 1, ids[place]].item() for place in range(2, end))
    expected = total / math.log(2) / sum(len(each.text) for each in asked)
    assert assistant.question_bits(model, chat, asked) == pytest.approx(expected, rel=1e-5)


@pytest.mark.slow
def test_a_light_training_of_each_arm_trains_what_it_says():
    before = assistant.predictor()[0].state_dict()
    whole = sum(count_parameters(assistant.predictor()[0]).values())
    for name, version in assistant.VERSIONS.items():
        losses = []
        model, trained = assistant.fine_tune(name, 0, 2, lambda step, loss, losses=losses: losses.append(loss))
        assert len(losses) == 2
        assert trained == runs(name)[0]["trained"]
        after = model.state_dict()
        changed = {key for key, weights in before.items() if not torch.equal(after[key], weights)}
        assert (trained < whole / 10 and not changed) if version.rank else (trained == whole and len(changed) > 20)


def test_the_record_is_of_this_code():
    assert RECORD["settings"] == assistant.settings()
    assert [(run["version"], run["seed"]) for run in RECORD["runs"]] == [
        (version, seed) for seed in assistant.SEEDS for version in assistant.VERSIONS
    ]


def test_what_the_lesson_says_of_the_record():
    before, (answers, everything) = RECORD["before"], map(runs, ("answers", "everything"))
    assert before["test"][0] == before["stopped"][0] == 0
    assert all(run["stopped"][0] >= 298 for run in RECORD["runs"])
    lowest = min(assistant.interval(*run["test"]).low for run in answers)
    assert max(assistant.interval(*run["test"]).high for run in everything) < lowest
    assert max(run["question bits"] for run in everything) < 0.2 * min(run["question bits"] for run in answers)
    assert all(run["prose bits"] > 3 > 1.9 * before["prose bits"] for run in answers)
    assert all(run["prose bits"] < before["prose bits"] + 0.1 for run in runs("rehearsal"))
    assert all(run["trained"] < 0.02 * answers[0]["trained"] for run in runs("LoRA, rank 2"))
    for run in answers:
        shares = {kind: right / count for kind, (right, count) in run["kinds"].items()}
        assert min(shares, key=shares.get) == "word after"


@pytest.mark.slow
def test_the_model_answers_and_stops():
    model, _ = assistant.fine_tune(steps=assistant.STEPS)
    chat = assistant.predictor()[1]
    found = assistant.answers(model, chat, assistant.data().test)
    assert assistant.exact_match(found).value > 0.75
    assert sum(said.stopped for _, said in found) >= 295
    assert assistant.prose_bits(model, chat) > 2.5
    assert reply(model, chat, ["What type is [1, 2]?"]) == [Reply("list", True)]
