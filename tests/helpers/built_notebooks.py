"""What the tests of built notebooks share: where they are, and how they differ from their sources."""

import functools
import json
from pathlib import Path

import nbformat

from transformer_course import course
from transformer_course.authoring import build, execute

SOURCES = course.sources()
LESSONS = course.lessons()


@functools.cache
def read(path: Path) -> nbformat.NotebookNode:
    """A stored notebook, read once. Tests only look at it."""
    return nbformat.read(path, as_version=4)


@functools.cache
def made(source: course.Source) -> nbformat.NotebookNode:
    """The notebook that a source gives, made once. Tests only look at it."""
    return build.notebook_of(source)


def differences(path: Path, source: course.Source) -> list[str]:
    """How a notebook differs from what its source gives, outputs aside."""
    seen, fresh = read(path), made(source)
    found = []
    for place, (left, right) in enumerate(zip(seen.cells, fresh.cells, strict=False)):
        for part in ("cell_type", "id", "source", "metadata"):
            if left.get(part) != right.get(part):
                found.append(f"cell {place}: its {part} differs from the source's")
    if len(seen.cells) != len(fresh.cells):
        found.append(f"{len(seen.cells)} cells, but the source gives {len(fresh.cells)}")
    for part in ("kernelspec", "language_info"):
        if seen.metadata.get(part) != fresh.metadata[part]:
            found.append(f"its {part} differs")
    hashes = seen.metadata.get("transformer_course")
    if source in LESSONS and (hashes or {}).get("code") != execute.code_hash(fresh):
        found.append("its outputs come from other code")
    raw = json.loads(path.read_text(encoding="utf-8"))  # nbformat would change ids that come twice
    ids = [cell.get("id") for cell in raw["cells"]]
    if len(set(ids)) != len(ids):
        found.append("two cells have the same id")
    return found
