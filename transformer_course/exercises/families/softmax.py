"""What goes wrong in softmax. A piece is ``weigh(scores)``, for rows of scores on the last axis of an array."""

import math

import numpy as np

from ..toolkit import known, softmax


def minus(shift, axis=-1):
    """Softmax that subtracts ``shift(scores)``, and sums over an axis."""

    def weigh(scores):
        exponentials = np.exp(scores - shift(scores))
        return exponentials / exponentials.sum(axis, keepdims=True)

    return weigh


def exp_0_lost(scores):
    """By hand, with one score of 0: its exponential is taken for 0, in the sum alone or also as a weight."""
    weights = np.exp(scores) / (np.exp(scores).sum() - 1)
    return (
        "You lost exp(0), which is 1 and not 0. A token with a score of 0 has a weight too, and adds 1 to the sum.",
        "Add up the exponentials of all scores, then divide each of them by the sum.",
        np.where(scores == 0, 0.0, weights),
        weights,
    )


def other_scores(scores, hint):
    """By hand, the softmax of whole numbers other than these scores."""
    allowed = np.isfinite(scores)

    def recognise(seen):
        gaps = np.diff(np.log(np.maximum(seen[allowed], 1e-9)))
        whole, weights = np.rint(gaps), seen[allowed].min() > 0.002 and abs(seen[allowed].sum() - 1) < 0.01
        return weights and np.abs(gaps - whole).max() < 0.03 and (whole != np.diff(scores[allowed])).any()

    told = "Your softmax is right, but at least one of the scores is not: these are the weights of other whole numbers."
    return known(told, hint, softmax(scores - (np.arange(len(scores)) == 1)), recognise=recognise)


def _of_row(of, axis=-1):
    """A number of each row, such as its largest score."""
    return lambda scores: of(scores, axis=axis, keepdims=True)


def over(axis):
    """Softmax over another axis, in the four ways to subtract something first."""
    shifts = (_of_row(np.max, axis), _of_row(np.max), np.max, lambda scores: 0.0)
    return tuple(minus(shift, axis) for shift in shifts)


def _without_keepdims(of_max, of_sum):
    def without(scores):
        exponentials = np.exp(scores - scores.max(-1, keepdims=of_max))
        return exponentials / exponentials.sum(-1, keepdims=of_sum)

    return without


def _divided(by):
    return lambda scores: softmax(scores / by(scores))


def _exponentials(scores):
    return np.exp(scores - scores.max(-1, keepdims=True))


def _each(weigh):
    """Softmax by a loop that treats each item of the first axis as a row."""
    return lambda scores: np.array([weigh(row) for row in scores])


overflowing = minus(lambda scores: 0.0)
over_queries = over(-2)
from_below = (minus(_of_row(np.min)), minus(_of_row(np.mean)))
by_rows = (
    _each(lambda row: softmax(row.ravel()).reshape(row.shape)),
    _each(lambda row: np.exp(row) / np.exp(row).sum()),
    _each(lambda row: [math.exp(s - max(row)) / sum(math.exp(t - max(row)) for t in row) for s in row]),
    _each(lambda row: [math.exp(s) / sum(math.exp(t) for t in row) for s in row]),
)

