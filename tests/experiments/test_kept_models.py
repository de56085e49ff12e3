"""Models that learners have trained: kept in their folder, and loaded only where the same training would be repeated."""

import json

import pytest
import torch

from transformer_course.data.split import Split
from transformer_course.embedding import Vocabulary
from transformer_course.experiments import effort, kept_models, name_models, vit_digits
from transformer_course.experiments.kept_models import Kept
from transformer_course.family import GPT
from transformer_course.transformer import TransformerConfig

SETTINGS = {"steps": 3, "sizes": (1, 2)}


@pytest.fixture
def train():
    """What trains a model, and counts how often it was asked to."""

    def make() -> Kept:
        make.calls += 1
        sizes = {"d_model": 4, "num_heads": 1, "num_layers": 1, "d_ff": 4}
        return Kept(GPT(TransformerConfig(**sizes, vocabulary_size=5)), {"text": Vocabulary("a")}, {"bits": 2.5})

    make.calls = 0
    return make


def trained(train, settings=SETTINGS, again=False) -> Kept:
    return kept_models.trained("tiny", settings, train, again, "train(again=True)")


def weights_of(kept: Kept) -> torch.Tensor:
    return torch.nn.utils.parameters_to_vector(kept.model.parameters())


def test_the_same_training_is_loaded_and_says_how_to_repeat_it(folder, train, capsys):
    first = trained(train)
    assert capsys.readouterr().out == "Saved as models/tiny.safetensors.\n"
    notes = json.loads((folder / "models" / "tiny.json").read_text())
    (folder / "models" / "tiny.json").write_text(json.dumps(notes | {"trained": "2026-03-01"}))
    loaded = trained(train)
    assert train.calls == 1
    assert torch.equal(weights_of(loaded), weights_of(first))
    assert (loaded.vocabularies["text"].tokens, loaded.measured) == (first.vocabularies["text"].tokens, {"bits": 2.5})
    said = "Loaded what you trained on 1 March 2026 (models/tiny.safetensors). To train it again: train(again=True)\n"
    assert capsys.readouterr().out == said


def test_another_training_is_not_taken_for_it(folder, train):
    trained(train)
    trained(train, SETTINGS | {"steps": 4})
    assert train.calls == 2
    trained(train, SETTINGS | {"steps": 4}, again=True)
    assert train.calls == 3
    trained(train, SETTINGS | {"steps": 4, "sizes": (1, 3)})
    assert train.calls == 4


def test_fewer_steps_of_the_same_training_do_not_replace_more(folder, train):
    full = trained(train)
    assert torch.equal(weights_of(trained(train, SETTINGS | {"steps": 1})), weights_of(full))
    assert train.calls == 1
    trained(train, SETTINGS | {"steps": 1, "sizes": (1, 3)})
    assert train.calls == 2


@pytest.mark.parametrize("damage", ["{", "[]", '{"settings": {"steps": 3, "sizes": [1, 2]}}', None])
def test_damaged_notes_and_lost_weights_are_told_and_the_model_trained_again(folder, train, damage, capsys):
    trained(train)
    if damage:
        (folder / "models" / "tiny.json").write_text(damage)
    else:
        (folder / "models" / "tiny.safetensors").unlink()
    capsys.readouterr()
    trained(train)
    assert train.calls == 2
    reason = "" if damage else "FileNotFoundError), so it is trained again.\n"
    assert capsys.readouterr().out.startswith(f"models/tiny.safetensors cannot be used ({reason}")


def test_outside_a_learners_folder_nothing_is_kept(tmp_path, monkeypatch, train, capsys):
    monkeypatch.chdir(tmp_path)
    trained(train), trained(train)
    assert (train.calls, capsys.readouterr().out, [*tmp_path.iterdir()]) == (2, "", [])


def test_what_cannot_be_saved_is_told_and_works(folder, train, capsys):
    (folder / "models").write_text("a file where the folder should be")
    assert trained(train).measured == {"bits": 2.5}
    assert capsys.readouterr().out.startswith("The model could not be saved (")


def test_lesson_18_keeps_its_three_models_and_no_others(folder, monkeypatch):
    monkeypatch.setattr(effort, "steps", lambda full: 1)
    names = name_models.Names([(["A", "B"], "Lu")] * 64, [], Vocabulary(["A", "B"], name_models.SPECIALS))
    digits = Split((torch.zeros(64, 8, 8), torch.zeros(64, dtype=torch.long)), None)
    for learn in (name_models.train_gpt, name_models.train_bert):
        learn(names, steps=2), learn(names, seed=1)
        assert not any((folder / "models").glob(f"*{learn.__name__[6:]}*"))
        assert torch.equal(*(torch.nn.utils.parameters_to_vector(learn(names).parameters()) for _ in range(2)))
    vit_digits.train_vit(digits, steps=2), vit_digits.train_vit(digits)
    kept = {path.name for path in (folder / "models").iterdir()}
    assert kept == {f"lesson-18-{kind}.{end}" for kind in ("gpt", "bert", "vit") for end in ("json", "safetensors")}


def test_a_training_that_ended_in_nan_is_told_and_leaves_the_last_model(folder, train, capsys):
    kept = trained(train)
    broken = train()
    torch.nn.init.constant_(next(broken.model.parameters()), float("nan"))
    kept_models.keep("tiny", SETTINGS, broken)
    assert "could not be saved (some weights are not finite); it works" in capsys.readouterr().out
    found = kept_models.load("tiny", SETTINGS, "")
    assert all(map(torch.equal, found.model.parameters(), kept.model.parameters()))
