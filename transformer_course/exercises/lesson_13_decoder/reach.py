"""Sheet 13, by hand: the influence map of two decoder layers with a narrow mask."""

import numpy as np

from ..kinds import Number
from ..toolkit import known

# Four target tokens, each of which may attend to itself and to the one before; three rows of memory, the third one padding.
WINDOW = np.tri(4) - np.tri(4, k=-2)
REAL = np.array([1.0, 1.0, 0.0])


def table(target, source):
    return np.hstack([target, np.broadcast_to(source, (4, 3))])


NAMES = [*(f"target token {i}" for i in range(1, 5)), *(f"memory row {i}" for i in range(1, 4))]
RIGHT = table((WINDOW @ WINDOW > 0).astype(float), REAL)
NARROW = np.array([[1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 0]])  # the same window laid on the source


def _wrong(diagnosis, hint, target=RIGHT[:, :4], source=REAL):
    """A mistake in the columns of the target or of the source, whatever the others are."""
    answer, part = table(target, source), np.s_[:, :4] if source is REAL else np.s_[:, 4:]
    return known(diagnosis, hint, answer, recognise=lambda seen: np.array_equal(seen[part], answer[part]))


reach = Number(
    id="decoder.reach",
    answer_name="moves",
    prompt="Which outputs of two decoder layers change with which token, if each position may attend to itself and the one before.",
    value=RIGHT.tolist(),
    atol=0.01,
    labels=[f"output {i} and {name}" for i in range(1, 5) for name in NAMES],
    why=(
        "With this mask, each layer lets information travel one position further, whereas cross-attention reaches the whole source in a "
        "single layer."
    ),
    hints=(
        "Begin with the last three columns. Which mask applies there, and is it different for different rows?",
        "Now look at the target after one layer. Row 3, for example, depends on tokens 2 and 3.",
        "In the second layer, row 3 attends to the first layer's outputs at positions 2 and 3. Which tokens do these two outputs depend on?",
    ),
    mistakes={
        "one layer only": _wrong(
            "In the target's columns, you gave what one layer can see. But this decoder has two layers.",
            "Which tokens does position 2 depend on when the second layer begins? And which positions attend to it then?",
            target=WINDOW,
        ),
        "its own token alone": _wrong(
            "In the target's columns, each output depends only on its own token. But in self-attention, a position also attends to the one "
            "before it.",
            "What does output 2 of the first layer depend on?",
            target=np.eye(4),
        ),
        "the whole triangle": _wrong(
            "In the target's columns you gave the causal triangle. Here the mask is narrower: in each layer, a position may attend only to itself and "
            "the one before.",
            "Two layers take at most two steps back. How many steps is it from token 1 to output 4?",
            target=np.tri(4),
        ),
        "the future too": known(
            "In the target's columns, you let later tokens reach earlier outputs. The mask forbids that in both layers.",
            "Can position 1 ever learn anything about position 2?",
            table(np.ones((4, 4)), REAL).tolist(),
            table(RIGHT[:, :4].T, REAL).tolist(),
            table(WINDOW + np.eye(4, k=1), REAL).tolist(),
            recognise=lambda seen: bool(np.triu(seen[:, :4], 1).any()),
        ),
        "itself left out": known(
            "In the target's columns, you put 0 on the diagonal, so some output would not depend on its own token. But each position may attend to itself, "
            "and there is a residual connection as well.",
            "Does output 1 change when token 1 is changed?",
            table(RIGHT[:, :4] - np.eye(4), REAL).tolist(),
            recognise=lambda seen: not np.diag(seen[:, :4]).all(),
        ),
        "padding counted": _wrong(
            "You let the memory's third row change the outputs. But it is padding, and cross-attention masks it.",
            "Look at the last column again. Which outputs can see a masked row?",
            source=[1, 1, 1],
        ),
        "the source seen through the target's mask": known(
            "You gave early outputs less of the source than late ones. But the mask that depends on the position belongs to "
            "self-attention.",
            "Does anything hide memory row 2 from output 1?",
            table(RIGHT[:, :4], NARROW).tolist(),
            table(RIGHT[:, :4], np.tri(4, 3) * REAL).tolist(),
            table(RIGHT[:, :4], np.tri(4, 3)).tolist(),
            recognise=lambda seen: bool((seen[:, 4:] != seen[-1:, 4:]).any()),
        ),
        "nothing from the source": _wrong(
            "In your table, no output depends on the source. But each layer has cross-attention, and two of the memory's three rows are real.",
            "What is the second sublayer of each layer for?",
            source=[0, 0, 0],
        ),
    },
)
