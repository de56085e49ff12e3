"""Stage B5: the shift, as in sheet 14, now as a function of tensors that later stages call."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from transformer_course.runner.forms import run_on_ids
from transformer_course.runner.outcome import Outcome

from ..exercise import Verdict, an_object
from ..families import adapted
from ..kinds import ImplementPair
from ..kinds.results import part, strings
from ..lesson_14_loss.shift import LESSON, shift_right
from ..toolkit import mistake


@dataclass(frozen=True, kw_only=True)
class PairOfTensors(ImplementPair):
    """Write a function that is called on a tensor of ids, and returns two."""

    def backends(self):
        return (run_on_ids.__name__,)

    def judge(self, seed, outcomes):
        verdict = super().judge(seed, [_returned(outcome) for outcome in outcomes])
        kinds = [kind for outcome in outcomes for kind in strings(outcome.value, "kinds")]
        other = next((kind for kind in kinds if kind != "Tensor"), None)
        if not verdict.passed or other is None:
            return verdict
        what = {"ndarray": "NumPy arrays", "list": "lists"}.get(other, an_object(other[:80]))
        message = f"The ids are right, but you return {what}. A model takes tensors, and would stop with an error."
        return Verdict(False, "type", message, "`targets` is a tensor. Which functions of torch do the same?", score=0.5)

    def _expected(self, function, seed, index):
        return _returned(super()._expected(function, seed, index))


def _returned(outcome: Outcome) -> Outcome:
    """What the answer itself returned, from what came back of its call."""
    if outcome.error or outcome.type != "dict":
        return outcome
    value = outcome.value.get("value") if isinstance(outcome.value, dict) else None
    return replace(outcome, value=value, type=part(outcome.value, "type", str))


def _with_default(answer: Callable, default: int = 1) -> Callable:
    def shift(targets, begin=default):
        return answer(np.asarray(targets), begin)

    return shift


def _without_default(answer: Callable) -> Callable:
    def shift(targets, begin):
        return answer(np.asarray(targets), begin)

    return shift


shift = PairOfTensors(
    id="build.shift",
    answer_name=shift_right.answer_name,
    ids=True,
    prompt="A batch of targets as the decoder's inputs and the labels.",
    reference=_with_default(shift_right.reference),
    draw=lambda rng: [*shift_right.draw(rng), [LESSON]],
    why=shift_right.why,
    hints=(
        "The labels are the targets as they are. Which token comes before the first label?",
        "`targets[:, :-1]` is every row without its last token. It needs a column in front, of shape (b, 1), that holds "
        "`begin`.",
        "`torch.full_like(targets[:, :1], begin)` is such a column, and `torch.cat([column, rest], dim=1)` joins the two.",
    ),
    mistakes=(
        *adapted(shift_right.mistakes, _with_default, _without_default),
        mistake(
            "begin has no default",
            "Your function is right if it gets `begin`. But stage B6 calls `shift(targets)`, and then yours raises an error, "
            "because its `begin` has no default.",
            "What does the first line of the function look like before you write anything?",
            _without_default(shift_right.reference),
        ),
        mistake(
            "begin has another default",
            "Your function is right if it gets `begin`. But stage B6 calls `shift(targets)`, where the inputs should start "
            "with 1, and yours start with something else.",
            "What does the first line of the function look like before you write anything?",
            *(_with_default(shift_right.reference, default) for default in (0, 2, -1)),
        ),
    ),
)
