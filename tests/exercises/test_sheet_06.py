"""Sheet 06: what it says of its exercises is so, and other answers are told why."""

import itertools
import re

import numpy as np
import pytest
import torch
from examining import cells_of, solved, told, verdict
from tokens import X

from transformer_course.embedding import SPECIALS, Vocabulary, pad_right
from transformer_course.exercises import catalogue


def test_what_sheet_06_says_of_its_exercises_is_so():
    cells = cells_of("06")
    text, names = "\n".join(cells), {"np": np}
    vocabulary = re.findall(r"`(<?\w+>?)`", next(line for line in text.splitlines() if line.startswith("`<pad>`")))
    assert tuple(vocabulary[:4]) == SPECIALS
    both = ["twenty five", "three hundred and six"]
    assert all(f'"{words}"' in text for words in both)
    known = Vocabulary(vocabulary[4:])
    made = pad_right([[known.begin, *known.encode(words.split()), known.end] for words in both])
    assert made.tolist() == catalogue()["embedding.ids"].value

    nearest, order = catalogue()["embedding.nearest"], catalogue()["embedding.test_order"]
    exec(next(cell for cell in cells if cell.startswith("def by_dot_product(")), names)
    for table in (names["example"], np.array(solved(nearest)), np.random.default_rng(0).normal(size=(8, 2))):
        assert np.array_equal(names["by_dot_product"](table), nearest.faulty(table))  # what is shown is what is judged
        assert np.array_equal(names["by_distance"](table), nearest.reference(table))
    assert verdict(nearest, [[0, 0], [1, 0], [2, 0]]).passed
    assert (len(order.target.alternatives) + 1, len(order.caught), len(order.target.mistakes)) == (6, 11, 11)
    assert "six functions that are blind to the order, and with eleven" in " ".join(text.split())

    start = catalogue()["embedding.drowned"].right["value"]
    assert np.random.default_rng(0).normal(0, start, (1000, 64)).std() * 64**0.5 == pytest.approx(1, abs=0.01)


ORDERS = np.random.default_rng(5).permuted(np.tile(np.arange(5), (6, 1)), axis=1)
FIVE = X[:, :3]


def same_in(f, order, x=FIVE) -> bool:
    return np.allclose(f(x[order]), f(x)[order])


def test_every_thorough_way_to_look_for_an_order_passes():
    thorough = (
        lambda f: all(same_in(f, order) for order in ORDERS),
        lambda f: (
            all(same_in(f, list(order), FIVE[:4]) for order in itertools.permutations(range(4)))
            and same_in(f, [4, 2, 0, 1, 3])
        ),
        lambda f: same_in(f, [2, 0, 3, 1], FIVE[:4]) and same_in(f, [1, 4, 0, 2, 3]),
        lambda f: all(np.allclose(f(FIVE[order])[np.argsort(order)], f(FIVE)) for order in ORDERS),
        lambda f: same_in(f, [3, 1, 4, 0, 2], x=X[:, :1]) and same_in(f, [1, 0, 2, 3, 4]),
        lambda f: all(same_in(f, order, x=100 * FIVE) for order in ORDERS) and all(same_in(f, order) for order in ORDERS),
    )
    passed = [verdict(catalogue()["embedding.test_order"], test).passed for test in thorough]
    assert passed == [True] * len(thorough)


def test_a_test_of_one_easy_order_lets_something_through():
    exercise = catalogue()["embedding.test_order"]
    broken = {mistake.name: mistake.answer for mistake in exercise.target.mistakes}
    incomplete = {
        "near tokens count for more": lambda f: same_in(f, [4, 3, 2, 1, 0]),
        "the outputs come backwards": lambda f: same_in(f, [4, 3, 2, 1, 0]),
        "neighbours in a circle": lambda f: same_in(f, [1, 2, 3, 4, 0]),
        "the last output is doubled": lambda f: same_in(f, [1, 0, 2, 3, 4]),
        "the first output is doubled": lambda f: same_in(f, [0, 2, 1, 4, 3]),
        "the second output is doubled": lambda f: same_in(f, [3, 1, 0, 4, 2]),
        "the outputs come in order of size": lambda f: np.allclose(np.sort(f(FIVE[ORDERS[0]]), 0), np.sort(f(FIVE), 0)),
    }
    for missed, test in incomplete.items():
        assert test(broken[missed]), missed
        assert 0 < verdict(exercise, test).score < 1, missed


def test_other_answers_to_sheet_06_are_told_why(snapshot):
    t, p, to_word, to_position = map(np.array, solved(catalogue()["embedding.apart"]))

    def on_one_axis(f):
        return f(np.zeros(3)) is None

    def on_inf(f):
        return f(np.full((2, 2), np.inf)) is None

    answers = {
        "embedding.test_order": {
            "the same output for another order": lambda f: np.allclose(f(FIVE[ORDERS[0]]), f(FIVE)),
            "one axis": on_one_axis,
            "not finite": on_inf,
        },
        "embedding.nearest": {
            "one axis": [1.0, 2.0],
            "one token": [[1.0, 2.0]],
            "too many tokens": np.eye(9),
            "too large": [[1.0], [2000.0]],
            "two equal rows": [[1.0, 2.0], [1.0, 2.0], [5.0, 1.0]],
            "not a number": [[1.0], [np.nan]],
            "the second row zero": [[1, 0], [0, 0]],
            "the first row zero": [[0, 0], [1, 0]],
            "a tie with the row above": [[1, 1], [1, 0]],
            "a tie with the row below": [[1, 0], [1, 1]],
        },
        "embedding.apart": {
            "words read with the other sign": (t, p, -to_word, to_position),
            "two positions swapped in their reader": (t, p, to_word, to_position[:, [1, 0, 2, 3]]),
            "three words": (t[:3], p, to_word, to_position),
            "three matrices": (t, p, to_word),
        },
    }
    assert {name: {case: told(name, answer) for case, answer in cases.items()} for name, cases in answers.items()} == snapshot


def test_every_table_with_a_long_row_ahead_of_a_short_one_passes():
    for table in ([[1.0], [1.5]], [[1, 1], [0, 0], [9, 8]], torch.tensor([[0.5, 0.1], [-1.0, 2.0], [3.0, 0.0]])):
        assert verdict(catalogue()["embedding.nearest"], table).passed


def test_words_and_positions_on_any_four_dimensions_are_read():
    apart, rng = catalogue()["embedding.apart"], np.random.default_rng(0)
    table, positions, to_word, to_position = solved(apart)
    corners = np.array([[1.0, 1], [1, -1], [-1, 1], [-1, -1]])
    turn = np.linalg.qr(rng.normal(size=(4, 4)))[0]
    askew = rng.normal(size=(4, 4))
    assert verdict(apart, (table @ turn, positions @ turn, turn.T @ to_word, turn.T @ to_position)).passed
    assert verdict(
        apart, (table @ askew, positions @ askew, np.linalg.inv(askew) @ to_word, np.linalg.inv(askew) @ to_position)
    ).passed
    square = np.hstack([corners, np.zeros((4, 2))]), np.hstack([np.zeros((4, 2)), corners])
    assert verdict(apart, (*square, square[0].T, square[1].T)).passed
    assert verdict(apart, (table, 0.2 * positions, to_word, 9 * to_position)).passed
