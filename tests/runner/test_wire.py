"""Values pass as frames: each survives the way there and back, and whatever else comes is refused."""

import itertools
import random
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from random_frames import frames

from transformer_course.runner import limits, wire
from transformer_course.runner.outcome import record

SCALARS = st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats() | st.text(max_size=5)
ARRAYS = hnp.arrays(st.sampled_from(sorted(wire.DTYPES)).map(np.dtype), hnp.array_shapes(min_dims=0, max_dims=3, max_side=3))
VALUES = st.recursive(
    SCALARS | ARRAYS | st.just(wire.Proxy()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


def same(left, right) -> bool:
    if isinstance(left, np.ndarray):
        return left.dtype == right.dtype and left.shape == right.shape and left.tobytes() == right.tobytes()
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    return type(left) is type(right) and (left == right or left != left)


@given(VALUES)
def test_a_value_survives_the_round_trip(value):
    assert same(wire.decode(wire.encode(value)), value)


def test_the_order_of_bytes_does_not_matter():
    assert same(wire.decode(wire.encode(np.arange(4, dtype=">i2"))), np.arange(4, dtype=np.int16))


def test_no_frame_of_any_kind_is_more_than_refused():
    """Whatever the bytes: data that could have been written so, or WireError; in memory that the frame's size bounds."""
    dice, read, refused = random.Random(1), 0, 0
    tracemalloc.start()
    try:
        for frame in itertools.islice(frames(dice), 24_000):
            try:
                value = wire.decode(frame)
            except wire.WireError:
                refused += 1
            else:
                read += 1
                assert wire.encode(value) == frame
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert min(read, refused) > 1000
    assert peak < 20 * 2**20


@pytest.mark.parametrize("value", [object(), {1: 2}, 2**63, 1j, np.array([1j]), np.array(["a"]), len])
def test_what_is_not_data_is_refused(value):
    with pytest.raises(wire.WireError, match="not data"):
        wire.encode(value)


@pytest.mark.parametrize(
    ("header", "message"),
    [
        (b'{"value": {"array": 0}, "arrays": [["object", [1]]]}', "no array of 'object'"),
        (b'{"value": {"array": 0}, "arrays": [["float64", [1000000]]]}', "does not fit"),
        (b'{"value": {"array": 0}, "arrays": [["float64", [-1]]]}', "not a shape"),
        (b'{"value": {"array": 0}, "arrays": [["float64", [0, 1099511627776]]]}', "no array of shape"),
        (b'{"value": {"array": 0}, "arrays": [["float64", [' + b"0, " * 16 + b"0]]]}", "no array of shape"),
        (b'{"value": {"array": 1}, "arrays": []}', "no value is written as 'array'"),
        (b'{"value": {"import": "os"}, "arrays": []}', "no value is written as 'import'"),
        (b'{"value": ' + b"[" * 50 + b"]" * 50 + b', "arrays": []}', "nest at most 16 deep"),
        (b'{"value": ' + b"[" * 10**6 + b"]" * 10**6 + b', "arrays": []}', "not the header"),
        (b'{"value": [' + b"[], " * 10**6 + b'[]], "arrays": []}', "at most 100000 values"),
        (b" " * (limits.HEADER_BYTES + 1), "bytes"),
        (b"[]", "not the header"),
        (b"\xff", "not the header"),
        (b'{"value": 9223372036854775808, "arrays": []}', "not data"),
        (b'{"value": NaN, "arrays": []}', "not the form"),
        (b'{"value": -0, "arrays": []}', "not the form"),
        (b'{"value": 1e0, "arrays": []}', "not the form"),
        (b'{"value": {"mapping": {"a": 1, "a": 1}}, "arrays": []}', "not the form"),
        (b'{"value": {"array": 0}, "arrays": [["float64", [0]], ["float64", [0]]]}', "not the form"),
        (b'{"value": [{"array": 0}, {"array": 0}], "arrays": [["float64", [0]]]}', "not the form"),
        (b'{"value": [{"array": 1}, {"array": 0}], "arrays": [["float64", [0]], ["float64", [0]]]}', "not the form"),
        (b'{"value": {"array": false}, "arrays": [["float64", [0]]]}', "no value is written as 'array'"),
        (b'{"value": {"proxy": 1}, "arrays": []}', "not the form"),
        (b'{"value": 1, "arrays": [], "more": 1}', "not the form"),
        (b'{"arrays": [], "value": 1}', "not the form"),
        (b'{"value":1,"arrays":[]}', "not the form"),
    ],
)
def test_forged_headers_are_refused(header, message):
    with pytest.raises(wire.WireError, match=message):
        wire.decode(wire.LENGTHS.pack(len(header), 0) + header)


def test_a_truth_value_is_0_or_1():
    """NumPy counts on it where it indexes by an array of them."""
    frame = bytearray(wire.encode(np.array([True, False])))
    frame[-1] = 2
    with pytest.raises(wire.WireError, match="neither 0 nor 1"):
        wire.decode(bytes(frame))
    odd = np.array([2, 0], np.uint8).view(bool)
    assert wire.encode(odd) == wire.encode(np.array([True, False]))


@pytest.mark.parametrize(
    "value", [["x"] * 10**5, "x" * 2**22, np.zeros(2**21 + 1), np.zeros((2**22, 0)), [np.zeros(2**20)] * 3, np.zeros([1] * 17)]
)
def test_what_is_too_large_is_not_written_and_recorded_by_its_type(value):
    with pytest.raises(wire.WireError):
        wire.encode(value)
    seen = record(value)
    assert seen.value is None
    assert seen.type.startswith((type(value).__name__, "array"))
    assert "at most" in seen.type or "too large" in seen.type


@pytest.mark.parametrize("value", [..., [0.5, ...], {"claim": "a", "value": ...}, {"reason": [...]}, np.array([1, ...])])
def test_dots_anywhere_in_a_value_make_it_an_answer_that_is_not_written_yet(value):
    assert record(value).type == record(...).type


def test_bytes_that_belong_to_no_array_are_refused():
    frame = wire.encode(np.ones(3))
    header, body = wire.LENGTHS.unpack_from(frame)
    with pytest.raises(wire.WireError, match="8 bytes belong to no array"):
        wire.decode(wire.LENGTHS.pack(header, body + 8) + frame[wire.LENGTHS.size :] + bytes(8))
    with pytest.raises(wire.WireError, match="do not fit a frame"):
        wire.decode(frame + b"x")
