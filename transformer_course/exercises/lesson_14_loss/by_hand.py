"""Sheet 14, by hand: the loss of a batch of two texts, from the probabilities of its labels."""

import numpy as np

from ..exercise import Mistake
from ..kinds import Number
from ..toolkit import number_at

LOG_2 = np.log(2)
START = np.log(50)
# In halvings (1/2 is 1, 1/4 is 2): text A has 1, 2, 0, 1, text B 3, 1, and then two labels of padding with 5 each.
TOTAL, PADDED = 8, 10
RIGHT = [TOTAL / 6 * LOG_2, (TOTAL + PADDED) / 8 * LOG_2, START]
P = np.array([1 / 2, 1 / 4, 1, 1 / 2, 1 / 8, 1 / 2])


by_hand = Number(
    id="training.by_hand",
    answer_name="losses",
    prompt="The loss of a batch of two texts, rightly and with its padding counted, and the loss at the start.",
    value=RIGHT,
    atol=0.006,
    labels=("the loss as it should be", "the loss with padding", "the loss before the first step"),
    why=(
        "The loss is the mean of −log p over the real labels only, and a model that knows nothing starts near the "
        "logarithm of the vocabulary size."
    ),
    hints=(
        "−ln ½ is 0.693. A quarter is half of a half, so it costs twice as much; an eighth three times.",
        "Without padding there are six labels, four in text A and two in text B. Add their costs, and divide by six.",
        "In units of ln 2, the six cost 1, 2, 0, 1, 3 and 1. The padding costs 5 for each, and then there are eight.",
    ),
    mistakes=(
        Mistake(
            "mean of the texts' means",
            "You took the mean of each text, and then the mean of the two. Then a token of the short text counts for twice as much as one "
            "of the long text. The loss is one mean over all six.",
            "Add up all six costs first.",
            [1.5 * LOG_2, RIGHT[1], START],
            recognise=number_at(0, 1.5 * LOG_2, atol=0.006),
        ),
        Mistake(
            "the sum",
            "Your first number is the sum of all costs, and not their mean.",
            "Divide by the number of labels that ask for something.",
            [TOTAL * LOG_2, (TOTAL + PADDED) * LOG_2, START],
            recognise=number_at(0, TOTAL * LOG_2, atol=0.006),
        ),
        Mistake(
            "divided by eight",
            "You left the padding out of the sum and counted it in the number: eight for six.",
            "How many costs did you add?",
            [TOTAL / 8 * LOG_2, RIGHT[1], START],
            recognise=number_at(0, TOTAL / 8 * LOG_2, atol=0.006),
        ),
        Mistake(
            "padding counted at once",
            "Your first number includes the padding. That is the second number of this exercise.",
            "The two labels `pad` ask for nothing: six are left.",
            [RIGHT[1], RIGHT[0], START],
            variants=([RIGHT[1], RIGHT[1], START],),
            recognise=number_at(0, RIGHT[1], atol=0.006),
        ),
        Mistake(
            "the other logarithm",
            "Your logarithms have base 2, or 10.",
            "In this course, log is the natural one: ln ½ = −0.693. In Python: math.log.",
            [TOTAL / 6, (TOTAL + PADDED) / 8, np.log2(50)],
            variants=([value / np.log(10) for value in RIGHT],),
            recognise=number_at(0, TOTAL / 6, RIGHT[0] / np.log(10), atol=0.006),
        ),
        Mistake(
            "the mean first",
            "You took the mean of the probabilities, and then its logarithm. That is not the mean of the costs.",
            "−ln of each of the six first.",
            [-np.log(P.mean()), RIGHT[1], START],
            recognise=number_at(0, -np.log(P.mean()), atol=0.006),
        ),
        Mistake(
            "no logarithm",
            "These are probabilities, or what they lack to 1. You have not taken a logarithm yet.",
            "What does a probability of ½ cost?",
            [P.mean(), RIGHT[1], START],
            variants=([1 - P.mean(), RIGHT[1], START],),
            recognise=number_at(0, P.mean(), 1 - P.mean(), atol=0.006),
        ),
        Mistake(
            "negative",
            "Your loss is negative, because the logarithm of a probability is.",
            "A loss is *minus* the logarithm.",
            [-value for value in RIGHT],
            recognise=number_at(0, -RIGHT[0], atol=0.006),
        ),
        Mistake(
            "the start: a probability",
            "Your last number is the probability 1/50 itself.",
            "What does a label of probability 1/50 cost?",
            [*RIGHT[:2], 1 / 50],
            variants=([*RIGHT[:2], 49 / 50], [*RIGHT[:2], 50]),
            recognise=number_at(2, 1 / 50, 49 / 50, 50, atol=0.006),
        ),
        Mistake(
            "the start: another vocabulary",
            "The last is what knowing nothing costs with 18 tokens, as in the lesson, or with fewer than 50. This "
            "model knows 50 tokens: the special ones have a logit too.",
            "The logarithm of what?",
            [*RIGHT[:2], np.log(18)],
            variants=tuple([*RIGHT[:2], np.log(tokens)] for tokens in (49, 48, 47, 46)),
            recognise=number_at(2, *np.log([18, 49, 48, 47, 46]), atol=0.006),
        ),
    ),
)
