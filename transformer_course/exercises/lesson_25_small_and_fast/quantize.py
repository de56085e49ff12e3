"""Sheet 25: weights rounded in groups."""

import numpy as np

from ..families import adapted
from ..families.quantization import QUANTIZATION, coded
from ..kinds import Implement, Property


def _rounded(weights, bits, group_size, **piece):
    """Round in groups. Each mistake changes one of the steps."""
    weights = np.asarray(weights, float)
    codes, scales = coded(weights.reshape(*weights.shape[:-1], -1, group_size), bits, **piece)
    return (codes * scales).reshape(weights.shape)


def _with(piece):
    return lambda *question: _rounded(*question, **piece)


def _largest_along(axis):
    return lambda groups: np.abs(groups).max(axis, keepdims=True)


def _in_a_loop(weights, bits, group_size):
    result = np.zeros(np.shape(weights))
    for row, new in zip(weights, result, strict=True):
        for start in range(0, len(row), group_size):
            group = row[start : start + group_size]
            if np.abs(group).max():
                scale = np.abs(group).max() / (2 ** (bits - 1) - 1)
                new[start : start + group_size] = np.round(group / scale) * scale
    return result


def _with_a_small_number(weights, bits, group_size):
    groups = weights.reshape(-1, group_size)
    scales = np.maximum(np.abs(groups).max(1), 1e-30)[:, None] / (2 ** (bits - 1) - 1)
    return (np.floor(groups / scales + 0.5) * scales).reshape(weights.shape)


def _of_columns(weights, bits, group_size):
    """Groups of neighbours in a column; what is left over at the end is a smaller group."""
    columns = np.asarray(weights, float).T
    size = next(n for n in range(min(group_size, columns.shape[1]), 0, -1) if columns.shape[1] % n == 0)
    return _rounded(columns, bits, size).T


def _one_scale(weights, bits, group_size):
    flat = np.asarray(weights, float).reshape(1, -1)
    return _rounded(flat, bits, flat.shape[1]).reshape(np.shape(weights))


def _one_scale_per_row(weights, bits, group_size):
    return _rounded(weights, bits, np.shape(weights)[1])


