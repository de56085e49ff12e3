"""Start a lesson: ``make new-lesson N=23 NAME=what_has_changed`` copies the small one in ``tools/new_lesson/``.

Its files lie there as in the course. In their names and texts, NN stands for the lesson's number, NAME for its name, and TITLE
for the name as words.
"""

import itertools
import re
import sys
from pathlib import Path

from transformer_course._util import paths

TEMPLATE = Path(__file__).with_name("new_lesson")
TRY = "try: make new-lesson N=23 NAME=what_has_changed"
NEXT = """
1. make notebooks LESSONS={number}, then make test LESSON={number}: this small lesson passes, and so it should stay.
2. Replace it with yours, piece by piece. CONTRIBUTING.md says what a lesson, its sheet and its exercises need.
3. If it teaches a row of docs/sources.md, add {number} there, and the row as a tag of a cell: # %% tags=["S5"]"""


def files(number: str, name: str) -> dict[str, str]:
    """Return the text of each file of a new lesson, by its path in the repository."""
    stands_for = {"NN": number, "NAME": name, "TITLE": name.replace("_", " ").capitalize()}

    def filled(text: str) -> str:
        return re.sub(r"(?<![A-Za-z])(NN|NAME|TITLE)(?![A-Za-z])", lambda mark: stands_for[mark[0]], text)

    found = (path for path in sorted(TEMPLATE.rglob("*")) if path.suffix in (".py", ".md"))
    return {filled(path.relative_to(TEMPLATE).as_posix()): filled(path.read_text(encoding="utf-8")) for path in found}


def refusal(number: str, name: str) -> str:
    """Return why there can be no such new lesson, in one sentence; empty if there can."""
    if not re.fullmatch("[0-9]{2}", number):
        return f"N should be the lesson's number in two digits, but is {number!r}; {TRY}"
    if not re.fullmatch("[a-z][a-z0-9]*(_[a-z0-9]+)*", name):
        return f"NAME should be words in lower case, joined by _, but is {name!r}; {TRY}"
    if there := taken(number):
        last = max(path.name[:2] for path in paths.ROOT.glob("notebooks/source/[0-9][0-9]_*"))
        free = next(f"{after:02d}" for after in itertools.count(int(last) + 1) if not taken(f"{after:02d}"))
        return f"lesson {number} has {there[0].relative_to(paths.ROOT).as_posix()} already; try N={free}"
    return ""


def taken(number: str) -> list[Path]:
    """Return what a lesson of this number has; not the caches that Python leaves where a lesson's files were deleted."""
    places = "notebooks/source/", "exercises/source/", "transformer_course/exercises/lesson_"
    found = (path for place in places for path in sorted(paths.ROOT.glob(f"{place}{number}_*")))
    return [path for path in found if not path.is_dir() or [each.name for each in path.iterdir()] != ["__pycache__"]]


def main(number: str, name: str) -> int:
    if says := refusal(number, name):
        print(f"No lesson was made: {says}.")
        return 2
    for file, text in files(number, name).items():
        path = paths.ROOT / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(f"wrote {file}")
    print(NEXT.format(number=number))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
