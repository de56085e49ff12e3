"""What goes wrong with the scores and weights of multi-head attention; in softmax, that is what went wrong in sheet 02."""

from dataclasses import replace

import numpy as np

from ..exercise import Mistake
from ..lesson_02_self_attention.softmax import attention_softmax, over_first, over_second, overflowing, softmax_minus
from ..lesson_04_masks.late_mask import masked_weights
from ..toolkit import softmax
from .split import split_heads
from .steps import divided, in_tables, program, project, scaled


def _keys_reshaped(q, k, v, x):
    return q @ k.reshape(*k.shape[:2], k.shape[3], k.shape[2]) / np.sqrt(q.shape[-1])


def _shared(q, k, v, x):
    return scaled(q, k, v, x).mean(1, keepdims=True)


def _scaled_late(q, k, v, x):
    return softmax(q @ k.swapaxes(-2, -1)) / np.sqrt(q.shape[-1])


SCALE = (
    Mistake(
        "not scaled",
        "You did not scale the scores. With wide heads they become large, and the softmax saturates (lesson 03).",
        "Divide the scores by the square root of a number. How many products add up to one score of one head?",
        program(score=divided(lambda q, v, x: 1.0)),
        variants=(program(score=divided(lambda q, v, x: 1.0), weigh=overflowing),),
    ),
    Mistake(
        "divided by √d_model",
        "You divided by √d_model. But a head's score is a sum of d_k products, so its standard deviation grows with √d_k.",
        "How many numbers does one query of one head have, after the split?",
        program(score=divided(lambda q, v, x: np.sqrt(x.shape[-1]))),
        variants=(program(score=divided(lambda q, v, x: np.sqrt(x.shape[-1])), weigh=overflowing),),
    ),
    Mistake(
        "divided by the root of all heads' width",
        "You divided by √(h·d_k), the square root of the width of all heads together. But a score of one head adds "
        "up only d_k products.",
        "Take the last size of the queries after the split, not before.",
        program(score=divided(lambda q, v, x: np.sqrt(q.shape[1] * q.shape[-1]))),
        variants=(program(score=divided(lambda q, v, x: np.sqrt(q.shape[1] * q.shape[-1])), weigh=overflowing),),
    ),
    Mistake(
        "divided by d_k",
        "You divided by d_k itself. But the standard deviation of a score grows with the square root of d_k.",
        "Divide by √d_k.",
        program(score=divided(lambda q, v, x: q.shape[-1])),
        variants=(program(score=divided(lambda q, v, x: q.shape[-1]), weigh=overflowing),),
    ),
    Mistake(
        "multiplied by √d_k",
        "You multiplied by √d_k, which makes the scores spread even more.",
        "Should the scale make the scores larger or smaller?",
        program(score=divided(lambda q, v, x: 1 / np.sqrt(q.shape[-1]))),
    ),
    Mistake(
        "divided by another root",
        "You divided by the square root of a size other than d_k: the number of tokens, the number of heads, or the "
        "width of the values.",
        "A score adds up as many products as a query of one head has numbers.",
        program(score=divided(lambda q, v, x: np.sqrt(v.shape[-1]))),
        variants=(
            program(score=divided(lambda q, v, x: np.sqrt(q.shape[1]))),
            program(score=divided(lambda q, v, x: np.sqrt(q.shape[2]))),
            program(score=divided(lambda q, v, x: np.sqrt(q.shape[1] * v.shape[-1]))),
        ),
    ),
    Mistake(
        "scaled after softmax",
        "You divided by √d_k after softmax, so the weights of a row no longer sum to 1. The scale should act on the scores.",
        "Move the division up one step.",
        program(score=_scaled_late, weigh=lambda weights: weights),
    ),
)

