"""Sheet 04: the causal mask of any number of tokens."""

import numpy as np

from ..exercise import Mistake
from ..kinds import Implement


def causal_mask(n):
    return np.tril(np.ones((n, n), bool))


def _causal_in_loops(n):
    return [[j <= i for j in range(n)] for i in range(n)]


def _causal_by_places(n):
    return np.arange(n)[:, None] >= np.arange(n)


def _triangle(k, transposed: bool = False):
    """The lower triangle up to the k-th diagonal, or its mirror image."""
    return lambda n: (np.tril(np.ones((n, n)), k).T if transposed else np.tril(np.ones((n, n)), k)) > 0


def _additive(low):
    """What is added to the scores, in place of what is asked: 0 where a token may attend, else something very low."""
    return lambda n: np.where(causal_mask(n), 0.0, low)


attention_causal_mask = Implement(
    id="attention.causal_mask",
    answer_name="causal_mask",
    prompt="The causal mask of n tokens, (n, n), boolean, True = may attend.",
    reference=causal_mask,
    draw=lambda rng: [[3], [1], [int(rng.integers(4, 7))], [int(rng.integers(7, 13))]],
    alternatives=(_causal_in_loops, _causal_by_places),
    why=(
        "Query i may attend to key j exactly when j ≤ i, and comparing a column of positions with a row of positions tests "
        "all pairs at once."
    ),
    hints=(
        "Row i belongs to the query i, and column j to the key j. Write the mask of three tokens down first: which of its nine "
        "places are True?",
        "Token i may attend to token j when j is not larger than i.",
        "All the row numbers as a column, np.arange(n)[:, None], compared with all the column numbers, np.arange(n), give "
        "the whole table at once.",
    ),
    mistakes=(
        Mistake(
            "the future in place of the past",
            "In your mask, row i is True from column i on: each token sees itself and what comes after it. It must be the "
            "other way: itself and what came before.",
            "The first token may attend to itself alone, so row 0 has a single True. (In torch and NumPy, tril keeps the lower "
            "triangle, triu the upper.)",
            _triangle(0, transposed=True),
        ),
        Mistake(
            "True for what is forbidden",
            "Every place of your mask is the opposite of what it should be: True stands where a token may not attend. That is how "
            "`nn.MultiheadAttention` reads a mask; here, True = may attend.",
            "Turn each into its opposite; for an array of True and False that is `~mask`.",
            lambda n: ~causal_mask(n),
        ),
        Mistake(
            "the diagonal excluded",
            "Your mask hides each token from itself, and leaves the first one nothing at all. What must not be seen is the next "
            "token; a token's own place is allowed.",
            "Is j = i included in your comparison?",
            _triangle(-1),
        ),
        Mistake(
            "one step too far",
            "Your mask lets each token see the next one too, and that is the very token that it has to predict.",
            "Row 0 may have a single True. Where does yours end?",
            _triangle(1),
        ),
        Mistake(
            "one step too far, transposed",
            "In your mask, row i is True from column i − 1 on: it lets tokens see what comes later, and hides what came long "
            "before.",
            "Row 0 may have a single True, in column 0. The last row is True throughout.",
            _triangle(1, transposed=True),
        ),
        Mistake(
            "the additive form",
            "These are numbers to be added to the scores: 0 where a token may attend, −∞ or something very low where not. Their places "
            "are right. The exercise asks for the boolean form, True = may attend, which takes the scores out by np.where.",
            "Where your array is 0, the mask is True. A comparison gives exactly that.",
            _additive(-np.inf),
            variants=tuple(map(_additive, (-100.0, -1000.0, -1e4, -1e9, -1e30, float(np.finfo(np.float32).min)))),
        ),
        Mistake(
            "along the other diagonal",
            "The edge between True and False runs from the upper right to the lower left. It has to run along the places where "
            "row and column number are equal, from the upper left down.",
            "Row 0: True, False, False, … And the last row is True throughout.",
            lambda n: causal_mask(n)[::-1],
            variants=(lambda n: causal_mask(n)[:, ::-1],),
        ),
        Mistake(
            "only itself",
            "In your mask each token sees itself alone, and nothing of what came before: nothing would ever be mixed.",
            "Row i is True at 0, 1, … up to i.",
            lambda n: np.eye(n, dtype=bool),
        ),
        Mistake(
            "only itself and the one before",
            "In your mask each token sees itself and the one before. All that came earlier is allowed as well.",
            "Row i is True at 0, 1, … up to i.",
            lambda n: np.eye(n, dtype=bool) | np.eye(n, k=-1, dtype=bool),
        ),
        Mistake(
            "everything allowed",
            "Your mask is True everywhere, so nothing is hidden. In row i, all columns after i must be False.",
            "Make the table of comparisons first: is column j larger than row i?",
            lambda n: np.ones((n, n), bool),
        ),
        Mistake(
            "everything forbidden",
            "Your mask is False everywhere, so that no token may attend to anything. In row i, the columns 0 to i must be True.",
            "Does something in it set the allowed places to True?",
            lambda n: np.zeros((n, n), bool),
        ),
        Mistake(
            "axes too many",
            "The table is right, but wrapped in one axis more than was asked for. It needs none for the batch: broadcasting "
            "stretches (n, n) over every batch and every head.",
            "Return shape (n, n).",
            lambda n: causal_mask(n)[None],
            variants=(lambda n: causal_mask(n)[None, None], lambda n: causal_mask(n)[..., None]),
        ),
        Mistake(
            "one row",
            "This is a single row of n answers: each number was compared with itself. The mask holds an answer for every pair of a "
            "query and a key, n × n of them.",
            "To compare each with each, make one of the two a column, with [:, None].",
            lambda n: np.arange(n) <= np.arange(n),
            variants=(lambda n: np.arange(n) < np.arange(n),),
        ),
    ),
)
