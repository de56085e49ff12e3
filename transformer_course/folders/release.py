"""What a teacher hands out: a folder of empty sheets and their lessons, or a course folder for nbgrader.

nbgrader runs a learner's code in the same process as the check that grades it, so a submission can change the check from
inside. `transformer-course grade` does not have this weakness.
"""

import re
from collections.abc import Sequence
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from transformer_course._util import paths
from transformer_course.authoring.build import TODO, blank_of, notebook_of
from transformer_course.exercises.solutions import BEGIN, END

from .learner_folder import Delivery, FolderError, bring, deliver, unlinked, usable

CONFIG = '''\
"""How nbgrader treats the sheets of transformer-course. Add what your class needs."""

import os

c = get_config()

# What waits for an answer stands in the sheets themselves.
c.ClearSolutions.code_stub = {"python": ""}

# Where the checks note passes: what your class has passed is not your own progress.
os.environ["TRANSFORMER_COURSE_HOME"] = os.path.join(os.path.dirname(os.path.abspath(__file__)), ".progress")
'''

SOURCE = "source"  # where nbgrader looks for the solved sheets


class UnknownSheet(LookupError):
    """A sheet that the course does not have; the message names those that it has."""


def release(folder: Path, sheets: Sequence[str] = ()) -> Delivery:
    """Make the folder that learners get: the empty sheets of these numbers ("02"), and their lessons without outputs.

    Without numbers, it holds the whole course. What was changed there is never overwritten. Raises UnknownSheet, and
    FolderError when the folder cannot be written, or holds the solutions that nbgrader's has.
    """
    numbers = [source.stem[:2] for source in _chosen(sheets)] if sheets else None
    if [*folder.glob(f"{SOURCE}/[0-9][0-9]/*_sheet_*.ipynb")]:
        raise FolderError(
            f"{folder} is a folder for nbgrader, and its {SOURCE} holds the solutions: choose another folder to hand out."
        )
    return deliver(folder, numbers)


def release_nbgrader(folder: Path, sheets: Sequence[str] = ()) -> Delivery:
    """Make a course folder for nbgrader, or add to it: ``source/02/<sheet>.ipynb`` for each sheet, an assignment of its own.

    The sheets hold their solutions, which ``nbgrader generate_assignment`` takes out. Each exercise is worth one point. What
    was changed there is never overwritten. Raises UnknownSheet, and FolderError when the folder cannot be written, or is one
    to hand out.
    """
    texts = {"nbgrader_config.py": CONFIG}
    for source in _chosen(sheets):
        key = f"{SOURCE}/{source.stem[:2]}/{source.stem}.ipynb"
        text = nbformat.writes(_for_nbgrader(source)) + "\n"
        texts[key] = unlinked(text, key, held=())  # nbgrader hands out no lessons beside a sheet
    with usable(folder):
        if [*folder.glob("exercises/[0-9][0-9]_sheet_*.ipynb")]:
            raise FolderError(
                f"{folder} is a folder to hand out, and nbgrader's holds the solutions: choose another folder for nbgrader."
            )
        return bring(folder, texts)


def next_steps(folder: Path, sheets: Sequence[str], nbgrader: bool) -> str:
    """Lines for the teacher: what else is in the folder, what to do with it, and what to do when the sheets come back."""
    if not nbgrader:
        *held, last = sorted(path.name[:2] for path in (folder / "exercises").glob("[0-9][0-9]_sheet_*.ipynb"))
        more = sheets and {*held, last} - {*sheets}  # from an earlier time
        also = f"Sheets {', '.join(held)} and {last} are in {folder}.\n" if more else ""
        return (
            f"{also}Hand out {folder} as a whole: its sheets and lessons link to each other, and no solution stands in it.\n"
            "When the sheets have come back into one folder: transformer-course grade FOLDER --out RESULTS"
        )
    first, *others = [source.stem[:2] for source in _chosen(sheets)]
    likewise = f", and likewise {', '.join(others)}" if others else ""
    return (
        f"{folder / SOURCE} holds the solutions: keep it to yourself.\n"
        f"In {folder}: nbgrader generate_assignment {first}, and hand out what it writes into release/{first}{likewise}.\n"
        f"When the sheets have come back into submitted/NAME/{first}: nbgrader autograde {first}"
    )


def _chosen(sheets: Sequence[str]) -> list[Path]:
    sources = {source.stem[:2]: source for source in paths.sources("exercises")}
    for number in sheets:
        if number not in sources:
            raise UnknownSheet(f"There is no sheet {number!r:.80}; the course has {', '.join(sources)}.")
    return [source for number, source in sources.items() if number in sheets or not sheets]


def _for_nbgrader(source: Path) -> NotebookNode:
    """The solved sheet, each answer and each check marked as what it is to nbgrader."""
    notebook = notebook_of(source, solved=True)
    for cell in notebook.cells:
        if "exercise" in cell.metadata:
            cell.source = _with_blank(cell.source, blank_of(cell, source))
            cell.metadata["nbgrader"] = _marks(f"{cell.metadata['exercise']}.answer", grade=False)
        elif asked := re.fullmatch(r'check\("([\w.]+)", \w+\)', cell.source):
            # nbgrader grades what the cell raises, and shows it to the learner: nothing else that a check says would count.
            cell.source += f"\n### BEGIN HIDDEN TESTS\nassert (_card := {asked[0]}), _card\n### END HIDDEN TESTS"
            cell.metadata["nbgrader"] = {**_marks(asked[1], grade=True), "points": 1}
    return notebook


def _marks(name: str, grade: bool) -> dict:
    return {
        "schema_version": 3,
        "grade_id": name.replace(".", "-"),  # it may hold letters, digits, - and _
        "grade": grade,
        "solution": not grade,
        "locked": grade,
        "task": False,
    }


def _with_blank(code: str, blank: str) -> str:
    """A solved cell of which our empty sheet is left when nbgrader takes its solution away, and which runs as it is.

    At the top level the blank comes before the solution, which then gives the name its value; in a function the error comes
    after the solution, which has returned by then.
    """
    lines = []
    for line in code.splitlines():
        indent = line[: len(line) - len(line.lstrip())]
        if line == BEGIN:
            lines.append(blank)
        lines.append(line)
        if indent and line.strip() == END:
            lines += [indent + part for part in TODO.splitlines()]
    return "\n".join(lines)
