"""Lesson 22, past one machine: its predictions. It has no sheet."""

from .catalogue import Prediction

PREDICTIONS = [
    Prediction(
        "22.three_and_one",
        right="b",
        replies={
            "a": "That was so while both had the same number of targets. Now A's mean of −4 stands for three targets and B's −12 for "
            "one, and the average lets both count alike: −8.",
            "b": "(−4 − 12)/2. The 6 alone counts as much as the three others together. Weighed by 3/4 and 1/4 it is −6 again.",
            "c": "That is A's own mean. Averaged with B's −12 it is −8, since the average does not know that A has three times as "
            "many targets.",
        },
    ),
    Prediction(
        "22.wrapper",
        right="b",
        replies={
            "a": "It is, and with parts of the same number of tokens it gives the right one. But it cannot know what your loss is a mean "
            "of. It adds up the gradients that it is given and divides by the number of processes.",
            "b": "It cannot know what your loss is a mean of: it adds up the gradients and divides by the number of processes. That "
            "is what our `mean_of_means` does.",
            "c": "There are methods that do that, to talk less often. This one averages gradients at every step, so that the models never "
            "drift apart. What it averages are the gradients of the two halves' means.",
        },
    ),
    Prediction(
        "22.share",
        right="b",
        replies={
            "a": "It does send a hundred times as much. But it also computes a hundred times as much, so that the share stays. "
            "What large models need is that all of it be quick.",
            "b": "What is sent grows with the number of parameters, and what is computed does too: it cancels. The number of tokens "
            "does not.",
            "c": "It computes a hundred times as much, and sends a hundred times as much: the share stays.",
        },
    ),
]
