"""What goes wrong with the scores and weights of multi-head attention; in softmax, that is what went wrong in sheet 02."""

from dataclasses import replace

import numpy as np

from ..exercise import Mistake
from ..lesson_02_self_attention.softmax import attention_softmax, over_first, over_second, overflowing, softmax_minus
from ..toolkit import softmax
from .split import split_heads
from .steps import divided, in_tables, program, project, scaled


def _keys_reshaped(q, k, v, x):
    return q @ k.reshape(*k.shape[:2], k.shape[3], k.shape[2]) / np.sqrt(q.shape[-1])


def _scaled_late(q, k, v, x):
    return softmax(q @ k.swapaxes(-2, -1)) / np.sqrt(q.shape[-1])


SCALE = (
    Mistake(
        "not scaled",
        "The scores are not divided by anything. Since lesson 03 they are divided by √d_k, here of a single head.",
        "How many products are added up in one score of one head?",
        program(score=divided(lambda q, v, x: 1.0)),
        variants=(program(score=divided(lambda q, v, x: 1.0), weigh=overflowing),),
    ),
    Mistake(
        "divided by √d_model",
        "You divide by √d_model. A head's score is a sum of d_k products, so its spread grows with √d_k: that is what the "
        "scale undoes.",
        "How wide is one query of one head, after the split?",
        program(score=divided(lambda q, v, x: np.sqrt(x.shape[-1]))),
        variants=(program(score=divided(lambda q, v, x: np.sqrt(x.shape[-1])), weigh=overflowing),),
    ),
    Mistake(
        "divided by the root of all heads' width",
        "You divide by √(h·d_k), the root of all heads' columns together. But each head adds up d_k products only.",
        "Take the last size of the queries after the split, not before.",
        program(score=divided(lambda q, v, x: np.sqrt(q.shape[1] * q.shape[-1]))),
        variants=(program(score=divided(lambda q, v, x: np.sqrt(q.shape[1] * q.shape[-1])), weigh=overflowing),),
    ),
    Mistake(
        "divided by d_k",
        "You divide by d_k itself. The spread of a score grows with the root of d_k, so the root is what the scale undoes.",
        "√d_k.",
        program(score=divided(lambda q, v, x: q.shape[-1])),
        variants=(program(score=divided(lambda q, v, x: q.shape[-1]), weigh=overflowing),),
    ),
    Mistake(
        "multiplied by √d_k",
        "You multiply by √d_k, which spreads the scores even further. They are divided by it.",
        "Which way does the scale go?",
        program(score=divided(lambda q, v, x: 1 / np.sqrt(q.shape[-1]))),
    ),
    Mistake(
        "divided by another root",
        "You divide by the root of another size than d_k: that of the tokens, of the heads, or of the values.",
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
        "You divide by √d_k after softmax, so the weights of a row no longer sum to 1. It is the scores that are scaled.",
        "Move the division one step up.",
        program(score=_scaled_late, weigh=lambda weights: weights),
    ),
)

PRODUCTS = (
    Mistake(
        "the keys reshaped, not transposed",
        "Reshaping the keys to (b, h, d_k, n) gives the shape of a transpose with the numbers in the wrong places: a reshape "
        "reads on row by row.",
        "Swap the axes: k.swapaxes(-2, -1), in torch k.transpose(-2, -1).",
        program(score=_keys_reshaped),
    ),
    Mistake(
        "queries and keys swapped",
        "Your scores are the right ones transposed: row i holds what others seek in token i, not what token i seeks. Either "
        "the product is turned round, or w_q and w_k have changed places.",
        "x @ w_q are the queries, x @ w_k the keys, and in the product the queries come first.",
        program(score=lambda q, k, v, x: scaled(k, q, v, x)),
    ),
    Mistake(
        "the values made with w_k",
        "Your values are the keys. Where both have the same width nothing complains, and the numbers are others.",
        "What is mixed are x @ w_v.",
        program(lambda x, w_q, w_k, w_v: (x @ w_q, x @ w_k, x @ w_k)),
    ),
    Mistake(
        "the keys made with w_q",
        "Queries and keys come from the same matrix, which makes all scores symmetric.",
        "The keys are x @ w_k.",
        program(lambda x, w_q, w_k, w_v: (x @ w_q, x @ w_q, x @ w_v)),
    ),
    Mistake(
        "w_q and w_k unused",
        "The scores are made of x itself, cut into heads. With identity matrices nobody can tell; with others, queries and "
        "keys are what is compared.",
        "The scores of a head are the dot products of its columns of x @ w_q with its columns of x @ w_k.",
        program(lambda x, w_q, w_k, w_v: (x, x, x @ w_v)),
        variants=(program(lambda x, w_q, w_k, w_v: (x, x, x)),),
    ),
    Mistake(
        "no softmax",
        "The values are multiplied by the raw scores. The scores must become weights first: positive, summing to 1.",
        "Apply softmax to the scores before mixing the values.",
        program(weigh=lambda scores: scores),
    ),
    Mistake(
        "the weights transposed",
        "Each output mixes the values with a column of the weights. Token i's own weights stand in row i.",
        "weights @ values, with the weights as they are.",
        program(mix=lambda weights, value: weights.swapaxes(-2, -1) @ value),
    ),
    Mistake(
        "the weights returned",
        "These are the weights of each head, (b, h, n, n). What is missing is the mixture of the values, the merge, and w_o.",
        "Go on with weights @ values.",
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
        "For each query and key, your weights of all heads sum to 1. Axis 1 counts the heads here; each query of each head "
        "shares out its own attention over the keys, the last axis.",
        "Count from the back: -1 is the axis of the keys, however many stand before it.",
        program(weigh=over_second[0]),
        variants=tuple(program(weigh=weigh) for weigh in over_second[1:]),
    ),
    Mistake(
        "softmax over the batch",
        "You normalise over axis 0, so that texts that have nothing to do with each other share their weights. Each query "
        "shares out its own attention over the keys, the last axis.",
        "Count from the back: -1 is the axis of the keys, however many stand before it.",
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
        diagnosis="You subtract one number from a whole table or from all of them: the largest score in there. A row that "
        "lies far below it becomes exp(−900) = 0 throughout, and 0 / 0 is NaN.",
        more=(in_tables(softmax_minus(lambda table: table.max())), softmax_minus(lambda s: s.max((-2, -1), keepdims=True))),
    ),
    _from_sheet_02("scores divided by their sum"),
    _from_sheet_02("not divided by the sum"),
    _from_sheet_02(
        "divided by the sum of everything",
        diagnosis="All weights of a table together sum to 1, or even those of all tables. Each row must do so by itself, "
        "since each query shares out its own attention.",
        more=(
            in_tables(lambda table: np.exp(table) / np.exp(table).sum()),
            in_tables(lambda table: np.exp(table - table.max()) / np.exp(table - table.max()).sum()),
        ),
    ),
)

MISTAKES = (*SCALE, *PRODUCTS, *SOFTMAX)
