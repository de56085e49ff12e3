"""In a container with little processor time, a learner beside a heavy neighbour still gets a fair share of it."""

import os
import re
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from transformer_course.exercises.catalogue import by_lesson
from transformer_course.grading.judging.judge import grade
from transformer_course.grading.judging.time_limits import TimeLimits
from transformer_course.grading.sandbox.bubblewrap import Bubblewrap
from transformer_course.grading.sandbox.supervisor import Sandbox
from transformer_course.grading.submissions.notebook_file import Cell
from transformer_course.runner import limits

CGROUPS = Path("/sys/fs/cgroup/cpu")  # of version 1
# One processor's time for the group as a whole. With the largest weight, other programs cannot decide who in it is faster.
ONE_PROCESSOR = {"cpu.cfs_quota_us": "100000", "cpu.cfs_period_us": "100000", "cpu.shares": "262144"}
COMPUTES = """
import time

while time.process_time() < 1.2:
    pass
"""
NEIGHBOUR = """
import threading

import torch

def work(table):
    while True:
        table @ table

for _ in range(60):
    threading.Thread(target=work, args=[torch.ones(256, 256)], daemon=True).start()
"""


@contextmanager
def one_processors_time() -> Iterator[None]:
    """Put this process, and all that it starts, into a group with the time of one processor. Skip where that is impossible."""
    found = re.search(r"^\d+:(?:[\w,]*,)?cpu(?:,[\w,]*)?:/(.*)$", Path("/proc/self/cgroup").read_text(), re.MULTILINE)
    if not found:
        pytest.skip("needs a CPU cgroup of version 1, which this computer does not have")
    own = CGROUPS / found[1]
    group = own / f"transformer-course-{uuid.uuid4().hex}"
    try:
        group.mkdir()
    except OSError as error:
        pytest.skip(f"needs a CPU cgroup of version 1, which cannot be made here ({error})")
    try:
        for name, value in ONE_PROCESSOR.items():
            (group / name).write_text(value)
        (group / "cgroup.procs").write_text(str(os.getpid()))
        yield
    finally:
        (own / "cgroup.procs").write_text(str(os.getpid()))
        while (group / "cgroup.procs").read_text():
            time.sleep(0.01)  # until what the test started has ended
        group.rmdir()


@pytest.mark.usefixtures("needs_sandbox")
def test_a_heavy_neighbour_in_the_same_container_takes_no_more_than_its_share(monkeypatch):
    """The neighbour's 60 threads stay on its processor. On both, they would get about 30 times as much time as the learner."""
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("needs two processors, because learners who are graded at once have one each")
    monkeypatch.setattr(limits, "CLOCK_FACTOR", 1000)  # only processor time may decide
    cell = Cell(COMPUTES, None, ())
    end = time.monotonic() + 600
    with one_processors_time(), Sandbox(Bubblewrap.start()) as sandbox:
        sandbox.ready()
        with sandbox.supervisor() as first, sandbox.supervisor() as second, first.process() as neighbour:
            neighbour.send({"cells": [[1, NEIGHBOUR]]}, end)
            assert neighbour.receive(end)["error"] is None
            before = neighbour.processor_seconds()
            graded = grade([cell], [by_lesson()["01"][0]], 0, second, TimeLimits(cell=2.0))
            neighbours = neighbour.processor_seconds() - before
    assert graded.notes == []
    assert neighbours < 4 * 1.2
