"""Sheet 09: what it says of its exercises is so, its references are right, and other answers are told why."""

import numpy as np
import pytest
import torch
from examining import SEEDS, solved, verdict
from tokens import moved

from transformer_course._util import paths
from transformer_course.authoring import build
from transformer_course.exercises import catalogue
from transformer_course.exercises.lesson_09_feed_forward.by_hand import B1, B2, W1, W2
from transformer_course.exercises.lesson_09_feed_forward.by_hand import X as TWO_TOKENS
from transformer_course.layers import FeedForward


def test_the_feed_forward_network_of_sheet_09_equals_the_librarys():
    exercise = catalogue()["layers.feed_forward"]
    for seed in SEEDS:
        for x, w1, b1, w2, b2 in exercise.questions(seed):
            module = torch.nn.Sequential(torch.nn.Linear(*w1.shape), torch.nn.ReLU(), torch.nn.Linear(*w2.shape)).double()
            for layer, weight, bias in ((module[0], w1, b1), (module[2], w2, b2)):
                layer.weight.data, layer.bias.data = torch.from_numpy(weight.T), torch.from_numpy(bias)
            expected = module(torch.from_numpy(x)).detach()
            np.testing.assert_allclose(exercise.reference(x, w1, b1, w2, b2), expected, atol=1e-12)
            if w1.shape[0] == w2.shape[1]:
                ours = FeedForward(*w1.shape).double()
                ours.w_1, ours.w_2 = module[0], module[2]
                np.testing.assert_allclose(ours(torch.from_numpy(x)).detach(), expected, atol=1e-12)


@pytest.mark.parametrize(
    "hinges",
    [
        (np.ones((1, 4)), [0, -0.25, -0.5, -0.75], [[4], [-8], [8], [-8]], [0]),
        ([[4, 4, 4, 4]], [0, -1, -2, -3], [[1], [-2], [2], [-2]], [0]),  # larger w1
        ([[-4, -4, -4, -4]], [4, 3, 2, 1], [[-1], [2], [-2], [2]], [0]),  # units that switch off, from the right: even
        ([[1, 1, 1, 1, 1]], [5, 0, -0.25, -0.5, -0.75], [[0], [4], [-8], [8], [-8]], [0.0]),  # one to spare
        ([[1, 1]], [-0.2, -0.7], [[20], [-20]], [0]),  # neither
    ],
)
def test_any_hinges_pass_that_go_up_and_down_at_the_right_places(hinges):
    arrays = [np.array(part, float) for part in hinges]
    hidden = np.maximum(0, np.arange(5)[:, None] / 4 @ arrays[0] + arrays[1])
    right = np.allclose((hidden @ arrays[2] + arrays[3])[:, 0], [0, 1, 0, 1, 0])
    assert verdict(catalogue()["layers.zigzag"], hinges).passed == right


def test_hinges_that_miss_are_told_where():
    seen = verdict(catalogue()["layers.zigzag"], ([[1.0]], [-0.1], [[7.0]], [0.0]))
    assert seen.message == (
        "For 1 one among four bits, s = 0.25, the network gives 1.050, but should give 1. "
        "Between 0 and 1, the line turns at 0.10."
    )
    places = ([[1.0] * 4], [0.0, -0.25, -0.5, -0.75])
    seen = verdict(catalogue()["layers.zigzag"], (*places, [[2.0], [-4.0], [4.0], [-4.0]], [0.0]))
    assert seen.message.endswith("The line turns in the right places, so the slopes are wrong.")
    seen = verdict(catalogue()["layers.zigzag"], (*places, [[4.0], [-8.0], [8.0], [-8.0]], [0.5]))
    assert seen.message.endswith("The line has the right shape, but all of it is too high by 0.50.")
    seen = verdict(catalogue()["layers.zigzag"], (*places, [[0.0], [1.0], [0.0], [1.0]], [0.0]))
    assert seen.message.endswith("Between 0 and 1, the line turns at 0.25, 0.75.")
    assert (
        "`w2` should have shape (d_ff, 1) with d_ff = 2"
        in verdict(catalogue()["layers.zigzag"], ([[1.0, 1.0]], [0.0, 1.0], [[1.0, 2.0]], [0.0])).message
    )


TOKENS = np.random.default_rng(4).normal(size=(5, 3))


def alone_and_among_others(f):
    return all(np.allclose(f(TOKENS[i : i + 1]), f(TOKENS)[i]) for i in range(5))


def in_pieces(f):
    return all(np.allclose(np.vstack([f(TOKENS[:k]), f(TOKENS[k:])]), f(TOKENS)) for k in range(1, 5))


def as_a_loop(f):
    return np.allclose(np.concatenate([f(token[None]) for token in TOKENS]), f(TOKENS))


@pytest.mark.parametrize("test", [alone_and_among_others, in_pieces, as_a_loop])
def test_every_thorough_way_to_look_at_tokens_alone_passes(test):
    assert verdict(catalogue()["layers.test_position_wise"], test).passed


@pytest.mark.parametrize(
    ("test", "missed"),
    [
        (lambda f: np.allclose(f(TOKENS[::-1]), f(TOKENS)[::-1]), "attention"),
        (lambda f: np.allclose(f(TOKENS[:1]), f(TOKENS)[:1]), "a look at the token before"),
        (lambda f: not any(moved(f, j, x=TOKENS)[:j].any() for j in range(1, 5)), "a different bias at each position"),
        (lambda f: np.allclose(f(TOKENS[:4]), f(TOKENS)[:4]), "a look at the first token"),
    ],
)
def test_a_test_that_looks_at_less_lets_something_through(test, missed):
    exercise = catalogue()["layers.test_position_wise"]
    (broken,) = (m.answer for m in exercise.target.mistakes if m.name == missed)
    assert test(broken)
    assert 0 < verdict(exercise, test).score < 1


def test_what_sheet_09_says_of_its_exercises_is_so():
    (source,) = (source for source in paths.sources("exercises") if source.stem.startswith("09_"))
    cells = [cell.source for cell in build.notebook_of(source).cells]
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
    assert (len(alone.target.alternatives) + 1, len(alone.caught), len(alone.target.mistakes)) == (6, 10, 10)
    assert "six functions that do, and on ten that do not" in " ".join(text.split())
