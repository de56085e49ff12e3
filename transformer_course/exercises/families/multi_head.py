"""Multi-head attention with holes for its steps, and what goes wrong in it as a whole.

A piece of MULTI_HEAD, and of MASKED for attention with a mask, is a mapping of wrong steps, which ``multi_head`` takes.
"""

from functools import partial
from itertools import product

import numpy as np

from ..toolkit import normal, softmax
from . import adapted, heads, named, pairs
from .attention import BETWEEN, attention, products, root, scores_of
from .mask import MASK, filled
from .projections import LAYERS, RIGHT
from .scale import ELSEWHERE, FROM_THE_FRONT, SCALE, divided
from .softmax import SOFTMAX, overflowing


def multi_head(
    project,
    inputs,
    num_heads,
    mask=None,
    *,
    groups=None,
    layers=RIGHT,
    sources=(0, 1, 2),
    split=heads.split,
    axis=lambda mask: np.expand_dims(mask, -3),
    prepare=lambda q, k, v: (q, k, v),
    change=lambda attend: attend,
    merge=heads.merge,
    last=lambda merged, output: output(merged),
    **holes,
):
    """``project(name, x)`` applies a matrix, such as "w_o"; ``inputs`` are query, key and value, and keys have ``groups``.

    ``split`` is one function, or three for queries, keys and values, and ``prepare`` changes what was split. ``holes`` are
    those of ``attention``; ``change`` makes another attention of it.
    """
    made = (inputs[k] if name is None else project(name, inputs[k]) for name, k in zip(layers, sources, strict=True))
    cuts = split if isinstance(split, tuple) else (split, split, split)
    counts = num_heads, groups or num_heads, groups or num_heads
    q, k, v = (cut(x, count) for cut, x, count in zip(cuts, made, counts, strict=True))
    found = change(partial(attention, **holes))(*prepare(q, k, v), None if mask is None else axis(mask))
    return last(merge(found), lambda merged: project("w_o", merged))


def far_apart(rng, d):
    """Query, key, value and mask whose scores, of the first column, are near 1000 and −1000 if d_k = 4, or 0.

    They are so far apart that rounding does not show in a softmax. Some are hidden: where all others are low, these are not.
    """
    query, key, value = (normal(rng, 1, 5, d) for _ in range(3))
    query[..., 0], key[..., 0] = [40, 40, 0, -41, -41], [50, 52, 54, 56, -60]
    return [query, key, value, np.arange(5) < np.full((1, 5, 1), 4)]


def _is_head(number, x):
    """1 for one head, 0 for all others."""
    return np.eye(x.shape[1])[number][:, None, None]


def _each_alone(axis, x):
    """Each head as if it were the only one, on an axis of its own."""
    return np.stack([heads.merge(x * _is_head(number, x)) for number in range(x.shape[1])], axis)


def _unsplit(x, num_heads):
    return heads.split(x, 1)


def naive(steps):
    """The same wrong steps, with a softmax that overflows."""
    return {"weigh": overflowing} | steps


_merged_by_reshape = {"merge": heads.merge_by_reshape}
_unswapped = {"split": lambda x, h: heads.split(x, h).swapaxes(1, 2)}
_joined = {"merge": lambda x: x.reshape(*x.shape[:2], -1)}
_one = {"split": _unsplit}


HEADS = {
    **adapted(
        heads.SPLIT,
        lambda split: {"split": split},
        more={
            "split by a reshape alone": ({"split": heads.split_by_reshape} | _merged_by_reshape,),
            "columns dealt out in turn": ({"split": heads.interleaved, "merge": heads.merge_in_turn},),
        },
    ),
    **adapted(
        named(heads.SPLIT_TO_OTHER_SHAPES, "the heads after the tokens"),
        lambda split: _unswapped | _joined,
        more={
            "the heads after the tokens": (
                _unswapped | {"merge": lambda x: x.swapaxes(1, 2).reshape(*x.shape[:2], -1)},
                _unswapped | _joined | {"weigh_masked": lambda scores, mask: softmax(scores)},
            )
        },
    ),
    **adapted(heads.MERGE, lambda merge: {"merge": merge}),
    "not concatenated": (
        "Your code is right for one head, but not for several. `w_o` takes the columns of all heads together, so it needs the "
        "concatenated heads, not their sum, their mean or a single one.",
        "Merge the heads into rows of the width of all heads before you apply `w_o`.",
        {"merge": lambda x: x.mean(1)},
        {"merge": lambda x: x.sum(1)},
        {"merge": lambda x: x[:, 0]},
    ),
    "some split by a reshape alone": (
        "You split some of queries, keys and values correctly, but only reshaped the others, whose numbers are in the wrong "
        "heads.",
        "Split all three in the same way: first split the columns, then swap tokens and heads.",
        *({"split": cuts} for cuts in product((heads.split, heads.split_by_reshape), repeat=3) if len(set(cuts)) > 1),
        {"split": (heads.split, heads.split, heads.split_by_reshape)} | _merged_by_reshape,
    ),
    "one head": (
        "You computed a single head with the full width: num_heads does not affect your scores. Each head should have its own "
        "weights, computed from its own columns.",
        "Split queries, keys and values before you compute the scores.",
        _one,
        {"split": (lambda x, h: np.sqrt(h) * heads.split(x, 1), _unsplit, _unsplit)},  # with the scale of a narrow head
        _one | {"score": products},
    ),
    "one score matrix for all heads": (
        "All your heads have the same weights, because you averaged their scores. Each head should look for something of its "
        "own.",
        "Keep the scores of the heads apart, with shape (b, h, n, m), and apply softmax to each.",
        {"score": lambda q, k: scores_of(q, k).mean(1, keepdims=True)},
    ),
    "the mean of the heads' contributions": (
        "Your result is the mean of what the heads contribute, each by its own rows of `w_o`. These contributions are added "
        "up, not averaged.",
        "Apply `w_o` to the concatenated heads: the product adds up the contributions by itself.",
        {"merge": lambda x: heads.merge(x) / x.shape[1]},
    ),
    "the contribution of one head": (
        "You returned what a single head contributes. The output is the sum over all heads.",
        "Is there a `return` inside a loop, or a name that is overwritten in each round?",
        {"merge": lambda x: heads.merge(x * _is_head(0, x))},
        {"merge": lambda x: heads.merge(x * _is_head(-1, x))},
    ),
    "the heads' contributions kept apart": (
        "You returned the contributions of the heads separately. The output is their sum.",
        "Merge the heads before you apply `w_o`, or add up the contributions after it.",
        *({"merge": partial(_each_alone, axis)} for axis in (1, 0, 2)),
    ),
    "w_o left out": (
        "The heads are concatenated, but `w_o` is never applied, so nothing combines them.",
        "`w_o` comes last.",
        {"last": lambda merged, output: merged},
    ),
    "the weights returned": (
        "You returned the weights of each head, (b, h, n, m). You still have to average the values, merge the heads, and "
        "apply `w_o`.",
        "Multiply the weights by the values, and go on from there.",
        {"mix": lambda weights, v: weights, "merge": lambda x: x, "last": lambda merged, output: merged},
    ),
}

