"""What goes wrong with the attention of an encoder layer: its mask, its heads, its weights."""

import numpy as np

from ..exercise import Mistake
from ..lesson_02_self_attention.softmax import overflowing
from ..lesson_05_several_heads.merge import merge_by_reshape, merge_interleaved
from ..lesson_05_several_heads.split import split_by_reshape, split_heads, split_interleaved
from ..toolkit import softmax
from .steps import attend, forbid, layer_of


def _weighing(weigh):
    return layer_of(attend(weigh=weigh))


def _changed(change):
    """The layer with some of its weights replaced."""
    return lambda x, weights, h, mask: layer_of()(x, weights | change(weights), h, mask)


def _exchanged(**names):
    return _changed(lambda weights: {old: weights[new] for old, new in names.items()})


def _by_head_count(t, h):
    """Cut into pieces of h columns in place of h pieces."""
    return t.reshape(*t.shape[:2], -1, h).swapaxes(1, 2)


MASKS = (
    Mistake(
        "the mask forgotten",
        "Right where nothing is masked. Elsewhere each token attends to all, padding included.",
        "Where the mask is False, the score becomes −∞.",
        _weighing(lambda scores, mask: softmax(scores)),
        variants=(_weighing(lambda scores, mask: overflowing(scores)),),
    ),
    Mistake(
        "the mask reversed",
        "Your tokens attend to what is forbidden, and not to what is allowed. Here True means: may attend. In torch's MultiheadAttention "
        "it means the opposite.",
        "np.where(mask, scores, -np.inf) keeps the scores where the mask is True.",
        _weighing(lambda scores, mask: softmax(forbid(scores, ~mask))),
        variants=(_weighing(lambda scores, mask: softmax(np.where(mask[:, None], -1e9, scores))),),
    ),
    Mistake(
        "the mask without an axis for the heads",
        "The mask (b, 1, n) or (b, n, n) met the scores (b, h, n, n) as it was, so its texts were taken for heads. That is an error, or "
        "silently wrong where there are as many texts as heads (lesson 05).",
        "mask[:, None] puts an axis of length 1 where the heads are.",
        _weighing(lambda scores, mask: softmax(np.where(mask, scores, -np.inf))),
        variants=(_weighing(lambda scores, mask: softmax(np.where(mask, scores, -1e9))),),
    ),
    Mistake(
        "masked after softmax",
        "The weights of forbidden keys are set to 0 after softmax. Then the rows no longer sum to 1: the forbidden keys had their share "
        "below the fraction bar (lesson 04).",
        "Mask the scores, before softmax.",
        _weighing(lambda scores, mask: np.where(mask[:, None], softmax(scores), 0)),
    ),
    Mistake(
        "masked scores set to 0",
        "Forbidden scores are set to 0. But a score of 0 is a score like others, and gets its share.",
        "−∞ in its place: exp of it is 0.",
        _weighing(lambda scores, mask: softmax(np.where(mask[:, None], scores, 0))),
    ),
    Mistake(
        "masked scores not low enough",
        "Forbidden scores are set to a number that is low beside small scores alone. Where all that is allowed lies near −1000, the "
        "forbidden key gets the largest share.",
        "−∞ lies below every score.",
        _weighing(lambda scores, mask: softmax(np.where(mask[:, None], scores, -1000))),
        variants=(_weighing(lambda scores, mask: softmax(np.where(mask[:, None], scores, -100))),),
    ),
    Mistake(
        "the mask added",
        "The mask was added to the scores, as 1 and 0. That shifts a score by one point and forbids nothing.",
        "Where it is False, the score becomes −∞.",
        _weighing(lambda scores, mask: softmax(scores + mask[:, None])),
    ),
    Mistake(
        "the mask on the queries",
        "The last two axes of the mask were exchanged: it works on the queries, where it should work on the keys.",
        "The last axis of the scores counts the keys, and so does that of the mask.",
        _weighing(lambda scores, mask: softmax(forbid(scores, mask.swapaxes(-2, -1)))),
    ),
)

