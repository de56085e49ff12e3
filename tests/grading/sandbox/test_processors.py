"""Learners who are graded at the same time have a processor each."""

import os
import time
from contextlib import ExitStack

import pytest

from transformer_course.grading.judging import local_pool
from transformer_course.grading.sandbox.bubblewrap import Bubblewrap
from transformer_course.grading.sandbox.supervisor import Sandbox

CELL = """
import os
import threading

mine = sorted(os.sched_getaffinity(0))
try:
    os.sched_setaffinity(0, range(1024))
    left = True
except PermissionError:
    left = False

seen = []
thread = threading.Thread(target=lambda: seen.extend(os.sched_getaffinity(0)))
thread.start()
thread.join()
found = [mine, seen, left]
"""


@pytest.mark.usefixtures("needs_sandbox")
def test_each_learner_has_a_processor_and_cannot_leave_it():
    found, end = [], time.monotonic() + 300
    with Sandbox(Bubblewrap.start()) as sandbox, ExitStack() as stack:
        sandbox.ready()
        for _ in range(2):
            process = stack.enter_context(stack.enter_context(sandbox.supervisor()).process())
            process.send({"cells": [[0, CELL]]}, end)
            while "ready" not in process.receive(end):
                pass
            process.send({"name": "found", "questions": None}, end)
            (answer,) = process.receive(end)["answers"]
            found.append(answer["value"])
    for (mine, of_a_thread, left), _ in zip(found, range(2), strict=True):
        assert len(mine) == 1
        assert of_a_thread == mine
        assert left is False
    if len(os.sched_getaffinity(0)) > 1:
        assert found[0][0] != found[1][0]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("max 100000\n", 8),
        ("200000 100000\n", 2),
        ("250000 100000\n", 2),
        ("50000 100000\n", 1),
        ("9900000 100000", 8),
        ("", 8),
    ],
)
def test_a_containers_share_of_time_limits_how_many_are_graded_at_once(tmp_path, monkeypatch, text, count):
    (tmp_path / "cpu.max").write_text(text)
    monkeypatch.setattr(local_pool, "CPU_QUOTA", tmp_path / "cpu.max")
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(8))
    assert local_pool.processors() == count
    monkeypatch.setattr(local_pool, "CPU_QUOTA", tmp_path / "missing")
    assert local_pool.processors() == 8
