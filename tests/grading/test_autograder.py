"""What Gradescope and GitHub Classroom are given: unpacked and run as they would, except for installing."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import yaml
from command_line import said
from grading_a_class import PATIENT_COMMAND
from submissions import hand_in, notebook

from transformer_course._util.paths import ROOT
from transformer_course.app.autograder import make as autograder
from transformer_course.app.autograder.summary import markdown

ATTEND = "attention.scaled_dot_product"


@pytest.fixture(scope="module")
def programs(tmp_path_factory) -> Path:
    """An environment's folder of programs, as installing would make it; this grader has time on a busy computer."""
    folder = tmp_path_factory.mktemp("venv") / "bin"
    folder.mkdir()
    for name in ("python", "python3"):
        (folder / name).symlink_to(sys.executable)
    script = hand_in(
        folder / "transformer-course", f"#!{sys.executable}\nimport sys\nsys.path[0] = {str(ROOT)!r}\n{PATIENT_COMMAND}"
    )
    script.chmod(0o755)
    return folder


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The zip and the folder for sheet 03, with a stand-in for the wheel."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(autograder, "own_wheel", _wheel)
        return autograder.make(tmp_path_factory.mktemp("kit"), "03")


def _wheel(folder: Path) -> Path:
    path = folder / "transformer_course-1.0-py3-none-any.whl"
    path.write_bytes(b"the wheel")
    return path


def graded_by_gradescope(made, programs: Path, folder: Path, **environment) -> dict:
    """Unpack the zip into a folder like Gradescope's, run it on what is in ``submission``, and return the result."""
    with zipfile.ZipFile(made[0]) as archive:
        archive.extractall(folder / "source")
    (folder / "venv").symlink_to(programs.parent)
    env = {**os.environ, "AUTOGRADER": str(folder), **environment}
    subprocess.run(["bash", str(folder / "source" / "run_autograder")], env=env, check=True, timeout=600)
    return json.loads((folder / "results" / "results.json").read_text(encoding="utf-8"))


def test_the_zip_has_what_gradescope_asks_for(made):
    with zipfile.ZipFile(made[0]) as archive:
        names = archive.namelist()
        assert sorted(names) == ["constraints.txt", "run_autograder", "setup.sh", "transformer_course-1.0-py3-none-any.whl"]
        for name in ("setup.sh", "run_autograder"):
            assert archive.getinfo(name).external_attr >> 16 & 0o111  # may be run
            script = archive.read(name)
            assert b"\r" not in script
            subprocess.run(["bash", "-n"], input=script, check=True)
        assert b"--sheet 03" in archive.read("run_autograder")


@pytest.mark.slow
@pytest.mark.usefixtures("needs_sandbox")
def test_gradescope_gets_a_score_or_a_sentence_and_never_an_unlocked_run(made, programs, tmp_path):
    hand_in(tmp_path / "submission" / "03_sheet.ipynb", notebook("03", {ATTEND: "scaled_dot_product = 3"}))
    result = graded_by_gradescope(made, programs, tmp_path)
    assert result["score"] == 4
    assert [test["status"] for test in result["tests"]].count("passed") == 4

    refused = tmp_path / "refused"
    hand_in(refused / "submission" / "03_sheet.ipynb", notebook("03"))
    bwrap = hand_in(tmp_path / "programs" / "bwrap", "#!/bin/sh\necho 'No permissions to create new namespace' >&2\nexit 1\n")
    bwrap.chmod(0o755)
    result = graded_by_gradescope(made, programs, refused, PATH=f"{bwrap.parent}:{os.environ['PATH']}")
    assert "score" not in result
    assert "tests" not in result
    assert "This submission has no mark, because grading failed: " in result["output"]
    assert "No permissions to create new namespace" in result["output"]

    nothing = tmp_path / "nothing"
    (nothing / "submission").mkdir(parents=True)
    result = graded_by_gradescope(made, programs, nothing)
    assert "score" not in result
    assert "No notebook was handed in" in result["output"]


@pytest.mark.slow
@pytest.mark.usefixtures("needs_sandbox")
@pytest.mark.parametrize(("answers", "status"), [({}, 0), ({ATTEND: "scaled_dot_product = 3", "attention.shapes": None}, 1)])
def test_githubs_job_fails_under_the_threshold_and_shows_the_feedback(made, programs, tmp_path, answers, status):
    repository = tmp_path / "repository"
    shutil.copytree(made[1], repository)
    hand_in(repository / "exercises" / "03_sheet.ipynb", notebook("03", answers))
    workflow = yaml.safe_load((repository / ".github" / "workflows" / "grade.yml").read_text(encoding="utf-8"))
    summary = tmp_path / "summary.md"
    env = {**os.environ, **workflow["env"], "RUNNER_TEMP": str(tmp_path), "GITHUB_STEP_SUMMARY": str(summary)}
    env |= {"PATH": f"{programs}:{env['PATH']}", "FAIL_UNDER": "80"}
    steps = {step["name"]: step["run"] for step in workflow["jobs"]["grade"]["steps"] if "run" in step}
    ran = {
        name: subprocess.run(["bash", "-e", "-c", steps[name]], cwd=repository, env=env, check=False, timeout=600).returncode
        for name in ("Grade", "Show the feedback")
    }
    assert ran == {"Grade": 3 * status, "Show the feedback": 0}
    assert summary.read_text(encoding="utf-8").startswith(f"## {'3' if status else '5'} of 5 points\n")
    (wheel,) = (repository / ".github" / "course").glob("*.whl")
    assert wheel.read_bytes() == b"the wheel"


def test_what_a_learner_wrote_stays_in_blocks_of_code():
    test = {"name": "1 · Shapes", "score": 0.5, "max_score": 1, "output": "<script>\n# no heading"}
    text = markdown({"output": "0.5 of 1 points\n<img src=x>", "tests": [test]})
    assert "    <script>\n    # no heading\n" in text
    assert text.endswith("    <img src=x>")
    text += markdown({"output": "You have no mark for this sheet. <b>.zip is an archive"})  # without a score
    assert [line for line in text.splitlines() if "<" in line and not line.startswith("    ")] == []


def test_the_command_says_where_each_file_goes(tmp_path, monkeypatch, snapshot):
    monkeypatch.setattr(autograder, "own_wheel", _wheel)
    runs = {"first": ("3", 0), "again": ("03", 1), "no sheet": ("99", 1)}
    read = {
        run: said("autograder", str(tmp_path / "kit"), "--sheet", sheet, status=status)
        for run, (sheet, status) in runs.items()
    }
    assert {run: text.replace(str(tmp_path), "").strip() for run, text in read.items()} == snapshot
