"""A decoder layer in steps: its mistakes replace one of them."""

from dataclasses import dataclass, replace

import numpy as np

from ..lesson_05_several_heads.merge import merge_heads
from ..lesson_05_several_heads.split import split_heads
from ..toolkit import softmax


def pick(weights, prefix):
    """W_Q, W_K, W_V and W_O of one attention: those of cross-attention have a prefix."""
    return [weights[f"{prefix}w_{letter}"] for letter in "qkvo"]


def attend(
    four,
    queries_from,
    keys_from,
    values_from,
    num_heads,
    mask,
    *,
    scale=None,
    weigh=softmax,
    masked=None,
    heads=split_heads,
    merge=merge_heads,
):
    """Multi-head attention with a mask that fits (b, h, n, m). ``masked(scores, mask)`` gives the weights in another way."""
    w_q, w_k, w_v, w_o = four
    query, key, value = (
        heads(queries_from @ w_q, num_heads),
        heads(keys_from @ w_k, num_heads),
        heads(values_from @ w_v, num_heads),
    )
    scores = query @ key.swapaxes(-2, -1) / (np.sqrt(query.shape[-1]) if scale is None else scale(w_q))
    weights = masked(scores, mask) if masked else weigh(np.where(mask, scores, -np.inf))
    return merge(weights @ value) @ w_o


def self_attention(x, weights, num_heads, mask, **changes):
    return attend(pick(weights, ""), x, x, x, num_heads, mask, **changes)


def cross_attention(x, memory, weights, num_heads, memory_mask, **changes):
    return attend(pick(weights, "cross_"), x, memory, memory, num_heads, memory_mask[:, None], **changes)


def feed_forward(x, weights):
    return np.maximum(x @ weights["w1"] + weights["b1"], 0) @ weights["w2"] + weights["b2"]


def layer_norm(x, gamma, beta):
    centred = x - x.mean(-1, keepdims=True)
    return gamma * centred / np.sqrt(x.var(-1, keepdims=True) + 1e-5) + beta


@dataclass(frozen=True)
class Parts:
    """The sublayers, each a function of a stream (and ``norm`` of its number too), with all else filled in."""

    own: object
    cross: object
    forward: object
    norm: object


def post_norm(parts, x):
    """How the parts are wired: after each sublayer the sum and its norm."""
    x = parts.norm(1, x + parts.own(x))
    x = parts.norm(2, x + parts.cross(x))
    return parts.norm(3, x + parts.forward(x))


def program(wiring=post_norm, own=self_attention, cross=cross_attention, forward=feed_forward, norm=layer_norm):
    """A decoder layer with some of its steps replaced."""

    def answer(x, memory, weights, num_heads, mask, memory_mask):
        parts = Parts(
            own=lambda y: own(y, weights, num_heads, mask),
            cross=lambda y: cross(y, memory, weights, num_heads, memory_mask),
            forward=lambda y: forward(y, weights),
            norm=lambda k, y: norm(y, weights[f"gamma{k}"], weights[f"beta{k}"]),
        )
        return wiring(parts, x)

    return answer


def everywhere(**changes):
    """A decoder layer in both of whose attentions the same step is replaced."""

    def own(*arguments):
        return self_attention(*arguments, **changes)

    def cross(*arguments):
        return cross_attention(*arguments, **changes)

    return program(own=own, cross=cross)


def numbered(parts, *numbers):
    """The same parts, their first, second and third norm taken from these numbers."""
    return replace(parts, norm=lambda k, y: parts.norm(numbers[k - 1], y))
