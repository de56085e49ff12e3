"""Sheet 05: what it says of its exercises is so, its references are right, and other answers are told why."""

import itertools

import numpy as np
import pytest
import torch
from examining import SEEDS, solved, verdict
from in_torch import heads_in_torch

from transformer_course._util import paths
from transformer_course.authoring import build
from transformer_course.exercises import catalogue


def test_what_sheet_05_says_of_its_exercises_is_so():
    (source,) = (source for source in paths.sources("exercises") if source.stem.startswith("05_"))
    cells = [cell.source for cell in build.notebook_of(source).cells]
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


def test_references_of_sheet_05_equal_torch():
    split, merge, attend = (catalogue()[f"heads.{name}"] for name in ("split", "merge", "multi_head"))
    order = catalogue()["heads.order"]
    for seed in SEEDS:
        for x, h in split.questions(seed):
            expected = torch.from_numpy(x).unflatten(-1, (h, -1)).transpose(1, 2)
            assert np.array_equal(split.reference(x, h), expected)
            assert np.array_equal(merge.reference(split.reference(x, h)), x)
        for (x,) in merge.questions(seed):
            assert np.array_equal(merge.reference(x), torch.from_numpy(x).transpose(1, 2).flatten(2))
        for *arrays, h in attend.questions(seed):
            np.testing.assert_allclose(
                attend.reference(*arrays, h), heads_in_torch(*map(torch.from_numpy, arrays), h), atol=1e-9
            )
        for probe in order.draw(np.random.default_rng(seed)):
            query, key, value, mask = (torch.from_numpy(probe[name]) for name in ("q", "k", "v", "mask"))
            expected = torch.nn.functional.scaled_dot_product_attention(query, key, value, mask[:, None])
            np.testing.assert_allclose(order.reference(**probe), expected, atol=1e-9)
        *arrays, h = attend.questions(seed)[3]  # heads of width d_model / num_heads: torch has a module for that
        x, *weights = map(torch.from_numpy, arrays)
        module = torch.nn.MultiheadAttention(x.shape[-1], h, bias=False, batch_first=True, dtype=torch.float64)
        module.load_state_dict({"in_proj_weight": torch.cat(weights[:3], 1).T, "out_proj.weight": weights[3].T})
        np.testing.assert_allclose(attend.reference(*arrays, h), module(x, x, x)[0].detach(), atol=1e-9)


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


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("GCH", "You chose 3 lines, but 5 are needed."),
        (None, "but is NoneType"),
        ([], "There's no answer in"),
        (["G", ...], "There's no answer in"),
        ([1, 2], "but contains 1. Are the quotation marks missing?"),
        ([["G"], "C"], "but contains ['G']"),
        (["G", "Z"], "There is no line 'Z'. The lines are A, B, C"),
        (["G", "G"], "Line G appears twice"),
        (["G"] * 100, "There are 10 lines, each to be used at most once, but you gave 100"),
        ([" g ", "c"], "So far, your lines run without an error. You chose 2 lines, but 5 are needed."),
        (["C", "G"], "Line C, in position 1: `scores = scores / np.sqrt(d_k)` needs `scores`"),
        (["E", "G"], "Line E, in position 1: `heads = weights @ v` needs `weights`"),  # before what would follow from it
        (["G", "F"], "needs `weights`, but no line before it defines that"),
        (["G", "I"], "Line I divides by the square root of the width of all heads together"),
        (["G", "C", "H", "J", "F"], "Your lines run without an error, but none of them computes `heads`."),
        (["G", "C", "H", "J", "F", "E"], "You chose 6 lines, but 5 are needed"),  # F does no harm behind H
    ],
)
def test_an_order_that_does_not_work_is_told_what_it_did(answer, words):
    seen = verdict(catalogue()["heads.order"], answer)
    assert not seen.passed
    assert words in seen.message


def test_a_mask_of_an_answer_may_be_boolean_or_of_numbers():
    trap = catalogue()["heads.mask_trap"]
    scores, mask = solved(trap)
    for form in (np.array(mask), np.array(mask, int), np.array(mask, float).tolist(), torch.tensor(mask)):
        assert verdict(trap, (scores, form)).passed
    assert "hold True and False" in verdict(trap, (scores, 2 * np.array(mask))).message
    assert "at least one key" in verdict(trap, (scores, np.zeros((1, 2, 2)))).message
    assert "(b, n, m) = (1, 2, 2)" in verdict(trap, (scores, np.array(mask)[:, None])).message


def test_errors_of_shapes_are_explained():
    split, merge = catalogue()["heads.split"], catalogue()["heads.merge"]
    seen = verdict(split, lambda x, h: np.reshape(x, (*x.shape[:2], h, x.shape[2] / h)).swapaxes(1, 2))
    assert "`//` returns an integer" in seen.hint

    def one_sequence(x, h):
        n, d = x.shape
        return x.reshape(n, h, d // h).swapaxes(0, 1)

    assert "Print the shape to count them" in verdict(split, one_sequence).hint
    tensor_code = verdict(merge, lambda x: x.transpose(1, 2).view(x.shape[0], x.shape[2], -1))
    assert "view size is not compatible" in tensor_code.message  # torch's error, not NumPy's about its transpose


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda q, k: (q[:, :11], k[:, :11]), "have an even number of columns together, but you gave 11"),
        (
            lambda q, k: (q, -k),
            "token 1 gives its left neighbour 0.000 of its weight in the first head, but it should get 0.9",
        ),
        (lambda q, k: (q, np.hstack([k[:, :6], np.eye(10, 6, k=-6)])), "neighbour 0.000 of its weight in the second head"),
        (lambda q, k: (q[4:], k[4:]), "`w_q` should have shape (10, 2·d_k), but has shape (6, 12)"),
    ],
)
def test_weights_that_look_elsewhere_are_told_where(change, words):
    exercise = catalogue()["heads.neighbours"]
    seen = verdict(exercise, change(*solved(exercise)))
    assert not seen.passed
    assert words in seen.message
