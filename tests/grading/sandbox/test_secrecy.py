"""What the memory of a learner's process holds, read from outside, where no learner's code can deceive us."""

import os
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from submissions import notebook

from transformer_course.exercises.catalogue import catalogue
from transformer_course.grading.sandbox.bubblewrap import Bubblewrap
from transformer_course.grading.sandbox.supervisor import Sandbox

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("needs_sandbox")]
NAIVE = """
import os, sys
from transformer_course.exercises import catalogue
dict(catalogue())
if os.fork() == 0:
    print(os.getpid(), flush=True)
    sys.stdin.read()
else:
    os.wait()
"""


def held(pid: int, secrets: list[bytes]) -> list[bytes]:
    """Return the secrets that are anywhere in a process's memory, leaving out unchanged pages of files."""
    found = set()
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            where, rights, _, _, file, *name = line.split(maxsplit=5)
            if rights[0] == "r" and (rights[1] == "w" or file == "0") and not "".join(name).startswith("[v"):
                start, end = (int(part, 16) for part in where.split("-"))
                content = os.pread(memory.fileno(), end - start, start)
                found |= {secret for secret in secrets if secret in content}
    return [secret for secret in secrets if secret in found]


def test_a_learners_process_holds_no_answer_and_a_fork_of_ours_would():
    exercise = catalogue()["attention.scaled_dot_product"]
    diagnoses = [mistake.diagnosis for mistake in exercise.mistakes]
    narrow = next(text for text in diagnoses if text.isascii())
    wide = next(text for text in diagnoses if max(text) > "\xff")  # Python stores it with two bytes per character
    secrets = [narrow.encode(), wide.encode("utf-16-le"), exercise.mistakes[0].answer.__qualname__.encode()]
    forms = [text.encode(form) for text in (narrow, wide) for form in ("utf-8", "utf-16-le", "utf-32-le")]
    own, cell = b"the learner's own words", """words = " ".join(["the learner's", "own", "words"])"""
    cells = [cell["source"] for cell in notebook("03", first=[cell])["cells"] if cell["cell_type"] == "code"]
    questions, end = exercise.questions(5), time.monotonic() + 300
    with Sandbox(Bubblewrap.start()) as sandbox:
        sandbox.ready()
        with sandbox.supervisor() as supervisor, supervisor.process() as process:
            process.send({"cells": list(map(list, enumerate(cells)))}, end)
            while "ready" not in process.receive(end):
                pass
            process.send({"name": exercise.answer_name, "backend": "numpy", "questions": questions}, end)
            assert len(process.receive(end)["answers"]) == len(questions)
            inside = psutil.Process(sandbox.bubblewrap.process.pid).children(recursive=True)
            assert sum(own in held(each.pid, [own]) for each in inside) == 1  # the learner's own process
            assert {each.pid: held(each.pid, [*secrets, *forms]) for each in inside} == {each.pid: [] for each in inside}
    with subprocess.Popen([sys.executable, "-c", NAIVE], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as naive:
        assert held(int(naive.stdout.readline()), secrets) == secrets
