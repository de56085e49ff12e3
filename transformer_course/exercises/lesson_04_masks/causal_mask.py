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
        "Row i belongs to query i, and column j to key j. First write down the mask of three tokens. Which of its "
        "nine entries are True?",
        "Token i may attend to token j if j is not larger than i.",
        "Compare all the row numbers as a column, np.arange(n)[:, None], with all the column numbers, np.arange(n). "
        "This gives the whole matrix at once.",
    ),
    mistakes=(
        Mistake(
            "the future in place of the past",
            "In your mask, row i is True from column i on: each token sees itself and what comes after it. It should "
            "see itself and what came before.",
            "The first token may attend only to itself, so row 0 has a single True. (In torch and NumPy, tril keeps "
            "the lower triangle, and triu the upper.)",
            _triangle(0, transposed=True),
        ),
        Mistake(
            "True for what is forbidden",
            "Every entry of your mask is the opposite of what it should be: it is True where a token may not attend. "
            "That is how `nn.MultiheadAttention` reads a mask. Here, True = may attend.",
            "Invert every entry. For an array of True and False, that is `~mask`.",
            lambda n: ~causal_mask(n),
        ),
        Mistake(
            "the diagonal excluded",
            "Your mask hides each token from itself, so the first one may attend to nothing. A token may see itself. "
            "The next token is what it must not see.",
            "Is j = i included in your comparison?",
            _triangle(-1),
        ),
        Mistake(
            "one step too far",
            "Your mask also lets each token see the next one, which is the very token that it has to predict.",
            "Row 0 should have a single True. Where does yours end?",
            _triangle(1),
        ),
        Mistake(
            "one step too far, transposed",
            "In your mask, row i is True from column i − 1 on: tokens see what comes later, but not what came long before.",
            "Row 0 should have a single True, in column 0. The last row should be all True.",
            _triangle(1, transposed=True),
        ),
        Mistake(
            "the additive form",
            "You returned numbers to add to the scores: 0 where a token may attend, and −∞ or something very low "
            "where it may not. They are in the right places, but the exercise asks for a boolean mask, True = may "
            "attend.",
            "Where your array is 0, the mask should be True. A comparison gives you that.",
            _additive(-np.inf),
            variants=tuple(map(_additive, (-100.0, -1000.0, -1e4, -1e9, -1e30, float(np.finfo(np.float32).min)))),
        ),
        Mistake(
            "along the other diagonal",
            "The edge between True and False runs from the upper right to the lower left in your mask. It should run "
            "along the diagonal where row and column number are equal, from the upper left to the lower right.",
            "Row 0 should be True, False, False, …, and the last row all True.",
            lambda n: causal_mask(n)[::-1],
            variants=(lambda n: causal_mask(n)[:, ::-1],),
        ),
        Mistake(
            "only itself",
            "In your mask each token sees only itself and nothing that came before, so attention would never mix anything.",
            "Row i should be True at 0, 1, … up to i.",
            lambda n: np.eye(n, dtype=bool),
        ),
        Mistake(
            "only itself and the one before",
            "In your mask each token sees itself and the one before. But it may see everything that came earlier.",
            "Row i should be True at 0, 1, … up to i.",
            lambda n: np.eye(n, dtype=bool) | np.eye(n, k=-1, dtype=bool),
        ),
        Mistake(
            "everything allowed",
            "Your mask is True everywhere, so nothing is hidden. In row i, all columns after i must be False.",
            "Compare row and column numbers first: is column j larger than row i?",
            lambda n: np.ones((n, n), bool),
        ),
        Mistake(
            "everything forbidden",
            "Your mask is False everywhere, so no token may attend to anything. In row i, columns 0 to i must be True.",
            "Which line sets the allowed entries to True?",
            lambda n: np.zeros((n, n), bool),
        ),
        Mistake(
            "too many axes",
            "Your mask is right, but has one axis too many. It does not need one for the batch: broadcasting "
            "stretches (n, n) over every batch and every head.",
            "Return shape (n, n).",
            lambda n: causal_mask(n)[None],
            variants=(lambda n: causal_mask(n)[None, None], lambda n: causal_mask(n)[..., None]),
        ),
        Mistake(
            "one row",
            "You returned a single row of n answers, because you compared each number with itself. The mask has an "
            "answer for every pair of a query and a key, n × n of them.",
            "To compare every row number with every column number, turn one of the two into a column with [:, None].",
            lambda n: np.arange(n) <= np.arange(n),
            variants=(lambda n: np.arange(n) < np.arange(n),),
        ),
    ),
)
