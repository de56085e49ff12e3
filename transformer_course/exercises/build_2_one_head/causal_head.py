"""Stage B2: one causal attention head as an ``nn.Module``."""

from functools import partial

import numpy as np

from ..families import adapted, pairs
from ..families.attention import BETWEEN, attention, products
from ..families.mask import CAUSAL, HIDINGS, MASK, overflowing_late
from ..families.multi_head import TWO_IN_A_HEAD, WEIGHTS
from ..families.projections import LAYERS
from ..families.scale import CLIPPED, ELSEWHERE, SCALE
from ..families.softmax import SOFTMAX, over_queries, overflowing
from ..families.wiring import INPUT_ADDED
from ..kinds import Module
from ..toolkit import normal


def linear(given, name, x):
    """The map of an ``nn.Linear`` with this name, with its bias if it has one."""
    return x @ given[f"{name}.weight"].T + given.get(f"{name}.bias", 0.0)


def head(attend=attention, layers=("w_q", "w_k", "w_v")):
    """A head with another attention, or other layers; a projection that is None is left out."""

    def forward(given, x):
        q, k, v = (x if name is None else linear(given, name, x) for name in layers)
        return attend(q, k, v, np.tri(x.shape[-2], dtype=bool))

    return forward


_naive = partial(attention, weigh=overflowing)


def _with(hole, attend=attention):
    return lambda piece: head(partial(attend, **{hole: piece}))


def _masking(mask, hide):
    """A head with another mask for n tokens, which hides in one of the right ways."""
    return head(lambda q, k, v, _: attention(q, k, v, mask(q.shape[-2]), hide=hide))


def _draw(rng):
    def calls(d, *sizes):
        return [[normal(rng, b, n, d)] for b, n in sizes]

    return [  # the lengths go down and up again, so that nothing can be kept from an earlier call
        ({"d_model": 6, "d_head": 4}, calls(6, (2, 5), (3, 3), (1, 1), (4, 7))),
        ({"d_model": 3, "d_head": 10}, calls(3, (2, 4), (1, 300), (4, 2))),
        ({"d_model": 5, "d_head": 5}, calls(5, (3, 6),)),
        _of_large_scores(rng, calls(10, (2, 3))),
    ]  # fmt: skip


def _of_large_scores(rng, calls):
    """A head whose scores in the last call are those below: up to 1000 in size, and some of later tokens far above the others.

    The first four numbers of a token are its query, the next four its key, and its value is made from the last two.
    """
    scores = np.array([[0, 1000, -1000, 3], [-1000, -1003, 1000, 0], [1000, 999, -3, 0], [1, 3, 2, 0]], float)
    scores[3] = rng.permutation(scores[3])
    given = np.concatenate([scores, 2 * np.eye(4), normal(rng, 4, 2)], 1)  # and 2 / √4 = 1
    q, k, v = np.eye(4, 10), np.eye(4, 10, 4), np.pad(normal(rng, 4, 2), ((0, 0), (8, 0)))
    return {"d_model": 10, "d_head": 4}, [*calls, [given[None]]], {"w_q.weight": q, "w_k.weight": k, "w_v.weight": v}


def _scaled(score, **steps):
    """A head whose scores also depend on its sizes."""
    return lambda given, x: head(partial(attention, score=partial(score, given=given), **steps))(given, x)


OWN_SCALE = {
    "divided by √d_model": (
        "You divided by √d_model. Each dot product has only d_head terms, so that is not the right scale.",
        "Divide by the square root of the width of a query.",
        lambda q, k, given: products(q, k) / np.sqrt(given["d_model"]),
    ),
}

causal_head = Module(
    id="build.causal_head",
    answer_name="CausalHead",
    prompt="One causal attention head as an nn.Module: three projections, the scale, the mask, and the weighted average.",
    shapes=lambda d_model, d_head: {f"{name}.weight": (d_head, d_model) for name in ("w_q", "w_k", "w_v")},
    reference=head(),
    draw=_draw,
    why="Masked scores become weights of exactly 0, so no output depends on a later token, for any length.",
    hints=(
        "In `__init__`, call `super().__init__()`, then assign three nn.Linear layers from d_model to d_head, without "
        "bias, to `self.w_q`, `self.w_k` and `self.w_v`.",
        "In `forward`, compute queries, keys and values, then the scores `q @ k.transpose(-2, -1)`, divided by the square "
        "root of the width of a query.",
        "Make a boolean mask with `torch.ones(n, n, dtype=torch.bool).tril()`, where n is the length of this input. Fill the "
        "scores with -inf where it is False (`masked_fill`), then take the softmax over the last axis.",
    ),
    mistakes={
        **adapted(
            CAUSAL,
            *(partial(_masking, hide=hide) for hide in HIDINGS),
            but=("everything forbidden",),
            more={"everything allowed": (head(lambda q, k, v, _: _naive(q, k, v)),)},
        ),
        **adapted(
            MASK,
            _with("weigh_masked"),
            but=("mask ignored", "mask inverted", "always causal", "the mask transposed"),
        ),
        **adapted(
            SCALE,
            _with("score"),
            _with("score", _naive),
            but=("the scale from the number of keys", "d_k from an axis counted from the front"),
        ),
        **adapted(OWN_SCALE, _scaled, partial(_scaled, weigh=overflowing)),
        **adapted(
            {**ELSEWHERE, **BETWEEN},
            lambda change: head(change(attention)),
            but=("the scale from the values", "queries and keys swapped", "the keys averaged"),
        ),
        **adapted(
            SOFTMAX,
            _with("weigh"),
            but=("axis counted from the front", "right for a single matrix only", "the smallest score or the mean subtracted"),
            more={
                "exp overflows": (_with("weigh_masked")(overflowing_late),),
                "scores clipped": tuple(map(_with("score"), CLIPPED)),
            },
            axis="dim=-1",
            keepdims="keepdim=True",
        ),
        "softmax over the queries, and the weights transposed": (
            "Your softmax runs down the columns, and then you transpose the weights. The rows do sum to 1, but a row says "
            "what others look for in this token, not what it looks for in them.",
            "Take the softmax over the last axis, and multiply the weights by the values as they are.",
            *(head(partial(attention, weigh=weigh, mix=lambda w, v: w.swapaxes(-2, -1) @ v)) for weigh in over_queries),
        ),
        **adapted(LAYERS, lambda layers: head(layers=layers)),
        **adapted(
            INPUT_ADDED,
            lambda add: add(head()),
            lambda add: head(lambda q, k, v, mask: q + attention(q, k, v, mask)),
            lambda add: head(partial(attention, mix=lambda weights, v: v + weights @ v)),
        ),
        **adapted(TWO_IN_A_HEAD, lambda steps: head(partial(attention, **steps))),
        **adapted(pairs(lambda score, steps: _scaled(score, **steps), OWN_SCALE, WEIGHTS), lambda answer: answer),
    },
)
