"""The committed notebooks: fresh, quiet, complete; and proof that a broken lesson does not get through."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from source_rows import rows

from transformer_course._util import paths
from transformer_course.authoring import build, execute

REPOSITORY = Path(__file__).parents[2]
SOURCES = [source for folder in paths.FOLDERS for source in paths.sources(folder)]
LESSONS = paths.sources("notebooks")


def built(source: Path) -> Path:
    return source.parent.parent / f"{source.stem}.ipynb"


def read(path: Path) -> nbformat.NotebookNode:
    return nbformat.read(path, as_version=4)


def differences(path: Path, source: Path) -> list[str]:
    """Where a notebook is not what its source gives, outputs aside."""
    seen, fresh = read(path), build.notebook_of(source)
    found = []
    for place, (left, right) in enumerate(zip(seen.cells, fresh.cells, strict=False)):
        for part in ("cell_type", "id", "source", "metadata"):
            if left.get(part) != right.get(part):
                found.append(f"cell {place}: its {part} differs from the source's")
    if len(seen.cells) != len(fresh.cells):
        found.append(f"{len(seen.cells)} cells, and the source gives {len(fresh.cells)}")
    for part in ("kernelspec", "language_info"):
        if seen.metadata.get(part) != fresh.metadata[part]:
            found.append(f"its {part} differs")
    hashes = seen.metadata.get("transformer_course")
    if source in LESSONS and (hashes or {}).get("code") != execute.code_hash(fresh):
        found.append("its outputs come from other code")
    ids = [cell.get("id") for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]]  # nbformat would mend them
    if len(set(ids)) != len(ids):
        found.append("two cells have the same id")
    return found


@pytest.mark.parametrize("source", SOURCES, ids=lambda s: f"{s.parent.parent.name}/{s.stem}")
def test_a_notebook_is_what_its_source_gives(source):
    assert differences(built(source), source) == [], "run `make notebooks` and commit what it wrote"


def test_every_notebook_has_a_source():
    notebooks = [notebook for folder in paths.FOLDERS for notebook in paths.notebooks(folder)]
    assert sorted(notebooks) == sorted(map(built, SOURCES))
    assert len(LESSONS) >= 2


@pytest.mark.parametrize("source", LESSONS, ids=lambda s: s.stem)
def test_outputs_are_quiet_and_every_figure_is_drawn_and_described(source):
    cells, ran = read(built(source)).cells, 0
    for place, cell in enumerate(cells):
        if cell.cell_type != "code":
            continue
        outputs = cell.outputs
        ran += 1
        assert cell.execution_count == ran  # nbval compares no cell without a count
        assert not any(o.output_type == "error" or o.get("name") == "stderr" for o in outputs), cell.source
        text = "".join(o.get("text", "") + str(o.get("data", {}).get("text/plain", "")) for o in outputs)
        assert " at 0x" not in text, cell.source
        assert not any("image/svg+xml" in o.get("data", {}) for o in outputs), cell.source
        drawn = any("image/png" in o.get("data", {}) for o in outputs)
        assert drawn == ("figures." in cell.source), cell.source
        if drawn:
            assert cells[place + 1].source.startswith("**In the picture:**"), cell.source


@pytest.mark.parametrize("source", LESSONS, ids=lambda s: s.stem)
def test_most_cells_that_print_are_compared(source):
    printing = [c for c in read(built(source)).cells if c.get("outputs") and "image/png" not in str(c.outputs)]
    ignored = [c for c in printing if {"nbval-ignore-output", "nbval-skip"} & set(c.metadata.get("tags", []))]
    assert len(ignored) <= 0.15 * len(printing)


@pytest.mark.parametrize("source", SOURCES, ids=lambda s: f"{s.parent.parent.name}/{s.stem}")
def test_folded_answers_are_plain_html(source):
    """JupyterLab shows Markdown's stars and backticks as they stand where a block of HTML has begun."""
    for answer in re.findall(r"<details>.*?</details>", source.read_text(encoding="utf-8"), re.DOTALL):
        assert not re.search(r"`|\*\*|(?<![\w*])\*\S[^*]*\S\*(?!\w)", answer), answer


@pytest.mark.parametrize("source", SOURCES, ids=lambda s: f"{s.parent.parent.name}/{s.stem}")
def test_what_the_text_says_to_call_is_imported(source):
    cells = build.notebook_of(source).cells
    code = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    imported = re.findall(r"\w+", "".join(re.findall(r"^from transformer_course.exercises import (.+)$", code, re.MULTILINE)))
    ours = r"\b(check|hint|solution|reply|my_progress|next_lesson)\("
    called = {name for cell in cells for name in re.findall(ours, cell.source)}
    assert called <= set(imported)


