"""What learners guess in lesson 03, and the reply to each guess."""

from ..catalogue import Prediction

PREDICTIONS = [
    Prediction(
        "03.symmetric",
        right="a",
        replies={
            "a": "One matrix for both makes both scores the same dot product, (red W) · (car W), read from either side.",
            "b": "To make one score 0 and leave the other, they would have to be different numbers. But with one matrix both are "
            "(red W) · (car W), read from either side.",
            "c": "They are different vectors, *red* W and *car* W. But both scores multiply the same two: (red W) · (car W), read from either "
            "side.",
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
        right="c",
        replies={
            "a": "That would be so if all products had the same sign. With both signs most of it cancels, and what is left "
            "grows with the root: 8 times.",
            "b": "16 = √256 is how far the scores stray now. At a width of 4 they strayed by √4 = 2, so it is 8 times as far.",
            "c": "64 times as many products give 64 times the variance, and 8 = √64 times the standard deviation.",
        },
    ),
    Prediction(
        "03.slope",
        right="b",
        replies={
            "a": "It never gets to 1. It has 0.001 to go, and 0.1 of score closes about a tenth of this gap: 0.0001.",
            "b": "It has 0.001 to go until 1, and 0.1 of score closes about a tenth of that gap.",
            "c": "Ten times as much: it has 0.001 to go until 1, and 0.1 of score closes about a tenth of this gap, 0.0001.",
        },
    ),
    Prediction(
        "03.training",
        right="c",
        replies={
            "a": "For most keys there is hardly any slope, but a batch asks for many keys, and some of them happen to have one. Here "
            "that was enough of a way out, only a slower one. Other tasks may be less kind.",
            "b": "It is free to do so, and we have not looked whether it did. In any case it was no quick way out: it took about twice as "
            "many steps.",
            "c": "It takes about twice as many steps here, and gets there. A saturated start is slow, not hopeless.",
        },
    ),
]
