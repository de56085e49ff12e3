"""Sheet 02: softmax for every shape and size, and a test of someone else's."""

import math

import numpy as np

from ..exercise import Mistake
from ..kinds import Implement, Property, WriteTest
from ..toolkit import normal, softmax


def _draw_scores(rng):
    return [
        [np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, 1.0, 2.0]])],
        [normal(rng, 4, 3)],
        [normal(rng, 2, 3, 5)],
        [normal(rng, 7)],
        # exp overflows from 710 on; beyond 1024, float32 would be too coarse for some right answers
        [np.array([[1000.0, 1001.0, 998.0], [-1000.0, -1001.0, -1003.0]])],
        [np.array([[1000.0, -1000.0]])],
        [normal(rng, 2, 3, 2, 4)],
        [normal(rng, 3, 1)],
    ]


def _softmax_over(axis):
    """Softmax that sums over a wrong axis, in the four ways to subtract something first."""

    def over(shift):
        return lambda scores: np.exp(scores - shift(scores)) / np.exp(scores - shift(scores)).sum(axis, keepdims=True)

    return tuple(
        over(shift)
        for shift in (
            lambda scores: scores.max(axis, keepdims=True),
            lambda scores: scores.max(-1, keepdims=True),
            lambda scores: scores.max(),
            lambda scores: 0.0,
        )
    )


def _over_each(weigh):
    """Softmax by a loop that treats each item of the first axis as a row."""
    return lambda scores: np.array([weigh(row) for row in scores])


def softmax_minus(shift):
    """Softmax that subtracts something other than each row's largest score."""
    return lambda scores: np.exp(scores - shift(scores)) / np.exp(scores - shift(scores)).sum(-1, keepdims=True)


def _softmax_clipped(limit):
    return lambda scores: softmax(np.clip(scores, -limit, limit))


def _softmax_cut_above(limit):
    return lambda scores: overflowing(np.minimum(scores, limit))


def _softmax_without_keepdims(of_max, of_sum):
    def without(scores):
        exponentials = np.exp(scores - scores.max(-1, keepdims=of_max))
        return exponentials / exponentials.sum(-1, keepdims=of_sum)

    return without


def _softmax_in_logs(scores):
    return np.exp(scores - np.logaddexp.reduce(scores, -1, keepdims=True))


def _softmax_in_loops(scores):
    rows = [[np.exp(s - max(row)) for s in row] for row in scores.reshape(-1, scores.shape[-1])]
    return np.array([[e / sum(row) for e in row] for row in rows]).reshape(scores.shape)


by_rows = (
    _over_each(lambda row: softmax(row.ravel()).reshape(row.shape)),
    _over_each(lambda row: np.exp(row) / np.exp(row).sum()),
    _over_each(lambda row: [math.exp(s - max(row)) / sum(math.exp(t - max(row)) for t in row) for s in row]),
    _over_each(lambda row: [math.exp(s) / sum(math.exp(t) for t in row) for s in row]),
)
overflowing = softmax_minus(lambda scores: 0.0)
over_first, over_second, over_queries = _softmax_over(0), _softmax_over(1), _softmax_over(-2)

