"""What goes wrong inside the parts of a decoder layer: heads and weights, the feed-forward network, LayerNorm."""

import numpy as np

from ..exercise import Mistake
from ..families.heads import split_by_reshape
from ..lesson_02_self_attention.softmax import over_queries, overflowing, softmax_minus
from ..lesson_12_encoder.steps import network
from ..lesson_12_encoder.sublayer_mistakes import OTHER_ACTIVATIONS, gelu
from ..toolkit import softmax
from .steps import cross_attention, everywhere, feed_forward, program, self_attention


def _merge_by_reshape(heads):
    b, h, n, d = heads.shape
    return heads.reshape(b, n, h * d)


def _one_head(x, num_heads):
    return x[:, None]


def _shared_out_again(scores, mask):
    """The weights of all keys first, and then those of the allowed ones divided by their sum."""
    weights = softmax(scores) * mask
    return weights / weights.sum(-1, keepdims=True)


def _without_w_o(*names):
    """The layer without the last matrix of one attention or of both."""

    def answer(x, memory, weights, *rest):
        return program()(x, memory, weights | {name: np.eye(len(weights[name])) for name in names}, *rest)

    return answer


def _filled(number):
    return lambda scores, mask: softmax(np.where(mask, scores, number))


def _lowered(by):
    return lambda scores, mask: softmax(scores - by * ~mask)


ATTENTION = (
    Mistake(
        "one head only",
        "Your attention has one head, as wide as the model: num_heads is not used.",
        "Split queries, keys and values into heads, as in sheet 05.",
        everywhere(heads=_one_head),
    ),
    Mistake(
        "heads by reshape alone",
        "You split or merged the heads with a reshape alone, which mixes tokens and columns (sheet 05).",
        "Reshape to (b, n, h, d/h), then swap the axes of tokens and heads. On the way back, swap first, then reshape.",
        everywhere(heads=split_by_reshape),
        variants=(everywhere(merge=_merge_by_reshape), everywhere(heads=split_by_reshape, merge=_merge_by_reshape)),
    ),
    Mistake(
        "w_o left out",
        "You concatenated the heads, but in one attention or in both, nothing mixes their outputs.",
        "Which of the matrices w_o and cross_w_o have you not used?",
        _without_w_o("w_o", "cross_w_o"),
        variants=(_without_w_o("w_o"), _without_w_o("cross_w_o")),
    ),
    Mistake(
        "the wrong scale",
        "Your scores are divided by the wrong number, or not divided at all.",
        "Divide by √d_k, where d_k is the width of *one head*: the length of the queries' last axis after the split.",
        everywhere(scale=lambda w_q: 1.0),
        variants=(everywhere(scale=lambda w_q: np.sqrt(w_q.shape[1])),),
    ),
    Mistake(
        "softmax over the queries",
        "Your weights sum to 1 over the queries, so the queries share each key's weight.",
        "Take the softmax along the last axis, which belongs to the keys.",
        everywhere(weigh=over_queries[0]),
        variants=tuple(everywhere(weigh=weigh) for weigh in over_queries[1:]),
    ),
    Mistake(
        "exp overflows",
        "Your layer is right for small scores. If they are large, exp overflows, and infinity / infinity is not a number.",
        "Subtract each row's largest score before exp. The weights stay the same.",
        everywhere(weigh=overflowing),
        variants=(
            program(own=lambda *given: self_attention(*given, weigh=overflowing)),
            program(cross=lambda *given: cross_attention(*given, weigh=overflowing)),
        ),
    ),
    Mistake(
        "one max for all rows",
        "You subtract the largest score of a whole matrix, or of all of them. In a row with much smaller scores, every "
        "exponential becomes 0, and 0 / 0 is not a number.",
        "Subtract each row's own largest score: .max(axis=-1, keepdims=True).",
        everywhere(weigh=softmax_minus(np.max)),
        variants=(everywhere(weigh=softmax_minus(lambda scores: scores.max((-2, -1), keepdims=True))),),
    ),
    Mistake(
        "masked after softmax",
        "You set the weights of forbidden keys to 0 after softmax. Then the rows no longer sum to 1, because the forbidden keys were "
        "still in the denominator (lesson 04).",
        "Mask the scores, before softmax.",
        everywhere(masked=lambda scores, mask: np.where(mask, softmax(scores), 0)),
    ),
    Mistake(
        "shared out again after softmax",
        "You took softmax over all keys, and then divided the allowed weights by their sum. On paper, this is right. But where a "
        "forbidden score is far above the allowed ones, all allowed weights are stored as 0, and 0 / 0 is not a number.",
        "Mask the scores, before softmax.",
        everywhere(masked=_shared_out_again),
    ),
    Mistake(
        "masked scores set to 0",
        "You set forbidden scores to 0. But a score of 0 gets a weight like any other score.",
        "Use a score whose exponential is 0.",
        everywhere(masked=_filled(0)),
    ),
    Mistake(
        "masked scores not low enough",
        "You set forbidden scores to a number that is not low enough. Where all allowed scores are near −1000, the forbidden key "
        "gets the largest weight.",
        "Only −∞ is below every score.",
        everywhere(masked=_filled(-1000)),
        variants=(everywhere(masked=_filled(-100)), everywhere(masked=_filled(-10))),
    ),
    Mistake(
        "forbidden scores lowered too little",
        "You subtracted a fixed number from the forbidden scores. A forbidden score near 1000 can still be larger than allowed "
        "scores near −1000.",
        "Only −∞ is below every score.",
        everywhere(masked=_lowered(1000)),
        variants=tuple(everywhere(masked=_lowered(by)) for by in (2000, 100, 10)),
    ),
)


