"""No command imports or reads a file of the folder in which it is run, which may be a learner's.

Learners' kernels may: they need the learner's own files. When work is graded, they are in the sandbox.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from grading_a_class import UNSCALED
from submissions import hand_in, notebook

from transformer_course._util import paths
from transformer_course._util.isolation import run_python
from transformer_course.grading.sandbox.bubblewrap import Bubblewrap
from transformer_course.grading.sandbox.supervisor import Sandbox

COMMAND = str(Path(sys.executable).with_name("transformer-course"))
NAMES = sorted(
    {*sys.stdlib_module_names, "numpy", "torch", "matplotlib", "pandas", "sklearn", "typer", "rich", "jinja2", "pip", "sphinx"}
    | {"IPython", "ipykernel", "jupyterlab", "jupyter_server", "packaging", "psutil", "sitecustomize", "usercustomize"}
    | {"conftest", "conf", "transformer_course", "my_transformer", "inside", "safetensors", "pyseccomp", "distributed"}
)
PLANTED = "open({mark!r}, 'a').write(__file__ + '\\n')\nraise ImportError('planted')\n"


def plant(folder: Path, mark: Path) -> None:
    """Put modules, packages and settings into a folder that leave a mark when they are imported."""
    for number, name in enumerate(NAMES):
        place = folder / name / "__init__.py" if number % 2 else folder / f"{name}.py"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(PLANTED.format(mark=str(mark)))
    (folder / "planted.pth").write_text(f"import sys; {PLANTED.splitlines()[0].format(mark=str(mark))}\n")
    (folder / "matplotlibrc").write_text("savefig.dpi: 1\nplanted: yes\n")  # matplotlib warns of the second line


@pytest.fixture
def planted(tmp_path):
    """A class's submissions, with planted files beside and inside them, and the file that says what was imported."""
    folder, mark = tmp_path / "submissions", tmp_path / "imported"
    for learner in ("Anna", "Bo"):
        hand_in(folder / learner / "03.ipynb", notebook("03", {"attention.scaled_dot_product": UNSCALED}))
        plant(folder / learner, mark)
    plant(folder, mark)
    return folder, mark


def run(folder: Path, mark: Path, *command: str, status: int = 0, **variables: str) -> subprocess.CompletedProcess:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(command, cwd=folder, env={**environment, **variables}, capture_output=True, text=True)
    assert done.returncode == status, done.stdout + done.stderr
    assert not mark.exists(), mark.read_text()
    assert "planted" not in done.stderr
    return done


@pytest.mark.slow
@pytest.mark.usefixtures("needs_sandbox")
def test_grading_in_a_learners_folder_imports_nothing_from_it(planted, tmp_path):
    out = tmp_path / "out"
    run(*planted, COMMAND, "grade", ".", "--sheet", "03", "--out", str(out), status=1)  # planted folders have no marks
    assert (out / "mistakes.png").stat().st_size > 5000  # at one dot per inch, it would be tiny
    assert ",4,5,80," in (out / "grades.csv").read_text()


@pytest.mark.slow
@pytest.mark.usefixtures("needs_sandbox")
def test_nor_does_grading_one_learner_in_their_own_folder(planted, tmp_path):
    folder, mark = planted
    run(folder / "Anna", mark, COMMAND, "grade", ".", "--one", "--sheet", "03", "--out", str(tmp_path / "out"))


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["progress"], 0),
        # It is refused after our imports; Sphinx runs as in the test of `run_python` below.
        pytest.param(["site", "."], 1, marks=pytest.mark.slow),
        pytest.param(["workshop", "half-day", "../workshop"], 0, marks=pytest.mark.slow),
        pytest.param(["autograder", "../kit", "--sheet", "03"], 0, marks=pytest.mark.slow),
    ],
    ids=["progress", "site", "workshop", "autograder"],
)
def test_other_commands_import_nothing_either(arguments, status, planted):
    run(*planted, COMMAND, *arguments, status=status)


def test_after_python_m_the_current_folder_is_left(planted):
    """Python itself has imported modules from there by then; those that are imported later come from their own places."""
    folder, mark = planted
    for name in {*sys.stdlib_module_names, "sitecustomize", "usercustomize", "transformer_course"}:
        shutil.rmtree(folder / name, ignore_errors=True)
        (folder / f"{name}.py").unlink(missing_ok=True)
    run(folder, mark, sys.executable, "-m", "transformer_course", "release", "../released", "--sheet", "03")
    run(folder, mark, COMMAND, "release", "../again", "--sheet", "03", PYTHONPATH=f"{os.pathsep}.{os.pathsep}{folder}")


def test_a_python_that_a_command_starts_sees_no_variables_and_not_the_current_folder(planted, monkeypatch):
    folder, mark = planted
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PYTHONPATH", f"{folder}{os.pathsep}")
    monkeypatch.setenv("PYTHONSTARTUP", str(folder / "os.py"))
    monkeypatch.setenv("MATPLOTLIBRC", str(folder / "matplotlibrc"))
    code = "import numpy, torch, json, sys, matplotlib as m; print(m.rcParams['savefig.dpi'], sys.path, sys.flags.safe_path)"
    done = run_python(["-c", code], text=True)
    assert done.stdout.startswith("figure ")
    assert done.stdout.endswith("True\n")
    assert str(folder) not in done.stdout
    assert done.stderr == ""
    assert not mark.exists()


@pytest.mark.slow
@pytest.mark.usefixtures("needs_sandbox")
def test_judges_and_learners_processes_have_no_folder_of_this_computer(planted, monkeypatch):
    folder, mark = planted
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PYTHONPATH", str(folder))
    with Sandbox(Bubblewrap.start()) as sandbox:
        sandbox.ready()
    assert not mark.exists()


def test_what_a_platform_runs_is_isolated_too():
    """GitHub's workflow and Gradescope's script run in a folder of a learner's."""
    for name in ("grade.yml", "run_autograder"):
        lines = (paths.PACKAGE / "app" / "autograder" / name).read_text().splitlines()
        assert [line for line in lines if "python " in line.partition("#")[0] and "python -I " not in line] == []
