"""Finding a model by its name: one that you have trained, or one that the course ships."""

import json
from pathlib import Path

from torch import nn

from transformer_course import models, my_transformer, weights
from transformer_course.byte_pairs import BytePairs
from transformer_course.data.python_docs import CHARACTERS
from transformer_course.experiments import own_model
from transformer_course.experiments.build_prose import weights_by_stage_names
from transformer_course.experiments.talking import Chat

SHIPPED = {
    "prose": "the documentation of the programming language Python",
    "prose-large": "the documentation of a dozen Python packages",
}
KINDS = "GPT", "Llama"


def open_model(name: str) -> tuple[nn.Module, object, dict[str, object]]:
    """Return a model, its tokenizer, and what `page` says of it.

    ``name`` is that of a model in ``models/`` of your folder, which stage B4, B8, B9, B10 or B11 has saved, the path of such
    a file, or "prose" or "prose-large". Classes are your own, from ``my_transformer.py``, or else the course's.

    Raises ValueError, in one sentence, for any other model, and for a file that is missing or cut short.
    """
    if name in SHIPPED:
        return _shipped(name)
    path = own_model.file_of(name)
    if not path.is_file():
        found = [*sorted(each.stem for each in path.parent.glob("*.safetensors")), *SHIPPED]
        raise ValueError(f"there is no model {path}; there are {', '.join(found)}")
    metadata, found = weights.read(path)
    if own_model.NOTES in metadata:
        model, tokenizer, notes = own_model.load(path, my_transformer.GPT, my_transformer.Tokenizer)
        return model, tokenizer, {"title": path.stem, "text": f"a text of {notes['characters']:,} characters"}
    return _of_a_stage(path, found)


def _shipped(name: str) -> tuple[nn.Module, object, dict[str, object]]:
    from transformer_course import build_parts  # not where learners' code is graded: it has all answers

    model, vocabularies = models.load(name)
    vocabulary, config = vocabularies["text"], model.config
    first = len(vocabulary.specials)
    sizes = (config.max_length, config.d_model, config.num_heads, config.num_layers, config.d_ff)
    own = build_parts.GPT(len(vocabulary) - first, *sizes)
    own.load_state_dict(weights_by_stage_names(model, first))
    about = {"by": "Its authors", "text": SHIPPED[name], "title": "A small language model", "prompt": "The function"}
    return own.eval(), BytePairs.from_tokens(vocabulary.tokens[first:]), about


def _of_a_stage(path: Path, found: dict) -> tuple[nn.Module, object, dict[str, object]]:
    try:
        settings = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))["settings"]
        kind, merges = settings["model"], settings["tokenizer"]
        if kind not in KINDS:
            raise ValueError(f"{path.name} holds a {kind}; a page can run {' and '.join(KINDS)}")
        about = {"title": path.stem, "text": settings.get("read", SHIPPED["prose"])}
        about |= {"chat": Chat(**settings["chat"])} if "chat" in settings else {}
        sizes = {"num_layers": len({name.split(".")[1] for name in found if name.startswith("blocks.")}), **settings["sizes"]}
    except (OSError, KeyError, TypeError, json.JSONDecodeError):
        raise ValueError(
            f"{path.name} should be a model that stage B4, B8, B9, B10 or B11 has saved, with its .json beside it, but is not"
        ) from None
    model = getattr(my_transformer, kind)(**sizes)
    weights.copy_weights(model, found)
    tokenizer = CHARACTERS if merges == "characters" else BytePairs(merges)
    return model.eval(), tokenizer, about
