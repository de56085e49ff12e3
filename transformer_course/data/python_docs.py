"""Python's own documentation: English prose about Python that every Python brings along.

It has two sources: the language reference behind ``help()`` (`pydoc_data.topics`) and the docstrings of the standard
library. `docstrings` says which paragraphs are kept. Repeated ones are dropped.

The text differs between versions of Python, and slightly between distributors:

======  ==========  ==========  ====================
Python  paragraphs  characters  shared with 3.11
======  ==========  ==========  ====================
3.11.7      11,036   1,317,823  all
3.12.1      11,125   1,328,435  96% of 3.11's
3.13.0      11,186   1,329,996  92% of 3.11's
======  ==========  ==========  ====================

The hash of a paragraph decides whether it is held out. So a paragraph that survives from one version to the next stays in
the same part. The vocabulary is fixed, so the ids are the same everywhere.
"""

import ast
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from pathlib import Path

import torch
from jaxtyping import Int
from torch import Tensor

from transformer_course.data.docstrings import cached, docstrings, paragraphs, parse
from transformer_course.data.split import Split, split_text

CHARACTERS = "\n" + "".join(map(chr, range(ord(" "), ord("~") + 1)))  # 96: the end of a paragraph, and printable ASCII
# Some distributors package these separately, so they are missing on some computers.
OPTIONAL = {"test", "idlelib", "tkinter", "turtle", "turtledemo", "lib2to3", "distutils", "ensurepip"}


def python_docs(seed: int = 0) -> Split:
    """Return two strings, for training (about 1.2 million characters) and held out (about one paragraph in ten).

    Each paragraph is one line and ends with a newline. Collecting the text takes a few seconds, so it is cached.

    Raises FileNotFoundError if this Python comes without the source files of its standard library.
    """
    library = Path(sysconfig.get_path("stdlib"))
    return split_text(cached("python-docs", f"{sys.version}\n{library}", __file__, lambda: _collect(library)), seed)


def encode(text: str) -> Int[Tensor, "n"]:
    """Return the id of each character: its place in ``CHARACTERS``. Raises ValueError for any other character."""
    ids = {character: number for number, character in enumerate(CHARACTERS)}
    if unknown := sorted(set(text) - ids.keys()):
        raise ValueError(f"characters must be newlines or printable ASCII, got {''.join(unknown[:5])!r}; leave them out")
    return torch.tensor([ids[character] for character in text], dtype=torch.long)


def decode(ids: Iterable[int]) -> str:
    """Return the text of these ids, a tensor (n,) or a list. Raises ValueError for ids outside ``CHARACTERS``."""
    numbers = [int(number) for number in ids]
    if outside := [number for number in numbers if not 0 <= number < len(CHARACTERS)]:
        raise ValueError(f"ids must be from 0 to {len(CHARACTERS) - 1}, got {outside[0]}")
    return "".join(CHARACTERS[number] for number in numbers)


def _collect(library: Path) -> list[str]:
    """Return every paragraph that the rules keep, in the order of topics and modules."""
    topics = library / "pydoc_data" / "topics.py"
    modules = list(_modules(library))
    for source, what in ((topics.is_file(), "pydoc_data/topics.py"), (modules, "the standard library's .py files")):
        if not source:
            raise FileNotFoundError(
                f"the text needs {what}, expected in {library}, got none; "
                "install Python from python.org, or the complete package of your system"
            )
    kept = dict.fromkeys(p for text in _topics(topics) for p in paragraphs(text))
    kept.update(dict.fromkeys(p for module in modules for text in docstrings(parse(module)) for p in paragraphs(text)))
    return list(kept)


def _modules(library: Path) -> Iterator[Path]:
    """Yield the source files of the standard library in a fixed order, without tests and what may be missing."""
    for name in sorted(sys.stdlib_module_names - OPTIONAL):
        if (library / f"{name}.py").is_file():
            yield library / f"{name}.py"
        for file in sorted((library / name).rglob("*.py")):
            if not {"test", "tests"} & set(file.relative_to(library).parts):
                yield file


def _topics(file: Path) -> Iterator[str]:
    """Yield the texts of the one dictionary that the file assigns."""
    for statement in parse(file).body:
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Dict):
            yield from ast.literal_eval(statement.value).values()
