"""Finding the submissions: one for each learner, in whatever form a teacher's folder has them."""

import itertools
import os
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from ..exercises.catalogue import by_lesson
from .errors import GradingError
from .graded import Submission
from .notebook import Cell, NotANotebook, cells, content

CHECK = re.compile(r"""check\(\s*["']([\w.]{1,80})["']""")
ARCHIVES = (".zip", ".tar", ".gz", ".tgz", ".7z", ".rar")
MAX_ENTRIES = 10_000  # so much is looked through for one learner,
MAX_NOTEBOOKS = 100  # and so many notebooks are opened: a folder of that size is no submission


@dataclass(frozen=True)
class Attempt:
    """A notebook of a learner's: the sheet that it is of, if it is of one, or why it cannot be read."""

    name: str  # below the folder of submissions
    path: Path
    changed: float  # seconds since 1970
    sheet: str | None = None
    digest: str = ""
    problem: str = ""


def collect(folder: Path, sheet: str | None) -> tuple[str, list[Submission], list[str]]:
    """The sheet that is graded ("02"); each learner's submission, in the order of their names; and what else lay there.

    ``folder`` holds a notebook or a folder for each learner, or is a single notebook. Of several attempts the newest of
    the graded sheet counts. Without ``sheet``, it is the one that most learners handed in. Hidden files and links are
    left out. Raises GradingError when there is nothing to grade.
    """
    if sheet is not None and sheet not in by_lesson():
        raise GradingError(f"There is no sheet {sheet!r:.80}; the course has {', '.join(by_lesson())}.")
    root, found, logs, others = _find(folder)
    attempts = {learner: [_look(path, root, changed) for changed, path in paths] for learner, paths in found.items()}
    if not any(attempts.values()):
        raise GradingError(
            f"{folder} holds no notebooks; give the folder with the learners' notebooks, or with their folders."
        )
    if sheet is None:
        sheet = _commonest(sheet for each in attempts.values() for sheet in {attempt.sheet for attempt in each} - {None})
        if sheet is None:
            first = next(_problem(each, None) for each in attempts.values() if each)
            raise GradingError(f"No notebook in {folder} shows which sheet it is of; name the sheet. The first: {first}")
    learners = sorted(attempts, key=lambda learner: (learner.casefold(), learner))
    return sheet, [_choose(learner, attempts[learner], sheet, logs[learner]) for learner in learners], others


def sheet_of(code: Iterable[Cell]) -> str | None:
    """The sheet that most of the cells' exercises are of, by their metadata or, where these are gone, by calls of check."""
    home = {exercise.id: sheet for sheet, exercises in by_lesson().items() for exercise in exercises}
    code = list(code)
    named = [cell.exercise for cell in code]
    checked = [exercise for cell in code for exercise in CHECK.findall(cell.source)]
    return _commonest(home[name] for name in named if name in home) or _commonest(
        home[name] for name in checked if name in home
    )


def _commonest(names: Iterable[str]) -> str | None:
    counts = Counter(names)
    return min(counts, key=lambda name: (-counts[name], name), default=None)


def _find(folder: Path) -> tuple[Path, dict[str, list[tuple[float, Path]]], dict[str, list[str]], list[str]]:
    """The folder within which all files lie; each learner's notebooks with their times, newest first; what to tell about
    each; and the names of files that are neither."""
    if folder.is_file():
        if not _is_notebook(folder.name):
            raise GradingError(f"{folder} is no notebook; give a notebook (.ipynb), or the folder of submissions.")
        folder = folder.resolve()  # whoever names a link means the file behind it
        return folder.parent, {folder.stem: [(folder.stat().st_mtime, folder)]}, {folder.stem: []}, []
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        reason = error.strerror or str(error)
        raise GradingError(f"{folder} cannot be opened ({reason}); give the folder of submissions.") from None
    found: dict[str, list[Path]] = {}
    logs: dict[str, list[str]] = {}
    others: list[str] = []
    for entry in entries:
        if entry.name.startswith(".") or entry.name == "__MACOSX":  # what macOS adds to a zip file
            continue
        is_file = _is_notebook(entry.name) and not entry.is_dir(follow_symlinks=False)
        if not is_file and not os.path.isdir(entry):  # which is false, where entry.is_dir() would raise: links in a circle
            others.append(entry.name)
            continue
        learner = Path(entry.name).stem if is_file else entry.name
        log = logs.setdefault(learner, [])
        found.setdefault(learner, []).extend([Path(entry)] if is_file else _below(Path(entry), log))
    return folder, {learner: _newest(paths, logs[learner]) for learner, paths in found.items()}, logs, others


