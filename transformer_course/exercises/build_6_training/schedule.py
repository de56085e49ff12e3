"""Stage B6: the learning rate of each step, with a warm-up and a linear decay."""

import math

import numpy as np

from ..kinds import Implement
from ..toolkit import mistake


def _rate(step, peak, warmup, steps):
    return np.float64(peak) * min((step + 1) / warmup, (steps - step) / (steps - warmup))


def _in_two_parts(rise, fall, last=0):
    """A rate that rises for ``warmup`` + ``last`` steps, then falls: each a factor of (step, warmup, steps)."""

    def rate(step, peak, warmup, steps):
        return peak * (rise if step < warmup + last else fall)(step, warmup, steps)

    return rate


def _rise(step, warmup, steps):
    return (step + 1) / warmup


def _fall(step, warmup, steps):
    return (steps - step) / (steps - warmup)


def _one(step, warmup, steps):
    return 1.0


def _draw(rng):
    """Every part of two schedules, with a peak that float32 represents exactly."""
    schedules = [(0.5, 4, 12), (2.0, int(rng.integers(5, 9)), int(rng.integers(20, 30)))]
    return [
        [step, peak, warmup, steps]
        for peak, warmup, steps in schedules
        for step in (0, 1, warmup - 1, warmup, warmup + 1, (warmup + steps) // 2, steps - 1)
    ]


schedule = Implement(
    id="build.schedule",
    answer_name="learning_rate",
    prompt="The learning rate of a step: it rises evenly to its peak during the warm-up, then falls linearly.",
    reference=_rate,
    draw=_draw,
    alternatives=(_in_two_parts(_rise, _fall),),
    why=(
        "AdamW's averages rest on only a few gradients at first, so the first steps are small; the last ones are small too, "
        "so that the parameters settle."
    ),
    hints=(
        "There are two cases: `step < warmup`, and the rest. Begin with the first. With warmup = 4, the factors of the peak "
        "are 1/4, 2/4, 3/4, 4/4.",
        "After the warm-up, `steps - step` steps are left, this one included. At step `warmup`, that is `steps - warmup`, and "
        "the factor is 1.",
        "The factor is `(step + 1) / warmup` first, and `(steps - step) / (steps - warmup)` later. Multiply it by `peak`.",
    ),
    mistakes=(
        mistake(
            "starts at 0",
            "Your first rate is 0, so the first step changes nothing. Steps are counted from 0, and the first one should "
            "already move the model.",
            "What should the rate be at step 0, with a warm-up of 4 steps?",
            _in_two_parts(lambda step, warmup, steps: step / warmup, _fall),
            lambda step, peak, warmup, steps: peak * min(step / warmup, (steps - step) / (steps - warmup)),
        ),
        mistake(
            "counted from 1",
            "Your schedule counts steps from 1, but the first step is step 0. Every rate comes one step late.",
            "Put `step = 0` into your formula by hand.",
            lambda step, peak, warmup, steps: peak * min(step / warmup, (steps - step + 1) / (steps - warmup)),
            lambda step, peak, warmup, steps: (
                peak * (step / warmup if step <= warmup else (steps - step + 1) / (steps - warmup))
            ),
        ),
        mistake(
            "above the peak",
            "At step `warmup`, your rate is above the peak: the warm-up runs one step too long.",
            "Steps 0 to `warmup` − 1 belong to the warm-up. That makes `warmup` steps.",
            _in_two_parts(_rise, _fall, last=1),
        ),
        mistake(
            "the decay starts too high",
            "Your warm-up is right, but the first rate of the decay is above the peak.",
            "At step `warmup`, the factor should be 1.",
            _in_two_parts(_rise, lambda step, warmup, steps: (steps - step + 1) / (steps - warmup)),
            _in_two_parts(_rise, lambda step, warmup, steps: (steps - step) / (steps - warmup - 1)),
        ),
        mistake(
            "no warm-up",
            "Your rate begins at its peak. The warm-up is missing, and the first steps are as large as all others.",
            "What should the rate be during the first `warmup` steps?",
            _in_two_parts(_one, _fall),
            lambda step, peak, warmup, steps: peak * (steps - step) / steps,
        ),
        mistake(
            "no decay",
            "Your rate stays at its peak after the warm-up, so even the last step is a large one.",
            "After the warm-up, the rate falls in a straight line.",
            _in_two_parts(_rise, _one),
            lambda step, peak, warmup, steps: peak * min(1, (step + 1) / warmup),
        ),
        mistake(
            "the warm-up alone",
            "Your rate goes on rising after the warm-up.",
            "From step `warmup` on, it should fall.",
            lambda step, peak, warmup, steps: peak * (step + 1) / warmup,
        ),
        mistake(
            "a jump after the warm-up",
            "Your rate jumps down when the warm-up ends. You measure the decay against all steps; it should start at the "
            "peak, and only the steps after the warm-up belong to it.",
            "At step `warmup`, the factor should be 1. How long is the decay?",
            _in_two_parts(_rise, lambda step, warmup, steps: (steps - step) / steps),
            _in_two_parts(_rise, lambda step, warmup, steps: 1 - step / steps),
        ),
        mistake(
            "both factors at once",
            "You multiply the two factors. During the warm-up only the first applies, and afterwards only the second.",
            "Choose one of them, with `if` or `min`.",
            lambda step, peak, warmup, steps: peak * min(1, (step + 1) / warmup) * (steps - step) / steps,
            lambda step, peak, warmup, steps: peak * min(1, (step + 1) / warmup) * _fall(step, warmup, steps),
        ),
        mistake(
            "never near 0",
            "Your rate is still far from 0 at the last step: the decay is too slow.",
            "At step `steps`, one after the last, the line should reach 0.",
            _in_two_parts(_rise, lambda step, warmup, steps: 1 - (step - warmup) / steps),
            _in_two_parts(_rise, lambda step, warmup, steps: (steps - step + warmup) / steps),
            _in_two_parts(_rise, lambda step, warmup, steps: 1 - 0.9 * (step - warmup) / (steps - warmup)),
        ),
        mistake(
            "the last step wasted",
            "Your rate is 0 at the last step, `steps` − 1, so that step changes nothing.",
            "The line should reach 0 one step later, at step `steps`.",
            _in_two_parts(_rise, lambda step, warmup, steps: (steps - 1 - step) / (steps - 1 - warmup)),
            _in_two_parts(_rise, lambda step, warmup, steps: (steps - 1 - step) / (steps - warmup)),
        ),
        mistake(
            "1/√step",
            "Your rate falls as 1/√step, as in the original paper. Here it should fall in a straight line.",
            "From the peak at step `warmup` to 0 at step `steps`.",
            _in_two_parts(_rise, lambda step, warmup, steps: math.sqrt(warmup / (step + 1))),
            _in_two_parts(_rise, lambda step, warmup, steps: math.sqrt(warmup / max(step, 1))),
        ),
        mistake(
            "a cosine",
            "Your rate falls as a cosine does, as in many newer recipes. Here it should fall in a straight line.",
            "From the peak at step `warmup` to 0 at step `steps`.",
            _in_two_parts(_rise, lambda step, warmup, steps: (1 + math.cos(math.pi * (step - warmup) / (steps - warmup))) / 2),
        ),
        mistake(
            "the factor without the peak",
            "You return the factor, which is 1 at the peak. The rate is the factor times `peak`.",
            "Multiply by `peak`.",
            lambda step, peak, warmup, steps: _rate(step, 1.0, warmup, steps),
        ),
        mistake(
            "divided with //",
            "`//` drops the fraction, so most of your rates are 0.",
            "Divide with `/`.",
            _in_two_parts(
                lambda step, warmup, steps: (step + 1) // warmup,
                lambda step, warmup, steps: (steps - step) // (steps - warmup),
            ),
        ),
    ),
)
