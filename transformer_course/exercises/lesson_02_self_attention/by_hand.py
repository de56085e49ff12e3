"""Sheet 02, on paper: weights and outputs by hand, and a table to read."""

import numpy as np

from ..families import adapted, named
from ..families.softmax import SOFTMAX, exp_0_lost, other_scores
from ..kinds import Number, TwoTier
from ..toolkit import known, softmax

SCORES = np.array([4.0, 0.0, 2.0])  # of scarlet

SCALED = (
    "You divided the scores by √d_k. The original Transformer paper does so, and lesson 03 shows why. This exercise asks for "
    "the unscaled form.",
    "Leave out the division here.",
    softmax(SCORES / np.sqrt(2)),
)


def _itself_left_out(answer):
    return (
        "You left out the token itself. A token attends to itself too: its own score and value take part like all others.",
        "How many weights are there, if the token itself gets one?",
        answer,
    )


by_hand = Number(
    id="attention.by_hand",
    answer_name="weights_1",
    prompt="The attention weights of scarlet = [2, 0] among [2, 0], [0, 1], [1, 1].",
    value=softmax(SCORES),
    atol=1.5e-4,
    labels=("scarlet", "car", "orange"),
    why=(
        "Softmax turns differences between scores into ratios between weights: a score that is 2 higher gets e² ≈ 7.4 "
        "times the weight."
    ),
    hints=(
        "Start with the three scores of scarlet: its dot products with all three tokens, itself included.",
        "The scores are 4, 0 and 2. Take exp of each, and add up the three results.",
        "54.598 + 1 + 7.389 = 62.987. Divide each of the three exponentials by this sum.",
    ),
    mistakes={
        **adapted(named(SOFTMAX, "scores divided by their sum"), lambda weigh: weigh(SCORES)),
        "the scores themselves": (
            "Your scores are right. They are not weights yet: both steps of softmax are missing.",
            "Take exp of each score, then divide by the sum of the three results.",
            [4.0, 0.0, 2.0],
        ),
        "powers of 2": (
            "You took powers of 2: 16, 1 and 4. Softmax takes powers of e, which is 2.718….",
            "exp(4) = 54.598, exp(0) = 1, exp(2) = 7.389. Divide each by their sum.",
            [16 / 21, 1 / 21, 4 / 21],
        ),
        "scaled by √d_k": SCALED,
        "in percent": known(
            "Your weights are right, but in percent. Weights sum to 1.",
            "Divide each number by 100.",
            100 * softmax(SCORES),
            recognise=lambda seen: np.allclose(seen, 100 * softmax(SCORES), atol=0.02),
        ),
        "exp(0) lost": exp_0_lost(SCORES),
        "its own score too small": (
            "These are the weights for the scores 2, 0 and 2. The score of scarlet with itself is larger: 2 × 2, not 2 × 1.",
            "Multiply coordinate by coordinate: [2, 0] · [2, 0].",
            softmax(np.array([2.0, 0.0, 2.0])),
        ),
        "itself left out": _itself_left_out(softmax(np.array([-np.inf, 0.0, 2.0]))),
        "cosines": (
            "You divided each dot product by the lengths of both tokens. That gives the cosine of the angle between them; "
            "attention uses the dot product as it is.",
            "The scores are 4, 0 and 2.",
            softmax(np.array([1.0, 0.0, 0.5**0.5])),
        ),
        "another token's row": (
            "These are the weights of another token, orange or car (in the lesson, red or car). The exercise asks for scarlet's.",
            "Start with the score of scarlet with itself: 2 × 2 + 0 × 0.",
            softmax(np.array([2.0, 1.0, 2.0])),
            softmax(np.array([0.0, 1.0, 1.0])),
        ),
        "not divided by the sum": known(
            "These are the exponentials, and they are right. Weights sum to 1, and these do not yet.",
            "Add up the three numbers, and divide each of them by the sum.",
            np.exp([4.0, 0.0, 2.0]),
            recognise=lambda seen: np.allclose(seen, np.exp([4.0, 0.0, 2.0]), rtol=1e-2),
        ),
        "one factor forgotten": (
            "These are the weights for the scores 2, 0 and 1. You took the first coordinate of each token as its score, but "
            "a dot product multiplies the coordinates of both tokens.",
            "The score of scarlet with itself is 2 × 2 + 0 × 0.",
            softmax(np.array([2.0, 0.0, 1.0])),
        ),
        "another order": known(
            "Your three numbers are right, but they are in the wrong order.",
            "Give the weight of scarlet itself first, then that of car, then that of orange.",
            softmax(np.array([0.0, 2.0, 4.0])),
            recognise=lambda seen: np.allclose(np.sort(seen), np.sort(softmax(SCORES)), atol=1.5e-4),
        ),
        "lengths instead of dot products": (
            "You used the length of each token as its score. A length says nothing about how well the token matches scarlet.",
            "Multiply coordinate by coordinate, then add. Scarlet with car gives 2 × 0 + 0 × 1 = 0.",
            softmax(np.array([2.0, 1.0, np.sqrt(2)])),
        ),
        "other scores": other_scores(SCORES, "Work out the three dot products once more, coordinate by coordinate."),
    },
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
    mistakes={
        "a zero token receives nothing": (
            "You turned a score of 0 into a weight of 0. But the weights are exponentials divided by their sum, and exp(0) "
            "is not 0.",
            "What is exp(0)? Compute the four weights from it.",
            [0.0, 0.0],
        ),
        "itself left out": _itself_left_out([2 / 3, 2 / 3]),
        "the weight instead of the output": (
            "1/4 is the weight of each token, and it is right. The output is the weighted average of the values, so one "
            "step is missing.",
            "Compute 1/4 × [1, 0] + 1/4 × [0, 1] + 1/4 × [1, 1] + 1/4 × [0, 0].",
            [0.25, 0.25],
            [0.25] * 4,
        ),
        "the weights do not sum to 1": (
            "You added up the values as they are, or halved. Then their weights would sum to 4 or to 2, but weights always sum "
            "to 1.",
            "There are four tokens. Multiply each value by its weight before you add.",
            [2.0, 2.0],
            [1.0, 1.0],
        ),
    },
)

