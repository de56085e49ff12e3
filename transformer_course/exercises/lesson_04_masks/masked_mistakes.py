"""Sheet 04: what goes wrong in attention with a mask.

Each mistake has at least two variants: one that rejects a row in which everything is masked, and one that does not. What the
second returns for such a row depends on the mistake.
"""

import numpy as np

from ..exercise import Mistake
from ..lesson_02_self_attention.softmax import attention_softmax, over_second, overflowing, softmax_minus
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
    minus_infinite_exponentials,
    overflowing_late,
    refusing_all_true,
    renormalised,
    with_dot,
)

_LOW = (-np.inf, -1e9)
_SMALLEST, _MEAN = (lambda s: s.min(-1, keepdims=True)), (lambda s: s.mean(-1, keepdims=True))
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
        "You forbid where the mask is True, and allow where it is False. That is how `nn.MultiheadAttention` reads a "
        "mask. Here, True = may attend.",
        "np.where(mask, a, b) takes a where the mask is True, and masked_fill(mask, a) writes a where it is True. "
        "Which of the two is −∞ in your code?",
        *(attend(lambda s, mask, low=low: softmax(np.where(mask, low, s))) for low in _LOW),
        attend(lambda s, mask: softmax(s - mask * 1e9)),
        refusing_all_true,
    ),
    _mistake(
        "masked after softmax",
        "You set weights to 0 after softmax. The rows no longer sum to 1, and the forbidden scores are still in the "
        "sum in the denominator.",
        "Apply the mask between the scores and softmax.",
        attend(lambda s, mask: softmax(s) * mask),
    ),
    _mistake(
        "the forbidden scores took part",
        "Your function is right on paper, and also here as long as no forbidden score is far above the others. But "
        "forbidden scores still take part, either in a softmax before the mask or as the largest score that you "
        "subtract. A forbidden score 1000 above all allowed ones makes their weights exactly 0, and no division "
        "brings them back.",
        "Replace the forbidden scores by −∞ before you subtract anything or take exp.",
        *(attend(renormalised(tiny)) for tiny in (0, 1e-9)),
    ),
    _mistake(
        "score 0 in place of −∞",
        "You set forbidden scores to 0. But exp(0) = 1, so these keys still get a weight. If the allowed scores are "
        "negative, the forbidden keys even get the largest weights.",
        "Which score has an exponential of 0?",
        attend(filled(0)),
        attend(lambda s, mask: softmax(s * mask)),
    ),
    _mistake(
        "not low enough",
        "You used a number in place of −∞ that is not low enough. Some scores in this exercise are near −1000, and "
        "next to those a forbidden key gets a weight again.",
        "-np.inf is lower than every score.",
        *(attend(filled(low)) for low in (-1000, -999, -100, -10, -1)),
        *(attend(added(low)) for low in (-1000, -999, -100, -10)),
    ),
    _mistake(
        "the mask added as a number",
        "You added the mask to the scores, as 1 and 0. This raises the score of an allowed key by 1, so its weight grows "
        "by a factor of e relative to the forbidden ones. But nothing is forbidden.",
        "A difference of 1 in the score is not enough. Which score makes a weight exactly 0?",
        attend(lambda s, mask: softmax(s + mask)),
    ),
    _mistake(
        "0 times ∞",
        "All your outputs are NaN. You multiply −∞ by something that is 0 wherever the mask allows, and 0 times ∞ is "
        "not a number.",
        "Use np.where, which chooses between two numbers without multiplying.",
        attend(lambda s, mask: softmax(s + (1 - mask) * -np.inf)),
    ),
    _mistake(
        "a score times −∞",
        "You multiply forbidden scores by −∞. A negative score times −∞ is +∞, the opposite of forbidden, and 0 "
        "times −∞ is not a number.",
        "Use np.where, which chooses between two numbers without multiplying.",
        attend(lambda s, mask: softmax(s * np.where(mask, 1, -np.inf))),
    ),
    _mistake(
        "rows with a forbidden key are NaN",
        "Each row with a forbidden key comes out as NaN. Perhaps its forbidden scores became +∞ or NaN. Or you subtracted "
        "something that is −∞ itself, such as the smallest score of a masked row, and −∞ − (−∞) is not a number. Or you set "
        "exponentials to −∞, not scores.",
        "Print one row after each step: the masked scores, what you subtract, the exponentials. Where does the first wrong "
        "number appear?",
        *(attend(filled(number)) for number in (np.inf, np.nan)),
        *(attend(filled(-np.inf, softmax_minus(of_row))) for of_row in (_SMALLEST, _MEAN)),
        attend(minus_infinite_exponentials),
    ),
    _mistake(
        "−∞ as a weight",
        "You set the forbidden *weights* to −∞. The weighted average is then infinite, or not a number.",
        "A forbidden weight should be 0. Into which step does −∞ go, so that softmax makes it 0?",
        attend(lambda s, mask: np.where(mask, softmax(s), -np.inf)),
    ),
    _mistake(
        "the mask ignored",
        "Your result is that of attention without a mask: whatever you do with the mask does not reach the softmax.",
        "Compare the scores just before softmax with the mask. Is there a −∞ in each place where the mask is False?",
        attend(lambda s, mask: softmax(s)),
    ),
    _mistake(
        "a causal mask instead of the given one",
        "Your function hides the future, whatever the mask says. The given mask may be causal, hide padding, or do "
        "anything else.",
        "Use only `mask` to decide.",
        *(attend(causal_too(low, given)) for low in _LOW for given in (False, True)),
    ),
    _mistake(
        "the mask transposed",
        "You transposed the mask, so that its rows are keys. It already has the layout of the scores: one row per "
        "query, one column per key. Transposed, it does not even fit unless n = m.",
        "Use the mask as it is.",
        attend(lambda s, mask: masked(s, mask.swapaxes(-2, -1))),
        attend(lambda s, mask: masked(s, mask.T)),
        attend(lambda s, mask: filled(-1e9)(s, mask.swapaxes(-2, -1))),
    ),
    _mistake(
        "only a mask of the scores' shape",
        "Your function is right only if the mask has exactly the shape of the scores. Indexing with a mask, as in "
        "`scores[~mask]`, does not broadcast. So a mask (b, 1, m) for all queries, or (n, m) for a whole batch, does "
        "not fit.",
        "np.where(mask, …, …) broadcasts the mask by itself.",
        by_index,
    ),
    _mistake(
        "one sequence only",
        "Your function is right only for one sequence (n, d) with a mask (n, m). Something in it assumes exactly two "
        "axes: `.T` also reverses a batch axis, `np.dot` does not multiply a batch matrix by matrix, and axis=1 or a "
        "loop over rows mean something else in a batch.",
        "Multiply with @, swap only the last two axes, key.swapaxes(-2, -1) (torch: key.transpose(-2, -1)), and "
        "count axes from the end.",
        attend(masked, turn=lambda k: k.T),
        attend(filled(-1e9), turn=lambda k: k.T),
        by_row_and_column,
        with_dot,
        *(attend(filled(-np.inf, weigh)) for weigh in over_second),
    ),
    _mistake(
        "not scaled",
        "You did not divide the scores by √d. Without that, wide queries and keys give large scores, and the softmax "
        "saturates (lesson 03).",
        "Divide the scores by the square root of the queries' width before softmax.",
        *(attend(filled(low), width=lambda q, k, v: 1) for low in _LOW),
    ),
    _mistake(
        "a different scale",
        "You scaled the scores by something other than 1/√d. Here d is the width of queries and keys, the length of "
        "their last axis.",
        "Count axes from the end, query.shape[-1], and look for the square root.",
        *(attend(masked, width=width) for width in WRONG_WIDTHS),
        attend(filled(-1e9), width=WRONG_WIDTHS[0]),
    ),
    _mistake(
        "the weights returned",
        "You returned the weights, one per key. One step is missing: averaging the values.",
        "Return weights @ value.",
        attend(masked, mix=lambda a, v: a),
    ),
    _mistake(
        "exp overflows",
        "Your function is right for small scores. But exp(1000) overflows to infinity, and infinity / infinity is "
        "NaN. And if all scores are near −1000, every exp is 0, and so is their sum.",
        "After masking, subtract each row's largest score before exp. The weights stay the same.",
        attend(filled(-np.inf, overflowing)),
        attend(overflowing_late),
    ),
    *map(_of_softmax, _FROM_SOFTMAX),
    *WHOLE_ROWS,
)
