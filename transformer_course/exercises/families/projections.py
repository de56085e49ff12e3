"""What goes wrong with queries, keys and values: which matrix makes them, and from what.

A piece of LAYERS names the matrices that make queries, keys and values: ("w_q", "w_k", "w_v") is right, and None makes
nothing. A piece of INPUTS says which of the arguments query, key and value go into them: (0, 1, 2) is right.
"""

from itertools import permutations

Q, K, V = RIGHT = ("w_q", "w_k", "w_v")

LAYERS = {
    "w_q and w_k swapped": (
        "You made the queries with `w_k` and the keys with `w_q`, or transposed the scores, which comes to the same. So row i "
        "of the scores holds what other tokens look for in token i, instead of what token i looks for.",
        "The queries are made with `w_q`, the keys with `w_k`. Check the order in which you assign or pass them.",
        (K, Q, V),
    ),
    "w_k and w_v swapped": (
        "You swapped keys and values: the keys are made with `w_v`, and the values with `w_k`.",
        "The keys are made with `w_k`, the values with `w_v`. Check the order in which you assign or pass them.",
        (Q, V, K),
    ),
    "the values made with w_k": (
        "You averaged the keys, not the values, so `w_v` is never used. If both have the same width, there is no error, but "
        "the numbers are wrong.",
        "Average what `w_v` makes.",
        (Q, K, K),
    ),
    "the keys made with w_v": (
        "You made keys and values with the same matrix, `w_v`, so `w_k` is never used.",
        "The keys are made with `w_k`.",
        (Q, V, V),
    ),
    "queries and keys made with the same matrix": (
        "You made queries and keys with the same matrix. Then token i scores token j as j scores i, and no token can look for "
        "anything other than what it is itself.",
        "The queries are made with `w_q`, the keys with `w_k`.",
        (Q, Q, V),
        (K, K, V),
    ),
    "one matrix used twice": (
        "You used the same matrix for two or all of queries, keys and values.",
        "Use three: `w_q`, `w_k` and `w_v`.",
        (Q, K, Q),
        (V, K, V),
        *((each, each, each) for each in RIGHT),
    ),
    "the matrices in another order": (
        "You mixed up the three matrices: the queries are not made with `w_q`, nor the values with `w_v`.",
        "The queries are made with `w_q`, the keys with `w_k`, the values with `w_v`. In which order do you assign or pass "
        "them?",
        (V, K, Q),
        (K, V, Q),
        (V, Q, K),
    ),
    "not projected": (
        "You computed the scores from the tokens themselves. In general, a score compares a query with a key, and a learned "
        "matrix makes each of them.",
        "Which of queries, keys and values do you get without a matrix? Use `w_q`, `w_k` and `w_v`.",
        (None, None, V),
        (None, None, None),
        (None, K, V),
        (Q, None, V),
    ),
    "the tokens averaged": (
        "Your weights are right, but you averaged the tokens themselves. What a token passes on is its value, and `w_v` makes "
        "it.",
        "Average what `w_v` makes.",
        (Q, K, None),
    ),
}

INPUTS = {
    "keys or values from the query": (
        "You compute keys, values or both from `query`. In self-attention that is the same input; in cross-attention they "
        "come from the other sequence.",
        "Keys come from `key`, values from `value`.",
        (0, 0, 0),
        (0, 0, 2),
        (0, 1, 0),
    ),
    "keys and values from one input": (
        "You compute keys and values from the same input. Often the two are the same tensor, but this class takes them "
        "separately.",
        "Keys come from `key`, values from `value`.",
        (0, 1, 1),
        (0, 2, 2),
    ),
    "key and value swapped": (
        "`key` and `value` are swapped: you compute the keys from `value` and the values from `key`.",
        "The order of the arguments is query, key, value.",
        (0, 2, 1),
    ),
    "the query not first": (
        "Your `forward` takes its arguments in another order, such as values, keys, query. It is called with query, key, "
        "value and mask, in this order, so your queries come from something other than `query`.",
        "The order of the arguments is query, key, value, and queries come from `query`.",
        *(order for order in permutations(range(3)) if order[0]),
    ),
}
