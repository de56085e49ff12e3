"""Tables of sinusoids, and the same with one of their steps replaced."""

import numpy as np

from ..exercise import Mistake


def sinusoidal(length, d_model):
    if d_model % 2:
        raise ValueError(f"{d_model} dimensions are not pairs")
    return table_by()(length, d_model)


def turn(i, d):
    """By how much hand i turns with each token."""
    return 1 / 10000 ** (2 * i / d)


def interleaved(angles):
    """Angles (n, hands) to (n, 2·hands): the sine and the cosine of each, side by side."""
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(angles), -1)


def exchanged(angles):
    return np.stack([np.cos(angles), np.sin(angles)], axis=-1).reshape(len(angles), -1)


def halves(angles):
    return np.hstack([np.sin(angles), np.cos(angles)])


def count(length):
    return np.arange(length)[:, None]


def table_by(by=turn, wave=interleaved, positions=count):
    """The table with one of its steps replaced; an odd width is given a last hand of two numbers."""
    return lambda length, d: wave(positions(length) * by(np.arange((d + 1) // 2), d))


def by_dimension(by):
    """A table that goes through the dimensions instead of the hands."""

    def table(length, d):
        k = np.arange(d)
        angles = count(length) * by(k, d)
        return np.where(k % 2, np.cos(angles), np.sin(angles))

    return table


def _refuse(made, d):
    raise ValueError


# What learners do with an odd width d, given a table that is one column too wide for it.
_AT_ODD_WIDTHS = (
    _refuse,  # NumPy does so by itself where half a hand is missing
    lambda made, d: made,
    lambda made, d: made[:, :d],
    lambda made, d: made[:, : d - 1],
    lambda made, d: np.pad(made[:, : d - 1], ((0, 0), (0, 1))),
)


def spellings(*tables):
    """Each of the tables with each way to meet an odd width."""

    def meeting(table, way):
        return lambda length, d: way(table(length, d), d) if d % 2 else table(length, d)

    return [meeting(table, way) for table in tables for way in _AT_ODD_WIDTHS]


def mistake(name, diagnosis, hint, *tables) -> Mistake:
    first, *others = spellings(*tables)
    return Mistake(name, diagnosis, hint, first, also=others)
