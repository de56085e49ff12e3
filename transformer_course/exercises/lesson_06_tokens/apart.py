"""Sheet 06: four words and four positions in four dimensions, so that both can be read from each sum."""

import itertools

import numpy as np

from ..kinds import Construct
from ..toolkit import known

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
            where = f"for word {word} at position {place}, the score that `{name}` gives {what} is {gap}"
            return f"In the worst case, {where}. It should be at least {MARGIN} above."
    return None


def _passes(*arrays):
    return _violation(None, *arrays) is None


def _alone(table, positions, to_word, to_position):
    """Whether each could be read if the other were not there."""
    nothing = np.zeros_like(table)
    words, places = _margins(table, nothing, to_word, 0), _margins(nothing, positions, to_position, 1)
    return min(words.min(), places.min()) > 0


def _same_rows(rows):
    return any(np.allclose(rows[i], rows[j]) for i, j in itertools.combinations(range(COUNT), 2))


def _longer_wins(rows, reader):
    """Whether the rows are their own reader, and a longer row scores at least as high as the right one."""
    scale = np.linalg.norm(reader) / max(np.linalg.norm(rows), 1e-12)
    scores = rows @ rows.T
    others = scores - np.diag(np.full(COUNT, np.inf))
    return np.allclose(reader, scale * rows.T) and (others.max(axis=1) >= scores.diagonal() - 1e-9).any()


_round = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
_none, _one = np.zeros((COUNT, 2)), np.eye(COUNT)
_on_a_line = [np.outer([-3.0, -1.0, 1.0, 3.0], axis) for axis in _one]
_words, _places = np.hstack([_round, _none]), np.hstack([_none, _round])
_binary = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
_words_in_binary, _places_in_binary = np.hstack([_binary, _none]), np.hstack([_none, _binary])


def _doubled_reader(rows):
    """Words with these rows, and twice the same rows to read them."""
    table = np.hstack([rows, _none])
    return table, _places, 2 * table.T, _places.T


apart = Construct(
    id="embedding.apart",
    answer_name="matrices",
    prompt="Four words, four positions, and two matrices that read both from each sum, all in four dimensions.",
    shapes=dict.fromkeys(("table", "positions", "to_word", "to_position"), (COUNT, COUNT)),
    violation=_violation,
    why=(
        "If words and positions use different directions, a linear map can read each of them from the sum as if the other "
        "were not there."
    ),
    hints=(
        "Give the words two of the four dimensions, and the positions the other two. Then they do not interfere with each "
        "other.",
        "Now you have to tell four words apart in two dimensions. A score is a dot product. Where can you put four points of "
        "the same length, so that each has its largest dot product with itself?",
        "Take [1, 0], [0, 1], [−1, 0] and [0, −1], which lie on a circle. Let column w of to_word be the direction of word "
        "w: to_word = table.T.",
    ),
    mistakes={
        "the two maps swapped": known(
            "You swapped the two readers: to_word reads the position, and to_position reads the word.",
            "The third of the four matrices should read the word.",
            (_words, _places, _places.T, _words.T),
            recognise=lambda t, p, w, q: _passes(t, p, q, w),
        ),
        "maps turned": known(
            "At least one of your readers is transposed. In x @ to_word, *column* w gives the score of word w, but you put "
            "word w into a row.",
            "Transpose it with .T.",
            (_words, _places, _words, _places),
            recognise=lambda t, p, w, q: _passes(t, p, w.T, q.T) or _passes(t, p, w.T, q) or _passes(t, p, w, q.T),
        ),
        "too close": known(
            "Word and position are read correctly from all 16 sums. But the right score should be at least 0.5 above the "
            "others, and for some sums it is not.",
            "Multiply both readers by a larger number.",
            (_words, _places, 0.1 * _words.T, 0.1 * _places.T),
            (0.3 * _words, 0.3 * _places, _words.T, _places.T),
            recognise=lambda *arrays: min(margins.min() for margins in _both(*arrays)) > 1e-9,
        ),
        "two words or two positions alike": known(
            "Two words have the same row in the table, or two positions have the same row. Then no matrix can tell these two "
            "apart.",
            "Use four different rows for the words, and four for the positions.",
            (_words, 0 * _places, _words.T, _places.T),
            (0 * _one, _one, _one, _one),
            (_words[[0, 0, 2, 3]], _places, _words.T, _places.T),
            recognise=lambda t, p, w, q: _same_rows(t) or _same_rows(p),
        ),
        "in each other's way": known(
            "Words alone would be read correctly, and so would positions alone. But they use some of the same directions, so "
            "in some sums each changes the scores of the other.",
            "Give the words and the positions separate dimensions. How few dimensions are enough for four words?",
            (_one, _one, _one, _one),
            (_one, 10 * _one, _one, _one),
            (_one, -_one, _one, -_one),
            recognise=_alone,
        ),
        "three of four on a line": known(
            "Your words (or your positions) lie on one line. A score is a dot product without a bias, so along a line only "
            "one of the two ends can have the highest score, never a point in between.",
            "Use two dimensions for four words, and look for four points that are all equally far from the origin.",
            (_on_a_line[0], _on_a_line[1], _on_a_line[0].T, _on_a_line[1].T),
            (np.outer(range(4), _one[0]), np.outer(range(4), _one[1]), _one, _one),
            recognise=lambda t, p, w, q: np.linalg.matrix_rank(t) == 1 or np.linalg.matrix_rank(p) == 1,
        ),
        "longer rows win": known(
            "Each of your readers holds the rows themselves, but the rows have different lengths. A score is a dot product, "
            "so a longer row can score as high as the right one or higher, and a row of zeros scores 0 with everything.",
            "Print table @ to_word. In each row, the largest number should be on the diagonal. How long should the rows be?",
            (_words_in_binary, _places_in_binary, _words_in_binary.T, _places_in_binary.T),
            (_words_in_binary, _places, _words_in_binary.T, _places.T),
            *map(_doubled_reader, (_binary, [[1, 0], [2, 0], [0, 1], [0, 2]], [[0, 1], [1, 1], [2, 1], [3, 1]])),
            recognise=lambda t, p, w, q: _longer_wins(t, w) or _longer_wins(p, q),
        ),
    },
)
