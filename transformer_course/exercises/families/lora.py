"""What goes wrong in LoRA. A piece is ``lora(frozen, x, a, b, alpha)``: what the frozen layer gives, x (…, d_in), a (d_in, r)
and b (r, d_out)."""

import numpy as np


def lora(frozen, x, a, b, alpha):
    return frozen + alpha / a.shape[1] * (x @ a @ b)


def _scaled(factor):
    """With another factor in place of alpha / r: ``factor(x, a, b, alpha)``."""
    return lambda frozen, x, a, b, alpha: frozen + factor(x, a, b, alpha) * (x @ a @ b)


LORA = {
    "alpha / r forgotten": (
        "You added the correction as it is, without its factor. With another rank, it would have another size.",
        "Multiply the correction by alpha / r.",
        _scaled(lambda x, a, b, alpha: 1),
    ),
    "alpha without r": (
        "You multiplied the correction by alpha. With twice the rank it would be about twice as large.",
        "Divide by the rank as well.",
        _scaled(lambda x, a, b, alpha: alpha),
    ),
    "divided by r, without alpha": (
        "You divided the correction by the rank, but alpha is missing.",
        "The factor is alpha / r.",
        _scaled(lambda x, a, b, alpha: 1 / a.shape[1]),
    ),
    "the rank from the wrong axis": (
        "Your factor has the width of the inputs, or of the outputs, where the rank belongs.",
        "{rank}",
        _scaled(lambda x, a, b, alpha: alpha / len(a)),
        _scaled(lambda x, a, b, alpha: alpha / b.shape[1]),
        _scaled(lambda x, a, b, alpha: alpha / len(x)),
    ),
    "divided without a rest": (
        "You divided alpha by r with `//`, which drops what is after the point: with alpha = 1.5 and r = 3, the factor is 0.",
        "Use `/`.",
        _scaled(lambda x, a, b, alpha: alpha // a.shape[1]),
    ),
    "the root of r": (
        "You divided by the square root of the rank. There are such variants, but the lesson's factor is alpha / r.",
        "Divide by r itself.",
        _scaled(lambda x, a, b, alpha: alpha / np.sqrt(a.shape[1])),
    ),
    "turned over": (
        "Your factor is r / alpha.",
        "A larger alpha should give a larger correction.",
        _scaled(lambda x, a, b, alpha: a.shape[1] / alpha),
    ),
    "all of it scaled": (
        "You scaled the frozen {frozen}, too. Then the model would not begin as it was.",
        "Multiply only the correction by alpha / r.",
        lambda frozen, x, a, b, alpha: alpha / a.shape[1] * (frozen + x @ a @ b),
        lambda frozen, x, a, b, alpha: alpha / a.shape[1] * frozen + x @ a @ b,
    ),
    "the correction alone": (
        "Your output is the correction alone. At the start, with b = 0, the layer would output nothing.",
        "Add what the frozen {frozen} gives.",
        lambda frozen, x, a, b, alpha: alpha / a.shape[1] * (x @ a @ b),
    ),
    "the frozen part alone": (
        "Your output is that of the frozen {frozen}. The correction is missing, so nothing could be learned.",
        "Add what a and b give, times alpha / r.",
        lambda frozen, x, a, b, alpha: frozen,
    ),
    "subtracted": (
        "You subtracted the correction.",
        "Add it.",
        _scaled(lambda x, a, b, alpha: -alpha / a.shape[1]),
    ),
}
