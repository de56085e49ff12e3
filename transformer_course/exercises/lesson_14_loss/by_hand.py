"""Sheet 14, by hand: the loss of a batch of two texts, from the probabilities of its labels."""

import numpy as np

from ..kinds import Number
from ..toolkit import wrong_among

LOG_2 = np.log(2)
START = np.log(50)
# In halvings (1/2 is 1, 1/4 is 2): text A has 1, 2, 0, 1, text B 3, 1, and then two labels of padding with 5 each.
TOTAL, PADDED = 8, 10
RIGHT = [TOTAL / 6 * LOG_2, (TOTAL + PADDED) / 8 * LOG_2, START]
P = np.array([1 / 2, 1 / 4, 1, 1 / 2, 1 / 8, 1 / 2])

wrong = wrong_among(RIGHT, atol=0.006)

by_hand = Number(
    id="training.by_hand",
    answer_name="losses",
    prompt="The correct loss of a batch of two sequences, its loss with padding, and the loss before training.",
    value=RIGHT,
    atol=0.006,
    labels=("the correct loss", "the loss with padding", "the loss before the first step"),
    why=(
        "The loss is the mean of −log p over the real labels only, and a model that knows nothing starts near the "
        "logarithm of the vocabulary size."
    ),
    hints=(
        "−ln ½ is 0.693. A quarter is half of a half, so it costs twice as much; an eighth three times.",
        "Without padding there are six labels, four in sequence A and two in sequence B. Add their costs, and divide by six.",
        "In units of ln 2, the six labels cost 1, 2, 0, 1, 3 and 1. Each padding label costs 5, and with padding there are "
        "eight labels.",
    ),
    mistakes=(
        wrong(
            "mean of the two means",
            "You took the mean of each sequence, and then the mean of the two. This gives a token of the short sequence twice "
            "the weight of a token of the long one. The loss is a single mean over all six labels.",
            "Add all six costs, then divide once.",
            {0: 1.5 * LOG_2},
        ),
        wrong(
            "the sum",
            "Your first number is the sum of all costs. The loss is their mean.",
            "Divide by the number of labels that are not padding.",
            {0: TOTAL * LOG_2},
        ),
        wrong(
            "divided by eight",
            "You left the padding out of the sum, but divided by eight labels, including the padding.",
            "How many costs did you add?",
            {0: TOTAL / 8 * LOG_2},
        ),
        wrong(
            "padding already in the first number",
            "Your first number includes the padding. That is the second number of this exercise.",
            "Ignore the two padding labels. How many are left?",
            {0: RIGHT[1]},
        ),
        wrong(
            "the other logarithm",
            "You used a logarithm with base 2 or 10. In this course, log is the natural logarithm.",
            "Use the natural logarithm: ln ½ = −0.693. In Python, it is `math.log`.",
            {place: (RIGHT[place] / LOG_2, RIGHT[place] / np.log(10)) for place in (0, 2)},
        ),
        wrong(
            "padding added, but not counted",
            "Your second number is the sum of all eight costs, divided by six. If the padding is included, it belongs to "
            "both.",
            "How many labels are there with the padding?",
            {1: (TOTAL + PADDED) / 6 * LOG_2},
        ),
        wrong(
            "the mean first",
            "You took the mean of the probabilities first, and then its logarithm. The loss is the mean of the logarithms.",
            "First compute −ln of each of the six probabilities.",
            {0: -np.log(P.mean())},
        ),
        wrong(
            "no logarithm",
            "Your first number is a mean of probabilities, or 1 minus that mean. You have not taken a logarithm.",
            "What does a probability of ½ cost?",
            {0: (P.mean(), 1 - P.mean())},
        ),
        wrong(
            "negative",
            "Your loss is negative, because the logarithm of a probability is.",
            "Put a minus sign in front of the logarithm.",
            {0: -RIGHT[0], 1: -RIGHT[1], 2: -RIGHT[2]},
        ),
        wrong(
            "the start: a probability",
            "Your last number is the probability 1/50 itself.",
            "What does a label of probability 1/50 cost?",
            {2: (1 / 50, 49 / 50)},
        ),
        wrong(
            "a perplexity",
            "You gave a perplexity, e to the power of the loss. For a model that knows nothing it is 50, the size of the "
            "vocabulary.",
            "What is the cost of a label of probability 1/50?",
            dict(enumerate(np.exp(RIGHT))),
        ),
        wrong(
            "the start: the lesson's vocabulary",
            "Your last number would be right for a vocabulary of 18 tokens, as in the lesson. This one has 50.",
            "How many logits are there at each position? Take the logarithm of that number.",
            {2: np.log(18)},
        ),
        wrong(
            "the start: without special tokens",
            "Your last number would be right for a vocabulary of slightly fewer than 50 tokens. But the special ones have a "
            "logit too.",
            "How many logits are there at each position? Take the logarithm of that number.",
            {2: np.log([46, 47, 48, 49])},
        ),
    ),
)
