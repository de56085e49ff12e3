"""What learners guess in lesson 04, and the reply to each guess."""

from ..catalogue import Prediction

PREDICTIONS = [
    Prediction(
        "04.row",
        right="c",
        replies={
            "a": "Its share of token 3 is 0, as it should be. But the row sums to 0.5777, and not to 1. We come back to this.",
            "b": "A score of 0 forbids nothing: exp(0) = 1 is a share like any other, and token 3 would get 0.2119.",
            "c": "1 is shared out between scores 0 and 1, one point apart, so by a factor of e.",
        },
    ),
    Prediction(
        "04.late",
        right="a",
        replies={
            "a": "Token 3 stands in the sum that the weights were divided by, before its own was crossed out. So the output "
            "follows its score: with [1, 5] the score is 1 as before, and nothing moves.",
            "b": "[1, 5] is much longer, and nothing moves; [0.5, 0] is shorter, and the output moves. What counts is the score with "
            "token 1, for it stands in the sum below the fraction bar.",
            "c": "Its weight is 0 *now*. But before it was crossed out, it stood in the sum that all other weights were divided "
            "by, and they have kept the trace.",
        },
    ),
    Prediction(
        "04.padding",
        right="a",
        replies={
            "a": "One row of keys for each text. The middle axis is stretched over all queries: what is padding for one is padding "
            "for all.",
            "b": "This would say which *queries* are real. But it is as a key that padding does harm: there it takes a share of "
            "every real token's attention.",
            "c": "One table for all texts would have to fit all their lengths at once. Each text needs a mask of its own.",
        },
    ),
    Prediction(
        "04.conventions",
        right="c",
        replies={
            "a": 'One would hope so. But in nn.MultiheadAttention, True means "may not look", and with a causal mask it looks only ahead.',
            "b": 'The function does not: for it, True means "may look", as in this course. The module reads it the other way.',
            "c": 'For nn.MultiheadAttention, True means "may not look". It needs the mask\'s opposite.',
            "d": 'For the function, True means "may look", as in this course. It is the module that reads it the other way.',
        },
    ),
    Prediction(
        "04.dropout",
        right="b",
        replies={
            "a": "That is what would be left if nothing made up for it. Dividing the others by 0.75 brings the average back to 1.",
            "b": "A fixed factor of 1/(1−p) makes up for what is lost on average. In a single draw of three weights the sum may be 0, "
            "or 4/3, or one of a few sums between.",
            "c": "It is a fixed division by 1−p, however many were set to 0 in this draw. So it makes up for them on average, and not "
            "each time.",
        },
    ),
]
