"""Plan an experiment: the answer is the list of its runs."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import ClassVar, NamedTuple

import numpy as np

from transformer_course.runner.outcome import Outcome

from ..exercise import Value, Verdict, an_object, listed, show

# What can be wrong with any plan. An exercise has a mistake for each of these names, and for those that its
# ``uninformative`` returns.
FLAWS = (
    "a run twice",
    "another factor varied",
    "nothing varied",
    "no control",
    "two factors varied",
    "different seeds in the two groups",
    "a different thing varied",
    "too few seeds",
)

Run = Mapping[str, object]


class Flaw(NamedTuple):
    """What is wrong with a plan: the name of the mistake, and the runs that show it, in a sentence."""

    mistake: str
    evidence: str = ""


@dataclass(frozen=True, kw_only=True)
class Experiment(Value):
    """Plan the runs that show whether one factor is the cause.

    A plan is a list of runs, and a run gives every field a value. The runs with the factor at its control value are the
    control group, all others the treated group. A plan passes if some of its runs make a complete comparison: two settings
    that differ only in the factor, share enough seeds, and could show a difference. Learners may add any other runs. A plan
    without such a comparison gets a message about what it lacks.
    """

    answer_name: str = "plan"
    fields: Mapping[str, Sequence]  # the values that each field of a run may take
    factor: str  # the field whose effect is in question
    control: object  # its value in the control group
    fixed: Run  # what the question fixes
    instead: Mapping[str, str] = field(default_factory=dict)  # what another value of a fixed field means
    uninformative: Callable[[Run], str | None]  # (run) -> the mistake's name if no difference could show there; else None
    seeds: int = 3
    max_runs: int = 24
    seed: str = "seed"

    kind: ClassVar[str] = "experiment"

    def _judged(self, runs, seed):
        flaw = self._flaw(runs)
        if flaw is None:
            return self.passed()
        (mistake,) = (mistake for mistake in self.mistakes if mistake.name == flaw.mistake)
        return replace(self.named(mistake), message=f"{flaw.evidence} {mistake.diagnosis}".strip())

    def _read(self, outcome: Outcome) -> list[dict] | Verdict:
        """The runs with their values as in ``fields``, or what is wrong with their form."""
        form = "{" + ", ".join(f'"{name}": …' for name in self.fields) + "}"
        if not isinstance(outcome.value, list):
            verb = "is" if outcome.value is not None or outcome.type == "NoneType" else "is or contains"
            message = f"`{self.answer_name}` should be a list of runs in square brackets, each {form}"
            key = " in which a key is not a string" if verb != "is" and outcome.type == "dict" else ""
            return Verdict(False, "type", f"{message}, but {verb} {an_object(outcome.type)}{key}.")
        if not 1 <= len(outcome.value) <= self.max_runs:
            message = f"Your plan has {len(outcome.value)} runs. It should have at least one, and at most {self.max_runs}."
            return Verdict(False, "value", f"{message} Keep only those that settle the question.")
        runs = []
        for number, given in enumerate(outcome.value, 1):
            if not isinstance(given, dict) or set(given) != set(self.fields):
                return Verdict(False, "type", f"Run {number} should be {form}, but {self._difference(given)}.")
            run = {}
            for name, values in self.fields.items():
                found = [value for value in values if _same(given[name], value)]
                if not found:
                    message = f"In run {number}, `{name}` should be one of {', '.join(map(show, values))}, but is "
                    return Verdict(False, "value", f"{message}{show(given[name])}.")
                run[name] = found[0]
            runs.append(run)
        return runs

    def _difference(self, given) -> str:
        """How a run differs from the form that it should have."""
        if not isinstance(given, dict):
            return f"is {show(given)}"
        missing = [name for name in self.fields if name not in given]
        unknown = [name for name in given if name not in self.fields]
        return listed([f"{verb} {_names(names)}" for verb, names in (("lacks", missing), ("has an extra", unknown)) if names])

    def _flaw(self, runs: list[dict]) -> Flaw | None:
        """The first thing that is wrong with a plan; None if it contains a complete comparison."""
        for (i, left), (j, right) in combinations(enumerate(runs, 1), 2):
            if left == right:
                return Flaw("a run twice", f"Runs {i} and {j} are the same.")
        if any(self._is_complete(runs, run) for run in runs):
            return None
        control = [run for run in runs if run[self.factor] == self.control]
        treated = [run for run in runs if run[self.factor] != self.control]
        if not control or not treated:
            return self._only_one_group(runs, control)
        on_topic = [run for run in runs if all(run[name] == value for name, value in self.fixed.items())]
        compares = {run[self.factor] == self.control for run in on_topic} == {True, False}
        return (
            self._unpaired(control, treated)
            or (None if compares else self._off_topic(runs))  # other runs may come on top of a comparison
            or self._too_few_seeds(on_topic)
            or next(Flaw(name) for name in map(self.uninformative, runs) if name)  # only there is any comparison complete
        )

    def _is_complete(self, runs: list[dict], run: dict) -> bool:
        """Whether this run is treated, could show a difference, and shares enough seeds with its control."""
        if run[self.factor] == self.control or self.uninformative(run):
            return False
        if any(run[name] != value for name, value in self.fixed.items()):
            return False
        return len(self._seeds_of(run, runs) & self._seeds_of({**run, self.factor: self.control}, runs)) >= self.seeds

    def _seeds_of(self, setting: dict, runs: list[dict]) -> set:
        """The seeds of all runs that have this setting."""
        return {run[self.seed] for run in runs if set(_different(run, setting)) <= {self.seed}}

    def _only_one_group(self, runs: list[dict], control: list[dict]) -> Flaw:
        values = " or ".join(dict.fromkeys(show(run[self.factor]) for run in runs))
        evidence = f"`{self.factor}` is {values} in every run."
        varied = [name for name in self.fields if len({run[name] for run in runs}) > 1]
        others = [name for name in varied if name not in (self.factor, self.seed)]
        if self.factor not in varied and others:
            return Flaw("another factor varied", f"{evidence} What varies is {_names(others)}.")
        return Flaw("nothing varied" if control else "no control", evidence)

    def _unpaired(self, control: list[dict], treated: list[dict]) -> Flaw | None:
        """A run without a partner in the other group. A partner with other fields matters before one with other seeds."""
        other_seeds = None
        for group, others in ((control, treated), (treated, control)):
            for run in group:
                differences = [[name for name in _different(run, other) if name != self.factor] for other in others]
                nearest = min(differences, key=lambda names: (len(set(names) - {self.seed}), len(names)))
                if nearest == [self.seed]:
                    other_seeds = other_seeds or run
                elif nearest:
                    where, also = self._described(run, (self.factor, *nearest)), _names(nearest)
                    evidence = f"Where {where}, the most similar run of the other group differs in {also} as well."
                    return Flaw("two factors varied", evidence)
        if other_seeds is None:
            return None
        equal_otherwise = [
            [run for run in group if set(_different(run, other_seeds)) <= {self.factor, self.seed}]
            for group in (control, treated)
        ]
        here, there = (listed([show(seed) for seed in sorted({run[self.seed] for run in group})]) for group in equal_otherwise)
        evidence = f"Seeds with `{self.factor}` {show(self.control)}: {here}. Seeds in otherwise equal runs: {there}."
        return Flaw("different seeds in the two groups", evidence)

    def _off_topic(self, runs: list[dict]) -> Flaw | None:
        for name, value in self.fixed.items():
            for number, run in enumerate(runs, 1):
                if run[name] != value:
                    evidence = f"In run {number}, `{name}` is {show(run[name])}. {self.instead.get(name, '')}".rstrip()
                    return Flaw("a different thing varied", evidence)
        return None

    def _too_few_seeds(self, runs: list[dict]) -> Flaw | None:
        for run in runs:
            if (count := len(self._seeds_of(run, runs))) < self.seeds:
                setting = self._described(run, [name for name in self.fields if name != self.seed])
                seeds = "only one seed" if count == 1 else f"only {count} seeds"
                return Flaw("too few seeds", f"Where {setting}, your plan has {seeds}.")
        return None

    def _described(self, run: dict, names: Sequence[str]) -> str:
        return listed([f"`{name}` is {show(run[name])}" for name in names])


def _same(given, value) -> bool:
    """Whether a learner's value is this one: 3 is 3.0, and np.float32(3.9) is 3.9, but True is not 1."""
    if isinstance(given, np.ndarray) and given.shape == ():
        given = given.item()
    if isinstance(given, bool) or isinstance(value, bool) or not isinstance(given, int | float | str):
        return given is value
    if isinstance(given, str) or isinstance(value, str):
        return given == value
    return math.isclose(given, value, rel_tol=1e-6)


def _different(run: dict, other: dict) -> list[str]:
    """The fields in which two runs differ."""
    return [name for name in run if run[name] != other[name]]


def _names(names: Sequence[str]) -> str:
    return listed([f"`{name[:40]}`" for name in names])
