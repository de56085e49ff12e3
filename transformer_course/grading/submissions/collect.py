"""Choose one submission for each learner from everything that was handed in."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from transformer_course.exercises.catalogue import by_lesson
from transformer_course.runner import limits

from ..errors import GradingError
from ..graded import Submission
from .find import FoundFiles, find, root, without_ending
from .notebook_file import Cell, NotANotebook, cells, content

NAMED = 3  # damaged files that a learner reads about; the log has the others
CHECK = re.compile(r"""check\(\s*["']([\w.]{1,80})["']""")


@dataclass(frozen=True)
class Attempt:
    """One of a learner's notebooks. ``problem`` says why it cannot be read, if it cannot."""

    name: str  # its path within the folder of submissions
    path: Path
    changed: float  # seconds since 1970
    sheet: str | None = None  # None for a notebook that is not one of the course's sheets
    digest: str = ""
    problem: str = ""


def collect(folder: Path, sheet: str | None, one: bool = False) -> tuple[str, list[Submission], list[str]]:
    """Return the sheet to grade (such as "02"), the submissions sorted by learner, and the names of all other files.

    ``folder`` holds a notebook or a folder for each learner, or is a single notebook, or is the folder of ``one`` learner. Of
    several attempts at the graded sheet, the newest counts. If ``sheet`` is None, the sheet is the one that most learners
    handed in. Hidden files and links are ignored.

    Raises GradingError if there is nothing to grade. Only ``one`` learner may have handed in nothing, if ``sheet`` is given.
    """
    if sheet is not None and sheet not in by_lesson():
        raise GradingError(f"There is no sheet {sheet!r:.80}; the course has {', '.join(by_lesson())}.")
    found, others = find(folder, one)
    attempts = {learner: _attempts(files, root(folder, one)) for learner, files in found.items()}
    if not any(attempts.values()) and not (one and sheet):
        archives = [name for files in found.values() for name in files.others if without_ending(name) != name]
        advice = (
            f"unpack {archives[0]} first" if archives else "choose the folder that holds the learners' notebooks or folders"
        )
        raise GradingError(f"{folder} contains no notebooks; {advice}.")
    if sheet is None:
        sheet = _most_common(sheet for each in attempts.values() for sheet in {attempt.sheet for attempt in each} - {None})
        if sheet is None:
            first = next(_problem(found[learner], each, None) for learner, each in attempts.items() if each)
            raise GradingError(
                f"The notebooks in {folder} do not show which sheet to grade. Name it, for example with --sheet 03. The "
                f"problem with the first notebook: {first}"
            )
    submissions = [
        replace(_choose(learner, found[learner], attempts[learner], sheet), participant=found[learner].number)
        for learner in sorted(attempts, key=_alphabetical)
    ]
    return sheet, submissions, others


def sheet_of(code: Iterable[Cell]) -> str | None:
    """Return the sheet that most cells belong to, by their metadata or, if these are gone, by their calls to `check`."""
    home = {exercise.id: sheet for sheet, exercises in by_lesson().items() for exercise in exercises}
    code = list(code)
    named = [cell.exercise for cell in code]
    checked = [exercise for cell in code for exercise in CHECK.findall(cell.source)]
    return _most_common(home[name] for name in named if name in home) or _most_common(
        home[name] for name in checked if name in home
    )


def _most_common(names: Iterable[str]) -> str | None:
    counts = Counter(names)
    return min(counts, key=lambda name: (-counts[name], name), default=None)


def _alphabetical(name: str) -> tuple:
    """Return a sort key that puts "Åke" among the names with A."""
    letters = unicodedata.normalize("NFKD", name)
    return "".join(letter for letter in letters if not unicodedata.combining(letter)).casefold(), name


def _attempts(files: FoundFiles, root: Path) -> list[Attempt]:
    """Open a learner's notebooks, newest first."""
    if len(files.notebooks) > limits.LEARNER_NOTEBOOKS:
        files.log.append(f"Of {len(files.notebooks)} notebooks, only the newest {limits.LEARNER_NOTEBOOKS} were opened.")
    timed = [(_changed(path), _natural(str(path.with_suffix(""))), path) for path in files.notebooks]
    newest = sorted(timed, reverse=True)[: limits.LEARNER_NOTEBOOKS]
    return [_attempt(path, root, changed) for changed, _, path in newest]


def _changed(path: Path) -> float:
    try:
        return path.lstat().st_mtime
    except OSError:  # its path is too long, for instance; `content` will say so
        return 0.0


def _natural(name: str) -> tuple:
    """Return a sort key that puts "attempt 10" after "attempt 9", and "sheet (1)" after "sheet"."""
    return [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", name)], name


def _attempt(path: Path, root: Path, changed: float) -> Attempt:
    name = path.relative_to(root).as_posix()
    try:
        data = content(path, root)
        return Attempt(name, path, changed, sheet_of(cells(data)), sha256(data).hexdigest())
    except NotANotebook as error:
        return Attempt(name, path, changed, problem=str(error))


def _choose(learner: str, files: FoundFiles, attempts: Sequence[Attempt], sheet: str) -> Submission:
    """Return the newest attempt at the sheet as the learner's submission, or one that says why there is none."""
    unread = [f"{attempt.name} was skipped: {attempt.problem}" for attempt in attempts if attempt.problem]
    right = [attempt for attempt in attempts if attempt.sheet == sheet]
    if not right:
        problem = _problem(files, attempts, sheet)
        return Submission(learner, None, problem, log=(*files.log, *unread[NAMED:]), needs_review=bool(files.log or unread))
    chosen, *older = right
    tied = sum(attempt.changed == chosen.changed for attempt in right)
    reason = (
        f"the newest of {len(right)}"
        if tied == 1
        else f"the last in name order of the {tied} that were changed at the same time"
    )
    skipped = [f"{chosen.name} was chosen as {reason}; skipped: {_list([each.name for each in older])}."] if older else []
    return Submission(
        learner,
        chosen.path,
        name=chosen.name,
        log=(*files.log, *skipped, *unread),
        digest=chosen.digest,
        changed=chosen.changed,
        attempts=len(right),
        tied=tied > 1,
        needs_review=bool(files.log or unread or tied > 1),
        other_sheets=[attempt.sheet for attempt in attempts if attempt.sheet != sheet and not attempt.problem],
    )


def _problem(files: FoundFiles, attempts: Sequence[Attempt], sheet: str | None) -> str:
    """Say in a sentence for the learner why none of the attempts, newest first, can be graded."""
    damaged = [f"{attempt.name}: {attempt.problem}" for attempt in attempts if attempt.problem]
    if damaged:
        return " ".join(damaged[:NAMED])
    other = [attempt.sheet for attempt in attempts if attempt.sheet]
    if other:
        return f"This notebook is sheet {other[0]}, but sheet {sheet} is being graded; hand in the notebook for sheet {sheet}."
    if attempts:
        return "The notebook contains none of the course's exercises; hand in the sheet with your answers."
    for name in files.others:
        if ".ipynb." in name.lower():
            return f"{name} seems to be a notebook; delete everything after .ipynb in its name, and hand it in again."
        if without_ending(name) != name:
            return f"{name} is an archive, and was not opened; hand in the notebook for sheet {sheet}, not in an archive."
    instead = f", only {_list(files.others)}" if files.others else ""
    if files.links:
        return f"{files.links[0]} is a link, and links are not followed; hand in the notebook for sheet {sheet} itself."
    return f"No notebook was handed in{instead}; hand in the notebook for sheet {sheet}."


def _list(names: Sequence[str]) -> str:
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
