"""Sheet 04: what goes wrong in attention with a mask.

Each mistake has at least two variants: one that rejects a row in which everything is masked, and one that does not. What the
second returns for such a row depends on the mistake.
"""

import numpy as np

from ..exercise import Mistake
from ..lesson_02_self_attention.softmax import attention_softmax, over_second, overflowing
from ..toolkit import mistake, softmax
from .masked_rows import WHOLE_ROWS
from .masked_steps import (
    WRONG_WIDTHS,
    added,
    attend,
    both,
    by_index,
    by_row_and_column,
    causal_too,
    filled,
    masked,
    overflowing_late,
    renormalised,
    with_dot,
)

_LOW = (-np.inf, -1e9)
_FROM_SOFTMAX = (
    "softmax over the first axis",
    "softmax over the queries",
    "without keepdims",
    "not divided by the sum",
    "one max for all rows",
    "divided by the sum of everything",
)


def _mistake(name, diagnosis, hint, *answers) -> Mistake:
    return mistake(name, diagnosis, hint, *both(*answers))


def _of_softmax(name) -> Mistake:
    """A mistake that sheet 02 names, which goes wrong just as well after a right mask."""
    (known,) = (each for each in attention_softmax.mistakes if each.name == name)
    variants = (attend(filled(-np.inf, weigh)) for weigh in (known.answer, *known.variants))
    return _mistake(known.name, known.diagnosis, known.hint, *variants)


