"""Small models, trained once by `make models`, so that lessons can look inside them without waiting.

The weights files are in this folder, in 16 bits; ``SHA256SUMS`` lists their hashes.
"""

import hashlib
from pathlib import Path

from transformer_course.embedding import Vocabulary
from transformer_course.family import GPT
from transformer_course.training import load as load_file
from transformer_course.transformer import Transformer

FOLDER = Path(__file__).parent
SUMS = "SHA256SUMS"  # in the format of the command sha256sum


def names() -> list[str]:
    """Return the names of the shipped models."""
    return sorted(_sums())


def load(name: str) -> tuple[Transformer | GPT, dict[str, Vocabulary]]:
    """Load a shipped model, in evaluation mode, and its vocabularies (``source`` and ``target``, or ``text``).

    ``translator`` turns English number words into Chinese numerals; ``translator-early`` is the same model at an earlier
    training step. ``dates`` turns dates into ISO format. ``gpt-pre`` and ``gpt-post`` continue the names of Unicode
    characters, and differ only in where their norms are. ``prose`` continues Python's documentation, and ``prose-large``
    that of the packages that the course needs, with three times as many parameters.

    The number translators read words (``vocabularies["source"].encode(text.split())``); ``prose`` and ``prose-large`` read
    byte pairs (``experiments.build_prose`` has their tokenizer), and the other models read characters (``encode(text)``). A
    source has no ``<end>``. A sequence for a GPT starts with ``<begin>``, but for the models of prose, which saw no special
    tokens in training, a newline begins a paragraph.

    Raises ValueError for an unknown name, FileNotFoundError if the file is missing, and ValueError if it is not the one
    that was shipped.
    """
    sums = _sums()
    if name not in sums:
        raise ValueError(f"there is no model {name!r}; choose one of {', '.join(sorted(sums))}")
    path = FOLDER / f"{name}.safetensors"
    model = load_file(path)
    if hashlib.sha256(path.read_bytes()).hexdigest() != sums[name]:
        raise ValueError(f"{path} is not the file that was shipped; download it again, or train all models with `make models`")
    return model


def _sums() -> dict[str, str]:
    lines = (FOLDER / SUMS).read_text(encoding="utf-8").splitlines()
    return {file.removesuffix(".safetensors"): digest for digest, file in (line.split("  ") for line in lines)}
