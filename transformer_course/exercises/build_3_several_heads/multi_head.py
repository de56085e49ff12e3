"""Stage B3: multi-head attention as an ``nn.Module``, for self-attention and cross-attention, with any boolean mask."""

import numpy as np

from ..build_2_one_head.causal_head import linear, nan, over_queries, scores_of
from ..kinds import Module
from ..toolkit import mistake, normal, softmax


def split(x, h):
    """(b, n, h·d) to (b, h, n, d): consecutive columns for each head."""
    return x.reshape(*x.shape[:2], h, -1).swapaxes(1, 2)


def merge(heads):
    """(b, h, n, d) to (b, n, h·d)."""
    return heads.swapaxes(1, 2).reshape(len(heads), heads.shape[2], -1)


def apply_mask(scores, mask, hidden=-np.inf):
    """The scores with ``hidden`` where the mask, (n, m) or (b, n, m), is False."""
    return scores if mask is None else np.where(np.expand_dims(mask, -3), scores, hidden)


def projected(query=0, key=1, value=2, layers=("w_q", "w_k", "w_v")):
    """Queries, keys and values, each made from the input with this number."""
    return lambda given, *inputs: tuple(
        linear(given, layer, inputs[number]) for layer, number in zip(layers, (query, key, value), strict=True)
    )


rightly_projected = projected()


def program(
    project=rightly_projected,
    cut=split,
    score=lambda q, k, d_model: scores_of(q, k),
    weigh=lambda scores, mask: softmax(apply_mask(scores, mask)),
    join=merge,
    last=lambda given, x: linear(given, "w_o", x),
):
    """Multi-head attention with some of its steps replaced."""

    def forward(given, query, key, value, mask):
        q, k, v = (cut(x, given["num_heads"]) for x in project(given, query, key, value))
        weights = weigh(score(q, k, given["d_model"]), mask)
        return last(given, join(weights @ v))

    return forward


multi_head_attention = program()


def _by_view(x, h):
    return x.reshape(len(x), h, x.shape[1], -1)


def _interleaved(x, h):
    return x.reshape(*x.shape[:2], -1, h).transpose(0, 3, 1, 2)


def _unswapped(x, h):
    return x.reshape(*x.shape[:2], h, -1)


def _weigh(change):
    return lambda scores, mask: softmax(scores if mask is None else change(scores, np.expand_dims(mask, -3)))


def _hidden_by(number):
    return lambda scores, mask: softmax(apply_mask(scores, mask, number))


def _masked_afterwards(scores, mask):
    return softmax(scores) * (1 if mask is None else np.expand_dims(mask, -3))


def _no_axis_for_heads(hidden):
    return lambda scores, mask: softmax(scores if mask is None else np.where(mask, scores, hidden))


def _axis_at_place(place):
    return lambda scores, mask: softmax(scores if mask is None else np.where(np.expand_dims(mask, place), scores, -np.inf))


def _axis_after_the_queries(scores, mask):
    """Right for a mask (n, m)."""
    return softmax(apply_mask(scores, mask)) if mask is None or mask.ndim == 2 else _axis_at_place(2)(scores, mask)


def _mask_not_optional(scores, mask):
    return softmax(np.where(np.expand_dims(mask, -3), scores, -np.inf))


def _cut_like_the_query(given, query, key, value, mask):
    return multi_head_attention(given, query, key.reshape(query.shape), value.reshape(query.shape), mask)


def always_causal(scores, mask):
    return softmax(np.where(np.tri(*scores.shape[-2:], dtype=bool), apply_mask(scores, mask), -np.inf))


def _unsplit(given, *inputs):
    """One head, whose scores are nevertheless divided by the root of a narrow head's width."""
    width = given["d_model"] // given["num_heads"]
    scaled = program(cut=lambda x, h: split(x, 1), score=lambda q, k, d_model: q @ k.swapaxes(-2, -1) / np.sqrt(width))
    return scaled(given, *inputs)


