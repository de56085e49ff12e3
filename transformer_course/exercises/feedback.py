"""What a card says after a pass, and after a miss."""

from collections.abc import Iterable
from pathlib import Path

from transformer_course import course
from transformer_course.course import Lesson, Source, Stage

from . import passes
from .card import Card, Fold
from .catalogue import by_lesson, exercise_titles
from .exercise import Exercise, Verdict, listed
from .progress import following
from .solutions import solution_of


def after_pass(exercise: Exercise, first: bool, notes: Iterable[str]) -> Card:
    """Say why the answer is right; after the last exercise of a sheet, sum the sheet up.

    ``first`` says whether it is the first pass of this exercise. ``notes`` are further paragraphs; empty ones are left out.
    """
    key, sheet = _sheet_of(exercise)
    paragraphs, link = [exercise.why, *notes], None
    open_exercises = [each for each in sheet if each.id not in passes.passed() and each.id != exercise.id]
    if len(sheet) > 1 and not open_exercises and (first or exercise is sheet[-1]):
        paragraphs.append(
            f"You have passed all {len(sheet)} exercises of this notebook: {listed(list(exercise_titles(key).values()))}."
        )
        link = onward(next((sheet for sheet in course.sheets() if sheet.number == key), None))
    return Card(
        _title(exercise, "✓"),
        tuple(filter(None, paragraphs)),
        "passed",
        folds=(Fold("Compare with ours", code=solution_of(exercise.id)),),
        link=link,
    )


def after_miss(exercise: Exercise, verdict: Verdict, before: str, after: str) -> Card:
    """Say what is wrong without the cure; each hint, and then a solution, unfolds inside the one before.

    ``before`` and ``after`` are sentences about the diagnosis, or empty.
    """
    hints = steps(exercise, verdict)
    folds = [Fold(f"Hint {number} of {len(hints)}", hint) for number, hint in enumerate(hints, 1)]
    return Card(
        f"{_title(exercise, '✗')}: not yet",
        tuple(filter(None, [before, verdict.message, after])),
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
    return next((key, sheet) for key, sheet in by_lesson().items() if exercise in sheet)


def _title(exercise: Exercise, mark: str) -> str:
    """Which exercise a card is about: "Exercise 3 of 7 ✓ Other numbers". A single one gets no number, lesson 00 no title."""
    key, sheet = _sheet_of(exercise)
    if key == "00":
        return f"Exercise {mark}"
    place = f" {sheet.index(exercise) + 1} of {len(sheet)}" if len(sheet) > 1 else ""
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
