"""Sheet 03: what a table of training runs says about the scale, and what it does not.

The table was measured with the look-up of the lesson (`experiments.lookup`, d_k 64, seeds 0, 1, 2), its first W_Q and W_K
multiplied as the table says: the step at which the mean loss of the last ten steps first is below 0.5. With three more seeds
the order stays: A and C take 69 to 117 steps, B, D and E 144 to 389.
"""

from ..kinds import TwoTier

COMPARE = (
    "For each row, compute the standard deviation of its first scores: √64 times both factors, divided by √64 "
    "where the table says so."
)

saturated = TwoTier(
    id="attention.saturated",
    prompt="What makes training slow? Work it out from a table of five ways to start.",
    right={"claim": "b", "reason": "b", "value": 8.0},
    atol=0.1,
    why=(
        "What matters is how far apart the scores are: once softmax puts nearly all the weight on one token, hardly "
        "any gradient passes through it."
    ),
    hints=(
        "A cause must fit all five rows. Take the claims one by one, and look for a row, or a pair of rows, that "
        "contradicts them.",
        "Queries and keys whose entries have standard deviations s and t give scores with standard deviation s · t · "
        "√d_k. The division removes √d_k = 8 again. What do you get for each row?",
        "In row A you get 1 · 1 · 8 / 8 = 1, and in row B 1 · 1 · 8 = 8. Go on with C, D and E, and compare with the steps.",
    ),
    mistakes={
        "the division blamed": (
            "Row C does not divide, but it is the fastest of all. Row E divides, but it is the slowest. So the "
            "division alone does not decide.",
            COMPARE,
            {"claim": "a"},
        ),
        "large matrices blamed": (
            "Row B is slow as well, although its W_Q and W_K start exactly as in row A. So training can be slow "
            "without a large matrix.",
            COMPARE,
            {"claim": "c"},
        ),
        "nothing but chance": (
            "Different seeds do take different numbers of steps. But the slowest run of A and C took 99 steps, and the "
            "fastest of B, D and E took 149: all six fast runs are faster than all nine slow ones. Chance alone is "
            "very unlikely to sort fifteen runs like that.",
            COMPARE,
            {"claim": "d"},
        ),
        **{
            f"a reason that fits claims b and {claim}": (
                f"Your claim is right. A and {row} do differ only in {what}, and {row} is slower. But that supports claim {claim} "
                f"just as well as yours. It does not show which of the two matters, {what} or the size of the first scores.",
                "Which reason would rule out claims a and c?",
                {"reason": claim},
            )
            for claim, row, what in (("a", "B", "the division"), ("c", "E", "the size of W_Q"))
        },
        "a reason for doubt": (
            "Runs of the same row do differ, which is a reason to look at several of them. But here the fast rows and the "
            "slow rows do not even overlap, and this reason supports no claim about a cause.",
            "Which reason would rule out claims a and c?",
            "d",
        ),
        "the division left out": (
            "64 is the standard deviation of the dot products in row E before the division.",
            "Divide 64 by √64.",
            64.0,
        ),
        "multiplied where one divides": (
            "You multiplied 64 by √64, but the scores are divided by it.",
            "What is 64 divided by √64?",
            512.0,
        ),
        "the division cures everything": (
            "The division brings the standard deviation of the scores to 1 only if the entries of queries and keys have a "
            "standard deviation of 1. In row E, the entries of the queries have a standard deviation of 8.",
            "Multiply the standard deviations of the queries' and the keys' entries by √64, then divide by √64.",
            1.0,
        ),
        "the root of the factor": (
            "A factor of 8 in W_Q makes every query 8 times as long, and every score 8 times as large. You don't take a "
            "square root of it.",
            "Multiply the standard deviations of the queries' and the keys' entries by √64, then divide by √64.",
            8**0.5,
        ),
    },
)
