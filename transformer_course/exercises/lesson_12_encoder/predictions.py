"""What learners guess in lesson 12, and the reply to each guess."""

from ..catalogue import Prediction

PREDICTIONS = [
    Prediction(
        "12.spread",
        right="c",
        replies={
            "a": "Softmax gives no weight of exactly 0. A token may attend to another very little, but unless a mask forbids it, never not "
            "at all.",
            "b": "That would be a convolution, which sees a token and its neighbours. In attention there is no near and far: the last "
            "word's weights have an entry for the first one too.",
            "c": "Each of the seven shares out its attention among all, the changed word included. No weight is exactly 0.",
        },
    ),
    Prediction(
        "12.padding",
        right="a",
        replies={
            "a": "Masked are the keys, which are the columns. But a place's own vector goes past attention by the residual connection, "
            "and no mask stands in its way.",
            "b": "Nearly. Look at the two cells on the diagonal: a place's own vector goes past attention by the residual connection, "
            "and no mask stands in its way.",
            "c": "The rows are outputs. Places of padding have queries too, and take from the real tokens: nothing forbids it, and "
            "nobody reads it.",
        },
    ),
    Prediction(
        "12.shuffled",
        right="b",
        replies={
            "a": "The decoder attends to these vectors, and attention does not know in which order they lie (lesson 06). Where a word "
            "stood was added at the bottom, and is in its vector still.",
            "b": "To attention, the memory is a set. Where each word stood is written in its vector, and not in the place where the "
            "vector lies.",
            "c": "A number of one word has nothing to shuffle; but longer ones lose nothing either. Where a word stood is written in "
            "its vector.",
        },
    ),
    Prediction(
        "12.each_layer",
        right="c",
        replies={
            "a": "Other vectors they are, but not strange ones: the second layer only adds to what the first has made (lesson 10). In this "
            "model it is enough that one of the decoder's two layers gets what it knows.",
            "b": "There is no such sharing out, a half for each layer. In this model it is enough that one of the two gets what it knows, "
            "whichever it is.",
            "c": "Two fewer than before. The second layer only adds to what the first has made, and in this model it is enough that one "
            "of the decoder's two layers gets that. Do not take it for a rule: see the dates.",
        },
    ),
]
