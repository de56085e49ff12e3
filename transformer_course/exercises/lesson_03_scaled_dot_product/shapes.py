"""Sheet 03, by hand: the shapes of everything, where queries and keys come from different tokens."""

import numpy as np

from ..exercise import Mistake
from ..kinds import Number

# Five sizes, all different, so that every mistaken size tells where it comes from.
QUERIES, KEYS, D_MODEL, D_K, D_V = 7, 11, 24, 6, 10
RIGHT = [[QUERIES, D_K], [KEYS, D_K], [KEYS, D_V], [QUERIES, KEYS], [QUERIES, D_V]]


def _with(**changed):
    """The right five pairs with some of them replaced."""
    return [list(changed.get(name, pair)) for name, pair in zip("QKVAZ", RIGHT, strict=True)]


def _is(**wanted):
    """Whether the pairs named are these; the others may be anything."""
    return lambda seen: all(tuple(seen["QKVAZ".index(name)]) == pair for name, pair in wanted.items())


shapes = Number(
    id="attention.shapes",
    answer_name="shapes",
    prompt="The shapes of Q, K, V, the weights and the output, for 7 queries against 11 keys.",
    value=RIGHT,
    atol=1e-3,
    labels=("Q", "K", "V", "the weights", "the output"),
    why=(
        "There is one row per token and one column per feature, and a product keeps the rows of its left factor and the "
        "columns of its right one."
    ),
    hints=(
        "Whose rows are they? The queries belong to the 7 tokens that look; keys and values belong to the 11 that are looked at.",
        "A token of width d_model times a matrix of d_model rows gets the width of that matrix: d_k for queries and keys, d_v "
        "for values.",
        "Write the two products with their shapes, and let equal sizes meet: (7, 6) with (6, 11), and then what comes out with "
        "(11, 10).",
    ),
    mistakes=(
        Mistake(
            "the matrices instead of their products",
            "Your first three pairs begin with 24: these are the shapes of W_Q, W_K and W_V. Q, K and V are what the tokens "
            "become when they are multiplied by them, with one row for each token.",
            "A table of 7 rows of 24 numbers, times a matrix of 24 rows and 6 columns: how many rows and columns come out?",
            _with(Q=(24, 6), K=(24, 6), V=(24, 10)),
            recognise=lambda seen: (seen[:3, 0] == D_MODEL).all(),
        ),
        Mistake(
            "columns before rows",
            "Your pairs name the columns first. A shape names the rows first, one row for each token, and then the columns.",
            "Turn every pair round.",
            [pair[::-1] for pair in RIGHT],
            recognise=lambda seen: np.array_equal(seen[:, ::-1], RIGHT),
        ),
        Mistake(
            "all tokens together",
            "18 = 7 + 11: you took all tokens together. The two sets play different parts here. The 7 only ask, and the 11 only "
            "offer keys and values.",
            "How many tokens ask? How many are looked at?",
            [[18, 6], [18, 6], [18, 10], [18, 18], [18, 10]],
            variants=(_with(K=(18, 6), V=(18, 10), A=(7, 18)),),
            recognise=lambda seen: (seen == QUERIES + KEYS).any(),
        ),
        Mistake(
            "width not projected",
            "24, in your Q, K or V, is the width of the tokens before they are projected. Queries, keys and values have the "
            "widths that W_Q, W_K and W_V give them, whatever d_model is.",
            "W_Q and W_K have 6 columns, W_V has 10.",
            _with(Q=(7, 24), K=(11, 24), V=(11, 24), Z=(7, 24)),
            variants=(_with(K=(11, 24)), _with(V=(11, 24), Z=(7, 24))),
            recognise=lambda seen: (seen[:3, 1] == D_MODEL).any(),
        ),
        Mistake(
            "the two sets of tokens swapped",
            "You let the 11 tokens look and the 7 be looked at. The 7 are those that look: they ask, so the queries are "
            "theirs, and everything that is found comes from the 11.",
            "One query for each of the 7, one key and one value for each of the 11.",
            [[11, 6], [7, 6], [7, 10], [11, 7], [11, 10]],
            variants=(_with(Q=(11, 6), K=(7, 6), V=(7, 10)),),
            recognise=_is(Q=(11, 6), K=(7, 6)),
        ),
        Mistake(
            "keys from the tokens that look",
            "Your K has 7 rows, as many as there are queries. In self-attention that is so. Here the keys are those of the "
            "tokens that are looked at, and there are 11 of those.",
            "Each of the 7 queries is compared with every one of the 11: how many keys does that take, and how many values?",
            _with(K=(7, 6), V=(7, 10), A=(7, 7)),
            variants=(_with(K=(7, 6)), _with(K=(7, 6), V=(7, 10))),
            recognise=lambda seen: seen[1, 0] == QUERIES,
        ),
        Mistake(
            "queries from the tokens that are looked at",
            "Your Q has 11 rows, as many as there are keys. A query belongs to a token that looks, and 7 tokens do.",
            "How many tokens want to know something?",
            _with(Q=(11, 6)),
            variants=(_with(Q=(11, 6), A=(11, 11), Z=(11, 10)),),
            recognise=lambda seen: seen[0, 0] == KEYS,
        ),
        Mistake(
            "a value for each query",
            "Your V has 7 rows, as many as there are queries. Values are what is handed out, and it is the tokens looked at "
            "that hand out: every key has its value.",
            "A row of weights says how much to take of each value. How many weights are in a row?",
            _with(V=(7, 10)),
            recognise=lambda seen: seen[2, 0] == QUERIES,
        ),
        Mistake(
            "queries and keys of different widths",
            "Your Q and K differ in width, or have the width 10 of the values. A score is a dot product of a query with a key, "
            "so these two need the same width, d_k. Only the values may have a width of their own.",
            "Which two of the three matrices have d_k columns?",
            _with(K=(11, 10)),
            variants=(_with(Q=(7, 10)), _with(Q=(7, 10), K=(11, 10), V=(11, 6), Z=(7, 6))),
            recognise=lambda seen: (seen[:2, 1] == D_V).any(),
        ),
        Mistake(
            "values as wide as the keys",
            "Your V has width 6, that of queries and keys. No value ever meets a query in a product, so it is free to have "
            "another width: d_v, the columns of W_V.",
            "W_V has 10 columns here.",
            _with(V=(11, 6), Z=(7, 6)),
            variants=(_with(V=(11, 6)),),
            recognise=_is(V=(11, 6)),
        ),
        Mistake(
            "K already transposed",
            "Your K has a column for each token. That is Kᵀ, as it stands in the product; K itself has a row for each token, like "
            "Q and V.",
            "Turn that one pair round.",
            _with(K=(6, 11)),
            recognise=_is(K=(6, 11)),
        ),
        Mistake(
            "a weight for each number of a vector",
            "Your weights have a column for each number of a vector. A weight belongs to a whole key: a query has one for each "
            "token that it looks at.",
            "How many tokens does one query share its attention among?",
            _with(A=(7, 6)),
            variants=(_with(A=(7, 10)), _with(A=(7, 24), Z=(7, 24))),
            recognise=lambda seen: seen[3, 0] == QUERIES and seen[3, 1] in (D_K, D_V, D_MODEL),
        ),
        Mistake(
            "the weights turned round",
            "Your weights have a row for each key. It is the other way: each query has a row of its own, shared out over the "
            "keys, and that row sums to 1.",
            "How many rows sum to 1, and how many weights stand in each?",
            _with(A=(11, 7)),
            recognise=_is(A=(11, 7)),
        ),
        Mistake(
            "square weights",
            "Your table of weights is square. That holds in self-attention, where the same tokens look and are looked at. Here "
            "there is one row for each of 7 queries, and in it one weight for each of 11 keys.",
            "How many scores does one query have?",
            _with(A=(7, 7)),
            variants=(_with(A=(11, 11)),),
            recognise=lambda seen: seen[3, 0] == seen[3, 1] and seen[3, 0] in (QUERIES, KEYS),
        ),
        Mistake(
            "the output as wide as the input",
            "Your output is as wide as the tokens that came in. It is a mixture of values, and a mixture of things of width 10 "
            "has width 10. Only where d_v is chosen equal to d_model do the sizes agree.",
            "What is mixed, and how wide is it?",
            _with(Z=(7, 24)),
            recognise=_is(Z=(7, 24)),
        ),
        Mistake(
            "the output as wide as the queries",
            "Your output has width 6, that of queries and keys. They decide the shares, and are not themselves mixed: the "
            "values are.",
            "What is mixed, and how wide is it?",
            _with(Z=(7, 6)),
            recognise=_is(Z=(7, 6)),
        ),
        Mistake(
            "an output for each key",
            "Your output has 11 rows. Each query takes home one mixture, so there are as many outputs as queries, and not as "
            "there are values to mix.",
            "Who receives an output: the tokens that look, or those that are looked at?",
            _with(Z=(11, 10)),
            recognise=_is(Z=(11, 10)),
        ),
    ),
)
