"""The command finds what the stages have saved, and what the course ships."""

import pytest
import torch
from command_line import said

from transformer_course import build_parts, models
from transformer_course._util import folder_record
from transformer_course.data.python_docs import CHARACTERS
from transformer_course.experiments import own_model, stage_models
from transformer_course.export import open_model

GPT_SIZES = {"vocabulary_size": len(CHARACTERS), "max_length": 8, "d_model": 8, "num_heads": 2, "d_ff": 8}
LLAMA_SIZES = {"vocabulary_size": 96, "num_groups": 1, "d_model": 8, "num_heads": 2, "num_layers": 1, "d_ff": 8}
MERGES = [["a", "b"]]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A learner's folder with a model of each stage that saves one."""
    (tmp_path / "notebooks").mkdir()
    folder_record.write_record(tmp_path, {})
    monkeypatch.chdir(tmp_path / "notebooks")
    monkeypatch.setattr(stage_models.ladder, "_own", {})
    monkeypatch.setattr(stage_models, "_written", {})

    def keep(name, model, sizes, merges=None):
        stage_models.Stage(name, model, len, "text", 3, sizes, merges).keep(2.5, "written")

    keep("three blocks", build_parts.GPT(num_layers=3, **GPT_SIZES), GPT_SIZES)
    sizes = GPT_SIZES | {"vocabulary_size": 257, "num_layers": 2}
    keep("byte pairs", build_parts.GPT(**sizes), sizes, MERGES)
    keep("three Llama blocks", build_parts.Llama(**LLAMA_SIZES), LLAMA_SIZES)
    keep("bigram table", build_parts.Bigram(96), {"vocabulary_size": 96})
    size = own_model.Size(1, 8, 8, 2, 1, steps=2)
    model = build_parts.GPT(257, **size.gpt())
    own_model.save(
        tmp_path / "models" / "my-model.safetensors", model, build_parts.Tokenizer(MERGES), vars(size), characters=9876
    )
    return tmp_path


def test_each_model_that_a_stage_saves_becomes_a_file(folder):
    for name in ("B4-three-blocks", "B8-byte-pairs", "B9-three-Llama-blocks", "my-model"):
        assert "Open it in a browser" in said("export", name, "out.html", "--by", "Ada")
        page = (folder / "notebooks" / "out.html").read_text(encoding="utf-8")
        assert f"<h1>{name}</h1>" in page
        assert "Ada wrote this one" in page
    assert "a text of 9,876 characters" in page


def test_what_is_no_such_model_is_told(folder, snapshot):
    (folder / "models" / "cut.safetensors").write_bytes(b"short")
    (folder / "models" / "B4-three-blocks.json").unlink()
    told = {name: said("export", name, "out.html", status=1) for name in ("B1-bigram-table", "B4-three-blocks", "cut", "B7")}
    assert {name: text.replace(str(folder), "…") for name, text in told.items()} == snapshot


@pytest.mark.parametrize("name", ["prose", pytest.param("prose-large", marks=pytest.mark.slow)])
def test_the_shipped_models_open_as_the_builds_own_class(name):
    model, tokenizer, about = open_model(name)
    theirs, vocabularies = models.load(name)
    first = len(vocabularies["text"].specials)
    ids = torch.tensor([tokenizer.encode("\nReturn the name")])
    with torch.no_grad():
        torch.testing.assert_close(model(ids), theirs(ids + first)[..., first:], atol=1e-4, rtol=0)
    assert about["text"]
