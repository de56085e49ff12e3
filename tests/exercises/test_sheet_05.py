"""Sheet 05: what it says of its exercises is so, and other answers are told why."""

import itertools

import numpy as np
import pytest
import torch
from examining import cells_of, solved, told, verdict

from transformer_course.exercises import catalogue


def test_what_sheet_05_says_of_its_exercises_is_so():
    cells = cells_of("05")
    order, trap, look = (catalogue()[f"heads.{name}"] for name in ("order", "mask_trap", "neighbours"))
    (listing,) = (cell for cell in cells if "```python\nA   " in cell)
    beginning, listed = (part.split("\n```")[0] for part in listing.split("```python\n")[1:])
    assert listed == "\n".join(f"{letter}   {line}" for letter, line in order.lines.items())
    assert (len(order.lines), order.needed) == (10, 5)
    given = [cell for cell in cells if cell.startswith("def softmax(")]
    assert order.given.startswith(given[0])
    assert beginning == order.given.removeprefix(given[0]).strip()

    names = {"np": np}
    exec(given[0], names)
    exec(next(cell for cell in cells if cell.startswith("def misplaced(")), names)
    scores, mask = (np.array(part, kind) for part, kind in zip(solved(trap), (float, bool), strict=True))
    for function, shown in ((trap.faulty, "misplaced"), (trap.reference, "repaired")):
        np.testing.assert_allclose(function(scores, mask), names[shown](scores, mask))
    with pytest.raises(ValueError, match="broadcast"):
        names["misplaced"](np.zeros((1, 3, 2, 2)), mask)  # 2 queries, 3 heads: an error, as a diagnosis says
    assert names["misplaced"](np.zeros((1, 1, 2, 2)), mask).shape == (1, 2, 2, 2)  # and with one head, another shape

    q, k = (np.hsplit(w, 2) for w in solved(look))
    for drawn in look.draw(np.random.default_rng(0)):
        assert np.array_equal(drawn[:, 4:], np.eye(6))
        assert np.abs(drawn[:, :4]).max() <= 100
        weights = [names["softmax"](drawn @ q[i] @ (drawn @ k[i]).T / np.sqrt(6), axis=-1) for i in (0, 1)]
        assert all(weights[0][t, t - 1] >= 0.9 and weights[1][t, t + 1] >= 0.9 for t in range(1, 5))


def test_every_order_that_works_passes_and_no_other():
    order = catalogue()["heads.order"]
    right = solved(order)
    valid = set()
    for letter, place in itertools.product(right, range(len(right))):  # every line of the right order at every place
        moved = [other for other in right if other != letter]
        moved.insert(place, letter)
        seen = verdict(order, moved)
        before = {"CH": "G", "J": "CH", "E": "J"}
        works = all(moved.index(a) < moved.index(b) for late, early in before.items() for a in early for b in late)
        assert seen.passed == works, moved
        assert works or seen.mistake or "needs `" in seen.message, moved
        valid |= {tuple(moved)} if works else set()
    assert valid == {tuple("GCHJE"), tuple("GHCJE")}  # the mask before the scale, or after it


def test_a_mask_of_an_answer_may_be_boolean_or_of_numbers():
    trap = catalogue()["heads.mask_trap"]
    scores, mask = solved(trap)
    for form in (np.array(mask), np.array(mask, int), np.array(mask, float).tolist(), torch.tensor(mask)):
        assert verdict(trap, (scores, form)).passed


def test_errors_of_shapes_are_explained(snapshot):
    """The messages are Python's and torch's; the hints are ours."""

    def one_sequence(x, h):
        n, d = x.shape
        return x.reshape(n, h, d // h).swapaxes(0, 1)

    split, merge = catalogue()["heads.split"], catalogue()["heads.merge"]
    float_width = verdict(split, lambda x, h: np.reshape(x, (*x.shape[:2], h, x.shape[2] / h)).swapaxes(1, 2))
    assert {"float width": float_width.hint, "one sequence": verdict(split, one_sequence).hint} == snapshot
    tensor_code = verdict(merge, lambda x: x.transpose(1, 2).view(x.shape[0], x.shape[2], -1))
    assert "view size is not compatible" in tensor_code.message  # torch's error, not NumPy's about its transpose


def test_other_answers_to_sheet_05_are_told_why(snapshot):
    scores, mask = map(np.array, solved(catalogue()["heads.mask_trap"]))
    q, k = map(np.array, solved(catalogue()["heads.neighbours"]))

    answers = {
        "heads.order": {
            "text": "GCH",
            "None": None,
            "empty": [],
            "a line open": ["G", ...],
            "numbers": [1, 2],
            "nested": [["G"], "C"],
            "no such line": ["G", "Z"],
            "a line twice": ["G", "G"],
            "100 lines": ["G"] * 100,
            "small letters and spaces, three lines missing": [" g ", "c"],
            "the second line first": ["C", "G"],
            "a line before what it needs, and before the first": ["E", "G"],
            "a line before what it needs": ["G", "F"],
            "the wrong width": ["G", "I"],
            "no heads": ["G", "C", "H", "J", "F"],
            "a line too many": ["G", "C", "H", "J", "F", "E"],
        },
        "heads.mask_trap": {
            "mask with a 2": (scores, 2 * mask),
            "no key": (scores, np.zeros((1, 2, 2))),
            "mask of four axes": (scores, mask[:, None]),
        },
        "heads.neighbours": {
            "an odd number of columns": (q[:, :11], k[:, :11]),
            "the opposite keys": (q, -k),
            "other keys of the second head": (q, np.hstack([k[:, :6], np.eye(10, 6, k=-6)])),
            "too few rows": (q[4:], k[4:]),
        },
    }
    assert {name: {case: told(name, answer) for case, answer in cases.items()} for name, cases in answers.items()} == snapshot
