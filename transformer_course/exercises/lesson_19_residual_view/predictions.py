"""What learners guess in lesson 19, and the reply to each guess."""

from ..catalogue import Prediction

PREDICTIONS = [
    Prediction(
        "19.sizes",
        right="b",
        replies={
            "a": "So it would be if each block corrected what the ones below left wrong. The first does change the stream by nearly its "
            "whole length, and the next ones by less; but the last one by more than any.",
            "b": "By more than the stream's whole length. What all that is good for, you will see: do not conclude from the size yet.",
            "c": "That is note 5's picture, “a little”. None of the six is below half of the stream, and one exceeds it.",
        },
    ),
    Prediction(
        "19.bottom",
        right="c",
        replies={
            "a": "So it would be for a stream that fits no row of the output layer better than any other. This one fits a certain row "
            "very well.",
            "b": "To turn a letter into its most frequent successor takes a map from one to the other, and no block has worked yet. The "
            "output layer alone compares the stream with its own rows.",
            "c": "The output layer asks which row the stream resembles, and at the bottom the stream is such a row, but for the "
            "position.",
        },
    ),
    Prediction(
        "19.left_out",
        right="a",
        replies={
            "a": "More than half of all places are lost without it. What the lens cannot read there is what the other five build on.",
            "b": "The lens gains most there. But block 4 may make visible what others have found: without it, about 15 places in a "
            "hundred are lost, and without block 1 more than 50.",
            "c": "It changes most, and costs the fewest right letters: about 6 places in a hundred. An edit can be large and hardly change which letter "
            "is likeliest.",
        },
    ),
    Prediction(
        "19.control",
        right="b",
        replies={
            "a": "It has learned nothing, but it has not lost anything either: the letter and its place are still in the stream, and the map "
            "has learned what usually follows.",
            "b": "The blocks know nothing, and yet the map finds what usually follows a letter. That much of a fitted reading is "
            "not what training has made of the blocks.",
            "c": "So it would be if the stream told nothing at all. But the letter that goes in is still in it, and some letters follow "
            "others more often.",
        },
    ),
]
