"""The notebook on GPT-2: the learner's class computes what GPT-2 does, and without a network it ends without an error."""

import json
from pathlib import Path

import pytest
import safetensors.torch
import torch

from transformer_course import course, gpt2, weights
from transformer_course.authoring.build import notebook_of

REFERENCE = Path(__file__).parents[1] / "library" / "gpt2"


def run() -> dict:
    """Run the notebook's cells; return what they define."""
    (source,) = course.after_the_build()
    names: dict = {}
    for cell in notebook_of(source).cells:
        if cell.cell_type == "code":
            exec(cell.source, names)
    return names


def no_network() -> dict[str, Path]:
    raise OSError("vocab.json could not be downloaded (ConnectError: no route to host); try again with a network")


def test_without_a_network_it_says_so_and_ends_without_an_error(monkeypatch, capsys):
    monkeypatch.setattr(gpt2, "download", no_network)
    run()
    printed = capsys.readouterr().out
    assert "124,439,808 parameters, 31% of them in the token table" in printed
    assert "GPT-2 is not here: vocab.json could not be downloaded (ConnectError: no route to host)" in printed


@pytest.mark.parametrize("name", ["a", "b"])
def test_the_learners_class_computes_what_gpt2_does(name, monkeypatch):
    monkeypatch.setattr(gpt2, "download", no_network)
    make = run()["GPT2"]
    notes, tensors = weights.read(REFERENCE / f"{name}.safetensors")
    sizes, tokens, logits = json.loads(notes["sizes"]), tensors.pop("tokens"), tensors.pop("logits")
    model = make(**sizes, d_ff=4 * sizes["d_model"])
    gpt2.load_weights(model, tensors)
    torch.testing.assert_close(model(tokens), logits, atol=1e-5, rtol=0)


def test_with_the_files_every_cell_runs_and_it_writes(monkeypatch, capsys, tmp_path):
    notes, tensors = weights.read(REFERENCE / "b.safetensors")
    published = {name.removeprefix("transformer."): tensor for name, tensor in tensors.items() if "." in name}
    safetensors.torch.save_file(published, tmp_path / "model.safetensors")
    files = {name: REFERENCE / name for name in gpt2.FILES} | {"model.safetensors": tmp_path / "model.safetensors"}
    monkeypatch.setattr(gpt2, "download", lambda: files)
    monkeypatch.setattr(gpt2, "SIZES", json.loads(notes["sizes"]))
    run()
    printed = capsys.readouterr().out
    assert "h.0.attn.c_attn.weight (24, 72)" in printed
    assert "It's unbelievable, Zoë!" in printed
    assert "The best way to learn is" in printed
