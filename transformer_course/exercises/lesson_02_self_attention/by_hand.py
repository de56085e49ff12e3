"""Sheet 02, with pencil and paper: numbers in the head, and a table to read."""

import numpy as np

from ..exercise import Mistake
from ..kinds import Number, TwoTier
from .softmax import softmax

by_hand = Number(
    id="attention.by_hand",
    answer_name="weights_1",
    prompt="The attention weights of token 1 among [2, 0], [0, 1], [1, 1].",
    value=softmax(np.array([4.0, 0.0, 2.0])),
    atol=1.5e-4,
    labels=("token 1", "token 2", "token 3"),
    why=(
        "Softmax turns differences between scores into ratios between weights: a score that is 2 higher gets e² ≈ 7.4 "
        "times the weight."
    ),
    hints=(
        "Start with the three scores of token 1: its dot product with each of the three tokens, itself included.",
        "The scores are 4, 0 and 2. Take exp of each, and add the three up.",
        "54.598 + 1 + 7.389 = 62.987. Divide each of the three by this sum.",
    ),
    mistakes=(
        Mistake(
            "shares of the scores",
            "These are the scores divided by their sum. Softmax takes exp of each score first; that is why a score of 0 "
            "still gets a weight, and a negative one would too.",
            "exp(4) = 54.598, exp(0) = 1, exp(2) = 7.389: now make these sum to 1.",
            [4 / 6, 0.0, 2 / 6],
        ),
        Mistake(
            "the scores themselves",
            "These are the scores, and right. Weights are made of them in two more steps.",
            "exp(4) = 54.598, exp(0) = 1, exp(2) = 7.389: now make these sum to 1.",
            [4.0, 0.0, 2.0],
        ),
        Mistake(
            "scaled by √d",
            "You divided the scores by √2. The paper does so, and lesson 03 shows why; this example is unscaled, as the "
            "lesson's is.",
            "Leave the scores as they are: 4, 0, 2.",
            softmax(np.array([4.0, 0.0, 2.0]) / np.sqrt(2)),
        ),
        Mistake(
            "another token's row",
            "These are right numbers for token 3. Token 1 is [2, 0]; take its dot products.",
            "Token 1 with itself: 2 × 2 + 0 × 0.",
            softmax(np.array([2.0, 1.0, 2.0])),
        ),
        Mistake(
            "not divided by the sum",
            "These are the exponentials themselves. Weights sum to 1.",
            "Add the three numbers up, and divide each by the sum.",
            np.exp([4.0, 0.0, 2.0]),
            recognise=lambda seen: np.allclose(seen, np.exp([4.0, 0.0, 2.0]), rtol=1e-2),
        ),
        Mistake(
            "one factor forgotten",
            "These are the weights for scores 2, 0 and 1. You took the coordinates of the other token, and forgot to "
            "multiply by token 1's own 2.",
            "Token 1 with itself: 2 × 2 + 0 × 0.",
            softmax(np.array([2.0, 0.0, 1.0])),
        ),
        Mistake(
            "another order",
            "The right three numbers, in the wrong order.",
            "First the weight that token 1 gives itself, then that of token 2, then that of token 3.",
            softmax(np.array([0.0, 2.0, 4.0])),
            recognise=lambda seen: np.allclose(np.sort(seen), np.sort(softmax(np.array([4.0, 0.0, 2.0]))), atol=1.5e-4),
        ),
        Mistake(
            "lengths instead of dot products",
            "You compared token 1 with how long each token is. The score is a dot product: multiply coordinate by "
            "coordinate, then add.",
            "Token 1 · token 2 = 2 × 0 + 0 × 1 = 0.",
            softmax(np.array([2.0, 1.0, np.sqrt(2)])),
        ),
    ),
)

