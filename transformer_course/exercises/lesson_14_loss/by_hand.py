"""Sheet 14, by hand: the loss of a batch of two texts, from the probabilities of its labels."""

import numpy as np

from ..families import adapted, named
from ..families.loss import LOSS, PADDING, of_label
from ..kinds import Number

LOG_2 = np.log(2)
START = np.log(50)
# In halvings (1/2 is 1, 1/4 is 2): text A has 1, 2, 0, 1, text B 3, 1, and then two labels of padding with 5 each.
TOTAL, PADDED = 8, 10
RIGHT = [TOTAL / 6 * LOG_2, (TOTAL + PADDED) / 8 * LOG_2, START]
P = 0.5 ** np.array([[1, 2, 0, 1], [3, 1, 5, 5]])
PAD = 1  # a label; all others are 0
LABELS = np.array([[0, 0, 0, 0], [0, 0, PAD, PAD]])


def _of_the_first_number(*names):
    """Mistakes of a loss, made in the first number."""
    logits = np.log(np.where(np.arange(2) == LABELS[..., None], P[..., None], np.maximum(1 - P[..., None], 1e-300)))
    losses = adapted(named({**LOSS, **PADDING}, *names), lambda loss: loss(logits, LABELS, PAD, of_label), nll="", shapes="")
    return {each.name: (each.diagnosis, each.hint, {0: (each.answer, *each.variants)}) for each in losses}


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
    mistakes={
        **_of_the_first_number("mean of means", "divided by all positions", "padding counted", "the mean first"),
        **_of_the_first_number("the sum", "no logarithm", "the sign"),
        "the other logarithm": (
            "You used a logarithm with base 2 or 10. In this course, log is the natural logarithm.",
            "Use the natural logarithm: ln ½ = −0.693. In Python, it is `math.log`.",
            {place: (RIGHT[place] / LOG_2, RIGHT[place] / np.log(10)) for place in (0, 2)},
        ),
        "padding added, but not counted": (
            "Your second number is the sum of all eight costs, divided by six. If the padding is included, it belongs to "
            "both.",
            "How many labels are there with the padding?",
            {1: (TOTAL + PADDED) / 6 * LOG_2},
        ),
        "the start: a probability": (
            "Your last number is the probability 1/50 itself.",
            "What does a label of probability 1/50 cost?",
            {2: (1 / 50, 49 / 50)},
        ),
        "a perplexity": (
            "You gave a perplexity, e to the power of the loss. For a model that knows nothing it is 50, the size of the "
            "vocabulary.",
            "What is the cost of a label of probability 1/50?",
            dict(enumerate(np.exp(RIGHT))),
        ),
        "the start: another vocabulary": (
            "Your last number would be right for a vocabulary of another size, such as the lesson's 18. The special tokens have "
            "a logit each, and the 50 include them.",
            "How many logits are there at each position? Take the logarithm of that number.",
            {2: np.log([18, 46, 47, 48, 49, 51, 52, 53])},
        ),
    },
)