def _draw(rng):
    def attention(d, b, n, m=None, mask=None):
        """The inputs of one call: self-attention, or cross-attention to m other vectors. Values differ from keys."""
        memory = (b, n if m is None else m, d)
        return [normal(rng, b, n, d), normal(rng, *memory), normal(rng, *memory), mask]

    def drawn_mask(*shape):
        mask = rng.random(shape) < 0.6
        mask[..., 0] |= ~mask.any(-1)  # each query has a key
        return mask

    padded = np.arange(4) < np.array([[[4]], [[2]], [[3]]])  # (3, 1, 4): three sequences, of 4, 2 and 3 tokens
    causal = np.tri(5, dtype=bool)
    of_six = [attention(6, 2, 5, mask=causal), attention(6, 3, 3, 4, padded), attention(6, 2, 7, 4), attention(6, 1, 1)]
    of_eight = [attention(8, 3, 4, mask=drawn_mask(3, 4, 4)), attention(8, 2, 3, 5, drawn_mask(3, 5))]
    return [
        ({"d_model": 6, "num_heads": 3}, [*of_six, attention(6, 2, 3, 4, drawn_mask(2, 3, 4))]),
        ({"d_model": 8, "num_heads": 2}, of_eight),
        ({"d_model": 5, "num_heads": 1}, [attention(5, 2, 3)]),
    ]


def shapes(d_model, num_heads=1):
    layers = ("w_q", "w_k", "w_v", "w_o")
    return {f"{name}.{part}": (d_model,) * axes for name in layers for part, axes in (("weight", 2), ("bias", 1))}


