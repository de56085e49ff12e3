"""The pages for learners and teachers: one file each, without scripts, readable without a network."""

import base64
from html import escape
from importlib.metadata import version

from transformer_course.authoring.html import environment
from transformer_course.exercises.catalogue import catalogue, exercise_titles

from ..graded import Graded, Submission
from ..points import marks, number, standing
from ..run import Run
from ..sanitize import code, local, plain, sentences
from ..submissions.filenames import NAME_CHARACTERS
from .gradescope import feedback_on
from .summary import Summary

SET_BY_TEACHER = "set by your teacher"  # shown in place of an exercise's standing

PAGES = environment(__package__)
PAGES.filters["number"] = number


def feedback(run: Run, submission: Submission, graded: Graded) -> str:
    """Return the page of one learner: the total, and the feedback on each exercise."""
    mark, said = marks(submission, graded, run.points), submission.corrections
    corrected = {name for name, correction in said.items() if correction.points is not None}
    verdicts = {name: graded.verdicts.get(name) for name in run.points}
    exercises = [
        {
            "place": place,
            "prompt": catalogue()[name].prompt,
            "title": exercise_titles(run.sheet)[name],
            "name": name,
            "points": mark.each[name],
            "out_of": run.points[name],
            "standing": SET_BY_TEACHER if name in corrected else standing(verdict, None, run.points[name]),
            "feedback": feedback_on(name, verdict, said.get(name)),
            "answer": code(graded.answers.get(name, "")),
        }
        for place, (name, verdict) in enumerate(verdicts.items(), 1)
    ]
    problem = bool(submission.problem or graded.problem)
    return PAGES.get_template("feedback.html").render(
        learner=plain(submission.learner, NAME_CHARACTERS),
        file=plain(submission.file.name, NAME_CHARACTERS) if submission.file else "",
        changed=_minute(submission.changed),
        course=version("transformer-course"),
        sheet=run.sheet,
        mark=mark,
        exercises=[exercise for exercise in exercises if exercise["name"] in said or not problem],
        notes=sentences(graded.notes),
    )


def short_page(run: Run, submission: Submission, graded: Graded) -> str:
    """Return the page of a learner whose ``feedback`` could not be made. Nothing is parsed for it."""
    mark, name = marks(submission, graded, run.points), escape(plain(submission.learner, NAME_CHARACTERS))
    total = "no mark" if mark.total is None else f"{number(mark.total)} of {number(mark.out_of)} points"
    return (
        f'<!DOCTYPE html>\n<html lang="en"><meta charset="utf-8"><title>Sheet {run.sheet}</title>\n'
        f"<p>Sheet {run.sheet}, {name}: you have {total}, and the feedback could not be made because of a fault in the "
        "course; ask your teacher.</p>\n</html>\n"
    )


def overview(summary: Summary, sheet: str, png: bytes | None) -> str:
    """Return the page of the class; ``png`` is the chart of its mistakes, if there are any."""
    largest = max(dict(summary.classes).values())
    image = png and f"data:image/png;base64,{base64.b64encode(png).decode()}"  # so that the page remains a single file
    return PAGES.get_template("summary.html").render(summary=summary, sheet=sheet, largest=largest, image=image)


def _minute(seconds: float | None) -> str:
    """Return the local time to the minute with its offset from UTC, which may differ between the pages of a class."""
    time = local(seconds)
    return f"{time[:16]} (UTC{time[19:]})" if time else ""
