"""The README's table of lessons, written from what lessons and sheets say about themselves."""

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
    """The hours of all lessons and of all sheets, and a row per lesson: its title and minutes, its exercises and theirs."""
    lessons = paths.sources("notebooks")
    sheets = [source for source in paths.sources("exercises") if not paths.is_stage(source)]
    hours = [round(sum(map(headings.minutes, sources)) / 60) for sources in (lessons, sheets)]
    lines = [
        f"The lessons take an estimated {hours[0]} hours, and the exercises another {hours[1]}.",
        "",
        "| | lesson | minutes | exercises | minutes |",
        "| --- | --- | --- | --- | --- |",
    ]
    return "\n".join([*lines, *_rows(lessons, {sheet.stem[:2]: sheet for sheet in sheets})])


def _rows(lessons: list[Path], sheets: dict[str, Path]) -> Iterator[str]:
    for lesson in lessons:
        number, title = headings.title(lesson).split(" · ", 1)
        exercises = "|"
        if sheet := sheets.get(number):
            exercises = f"[{len(by_lesson()[number])}](exercises/{sheet.stem}.ipynb) | {headings.minutes(sheet)}"
        yield f"| [{number}](notebooks/{lesson.stem}.ipynb) | {title} | {headings.minutes(lesson)} | {exercises} |"
