"""The paths through the course, read from ``notebooks/source/paths.toml``: each is a list of lessons, sheets and stages."""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from .lesson import Lesson, Sheet, Source, Stage
from .source import SourceError

FILE = "notebooks/source/paths.toml"
KEYS = {
    "id": str,
    "title": str,
    "audience": str,
    "end": str,
    "after": str,
    "steps": list,
}  # what a path may say, with the value's type
NEEDED = ("id", "title", "audience")


@dataclass(frozen=True)
class LearningPath:
    """One way through the course."""

    id: str
    title: str
    audience: str  # for whom it is, in one sentence
    steps: tuple[Source, ...]  # in the order in which one does them
    after: "LearningPath | None" = None  # the path that comes before it
    end: str = ""  # what one has when it is done; empty if the file does not say

    @property
    def minutes(self) -> int:
        """How long its steps take together."""
        return sum(step.minutes for step in self.steps)

    @property
    def duration(self) -> str:
        """The same in words: "about 3 hours more, after “A GPT of your own”"."""
        return f"about {round(self.minutes / 60)} hours{f' more, after “{self.after.title}”' if self.after else ''}"

    @property
    def lessons(self) -> frozenset[str]:
        """The numbers of its lessons, and of those of the path before it."""
        own = {step.number for step in self.steps if isinstance(step, Lesson)}
        return frozenset(own | self.after.lessons) if self.after else frozenset(own)

    def lessons_before(self, number: str) -> frozenset[str]:
        """The numbers of the lessons that one has done when lesson ``number`` begins; all, if it is not on this path."""
        own = [step.number for step in self.steps if isinstance(step, Lesson)]
        return self.lessons - {*own[own.index(number) :]} if number in own else self.lessons

    @property
    def contents(self) -> str:
        """Its steps in short: "00, 02, B1, 03–05, with the cores of sheets 03, 04"."""
        return self._with_sheets(_in_short([step.number for step in self.steps if not isinstance(step, Sheet)]))

    @property
    def titles(self) -> str:
        """A line for each of its steps: "02 · Self-attention by hand, 20 minutes; then the core of its sheet, 20 minutes"."""
        sheets = {step.number: step for step in self.steps if isinstance(step, Sheet)}
        return "\n".join(
            f"{step.short_title}, {step.minutes} minutes"
            + (f"; then the core of its sheet, {sheets[step.number].minutes} minutes" if step.number in sheets else "")
            for step in self.steps
            if not isinstance(step, Sheet)
        )

    def _with_sheets(self, steps: str) -> str:
        sheets = [step.number for step in self.steps if isinstance(step, Sheet)]
        cores = "the cores of sheets" if len(sheets) > 1 else "the core of sheet"
        return f"{steps}, with {cores} {_in_short(sheets)}" if sheets else steps


def _in_short(numbers: Iterable[str]) -> str:
    """Join numbers, three or more that follow each other as "09–11"."""
    runs: list[list[str]] = []
    for number in numbers:
        if runs and number.isdigit() and runs[-1][-1].isdigit() and int(number) == int(runs[-1][-1]) + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 2 else ", ".join(run) for run in runs)


def read(text: str, sources: Sequence[Source]) -> list[LearningPath]:
    """Read the paths from the text of the file. ``sources`` are all lessons, sheets and stages.

    Raises SourceError if the text is no TOML, if a path says too much or too little, or has the id of another, if a step does
    not exist, occurs twice, or comes before something that it needs.
    """
    try:
        said = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SourceError(f"{FILE}: {error}") from None
    if [*said] != ["path"] or not isinstance(said["path"], list) or not all(isinstance(each, dict) for each in said["path"]):
        raise SourceError(f"{FILE}: expected paths alone, each beginning with [[path]]; got {', '.join(said) or 'nothing'}")
    steps = {_name(each): each for each in sources}
    needs = {name: _needs(each) for name, each in steps.items()}
    found: dict[str, LearningPath] = {}
    for number, each in enumerate(said["path"], 1):
        path = _path(each, number, steps, needs, found)
        if found.setdefault(path.id, path) is not path:
            raise SourceError(f"{FILE}: two paths have the id {path.id!r}; give one of them another id")
    return [*found.values()]


def _path(
    said: Mapping, number: int, known: Mapping[str, Source], needs: Mapping[str, list[str]], before: Mapping[str, LearningPath]
) -> LearningPath:
    place = f"{FILE}: path {said.get('id', number)}"
    for key, value in said.items():
        if key not in KEYS:
            raise SourceError(f"{place} cannot say {key!r}; it can say {', '.join(KEYS)}")
        if type(value) is not KEYS[key] or not value:
            kind = "a text in quotes" if KEYS[key] is str else "a list, such as ['00', '02', 'sheet 02', 'B1']"
            raise SourceError(f"{place}: {key} must be {kind}; got {value!r}")
    if missing := [key for key in NEEDED if key not in said]:
        raise SourceError(f"{place} needs a line {missing[0]} = …")
    if (after := said.get("after")) and after not in before:
        raise SourceError(f"{place}: there is no path {after!r} above it, after which it could come; leave out after = …")
    names = said.get("steps") or _whole_course(known, needs)
    for name, count in ((name, names.count(name)) for name in names):
        if not isinstance(name, str) or name not in known:
            raise SourceError(
                f"{place}: there is no step {name!r}; write a lesson as '02', its sheet as 'sheet 02', a stage as 'B1'"
            )
        if count > 1:
            raise SourceError(f"{place} has the step {name!r} {count} times; leave it in once")
    earlier = before.get(after)
    done = _done(earlier)
    for name in names:
        if lacking := [each for each in needs[name] if each not in done]:
            says = f"put {lacking[0]!r} before it" if lacking[0] in names else f"add {lacking[0]!r} before it, or after = …"
            raise SourceError(f"{place} has the step {name!r} without {lacking[0]!r}, which it needs: {says}")
        done.add(name)
    return LearningPath(*(said[key] for key in NEEDED), tuple(known[name] for name in names), earlier, said.get("end", ""))


def _name(step: Source) -> str:
    """Return what the file calls a step."""
    return f"sheet {step.number}" if isinstance(step, Sheet) else step.number


def _done(path: LearningPath | None) -> set[str]:
    """Return the names of a path's steps and of those before them."""
    return {_name(step) for step in path.steps} | _done(path.after) if path else set()


def _needs(step: Source) -> list[str]:
    """Return the names of the steps without which one cannot do this one."""
    if isinstance(step, Stage):
        return [*step.lessons, *step.stages]
    return [step.number] if isinstance(step, Sheet) else []


def _whole_course(known: Mapping[str, Source], needs: Mapping[str, list[str]]) -> list[str]:
    """Return the names of all steps: each lesson, its sheet, and the stages for which nothing else is missing then."""
    waiting = [name for name, source in known.items() if isinstance(source, Stage)]
    order: list[str] = []
    for name in (name for name, source in known.items() if isinstance(source, Lesson)):
        order += [each for each in (name, f"sheet {name}") if each in known]
        for stage in list(waiting):
            if {*needs[stage]} <= {*order}:
                waiting.remove(stage)
                order.append(stage)
    return [*order, *waiting]
