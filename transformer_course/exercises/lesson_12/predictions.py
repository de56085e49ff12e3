"""What learners guess in lesson 12, and what each guess is told."""

from ..catalogue import Prediction

PREDICTIONS = [
    Prediction(
        "12.copies",
        right="b",
        replies={
            "a": "A change in the first layer would then show in the third. It does not: these are three layers, each with weights of "
            "its own. N layers have N times the parameters of one.",
            "b": "torch copies the layer that it is given. From then on each layer has weights of its own, and starts with the same.",
            "c": "That is how one would like to start, and how the library does it. But torch is given a finished layer, and copies "
            "it, numbers included.",
        },
    ),
    Prediction(
        "12.spread",
        right="c",
        replies={
            "a": "A layer begins with attention, and in it each token takes something from the others at once. Only the feed-forward "
            "network works on each token's own vector.",
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
            "model, the decoder's first layer can do with them.",
            "b": "There is no such sharing out. Had the decoder's first layer got nothing that it could use, hardly any number would be "
            "right.",
            "c": "Two fewer than before. The second layer only adds to what the first has made, and this decoder needs most of that in "
            "its second layer. Do not take it for a rule: see the dates.",
        },
    ),
]
