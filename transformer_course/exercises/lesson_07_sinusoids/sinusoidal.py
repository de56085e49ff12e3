"""Sheet 07: the whole table of sinusoids, any length and any even width."""

import numpy as np

from ..kinds import Implement
from ..toolkit import mistake
from .tables import (
    at_odd_widths,
    by_complex_numbers,
    by_dimension,
    by_powers_of_e,
    count,
    exchanged,
    halves,
    in_loops,
    interleaved,
    sinusoidal,
    table_by,
    table_mistake,
    turn,
)


def _draw(rng):
    return [
        [4, 8],
        [7, 2],
        [int(rng.integers(90, 120)), 12],
        [1, 6],
        [int(rng.integers(5, 9)), int(2 * rng.integers(5, 9))],
        [300, 4],
        [3, 5],
    ]


positions_sinusoidal = Implement(
    id="positions.sinusoidal",
    answer_name="sinusoidal",
    prompt="The table of sinusoids, (length, d_model), for any length and any even width; an odd width raises ValueError.",
    reference=sinusoidal,
    draw=_draw,
    alternatives=(in_loops, by_powers_of_e, by_complex_numbers),
    why="Each pair of columns holds the sine and cosine of one angle, and the angle grows more slowly from pair to pair.",
    hints=(
        "There are d_model / 2 hands. First compute the angles, with a row for each position and a column for each hand.",
        "To get all angles at once, multiply the positions as a column, np.arange(length)[:, None], by the turns as a row. "
        "Hand i turns by 1 / 10000 ** (2 * i / d_model).",
        "Sines go into the even columns, cosines into the odd ones: table[:, 0::2] = … and table[:, 1::2] = …",
    ),
    mistakes=(
        table_mistake(
            "the exponent halved",
            "Your exponent is i/d, with i for the hand, so the hands slow down only half as fast.",
            "At d = 8, the second hand turns by 0.1 per token.",
            table_by(by=lambda i, d: 1 / 10000 ** (i / d)),
        ),
        table_mistake(
            "the exponent doubled",
            "Your exponent is 4i/d, so the hands slow down too fast. That happens if i already counts 0, 2, 4, … and "
            "is then doubled again.",
            "At d = 8, the second hand turns by 0.1 per token.",
            table_by(by=lambda i, d: 1 / 10000 ** (4 * i / d)),
        ),
        table_mistake(
            "every dimension with a turn of its own",
            "The sine and cosine of a pair have different angles, because you used each dimension's own number in "
            "the exponent. So they do not form a hand.",
            "k // 2 gives 0, 0, 1, 1, 2, 2, … for the dimensions k.",
            by_dimension(lambda k, d: 1 / 10000 ** (k / d)),
            by_dimension(lambda k, d: 1 / 10000 ** (2 * k / d)),
        ),
        table_mistake(
            "divided by d − 1",
            "You divide the exponent by d − 1 somewhere, so all hands but the first turn too slowly.",
            "At d = 8, the second hand turns by exactly 0.1 per token.",
            table_by(by=lambda i, d: 1 / 10000 ** (2 * i / (d - 1))),
        ),
        table_mistake(
            "the last hand at 1/10000",
            "Your hands are spread so that the last one turns by exactly 1/10000. Some well-known programs do that, "
            "but the formula does not: its last exponent is (d − 2)/d.",
            "At d = 8, the last hand turns by 1/1000 per token.",
            table_by(by=lambda i, d: 1 / 10000 ** (i / (d / 2 - 1))),
            table_by(by=lambda i, d: 1 / 10000 ** (i / max(d // 2 - 1, 1))),
            table_by(by=lambda i, d: np.logspace(0, -4, len(i))),
        ),
        table_mistake(
            "note 1's 1/10000",
            'You divided by 10000 itself, as the first example under "In print" in the lesson does. So the second '
            "hand is 1,000 times too slow at d = 8.",
            "10000 to the power 2/8 is 10.",
            table_by(by=lambda i, d: np.where(i == 0, 1, 1 / 10000)),
            table_by(by=lambda i, d: 1 / 10000.0**i),
        ),
        table_mistake(
            "another base",
            "The first hand is right, but the others turn at a different rate: the base of your power is not 10000.",
            "At d = 8, the second hand turns by 0.1 per token.",
            *(table_by(by=lambda i, d, base=base: 1.0 / base ** (2 * i / d)) for base in (1000, 100_000, 1_000_000, 10, 2)),
        ),
        table_mistake(
            "no hand is slower",
            "All your hands turn at the same rate. The division by 10000^(2i/d) should make each one slower than the "
            "one before. With `//`, the exponent is rounded down to 0 for every hand.",
            "Each hand has its own exponent, the fraction 2 * i / d_model.",
            table_by(by=lambda i, d: np.ones(len(i))),
        ),
        table_mistake(
            "multiplied, not divided",
            "You multiplied the position by 10000^(2i/d), so each hand is faster than the one before.",
            "At d = 8, the second hand turns by 0.1 per token, not by 10.",
            table_by(by=lambda i, d: 10000.0 ** (2 * i / d)),
        ),
        table_mistake(
            "brackets around the exponent",
            "`**` binds more tightly than `*` and `/`: without brackets, only the 2 (or 2 * i) is the exponent, and the rest is "
            "multiplied or divided afterwards.",
            "Write 10000 ** (2 * i / d_model), with the whole fraction in brackets.",
            table_by(by=lambda i, d: 1 / 10000**2 * i / d),
            table_by(by=lambda i, d: 1 / (10000**2 * i / d)),
            table_by(by=lambda i, d: 1 / 10000.0 ** (2 * i) / d),
            table_by(by=lambda i, d: 1 / (10000.0 ** (2 * i) / d)),
        ),
        table_mistake(
            "sine and cosine swapped",
            "Your even dimensions hold cosines and the odd ones sines, so position 0 starts with 1, 0.",
            "Position 0 should start with 0, 1.",
            table_by(wave=exchanged),
        ),
        table_mistake(
            "all sines first, then all cosines",
            "Your numbers are right, but they are in two halves: first all sines, then all cosines. In the formula "
            "they alternate. Some programs do use halves, and a model can be trained with either layout. But a model "
            "trained with one does not work with the other.",
            "Position 0 should be 0, 1, 0, 1, …",
            table_by(wave=halves),
            table_by(wave=lambda angles: np.hstack([np.cos(angles), np.sin(angles)])),
        ),
        table_mistake(
            "sines alone",
            "In your table, both numbers of each hand are its sine (or both are its cosine). One number does not say "
            "where a hand points: the sine of 0.5 is also that of π − 0.5.",
            "Odd dimensions, 2i + 1, hold the cosine of the same angle.",
            table_by(wave=lambda angles: np.repeat(np.sin(angles), 2, axis=1)),
            table_by(wave=lambda angles: np.repeat(np.cos(angles), 2, axis=1)),
        ),
        table_mistake(
            "half of the columns left empty",
            "Every second column of your table is zero, so each hand has only one of its two numbers.",
            "table[:, 1::2] are the odd columns.",
            table_by(wave=lambda angles: interleaved(angles) * np.resize([1, 0], 2 * angles.shape[1])),
            table_by(wave=lambda angles: interleaved(angles) * np.resize([0, 1], 2 * angles.shape[1])),
        ),
        table_mistake(
            "the angles themselves",
            "These are the angles, not yet their sines and cosines.",
            "Apply np.sin and np.cos to the angles.",
            table_by(wave=lambda angles: np.repeat(angles, 2, axis=1)),
            table_by(wave=lambda angles: angles),
        ),
        table_mistake(
            "degrees",
            "You treated the angles as degrees. They are radians, and np.sin and np.cos expect radians.",
            "You don't need to convert them.",
            table_by(wave=lambda angles: interleaved(np.deg2rad(angles))),
            table_by(wave=lambda angles: interleaved(np.rad2deg(angles))),
        ),
        table_mistake(
            "a factor of 2π",
            "There is a factor of 2π in your angles. The formula has none: the first hand turns by 1 radian per token.",
            "The first row after position 0 begins with sin 1 = 0.8415.",
            table_by(wave=lambda angles: interleaved(2 * np.pi * angles)),
        ),
        table_mistake(
            "positions from 1",
            "Your first row is that of position 1.",
            "np.arange(length) begins with 0.",
            table_by(positions=lambda length: count(length) + 1),
        ),
        table_mistake(
            "hands counted from 1",
            "Your first hand is slower than it should be, because i begins with 1.",
            "np.arange(d_model // 2) begins with 0.",
            table_by(by=lambda i, d: turn(i + 1, d)),
        ),
        table_mistake(
            "the slow hands first",
            "Your hands are in reverse order, with the slowest first.",
            "i = 0 gives 10000 to the power 0, which is a turn of 1 radian per token.",
            table_by(by=lambda i, d: turn(i, d)[::-1]),
        ),
        table_mistake(
            "turned round",
            "Your table is transposed: it has a column for each position and a row for each dimension.",
            "The shape should be (length, d_model): positions as a column, `[:, None]`, and hands as a row.",
            lambda length, d: table_by()(length, d).T,
        ),
        table_mistake(
            "an axis too many",
            "Your numbers are right, but there is one axis too many.",
            "Return shape (length, d_model): you don't need a batch axis, since every sequence gets the same table.",
            lambda length, d: table_by()(length, d)[None],
        ),
        mistake(
            "an odd width accepted",
            "For even widths your table is right. At an odd width, the last hand has no room for its cosine, and your"
            " function does not say so.",
            "If d_model % 2 is not 0, raise ValueError with a sentence that says so.",
            *at_odd_widths(table_by())[1:],
        ),
    ),
)
