"""A judge is contained: whoever takes it over through a bug finds no network, no home, and nothing to write to."""

import os
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from grading_a_class import PATIENT

from transformer_course.grading.errors import Unavailable
from transformer_course.grading.judging.local_pool import Grader
from transformer_course.grading.judging.worker import job
from transformer_course.grading.sandbox import syscalls


def test_a_judge_has_no_network_no_home_no_rights_and_nothing_to_write_to(needs_sandbox):
    grader = Grader(needs_sandbox)
    try:
        grader.ready()
        grader.grade(job([], "03", 5, replace(PATIENT, judging=10.0)))
        (judge,) = psutil.Process(grader.process.pid).children()
        proc = Path("/proc", str(judge.pid))
        status = dict(line.split(":\t", 1) for line in (proc / "status").read_text().splitlines())
        mounts = [line.split() for line in (proc / "mountinfo").read_text().splitlines()]
        variables = (proc / "environ").read_bytes()
        limits = {line[:26].strip(): line[26:].split()[0] for line in (proc / "limits").read_text().splitlines()}
        for kind in ("net", "pid", "ipc", "mnt", "uts"):
            assert os.readlink(proc / "ns" / kind) != os.readlink(f"/proc/self/ns/{kind}")
    finally:
        grader.close()
    assert mounts
    assert [mount[4] for mount in mounts if "ro" not in mount[5].split(",")] == []
    assert [mount[4] for mount in mounts if mount[4] in ("/proc", "/dev", "/home", "/root", "/tmp", str(Path.home()))] == []
    assert status["Seccomp"] == "2"
    assert status["NoNewPrivs"] == "1"
    assert int(status["CapEff"], 16) == int(status["CapPrm"], 16) == 0
    assert limits["Max address space"] == str(4 * 2**30)
    assert 60 <= int(limits["Max cpu time"]) < 600  # no alarm interrupts compiled code, so the kernel would end the judge
    assert b"HOME=" not in variables


def test_a_judge_that_cannot_be_restricted_judges_nobody(needs_sandbox, monkeypatch):
    monkeypatch.setattr(syscalls, "program", lambda: b"\xff" * 8)
    grader = Grader(needs_sandbox)
    with pytest.raises(Unavailable, match=r"A judge could not be started: OSError: .*Invalid argument; docs/grading.md"):
        grader.ready()
    grader.close()
