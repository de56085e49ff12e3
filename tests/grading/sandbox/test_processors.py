"""Learners who are graded at the same time share the processors, and only their own doing is counted."""

import math
import os
import time
from contextlib import ExitStack, contextmanager, suppress

import pytest

from transformer_course.grading.judging import local_pool
from transformer_course.grading.sandbox import supervisor
from transformer_course.runner.link import Late

READY = {"ready": True}
AFFINITY = """
import os

mine = sorted(os.sched_getaffinity(0))
"""
COMPUTES = "while True: pass"
WAITS = "import time; time.sleep(10**6)"
RENAMED = "import ctypes\nctypes.CDLL(None).prctl(15, b'a) S (b', 0, 0, 0)\n"  # the thread's name is before its state
IN_A_THREAD = """
import threading

def work():
    {}

thread = threading.Thread(target=work)
thread.start()
thread.join()
"""


@contextmanager
def running(sandbox, sources, count=1):
    """Start processes side by side, each with a supervisor of its own, which run these cells."""
    end = time.monotonic() + 600
    with ExitStack() as stack:
        processes = [stack.enter_context(stack.enter_context(sandbox.supervisor()).process()) for _ in range(count)]
        for process in processes:
            process.send({"cells": [*enumerate(sources)]}, end)
        yield processes, end


def test_learners_may_use_every_processor(needs_sandbox):
    """No learner is bound to a processor that others are bound to, perhaps by other graders on this computer."""
    with running(needs_sandbox, [AFFINITY], 3) as (processes, end):
        for process in processes:
            while process.receive(end) != READY:
                pass
            process.send({"name": "mine", "backend": "numpy", "questions": None}, end)
            (answer,) = process.receive(end)["answers"]
            assert answer["value"] == sorted(os.sched_getaffinity(0))


@pytest.mark.parametrize(
    ("source", "waits"),
    [
        (COMPUTES, False),
        (IN_A_THREAD.format(COMPUTES), False),
        (RENAMED + COMPUTES, False),
        (WAITS, True),
        (IN_A_THREAD.format(WAITS), True),
    ],
    ids=["computes", "a thread computes", "under another name", "waits", "a thread waits"],
)
def test_only_a_process_in_which_nothing_computes_waits(needs_sandbox, source, waits):
    with running(needs_sandbox, ["started = True", source]) as ((process,), end):
        process.receive(end)
        while process.processor_seconds() < 0.3 and not process.waited:
            with suppress(Late):
                process.receive(time.monotonic() + 0.1)
            process.look(0.1)
    assert (process.waited > 0) is waits


def test_a_processor_time_is_asked_for_again_only_when_it_is_no_longer_fresh(needs_sandbox, monkeypatch):
    end = time.monotonic() + 300
    with needs_sandbox.supervisor() as supervisor_of_one, supervisor_of_one.process() as process:
        monkeypatch.setattr(supervisor, "FRESH_SECONDS", math.inf)
        before = process.processor_seconds()
        process.send({"cells": [[0, "import time\nwhile time.process_time() < 0.6: pass"]]}, end)
        while "ready" not in process.receive(end):
            pass
        assert process.processor_seconds() == before
        monkeypatch.setattr(supervisor, "FRESH_SECONDS", 0.0)
        assert process.processor_seconds() > before + 0.3
    assert process.processor_seconds() > before + 0.3


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
