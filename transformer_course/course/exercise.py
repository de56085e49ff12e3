"""The exercises of a sheet or stage: what their cells say, and the headings that tell it to learners."""

import functools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from .source import Cell, SourceError, cells_of

PRACTICE = "practice"  # the id of the heading above the exercises that can be left out: ## More practice {#practice}


@dataclass(frozen=True)
class Exercise:
    """Where a sheet or stage asks for an answer, and what its heading says."""

    id: str
    title: str  # "Other numbers"
    form: str  # "program", "by hand", "find an input" …; empty in lesson 00, whose exercise says nothing of itself
    minutes: int  # 0 there
    difficulty: int  # 1 to 3
    core: bool = True  # whether it comes before "More practice"; a stage, or a sheet without that heading, is all core
    builds: tuple[str, ...] = ()  # the parts of the model that one writes in it


@functools.lru_cache(maxsize=256)
def delivered(text: str, file: str) -> tuple[Cell, ...]:
    """Return the cells of a source. Headings of exercises say what kind each is, and how long and difficult.

    Raises SourceError at an exercise that does not say all of this or has no heading of its own, and where ``{minutes}`` or
    the like would be left in the text.
    """
    cells, headed = list(cells_of(text, file)), set()
    found = exercises_in(cells)
    for exercise, index, above in found:
        if not cells[index].says.keys() & {"form", "minutes", "difficulty"}:
            continue
        place = f"{file}, line {cells[index].line}"
        if not (exercise.form and exercise.minutes and 1 <= exercise.difficulty <= 3):
            says = 'form="program" minutes=12 difficulty=2, with a difficulty of 1 to 3'
            raise SourceError(f"{place}: an exercise says what kind it is, how long it takes and how difficult it is: {says}")
        if above is None or above in headed:
            raise SourceError(f"{place}: an exercise needs a heading of its own; write above it ## 2 · A whole batch")
        headed.add(above)
        stars = "●" * exercise.difficulty + "○" * (3 - exercise.difficulty)
        lines = cells[above].text.split("\n")
        lines[cells[above].headings[-1].line] += f" ({exercise.form}, {exercise.minutes} minutes, {stars})"
        cells[above] = replace(cells[above], text="\n".join(lines))
    if headed:
        core, practice = ([each for each, _, _ in found if each.core is core] for core in (True, False))
        for name, exercises in {"minutes": core, PRACTICE: practice}.items():
            if exercises:
                cells[0] = replace(cells[0], text=cells[0].text.replace(f"{{{name}}}", str(minutes_of(exercises))))
    for cell in cells:
        if cell.kind == "markdown" and (left := re.search(r"\{(minutes|seconds|lessons|stages|practice)\}", cell.text)):
            says = f"say {left[1]}=… in the cell's line # %% [markdown]"
            if left[1] == PRACTICE:
                says = f"write ## More practice {{#{PRACTICE}}} above the exercises that can be left out"
            raise SourceError(f"{file}, line {cell.line}: nothing fills {left[0]}; {says}")
    return tuple(cells)


def minutes_of(exercises: Iterable[Exercise]) -> int:
    """Return the minutes of some exercises together, to five."""
    return 5 * round(sum(exercise.minutes for exercise in exercises) / 5)


def exercises_in(cells: Sequence[Cell]) -> list[tuple[Exercise, int, int | None]]:
    """Return each exercise with the index of its cell, and of the cell that holds the heading above it."""
    found, above, title, core = [], None, "", True
    for index, cell in enumerate(cells):
        core = core and all(heading.id != PRACTICE for heading in cell.headings)
        if cell.headings and cell.headings[-1].level == 2:
            heading = cell.headings[-1]
            above, title = (None, "") if heading.id == PRACTICE else (index, re.sub(r"^\d+ · ", "", heading.title))
        if "exercise" in cell.says:
            form, minutes, difficulty = (
                cell.says.get(*stated) for stated in (("form", ""), ("minutes", 0), ("difficulty", 0))
            )
            builds = tuple(cell.says.get("builds", ()))
            found.append((Exercise(cell.says["exercise"], title, form, minutes, difficulty, core, builds), index, above))
    return found
