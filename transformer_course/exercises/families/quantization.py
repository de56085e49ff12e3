"""What goes wrong where weights are rounded in groups, or in rows. A piece is what ``coded`` does otherwise, by name."""

import numpy as np


def _largest_magnitude(groups):
    return np.abs(groups).max(-1, keepdims=True)


def coded(
    groups,
    bits,
    magnitude=_largest_magnitude,
    top=lambda bits: 2 ** (bits - 1) - 1,
    rounding=lambda x, top: np.rint(x),
    divided=lambda groups, scales: groups / np.where(scales == 0, 1, scales),
):
    """The codes of groups, the last axis, and their scales."""
    scales = magnitude(groups) / top(bits)
    with np.errstate(all="ignore"):
        return rounding(divided(groups, scales), top(bits)), scales


def _largest(groups):
    return groups.max(-1, keepdims=True)


def _wrapped(x, top):
    """A code of 2^(bits-1) does not fit into that many bits, and becomes the lowest code."""
    return np.where(np.rint(x) == top, -top, np.rint(x))


def _clipped(x, top):
    return np.rint(x).clip(-top, top)


QUANTIZATION = {
    "rounded down": (
        "You cut off what is after the point, or rounded down. Weights then move by up to a whole scale, twice as far as they "
        "have to.",
        "Which integer is nearest to 4.7?",
        *({"rounding": lambda x, top, function=function: function(x)} for function in (np.floor, np.trunc, np.ceil)),
    ),
    "the largest weight, not the largest magnitude": (
        "Your scale comes from the largest weight. If a weight beside it is negative and farther from 0, its code does not "
        "fit into the bits.",
        "Take absolute values before the maximum.",
        {"magnitude": _largest},
        {"magnitude": _largest, "rounding": _clipped},
    ),
    "half of the range": (
        "Your scale is half of the distance between the smallest and the largest weight. So the code of the weight that is "
        "farthest from 0 does not fit.",
        "The codes are symmetric around 0. So what counts is the largest distance from 0.",
        {"magnitude": lambda groups: (groups.max(-1, keepdims=True) - groups.min(-1, keepdims=True)) / 2},
    ),
    "one code too many": (
        "Your largest code is 2^(bits − 1). With 4 bits that is 8, but the codes go from −7 to 7.",
        "How many integers are there from −8 to 8, and how many do 4 bits allow?",
        {"top": lambda bits: 2 ** (bits - 1)},
        {"top": lambda bits: 2 ** (bits - 1), "rounding": lambda x, top: np.rint(x).clip(-top, top - 1)},
    ),
    "the largest code wraps around": (
        "Your scale uses the code 2^(bits − 1). It does not fit, and becomes the lowest code: the largest weight of a group "
        "changes its sign, as 128 becomes −128 in 8 bits.",
        "Which is the largest code that fits, with as many codes below 0 as above?",
        {"top": lambda bits: 2 ** (bits - 1), "rounding": _wrapped},
    ),
    "twice as many codes": (
        "Your largest code is too large by a factor of two. One of the bits is needed for the sign.",
        "With 4 bits and a sign, what is the largest integer?",
        {"top": lambda bits: 2**bits - 1},
        {"top": lambda bits: 2**bits},
    ),
    "large weights cut off": (
        "Your scale comes from the mean magnitude, so larger weights are cut off. Those matter most.",
        "Take the maximum in place of the mean.",
        {"magnitude": lambda groups: np.abs(groups).mean(-1, keepdims=True), "rounding": _clipped},
    ),
    "zero divided by zero": (
        "Weights that are all 0 have become NaN: their scale is 0, and you divide by it.",
        "What should they become? Divide by 1 where the scale is 0.",
        {"divided": lambda groups, scales: groups / scales},
    ),
}