def _below(place: Path, log: list[str]) -> list[Path]:
    """The notebooks in a learner's folder and in the folders in it."""
    notebooks, waiting, left = [], [place], MAX_ENTRIES
    while waiting:
        here = waiting.pop()
        if here.is_symlink():
            log.append(f"{here.name} is a link, and links are not followed.")
            continue
        try:
            with os.scandir(here) as scan:
                entries = list(itertools.islice(scan, left))
        except OSError as error:
            log.append(f"{here.name} cannot be opened ({error.strerror or error}).")
            continue
        left -= len(entries)
        for entry in entries:
            if entry.name.startswith("."):
                continue
            if os.path.isdir(entry):
                waiting.append(Path(entry))
            elif _is_notebook(entry.name):
                notebooks.append(Path(entry))
            elif entry.name.lower().endswith(ARCHIVES):
                log.append(f"{entry.name} is an archive, and was not looked into.")
    if left <= 0:
        log.append(f"Only the first {MAX_ENTRIES} files were looked through.")
    return notebooks


def _is_notebook(name: str) -> bool:
    return name.lower().endswith(".ipynb")


def _newest(paths: list[Path], log: list[str]) -> list[tuple[float, Path]]:
    if len(paths) > MAX_NOTEBOOKS:
        log.append(f"Of {len(paths)} notebooks, only the newest {MAX_NOTEBOOKS} were opened.")
    timed = [(path.lstat().st_mtime, path) for path in paths]
    return sorted(timed, key=lambda each: (each[0], _natural(str(each[1]))), reverse=True)[:MAX_NOTEBOOKS]


def _natural(name: str) -> tuple:
    """Sorts "attempt 10" behind "attempt 9"."""
    return [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", name)], name


def _look(path: Path, root: Path, changed: float) -> Attempt:
    name = path.relative_to(root).as_posix()
    try:
        data = content(path, root)
        return Attempt(name, path, changed, sheet_of(cells(data)), sha256(data).hexdigest())
    except NotANotebook as error:
        return Attempt(name, path, changed, problem=str(error))


def _choose(learner: str, attempts: Sequence[Attempt], sheet: str, log: list[str]) -> Submission:
    unread = [f"{attempt.name} was passed over: {attempt.problem}" for attempt in attempts if attempt.problem]
    right = [attempt for attempt in attempts if attempt.sheet == sheet]
    if not right:
        return Submission(learner, None, _problem(attempts, sheet), (*log, *unread), doubtful=bool(log or unread))
    taken, *older = right
    others = [attempt.sheet for attempt in attempts if attempt.sheet != sheet and not attempt.problem]
    equal = sum(attempt.changed == taken.changed for attempt in right)
    how = f"the newest of {len(right)}" if equal == 1 else f"of {equal} with the same time, the last by name"
    told = [f"{taken.name} was taken, {how}; passed over: {_names(older)}."] if older else []
    return Submission(
        learner,
        taken.path,
        log=(*log, *told, *unread),
        digest=taken.digest,
        changed=taken.changed,
        tied=equal > 1,
        doubtful=bool(log or unread or equal > 1),
        other_sheets=others,
    )


def _problem(attempts: Sequence[Attempt], sheet: str | None) -> str:
    """Why none of the attempts, newest first, can be graded, in a sentence for the learner."""
    damaged = [f"{attempt.name}: {attempt.problem}" for attempt in attempts if attempt.problem]
    if damaged:
        return " ".join(damaged[:3])
    other = [attempt.sheet for attempt in attempts if attempt.sheet]
    if other:
        return f"The notebook is of sheet {other[0]}, and sheet {sheet} is graded here; hand in the notebook of sheet {sheet}."
    if attempts:
        return "The notebook has none of the course's exercises; hand in the sheet in which you wrote your answers."
    return f"No notebook was found in your folder; hand in the notebook of sheet {sheet}."


def _names(attempts: Sequence[Attempt]) -> str:
    names = [attempt.name for attempt in attempts[:5]]
    return ", ".join(names) + (f" and {len(attempts) - 5} more" if len(attempts) > 5 else "")
