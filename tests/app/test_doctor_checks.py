"""The checks of `transformer-course doctor`, on computers where something is wrong."""

import json
import os
import platform
import shutil
import socket
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from transformer_course import course
from transformer_course._util import paths
from transformer_course.app import doctor, doctor_checks
from transformer_course.app.doctor_checks import Finding
from transformer_course.grading.sandbox.bubblewrap import Bubblewrap


class Needs(dict):
    def get_all(self, name: str) -> list[str]:
        return self[name]


def problems(check, folder: Path) -> dict[str, Finding]:
    return {finding.name: finding for finding in check(folder) if finding.advice}


def told(folder: Path, *findings: Finding) -> str:
    """The report on these findings, with names for what differs between computers."""

    def named(text: str) -> str:
        for place, name in ((sys.executable, "PYTHON"), (folder, "FOLDER"), (paths.ROOT, "COURSE")):
            text = text.replace(str(place), name)
        return text

    return doctor.report([replace(each, result=named(each.result), advice=named(each.advice)) for each in findings])


def test_needs_are_the_packages_own(monkeypatch, tmp_path, snapshot):
    needs = {"Requires-Python": ">=99", "Requires-Dist": ["torch>=99", "no-such-thing>=1", "numpy>=1", "absent; extra == 'x'"]}
    monkeypatch.setattr(doctor_checks, "metadata", lambda name: Needs(needs))
    installed = {name: [SimpleNamespace(version=version)] for name, version in (("torch", "2.6"), ("numpy", "2.0"))}
    monkeypatch.setattr(doctor_checks, "distributions", lambda name: installed.get(name, []))
    monkeypatch.setattr(platform, "python_version", lambda: "3.11.2")
    found = problems(doctor_checks.check_packages, tmp_path)
    assert found.keys() == {"torch", "no-such-thing"}
    python = problems(doctor_checks.check_computer, tmp_path)["Python"]
    assert told(tmp_path, python, *found.values()) == snapshot


def test_little_memory_does_not_stop_the_course_and_a_full_disk_does(monkeypatch, tmp_path, snapshot):
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(total=4e9, available=1e9))
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=1e8))
    found = problems(doctor_checks.check_computer, tmp_path / "mine" / "deep")
    assert found.keys() == {"memory", "disk"}
    assert told(tmp_path, *found.values()) == snapshot


def test_no_free_port_is_told(monkeypatch, tmp_path):
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        port = holder.getsockname()[1]
        monkeypatch.setattr(doctor_checks, "PORTS", [port])
        assert problems(doctor_checks.check_computer, tmp_path)["port"].result == f"no port from {port} to {port} is free"
    assert not problems(doctor_checks.check_computer, tmp_path)


def test_folders_are_tried_and_nothing_stays_in_them(monkeypatch, tmp_path, snapshot):
    mine, cases = tmp_path / "mine", {}

    def tried(folder: Path) -> str:
        return told(tmp_path, *problems(doctor_checks.check_folders, folder).values())

    assert not problems(doctor_checks.check_folders, mine)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").touch()
    cases["a file"] = tried(tmp_path / "file")
    cases["the course's own folder"] = tried(paths.ROOT)

    def refuse(dir):
        if dir.name != "mine":
            raise PermissionError(13, "Permission denied")
        return (dir / "made").open("w")

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    (mine / "notebooks").mkdir(parents=True)
    cases["one that contains a folder of a different user"] = tried(mine)
    shutil.rmtree(mine)
    cases["a new one where nothing can be written"] = tried(mine)
    assert cases == snapshot


def test_a_course_without_its_notebooks_is_told(monkeypatch, tmp_path):
    (intact,) = doctor_checks.check_version(tmp_path)
    assert not intact.advice
    assert f"{len(course.lessons())} notebooks" in intact.result
    monkeypatch.setattr(paths, "ROOT", tmp_path)
    (empty,) = doctor_checks.check_version(tmp_path)
    assert empty.advice
    assert empty.blocking
    assert empty.result.split(":")[0] != intact.result.split(":")[0]


