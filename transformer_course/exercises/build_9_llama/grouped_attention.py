"""Stage B9: self-attention with rotary positions, in which several heads share their keys and values."""

import numpy as np

from ..build_2_one_head.causal_head import linear
from ..build_3_several_heads.multi_head import mistakes_of_attention
from ..families import named
from ..families.multi_head import MASKED, multi_head
from ..families.positions import angles, by_halves, one_after_another, rotate_by
from ..families.projections import INPUTS
from ..kinds import Module
from ..toolkit import normal, same
from .rotate import along, rotate, rotated


def shared(x, count):
    """(b, g, m, d) to (b, g · count, m, d): each group is repeated for its heads."""
    return np.repeat(x, count, axis=1)


def program(project=linear, turn_q=rotate, turn_k=rotate, turn_v=same, share=shared, share_v=None, **steps):
    """Grouped-query attention with some of its steps replaced."""

    def forward(given, query, key, value, mask=None):
        heads, groups = given["num_heads"], given["num_groups"]

        def prepare(q, k, v):
            return turn_q(q), share(turn_k(k), heads // groups), (share_v or share)(turn_v(v), heads // groups)

        def projected(name, x):
            return project(given, name, x)

        return multi_head(projected, (query, key, value), heads, mask, groups=groups, prepare=prepare, **steps)

    return forward


grouped_attention = program()


def _turned(by):
    return program(turn_q=lambda q: rotated(q, by), turn_k=lambda k: rotated(k, by))


def _in_turn(x, count):
    """Heads 0, g, 2g, … get group 0."""
    return np.tile(x, (1, count, 1, 1))


def _rotated_whole(x):
    """Rotated before it is split into heads."""
    return rotate(x[:, None])[:, 0]


def _early(project):
    """Queries and keys are made by ``project(given, name, x)``, which rotates them too early, and values as they should be."""
    return program(
        project=lambda given, name, x: (project if name in ("w_q", "w_k") else linear)(given, name, x),
        turn_q=same,
        turn_k=same,
    )


def shapes(d_model, num_heads, num_groups):
    narrow = num_groups * d_model // num_heads
    rows = {"w_q": d_model, "w_k": narrow, "w_v": narrow, "w_o": d_model}
    return {f"{name}.weight": (count, d_model) for name, count in rows.items()}


def _draw(rng):
    def inputs(d, b, n):
        return [normal(rng, b, n, d)] * 3  # always the same x

    def calls(d, *sizes):
        return [[*inputs(d, b, n), np.tri(n, dtype=bool)] for b, n in sizes]

    window = np.tri(7, dtype=bool) & ~np.tri(7, k=-3, dtype=bool)  # each token sees itself and the two before it
    others = [[*inputs(12, 2, 7), window], inputs(12, 2, 5)]
    # scores from the first column alone, in the pair of numbers that hardly turns
    w_q, w_k = np.zeros((8, 8)), np.zeros((4, 8))
    w_q[[2, 6], 0] = w_k[2, 0] = 1
    first_column = {"w_q.weight": w_q, "w_k.weight": w_k}
    far, three = normal(rng, 1, 5, 8), np.tile([True, True, False, True, False], (5, 1))
    far[..., 0] = [40, 42, -0.5, 46, -50]  # scores near 1000, or 0, or −1000, where both hidden ones are above 0
    return [
        ({"d_model": 12, "num_heads": 6, "num_groups": 3}, [*calls(12, (2, 5), (3, 3), (2, 7)), *others]),
        ({"d_model": 36, "num_heads": 6, "num_groups": 2}, calls(36, (3, 4), (2, 6))),
        ({"d_model": 8, "num_heads": 2, "num_groups": 1}, [*calls(8, (2, 4)), [far, far, far, three]], first_column),
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
    mistakes={
        "no rotation": (
            "Nothing is rotated, so attention cannot tell the order of the tokens: this model has no table of positions.",
            "Rotate the queries and the keys, after the split.",
            program(turn_q=same, turn_k=same),
        ),
        "only one of the two rotated": (
            "You rotate the queries or the keys, but not both. Then a score depends on a single position, not on the distance "
            "between two.",
            "Rotate both, each by its own positions.",
            program(turn_k=same),
            program(turn_q=same),
        ),
        "values rotated": (
            "You rotate the values too. The positions should decide where a token looks, not what it finds there.",
            "Rotate only queries and keys.",
            program(turn_v=rotate),
            program(turn_v=rotate, turn_k=same),
            program(turn_v=rotate, turn_k=same, turn_q=same),
            *(
                program(turn_v=rotate, **each.answer)
                for each in named(MASKED, "mask ignored", "always causal", "mask inverted")
            ),
        ),
        "rotated along the heads": (
            "You rotate while the axis of heads is where `rotate` expects the tokens, so the angle depends on the head and "
            "not on the position.",
            "Swap the axes first: `rotate` takes (b, h, n, width).",
            program(turn_q=along(1), turn_k=along(1)),
        ),
        "rotated before the projection": (
            "You rotate the input, then project it. The projection mixes the numbers of a pair with all others, so the score "
            "no longer depends on the distance alone.",
            "Rotate what `w_q` and `w_k` give, after the split into heads.",
            _early(lambda given, name, x: linear(given, name, _rotated_whole(x))),
        ),
        "rotated before the split": (
            "You rotate before the split into heads, so each head gets pairs of different speeds.",
            "Split first: every head has all the speeds.",
            _early(lambda given, name, x: _rotated_whole(linear(given, name, x))),
        ),
        "a rotation of your own": (
            "Your rotation is not that of `build.rotate`: it pairs other numbers, or turns them by other angles.",
            "Call `rotate` as you wrote it above, once its own check passes.",
            _turned(rotate_by(split=by_halves, join=one_after_another)),
            _turned(rotate_by(lambda positions, d: angles(2 * positions, d))),
        ),
        "groups dealt out in turn": (
            "Head 0 gets group 0, head 1 gets group 1, and so on in turn. Neighbouring heads should share a group, or weights "
            "from another implementation would not work.",
            "`repeat` puts copies of the whole after each other. `repeat_interleave` repeats each group before the next.",
            program(share=_in_turn),
        ),
        "keys and values shared differently": (
            "You repeat the keys in one way and the values in another, so a weight meets the value of another group.",
            "Both need `repeat_interleave`, along the axis of the groups.",
            program(share=_in_turn, share_v=shared),
            program(share_v=_in_turn),
        ),
        "one group for all heads": (
            "All heads use the first group, and the others are never used.",
            "Repeat every group, each for its own heads.",
            program(share=lambda x, count: np.repeat(x[:, :1], x.shape[1] * count, axis=1)),
        ),
        **mistakes_of_attention(
            program,
            but=(
                *INPUTS,
                "num_heads taken for a width",
                "the heads after the tokens",
                "heads still apart",
                "two heads only",
                "not concatenated",
                "one head",
                "w_q and w_k swapped",
                "queries and keys made with the same matrix",
                "one matrix used twice",
                "the matrices in another order",
                "not projected",
                "the tokens averaged",
                "the scale from the number of queries",
                "the mask without an axis for the heads",
                "the axis for the heads after the queries",
            ),
        ),
    },
)
