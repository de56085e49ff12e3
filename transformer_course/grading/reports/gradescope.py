"""A learner's result in the format that Gradescope reads, with all that is needed to go on without grading again.

https://gradescope-autograders.readthedocs.io/en/latest/specs/
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, fields
from pathlib import Path

from transformer_course.exercises.catalogue import by_lesson, catalogue, exercise_titles
from transformer_course.exercises.exercise import Verdict

from ..graded import Correction, Graded, Submission
from ..points import marks, number
from ..sanitize import plain, sentences

TEXT = {"output_format": "text"}  # never markup: the words of a verdict may quote what a learner wrote


def result(submission: Submission, graded: Graded, points: Mapping[str, float], sheet: str, edition: str) -> bytes:
    """The JSON of one submission. Where there is no total, it has neither "score" nor "tests": Gradescope asks for one of
    them, and so reports to the teacher that the grader failed, where any number, 0 among them, would become a mark."""
    mark = marks(submission, graded, points)
    titles = exercise_titles(sheet)
    notes, corrected = sentences(graded.notes), [mark.corrected] if mark.corrected else []
    if mark.total is None:
        content = {"output": "\n".join([f"There is no mark. {mark.remark}", *corrected, *notes]), **TEXT}
    else:
        tests = [
            {"number": str(place), "name": f"{titles[name]}: {catalogue()[name].prompt}"}
            | _test(name, graded.verdicts.get(name), mark.each[name], points[name], submission.corrections.get(name))
            for place, name in enumerate(points, 1)
        ]
        output = [f"{number(mark.total)} of {number(mark.out_of)} points", *corrected, *notes]
        content = {
            "score": round(mark.total, 2),
            "output": "\n".join(output),
            **TEXT,
            "test_output_format": "text",
            "tests": tests,
        }
    content["extra_data"] = {
        "learner": plain(submission.learner, 200),
        "sheet": sheet,
        "digest": submission.digest,
        "edition": edition,
        "verdicts": {name: _stored(graded.verdicts.get(name)) for name in points},
        "notes": notes,
        "problem": plain(graded.problem, 500),
        "cells_failed": graded.cells_failed,
    }
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False).encode() + b"\n"


def load(path: Path, sheet: str) -> tuple[str, str, Graded] | None:
    """The file's digest, the edition and the result that ``result`` wrote. None for a file that is missing or damaged, or
    belongs to another sheet, or to a sheet that has since got other exercises."""
    try:
        data = json.loads(path.read_bytes())["extra_data"]
        verdicts = {name: None if stored is None else _verdict(stored) for name, stored in data["verdicts"].items()}
        texts = [data["digest"], data["edition"], data["problem"], *data["notes"]]
        if [*verdicts] != [exercise.id for exercise in by_lesson()[sheet]]:
            return None
        if not isinstance(data["notes"], list) or not all(isinstance(text, str) for text in texts):
            return None
        if not isinstance(data["cells_failed"], bool):
            return None
        graded = Graded(verdicts, tuple(data["notes"]), data["problem"], data["cells_failed"])
        return data["digest"], data["edition"], graded
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def learner(path: Path) -> str | None:
    """Whose result a file holds; None for one that cannot be read."""
    try:
        name = json.loads(path.read_bytes())["extra_data"]["learner"]
        return name if isinstance(name, str) else None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def words(exercise_id: str, verdict: Verdict | None, correction: Correction | None) -> list[str]:
    """What a learner is told about an exercise: the words of the check in the notebook, or why the teacher has set another
    mark, and what the check said before."""
    if verdict is None:
        told = "This exercise could not be judged."
    elif verdict.reason == "empty":  # the check's own words point to "the cell above", which is elsewhere here
        told = f"`{catalogue()[exercise_id].answer_name}` is still empty: no answer was handed in."
    else:
        told = plain(verdict.message, 2000)
    if correction:
        return [plain(correction.why, 500), *([f"The check said: {told}"] if verdict else [])]
    if verdict is None or verdict.passed:
        return [told]
    return [told, f"Try: {plain(verdict.hint, 1000)}" if verdict.hint else f'Stuck? `hint("{exercise_id}")` in the notebook.']


def _test(name: str, verdict: Verdict | None, score: float, points: float, correction: Correction | None) -> dict:
    told = "\n".join(words(name, verdict, correction))
    return {
        "score": round(score, 2),
        "max_score": points,
        "status": "passed" if (score == points if correction else verdict.passed) else "failed",
        "output": f"Set by your teacher: {told}" if correction else told,
    }


def _stored(verdict: Verdict | None) -> dict | None:
    if verdict is None:
        return None
    changed = {"message": plain(verdict.message, 2000), "hint": plain(verdict.hint, 1000), "score": float(verdict.score)}
    return asdict(verdict) | changed


def _verdict(stored: dict) -> Verdict:
    """The verdict as it was stored. Raises TypeError or ValueError for anything else."""
    verdict = Verdict(**stored)
    for field in fields(Verdict):
        if not isinstance(getattr(verdict, field.name), field.type):
            raise TypeError(field.name)
    if not 0 <= verdict.score <= 1:
        raise ValueError("score")
    return verdict
