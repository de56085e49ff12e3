"""Grading that cannot start, is interrupted or loses a process: it says so, and no mark is wrong."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from functools import partial

import psutil
import pytest
from command_line import said
from grading_a_class import PATIENT, PATIENT_COMMAND, SHEET, table
from submissions import hand_in, notebook

from transformer_course.exercises.catalogue import catalogue
from transformer_course.grading.graded import Graded
from transformer_course.grading.judging import local_pool
from transformer_course.grading.judging.judge import grade
from transformer_course.grading.sandbox import bubblewrap, syscalls
from transformer_course.grading.submissions.notebook_file import Cell

pytestmark = pytest.mark.usefixtures("needs_sandbox")


def commands(parent: int) -> list[str]:
    """The commands of a process's children. One that ends while we look is left out."""
    found = []
    for child in psutil.Process(parent).children():
        with contextlib.suppress(psutil.NoSuchProcess):  # a zombie, too
            found.append(" ".join(child.cmdline()))
    return found


def test_stopping_it_shows_no_traceback(tmp_path):
    """Ctrl+C in a terminal reaches every process of the command's group."""
    file = hand_in(tmp_path / "mine.ipynb", notebook(SHEET, first=["import time", "time.sleep(500)"]))
    command = [sys.executable, "-c", PATIENT_COMMAND, "grade", str(file), "--out", str(tmp_path / "out")]
    listening = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # tests that run in the background may ignore it
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    with subprocess.Popen(command, **pipes, process_group=0, preexec_fn=listening) as grader:
        while not any("judging.worker" in command for command in commands(grader.pid)):
            assert grader.poll() is None
            time.sleep(0.05)
        listed = ["ps", "-eo", "pgid=,args="]
        group = [
            line for line in subprocess.check_output(listed, text=True).splitlines() if line.split()[0] == str(grader.pid)
        ]
        assert group
        assert not [line for line in group if "judging.worker" in line]  # it would print a traceback
        os.killpg(grader.pid, signal.SIGINT)
        output, _ = grader.communicate()
    assert grader.returncode == 1
    assert "Stopped. The results so far are kept in" in output
    assert "Traceback" not in output


def test_an_answer_whose_cell_ran_too_long_is_told_from_one_that_was_not_there(needs_sandbox):
    exercise = catalogue()["attention.zero_token"]
    with needs_sandbox.supervisor() as supervisor:
        for line, reason in (("while True: pass", "timeout"), ("del z_4", "missing")):
            cell = Cell(f"z_4 = [0.5, 0.5]\n{line}", exercise.id, ())
            time_limits = replace(PATIENT, cell=0.5) if reason == "timeout" else PATIENT
            assert grade([cell], [exercise], 0, supervisor, time_limits).verdicts[exercise.id].reason == reason


def test_without_the_locks_nobody_gets_a_mark(tmp_path, monkeypatch, snapshot):
    """bubblewrap or libseccomp is missing, bubblewrap fails, the kernel refuses the filter: nothing runs, and it says why."""
    file = hand_in(tmp_path / "mine.ipynb", notebook(SHEET))
    bin = tmp_path / "bin"
    bin.mkdir()

    def refused() -> str:
        sentence = said("grade", str(file), "--out", str(tmp_path / "out"), status=1).strip()
        assert not (tmp_path / "out" / "grades.csv").exists()
        assert not (tmp_path / "out" / "results").exists()
        return sentence  # always in the same folder: nothing was graded, so there is nothing to resume

    with monkeypatch.context() as patch:
        patch.setenv("PATH", str(bin))
        read = {"no bubblewrap": refused()}
        (bin / "bwrap").write_text("#!/bin/sh\necho bwrap: No permissions to create new namespace >&2; exit 1\n")
        (bin / "bwrap").chmod(0o755)
        read["bubblewrap fails"] = refused()
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "pyseccomp", None)
        read["no libseccomp"] = refused()
    with monkeypatch.context() as patch:
        patch.setattr(syscalls, "program", lambda: b"\xff" * 8)
        read["the kernel refuses the filter"] = refused()
    with monkeypatch.context() as patch:
        patch.setattr(bubblewrap.sys, "platform", "darwin")
        read["macOS"] = refused()
    assert read == snapshot
    assert shutil.which("bwrap")


@pytest.mark.usefixtures("warm_sandbox")
def test_a_grader_that_fails_costs_one_mark_and_not_the_class(tmp_path, monkeypatch):
    """A grader's process is lost while it judges, and a new one takes its place."""
    folder, out = tmp_path / "in", tmp_path / "out"
    for name in "abc":
        hand_in(folder / f"{name}.ipynb", notebook(SHEET))
    real, seen = local_pool.read_reply, []

    def once(reply: dict) -> Graded:
        seen.append(reply)
        if len(seen) == 1:
            raise local_pool.Closed
        return real(reply)

    monkeypatch.setattr(local_pool, "read_reply", once)
    said("grade", str(folder), "--out", str(out), "--workers", "1", status=1)
    assert [row["total"] for row in table(out).values()] == ["", "5", "5"]
    assert "The grader itself failed" in table(out)["a"]["remark"]
    said("grade", str(folder), "--out", str(out), "--resume")
    assert [row["total"] for row in table(out).values()] == ["5", "5", "5"]
