"""What learners guess in lesson 07, and the reply to each guess."""

from ..catalogue import Prediction

PREDICTIONS = [
    Prediction(
        "07.second_hand",
        right="c",
        replies={
            "a": "1/10000 is what note 1 prints. But the exponent is 2i/d = 2/8, and 10000 to the power of one quarter is 10. In the "
            "formula, 10000 stands below the line with an exponent that never becomes 1.",
            "b": "1/100 would be 10000 to the power 4/8. Here i = 1, so the exponent is 2/8: the second hand has number 1, though its "
            "tip stands in dimensions 2 and 3.",
            "c": "10000 to the power 2/8 is 10. So note 1, which prints 1/10000, cannot be right.",
        },
    ),
    Prediction(
        "07.last_hand",
        right="b",
        replies={
            "a": "A wider row has more hands, and the slowest of them comes nearer to 10000: its exponent is 14/16 in place of 6/8. So "
            "it is slower.",
            "b": "The last hand is i = 7, with exponent 14/16, and 10000 to that power is 3,162. Times 2π it is 19,869.",
            "c": "For that its exponent would have to be 1. The last hand's is 1 − 2/d, which is 14/16 here, and below 1 at any "
            "width.",
        },
    ),
    Prediction(
        "07.share",
        right="b",
        replies={
            "a": "So it is for neighbours (the first line). In 1000 tokens the slow hands have moved too: hands 4 to 7 have turned by "
            "10, 3.2, 1 and 0.3 radians.",
            "b": "32.3%. After 1000 tokens the fast hands have been round many times, and stand anywhere; by now the slow ones have "
            "turned as well, and make up the larger part.",
            "c": "The fast hands have been round many times, but that does not bring them back to where they were: they stand anywhere, "
            "and still make up a third.",
        },
    ),
    Prediction(
        "07.shift",
        right="c",
        replies={
            "a": "Bent they are, but the matrix is not applied to p. It is applied to the tip [sin, cos], and to turn a tip by a fixed "
            "angle is linear.",
            "b": "Least squares always returns a matrix. The test is a start that it has not seen: there the random tables miss more "
            "than zeros would.",
            "c": "Two tokens further turn each hand by its own angle, the same for every p, and a turn is a matrix. Random rows have "
            "no such rule.",
        },
    ),
    Prediction(
        "07.direction",
        right="a",
        replies={
            "a": "Each hand adds the cosine of the angle that it has turned by, and the cosine is the same for a turn forwards and one "
            "back.",
            "b": "Turned further is turned further *apart* from position 50; back by five is just as far. The cosine of an angle does "
            "not know its sign.",
            "c": "Position 80 gives the same two numbers, to the last digit. A dot product of two hands knows the angle between them, "
            "and neither the sign nor where they stand.",
        },
    ),
]
