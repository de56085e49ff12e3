"""What holds for every module of the library: it can be read in one sitting, and says what it needs and gives."""

import ast
import importlib
import inspect

import pytest

from transformer_course import course

# In the order in which they are taught; each may import what stands before it, and nothing else of ours.
ORDER = [
    "data",
    "files",
    "progress",
    "positions",
    "cache",
    "masks",
    "attention",
    "inspection",
    "embedding",
    "layers",
    "config",
]
ORDER += ["transformer", "family", "stepping", "beam", "decoding", "weights", "training", "models", "experiments"]
PARTS = ORDER[3:-2]
NO_PAPER = {
    *(
        "attention_maps",
        "count_parameters",
        "hooked",
        "influence",
        "padding_mask",
        "next_tokens_mask",
        "check_mask",
        "check_right_padding",
    ),
    *(
        "Vocabulary",
        "pad_right",
        "translation_loss",
        "continuation_loss",
        "exact_match",
        "save",
        "load",
        "Run",
        "masked_loss",
        "classification_loss",
        "check_cached",
        "reading",
    ),
    *("LayerNorm", "drop", "greedy", "sample", "output_layer", "ViTConfig", "TransformerConfig"),
}


def files(part: str) -> list:
    path = course.PACKAGE / part
    return sorted(path.glob("*.py")) if path.is_dir() else [path.with_suffix(".py")]


@pytest.mark.parametrize("part", ORDER)
def test_a_module_is_read_in_one_sitting(part):
    for file in files(part):
        assert len(file.read_text(encoding="utf-8").splitlines()) <= 210


@pytest.mark.parametrize("part", ORDER)
def test_imports_go_one_way(part):
    for file in files(part):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [f"{node.module}.{a.name}" for a in node.names] if isinstance(node, ast.ImportFrom) else []
            ours = [name.split(".")[1] for name in names if name.startswith("transformer_course.")]
            assert set(ours) <= {*ORDER[: ORDER.index(part)], part}


def public(part: str) -> list:
    module = importlib.import_module(f"transformer_course.{part}")
    own = [thing for thing in vars(module).values() if getattr(thing, "__module__", "") == module.__name__]
    return [thing for thing in own if inspect.isfunction(thing) or inspect.isclass(thing)]


@pytest.mark.parametrize("part", PARTS)
def test_every_public_name_says_what_it_gives_what_it_refuses_and_where_it_comes_from(part):
    for thing in public(part):
        if thing.__name__.startswith("_"):
            continue
        methods = [m for name, m in vars(thing).items() if inspect.isfunction(m) and not name.startswith("_")]
        methods = [m for m in methods if inspect.isclass(thing) and m.__qualname__.startswith(thing.__name__)]
        texts = [
            inspect.getdoc(thing) or "",
            *(inspect.getdoc(m) or "" for m in methods if len(inspect.getsource(m).splitlines()) > 6),
        ]
        assert all(texts), thing
        told = "\n".join(texts)
        if "raise ValueError" in inspect.getsource(thing):
            assert "Raises" in told or "raises" in told or "config" in thing.__name__.lower(), thing
        if thing.__name__ not in NO_PAPER:
            assert any(year in told for year in map(str, range(1989, 2025))), thing
    assert NO_PAPER - {thing.__name__ for p in PARTS for thing in public(p)} == set()
