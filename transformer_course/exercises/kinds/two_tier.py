"""Choose a claim and the reason for it, and give the value that supports them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from ..exercise import Exercise, Mistake, Mistakes, Verdict, as_array, early_verdict, show
from .number import cut_short


@dataclass(frozen=True, kw_only=True)
class TwoTier(Exercise):
    """Choose a claim, the reason for it, and give the printed value that supports it.

    A mistake's answer names the parts that are wrong. A number is a wrong value with the right claim and reason, a letter a
    wrong reason with the right claim: what is right is then said in front of the diagnosis.
    """

    answer_name: str = "verdict"
    right: Mapping[str, object]  # claim, reason: letters; value: a number
    choices: Mapping[str, Sequence[str]] = field(default_factory=lambda: {"claim": "abcd", "reason": "abcd"})
    atol: float = 0.006  # for values that are printed with two decimals
    values: Mapping[str, float] = field(default_factory=dict)  # by claim, if the value asked for depends on the claim

    kind: ClassVar[str] = "two-tier"
    blank: ClassVar[str] = '{"claim": ..., "reason": ..., "value": ...}'

    def __post_init__(self):
        super().__post_init__()
        object.__setattr__(self, "mistakes", Mistakes(map(self._in_parts, self.mistakes)))

    def _in_parts(self, mistake: Mistake) -> Mistake:
        if isinstance(mistake.answer, Mapping):
            return mistake
        letter = isinstance(mistake.answer, str)
        right = {"claim": self.right["claim"]} if letter else self.right
        answers = [{**right, "reason" if letter else "value": wrong} for wrong in (mistake.answer, *mistake.variants)]
        diagnosis = f"Your claim {'is' if letter else 'and reason are both'} right. {mistake.diagnosis}"
        return replace(mistake, diagnosis=diagnosis, answer=answers[0], variants=answers[1:])

    def judge(self, seed, outcomes):
        (outcome,) = outcomes
        given = outcome.value if isinstance(outcome.value, dict) else {}
        given = {part: self._read(part, given.get(part)) for part in self.right}
        if all(value is None for value in given.values()):
            form = Verdict(False, "type", f"`{self.answer_name}` should have the form {self.blank}.")
            return early_verdict(self, outcome) or form
        problems = {part: problem for part in self.right if (problem := self._problem(part, given[part]))}
        asked = dict(self.right)
        if "claim" not in problems and given["claim"] in self.values:
            asked["value"] = self.values[given["claim"]]
        wrong = [part for part in asked if part in problems or not self._same(part, given[part], asked[part])]
        score = 1 - len(wrong) / len(self.right)
        if problems:
            sentences = [
                *problems.values(),
                _sentence([part for part in wrong if part not in problems], "does not fit yet", "do not fit yet"),
            ]
            sentences.append(_sentence([part for part in asked if part not in wrong], "is right", "are right"))
            return Verdict(False, "type", " ".join(filter(None, sentences)), score=score)
        if not wrong:
            return self.passed()
        for mistake in self.mistakes:
            for variant in (mistake.answer, *mistake.variants):
                if all(self._same(part, given[part], value) for part, value in variant.items()):
                    return self.named(mistake, score)
        right = _sentence([part for part in asked if part not in wrong], "is right", "are right")
        sentences = [right, _sentence(wrong, "does not fit yet", "do not fit yet")]
        if wrong == ["value"] and cut_short(as_array(given["value"], "iuf"), asked["value"]).all():
            sentences[1] = "The value is close, but needs more decimal places."
        return Verdict(False, "value", " ".join(filter(None, sentences)), score=score)

    def _read(self, part: str, given):
        """One part of the answer; the letter of a choice in any case, with or without spaces and brackets, as in "B)"."""
        return given.strip(" ().:").lower() if part in self.choices and isinstance(given, str) else given

    def _problem(self, part: str, given) -> str:
        """What is wrong with the form of one part, which costs only that part; empty if nothing is."""
        if given is None:
            return f"`{part}` is still open."
        if part in self.choices:
            letters = tuple(self.choices[part])
            known = isinstance(given, str) and given in letters
            return "" if known else f"`{part}` should be one of {', '.join(letters)}, but is {show(given)}."
        number = as_array(given)
        return "" if number is not None and number.shape == () else f"`{part}` should be one number, without quotation marks."

    def _same(self, part: str, given, expected) -> bool:
        if part in self.choices:
            return given == expected
        return abs(float(as_array(given)) - expected) <= self.atol


def _sentence(parts: Sequence[str], one: str, several: str) -> str:
    """A sentence about these parts; empty without any."""
    return f"The {' and the '.join(parts)} {one if len(parts) == 1 else several}." if parts else ""
