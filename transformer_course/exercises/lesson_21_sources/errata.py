"""An index to the errors of the course's sources (docs/sources.md): by kind of fault, and the cells that show them."""

import json
import re

from IPython.display import Markdown

from transformer_course._util import paths

# Each row with the lessons that run it. Some rows would fit a second kind; what counts here is how one finds out.
KINDS = {
    "a slip in a number or a formula": {"E1": "02", "E2": "02", "E3": "02", "E4": "07", "E21": "11"},
    "two names, or two conventions, exchanged": {
        "E8": "03", "E9": "07", "E10": "05", "E18": "03", "E20": "04", "E27": "11"
    },
    "right for another case": {"E5": "05", "E6": "03", "E14": "12", "E15": "06", "E22": "11, 19"},
    "a condition left out": {"E11": "04", "E12": "13", "E13": "10", "E19": "08", "E23": "17", "E24": "16"},
    "a mechanism that is not there": {"E7": "12", "E17": "07", "E25": "14", "E26": "07"},
    "a picture taken at its word": {"E16": "20", "E28": "07", "E29": "20"},
}  # fmt: skip


def where(row: str) -> str:
    """Return where the course runs an error, "E1" to "E29": each lesson with the heading that its first cell stands under.

    Raises ValueError for another row.
    """
    lessons = next((rows[row] for rows in KINDS.values() if row in rows), None)
    if lessons is None:
        raise ValueError(f"the errors are E1 to E29, saw {row!r}")
    return "; ".join(f"lesson {lesson}{_under(lesson, row)}" for lesson in lessons.split(", "))


def hunt() -> Markdown:
    """Return a table of all errors: what was said, what is right (folded), and the lesson with the heading that shows it."""
    lines = []
    for kind, rows in KINDS.items():
        lines += [f"**{kind[0].upper()}{kind[1:]}**", "", "| | somebody says | and in fact | |", "| --- | --- | --- | --- |"]
        for row in rows:
            says, correct = _texts()[row]
            answer = f"<details><summary>show</summary>{correct}</details>"
            lines.append(f"| {row} | {says} | {answer} | {_linked(where(row))} |")
        lines.append("")
    return Markdown("\n".join(lines))


def _texts() -> dict[str, tuple[str, str]]:
    """Return what each error says, and what is correct, from the course's page on its sources."""
    page = (paths.ROOT / "docs" / "sources.md").read_text(encoding="utf-8")
    return {
        row: (says, correct)
        for row, says, correct in re.findall(r"^\| (E\d+) \|.+?\|.+?\| (.+?) \| (.+?) \|$", page, re.MULTILINE)
    }


def _linked(places: str) -> str:
    """Turn the names of lessons into links to their notebooks, next to lesson 21."""
    names = {path.stem[:2]: path.name for path in paths.notebooks("notebooks")}
    return re.sub(
        r"lesson (\d\d)", lambda found: f"[{found[0]}]({names[found[1]]})" if found[1] in names else found[0], places
    )


def _under(lesson: str, row: str) -> str:
    heading = ""
    for notebook in paths.notebooks("notebooks"):
        if notebook.name.startswith(lesson):
            for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
                if row in cell["metadata"].get("tags", []):
                    return f", under {heading!r}"
                if cell["cell_type"] == "markdown":
                    heading = next((line.lstrip("# ") for line in _lines_from_below(cell) if re.match("###? ", line)), heading)
    return ""  # a course in which that lesson is not there yet


def _lines_from_below(cell: dict) -> list[str]:
    return "".join(cell["source"]).splitlines()[::-1]
