"""Notebooks from sources: what a source may contain, and what is built from it."""

from pathlib import Path

import nbformat
import pytest

from transformer_course import course
from transformer_course._util import paths
from transformer_course.authoring import execute, freshness
from transformer_course.authoring.build import SourceError, cell_ids, notebook_of, without_solution
from transformer_course.exercises import catalogue

HERE = course.Sheet(Path("exercises/source/02_sheet_tiny.py"))


def test_solutions_are_replaced_by_a_friendly_error_or_dots():
    code = "def f(x):\n    y = 1\n    ### BEGIN SOLUTION\n    y = 2\n    ### END SOLUTION\n    return y"
    stripped = without_solution(code, "", HERE)
    assert "y = 2" not in stripped
    with pytest.raises(NotImplementedError, match="still empty: write it here"):
        exec(stripped + "\nf(1)")
    assert without_solution("### BEGIN SOLUTION\na = 3\n### END SOLUTION", "a = ...", HERE) == "a = ..."


def refusal(source: course.Source) -> str:
    with pytest.raises(SourceError) as refused:
        notebook_of(source)
    return str(refused.value)


def test_markers_that_do_not_fit_are_refused(snapshot):
    wrong = {
        "begun twice": "### BEGIN SOLUTION\n### BEGIN SOLUTION\n### END SOLUTION",
        "not ended": "### BEGIN SOLUTION\na = 3",
        "not begun": "a = 3\n### END SOLUTION",
    }
    told = {}
    for case, code in wrong.items():
        with pytest.raises(SourceError) as refused:
            without_solution(code, "", HERE)
        told[case] = str(refused.value)
    assert told == snapshot


def test_equal_cells_get_different_ids_and_a_new_cell_moves_no_other():
    code, text = {"cell_type": "code", "source": "a"}, {"cell_type": "markdown", "source": "a"}
    first = cell_ids([code, text, code])
    assert len(set(first)) == 3
    assert cell_ids([text, code, {"cell_type": "code", "source": "b"}, code])[1::2] == [first[0], first[2]]