@pytest.mark.parametrize("source", LESSONS, ids=lambda s: s.stem)
def test_cells_are_short_and_every_prediction_is_answered(source):
    code = [cell.source for cell in build.notebook_of(source).cells if cell.cell_type == "code"]
    lengths = sorted(len([line for line in text.splitlines() if line.strip()]) for text in code)
    assert lengths[len(lengths) // 2] <= 6
    assert code.count("guess = ...") == sum("reply(" in text for text in code) >= 1


# -- coverage of the sources ------------------------------------------------------------------------------------------


def test_every_row_of_the_sources_has_its_lesson():
    assert list(rows()) == [f"S{i}" for i in range(1, 31)] + [f"E{i}" for i in range(1, 30)]


@pytest.mark.parametrize("source", LESSONS, ids=lambda s: s.stem)
def test_a_lesson_runs_a_cell_for_each_of_its_rows(source):
    cells = read(built(source)).cells
    tagged = {tag for cell in cells if cell.cell_type == "code" for tag in cell.metadata.get("tags", [])}
    due = {row for row, lessons in rows().items() if source.stem[:2] in lessons}
    assert {tag for tag in tagged if re.fullmatch(r"[SE]\d+", tag)} == due


def test_every_erratum_of_an_existing_lesson_has_a_test_that_computes_it():
    tests = sorted((REPOSITORY / "tests" / "docs").glob("test_errata_*.py"))
    text = "".join(path.read_text(encoding="utf-8") for path in tests)
    taught = {source.stem[:2] for source in LESSONS}
    for row, lessons in rows().items():
        if row.startswith("E") and taught & set(lessons):
            assert f"def test_{row.lower()}_" in text, row


# -- a broken lesson is caught ----------------------------------------------------------------------------------------


def nbval(path: Path) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "pytest", "--nbval", "-q", "-p", "no:cacheprovider", path.name]
    return subprocess.run(command, cwd=path.parent, capture_output=True, text=True, env=dict(os.environ), check=False)


@pytest.fixture(scope="module")
def lesson(tmp_path_factory) -> Path:
    """A lesson of three cells that passes."""
    source = tmp_path_factory.mktemp("course") / "notebooks" / "source" / "01_small.py"
    source.parent.mkdir(parents=True)
    source.write_text("# %% [markdown]\n# # 01 · Small\n\n# %%\nx = 6 * 7\n\n# %%\nprint(x)\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(paths, "ROOT", source.parents[2])
        execute.write_lesson(source)
    return built(source)


def broken(lesson: Path, tmp_path: Path, change) -> Path:
    notebook = json.loads(lesson.read_text())
    change(notebook["cells"])
    path = tmp_path / lesson.name
    path.write_text(json.dumps(notebook))
    return path


def set_source(code: str):
    def change(cells):
        cells[1]["source"] = [code]

    return change


@pytest.mark.slow
def test_an_honest_lesson_passes_nbval(lesson, tmp_path):
    result = nbval(broken(lesson, tmp_path, lambda cells: None))
    assert "2 passed" in result.stdout, result.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "says"),
    [
        (set_source("x = 6 * 8"), "48"),
        (set_source("x = 6 / 0"), "ZeroDivisionError"),
        (set_source("import sys\nx = 42\nprint('careful', file=sys.stderr)"), "stderr"),
        (set_source("import warnings\nx = 42\nwarnings.warn('careful')"), "UserWarning"),
    ],
    ids=["another number", "an exception", "text on stderr", "a warning"],
)
def test_a_lesson_that_runs_otherwise_fails_nbval(lesson, tmp_path, change, says):
    result = nbval(broken(lesson, tmp_path, change))
    assert result.returncode == 1, result.stdout
    assert says in result.stdout


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (set_source("x = 6 * 7 + 0"), "its source differs"),
        (lambda cells: cells[1]["metadata"].update(tags=["nbval-skip"]), "its metadata differs"),
        (lambda cells: cells.insert(2, dict(cells[1])), "two cells have the same id"),
        (lambda cells: cells.insert(2, dict(cells[1])), "5 cells, and the source gives 4"),
        (lambda cells: cells.pop(0), "3 cells, and the source gives 4"),
        (lambda cells: cells[1].update(id="another"), "its id differs"),
    ],
    ids=["edited", "skipped", "duplicated: id", "duplicated: number", "deleted", "another id"],
)
@pytest.mark.filterwarnings("ignore::nbformat.warnings.DuplicateCellId")
def test_an_edited_notebook_is_not_fresh(lesson, tmp_path, monkeypatch, change, says):
    source = lesson.parent / "source" / "01_small.py"
    monkeypatch.setattr(paths, "ROOT", lesson.parents[1])
    assert [d for d in differences(lesson, source) if "outputs come from" not in d] == []
    assert any(says in found for found in differences(broken(lesson, tmp_path, change), source))