zero_token = Number(
    id="attention.zero_token",
    answer_name="z_4",
    prompt="The output of a fourth token [0, 0] that joins the lesson's three.",
    value=[0.5, 0.5],
    atol=6e-4,
    why="A query of zeros scores 0 with every key, and equal scores give equal weights, so the output is the plain mean.",
    hints=(
        "What does [0, 0] score with each of the four tokens?",
        "Four equal scores give four equal weights. How large is each?",
        "A quarter each: average the four values [1, 0], [0, 1], [1, 1], [0, 0], coordinate by coordinate.",
    ),
    mistakes=(
        Mistake(
            "a zero token receives nothing",
            "A zero query scores 0 with everyone, and exp(0) = 1: it is not shut out, it takes a little of everybody in "
            "equal parts.",
            "Four scores of 0 are four equal weights.",
            [0.0, 0.0],
        ),
        Mistake(
            "itself left out",
            "You averaged the three other tokens. A token attends to itself as well, so there are four weights, and its "
            "own value [0, 0] pulls the average down.",
            "Each of the four weights is 1/4.",
            [2 / 3, 2 / 3],
        ),
        Mistake(
            "the weight instead of the output",
            "1/4 is each token's weight. The output is the mixture: each value times its weight, added up.",
            "1/4 × [1, 0] + 1/4 × [0, 1] + 1/4 × [1, 1] + 1/4 × [0, 0].",
            [0.25, 0.25],
            variants=([0.25] * 4,),
        ),
        Mistake(
            "summed, not averaged",
            "You added the values up. The weights sum to 1, so the output is an average.",
            "Multiply each value by 1/4 before adding.",
            [2.0, 2.0],
        ),
    ),
)

ROW_1, ROW_2 = 0.6652 / 0.2447, 0.7856 / 0.1753  # the largest weight by the second largest

wrong_row = TwoTier(
    id="attention.wrong_row",
    answer_name="verdict",
    prompt="Find the wrong row of a printed table of weights without computing a softmax.",
    right={"claim": "b", "reason": "b", "value": ROW_2},
    values={"a": ROW_1, "b": ROW_2, "c": ROW_1, "d": ROW_2},  # row 3 has row 1's weights; who suspects none takes row 2
    choices={"claim": "abcd", "reason": "abcd"},
    atol=0.02,
    why=(
        "Softmax depends only on differences between scores, so adding the same number to every score of a row must leave "
        "its weights unchanged."
    ),
    hints=(
        "Rounding to four digits can move a sum by 0.0001 or so; no row can be condemned for that.",
        "Compare the scores of rows 1 and 2. What was added to each?",
        "Adding 4 to every score of a row changes no weight, so rows 1 and 2 must be alike and are not: one of the two is "
        "wrong. One point of score is a factor of e = 2.718 in weight: in which of the two is it not?",
    ),
    mistakes=(
        Mistake(
            "the sum must be exactly 1",
            "Three rounded numbers, each off by up to 0.00005, need not sum to exactly 1. Here it is the wrong row that sums "
            "to 1.0000: a right sum proves little.",
            "Look at how the weights within a row compare with each other.",
            {"reason": "a"},
        ),
        Mistake(
            "columns must sum to 1",
            "Each row is divided by its own sum, so the rows sum to 1. Nothing makes the columns do so: in the lesson, the "
            "first column summed to 0.79.",
            "Compare the scores of rows 1 and 2.",
            {"reason": "c"},
        ),
        Mistake(
            "larger scores, sharper weights",
            "Larger differences make weights sharper; larger scores do not. Row 2 has row 1's scores with 4 added to each, "
            "and as in the lesson with 1000, that changes no weight.",
            "So rows 1 and 2 must have equal weights. One of the two is wrong: which?",
            {"reason": "d"},
        ),
        Mistake(
            "the wrong one of the pair",
            "The reason fits: rows 1 and 2 must be alike, and are not. But which of them is wrong? In row 1, the weights of "
            "scores 3 and 2 are 0.6652 and 0.2447: the ratio is 2.72, which is e, as it must be.",
            "Make the same division in row 2.",
            {"claim": "a", "reason": "b"},
        ),
        Mistake(
            "no row suspected",
            "A table in which every row sums to 1, or nearly so, can be wrong all the same.",
            "Compare the scores of rows 1 and 2, and then their weights.",
            {"claim": "d"},
        ),
        Mistake(
            "the row in another order",
            "Row 3 has row 1's scores in another order, and row 1's weights in that same order, as it must.",
            "Compare the scores of rows 1 and 2, and then their weights.",
            {"claim": "c"},
        ),
        Mistake(
            "the ratio upside down",
            "Claim and reason are right. You divided the second largest weight by the largest.",
            "The largest weight over the second largest.",
            {"claim": "b", "reason": "b", "value": 0.1753 / 0.7856},
        ),
        Mistake(
            "the ratio as it should be",
            "Claim and reason are right. This is e, the ratio as it should be; asked for is the one that the printed row has.",
            "Divide the two printed weights of row 2.",
            {"claim": "b", "reason": "b", "value": float(np.e)},
        ),
    ),
)
