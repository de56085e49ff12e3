"""Saving and loading models."""

import json
import re

import pytest
import safetensors.torch
import torch
import twins
from torch import nn
from training_data import CONFIG, SIZES

from transformer_course.embedding import Vocabulary
from transformer_course.family import BERT, GPT, ViT, ViTConfig
from transformer_course.training import load, save
from transformer_course.transformer import Transformer, TransformerConfig
from transformer_course.weights import copy_weights

MODELS = [
    Transformer(CONFIG),
    GPT(CONFIG),
    BERT(TransformerConfig(**SIZES)),
    ViT(ViTConfig(d_model=8, num_heads=2, num_layers=1)),
]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_a_saved_model_comes_back_with_its_vocabularies(model, tmp_path):
    vocabulary = Vocabulary("ab", specials=["[PAD]", "[CLS]", "[SEP]", "[UNK]", "[MASK]"])
    save(model, tmp_path / "model.safetensors", source=vocabulary, target=Vocabulary("国c"))
    again, vocabularies = load(str(tmp_path / "model.safetensors"))
    assert type(again) is type(model)
    assert again.config == model.config
    assert not again.training
    torch.testing.assert_close(again.state_dict(), model.state_dict(), rtol=0, atol=0)
    assert vocabularies["source"].tokens == vocabulary.tokens
    assert vocabularies["source"].specials == vocabulary.specials
    assert vocabularies["target"].tokens[4:] == ("国", "c")
    assert [file.name for file in tmp_path.iterdir()] == ["model.safetensors"]


def test_half_halves_the_file_and_rounds(tmp_path):
    model = Transformer(CONFIG)
    save(model, tmp_path / "whole")
    save(model, tmp_path / "half", half=True)
    again, _ = load(tmp_path / "half")
    assert (tmp_path / "half").stat().st_size < 0.6 * (tmp_path / "whole").stat().st_size
    assert again.output.weight.dtype == torch.float32
    torch.testing.assert_close(again.output.weight, model.output.weight, rtol=1e-3, atol=1e-6)
    assert next(model.parameters()).dtype == torch.float32  # the model itself is not touched


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "model"
    save(MODELS[0], path)
    before = path.read_bytes()
    monkeypatch.setattr("os.replace", lambda *a: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        save(MODELS[1], path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_files_that_are_cut_short_or_not_ours_or_of_another_configuration_are_told(tmp_path):
    path = tmp_path / "model"
    save(MODELS[0], path)
    whole = path.read_bytes()
    with safetensors.safe_open(path, framework="pt") as file:
        notes, weights = json.loads(file.metadata()["transformer-course"]), safetensors.torch.load(whole)

    def told(content: bytes) -> str:
        path.write_bytes(content)
        with pytest.raises(ValueError, match=re.escape(str(path))) as error:
            load(path)
        return str(error.value)

    def as_written(weights=weights, **changes) -> bytes:
        return safetensors.torch.save(weights, {"transformer-course": json.dumps({**notes, **changes})})

    load(path)
    assert "cut short or not a safetensors file" in told(whole[: len(whole) // 2])
    assert "cut short or not a safetensors file" in told(b"")
    assert "cut short or not a safetensors file" in told(b"PK" + whole)
    assert "not written by this course's save" in told(safetensors.torch.save(weights))
    assert "not written by this course's save" in told(as_written(model="Mamba"))
    assert "not written by this course's save" in told(as_written(config={**notes["config"], "d_model": 0}))
    assert "not written by this course's save" in told(as_written(config={**notes["config"], "experts": 8}))
    wider = told(as_written(config={**notes["config"], "d_ff": 64}))
    assert "encoder.layers.0.feed_forward.w_1.weight is (32, 16), expected (64, 16)" in wider
    less = told(as_written(weights={name: w for name, w in weights.items() if name != "output.weight"}))
    assert "output.weight is missing, expected (9, 16)" in less
    assert "d_model" in told(as_written(config={**notes["config"], "d_model": "16"}))
    huge = told(as_written(config={**notes["config"], "d_model": 2**20, "num_heads": 1, "max_length": 2}))
    assert "does not fit its own configuration" in huge  # and no memory was taken for it
    assert "not written by this course's save" in told(as_written(vocabularies=[]))
    with pytest.raises(FileNotFoundError, match="no weights file at"):
        load(tmp_path / "elsewhere")
    with pytest.raises(ValueError, match=r"save supports Transformer, GPT, BERT, ViT, got Linear; .* use torch.save"):
        save(nn.Linear(2, 2), path)


def test_models_that_are_no_longer_what_their_config_says_are_told(tmp_path):
    class GPT(nn.Module):  # a learner's own
        config = CONFIG

    for model, message in [
        (twins.torch_transformer(d_model=8, nhead=2), "save supports Transformer, GPT, BERT, ViT, got Transformer"),
        (GPT(), "got GPT"),
    ]:
        with pytest.raises(ValueError, match=message):
            save(model, tmp_path / "model")
    model = Transformer(CONFIG)
    model.output.weight = model.target.embedding.table
    with pytest.raises(ValueError, match=r"no longer matches its config: output.weight is missing, expected \(9, 16\)"):
        save(model, tmp_path / "model")
    model = Transformer(CONFIG)
    with torch.no_grad():
        model.output.weight[0, 0] = 1e6
    save(model, tmp_path / "whole")
    with pytest.raises(ValueError, match="not finite in 16 bits, where the largest number is 65,504"):
        save(model, tmp_path / "model", half=True)
    with pytest.raises(ValueError, match="text must be a Vocabulary, got str"):
        save(model, tmp_path / "model", text="abc")
    assert [file.name for file in tmp_path.iterdir()] == ["whole"]


def test_loading_draws_no_random_number(tmp_path):
    save(Transformer(CONFIG), tmp_path / "model")
    torch.manual_seed(0)
    expected = torch.rand(3)
    torch.manual_seed(0)
    load(tmp_path / "model")
    assert torch.equal(torch.rand(3), expected)


def test_weights_are_copied_by_name():
    model, other = Transformer(CONFIG), twins.scatter_parameters(Transformer(CONFIG)).float()
    copy_weights(model, dict(other.named_parameters()))
    torch.testing.assert_close(model.state_dict(), other.state_dict(), rtol=0, atol=0)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda weights: weights.pop("output.weight"), r"output.weight is missing, expected \(9, 16\)"),
        (lambda weights: weights.update(more=torch.ones(2)), r"more is \(2,\), expected no parameter of that name"),
        (
            lambda weights: weights.update({"output.weight": torch.ones(3, 16)}),
            r"output.weight is \(3, 16\), expected \(9, 16\)",
        ),
    ],
)
def test_weights_that_do_not_fit_are_refused_and_nothing_is_copied(change, told):
    model, weights = Transformer(CONFIG), dict(twins.scatter_parameters(Transformer(CONFIG)).named_parameters())
    before = {name: parameter.clone() for name, parameter in model.named_parameters()}
    change(weights)
    with pytest.raises(
        ValueError, match=f"these weights do not fit this Transformer: {told}; was it built with another config"
    ):
        copy_weights(model, weights)
    torch.testing.assert_close(dict(model.named_parameters()), before, rtol=0, atol=0)
