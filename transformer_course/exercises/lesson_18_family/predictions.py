"""What learners guess in lesson 18, and the reply to each guess."""

from ..catalogue import Prediction

PREDICTIONS = [
    Prediction(
        "18.stacks",
        right="c",
        replies={
            "a": "Their names come from there: BERT from the encoder, GPT from the decoder, ViT from pictures. But all three are the same 34 "
            "arrays, name by name and shape by shape.",
            "b": "The decoder's second attention reads a source. GPT has none, and without that attention a decoder's layer *is* an "
            "encoder's layer with another mask. A mask is no parameter.",
            "c": "34 arrays, name by name and shape by shape. What distinguishes them are no parameters of the stack.",
        },
    ),
    Prediction(
        "18.counting",
        right="a",
        replies={
            "a": "They are ahead of all tables, and by little: a name is short, and most of what can be known of its next word "
            "lies in the two before.",
            "b": "A bit less means twice the probability, for every word. There is not so much to be had: a name is short, and most of what "
            "can be known of its next word lies in the two before.",
            "c": "600 steps are few, but enough to be ahead of the best table. A table has to see a beginning itself; a GPT can learn that "
            "SMALL and CAPITAL are followed by much the same.",
        },
    ),
    Prediction(
        "18.writing",
        right="b",
        replies={
            "a": "It has read the same names, but has been asked far fewer questions about them, and when it begins to write none of the "
            "other words is there to help.",
            "b": "It has a probability for each gap, and that is far better than chance. Why it stays behind GPT, the next cells ask.",
            "c": "It has learned which words stand near which, and each gap that it fills helps with the next. That brings it far above "
            "chance, though not up to GPT.",
        },
    ),
    Prediction(
        "18.few",
        right="c",
        replies={
            "a": "It has read them, but was never asked for a category: its head begins at random, and the vector that the head reads, that of "
            "the first token, was never asked for anything. The bag of words needs to learn no more than a few telling words.",
            "b": "Few they are for 0.2 million parameters. But there was a third in the race, and for a few telling words forty names "
            "are enough.",
            "c": "A category hangs on a few telling words, such as CAPITAL or DIGIT. The bag sees them at once; a BERT must first learn what to "
            "look at.",
        },
    ),
]
