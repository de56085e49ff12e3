"""What a teacher hands out: a folder of empty sheets and their lessons, or a course folder for nbgrader.

nbgrader runs a learner's code in the same process as the check that grades it, so a submission can tamper with the check.
`transformer-course grade` does not have this weakness.
"""

import re
from collections.abc import Sequence
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from transformer_course import course
from transformer_course.authoring.build import TODO, blank_of, notebook_of
from transformer_course.exercises.solutions import BEGIN, END
from transformer_course.runner import limits

from .learner_folder import Delivery, FolderError, deliver, sync_files, without_dead_links, writable_folder

CONFIG = '''\
"""nbgrader's settings for the sheets of transformer-course. Add what your class needs."""

import os

c = get_config()

# The sheets already contain the placeholders for the answers.
c.ClearSolutions.code_stub = {"python": ""}

# Where the checks record passed exercises: those of your class must not count as your own.
os.environ["TRANSFORMER_COURSE_HOME"] = os.path.join(os.path.dirname(os.path.abspath(__file__)), ".progress")

# nbgrader runs every cell, so the stages of the Build train for a few steps only.
os.environ["TRANSFORMER_COURSE_TRAINING"] = "short"
'''

SOURCE = "source"  # where nbgrader looks for the solved sheets
NUMBERED = "[0-9B][0-9]*_*.ipynb"  # sheets and stages: 02_…, B1_…, B13_…


class UnknownSheet(LookupError):
    """The course has no such sheet; the message lists those it has."""


def release(folder: Path, sheets: Sequence[str] = ()) -> Delivery:
    """Make the folder that learners get: the empty sheets with these numbers ("02"), and their lessons without outputs.

    Default: the whole course. Files that were changed there are never overwritten. Raises UnknownSheet, and FolderError if the
    folder cannot be written or contains solutions, as a folder for nbgrader does.
    """
    numbers = [source.number for source in _chosen(sheets)] if sheets else None
    if [*folder.glob(f"{SOURCE}/*/{NUMBERED}")]:
        raise FolderError(
            f"{folder} is a folder for nbgrader, and its {SOURCE} contains the solutions: choose another folder to hand out."
        )
    return deliver(folder, numbers)


def release_nbgrader(folder: Path, sheets: Sequence[str] = ()) -> Delivery:
    """Make a course folder for nbgrader, or add to one: each sheet is an assignment, ``source/02/<sheet>.ipynb``.

    The sheets contain their solutions, which ``nbgrader generate_assignment`` removes. Each exercise is worth one point. Files
    that were changed there are never overwritten. Raises UnknownSheet, and FolderError if the folder cannot be written or is
    one to hand out.
    """
    texts = {"nbgrader_config.py": CONFIG}
    for source in _chosen(sheets):
        key = f"{SOURCE}/{source.number}/{source.name}.ipynb"
        text = nbformat.writes(_for_nbgrader(source)) + "\n"
        texts[key] = without_dead_links(text, key, available=())  # nbgrader hands out sheets without their lessons
    with writable_folder(folder):
        if [*folder.glob(f"exercises/{NUMBERED}")]:
            raise FolderError(
                f"{folder} is a folder to hand out, but a folder for nbgrader contains the solutions: choose another "
                "folder for nbgrader."
            )
        return sync_files(folder, texts)


def next_steps(folder: Path, sheets: Sequence[str], nbgrader: bool) -> str:
    """Tell the teacher what else is in the folder, how to hand it out, and what to do with the submissions."""
    if not nbgrader:
        names = [path.name for path in (folder / "exercises").glob(NUMBERED)]
        *others, last = sorted((name.partition("_")[0] for name in names), key=lambda number: (len(number), number))
        earlier = sheets and {*others, last} - {*sheets}
        contents = f"{folder} now contains sheets {', '.join(others)} and {last}.\n" if earlier else ""
        return (
            f"{contents}Hand out all of {folder}: its sheets and lessons link to each other. It contains no solutions.\n"
            f"Tell your learners: a sheet larger than {limits.NOTEBOOK_BYTES // limits.MIB} MiB gets no mark. Edit → Clear "
            "Outputs of All Cells, and saving it again, makes it smaller.\n"
            "Once you have all submissions in one folder: transformer-course grade FOLDER --out RESULTS"
        )
    first, *others = [source.number for source in _chosen(sheets)]
    rest = f" Do the same for {', '.join(others)}." if others else ""
    return (
        f"{folder / SOURCE} contains the solutions: keep it to yourself.\n"
        f"In {folder}, run nbgrader generate_assignment {first}, then hand out release/{first}.{rest}\n"
        f"Once the submissions are in submitted/NAME/{first}: nbgrader autograde {first}"
    )


def _chosen(sheets: Sequence[str]) -> list[course.Source]:
    sources = {source.number: source for source in course.sheets_and_stages()}
    for number in sheets:
        if number not in sources:
            raise UnknownSheet(f"There is no sheet {number!r:.80}; the course has {', '.join(sources)}.")
    return [source for number, source in sources.items() if number in sheets or not sheets]


def _for_nbgrader(source: course.Source) -> NotebookNode:
    """Return the solved sheet with nbgrader's metadata in each answer and each check."""
    notebook = notebook_of(source, solved=True)
    for cell in notebook.cells:
        if "exercise" in cell.metadata:
            cell.source = _with_blank(cell.source, blank_of(cell.metadata["exercise"], source))
            cell.metadata["nbgrader"] = _metadata(f"{cell.metadata['exercise']}.answer", grade=False)
        elif call := re.fullmatch(r'check\("([\w.]+)"\)', cell.source):
            # To nbgrader, a cell fails if it raises an error; the learner sees that error.
            cell.source += f"\n### BEGIN HIDDEN TESTS\nassert (_card := {call[0]}), _card\n### END HIDDEN TESTS"
            cell.metadata["nbgrader"] = {**_metadata(call[1], grade=True), "points": 1}
    return notebook


def _metadata(name: str, grade: bool) -> dict:
    return {
        "schema_version": 3,
        "grade_id": name.replace(".", "-"),  # letters, digits, - and _ are allowed
        "grade": grade,
        "solution": not grade,
        "locked": grade,
        "task": False,
    }


def _with_blank(code: str, blank: str) -> str:
    """Return a solved cell that runs as it is, and becomes the one of our empty sheet once nbgrader removes the solution.

    At the top level, the blank comes before the solution, which then assigns the answer. In a function, the error comes after
    the solution, which returns before it.
    """
    lines = []
    for line in code.splitlines():
        indent = line[: len(line) - len(line.lstrip())]
        if line == BEGIN:
            lines.append(blank)
        if indent and line.strip() == END and not lines[-1].lstrip().startswith("return"):
            lines.append(f"{indent}return  # so that what follows does not run")
        lines.append(line)
        if indent and line.strip() == END:
            lines += [indent + part for part in TODO.splitlines()]
    return "\n".join(lines)