ROW_1, ROW_2 = 0.6652 / 0.2447, 0.7856 / 0.1753  # the largest weight by the second largest

wrong_row = TwoTier(
    id="attention.wrong_row",
    prompt="Find the wrong row of a printed table of weights without computing a softmax.",
    right={"claim": "b", "reason": "b", "value": ROW_2},
    values={"a": ROW_1, "b": ROW_2, "c": ROW_1, "d": ROW_1},  # row 3 has row 1's weights; with no suspect, it is row 1
    atol=0.02,
    why=(
        "Softmax depends only on differences between scores, so adding the same number to every score of a row must leave "
        "its weights unchanged."
    ),
    hints=(
        "Rounding to four digits can change a sum by about 0.0001, so that does not make a row wrong.",
        "Compare the scores of rows 1 and 2. What was added to each of them?",
        "Adding 4 to every score of a row changes no weight. So rows 1 and 2 should match, but they don't: one of the two "
        "is wrong. A score that is 1 higher must get e = 2.718 times the weight. In which of the two rows does it not?",
    ),
    mistakes={
        "the sum must be exactly 1": (
            "You expected each row to sum to exactly 1. Each of the three numbers is rounded, by up to 0.00005, so a correct "
            "row can sum to 0.9999. And a sum of exactly 1 does not show that a row is right.",
            "Compare the weights within a row with each other: divide one by another.",
            {"reason": "a"},
        ),
        "columns must sum to 1": (
            "You expected the columns to sum to 1. Each row is divided by its own sum, so the rows do. Nothing makes the "
            "columns do so: the first column of the lesson's weights sums to 0.79.",
            "Compare the scores of rows 1 and 2.",
            {"reason": "c"},
        ),
        "larger scores, larger weights": (
            "You explained row 2 by its larger scores. Larger *differences* make the largest weight larger, but the "
            "differences in row 2 are those of row 1.",
            "In the lesson you added 1000 to all scores of a row. What happened to the weights?",
            {"reason": "d"},
        ),
        "the wrong one of the pair": (
            "Your reason is right: rows 1 and 2 should match, but they don't. The wrong one is not row 1, though. Its scores "
            "3 and 2 have weights 0.6652 and 0.2447, and their ratio is 2.72, which is e, as it must be.",
            "Divide the same two weights in row 2.",
            {"claim": "a", "reason": "b"},
        ),
        "no row suspected": (
            "You suspect no row. Every row sums to 1, apart from rounding, but such a row can still be wrong.",
            "Compare the scores of rows 1 and 2, and then their weights.",
            {"claim": "d"},
        ),
        "the row in another order": (
            "You suspect row 3. It has the scores of row 1 in a different order, and the weights of row 1 in that same order, "
            "as it must.",
            "Compare the scores of rows 1 and 2, and then their weights.",
            {"claim": "c"},
        ),
        "the ratio upside down": (
            "You divided the second largest weight by the largest.",
            "Turn the fraction upside down.",
            0.1753 / 0.7856,
        ),
        "divided by the smallest": (
            "You divided the largest weight of row 2 by the smallest. The exercise asks you to divide by the second largest.",
            "The second largest weight of row 2 is the one for the score that is 1 lower.",
            0.7856 / 0.0391,
        ),
        "the ratio as it should be": (
            "Your value is e, which is what the ratio should be. The exercise asks for the ratio that the printed row has.",
            "Divide the two printed weights of row 2.",
            float(np.e),
        ),
    },
)
