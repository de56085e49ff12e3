"""What learners guess in lesson 08, and the reply to each guess."""

from ..catalogue import Prediction

PREDICTIONS = [
    Prediction(
        "08.rows",
        right="b",
        replies={
            "a": "The table is learned row by row: a row's gradient is 0 unless a text uses that row. No text of the training had a "
            "position 20, so these rows have not moved at all.",
            "b": "To the last bit. A row that no text uses has a gradient of 0, so training never touches it.",
            "c": "Something would have to push them there. A row that no text uses has a gradient of 0. (*Weight decay*, which "
            "shrinks all numbers a little at each step, would push them there; it is off here. Zeros will be tried below.)",
        },
    ),
    Prediction(
        "08.waves",
        right="c",
        replies={
            "a": "That matrix exists for all positions. But training looks for *some* matrices that do on rows 0 to 19, and it found "
            "others.",
            "b": "Slowly is what one would expect of a smooth function. But a few tokens beyond 19 it is down at chance, and stays "
            "there.",
            "c": "Hardly better than the table of noise. That a solution exists for all rows does not mean that training on 20 of them "
            "finds it.",
        },
    ),
    Prediction(
        "08.cliff",
        right="b",
        replies={
            "a": "It is true that no text was longer than 20. And yet 20 to 39 are read rightly now. What had been missing there was "
            "training of the rows.",
            "b": "The edge of the rows that were trained has moved to 40, and the failure with it.",
            "c": "If they had learned what a distance is, they could use it on rows 40 to 79 as well. They have learned to use 40 rows "
            "in place of 20.",
        },
    ),
    Prediction(
        "08.rotary",
        right="c",
        replies={
            "a": "The distance that it looks for is always 1. But it must also *refuse* all others, and at position 79 there are sixty "
            "that training never had.",
            "b": "Nothing is new for it at position 20 but one more distance, 20. It gets well past that, and fails later.",
            "c": "Right at 20 to 39, and clearly worse from 60 on. The next picture shows why.",
        },
    ),
    Prediction(
        "08.task",
        right="c",
        replies={
            "a": "It is the reverse. What helped before, that rotary positions know distances alone, now hurts: the first token is always "
            "at a distance that is new.",
            "b": "Far away, but where? For a table it is in row 0, which each text of the training has used. Only for rotary positions "
            "is it somewhere new.",
            "c": "The first token has row 0, and that is well trained. For rotary positions it is at a distance that they have never "
            "seen.",
        },
    ),
]
