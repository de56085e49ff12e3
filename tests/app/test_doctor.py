"""`transformer-course doctor`: the report says whether the course will run and what to do if not, and names nobody."""

import os
import socket
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from transformer_course.app import cli, doctor
from transformer_course.app.doctor_checks import Finding


def test_the_first_line_says_whether_the_course_will_run(snapshot):
    well, odd = Finding("a", "fine"), Finding("b", "odd", "Do this.", blocking=False)
    broken = Finding("c", "broken", "Do that.")
    assert {"yes": doctor.report([well, odd]), "no": doctor.report([well, broken])} == snapshot


@pytest.mark.parametrize(("stops", "status"), [(True, 1), (False, 0)])
def test_the_status_is_1_only_where_something_stops_the_course(monkeypatch, tmp_path, stops, status):
    monkeypatch.setattr(doctor, "CHECKS", (lambda folder: [Finding("a", "seen 学", "Do this.", stops)],))
    assert CliRunner().invoke(cli.app, ["doctor", str(tmp_path)]).exit_code == status


def test_what_cannot_be_tried_is_told_and_the_rest_still_tried(monkeypatch, tmp_path, snapshot):
    def broken(folder):
        yield Finding("first", "fine")
        raise RuntimeError("one\nthe last line\n")

    monkeypatch.setattr(doctor, "CHECKS", (broken, lambda folder: [Finding("later", "fine")]))
    assert doctor.report(doctor.examine(tmp_path)) == snapshot


@pytest.mark.slow
def test_the_whole_report_of_this_computer_names_nobody(tmp_path):
    name, host = "anna-maria", socket.gethostname()
    home = tmp_path / name
    home.mkdir()
    env = {name: value for name, value in os.environ.items() if name not in ("IPYTHONDIR", "TRANSFORMER_COURSE_HOME")}
    env |= {"HOME": str(home), "PYTHONIOENCODING": "cp1252", "TRANSFORMER_COURSE_HOME": str(tmp_path / "disk" / name)}
    command = [sys.executable, "-m", "transformer_course", "doctor", str(home / "my course 学习")]
    ran = subprocess.run(command, env=env, capture_output=True, text=True, encoding="cp1252", check=False)
    lines = ran.stdout.splitlines()
    assert lines[0] == "The course will run here.", ran.stdout
    assert ran.returncode == 0
    assert ran.stderr == "Starting a kernel, which may take up to 3 minutes...\n"
    results = {line[3:14].strip(): line[15:] for line in lines[1:]}
    assert results.keys() >= {"version", "Python", "system", "memory", "disk", "port", "folder", "progress", "grading"}
    assert results.keys() >= {"torch", "numpy", "jupyterlab", "matplotlib"}
    assert results["kernel"] == "starts, runs a cell and shows a figure"
    assert results["models"] == "the trained models load and are undamaged"
    assert results["arithmetic"] == "torch can multiply and take a training step"
    assert results["training"].startswith("lesson 15 will train for about ")
    assert results["folder"].startswith("~")
    assert results["progress"].endswith("USER/progress.json is writable".replace("/", os.sep))
    assert name not in ran.stdout
    assert host not in ran.stdout or len(host) < 4
    assert list(home.glob("my*")) == []