@pytest.fixture
def clone(tmp_path, monkeypatch) -> Path:
    """A course of one tiny lesson and its sheet."""
    catalogue()  # from the real sheets, while ROOT is still theirs
    monkeypatch.setattr(course, "learning_paths", lambda: ())
    monkeypatch.setattr(paths, "ROOT", tmp_path)
    answer = '# %% exercise="attention.by_hand"\n### BEGIN SOLUTION\na = 1\n### END SOLUTION\n'
    for name, text in {
        "notebooks/source/02_tiny/lesson.py": "# %% [markdown]\n# # 02 · Tiny\n\n# %%\nprint(6 * 7)\n",
        "notebooks/source/03_next/lesson.py": "# %% [markdown]\n# # 03 · Next\n",
        "notebooks/source/paths.toml": '[[path]]\nid = "all"\ntitle = "All"\naudience = "For all."\n',
        "exercises/source/02_sheet_tiny.py": f"# %% [markdown]\n# # Sheet 02 · Tiny\n\n{answer}",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_lessons_and_sheets_link_to_each_other(clone, snapshot):
    lesson, last = (notebook_of(source) for source in course.lessons())
    (sheet,) = (notebook_of(source) for source in course.sheets_and_stages())
    ends = {"lesson": lesson, "last lesson": last, "sheet": sheet}
    assert {name: [made.cells[0].source, made.cells[-1].source] for name, made in ends.items()} == snapshot


def test_a_cell_is_delivered_folded_if_its_source_says_so(clone):
    course.lesson("03").path.write_text(
        '# %% [markdown]\n# # 03 · Next\n\n# %% tags=["S1"] jupyter={"source_hidden": true}\nprint(1)\n\n# %%\nprint(2)\n'
    )
    cells = notebook_of(course.lesson("03")).cells
    assert [cell.metadata for cell in cells[2:4]] == [{"tags": ["S1"], "jupyter": {"source_hidden": True}}, {}]


IMPORTS = "\n".join(f"import module_{number}" for number in range(6))
SHORT = "\n".join(f"import module_{number}" for number in range(5))


@pytest.mark.parametrize(
    ("first_line", "code", "is_folded"),
    [
        ("", f"{IMPORTS}\n\nPARTS = (-1, 'two')\ntorch.set_num_threads(1)\n_ = torch.set_grad_enabled(False)", True),
        ("", f"{IMPORTS}\nrng = np.random.default_rng(0)\n\n\ndef half(x):\n    return x / 2", True),
        ("", f"def half(x):\n    return x / 2\n\n\n{IMPORTS}", False),  # it explains, and is no cell of imports
        ("", f"{SHORT}\n\nPARTS = 1", False),  # six lines are read at a glance
        ("", f"{IMPORTS}\nprint(1)", False),
        ("", f"{IMPORTS}\nrow = numbers[0]", False),
        ("", f"{IMPORTS}\ntorch.manual_seed(0).get_state()", False),
        ("", f"{IMPORTS}\n%matplotlib inline", False),
        (' exercise="attention.by_hand"', f"### BEGIN SOLUTION\na = 1\n### END SOLUTION\n{IMPORTS}", False),
    ],
)
def test_a_long_cell_of_imports_is_delivered_folded(clone, first_line, code, is_folded):
    course.sheet("02").path.write_text(f"# %% [markdown]\n# # Sheet 02 · Tiny\n\n# %%{first_line}\n{code}\n")
    cell = notebook_of(course.sheet("02")).cells[2]
    assert cell.metadata.get("jupyter") == ({"source_hidden": True} if is_folded else None)


def test_a_lesson_and_its_sheet_link_to_the_stages_that_need_it_and_they_link_back(clone, snapshot):
    for number, lessons in ((1, '["02"]'), (2, '["02", "03"]')):
        text = f"# %% [markdown] lessons={lessons}\n# # B{number} · Stage {number}\n"
        (clone / f"exercises/source/B{number}_stage.py").write_text(text, encoding="utf-8")
    assert {source.name: notebook_of(source).cells[0].source for source in course.sources()} == snapshot


def test_a_lesson_is_run_when_its_code_or_the_library_changed_and_not_for_prose(clone, monkeypatch):
    source = course.lesson("02")

    def output() -> str:
        return nbformat.read(clone / "notebooks/02_tiny.ipynb", as_version=4).cells[2].outputs[0].text

    assert execute.write_lesson(source) == "run"
    first = (clone / "notebooks/02_tiny.ipynb").read_bytes()
    assert output() == "42\n"
    assert execute.write_lesson(source) == "kept its outputs"
    assert (clone / "notebooks/02_tiny.ipynb").read_bytes() == first
    source.path.write_text(source.path.read_text().replace("Tiny", "Small"))
    assert execute.write_lesson(source) == "kept its outputs"
    assert output() == "42\n"
    source.path.write_text(source.path.read_text().replace("6 * 7", "6 * 8"))
    assert execute.write_lesson(source) == "run"
    assert output() == "48\n"
    monkeypatch.setattr(execute, "library_hash", lambda lesson, notebook: "another")
    assert execute.write_lesson(source) == "run"


def test_a_lesson_that_is_not_to_be_run_gets_new_links_and_keeps_its_outputs(clone, monkeypatch):
    source = course.lesson("02")
    stored = notebook_of(source)
    stored.cells[2].outputs, stored.cells[2].execution_count = [nbformat.v4.new_output("stream", text="42\n")], 1
    stored.metadata["transformer_course"] = hashes = {"code": freshness.code_hash(stored), "library": "an earlier one"}
    nbformat.write(stored, source.notebook)
    monkeypatch.setattr(execute, "run", None)
    course.lesson("03").path.write_text("# %% [markdown]\n# # 03 · New\n", encoding="utf-8")
    assert execute.write_lesson(source, runs=False) == "kept its outputs"
    written = nbformat.read(source.notebook, as_version=4)
    assert "[03 · New →](03_next.ipynb)" in written.cells[0].source
    assert (written.cells[2].outputs, written.metadata["transformer_course"]) == (stored.cells[2].outputs, hashes)
    source.path.write_text(source.path.read_text(encoding="utf-8").replace("6 * 7", "6 * 8"), encoding="utf-8")
    before = source.notebook.read_bytes()
    assert execute.write_lesson(source, runs=False) == "left as it was"
    assert source.notebook.read_bytes() == before


def test_a_lesson_depends_on_what_it_reaches_and_on_its_own_exercises_alone(tmp_path, monkeypatch):
    files = {
        "__init__.py": "",
        "attention.py": "import math\nfrom transformer_course.masks import check_mask",
        "masks.py": "",
        "figures/__init__.py": "",
        "figures/style.py": "",
        "figures/palette.toml": "",
        "family.py": "",
        "app/cli.py": "",
        "models/__init__.py": "def load():\n    from .recipes import shapes",
        "models/recipes.py": "from ..weights import read",
        "models/SHA256SUMS": "",
        "weights.py": "",
        "exercises/__init__.py": "from .api import ask",
        "exercises/api.py": "from . import passes",
        "exercises/passes.py": "",
        "exercises/question.css": "",
        "exercises/question.js": "",
        "exercises/lesson_02_tiny/__init__.py": "",
        "exercises/lesson_02_tiny/softmax.py": "",
        "exercises/lesson_03_next.py": "",
        "../notebooks/source/02_tiny/lesson.py": "",
        "../notebooks/source/02_tiny/questions.md": "",
        "../notebooks/source/03_next/questions.md": "",
    }
    package = tmp_path / "transformer_course"
    for name, text in files.items():
        (package / name).resolve().parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(text)
    monkeypatch.setattr(paths, "PACKAGE", package)
    monkeypatch.setattr(paths, "ROOT", tmp_path)
    imports = (
        "import transformer_course.attention",
        "import transformer_course.figures.style",
        "from transformer_course import exercises, models",
    )
    lesson = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(line) for line in imports])

    def reruns(name: str) -> bool:
        before = freshness.library_hash("02", lesson)
        (package / name).write_text(files[name] + "\nx = 1")
        return freshness.library_hash("02", lesson) != before

    others = ["family.py", "app/cli.py", "exercises/lesson_03_next.py"]
    others += [f"../notebooks/source/{name}" for name in ("02_tiny/lesson.py", "03_next/questions.md")]
    assert [name for name in files if not reruns(name)] == others


def test_a_source_that_cannot_be_built_is_told(clone, snapshot):
    sheet = course.sheet("02")
    text, told = sheet.path.read_text(encoding="utf-8"), {}
    changes = {
        "an unknown exercise": ('exercise="attention.by_hand"', 'exercise="attention.by_foot"'),
        "a solution without an exercise": (' exercise="attention.by_hand"', ""),
    }
    for case, (old, new) in changes.items():
        sheet.path.write_text(text.replace(old, new), encoding="utf-8")
        told[case] = refusal(sheet)
    sheet.path.rename(sheet.path.with_name("02_sheet_tinny.py"))
    told["a sheet without its lesson"] = refusal(course.sheet("02"))
    course.sheet("02").path.unlink()
    source = course.lesson("02")
    source.path.write_text('# %% [markdown]\n# # 02 · Tiny\n\n# %% predict="02.tiny"\n')
    told["an unknown question"] = refusal(source)
    source.path.write_text("# %% [markdown]\n# # 02 · Tiny\n\n# %%\nimport sys\nprint('careful', file=sys.stderr)\n")
    with pytest.raises(SourceError) as refused:
        execute.write_lesson(source)
    told["a lesson that writes to stderr"] = str(refused.value)
    assert told == snapshot
