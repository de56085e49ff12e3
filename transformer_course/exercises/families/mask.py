"""What goes wrong with a mask. A piece is ``weigh_masked(scores, mask)``, which gives weights; the mask, True = may attend,
broadcasts to the scores, and may be None. In CAUSAL, a piece is ``mask(n)``: a wrong causal mask of n tokens.
"""

import numpy as np

from ..toolkit import mistake, softmax
from .attention import causal, hide, masking
from .softmax import from_below, overflowing


def filled(low):
    """``low`` in place of the hidden scores."""
    return lambda scores, mask: np.where(mask, scores, low)


def added(low):
    """``low`` added to the hidden scores."""
    return lambda scores, mask: scores + np.where(mask, 0.0, low)


HIDINGS = (hide, filled(-1e9), added(-1e9))  # three right ways to hide


def _inverted(hide, weigh=softmax):
    return masking(lambda scores, mask: hide(scores, ~mask), weigh)


def _afterwards(change, seen=lambda scores, mask: scores):
    """Weights that are changed after the softmax: ``change(weights, mask)``."""
    return lambda scores, mask: softmax(scores) if mask is None else change(softmax(seen(scores, mask)), mask)


def shared_out_again(tiny=0.0, **seen):
    def change(weights, mask):
        return weights * mask / ((weights * mask).sum(-1, keepdims=True) + tiny)

    return _afterwards(change, **seen)


def _causal_too(hide, given):
    """A causal mask, alone or with the given one."""
    return lambda scores, mask: softmax(hide(scores, causal(scores) & mask if given and mask is not None else causal(scores)))


def _infinite_exponentials(scores, mask):
    if mask is None:
        return softmax(scores)
    exponentials = np.where(mask, np.exp(scores - scores.max(-1, keepdims=True)), -np.inf)
    return exponentials / exponentials.sum(-1, keepdims=True)


def overflowing_late(scores, mask):
    """Exponentials without the largest score subtracted, set to 0 where the mask hides."""
    exponentials = np.exp(scores) * (1 if mask is None else mask)
    return exponentials / exponentials.sum(-1, keepdims=True)


LOW = (-1000, -999, -100, -50, -30, -20, -10, -5, -2)

MASK = {
    "mask ignored": (
        "Your result is that of attention without a mask: whatever you do with the mask does not reach the softmax, and every "
        "token attends to all tokens.",
        "Compare the scores just before softmax with the mask. Is there a −∞ in each place where the mask is False?",
        lambda scores, mask: softmax(scores),
        lambda scores, mask: overflowing(scores),
    ),
    "mask inverted": (
        "You forbid where the mask is True, and allow where it is False. That is how `nn.MultiheadAttention` reads a mask. "
        "Here, True = may attend.",
        "np.where(mask, a, b) takes a where the mask is True, and masked_fill(mask, a) writes a where it is True. Which of "
        "the two is −∞ in your code?",
        *map(_inverted, HIDINGS),
        _inverted(hide, lambda scores: np.nan_to_num(softmax(scores))),  # as torch does where everything is hidden
    ),
    "masked after softmax": (
        "You set weights to 0 after softmax. The rows no longer sum to 1, and the forbidden scores are still in the sum in "
        "the denominator.",
        "Apply the mask between the scores and softmax.",
        _afterwards(lambda weights, mask: weights * mask),
    ),
    "the forbidden scores took part": (
        "This is right on paper, and also on a computer as long as no forbidden score is far above the others. But forbidden "
        "scores still take part, either in a softmax before the mask or as the largest score that you subtract. A forbidden "
        "score 1000 above all allowed ones makes their weights exactly 0, and no division brings them back.",
        "Replace the forbidden scores by −∞ before you subtract anything or take exp.",
        *map(shared_out_again, (0, 1e-9, 1e-8, 1e-6)),
        shared_out_again(1e-13, seen=lambda scores, mask: scores * mask),  # as a well-known library does
    ),
    "score 0 in place of −∞": (
        "You set forbidden scores to 0. But exp(0) = 1, so these keys still get a weight. If the allowed scores are negative, "
        "the forbidden keys even get the largest weights.",
        "Which score has an exponential of 0?",
        masking(filled(0)),
        masking(lambda scores, mask: scores * mask),
    ),
    "not low enough": (
        "You used a number in place of −∞ that is not low enough. Next to allowed scores that are low themselves, a forbidden "
        "key gets a weight again.",
        "−∞ is lower than every score.",
        *(masking(filled(low)) for low in (*LOW, -1)),  # to add -1 is to add the mask as a number
        *(masking(added(low)) for low in (-2000, *LOW)),
    ),
    "the mask added as a number": (
        "You added the mask to the scores, as 1 and 0. This raises the score of an allowed key by 1, so its weight grows by a "
        "factor of e relative to the forbidden ones. But nothing is forbidden.",
        "A difference of 1 in the score is not enough. Which score makes a weight exactly 0?",
        masking(lambda scores, mask: scores + mask),
    ),
    "multiplied by −∞": (
        "You multiply by −∞. But 0 times ∞ is not a number, and a negative score times −∞ is +∞, the opposite of forbidden. "
        "If all outputs are NaN, your mask may also hide everything.",
        "Use a function that chooses between two numbers without multiplying: np.where, or masked_fill in torch.",
        masking(lambda scores, mask: scores + (1 - mask) * -np.inf),
        masking(lambda scores, mask: np.full_like(scores, np.nan)),
        masking(lambda scores, mask: scores * np.where(mask, 1, -np.inf)),
    ),
    "rows with a forbidden key are NaN": (
        "Each row with a forbidden key comes out as NaN. Perhaps its forbidden scores became +∞ or NaN. Or you subtracted "
        "something that is −∞ itself, such as the smallest score of a masked row, and −∞ − (−∞) is not a number. Or you set "
        "exponentials to −∞, not scores.",
        "Print one row after each step: the masked scores, what you subtract, the exponentials. Where does the first wrong "
        "number appear?",
        *(masking(filled(number)) for number in (np.inf, np.nan)),
        *(masking(weigh=weigh) for weigh in from_below),
        _infinite_exponentials,
    ),
    "−∞ as a weight": (
        "You set the forbidden *weights* to −∞. The weighted average is then infinite, or not a number.",
        "A forbidden weight should be 0. Into which step does −∞ go, so that softmax makes it 0?",
        _afterwards(hide),
    ),
    "always causal": (
        "Your function hides the future, whatever the mask says. The given mask may be causal, hide padding, or do anything "
        "else.",
        "Use only the mask to decide.",
        *(_causal_too(hiding, given) for hiding in HIDINGS for given in (False, True)),
        masking(lambda scores, mask: hide(scores, causal(scores))),  # wherever there is a mask
    ),
    "the mask transposed": (
        "You transposed the mask, so that its rows are keys. It already has the layout of the scores: one row per query, one "
        "column per key. Transposed, it does not even fit unless n = m.",
        "Use the mask as it is.",
        *(masking(lambda scores, mask, hide=hide: hide(scores, mask.swapaxes(-2, -1))) for hide in HIDINGS),
        masking(lambda scores, mask: hide(scores, mask.T)),
    ),
}


