"""Sheet 12: a mask with few entries through which every output depends on every input after two layers."""

import numpy as np

from ..kinds import Construct
from ..toolkit import known

PLACES, MOST = 7, 12


def reached(mask):
    """Whether output i depends on input j after two layers. The residual connections keep each position's own vector."""
    once = (mask != 0) | np.eye(PLACES, dtype=bool)
    return (once.astype(int) @ once.astype(int)) > 0


def _violation(drawn, mask):
    if not np.isin(mask, (0, 1)).all():
        return "`mask` should hold True and False, or 1 and 0."
    empty = np.flatnonzero(~mask.any(1))
    if len(empty):
        return (
            f"Position {empty[0] + 1} attends to nothing, so softmax cannot compute its row. Each row needs at least one True."
        )
    missing = np.argwhere(~reached(mask))
    if len(missing):
        i, j = missing[0] + 1
        return f"After two layers, output {i} does not depend on input {j}; {len(missing)} of the 49 pairs are missing."
    if (count := int(mask.sum())) > MOST:
        return f"After two layers, every output depends on every input. But your mask has {count} True entries, and {MOST} are enough."
    return None


def _arrows(mask):
    """The mask without its diagonal."""
    return (mask != 0) & ~np.eye(PLACES, dtype=bool)


def _near(most):
    away = np.abs(np.subtract.outer(np.arange(PLACES), np.arange(PLACES)))
    return away <= most


def _star(hears=True, speaks=True, diagonal=False, centre=0):
    mask = np.eye(PLACES) * diagonal
    mask[centre, :] = np.maximum(mask[centre], hears)
    mask[:, centre] = np.maximum(mask[:, centre], speaks)
    mask[centre, centre] = diagonal
    return mask


def _only_two_rounds(mask):
    arrows = _arrows(mask)
    return not reached(mask).all() and (arrows.sum(1) == 1).all() and (arrows.sum(0) == 1).all()


def _one_alone(counts):
    """Whether all arrows come from, or lead to, a single place."""
    return np.count_nonzero(counts) == 1


hub = Construct(
    id="encoder.hub",
    answer_name="mask",
    prompt="A mask with at most twelve True entries through which, in two layers, every output depends on every input.",
    shapes={"mask": (PLACES, PLACES)},
    violation=_violation,
    why=(
        "One position collects from all others in the first layer and hands the result to everyone in the second, so "
        "twelve entries are enough."
    ),
    hints=(
        "In the second layer, others can read what one position gathered in the first.",
        "Could one position do this for all? It has to attend to all others, and all others have to attend to it.",
        "Choose a position as the hub. Set its row to True, and its column too. Which of these entries is not needed, because "
        "there is a residual connection?",
    ),
    mistakes={
        "numbers to be added": known(
            "Your mask contains numbers other than 1 and 0. Some programs add such a mask to the scores. Here, an entry only says "
            "whether a position may attend.",
            "Use 1 or True where a position may attend, and 0 or False where it may not.",
            -1000.0 * (_star() == 0),
            2 * np.eye(PLACES),
            _star() / PLACES,
            recognise=lambda mask: not np.isin(mask, (0, 1)).all(),
        ),
        "an empty row": known(
            "Your hub attends to nothing. Softmax cannot compute its row, and the hub would have nothing to pass on.",
            "Each row needs at least one True.",
            _star(hears=False),
            recognise=lambda mask: any(mask[:, place].sum() >= PLACES - 2 for place in np.flatnonzero(~mask.any(1))),
        ),
        "everything allowed": known(
            "Your mask forbids nothing, or only the diagonal. Then one layer is enough, but far more than twelve entries are True.",
            "Let one position gather in the first layer what the others read in the second.",
            np.ones((PLACES, PLACES)),
            1 - np.eye(PLACES),
            recognise=lambda mask: _arrows(mask).sum() == PLACES * (PLACES - 1),
        ),
        "themselves allowed too": known(
            "Every token reaches every other, via the position that you have chosen. But some tokens may also attend to themselves, which makes "
            "more than twelve True entries. This is not needed: a residual connection carries their own vector past attention.",
            "Set the diagonal to False.",
            _star(diagonal=True),
            np.maximum(_star(), np.diag([1, 0, 0, 0, 0, 0, 0])),
            _star(diagonal=True, centre=3),
            recognise=lambda mask: reached(mask).all() and _arrows(mask).sum() <= MOST and np.diag(mask).any(),
        ),
        "neighbours": known(
            "Apart from itself, each position attends at most to its immediate neighbours. So a change moves at most one "
            "position further with each layer: two positions in two layers.",
            "Which position could all the others attend to?",
            _near(1).astype(float),
            _near(1) - np.eye(PLACES),
            np.tri(PLACES) * _near(1),
            recognise=lambda mask: not reached(mask).all() and not _arrows(mask)[~_near(1)].any() and _arrows(mask).any(),
        ),
        "a ring": known(
            "Each position attends to one other, in a ring. After two layers it depends on two others. Only after six "
            "layers would it depend on all six.",
            "Which position could all the others attend to?",
            np.roll(np.eye(PLACES), 1, axis=1),
            np.roll(np.eye(PLACES), -1, axis=1),
            np.roll(np.eye(PLACES), 1, axis=1) + np.eye(PLACES),
            recognise=_only_two_rounds,
        ),
        "it speaks and does not hear": known(
            "All attend to one position, but that position has nothing to pass on, because it attends to none of the others.",
            "Which positions may the hub attend to? Look at its row.",
            _star(hears=False, diagonal=True),
            _star(hears=False, diagonal=True) * np.eye(PLACES)[0] + np.diag([1, 0, 0, 0, 0, 0, 0]) > 0,
            recognise=lambda mask: not reached(mask).all() and _one_alone(_arrows(mask).sum(0)),
        ),
        "it hears and does not speak": known(
            "One position attends to all others. But none of them attends to it, so what it has gathered stays there.",
            "Which positions may attend to the hub? Look at its column.",
            _star(speaks=False, diagonal=True),
            recognise=lambda mask: not reached(mask).all() and _one_alone(_arrows(mask).sum(1)),
        ),
        "only themselves": known(
            "Each position attends only to itself. Then no output depends on another position, however many layers there are.",
            "Which entries off the diagonal are needed?",
            np.eye(PLACES),
            recognise=lambda mask: not _arrows(mask).any() and mask.any(1).all(),
        ),
    },
)
