"""Which versions of Python the course supports: pyproject.toml decides, and whatever cannot read it says the same."""

import re
import tomllib

import pytest

from transformer_course._util.paths import ROOT
from transformer_course.app.wheelhouse.fill import PYTHONS

OLDEST, NEWEST = PYTHONS[0], PYTHONS[-1]
RANGE = f"{OLDEST} to {NEWEST}"
LIST = f"{', '.join(PYTHONS[:-1])} or {NEWEST}"
PROGRAMS = " ".join(f"python{version}" for version in reversed(PYTHONS))
PACKAGE = "transformer_course"
SAYS = {
    "README.md": [f"Python {RANGE}"],
    "docs/install.md": [f"Python {LIST}", f"Python {RANGE}", f"one of {RANGE}", f"install {NEWEST}", f"py -{NEWEST} -m venv"],
    f"{PACKAGE}/workshop/templates/to-send.txt": [f"Python {LIST}", f"py -{NEWEST} -m venv"],
    "tools/venv.sh": [
        f"({OLDEST.replace('.', ', ')}) <= sys.version_info[:2] <= ({NEWEST.replace('.', ', ')})",
        f"for candidate in python3 {PROGRAMS} python; do",
        f"Give the path of a Python {RANGE}.",
        f"but the course needs Python {RANGE}.",
        f"The course needs Python {RANGE},",
        f"Install Python {NEWEST} from",
    ],
    f"{PACKAGE}/app/autograder/setup.sh": [f"for python in {PROGRAMS}; do"],
    ".github/workflows/test.yml": [f'python: "{OLDEST}"', f'python: "{NEWEST}"'],
}


def test_requires_python_names_the_oldest_and_the_first_that_is_too_new():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["requires-python"] == f">={OLDEST},<3.{int(NEWEST[2:]) + 1}"


@pytest.mark.parametrize("file", SAYS)
def test_a_file_names_the_supported_versions(file):
    text = " ".join((ROOT / file).read_text(encoding="utf-8").split())
    assert [f"{file} should say {words!r}" for words in SAYS[file] if words not in text] == []


def test_nothing_that_installs_the_course_takes_another_version():
    files = [*SAYS, f"{PACKAGE}/app/autograder/grade.yml", "docs/instructors.md"]
    pattern = r"""(?:python(?:-version)?[: ="-]*|py -)(3\.\d+)"""
    named = {(file, each) for file in files for each in re.findall(pattern, (ROOT / file).read_text(encoding="utf-8"), re.I)}
    assert len(named) > len(files)
    assert {(file, version) for file, version in named if version not in PYTHONS} == set()
