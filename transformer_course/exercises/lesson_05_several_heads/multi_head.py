"""Sheet 05: the whole of multi-head attention."""

import math

import numpy as np

from ..families import adapted, named
from ..families.attention import ACROSS, causal, hide, scores_of
from ..families.heads import split
from ..families.multi_head import MULTI_HEAD, TWO_IN_SEVERAL, naive
from ..families.multi_head import multi_head as multi_head_of
from ..families.scale import divided
from ..families.softmax import SOFTMAX, overflowing
from ..kinds import Implement
from ..toolkit import integers, normal, softmax


def program(**steps):
    """Multi-head attention with some of its steps replaced."""

    def answer(x, w_q, w_k, w_v, w_o, num_heads):
        weights = {"w_q": w_q, "w_k": w_k, "w_v": w_v, "w_o": w_o}
        return multi_head_of(lambda name, t: t @ weights[name], (x, x, x), num_heads, **steps)

    return answer


def _draw(rng):
    def sized(b, n, d, h, d_k, d_v, d_out):
        w_q, w_k = normal(rng, d, h * d_k) / 2, normal(rng, d, h * d_k) / 2  # halved: no score so large that one weight is all
        return [normal(rng, b, n, d), w_q, w_k, normal(rng, d, h * d_v), normal(rng, h * d_v, d_out), h]

    eye = np.eye(2)
    # heads of 16: the scale is 1/4 and its root 1/2, so float32 makes these scores without rounding, in every way to write it
    large, w_q, w_k = integers(rng, 2, 3, 6, 5), integers(rng, 1, 5, 32), integers(rng, 1, 5, 32)
    large[:, 0] = 0  # rows of scores far below the largest
    scores = scores_of(split(large @ w_q, 2), split(large @ w_k, 2))
    w_q *= (-1.0 if scores.max() < -scores.min() else 1.0) * (1000 // np.abs(scores).max())  # the largest: 1000 or just below
    return [
        [np.array([[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]]), eye, eye, eye, eye, 2],
        sized(b=2, n=5, d=7, h=3, d_k=4, d_v=6, d_out=8),
        sized(b=4, n=3, d=6, h=5, d_k=2, d_v=2, d_out=9),  # d_k = d_v
        sized(b=2, n=5, d=12, h=4, d_k=3, d_v=3, d_out=12),  # and both are d_model / num_heads, as in the paper
        sized(b=1, n=4, d=3, h=1, d_k=2, d_v=5, d_out=6),
        [large, w_q, w_k, integers(rng, 2, 5, 14), integers(rng, 1, 14, 9), 2],
        *(
            [np.array([x]), np.ones((1, 2)), np.ones((1, 2)), np.array([[1.0, -2.0]]), eye, 2]
            for x in ([[31.0], [30.0], [-31.0]], [[31.0], [30.0]])  # exp overflows below the mean; only without it
        ),
    ]


def _head_after_head(x, w_q, w_k, w_v, w_o, num_heads):
    outputs = []
    for sample in x:
        heads = zip(*(np.split(sample @ w, num_heads, axis=-1) for w in (w_q, w_k, w_v)), strict=True)
        outputs.append(np.concatenate([softmax(q @ k.T / math.sqrt(q.shape[1])) @ v for q, k, v in heads], axis=-1) @ w_o)
    return np.array(outputs)


def _by_einsum(x, w_q, w_k, w_v, w_o, num_heads):
    by_head = [w.reshape(len(w), num_heads, -1) for w in (w_q, w_k, w_v)]
    query, key, value = (np.einsum("bnd,dhk->bhnk", x, w) for w in by_head)
    weights = softmax(np.einsum("bhnk,bhmk->bhnm", query, key) / np.sqrt(query.shape[-1]))
    return np.einsum("bhnm,bhmv,hvo->bno", weights, value, w_o.reshape(num_heads, -1, w_o.shape[1]))


def _by_width(width):
    """Split into heads whose width is ``width(x, w_q, h)``: an error where it does not fit."""

    def answer(x, w_q, w_k, w_v, w_o, num_heads):
        d = width(x, w_q, num_heads)
        return program(split=lambda t, h: t.reshape(*t.shape[:2], h, d).swapaxes(1, 2))(x, w_q, w_k, w_v, w_o, num_heads)

    return answer


def _scaled_by(root, weigh=softmax, **steps):
    """Scores divided by ``root(x, h)``."""

    def answer(x, *weights):
        score = divided(lambda q, k: root(x, weights[-1]))
        return program(score=score, weigh=weigh, **steps)(x, *weights)

    return answer


def _values_cut_as_keys(x, w_q, w_k, w_v, w_o, num_heads):
    """Each head's columns of w_v, and rows of w_o, counted by d_k; beyond the last there are none."""
    wide, more = w_q.shape[1], max(0, w_q.shape[1] - w_v.shape[1])
    w_v, w_o = np.pad(w_v, ((0, 0), (0, more))), np.pad(w_o, ((0, more), (0, 0)))
    return program()(x, w_q, w_k, w_v[:, :wide], w_o[:wide], num_heads)


def _by_all_values(attend):
    """Scores divided by the root of the width of all heads' values."""
    return lambda q, k, v, mask: attend(q, k, v, mask, score=divided(lambda q, k: np.sqrt(v.shape[1] * v.shape[-1])))


OF_ALL_ROWS = "one max for all rows", "divided by the sum of everything"


def _in_tables(name):
    """What goes wrong in softmax, in loops that call it on one table (n, m) at a time."""
    (found,) = named(SOFTMAX, name)
    return tuple(
        program(weigh=lambda scores, weigh=weigh: np.array([[weigh(table) for table in sample] for sample in scores]))
        for weigh in (found.answer, *found.variants)
    )


multi_head = Implement(
    id="heads.multi_head",
    answer_name="multi_head",
    prompt="Multi-head attention for a batch, with weights, heads of any width, and an output matrix.",
    reference=program(),
    draw=_draw,
    alternatives=(_head_after_head, _by_einsum),
    why=(
        "Each head has its own columns of the projections and its own softmax, and W_O then combines the concatenated results."
    ),
    hints=(
        "Take six steps: compute queries, keys and values in one product each; split all three; scores; weights; averages; "
        "merge, and multiply by w_o. Print the shape after each step.",
        "After the split, all shapes begin with b and h, and the formula is that of lesson 03. `@`, swapping the last two "
        "axes and softmax along -1 work for all heads of all sequences at once.",
        "The scale is √d_k of one head. After the split, this is the square root of the last size of the queries. The values "
        "may have a different width: let reshape find it, with -1.",
        "With q, k and v split to (b, h, n, …): weights = softmax(q @ k.swapaxes(-2, -1) / np.sqrt(q.shape[-1])), and "
        "(weights @ v).swapaxes(1, 2).reshape(b, n, -1) @ w_o.",
    ),
    mistakes={
        **adapted(
            MULTI_HEAD,
            lambda steps: program(**steps),
            lambda steps: program(**naive(steps)),
            axis="axis=-1",
            keepdims="keepdims=True (in torch keepdim=True)",
            but=("the scale from the number of queries", "w_q and w_k swapped"),
            more={
                "one head": (
                    _scaled_by(lambda x, h: np.sqrt(x.shape[-1]), split=lambda t, h: split(t, 1)),
                    _scaled_by(lambda x, h: np.sqrt(x.shape[-1] / h), split=lambda t, h: split(t, 1)),
                ),
                "divided by √d_model": tuple(
                    _scaled_by(lambda x, h: np.sqrt(x.shape[-1]), weigh) for weigh in (softmax, overflowing)
                ),
                "the scale from the values": (program(change=_by_all_values),),
                "softmax over the queries": _in_tables("softmax over the first axis"),
                **{name: _in_tables(name) for name in ("without keepdims", *OF_ALL_ROWS)},
            },
        ),
        **adapted(
            [each for each in TWO_IN_SEVERAL if "mask" not in each.name and "−∞" not in each.name],
            lambda steps: program(**steps),
        ),
        "d_model / num_heads taken for d_k": (
            "Your function is right only if each head has width d_model / num_heads, as in the original Transformer paper. "
            "Here the widths d_k and d_v follow from w_q and w_v.",
            "The queries of all heads together are as wide as w_q. How wide are those of one head?",
            _by_width(lambda x, w_q, h: x.shape[-1] // h),
            *(_scaled_by(lambda x, h: np.sqrt(x.shape[-1] // h), weigh) for weigh in (softmax, overflowing)),
            _scaled_by(lambda x, h: np.sqrt(x.shape[-1] / h)),
        ),
        "d_k taken for d_v": (
            "Your function is right only if values are as wide as keys. Otherwise it raises an error, or gives each head the "
            "wrong columns of w_v. The width of the values, d_v, follows from w_v.",
            "Let the reshape find the last size itself, with -1, or take it from w_v.",
            _by_width(lambda x, w_q, h: w_q.shape[1] // h),
            _values_cut_as_keys,
        ),
        "across the batch": (
            *ACROSS,
            lambda x, *given: program()(x.reshape(1, -1, x.shape[-1]), *given).reshape(*x.shape[:2], -1),
        ),
        "later tokens hidden": (
            "You hid later tokens, as a decoder does. This function has no mask: every token attends to all of them.",
            "Leave the mask out, and take the softmax of all scores of a row.",
            program(weigh_masked=lambda scores, mask: softmax(hide(scores, causal(scores)))),
        ),
        "written for one sequence": (
            "Your function takes one sequence (n, d). But x has a batch axis at the front, with b sequences at once, and the "
            "result has a matrix for each.",
            "Use b, n, d = x.shape, and split to four axes: batch, heads, tokens, columns.",
            lambda x, *given: program()(x[:1], *given)[0],
            lambda x, *given: program()(x.reshape(1, *x.shape[1:]), *given)[0],  # an error for several
        ),
    },
)
