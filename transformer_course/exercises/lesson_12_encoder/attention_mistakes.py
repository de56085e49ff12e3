"""What goes wrong with the attention of an encoder layer: its mask, its heads, its weights."""

import numpy as np

from ..exercise import Mistake
from ..families.heads import interleaved as split_interleaved
from ..families.heads import merge_by_reshape, split_by_reshape
from ..families.heads import merge_in_turn as merge_interleaved
from ..families.heads import split as split_heads
from ..lesson_02_self_attention.softmax import over_queries, overflowing, softmax_minus
from ..toolkit import softmax
from .steps import attend, forbid, layer_of


def _weighing(weigh):
    return layer_of(attend(weigh=weigh))


def _changed(change):
    """The layer with some of its weights replaced."""
    return lambda x, weights, h, mask: layer_of()(x, weights | change(weights), h, mask)


def _exchanged(**names):
    return _changed(lambda weights: {old: weights[new] for old, new in names.items()})


def _filled(scores, mask):
    """As ``forbid``, with a very low number in place of −∞."""
    return np.where(mask[:, None], scores, -1e9)


def _both_ways(mask):
    """The mask with the queries hidden that it hides as keys."""
    return mask & mask.swapaxes(-2, -1)


def _lowered(by):
    return _weighing(lambda scores, mask: softmax(scores - by * ~mask[:, None]))


def _shared_out_again(scores, mask):
    """The weights of all keys first, and then those of the allowed ones divided by their sum."""
    weights = softmax(scores) * mask[:, None]
    return weights / weights.sum(-1, keepdims=True)


def _by_head_count(t, h):
    """Cut into pieces of h columns in place of h pieces."""
    return t.reshape(*t.shape[:2], -1, h).swapaxes(1, 2)


MASKS = (
    Mistake(
        "the mask forgotten",
        "Your result is right where nothing is masked. Elsewhere, each token attends to all tokens, padding included.",
        "Set the score to −∞ where the mask is False.",
        _weighing(lambda scores, mask: softmax(scores)),
        variants=(_weighing(lambda scores, mask: overflowing(scores)),),
    ),
    Mistake(
        "the mask reversed",
        "Your tokens attend to what is forbidden, and not to what is allowed. Here, True means that a token may attend. In torch's "
        "MultiheadAttention it means the opposite.",
        "np.where(mask, scores, -np.inf) keeps the scores where the mask is True.",
        _weighing(lambda scores, mask: softmax(forbid(scores, ~mask))),
        variants=(_weighing(lambda scores, mask: softmax(np.where(mask[:, None], -1e9, scores))),),
    ),
    Mistake(
        "the mask without an axis for the heads",
        "You combined the mask (b, 1, n) or (b, n, n) with the scores (b, h, n, n) as it is, so its batch axis is lined "
        "up with the heads. That raises an error, or is silently wrong if there are as many sequences as heads (lesson "
        "05).",
        "Use mask[:, None], which has an axis of length 1 for the heads.",
        _weighing(lambda scores, mask: softmax(np.where(mask, scores, -np.inf))),
        variants=(_weighing(lambda scores, mask: softmax(np.where(mask, scores, -1e9))),),
    ),
    Mistake(
        "masked after softmax",
        "You set the weights of forbidden keys to 0 after softmax. Then the rows no longer sum to 1, because the forbidden keys were "
        "still in the denominator (lesson 04).",
        "Mask the scores, before softmax.",
        _weighing(lambda scores, mask: np.where(mask[:, None], softmax(scores), 0)),
    ),
    Mistake(
        "masked scores set to 0",
        "You set forbidden scores to 0. But a score of 0 gets a weight like any other score.",
        "Use a score whose exponential is 0.",
        _weighing(lambda scores, mask: softmax(np.where(mask[:, None], scores, 0))),
    ),
    Mistake(
        "masked scores not low enough",
        "You set forbidden scores to a number that is not low enough. Where all allowed scores are near −1000, the forbidden key "
        "gets the largest weight.",
        "Only −∞ is below every score.",
        _weighing(lambda scores, mask: softmax(np.where(mask[:, None], scores, -1000))),
        variants=(_weighing(lambda scores, mask: softmax(np.where(mask[:, None], scores, -100))),),
    ),
    Mistake(
        "forbidden scores lowered too little",
        "You subtracted a fixed number from the forbidden scores. A forbidden score near 1000 can still be larger than allowed "
        "scores near −1000.",
        "Only −∞ is below every score.",
        _lowered(1000),
        variants=(_lowered(2000), _lowered(100), _lowered(10)),
    ),
    Mistake(
        "shared out again after softmax",
        "You took softmax over all keys, and then divided the allowed weights by their sum. On paper, this is right. But where a "
        "forbidden score is far above the allowed ones, all allowed weights are stored as 0, and 0 / 0 is not a number.",
        "Mask the scores, before softmax.",
        _weighing(_shared_out_again),
    ),
    Mistake(
        "the mask added",
        "You added the mask to the scores, as 1 and 0. That raises the allowed scores by 1, but forbids nothing.",
        "Set the score to −∞ where the mask is False.",
        _weighing(lambda scores, mask: softmax(scores + mask[:, None])),
    ),
    Mistake(
        "the mask on the queries",
        "You swapped the last two axes of the mask, so it hides queries instead of keys.",
        "The last axis belongs to the keys, in the scores and in the mask.",
        _weighing(lambda scores, mask: softmax(forbid(scores, mask.swapaxes(-2, -1)))),
    ),
    Mistake(
        "the queries of padding hidden too",
        "You hid the queries of padding as well as its keys. Then no key is left for these queries, and softmax cannot compute their "
        "rows (lesson 04).",
        "Nothing uses the rows of padding, so leave them unmasked: apply `mask` as it is.",
        _weighing(lambda scores, mask: softmax(forbid(scores, _both_ways(mask)))),
        variants=(_weighing(lambda scores, mask: softmax(_filled(scores, _both_ways(mask)))),),
    ),
)

