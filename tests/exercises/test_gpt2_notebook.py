"""The notebook on GPT-2: without a network it runs a small model, and the learner's class computes what GPT-2 does."""

import json
import shutil
from pathlib import Path

import pytest
import torch

from transformer_course import course, gpt2, weights
from transformer_course.authoring.build import notebook_of
from transformer_course.experiments import small_gpt2

REFERENCE = Path(__file__).parents[1] / "library" / "gpt2"
SOLUTION, TO_MINE = "def a_solution(", "def to_mine("


def run(mapped: bool = False) -> dict:
    """Run the notebook's cells; return what they define. If ``mapped``, the learner has written what the solution does."""
    (source,) = course.after_the_build()
    cells = [cell.source for cell in notebook_of(source).cells if cell.cell_type == "code"]
    (solution,) = (cell for cell in cells if cell.startswith(SOLUTION))
    names: dict = {}
    for cell in cells:
        exec(solution.replace(SOLUTION, TO_MINE) if mapped and cell.startswith(TO_MINE) else cell, names)
    return names


@pytest.fixture(autouse=True)
def no_network(monkeypatch, tmp_path):
    monkeypatch.setenv(gpt2.OFFLINE, "1")
    monkeypatch.chdir(tmp_path)


def test_without_a_network_it_says_what_it_runs_instead_and_goes_on(capsys):
    run()
    printed = capsys.readouterr().out
    assert "124,439,808 parameters, 31% of them in the token table" in printed
    assert "3 of 36 parameters have their weights. The next is positions.weight" in printed
    assert "GPT-2 is not here: vocab.json could not be downloaded" in printed
    assert "All of its parameters are random" in printed
    assert "by the solution, as your mapping does not fit yet" in printed
    assert "It's unbelievable, Zoë!" in printed
    assert "The best way to learn is" in printed
    assert "No completions of GPT-2 are recorded" in printed or "Recorded on" in printed


def test_a_mapping_that_fits_loads_the_weights(capsys):
    names = run(mapped=True)
    printed = capsys.readouterr().out
    assert "All 36 parameters fit" in printed
    assert "by your mapping" in printed
    reference = weights.read(small_gpt2.FOLDER / "reference.safetensors")[1]
    torch.testing.assert_close(names["model"](reference["tokens"]), reference["logits"], atol=1e-5, rtol=0)


def test_the_learners_class_computes_what_gpt2_does_with_and_without_a_cache():
    names = run()
    for name in "ab":
        notes, tensors = weights.read(REFERENCE / f"{name}.safetensors")
        sizes, tokens, logits = json.loads(notes["sizes"]), tensors.pop("tokens"), tensors.pop("logits")
        model = names["GPT2"](**sizes)
        published = {name.removeprefix("transformer."): tensor for name, tensor in tensors.items() if name != "lm_head.weight"}
        weights.copy_weights(model, names["a_solution"](published))
        torch.testing.assert_close(model(tokens), logits, atol=1e-5, rtol=0)
        caches = [{} for _ in model.blocks]
        steps = [model(tokens[:, i : i + 1], caches) for i in range(tokens.shape[1])]
        torch.testing.assert_close(torch.cat(steps, 1), logits, atol=1e-5, rtol=0)


def test_files_that_are_there_are_used(capsys, monkeypatch, tmp_path):
    (tmp_path / "models" / "gpt2").mkdir(parents=True)
    for path in small_gpt2.files().values():
        shutil.copy(path, tmp_path / "models" / "gpt2")
    monkeypatch.setattr(gpt2, "FILES", {name: gpt2._sha256(path) for name, path in small_gpt2.files().items()})
    monkeypatch.setattr(gpt2, "SIZES", small_gpt2.sizes())
    run()
    assert "GPT-2 is not here" not in capsys.readouterr().out
