"""Sheet 12: a mask with few entries through which everyone hears of everyone in two layers."""

import numpy as np

from ..exercise import Mistake
from ..kinds import Construct

PLACES, MOST = 7, 12


def reached(mask):
    """After two layers: whether place i has heard of place j. The residual connections carry each place's own vector past."""
    once = (mask != 0) | np.eye(PLACES, dtype=bool)
    return (once.astype(int) @ once.astype(int)) > 0


def _violation(drawn, mask):
    if not np.isin(mask, (0, 1)).all():
        return "`mask` should hold True and False, or 1 and 0."
    empty = np.flatnonzero(~mask.any(1))
    if len(empty):
        return f"Place {empty[0] + 1} may attend to nothing: softmax has no answer for its row. Leave each row one True."
    missing = np.argwhere(~reached(mask))
    if len(missing):
        i, j = missing[0] + 1
        return f"After two layers, place {i} has not heard of place {j}; {len(missing)} of the 49 pairs are missing."
    if (count := int(mask.sum())) > MOST:
        return (
            f"After two layers, everyone has heard of everyone. But your mask has {count} entries True, and {MOST} are enough."
        )
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
    prompt="A mask with at most twelve entries True through which, in two layers, everyone hears of everyone.",
    shapes={"mask": (PLACES, PLACES)},
    draw=lambda rng: [None],
    violation=_violation,
    why=(
        "One position collects from all others in the first layer and hands the result to everyone in the second, so "
        "twelve entries are enough."
    ),
    hints=(
        "In two layers, what one place has gathered in the first can be fetched from it in the second.",
        "Could one place do that for all? It would have to hear all others, and all others would have to hear it.",
        "Row i holds whom place i may attend to. Choose a place for the middle: its row is True, and its column too. Which of these "
        "entries is not needed, since a residual connection is there?",
    ),
    mistakes=(
        Mistake(
            "numbers to be added",
            "Your mask holds other numbers than 1 and 0. Some programs add such a mask to the scores; here an entry says whether a place "
            "may attend, True or False.",
            "1 or True for may, 0 or False for may not.",
            -1000.0 * (_star() == 0),
            variants=(2 * np.eye(PLACES), _star() / PLACES),
            recognise=lambda mask: not np.isin(mask, (0, 1)).all(),
        ),
        Mistake(
            "an empty row",
            "The place in the middle may attend to nothing. Softmax has no answer for such a row, and it would have nothing to tell the others.",
            "Each row needs a True at least.",
            _star(hears=False),
            recognise=lambda mask: any(mask[:, place].sum() >= PLACES - 2 for place in np.flatnonzero(~mask.any(1))),
        ),
        Mistake(
            "everything allowed",
            "With nothing forbidden, one layer is enough, and 49 entries are True. You have two layers, and twelve entries.",
            "Let one place gather in the first layer what the others fetch in the second.",
            np.ones((PLACES, PLACES)),
            variants=(1 - np.eye(PLACES),),
            recognise=lambda mask: _arrows(mask).sum() == PLACES * (PLACES - 1),
        ),
        Mistake(
            "themselves allowed too",
            "Every token reaches every other, by way of one. But some tokens may also attend to themselves, which is "
            "not needed: a residual connection carries their own vector past attention.",
            "Take the diagonal out.",
            _star(diagonal=True),
            variants=(np.maximum(_star(), np.diag([1, 0, 0, 0, 0, 0, 0])), _star(diagonal=True, centre=3)),
            recognise=lambda mask: reached(mask).all() and _arrows(mask).sum() <= MOST and np.diag(mask).any(),
        ),
        Mistake(
            "neighbours",
            "Each place attends to those beside it. So a change gets one place further with each layer, and two layers carry it two places.",
            "Which place could be next to all?",
            _near(1).astype(float),
            variants=(_near(1) - np.eye(PLACES), np.tri(PLACES) * _near(1)),
            recognise=lambda mask: not reached(mask).all() and not _arrows(mask)[~_near(1)].any() and _arrows(mask).any(),
        ),
        Mistake(
            "a ring",
            "In a ring each place hears the next one. After two layers it has heard of two places, and for all six it would take six layers.",
            "Which place could be next to all?",
            np.roll(np.eye(PLACES), 1, axis=1),
            variants=(np.roll(np.eye(PLACES), -1, axis=1), np.roll(np.eye(PLACES), 1, axis=1) + np.eye(PLACES)),
            recognise=_only_two_rounds,
        ),
        Mistake(
            "it speaks and does not hear",
            "All attend to one place, and that place has nothing to tell: it hears none of the others.",
            "Whom may the place in the middle attend to? That is its row.",
            _star(hears=False, diagonal=True),
            variants=(_star(hears=False, diagonal=True) * np.eye(PLACES)[0] + np.diag([1, 0, 0, 0, 0, 0, 0]) > 0,),
            recognise=lambda mask: not reached(mask).all() and _one_alone(_arrows(mask).sum(0)),
        ),
        Mistake(
            "it hears and does not speak",
            "One place attends to all others. But none of them attends to it, so what it has gathered stays there.",
            "Who may attend to the place in the middle? That is its column.",
            _star(speaks=False, diagonal=True),
            recognise=lambda mask: not reached(mask).all() and _one_alone(_arrows(mask).sum(1)),
        ),
        Mistake(
            "only themselves",
            "Each place attends to itself alone. Then no place hears of another, in however many layers.",
            "Which entries off the diagonal are needed?",
            np.eye(PLACES),
            recognise=lambda mask: not _arrows(mask).any() and mask.any(1).all(),
        ),
    ),
)
