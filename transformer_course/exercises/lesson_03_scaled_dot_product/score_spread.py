"""Sheet 03, by hand: how far scores spread, before and after the division by √d_k."""

import numpy as np

from ..families import adapted, named
from ..families.scale import SCALE
from ..kinds import Number
from ..toolkit import known, number_at

# s = 3 for queries, t = 0.5 for keys, d_k = 36: s·t = 1.5 and √d_k = 6, and each wrong way gives other numbers.

RIGHT = [9.0, 1.5]

score_spread = Number(
    id="attention.score_spread",
    answer_name="spread",
    prompt="The standard deviation of a score, before and after the division by √d_k, for entries with standard "
    "deviations 3 and 0.5.",
    value=RIGHT,
    atol=1e-3,
    labels=("the standard deviation before the division", "the standard deviation after the division"),
    why=(
        "The variances of the d_k products add up, so the standard deviation grows with √d_k, and dividing by √d_k "
        "removes exactly that growth."
    ),
    hints=(
        "Begin with one product of a query entry and a key entry. Its standard deviation is 3 × 0.5. What is its variance?",
        "A score is the sum of 36 such products. When you add independent numbers, their variances add up. Their "
        "standard deviations do not.",
        "The variance of a score is 36 × 1.5². Take its square root for the first number, and divide that by √36 for "
        "the second.",
    ),
    mistakes={
        "the variance": (
            "Your first number is the variance of a score, 36 × 1.5² = 81. The exercise asks for the standard "
            "deviation, which is in the same units as the score itself.",
            "How do you get a standard deviation from a variance?",
            {0: 81},
        ),
        "d_k in place of √d_k": (
            "You made a score spread 36 times as far as one product, as if all 36 products were always equal. "
            "They are independent, so they partly cancel: only the variance grows 36-fold.",
            "If the variance is 36 times as large, how many times as large is the standard deviation?",
            {0: 54},
        ),
        "both spreads left out": (
            "You assumed a standard deviation of 1 for all entries, as in the lesson. The variance of a score is "
            "then d_k = 36, and its standard deviation is 6. Here the query entries spread three times as far, and "
            "the key entries half as far.",
            "If every query entry is 3 times as large, how much larger is the score? And with key entries half as large?",
            {0: (6, 36)},
        ),
        **{
            f"the {others}' spread left out": (
                f"You used the standard deviation of the {these} entries, but not that of the {others}. Each product has one "
                "factor from a query and one from a key.",
                f"Imagine that all entries of the {others} are doubled. What happens to the score?",
                {0: 6 * spread},
            )
            for these, others, spread in (("query", "keys", 3.0), ("key", "queries", 0.5))
        },
        "the spreads added": known(
            "You added the two standard deviations, 3 + 0.5, or their squares, or took their mean, as if a query entry and a key "
            "entry were summed. They are multiplied by each other, and so are their standard deviations.",
            "What is the standard deviation of one product of a query entry and a key entry?",
            *([6 * each, each] for each in (3.5, 1.75, 9.25**0.5)),
            recognise=number_at(0, 21, 10.5, 6 * 9.25**0.5, atol=0.06),
        ),
        "the spreads taken for variances": known(
            "You used 3 and 0.5 as variances. They are standard deviations, and a variance is the square of a "
            "standard deviation.",
            "One product has variance 3² × 0.5². Go on from there.",
            [54**0.5, 1.5**0.5],
            recognise=number_at(0, 54**0.5, atol=0.02),
        ),
        "variances times √d_k": (
            "You multiplied the variance of one product, 2.25, by √36. But a variance grows with d_k itself. Only "
            "the standard deviation grows with √d_k.",
            "Either multiply 2.25 by 36 and take the square root of the result, or multiply 1.5 by 6.",
            {0: 13.5},
        ),
        "the two in the other order": (
            "You found the right two numbers, but gave them in the wrong order.",
            "Give the one before the division first.",
            [1.5, 9.0],
        ),
        "one product only": (
            "Your first number, 1.5, is the standard deviation of a single product. A score is the sum of 36 of them.",
            "What happens to the variance when 36 independent products are added up?",
            {0: 1.5},
        ),
        "the scale always gives 1": (
            "Your first number is right. The second would be 1 if all entries had a standard deviation of 1. But √d_k removes "
            "only the growth that comes from the width. What comes from the entries' own standard deviations stays.",
            "Divide your first number by √36.",
            [9.0, 1.0],
        ),
        **adapted(
            named(SCALE, "not scaled", "divided by d_k", "multiplied by √d_k", "d_k/2 instead of √d_k"),
            lambda score: [9.0, float(9 * score(np.ones((1, 36)), np.ones((1, 36)))[0, 0] / 36)],
        ),
    },
)