multi_head = Module(
    id="build.multi_head",
    answer_name="MultiHeadAttention",
    prompt="Multi-head attention as an nn.Module: self-attention and cross-attention, with an optional mask, without a loop.",
    shapes=shapes,
    reference=multi_head_attention,
    draw=_draw,
    why="The heads have an axis of their own, so one product computes all of them, and W_O combines their outputs.",
    hints=(
        "In `__init__`, assign four nn.Linear layers from d_model to d_model to `self.w_q`, `self.w_k`, `self.w_v` and "
        "`self.w_o`, and keep num_heads. The heads share these layers: each head gets its own columns of their outputs.",
        "Split queries, keys and values: `reshape(b, n, num_heads, -1)`, then swap the axes of tokens and heads. Queries have "
        "length n, but keys and values have length m: take each length from the tensor itself.",
        "The scores have shape (b, h, n, m), and a mask has shape (n, m) or (b, n, m). `mask.unsqueeze(-3)` gives it an "
        "axis for the heads in both cases. After the average, swap the axes back, join the heads with a reshape, and apply "
        "`w_o`.",
    ),
    mistakes=(
        mistake(
            "not scaled",
            "The scores are not scaled. With wide heads they grow large, and softmax puts almost all weight on one token.",
            "Divide the scores by the square root of the width of one head.",
            program(score=lambda q, k, d_model: q @ k.swapaxes(-2, -1)),
        ),
        mistake(
            "scaled by d_model",
            "You divided by √d_model. Each dot product has only d_model / num_heads terms, so that is too much.",
            "Take the width of one head, after the split.",
            program(score=lambda q, k, d_model: q @ k.swapaxes(-2, -1) / np.sqrt(d_model)),
        ),
        mistake(
            "divided by the width, without a root",
            "You divided the scores by the width of one head. But the standard deviation of a dot product grows only with the "
            "square root of the width.",
            "Divide by `width ** 0.5`.",
            program(score=lambda q, k, d_model: q @ k.swapaxes(-2, -1) / q.shape[-1]),
        ),
        mistake(
            "scaled by a different number",
            "You divided by the square root of the number of heads, or of a sequence's length. A dot product has as many "
            "terms as one head is wide, so its size depends on that width.",
            "Take the width of one head, after the split: `q.shape[-1]`.",
            program(score=lambda q, k, d_model: q @ k.swapaxes(-2, -1) / np.sqrt(q.shape[1])),
            program(score=lambda q, k, d_model: q @ k.swapaxes(-2, -1) / np.sqrt(q.shape[2])),
            program(score=lambda q, k, d_model: q @ k.swapaxes(-2, -1) / np.sqrt(k.shape[2])),
        ),
        mistake(
            "no softmax",
            "You multiply the values by the scores. Without a softmax, these are not weights: they can be negative, and a row "
            "does not sum to 1.",
            "Take the softmax of the masked scores, along the last axis.",
            program(weigh=lambda scores, mask: apply_mask(scores, mask, 0.0)),
            program(weigh=apply_mask),
        ),
        mistake(
            "mask ignored",
            "The mask has no effect: the output is the same with and without one.",
            "Where the mask is False, set the score to -inf before the softmax.",
            program(weigh=lambda scores, mask: softmax(scores)),
        ),
        mistake(
            "mask inverted",
            "Your mask works the wrong way round: it hides what should be seen. Here True means “may attend”.",
            "`masked_fill` fills where its mask is True, so pass it `~mask`.",
            program(weigh=_weigh(lambda scores, mask: np.where(mask, -np.inf, scores))),
            program(weigh=_weigh(lambda scores, mask: np.where(mask, -1e9, scores))),
            program(weigh=_weigh(lambda scores, mask: scores + np.where(mask, -1e9, 0.0))),
        ),
        mistake(
            "NaN with every mask",
            "With a mask, every number of the output is NaN. You probably multiply the mask by infinity: 0 · inf is NaN.",
            "`masked_fill` puts -inf only where its mask is True, and leaves the other scores as they are.",
            program(weigh=_weigh(lambda scores, mask: nan(scores))),
        ),
        mistake(
            "masked scores set to 0",
            "You set the masked scores to 0. Softmax turns a score of 0 into exp(0) = 1, so these tokens still get weight.",
            "Use -inf: exp(-inf) is 0.",
            program(weigh=_hidden_by(0.0)),
        ),
        mistake(
            "masked scores not low enough",
            "You hide tokens with a number that is not low enough. Its exponential is far from 0, so they still get weight.",
            "Use -inf: exp(-inf) is 0.",
            *(program(weigh=_hidden_by(low)) for low in (-1.0, -2.0, -5.0)),
        ),
        mistake(
            "masked after the softmax",
            "You masked the weights after the softmax. What is left of each row no longer sums to 1, because the hidden "
            "tokens were included in the sum.",
            "Mask the scores, then take the softmax.",
            program(weigh=_masked_afterwards),
        ),
        mistake(
            "mask without an axis for the heads",
            "A mask of shape (b, n, m) meets scores of shape (b, h, n, m), and its first axis is matched with the heads. "
            "If there are as many sequences as heads, there is no error.",
            "Give the mask an axis of length 1 for the heads: `mask.unsqueeze(-3)`.",
            program(weigh=_no_axis_for_heads(-np.inf)),
            program(weigh=_no_axis_for_heads(-1e9)),
        ),
        mistake(
            "axis for the heads at place 1",
            "You inserted the axis for the heads at position 1 of every mask. A mask (b, n, m) needs it there, but (n, m) "
            "becomes (n, 1, m), and its first axis is matched with the heads.",
            "A mask (n, m) needs no new axis at position 1; `unsqueeze(-3)` works for both.",
            program(weigh=_axis_at_place(1)),
        ),
        mistake(
            "axis for the heads after the queries",
            "In your code a mask (b, n, m) becomes (b, n, 1, m): the axis for the heads comes after the queries, so the n "
            "queries of the mask are matched with the heads. If there are as many, there is no error.",
            "The scores have shape (b, h, n, m). Where is the axis of the heads there?",
            program(weigh=_axis_after_the_queries),
            program(weigh=_axis_at_place(2)),
            program(weigh=_axis_at_place(-2)),
        ),
        mistake(
            "mask not optional",
            "You use the mask even if it is None. Attention without a mask, as in an encoder, then raises an error.",
            "Test `if mask is not None` before you use it.",
            program(weigh=_mask_not_optional),
        ),
        mistake(
            "keys cut to the query's length",
            "You split keys and values with the query's n. In cross-attention they come from another sequence, so that fails "
            "as soon as the two lengths differ.",
            "Keys have their own length m: in `split`, take the length from the tensor that is split.",
            _cut_like_the_query,
        ),
        mistake(
            "always causal",
            "Your attention is causal whatever the mask, and even without one. This class also serves cross-attention and "
            "encoders, which see everything.",
            "Hide only what the mask hides.",
            program(weigh=always_causal),
            program(weigh=lambda scores, mask: always_causal(scores, None)),
        ),
        mistake(
            "softmax over the queries",
            "The softmax runs over the queries, so the columns of the weights sum to 1, but the rows do not.",
            "Each query spreads its weight over the keys, along the last axis: `dim=-1`.",
            program(weigh=lambda scores, mask: over_queries(apply_mask(scores, mask))),
        ),
        mistake(
            "softmax over the heads",
            "The softmax runs over the heads, so they compete for weight. In each head, the weights should sum to 1 over the "
            "keys.",
            "Each query spreads its weight over the keys, along the last axis: `dim=-1`.",
            program(weigh=lambda scores, mask: softmax(apply_mask(scores, mask).swapaxes(1, -1)).swapaxes(1, -1)),
        ),
        mistake(
            "the scores transposed",
            "You multiply the keys by the queries, so row i of your scores belongs to key i. It should belong to query i.",
            "The scores are q @ kᵀ.",
            program(score=lambda q, k, d_model: scores_of(k, q)),
        ),
        mistake(
            "merged with the wrong axes swapped",
            "Before the reshape you swapped the tokens with the columns of a head. The axes to swap back are those of tokens "
            "and heads.",
            "`transpose(1, 2)` undoes the swap of `split`.",
            program(join=lambda heads: heads.swapaxes(2, 3).reshape(len(heads), heads.shape[2], -1)),
        ),
        mistake(
            "split by a reshape alone",
            "You split the heads with a reshape to (b, h, n, d_k) alone. The shape is right, but head 0 gets the first "
            "tokens with all their columns. It should get the first columns of every token.",
            "Reshape to (b, n, h, d_k) first, then swap the axes of tokens and heads.",
            program(cut=_by_view),
            program(cut=_by_view, join=lambda heads: heads.reshape(len(heads), heads.shape[2], -1)),
        ),
        mistake(
            "merged by a reshape alone",
            "You joined the heads with a reshape alone. Each row then holds several tokens of one head. It should "
            "hold one token of every head.",
            "Swap the axes of tokens and heads back before the reshape.",
            program(join=lambda heads: heads.reshape(len(heads), heads.shape[2], -1)),
        ),
        mistake(
            "heads left after the tokens",
            "Your heads stay after the tokens, (b, n, h, d_k). The product then compares the heads of one token with each "
            "other, and no token sees another.",
            "Swap the axes of tokens and heads before you compute the scores.",
            program(cut=_unswapped, join=lambda heads: heads.reshape(*heads.shape[:2], -1)),
            program(cut=_unswapped, join=lambda x: x.reshape(*x.shape[:2], -1), weigh=lambda scores, mask: softmax(scores)),
        ),
        mistake(
            "columns dealt out in turn",
            "Head 0 gets columns 0, h, 2h and so on. Each head should get consecutive columns, head 0 the first ones. "
            "Otherwise, weights from another implementation would not work.",
            "In the reshape, the axis of the heads comes before the columns of one head: (b, n, h, d_k).",
            program(cut=_interleaved),
            program(cut=_interleaved, join=lambda heads: heads.transpose(0, 2, 3, 1).reshape(len(heads), heads.shape[2], -1)),
        ),
        mistake(
            "one head",
            "This is one head of width d_model: num_heads has no effect on the scores. Several heads can look at several "
            "tokens at once.",
            "Split queries, keys and values before you compute the scores.",
            program(cut=lambda x, h: split(x, 1)),
            _unsplit,
        ),
        mistake(
            "no output projection",
            "The heads' outputs are joined, but `w_o` is never applied, so the heads are never combined.",
            "Apply `self.w_o` last.",
            program(last=lambda given, x: x),
        ),
        mistake(
            "keys and values from the query",
            "You compute keys and values from `query`. In self-attention that is the same input; in cross-attention they "
            "come from the other sequence.",
            "Keys come from `key`, values from `value`.",
            program(project=projected(key=0, value=0)),
        ),
        mistake(
            "keys from the query",
            "You compute the keys from `query`. In cross-attention they come from the other sequence.",
            "Pass `key` to `self.w_k`.",
            program(project=projected(key=0)),
        ),
        mistake(
            "values from the key",
            "You compute the values from `key`. Often the two are the same tensor, but this class takes them separately.",
            "Pass `value` to `self.w_v`.",
            program(project=projected(value=1)),
        ),
        mistake(
            "key and value swapped",
            "`key` and `value` are swapped: you compute the keys from `value` and the values from `key`.",
            "The order of the arguments is query, key, value.",
            program(project=projected(key=2, value=1)),
        ),
        mistake(
            "values made with w_k",
            "You average the keys, not the values, so `w_v` is never used.",
            "Multiply the weights by the output of `self.w_v`.",
            program(project=projected(layers=("w_q", "w_k", "w_k"))),
        ),
        mistake(
            "the query added",
            "You added `query` to the output. The residual connection belongs to the block, which adds it there.",
            "Return only what `self.w_o` gives.",
            lambda given, query, *others: query + multi_head_attention(given, query, *others),
        ),
    ),
)
