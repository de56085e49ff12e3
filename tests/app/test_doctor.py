"""`transformer-course doctor`: it says whether the course will run, what to do where not, and nothing private."""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest
import torch
from typer.testing import CliRunner

from transformer_course import training
from transformer_course._util import paths
from transformer_course.app import cli, doctor, self_tests
from transformer_course.app.doctor import Finding
from transformer_course.experiments import translation
from transformer_course.grading.sandbox.bubblewrap import Bubblewrap


class Needs(dict):
    def get_all(self, name: str) -> list[str]:
        return self[name]


def troubles(look, folder: Path) -> dict[str, Finding]:
    return {finding.what: finding for finding in look(folder) if finding.trouble}


def test_the_first_line_says_whether_the_course_will_run():
    well, odd = Finding("a", "fine"), Finding("b", "odd", "Do this.", stops=False)
    broken = Finding("c", "broken", "Do that.")
    assert doctor.report([well, odd]).splitlines() == [
        "The course will run here.",
        "   a           fine",
        "!  b           odd",
        "               Do this.",
    ]
    assert doctor.report([well, broken]).splitlines() == [
        "The course will not run here yet: see what is marked !!",
        "   a           fine",
        "!! c           broken",
        "               Do that.",
    ]


@pytest.mark.parametrize(("stops", "status"), [(True, 1), (False, 0)])
def test_the_status_is_1_only_where_something_stops_the_course(monkeypatch, tmp_path, stops, status):
    monkeypatch.setattr(doctor, "LOOKS", (lambda folder: [Finding("a", "seen 学", "Do this.", stops)],))
    assert CliRunner().invoke(cli.app, ["doctor", str(tmp_path)]).exit_code == status


def test_what_cannot_be_tried_is_told_and_the_rest_still_tried(monkeypatch, tmp_path):
    def broken(folder):
        yield Finding("first", "fine")
        raise RuntimeError("one\nthe last line\n")

    monkeypatch.setattr(doctor, "LOOKS", (broken, lambda folder: [Finding("later", "fine")]))
    first, failed, later = doctor.examine(tmp_path)
    assert (first.what, later.what) == ("first", "later")
    assert failed.seen == "could not be tried (RuntimeError: the last line)"
    assert failed.stops
    assert failed.trouble


def test_needs_are_the_packages_own(monkeypatch, tmp_path):
    needs = {"Requires-Python": ">=99", "Requires-Dist": ["torch>=99", "no-such-thing>=1", "numpy>=1", "absent; extra == 'x'"]}
    monkeypatch.setattr(doctor, "metadata", lambda name: Needs(needs))
    assert "needed: >=99" in troubles(doctor._computer, tmp_path)["Python"].seen
    found = troubles(doctor._packages, tmp_path)
    assert found.keys() == {"torch", "no-such-thing"}
    assert found["torch"].trouble.endswith('-m pip install "torch>=99"')
    assert found["no-such-thing"].seen == "missing, needed: >=1"


def test_little_memory_does_not_stop_the_course_and_a_full_disk_does(monkeypatch, tmp_path):
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(total=4e9, available=1e9))
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=1e8))
    found = troubles(doctor._computer, tmp_path / "mine" / "deep")
    assert (found["memory"].stops, found["disk"].stops) == (False, True)
    assert found.keys() == {"memory", "disk"}
    assert "4.0 GB, of which 1.0 GB" in found["memory"].seen


def test_no_free_port_is_told(monkeypatch, tmp_path):
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        port = holder.getsockname()[1]
        monkeypatch.setattr(doctor, "PORTS", [port])
        assert troubles(doctor._computer, tmp_path)["port"].seen == f"none is free from {port} to {port}"
    assert not troubles(doctor._computer, tmp_path)


def test_folders_are_tried_and_nothing_stays_in_them(monkeypatch, tmp_path, home):
    assert not troubles(doctor._folders, tmp_path / "mine")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").touch()
    assert "is a file; name a folder" in troubles(doctor._folders, tmp_path / "file")["folder"].trouble
    assert "choose another" in troubles(doctor._folders, paths.ROOT)["folder"].trouble

    def refuse(dir):
        if dir.name != "mine":
            raise PermissionError(13, "Permission denied")
        return (dir / "made").open("w")

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    (tmp_path / "mine" / "notebooks").mkdir(parents=True)
    assert troubles(doctor._folders, tmp_path / "mine")["folder"].stops  # a folder within it, whose files are another's
    shutil.rmtree(tmp_path / "mine")
    found = troubles(doctor._folders, tmp_path / "mine")
    assert (found["folder"].stops, found["progress"].stops) == (True, False)
    assert str(home) in found["progress"].seen