SOFTMAX = {
    "softmax over the first axis": (
        "You normalised over axis 0, so the columns sum to 1 (or, in a batch, its sequences compete for weight). But each "
        "query has a row of scores, and its weights are in that row.",
        "Use the last axis, {axis}, for the maximum and for the sum.",
        *over(0),
    ),
    "axis counted from the front": (
        "You normalised over axis 1. In a matrix that is the row. But in a batch (b, n, m) axis 1 holds the queries, in (b, "
        "h, n, m) the heads, and a single row has no axis 1.",
        "Count from the back: {axis} is the last axis, however many there are.",
        *over(1),
    ),
    "right for a single matrix only": (
        "Your function is right for a matrix (n, m) only. Something in it needs exactly two axes: a loop over the first axis, "
        "`[:, None]`, or `n, m = scores.shape`. In a batch (b, n, m) the first axis holds whole matrices, and in a single row "
        "it holds numbers.",
        "You need no loop: max and sum along the last axis, {axis}, with {keepdims}, handle all rows of any array at once.",
        *by_rows,
    ),
    "softmax over the queries": (
        "You normalised over the second-to-last axis, so that for each key the weights of all queries sum to 1. But each "
        "query distributes its own attention over the keys.",
        "Along which axis are the keys of one query?",
        *over_queries,
    ),
    "without keepdims": (
        "You divided each row by the sums of all the rows, element by element, or subtracted the maxima of all the rows from "
        "it. The sums of the rows lost their axis, or a `.T` transposed them, so they line up with the columns.",
        "Pass {keepdims} for the maximum and for the sum, and don't transpose anything.",
        _without_keepdims(True, False),
        _without_keepdims(False, True),
        _without_keepdims(False, False),
        lambda scores: np.exp(scores) / np.exp(scores).sum(-1),
        lambda scores: np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum(-1),
    ),
    "exp overflows": (
        "This works for small scores. But exp(1000) overflows to infinity, and infinity / infinity is NaN.",
        "Which number of the row can you subtract so that exp never sees anything above 0? (Neither the smallest nor the "
        "mean: in a row with 1000 and −1000, exp would still see 1000 or more.)",
        overflowing,
    ),
    "the smallest score or the mean subtracted": (
        "You subtracted each row's smallest score, or its mean. In a row with 1000 and −1000, exp still sees 1000 or more, "
        "and overflows; and where a score is −∞, so are the smallest and the mean.",
        "Which number of the row can you subtract so that exp never sees anything above 0?",
        *from_below,
    ),
    "NaN hidden as 0": (
        "This works for small scores. But exp(1000) overflows, infinity / infinity is NaN, and you turned NaN into 0: so the "
        "largest scores of the row get no weight.",
        "Prevent the overflow: subtract each row's own largest score before exp.",
        lambda scores: np.nan_to_num(overflowing(scores)),
    ),
    "scores clipped": (
        "You clipped large scores, so 1000, 1001 and 998 become equal, and so do their weights.",
        "Subtract each row's largest score from the whole row instead. That keeps the differences.",
        *map(lambda limit: lambda scores: softmax(np.clip(scores, -limit, limit)), (700, 500, 100, 50)),
        *map(lambda limit: lambda scores: overflowing(np.minimum(scores, limit)), (709, 700, 500, 100)),
    ),
    "one max for all rows": (
        "You subtracted more than a row's own largest score, such as the largest score of the whole array or the largest "
        "absolute value. In a row far below that number, every exponential becomes 0, and 0 / 0 is NaN.",
        "Take the maximum of each row separately, along the last axis, {axis}, from the scores as they are.",
        minus(np.max),
        minus(_of_row(np.max, axis=(-2, -1))),
    ),
    "the maximum along another axis": (
        "You subtracted the largest score of each column, or of another axis, and summed along the rows. Subtracting "
        "different numbers from the scores of one row changes the differences between them, and weights depend on those.",
        "The maximum and the sum belong to the same row: use the same axis for both.",
        *(minus(_of_row(np.max, axis)) for axis in (-2, 0, 1)),
    ),
    "scores divided by a number": (
        "You divided the scores of each row by the largest one, or by a fixed number. Then exp does not overflow, but the "
        "differences between the scores change too, and weights depend on those.",
        "How can one number change all the scores of a row, and none of the differences between them?",
        _divided(_of_row(np.max)),
        lambda scores: overflowing(scores / scores.max(-1, keepdims=True)),
        _divided(np.max),
        _divided(lambda scores: np.abs(scores).max(-1, keepdims=True)),
        *(_divided(lambda scores, number=number: number) for number in (1000, 100, 10)),
    ),
    "softmax twice": (
        "You applied softmax to the weights once more. They are between 0 and 1, so after a second softmax no weight of a row "
        "is more than e times another, and even a hidden key gets one.",
        "How many times is softmax called between the scores and the output?",
        lambda scores: softmax(softmax(scores)),
    ),
    "scores divided by their sum": (
        "You divided the scores by their sum, without exp. A score of 0 then gets no weight, and a negative score gets a "
        "negative one.",
        "Take exp of every score first.",
        lambda scores: scores / scores.sum(-1, keepdims=True),
    ),
    "not divided by the sum": (
        "You took the exponentials themselves. Their rows do not sum to 1, so they are not weights yet.",
        "Divide each row by its own sum.",
        _exponentials,
        np.exp,
    ),
    "divided by the sum of everything": (
        "You divided by the sum of the whole array, so all its weights together sum to 1. But each query distributes its own "
        "attention, so each row must sum to 1.",
        "Sum over the last axis only.",
        lambda scores: np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum(),
        lambda scores: np.exp(scores) / np.exp(scores).sum(),
        lambda scores: _exponentials(scores) / _exponentials(scores).sum(),
        lambda scores: _exponentials(scores) / _exponentials(scores).sum((-2, -1), keepdims=True),
    ),
}
