"""An encoder layer in steps: its mistakes replace one of them."""

import numpy as np

from ..lesson_05_several_heads.merge import merge_heads
from ..lesson_05_several_heads.split import split_heads
from ..toolkit import softmax


def standard(x, eps=1e-5):
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + eps)


def norm(x, gamma, beta):
    return gamma * standard(x) + beta


def forbid(scores, mask):
    return np.where(mask[:, None], scores, -np.inf)


def weigh(scores, mask):
    return softmax(forbid(scores, mask))


def by_d_k(q, x):
    return np.sqrt(q.shape[-1])


def attend(split=split_heads, merge=merge_heads, root=by_d_k, weigh=weigh, last=lambda merged, w_o: merged @ w_o):
    """Self-attention with some of its steps replaced."""

    def attention(x, weights, num_heads, mask):
        q, k, v = (split(x @ weights[name], num_heads) for name in ("w_q", "w_k", "w_v"))
        shares = weigh(q @ k.swapaxes(-2, -1) / root(q, x), mask)
        return last(merge(shares @ v), weights["w_o"])

    return attention


def network(activation=lambda hidden: np.maximum(hidden, 0)):
    return lambda x, weights: activation(x @ weights["w1"] + weights["b1"]) @ weights["w2"] + weights["b2"]


def post(x, sublayer, gamma, beta):
    return norm(x + sublayer(x), gamma, beta)


def layer_of(attention=attend(), feed_forward=network(), around=post, around_second=None, norms=(1, 2)):  # noqa: B008
    """An encoder layer with some of its parts replaced; ``norms`` are the numbers of the first and the second one."""

    def answer(x, weights, num_heads, mask):
        first, second = ((weights[f"gamma{number}"], weights[f"beta{number}"]) for number in norms)
        x = around(x, lambda y: attention(y, weights, num_heads, mask), *first)
        return (around_second or around)(x, lambda y: feed_forward(y, weights), *second)

    return answer


layer = layer_of()
