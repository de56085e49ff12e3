"""What holds for every file of the package: which rooms it may import, and that it is read in one sitting."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from transformer_course._util import paths

# Each may import those before it. The library is in the order in which it is taught.
LIBRARY = [
    *("data", "byte_pairs", "positions", "cache", "masks", "attention", "inspection", "embedding", "layers", "config"),
    *("transformer", "family", "generation_state", "beam", "decoding", "weights", "gpt2", "training", "models", "experiments"),
    *("build_parts", "my_transformer"),
]
ROOMS = ["_util", "runner", "figures", *LIBRARY, "explorables", "exercises", "authoring", "folders", "grading", "workshop"]
ROOMS += ["site", "app", "__main__"]
ALONE = {"_util", "runner", "figures"}  # these import nothing of ours
GRADING = ["errors", "sanitize", "graded", "sandbox", "submissions", "judging", "points", "corrections", "reports"]
GRADING += ["assignment"]
LINES = 210
DATA = ("exercises/lesson_", "exercises/build_")  # the exercises with their mistakes
MADE = "build_parts.py"  # the solutions of the Build, as long as a learner's own file


def name(file: Path) -> str:
    return file.relative_to(paths.PACKAGE).as_posix()


FILES = sorted(paths.PACKAGE.rglob("*.py"))


def imported(file: Path) -> Iterator[tuple[str, ...]]:
    """The dotted names that a file imports, also inside functions, each as its parts."""
    package = ("transformer_course", *file.relative_to(paths.PACKAGE).parent.parts)
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (tuple(alias.name.split(".")) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else ()
            base = (*above, *(node.module.split(".") if node.module else ()))
            yield from ((*base, alias.name) for alias in node.names)


def ours(file: Path) -> set[tuple[str, ...]]:
    return {parts[1:] for parts in imported(file) if parts[0] == "transformer_course" and len(parts) > 1}


@pytest.mark.parametrize("file", FILES, ids=name)
def test_rooms_import_one_way(file):
    room = name(file).split("/")[0].removesuffix(".py")
    if room == "__init__":
        assert ours(file) == set()
        return
    below = set() if room in ALONE else {*ROOMS[: ROOMS.index(room)]}
    assert {parts[0] for parts in ours(file)} <= below | {room}


@pytest.mark.parametrize("file", sorted((paths.PACKAGE / "grading").rglob("*.py")), ids=name)
def test_rooms_of_grading_import_one_way(file):
    room = name(file).split("/")[1].removesuffix(".py")
    if room != "__init__":
        assert {parts[1] for parts in ours(file) if parts[0] == "grading"} <= {*GRADING[: GRADING.index(room)], room}


def test_every_room_has_its_place():
    found = {place.stem for place in paths.PACKAGE.iterdir() if place.suffix == ".py" or (place / "__init__.py").exists()}
    assert found == {*ROOMS, "__init__"}


@pytest.mark.parametrize("file", sorted((paths.PACKAGE / "runner").glob("*.py")), ids=name)
def test_what_runs_answers_needs_numpy_alone(file):
    """Torch is used there where the learner's code has imported it, and never imported first."""
    allowed = {*sys.stdlib_module_names, "numpy", "transformer_course"}
    top = ast.parse(file.read_text(encoding="utf-8")).body
    names = {alias.name.split(".")[0] for node in top if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module.split(".")[0] for node in top if isinstance(node, ast.ImportFrom) and not node.level}
    assert names <= allowed


@pytest.mark.parametrize("file", FILES, ids=name)
def test_a_file_is_read_in_one_sitting(file):
    assert len(file.read_text(encoding="utf-8").splitlines()) <= LINES or name(file).startswith((*DATA, MADE))
