"""Tables of sinusoids in several right ways, and the same with one of their steps replaced."""

import numpy as np

from ..exercise import Mistake
from ..toolkit import mistake


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


def in_loops(length, d_model):
    if d_model % 2 == 1:
        raise ValueError("odd")
    return [
        [(np.cos if k % 2 else np.sin)(p / 10000 ** ((k - k % 2) / d_model)) for k in range(d_model)] for p in range(length)
    ]


def by_powers_of_e(length, d_model):
    if d_model % 2:
        raise ValueError("odd")
    angles = np.arange(length)[:, None] * np.exp(np.arange(0, d_model, 2) * (-np.log(10000.0) / d_model))
    table = np.zeros((length, d_model))
    table[:, 0::2], table[:, 1::2] = np.sin(angles), np.cos(angles)
    return table


def by_complex_numbers(length, d_model):
    """Each hand as a complex number."""
    if d_model % 2:
        raise ValueError("odd")
    hands = np.exp(-1j * np.outer(np.arange(length), turn(np.arange(d_model // 2), d_model)))
    return np.stack([-hands.imag, hands.real], axis=-1).reshape(length, d_model)


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


def at_odd_widths(*tables):
    """Each of the tables with each way to handle an odd width."""

    def meeting(table, way):
        return lambda length, d: way(table(length, d), d) if d % 2 else table(length, d)

    return [meeting(table, way) for table in tables for way in _AT_ODD_WIDTHS]


def table_mistake(name, diagnosis, hint, *tables) -> Mistake:
    return mistake(name, diagnosis, hint, *at_odd_widths(*tables))
