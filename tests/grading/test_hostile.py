"""Submissions that misbehave: each gets the mark that it has earned and an honest explanation, and harms nobody else.

Each file in ``hostile/`` is one submission, in jupytext's percent format. Its header says what it tries, and then

    # lesson: 03                                      the sheet, whose solutions are the rest of the submission
    # fails: attention.scaled_dot_product (timeout)   an answer without points, and the verdict's reason; all others pass
    # says: was stopped after                         part of a verdict's message, or of a note about the run
    # uses: attend, child                             code from ``hostile/shared/`` that precedes the answer, or the first cell

"(mistake) half" stands for an answer with half of the points, as it would have without the attempt.

A cell that names an exercise replaces that answer; all other cells come before the sheet's first cell. A note that no header
announces fails the test, so a submission that gets something it should not get reports this by raising an error.
"""

import re
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import jupytext
import psutil
import pytest
from grading_a_class import PATIENT
from submissions import hand_in, notebook

from transformer_course._util import paths
from transformer_course.exercises.catalogue import by_lesson
from transformer_course.grading.graded import Graded
from transformer_course.grading.judging.local_pool import Grader
from transformer_course.grading.judging.worker import job, read_reply
from transformer_course.grading.run import TimeLimits
from transformer_course.grading.sandbox.supervisor import Sandbox
from transformer_course.grading.submissions.notebook_file import read

FOLDER = Path(__file__).with_name("hostile")
FILES = sorted(FOLDER.glob("*.py"))
# Time is short only where something never ends.
SHORT = TimeLimits(cell=1.5, answer=0.75, submission=6.0, judging=10.0)
# Whether the operating system stops these may depend on the user who grades.
SYSTEM = {"bomb", "daemon", "file", "kernel", "memory", "namespace", "read", "signal", "socket", "trace"}
PYTHON = {
    *("dtype", "exit", "flood", "forge", "hook", "lazy", "loop", "message", "module", "name", "number", "patch", "pickle"),
    *("plan", "proxy", "sleep", "table", "tensor", "text"),
}
# One of each sort, which `make test` tries too.
QUICK = {
    *("exit_kills_itself", "file_writes_everywhere", "forge_a_pass", "loop_in_c", "memory_numpy", "module_patches_torch"),
    *("patch_comparisons", "read_secrets", "socket_internet"),
}
LEFT_BEHIND = "left-by-hostile"  # the name of the files that submissions leave wherever they can


@dataclass(frozen=True)
class Hostile:
    lesson: str
    fails: dict[str, str]
    half: set[str]
    says: list[str]
    answers: dict[str, str]
    first: list[str]

    @classmethod
    def read(cls, file: Path) -> "Hostile":
        header, mark, rest = file.read_text(encoding="utf-8").partition("# %%")
        entries = re.findall(r"^# (lesson|fails|says|uses): (.+)$", header, re.MULTILINE)
        (lesson,) = (value for key, value in entries if key == "lesson")
        failed = [re.fullmatch(r"(\S+) \((\S+)\)( half)?", value).groups() for key, value in entries if key == "fails"]
        fails, half = {name: reason for name, reason, _ in failed}, {name for name, _, half in failed if half}
        cells = jupytext.reads(mark + rest, "py:percent").cells
        used = [name for key, value in entries if key == "uses" for name in value.split(", ")]
        shared = [(FOLDER / "shared" / f"{name}.py").read_text(encoding="utf-8") for name in used]
        answers = {
            cell.metadata["exercise"]: "\n".join([*shared, cell.source]) for cell in cells if "exercise" in cell.metadata
        }
        first = [cell.source for cell in cells if "exercise" not in cell.metadata]
        if not answers:
            first[0] = "\n".join([*shared, first[0]])
        return cls(lesson, fails, half, [value for key, value in entries if key == "says"], answers, first)

    def time_limits(self) -> TimeLimits:
        """Return short limits if the header says that something in this submission takes longer than any limit."""
        announced = [*self.fails.values(), *self.says]
        return SHORT if any("timeout" in words or "still running" in words for words in announced) else PATIENT


class Class:
    """One sandbox with two graders: one for the hostile submission, and one for its honest neighbour."""

    def __init__(self, sandbox: Sandbox, folder: Path):
        self.sandbox, self.folder = sandbox, folder
        self.graders = [Grader(sandbox), Grader(sandbox)]
        for grader in self.graders:
            grader.ready()
        self.honest = hand_in(folder / "honest.ipynb", notebook("03"))
        assert full(self.grade(0, self.honest, "03", PATIENT))
        assert full(self.grade(1, self.honest, "03", PATIENT))

    def grade(self, place: int, file: Path, sheet: str, time_limits: TimeLimits) -> Graded:
        link, deadline = self.graders[place].link, time.monotonic() + 600
        link.send(job(read(file, self.folder), sheet, 5, time_limits), deadline)
        return read_reply(link.receive(deadline))

    def grade_beside(self, file: Path, hostile: Hostile) -> tuple[Graded, list[Graded]]:
        """Return the hostile submission's result, and the results of its neighbour, graded again and again meanwhile."""
        over, neighbours = threading.Event(), []

        def neighbour():
            while not neighbours or not over.wait(0.1):
                neighbours.append(self.grade(1, self.honest, "03", PATIENT))

        thread = threading.Thread(target=neighbour)
        thread.start()
        try:
            return self.grade(0, file, hostile.lesson, hostile.time_limits()), neighbours
        finally:
            over.set()
            thread.join()

    def close(self) -> None:
        for grader in self.graders:
            grader.close()


