"""Stage B9: self-attention with rotary positions, in which several heads share their keys and values."""

import numpy as np

from ..build_2_one_head.causal_head import linear, over_queries, scores_of
from ..build_3_several_heads.multi_head import always_causal, apply_mask, merge, split
from ..families.positions import angles, by_halves, one_after_another, rotate_by
from ..families.positions import rotate as rotate_rows
from ..kinds import Module
from ..toolkit import mistake, normal, softmax


def rotate(x, by=rotate_rows):
    """Rotate (b, h, n, d), each row by its position, which is its number in the sequence."""
    return by(x, np.arange(x.shape[-2]))


def shared(x, count):
    """(b, g, m, d) to (b, g · count, m, d): each group is repeated for its heads."""
    return np.repeat(x, count, axis=1)


def program(
    project=lambda given, name, x: linear(given, name, x),
    cut=split,
    turn_query=rotate,
    turn_key=rotate,
    turn_value=lambda v: v,
    share=shared,
    score=scores_of,
    weigh=lambda scores, mask: softmax(apply_mask(scores, mask)),
    join=merge,
    last=lambda given, x: linear(given, "w_o", x),
    inputs=(0, 1, 2),
):
    """Grouped-query attention with some of its steps replaced; ``inputs`` says which argument goes into which projection."""

    def forward(given, query, key, value, mask=None):
        heads, groups = given["num_heads"], given["num_groups"]
        given_inputs = (query, key, value)
        x_q, x_k, x_v = (given_inputs[number] for number in inputs)
        q = turn_query(cut(project(given, "w_q", x_q), heads))
        k = turn_key(cut(project(given, "w_k", x_k), groups))
        v = turn_value(cut(project(given, "w_v", x_v), groups))
        k, v = share(k, heads // groups), share(v, heads // groups)
        return last(given, join(weigh(score(q, k), mask) @ v))

    return forward


grouped_attention = program()


def _turned(by):
    return program(turn_query=lambda q: rotate(q, by), turn_key=lambda k: rotate(k, by))


def _by_view(x, h):
    return x.reshape(len(x), h, x.shape[1], -1)


def _in_turn(x, count):
    """Heads 0, g, 2g, … get group 0."""
    return np.tile(x, (1, count, 1, 1))


def _first_group(x, count):
    return np.repeat(x[:, :1], x.shape[1] * count, axis=1)


def _over_the_heads(x):
    """Rotated by the number of the head, as happens before the axes of heads and tokens are swapped."""
    return rotate(x.swapaxes(1, 2)).swapaxes(1, 2)


def _projected_after_the_rotation(given, name, x):
    return linear(given, name, rotate(x[:, None])[:, 0] if name in ("w_q", "w_k") else x)


def _unturned(x):
    return x


def _inverted(hidden):
    return lambda scores, mask: softmax(apply_mask(scores, None if mask is None else ~mask, hidden))


def _inverted_with_zeros(scores, mask):
    """As torch's own function does it: a query that may attend to nothing gets zeros."""
    return np.nan_to_num(_inverted(-np.inf)(scores, mask))


def shapes(d_model, num_heads, num_groups):
    narrow = num_groups * d_model // num_heads
    rows = {"w_q": d_model, "w_k": narrow, "w_v": narrow, "w_o": d_model}
    return {f"{name}.weight": (count, d_model) for name, count in rows.items()}


def _draw(rng):
    def inputs(d, b, n):
        return [normal(rng, b, n, d) for _ in range(3)]

    def calls(d, *sizes):
        return [[*inputs(d, b, n), np.tri(n, dtype=bool)] for b, n in sizes]

    window = np.tri(7, dtype=bool) & ~np.tri(7, k=-3, dtype=bool)  # each token sees itself and the two before it
    others = [[*inputs(12, 2, 7), window], inputs(12, 2, 5)]
    return [
        ({"d_model": 12, "num_heads": 6, "num_groups": 3}, [*calls(12, (2, 5), (3, 3), (2, 7)), *others]),
        ({"d_model": 16, "num_heads": 4, "num_groups": 2}, calls(16, (3, 4), (2, 6))),
        ({"d_model": 8, "num_heads": 2, "num_groups": 1}, calls(8, (2, 4))),
    ]


grouped_attention_class = Module(
    id="build.grouped_attention",
    answer_name="GroupedAttention",
    prompt="Self-attention with rotary positions, whose heads share keys and values in groups.",
    shapes=shapes,
    reference=grouped_attention,
    draw=_draw,
    why="Heads of a group look for different things among the same keys, so a cache needs to hold fewer keys and values.",
    hints=(
        "In `__init__`, `w_q` and `w_o` are as wide as d_model. `w_k` and `w_v` have `num_groups * width` outputs. No biases.",
        "In `forward`, split each projection into (b, heads or groups, n, width). Only queries and keys are rotated.",
        "`x.repeat_interleave(r, dim=1)` repeats each entry along axis 1 r times in a row. How many heads share one group?",
        "Then `F.scaled_dot_product_attention(q, k, v, mask)`, and join the heads as in stage B3, with `w_o` last.",
    ),
    mistakes=(
        mistake(
            "no rotation",
            "Nothing is rotated, so attention cannot tell the order of the tokens: this model has no table of positions.",
            "Rotate the queries and the keys, after the split.",
            program(turn_query=_unturned, turn_key=_unturned),
        ),
        mistake(
            "only one of the two rotated",
            "You rotate the queries or the keys, but not both. Then a score depends on a single position, not on the distance "
            "between two.",
            "Rotate both, each by its own positions.",
            program(turn_key=_unturned),
            program(turn_query=_unturned),
        ),
        mistake(
            "values rotated",
            "You rotate the values too. The positions should decide where a token looks, not what it finds there.",
            "Rotate only queries and keys.",
            program(turn_value=rotate),
            program(turn_value=rotate, turn_key=_unturned),
            program(turn_value=rotate, turn_key=_unturned, turn_query=_unturned),
        ),
        mistake(
            "rotated along the heads",
            "You rotate while the axis of heads is where `rotate` expects the tokens, so the angle depends on the head and "
            "not on the position.",
            "Swap the axes first: `rotate` takes (b, h, n, width).",
            program(turn_query=_over_the_heads, turn_key=_over_the_heads),
        ),
        mistake(
            "rotated before the projection",
            "You rotate the input, then project it. The projection mixes the numbers of a pair with all others, so the score "
            "no longer depends on the distance alone.",
            "Rotate what `w_q` and `w_k` give, after the split into heads.",
            program(project=_projected_after_the_rotation, turn_query=_unturned, turn_key=_unturned),
        ),
        mistake(
            "rotated before the split",
            "You rotate before the split into heads, so each head gets pairs of different speeds.",
            "Split first: every head has all the speeds.",
            program(
                project=lambda given, name, x: (
                    linear(given, name, x) if name == "w_v" else rotate(linear(given, name, x)[:, None])[:, 0]
                ),
                turn_query=_unturned,
                turn_key=_unturned,
            ),
        ),
        mistake(
            "a rotation of your own",
            "Your rotation differs from the given one: it pairs other numbers, or turns them by other angles.",
            "Use `self.rotate`, as it is given.",
            _turned(rotate_by(split=by_halves, join=one_after_another)),
            _turned(rotate_by(lambda positions, d: angles(2 * positions, d))),
        ),
        mistake(
            "groups dealt out in turn",
            "Head 0 gets group 0, head 1 gets group 1, and so on in turn. Neighbouring heads should share a group, or weights "
            "from another implementation would not work.",
            "`repeat` puts copies of the whole after each other. `repeat_interleave` repeats each group before the next.",
            program(share=_in_turn),
        ),
        mistake(
            "one group for all heads",
            "All heads use the first group, and the others are never used.",
            "Repeat every group, each for its own heads.",
            program(share=_first_group),
        ),
        mistake(
            "mask ignored",
            "The mask has no effect, so each token also sees the later ones.",
            "Pass `mask` to the attention function.",
            program(weigh=lambda scores, mask: softmax(scores)),
        ),
        mistake(
            "always causal",
            "Your attention is causal whatever the mask. It should hide only what the mask hides; without a mask, nothing.",
            "Pass `mask` to the attention function, in place of `is_causal=True` or a mask of your own.",
            program(weigh=always_causal),
            program(weigh=lambda scores, mask: always_causal(scores, None)),
            program(weigh=lambda scores, mask: softmax(scores) if mask is None else always_causal(scores, None)),
        ),
        mistake(
            "mask inverted",
            "Your mask works the wrong way round: it hides what should be seen. Here True means “may attend”.",
            "Pass `mask` as it is.",
            program(weigh=_inverted(-1e9)),
            program(weigh=_inverted(-np.inf)),
            program(weigh=_inverted_with_zeros),
        ),
        mistake(
            "not scaled",
            "The scores are not scaled. With wide heads they grow large, and softmax puts almost all weight on one token.",
            "Divide by the root of one head's width, or use `F.scaled_dot_product_attention`, which does.",
            program(score=lambda q, k: q @ k.swapaxes(-2, -1)),
        ),
        mistake(
            "scaled by d_model",
            "You divided by √d_model. Each dot product has only d_model / num_heads terms, so that is too much.",
            "Take the width of one head, after the split.",
            program(score=lambda q, k: q @ k.swapaxes(-2, -1) / np.sqrt(q.shape[-1] * q.shape[1])),
        ),
        mistake(
            "softmax over the queries",
            "The softmax runs over the queries, so the rows of the weights do not sum to 1.",
            "Each query spreads its weight over the keys, along the last axis.",
            program(weigh=lambda scores, mask: over_queries(apply_mask(scores, mask, -1e9))),
        ),
        mistake(
            "split by a reshape alone",
            "You split into heads with a reshape alone, so each head gets parts of several tokens.",
            "Reshape to (b, n, heads, width) first, then swap the axes of tokens and heads.",
            program(cut=_by_view),
            program(cut=_by_view, join=lambda heads: heads.reshape(len(heads), heads.shape[2], -1)),
        ),
        mistake(
            "merged by a reshape alone",
            "You joined the heads with a reshape alone. Each row then holds several tokens of one head.",
            "Swap the axes of tokens and heads back before you flatten them.",
            program(join=lambda heads: heads.reshape(len(heads), heads.shape[2], -1)),
        ),
        mistake(
            "no output projection",
            "The heads' outputs are joined, but `w_o` is never applied.",
            "Apply `self.w_o` last.",
            program(last=lambda given, x: x),
        ),
        mistake(
            "all from the query",
            "You compute keys or values from `query`. A block passes the same tensor three times, but the class takes them "
            "separately, as `MultiHeadAttention` does.",
            "Keys come from `key`, values from `value`.",
            program(inputs=(0, 0, 0)),
            program(inputs=(0, 0, 2)),
            program(inputs=(0, 1, 0)),
        ),
        mistake(
            "key and value mixed up",
            "You compute the keys from `value`, or the values from `key`.",
            "The order of the arguments is query, key, value.",
            program(inputs=(0, 2, 1)),
            program(inputs=(0, 1, 1)),
            program(inputs=(0, 2, 2)),
        ),
        mistake(
            "values made with w_k",
            "You average the keys, not the values, so `w_v` is never used.",
            "Multiply the weights by the output of `self.w_v`.",
            program(project=lambda given, name, x: linear(given, "w_k" if name == "w_v" else name, x)),
        ),
        mistake(
            "the query added",
            "You added `query` to the output. The residual connection belongs to the block, which adds it there.",
            "Return only what `self.w_o` gives.",
            lambda given, query, *others: query + grouped_attention(given, query, *others),
        ),
    ),
)
