"""Sheet 08, by hand: which rows and which distances a training has had."""

from ..exercise import Mistake
from ..kinds import Number
from ..toolkit import number_at

# Texts of 4 to 24 tokens that begin at a row from 0 to 40: the last row is 40 + 23, the furthest pair 23 apart.
LONGEST, LAST_START = 24, 40
RIGHT = [LAST_START + LONGEST, LONGEST - 1, LONGEST]


unseen = Number(
    id="positions.unseen",
    answer_name="unseen",
    prompt="The first row that a training has left out, the largest distance it has had, and where rotary positions meet a new one.",
    value=RIGHT,
    atol=0.01,
    labels=(
        "the first row that was never trained",
        "the largest distance in training",
        "the first position with a new distance",
    ),
    why=(
        "Learned tables run out of rows, whereas rotary positions run out of distances: each meets something new at a "
        "different length."
    ),
    hints=(
        "Take the longest text at its last start. Which rows do its 24 tokens get, from the first to the last?",
        "It begins at row 40; its tokens get rows 40, 41, …, and the last of the 24 gets row 40 + 23. How far apart are its first and "
        "its last token?",
        "For rotary positions it does not matter where a text begins. In the long text, the token at position p sees distances 0 to p.",
    ),
    mistakes=(
        Mistake(
            "where texts begin forgotten",
            "24 would be right if all texts began at row 0. But they begin anywhere from 0 to 40, and the row counts from there.",
            "Which rows does a text of 24 tokens get that begins at row 40?",
            [24, 23, 24],
            variants=([25, 23, 24], [23, 23, 24]),
            recognise=number_at(0, 23, 24, 25),
        ),
        Mistake(
            "the last start counted as the last row",
            "Row 40 (or 41) is where the last text *begins*. Its other tokens get the rows after that.",
            "A text of 24 tokens that begins at row 40: which row does its last token get?",
            [41, 23, 24],
            variants=([40, 23, 24],),
            recognise=number_at(0, 40, 41),
        ),
        Mistake(
            "one row off",
            "Nearly: a text that begins at row 40 has its 24 tokens on rows 40 to 63. So 63 has been trained, and the first that has not "
            "is the next one.",
            "40 is the first of the 24 rows, not the one before it.",
            [65, 23, 24],
            variants=([63, 23, 24],),
            recognise=number_at(0, 63, 65),
        ),
        Mistake(
            "distances between rows",
            "You have taken the rows of different texts together: a distance is that between two tokens of one text, and no text has more "
            "than 24 tokens.",
            "How far is the last of 24 tokens from the first?",
            [64, 63, 64],
            variants=([64, 63, 24], [64, 64, 24], [64, 40, 24]),
            recognise=number_at(1, 40, 63, 64),
        ),
        Mistake(
            "tokens counted, not distances",
            "24 tokens have 23 steps from the first to the last.",
            "Two neighbours are 1 apart. And the first and the third of three tokens?",
            [64, 24, 25],
            variants=([64, 24, 24],),
            recognise=number_at(1, 24),
        ),
        Mistake(
            "rotary positions with rows",
            "Your third number is where a *table* meets something new. Rotary positions have no rows; a token is new to them only by its "
            "distance from another one.",
            "In the long text, how far is the token at position p from the first?",
            [64, 23, 64],
            variants=([64, 23, 63], [64, 23, 65]),
            recognise=number_at(2, 63, 64, 65),
        ),
        Mistake(
            "one position off",
            "Distance 23 is not new, and at position 23 no token is further away than that. Positions count from 0: at position p, the first "
            "token is p away.",
            "Which is the first distance that training has not had?",
            [64, 23, 23],
            variants=([64, 23, 25],),
            recognise=number_at(2, 23, 25),
        ),
    ),
)