def _interleaved(weights, bits, group_size):
    """Groups of weights that are not neighbours: every n-th."""
    weights = np.asarray(weights, float)
    rows, columns = weights.shape
    apart = weights.reshape(rows, group_size, columns // group_size).swapaxes(1, 2).reshape(rows, columns)
    back = _rounded(apart, bits, group_size).reshape(rows, columns // group_size, group_size)
    return back.swapaxes(1, 2).reshape(rows, columns)


def _codes(weights, bits, group_size):
    groups = np.asarray(weights, float).reshape(-1, group_size)
    scales = np.abs(groups).max(1, keepdims=True) / (2 ** (bits - 1) - 1)
    return np.rint(groups / np.where(scales == 0, 1, scales)).reshape(np.shape(weights))


def _zero_point(weights, bits, group_size):
    groups = np.asarray(weights, float).reshape(-1, group_size)
    low, high = groups.min(1, keepdims=True), groups.max(1, keepdims=True)
    scales = (high - low) / (2**bits - 1)
    return (np.rint((groups - low) / np.where(scales == 0, 1, scales)) * scales + low).reshape(np.shape(weights))


def _far_from_halves(weights, bits, group_size):
    """No quotient is near the middle of two codes, so that every right style rounds it in the same way, also in float32."""
    groups = np.asarray(weights).reshape(-1, group_size)
    scales = np.abs(groups).max(1, keepdims=True) / (2 ** (bits - 1) - 1)
    return not (np.abs(groups / np.where(scales == 0, 1, scales) % 1 - 0.5) < 0.01).any()


def _draw(rng):
    def drawn(rows, columns, bits, group_size, zeros=False):
        while True:
            weights = rng.integers(-900, 900, (rows, columns)) / 256
            weights[:, :group_size] /= 8  # a group of smaller weights
            weights[:, ::group_size] = -1.5 * np.abs(weights).max(1, keepdims=True)  # the largest magnitude is negative
            weights[:, :group_size] /= 4
            if zeros:
                weights[1, group_size:] = 0
            weights = weights.astype(np.float32).astype(float)
            if _far_from_halves(weights, bits, group_size):
                return [weights, bits, group_size]

    return [
        [np.array([[0.75, -1.375, 0.375, 0.0625, 2.0, -1.125, 0.5, 0.1875]]), 4, 4],
        drawn(3, 8, 4, 4),
        drawn(2, 12, 3, 4),
        drawn(3, 12, 5, 6),
        drawn(2, 6, 8, 3),
        drawn(2, 6, 4, 6),
        drawn(2, 6, 4, 3, zeros=True),
    ]


def _keeps_the_largest(result, weights, bits, group_size):
    groups, kept = (np.asarray(each).reshape(-1, group_size) for each in (weights, result))
    place = np.abs(groups).argmax(1)[:, None]
    return np.allclose(np.take_along_axis(kept, place, 1), np.take_along_axis(groups, place, 1), rtol=1e-4)


quantize = Implement(
    id="fast.quantize",
    answer_name="rounded",
    prompt="The weights of a matrix, rounded to a few bits, with a scale for each group of neighbours in a row.",
    reference=_rounded,
    draw=_draw,
    alternatives=(_in_a_loop, _with_a_small_number),
    properties=(
        Property("The largest magnitude of each group should be kept, because it has the largest code.", _keeps_the_largest),
    ),
    why="Each group spends its codes on its own range, so a large weight costs only its neighbours precision.",
    hints=(
        "Begin with one group. What is its largest magnitude, and what is the largest code for these bits? Their quotient is "
        "the scale.",
        "weights.reshape(rows, -1, group_size) has an axis for the groups. np.abs(groups).max(axis=-1, keepdims=True) is the "
        "largest magnitude of each. The largest code is 2 ** (bits - 1) - 1.",
        "np.rint(groups / scales) * scales, reshaped back. Where a scale is 0, divide by 1 instead: "
        "np.where(scales == 0, 1, scales).",
    ),
    mistakes={
        **adapted(QUANTIZATION, _with),
        "a zero point": (
            "You spread the codes from the smallest to the largest weight of a group. That is quantization with a zero point, "
            "which has to be stored, too. Here a weight of 0 must stay 0.",
            "The codes should be symmetric: as many below 0 as above, and the scale is the largest magnitude divided by the "
            "largest code.",
            _zero_point,
        ),
        "one scale for each row": (
            "You used one scale for each row, and `group_size` has no effect. A large weight then costs its whole row precision.",
            "Reshape each row into groups before you take the maximum.",
            _one_scale_per_row,
        ),
        "one scale for the matrix": (
            "You used one scale for the whole matrix. The largest of all weights then costs every row precision.",
            "Along which axis do you take the maximum? The groups need an axis of their own.",
            _one_scale,
        ),
        "groups in columns": (
            "Your groups lie in columns. Weights of different rows then share a scale.",
            "A group consists of neighbours in a row: the last axis.",
            _of_columns,
            lambda weights, *how: _rounded(weights.T.reshape(1, -1), *how).reshape(weights.T.shape).T,
        ),
        "the scale along another axis": (
            "Your maximum goes along the wrong axis: weights at the same place of different groups share a scale, and those of one "
            "group do not.",
            "What is the shape of your scales? There should be one for each group.",
            *(_with({"magnitude": _largest_along(axis)}) for axis in (-2, (0, 1))),
        ),
        "as many groups as they should be long": (
            "You made `group_size` groups of each row. It is the length of a group, not the number of groups.",
            "Which axis should have length group_size, the last one or the one before?",
            lambda weights, bits, group_size: _rounded(weights, bits, np.shape(weights)[1] // group_size),
        ),
        "every n-th weight": (
            "Your groups take weights that are not neighbours. The reshape has its two new axes in the wrong order.",
            "Which axis should have length group_size, the last one or the one before?",
            _interleaved,
        ),
        "the codes themselves": (
            "You returned the codes. The function should return the numbers that they stand for.",
            "Multiply each code by the scale of its group.",
            _codes,
        ),
    },
)
