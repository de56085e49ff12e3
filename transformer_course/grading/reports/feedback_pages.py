"""The pages that learners and teachers read: one file each, without scripts, and without a network."""

from collections.abc import Mapping
from importlib.metadata import version

from transformer_course.authoring.html import environment
from transformer_course.exercises.catalogue import catalogue, exercise_titles

from ..graded import Graded, Submission
from ..points import marks, number, standing
from ..sanitize import local, plain, sentences
from .gradescope import words
from .summary import Summary, data_uri

SET = "set by your teacher"  # in place of how an exercise stands
NAME = 100  # characters of a learner's name that are shown

PAGES = environment(__package__)
PAGES.filters["number"] = number


def feedback(submission: Submission, graded: Graded, points: Mapping[str, float], sheet: str) -> str:
    """The page of one learner: the total, and what the check says about each exercise."""
    mark, given = marks(submission, graded, points), submission.corrections
    verdicts = {name: graded.verdicts.get(name) for name in points}
    exercises = [
        {
            "asks": catalogue()[name].asks,
            "title": exercise_titles(sheet)[name],
            "name": name,
            "points": mark.each[name],
            "out_of": points[name],
            "standing": SET if name in given else standing(verdict, None, points[name]),
            "words": words(name, verdict, given.get(name)),
        }
        for name, verdict in verdicts.items()
    ]
    problem = bool(submission.problem or graded.problem)
    return PAGES.get_template("feedback.html").render(
        learner=plain(submission.learner, NAME),
        file=plain(submission.file.name, NAME) if submission.file else "",
        changed=_minute(submission.changed),
        course=version("transformer-course"),
        sheet=sheet,
        mark=mark,
        remark=_as_set(mark.remark) if problem and mark.total is not None else mark.remark,
        exercises=[exercise for exercise in exercises if exercise["standing"] == SET or not problem],
        notes=sentences(graded.notes),
    )


def overview(summary: Summary, sheet: str, png: bytes | None) -> str:
    """The page of the class; ``png`` is the picture of its mistakes, where there are any."""
    return PAGES.get_template("summary.html").render(
        summary=summary, sheet=sheet, most=max(dict(summary.classes).values()), image=png and data_uri(png)
    )


def _minute(seconds: float | None) -> str:
    """The time without its seconds, and its distance from UTC, which the pages of a class need not have in common."""
    time = local(seconds)
    return f"{time[:16]} (UTC{time[19:]})" if time else ""


def _as_set(remark: str) -> str:
    """Why a file could not be graded, without what its learner should do: the marks have been set since."""
    return f"{remark.partition('; ')[0].rstrip('.')}. Your teacher has set these marks."
