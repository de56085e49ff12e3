"""Finding the submissions: one for each learner, in whatever form a teacher's folder has them."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from transformer_course.exercises.catalogue import by_lesson
from transformer_course.runner import limits

from ..errors import GradingError
from ..graded import Submission
from .find import HandedIn, find, root, without_ending
from .notebook_file import Cell, NotANotebook, cells, content

CHECK = re.compile(r"""check\(\s*["']([\w.]{1,80})["']""")


@dataclass(frozen=True)
class Attempt:
    """A notebook of a learner's: the sheet that it is of, if it is of one, or why it cannot be read."""

    name: str  # below the folder of submissions
    path: Path
    changed: float  # seconds since 1970
    sheet: str | None = None
    digest: str = ""
    problem: str = ""


def collect(folder: Path, sheet: str | None, one: bool = False) -> tuple[str, list[Submission], list[str]]:
    """The sheet that is graded ("02"); each learner's submission, in the order of their names; and what else lay there.

    ``folder`` holds a notebook or a folder for each learner, or is a single notebook, or is ``one`` learner's. Of several
    attempts the newest of the graded sheet counts. Without ``sheet``, it is the one that most learners handed in. Hidden files
    and links are left out. Raises GradingError when there is nothing to grade; one learner may have handed in nothing.
    """
    if sheet is not None and sheet not in by_lesson():
        raise GradingError(f"There is no sheet {sheet!r:.80}; the course has {', '.join(by_lesson())}.")
    found, others = find(folder, one)
    attempts = {learner: _attempts(handed_in, root(folder, one)) for learner, handed_in in found.items()}
    if not any(attempts.values()) and not (one and sheet):
        archives = [name for handed_in in found.values() for name in handed_in.others if without_ending(name) != name]
        help = (
            f"unpack {archives[0]} first"
            if archives
            else "give the folder with the learners' notebooks, or with their folders"
        )
        raise GradingError(f"{folder} holds no notebooks; {help}.")
    if sheet is None:
        sheet = _commonest(sheet for each in attempts.values() for sheet in {attempt.sheet for attempt in each} - {None})
        if sheet is None:
            first = next(_problem(found[learner], each, None) for learner, each in attempts.items() if each)
            raise GradingError(f"No notebook in {folder} shows which sheet it is of; name the sheet. The first: {first}")
    learners = sorted(attempts, key=_alphabetical)
    return sheet, [_choose(learner, found[learner], attempts[learner], sheet) for learner in learners], others


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


def _alphabetical(name: str) -> tuple:
    """Sorts "Åke" among the A."""
    letters = unicodedata.normalize("NFKD", name)
    return "".join(letter for letter in letters if not unicodedata.combining(letter)).casefold(), name


def _attempts(handed_in: HandedIn, root: Path) -> list[Attempt]:
    """A learner's notebooks, newest first."""
    if len(handed_in.notebooks) > limits.LEARNER_NOTEBOOKS:
        handed_in.log.append(
            f"Of {len(handed_in.notebooks)} notebooks, only the newest {limits.LEARNER_NOTEBOOKS} were opened."
        )
    timed = [(path.lstat().st_mtime, path) for path in handed_in.notebooks]
    newest = sorted(timed, key=lambda each: (each[0], _natural(str(each[1]))), reverse=True)[: limits.LEARNER_NOTEBOOKS]
    return [_look(path, root, changed) for changed, path in newest]


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


def _choose(learner: str, handed_in: HandedIn, attempts: Sequence[Attempt], sheet: str) -> Submission:
    log = handed_in.log
    unread = [f"{attempt.name} was passed over: {attempt.problem}" for attempt in attempts if attempt.problem]
    right = [attempt for attempt in attempts if attempt.sheet == sheet]
    if not right:
        problem = _problem(handed_in, attempts, sheet)
        return Submission(learner, None, problem, log=(*log, *unread), doubtful=bool(log or unread))
    taken, *older = right
    others = [attempt.sheet for attempt in attempts if attempt.sheet != sheet and not attempt.problem]
    equal = sum(attempt.changed == taken.changed for attempt in right)
    how = f"the newest of {len(right)}" if equal == 1 else f"of {equal} with the same time, the last by name"
    told = [f"{taken.name} was taken, {how}; passed over: {_some([each.name for each in older])}."] if older else []
    return Submission(
        learner,
        taken.path,
        name=taken.name,
        log=(*log, *told, *unread),
        digest=taken.digest,
        changed=taken.changed,
        attempts=len(right),
        tied=equal > 1,
        doubtful=bool(log or unread or equal > 1),
        other_sheets=others,
    )


def _problem(handed_in: HandedIn, attempts: Sequence[Attempt], sheet: str | None) -> str:
    """Why none of the attempts, newest first, can be graded, in a sentence for the learner."""
    damaged = [f"{attempt.name}: {attempt.problem}" for attempt in attempts if attempt.problem]
    if damaged:
        return " ".join(damaged[:3])
    other = [attempt.sheet for attempt in attempts if attempt.sheet]
    if other:
        return f"The notebook is of sheet {other[0]}, and sheet {sheet} is graded here; hand in the notebook of sheet {sheet}."
    if attempts:
        return "The notebook has none of the course's exercises; hand in the sheet in which you wrote your answers."
    for name in handed_in.others:
        if without_ending(name) != name:
            return f"{name} is an archive; unpack it, or hand in the notebook of sheet {sheet} itself."
    instead = f", only {_some(handed_in.others)}" if handed_in.others else ""
    return f"No notebook was found in your folder{instead}; hand in the notebook of sheet {sheet}."


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
