"""In a container with little processor time, an honest learner takes long, and is not stopped."""

import re
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest

from transformer_course.exercises.catalogue import by_lesson
from transformer_course.grading.judging.judge import grade
from transformer_course.grading.run import TimeLimits
from transformer_course.grading.submissions.notebook_file import Cell
from transformer_course.runner import limits

CGROUPS = Path("/sys/fs/cgroup/cpu")  # of version 1
A_TENTH = {"cpu.cfs_quota_us": "10000", "cpu.cfs_period_us": "100000"}  # of one processor's time
COMPUTES = """
import time

while time.process_time() < 0.7:
    pass
"""


@contextmanager
def slowed_down(pid: int) -> Iterator[None]:
    """Put the descendants of a process into a group with a tenth of a processor's time. Skip where that is impossible."""
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
        for name, value in A_TENTH.items():
            (group / name).write_text(value)
        move([process.pid for process in psutil.Process(pid).children(recursive=True)], group)
        yield
    finally:
        while processes := (group / "cgroup.procs").read_text().split():
            move(processes, own)
        group.rmdir()


def move(processes: Sequence[int | str], group: Path) -> None:
    for process in processes:
        with suppress(ProcessLookupError):  # it has ended
            (group / "cgroup.procs").write_text(str(process))


@pytest.mark.slow
def test_a_learner_who_is_kept_from_computing_is_not_stopped(needs_sandbox):
    """On the clock, the cell takes longer than code may that only waits."""
    time_limits = TimeLimits(cell=1.0)
    with slowed_down(needs_sandbox.bubblewrap.process.pid), needs_sandbox.supervisor() as supervisor:
        started = time.monotonic()
        graded = grade([Cell(COMPUTES, None, ())], [by_lesson()["01"][0]], 0, supervisor, time_limits)
    assert time.monotonic() - started > limits.CLOCK_FACTOR * time_limits.cell
    assert graded.notes == []
