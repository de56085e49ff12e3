"""The README's tables of lessons and stages, written from what these and the sheets say about themselves."""

from collections.abc import Iterator
from pathlib import Path

from transformer_course._util import headings, paths
from transformer_course.exercises.catalogue import by_lesson

BEGIN, END = "<!-- lessons: written by `make notebooks` -->", "<!-- end of lessons -->"


def write(readme: Path) -> None:
    """Replace what is between the two markers. Raises ValueError if they are missing."""
    text = readme.read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"{readme} needs a line {BEGIN!r} and, further down, a line {END!r}")
    readme.write_text(f"{before}{BEGIN}\n\n{table()}\n\n{END}{after}", encoding="utf-8")


def table() -> str:
    """The hours of all lessons and of all sheets, with a row per lesson: its title and minutes, its exercises and theirs. Then
    the stages of the Build: their titles, the lessons that each needs, its exercises and minutes."""
    lessons, stages = paths.sources("notebooks"), paths.stages()
    sheets = [source for source in paths.sources("exercises") if source not in stages]
    return "\n".join(
        [
            f"The lessons take an estimated {_hours(lessons)} hours, and the exercises another {_hours(sheets)}.",
            "",
            "| | lesson | minutes | exercises | minutes |",
            "| --- | --- | --- | --- | --- |",
            *_rows(lessons, {sheet.stem[:2]: sheet for sheet in sheets}),
            "",
            "In **the Build** you write a Transformer yourself, stage by stage, and train it. Code that passes is added to",
            f"`my_transformer.py` in your folder. The exercises take an estimated {_hours(stages)} hours.",
            "",
            "| | stage | after lessons | exercises | minutes |",
            "| --- | --- | --- | --- | --- |",
            *map(_stage, stages),
        ]
    )


def _hours(sources: list[Path]) -> int:
    return round(sum(map(headings.minutes, sources)) / 60)


def _rows(lessons: list[Path], sheets: dict[str, Path]) -> Iterator[str]:
    for lesson in lessons:
        number, title = headings.title(lesson).split(" · ", 1)
        exercises = "|"
        if sheet := sheets.get(number):
            exercises = f"[{len(by_lesson()[number])}](exercises/{sheet.stem}.ipynb) | {headings.minutes(sheet)}"
        yield f"| [{number}](notebooks/{lesson.stem}.ipynb) | {title} | {headings.minutes(lesson)} | {exercises} |"


def _stage(stage: Path) -> str:
    number, title = headings.title(stage).split(" · ", 1)
    lessons, count = ", ".join(headings.needed(stage)), len(by_lesson()[number])
    return f"| [{number}](exercises/{stage.stem}.ipynb) | {title} | {lessons} | {count} | {headings.minutes(stage)} |"
