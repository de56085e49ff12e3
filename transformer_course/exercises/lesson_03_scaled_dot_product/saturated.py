"""Sheet 03: what a table of training runs says about the scale, and what it does not.

The table was measured with the look-up of the lesson (`experiments.lookup`, d_k 64, seeds 0, 1, 2), its first W_Q and W_K
multiplied as the table says: the step at which the mean loss of the last ten steps first is below 0.5. With three more seeds
the order stays: A and C take 69 to 117 steps, B, D and E 144 to 389.
"""

from ..exercise import Mistake
from ..kinds import TwoTier

COMPARE = "Work out for each row how far its first scores spread: √64 times both factors, and divided by √64 where it says so."

saturated = TwoTier(
    id="attention.saturated",
    answer_name="verdict",
    prompt="What makes training slow: read it from a table of five ways to start.",
    right={"claim": "b", "reason": "b", "value": 8.0},
    choices={"claim": "abcd", "reason": "abcd"},
    atol=0.1,
    why=(
        "What matters is how far apart the scores are: once softmax puts nearly all the weight on one token, almost no "
        "gradient passes through it."
    ),
    hints=(
        "A cause must fit all five rows. Take the claims one by one, and look for a row, or a pair of rows, that contradicts.",
        "Queries and keys with entries of spread s and t give scores of spread s · t · √d_k, and the division takes √d_k = 8 away again. "
        "How far do the first scores spread in each row?",
        "In A: 1 · 1 · 8 / 8 = 1. In B: 1 · 1 · 8 = 8. Go on with C, D and E, and write the steps beside.",
    ),
    mistakes=(
        Mistake(
            "no division, no speed",
            "Row C has no division and is the fastest of all; row E has it and is the slowest. So the division alone does not decide.",
            COMPARE,
            {"claim": "a"},
        ),
        Mistake(
            "a matrix of large numbers",
            "Row B is slow as well, and there W_Q and W_K start exactly as in row A. So a large matrix is not needed to make it slow.",
            COMPARE,
            {"claim": "c"},
        ),
        Mistake(
            "nothing but chance",
            "The seeds do differ, but the slowest run of A and C took 99 steps, and the quickest of B, D and E 149: all six fast "
            "runs are faster than all nine slow ones. Chance hardly sorts fifteen runs like that.",
            COMPARE,
            {"claim": "d"},
        ),
        Mistake(
            "a reason that fits two claims",
            "The claim fits. A and B do differ in the division alone, and B is slower; but that speaks as well for claim a as for "
            "yours. It cannot tell whether it is the division that counts or how far the scores spread.",
            "Which reason would rule out claims a and c?",
            {"reason": "a"},
        ),
        Mistake(
            "another reason that fits two claims",
            "The claim fits. A and E do differ in W_Q alone, and E is slower; but that speaks as well for claim c as for yours. It cannot "
            "tell whether it is the large matrix that counts or how far the scores spread.",
            "Which reason would rule out claims a and c?",
            {"reason": "c"},
        ),
        Mistake(
            "a reason for doubt",
            "The claim fits. That runs of one row differ is so, and it is a reason to look at several. Here the fast rows and the "
            "slow ones do not even overlap; and it supports no claim about a cause.",
            "Which reason would rule out claims a and c?",
            {"reason": "d"},
        ),
        Mistake(
            "the division left out",
            "Claim and reason are right. 64 is how far the dot products of row E spread before the division.",
            "What is left of 64 after the division?",
            {"claim": "b", "reason": "b", "value": 64.0},
        ),
        Mistake(
            "the division cures everything",
            "Claim and reason are right. The division brings scores to a spread of 1 only if the entries of queries and keys have a "
            "spread of 1. In row E, those of the queries have 8.",
            "Spread of the queries' entries, times that of the keys', times √64, divided by √64.",
            {"claim": "b", "reason": "b", "value": 1.0},
        ),
        Mistake(
            "the root of the factor",
            "Claim and reason are right. A factor of 8 in W_Q makes every query 8 times as long, and with it every score; no root is taken "
            "of it.",
            "Spread of the queries' entries, times that of the keys', times √64, divided by √64.",
            {"claim": "b", "reason": "b", "value": 8**0.5},
        ),
    ),
)