def test_a_course_without_its_notebooks_is_told(monkeypatch, tmp_path):
    (edition,) = doctor._edition(tmp_path)
    assert not edition.trouble
    assert f"{len(paths.notebooks('notebooks'))} notebooks" in edition.seen
    monkeypatch.setattr(paths, "ROOT", tmp_path)
    (empty,) = doctor._edition(tmp_path)
    assert empty.trouble
    assert empty.stops
    assert empty.seen.split(":")[0] != edition.seen.split(":")[0]


def test_that_a_class_cannot_be_graded_is_no_trouble_and_comes_last(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    (grading,) = doctor._grading(tmp_path)
    well, line = doctor.report([grading]).splitlines()
    assert well == "The course will run here."
    why = "bubblewrap is missing" if sys.platform == "linux" else "Grading needs Linux"
    assert line == f"   grading     of no concern to learners; teachers cannot grade here: {why}"
    monkeypatch.setattr(Bubblewrap, "start", lambda: 1 / 0)
    (odd,) = doctor._grading(tmp_path)
    assert (odd.seen.endswith("cannot grade here: division by zero"), odd.trouble) == (True, "")
    assert doctor.LOOKS[-1] is doctor._grading


@pytest.mark.parametrize(
    ("seconds", "told", "slow"),
    [(3, "about 10 s", False), (52, "about 50 s", False), (170, "about 3 min", False), (250, "about 4 min", True)],
)
def test_how_long_lesson_15_will_train_is_told_and_stops_nothing(monkeypatch, tmp_path, seconds, told, slow):
    said = subprocess.CompletedProcess([], 0, f"training: 8 of 8\n{seconds}.5\n".encode(), b"")
    monkeypatch.setattr(doctor, "in_fresh_python", lambda trial: said)
    (found,) = doctor._training(tmp_path)
    assert found.seen == f"lesson 15 will train for {told} here"
    assert ("a neighbour in lesson 15" in found.trouble) == bool(found.trouble) == slow
    assert ("Busy now? Run this again when nothing else runs." in found.trouble) == slow
    assert not found.stops


def test_training_that_fails_or_never_ends_stops_nothing(monkeypatch, tmp_path):
    monkeypatch.setattr(
        doctor, "in_fresh_python", lambda trial: subprocess.CompletedProcess([], 1, b"", b"Traceback\nNo torch\n")
    )
    (failed,) = doctor._training(tmp_path)
    assert (failed.seen, failed.stops) == ("ended with status 1: No torch", False)
    assert failed.trouble

    def late(trial):
        raise subprocess.TimeoutExpired(trial, 180)

    monkeypatch.setattr(doctor, "in_fresh_python", late)
    monkeypatch.setattr(doctor, "LOOKS", (doctor._training,))
    (ended,) = doctor.examine(tmp_path)
    assert "could not be tried (TimeoutExpired" in ended.seen
    assert not ended.stops


def test_what_is_timed_is_what_lesson_15_does():
    (path,) = (path for path in paths.notebooks("notebooks") if path.name.startswith("15_"))
    code = "\n".join("".join(cell["source"]) for cell in json.loads(path.read_text(encoding="utf-8"))["cells"])
    steps, size, apart, looked_at = self_tests.LESSON_15
    for words in (
        "torch.set_num_threads(min(2, torch.get_num_threads()))",
        f"STEPS, sample = {steps}, [column[:{looked_at}] for column in unseen]",
        f"if step % {apart} == 0:",
        f"data = batches(*known, batch_size={size})",
        "translator, vocabularies = untrained(numbers)",
    ):
        assert words in code


def test_time_is_that_of_all_steps_and_looks(monkeypatch):
    """With a clock that goes on by a second for each step and by three for a look."""
    now = [0.0]
    ticking = lambda seconds: lambda *arguments, **named: now.__setitem__(0, now[0] + seconds)  # noqa: E731

    def train(model, data, loss_of, steps, after_step):
        for step in range(steps):
            ticking(100 if step == 0 else 1)()
            after_step(step, 0.0)

    monkeypatch.setattr(self_tests.time, "perf_counter", lambda: now[0])
    monkeypatch.setattr(training, "train", train)
    monkeypatch.setattr(training, "exact_match", ticking(1))
    monkeypatch.setattr(translation, "teacher_forced", ticking(2))
    monkeypatch.setattr(torch, "set_num_threads", lambda count: None)
    assert self_tests.training_time() == 450 * 1 + 18 * 3


@pytest.mark.slow
def test_a_torch_that_ends_python_without_a_word_is_told(monkeypatch, tmp_path):
    (tmp_path / "torch.py").write_text("import os\nos.abort()\n")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *sys.path]))
    found = troubles(doctor._self_tests, tmp_path)
    assert found.keys() == {"arithmetic", "models"}
    assert found["arithmetic"].seen.startswith("ended with status -6" if os.name == "posix" else "ended with status ")
    assert "torch is damaged" in found["arithmetic"].trouble


