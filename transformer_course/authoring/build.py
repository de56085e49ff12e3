"""Building a notebook from its source.

A sheet's notebook is its source without the solutions. The same source always gives exactly the same notebook, byte for byte.
"""

import re
import textwrap
from collections import Counter
from collections.abc import Sequence

import nbformat
from nbformat import NotebookNode

from transformer_course import course
from transformer_course.course import LearningPath, Lesson, Sheet, Source, SourceError, Stage
from transformer_course.exercises.catalogue import catalogue
from transformer_course.exercises.solutions import BEGIN, END

from .freshness import digest

DELIVERED = ("tags", "exercise")  # what a source says of a cell that its notebook says too
START = "00"  # the lesson in which one chooses a path; links there lead to no next lesson, since paths differ
# A stage ends with the map of what one has built.
BUILT = "## What you have built so far"
MAP = "from transformer_course.exercises import my_progress\n\nmy_progress()"
KERNEL = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}


def notebook_of(source: Source, solved: bool = False) -> NotebookNode:
    """Return the notebook of a source, without outputs, and without solutions unless ``solved``."""
    if isinstance(source, Lesson):
        refuse_unknown_questions(source)
    ways = links(source)
    make = {"code": nbformat.v4.new_code_cell, "markdown": nbformat.v4.new_markdown_cell}
    cells = [make["markdown"](ways)]
    answered = False
    for cell in source.cells:
        metadata = {key: cell.says[key] for key in DELIVERED if key in cell.says}
        if cell.is_folded:
            metadata["jupyter"] = {"source_hidden": True}
        answered = answered or "exercise" in metadata
        tries = answered and cell.kind == "code" and "exercise" not in metadata and not isinstance(source, Lesson)
        if tries and not solved:  # then "Run All" does not stop where a cell needs an answer that is not written yet
            metadata["tags"] = [*metadata.get("tags", []), "raises-exception"]
        code = cell.kind == "code" and not solved
        if BEGIN in cell.text and "exercise" not in cell.says:
            raise SourceError(f'{source.file}: a cell with a solution needs its exercise: # %% exercise="…"')
        blank = blank_of(cell.says["exercise"], source) if "exercise" in cell.says else ""
        text = without_solution(cell.text, blank, source) if code else cell.text
        cells.append(make[cell.kind](text, metadata=metadata))
    if answered and isinstance(source, Stage):
        cells += [make["markdown"](BUILT), make["code"](MAP)]
    end = [onward(source) if isinstance(source, Stage) or source.number == START else "", ways]
    cells.append(make["markdown"]("---\n" + "\n\n".join(filter(None, end))))
    for cell_id, cell in zip(cell_ids(cells), cells, strict=True):
        cell.id = cell_id
    return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": KERNEL, "language_info": {"name": "python"}})


def refuse_unknown_questions(lesson: Lesson) -> None:
    """Raise SourceError if a cell asks or reveals what is not in the lesson's ``questions.md``."""
    known = {name for each in lesson.questions for name in (each.id, each.id.rpartition(".")[0])}
    for cell in lesson.cells:
        called = re.findall(r'^(?:predict|reveal|ask)\("(.+)"\)$', cell.text, re.MULTILINE) if cell.kind == "code" else ()
        if unknown := set(called) - known:
            place = f"{lesson.file}, line {cell.line}"
            raise SourceError(
                f"{place}: {lesson.questions_file.name} has no question {min(unknown)!r}; add it, or correct the id"
            )


def cell_ids(cells: list[dict]) -> list[str]:
    """Return an id per cell: a hash of type, source and occurrence, so that equal cells differ and merges do not conflict."""
    occurrences: Counter = Counter()
    ids = []
    for cell in cells:
        key = (cell["cell_type"], cell["source"])
        occurrences[key] += 1
        ids.append(digest(*key, str(occurrences[key]))[:12])
    return ids


