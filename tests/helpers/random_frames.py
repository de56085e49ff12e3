"""Frames for test_wire.py: written and then damaged, put together of random JSON, and noise."""

import json
import random
from collections.abc import Iterator

import numpy as np

from transformer_course.runner import wire
from transformer_course.runner.outcome import record


def frames(dice: random.Random) -> Iterator[bytes]:
    """Frames without end."""
    whole = [wire.encode(value) for value in EXAMPLES]
    while True:
        kind = dice.randrange(6)
        if kind < 3:
            yield damaged(bytearray(dice.choice(whole)), dice.choice(whole), dice)
        elif kind < 5:
            header, body = json.dumps(header_of(dice)).encode(), dice.randbytes(dice.choice((0, 0, 1, 8, 24)))
            if dice.random() < 0.3:
                header = header.replace(*dice.choice(SWAPS))
            yield wire.LENGTHS.pack(len(header), len(body)) + header + body
        else:
            yield dice.randbytes(dice.randrange(200))


EXAMPLES = [
    *(None, True, -5, 0.5, -0.0, float("nan"), 2**63 - 1, "a\ud800b\U0001f600", [], {}, [[], {"": None}], wire.Proxy()),
    *(np.ones(3), np.array(2.5), np.zeros((0, 3)), np.array([[True, False]]), np.arange(4, dtype=">i2"), np.float16([1, 2])),
    {"name": "softmax", "backend": "numpy", "questions": [[np.eye(2), 3], [np.full((2, 2, 2), np.inf), -1]]},
    record([np.ones(2), [1, 2, {"key": [0.1, None]}], "text"]).as_data(),
]
SWAPS = [
    (b"1", b"NaN"),
    (b"1", b"-0"),
    (b"0", b"Infinity"),
    (b" ", b""),
    (b"1", b"1e999"),
    (b"1", b"9" * 5000),
    (b"[", b"[" * 99),
]
SWAPS += [(b'"value"', b'"value": 0, "value"'), (b'"arrays"', b'"more": 0, "arrays"'), (b"true", b"TRUE"), (b"e", b"\\u0065")]


def damaged(frame: bytearray, other: bytes, dice: random.Random) -> bytes:
    for _ in range(dice.choice((0, 1, 1, 2, 5))):
        place, kind = dice.randrange(len(frame) or 1), dice.randrange(6)
        if kind == 0:
            frame[place : place + 1] = [dice.randrange(256)]
        elif kind == 1:
            del frame[place : place + dice.randrange(9)]
        elif kind == 2:
            frame[place:place] = dice.randbytes(dice.randrange(9))
        elif kind == 3:
            frame[place:] = other[dice.randrange(len(other)) :]
        elif kind == 4:
            frame[:8] = wire.LENGTHS.pack(dice.choice((0, 1, len(frame), 2**32 - 1)), dice.choice((0, 8, 2**31, 2**32 - 1)))
        else:
            frame += frame[place:]
    return bytes(frame)


def header_of(dice: random.Random):
    arrays = [[dice.choice(DTYPES), dice.choice(SHAPES)] for _ in range(dice.choice((0, 0, 1, 2)))]
    header = {"value": tree(dice, 0), "arrays": dice.choice((arrays, arrays, arrays, None, {}, [[]], "ab", [["float64"]]))}
    return dice.choice((header, header, header, header, [header], tree(dice, 0)))


def tree(dice: random.Random, depth: int):
    """JSON with the words that mean something in a header."""
    some = dice.randrange(3 if depth < 5 else 1)
    if some == 0:
        return dice.choice((None, True, 0, -1, 7, 0.5, 2**63, 2**80, -0.0, 1e300, "", "nan", "ü\ud800", "x" * 99))
    if some == 1:
        return [tree(dice, depth + 1) for _ in range(dice.randrange(3))]
    words = ("float", "array", "mapping", "proxy", "value", "")
    inside = (lambda: dice.choice((0, 1, True, -1, "0", "nan", "-inf", {}, [0], 2**40)), lambda: tree(dice, depth + 1))
    return {dice.choice(words): dice.choice(inside)() for _ in range(dice.choice((1, 1, 1, 2)))}


DTYPES = [*sorted(wire.DTYPES), "object", "complex128", "U9", "datetime64", 7, None, [], "float64", "bool"]
SHAPES = [
    [],
    [1],
    [2],
    [3],
    [8],
    [0],
    [2, 0],
    [0, 2**40],
    [2**40, 0],
    [2**62, 4],
    [-1],
    [-0],
    [True],
    ["2"],
    [1.0],
    "12",
    3,
    None,
    {},
]
SHAPES += [[1] * 17, [2**32, 2**32], [10**30, 0], [[2]]]
