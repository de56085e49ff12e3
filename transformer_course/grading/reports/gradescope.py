"""A learner's result in the format that Gradescope reads.

https://gradescope-autograders.readthedocs.io/en/latest/specs/
"""

from transformer_course.exercises.catalogue import catalogue, exercise_titles
from transformer_course.exercises.exercise import Verdict

from ..graded import Correction, Graded, Submission
from ..points import marks, number
from ..run import Run
from ..sanitize import plain, sentences

TEXT = {"output_format": "text"}  # never HTML or Markdown: a verdict may quote what a learner wrote


def result(run: Run, submission: Submission, graded: Graded) -> dict:
    """Return what Gradescope reads about one submission, as a mapping for JSON.

    Without a total, it has neither "score" nor "tests". Gradescope requires one of them, so it reports to the teacher that
    grading failed. Any number, even 0, would become a mark.
    """
    mark = marks(submission, graded, run.points)
    titles = exercise_titles(run.sheet)
    notes, corrected = sentences(graded.notes), [*filter(None, [mark.corrected, mark.late])]
    if mark.total is None:
        return {"output": "\n".join([f"You have no mark for this sheet. {mark.remark}", *corrected, *notes]), **TEXT}
    tests = [
        {"number": str(place), "name": f"{titles[name]}: {catalogue()[name].prompt}"}
        | _test(name, graded.verdicts.get(name), mark.each[name], run.points[name], submission.corrections.get(name))
        for place, name in enumerate(run.points, 1)
    ]
    output = [f"{number(mark.total)} of {number(mark.out_of)} points", *corrected, *notes]
    text = {"output": "\n".join(output), **TEXT, "test_output_format": "text"}
    return {"score": round(mark.total, 2), **text, "tests": tests}


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


def _test(name: str, verdict: Verdict | None, score: float, points: float, correction: Correction | None) -> dict:
    output = "\n".join(feedback_on(name, verdict, correction))
    is_set = correction is not None and correction.points is not None
    return {
        "score": round(score, 2),
        "max_score": points,
        "status": "passed" if (score == points if is_set else verdict.passed) else "failed",
        "output": f"Set by your teacher: {output}" if is_set else output,
    }