ATTENTION = (
    Mistake(
        "heads split by a reshape alone",
        "You split the heads with a reshape alone: the first head gets the first tokens with all their columns, not some columns of "
        "every token.",
        "Reshape to (b, n, h, d // h), then swap the axes of tokens and heads.",
        layer_of(attend(split=split_by_reshape)),
        variants=(layer_of(attend(split=split_by_reshape, merge=merge_by_reshape)),),
    ),
    Mistake(
        "heads merged by a reshape alone",
        "Everything is right up to the merge. But a reshape alone turns (b, h, n, d/h) into rows that mix several tokens of "
        "one head.",
        "Swap the axes of tokens and heads first, and then reshape.",
        layer_of(attend(merge=merge_by_reshape)),
    ),
    Mistake(
        "columns dealt out in turn",
        "In your function, head 0 gets columns 0, h, 2h and so on. But a head's columns should be adjacent.",
        "In the reshape, put the axis of the heads before the axis of the columns within a head.",
        layer_of(attend(split=split_interleaved)),
        variants=(layer_of(attend(split=split_interleaved, merge=merge_interleaved)),),
    ),
    Mistake(
        "num_heads taken for a width",
        "You cut each token into pieces of num_heads columns. But num_heads is the number of pieces, not their width.",
        "Reshape to (b, n, num_heads, d // num_heads).",
        layer_of(attend(split=_by_head_count)),
    ),
    Mistake(
        "one head",
        "Your result does not depend on num_heads: you computed one head as wide as all of them together.",
        "Split queries, keys and values into heads before you compute the scores.",
        layer_of(attend(split=lambda t, h: split_heads(t, 1))),
        variants=(layer_of(attend(split=lambda t, h: split_heads(t, 1), root=lambda q, x: 1.0)),),
    ),
    Mistake(
        "w_o left out",
        "You concatenated the heads correctly, but nothing mixes their outputs.",
        "Multiply by weights['w_o'] before the residual sum.",
        layer_of(attend(last=lambda merged, w_o: merged)),
    ),
    Mistake(
        "matrices transposed",
        "You transposed some or all of the four matrices. torch's own layers store theirs that way, but here they are used as they "
        "are, with the tokens on the left.",
        "Write x @ w_q and merged @ w_o, without .T.",
        layer_of(attend(last=lambda merged, w_o: merged @ w_o.T)),
        variants=tuple(
            _changed(lambda w, names=names: {name: w[name].T for name in names})
            for names in (("w_q", "w_k", "w_v", "w_o"), ("w_q", "w_k", "w_v"))
        ),
    ),
    Mistake(
        "divided by √d_model",
        "You divided the scores by √d_model. But a score of one head is a sum of only d_model / h products.",
        "Divide by the square root of the width of one head's queries, after the split.",
        layer_of(attend(root=lambda q, x: np.sqrt(x.shape[-1]))),
    ),
    Mistake(
        "divided by √num_heads",
        "You divided the scores by the square root of the number of heads. What matters is how many products are "
        "added up in one score.",
        "Divide by the square root of the width of one head's queries, after the split.",
        lambda x, weights, h, mask: layer_of(attend(root=lambda q, x: np.sqrt(h)))(x, weights, h, mask),
    ),
    Mistake(
        "divided by d_k",
        "You divided the scores by the width of a head, which makes them too small.",
        "Divide by √d_k, the square root of that width.",
        layer_of(attend(root=lambda q, x: q.shape[-1])),
    ),
    Mistake(
        "not scaled",
        "You did not scale the scores.",
        "Divide by √d_k, where d_k is the width of one head.",
        layer_of(attend(root=lambda q, x: 1.0)),
        variants=(layer_of(attend(root=lambda q, x: 1.0, weigh=lambda s, mask: overflowing(forbid(s, mask)))),),
    ),
    Mistake(
        "softmax over the queries",
        "Your weights sum to 1 over the queries, but they should sum to 1 over the keys.",
        "Apply softmax along the last axis.",
        _weighing(lambda s, mask: softmax(forbid(s, mask).swapaxes(-2, -1)).swapaxes(-2, -1)),
        variants=(
            *(_weighing(lambda s, mask, weigh=weigh: weigh(forbid(s, mask))) for weigh in over_queries),
            *(_weighing(lambda s, mask, weigh=weigh: weigh(_filled(s, mask))) for weigh in over_queries),
        ),
    ),
    Mistake(
        "no maximum subtracted",
        "Your result is right for small scores. For large ones, exp overflows, and inf / inf is nan.",
        "Subtract each row's largest score before exp. The weights stay the same.",
        _weighing(lambda s, mask: overflowing(forbid(s, mask))),
    ),
    Mistake(
        "one maximum for all rows",
        "You subtracted the largest score of a whole matrix, or of all of them. In a row with much smaller scores, every exponential "
        "becomes 0, and 0 / 0 is not a number.",
        "Subtract each row's own largest score, with axis=-1 and keepdims=True.",
        _weighing(lambda s, mask: softmax_minus(np.max)(forbid(s, mask))),
        variants=(_weighing(lambda s, mask: softmax_minus(lambda t: t.max((-2, -1), keepdims=True))(forbid(s, mask))),),
    ),
    Mistake(
        "keys and values swapped",
        "You swapped keys and values: the keys come from w_v, and the values from w_k.",
        "Write k = x @ w_k and v = x @ w_v, and check the order in which you assign or pass them.",
        _exchanged(w_k="w_v", w_v="w_k"),
    ),
    Mistake(
        "queries and keys swapped",
        "You computed the queries with w_k and the keys with w_q, so the score matrix is transposed.",
        "Write q = x @ w_q and k = x @ w_k.",
        _exchanged(w_q="w_k", w_k="w_q"),
    ),
    Mistake(
        "one matrix used twice",
        "You used the same matrix for two of the three: queries, keys and values.",
        "Use three matrices: w_q, w_k and w_v.",
        _exchanged(w_v="w_k"),
        variants=(_exchanged(w_k="w_q"), _exchanged(w_v="w_q"), _exchanged(w_q="w_k")),
    ),
)

MISTAKES = (*MASKS, *ATTENTION)
