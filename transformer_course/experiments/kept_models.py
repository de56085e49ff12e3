"""Models that learners have trained: kept in ``models/`` of their folder, and loaded there instead of being trained again.

Beside each file of weights, a JSON file of the same name says what decides the training (the text, the seed, the steps …),
what was measured, and on which day. A model is loaded only where all that decides its training is the same, or where it has
had more steps of the same training, so a light training never replaces a full one. Outside a learner's folder, nothing is
kept. A model of a class that learners wrote has no config in its file: whoever loads it constructs it first.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from torch import nn

from transformer_course import weights
from transformer_course._util import paths
from transformer_course._util.files import write_whole
from transformer_course.embedding import Vocabulary
from transformer_course.family import BERT, GPT, ViT
from transformer_course.transformer import Transformer

Model = Transformer | GPT | BERT | ViT  # the library's, whose files say how to construct them


@dataclass(frozen=True)
class Kept:
    model: nn.Module
    vocabularies: Mapping[str, Vocabulary] = field(default_factory=dict)
    measured: Mapping[str, object] = field(default_factory=dict)


def trained(name: str, settings: Mapping[str, object], train: Callable[[], Kept], again: bool, call: str) -> Kept:
    """Return the model that was kept under this name, or train it and keep it.

    ``settings`` is all that decides the training, as JSON has it. With ``again``, it is trained in any case; ``call`` is how a
    learner asks for that.
    """
    if not again and (found := load(name, settings, call)):
        return found
    made = train()
    keep(name, settings, made)
    return made


def keep(name: str, settings: Mapping[str, object], made: Kept, *, half: bool = False) -> None:
    """Save a model as ``models/NAME.safetensors``, and say so; ``half`` rounds its weights to 16 bits."""
    folder = _folder()
    if folder is None:
        return
    notes = {"settings": settings, "measured": made.measured, "trained": date.today().isoformat()}
    try:
        folder.mkdir(exist_ok=True)
        path = folder / f"{name}.safetensors"
        if isinstance(made.model, Model):
            weights.save(made.model, path, half=half, **made.vocabularies)
        else:
            weights.save_parameters(made.model, path)
        write_whole(folder / f"{name}.json", json.dumps(notes, indent=1, ensure_ascii=False).encode())
        print(f"Saved as models/{name}.safetensors.")
    except (OSError, ValueError) as error:  # no room, or weights that are not finite
        reason = getattr(error, "strerror", None) or error
        print(f"The model could not be saved ({reason}); it works until this notebook is closed.")


def load(name: str, settings: Mapping[str, object], call: str, model: nn.Module | None = None) -> Kept | None:
    """Return the model that `keep` saved under this name with the same settings, and say when it was trained.

    If it is of a learner's class, ``model`` is a new one of the same sizes, which gets the weights.
    """
    folder = _folder()
    if folder is None or not (folder / f"{name}.json").exists():
        return None
    try:
        notes = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        kept, wanted = notes["settings"], json.loads(json.dumps(settings))
        longer = kept.get("steps", 0) > wanted.get("steps", 0)
        if kept != wanted and not (longer and kept | {"steps": wanted["steps"]} == wanted):
            return None
        day = date.fromisoformat(notes["trained"])
        path, vocabularies = folder / f"{name}.safetensors", {}
        if model is None:
            model, vocabularies = weights.load(path)
        else:
            weights.copy_weights(model, weights.read(path)[1])
            model.eval()
        found = Kept(model, vocabularies, dict(notes["measured"]))
    except (OSError, AttributeError, KeyError, TypeError, ValueError) as error:
        print(f"models/{name}.safetensors cannot be used ({type(error).__name__}), so it is trained again.")
        return None
    print(f"Loaded what you trained on {day.day} {day:%B %Y} (models/{name}.safetensors). To train it again: {call}")
    return found


def _folder() -> Path | None:
    folder = paths.course_folder(Path.cwd())
    return folder / "models" if folder else None
