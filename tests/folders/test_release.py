"""What a teacher hands out: links hold, no solution stands in it, and the real nbgrader grades what came back."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest

from transformer_course._util import paths
from transformer_course.authoring.build import notebook_of
from transformer_course.exercises.catalogue import by_lesson
from transformer_course.exercises.solutions import BEGIN, END
from transformer_course.folders.learner_folder import FolderError
from transformer_course.folders.release import UnknownSheet, release, release_nbgrader

LESSON, SHEET = "notebooks/02_self_attention_by_hand.ipynb", "exercises/02_sheet_self_attention_by_hand.ipynb"
SOURCE = "source/02/02_sheet_self_attention_by_hand.ipynb"
BOTH = pytest.mark.parametrize(("make", "name"), [(release, SHEET), (release_nbgrader, SOURCE)], ids=["plain", "nbgrader"])


def cells(path: Path) -> list:
    return nbformat.read(path, as_version=4).cells


def graded(path: Path) -> list:
    """The cells that answer or check an exercise, as learners have them."""
    return [cell for cell in cells(path) if "exercise" in cell.metadata or cell.source.startswith("check(")]


def content(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def change(path: Path, edit: Callable) -> None:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    edit(notebook["cells"])
    path.write_text(json.dumps(notebook), encoding="utf-8")


# -- the folder for learners ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("numbers", [[], ["02"], ["02", "03"], ["05"]], ids=str)
def test_every_link_leads_somewhere_and_sheet_and_lesson_link_to_each_other(tmp_path, numbers):
    release(tmp_path, numbers)
    links = {
        (path.relative_to(tmp_path).as_posix(), (path.parent / target).resolve())
        for path in tmp_path.glob("*/*.ipynb")
        for cell in nbformat.read(path, 4).cells
        if cell.cell_type == "markdown"
        for target in re.findall(r"\]\(([^):]+)\)", cell.source)
    }
    assert all(target.exists() for _, target in links)
    asked = [source.stem for source in paths.sources("exercises") if not numbers or source.stem[:2] in numbers]
    for sheet in asked:
        lesson = sheet.replace("_sheet", "")
        assert (f"exercises/{sheet}.ipynb", tmp_path / "notebooks" / f"{lesson}.ipynb") in links
        assert (f"notebooks/{lesson}.ipynb", tmp_path / "exercises" / f"{sheet}.ipynb") in links
    assert sorted(path.stem for path in tmp_path.glob("exercises/*")) == asked


def test_a_link_that_would_lead_nowhere_keeps_its_words(tmp_path):
    release(tmp_path, ["02"])
    last = cells(tmp_path / LESSON)[-1].source
    assert "← 01 · Why attention?" in last
    assert "01_why_attention" not in last
    release(tmp_path, ["01"])
    release(tmp_path, ["02"])
    assert "](01_why_attention.ipynb)" in cells(tmp_path / LESSON)[-1].source


def test_no_solution_stands_in_what_is_handed_out(tmp_path):
    release(tmp_path)
    handed_out = {name: text.decode(errors="replace") for name, text in content(tmp_path).items()}
    assert {name for name in handed_out if Path(name).suffix not in (".ipynb", ".json")} == set(paths.PAGES)
    assert not any("SOLUTION" in text for text in handed_out.values())
    for source in paths.sources("exercises"):
        given, hidden, inside = set(), set(), False
        for line in source.read_text(encoding="utf-8").splitlines():
            inside = (inside or line.strip() == BEGIN) and line.strip() != END
            (hidden if inside else given).add(line.strip())
        sheet = {
            line.strip() for cell in cells(tmp_path / f"exercises/{source.stem}.ipynb") for line in cell.source.splitlines()
        }
        assert len(hidden - given) > 5
        assert not sheet & (hidden - given)
    for lesson in paths.sources("notebooks"):
        assert all(not cell.get("outputs") for cell in cells(tmp_path / f"notebooks/{lesson.stem}.ipynb"))


@BOTH
def test_a_second_time_nothing_changes(tmp_path, make, name):
    assert name in make(tmp_path, ["02"]).added
    before = content(tmp_path)
    again = make(tmp_path, ["02"])
    assert (again.added, again.updated, again.left) == ([], [], [])
    assert content(tmp_path) == before
    make(tmp_path, ["03"])
    after = content(tmp_path)
    # In the pages, what was plain words is a link where the lesson has come.
    assert all(after[path] == text for path, text in before.items() if not path.startswith((".", "docs/")))


@BOTH
def test_what_the_teacher_changed_is_left_alone(tmp_path, make, name):
    make(tmp_path, ["02"])
    change(tmp_path / name, lambda cells: cells.pop())
    kept = (tmp_path / name).read_bytes()
    (tmp_path / ".transformer-course.json").unlink()  # the hardest case: nothing is known about what was brought
    assert make(tmp_path, ["02"]).left == [name]
    assert (tmp_path / name).read_bytes() == kept


@pytest.mark.parametrize("make", [release, release_nbgrader])
def test_what_cannot_be_done_is_told_in_a_sentence(tmp_path, make):
    with pytest.raises(UnknownSheet, match=r"^There is no sheet '9'; the course has 01, 02, [\d, ]+\.$"):
        make(tmp_path / "new", ["02", "9"])
    assert not (tmp_path / "new").exists()
    (tmp_path / "file").write_text("")
    with pytest.raises(FolderError, match=r"is a file; name a folder"):
        make(tmp_path / "file", ["02"])
    for place in (paths.ROOT, paths.ROOT / "exercises", paths.ROOT / "notebooks" / "mine"):
        with pytest.raises(FolderError, match="is the course's own folder"):
            make(place, ["02"])
    assert not (paths.ROOT / "exercises" / "source" / "02").exists()


# -- the course folder for nbgrader -----------------------------------------------------------------------------------


@BOTH
def test_a_folder_to_hand_out_and_one_that_holds_solutions_are_never_the_same(tmp_path, make, name):
    make(tmp_path, ["02"])
    before = content(tmp_path)
    other = release if make is release_nbgrader else release_nbgrader
    with pytest.raises(FolderError, match=r"holds the solutions: choose another folder (to hand out|for nbgrader)"):
        other(tmp_path, ["02"])
    assert content(tmp_path) == before
    make(tmp_path, ["03"])


@pytest.mark.parametrize("source", paths.sources("exercises"), ids=lambda s: s.stem)
def test_each_exercise_has_an_answer_and_a_graded_check_that_its_solution_passes(tmp_path, source):
    number = source.stem[:2]
    release_nbgrader(tmp_path, [number])
    marked = [cell for cell in cells(tmp_path / f"source/{number}/{source.stem}.ipynb") if "nbgrader" in cell.metadata]
    ids = [exercise.id.replace(".", "-") for exercise in by_lesson()[number]]
    assert [cell.metadata.nbgrader.grade_id for cell in marked if cell.metadata.nbgrader.solution] == [
        f"{i}-answer" for i in ids
    ]
    assert [cell.metadata.nbgrader.grade_id for cell in marked if cell.metadata.nbgrader.grade] == ids
    names: dict = {}
    for cell in cells(tmp_path / f"source/{number}/{source.stem}.ipynb"):
        if cell.cell_type == "code":
            exec(cell.source, names)  # the checks assert


def test_points_that_the_teacher_set_survive_a_new_edition(tmp_path, monkeypatch):
    release_nbgrader(tmp_path, ["02"])

    def worth_three(cells):
        next(cell for cell in cells if cell["metadata"].get("nbgrader", {}).get("grade"))["metadata"]["nbgrader"]["points"] = 3

    change(tmp_path / SOURCE, worth_three)
    kept = (tmp_path / SOURCE).read_bytes()
    monkeypatch.setattr("transformer_course.folders.release.TODO", "a new edition")
    assert release_nbgrader(tmp_path, ["02"]).left == [SOURCE]
    assert (tmp_path / SOURCE).read_bytes() == kept


@pytest.fixture
def nbgrader(tmp_path) -> Callable:
    """nbgrader on a machine of its own: nobody's settings, and its programs on the path, since it starts one of them."""
    places = "HOME", "IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR"
    env = {**os.environ, **{name: str(tmp_path / "machine" / name) for name in places}}
    env["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), env["PATH"]])

    def run(*command: str) -> str:
        ran = subprocess.run(
            [sys.executable, *command], cwd=tmp_path / "class", env=env, capture_output=True, text=True, check=False
        )
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    return run


SCORES = """
import json
from nbgrader.api import Gradebook
with Gradebook("sqlite:///gradebook.db") as book:
    back = [back for assignment in book.assignments for back in book.assignment_submissions(assignment.name)]
    seen = [(one.assignment.name, one.student.id, one.score, one.max_score) for one in back]
print(json.dumps(seen))
"""


@pytest.mark.slow
def test_nbgrader_hands_out_our_sheets_and_grades_them(tmp_path, nbgrader):
    folder = tmp_path / "class"
    release_nbgrader(folder)
    nbgrader("-m", "nbgrader", "generate_assignment", "*")
    for source in paths.sources("exercises"):
        handed_out = folder / "release" / source.stem[:2] / f"{source.stem}.ipynb"
        ours = [cell for cell in notebook_of(source).cells if "exercise" in cell.metadata or cell.source.startswith("check(")]
        theirs, ours = (
            [re.sub(r"\n *(?=\n|$)", "", cell.source) for cell in each]  # its stub brings empty lines
            for each in (graded(handed_out), ours)
        )
        assert theirs == ours
        assert not re.search("SOLUTION|HIDDEN|assert ", handed_out.read_text(encoding="utf-8"))
        assert "](" not in cells(handed_out)[-1].source

    sheets = {"01": "01_sheet_why_attention", "05": "05_sheet_several_heads"}
    for number, stem in sheets.items():
        for learner, origin in (("solved", "source"), ("empty", "release")):
            place = folder / "submitted" / learner / number
            place.mkdir(parents=True)
            (place / f"{stem}.ipynb").write_bytes((folder / origin / number / f"{stem}.ipynb").read_bytes())
    nbgrader("-m", "nbgrader", "autograde", "*")
    full = {number: len(by_lesson()[number]) for number in sheets}
    assert sorted(json.loads(nbgrader("-c", SCORES))) == [
        [number, learner, marks, full[number]]
        for number in sheets
        for learner, marks in (("empty", 0), ("solved", full[number]))
    ]
    for number, stem in sheets.items():
        told = [
            output.evalue
            for cell in cells(folder / "autograded" / "empty" / number / f"{stem}.ipynb")
            if cell.metadata.get("nbgrader", {}).get("grade")
            for output in cell.outputs
        ]
        assert len(told) == full[number]
        assert all("There's no answer in" in message for message in told)
