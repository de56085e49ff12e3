"""Tables of lessons, sheets and stages, from what these say of themselves: a short one in the README, one on the site."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from transformer_course import course
from transformer_course.course import Lesson, Sheet, Source, Stage

# The parts of the course, by the number of the first lesson of each. The last one also has the lessons that are yet to come.
PARTS = {
    "00": "Attention",
    "06": "Positions, and the rest of a layer",
    "12": "The whole model",
    "16": "Writing, cost, the family",
    "19": "Looking inside, and past one machine",
    "23": "The models of today",
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
    """A row for each part of the course: its lessons, its sheets and the stages that can follow it, with their minutes.

    A stage is in the part that contains the last of the lessons it needs.
    """
    lessons, sheets, stages = course.lessons(), course.sheets(), course.stages()
    shorter = [path for path in course.learning_paths() if len(path.steps) < len(course.sources())]
    rows = ["| | lessons, with minutes | cores of sheets | the Build |", "| --- | --- | --- | --- |"]
    for first, part in PARTS.items():
        here = [lesson for lesson in lessons if _first(lesson.number) == first]
        checked = [sheet for sheet in sheets if _first(sheet.number) == first]
        built = [stage for stage in stages if _first(stage.lessons[-1]) == first]
        numbers = " ".join(f"[{sheet.number}]({sheet.link})" for sheet in checked)
        minutes = sum(sheet.minutes for sheet in checked)
        columns = (_links(here), f"{numbers}: {minutes} min" if checked else "", _links(built))
        rows.append(f"| **{part}** | {' | '.join(columns)} |")
    return "\n".join(
        [
            *rows,
            "",
            f"The lessons take an estimated {_hours(lessons)} hours in all, the cores of the sheets {_hours(sheets)}, and the "
            f"Build {_hours(stages)}.",
            f"Below its core, each sheet has more practice, which you can leave out: {_practice(sheets)} hours in all.",
            "",
            "You need not do all of it. In lesson 00, or with `transformer-course path`, you choose a path. What comes next,",
            "your progress and the recall questions then follow it. You can skip the parts under “Deeper”; only B9 needs one:",
            "",
            *(f"* **{each.title}**, {each.duration}: {each.contents}.\n  {each.audience}" for each in shorter),
        ]
    )


def _first(lesson: str) -> str:
    """The first lesson of the part that contains a lesson."""
    return max(first for first in PARTS if first <= lesson)


def _links(sources: Sequence[Source]) -> str:
    """Links to lessons or stages, one below the other: number, the title without its question, and minutes."""
    found = []
    for source in sources:
        name = source.short_title.partition(" (")[0].replace(" · ", " ", 1)
        found.append(f"[{name}]({source.link}) {source.minutes}")
    return "<br>".join(found)


def table() -> str:
    """The hours of all lessons and of all sheets, with a row per lesson: its title and minutes, and the minutes of its sheet's
    core. Then the stages of the Build: their titles, the lessons that each needs, and its minutes."""
    lessons, sheets, stages = course.lessons(), course.sheets(), course.stages()
    return "\n".join(
        [
            f"The lessons take an estimated {_hours(lessons)} hours, and the cores of their sheets another {_hours(sheets)}.",
            f"Below its core, each sheet has more practice, which you can leave out: {_practice(sheets)} hours in all.",
            "",
            "| lesson | minutes | sheet |",
            "| --- | --- | --- |",
            *_rows(lessons, {sheet.number: sheet for sheet in sheets}),
            "",
            "In **the Build** you write a Transformer yourself, stage by stage, and train it. Code that passes is added to",
            f"`my_transformer.py` in your folder. It takes an estimated {_hours(stages)} hours.",
            "",
            "| stage | after lessons | minutes |",
            "| --- | --- | --- |",
            *map(_stage, stages),
        ]
    )


def _hours(sources: Sequence[Source]) -> int:
    return round(sum(source.minutes for source in sources) / 60)


def _practice(sheets: Sequence[Sheet]) -> int:
    return round(sum(sheet.practice_minutes for sheet in sheets) / 60)


def _rows(lessons: list[Lesson], sheets: dict[str, Sheet]) -> Iterator[str]:
    for lesson in lessons:
        sheet = sheets.get(lesson.number)
        exercises = f"[{sheet.minutes}]({sheet.link})" if sheet else ""
        yield f"| [{lesson.title}]({lesson.link}) | {lesson.minutes} | {exercises} |"


def _stage(stage: Stage) -> str:
    return f"| [{stage.title}]({stage.link}) | {', '.join(stage.lessons)} | {stage.minutes} |"
