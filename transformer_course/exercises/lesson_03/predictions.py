"""What learners guess in lesson 03, and what each guess is told."""

from ..catalogue import Prediction

PREDICTIONS = [
    Prediction(
        "03.symmetric",
        right="a",
        replies={
            "a": "One matrix for both makes both scores the same dot product, (red W) · (car W), read from either side.",
            "b": "However we choose W, both scores are the same dot product, (red W) · (car W), read from either side. Choosing "
            "them apart takes a second matrix.",
            "c": "Nothing is divided here: both scores are the same dot product, (red W) · (car W), read from either side.",
        },
    ),
    Prediction(
        "03.shape",
        right="b",
        replies={
            "a": "There is a row for each query, so 2 is right. But what is mixed are the values, and these have 5 numbers. "
            "The 6 of the tokens went when they were multiplied by W_V.",
            "b": "A row for each query, as wide as the values: each output is a mixture of values.",
            "c": "A mixture of values is as wide as they are, so 5 is right. But there is one mixture for each *query*, and "
            "there are two of these.",
        },
    ),
    Prediction(
        "03.spread",
        right="b",
        replies={
            "a": "They do cancel on average: the mean stays 0. But they never cancel exactly, and what is left over grows with the "
            "number of products, though more slowly than the number itself.",
            "b": "64 times as many products give 64 times the variance, and 8 = √64 times the standard deviation.",
            "c": "That would be so if all products had the same sign. With both signs most of it cancels, and what is left "
            "grows with the root: 8 times.",
        },
    ),
    Prediction(
        "03.slope",
        right="c",
        replies={
            "a": "Scores can rise by any amount, but a weight that is 0.999 already has only 0.001 to go until 1. Most of what "
            "is left to gain takes ever larger scores.",
            "b": "Less than that: it has only 0.001 to go until 1, and 0.1 of score closes about a tenth of this gap.",
            "c": "It has 0.001 to go until 1, and 0.1 of score closes about a tenth of that gap.",
        },
    ),
    Prediction(
        "03.training",
        right="b",
        replies={
            "a": "The slopes are small in *most* rows, but not in all, and not zero. Here that was enough to get away, only later. "
            "Other tasks may be less kind.",
            "b": "It takes about twice as long here, and gets there. Small slopes are a slow start, not a dead end.",
            "c": "It can, and in the end it does. But while the slopes are small it hardly knows in which direction, and that "
            "takes its time: about twice as many steps here.",
        },
    ),
]
