"""Probes and outcomes are data: every check gives the same verdict when its answer runs in another process."""

import contextlib
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from transformer_course import authoring
from transformer_course.exercises import catalogue, run, wire
from transformer_course.exercises.exercise import examine
from transformer_course.exercises.run import Outcome, record, respond

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


@given(VALUES, st.data())
def test_a_damaged_frame_is_refused_or_read_and_never_anything_else(value, data):
    frame = bytearray(wire.encode(value))
    for _ in range(data.draw(st.integers(1, 3))):
        frame[data.draw(st.integers(0, len(frame) - 1))] = data.draw(st.integers(0, 255))
    with contextlib.suppress(wire.WireError):
        wire.decode(bytes(frame[: data.draw(st.integers(0, len(frame)))]))


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
        (b'{"value": {"array": 1}, "arrays": []}', "no value is written as 'array'"),
        (b'{"value": {"import": "os"}, "arrays": []}', "no value is written as 'import'"),
        (b'{"value": ' + b"[" * 50 + b"]" * 50 + b', "arrays": []}', "at most 16 deep"),
        (b"[]", "not the header"),
        (b"\xff", "not the header"),
    ],
)
def test_forged_headers_are_refused(header, message):
    with pytest.raises(wire.WireError, match=message):
        wire.decode(wire.LENGTHS.pack(len(header), 0) + header)


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
        (folder / "side").mkdir()
        (folder / "side" / "__init__.py").touch()
        for module in (run, wire):
            shutil.copy(module.__file__, folder / "side")
        command = [sys.executable, str(Path(__file__).with_name("answering.py")), str(folder)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.foreign: list[str] = []

    def send(self, value) -> None:
        self.process.stdin.write(wire.encode(value))
        self.process.stdin.flush()

    def receive(self):
        lengths = self.process.stdout.read(wire.LENGTHS.size)
        return wire.decode(lengths + self.process.stdout.read(sum(wire.LENGTHS.unpack(lengths))))

    def asking(self, job: dict):
        def ask(flavour, questions, oracle):
            self.send({**job, "flavour": flavour, "questions": questions})
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
        job = {"code": IMPORTS + authoring.solution_of(exercise), "name": exercise.answer}
        assert examine(exercise, elsewhere.asking(job), seed=5).passed, exercise.id
    assert elsewhere.foreign == []


def test_functions_written_for_torch_pass_there_too(elsewhere):
    code = "import torch\ndef softmax(scores):\n    return scores.softmax(-1)"
    job = {"code": code, "name": "softmax"}
    assert examine(catalogue()["attention.softmax"], elsewhere.asking(job), seed=5).passed


def test_every_mistake_and_style_gets_the_same_verdict_there_as_here(elsewhere):
    for exercise in FUNCTIONS:
        answers = [spelling for mistake in exercise.mistakes for spelling in (mistake.answer, *mistake.also)]
        for place, answer in enumerate([*answers, *getattr(exercise, "styles", ())]):
            job = {"exercise": exercise.id, "place": place}
            there = examine(exercise, elsewhere.asking(job), seed=5)
            here = examine(exercise, lambda f, q, o, answer=answer: respond(answer, q, f, o), seed=5)
            assert there == here


@pytest.mark.parametrize("exercise", [e for e in catalogue().values() if not e.is_function], ids=lambda e: e.id)
def test_answers_that_are_data_survive_the_round_trip(exercise):
    cell: dict = {}
    exec(IMPORTS + authoring.solution_of(exercise), cell)
    for answer in (cell[exercise.answer], *(mistake.answer for mistake in exercise.mistakes)):
        outcome = record(answer)
        travelled = Outcome(**wire.decode(wire.encode(outcome.as_data())))
        verdicts = [examine(exercise, lambda *_, o=o: [o], seed=5) for o in (outcome, travelled)]
        assert verdicts[0] == verdicts[1]
    assert examine(
        exercise, lambda *_: [Outcome(**wire.decode(wire.encode(record(cell[exercise.answer]).as_data())))], 5
    ).passed
