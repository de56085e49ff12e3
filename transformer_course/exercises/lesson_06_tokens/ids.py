"""Sheet 06, with pencil and paper: two texts as one batch of ids."""

import numpy as np

from ..exercise import Mistake
from ..kinds import Number

RIGHT = [[1, 8, 5, 2, 0, 0], [1, 7, 6, 4, 3, 2]]

ids = Number(
    id="embedding.ids",
    answer_name="batch",
    prompt="Two texts as a batch of ids, each with its beginning and its end.",
    value=RIGHT,
    atol=0.01,
    labels=("the first text", "the second text"),
    why="Padding comes after the end, so that each sequence is complete, and unknown words keep their position.",
    hints=(
        "Write both texts as tokens first, with <begin> in front and <end> behind. How many are there in each?",
        "Six tokens in the longer one, four in the other: two places remain, on the right, for rows of different lengths are no "
        "batch. And “six” is not in the list.",
        "The second row is 1, 7, 6, 4, 3, 2. Now the first, which needs two times 0.",
    ),
    mistakes=(
        Mistake(
            "padding on the left",
            "You padded the shorter text on the left, so its first token is no longer at position 0.",
            "In this course, padding comes after the end.",
            [[0, 0, 1, 8, 5, 2], RIGHT[1]],
        ),
        Mistake(
            "the end behind the padding",
            "Your <end> comes after the padding. Whatever follows the end of a text means nothing, so a model would "
            "take the padding for part of the text.",
            "Which token directly follows the last word?",
            [[1, 8, 5, 0, 0, 2], RIGHT[1]],
        ),
        Mistake(
            "filled up with the end",
            "The shorter text is filled up with <end>. A text ends once; empty places have a token of their own.",
            "Which id stands for nothing at all?",
            [[1, 8, 5, 2, 2, 2], RIGHT[1]],
        ),
        Mistake(
            "filled up with unknown",
            "The shorter text is filled up with <unknown>. That stands for a word that is there and not in the list; here there is no "
            "word.",
            "Which id stands for nothing at all?",
            [[1, 8, 5, 2, 3, 3], RIGHT[1]],
        ),
        Mistake(
            "the unknown word left out",
            "“six” is not in the list, and you left it out. That makes the text shorter and moves every later token "
            "to a different position.",
            "There is a special token for words that are not in the list.",
            [[1, 8, 5, 2, 0], [1, 7, 6, 4, 2]],
            variants=([[1, 8, 5, 2, 0, 0], [1, 7, 6, 4, 2, 0]],),
        ),
        Mistake(
            "the unknown word as padding",
            "“six” became padding, and attention would not look at it. It is a word that is there, if an unknown one.",
            "There is a special token for words that are not in the list.",
            [RIGHT[0], [1, 7, 6, 4, 0, 2]],
        ),
        Mistake(
            "a new id",
            "You gave “six” an id of its own, 9. The list ends at 8, and so does the table: there is no row 9 to look up.",
            "There is a special token for words that are not in the list.",
            [RIGHT[0], [1, 7, 6, 4, 9, 2]],
        ),
        Mistake(
            "no beginning and no end",
            "The words are right, but each text also needs the tokens that mark its beginning and its end.",
            "Each row becomes longer by two.",
            [[8, 5, 0, 0], [7, 6, 4, 3]],
        ),
        Mistake(
            "no beginning",
            "Both texts lack <begin>. It is what the model reads when it has to write the first word.",
            "Each row starts with the same id.",
            [[8, 5, 2, 0, 0], [7, 6, 4, 3, 2]],
            variants=([[8, 5, 2, 0, 0, 0], [7, 6, 4, 3, 2, 0]],),
        ),
        Mistake(
            "no end",
            "Both texts lack <end>. Without it, a model would never learn to stop.",
            "Put one behind the last word of each.",
            [[1, 8, 5, 0, 0], [1, 7, 6, 4, 3]],
        ),
        Mistake(
            "counted from 1",
            "All your ids are too large by 1.",
            "Ids are counted from 0: <pad> is 0, <begin> is 1.",
            (np.array(RIGHT) + 1).tolist(),
            variants=([[2, 9, 6, 3, 0, 0], [2, 8, 7, 5, 4, 3]],),
        ),
    ),
)
