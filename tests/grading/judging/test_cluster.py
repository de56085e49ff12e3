"""A Dask cluster of processes gives a class the same marks as one computer, whatever happens to its workers."""

import os
import shutil
import signal
import time

import psutil
import pytest
from command_line import said
from grading_a_class import WRONG, stored
from submissions import hand_in, notebook

pytestmark = [pytest.mark.slow, pytest.mark.alone, pytest.mark.usefixtures("needs_sandbox")]


@pytest.fixture(scope="module")
def cluster():
    """Import the module only here: Dask changes how exceptions are pickled, in all tests that follow."""
    from transformer_course.grading.judging import cluster

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cluster, "CONNECT_SECONDS", 600)
        yield cluster


@pytest.fixture(scope="module")
def workers(cluster):
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as workers:
        yield workers


def processes(workers) -> dict[int, list[psutil.Process]]:
    """Return the process of each of the cluster's workers, and all processes that it has started."""
    with workers.get_client() as client:
        return {pid: psutil.Process(pid).children(recursive=True) for pid in client.run(os.getpid).values()}


def test_a_worker_is_killed_and_nothing_is_lost_or_recorded_twice(cluster, workers, tmp_path, monkeypatch):
    folder, out, here = tmp_path / "in", tmp_path / "out", tmp_path / "here"
    for number in range(12):
        slow = f"import time\ntime.sleep(0.4)  # learner {number}"
        hand_in(folder / f"learner{number:02}.ipynb", notebook("03", WRONG if number % 3 == 0 else {}, first=[slow]))
    recorded, killed, real = [], [], cluster.grade_all

    def kill_one(run, submissions, done, **more):
        def then(submission, graded):
            done(submission, graded)
            recorded.append(submission.learner)
            if len(recorded) == 4:
                pid, below = next(iter(processes(workers).items()))
                killed.extend(below)
                os.kill(pid, signal.SIGKILL)

        real(run, submissions, then, **more)

    monkeypatch.setattr(cluster, "grade_all", kill_one)
    said("grade", str(folder), "--out", str(out), "--scheduler", workers.scheduler_address)
    assert sorted(recorded) == [f"learner{number:02}" for number in range(12)]
    _, alive = psutil.wait_procs(killed, timeout=60)
    assert len(killed) >= 3
    assert not alive

    here.mkdir()
    shutil.copy(out / "secret.json", here)  # so that the questions are the same
    said("grade", str(folder), "--out", str(here), "--resume")
    assert stored(out) == stored(here)
    assert (out / "grades.csv").read_bytes() == (here / "grades.csv").read_bytes()
    end = time.monotonic() + 60
    while any(below for below in processes(workers).values()) and time.monotonic() < end:
        time.sleep(0.1)
    assert not any(below for below in processes(workers).values())  # sandboxes and graders end with the class


def test_what_stops_it_is_said_in_a_sentence(cluster, workers, tmp_path, monkeypatch):
    from distributed import LocalCluster

    hand_in(tmp_path / "in" / "a.ipynb", notebook("03"))

    def refused(place: int, address: str) -> str:
        out = tmp_path / f"out{place}"
        output = said("grade", str(tmp_path / "in"), "--out", str(out), "--scheduler", address, status=1)
        assert not (out / "grades.csv").exists()
        return " ".join(output.split())

    with monkeypatch.context() as patch:
        patch.setattr(cluster, "CONNECT_SECONDS", 0.5)
        assert "No Dask scheduler answers at tcp://127.0.0.1:1" in refused(1, "tcp://127.0.0.1:1")
        assert "No Dask scheduler answers at nonsense://" in refused(2, "nonsense://")
    with LocalCluster(n_workers=0, dashboard_address=":0") as empty:
        assert "has no workers" in refused(3, empty.scheduler_address)
    monkeypatch.setattr(cluster, "grading_version", lambda: "a different version")
    assert "cannot grade: it has a different version of the course" in refused(4, workers.scheduler_address)
    assert not any(below for below in processes(workers).values())
    output = said("grade", str(tmp_path / "in"), "--out", "x", "--scheduler", "tcp://a:1", "--workers", "2", status=1)
    assert "Leave out --workers" in output
