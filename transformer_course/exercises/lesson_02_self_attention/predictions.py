"""What learners guess in lesson 02, and the reply to each guess."""

from ..catalogue import Prediction

PREDICTIONS = [
    Prediction(
        "02.largest",
        right="c",
        replies={
            "a": "A token does not favour itself by rule. Token 1 scores 1 with itself, and just as much with token 3, "
            "which contains everything that token 1 has. They match it equally well.",
            "b": "Token 3 is longer, and that lifts its scores: with itself it even scores 2. But token 1 sees only the "
            "part of token 3 that points its own way, and there the two are alike.",
            "c": "Tokens 1 and 3 both score 1 with token 1. A match depends on the dot product alone; being oneself is no "
            "advantage.",
        },
    ),
    Prediction(
        "02.zero",
        right="b",
        replies={
            "a": "A score of 0 would mean no weight if weights were shares of the score. But exp(0) = 1: softmax hands a "
            "little to everyone, and only a score of −∞ would get nothing. Lesson 04 makes use of that.",
            "b": "exp(0) = 1 and exp(1) = 2.718…, so the unrelated token gets 1 part for every 2.718… of the others.",
            "c": "Equal weights come from equal scores. One step down in score costs a factor of e, about 2.7: the "
            "weight is smaller, though not nothing.",
        },
    ),
    Prediction(
        "02.mirror",
        right="a",
        replies={
            "a": "Swapping the two coordinates swaps tokens 1 and 2 and leaves token 3 alone. Nothing in the computation "
            "knows which coordinate is which, so the outputs must swap in the same way.",
            "b": "Token 2 has other scores, so its row is not a copy. But they are the scores of token 1 in another "
            "order, and what is mixed is swapped as well: the output is the mirror image.",
            "c": "It may look as if nothing could be said before computing. Yet the three tokens have a symmetry, and "
            "every step of attention keeps it. That is worth more than a second calculation: it finds slips.",
        },
    ),
    Prediction(
        "02.hull",
        right="b",
        replies={
            "a": "Nothing is added on top of what a token had: its own vector is mixed in with a share, like the others. "
            "The shares sum to 1, so each output is an average, and an average of three points lies in their triangle. "
            "(Tokens 1 and 2 do grow a little longer, to 1.02 from 1. Longer is not outside.)",
            "b": "The weights are positive and sum to 1, so every output is a weighted average of all three tokens: inside "
            "their triangle, and on no edge, since no weight is 0.",
            "c": "On an edge, the third token would have no share. But exp is never 0: even the token that matches worst "
            "pulls the output a little its way.",
        },
    ),
    Prediction(
        "02.shift",
        right="b",
        replies={
            "a": "Softmax looks at differences, not at proportions: 1001 is still one point above 1000, and one point is "
            "a factor of e. The weights stay as they were.",
            "b": "exp(s + 1000) is exp(s) times exp(1000), for every score alike, so the factor cancels when you divide by "
            "the sum. Only differences of scores count.",
            "c": "exp grows fast, but the three differ by the same single point as before: the ratio is e, as it was. "
            "Multiplying the scores would drive the weights apart; adding does nothing.",
        },
    ),
]
