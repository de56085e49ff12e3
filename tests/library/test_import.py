"""Importing the package must stay instant: torch alone takes more than a second."""

import subprocess
import sys

import pytest

import transformer_course

HEAVY = "torch", "matplotlib", "numpy", "IPython"


def loaded_by(statement: str) -> set[str]:
    code = f"import sys; {statement}; print([m for m in {HEAVY} if m in sys.modules])"
    return set(eval(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout))


def test_import_is_lazy():
    assert loaded_by("import transformer_course") == set()


def test_the_command_starts_without_torch_and_matplotlib():
    assert not loaded_by("import transformer_course.app.cli") & {"torch", "matplotlib"}


def test_checks_need_no_torch():
    assert loaded_by("import transformer_course.exercises") == {"numpy"}


def test_parts_load_when_named():
    assert loaded_by("import transformer_course as t; t.attention.softmax") >= {"torch"}
    with pytest.raises(AttributeError, match="no part 'atention'; its parts are positions, masks, cache, "):
        transformer_course.atention
    assert set(transformer_course.PARTS) <= set(dir(transformer_course))