ATTENTION = (
    Mistake(
        "heads split by a reshape alone",
        "The heads are split by a reshape alone: the first head gets the first tokens with all their columns, not some columns of "
        "every token.",
        "reshape(b, n, h, d // h), and then tokens and heads change places.",
        layer_of(attend(split=split_by_reshape)),
        variants=(layer_of(attend(split=split_by_reshape, merge=merge_by_reshape)),),
    ),
    Mistake(
        "heads merged by a reshape alone",
        "Everything is right up to the merge. Reshaped alone, (b, h, n, d/h) becomes rows that hold several tokens of"
        " one head.",
        "Swap the axes of tokens and heads first, and then reshape.",
        layer_of(attend(merge=merge_by_reshape)),
    ),
    Mistake(
        "columns dealt out in turn",
        "Head 0 gets columns 0, h, 2h and so on, which are not next to each other.",
        "In the reshape, the axis of the heads stands before the axis of the columns within a head.",
        layer_of(attend(split=split_interleaved)),
        variants=(layer_of(attend(split=split_interleaved, merge=merge_interleaved)),),
    ),
    Mistake(
        "num_heads taken for a width",
        "You cut each token into pieces of num_heads columns. But num_heads is a number of pieces, not a width.",
        "reshape(b, n, num_heads, d // num_heads).",
        layer_of(attend(split=_by_head_count)),
    ),
    Mistake(
        "one head",
        "num_heads leaves no trace: this is one head as wide as all together.",
        "Split queries, keys and values into heads before the scores are made.",
        layer_of(attend(split=lambda t, h: split_heads(t, 1))),
        variants=(layer_of(attend(split=lambda t, h: split_heads(t, 1), root=lambda q, x: 1.0)),),
    ),
    Mistake(
        "w_o left out",
        "You concatenated the heads correctly, but nothing mixes what they found.",
        "(…) @ weights['w_o'], before anything is added.",
        layer_of(attend(last=lambda merged, w_o: merged)),
    ),
    Mistake(
        "matrices transposed",
        "w_o, or all four matrices, were transposed. torch's own layers keep theirs so; here they are used as they are, with the tokens "
        "on the left.",
        "x @ w_q, and merged @ w_o, without .T.",
        layer_of(attend(last=lambda merged, w_o: merged @ w_o.T)),
        variants=(_changed(lambda w: {name: w[name].T for name in ("w_q", "w_k", "w_v", "w_o")}),),
    ),
    Mistake(
        "divided by √d_model",
        "The scores are divided by √d_model. A head adds up d_model / h products only.",
        "The root of the last size of the queries after the split.",
        layer_of(attend(root=lambda q, x: np.sqrt(x.shape[-1]))),
    ),
    Mistake(
        "divided by √num_heads",
        "You divided the scores by the square root of the number of heads. What matters is how many products are "
        "added up in one score.",
        "The root of the last size of the queries after the split.",
        lambda x, weights, h, mask: layer_of(attend(root=lambda q, x: np.sqrt(h)))(x, weights, h, mask),
    ),
    Mistake(
        "divided by d_k",
        "You divided the scores by the width of a head, which makes them too small.",
        "√d_k: the root of the last size of the queries after the split.",
        layer_of(attend(root=lambda q, x: q.shape[-1])),
    ),
    Mistake(
        "not scaled",
        "The scores are not divided by anything.",
        "Divide by √d_k, the root of one head's width.",
        layer_of(attend(root=lambda q, x: 1.0)),
        variants=(layer_of(attend(root=lambda q, x: 1.0, weigh=lambda s, mask: overflowing(forbid(s, mask)))),),
    ),
    Mistake(
        "softmax over the queries",
        "Your weights sum to 1 over the queries, so a key has to divide itself among them.",
        "Softmax along the last axis.",
        _weighing(lambda s, mask: softmax(forbid(s, mask).swapaxes(-2, -1)).swapaxes(-2, -1)),
    ),
    Mistake(
        "no maximum subtracted",
        "Right for small scores. Where they are large, exp overflows, and inf / inf is no number.",
        "Subtract each row's largest score before exp: the shares stay the same.",
        _weighing(lambda s, mask: overflowing(forbid(s, mask))),
    ),
    Mistake(
        "queries and keys exchanged",
        "Queries were made with w_k and keys with w_q. So the scores are those of the other direction.",
        "q = x @ w_q, k = x @ w_k.",
        _exchanged(w_q="w_k", w_k="w_q"),
    ),
    Mistake(
        "one matrix used twice",
        "Two of queries, keys and values were made with the same matrix.",
        "Three matrices: w_q, w_k and w_v.",
        _exchanged(w_v="w_k"),
        variants=(_exchanged(w_k="w_q"), _exchanged(w_v="w_q"), _exchanged(w_q="w_k")),
    ),
)

MISTAKES = (*MASKS, *ATTENTION)