_SCALE = {
    "divided by √d_model": (
        "You divided by √d_model, the square root of the width of all heads together. But a score of one head adds up only as "
        "many products as that head is wide.",
        "How many numbers does one query of one head have, after the split?",
        divided(lambda q, k: root(q, k) * np.sqrt(q.shape[1])),
    ),
    "the scale from the number of heads": (
        "You divided by the square root of the number of heads, or of sequences in the batch. But a score adds up as many "
        "products as a query of one head has numbers.",
        "After the split, that is the last size of the queries.",
        divided(lambda q, k: np.sqrt(q.shape[1])),
        divided(lambda q, k: np.sqrt(q.shape[0])),
    ),
    **{name: told for name, told in SCALE.items() if name != FROM_THE_FRONT},
}

# With four axes, .T is an error in any case.
_TRANSPOSED = "the weights transposed"
_BETWEEN = {**BETWEEN, _TRANSPOSED: BETWEEN[_TRANSPOSED][:3]}

MULTI_HEAD = {
    **HEADS,
    **adapted(_SCALE, lambda score: {"score": score}),
    **adapted({**ELSEWHERE, **_BETWEEN}, lambda change: {"change": change}, but=("the weights returned", "the keys averaged")),
    **adapted(LAYERS, lambda layers: {"layers": layers}),
    **adapted(
        SOFTMAX,
        lambda weigh: {"weigh": weigh},
        but=("right for a single matrix only",),
        axis="{axis}",
        keepdims="{keepdims}",
    ),
}

MASKED = {
    "the mask without an axis for the heads": (
        "A mask (b, n, m) meets scores (b, h, n, m), so its first axis, the sequences, is lined up with the heads. That "
        "raises an error, or is silently wrong if there are as many sequences as heads.",
        "Give the mask an axis of length 1 for the heads.",
        {"axis": lambda mask: mask},
        {"axis": lambda mask: mask, "hide": filled(-1e9)},
        # one head, stretched to the mask's sequences
        {"axis": lambda mask: mask, "change": lambda attend: lambda q, *rest: attend(q, *rest)[:, : q.shape[1]]},
    ),
    "the axis for the heads at place 1": (
        "You inserted the axis for the heads as axis 1 of every mask. A mask (b, n, m) needs it there, but (n, m) becomes "
        "(n, 1, m), and its first axis is lined up with the heads.",
        "A mask (n, m) needs no new axis 1; `unsqueeze(-3)` works for both.",
        {"axis": lambda mask: np.expand_dims(mask, 1)},
    ),
    "the axis for the heads after the queries": (
        "In your code a mask (b, n, m) becomes (b, n, 1, m): the axis for the heads comes after the queries, so the n queries "
        "of the mask are lined up with the heads. If there are as many, there is no error.",
        "The scores have shape (b, h, n, m). Where is the axis of the heads there?",
        {"axis": lambda mask: mask if mask.ndim == 2 else np.expand_dims(mask, 2)},
        {"axis": lambda mask: np.expand_dims(mask, 2)},
        {"axis": lambda mask: np.expand_dims(mask, -2)},
    ),
    "one row of the mask for all queries": (
        "You use only the first row of each mask, for all queries. But a mask (b, n, m) has a row for each query.",
        "A padding mask has only one row; others have more. Add an axis for the heads, and keep all rows.",
        {"axis": lambda mask: np.expand_dims(mask, -3)[..., :1, :]},
    ),
    **adapted(MASK, lambda weigh: {"weigh_masked": weigh}, but=("−∞ as a weight",)),  # what w_o makes of it is NaN
}

# Two slips in one class: in the scale, in the weights, and in what becomes of the heads.
_SCALES = named(MULTI_HEAD, "not scaled", "divided by d_k")
WEIGHTS = named(
    {**MULTI_HEAD, **MASKED},
    *("softmax over the queries", "masked after softmax", "score 0 in place of −∞", "mask ignored", "mask inverted"),
)
_CUTS = named(HEADS, "split by a reshape alone", "merged by a reshape alone", "columns dealt out in turn")
TWO_IN_A_HEAD = pairs(dict.__or__, _SCALES, WEIGHTS)
TWO_IN_SEVERAL = pairs(dict.__or__, [*_SCALES, *named(MULTI_HEAD, "divided by √d_model")], WEIGHTS, _CUTS)
