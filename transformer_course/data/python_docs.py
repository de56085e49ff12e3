"""Python's own documentation: English prose about Python that every Python brings along.

It has two sources: the language reference behind ``help()`` (`pydoc_data.topics`) and the docstrings of the standard
library. Both are parsed with `ast`, and nothing is imported. A paragraph is kept, on one line, if it has at least 20
characters, all printable ASCII, and at least 85% of them are letters and spaces. Repeated paragraphs are dropped.

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
import hashlib
import os
import re
import sys
import sysconfig
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path

import platformdirs
import torch
from jaxtyping import Int
from torch import Tensor

from transformer_course._util.files import write_whole
from transformer_course.data.split import Split, held_back

CHARACTERS = "\n" + "".join(map(chr, range(ord(" "), ord("~") + 1)))  # 96: the end of a paragraph, and printable ASCII
MIN_LENGTH, MIN_LETTERS = 20, 0.85
# Some distributors package these separately, so they are missing on some computers.
OPTIONAL = {"test", "idlelib", "tkinter", "turtle", "turtledemo", "lib2to3", "distutils", "ensurepip"}


def python_docs(seed: int = 0) -> Split:
    """Return two strings, for training (about 1.2 million characters) and held out (about one paragraph in ten).

    Each paragraph is one line and ends with a newline. Collecting the text takes a few seconds, so it is cached: in the
    user's cache folder, or in the folder that the environment variable TRANSFORMER_COURSE_HOME names.

    Raises FileNotFoundError if this Python comes without the source files of its standard library.
    """
    library = Path(sysconfig.get_path("stdlib"))
    cache = _cache_file(library)
    paragraphs = _read_cache(cache)
    if paragraphs is None:
        paragraphs = _collect(library)
        _write_cache(cache, paragraphs)
    parts: tuple[list[str], list[str]] = ([], [])
    for paragraph in paragraphs:
        parts[held_back(paragraph, seed)].append(paragraph + "\n")
    return Split(*map("".join, parts))


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
    kept = dict.fromkeys(p for text in _topics(topics) for p in _paragraphs(text))
    kept.update(dict.fromkeys(p for module in modules for text in _docstrings(_parse(module)) for p in _paragraphs(text)))
    return list(kept)


def _modules(library: Path) -> Iterator[Path]:
    """Yield the source files of the standard library in a fixed order, without tests and what may be missing."""
    for name in sorted(sys.stdlib_module_names - OPTIONAL):
        if (library / f"{name}.py").is_file():
            yield library / f"{name}.py"
        for file in sorted((library / name).rglob("*.py")):
            if not {"test", "tests"} & set(file.relative_to(library).parts):
                yield file


def _parse(file: Path) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about invalid escapes in old modules
        return ast.parse(file.read_bytes())


def _topics(file: Path) -> Iterator[str]:
    """Yield the texts of the one dictionary that the file assigns."""
    for statement in _parse(file).body:
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Dict):
            yield from ast.literal_eval(statement.value).values()


def _docstrings(node: ast.AST) -> Iterator[str]:
    """Yield the docstrings of a module and of all its classes and functions. Expressions hold none, so they are skipped."""
    if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        yield ast.get_docstring(node) or ""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt | ast.ExceptHandler):
            yield from _docstrings(child)


def _paragraphs(text: str) -> Iterator[str]:
    for block in re.split(r"\n\s*\n", text):
        paragraph = " ".join(block.split())
        if len(paragraph) >= MIN_LENGTH and paragraph.isascii() and paragraph.isprintable():
            letters = len(re.sub(r"[^A-Za-z ]+", "", paragraph))
            if letters >= MIN_LETTERS * len(paragraph):
                yield paragraph


def _cache_file(library: Path) -> Path:
    """Return a file of its own for each Python and each version of the rules above."""
    folder = os.environ.get("TRANSFORMER_COURSE_HOME") or platformdirs.user_cache_dir("transformer-course", appauthor=False)
    key = _hash(f"{sys.version}\n{library}\n".encode() + Path(__file__).read_bytes())
    return Path(folder) / f"python-docs-{key}.txt"


def _read_cache(file: Path) -> list[str] | None:
    """Return the cached paragraphs, or None if there are none or the file has changed since it was written."""
    try:
        key, _, text = file.read_bytes().partition(b"\n")
    except OSError:
        return None
    return text.decode("ascii").split("\n") if key == _hash(text).encode() else None


def _write_cache(file: Path, paragraphs: list[str]) -> None:
    text = "\n".join(paragraphs).encode("ascii")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, _hash(text).encode() + b"\n" + text)
    except OSError:
        pass  # a full disk or a read-only folder: the text is collected again next time


def _hash(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=8).hexdigest()
