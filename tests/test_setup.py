"""The first minute on a fresh machine: what `make lab` says when something is missing, and the course from a wheel."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[1]
TOOLS = "env", "sh", "uname", "rm", "touch", "grep", "cat", "mkdir"

OLD = 'case "$1" in -V) echo "Python 3.9.2";; *) exit 1;; esac'
NO_VENV = 'case "$*" in *version_info*) exit 0;; *venv*) echo "ensurepip is not available"; exit 1;; esac; exit 1'
# A Python that makes a virtual environment in which pip fails as the environment variable PIP_SAYS tells.
NO_PIP = """case "$*" in
*version_info*) exit 0;;
"-m venv .venv") mkdir -p .venv/bin; cat > .venv/bin/python <<'END'
#!/bin/sh
case "$*" in *--version*) exit 0;; *install*) echo "$PIP_SAYS"; exit 1;; esac
exit 1
END
chmod +x .venv/bin/python;;
esac"""


@pytest.fixture
def machine(tmp_path):
    """A machine with a shell, and with whatever Pythons a test puts on it."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for tool in (*TOOLS, "chmod"):
        (programs / tool).symlink_to(shutil.which(tool))

    def install(name: str, script: str) -> None:
        (programs / name).write_text(f"#!/bin/sh\n{script}\n")
        (programs / name).chmod(0o755)

    def run(**env: str) -> subprocess.CompletedProcess:
        command = [str(programs / "sh"), str(REPOSITORY / "tools" / "venv.sh"), ".", "ready"]
        env = {"PATH": str(programs), **env}
        return subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)

    run.install, run.folder = install, tmp_path
    return run


def one_sentence(result: subprocess.CompletedProcess) -> str:
    assert result.returncode == 1
    assert len(result.stderr.splitlines()) == 1, result.stderr
    return result.stderr


def test_no_python(machine):
    assert "No Python was found; install Python 3.11 or newer" in one_sentence(machine())


def test_an_old_python(machine):
    machine.install("python3", OLD)
    assert "needs Python 3.11 or newer and found Python 3.9.2" in one_sentence(machine())


def test_a_newer_python_beside_an_old_one_is_found(machine):
    machine.install("python3", OLD)
    machine.install("python3.12", NO_VENV)
    assert "sudo apt install python3-venv" in one_sentence(machine())


def test_a_python_that_was_named(machine):
    assert "PYTHON=nowhere cannot be found" in one_sentence(machine(PYTHON="nowhere"))
    machine.install("python3", OLD)
    assert "PYTHON=python3 is Python 3.9.2, and the course needs" in one_sentence(machine(PYTHON="python3"))


def test_no_venv_module(machine):
    machine.install("python3", NO_VENV)
    assert "cannot make virtual environments; on Debian and Ubuntu run: sudo apt install python3-venv" in one_sentence(
        machine()
    )
    assert not (machine.folder / ".venv").exists()


@pytest.mark.parametrize(
    ("pip_says", "sentence"),
    [
        ("NewConnectionError: Temporary failure in name resolution", "is this computer online?"),
        ("OSError: [Errno 28] No space left on device", "The disk is full"),
        ("ERROR: ResolutionImpossible", "could not be installed; .venv-install.log says why"),
    ],
)
def test_packages_that_do_not_come(machine, pip_says, sentence):
    machine.install("python3", NO_PIP)
    assert sentence in one_sentence(machine(PIP_SAYS=pip_says))
    assert pip_says in (machine.folder / ".venv-install.log").read_text()
    assert not (machine.folder / "ready").exists()  # so that the next call tries again


@pytest.mark.slow
def test_the_course_comes_from_inside_an_installed_wheel(tmp_path):
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), str(REPOSITORY)]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    # The wheel's files come first on the path, before this clone; the packages it needs are the ones installed here.
    program = (
        "import transformer_course, pathlib; from transformer_course import course, folder; "
        "from transformer_course.exercises import catalogue; from transformer_course.authoring import solution_of; "
        "assert course.ROOT.name == 'material', course.ROOT; "
        "print(*folder.deliver(pathlib.Path('mine')).added); "
        "print(solution_of(catalogue()['attention.softmax'])); "
        "from transformer_course.grading.pages import PAGES; PAGES.get_template('feedback.html'); "
        "from transformer_course import models; print(*[models.load(name)[0].config.d_model for name in models.names()])"
    )
    env = {**os.environ, "PYTHONPATH": str(tmp_path / "installed")}
    ran = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, env=env, capture_output=True, text=True, check=True)
    assert "notebooks/00_start_here.ipynb" in ran.stdout
    assert "def softmax(scores):" in ran.stdout
    assert "128 128 128 128 128" in ran.stdout  # the trained models came along
    assert (tmp_path / "mine" / "exercises" / "02_self_attention_by_hand.ipynb").exists()
    assert (tmp_path / "mine" / "docs" / "prerequisites.md").exists()
