"""Sheet 09: what it says of its exercises is so, and other answers are told why."""

import numpy as np
from examining import cells_of, solved, told, verdict

from transformer_course.exercises import catalogue
from transformer_course.exercises.lesson_09_feed_forward.by_hand import B1, B2, W1, W2
from transformer_course.exercises.lesson_09_feed_forward.by_hand import X as TWO_TOKENS


def test_any_hinges_pass_that_go_up_and_down_at_the_right_places():
    right = [
        (np.ones((1, 4)), [0, -0.25, -0.5, -0.75], [[4], [-8], [8], [-8]], [0]),
        ([[4, 4, 4, 4]], [0, -1, -2, -3], [[1], [-2], [2], [-2]], [0]),  # larger w1
        ([[1, 1, 1, 1, 1]], [5, 0, -0.25, -0.5, -0.75], [[0], [4], [-8], [8], [-8]], [0.0]),  # one to spare
    ]
    wrong = [
        ([[-4, -4, -4, -4]], [4, 3, 2, 1], [[-1], [2], [-2], [2]], [0]),  # units that switch off, from the right: even
        ([[1, 1]], [-0.2, -0.7], [[20], [-20]], [0]),
    ]
    assert [verdict(catalogue()["layers.zigzag"], hinges).passed for hinges in right + wrong] == 3 * [True] + 2 * [False]


TOKENS = np.random.default_rng(4).normal(size=(5, 3))


def alone_and_among_others(f):
    return all(np.allclose(f(TOKENS[i : i + 1]), f(TOKENS)[i]) for i in range(5))


def in_pieces(f):
    return all(np.allclose(np.vstack([f(TOKENS[:k]), f(TOKENS[k:])]), f(TOKENS)) for k in range(1, 5))


def as_a_loop(f):
    return np.allclose(np.concatenate([f(token[None]) for token in TOKENS]), f(TOKENS))


def test_every_thorough_way_to_look_at_tokens_alone_passes():
    for test in (alone_and_among_others, in_pieces, as_a_loop):
        assert verdict(catalogue()["layers.test_position_wise"], test).passed, test


def two_tokens(f):
    return all(np.allclose(f(TOKENS[i : i + 1]), f(TOKENS[:2])[i]) for i in range(2))


def test_two_tokens_are_too_few():
    assert verdict(catalogue()["layers.test_position_wise"], two_tokens).mistake == "a look two tokens back"


def test_other_answers_to_sheet_09_are_told_why(snapshot):
    w1, b1 = [[1.0] * 4], [0.0, -0.25, -0.5, -0.75]
    answers = {
        "layers.zigzag": {
            "one unit": ([[1.0]], [-0.1], [[7.0]], [0.0]),
            "half as steep": (w1, b1, [[2.0], [-4.0], [4.0], [-4.0]], [0.0]),
            "too high": (w1, b1, [[4.0], [-8.0], [8.0], [-8.0]], [0.5]),
            "two units unused": (w1, b1, [[0.0], [1.0], [0.0], [1.0]], [0.0]),
            "w2 as a row": ([[1.0, 1.0]], [0.0, 1.0], [[1.0, 2.0]], [0.0]),
        },
        "layers.feed_forward": {"Python's max": lambda x, w1, b1, w2, b2: max(0, x @ w1 + b1) @ w2 + b2},
    }
    assert {name: {case: told(name, answer) for case, answer in cases.items()} for name, cases in answers.items()} == snapshot


def test_what_sheet_09_says_of_its_exercises_is_so():
    cells = cells_of("09")
    text, names = "\n".join(cells), {"np": np}
    rows = [[entry.strip().replace("−", "-") for entry in row.split("|")[1:-1]] for row in text.splitlines() if row[:1] == "|"]
    shown = [[float(entry) if entry else None for entry in row] for row in rows[2:5]]
    for array, first in ((W1, 0), ([B1], 4), (W2, 8), ([B2], 11)):  # what is shown is what is judged
        for (i, j), number in np.ndenumerate(np.array(array)):
            assert shown[i][first + j] == number
    assert all(f"[{', '.join(f'{n:.0f}' for n in token)}]".replace("-", "−") in text for token in TWO_TOKENS)

    zigzag, alone = catalogue()["layers.zigzag"], catalogue()["layers.test_position_wise"]
    exec(next(cell for cell in cells if cell.startswith("def look(")), names)
    hinges = [np.array(part, float) for part in solved(zigzag)]
    np.testing.assert_allclose(names["look"](*hinges), [0, 1, 0, 1, 0])
    assert (len(alone.target.alternatives) + 1, len(alone.caught), len(alone.target.mistakes)) == (6, 11, 11)
    assert "six functions that do, and on eleven that do not" in " ".join(text.split())
