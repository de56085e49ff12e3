"""Sheet 08: what it says of its exercises is so, and other answers are told why."""

import math

import numpy as np
import pytest
import torch
from examining import cells_of, lettered_rows, solved, told, verdict

from transformer_course.exercises import catalogue
from transformer_course.experiments.lengths import accuracy, train_copier
from transformer_course.positions import rotate


def test_what_sheet_08_says_of_its_exercises_is_so():
    cells = cells_of("08")
    names = {"np": np, "math": math}
    unseen, previous, sight = (catalogue()[f"positions.{name}"] for name in ("unseen", "previous", "sight"))
    trained = {start + i for start in range(41) for n in range(4, 25) for i in range(n)}
    assert unseen.value == [max(trained) + 1, 23, min(p for p in range(128) if p not in range(24))]

    exec(next(cell for cell in cells if cell.startswith("def scores(")), names)
    q, k = map(np.array, solved(previous))
    shown = names["scores"](q, k, furthest=79)  # what is shown is what is judged
    turned = rotate(torch.from_numpy(np.array([q] * 80)).double(), torch.arange(80)).numpy() @ k  # the key at 0
    np.testing.assert_allclose(shown, turned, atol=1e-9)
    assert shown[:20].argmax() == 1
    assert np.delete(shown[:20], 1).max() == pytest.approx(96, abs=0.1) == shown[7]
    assert shown[1] - shown[45] < 0.02
    assert sight.right["value"] == 80


@pytest.mark.slow  # trains two models
def test_the_table_of_sheet_08_is_measured():
    rows = lettered_rows("\n".join(cells_of("08")))
    for first, asked in (("A", "previous"), ("C", "first")):
        assert asked in rows[first][0]
        model = train_copier("rotary", asked)
        for row, reach in ((first, 80), (chr(ord(first) + 1), 20)):
            right = accuracy(model, asked, window=reach)
            seen = [right[:19].mean().item(), right[59:].mean().item()]
            assert seen == pytest.approx([float(entry) for entry in rows[row][2:]], abs=0.12)  # trained on another processor


def test_every_query_and_key_that_find_the_token_before_pass():
    previous = catalogue()["positions.previous"]
    q, k = solved(previous)
    for degrees in (0, 33, 140, -77):
        a = math.radians(degrees)
        turn = np.array([[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]])
        assert verdict(previous, (turn @ q, turn @ k)).passed, degrees
        assert not verdict(previous, (np.array(q), turn @ k)).passed or degrees == 0, degrees
    assert verdict(previous, (np.multiply(q, 10).tolist(), torch.tensor(k).float() * 0.8)).passed  # another length of each


def test_hands_that_find_another_token_are_told_why(snapshot):
    answers = {
        "three numbers": ([10, 0], [10, 0, 0]),
        "too long": ([1000, 0], [10, 0]),
        "three tokens back": ([10, 0], [10 * math.cos(3), 10 * math.sin(3)]),
        "one array": ([10, 0],),
    }
    assert {case: told("positions.previous", answer) for case, answer in answers.items()} == snapshot
