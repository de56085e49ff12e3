"""The text of the packages that the course requires: whose it is, and what is left out."""

import pytest

from transformer_course.data import package_docs as collect
from transformer_course.data.package_docs import package_versions

REQUIRES = {
    "transformer-course": [
        "Arrays",
        "plots>=2; python_version >= '3'",
        "elsewhere; sys_platform == 'none'",
        "bench; extra == 'x'",
    ],
    "arrays": ["numbers"],
    "plots": ["Arrays"],
    "numbers": [],
    "elsewhere": [],
    "bench": [],
}
FIRST = "Return the mean of the values along the axis that is given."
AGAIN = "Return the mean of the values along the axis that is asked for."  # six of nine runs of five words are known
OTHER = "Draw a line through the points, in the order in which they come."


@pytest.fixture
def packages(tmp_path, monkeypatch):
    """Installed packages, each with a module, a test and a file that is not Python."""
    for name, requires in REQUIRES.items():
        folder = tmp_path / name / "tests"
        folder.mkdir(parents=True)
        files = {
            f"{name}/__init__.py": f'"""The package of {name} has a text."""',
            f"{name}/tests/test.py": f'"""A test of {name}."""',
        }
        files[f"{name}/template.py"] = "{{ name }} is not Python"
        information = tmp_path / f"{name.replace('-', '_')}-1.5.dist-info"
        information.mkdir()
        needs = "".join(f"Requires-Dist: {each}\n" for each in requires)
        (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.5\n{needs}")
        for file, text in files.items():
            (tmp_path / file).write_text(text)
        (information / "RECORD").write_text("".join(f"{file},,\n" for file in [*files, f"{name}/missing.py"]))
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def lines():
    return sorted(line for part in collect() for line in part.splitlines())


def test_the_text_is_what_installing_the_course_brings_along_on_this_system(packages):
    assert package_versions() == {"arrays": "1.5", "numbers": "1.5", "plots": "1.5"}
    assert lines() == [f"The package of {name} has a text." for name in ("arrays", "numbers", "plots")]


def test_a_paragraph_that_mostly_repeats_an_earlier_one_is_left_out(packages):
    (packages / "arrays" / "__init__.py").write_text(f'"""{FIRST}\n\n{OTHER}\n\n{FIRST}"""')
    (packages / "plots" / "__init__.py").write_text(f'"""{AGAIN}"""')
    assert {FIRST, OTHER} <= set(lines())
    assert AGAIN not in lines()
    (packages / "arrays" / "__init__.py").write_text(f'"""{OTHER}"""')
    (packages / "arrays-1.5.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: arrays\nVersion: 1.6\n")
    assert AGAIN in lines()  # a different version has a cache of its own


def test_packages_without_source_files_get_one_clear_sentence(packages):
    for name in REQUIRES:
        (packages / f"{name.replace('-', '_')}-1.5.dist-info" / "RECORD").write_text("")
    with pytest.raises(
        FileNotFoundError, match=r"needs the \.py files of the packages .*, got none; install the course with pip"
    ):
        collect()
