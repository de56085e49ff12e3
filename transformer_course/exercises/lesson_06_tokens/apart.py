"""Sheet 06: four words and four positions in four dimensions, so that both can be read from each sum."""

import itertools

import numpy as np

from ..exercise import Mistake
from ..kinds import Construct

COUNT, MARGIN = 4, 0.5
PAIRS = list(itertools.product(range(COUNT), repeat=2))


def _margins(table, positions, reader, of):
    """For each word and position, by how much the right score lies above the best other; ``of`` is 0 for the word."""
    found = []
    for pair in PAIRS:
        scores = (table[pair[0]] + positions[pair[1]]) @ reader
        found.append(scores[pair[of]] - np.delete(scores, pair[of]).max())
    return np.array(found)


def _both(table, positions, to_word, to_position):
    return _margins(table, positions, to_word, 0), _margins(table, positions, to_position, 1)


def _violation(drawn, *arrays):
    for name, of, margins in zip(("to_word", "to_position"), (0, 1), _both(*arrays), strict=True):
        worst = int(margins.argmin())
        if margins[worst] < MARGIN - 1e-9:
            word, place = PAIRS[worst]
            what = f"{('word', 'position')[of]} {PAIRS[worst][of]}"
            gap = f"{abs(margins[worst]):.2f} {'above' if margins[worst] > 0 else 'below'} the best of the others"
            where = f"from word {word} at position {place}, `{name}` reads a score for {what} that lies {gap}"
            return f"In the worst case, {where}; it should lie at least {MARGIN} above."
    return None


def _passes(*arrays):
    return all(margins.min() >= MARGIN - 1e-9 for margins in _both(*arrays))


def _alone(table, positions, to_word, to_position):
    """Whether each could be read if the other were not there."""
    nothing = np.zeros_like(table)
    words, places = _margins(table, nothing, to_word, 0), _margins(nothing, positions, to_position, 1)
    return min(words.min(), places.min()) > 0


def _same_rows(rows):
    return any(np.allclose(rows[i], rows[j]) for i, j in itertools.combinations(range(COUNT), 2))


_round = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
_none, _one = np.zeros((COUNT, 2)), np.eye(COUNT)
_words, _places = np.hstack([_round, _none]), np.hstack([_none, _round])


apart = Construct(
    id="embedding.apart",
    answer_name="matrices",
    prompt="Four words and four positions of four numbers, and two maps that read both from each sum.",
    shapes=dict.fromkeys(("table", "positions", "to_word", "to_position"), (COUNT, COUNT)),
    draw=lambda rng: [None],
    violation=_violation,
    why=(
        "If words and positions use different directions, a linear map can read each of them from the sum as if the other "
        "were not there."
    ),
    hints=(
        "Give the words two of the four dimensions, and the positions the other two. Then neither is in the other's way.",
        "So four words must be told apart in two dimensions. A score is a dot product: where can four points of the same length lie, so "
        "that each has its largest dot product with itself?",
        "[1, 0], [0, 1], [−1, 0] and [0, −1], on a circle. Column w of to_word is word w's own direction: to_word = table.T.",
    ),
    mistakes=(
        Mistake(
            "the two maps exchanged",
            "to_word reads the position, and to_position reads the word.",
            "The third of the four matrices reads the word.",
            (_words, _places, _places.T, _words.T),
            recognise=lambda t, p, w, q: _passes(t, p, q, w),
        ),
        Mistake(
            "maps turned",
            "Read along rows in place of columns, your maps would be right. Scores are x @ to_word: *column* w makes the score of word w.",
            "Transpose them with .T.",
            (_words, _places, _words, _places),
            recognise=lambda t, p, w, q: _passes(t, p, w.T, q.T) or _passes(t, p, w.T, q) or _passes(t, p, w, q.T),
        ),
        Mistake(
            "too close",
            "In all 16 sums, both are read rightly. But the right score should lie at least 0.5 above the others, and somewhere it does "
            "not.",
            "Multiply the maps by a larger number.",
            (_words, _places, 0.1 * _words.T, 0.1 * _places.T),
            variants=((0.3 * _words, 0.3 * _places, _words.T, _places.T),),
            recognise=lambda *arrays: min(margins.min() for margins in _both(*arrays)) > 1e-9,
        ),
        Mistake(
            "two words or two positions alike",
            "Two rows of the table are the same, or two of the positions. Then no map can tell these two apart.",
            "Four different rows in each.",
            (_words, 0 * _places, _words.T, _places.T),
            variants=((0 * _one, _one, _one, _one), (_words[[0, 0, 2, 3]], _places, _words.T, _places.T)),
            recognise=lambda t, p, w, q: _same_rows(t) or _same_rows(p),
        ),
        Mistake(
            "in each other's way",
            "Words alone would be read correctly, and positions alone too, but not their sums: they use the same "
            "directions, so each is mistaken for the other.",
            "Give each of them dimensions of its own. How few are enough for four words?",
            (_one, _one, _one, _one),
            variants=((_one, 10 * _one, _one, _one), (_one, -_one, _one, -_one)),
            recognise=_alone,
        ),
        Mistake(
            "three of four on a line",
            "Your words (or your positions) lie on one line. A score is a dot product without a bias: along a line, only the two ends can "
            "have the largest score, never one in between.",
            "Use two dimensions for the words: four points on a circle.",
            (
                np.outer([-3.0, -1.0, 1.0, 3.0], _one[0]),
                np.outer([-3.0, -1.0, 1.0, 3.0], _one[1]),
                np.outer(_one[0], [-3.0, -1.0, 1.0, 3.0]),
                np.outer(_one[1], [-3.0, -1.0, 1.0, 3.0]),
            ),
            variants=((np.outer([0.0, 1.0, 2.0, 3.0], _one[0]), np.outer([0.0, 1.0, 2.0, 3.0], _one[1]), _one, _one),),
            recognise=lambda t, p, w, q: np.linalg.matrix_rank(t) == 1 or np.linalg.matrix_rank(p) == 1,
        ),
    ),
)
