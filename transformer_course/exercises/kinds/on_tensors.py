"""Write a function of tensors: called on tensors alone, whatever their dtype, and wherever they are."""

from dataclasses import replace

from transformer_course.runner.forms import run_on_tensors
from transformer_course.runner.outcome import Outcome

from ..exercise import Verdict, an_object, parameters
from .implement import Implement
from .module_runs import elsewhere
from .results import part, strings


class OnTensors(Implement):
    """Write a function that later stages call on tensors. What it returns must be tensors, with the dtype of those it gets."""

    backends = (run_on_tensors.__name__,)
    several = False  # whether it returns more than one

    def judge(self, seed, outcomes):
        verdict = super().judge(seed, [_returned(outcome) for outcome in outcomes])
        if not verdict.passed:
            return verdict
        for value in (outcome.value for outcome in outcomes):
            kinds = strings(value, "kinds") if self.several else [part(value, "type", str)]
            if other := next((kind for kind in kinds if kind not in ("Tensor", "Parameter")), None):
                message = f"The values are right, but you return {an_object(other[:80])} where a tensor is needed."
                given = parameters(self.reference)[0]
                hint = f"`{given}` is a tensor. Which functions of torch do the same? `torch.tensor(…)` makes one of a list."
                return Verdict(False, "type", message, hint, score=0.5)
            if fault := elsewhere(value, self.answer_name, "bfloat16"):
                return fault
        return verdict

    def _expected(self, function, seed, index):
        return _returned(super()._expected(function, seed, index))


def _returned(outcome: Outcome) -> Outcome:
    """What the answer itself returned, from what came back of its call."""
    if outcome.error or outcome.type != "dict":
        return outcome
    value = outcome.value.get("value") if isinstance(outcome.value, dict) else None
    return replace(outcome, value=value, type=part(outcome.value, "type", str))
