"""What a class got right and wrong, in numbers and one chart. It names no learner, so the class may see it."""

import io
import re
import statistics
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from transformer_course.exercises.catalogue import catalogue, exercise_titles
from transformer_course.exercises.exercise import Verdict
from transformer_course.exercises.kinds.number import ROUNDED

from ..graded import Graded, Submission
from ..points import STANDINGS, marks, standing
from ..run import Run
from ..sanitize import plain

MAX_MISTAKES = 10  # in the list, which holds only mistakes that at least two submissions share
# An error's name and the first sentence of its message, without what differs between learners: the line of code.
RAISED = re.compile(r"\braised (\w+(?:: .+?)?)(?:\.?$|[.;] |[:.]? \((?:in `|line \d))")
# Reasons of verdicts that answers to any exercise may share: what to call them, and what they mean.
FAULTS = {
    "mutated": ("modifies its input", "The values are right, but the function changes the arrays that it is given."),
    "timeout": ("timed out", "These answers, or their cells, took too long and were stopped."),
    "memory": ("out of memory", "These answers, or their cells, needed more memory than code has during grading."),
}


@dataclass(frozen=True)
class Row:
    """One exercise, and how many submissions have each standing."""

    title: str
    prompt: str
    standings: Mapping[str, int]

    @property
    def passed(self) -> float | None:
        """The percentage of those graded who passed it; None if it was graded for nobody."""
        graded = sum(count for standing, count in self.standings.items() if standing != "not graded")
        return 100 * self.standings.get("passed", 0) / graded if graded else None


@dataclass(frozen=True)
class CommonMistake:
    """A mistake that several submissions share."""

    exercise: str  # its title
    mistake: str
    diagnosis: str
    count: int


@dataclass(frozen=True)
class Summary:
    """Everything that the page about a class shows."""

    learners: int  # with those on the roster who submitted nothing
    percents: Sequence[float]  # of the submissions that have a mark
    rows: Sequence[Row]
    mistakes: Sequence[CommonMistake]

    @property
    def standings(self) -> list[str]:
        """The standings that occur in any exercise."""
        return [each for each in STANDINGS if any(row.standings[each] for row in self.rows)]

    @property
    def median(self) -> float:
        return statistics.median(self.percents)

    @property
    def classes(self) -> list[tuple[str, int]]:
        """How many marks are in each tenth of the scale."""
        tenths = Counter(min(int(round(percent, 6) // 10), 9) for percent in self.percents)
        return [(f"{10 * k} to 100%" if k == 9 else f"{10 * k} to under {10 * k + 10}%", tenths[k]) for k in range(10)]


def summarise(run: Run, results: Sequence[tuple[Submission, Graded]]) -> Summary:
    """Return the numbers of a class, from the same marks as in the table of grades."""
    titles, points = exercise_titles(run.sheet), run.points
    given = [marks(submission, graded, points).percent for submission, graded in results]
    rows = []
    for name in points:
        standings = Counter(_standing(*each, name, points) for each in results)
        rows.append(Row(titles[name], catalogue()[name].prompt, standings))
    return Summary(
        len(results), [percent for percent in given if percent is not None], rows, _mistakes(results, points, titles)
    )


def _standing(submission: Submission, graded: Graded, name: str, points: Mapping[str, float]) -> str:
    return standing(graded.verdicts.get(name), submission.corrections.get(name), points[name])


def _mistakes(results, points: Mapping[str, float], titles: Mapping[str, str]) -> list[CommonMistake]:
    seen: Counter = Counter()
    diagnoses: dict[tuple[str, str], str] = {}
    for submission, graded in results:
        for name in points:
            verdict = graded.verdicts.get(name)
            passed = _standing(submission, graded, name, points) == "passed"  # a teacher may have corrected the mark
            if verdict and (mistake := shared_name(verdict)) and not passed:
                key = (titles[name], mistake)
                seen[key] += 1
                diagnoses.setdefault(key, _diagnosis(name, verdict))
    return [CommonMistake(*key, diagnoses[key], count) for key, count in seen.most_common(MAX_MISTAKES) if count > 1]


def shared_name(verdict: Verdict) -> str | None:
    """Return what a verdict may have in common with others: the known mistake, the error that stopped the answer, or one of
    ``FAULTS``."""
    error = RAISED.search(plain(verdict.message, 1000)) if verdict.reason in ("error", "missing") else None
    named = error[1] if error else verdict.mistake or FAULTS.get(verdict.reason, ("", ""))[0]
    return plain(named, 80) or None


def _diagnosis(name: str, verdict: Verdict) -> str:
    """Describe a mistake for everybody who made it: the message of a verdict may contain one learner's numbers."""
    exercise = catalogue()[name]
    if verdict.mistake is None and verdict.reason in FAULTS:
        return FAULTS[verdict.reason][1]
    if verdict.mistake is None:
        return "These answers stopped with this error."
    if exercise.kind == "test":
        return "These tests accept a function with this mistake."
    if verdict.mistake == ROUNDED:
        return "The numbers are close. Round only once, at the end, to as many digits as the sheet asks for."
    return {mistake.name: mistake.diagnosis for mistake in exercise.mistakes}.get(
        verdict.mistake, plain(verdict.message, 1000)
    )


def chart(mistakes: Sequence[CommonMistake]) -> bytes:
    """Return a chart of the most common mistakes as a PNG. Dollar signs in their names are only dollar signs."""
    values = {f"{common.mistake} ({common.exercise})": common.count for common in mistakes}
    import matplotlib as mpl  # imported here, so that grading can begin before this has loaded
    from matplotlib.figure import Figure

    from transformer_course.figures.counts import counts
    from transformer_course.figures.style import RC

    as_it_is = {"text.parse_math": False, "text.usetex": False}
    with mpl.rc_context(RC | as_it_is), warnings.catch_warnings():  # no pyplot, which would look for a screen
        warnings.simplefilter("ignore")  # characters that the font lacks become boxes
        figure = Figure(figsize=(7, 1.2 + 0.55 * len(values)), dpi=110, layout="constrained")
        figure.patch.set_visible(False)  # the colours read on a light page and on a dark one
        counts(values, xlabel="submissions", ax=figure.subplots())
        file = io.BytesIO()
        figure.savefig(file, format="png", metadata={"Software": None})
    return file.getvalue()
