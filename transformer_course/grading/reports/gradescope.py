"""A learner's result in the format that Gradescope reads, with everything needed to continue without grading again.

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
from ..sanitize import code, plain, sentences

TEXT = {"output_format": "text"}  # never HTML or Markdown: a verdict may quote what a learner wrote


def result(submission: Submission, graded: Graded, points: Mapping[str, float], sheet: str, version: str) -> bytes:
    """Return the JSON of one submission.

    Without a total, it has neither "score" nor "tests". Gradescope requires one of them, so it reports to the teacher that
    grading failed. Any number, even 0, would become a mark.
    """
    mark = marks(submission, graded, points)
    titles = exercise_titles(sheet)
    notes, corrected = sentences(graded.notes), [*filter(None, [mark.corrected, mark.late])]
    if mark.total is None:
        content = {"output": "\n".join([f"You have no mark for this sheet. {mark.remark}", *corrected, *notes]), **TEXT}
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
        "changed": submission.changed,
        "edition": version,
        "total": mark.total,
        "verdicts": {name: _stored(graded.verdicts.get(name)) for name in points},
        "notes": notes,
        "problem": plain(graded.problem, 500),
        "cells_failed": graded.cells_failed,
        "answers": {name: code(text) for name, text in graded.answers.items()},
    }
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False).encode() + b"\n"


def changed(path: Path) -> tuple[tuple[str, str], float] | None:
    """Return the learner and the digest of the file, and when that file was last changed, if the result says so."""
    try:
        data = json.loads(path.read_bytes())["extra_data"]
        return (str(data["learner"]), str(data["digest"])), float(data["changed"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def load(path: Path, sheet: str) -> tuple[str, str, Graded] | None:
    """Return the file's digest, the version and the result that ``result`` wrote.

    Returns None if the file is missing or damaged, or is about another sheet or about an older set of exercises.
    """
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
        answers = {name: text for name, text in data["answers"].items() if isinstance(text, str)}
        graded = Graded(verdicts, tuple(data["notes"]), data["problem"], data["cells_failed"], answers)
        return data["digest"], data["edition"], graded
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def learner(path: Path) -> str | None:
    """Return the name of the learner whose result a file holds, or None if it cannot be read."""
    return _extra(path, "learner", str)


def total(path: Path) -> float | None:
    """Return the points in a file, not rounded, or None if there are none or it cannot be read."""
    return _extra(path, "total", float)


def feedback_on(exercise_id: str, verdict: Verdict | None, correction: Correction | None) -> list[str]:
    """Return the feedback on an exercise, as paragraphs.

    This is what the check in the notebook says. What the teacher says comes first.
    """
    if verdict is None:
        message = "This exercise could not be graded."
    elif verdict.reason == "empty":  # the check's message speaks of "the cell above", which makes no sense here
        message = f"There is no answer in `{catalogue()[exercise_id].answer_name}`."
    else:
        message = plain(verdict.message, 2000)
    hint = plain(verdict.hint, 1000) if verdict else ""
    if correction and correction.points is not None:
        said = [plain(correction.why, 500), *([f"The check said: {message}"] if verdict else [])]
        return [*said, f"Hint: {hint}"] if hint and not verdict.passed else said
    comment = [f"Your teacher says: {plain(correction.why, 500)}"] if correction else []
    if verdict is None or verdict.passed:
        return [*comment, message]
    where = f'Stuck? In the notebook, `check("{exercise_id}")` offers hints.'
    return [*comment, message, f"Hint: {hint}" if hint else where]


def _extra(path: Path, key: str, kind: type):
    try:
        value = json.loads(path.read_bytes())["extra_data"][key]
        return value if isinstance(value, kind) else None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def _test(name: str, verdict: Verdict | None, score: float, points: float, correction: Correction | None) -> dict:
    output = "\n".join(feedback_on(name, verdict, correction))
    is_set = correction is not None and correction.points is not None
    return {
        "score": round(score, 2),
        "max_score": points,
        "status": "passed" if (score == points if is_set else verdict.passed) else "failed",
        "output": f"Set by your teacher: {output}" if is_set else output,
    }


def _stored(verdict: Verdict | None) -> dict | None:
    if verdict is None:
        return None
    texts = {"reason": plain(verdict.reason, 50), "message": plain(verdict.message, 2000), "hint": plain(verdict.hint, 1000)}
    mistake = None if verdict.mistake is None else plain(verdict.mistake, 200)
    return asdict(verdict) | texts | {"mistake": mistake, "score": float(verdict.score)}


def _verdict(stored: dict) -> Verdict:
    """Return a stored verdict. Raises TypeError or ValueError if it is not one."""
    verdict = Verdict(**stored)
    for field in fields(Verdict):
        if not isinstance(getattr(verdict, field.name), field.type):
            raise TypeError(field.name)
    if not 0 <= verdict.score <= 1:
        raise ValueError("score")
    return verdict
