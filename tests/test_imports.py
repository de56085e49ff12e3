"""What holds for every file of the package: which parts of it may import which."""

import ast
import functools
import sys

from transformer_course._util import paths

# Each may import those before it. The library is in the order in which it is taught.
LIBRARY = [
    *("data", "byte_pairs", "positions", "cache", "masks", "attention", "inspection", "embedding", "layers", "config"),
    *("transformer", "family", "generation_state", "beam", "decoding", "speculative", "quantization", "weights", "gpt2"),
    *("training", "chat", "lora", "rewards", "modern", "experts", "models", "build_parts", "experiments", "my_transformer"),
]
ORDER = [
    "_util",
    "runner",
    "figures",
    *LIBRARY,
    "explorables",
    "export",
    "course",
    "exercises",
    "authoring",
    "folders",
    "grading",
]
ORDER += ["workshop", "site", "app", "__main__"]
ALONE = {"_util", "runner", "figures"}  # these import nothing of ours
GRADING = ["errors", "sanitize", "graded", "submissions", "run", "sandbox", "judging", "points", "corrections", "reports"]
GRADING += ["store", "totals", "grade_class"]
JUDGING = ["time_limits", "protocol", "answer", "earlier_parts", "judge", "worker", "local_pool", "cluster"]


@functools.cache
def modules() -> dict[tuple[str, ...], ast.Module]:
    """Every file of the package, parsed: ("grading", "points") and ("grading", "__init__") are files of grading."""
    files = sorted(paths.PACKAGE.rglob("*.py"))
    parsed = {file.relative_to(paths.PACKAGE).with_suffix("").parts: ast.parse(file.read_bytes()) for file in files}
    assert len(parsed) > 100
    return parsed


def imported(module: tuple[str, ...]) -> set[tuple[str, ...]]:
    """The dotted names of our own that a file imports, also inside functions, each as its parts below the package."""
    package, found = ("transformer_course", *module[:-1]), set()
    for node in ast.walk(modules()[module]):
        if isinstance(node, ast.Import):
            found |= {tuple(alias.name.split(".")) for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else ()
            base = (*above, *(node.module.split(".") if node.module else ()))
            found |= {(*base, alias.name) for alias in node.names}
    return {parts[1:] for parts in found if parts[0] == "transformer_course" and len(parts) > 1}


def upwards(order: list[str], inside: tuple[str, ...] = ()) -> dict[str, set[str]]:
    """What files import from what comes after them in ``order``: names in the package, or ``inside`` a part of it."""
    found, depth = {}, len(inside)
    for module in modules():
        if module[:depth] == inside and module[depth] != "__init__":
            name = module[depth]
            allowed = {name} if name in ALONE and not inside else {*order[: order.index(name) + 1]}
            used = {parts[depth] for parts in imported(module) if parts[:depth] == inside and len(parts) > depth}
            if used - allowed:
                found["/".join(module)] = used - allowed
    return found


def test_imports_go_one_way():
    assert upwards(ORDER) == {}
    assert imported(("__init__",)) == set()


def test_imports_of_grading_go_one_way():
    assert upwards(GRADING, inside=("grading",)) == {}
    assert upwards(JUDGING, inside=("grading", "judging")) == {}


def test_everything_in_the_package_has_its_place():
    found = {place.stem for place in paths.PACKAGE.iterdir() if place.suffix == ".py" or (place / "__init__.py").exists()}
    assert found == {*ORDER, "__init__"}


def test_what_runs_answers_needs_numpy_alone():
    """Torch is used there where the learner's code has imported it, and never imported first."""
    allowed, found = {*sys.stdlib_module_names, "numpy", "transformer_course"}, {}
    for module in (module for module in modules() if module[0] == "runner" and len(module) == 2):
        top = modules()[module].body
        names = {alias.name.split(".")[0] for node in top if isinstance(node, ast.Import) for alias in node.names}
        names |= {node.module.split(".")[0] for node in top if isinstance(node, ast.ImportFrom) and not node.level}
        if names - allowed:
            found["/".join(module)] = names - allowed
    assert found == {}