def test_that_a_class_cannot_be_graded_is_no_trouble_and_comes_last(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    (grading,) = doctor_checks.check_grading(tmp_path)
    well, line = doctor.report([grading]).splitlines()
    assert well == "The course will run here."
    why = "bubblewrap is missing" if sys.platform == "linux" else "Grading runs on Linux alone"
    assert line == f"   grading     not available on this computer ({why}); learners do not need it"
    monkeypatch.setattr(Bubblewrap, "start", lambda: 1 / 0)
    (odd,) = doctor_checks.check_grading(tmp_path)
    assert (odd.result.endswith("(division by zero); learners do not need it"), odd.advice) == (True, "")
    assert doctor_checks.CHECKS[-1] is doctor_checks.check_grading


def test_how_long_lesson_15_will_train_is_told_and_stops_nothing(monkeypatch, tmp_path, snapshot):
    cases = {}
    for seconds in (3, 52, 170, 250):
        process = subprocess.CompletedProcess([], 0, f"training: 8 of 8\n{seconds}.5\n".encode(), b"")
        monkeypatch.setattr(doctor_checks, "in_fresh_python", lambda code, process=process: process)
        cases[f"{seconds} s"] = told(tmp_path, *doctor_checks.check_training(tmp_path))
    failed = subprocess.CompletedProcess([], 1, b"", b"Traceback\nNo torch\n")
    monkeypatch.setattr(doctor_checks, "in_fresh_python", lambda code: failed)
    cases["it fails"] = told(tmp_path, *doctor_checks.check_training(tmp_path))

    def late(code):
        raise subprocess.TimeoutExpired(code, 180)

    monkeypatch.setattr(doctor_checks, "in_fresh_python", late)
    monkeypatch.setattr(doctor, "CHECKS", (doctor_checks.check_training,))
    (ended,) = doctor.examine(tmp_path)
    assert "could not be tested (TimeoutExpired" in ended.result
    assert not ended.blocking
    assert cases == snapshot


@pytest.mark.slow
def test_a_torch_that_ends_python_without_a_word_is_told(monkeypatch, tmp_path):
    (tmp_path / "torch.py").write_text("import os\nos.abort()\n")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *sys.path]))
    found = problems(doctor_checks.check_torch_and_models, tmp_path)
    assert found.keys() == {"arithmetic", "models"}
    assert found["arithmetic"].result.startswith("ended with status -6" if os.name == "posix" else "ended with status ")
    assert "torch is damaged" in found["arithmetic"].advice


@pytest.mark.slow
def test_a_damaged_model_is_told(monkeypatch, tmp_path):
    shutil.copytree(paths.PACKAGE, tmp_path / "transformer_course", ignore=shutil.ignore_patterns("__pycache__"))
    weights = tmp_path / "transformer_course" / "models" / "dates.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1] + b"\0")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *sys.path]))
    found = problems(doctor_checks.check_torch_and_models, tmp_path)
    assert found.keys() == {"models"}
    assert "dates.safetensors is not the file that was shipped" in found["models"].result


@pytest.mark.slow
def test_a_kernel_that_dies_and_one_of_another_python_are_told(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "prefix", "/elsewhere")
    assert sys.exec_prefix in problems(doctor_checks.check_kernel, tmp_path)["kernel"].result
    spec = tmp_path / "kernels" / "python3"
    spec.mkdir(parents=True)
    dies = {"argv": [sys.executable, "-c", "raise SystemExit(1)"], "display_name": "Python 3", "language": "python"}
    (spec / "kernel.json").write_text(json.dumps(dies))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    monkeypatch.setattr(doctor, "CHECKS", (doctor_checks.check_kernel,))
    (dead,) = doctor.examine(tmp_path)
    assert "could not be tested (RuntimeError: Kernel died" in dead.result
    assert dead.blocking


@pytest.mark.slow
def test_a_kernel_that_does_not_answer_is_told_with_what_may_keep_it_silent(monkeypatch, tmp_path, capsys, snapshot):
    spec = tmp_path / "kernels" / "python3"
    spec.mkdir(parents=True)
    sleeps = {"argv": [sys.executable, "-c", "import time; time.sleep(60)"], "display_name": "Python 3", "language": "python"}
    (spec / "kernel.json").write_text(json.dumps(sleeps))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    monkeypatch.setattr(doctor_checks, "TIMEOUT", 1)
    (silent,) = doctor_checks.check_kernel(tmp_path)
    assert told(tmp_path, silent) == snapshot
    assert capsys.readouterr().err.startswith("Starting a kernel, which may take up to ")


def test_a_damaged_progress_file_is_found_and_one_in_the_learners_folder_needs_no_finding(tmp_path, monkeypatch, snapshot):
    monkeypatch.delenv("TRANSFORMER_COURSE_HOME")
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *_, **__: str(tmp_path / "account"))
    mine = tmp_path / "mine"
    (mine / "notebooks").mkdir(parents=True)
    (mine / ".transformer-course.json").write_text("{}")
    assert [finding.name for finding in doctor_checks.check_folders(mine)] == ["folder"]
    (mine / ".transformer-course-progress.json").write_text("{")
    assert told(tmp_path, *doctor_checks.check_folders(mine)) == snapshot