@pytest.fixture(scope="module")
def two(needs_sandbox, tmp_path_factory):
    together = Class(needs_sandbox, tmp_path_factory.mktemp("submissions"))
    yield together
    together.close()


def full(graded: Graded) -> bool:
    return all(verdict and verdict.score == 1.0 for verdict in graded.verdicts.values()) and not graded.notes


def descendants(pid: int) -> set[int]:
    return {process.pid for process in psutil.Process(pid).children(recursive=True)}


def surroundings(two: Class) -> dict:
    """Return everything that a submission must not change."""
    folders = [two.folder, *(paths.ROOT / name for name in ("transformer_course", "exercises", "notebooks", "tests"))]
    files = {file: file.lstat() for folder in folders for file in folder.rglob("*") if "__pycache__" not in file.parts}
    places = [Path(place) for place in ("/tmp", "/var/tmp", "/dev/shm", Path.home(), paths.ROOT) if Path(place).is_dir()]
    return {
        "files": {file: (status.st_size, status.st_mtime_ns, status.st_mode) for file, status in files.items()},
        "left": [path for place in places for path in place.glob(f"{LEFT_BEHIND}*")],
        "mounts": Path("/proc/self/mountinfo").read_text(),
        "graders": [grader.process.pid for grader in two.graders if grader.process.poll() is None],
    }


def eventually(holds: Callable[[], bool]) -> bool:
    """Return whether the condition becomes true soon: processes take a moment to end."""
    end = time.monotonic() + 120
    while not holds() and time.monotonic() < end:
        time.sleep(0.01)
    return holds()


def family(file: Path) -> str:
    return file.stem.partition("_")[0]


def some(families: set[str]) -> pytest.MarkDecorator:
    files, late = [file for file in FILES if family(file) in families], [pytest.mark.slow, pytest.mark.alone]
    return pytest.mark.parametrize(
        "file", [pytest.param(file, id=file.stem, marks=[] if file.stem in QUICK else late) for file in files]
    )


@some(SYSTEM)
def test_an_attack_on_the_computer_gets_what_it_earned_and_hurts_nobody(file, two):
    grade_and_look_around(file, two)


@some(PYTHON)
def test_an_attack_on_the_grader_gets_what_it_earned_and_hurts_nobody(file, two):
    grade_and_look_around(file, two)


def grade_and_look_around(file: Path, two: Class) -> None:
    hostile = Hostile.read(file)
    submission = hand_in(two.folder / "hostile.ipynb", notebook(hostile.lesson, hostile.answers, hostile.first))
    before, processes = surroundings(two), descendants(two.sandbox.bubblewrap.process.pid)

    graded, neighbours = two.grade_beside(submission, hostile)

    reasons = {name: verdict.reason if verdict else "unjudged" for name, verdict in graded.verdicts.items()}
    expected = {exercise.id: hostile.fails.get(exercise.id, "passed") for exercise in by_lesson()[hostile.lesson]}
    failed = {name: verdict for name, verdict in graded.verdicts.items() if verdict and not verdict.passed}
    texts = [verdict.message for verdict in failed.values()] + list(graded.notes)
    text = "\n".join(texts)
    assert reasons.keys() == expected.keys() >= hostile.fails.keys()
    assert all(re.fullmatch(expected[name], reason) for name, reason in reasons.items()), f"{reasons}\n{text}"
    assert {name for name, verdict in failed.items() if verdict.score} == hostile.half
    assert all(failed[name].score == 0.5 for name in hostile.half)
    assert max(map(len, texts), default=0) < 3000
    assert [words for words in hostile.says if words not in text] == [], text
    assert [note for note in graded.notes if not any(words in note for words in hostile.says)] == []
    assert all(full(neighbour) for neighbour in neighbours)
    assert full(two.grade(0, two.honest, "03", PATIENT))  # by the same grader: with one worker, everybody has the same one
    assert surroundings(two) == before
    assert eventually(lambda: descendants(two.sandbox.bubblewrap.process.pid) == processes)


def test_there_are_many_of_every_family():
    members = Counter(map(family, FILES))
    assert members.keys() == SYSTEM | PYTHON
    assert min(members.values()) >= 2
    assert len(FILES) >= 180
    assert {file.stem for file in FILES} >= QUICK
