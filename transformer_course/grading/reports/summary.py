"""What a class got right and wrong, in numbers and one picture. No learner is named, so that it can be shown to the class."""

import base64
import io
import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from transformer_course.exercises.catalogue import catalogue, exercise_titles
from transformer_course.exercises.exercise import Verdict
from transformer_course.exercises.kinds.number import ROUNDED

from ..graded import Graded, Submission
from ..points import STANDINGS, marks, standing
from ..sanitize import plain

MOST = 10  # mistakes in the list, those that at least two submissions share


@dataclass(frozen=True)
class Row:
    """One exercise: how many submissions stand how."""

    title: str
    prompt: str
    standings: Mapping[str, int]


@dataclass(frozen=True)
class Common:
    """A mistake that submissions share."""

    exercise: str  # its title
    mistake: str
    diagnosis: str
    count: int


@dataclass(frozen=True)
class Summary:
    """All that the page of a class shows."""

    submissions: int
    percents: Sequence[float]  # of those that have a mark
    rows: Sequence[Row]
    mistakes: Sequence[Common]

    @property
    def standings(self) -> list[str]:
        """Those that any exercise has."""
        return [word for word in STANDINGS if any(row.standings[word] for row in self.rows)]

    @property
    def median(self) -> float:
        return statistics.median(self.percents)

    @property
    def classes(self) -> list[tuple[str, int]]:
        """How many marks lie in each tenth of the scale."""
        tenths = Counter(min(int(round(percent, 6) // 10), 9) for percent in self.percents)
        return [
            (f"{10 * k} to {10 * k + 10} %" if k == 9 else f"{10 * k} to below {10 * k + 10} %", tenths[k]) for k in range(10)
        ]


def summarise(results: Sequence[tuple[Submission, Graded]], points: Mapping[str, float], sheet: str) -> Summary:
    """The numbers of a class, from the same marks that stand in the table of grades."""
    titles = exercise_titles(sheet)
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


def _mistakes(results, points: Mapping[str, float], titles: Mapping[str, str]) -> list[Common]:
    seen: Counter = Counter()
    diagnoses: dict[tuple[str, str], str] = {}
    for submission, graded in results:
        for name in points:
            verdict = graded.verdicts.get(name)
            passed = _standing(submission, graded, name, points) == "passed"  # by its teacher's word, it may be
            if verdict is not None and verdict.mistake is not None and not passed:
                key = (titles[name], verdict.mistake)
                seen[key] += 1
                diagnoses.setdefault(key, _diagnosis(name, verdict))
    return [Common(*key, diagnoses[key], count) for key, count in seen.most_common(MOST) if count > 1]


def _diagnosis(name: str, verdict: Verdict) -> str:
    """What the mistake is, for all who made it: a verdict may hold one learner's numbers."""
    exercise = catalogue()[name]
    if exercise.kind == "test":
        return "These tests accept a function with this mistake."
    if verdict.mistake == ROUNDED:
        return "The numbers are close. Round once, at the end, and to as many digits as the sheet asks for."
    return {mistake.name: mistake.diagnosis for mistake in exercise.mistakes}.get(
        verdict.mistake, plain(verdict.message, 1000)
    )


def picture(mistakes: Sequence[Common]) -> bytes:
    """The commonest mistakes as a PNG."""
    values = {f"{common.mistake} ({common.exercise})": common.count for common in mistakes}
    import matplotlib as mpl  # here, since grading should begin before it is loaded
    from matplotlib.figure import Figure

    from transformer_course.figures.counts import counts
    from transformer_course.figures.style import RC

    with mpl.rc_context(RC):  # without pyplot, which would look for a screen
        figure = Figure(figsize=(7, 1.2 + 0.55 * len(values)), dpi=110, layout="constrained")
        counts(values, xlabel="submissions", ax=figure.subplots())
    file = io.BytesIO()
    figure.savefig(file, format="png", metadata={"Software": None})
    return file.getvalue()


def data_uri(png: bytes) -> str:
    """The picture inside a page, which so stays one file."""
    return "data:image/png;base64," + base64.b64encode(png).decode()
