"""Plan an experiment: the answer is the list of its runs."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import ClassVar

import numpy as np

from transformer_course.runner.run import Outcome

from ..exercise import Exercise, Verdict, early_verdict, show

# What can be wrong with any plan. An exercise has a mistake for each of these names, and for those that its
# ``uninformative`` returns.
FLAWS = (
    "a run twice",
    "another factor varied",
    "nothing varied",
    "no control",
    "two factors varied",
    "other seeds in the arms",
    "another thing studied",
    "too few seeds",
)


@dataclass(frozen=True, kw_only=True)
class Experiment(Exercise):
    """Plan the runs that show whether one factor is the cause.

    A plan is a list of runs, and a run gives every field a value. The runs with the factor at its control value are one arm,
    all others the other. A plan passes when some of its runs make a complete comparison: two settings that differ in the
    factor alone, with several seeds that both have, and where a difference could show. Whatever else it runs beside that
    is the learner's own affair. A plan without such a comparison is told what keeps it from having one.
    """

    fields: Mapping[str, Sequence]  # the values that each field of a run may take
    factor: str  # the field whose effect is asked for
    control: object  # its value in the control arm
    fixed: Mapping[str, object]  # what the question fixes
    uninformative: Callable[[Mapping], str | None]  # (run) -> the mistake's name where no difference could show; else None
    seeds: int = 3
    max_runs: int = 24
    seed: str = "seed"

    kind: ClassVar[str] = "experiment"

    def judge(self, seed, outcomes):
        (outcome,) = outcomes
        if early := early_verdict(self, outcome):
            return early
        runs = self._read(outcome)
        if isinstance(runs, Verdict):
            return runs
        name, seen = self._flaw(runs)
        if not name:
            return self.passed()
        (mistake,) = (mistake for mistake in self.mistakes if mistake.name == name)
        return replace(self.named(mistake), message=f"{seen} {mistake.diagnosis}".strip())

    def _read(self, outcome: Outcome) -> list[dict] | Verdict:
        """The runs with their values as ``fields`` spells them, or what is wrong with their form."""
        form = "{" + ", ".join(f'"{name}": …' for name in self.fields) + "}"
        if not isinstance(outcome.value, list):
            saw = "is" if outcome.value is not None or outcome.type == "NoneType" else "is or holds"
            message = (
                f"`{self.answer_name}` should be a list of runs in square brackets, each {form}, and {saw} {outcome.type}."
            )
            return Verdict(False, "type", message)
        if not 1 <= len(outcome.value) <= self.max_runs:
            message = f"Your plan has {len(outcome.value)} runs. It should have at least one, and at most {self.max_runs}."
            return Verdict(False, "value", f"{message} How few can settle the question?")
        runs = []
        for number, given in enumerate(outcome.value, 1):
            if not isinstance(given, dict) or set(given) != set(self.fields):
                return Verdict(False, "type", f"Run {number} should be {form}, and {self._lacks(given)}.")
            run = {}
            for name, values in self.fields.items():
                found = [value for value in values if _same(given[name], value)]
                if not found:
                    message = f"In run {number}, `{name}` should be one of {', '.join(map(show, values))}, and is "
                    return Verdict(False, "value", f"{message}{show(given[name])}.")
                run[name] = found[0]
            runs.append(run)
        return runs

    def _lacks(self, given) -> str:
        if not isinstance(given, dict):
            return f"is {show(given)}"
        missing, unknown = ([name for name in left if name not in right] for left, right in _both_ways(self.fields, given))
        return _and([f"{verb} {_listed(names)}" for verb, names in (("lacks", missing), ("has also", unknown)) if names])

    def _flaw(self, runs: list[dict]) -> tuple[str, str]:
        """The name of the first flaw, and what was seen of it; two empty strings where there is none."""
        for (i, left), (j, right) in combinations(enumerate(runs, 1), 2):
            if left == right:
                return "a run twice", f"Runs {i} and {j} are the same."
        if any(self._complete(runs, run) for run in runs):
            return "", ""
        control = [run for run in runs if run[self.factor] == self.control]
        treated = [run for run in runs if run[self.factor] != self.control]
        if flaw := self._no_two_arms(runs, control) if not control or not treated else self._unpaired(control, treated):
            return flaw
        for name, value in self.fixed.items():
            for number, run in enumerate(runs, 1):
                if run[name] != value:
                    return "another thing studied", f"In run {number}, `{name}` is {show(run[name])}."
        for run in runs:
            seeds = {other[self.seed] for other in runs if not set(_differ(run, other)) - {self.seed}}
            if len(seeds) < self.seeds:
                count = "only one seed" if len(seeds) == 1 else f"only {len(seeds)} seeds"
                return "too few seeds", f"Where {self._described(run)}, your plan has {count}."
        return next(
            filter(None, map(self.uninformative, runs))
        ), ""  # whatever is complete stands where no difference could show

    def _complete(self, runs: list[dict], run: dict) -> bool:
        """Whether this run's setting, and its control, have enough seeds in common."""
        if (
            run[self.factor] == self.control
            or self.uninformative(run)
            or any(run[name] != value for name, value in self.fixed.items())
        ):
            return False
        here, there = (
            {other[self.seed] for other in runs if not set(_differ(other, setting)) - {self.seed}}
            for setting in (run, {**run, self.factor: self.control})
        )
        return len(here & there) >= self.seeds

    def _no_two_arms(self, runs: list[dict], control: list[dict]) -> tuple[str, str]:
        here = {show(run[self.factor]): None for run in runs}
        seen = f"`{self.factor}` is {' or '.join(here)} in every run"
        others = [name for name in _vary(runs) if name not in (self.factor, self.seed)]
        if len(here) == 1 and others:
            return "another factor varied", f"{seen}; what varies is {_listed(others)}."
        return ("nothing varied" if control else "no control"), f"{seen}."

    def _unpaired(self, control: list[dict], treated: list[dict]) -> tuple[str, str] | None:
        """What keeps a run from having a partner in the other arm. Other fields are told before other seeds."""
        causes = {}
        for arm, others in _both_ways(control, treated):
            for run in arm:
                apart = [[name for name in _differ(run, other) if name != self.factor] for other in others]
                nearest = min(apart, key=lambda names: (len(set(names) - {self.seed}), len(names)))
                if nearest:
                    name = "other seeds in the arms" if nearest == [self.seed] else "two factors varied"
                    causes.setdefault(name, (run, nearest))
        if pair := causes.get("two factors varied"):
            run, names = pair
            where, too = self._described(run, (self.factor, *names)), _listed(names)
            seen = f"Where {where}, the nearest run of the other arm differs in {too} too."
            return "two factors varied", seen
        if pair := causes.get("other seeds in the arms"):
            alike = [[r for r in arm if set(_differ(r, pair[0])) <= {self.factor, self.seed}] for arm in (control, treated)]
            here, there = (_and([show(seed) for seed in sorted({r[self.seed] for r in arm})]) for arm in alike)
            seen = f"With `{self.factor}` {show(self.control)} the seeds are {here}; in runs otherwise alike they are {there}."
            return "other seeds in the arms", seen
        return None

    def _described(self, run: dict, names=None) -> str:
        names = names or [name for name in self.fields if name != self.seed]
        return _and([f"`{name}` is {show(run[name])}" for name in names])


def _same(given, value) -> bool:
    """Whether a learner's value is this one: 3 is 3.0, and np.float32(3.9) is 3.9, but True is not 1."""
    if isinstance(given, np.ndarray) and given.shape == ():
        given = given.item()
    if isinstance(given, bool) or isinstance(value, bool) or not isinstance(given, int | float | str):
        return given is value
    if isinstance(given, str) or isinstance(value, str):
        return given == value
    return math.isclose(given, value, rel_tol=1e-6)


def _differ(run: dict, other: dict) -> list[str]:
    return [name for name in run if run[name] != other[name]]


def _vary(runs: list[dict]) -> list[str]:
    return [name for name in runs[0] if len({run[name] for run in runs}) > 1]


def _both_ways(left, right) -> tuple:
    return (left, right), (right, left)


def _and(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _listed(names: Sequence[str]) -> str:
    return _and([f"`{name[:40]}`" for name in names])
