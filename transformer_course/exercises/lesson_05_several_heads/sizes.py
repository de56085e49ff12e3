"""Sheet 05, with pencil and paper: how many weights several heads have."""

import numpy as np

from ..exercise import Mistake
from ..kinds import Number
from ..toolkit import number_at

# d_model = 24, three heads with d_k = 4 and d_v = 6; then six heads with half of both
RIGHT = [288, 288, 432, 432, 1440]


def _with(**counts):
    """The right numbers with some replaced; unless it is replaced too, the last stays right."""
    places = {"w_q": 0, "w_k": 1, "w_v": 2, "w_o": 3, "halved": 4}
    answer = list(RIGHT)
    for name, count in counts.items():
        answer[places[name]] = count
    return answer


sizes = Number(
    id="heads.sizes",
    answer_name="counts",
    prompt="The numbers of parameters in W_Q, W_K, W_V and W_O, for heads whose widths do not add up to d_model.",
    value=RIGHT,
    atol=0.01,
    labels=("W_Q", "W_K", "W_V", "W_O", "all four matrices with six heads"),
    why="The number of parameters depends on the total width of all heads, not on how many heads share it.",
    hints=(
        "Write the shape of each matrix down first. All heads' matrices stand side by side: how many columns has W_Q?",
        "W_Q has 24 rows, one for each number of a token, and 3 × 4 columns. W_V is as high and has other columns. W_O takes "
        "what the heads bring, side by side: how wide is that?",
        "W_Q and W_K are 24 × 12, W_V is 24 × 18, and W_O is 18 × 24. With six heads of half the widths, what becomes of the "
        "12 and the 18?",
    ),
    mistakes=(
        Mistake(
            "the columns counted",
            "These are the widths of the four results, so many columns has each matrix. It has a weight in every row of each "
            "column.",
            "W_Q has 12 columns of 24 rows each.",
            [12, 12, 18, 24, 60],
            variants=([12, 12, 18, 24, 1440], [12, 12, 18, 18, 1440]),
            recognise=lambda seen: np.allclose(seen[:3], [12, 12, 18]),
        ),
        Mistake(
            "d_model / num_heads assumed",
            "576 is 24 × 24. That would be so if d_k and d_v were d_model / num_heads, which is 8. Nothing "
            "demands it, and here a head is 4 and 6 wide.",
            "Use the d_k and d_v that are given: three heads of d_k = 4 give W_Q 12 columns.",
            [576, 576, 576, 576, 2304],
            recognise=lambda seen: np.allclose(seen[:3], 576),
        ),
        Mistake(
            "one head only",
            "For one head, W_Q and W_K do have 24 × 4 = 96 weights. There are three heads, each with matrices of its own, and "
            "each reads all 24 numbers of a token.",
            "Count the matrices of all three heads together.",
            [96, 96, 144, 144, 1440],
            variants=([96, 96, 144, 432, 1440], [96, 96, 144, 144, 240]),
            recognise=lambda seen: np.allclose(seen[:3], [96, 96, 144]),
        ),
        Mistake(
            "squares of the heads' widths",
            "You gave W_Q 12 rows and W_V 18, as many as columns. They have a row for each number of a token, and a token is "
            "24 wide.",
            "W_Q leads from 24 numbers to 12.",
            [144, 144, 324, 324, 936],
            variants=([144, 144, 324, 432, 1044],),
            recognise=lambda seen: np.allclose(seen[:3], [144, 144, 324]),
        ),
        Mistake(
            "d_k and d_v exchanged",
            "These would be the numbers if queries and keys were 6 wide, and values 4. It is the other way: d_k belongs to "
            "queries and keys, d_v to values.",
            "Three heads of d_k = 4 give W_Q 12 columns.",
            [432, 432, 288, 288, 1440],
            recognise=lambda seen: np.allclose(seen[:3], [432, 432, 288]),
        ),
        Mistake(
            "the heads counted twice",
            "864 is three times W_Q. Its 12 columns are those of all three heads already: 4 for each.",
            "3 × 4 columns, and each as high as a token is wide.",
            [864, 864, 1296, 1296, 4320],
            recognise=lambda seen: np.allclose(seen[:2], 864),
        ),
        Mistake(
            "biases counted too",
            "You added a bias for each column. The exercise counts weights alone.",
            "Rows times columns of each matrix, and nothing else.",
            [300, 300, 450, 456, 1506],
            recognise=lambda seen: np.allclose(seen[:4], [300, 300, 450, 456]),
        ),
        Mistake(
            "values as wide as keys",
            "You gave W_V the width of the keys. Keys are compared with queries, so these two share d_k; values are mixed, "
            "and have a width of their own, d_v = 6.",
            "W_V has 3 × 6 columns.",
            _with(w_v=288, w_o=288, halved=1152),
            variants=(_with(w_v=288), _with(w_v=288, halved=1296)),
            recognise=number_at(2, 288),
        ),
        Mistake(
            "W_O square",
            "576 is 24 × 24. W_O is not square: it has one row for each number that the heads bring, side by side.",
            "How many numbers do three heads of d_v = 6 hand over for one token?",
            _with(w_o=576),
            variants=(_with(w_o=576, halved=1584),),
            recognise=number_at(3, 576),
        ),
        Mistake(
            "W_O as wide as the heads",
            "324 is 18 × 18. W_O takes the 18 numbers of all heads in, and gives back a vector as wide as the tokens are.",
            "From which width to which does W_O lead?",
            _with(w_o=324),
            variants=(_with(w_o=324, halved=1332),),
            recognise=number_at(3, 324),
        ),
        Mistake(
            "W_O fed with keys",
            "288 would be right if W_O had 3 × 4 = 12 rows. But what the heads bring are mixtures of values, and these are 6 "
            "wide.",
            "Three mixtures of width d_v stand side by side.",
            _with(w_o=288),
            variants=(_with(w_o=288, halved=1296),),
            recognise=number_at(3, 288),
        ),
        Mistake(
            "W_O for one head",
            "144 is 6 × 24: so much of W_O belongs to a single head. It has such rows for each of the three.",
            "W_O has h·d_v rows.",
            _with(w_o=144),
            variants=(_with(w_o=144, halved=1152),),
            recognise=number_at(3, 144),
        ),
        Mistake(
            "one W_O for each head",
            "1296 is three times W_O. There is one W_O for all heads together; its 18 rows are shared out among them, 6 for "
            "each.",
            "18 rows, 24 columns, once.",
            _with(w_o=1296),
            variants=(_with(w_o=1296, halved=2304),),
            recognise=number_at(3, 1296),
        ),
        Mistake(
            "the heads doubled, the widths kept",
            "The first four are right. The last is the sum for six heads of the old widths; each of the six is only half as "
            "wide.",
            "What is 6 × 2, and what is 6 × 3?",
            _with(halved=2880),
        ),
        Mistake(
            "one of the widths kept",
            "The first four are right. In the last, only one of d_k and d_v is halved. Both are: six heads of 2 and 3.",
            "What is 6 × 2, and what is 6 × 3?",
            _with(halved=2304),
            variants=(_with(halved=2016),),
        ),
        Mistake(
            "half of all weights",
            "The first four are right. 720 is half of what is asked for last. Only d_k and d_v are halved there: the heads "
            "are six now, and a token is still 24 numbers wide.",
            "What is 6 × 2, and what is 6 × 3?",
            _with(halved=720),
        ),
        Mistake(
            "a quarter of all weights",
            "The first four are right. 360 is a quarter of what is asked for last. Only d_k and d_v are halved there: the "
            "heads are six now, and a token is still 24 numbers wide.",
            "W_Q keeps its 24 rows; how many columns have six heads of 2?",
            _with(halved=360),
        ),
        Mistake(
            "W_O left out of the sum",
            "The first four are right. 1008 are the weights of W_Q, W_K and W_V; W_O is the fourth.",
            "Add W_O, as it is with six heads of d_v = 3.",
            _with(halved=1008),
        ),
        Mistake(
            "one matrix of the four",
            "The first four are right. The last number is asked for all four matrices together, and this is one of them.",
            "Add the four up, as they are with six heads of 2 and 3.",
            _with(halved=288),
            variants=(_with(halved=432),),
        ),
        Mistake(
            "one head of the six",
            "The first four are right. 240 is what a single head of the six needs, its share of W_O included.",
            "Six such heads.",
            _with(halved=240),
        ),
    ),
)