PRODUCTS = (
    Mistake(
        "one score matrix for all heads",
        "All your heads have the same weights, because you averaged their scores. Each head should look for something "
        "of its own.",
        "Keep the scores of the heads apart, with shape (b, h, n, n), and apply softmax to each.",
        program(score=_shared),
    ),
    Mistake(
        "the keys reshaped, not transposed",
        "You reshaped the keys to (b, h, d_k, n). That is the shape of the transpose, but the numbers are in the "
        "wrong places, because a reshape reads them row by row.",
        "Swap the axes with k.swapaxes(-2, -1), or k.transpose(-2, -1) in torch.",
        program(score=_keys_reshaped),
    ),
    Mistake(
        "queries and keys swapped",
        "Your scores are transposed: row i holds what other tokens look for in token i, instead of what token i "
        "looks for. Either you swapped the factors of the product, or you swapped w_q and w_k.",
        "The queries are x @ w_q, the keys are x @ w_k, and the queries come first in the product.",
        program(score=lambda q, k, v, x: scaled(k, q, v, x)),
    ),
    Mistake(
        "the values made with w_k",
        "You used the keys as values. If both have the same width, there is no error, but the numbers are wrong.",
        "Average x @ w_v.",
        program(lambda x, w_q, w_k, w_v: (x @ w_q, x @ w_k, x @ w_k)),
    ),
    Mistake(
        "the keys made with w_q",
        "You computed queries and keys with the same matrix, which makes all scores symmetric.",
        "Compute the keys as x @ w_k.",
        program(lambda x, w_q, w_k, w_v: (x @ w_q, x @ w_q, x @ w_v)),
    ),
    Mistake(
        "w_q and w_k unused",
        "You computed the scores from x itself, split into heads. That is right only if w_q and w_k are identity "
        "matrices. In general, a score compares a query with a key.",
        "The scores of a head are the dot products of its columns of x @ w_q with its columns of x @ w_k.",
        program(lambda x, w_q, w_k, w_v: (x, x, x @ w_v)),
        variants=(program(lambda x, w_q, w_k, w_v: (x, x, x)),),
    ),
    Mistake(
        "no softmax",
        "You multiplied the values by the raw scores. First turn the scores into weights, which are positive and sum to 1.",
        "Apply softmax to the scores before you average the values.",
        program(weigh=lambda scores: scores),
    ),
    Mistake(
        "later tokens hidden",
        "You hid later tokens, as a decoder does. This function has no mask: every token attends to all of them.",
        "Leave the mask out, and take the softmax of all scores of a row.",
        program(weigh=lambda scores: masked_weights(scores, np.tri(scores.shape[-1], dtype=bool))),
    ),
    Mistake(
        "the weights transposed",
        "You averaged the values with a column of the weights. The weights of token i are in row i.",
        "Compute weights @ values, without transposing the weights.",
        program(mix=lambda weights, value: weights.swapaxes(-2, -1) @ value),
    ),
    Mistake(
        "the weights returned",
        "You returned the weights of each head, (b, h, n, n). You still have to average the values, merge the heads, "
        "and multiply by w_o.",
        "Continue with weights @ values.",
        lambda x, w_q, w_k, w_v, w_o, num_heads: softmax(
            scaled(*(split_heads(t, num_heads) for t in project(x, w_q, w_k, w_v)), x)
        ),
    ),
)


def _from_sheet_02(name, **changes):
    (mistake,) = (mistake for mistake in attention_softmax.mistakes if mistake.name == name)
    steps = [mistake.answer, *mistake.variants, *changes.pop("more", ())]
    answer, *variants = (program(weigh=weigh) for weigh in steps)
    return replace(mistake, answer=answer, variants=tuple(variants), **changes)


def _without_keepdims(table):
    return np.exp(table - table.max(-1, keepdims=True)) / np.exp(table - table.max(-1, keepdims=True)).sum(-1)


SOFTMAX = (
    Mistake(
        "softmax over the heads",
        "You applied softmax over the heads (axis 1), so for each query and key the weights of all heads sum to 1. "
        "Each query of each head should distribute its own weight over the keys, along the last axis.",
        "Count from the end: -1 is the axis of the keys, however many axes come before it.",
        program(weigh=over_second[0]),
        variants=tuple(program(weigh=weigh) for weigh in over_second[1:]),
    ),
    Mistake(
        "softmax over the batch",
        "You applied softmax over axis 0, so sequences that have nothing to do with each other share their weights. "
        "Each query should distribute its own weight over the keys, along the last axis.",
        "Count from the end: -1 is the axis of the keys, however many axes come before it.",
        program(weigh=over_first[0]),
        variants=tuple(program(weigh=weigh) for weigh in over_first[1:]),
    ),
    _from_sheet_02("softmax over the queries", more=map(in_tables, (over_first[0], over_first[3]))),
    _from_sheet_02(
        "without keepdims",
        more=(
            in_tables(_without_keepdims),
            in_tables(lambda table: np.exp(table) / np.exp(table).sum(-1)),
            in_tables(softmax_minus(lambda table: table.max(-1))),
        ),
    ),
    _from_sheet_02("exp overflows"),
    _from_sheet_02("scores clipped"),
    _from_sheet_02(
        "one max for all rows",
        diagnosis="You subtracted the largest score of a whole matrix, or of all of them. A row that is far below it "
        "becomes exp(−900) = 0 everywhere, and 0 / 0 is NaN.",
        more=(in_tables(softmax_minus(lambda table: table.max())), softmax_minus(lambda s: s.max((-2, -1), keepdims=True))),
    ),
    _from_sheet_02("scores divided by their sum"),
    _from_sheet_02("not divided by the sum"),
    _from_sheet_02(
        "divided by the sum of everything",
        diagnosis="You divided by the sum of a whole matrix, or of all of them. Each row must sum to 1 by itself, "
        "because each query distributes its own weight.",
        more=(
            in_tables(lambda table: np.exp(table) / np.exp(table).sum()),
            in_tables(lambda table: np.exp(table - table.max()) / np.exp(table - table.max()).sum()),
        ),
    ),
)

MISTAKES = (*SCALE, *PRODUCTS, *SOFTMAX)