@pytest.mark.slow
def test_a_damaged_model_is_told(monkeypatch, tmp_path):
    shutil.copytree(paths.PACKAGE, tmp_path / "transformer_course", ignore=shutil.ignore_patterns("__pycache__"))
    weights = tmp_path / "transformer_course" / "models" / "dates.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1] + b"\0")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *sys.path]))
    found = troubles(doctor._self_tests, tmp_path)
    assert found.keys() == {"models"}
    assert "dates.safetensors is not the file that was shipped" in found["models"].seen


@pytest.mark.slow
def test_a_kernel_that_dies_and_one_of_another_python_are_told(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "prefix", "/elsewhere")
    assert sys.exec_prefix in troubles(doctor._kernel, tmp_path)["kernel"].seen
    spec = tmp_path / "kernels" / "python3"
    spec.mkdir(parents=True)
    dies = {"argv": [sys.executable, "-c", "raise SystemExit(1)"], "display_name": "Python 3", "language": "python"}
    (spec / "kernel.json").write_text(json.dumps(dies))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    monkeypatch.setattr(doctor, "LOOKS", (doctor._kernel,))
    (dead,) = doctor.examine(tmp_path)
    assert "could not be tried (RuntimeError: Kernel died" in dead.seen
    assert dead.stops


@pytest.mark.slow
def test_a_kernel_that_does_not_answer_is_told_with_what_may_keep_it_silent(monkeypatch, tmp_path, capsys):
    spec = tmp_path / "kernels" / "python3"
    spec.mkdir(parents=True)
    sleeps = {"argv": [sys.executable, "-c", "import time; time.sleep(60)"], "display_name": "Python 3", "language": "python"}
    (spec / "kernel.json").write_text(json.dumps(sleeps))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    monkeypatch.setattr(doctor, "PATIENCE", 1)
    (silent,) = doctor._kernel(tmp_path)
    assert silent.seen == "does not answer (Kernel didn't respond in 1 seconds)"
    assert silent.trouble.startswith("A firewall, VPN or virus scanner may block 127.0.0.1")
    assert silent.trouble.endswith("If that was not it, install the course again, as its README says.")
    assert silent.stops
    assert capsys.readouterr().err.startswith("Starting a kernel, which may take up to ")


@pytest.mark.slow
def test_the_whole_report_of_this_computer_names_nobody(tmp_path):
    name, host = "anna-maria", socket.gethostname()
    home = tmp_path / name
    home.mkdir()
    env = {name: value for name, value in os.environ.items() if name not in ("IPYTHONDIR", "TRANSFORMER_COURSE_HOME")}
    env |= {"HOME": str(home), "PYTHONIOENCODING": "cp1252", "TRANSFORMER_COURSE_HOME": str(tmp_path / "disk" / name)}
    command = [sys.executable, "-m", "transformer_course.app.cli", "doctor", str(home / "my course 学习")]
    ran = subprocess.run(command, env=env, capture_output=True, text=True, encoding="cp1252", check=False)
    said = ran.stdout.splitlines()
    assert said[0] == "The course will run here.", ran.stdout
    assert ran.returncode == 0
    assert ran.stderr == "Starting a kernel, which may take up to 3 minutes...\n"
    seen = {line[3:14].strip(): line[15:] for line in said[1:]}
    assert seen.keys() >= {"edition", "Python", "system", "memory", "disk", "port", "folder", "progress", "grading"}
    assert seen.keys() >= {"torch", "numpy", "jupyterlab", "matplotlib"}
    assert seen["kernel"] == "starts, runs a cell and shows a figure"
    assert seen["models"] == "load, and are those that were shipped"
    assert seen["arithmetic"] == "torch multiplies, and trains a step"
    assert seen["training"].startswith("lesson 15 will train for about ")
    assert seen["folder"].startswith("~")
    assert seen["progress"].endswith("USER/progress.json can be written".replace("/", os.sep))
    assert name not in ran.stdout
    assert host not in ran.stdout or len(host) < 4
    assert list(home.glob("my*")) == []
