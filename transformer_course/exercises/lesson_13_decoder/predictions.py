"""What learners guess in lesson 13, and the reply to each guess."""

from ..catalogue import Prediction

PREDICTIONS = [
    Prediction(
        "13.swapped",
        right="c",
        replies={
            "a": "Attention has no need of equal lengths: n queries may meet m keys, whichever way round. It runs, and gives one row for each "
            "*source* token. The error comes a step later, at the sum.",
            "b": "The scores are transposed, that is so. But then each *source* token shares out its attention over the target, and takes "
            "home a mixture of target vectors: three rows, of other numbers.",
            "c": "It gives a row for each query, so three here, and a stream of two rows cannot take them. Had there been as many target "
            "tokens as source tokens, no error would have come at all.",
        },
    ),
    Prediction(
        "13.source",
        right="a",
        replies={
            "a": "The causal mask hides target tokens from each other. It has no word on the source, which was there as a whole before the "
            "first word of the target.",
            "b": "The causal mask belongs to the self-attention, where places of the *target* are compared with each other. Place 4 of the "
            "source is neither before nor after place 2 of the target: the two have no common order.",
            "c": "Coming last in the source has nothing to do with coming last in the target. Each place of the target may look at all of the "
            "source.",
        },
    ),
    Prediction(
        "13.alone",
        right="c",
        replies={
            "a": "The source is there, but they have hardly learned to read it: at five of six places they mostly copy the next token of "
            "the input. Alone, nothing stands there.",
            "b": "Not quite none: the last digit is nearly always right, since behind the last place nothing ever stood to be peeked at. And "
            "at the others a guess is right now and then.",
            "c": "Taken together, it is about what one gets without ever looking at the source, more on one seed and less on two. On "
            "these two, most of it comes from a single place, the last one.",
        },
    ),
    Prediction(
        "13.gpt",
        right="b",
        replies={
            "a": "The text so far does serve it, but through self-attention, in which queries, keys and values come from the same tokens. "
            "There is no second attention.",
            "b": "Without an encoder there is nothing for a cross-attention to look at. You may have thought of an encoder layer with a mask, or "
            "of a decoder layer without its second attention. The next cell compares the two.",
            "c": "It would have parameters that nothing ever uses. In the code they are not there: each layer has one attention.",
        },
    ),
]
