"""Talking to a model: what is asked, what is written and when, and how it ends."""

import builtins
import re

import pytest
import torch
from jupyter_client.manager import start_new_kernel
from torch import nn

from transformer_course import build_parts
from transformer_course.byte_pairs import BytePairs
from transformer_course.experiments import talking
from transformer_course.experiments.talking import talk
from transformer_course.export import Chat

SIZES = {"max_length": 6, "d_model": 8, "num_heads": 2, "num_layers": 2, "d_ff": 16}
BYTES = BytePairs([])


class Spells(nn.Module):
    """Writes a text, byte by byte, whatever it reads; ``calls`` is how many tokens it read each time."""

    def __init__(self, text: str):
        super().__init__()
        self.anything = nn.Parameter(torch.zeros(1))
        self.rest, self.calls = [*text.encode()], []

    def forward(self, ids):
        self.calls.append(ids.shape[1])
        logits = torch.full((*ids.shape, 256), -1e4)
        logits[0, -1, self.rest.pop(0)] = 0
        return logits


@pytest.fixture
def typed(monkeypatch):
    """What somebody types, line by line; an exception is raised in its place."""
    lines: list = []

    def read(prompt):
        line = lines.pop(0)
        if isinstance(line, type):
            raise line
        return line

    monkeypatch.setattr(builtins, "input", read)
    return lines


def test_each_line_is_continued_until_an_empty_one(typed, capsys):
    typed += ["Zoë ", "and", ""]
    model = Spells("läuft so on.")
    talk(model.train(), BYTES, count=6)  # six bytes each: ä has two
    asks, *written = capsys.readouterr().out.splitlines()
    assert "An empty line ends it" in asks
    assert written == ["Zoë läuft", "", "and so on", ""]
    assert typed == []
    assert model.training


def test_a_token_is_shown_as_soon_as_it_is_a_whole_character(capsys):
    model, seen = Spells("aé🎏b"), []
    model.register_forward_pre_hook(lambda *_: seen.append(capsys.readouterr().out))
    talk(model, BYTES, "x", count=8)
    assert seen == ["x", "a", "", "é", "", "", "", "🎏"]


def test_an_interruption_keeps_what_was_written_and_ends_quietly(capsys):
    model = Spells("abc")

    def interrupt(*_):
        if len(model.rest) == 1:
            raise KeyboardInterrupt

    model.register_forward_pre_hook(interrupt)
    talk(model.train(), BYTES, "x", "never", count=3)
    assert capsys.readouterr().out == "xab\n(stopped)\n"
    assert model.training


def test_so_does_one_while_it_waits_for_a_line(typed, capsys):
    typed += [KeyboardInterrupt]
    talk(Spells(""), BYTES)
    assert capsys.readouterr().out.endswith("\n(stopped)\n")


@pytest.mark.parametrize("nobody", [EOFError, OSError, NotImplementedError])
def test_where_nobody_can_type_it_writes_one_text(typed, capsys, nobody):
    typed += [nobody]
    talk(Spells("abc"), BYTES, count=3)
    assert capsys.readouterr().out.endswith(f"{talking.BEGINNING}abc\n\n")


def test_in_a_chat_each_question_has_an_answer_that_ends(typed, capsys):
    typed += ["1?", "2?", EOFError]
    model = Spells("")
    model.rest = [*b" odd", 253, *b" even", 253, *b" x", 253]
    talk(model, BYTES, chat=Chat([254], [255], [253], alone=True))
    asks, *written = capsys.readouterr().out.splitlines()
    assert asks.startswith("Type a question")
    assert written == ["1?", " odd", "", "2?", " even", "", talking.QUESTION, " x", ""]
    assert model.calls[:6] == [4, 5, 6, 7, 8, 4]


def test_a_model_sees_no_more_than_its_positions():
    model = Spells("a" * 20)
    model.positions = nn.Embedding(6, 8)
    talk(model, BYTES, "xyz", count=9)
    assert model.calls == [3, 4, 5, 6, 6, 6, 6, 6, 6]


def test_with_a_cache_the_text_is_the_same_until_it_is_full_and_goes_on_after_that(capsys):
    torch.manual_seed(0)
    plain, cached = build_parts.GPT(256, **SIZES), build_parts.CachedGPT(256, **SIZES)
    cached.load_state_dict(plain.state_dict())
    written = []
    for model in (plain, cached):
        talk(model, BYTES, "xy", count=5, seed=1)
        written.append(capsys.readouterr().out)
    assert written[0] == written[1]
    read = []
    cached.register_forward_pre_hook(lambda _, given: read.append(given[0].shape[1]))
    talk(cached, BYTES, "xy", "a long beginning", count=8, seed=1)
    assert read == [2, 1, 1, 1, 1, 3, 1, 1, 6, 3, 1, 1, 1, 3, 1, 1]


def test_a_seed_repeats_a_text(capsys):
    torch.manual_seed(0)
    model, written = build_parts.GPT(256, **SIZES), []
    for seed in (1, 1, 2):
        talk(model, BYTES, "x", count=20, seed=seed)
        written.append(capsys.readouterr().out)
    assert written[0] == written[1] != written[2]


@pytest.mark.parametrize(
    ("wrong", "says"), [({"count": 0}, "count must be"), ({"temperature": 0}, "temperature"), ({"top_p": 2}, "top_p")]
)
def test_a_setting_that_makes_no_sense_is_refused_before_anything_is_asked(wrong, says):
    with pytest.raises(ValueError, match=says):
        talk(Spells(""), BYTES, **wrong)


def test_a_beginning_without_a_token_is_refused():
    class Silent:
        def encode(self, text):
            return []

    with pytest.raises(ValueError, match="makes no token of 'x'"):
        talk(Spells(""), Silent(), "x")


SLOWLY = """
import time, torch
from torch import nn
from transformer_course.byte_pairs import BytePairs
from transformer_course.experiments.talking import talk

class Slow(nn.Module):
    def __init__(self):
        super().__init__()
        self.anything = nn.Parameter(torch.zeros(1))

    def forward(self, ids):
        time.sleep(0.05)
        logits = torch.full((1, 1, 256), -1e4)
        logits[..., ord("a")] = 0
        return logits

talk(Slow(), BytePairs([]), count=100_000)
print("the cell goes on")
"""


@pytest.mark.slow
def test_in_a_kernel_a_line_is_typed_the_text_streams_and_an_interruption_keeps_it():
    manager, client = start_new_kernel(startup_timeout=600)
    try:
        client.execute(SLOWLY, allow_stdin=True)
        client.get_stdin_msg(timeout=600)
        client.input("Zoë ")
        shown = ""
        while not shown.endswith("aaaaa"):
            shown += client.get_iopub_msg(timeout=600)["content"].get("text", "")
        manager.interrupt_kernel()
        while not shown.endswith("the cell goes on\n"):
            message = client.get_iopub_msg(timeout=600)
            assert message["msg_type"] != "error", message["content"]
            shown += message["content"].get("text", "")
        assert re.search(r"Zoë a{5,}\n\(stopped\)\nthe cell goes on\n$", shown)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
