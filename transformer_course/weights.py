"""Weights files: a model, its configuration and its vocabularies in one safetensors file."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

import safetensors.torch
import torch
from torch import Tensor, nn

from transformer_course._util.files import write_whole
from transformer_course.config import TransformerConfig
from transformer_course.embedding import Vocabulary
from transformer_course.family import BERT, GPT, ViT, ViTConfig
from transformer_course.transformer import Transformer

MODELS = {"Transformer": (Transformer, TransformerConfig), "GPT": (GPT, TransformerConfig)}
MODELS |= {"BERT": (BERT, TransformerConfig), "ViT": (ViT, ViTConfig)}
NOTES = "transformer-course"  # the entry of the file's header that holds everything except the weights
STAGE_NAMES = {  # of the library's parts, and of the learner's
    "input.embedding.table": "tokens.weight",
    "input.positions.table": "positions.weight",
    "stack.layers": "blocks",
    "self_attention": "attention",
    "attention_residual.norm": "norm_1",
    "feed_forward_residual.norm": "norm_2",
    "stack.norm": "final_norm",
}


def save(model: Transformer | GPT | BERT | ViT, path: str | Path, *, half: bool = False, **vocabularies: Vocabulary) -> None:
    """Save a model's weights to a safetensors file, with its config and vocabularies, which `load` also needs.

    ``half`` rounds the weights to 16 bits, which halves the size of the file. The file is written completely or not at all.

    Raises ValueError for any other kind of model, for one that no longer matches its config, and for weights that are not
    finite (in 16 bits, if ``half``). Raises OSError if the file cannot be written.
    """
    kind = type(model).__name__
    if type(model) is not MODELS.get(kind, (None,))[0]:
        raise ValueError(
            f"save supports {', '.join(MODELS)}, got {kind}; for others, use torch.save(model.state_dict(), path)"
        )
    for name, vocabulary in vocabularies.items():
        if not isinstance(vocabulary, Vocabulary):
            raise ValueError(f"{name} must be a Vocabulary, got {type(vocabulary).__name__}")
    if wrong := _first_difference(_shapes(model), _shapes_of(kind, model.config)):
        raise ValueError(f"this {kind} no longer matches its config: {wrong}")
    tokens = {name: {"tokens": v.tokens, "specials": len(v.specials)} for name, v in vocabularies.items()}
    notes = {"model": kind, "config": asdict(model.config), "vocabularies": tokens}
    save_parameters(model, path, {NOTES: json.dumps(notes)}, half=half)


def save_parameters(
    model: nn.Module, path: str | Path, metadata: Mapping[str, str] | None = None, *, half: bool = False
) -> None:
    """Save the parameters of any module by their names, for `read` and `copy_weights`, completely or not at all.

    Raises ValueError for weights that are not finite (in 16 bits, if ``half``), and OSError if the file cannot be written.
    """
    weights = {name: (p.half() if half else p).detach().contiguous() for name, p in model.named_parameters()}
    if not all(weight.isfinite().all() for weight in weights.values()):
        raise ValueError("some weights are not finite" + (" in 16 bits, where the largest number is 65,504" if half else ""))
    write_whole(Path(path), safetensors.torch.save(weights, metadata))


def load(path: str | Path) -> tuple[Transformer | GPT | BERT | ViT, dict[str, Vocabulary]]:
    """Load the model that `save` wrote, in float32 and evaluation mode, and its vocabularies by name.

    Raises FileNotFoundError if there is no file, and ValueError if it is cut short, was not written by `save`, or holds
    weights that do not fit its own configuration.
    """
    metadata, weights = read(path)
    weights = {name: weight.float() for name, weight in weights.items()}
    try:
        notes = json.loads(metadata[NOTES])
        make, config_class = MODELS[notes["model"]]
        config = config_class(**notes["config"])
        expected = _shapes_of(notes["model"], config)
        vocabularies = {
            name: Vocabulary(v["tokens"][v["specials"] :], v["tokens"][: v["specials"]])
            for name, v in notes["vocabularies"].items()
        }
    except (AttributeError, KeyError, RecursionError, RuntimeError, TypeError, ValueError) as error:
        raise ValueError(f"{path} was not written by this course's save: {error!r}") from None
    if wrong := _first_difference({name: tuple(w.shape) for name, w in weights.items()}, expected):
        raise ValueError(f"{path} does not fit its own configuration: {wrong}")
    with torch.random.fork_rng(devices=[]):  # the random initialisation is overwritten
        model = make(config).float()
    copy_weights(model, weights)
    return model.eval(), vocabularies


def read(path: str | Path) -> tuple[dict[str, str], dict[str, Tensor]]:
    """Return the metadata and the tensors of any safetensors file, by name.

    Raises FileNotFoundError if there is no file, and ValueError if it is cut short or is not a safetensors file.
    """
    if not Path(path).is_file():
        raise FileNotFoundError(f"there is no weights file at {path}")
    try:
        with safetensors.safe_open(path, framework="pt") as file:
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (not a mapping)
            return file.metadata() or {}, tensors
    except safetensors.SafetensorError as error:
        raise ValueError(f"{path} is cut short or not a safetensors file ({error}); download or create it again") from None


def copy_weights(model: nn.Module, weights: Mapping[str, Tensor]) -> None:
    """Copy weights into the parameters of a model, by the names of ``model.named_parameters()``.

    Raises ValueError, and copies nothing, unless all names and shapes are the same; the message has the first that is not.
    """
    if wrong := _first_difference({name: tuple(weight.shape) for name, weight in weights.items()}, _shapes(model)):
        raise ValueError(f"these weights do not fit this {type(model).__name__}: {wrong}; was it built with another config?")
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.copy_(weights[name])


def by_stage_names(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return the weights of the library's `GPT` under the names of the class that learners write in stage B4 of the Build."""
    renamed = {}
    for name, weight in weights.items():
        for ours, theirs in STAGE_NAMES.items():
            name = name.replace(ours, theirs)
        renamed[name] = weight
    return renamed


def _shapes(model: nn.Module) -> dict[str, tuple[int, ...]]:
    return {name: tuple(parameter.shape) for name, parameter in model.named_parameters()}


def _shapes_of(kind: str, config: TransformerConfig | ViTConfig) -> dict[str, tuple[int, ...]]:
    with torch.device("meta"):  # uses no memory, whatever model size the file claims
        return _shapes(MODELS[kind][0](config))


def _first_difference(found: dict[str, tuple[int, ...]], expected: dict[str, tuple[int, ...]]) -> str:
    for name in {**expected, **found}:
        if found.get(name) != expected.get(name):
            return f"{name} is {found.get(name, 'missing')}, expected {expected.get(name, 'no parameter of that name')}"
    return ""