def _no_biases(x, weights):
    return np.maximum(x @ weights["w1"], 0) @ weights["w2"]


def _spread(ddof=0, axis=-1, power=0.5, eps=1e-5):
    def norm(x, gamma, beta):
        centred = x - x.mean(axis, keepdims=True)
        return gamma * centred / (x.var(axis, keepdims=True, ddof=ddof) + eps) ** power + beta

    return norm


def _epsilon_outside(x, gamma, beta):
    return gamma * (x - x.mean(-1, keepdims=True)) / (x.std(-1, keepdims=True) + 1e-5) + beta


REST = (
    Mistake(
        "no ReLU",
        "Your feed-forward network has no nonlinearity, so its two linear maps amount to one.",
        "Apply np.maximum(…, 0) between w1 and w2.",
        program(forward=network(lambda hidden: hidden)),
    ),
    Mistake(
        "a different activation function",
        "Between its two linear maps, your feed-forward network applies a different activation function, such as GELU.",
        "The table in the exercise says which one this network has.",
        program(forward=network(gelu)),
        variants=tuple(program(forward=network(activation)) for activation in OTHER_ACTIVATIONS),
    ),
    Mistake(
        "no biases",
        "Your feed-forward network does not use both of its biases.",
        "Check b1 and b2 one at a time: max(0, x @ w1 + b1) @ w2 + b2.",
        program(forward=_no_biases),
        variants=(
            program(forward=lambda x, weights: feed_forward(x, weights) - weights["b2"]),
            program(forward=lambda x, weights: _no_biases(x, weights) + weights["b2"]),
        ),
    ),
    Mistake(
        "variance over d − 1",
        "Your variance divides by d − 1, as torch's var and std do.",
        "LayerNorm divides by d: x.var(-1, correction=0) in torch; in NumPy, ddof=0 is the default.",
        program(norm=_spread(ddof=1)),
    ),
    Mistake(
        "divided by the variance",
        "You divided by the variance, which is in squared units.",
        "Divide by np.sqrt(variance + 1e-5).",
        program(norm=_spread(power=1)),
    ),
    Mistake(
        "a different ε",
        "Your LayerNorm is right for vectors that vary a lot. Where a vector varies little, ε matters, and yours is "
        "not the one in the task.",
        "Add 1e-5 to the variance, inside the square root.",
        program(norm=_spread(eps=0)),
        variants=(
            *(program(norm=_spread(eps=eps)) for eps in (1e-6, 1e-8, 1e-12, 1e-4, 1e-3)),
            program(norm=_epsilon_outside),
        ),
    ),
    Mistake(
        "means over other tokens",
        "You took the mean and variance over several tokens, or along the wrong axis.",
        "Compute them for each token separately, along the last axis, with keepdims=True.",
        program(norm=_spread(axis=1)),
        variants=(program(norm=_spread(axis=(1, 2))), program(norm=_spread(axis=(0, 1, 2))), program(norm=_spread(axis=0))),
    ),
    Mistake(
        "no gamma and beta",
        "You normalise, but gamma or beta, or both, have no effect on your result.",
        "Each norm is gamma * (…) + beta, element by element. Check gamma and beta one at a time.",
        program(norm=lambda x, gamma, beta: _spread()(x, 1.0, 0.0)),
        variants=(
            program(norm=lambda x, gamma, beta: _spread()(x, gamma, 0.0)),
            program(norm=lambda x, gamma, beta: _spread()(x, 1.0, beta)),
        ),
    ),
)

MISTAKES = (*ATTENTION, *REST)
