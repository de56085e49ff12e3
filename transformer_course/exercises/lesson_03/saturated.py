"""Sheet 03: what a table of training runs says about the scale, and what it does not.

The table was measured. One layer of attention (d_model 64, d_k 64) is to find, among 12 tokens drawn from 16 symbols, the one
with the query's symbol, and to name its class, one of 8. Symbols and classes have fixed random vectors (those of a query are
others than those of a key), W_Q and W_K start with entries of variance 1/64, a batch holds 64 samples, and Adam takes steps of
0.003 until the running mean of the cross-entropy (each step counts a tenth) is below 0.5. With six more seeds the order stays:
A and C take 57 to 149 steps, B and D 216 to 958.
"""

from ..exercise import Mistake
from ..kinds import TwoTier

# The rows that cannot decide between claims a and b: what both expect of them, and their steps.
UNDECIDED = {
    "A": ("is divided, and starts with small scores", "fast", (70.0, 61.0, 54.0)),
    "B": ("is not divided, and starts with large scores", "slow", (359.0, 206.0, 214.0)),
    "D": ("is not divided, and starts with large scores", "slow", (517.0, 666.0, 494.0)),
}

saturated = TwoTier(
    id="attention.saturated",
    answer="verdict",
    asks="What makes training slow: read it from a table of four ways to start.",
    minutes=10,
    right={"claim": "b", "reason": "b", "value": 95.0},
    choices={"claim": "abcd", "reason": "abcd"},
    atol=0.5,
    hints=(
        "A cause must fit all four rows. Take the claims one by one, and look for a row, or a pair of rows, that contradicts.",
        "Rows A and B start from the same matrices. Rows B, C and D are all without the division. What do fast rows have in "
        "common?",
        "A and C start with scores that spread by 1, B and D with scores that spread by 8. For the value, say of each row whether "
        "claim a expects it to be fast or slow, and whether claim b does.",
    ),
    mistakes=(
        Mistake(
            "no division, no speed",
            "Row C has no division either, and is about as fast as row A. So the missing division cannot be what slows B and D "
            "down.",
            "In what do the two fast rows agree, and the two slow ones?",
            {"claim": "a"},
        ),
        Mistake(
            "large matrices",
            "Rows A and B start from the very same matrices, and with each seed B takes more than three times as many steps. So the size of the "
            "entries alone does not decide.",
            "In what do the two fast rows agree, and the two slow ones?",
            {"claim": "c"},
        ),
        Mistake(
            "nothing but chance",
            "The seeds do differ, but the slowest run of A and C took 95 steps and the quickest of B and D 206: all of the six "
            "fast runs are faster than all of the six slow ones. Chance hardly sorts twelve runs like that.",
            "In what do the two fast rows agree, and the two slow ones?",
            {"claim": "d"},
        ),
        Mistake(
            "a reason that row C contradicts",
            "The claim fits. The reason is not what the table shows: row C is without the division, and took no more than 95 "
            "steps. Besides, it would speak for claim a.",
            "Which column puts the rows into the same order as the steps do?",
            {"reason": "a"},
        ),
        Mistake(
            "a reason that row D contradicts",
            "The claim fits. The reason is not what the table shows: W_Q is just as small in row D as in row C, and D is the "
            "slowest of all. A score is a product of both, and a small W_Q does not help when W_K is large.",
            "Which column puts the rows into the same order as the steps do?",
            {"reason": "c"},
        ),
        Mistake(
            "a reason for doubt",
            "The claim fits. That runs of one row differ is so, and it is a reason to look at several; here the fast rows and the "
            "slow ones do not even overlap, and it supports no claim about a cause.",
            "Which column puts the rows into the same order as the steps do?",
            {"reason": "d"},
        ),
        Mistake(
            "the quickest run",
            "Claim and reason are right, and so is the row. Asked for is the run that took longest there.",
            "The largest of the row's three numbers.",
            {"claim": "b", "reason": "b", "value": 58.0},
        ),
        Mistake(
            "the mean or the middle run",
            "Claim and reason are right, and so is the row. Asked for is the run that took longest there, and not a mean or "
            "the one in the middle.",
            "The largest of the row's three numbers.",
            {"claim": "b", "reason": "b", "value": 75.5},
        ),
        *(
            Mistake(
                f"a row on which both claims agree: {value} steps",
                f"Claim and reason are right. Of row {row} both claims say the same: it {has}, so it should be {pace}. So it cannot "
                "decide between the two.",
                "Look for the row that one claim expects to be slow, and the other does not.",
                {"claim": "b", "reason": "b", "value": value},
            )
            for row, (has, pace, steps) in UNDECIDED.items()
            for value in steps
        ),
    ),
)
