"""Questions and outcomes are data, so an answer may run in another process. (For the verdicts on mistakes that ran in the
sandbox's process, see grading/judging/test_agreement.py.)"""

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from examining import solution_code, solved

from transformer_course.exercises import catalogue
from transformer_course.exercises.exercise import examine
from transformer_course.runner import wire
from transformer_course.runner.outcome import Outcome, described_error, record

ANSWERING = Path(__file__).parents[1] / "helpers" / "answering.py"
FUNCTIONS = [e for e in catalogue().values() if e.is_function]


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


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory):
    there = Elsewhere(tmp_path_factory.mktemp("elsewhere"))
    yield there
    there.process.stdin.close()
    there.process.wait(60)
    there.process.stdout.close()


def test_solutions_pass_in_a_process_that_knows_no_exercise(elsewhere):
    for exercise in FUNCTIONS:
        job = {"code": solution_code(exercise), "name": exercise.answer_name}
        assert examine(exercise, elsewhere.asking(job), seed=5).passed, exercise.id
    assert elsewhere.foreign == []


def test_functions_written_for_torch_pass_there_too(elsewhere):
    code = "import torch\ndef softmax(scores):\n    return scores.softmax(-1)"
    job = {"code": code, "name": "softmax"}
    assert examine(catalogue()["attention.softmax"], elsewhere.asking(job), seed=5).passed


@pytest.mark.parametrize("exercise", [e for e in catalogue().values() if not e.is_function], ids=lambda e: e.id)
def test_answers_that_are_data_survive_the_round_trip(exercise):
    right = solved(exercise)
    for answer in (right, *(mistake.answer for mistake in exercise.mistakes)):
        outcome = record(answer)
        travelled = Outcome(**wire.decode(wire.encode(outcome.as_data())))
        here, there = (examine(exercise, lambda *_, o=o: [o], seed=5) for o in (outcome, travelled))
        assert here == there
        assert there.passed == (answer is right)


class Shy:
    def __dir__(self):
        raise RuntimeError


@pytest.mark.parametrize(
    ("access", "message"),
    [
        (lambda: np.zeros(2).rehsape(2, 1), "'numpy.ndarray' object has no attribute 'rehsape'. Did you mean `reshape`?"),
        (lambda: np.zeros(2).xyzzy, "'numpy.ndarray' object has no attribute 'xyzzy'"),
        (lambda: Shy().rehsape, "'Shy' object has no attribute 'rehsape'"),
    ],
)
def test_an_attribute_error_names_what_was_probably_meant(access, message):
    with pytest.raises(AttributeError) as caught:
        access()
    assert described_error(caught.value, None) == message


@torch.no_grad()
def subtracts_text(number):
    return number - "one"


def test_the_line_of_an_error_is_the_learners_own_below_a_decorator_too():
    with pytest.raises(TypeError) as raised:
        subtracts_text(1)
    assert described_error(raised.value, subtracts_text).endswith('(in `return number - "one"`)')
