"""What a card says after a pass, and after a miss."""

from collections.abc import Iterable
from pathlib import Path

from transformer_course import course
from transformer_course.course import Lesson, Source, Stage

from . import passes
from .card import Card, Fold
from .catalogue import by_lesson, core, exercise_titles, home
from .exercise import Exercise, Verdict, listed
from .progress import following
from .solutions import solution_of


def after_pass(exercise: Exercise, first: bool, notes: Iterable[str]) -> Card:
    """Say why the answer is right; after the last exercise of a sheet's core, and after the last of all, sum them up.

    ``first`` says whether it is the first pass of this exercise. ``notes`` are further paragraphs; empty ones are left out.
    """
    key, sheet = _sheet_of(exercise)
    paragraphs, link = [exercise.why, *notes], None
    titles, passed = exercise_titles(key), {*passes.passed(), exercise.id}
    if len(sheet) > 1 and (complete := _completed(exercise, key, passed, first)):
        names = listed([titles[name] for name in complete])
        paragraphs.append(
            f"You have passed all {len(sheet)} exercises of this notebook: {names}."
            if len(complete) == len(sheet)
            else f"You have passed the core of this sheet ({names}). You can leave out what is below “More practice”."
        )
        link = onward(next((sheet for sheet in course.sheets() if sheet.number == key), None))
    return Card(
        _title(exercise, "✓"),
        tuple(filter(None, paragraphs)),
        "passed",
        folds=(Fold("Compare with ours", code=solution_of(exercise.id)),),
        link=link,
    )


def _completed(exercise: Exercise, key: str, passed: set[str], first: bool) -> list[str]:
    """All exercises of a sheet, or those of its core, if this pass completes them; a repeated pass only of the last one."""
    for names in (list(exercise_titles(key)), core(key)):
        if exercise.id in names and passed.issuperset(names) and (first or exercise.id == names[-1]):
            return names
    return []


def after_miss(exercise: Exercise, verdict: Verdict, again: bool, passed_on: str) -> Card:
    """Say what is wrong without the cure; each hint, and then a solution, unfolds inside the one before.

    ``again`` says whether it is the same answer as last time; an earlier one passed on the day ``passed_on``, if not empty.
    """
    name = exercise.answer_name
    same = f"This is the same answer as last time. Did you run the cell above, and is your answer still called `{name}`?"
    kept = f"You passed this exercise on {passed_on}, and it stays passed. This message is about your current answer."
    hints = steps(exercise, verdict)
    folds = [Fold(f"Hint {number} of {len(hints)}", hint) for number, hint in enumerate(hints, 1)]
    return Card(
        f"{_title(exercise, '✗')}: not yet",
        (*[same] * again, verdict.message, *[kept] * bool(passed_on)),
        "failed",
        comparison=verdict.comparison,
        folds=(*folds, Fold("Show a solution", code=solution_of(exercise.id))),
        instead=f'Stuck? `from transformer_course.exercises import hint`, then `hint("{exercise.id}")`',
    )


def steps(exercise: Exercise, verdict: Verdict | None) -> list[str]:
    """The hints for an exercise in their order. That of a recognised mistake comes first."""
    own = [verdict.hint] if verdict and verdict.hint else []
    return [*own, *exercise.hints]


def _sheet_of(exercise: Exercise) -> tuple[str, list[Exercise]]:
    """The sheet of an exercise: its key ("02") and its exercises."""
    return (key := home(exercise.id)), by_lesson()[key]


def _title(exercise: Exercise, mark: str) -> str:
    """Which exercise a card is about: "Exercise 1 of 4 ✓ Other numbers" in a core, "Exercise 5 of 7 ✓ …" in what follows it.

    A single one gets no number, lesson 00 no title.
    """
    key, sheet = _sheet_of(exercise)
    if key == "00":
        return f"Exercise {mark}"
    of = core(key) if exercise.id in core(key) else sheet
    place = f" {sheet.index(exercise) + 1} of {len(of)}" if len(sheet) > 1 else ""
    return f"Exercise{place} {mark} {exercise_titles(key)[exercise.id]}"


def onward(source: Source | None, folder: Path = Path("..")) -> tuple[str, str] | None:
    """A link to what follows a lesson or a sheet on the path: a sheet, a stage of the Build, or a lesson.

    Only to what the folder has. A notebook's kernel runs in the folder of the notebook. A stage itself goes on below its last
    exercise, where the model is trained, so it has no such link.
    """
    step = following(source, folder) if source and not isinstance(source, Stage) else None
    if step is None:
        return None
    words = {Stage: "Build it:", Lesson: "Go on with lesson"}.get(type(step), "Next:")
    return f"{words} {step.short_title}", f"../{step.link}"
