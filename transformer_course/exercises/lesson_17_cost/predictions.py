"""What learners guess in lesson 17, and the reply to each guess."""

from ..catalogue import Prediction

PREDICTIONS = [
    Prediction(
        "17.crossing",
        right="b",
        replies={
            "a": "At 64 tokens the table has as many numbers as the vectors that went in. But the network widens each of these fourfold, "
            "and then narrows it: at that length it still costs four times as much.",
            "b": "At 256 tokens, four times the width, the two are equal. After that the table doubles twice where the network doubles "
            "once.",
            "c": "Its parameters are used once for each token, so its cost grows with n. The table has no parameters at all, but a row of n "
            "scores for each of n tokens: n².",
        },
    ),
    Prediction(
        "17.memory",
        right="c",
        replies={
            "a": "They could go, if one query were done after the other. As written, all scores come first, then all exponentials, then "
            "all weights.",
            "b": "That is the size of the table. But scores, exponentials and weights are three of them, and for a moment all three are "
            "there.",
            "c": "Three tables of 67 MB, scores, exponentials and weights, for an output of 1 MB.",
        },
    ),
    Prediction(
        "17.rescale",
        right="a",
        replies={
            "a": "Both were measured with 3 ln 2 subtracted. With 4 ln 2 subtracted, each exponential is half of what it was, wherever "
            "it went in.",
            "b": "The keys have not changed. But their exponentials were taken with 3 ln 2 subtracted, the new ones with 4 ln 2: they do "
            "not add up until they are brought to one measure. Left as they are, the first keys get twice their share.",
            "c": "In the mixture each value stands multiplied with its exponential. If those halve in the sum, they halve here too. "
            "Otherwise the weights no longer sum to 1.",
        },
    ),
    Prediction(
        "17.fewer",
        right="c",
        replies={
            "a": "Each block has a fixed size, but there are (n / 256)² of them. Every query still meets every key.",
            "b": "Each score belongs to just one block and is computed once. What is added is the rescaling, number by number and "
            "outside of the matrix products: one factor for each number of the mixture and each block.",
            "c": "Every query meets every key once, as before. Only the order is new, and what is kept.",
        },
    ),
    Prediction(
        "17.cache",
        right="b",
        replies={
            "a": "Queries and network remain, but for the *new* token alone. The earlier ones have put out their vectors already, in "
            "each layer, and nobody asks them again.",
            "b": "At token t, t tokens go through everything without the cache, and one with it: t times fewer. The mean of 1 to 84 is 42.5, "
            "and the later tokens, which save most, also cost a little more.",
            "c": "So it is at the last token alone. Anew, the first step has one token to read, the second two: at token t it is t times, and "
            "over all of them about half of 84.",
            "d": "Of the table only the newest row is needed: at the last token 84 scores in place of 84 × 84. So even there it is 84 "
            "times, and at the earlier ones less.",
        },
    ),
]
