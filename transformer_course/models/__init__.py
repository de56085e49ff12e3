"""Small models that were trained once, by `make models`, so that lessons can look into them without waiting.

The weights lie beside this file, in 16 bits; ``SHA256SUMS`` says which they are.
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
    """Return the names of the models that are shipped."""
    return sorted(_sums())


def load(name: str) -> tuple[Transformer | GPT, dict[str, Vocabulary]]:
    """Return a model, ready to be read, and its vocabularies (``source`` and ``target``, or ``text``).

    ``translator`` turns English number words into Chinese numerals, ``translator-early`` is the same one before the
    end of its training, ``dates`` turns dates into ISO's; ``gpt-pre`` and ``gpt-post`` continue the names of Unicode
    characters, alike but for the place of their norms.

    The translators of numbers read words (``vocabularies["source"].encode(text.split())``); the others read characters
    (``encode(text)``). A source has no ``<end>``; a GPT's text starts with ``<begin>``.

    Raises ValueError for another name, FileNotFoundError when the file is missing, and ValueError when it is not the
    one that was shipped.
    """
    sums = _sums()
    if name not in sums:
        raise ValueError(f"there is no model {name!r}; there are {', '.join(sorted(sums))}")
    path = FOLDER / f"{name}.safetensors"
    model = load_file(path)
    if hashlib.sha256(path.read_bytes()).hexdigest() != sums[name]:
        raise ValueError(f"{path} is not the file that was shipped; fetch it again, or make all anew with `make models`")
    return model


def _sums() -> dict[str, str]:
    lines = (FOLDER / SUMS).read_text(encoding="utf-8").splitlines()
    return {file.removesuffix(".safetensors"): digest for digest, file in (line.split("  ") for line in lines)}
