"""Compare submissions graded per second: our command and `nbgrader autograde` take turns on the same five-question sheet."""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import nbformat

from benchmarks.side_by_side import console
from transformer_course import course
from transformer_course.authoring import build
from transformer_course.exercises.catalogue import by_lesson
from transformer_course.folders.release import release_nbgrader
from transformer_course.grading.grade_class import grade_class, prepare
from transformer_course.grading.judging.local_pool import grade_all
from transformer_course.grading.sandbox.bubblewrap import Bubblewrap
from transformer_course.grading.sandbox.supervisor import Sandbox

SHEET = "03"
OURS, THEIRS, ROUNDS = 200, 4, 3  # submissions per round for each program, and the number of rounds


def run() -> None:
    assert len(by_lesson()[SHEET]) == 5
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        solved = nbformat.writes(build.notebook_of(course.sheet(SHEET), solved=True))
        for number in range(OURS):
            _put(place / "ours" / f"learner{number}.ipynb", solved)
        nbgrader = _course(place / "theirs", solved)
        one, two, theirs, first = [], [], [], []
        for _ in range(ROUNDS):
            with _one_core():
                one.append(_rate(place, workers=1))
                start = _seconds(lambda: nbgrader("autograde", SHEET, "--force", "--student", "learner0"))
                theirs.append((THEIRS - 1) / (_seconds(lambda: nbgrader("autograde", SHEET, "--force")) - start))
            two.append(_rate(place, workers=2))
            first.append(_first_mark(place))
    ratios = sorted(ours / other for ours, other in zip(one, theirs, strict=True))
    workers = sorted(both / single for both, single in zip(two, one, strict=True))
    console.print(f"Grading sheet {SHEET} with five questions, without the time to start ({ROUNDS} rounds)\n"
                  f"  one core:    ours {_middle(one):.1f} per second, nbgrader {_middle(theirs):.2f}: × {_spread(ratios)}\n"
                  f"  two workers: ours {_middle(two):.1f} per second, × {_spread(workers, 2)} of one core\n"
                  f"  from the command to the first mark: {_spread(sorted(first), 1)} s")  # fmt: skip


def _course(folder: Path, solved: str):
    """Create nbgrader's course folder with the submissions in it; return a function that runs nbgrader there."""
    release_nbgrader(folder, [SHEET])
    home = folder.parent / "home"
    variables = {name: str(home / name.lower()) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR")}
    bin = str(Path(sys.executable).parent)  # nbgrader runs alembic, and looks for it in PATH
    environment = {**os.environ, **variables, "HOME": str(home), "PATH": os.pathsep.join([bin, os.environ["PATH"]])}

    def nbgrader(*arguments: str) -> None:
        subprocess.run([f"{bin}/nbgrader", *arguments], cwd=folder, env=environment, check=True, capture_output=True)

    nbgrader("generate_assignment", SHEET)
    (released,) = folder.glob(f"release/{SHEET}/*.ipynb")
    answers = {
        cell.metadata["exercise"]: cell.source for cell in nbformat.reads(solved, 4).cells if "exercise" in cell.metadata
    }
    notebook = nbformat.read(released, 4)
    for cell in notebook.cells:
        if "exercise" in cell.metadata:
            cell.source = answers[cell.metadata["exercise"]]
    for number in range(THEIRS):
        _put(folder / "submitted" / f"learner{number}" / SHEET / released.name, nbformat.writes(notebook))
    return nbgrader


def _put(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def _rate(place: Path, workers: int) -> float:
    """Return the submissions graded per second, from the first mark to the last."""
    shutil.rmtree(place / "out", ignore_errors=True)
    marks = []
    note_time = lambda *_: marks.append(time.perf_counter())  # noqa: E731
    with Sandbox(Bubblewrap.start()) as sandbox:
        graders = partial(grade_all, workers=workers, sandbox=sandbox)
        graded = grade_class(prepare(place / "ours", place / "out"), graders, progress=note_time)
    assert all(verdict.passed for _, result in graded.results for verdict in result.verdicts.values())
    _, first, *_, last = marks  # the first call comes before the first mark
    return (OURS - 1) / (last - first)


def _first_mark(place: Path) -> float:
    """Return the seconds from the start of the command to its first result."""
    shutil.rmtree(place / "out", ignore_errors=True)
    started = time.perf_counter()
    command = [sys.executable, "-m", "transformer_course", "grade", str(place / "ours"), "--out", str(place / "out")]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as grader:
        while not any((place / "out" / "results").glob("*.json")):
            time.sleep(0.005)
        seconds = time.perf_counter() - started
        grader.kill()
    return seconds


def _seconds(call) -> float:
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


@contextmanager
def _one_core():
    """Bind this process, and all that it starts, to one CPU."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _spread(numbers: list[float], digits: int = 0) -> str:
    return f"{_middle(numbers):.{digits}f} ({numbers[0]:.{digits}f} … {numbers[-1]:.{digits}f})"


_middle = statistics.median
