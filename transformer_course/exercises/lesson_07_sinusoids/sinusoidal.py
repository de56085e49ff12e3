"""Sheet 07: the whole table of sinusoids, any length and any even width."""

import numpy as np

from ..families import adapted
from ..families.positions import ANGLES, SPEEDS, angles, angles_by, of_both, side_by_side
from ..kinds import Implement


def interleaved(first, second):
    """Angles (n, hands) to (n, 2·hands): the sine of one and the cosine of the other, side by side."""
    return side_by_side(np.sin(first), np.cos(second))


def _table(angles=angles, wave=interleaved):
    """The table with one of its steps replaced; an odd width is given a last hand of two numbers."""
    return lambda length, d: wave(*of_both(angles(np.arange(length), d), d))


def sinusoidal(length, d_model):
    if d_model % 2:
        raise ValueError(f"{d_model} dimensions are not pairs")
    return _table()(length, d_model)


def _in_loops(length, d_model):
    if d_model % 2 == 1:
        raise ValueError("odd")
    return [
        [(np.cos if k % 2 else np.sin)(p / 10000 ** ((k - k % 2) / d_model)) for k in range(d_model)] for p in range(length)
    ]


def _by_powers_of_e(length, d_model):
    if d_model % 2:
        raise ValueError("odd")
    angles = np.arange(length)[:, None] * np.exp(np.arange(0, d_model, 2) * (-np.log(10000.0) / d_model))
    table = np.zeros((length, d_model))
    table[:, 0::2], table[:, 1::2] = np.sin(angles), np.cos(angles)
    return table


def _refuse(made, d):
    raise ValueError


# What learners do with an odd width d, given a table that is one column too wide for it.
AT_ODD_WIDTHS = (
    _refuse,  # NumPy does so by itself where half a hand is missing
    lambda made, d: made,
    lambda made, d: made[:, :d],
    lambda made, d: made[:, : d - 1],
    lambda made, d: np.pad(made[:, : d - 1], ((0, 0), (0, 1))),
)


# A table with each way to handle an odd width.
AT_EVERY_WIDTH = [
    lambda table, way=way: lambda length, d: way(table(length, d), d) if d % 2 else table(length, d) for way in AT_ODD_WIDTHS
]


def _waves(*ways):
    return [_table(wave=way) for way in ways]


SMALL = [3, 4], [2, 6], [2, 3]  # so small that even large angles, which a mistake makes, are nearly the same in float32


def _draw(rng):
    return [
        [4, 8],
        [7, 2],
        [int(rng.integers(90, 120)), 12],
        [1, 6],
        [int(rng.integers(5, 9)), int(2 * rng.integers(5, 9))],
        [300, 4],
        [3, 5],
        *SMALL,
    ]


PRINTED = ', as the first example under "In print" in the lesson does'
OF_ANGLES = {
    **adapted(SPEEDS, lambda turn: _table(angles_by(turn)), hand="hand", printed=PRINTED),
    **adapted(ANGLES, _table, hand="hand", same="", forwards="Position 1 should begin with sin 1 = 0.8415."),
}
WAVES = {
    "sine and cosine swapped": (
        "Your even dimensions hold cosines and the odd ones sines, so position 0 starts with 1, 0.",
        "Position 0 should start with 0, 1.",
        *_waves(lambda a, _: side_by_side(np.cos(a), np.sin(a))),
    ),
    "all sines first, then all cosines": (
        "Your numbers are right, but they are in two halves: first all sines, then all cosines. In the formula they "
        "alternate. Some programs do use halves, and a model can be trained with either layout. But a model trained with one "
        "does not work with the other.",
        "Position 0 should be 0, 1, 0, 1, …",
        *_waves(lambda a, _: np.hstack([np.sin(a), np.cos(a)]), lambda a, _: np.hstack([np.cos(a), np.sin(a)])),
    ),
    "sines alone": (
        "In your table, both numbers of each hand are its sine (or both are its cosine). One number does not say where a hand "
        "points: the sine of 0.5 is also that of π − 0.5.",
        "Odd dimensions, 2i + 1, hold the cosine of the same angle.",
        *_waves(lambda a, _: np.repeat(np.sin(a), 2, axis=1), lambda a, _: np.repeat(np.cos(a), 2, axis=1)),
    ),
    "half of the columns left empty": (
        "Every second column of your table is zero, so each hand has only one of its two numbers.",
        "table[:, 1::2] are the odd columns.",
        *_waves(lambda a, _: side_by_side(np.sin(a), 0 * a), lambda a, _: side_by_side(0 * a, np.cos(a))),
    ),
    "the angles themselves": (
        "These are the angles, not yet their sines and cosines.",
        "Apply np.sin and np.cos to the angles.",
        *_waves(lambda a, _: np.repeat(a, 2, axis=1), lambda a, _: a),
    ),
    "turned round": (
        "Your table is transposed: it has a column for each position and a row for each dimension.",
        "The shape should be (length, d_model): positions as a column, `[:, None]`, and hands as a row.",
        lambda length, d: _table()(length, d).T,
    ),
    "an axis too many": (
        "Your numbers are right, but there is one axis too many.",
        "Return shape (length, d_model): you don't need a batch axis, since every sequence gets the same table.",
        lambda length, d: _table()(length, d)[None],
    ),
}

positions_sinusoidal = Implement(
    id="positions.sinusoidal",
    answer_name="sinusoidal",
    prompt="The table of sinusoids, (length, d_model), for any length and any even width; an odd width raises ValueError.",
    reference=sinusoidal,
    draw=_draw,
    sensitive=lambda length, d_model: d_model > 2 and length > 1 and [length, d_model] not in SMALL,
    alternatives=(_in_loops, _by_powers_of_e),
    why="Each pair of columns holds the sine and cosine of one angle, and the angle grows more slowly from pair to pair.",
    hints=(
        "There are d_model / 2 hands. First compute the angles, with a row for each position and a column for each hand.",
        "To get all angles at once, multiply the positions as a column, np.arange(length)[:, None], by the turns as a row. "
        "Hand i turns by 1 / 10000 ** (2 * i / d_model).",
        "Sines go into the even columns, cosines into the odd ones: table[:, 0::2] = … and table[:, 1::2] = …",
    ),
    mistakes={
        **adapted({**OF_ANGLES, **WAVES}, *AT_EVERY_WIDTH),
        "an odd width accepted": (
            "For even widths your table is right. At an odd width, the last hand has no room for its cosine, and your function "
            "does not say so.",
            "If d_model % 2 is not 0, raise ValueError with a sentence that says so.",
            *(at_every_width(_table()) for at_every_width in AT_EVERY_WIDTH[1:]),
        ),
    },
)
