"""Stage B6: the learning rate of each step, with a warm-up and a linear decay."""

import math

import numpy as np

from ..kinds import Implement

# Factors of the peak at step t, with a warm-up of w of the n steps.
_rises, _from_zero, _late, _one = (
    lambda t, w, n: (t + 1) / w,
    lambda t, w, n: t / w,
    lambda t, w, n: (t + 1) / (w + 1),
    lambda t, w, n: 1.0,
)
_falls, *_CURVES = (
    lambda t, w, n: (n - t) / (n - w),
    lambda t, w, n: math.sqrt(w / (t + 1)),
    lambda t, w, n: math.sqrt(w / max(t, 1)),
    *(lambda t, w, n, low=low: low + (1 - low) * (1 + math.cos(math.pi * (t - w) / (n - w))) / 2 for low in (0, 0.1)),
)


def _times_peak(factor):
    """A rate from such a factor."""
    return lambda step, peak, warmup, steps: np.float64(peak) * factor(step, warmup, steps)


def _then(*falls, rise=_rises, more=0):
    """Rates that rise for w + ``more`` steps, then fall."""
    return [_times_peak(lambda t, w, n, fall=fall: (rise if t < w + more else fall)(t, w, n)) for fall in falls]


def _lower(rise, fall=_falls):
    """The lower of two lines."""
    return _times_peak(lambda t, w, n: min(rise(t, w, n), fall(t, w, n)))


_rate = _lower(_rises)


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
    alternatives=_then(_falls),
    why=(
        "The first steps are small while AdamW's averages rest on a few gradients; the last ones are small too, so that the "
        "parameters settle."
    ),
    hints=(
        "There are two cases: `step < warmup`, and the rest. Begin with the first. With warmup = 4, the factors of the peak "
        "are 1/4, 2/4, 3/4, 4/4.",
        "After the warm-up, `steps - step` steps are left, this one included. At step `warmup`, that is `steps - warmup`, and "
        "the factor is 1.",
        "The factor is `(step + 1) / warmup` first, and `(steps - step) / (steps - warmup)` later. Multiply it by `peak`.",
    ),
    mistakes={
        "the higher of the two lines": (
            "You take the larger of the two factors. So the rate begins high, falls until the warm-up ends, and then grows "
            "beyond the peak.",
            "The rate follows the lower line: `min`.",
            _times_peak(lambda t, w, n: max(_rises(t, w, n), _falls(t, w, n))),
        ),
        "starts at 0": (
            "Your first rate is 0, so the first step changes nothing. Steps are counted from 0, not from 1, and the rates of "
            "your warm-up come one step late.",
            "What should the rate be at step 0, with a warm-up of 4 steps? Put `step = 0` into your formula by hand.",
            _lower(_from_zero),
            _times_peak(lambda t, w, n: min(t / w, (n - t + 1) / (n - w))),
        ),
        "above the peak": (
            "At step `warmup`, your rate is above the peak. Either the warm-up runs one step too long, or the decay starts "
            "too high.",
            "Steps 0 to `warmup` − 1 belong to the warm-up. At step `warmup`, the factor should be 1.",
            *_then(_falls, more=1),
            *_then(lambda t, w, n: (n - t + 1) / (n - w), lambda t, w, n: (n - t) / (n - w - 1)),
        ),
        "just below the peak": (
            "Your warm-up ends just below the peak: you divided by `warmup` + 1.",
            "The last step of the warm-up is step `warmup` − 1. What should the factor be there?",
            *_then(_falls, rise=_late),
        ),
        "just below the peak, and 0 at the end": (
            "Both ends are one off: you divided the warm-up by `warmup` + 1, so it ends just below the peak, and the last "
            "step has the rate 0, so it changes nothing.",
            "What should the factor be at step `warmup` − 1, and at step `steps` − 1? Put both into your formula by hand.",
            *_then(lambda t, w, n: (n - 1 - t) / (n - 1 - w), lambda t, w, n: (n - t - 1) / (n - w), rise=_late),
        ),
        "no warm-up": (
            "Your rate begins at its peak. The warm-up is missing, and the first steps are as large as all others.",
            "What should the rate be during the first `warmup` steps?",
            *_then(_falls, rise=_one),
            _times_peak(lambda t, w, n: (n - t) / n),
        ),
        "no decay": (
            "Your rate stays at its peak after the warm-up, or goes on rising, so even the last step is a large one.",
            "From step `warmup` on, the rate falls in a straight line.",
            _lower(_rises, _one),
            _times_peak(_rises),
        ),
        "a jump after the warm-up": (
            "Your rate jumps down when the warm-up ends. You measure the decay against all steps; it should start at the "
            "peak, and only the steps after the warm-up belong to it.",
            "At step `warmup`, the factor should be 1. How long is the decay?",
            *_then(lambda t, w, n: (n - t) / n),
        ),
        "both factors at once": (
            "You multiply the two factors. During the warm-up only the first applies, and afterwards only the second.",
            "Choose one of them, with `if` or `min`.",
            _times_peak(lambda t, w, n: min(1, (t + 1) / w) * (n - t) / n),
            _times_peak(lambda t, w, n: min(1, (t + 1) / w) * _falls(t, w, n)),
        ),
        "never near 0": (
            "Your rate is still far from 0 at the last step: the decay is too slow.",
            "At step `steps`, one after the last, the line should reach 0.",
            *_then(lambda t, w, n: 1 - (t - w) / n, lambda t, w, n: 1 - 0.9 * (t - w) / (n - w)),
        ),
        "the last step wasted": (
            "Your rate is 0 at the last step, `steps` − 1, so that step changes nothing.",
            "The line should reach 0 one step later, at step `steps`.",
            *_then(lambda t, w, n: (n - 1 - t) / (n - 1 - w), lambda t, w, n: (n - 1 - t) / (n - w)),
        ),
        "0 at both ends": (
            "Your first rate is 0, and so is your last: both lines are one step off, so two of the steps change nothing.",
            "Steps are counted from 0: put `step = 0` and `step = steps - 1` into your formulas by hand.",
            *_then(lambda t, w, n: (n - 1 - t) / (n - 1 - w), lambda t, w, n: (n - 1 - t) / (n - w), rise=_from_zero),
        ),
        "no straight line": (
            "Your rate falls as 1/√step does, as in the original paper, or as a cosine, as in many newer recipes. Here it "
            "should fall in a straight line.",
            "From the peak at step `warmup` to 0 at step `steps`.",
            *(rate for rise in (_rises, _from_zero, _late) for rate in _then(*_CURVES, rise=rise)),
        ),
        "the factor without the peak": (
            "You return the factor, in the warm-up or after it or in both. The rate is the factor times `peak`.",
            "Multiply both parts by `peak`.",
            *(lambda t, peak, w, n, on=on: _rate(t, peak if (t < w) == on else 1.0, w, n) for on in (None, True, False)),
        ),
        "divided with //": (
            "`//` drops the fraction, so most of your rates are 0.",
            "Divide with `/`.",
            _lower(lambda t, w, n: (t + 1) // w, lambda t, w, n: (n - t) // (n - w)),
        ),
    },
)
