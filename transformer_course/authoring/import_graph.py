"""Which of the package's files some code reaches through its imports: a lesson is run again when one of these changed."""

import ast
from collections.abc import Iterator
from pathlib import Path

from transformer_course._util import paths

NAME = __package__.partition(".")[0]


def reached(code: str, besides: tuple[str, ...] = ()) -> set[Path]:
    """The files that ``code`` imports, those that they import, and so on; imports inside functions count too.

    ``besides`` are names of modules where to begin as well; weights are reached through their list of hashes.
    """
    found: set[Path] = set()
    waiting = [*_imports(ast.parse(code), ""), *besides]
    while waiting:
        name = waiting.pop()
        for part in (name.rsplit(".", depth)[0] for depth in range(name.count(".") + 1)):  # the packages above it too
            file = _file(part)
            if file is not None and file not in found:
                found.add(file)
                package = part if file.name == "__init__.py" else part.rpartition(".")[0]
                waiting += _imports(ast.parse(file.read_text(encoding="utf-8")), package)
    return found | {sums for file in found for sums in file.parent.glob("SHA256SUMS")}


def _file(name: str) -> Path | None:
    top, *rest = name.split(".")
    path = paths.PACKAGE.joinpath(*rest)
    candidates = (path / "__init__.py", path.with_suffix(".py")) if top == NAME else ()
    return next((candidate for candidate in candidates if candidate.is_file()), None)


def _imports(tree: ast.AST, package: str) -> Iterator[str]:
    """Each imported name in full; of ``from a import b`` both a and a.b, since b may be a module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: package.count(".") + 2 - node.level] if node.level else []
            base = ".".join([*above, *filter(None, [node.module])])
            yield from (base, *(f"{base}.{alias.name}" for alias in node.names))
