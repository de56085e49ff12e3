"""The README and the scripts in the folder: what they say, and that they install the course."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from wheels import wheel

from transformer_course.app.wheelhouse import scripts

UNIX = pytest.mark.skipif(sys.platform == "win32", reason="a script for Linux and macOS")
# A Python that creates a virtual environment with two copies of this script, which print their arguments.
PYTHON = """#!/bin/sh
case "$*" in
"-m venv "*) mkdir -p "$3/bin"; cp "$0" "$3/bin/python"; cp "$0" "$3/bin/transformer-course";;
*) echo "$@";;
esac
"""


def scripted(tmp_path: Path, **have: list[str]) -> Path:
    room = tmp_path / "a room"
    (room / "wheels").mkdir(parents=True)
    scripts.write_scripts(room, have)
    return room


def test_scripts_are_for_what_the_folder_has(tmp_path):
    room = scripted(tmp_path, macos=["3.11"], windows=["3.12", "3.13"])
    bat = (room / "install.bat").read_bytes()
    assert b"for %%v in (12 13)" in bat
    steps = bat.decode().splitlines()
    waits, installs = steps.index("pause"), steps.index(":install")  # after a double-click, the window stays open
    assert waits < installs
    assert not any("exit" in line for line in steps[:waits])
    assert "call :install" in steps[:waits]
    assert b"then try again: 3.12, 3.13" in bat
    assert bat.count(b"\r\n") == bat.count(b"\n") > 10  # otherwise cmd.exe loses its place
    assert 'Darwin) pythons="3.11" ;;\n    *) pythons="" ;;' in (room / "install.sh").read_text()
    for file in (room / "install.sh", room / "install.bat"):
        assert not any(word in file.read_text() for word in ("MINORS", "PYTHONS", "LINUX", "MACOS"))


def test_the_readme_speaks_of_the_scripts_alone_that_lie_in_its_folder(tmp_path, snapshot):
    cases = {
        "Linux": {"linux": ["3.11"]},
        "Windows": {"windows": ["3.12"]},
        "all": {"linux": ["3.11"], "macos": ["3.12"], "windows": ["3.12", "3.13"]},
    }
    assert {name: (scripted(tmp_path / name, **have) / "README.txt").read_text() for name, have in cases.items()} == snapshot


@UNIX
def test_a_computer_without_a_python_of_the_folder_is_told(tmp_path, snapshot):
    other = "linux" if sys.platform == "darwin" else "macos"
    cases = {"no Python": {"linux": ["3.99"], "macos": ["3.99"]}, "no system": {other: [f"3.{sys.version_info.minor}"]}}
    told = {}
    for name, have in cases.items():
        env = {**os.environ, "HOME": str(tmp_path)}
        script = scripted(tmp_path / name, **have) / "install.sh"
        ran = subprocess.run(["sh", script], env=env, capture_output=True, text=True, check=False)
        assert (ran.returncode, ran.stdout) == (1, "")
        told[name] = ran.stderr
    assert told == snapshot
    assert not (tmp_path / "transformer-course").exists()


@UNIX
def test_pip_gets_the_folder_alone_and_installs_an_edition_of_the_same_number_anew(tmp_path):
    room = scripted(tmp_path, linux=["3.99"], macos=["3.99"])
    python = tmp_path / "python3.99"
    python.write_text(PYTHON)
    python.chmod(0o755)
    env = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    command = ["sh", room / "install.sh", tmp_path / "my own"]
    told = subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout.splitlines()
    pip = "-m pip install --quiet --disable-pip-version-check --no-index"
    pip += f" --find-links {room}/wheels --constraint {room}/constraints.txt"
    assert [line for line in told if line.startswith("-m")] == [
        f"{pip} transformer-course",
        f"{pip} --no-deps --force-reinstall transformer-course",
    ]


@pytest.mark.slow
@UNIX
def test_the_script_installs_from_the_folder_alone_and_a_new_edition_of_the_same_number_too(tmp_path, snapshot):
    room = scripted(tmp_path, **{system: [f"3.{sys.version_info.minor}"] for system in ("linux", "macos")})
    (room / "constraints.txt").write_text("part==1\n")
    wheel(room / "wheels", "part", "1")
    wheel(room / "wheels", "part", "2")
    folder = tmp_path / "my own"
    env = {**os.environ, "HOME": str(tmp_path), "PIP_INDEX_URL": "http://127.0.0.1:9"}  # nothing listens there
    told = {}
    for doctor, status in {"the course will run": 0, "it will not run yet": 1}.items():
        own = wheel(room / "wheels", "transformer_course", "0.1.0", "part")
        with zipfile.ZipFile(own, "a") as archive:
            command = zipfile.ZipInfo("transformer_course-0.1.0.data/scripts/transformer-course")
            command.external_attr = 0o100755 << 16
            archive.writestr(command, f"#!/bin/sh\nexit {status}\n")
        ran = subprocess.run(["sh", room / "install.sh", folder], env=env, capture_output=True, text=True, check=False)
        assert ran.returncode == status, ran.stderr  # that of the new edition's doctor
        told[doctor] = ran.stdout.replace(str(tmp_path), "HOME")
    assert told == snapshot
    code = "import transformer_course, importlib.metadata as m; print(m.version('part'))"
    python = folder / ".venv" / "bin" / "python"
    assert subprocess.run([python, "-I", "-c", code], capture_output=True, text=True, check=True).stdout == "1\n"
