"""What learners guess in lesson 20, and the reply to each guess."""

from ..catalogue import Prediction

PREDICTIONS = [
    Prediction(
        "20.translator",
        right="b",
        replies={
            "a": "That would be true of a map that *is* the cause. About one row in five has another word as the dearest. "
            "In most of these no word matters, and a row of weights has a largest one all the same: it always sums to 1.",
            "b": "About four in five, and what is shuffled agrees in one of ten. A good pointer, and not a proof.",
            "c": "It is far more. Nothing of the source reaches the decoder but through cross-attention, and most vectors in the memory "
            "still stand for their own word: where it looks is, mostly, what it uses.",
        },
    ),
    Prediction(
        "20.gpt",
        right="a",
        replies={
            "a": "About 15 of 100, where chance gives 8. What stands at a letter's place in the last layer has long been mixed from many "
            "letters.",
            "b": "There, mostly one word decided. Here a letter has travelled through five layers before the last one "
            "looks, and arrives by way of other places too.",
            "c": "So it is in layers 2 and 3, as you will see below, where about one row in three agrees. The last layer looks at *places*, and "
            "what stands there is no longer one letter.",
        },
    ),
    Prediction(
        "20.twin",
        right="c",
        replies={
            "a": "The weights make the output, but not the other way round: many rows make the same one. 0.5, 0 and 0.5 give 0.5 · 2 = 1 as "
            "well.",
            "b": "Take 0.3 from token 2 twice over, half to its left and half to its right, where the values 0 and 2 have the mean 1: 0.5, 0 "
            "and 0.5. Nothing forces the largest weight to stay.",
            "c": "0.5, 0 and 0.5. The values 0 and 2 have the mean 1, and can stand in for token 2 altogether.",
        },
    ),
    Prediction(
        "20.four",
        right="b",
        replies={
            "a": "None of them is needed *while the other three are there*. All four together are the only cross-attention of this layer, and "
            "about one number in ten is left.",
            "b": "About one in ten is left. Each could go because the others stood in for it.",
            "c": "The two layers do not share the work so that each can do half alone: about one number in ten is left.",
        },
    ),
]
