"""Stage B11: which model begins, what is kept of it, and what was recorded."""

import copy

import pytest
import torch
from torch import nn

from transformer_course.build_parts import GPT, LoRALinear, Tokenizer, answer_loss, chat_tokens, learning_rate
from transformer_course.experiments import own_assistant as assistant
from transformer_course.experiments import own_model as own
from transformer_course.experiments import preferred_answers, records
from transformer_course.export import open_model

SIZE = own.Size(2, 64, 8, 2, 1, steps=2)
MERGES = [("o", "d"), ("od", "d")]
RECORD = records.recorded("own_assistant")


def small(length: int = 64) -> assistant.Start:
    torch.manual_seed(0)
    tokenizer = Tokenizer(MERGES)
    size = own.Size(2, length, 8, 2, 1, steps=2)
    return assistant.Start(GPT(len(tokenizer), **size.gpt()).eval(), tokenizer, size, "a text")


def saved(begin: assistant.Start, merges=MERGES) -> None:
    own.file_of("mine").parent.mkdir(exist_ok=True)
    own.save(own.file_of("mine"), begin.model, Tokenizer(merges), vars(begin.size), characters=20_000)


def test_it_begins_with_the_model_of_the_stage_before(folder, capsys):
    begin = small(200)
    saved(begin)
    found = assistant.start("mine", GPT, Tokenizer)
    assert "mine, saved" in capsys.readouterr().out
    assert all(map(torch.equal, found.model.parameters(), begin.model.parameters()))
    assert found.read == "a text of 20,000 characters"


def test_where_it_cannot_do_it_the_shipped_model_takes_its_place_and_that_is_said(folder, capsys):
    cases = {
        "There is no model mine in your folder yet (stage B10 trains one). ": lambda: None,
        "mine sees 16 tokens at a time": lambda: saved(small(16)),
        "": lambda: own.file_of("mine").write_bytes(b"short"),
    }
    for begins, make in cases.items():
        make()
        found = assistant.start("mine", GPT, Tokenizer)
        assert len(found.tokenizer) == 1280
        lines = capsys.readouterr().out.splitlines()
        assert max(map(len, lines)) <= 100  # as wide as a page
        told = " ".join(lines)
        assert told.startswith(begins)
        assert told.endswith("So the course's model, prose, takes its place.")


def test_the_shipped_model_goes_on_as_it_does_elsewhere():
    begin = assistant.shipped(GPT, Tokenizer)
    model, tokenizer, _ = open_model("prose")
    text = "Return the number of items"
    assert begin.tokenizer.encode(text) == tokenizer.encode(text)
    with torch.no_grad():
        ids = torch.tensor([tokenizer.encode(text)])
        torch.testing.assert_close(begin.model(ids), model(ids))


def test_a_conversation_that_is_too_long_or_has_no_answer_is_refused():
    begin = small(16)
    with pytest.raises(ValueError, match=r"must have an answer to learn from, got '' for 'Why\?'; leave it out"):
        begin.rows([("Why?", "")], chat_tokens)
    with pytest.raises(ValueError, match=r"must fit into the 16 tokens that the model sees, got \d+ for 'Is 418 even"):
        begin.rows([("Is 418 even or odd?", "even")], chat_tokens)


def test_batches_have_the_same_places_of_each_list_and_each_once():
    rows = [[(list(range(1, 3 + n % 5)), [True] * (2 + n % 5)) for n in range(70)] for _ in range(2)]
    found = assistant.batches(*rows, seed=0)
    pairs = [next(found) for _ in range(3)]
    assert sum(len(ids) for (ids, _), _ in pairs) == 70
    assert all(torch.equal(one[0], other[0]) and one[1].dtype == torch.bool for one, other in pairs)


def test_a_reply_ends_with_end_or_at_its_limit():
    class Says(nn.Module):
        """Says "odd" after the mark, and `end` after that, if the question has an o."""

        def forward(self, ids):
            logits = torch.zeros(*ids.shape, 258)
            for row, place in torch.cartesian_prod(torch.arange(len(ids)), torch.arange(ids.shape[1])).tolist():
                says = 257 if ids[row, place] != 257 or ord("o") not in ids[row].tolist() else assistant.END
                logits[row, place, says] = 1
            return logits

    found = assistant.replies(Says(), Tokenizer(MERGES), ["no", "yes, please"], length=64, limit=3)
    assert found == [("odd", True), ("oddoddodd", False)]