def without_solution(code: str, blank: str, source: Source) -> str:
    """Replace each marked solution: at the top level by ``blank``, inside a function by an error."""
    markers = [line.strip() for line in code.splitlines() if line.strip() in (BEGIN, END)]
    if markers != [BEGIN, END] * (len(markers) // 2):
        raise SourceError(
            f"{source.file}: each '{BEGIN}' needs one '{END}' below it, got {', '.join(markers)}; mend that cell"
        )

    def replacement(solution: re.Match) -> str:
        return textwrap.indent(TODO if solution[1] else blank, solution[1])

    return re.sub(rf"^( *){BEGIN}\n.*?{END} *$", replacement, code, flags=re.MULTILINE | re.DOTALL)


TODO = (
    '# Your code here, in place of the next line.\nraise NotImplementedError("This function is still empty: write it here.")'
)


def blank_of(exercise_id: str, source: Source) -> str:
    """Return the line that replaces a solution at the top level."""
    exercise = catalogue().get(exercise_id)
    if exercise is None:
        raise SourceError(f"{source.file}: no exercise is called {exercise_id!r}")
    return f"{exercise.answer_name} = {exercise.blank}  # your answer in place of the dots"


def links(source: Source) -> str:
    """Return the links of the first and the last cell: to the lesson before, this lesson's sheet (or this sheet's lesson) and
    the lesson after.

    A lesson and its sheet also link to the stages of the Build that need it. A stage links to the stages before and after it,
    to the last lesson that it needs, and to the lesson after that. What follows the Build is like one more stage.
    """
    lessons, stages = course.lessons(), course.stages()
    if isinstance(source, Stage):
        stages += course.after_the_build()
        here, last = stages.index(source), source.lessons[-1]
        to = [(stage, "← {}") for stage in stages[:here][-1:]]
        to += [(lesson, "Lesson {}") for lesson in lessons if lesson.number == last]
        to += [(lesson, "Lesson {} →") for lesson in lessons if lesson.number > last != START][:1]
        to += [(stage, "{} →") for stage in stages[here + 1 : here + 2]]
    else:
        name = source.name.replace("_sheet_", "_", 1)  # names differ, because a lesson and its sheet are open at once
        here = next((place for place, lesson in enumerate(lessons) if lesson.name == name), None)
        if here is None:
            raise SourceError(f"{source.file}: there is no such lesson; the sheet of 02_name is 02_sheet_name")
        if isinstance(source, Sheet):
            to, onward = [(lessons[here], "← Lesson {}")], "Lesson {} →"
        else:
            to, onward = [(lesson, "← {}") for lesson in lessons[:here][-1:]], "{} →"
            to += [(sheet, "**{}**") for sheet in course.sheets() if sheet.number == source.number]
        to += [(stage, "**Build it: {}**") for stage in course.stages_of(lessons[here])]
        if source.number != START:  # from where each path goes its own way
            to += [(lesson, onward) for lesson in lessons[here + 1 : here + 2]]
    return " · ".join(_link(source, *each) for each in to)


def onward(source: Source) -> str:
    """Return what comes next on each path that a source is on: a link, or at a path's end the paths that can follow it."""
    paths = course.learning_paths()
    says = {path.title: _next(source, path, paths) for path in paths if source in path.steps}
    if len(set(says.values())) == 1:
        return f"**Next:** {next(iter(says.values()))}"
    return "\n".join(["**Next**, by your path:\n", *(f"* {title}: {words}" for title, words in says.items())])


def _next(source: Source, path: LearningPath, paths: Sequence[LearningPath]) -> str:
    if after := path.steps[path.steps.index(source) + 1 :]:
        return _link(source, after[0], "{}")
    before = {path.id, path.after.id if path.after else ""}
    others = [each for each in paths if each.after and each.after.id in before and each.id != path.id]
    words = [f"*{each.title}*, from {_link(source, each.steps[0], '{}')}" for each in others]
    return "you have reached its end." + (f" What can follow: {'; '.join(words)}" if words else "")


def _link(source: Source, to: Source, words: str) -> str:
    folder = "" if to.folder == source.folder else f"../{to.folder}/"
    return f"[{words.format(to.short_title)}]({folder}{to.name}.ipynb)"
