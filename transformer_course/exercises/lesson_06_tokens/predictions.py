"""What learners guess in lesson 06, and the reply to each guess."""

from ..catalogue import Prediction

PREDICTIONS = [
    Prediction(
        "06.cls",
        right="b",
        replies={
            "a": "That would be so if [CLS] were another name for the beginning. A name means nothing by itself: this vocabulary "
            "does not hold it, so it gets the id of “unknown”.",
            "b": "It is not in this vocabulary, so to this model it is a word like any other that it does not know.",
            "c": "Nothing is raised: what is not in the vocabulary becomes “unknown”. So a wrong special token goes in without a "
            "word.",
        },
    ),
    Prediction(
        "06.root",
        right="c",
        replies={
            "a": "That would need words and positions of the same size. But this table starts at 1, not near 0, and times 11.3 its numbers "
            "spread by 11.3.",
            "b": "You have the squares right, 0.5 and 1, but for the factor. It multiplies each number of the table by √128, and so its "
            "square by 128: 0.5 of 128.5 is left.",
            "c": "The factor multiplies the squares of the words by 128, from 1 to 128, and the positions keep their 0.5.",
        },
    ),
    Prediction(
        "06.back",
        right="a",
        replies={
            "a": "The shift is long enough to reach the border to many another token, but only its part *towards* that token counts. "
            "In 128 dimensions that part is small.",
            "b": "It is as long as half the way, that is so. But only its part *towards* the other token counts, and in 128 dimensions "
            "that is small: the next cell measures it.",
            "c": "Position 0 is no exception: its row is 0, 1, 0, 1, …, and so a shift of length 8 as well. All 720 are moved, and "
            "each is still nearest to its own token.",
        },
    ),
    Prediction(
        "06.shuffled",
        right="c",
        replies={
            "a": "It sees the same tokens as before. That one of them stands beside it now is written nowhere: scores compare two "
            "vectors, and these hold no places.",
            "b": "Not even a little, but for rounding. The same words take part, with the same weights: nothing in a score says "
            "where a token stands.",
            "c": "The same query meets the same keys, so the weights are the same, and so is the sum of the values.",
        },
    ),
    Prediction(
        "06.probes",
        right="b",
        replies={
            "a": "A sum of two *numbers* does not tell. But here 64 numbers are added at once, and 36 words and 20 positions leave "
            "most directions free: what was added can nearly always be read.",
            "b": "In 64 dimensions there is room for 36 words and 20 positions, in directions that hardly get in each other's way. "
            "Nobody had to arrange it.",
            "c": "Smaller by a factor of 0.7 only, and a linear map can multiply. What matters is whether there are directions in "
            "which the words do not get in its way, and at width 64 there are.",
        },
    ),
]