def test_right_answers_in_either_form_count(monkeypatch):
    begin = small()
    asked = assistant.data().test[:4]
    said = [(asked[0].answer, True), (f"It is {asked[1].answer}.", True), (asked[2].answer, False), ("wrong", True)]
    monkeypatch.setattr(assistant.Start, "replies", lambda self, model, asked: said)
    assert begin.counted(begin.model, asked) == {"right": 2, "stopped": 3, "short": 2, "of": 4}


def test_lora_changes_nothing_at_first_trains_few_numbers_and_can_be_merged():
    begin = small()
    model, ids = copy.deepcopy(begin.model), torch.tensor([[1, 2, 3, 4]])
    trained = assistant.add_lora(model, LoRALinear, rank=2)
    assert trained == sum(weight.numel() for name, weight in model.named_parameters() if name.endswith((".a", ".b")))
    assert torch.equal(model(ids), begin.model(ids))
    for name, weight in model.named_parameters():
        if name.endswith(".b"):
            nn.init.normal_(weight)
    before = model(ids)
    assistant.merge_lora(model)
    torch.testing.assert_close(model(ids), before)
    assert model.state_dict().keys() == begin.model.state_dict().keys()


def test_the_next_session_opens_what_the_last_one_trained_and_a_page_answers_with_it(folder, capsys):
    begin = small(200)
    rows = begin.rows(assistant.demonstrations(assistant.data().train[:40]), chat_tokens)
    called = []

    def learn(model):
        called.append(model)
        found = assistant.batches(rows, seed=0)
        losses = []
        assistant.tune(
            model, lambda: answer_loss(model, *next(found)[0]), learning_rate, 30, 1e-2, lambda step, loss: losses.append(loss)
        )
        assert losses[-1] < losses[0]

    first = begin.trained("answers", begin.model, learn, answer_loss)
    again = begin.trained("answers", begin.model, learn, answer_loss)
    assert "Loaded what you trained" in capsys.readouterr().out
    assert len(called) == 1
    assert all(map(torch.equal, first.parameters(), again.parameters()))
    assert not torch.equal(first.output.weight, begin.model.output.weight)
    begin.trained("answers", begin.model, learn, chat_tokens)  # other code
    assert len(called) == 2
    _, tokenizer, about = open_model("B11-answers")
    assert about["chat"] == assistant.CHAT
    assert about["text"] == "a text"
    assert len(tokenizer) == 258


def test_only_the_wanted_versions_are_trained_and_each_prefers_what_it_was_shown(monkeypatch):
    monkeypatch.setattr(assistant, "STEPS", 2)
    begin = small(200)
    (_, before, *_), (version, after, trained, _) = assistant.versions(begin, 0, ("answers", "preference"))
    assert (version, trained) == ("preference", sum(weight.numel() for weight in begin.model.parameters()))
    was, now = (assistant.log_probs(begin, model) for model in (before, after))
    assert now["log p short"] - now["log p long"] > was["log p short"] - was["log p long"]


def test_what_is_recorded_belongs_to_this_code():
    assert RECORD["settings"] == assistant.settings()
    assert [run["version"] for run in RECORD["runs"]] == [*assistant.VERSIONS] * 6


@pytest.mark.parametrize("model", ["one minute", "prose"])
def test_the_record_says_what_the_stage_says(model):
    runs = {
        each: [run for run in RECORD["runs"] if (run["model"], run["version"]) == (model, each)] for each in assistant.VERSIONS
    }

    def of(version, name):
        return [run[name] for run in runs[version]]

    assert of("before", "right") == [0, 0, 0]
    assert min(of("answers", "right")) > max(of("LoRA", "right"))
    assert min(of("preference", "short")) > max(of("preference by coin", "short")) + 50
    lost = [before - after for before, after in zip(of("answers", "right"), of("preference", "right"), strict=True)]
    assert (min(lost), max(lost)) == {"one minute": (10, 27), "prose": (-3, 1)}[model]
    briefer = [more - fewer for more, fewer in zip(of("preference", "short"), of("short answers", "short"), strict=True)]
    assert max(briefer) <= 1 if model == "prose" else min(briefer) > 40


def test_what_is_recorded_of_pairs_belongs_to_this_code_and_says_what_the_lesson_says():
    record = records.recorded("preferred_answers")
    assert record["settings"] == preferred_answers.settings()
    changes = {
        form: [after[form] - before[form] for before, after in zip(record["answers"], record["preference"], strict=True)]
        for form in ("log p short", "log p long")
    }
    assert {form: (min(each), max(each)) for form, each in changes.items()} == {
        "log p short": pytest.approx((0.93, 1.18)),
        "log p long": pytest.approx((-2.94, -2.77)),
    }
