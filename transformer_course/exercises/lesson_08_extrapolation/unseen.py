"""Sheet 08, by hand: which rows and which distances occurred in a training."""

from ..kinds import Number

# Texts of 4 to 24 tokens that begin at a row from 0 to 40: the last row is 40 + 23, the furthest pair 23 apart.
LONGEST, LAST_START = 24, 40
RIGHT = [LAST_START + LONGEST, LONGEST - 1, LONGEST]


unseen = Number(
    id="positions.unseen",
    answer_name="unseen",
    prompt="The first row that was never trained, the largest distance in training, and where rotary positions meet a new one.",
    value=RIGHT,
    atol=0.01,
    labels=(
        "the first row that was never trained",
        "the largest distance in training",
        "the first position with a new distance",
    ),
    why=(
        "A learned table runs out of trained rows, and rotary positions run out of trained distances, each at its "
        "own position."
    ),
    hints=(
        "Take a text of 24 tokens that begins at row 40. Which rows do its tokens get, from the first to the last?",
        "Its tokens get rows 40, 41 and so on, and the last one gets row 40 + 23. How far apart are the first and the last "
        "token?",
        "For rotary positions it does not matter where a text begins. In the long text, the token at position p sees "
        "distances 0 to p.",
    ),
    mistakes={
        "the shortest texts": (
            "You counted with texts of 4 tokens. What occurs in any text has been trained, so the longest texts decide.",
            "How many tokens does the longest text have?",
            [LAST_START + 4, 3, 4],
        ),
        "where texts begin forgotten": (
            "Your first number would be right if all texts began at row 0. But they begin at any row from 0 to 40.",
            "Which rows does a text of 24 tokens get if it begins at row 40?",
            {0: (23, 24, 25)},
        ),
        "the last start counted as the last row": (
            "Row 40 is where the last texts *begin*. Their other tokens get the rows after it.",
            "If a text of 24 tokens begins at row 40, which row does its last token get?",
            {0: (40, 41)},
        ),
        "one row off": (
            "Your first number is one row too far: the row before it was not trained either.",
            "Count 24 rows from row 40 on, and take the row after the last of them.",
            {0: 65},
        ),
        "the last trained row": (
            "Your first number is the last row that *was* trained. The exercise asks for the first that was not.",
            "Which row comes next?",
            {0: 63},
        ),
        "distances between rows": (
            "Your second number compares rows of different texts. A distance is between two tokens of the *same* text, and no "
            "text has more than 24 tokens.",
            "In a text of 24 tokens, how far is the last token from the first?",
            {1: (40, 63, 64)},
        ),
        "tokens counted, not distances": (
            "Your second number counts tokens. A distance counts the steps between two of them.",
            "Two neighbours are 1 apart. How far apart are the first and the third of three tokens?",
            {1: 24},
        ),
        "one distance short": (
            "Your second number is one too small: in a text of 24 tokens, the first and the last are further apart than that.",
            "Two neighbours are 1 apart. How far apart are the first and the third of three tokens?",
            {1: 22},
        ),
        "rotary positions with rows": (
            "Your third number is where a *table* meets something new. Rotary positions have no rows, and only a distance can "
            "be new to them.",
            "In the long text, how far is the token at position p from the first token?",
            {2: (63, 64, 65)},
        ),
        "one position off": (
            "Your third number is off by one. Positions are counted from 0, so the token at position p is p away from the "
            "first token.",
            "Which is the smallest distance that did not occur in training?",
            {2: (23, 25)},
        ),
    },
)