def triangle(k, transposed=False):
    """The lower triangle up to the k-th diagonal, or its mirror image."""
    return lambda n: np.tri(n, n, k, dtype=bool).T if transposed else np.tri(n, n, k, dtype=bool)


causal_mask = triangle(0)

CAUSAL = {
    "the future in place of the past": (
        "In your mask, row i is True from column i on: each token sees itself and what comes after it. It should see itself "
        "and what came before.",
        "The first token may attend only to itself, so row 0 has a single True. (In torch and NumPy, tril keeps the lower "
        "triangle, and triu the upper.)",
        triangle(0, transposed=True),
    ),
    "True for what is forbidden": (
        "Your mask is the opposite of what it should be: it hides the past and the token itself, and shows only the future. "
        "That is how `nn.MultiheadAttention` reads a mask. Here, True = may attend.",
        "Row 0 should be True, False, False, …: invert every entry. (`masked_fill` writes where its mask is True, so it gets "
        "`~mask`.)",
        lambda n: ~causal_mask(n),
    ),
    "the diagonal excluded": (
        "Your mask hides each token from itself, so the first one may attend to nothing. A token may see itself. The next "
        "token is what it must not see.",
        "Is j = i included in your mask?",
        triangle(-1),
    ),
    "one step too far": (
        "Your mask also lets each token see the next one, which is the very token that it has to predict.",
        "Row 0 should have a single True. Where does yours end?",
        triangle(1),
    ),
    "one step too far, transposed": (
        "In your mask, row i is True from column i − 1 on: tokens see what comes later, but not what came long before.",
        "Row 0 should have a single True, in column 0. The last row should be all True.",
        triangle(1, transposed=True),
    ),
    "along the other diagonal": (
        "The edge between True and False runs from the upper right to the lower left in your mask. It should run along the "
        "diagonal where row and column number are equal, from the upper left to the lower right.",
        "Row 0 should be True, False, False, …, and the last row all True.",
        lambda n: causal_mask(n)[::-1],
        lambda n: causal_mask(n)[:, ::-1],
    ),
    "only itself": (
        "In your mask each token sees only itself and nothing that came before, so attention would never mix anything.",
        "Row i should be True at 0, 1, … up to i.",
        lambda n: np.eye(n, dtype=bool),
    ),
    "only itself and the one before": (
        "In your mask each token sees itself and the one before. But it may see everything that came earlier.",
        "Row i should be True at 0, 1, … up to i.",
        lambda n: np.eye(n, dtype=bool) | np.eye(n, k=-1, dtype=bool),
    ),
    "everything allowed": (
        "Nothing is hidden: each token may attend to all tokens, later ones too. In training, a model would see the very "
        "tokens that it should predict.",
        "In row i of a causal mask, all columns after i are False. What do your scores become there? (`masked_fill` returns a "
        "new tensor.)",
        lambda n: np.ones((n, n), bool),
    ),
    "everything forbidden": (
        "Your mask is False everywhere, so no token may attend to anything. In row i, columns 0 to i must be True.",
        "Which line sets the allowed entries to True?",
        lambda n: np.zeros((n, n), bool),
    ),
}

# A piece is ``form(mask)``: a right mask in another form.
ADDITIVE = mistake(
    "the additive form",
    "You returned numbers to add to the scores: 0 where a token may attend, and −∞ or something very low where it may not. "
    "They are in the right places, but the exercise asks for a boolean mask, True = may attend.",
    "Where your array is 0, the mask should be True. A comparison gives you that.",
    *(
        lambda mask, low=low: np.where(mask, 0.0, low)
        for low in (-np.inf, -100.0, -1000.0, -1e4, -1e9, -1e30, float(np.finfo(np.float32).min))
    ),
)
