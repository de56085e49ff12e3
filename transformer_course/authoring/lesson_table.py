"""Tables of lessons, sheets and stages, from what these say of themselves: a short one in the README, one on the site."""

import re
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path

from transformer_course._util import headings, paths
from transformer_course.exercises.catalogue import by_lesson

# The parts of the course, by the number of the last lesson of each.
PARTS = {
    "05": "Attention",
    "11": "Positions, and the rest of a layer",
    "15": "The whole model",
    "18": "Writing, cost, the family",
    "22": "Looking inside, and further",
}

BEGIN, END = "<!-- lessons: written by `make notebooks` -->", "<!-- end of lessons -->"


def write(readme: Path) -> None:
    """Replace what is between the two markers. Raises ValueError if they are missing."""
    text = readme.read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"{readme} needs a line {BEGIN!r} and, further down, a line {END!r}")
    readme.write_text(f"{before}{BEGIN}\n\n{overview()}\n\n{END}{after}", encoding="utf-8")


def overview() -> str:
    """A row for each part of the course: its lessons with their minutes, its sheets, and the stages that can follow it.

    A stage is in the part that contains the last of the lessons it needs.
    """
    lessons, sheets, stages = _sources()
    rows = ["| | lessons, with minutes | exercises | the Build |", "| --- | --- | --- | --- |"]
    first = ""
    for last, part in PARTS.items():
        here = [source for source in lessons if first < source.stem[:2] <= last]
        checked = [source for source in sheets if first < source.stem[:2] <= last]
        built = [source for source in stages if first < headings.needed(source)[-1] <= last]
        numbers = " ".join(f"[{source.stem[:2]}](exercises/{source.stem}.ipynb)" for source in checked)
        columns = (_links(here, "notebooks"), f"{numbers}: {_hours(checked)} h" if checked else "", _links(built, "exercises"))
        rows.append(f"| **{part}** | {' | '.join(columns)} |")
        first = last
    return "\n".join(
        [
            *rows,
            "",
            f"The lessons take an estimated {_hours(lessons)} hours in all, the exercises {_hours(sheets)}, and the Build "
            f"{_hours(stages)}.",
            "",
            "There are two shorter paths, both without the parts under “Deeper”:",
            "",
            f"* **The ideas, in eight hours:** lessons 00 to {_within(lessons, 8 * 60)}.",
            _to_a_gpt(lessons, stages),
        ]
    )


def _to_a_gpt(lessons: list[Path], stages: list[Path]) -> str:
    """The shortest path to a GPT of one's own: the stages up to the one that builds it, and the lessons that they need."""
    first = stages[:4]  # the fourth builds the GPT
    needed = {number for stage in first for number in headings.needed(stage)}
    read = [lesson for lesson in lessons if lesson.stem[:2] in needed]
    numbers = [lesson.stem[:2] for lesson in read]
    return (
        f"* **A GPT of your own, in {_hours(read + first)} hours:** lessons {', '.join(numbers[:-1])} and {numbers[-1]}, with "
        f"stages B1 to B{len(first)}\n  in between, each as soon as you have read the lessons it needs."
    )


def _links(sources: list[Path], folder: str) -> str:
    """Links to lessons or stages: number, the title without its question, and minutes."""
    found = []
    for source in sources:
        number, title = headings.title(source).split(" · ", 1)
        short = re.split(r"(?<=\?) |: | \(", title)[0]
        found.append(f"[{number} {short}]({folder}/{source.stem}.ipynb) {headings.minutes(source)}")
    return " · ".join(found)


def table() -> str:
    """The hours of all lessons and of all sheets, with a row per lesson: its title and minutes, its exercises and theirs. Then
    the stages of the Build: their titles, the lessons that each needs, its exercises and minutes."""
    lessons, sheets, stages = _sources()
    return "\n".join(
        [
            f"The lessons take an estimated {_hours(lessons)} hours, and the exercises another {_hours(sheets)}.",
            "",
            "| | lesson | minutes | exercises | minutes |",
            "| --- | --- | --- | --- | --- |",
            *_rows(lessons, {sheet.stem[:2]: sheet for sheet in sheets}),
            "",
            "In **the Build** you write a Transformer yourself, stage by stage, and train it. Code that passes is added to",
            f"`my_transformer.py` in your folder. It takes an estimated {_hours(stages)} hours.",
            "",
            "| | stage | after lessons | exercises | minutes |",
            "| --- | --- | --- | --- | --- |",
            *map(_stage, stages),
        ]
    )


def _within(lessons: list[Path], minutes: int) -> str:
    """The number of the last lesson that can be read in these minutes, if nothing is left out."""
    totals = accumulate(map(headings.minutes, lessons))
    return [lesson.stem[:2] for lesson, total in zip(lessons, totals, strict=True) if total <= minutes][-1]


def _sources() -> tuple[list[Path], list[Path], list[Path]]:
    """The lessons, the sheets and the stages."""
    stages = paths.stages()
    return paths.sources("notebooks"), [source for source in paths.sources("exercises") if source not in stages], stages


def _hours(sources: list[Path]) -> int:
    return round(sum(map(headings.minutes, sources)) / 60)


def _rows(lessons: list[Path], sheets: dict[str, Path]) -> Iterator[str]:
    for lesson in lessons:
        number, title = headings.title(lesson).split(" · ", 1)
        exercises = "|"
        if sheet := sheets.get(number):
            exercises = f"[{len(by_lesson()[number])}](exercises/{sheet.stem}.ipynb) | {headings.minutes(sheet)}"
        yield f"| {number} | [{title}](notebooks/{lesson.stem}.ipynb) | {headings.minutes(lesson)} | {exercises} |"


def _stage(stage: Path) -> str:
    number, title = headings.title(stage).split(" · ", 1)
    lessons, count = ", ".join(headings.needed(stage)), len(by_lesson()[number])
    return f"| {number} | [{title}](exercises/{stage.stem}.ipynb) | {lessons} | {count} | {headings.minutes(stage)} |"
