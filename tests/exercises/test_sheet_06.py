"""Sheet 06: what it says of its exercises is so, its references are right, and other answers are told why."""

import itertools
import re

import numpy as np
import pytest
import torch
from examining import SEEDS, solved, verdict
from tokens import X

from transformer_course._util import paths
from transformer_course.authoring import build
from transformer_course.embedding import SPECIALS, TokenEmbedding, Vocabulary, pad_right
from transformer_course.exercises import catalogue
from transformer_course.positions import LearnedPositions


def test_what_sheet_06_says_of_its_exercises_is_so():
    (source,) = (source for source in paths.sources("exercises") if source.stem.startswith("06_"))
    cells = [cell.source for cell in build.notebook_of(source).cells]
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
    for tie in ([[1, 0], [0, 0]], [[0, 0], [1, 0]]):  # whichever of the two argmax happens to take
        assert "all zeros" in verdict(nearest, tie).message
    for tie in ([[1, 1], [1, 0]], [[1, 0], [1, 1]]):
        seen = verdict(nearest, tie)
        assert not seen.passed
        assert "a tie" in seen.message
    assert verdict(nearest, [[0, 0], [1, 0], [2, 0]]).passed
    assert (len(order.target.alternatives) + 1, len(order.caught), len(order.target.mistakes)) == (6, 11, 11)
    assert "six functions that are blind to the order, and with eleven" in " ".join(text.split())

    start = catalogue()["embedding.drowned"].right["value"]
    assert np.random.default_rng(0).normal(0, start, (1000, 64)).std() * 64**0.5 == pytest.approx(1, abs=0.01)


def test_the_embedding_of_sheet_06_equals_the_librarys():
    for seed in SEEDS:
        for question in catalogue()["embedding.embed"].questions(seed):
            tokens, table, positions = map(torch.from_numpy, question)
            expected = torch.nn.functional.embedding(tokens, table) * table.shape[1] ** 0.5 + positions[: tokens.shape[-1]]
            np.testing.assert_allclose(catalogue()["embedding.embed"].reference(*question), expected, atol=1e-12)
            if tokens.ndim == 2:
                layer = TokenEmbedding(*table.shape).double()
                layer.table.data, places = table, LearnedPositions(table.shape[1], len(positions)).double()
                places.table.data = positions
                np.testing.assert_allclose(places(layer(tokens)).detach(), expected, atol=1e-12)


ORDERS = np.random.default_rng(5).permuted(np.tile(np.arange(5), (6, 1)), axis=1)
FIVE = X[:, :3]


def same_in(f, order, x=FIVE) -> bool:
    return np.allclose(f(x[order]), f(x)[order])


@pytest.mark.parametrize(
    "test",
    [
        lambda f: all(same_in(f, order) for order in ORDERS),
        lambda f: (
            all(same_in(f, list(order), FIVE[:4]) for order in itertools.permutations(range(4)))
            and same_in(f, [4, 2, 0, 1, 3])
        ),
        lambda f: same_in(f, [2, 0, 3, 1], FIVE[:4]) and same_in(f, [1, 4, 0, 2, 3]),
        lambda f: all(np.allclose(f(FIVE[order])[np.argsort(order)], f(FIVE)) for order in ORDERS),
        lambda f: same_in(f, [3, 1, 4, 0, 2], x=X[:, :1]) and same_in(f, [1, 0, 2, 3, 4]),
        lambda f: all(same_in(f, order, x=100 * FIVE) for order in ORDERS) and all(same_in(f, order) for order in ORDERS),
    ],
)
def test_every_thorough_way_to_look_for_an_order_passes(test):
    assert verdict(catalogue()["embedding.test_order"], test).passed


@pytest.mark.parametrize(
    ("test", "missed"),
    [
        (lambda f: same_in(f, [4, 3, 2, 1, 0]), "near tokens count for more"),
        (lambda f: same_in(f, [4, 3, 2, 1, 0]), "the outputs come backwards"),
        (lambda f: same_in(f, [1, 2, 3, 4, 0]), "neighbours in a circle"),
        (lambda f: same_in(f, [1, 0, 2, 3, 4]), "the last output is doubled"),
        (lambda f: same_in(f, [0, 2, 1, 4, 3]), "the first output is doubled"),
        (lambda f: same_in(f, [3, 1, 0, 4, 2]), "the second output is doubled"),
        (lambda f: np.allclose(np.sort(f(FIVE[ORDERS[0]]), 0), np.sort(f(FIVE), 0)), "the outputs come in order of size"),
    ],
)
def test_a_test_of_one_easy_order_lets_something_through(test, missed):
    exercise = catalogue()["embedding.test_order"]
    (broken,) = (m.answer for m in exercise.target.mistakes if m.name == missed)
    assert test(broken)
    assert 0 < verdict(exercise, test).score < 1


@pytest.mark.parametrize(
    ("test", "words"),
    [
        (lambda f: np.allclose(f(FIVE[ORDERS[0]]), f(FIVE)), "functions that are right"),
        (lambda f: f(np.zeros(3)) is None, "a row for each token, but got shape (3,)"),
        (lambda f: f(np.full((2, 2), np.inf)) is None, "takes finite numbers"),
    ],
)
def test_a_test_of_order_that_goes_astray_is_told(test, words):
    assert words in verdict(catalogue()["embedding.test_order"], test).message


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ([1.0, 2.0], "a row for each of at least two tokens, shape (v, d), but has shape (2,)"),
        ([[1.0, 2.0]], "at least two tokens"),
        (np.eye(9), "Small sizes will do"),
        ([[1.0], [2000.0]], "between −1000 and 1000"),
        ([[1.0, 2.0], [1.0, 2.0], [5.0, 1.0]], "Two rows of the table are equal"),
        ([[1.0], [np.nan]], "an array of finite numbers"),
    ],
)
def test_a_table_that_cannot_be_judged_is_told(table, words):
    assert words in verdict(catalogue()["embedding.nearest"], table).message


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


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            lambda t, p, w, q: (t, p, -w, q),
            "for word 0 at position 0, the score that `to_word` gives word 0 is 2.00 below the best of the others",
        ),
        (lambda t, p, w, q: (t, p, w, q[:, [1, 0, 2, 3]]), "the score that `to_position` gives position"),
        (lambda t, p, w, q: (t[:3], p, w, q), "`table` should have shape (4, 4), but has shape (3, 4)"),
        (lambda t, p, w, q: (t, p, w), "should contain 4 arrays in this order: table, positions, to_word, to_position"),
    ],
)
def test_matrices_that_read_wrongly_are_told_where(change, words):
    exercise = catalogue()["embedding.apart"]
    assert words in verdict(exercise, change(*solved(exercise))).message


@pytest.mark.parametrize(
    "codes",
    [
        [[0.0, 0], [0, 1], [1, 0], [1, 1]],  # binary
        [[1.0, 0], [2, 0], [0, 1], [0, 2]],
        [[0.0, 1], [1, 1], [2, 1], [3, 1]],
    ],
)
def test_rows_of_different_lengths_as_their_own_readers_are_told(codes):
    exercise = catalogue()["embedding.apart"]
    rows, nothing = np.array(codes), np.zeros((4, 2))
    table, positions = np.hstack([rows, nothing]), np.hstack([nothing, rows])
    assert verdict(exercise, (table, positions, table.T, positions.T)).mistake == "longer rows win"
    square = solved(exercise)[1]
    assert verdict(exercise, (table, square, table.T, square.T)).mistake == "longer rows win"
    assert verdict(exercise, (table, square, 2 * table.T, square.T)).mistake == "longer rows win"
