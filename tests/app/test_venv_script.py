"""tools/venv.sh, which `make lab` runs first: what it says on a machine where something is missing."""

import shutil
import subprocess

import pytest

from transformer_course._util import paths

TOOLS = "env", "sh", "uname", "rm", "touch", "grep", "cat", "mkdir"
OLD = 'case "$1" in -V) echo "Python 3.9.2";; *) exit 1;; esac'
NO_VENV = 'case "$*" in *version_info*) exit 0;; *venv*) echo "ensurepip is not available"; exit 1;; esac; exit 1'

# A Python that creates a virtual environment in which pip prints the environment variable PIP_SAYS and fails.
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
    """A machine with a shell, and with the Pythons that a test puts on it."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for tool in (*TOOLS, "chmod"):
        (programs / tool).symlink_to(shutil.which(tool))

    def install(name: str, script: str) -> None:
        (programs / name).write_text(f"#!/bin/sh\n{script}\n")
        (programs / name).chmod(0o755)

    def run(**env: str) -> subprocess.CompletedProcess:
        command = [str(programs / "sh"), str(paths.ROOT / "tools" / "venv.sh"), ".", "ready"]
        env = {"PATH": str(programs), **env}
        return subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)

    run.install, run.folder = install, tmp_path
    return run


def one_sentence(result: subprocess.CompletedProcess) -> str:
    assert result.returncode == 1
    assert len(result.stderr.splitlines()) == 1, result.stderr
    return result.stderr


def test_no_python(machine):
    assert "Python was not found. Install Python 3.14 from python.org" in one_sentence(machine())


def test_an_old_python(machine):
    machine.install("python3", OLD)
    assert "needs Python 3.11 to 3.14, but found Python 3.9.2" in one_sentence(machine())


def test_a_newer_python_beside_an_old_one_is_found(machine):
    machine.install("python3", OLD)
    machine.install("python3.12", NO_VENV)
    assert "sudo apt install python3-venv" in one_sentence(machine())


def test_a_python_that_was_named(machine):
    assert "PYTHON=nowhere was not found" in one_sentence(machine(PYTHON="nowhere"))
    machine.install("python3", OLD)
    assert "PYTHON=python3 is Python 3.9.2, but the course needs" in one_sentence(machine(PYTHON="python3"))


def test_no_venv_module(machine):
    machine.install("python3", NO_VENV)
    assert "cannot create virtual environments. On Debian and Ubuntu, run: sudo apt install python3-venv" in one_sentence(
        machine()
    )
    assert not (machine.folder / ".venv").exists()


@pytest.mark.parametrize(
    ("pip_says", "sentence"),
    [
        ("NewConnectionError: Temporary failure in name resolution", "Is this computer online?"),
        ("OSError: [Errno 28] No space left on device", "The disk is full"),
        ("ERROR: ResolutionImpossible", "could not be installed. See .venv-install.log for details"),
    ],
)
def test_packages_that_do_not_come(machine, pip_says, sentence):
    machine.install("python3", NO_PIP)
    assert sentence in one_sentence(machine(PIP_SAYS=pip_says))
    assert pip_says in (machine.folder / ".venv-install.log").read_text()
    assert not (machine.folder / "ready").exists()  # so the next `make` tries again
