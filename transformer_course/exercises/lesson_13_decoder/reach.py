"""Sheet 13, by hand: the influence map of two decoder layers with a narrow mask."""

import numpy as np

from ..exercise import Mistake
from ..kinds import Number

# Four target tokens, each of which may attend to itself and to the one before; three rows of memory, the third one padding.
WINDOW = np.tri(4) - np.tri(4, k=-2)
REAL = np.array([1.0, 1.0, 0.0])


def table(target, source):
    return np.hstack([target, np.broadcast_to(source, (4, 3))])


NAMES = [*(f"target token {i}" for i in range(1, 5)), *(f"memory row {i}" for i in range(1, 4))]
RIGHT = table((WINDOW @ WINDOW > 0).astype(float), REAL)
TRIANGLE, EVERYTHING = np.tri(4), np.ones((4, 4))
NARROW = np.array([[1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 0]])  # the same window laid on the source


def _target(*maps):
    return lambda seen: any(np.array_equal(seen[:, :4], each) for each in maps)


def _source(*maps):
    return lambda seen: any(np.array_equal(seen[:, 4:], np.broadcast_to(each, (4, 3))) for each in maps)


reach = Number(
    id="decoder.reach",
    answer_name="moves",
    prompt="Which outputs of two decoder layers move with which token, where each place may attend to itself and the one before.",
    value=RIGHT.tolist(),
    atol=0.01,
    labels=[f"output {i} and {name}" for i in range(1, 5) for name in NAMES],
    why=(
        "Each layer lets information travel one position further, whereas cross-attention reaches the whole source in a "
        "single layer."
    ),
    hints=(
        "Begin with the last three columns. Which mask has a say there, and does it differ from row to row?",
        "Then the target, after one layer: row 3, for example, knows tokens 2 and 3.",
        "In the second layer, row 3 attends to places 2 and 3, as the first layer has left them. What do these two know by then?",
    ),
    mistakes=(
        Mistake(
            "one layer only",
            "In the target's columns, this is what one layer reaches. In the second layer, each place attends to one that has itself heard of "
            "the one before it.",
            "What does place 2 know when the second layer begins, and who attends to place 2 then?",
            table(WINDOW, REAL).tolist(),
            recognise=_target(WINDOW),
        ),
        Mistake(
            "the whole triangle",
            "In the target's columns you gave the causal triangle. Here the mask is narrower: each place may attend to itself and the one "
            "before. Two layers reach two places back, and no further.",
            "Over which places could output 4 have heard of token 1?",
            table(TRIANGLE, REAL).tolist(),
            recognise=_target(TRIANGLE),
        ),
        Mistake(
            "the future too",
            "In the target's columns, you let later tokens reach earlier outputs. The mask forbids that in both layers.",
            "There is nothing above the diagonal.",
            table(EVERYTHING, REAL).tolist(),
            variants=(table(RIGHT[:, :4].T, REAL).tolist(), table(WINDOW + np.eye(4, k=1), REAL).tolist()),
            recognise=lambda seen: bool(np.triu(seen[:, :4], 1).any()),
        ),
        Mistake(
            "itself left out",
            "You left the diagonal out. Each place may attend to itself here, and even if it might not, the residual connection would carry its "
            "own token past attention.",
            "Does output 1 move when token 1 is changed?",
            table(RIGHT[:, :4] - np.eye(4), REAL).tolist(),
            recognise=lambda seen: not np.diag(seen[:, :4]).all(),
        ),
        Mistake(
            "padding counted",
            "The third row of the memory is padding, and cross-attention has its mask: nothing of it arrives anywhere.",
            "The last column.",
            table(RIGHT[:, :4], [1, 1, 1]).tolist(),
            recognise=_source([1, 1, 1]),
        ),
        Mistake(
            "the source seen through the target's mask",
            "You laid an order on the source too: early outputs know less of it than late ones. But the target's mask belongs to "
            "self-attention. Each output may look at the whole source but its padding.",
            "Does anything hide memory 2 from output 1?",
            table(RIGHT[:, :4], NARROW).tolist(),
            variants=(table(RIGHT[:, :4], np.tri(4, 3) * REAL).tolist(), table(RIGHT[:, :4], np.tri(4, 3)).tolist()),
            recognise=lambda seen: bool((seen[:, 4:] != seen[-1:, 4:]).any()),
        ),
        Mistake(
            "nothing from the source",
            "You let nothing of the source arrive. Each layer has a cross-attention, and two of the three rows of the memory are real.",
            "What is the second sublayer of each layer for?",
            table(RIGHT[:, :4], [0, 0, 0]).tolist(),
            recognise=_source([0, 0, 0]),
        ),
    ),
)
