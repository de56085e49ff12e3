"""Sheet 05, with pencil and paper: how many weights several heads have."""

import numpy as np

from ..kinds import Number
from ..toolkit import known

# d_model = 24, three heads with d_k = 4 and d_v = 6; then six heads with half of both
RIGHT = [288, 288, 432, 432, 1440]


def _begins(diagnosis, hint, numbers):
    """A mistake that is recognised by the numbers at the beginning, whatever the rest is, such as this one."""
    first, rest = numbers
    return known(diagnosis, hint, first + rest, recognise=lambda seen: np.allclose(seen[: len(first)], first))


def _at_the_end(*numbers):
    return [[*RIGHT[:4], number] for number in numbers]


sizes = Number(
    id="heads.sizes",
    answer_name="counts",
    prompt="The numbers of parameters in W_Q, W_K, W_V and W_O, for heads whose widths do not add up to d_model.",
    value=RIGHT,
    atol=0.01,
    labels=("W_Q", "W_K", "W_V", "W_O", "all four matrices with six heads"),
    why="The number of parameters depends on the total width of all heads, not on how many heads share it.",
    hints=(
        "First write down the shape of each matrix. The matrices of all heads are side by side. How many columns does W_Q "
        "have?",
        "W_Q has 24 rows, one for each number of a token, and 3 × 4 columns. W_V has as many rows, but a different number of "
        "columns. W_O takes the concatenated outputs of all heads. How wide are they?",
        "W_Q and W_K are 24 × 12, W_V is 24 × 18, and W_O is 18 × 24. With six heads of half the width, what happens to the "
        "12 and the 18?",
    ),
    mistakes={
        "the columns counted": _begins(
            "You gave the number of columns of each matrix. But a matrix has a parameter in every row of each column.",
            "W_Q has 12 columns with 24 rows each.",
            ([12, 12, 18], [24, 60]),
        ),
        "d_model / num_heads assumed": _begins(
            "You gave 576 = 24 × 24. That would be right if d_k and d_v were d_model / num_heads = 8. They need not be, and "
            "here they are 4 and 6.",
            "Use the given d_k and d_v: three heads of d_k = 4 give W_Q 12 columns.",
            ([576, 576, 576], [576, 2304]),
        ),
        "one head only": _begins(
            "You counted one head: its W_Q and W_K do have 24 × 4 = 96 parameters. But there are three heads, each with its "
            "own matrices, and each reads all 24 numbers of a token.",
            "Count the matrices of all three heads together.",
            ([96, 96, 144], [144, 1440]),
        ),
        "squares of the heads' widths": _begins(
            "You gave W_Q 12 rows and W_V 18, as many as they have columns. But they have one row for each number of a token, "
            "which has 24.",
            "W_Q maps 24 numbers to 12.",
            ([144, 144, 324], [324, 936]),
        ),
        "d_k and d_v swapped": _begins(
            "You swapped the widths: this would be right if queries and keys had width 6, and values width 4. d_k belongs to "
            "queries and keys, d_v to values.",
            "Three heads of d_k = 4 give W_Q 12 columns.",
            ([432, 432, 288], [288, 1440]),
        ),
        "the heads counted twice": _begins(
            "You gave 864, which is three times W_Q. But its 12 columns are already those of all three heads, 4 for each.",
            "W_Q has 3 × 4 columns and as many rows as a token has numbers.",
            ([864, 864], [1296, 1296, 4320]),
        ),
        "biases counted too": _begins(
            "You added a bias for each column. The exercise asks for the matrices without biases.",
            "Multiply rows by columns for each matrix, and add nothing.",
            ([300, 300, 450, 456], [1506]),
        ),
        "values as wide as keys": _begins(
            "You gave W_V the width of the keys. Keys are compared with queries, so those two share d_k. Values are averaged, "
            "and have their own width, d_v = 6.",
            "W_V has 3 × 6 columns.",
            ([288, 288, 288], [288, 1152]),
        ),
        "W_O square": (
            "You gave 576 = 24 × 24. But W_O is not square here: it has one row for each number in the concatenated outputs "
            "of the heads.",
            "How many numbers do three heads of d_v = 6 output for one token?",
            {3: 576},
        ),
        "W_O as wide as the heads": (
            "You gave 324 = 18 × 18. W_O takes the 18 numbers of all heads, but it returns a vector as wide as a token.",
            "W_O maps which width to which?",
            {3: 324},
        ),
        "W_O fed with keys": (
            "You gave W_O 3 × 4 = 12 rows. But the outputs of the heads are averages of values, and these have width 6.",
            "Three averages of width d_v are concatenated.",
            {3: 288},
        ),
        "W_O for one head": (
            "You gave 144 = 6 × 24, which counts only the rows of W_O for a single head. There are three heads.",
            "W_O has h·d_v rows.",
            {3: 144},
        ),
        "one W_O for each head": (
            "You gave 1296, which is three times W_O. There is one W_O for all heads together, and 6 of its 18 rows belong to "
            "each head.",
            "Count 18 rows and 24 columns once.",
            {3: 1296},
        ),
        "a width kept": (
            "Your first four numbers are right. The last is the sum for six heads with the old d_k, the old d_v, or both. But "
            "each of the six is only half as wide: 2 and 3.",
            "What is 6 × 2, and what is 6 × 3?",
            *_at_the_end(2880, 2304, 2016),
        ),
        "a part of all weights": (
            "Your first four numbers are right. For the last one, you took half or a quarter of all weights. Only d_k and d_v "
            "are halved. There are six heads now, and a token still has 24 numbers.",
            "W_Q keeps its 24 rows. How many columns do six heads of width 2 have?",
            *_at_the_end(720, 360),
        ),
        "W_O left out of the sum": (
            "Your first four numbers are right. 1008 is the sum of W_Q, W_K and W_V, without W_O.",
            "Add W_O for six heads of d_v = 3.",
            *_at_the_end(1008),
        ),
        "one matrix of the four": (
            "Your first four numbers are right. The last should be the sum of all four matrices, but you gave only one of "
            "them.",
            "Add up the four matrices for six heads of widths 2 and 3.",
            *_at_the_end(288, 432),
        ),
        "one head of the six": (
            "Your first four numbers are right. 240 is what a single one of the six heads needs, with its part of W_O.",
            "There are six such heads.",
            *_at_the_end(240),
        ),
    },
)
