"""Stage B5: the shift, as in sheet 14, now as a function of tensors that later stages call."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..families import adapted
from ..kinds import ImplementPair
from ..kinds.on_tensors import OnTensors
from ..lesson_14_loss.shift import LESSON, shift_right


@dataclass(frozen=True, kw_only=True)
class PairOfTensors(OnTensors, ImplementPair):
    """Write a function that is called on a tensor of ids, and returns two."""

    several = True


def _with_default(answer: Callable, default: int = 1) -> Callable:
    return lambda targets, begin=default: answer(np.asarray(targets), begin)


def _without_default(answer: Callable) -> Callable:
    return lambda targets, begin: answer(np.asarray(targets), begin)


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
    mistakes={
        **adapted(shift_right.mistakes, _with_default, _without_default),
        "begin has another default, or none": (
            "Your function is right if it gets `begin`. But stage B6 calls `shift(targets)`, where the inputs should start "
            "with 1. Then yours start with something else, or raise an error.",
            "What does the first line of the function look like before you write anything?",
            _without_default(shift_right.reference),
            *(_with_default(shift_right.reference, default) for default in (0, 2, -1)),
        ),
    },
)
