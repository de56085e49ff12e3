"""Sheet 03, by hand: the shapes of everything, where queries and keys come from different tokens."""

import numpy as np

from ..kinds import Number
from ..toolkit import known

# Five sizes, all different, so that every mistaken size tells where it comes from.
QUERIES, KEYS, D_MODEL, D_K, D_V = 7, 11, 24, 6, 10
Q, K, V, A, Z = range(5)
RIGHT = [[QUERIES, D_K], [KEYS, D_K], [KEYS, D_V], [QUERIES, KEYS], [QUERIES, D_V]]


def _with(**changed):
    """The right five pairs with some of them replaced."""
    return [list(changed.get(name, pair)) for name, pair in zip("QKVAZ", RIGHT, strict=True)]


shapes = Number(
    id="attention.shapes",
    answer_name="shapes",
    prompt="The shapes of Q, K, V, the weights and the output, for 7 queries and 11 keys.",
    value=RIGHT,
    atol=1e-3,
    labels=("Q", "K", "V", "the weights", "the output"),
    why=(
        "Q, K and V have one row per token, and a matrix product keeps the rows of its left factor and the columns "
        "of its right one."
    ),
    hints=(
        "Whose rows are they? The queries belong to the 7 tokens that look. Keys and values belong to the 11 tokens "
        "that are looked at.",
        "A token of width d_model times a matrix of d_model rows gets the width of that matrix: d_k for queries and "
        "keys, d_v for values.",
        "Write the two products with their shapes, so that equal sizes are next to each other: (7, 6) times (6, 11), "
        "and the result times (11, 10).",
    ),
    mistakes={
        "the matrices instead of their products": known(
            "Your first three pairs begin with 24, so they are the shapes of W_Q, W_K and W_V. Q, K and V are the "
            "tokens multiplied by these matrices, so they have one row per token.",
            "Multiply a matrix of 7 rows and 24 columns by one of 24 rows and 6 columns. How many rows and columns "
            "does the product have?",
            _with(Q=(24, 6), K=(24, 6), V=(24, 10)),
            recognise=lambda seen: (seen[:3, 0] == D_MODEL).all(),
        ),
        "columns before rows": known(
            "You gave the columns first. A shape names the number of rows first, here one per token, and then the "
            "number of columns.",
            "Swap the two numbers in every pair.",
            [pair[::-1] for pair in RIGHT],
            recognise=lambda seen: np.array_equal(seen[:, ::-1], RIGHT),
        ),
        "all tokens together": known(
            "You used 18 = 7 + 11, all tokens together. But the two groups have different roles. The 7 provide only "
            "queries, and the 11 only keys and values.",
            "How many tokens have a query? How many have a key?",
            [[18, 6], [18, 6], [18, 10], [18, 18], [18, 10]],
            _with(K=(18, 6), V=(18, 10), A=(7, 18)),
            recognise=lambda seen: (seen == QUERIES + KEYS).any(),
        ),
        "width not projected": known(
            "You used 24 in Q, K or V. That is the width of the tokens before the projection. W_Q, W_K and W_V give "
            "queries, keys and values their widths, whatever d_model is.",
            "W_Q and W_K have 6 columns, and W_V has 10.",
            _with(Q=(7, 24), K=(11, 24), V=(11, 24), Z=(7, 24)),
            _with(K=(11, 24)),
            _with(V=(11, 24), Z=(7, 24)),
            recognise=lambda seen: (seen[:3, 1] == D_MODEL).any(),
        ),
        "the two sets of tokens swapped": known(
            "You took queries from the 11 tokens that are looked at. But the 7 tokens are the ones that look, so the queries are "
            "theirs, and keys and values come from the 11.",
            "How many tokens look at others? There is one query for each of them.",
            [[11, 6], [7, 6], [7, 10], [11, 7], [11, 10]],
            _with(Q=(11, 6), K=(7, 6), V=(7, 10)),
            _with(Q=(11, 6)),
            _with(Q=(11, 6), A=(11, 11), Z=(11, 10)),
            recognise=lambda seen: seen[0, 0] == KEYS,
        ),
        "keys or values from the tokens that look": known(
            "Your K or your V has 7 rows, as many as there are queries. That is so in self-attention. Here keys and values come "
            "from the tokens that are looked at, and each key has its value.",
            "Each of the 7 queries is compared with every one of the 11 tokens. How many keys does that take, and "
            "how many values?",
            _with(K=(7, 6), V=(7, 10), A=(7, 7)),
            _with(K=(7, 6)),
            _with(K=(7, 6), V=(7, 10)),
            _with(V=(7, 10)),
            recognise=lambda seen: QUERIES in seen[1:3, 0],
        ),
        "queries and keys of different widths": known(
            "Your Q and K have different widths, or the width 10 of the values. A score is the dot product of a "
            "query with a key, so these two need the same width, d_k. Only values may have a different one.",
            "Which two of the three matrices have d_k columns?",
            _with(K=(11, 10)),
            _with(Q=(7, 10)),
            _with(Q=(7, 10), K=(11, 10), V=(11, 6), Z=(7, 6)),
            recognise=lambda seen: (seen[:2, 1] == D_V).any(),
        ),
        "values as wide as the keys": (
            "Your V has width 6, like queries and keys. But a value never meets a query in a dot product, so it can "
            "have a different width: d_v, the number of columns of W_V.",
            "W_V has 10 columns here.",
            {V: (11, 6)},
            _with(V=(11, 6), Z=(7, 6)),
        ),
        "K already transposed": (
            "Your K has one column per token. That is Kᵀ, as it appears in the product. K itself has one row per "
            "token, like Q and V.",
            "Swap the two numbers in that pair.",
            {K: (6, 11)},
        ),
        "a weight for each number of a vector": (
            "Your weights have a column for each number of a vector. But a weight belongs to a whole key: each query "
            "has one weight per token that it looks at.",
            "Among how many tokens does one query distribute its weight?",
            {A: ((7, 6), (7, 10), (7, 24))},
            _with(A=(7, 24), Z=(7, 24)),
        ),
        "the weights transposed": (
            "Your weights have one row per key. It should be one row per query: its weights over all the keys, which "
            "sum to 1.",
            "How many rows sum to 1, and how many weights are in each of them?",
            {A: (11, 7)},
        ),
        "square weights": (
            "Your weight matrix is square. That is so in self-attention, where the same tokens give queries and keys. Here "
            "there is one row for each of 7 queries, with one weight for each of 11 keys.",
            "How many scores does one query have?",
            {A: ((7, 7), (11, 11))},
        ),
        "the output of another width": (
            "Your output is as wide as the tokens that came in, or as queries and keys. But it is an average of values, and an "
            "average of vectors is as wide as these vectors.",
            "What is averaged, and how wide is it?",
            {Z: ((7, 24), (7, 6))},
        ),
        "an output for each key": (
            "Your output has 11 rows. But each query gets one average of the values, so there are as many outputs as queries.",
            "Who receives an output: the tokens that look, or those that are looked at?",
            {Z: (11, 10)},
        ),
    },
)
