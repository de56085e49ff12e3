"""Finding the package's files that some code imports: a lesson is run again if one of them has changed."""

import ast
from collections.abc import Iterator
from pathlib import Path

from transformer_course._util import paths

NAME = __package__.partition(".")[0]
DATA = ("SHA256SUMS", "*.css", "*.js", "*.toml")


def reached(code: str, modules: tuple[str, ...] = ()) -> set[Path]:
    """Return the files that ``code`` and these ``modules`` import, the files that those import, and so on.

    Imports inside functions are included. So is what lies next to a file and shows in outputs: styles, scripts, and lists of
    hashes, which stand for weights.
    """
    found: set[Path] = set()
    waiting = [*_imports(ast.parse(code), ""), *modules]
    while waiting:
        name = waiting.pop()
        for part in (name.rsplit(".", depth)[0] for depth in range(name.count(".") + 1)):  # and the packages that contain it
            file = _file(part)
            if file is not None and file not in found:
                found.add(file)
                package = part if file.name == "__init__.py" else part.rpartition(".")[0]
                waiting += _imports(ast.parse(file.read_text(encoding="utf-8")), package)
    folders = {file.parent for file in found}
    return found | {file for folder in folders for pattern in DATA for file in folder.glob(pattern)}


def _file(name: str) -> Path | None:
    top, *rest = name.split(".")
    path = paths.PACKAGE.joinpath(*rest)
    candidates = (path / "__init__.py", path.with_suffix(".py")) if top == NAME else ()
    return next((candidate for candidate in candidates if candidate.is_file()), None)


def _imports(tree: ast.AST, package: str) -> Iterator[str]:
    """Yield the full name of each import; for ``from a import b`` both a and a.b, because b may be a module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: package.count(".") + 2 - node.level] if node.level else []
            base = ".".join([*above, *filter(None, [node.module])])
            yield from (base, *(f"{base}.{alias.name}" for alias in node.names))
