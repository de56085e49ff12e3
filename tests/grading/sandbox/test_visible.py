"""Only the library and the code that runs an answer can be imported inside the sandbox."""

import compileall
import re
import time
from importlib.util import source_from_cache
from pathlib import Path

from transformer_course._util import paths
from transformer_course.grading.sandbox import visible

IMPORT = """
import importlib
found = []
for name in {names!r}:
    try:
        importlib.import_module(name)
    except ImportError:
        continue
    found.append(name)
"""


def modules(*places: Path) -> set[str]:
    """Return the dotted names of these modules of the package, including all modules in folders."""
    files = {file for place in places for file in (place.rglob("*.py") if place.is_dir() else [place])}
    names = {".".join(file.relative_to(paths.PACKAGE.parent).with_suffix("").parts) for file in files}
    return {name.removesuffix(".__init__") for name in names if not name.endswith(".__main__")}


def imported_by_sheets() -> set[str]:
    """The modules of the package that the cells of sheets and stages import."""
    lines = "\n".join(file.read_text(encoding="utf-8") for file in (paths.ROOT / "exercises" / "source").glob("*.py"))
    found = re.findall(r"^(?:from|import) (transformer_course[\w.]*)(?: import (\w+))?", lines, re.MULTILINE)
    return {f"{package}.{name}" if package == "transformer_course" else package for package, name in found}


def test_nothing_can_be_imported_inside_but_what_is_named(needs_sandbox):
    every, end = sorted(modules(paths.PACKAGE)), time.monotonic() + 300
    with needs_sandbox.supervisor() as supervisor, supervisor.process() as process:
        process.send({"cells": [[0, IMPORT.format(names=[*every, "transformer_course.material"])]]}, end)
        assert process.receive(end)["error"] is None
        assert process.receive(end) == {"ready": True}
        process.send({"name": "found", "backend": "numpy", "questions": None}, end)
        (outcome,) = process.receive(end)["answers"]
    named = modules(*(paths.PACKAGE / name for name in visible.SHOWN))
    assert set(outcome["value"]) == named | {"transformer_course.exercises"}  # a stub in place of the exercises
    assert imported_by_sheets() <= {*outcome["value"]}
    imported = {name.split(".")[1] for name in named if "." in name}
    assert not imported & {"exercises", "build_parts", "authoring", "folders", "grading", "workshop", "app"}


def test_bytecode_of_what_stays_outside_stays_outside(tmp_path, monkeypatch):
    for source in paths.PACKAGE.rglob("*.py"):
        place = tmp_path / source.relative_to(paths.PACKAGE)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.touch()
    assert compileall.compile_dir(tmp_path, quiet=1)
    monkeypatch.setattr(paths, "PACKAGE", tmp_path)
    shown = [place for place in visible.binds().values() if place.is_relative_to(tmp_path)]
    sources = {Path(source_from_cache(file)) for place in shown for file in place.rglob("*.pyc")}
    allowed = {file for name in visible.SHOWN for file in [tmp_path / name, *(tmp_path / name).rglob("*.py")]}
    assert tmp_path / "runner" / "run.py" in sources
    assert sources <= allowed
