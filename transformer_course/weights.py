"""Files of weights: a model, its configuration and its vocabularies in one safetensors file."""

import json
from dataclasses import asdict
from pathlib import Path

import safetensors.torch
import torch
from torch import nn

from transformer_course._util.files import write_whole
from transformer_course.config import TransformerConfig
from transformer_course.embedding import Vocabulary
from transformer_course.family import BERT, GPT, ViT, ViTConfig
from transformer_course.transformer import Transformer

MODELS = {"Transformer": (Transformer, TransformerConfig), "GPT": (GPT, TransformerConfig)}
MODELS |= {"BERT": (BERT, TransformerConfig), "ViT": (ViT, ViTConfig)}
NOTES = "transformer-course"  # the entry of the file's header that holds everything but the weights


def save(model: Transformer | GPT | BERT | ViT, path: str | Path, *, half: bool = False, **vocabularies: Vocabulary) -> None:
    """Write a model's weights to a safetensors file, with its config and its vocabularies: all that `load` needs.

    ``half`` rounds the weights to 16 bits, which halves the file. The file is written whole or not at all.

    Raises ValueError for any other kind of model, one that its config no longer describes, and weights that have no 16
    bits; and OSError when the file cannot be written.
    """
    kind = type(model).__name__
    if type(model) is not MODELS.get(kind, (None,))[0]:
        raise ValueError(f"save knows {', '.join(MODELS)}, saw {kind}; for others, use torch.save(model.state_dict(), path)")
    for name, vocabulary in vocabularies.items():
        if not isinstance(vocabulary, Vocabulary):
            raise ValueError(f"{name} should be a Vocabulary, saw {type(vocabulary).__name__}")
    if wrong := _first_difference(_shapes(model), _shapes_of(kind, model.config)):
        raise ValueError(f"this {kind} is no longer what its config says: {wrong}")
    tokens = {name: {"tokens": v.tokens, "specials": len(v.specials)} for name, v in vocabularies.items()}
    notes = {"model": kind, "config": asdict(model.config), "vocabularies": tokens}
    weights = {name: (p.half() if half else p).detach().contiguous() for name, p in model.named_parameters()}
    if not all(weight.isfinite().all() for weight in weights.values()):
        raise ValueError("some weights are not finite" + (" in 16 bits, where 65,504 is the largest number" if half else ""))
    write_whole(Path(path), safetensors.torch.save(weights, {NOTES: json.dumps(notes)}))


def load(path: str | Path) -> tuple[Transformer | GPT | BERT | ViT, dict[str, Vocabulary]]:
    """Make the model that `save` wrote, in float32 and ready to be read, and its vocabularies by their names.

    Raises FileNotFoundError, and ValueError when the file is cut short, is not one of ours, or holds the weights of
    another configuration than it says.
    """
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(f"there is no file of weights at {path}")
    try:
        with safetensors.safe_open(path, framework="pt") as file:
            notes = json.loads((file.metadata() or {})[NOTES])
            weights = {name: file.get_tensor(name).float() for name in file.keys()}  # noqa: SIM118 (not a mapping)
        make, config_class = MODELS[notes["model"]]
        config = config_class(**notes["config"])
        expected = _shapes_of(notes["model"], config)
        vocabularies = {
            name: Vocabulary(v["tokens"][v["specials"] :], v["tokens"][: v["specials"]])
            for name, v in notes["vocabularies"].items()
        }
    except safetensors.SafetensorError as error:
        raise ValueError(f"{path} is cut short or not a safetensors file ({error}); fetch or make it again") from None
    except (AttributeError, KeyError, RecursionError, RuntimeError, TypeError, ValueError) as error:
        raise ValueError(f"{path} was not written by this course's save: {error!r}") from None
    if wrong := _first_difference({name: tuple(w.shape) for name, w in weights.items()}, expected):
        raise ValueError(f"{path} does not fit its own configuration: {wrong}")
    with torch.random.fork_rng(devices=[]), torch.no_grad():  # what the model draws at its start is not used
        model = make(config).float()
        for name, parameter in model.named_parameters():
            parameter.copy_(weights[name])
    return model.eval(), vocabularies


def _shapes(model: nn.Module) -> dict[str, tuple[int, ...]]:
    return {name: tuple(parameter.shape) for name, parameter in model.named_parameters()}


def _shapes_of(kind: str, config: TransformerConfig | ViTConfig) -> dict[str, tuple[int, ...]]:
    with torch.device("meta"):  # takes no memory, however large a file says its model is
        return _shapes(MODELS[kind][0](config))


def _first_difference(seen: dict[str, tuple[int, ...]], expected: dict[str, tuple[int, ...]]) -> str:
    for name in {**expected, **seen}:
        if seen.get(name) != expected.get(name):
            return f"{name} is {seen.get(name, 'missing')}, expected {expected.get(name, 'nothing of that name')}"
    return ""
