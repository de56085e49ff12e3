"""Probes and outcomes are data: every check gives the same verdict when its answer runs in another process."""

import itertools
import json
import random
import shutil
import subprocess
import sys
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from transformer_course.exercises import catalogue, solutions
from transformer_course.exercises.exercise import examine
from transformer_course.runner import limits, wire
from transformer_course.runner.run import Outcome, record, respond

ANSWERING = Path(__file__).parents[1] / "helpers" / "answering.py"
IMPORTS = "import numpy as np\n"
FUNCTIONS = [e for e in catalogue().values() if e.is_function]
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


def frames(dice: random.Random):
    """Frames without end: written and then damaged, put together of random JSON, and noise."""
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


def test_bytes_that_belong_to_no_array_are_refused():
    frame = wire.encode(np.ones(3))
    header, body = wire.LENGTHS.unpack_from(frame)
    with pytest.raises(wire.WireError, match="8 bytes belong to no array"):
        wire.decode(wire.LENGTHS.pack(header, body + 8) + frame[wire.LENGTHS.size :] + bytes(8))
    with pytest.raises(wire.WireError, match="do not fit a frame"):
        wire.decode(frame + b"x")


class Elsewhere:
    """The answering process, seen from the judge: ``ask`` as ``examine`` wants it."""

    def __init__(self, folder: Path):
        shutil.copytree(Path(wire.__file__).parent, folder / "side")
        command = [sys.executable, str(ANSWERING), str(folder)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.foreign: list[str] = []

    def send(self, value) -> None:
        self.process.stdin.write(wire.encode(value))
        self.process.stdin.flush()

    def receive(self):
        lengths = self.process.stdout.read(wire.LENGTHS.size)
        return wire.decode(lengths + self.process.stdout.read(sum(wire.LENGTHS.unpack(lengths))))

    def asking(self, job: dict):
        def ask(backend, questions, oracle):
            self.send({**job, "backend": backend, "questions": questions})
            while "ask" in (reply := self.receive()):
                self.send(oracle(*reply["ask"]).as_data())
            self.foreign = reply["foreign"]
            return None if reply["outcomes"] is None else [Outcome(**outcome) for outcome in reply["outcomes"]]

        return ask


@pytest.fixture
def elsewhere(tmp_path):
    there = Elsewhere(tmp_path)
    yield there
    there.process.stdin.close()
    there.process.wait(10)
    there.process.stdout.close()


def test_solutions_pass_in_a_process_that_knows_no_exercise(elsewhere):
    for exercise in FUNCTIONS:
        job = {"code": IMPORTS + solutions.solution_of(exercise), "name": exercise.answer_name}
        assert examine(exercise, elsewhere.asking(job), seed=5).passed, exercise.id
    assert elsewhere.foreign == []


def test_functions_written_for_torch_pass_there_too(elsewhere):
    code = "import torch\ndef softmax(scores):\n    return scores.softmax(-1)"
    job = {"code": code, "name": "softmax"}
    assert examine(catalogue()["attention.softmax"], elsewhere.asking(job), seed=5).passed


def test_every_mistake_and_style_gets_the_same_verdict_there_as_here(elsewhere):
    for exercise in FUNCTIONS:
        answers = [spelling for mistake in exercise.mistakes for spelling in (mistake.answer, *mistake.variants)]
        for place, answer in enumerate([*answers, *getattr(exercise, "alternatives", ())]):
            job = {"exercise": exercise.id, "place": place}
            there = examine(exercise, elsewhere.asking(job), seed=5)
            here = examine(exercise, lambda f, q, o, answer=answer: respond(answer, q, f, o), seed=5)
            assert there == here


@pytest.mark.parametrize("exercise", [e for e in catalogue().values() if not e.is_function], ids=lambda e: e.id)
def test_answers_that_are_data_survive_the_round_trip(exercise):
    cell: dict = {}
    exec(IMPORTS + solutions.solution_of(exercise), cell)
    for answer in (cell[exercise.answer_name], *(mistake.answer for mistake in exercise.mistakes)):
        outcome = record(answer)
        travelled = Outcome(**wire.decode(wire.encode(outcome.as_data())))
        verdicts = [examine(exercise, lambda *_, o=o: [o], seed=5) for o in (outcome, travelled)]
        assert verdicts[0] == verdicts[1]
    assert examine(
        exercise, lambda *_: [Outcome(**wire.decode(wire.encode(record(cell[exercise.answer_name]).as_data())))], 5
    ).passed
