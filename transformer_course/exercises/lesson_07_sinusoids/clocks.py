"""Sheet 07: a test that tells a right encoding of positions from those that only obey its laws."""

import numpy as np

from ..families.positions import angles, angles_by, side_by_side, turn
from ..kinds import Target, WriteTest
from .sinusoidal import interleaved

WIDTH = 8


def _encoding(angles=angles, wave=lambda a: interleaved(a, a)):
    """The rows of width 8 of any positions, with one of its steps replaced."""

    def f(positions):
        positions = np.asarray(positions, float)
        if positions.ndim != 1 or positions.size == 0:
            raise ValueError(f"f takes positions as one row of numbers, shape (n,), got shape {positions.shape}")
        if not np.isfinite(positions).all():
            raise ValueError("f takes finite positions, got inf or nan")
        return wave(angles(positions, WIDTH))

    return f


def _by_complex_numbers(angles):
    hands = np.exp(-1j * angles)
    return side_by_side(-hands.imag, hands.real)


def _at(read):
    """An encoding of ``read(positions)``."""
    return _encoding(lambda positions, d: angles(read(positions), d))


def _wrong(diagnosis, answer):
    return diagnosis, "Compare with a row that you have worked out yourself.", answer


_target = Target(
    reference=_encoding(),
    draw=lambda rng: [[np.array([0.0, 3.0, 2.5, 70.0])]],
    alternatives=(_encoding(wave=_by_complex_numbers), _encoding(wave=lambda a: interleaved(a, a).astype(np.float32))),
    mistakes={
        "a different base": _wrong("Its base is 1000.", _encoding(angles_by(lambda i, d: 1 / 1000 ** (2 * i / d)))),
        "the exponent halved": _wrong("Its exponent is i/d.", _encoding(angles_by(lambda i, d: 1 / 10000 ** (i / d)))),
        "the slow hands first": _wrong("Its hands are in reverse order.", _encoding(angles_by(lambda i, d: turn(i, d)[::-1]))),
        "all sines first": _wrong(
            "Its sines come first, then its cosines.", _encoding(wave=lambda a: np.hstack([np.sin(a), np.cos(a)]))
        ),
        "sine and cosine swapped": _wrong(
            "Each cosine comes before its sine.", _encoding(wave=lambda a: side_by_side(np.cos(a), np.sin(a)))
        ),
        "hands that turn backwards": _wrong("Its hands turn backwards.", _at(lambda p: -p)),
        "positions counted from 1": _wrong("It adds 1 to each position.", _at(lambda p: p + 1)),
        "angles in degrees": _wrong("Its angles are in degrees.", _encoding(lambda p, d: np.deg2rad(angles(p, d)))),
        "positions cut to whole numbers": _wrong("It cuts 2.5 down to 2.", _at(np.floor)),
        "entries counted, positions ignored": _wrong(
            "It counts the entries of the list and never reads the positions in it.", _at(lambda p: np.arange(len(p)))
        ),
        "starting again at position 64": _wrong("From position 64 on, it begins at 0 again.", _at(lambda p: p % 64)),
    },
)

test_clocks = WriteTest(
    id="positions.test_encoding",
    answer_name="is_encoding",
    prompt="A test that accepts every correct encoding of positions, and rejects the broken ones.",
    target=_target,
    false_positive_hint=(
        "Some correct functions compute with 32-bit numbers, so use np.allclose(…, atol=1e-4). If you compare with numbers "
        "that you worked out yourself and rounded to four decimal places, they need this tolerance too. If you compare with a "
        "table that you wrote, make sure that yours is right: the exercise “The whole table” checks it."
    ),
    caught={
        "a different base": "the dimensions from 2 on, at position 1 or later.",
        "the exponent halved": "the dimensions from 2 on, at position 1 or later.",
        "the slow hands first": "the first two numbers of position 1: sin 1 and cos 1.",
        "all sines first": "position 0 must be 0, 1, 0, 1, 0, 1, 0, 1.",
        "sine and cosine swapped": "position 0 must be 0, 1, 0, 1, 0, 1, 0, 1.",
        "hands that turn backwards": "the first number of position 1: sin 1, and not −sin 1.",
        "positions counted from 1": "position 0 must be 0, 1, 0, 1, 0, 1, 0, 1.",
        "angles in degrees": "the first number of position 1: sin 1 = 0.8415.",
        "positions cut to whole numbers": "a position such as 2.5.",
        "entries counted, positions ignored": "positions that do not begin with 0, or skip some, such as [5, 2].",
        "starting again at position 64": "a position in the hundreds or beyond.",
    },
    why=(
        "Your test compares values, and not only properties that other tables have as well, so wrong frequencies and wrong "
        "columns show."
    ),
    hints=(
        "The properties from the lesson (hands of length 1, the same turn from any start) hold for many broken functions too, "
        "for example for those with a different base. What holds only for the correct encoding?",
        "Write out the formula for width 8 yourself: per token, its four hands turn by 1, 0.1, 0.01 and 0.001. Then compare "
        "all eight numbers.",
        "Then choose the positions. Some should be large, one should not be a whole number, and they should not be in order.",
    ),
)
