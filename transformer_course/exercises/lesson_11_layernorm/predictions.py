"""What learners guess in lesson 11, and the reply to each guess."""

from ..catalogue import Prediction

PREDICTIONS = [
    Prediction(
        "11.padded",
        right="a",
        replies={
            "a": "The tokens are the same, and only zeros have come. They make the variance small, and dividing by its root "
            "blows up all that is real.",
            "b": "It is true that the means move towards 0. But the variance falls as well: most of what is counted is now a zero, "
            "which does not stray at all.",
            "c": "Nothing of the sentence has changed, but what it is measured against has: BatchNorm's mean and variance are "
            "those of all tokens in the batch, padding too.",
        },
    ),
    Prediction(
        "11.company",
        right="b",
        replies={
            "a": "The padding is out of the means. But the real tokens of the other texts are still in them, and those are others now.",
            "b": "Its mean and variance are those of each token alone. Masked BatchNorm still asks the real tokens of the others.",
            "c": "BatchNorm does, masked or not, while it trains. LayerNorm never looks at another token, so no batch can move it.",
        },
    ),
    Prediction(
        "11.fast",
        right="a",
        replies={
            "a": "At two layers post-norm learns too. At twelve, and with such steps from the beginning, post-norm with each seed gets no further "
            "than how frequent the letters are.",
            "b": "Its stream does grow, since nothing divides it. But every sublayer reads it through a norm, and another norm stands "
            "at the end; it learns with each seed.",
            "c": "At two layers post-norm learns too. A norm at each sublayer is not enough at twelve, with such steps: it matters where it stands.",
        },
    ),
    Prediction(
        "11.gradient",
        right="c",
        replies={
            "a": "That is what happened in lesson 10 where the sum was missing. Here each sublayer has its sum, with post-norm too, and "
            "the gradients of both kinds are about as large.",
            "b": "Nothing explodes either: the norm after each sum keeps that from happening. Both are about as large.",
            "c": "So before the first step, this gradient does not say who will be stuck. The explanation must lie elsewhere.",
        },
    ),
]
