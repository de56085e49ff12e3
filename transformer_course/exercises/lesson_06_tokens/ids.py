"""Sheet 06, by hand: two texts as one batch of ids."""

import numpy as np

from ..kinds import Number

RIGHT = [[1, 8, 5, 2, 0, 0], [1, 7, 6, 4, 3, 2]]

ids = Number(
    id="embedding.ids",
    answer_name="batch",
    prompt="Two texts as one batch of ids, each with begin and end.",
    value=RIGHT,
    atol=0.01,
    labels=("the first text", "the second text"),
    why="Padding comes after the end, so each sequence is complete, and an unknown word keeps its position.",
    hints=(
        "First write both texts as tokens, with <begin> at the front and <end> at the back. How many tokens does each have?",
        "The longer text has six tokens and the shorter one has four. Both rows of a batch must have the same length, so "
        "fill the shorter one up on the right. And “six” is not in the vocabulary.",
        "The second row is 1, 7, 6, 4, 3, 2. Now write the first one, which ends with two zeros.",
    ),
    mistakes={
        "padding on the left": (
            "You padded the shorter text on the left, so its first token is no longer at position 0.",
            "In this course, put the padding after the end.",
            [[0, 0, 1, 8, 5, 2], RIGHT[1]],
        ),
        "the end after the padding": (
            "Your <end> comes after the padding. A text ends at <end>, so your padding is part of the text.",
            "Which token should follow directly after the last word?",
            [[1, 8, 5, 0, 0, 2], RIGHT[1]],
        ),
        "filled up with the end": (
            "You filled the shorter text up with <end>. But a text ends only once, and empty positions have a token of their "
            "own.",
            "Which id means that there is no token?",
            [[1, 8, 5, 2, 2, 2], RIGHT[1]],
        ),
        "filled up with unknown": (
            "You filled the shorter text up with <unknown>. That stands for a word that is not in the vocabulary, but here "
            "there is no word at all.",
            "Which id means that there is no token?",
            [[1, 8, 5, 2, 3, 3], RIGHT[1]],
        ),
        "the unknown word left out": (
            "You left out “six” because it is not in the vocabulary. That makes the text shorter, and moves every later "
            "token to a different position.",
            "Use the special token for words that are not in the vocabulary.",
            [[1, 8, 5, 2, 0], [1, 7, 6, 4, 2]],
            [[1, 8, 5, 2, 0, 0], [1, 7, 6, 4, 2, 0]],
        ),
        "the unknown word as padding": (
            "You replaced “six” by padding, so attention would not look at it. But there is a word, even if it is unknown.",
            "Use the special token for words that are not in the vocabulary.",
            [RIGHT[0], [1, 7, 6, 4, 0, 2]],
        ),
        "a new id": (
            "You gave “six” a new id, 9. But the vocabulary ends at 8, and so does the embedding table: there is no row 9 to "
            "look up.",
            "Use the special token for words that are not in the vocabulary.",
            [RIGHT[0], [1, 7, 6, 4, 9, 2]],
        ),
        "no beginning and no end": (
            "The words are right, but each text also needs the tokens that mark its beginning and its end.",
            "Add one token before the first word and one after the last, so that each text becomes two tokens longer.",
            [[8, 5, 0, 0], [7, 6, 4, 3]],
        ),
        "no beginning": (
            "<begin> is missing from both texts. A model reads it when it has to write the first word.",
            "Start each row with the same id.",
            [[8, 5, 2, 0, 0], [7, 6, 4, 3, 2]],
            [[8, 5, 2, 0, 0, 0], [7, 6, 4, 3, 2, 0]],
        ),
        "no end": (
            "<end> is missing from both texts. Without it, a model would never learn to stop.",
            "Put it after the last word of each text.",
            [[1, 8, 5, 0, 0], [1, 7, 6, 4, 3]],
        ),
        "counted from 1": (
            "All your ids are too large by 1.",
            "Count from 0: <pad> is 0 and <begin> is 1.",
            (np.array(RIGHT) + 1).tolist(),
            [[2, 9, 6, 3, 0, 0], [2, 8, 7, 5, 4, 3]],
        ),
    },
)
