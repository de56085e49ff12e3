"""tools/venv.sh, which `make lab` runs first: what it says on a machine where something is missing."""

import contextlib
import os
import shutil
import subprocess

import pytest

from transformer_course._util import paths

TOOLS = "env", "sh", "uname", "rm", "touch", "grep", "cat", "mkdir", "sed"
OLD = 'case "$1" in -V) echo "Python 3.9.2";; *) exit 1;; esac'
NO_VENV = 'case "$*" in *version_info*) exit 0;; *venv*) echo "ensurepip is not available"; exit 1;; esac; exit 1'

# A Python that creates a virtual environment in which pip prints the environment variable PIP_SAYS and ends with PIP_STATUS.
PIP = """case "$*" in
*version_info*) exit 0;;
"-m venv .venv") mkdir -p .venv/bin; cat > .venv/bin/python <<'END'
#!/bin/sh
case "$*" in *--version*|*--help*) exit 0;; *install*) echo "$PIP_SAYS"; exit "$PIP_STATUS";; esac
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

    def run(stdout: int = subprocess.PIPE, **env: str) -> subprocess.CompletedProcess:
        command = [str(programs / "sh"), str(paths.ROOT / "tools" / "venv.sh"), ".", "ready"]
        env = {"PATH": str(programs), **env}
        return subprocess.run(command, cwd=tmp_path, env=env, stdout=stdout, stderr=subprocess.PIPE, text=True, check=False)

    run.install, run.folder = install, tmp_path
    return run


def one_sentence(result: subprocess.CompletedProcess) -> str:
    assert result.returncode == 1
    assert len(result.stderr.splitlines()) == 1, result.stderr
    return result.stderr


def test_what_is_missing_is_told_in_one_sentence(machine, snapshot):
    told = {"no Python": one_sentence(machine()), "one that was named": one_sentence(machine(PYTHON="nowhere"))}
    machine.install("python3", OLD)
    told["an old Python"] = one_sentence(machine())
    told["an old Python that was named"] = one_sentence(machine(PYTHON="python3"))
    machine.install("python3.12", NO_VENV)  # which is found beside the old one
    told["no venv module"] = one_sentence(machine())
    assert not (machine.folder / ".venv").exists()
    assert told == snapshot


def test_packages_that_do_not_come(machine, snapshot):
    machine.install("python3", PIP)
    told = {}
    for pip_says in (
        "NewConnectionError: Temporary failure in name resolution",
        "OSError: [Errno 28] No space left on device",
        "ERROR: ResolutionImpossible",
    ):
        (machine.folder / "ready").touch()  # of an earlier version
        told[pip_says] = one_sentence(machine(PIP_SAYS=pip_says, PIP_STATUS="1"))
        assert pip_says in (machine.folder / ".venv-install.log").read_text()
        assert not (machine.folder / "ready").exists()  # so the next `make` tries again
    assert told == snapshot


def test_an_error_of_pip_is_shown_in_full(machine):
    machine.install("python3", PIP)
    error = "ERROR: Cannot install a and b.\n\nThe conflict is caused by:\n    c 1.0"
    result = machine(PIP_SAYS=f"Collecting a\n{error}", PIP_STATUS="1")
    assert result.stdout.endswith(f"minutes)…\n{error}\n")


WORKING = """Obtaining file:///course
Collecting torch==2.13.0 (from transformer-course==0.1.0)
  Downloading https://elsewhere/whl/torch-2.13.0%2Bcpu-cp311-cp311-linux_x86_64.whl (190.5 MB)
Progress 0 of 0
Progress 50000 of 200000
Installing collected packages: torch, numpy
Successfully installed numpy-2.1.0 torch-2.13.0"""


def everything(terminal: int) -> bytes:
    """What was written to the other side of a terminal, which is closed by now. The system may hand it over in pieces."""
    text = b""
    with contextlib.suppress(OSError):  # at the end
        while piece := os.read(terminal, 10_000):
            text += piece
    return text


def test_a_terminal_shows_what_is_being_installed_on_one_line(machine):
    machine.install("python3", PIP)
    ours, terminal = os.openpty()
    assert machine(terminal, PIP_SAYS=WORKING, PIP_STATUS="0").returncode == 0
    os.close(terminal)
    first, moving = everything(ours).decode().split("\r\n")
    os.close(ours)
    assert first.startswith("Installing the course in .venv")
    shown = [*dict.fromkeys(text.strip() for text in moving.split("\r") if text.strip())]
    unpacking = "Unpacking the packages, which takes a minute or two"
    torch = "Downloading torch (190.5 MB)"
    assert shown == ["Preparing", "Looking for torch==2.13.0", torch, f"{torch}, 25 %", unpacking]
    assert {len(text) for text in moving.split("\r") if text} == {72}  # each text covers the one before it
    assert (machine.folder / "ready").exists()


def test_a_log_gets_no_line_that_moves(machine):
    machine.install("python3", PIP)
    result = machine(PIP_SAYS=WORKING, PIP_STATUS="0")
    assert result.stdout == "Installing the course in .venv (the first time, this takes a few minutes)…\n"
    assert result.stderr == ""
