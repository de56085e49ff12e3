"""Stage B3: multi-head attention as an ``nn.Module``, for self-attention and cross-attention, with any boolean mask."""

import numpy as np

from ..build_2_one_head.causal_head import linear
from ..families import adapted
from ..families.attention import hide
from ..families.mask import filled
from ..families.multi_head import MASKED, MULTI_HEAD, TWO_IN_SEVERAL, far_apart
from ..families.multi_head import multi_head as multi_head_of
from ..families.projections import INPUTS
from ..families.scale import CLIPPED
from ..families.softmax import over_queries
from ..families.wiring import INPUT_ADDED
from ..kinds import Module
from ..toolkit import normal, softmax


def program(**steps):
    """Multi-head attention with some of its steps replaced."""

    def forward(given, query, key, value, mask):
        def project(name, x):
            return linear(given, name, x)

        return multi_head_of(project, (query, key, value), given["num_heads"], mask, **steps)

    return forward


multi_head_attention = program()


def mistakes_of_attention(program, but=()):
    """What goes wrong in a class that gets query, key, value and mask; ``program`` is the function above, or one like it."""
    return {
        **adapted(
            {**MULTI_HEAD, **MASKED, **INPUTS},
            lambda steps: program(**steps) if isinstance(steps, dict) else program(sources=steps),
            but=("the scale from the values", "the smallest score or the mean subtracted", *but),
            more={
                "softmax over the queries": (program(weigh=over_queries[0], hide=filled(-1e9)),),
                "scores clipped": tuple(program(score=score) for score in CLIPPED),
            },
            axis="dim=-1",
            keepdims="keepdim=True",
        ),
        "mask not optional": (
            "You use the mask even if it is None. Attention without a mask, as in an encoder, then raises an error.",
            "Test `if mask is not None` before you use it.",
            program(weigh_masked=lambda scores, mask: softmax(hide(scores, mask.astype(bool)))),
        ),
        **adapted(INPUT_ADDED, lambda add: add(program())),
    }


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
    of_nine = [attention(9, 2, 5, mask=causal), attention(9, 3, 3, 4, padded), attention(9, 2, 7, 4), attention(9, 1, 1)]
    of_eight = [attention(8, 3, 4, mask=drawn_mask(3, 4, 4)), attention(8, 2, 3, 5, drawn_mask(3, 5))]
    first, none = np.diag([1.0, 0, 0, 0]), np.zeros(4)
    first_column = {"w_q.weight": first, "w_k.weight": first, "w_q.bias": none, "w_k.bias": none}
    return [
        ({"d_model": 9, "num_heads": 3}, [*of_nine, attention(9, 2, 3, 4, drawn_mask(2, 3, 4))]),
        ({"d_model": 8, "num_heads": 2}, of_eight),
        ({"d_model": 4, "num_heads": 1}, [attention(4, 2, 3), far_apart(rng, 4)], first_column),
    ]


def shapes(d_model, num_heads=1):
    layers = ("w_q", "w_k", "w_v", "w_o")
    return {f"{name}.{part}": (d_model,) * axes for name in layers for part, axes in (("weight", 2), ("bias", 1))}


multi_head = Module(
    id="build.multi_head",
    answer_name="MultiHeadAttention",
    prompt="Multi-head attention as an nn.Module: self-attention and cross-attention, with an optional mask, without a loop.",
    shapes=lambda d_model, num_heads: shapes(d_model),
    reference=multi_head_attention,
    draw=_draw,
    why="The heads have an axis of their own, so one product computes all of them, and W_O combines their outputs.",
    hints=(
        "The heads share the layers: each head gets its own columns of their outputs. In `split`, "
        "`reshape(b, n, num_heads, -1)` gives the heads an axis; then swap the axes of tokens and heads.",
        "Apply `w_q` to `query`, `w_k` to `key` and `w_v` to `value`, then split each. Queries have length n, but keys and "
        "values have length m: in `split`, take the length from the tensor itself.",
        "The scores have shape (b, h, n, m), and a mask has shape (n, m) or (b, n, m). `mask.unsqueeze(-3)` gives it an axis "
        "for the heads in both cases. After the average, swap the axes back, join the heads with a reshape, and apply `w_o`.",
    ),
    mistakes={
        **mistakes_of_attention(program),
        "keys cut to the query's length": (
            "You split keys and values with the query's n. In cross-attention they come from another sequence, so that fails "
            "as soon as the two lengths differ.",
            "Keys have their own length m: in `split`, take the length from the tensor that is split.",
            lambda given, query, key, value, mask: multi_head_attention(
                given, query, key.reshape(query.shape), value.reshape(query.shape), mask
            ),
        ),
        **adapted(TWO_IN_SEVERAL, lambda steps: program(**steps)),
    },
)
