"""If the grader is killed, the disk full or the class large, nothing is lost, and nothing is left behind."""

import os
import shlex
import shutil
import signal
import subprocess
import sys
import time

import psutil
import pytest
from grading_a_class import PATIENT, PATIENT_COMMAND, WRONG, stored
from submissions import hand_in, notebook

from transformer_course.grading.graded import Submission
from transformer_course.grading.judging.local_pool import grade_all
from transformer_course.grading.run import Run
from transformer_course.grading.sandbox import bubblewrap
from transformer_course.grading.sandbox.supervisor import Sandbox

pytestmark = pytest.mark.usefixtures("needs_sandbox")
COMMAND = [sys.executable, "-c", PATIENT_COMMAND, "grade"]


def family(process: psutil.Process, depth: int = 0) -> list[tuple[psutil.Process, int]]:
    """Return a process and all its descendants, each with its depth. Some may have ended already."""
    try:
        children = process.children()
    except psutil.NoSuchProcess:
        children = []
    return [(process, depth)] + [member for child in children for member in family(child, depth + 1)]


# Depths: the command 0, its workers and bubblewrap 1, bubblewrap's child 2, the zygote 3; deeper are supervisors and learners.
LASTING = 3


@pytest.mark.slow
@pytest.mark.alone
def test_killed_three_times_all_is_gone_and_resume_comes_to_the_same_marks(tmp_path):
    folder, out, whole = tmp_path / "in", tmp_path / "out", tmp_path / "whole"
    for number in range(12):
        seconds = 5 if number in (4, 5) else 0.4  # both judges are busy with these two when the command is killed first
        slow = f"import time\ntime.sleep({seconds})  # learner {number}"
        hand_in(folder / f"learner{number:02}.ipynb", notebook("03", WRONG if number % 3 == 0 else {}, first=[slow]))
    command, before = [*COMMAND, str(folder), "--out", str(out), "--workers", "2", "--resume"], {}
    for enough in (3, 6, 8):
        grader = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 300
        while len(stored(out)) < enough and time.monotonic() < end:
            time.sleep(0.05)
        members = family(psutil.Process(grader.pid))
        if not before:
            assert {1, 2, 3, 4} <= {depth for _, depth in members}  # so a learner's process was running
        grader.send_signal(signal.SIGKILL)
        grader.wait()
        _, alive = psutil.wait_procs([process for process, _ in members], timeout=60)
        assert not alive
        assert before == {name: stored(out)[name] for name in before}
        before = stored(out)
        assert enough <= len(before) < 12
        assert not (out / "grades.csv").exists()

    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    whole.mkdir()
    shutil.copy(out / "secret.json", whole)  # so that the questions are the same
    subprocess.run([*COMMAND, str(folder), "--out", str(whole), "--resume"], check=True, stdout=subprocess.DEVNULL)
    assert len(stored(out)) == 12
    assert stored(out) == stored(whole)
    assert {name: stored(out)[name] for name in before} == before
    assert (out / "grades.csv").read_bytes() == (whole / "grades.csv").read_bytes()


@pytest.mark.slow
@pytest.mark.alone
def test_a_full_disk_leaves_nothing_half_written(tmp_path):
    """The disk is a folder of 64 KB that bubblewrap mounts."""
    folder, disk = tmp_path / "in", tmp_path / "disk"
    disk.mkdir()
    for number in range(12):
        hand_in(folder / f"learner{number:02}.ipynb", notebook("03", WRONG))
    script = (
        f"{shlex.join(COMMAND)} {folder} --out {disk}/out; echo status $?; cd {disk}/out; find . -name '.*' -type f; "
        "for file in results/*.json; do "
        f"{sys.executable} -c 'import json, sys; json.load(open(sys.argv[1]))' $file || echo broken $file; done; "
        "grep -L '</html>' feedback/*.html; ls"
    )
    caps = ["--cap-add", "ALL"] if os.geteuid() == 0 else []
    options = ["--dev-bind", "/", "/", "--size", str(64 * 1024), "--tmpfs", str(disk), *caps]
    done = subprocess.run(["bwrap", *options, "sh", "-c", script], capture_output=True, text=True, check=True)
    assert "status 1" in done.stdout
    assert "No space left on device" in done.stderr
    assert "Everything graded so far is kept there" in " ".join(done.stderr.split())
    left = done.stdout.split("status 1\n")[1].split()
    assert not {"grades.csv", "summary.html"} & set(left)
    assert set(left) <= {"feedback", "results", "options.json", "points.toml", "secret.json"}


@pytest.mark.slow
@pytest.mark.alone
def test_three_hundred_submissions_take_no_more_memory_or_files_than_sixty(tmp_path):
    file = hand_in(tmp_path / "in" / "one.ipynb", notebook("03", {"attention.shapes": "shapes = 3"}))
    submissions = [Submission(f"learner{number}", file, digest=str(number)) for number in range(300)]
    run = Run(tmp_path / "out", "03", {}, submissions, tmp_path / "in", b"secret", time_limits=PATIENT)
    before, used, passed = family(psutil.Process()), {}, []

    def done(submission, graded):
        passed.append([verdict.passed for verdict in graded.verdicts.values()])
        if len(passed) in (60, 290):
            lasting = [process for process, depth in family(psutil.Process()) if depth <= LASTING]
            memory = sum(process.memory_info().rss for process in lasting)
            used[len(passed)] = len(lasting), memory, sum(process.num_fds() for process in lasting)

    with Sandbox(bubblewrap.Bubblewrap.start()) as sandbox:
        grade_all(run, submissions, done, 2, sandbox)
    assert passed == [[False, True, True, True, True]] * 300
    (few, memory, files), (many, memory_then, files_then) = used.values()
    assert few == many
    assert memory_then - memory < 8 * 2**20
    assert files_then < files + 10  # a worker may have one more open at that moment; a leak would leave hundreds
    assert {*family(psutil.Process())} <= {*before}  # what another test was ending may be gone


@pytest.mark.slow
def test_a_sandbox_that_is_ended_while_it_starts_takes_the_child_that_it_begins_as_along(monkeypatch):
    groups = set()
    for number in range(30):
        monkeypatch.setattr(bubblewrap, "ENDING_SECONDS", number * 0.0007)  # after which it is killed
        started = bubblewrap.Bubblewrap.start()
        assert os.getpgid(started.process.pid) == started.process.pid  # so that killing the group ends both
        groups.add(started.process.pid)
        started.close()
    deadline = time.monotonic() + 120
    while left := [group for group in groups if exists(group)]:
        assert time.monotonic() < deadline, left
        time.sleep(0.2)


def exists(group: int) -> bool:
    """Return whether any process of a group is left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
