"""Learners who are graded at the same time have a processor each."""

import math
import os
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager

import pytest

from transformer_course.exercises.catalogue import by_lesson
from transformer_course.grading.judging import local_pool
from transformer_course.grading.judging.judge import grade
from transformer_course.grading.judging.time_limits import TimeLimits
from transformer_course.grading.sandbox import supervisor
from transformer_course.grading.sandbox.bubblewrap import Bubblewrap
from transformer_course.grading.sandbox.supervisor import Sandbox
from transformer_course.grading.submissions.notebook_file import Cell

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


@pytest.mark.usefixtures("needs_sandbox")
def test_a_processor_time_is_asked_for_again_only_when_it_is_no_longer_fresh(monkeypatch):
    end = time.monotonic() + 300
    with Sandbox(Bubblewrap.start()) as sandbox:
        sandbox.ready()
        with sandbox.supervisor() as supervisor_of_one, supervisor_of_one.process() as process:
            monkeypatch.setattr(supervisor, "FRESH_SECONDS", math.inf)
            before = process.processor_seconds()
            process.send({"cells": [[0, "import time\nwhile time.process_time() < 1: pass"]]}, end)
            while "ready" not in process.receive(end):
                pass
            assert process.processor_seconds() == before
            monkeypatch.setattr(supervisor, "FRESH_SECONDS", 0.0)
            assert process.processor_seconds() > before + 0.5
    assert process.processor_seconds() > before + 0.5


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
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(8))
    monkeypatch.setattr(local_pool, "CGROUP", tmp_path)
    assert local_pool.processors() == 8
    (tmp_path / "cpu.max").write_text(text)
    assert local_pool.processors() == count


@pytest.mark.parametrize(("quota", "count"), [("-1\n", 8), ("200000\n", 2), ("50000\n", 1)])
def test_an_older_containers_share_counts_too(tmp_path, monkeypatch, quota, count):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(8))
    monkeypatch.setattr(local_pool, "CGROUP", tmp_path)
    (tmp_path / "cpu").mkdir()
    (tmp_path / "cpu" / "cpu.cfs_quota_us").write_text(quota)
    (tmp_path / "cpu" / "cpu.cfs_period_us").write_text("100000\n")
    assert local_pool.processors() == count


BUSY = """
import os, sys
os.sched_setaffinity(0, {int(sys.argv[1])})
print("busy", flush=True)
while True:
    pass
"""
COMPUTES = """
import time

def computed_for(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass

computed_for({seconds})
time.sleep(1)
"""


@contextmanager
def busy(processors):
    """Keep processors busy, each with one program that never waits."""
    programs = [
        subprocess.Popen([sys.executable, "-c", BUSY, str(each)], stdout=subprocess.PIPE, text=True) for each in processors
    ]
    try:
        for program in programs:
            assert program.stdout.readline() == "busy\n"
        yield
    finally:
        for program in programs:
            program.kill()
            program.communicate()


@pytest.mark.parametrize(("seconds", "stopped"), [(1.5, False), (2.5, True)])
@pytest.mark.usefixtures("needs_sandbox")
def test_a_busy_neighbour_takes_no_time_from_a_learner(seconds, stopped):
    """A cell that computes for 1.5 of its 2 seconds and waits for one ends later than that, and is not stopped."""
    exercise = by_lesson()["01"][0]
    cell = Cell(COMPUTES.format(seconds=seconds), None, ())
    with Sandbox(Bubblewrap.start()) as sandbox, busy(os.sched_getaffinity(0)):
        sandbox.ready()
        with sandbox.supervisor() as supervisor:
            started = time.monotonic()
            graded = grade([cell], [exercise], 0, supervisor, TimeLimits(cell=2.0))
    assert any("was still running after 2 seconds" in note for note in graded.notes) is stopped
    assert stopped or time.monotonic() - started > 2.0