attention_softmax = Implement(
    id="attention.softmax",
    answer_name="softmax",
    prompt="Softmax over the last axis, for scores with any number of axes, and of any size.",
    reference=softmax,
    draw=_draw_scores,
    alternatives=(_softmax_in_logs, _softmax_in_loops),
    properties=(
        Property("Along the last axis, the weights must sum to 1.", lambda w, scores: np.allclose(w.sum(-1), 1, atol=1e-3)),
        Property("Every weight must be between 0 and 1.", lambda w, scores: ((w >= 0) & (w <= 1 + 1e-6)).all()),
        Property(
            "A larger score must get a larger weight.",
            lambda w, scores: (np.argmax(w, -1) == np.argmax(scores, -1)).all(),
        ),
    ),
    why="Subtracting the maximum of each row changes nothing on paper, and it keeps exp from overflowing.",
    hints=(
        "There are two steps: take exp of every score, then divide by the sum of its own row. The row is the last axis, -1, "
        "however many axes come before it.",
        "Pass keepdims=True. The summed axis then keeps length 1, so that each row is divided by its own sum.",
        "exp(1000) is too large for any float. Adding the same number to all scores of a row changes no weight, so subtract "
        "each row's own largest score first.",
    ),
    mistakes=(
        Mistake(
            "softmax over the first axis",
            "You normalised over axis 0, so the columns sum to 1. But each query has a row of scores, and its weights are "
            "in that row.",
            "Use axis -1, for the maximum and for the sum.",
            over_first[0],
            variants=over_first[1:],
        ),
        Mistake(
            "axis counted from the front",
            "You normalised over axis 1. In a matrix that is the row, but in a batch (b, n, m) axis 1 holds the queries, and "
            "a single row has no axis 1.",
            "Count from the back: -1 is the last axis, however many there are.",
            over_second[0],
            variants=over_second[1:],
        ),
        Mistake(
            "right for a single matrix only",
            "Your function is right for a matrix (n, m) only. Something in it needs exactly two axes: a loop over the first "
            "axis, `[:, None]`, or `n, m = scores.shape`. In a batch (b, n, m) the first axis holds whole matrices, and in a "
            "single row it holds numbers.",
            "You need no loop: max and sum along axis -1, with keepdims=True, handle all rows of any array at once.",
            by_rows[0],
            variants=by_rows[1:],
        ),
        Mistake(
            "softmax over the queries",
            "You normalised over the second-to-last axis, so that for each key the weights of all queries sum to 1. But each "
            "query distributes its own attention over the keys.",
            "Along which axis are the keys of one query?",
            over_queries[0],
            variants=over_queries[1:],
        ),
        Mistake(
            "without keepdims",
            "You divided each row by the sums of all the rows, element by element, or subtracted the maxima of all the rows "
            "from it. The sums of the rows lost their axis, or a `.T` transposed them, so they line up with the columns.",
            "Write keepdims=True in .max(-1, …) and in .sum(-1, …) (torch calls it keepdim), and don't transpose anything.",
            _softmax_without_keepdims(True, False),
            variants=(
                _softmax_without_keepdims(False, True),
                _softmax_without_keepdims(False, False),
                lambda scores: np.exp(scores) / np.exp(scores).sum(-1),
                lambda scores: np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum(-1),
            ),
        ),
        Mistake(
            "exp overflows",
            "Your function is right for small scores, but exp(1000) overflows to infinity, and infinity / infinity is NaN.",
            "Which number of the row can you subtract so that exp never sees anything above 0? (Neither the smallest nor the "
            "mean: in a row with 1000 and −1000, exp would still see 1000 or more.)",
            overflowing,
            variants=(
                softmax_minus(lambda scores: scores.min(-1, keepdims=True)),
                softmax_minus(lambda scores: scores.mean(-1, keepdims=True)),
            ),
        ),
        Mistake(
            "NaN hidden as 0",
            "Your function is right for small scores. But exp(1000) overflows, infinity / infinity is NaN, and you turned NaN into "
            "0: so the largest scores of the row get no weight.",
            "Prevent the overflow: subtract each row's own largest score before exp.",
            lambda scores: np.nan_to_num(overflowing(scores)),
        ),
        Mistake(
            "scores clipped",
            "You clipped large scores, so 1000, 1001 and 998 become equal, and so do their weights.",
            "Subtract each row's largest score from the whole row instead. That keeps the differences.",
            _softmax_clipped(700),
            variants=(
                *map(_softmax_clipped, (500, 100, 50)),
                *map(_softmax_cut_above, (709, 700, 500, 100)),
            ),
        ),
        Mistake(
            "one max for all rows",
            "You subtracted more than a row's own largest score, such as the largest score of the whole array or the largest "
            "absolute value. In a row far below that number, every exponential becomes 0, and 0 / 0 is NaN.",
            "Take the maximum of each row separately, along axis -1, from the scores as they are.",
            softmax_minus(lambda scores: scores.max()),
        ),
        Mistake(
            "divided by the largest score",
            "You divided the scores of each row by the largest one. That changes the differences between them, and weights "
            "depend on those.",
            "How can one number change all the scores of a row, and none of the differences between them?",
            lambda scores: softmax(scores / scores.max(-1, keepdims=True)),
            variants=(
                lambda scores: overflowing(scores / scores.max(-1, keepdims=True)),
                lambda scores: softmax(scores / scores.max()),
                lambda scores: softmax(scores / np.abs(scores).max(-1, keepdims=True)),
            ),
        ),
        Mistake(
            "divided by a constant",
            "You divided all scores by a fixed number. Then exp does not overflow, but the differences between the scores "
            "shrink too, and weights depend on those.",
            "How can one number change all the scores of a row, and none of the differences between them?",
            lambda scores: softmax(scores / 1000),
            variants=tuple(lambda scores, by=by: softmax(scores / by) for by in (100, 10)),
        ),
        Mistake(
            "scores divided by their sum",
            "You divided the scores by their sum, without exp. A score of 0 then gets no weight, and a negative score gets a "
            "negative one.",
            "Take exp of every score first.",
            lambda scores: scores / scores.sum(-1, keepdims=True),
        ),
        Mistake(
            "not divided by the sum",
            "You returned the exponentials. Their rows do not sum to 1, so they are not weights yet.",
            "Divide by .sum(-1, keepdims=True).",
            lambda scores: np.exp(scores - scores.max(-1, keepdims=True)),
            variants=(np.exp,),
        ),
        Mistake(
            "divided by the sum of everything",
            "You divided by the sum of the whole array, so all its weights together sum to 1. But each query distributes its "
            "own attention, so each row must sum to 1.",
            "Sum over the last axis only.",
            lambda scores: np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum(),
            variants=(
                lambda scores: np.exp(scores) / np.exp(scores).sum(),
                lambda scores: (
                    np.exp(scores - scores.max(-1, keepdims=True)) / np.exp(scores - scores.max(-1, keepdims=True)).sum()
                ),
            ),
        ),
    ),
)

