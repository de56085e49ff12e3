"""Models of the Build's stages: when one is opened in place of training, and what the gallery shows."""

import json

import pytest
import torch
from torch import nn

from transformer_course._util import folder_record
from transformer_course.experiments import stage_models
from transformer_course.experiments.stage_models import Stage


class Table(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.table = nn.Embedding(width, width)

    def forward(self, tokens):
        return self.table(tokens)


class Doubled(Table):
    def forward(self, tokens):
        return 2 * self.table(tokens)


def step(model, optimizer, inputs, labels):
    return 1.0


def other_step(model, optimizer, inputs, labels):
    return 2.0


def stage(kind=Table, width=5, train_step=step, text="abc", steps=3, seed=0, name="three blocks") -> Stage:
    torch.manual_seed(seed)
    return Stage(name, kind(width), train_step, text, steps, {"width": width})


def train(stage: Stage) -> torch.Tensor:
    with torch.no_grad():
        stage.model.table.weight.fill_(7.0)
    return stage.model.table.weight


def test_the_next_session_opens_what_the_last_one_trained(folder, capsys):
    first = stage()
    assert not first.opened()
    learned = train(first)
    assert first.keep(2.5, " file.\n") == {"three blocks": 2.5}
    assert capsys.readouterr().out == "Saved as models/B4-three-blocks.safetensors.\n"
    notes = json.loads((folder / "models" / "B4-three-blocks.json").read_text())
    assert notes["measured"] == {"bits": 2.5, "writes": " file.\n"}
    assert (notes["settings"]["sizes"], notes["settings"]["tokenizer"]) == ({"width": 5}, "characters")
    second = stage()
    assert second.opened()
    assert torch.equal(second.model.table.weight, learned)
    assert not second.model.training  # its dropout is off
    assert "To train it again: delete models/B4-three-blocks.json, and run this cell again.\n" in capsys.readouterr().out
    second.keep(2.5, " file.\n")
    assert capsys.readouterr().out == ""  # not saved again


@pytest.mark.parametrize(
    "change",
    [{"kind": Doubled}, {"width": 6}, {"train_step": other_step}, {"text": "abd"}, {"steps": 4}, {"seed": 1}],
    ids=lambda change: next(iter(change)),
)
def test_whatever_decides_the_training_trains_again(folder, change):
    first = stage()
    train(first)
    first.keep(2.5, "")
    assert stage().opened()
    assert not stage(**change).opened()


def test_the_gallery_shows_what_was_trained_in_the_order_of_the_stages(folder, monkeypatch):
    stage_models.show("B10", "your own model", 1.5, " object <b>.")
    stage(name="byte pairs").keep(1.9, " name\nof the class")
    stage_models.show("Lesson 00", "version 0", 2.7, "x" * 500)
    monkeypatch.setattr(stage_models, "_written", {})  # another kernel
    stage(name="bigram table").keep(3.6, " th")
    shown = stage_models.gallery()
    assert [row[:3] for row in shown.rows] == [
        ("Lesson 00", "version 0", "2.70"),
        ("B1", "bigram table", "3.60"),
        ("B8", "byte pairs", "1.90"),
        ("B10", "your own model", "1.50"),
    ]
    assert [row[3] for row in shown.rows][1:] == [" th", " name ⏎ of the class", " object <b>."]
    assert "<b>Return the</b> object &lt;b&gt;." in shown._repr_html_()


def test_a_gallery_that_somebody_edited_loses_only_what_cannot_be_read(folder):
    entries = {"one head": 3.4, "four heads": {"stage": "B3", "bits": "3.2", "writes": ""}}
    for kept in ("nonsense", entries):
        (folder / folder_record.RECORD).write_text(json.dumps({"gallery": kept}), encoding="utf-8")
        assert stage_models.gallery().rows == []