MISTAKES = (
    _mistake(
        "the mask the other way round",
        "You forbid where the mask is True, and allow where it is False. That is how `nn.MultiheadAttention` reads a mask; here, "
        "True = may attend.",
        "np.where(mask, a, b) takes a where the mask is True, and masked_fill(mask, a) fills a in where it is True. What stands there "
        "in yours?",
        *(attend(lambda s, mask, low=low: softmax(np.where(mask, low, s))) for low in _LOW),
        attend(lambda s, mask: softmax(s - mask * 1e9)),
    ),
    _mistake(
        "masked after softmax",
        "You set weights to 0 after softmax. The rows no longer sum to 1, and the forbidden scores still stand in the sum below "
        "the fraction bar.",
        "The mask belongs between the scores and softmax.",
        attend(lambda s, mask: softmax(s) * mask),
    ),
    _mistake(
        "the forbidden scores took part",
        "Right on paper, and here as long as no forbidden score is far above the others. But forbidden scores still take part, in "
        "a softmax before the mask or as the largest score that is subtracted. A forbidden score 1000 above all allowed ones "
        "makes these exactly 0, and no division brings them back.",
        "Put −∞ in place of the forbidden scores before anything is subtracted or exp is taken.",
        *(attend(renormalised(tiny)) for tiny in (0, 1e-9)),
    ),
    _mistake(
        "score 0 in place of −∞",
        "You set forbidden scores to 0. But exp(0) = 1, so these keys still take a share; and where the allowed scores are "
        "negative, the largest one.",
        "Which score has an exponential of 0?",
        attend(filled(0)),
        attend(lambda s, mask: softmax(s * mask)),
    ),
    _mistake(
        "not low enough",
        "In place of −∞ you have a number that is not low enough. Scores near −1000 occur in this exercise, and beside those a "
        "forbidden key gets a share again.",
        "-np.inf is lower than every score.",
        *(attend(filled(low)) for low in (-1000, -999, -100, -10, -1)),
        *(attend(added(low)) for low in (-1000, -999, -100, -10)),
    ),
    _mistake(
        "the mask added as a number",
        "You added the mask to the scores, as 1 and 0. An allowed key is then one point of score above a forbidden one, a factor of "
        "e in weight, and nothing is forbidden.",
        "Not one point lies between allowed and forbidden, but all of them: what makes a weight exactly 0?",
        attend(lambda s, mask: softmax(s + mask)),
    ),
    _mistake(
        "0 times ∞",
        "Every output is NaN. You multiply something that is 0 where the mask allows by −∞, and 0 times ∞ is not a number.",
        "np.where chooses between two numbers, and multiplies nothing.",
        attend(lambda s, mask: softmax(s + (1 - mask) * -np.inf)),
    ),
    _mistake(
        "a score times −∞",
        "You multiply forbidden scores by −∞. A negative score times −∞ is +∞, the opposite of forbidden, and 0 times −∞ is not a "
        "number.",
        "np.where chooses between two numbers, and multiplies nothing.",
        attend(lambda s, mask: softmax(s * np.where(mask, 1, -np.inf))),
    ),
    _mistake(
        "the mask ignored",
        "Your result is that of attention without a mask: what you do with the mask does not reach the softmax.",
        "Compare the scores just before softmax with the mask: is there a −∞ in each place where it is False?",
        attend(lambda s, mask: softmax(s)),
    ),
    _mistake(
        "a causal mask of its own",
        "Your function hides the future, whatever the mask says. The mask is given: it may be causal, or hide padding, or anything "
        "else.",
        "Use `mask`, and nothing else, to decide.",
        *(attend(causal_too(low, given)) for low in _LOW for given in (False, True)),
    ),
    _mistake(
        "the mask transposed",
        "You turned the mask round, so that its rows are keys. It stands as the scores do: a row for each query, a column for "
        "each key. For other sizes than n = m it does not even fit.",
        "Use the mask as it is.",
        attend(lambda s, mask: masked(s, mask.swapaxes(-2, -1))),
        attend(lambda s, mask: masked(s, mask.T)),
        attend(lambda s, mask: filled(-1e9)(s, mask.swapaxes(-2, -1))),
    ),
    _mistake(
        "a mask of the scores' own shape only",
        "Right as long as the mask has exactly the shape of the scores. Indexing with a mask, as in `scores[~mask]`, stretches "
        "nothing: a mask (b, 1, m) for all queries, or (n, m) for a whole batch, does not fit.",
        "np.where(mask, …, …) stretches the mask by itself.",
        by_index,
    ),
    _mistake(
        "one sequence only",
        "Right for one sequence (n, d) with a mask (n, m) only. Something in it counts on exactly two axes: `.T` turns a batch axis "
        "round as well, `np.dot` does not multiply batches table by table, and axis=1 or a loop over rows mean something else "
        "in a batch.",
        "Multiply with @, swap only the last two axes, key.swapaxes(-2, -1) (torch: key.transpose(-2, -1)), and count axes from "
        "the back.",
        attend(masked, turn=lambda k: k.T),
        attend(filled(-1e9), turn=lambda k: k.T),
        by_row_and_column,
        with_dot,
        *(attend(filled(-np.inf, weigh)) for weigh in over_second),
    ),
    _mistake(
        "not scaled",
        "The scores are not divided by √d. Without that, wide queries and keys make scores large and softmax steep, as lesson 03 "
        "shows.",
        "Divide the scores by the square root of the queries' width before softmax.",
        *(attend(filled(low), width=lambda q, k, v: 1) for low in _LOW),
    ),
    _mistake(
        "another scale",
        "The scores are scaled by something else than 1/√d. d is the width of queries and keys, the length of their last axis, "
        "and it is its square root that the scores are divided by.",
        "Count axes from the back, query.shape[-1], and look for the square root.",
        *(attend(masked, width=width) for width in WRONG_WIDTHS),
        attend(filled(-1e9), width=WRONG_WIDTHS[0]),
    ),
    _mistake(
        "the weights returned",
        "These are the weights, one for each key. One step is missing: the mixture of the values.",
        "Return weights @ value.",
        attend(masked, mix=lambda a, v: a),
    ),
    _mistake(
        "exp overflows",
        "Right for small scores, but exp(1000) overflows to infinity, and infinity / infinity is NaN; and where all are near "
        "−1000, every exp is 0, and so is their sum.",
        "After masking, subtract each row's largest score before exp: the weights stay the same.",
        attend(filled(-np.inf, overflowing)),
        attend(overflowing_late),
    ),
    *map(_of_softmax, _FROM_SOFTMAX),
    *WHOLE_ROWS,
)