test_softmax = WriteTest(
    id="attention.test_softmax",
    answer_name="is_softmax",
    prompt="A test that accepts every correct softmax and rejects the broken ones.",
    target=attention_softmax,
    false_positive_hint="If you compare with numbers rounded to four digits, allow for that: np.allclose(…, atol=1e-4). If you "
    "compare with a softmax that you wrote, make sure that yours is right, for large scores too. And on a computer a weight "
    "may be exactly 0, although on paper it never is.",
    caught={
        "softmax over the first axis": "a matrix in which rows and columns differ, with the sum of each row.",
        "axis counted from the front": "scores with a batch in front, of shape (2, 3, 5), or a single row.",
        "right for a single matrix only": "scores with a batch in front, of shape (2, 3, 5), or a single row.",
        "softmax over the queries": "a matrix in which rows and columns differ, with the sum of each row.",
        "without keepdims": "rows whose exponentials have different sums.",
        "exp overflows": "scores near 1000, and a row with 1000 and −1000.",
        "one max for all rows": "a row near 1000 and a row near 0 in the same matrix.",
        "scores clipped": "the scores 1000 and 1001, which must get the same weights as the scores 0 and 1.",
        "scores divided by their sum": "weights that you know: scores 0 and 1 give 0.2689 and 0.7311.",
        "not divided by the sum": "the sum of each row.",
        "divided by the sum of everything": "a matrix of two rows, with the sum of each.",
    },
    why=(
        "Your test tries inputs that distinguish correct from broken functions: rows that differ, scores that are very large "
        "or far apart, and different numbers of axes."
    ),
    hints=(
        "Give `f` some scores whose weights you know, and compare with np.allclose. For which scores could a broken function "
        "be right by luck? Square and symmetric matrices are the worst.",
        "One input is unlikely to catch them all. Try a matrix that is not square, a batch of matrices, and a single row.",
        "Large scores reveal what small ones hide. Try a row near 1000 and, in the same matrix, a row near 0.",
    ),
)
