"""Paragraphs of English prose in the docstrings of Python files, and a cache for what took long to collect.

Files are parsed with `ast`, and nothing is imported. A paragraph is kept, on one line, if it has at least 20 characters, all
printable ASCII, and at least 85% of them are letters and spaces.
"""

import ast
import hashlib
import os
import re
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import platformdirs

from transformer_course._util.files import write_whole

MIN_LENGTH, MIN_LETTERS = 20, 0.85


def parse(file: Path) -> ast.Module:
    """Return the syntax tree of a file. Raises OSError, or SyntaxError or ValueError for what is not Python."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about invalid escapes in old modules
        return ast.parse(file.read_bytes())


def docstrings(node: ast.AST) -> Iterator[str]:
    """Yield the docstrings of a module and of all its classes and functions. Expressions hold none, so they are skipped."""
    if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        yield ast.get_docstring(node) or ""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt | ast.ExceptHandler):
            yield from docstrings(child)


def paragraphs(text: str) -> Iterator[str]:
    """Yield the paragraphs of a text that the rules keep, each on one line."""
    for block in re.split(r"\n\s*\n", text):
        paragraph = " ".join(block.split())
        if len(paragraph) >= MIN_LENGTH and paragraph.isascii() and paragraph.isprintable():
            letters = len(re.sub(r"[^A-Za-z ]+", "", paragraph))
            if letters >= MIN_LETTERS * len(paragraph):
                yield paragraph


def cached(name: str, source: str, rules: str, collect: Callable[[], list[str]]) -> list[str]:
    """Return what ``collect`` returns; a later call with the same ``source``, under the same rules, reads it from a file.

    The file is in the user's cache folder, or in the folder that the environment variable TRANSFORMER_COURSE_HOME names.
    ``rules`` is the code, besides this module's, that decides what is collected.
    """
    folder = os.environ.get("TRANSFORMER_COURSE_HOME") or platformdirs.user_cache_dir("transformer-course", appauthor=False)
    key = _hash(f"{source}\n".encode() + Path(__file__).read_bytes() + Path(rules).read_bytes())
    file = Path(folder) / f"{name}-{key}.txt"
    kept = _read(file)
    if kept is None:
        kept = collect()
        _write(file, kept)
    return kept


def _read(file: Path) -> list[str] | None:
    """Return the cached paragraphs, or None if there are none or the file has changed since it was written."""
    try:
        key, _, text = file.read_bytes().partition(b"\n")
    except OSError:
        return None
    return text.decode("ascii").split("\n") if key == _hash(text).encode() else None


def _write(file: Path, kept: list[str]) -> None:
    text = "\n".join(kept).encode("ascii")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, _hash(text).encode() + b"\n" + text)
    except OSError:
        pass  # a full disk or a read-only folder: the text is collected again next time


def _hash(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=8).hexdigest()
