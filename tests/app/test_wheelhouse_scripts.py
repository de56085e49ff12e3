"""The README and the scripts in the folder: what they say, and that they install the course."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from wheels import wheel

from transformer_course.app.wheelhouse import scripts


def scripted(tmp_path: Path, **have: list[str]) -> Path:
    room = tmp_path / "a room"
    (room / "wheels").mkdir(parents=True)
    scripts.write_scripts(room, have)
    return room


def test_scripts_are_for_what_the_folder_has_and_say_how_to_begin(tmp_path):
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
    assert "* Windows on x86_64: Python 3.12, 3.13\n" in (room / "README.txt").read_text()
    for file in (room / "install.sh", room / "install.bat", room / "README.txt"):
        text = file.read_text().replace("\\", "/")
        assert not any(word in text for word in ("MINORS", "PYTHONS", "SYSTEMS", "LINUX", "MACOS"))
        assert "put it next to .venv" in text
        assert "/transformer-course lab FOLDER" in text
        assert re.search('/transformer-course lab"?$', text, re.MULTILINE)


def test_a_folder_speaks_of_the_scripts_alone_that_lie_in_it(tmp_path):
    linux = (scripted(tmp_path / "one", linux=["3.11"]) / "README.txt").read_text()
    windows = (scripted(tmp_path / "another", windows=["3.12"]) / "README.txt").read_text()
    both = (scripted(tmp_path / "both", linux=["3.11"], macos=["3.12"], windows=["3.12"]) / "README.txt").read_text()
    assert "* Linux: in a terminal, sh install.sh\n" in linux
    assert not re.search(r"install\.bat|macOS|Windows|Scripts", linux)
    assert not re.search(r"install\.sh|Linux|\.venv/bin", windows)
    assert ".venv\\Scripts\\transformer-course lab FOLDER" in windows
    assert "* Windows: install.bat (double-click it)\n* Linux and macOS: in a terminal, sh install.sh\n" in both
    assert r"(on Windows, write .venv\Scripts\ in place of .venv/bin/)" in both


@pytest.mark.skipif(sys.platform == "win32", reason="a script for Linux and macOS")
def test_a_computer_without_a_python_of_the_folder_is_told(tmp_path):
    room = scripted(tmp_path, linux=["3.99"], macos=["3.99"])
    env = {**os.environ, "HOME": str(tmp_path)}
    ran = subprocess.run(["sh", room / "install.sh"], env=env, capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert ran.stderr == "No suitable Python was found. Install one of these versions, then try again: 3.99\n"
    assert not (tmp_path / "transformer-course").exists()
    shutil.rmtree(room)
    room = scripted(tmp_path, **{"linux" if sys.platform == "darwin" else "macos": [f"3.{sys.version_info.minor}"]})
    ran = subprocess.run(["sh", room / "install.sh"], env=env, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert "does not contain the course for this system" in ran.stderr


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="a script for Linux and macOS")
@pytest.mark.parametrize("status", [0, 1])
def test_after_a_report_that_says_no_the_script_says_what_is_done_and_what_is_not(tmp_path, status):
    room = scripted(tmp_path, **{system: [f"3.{sys.version_info.minor}"] for system in ("linux", "macos")})
    (room / "constraints.txt").touch()
    own = wheel(room / "wheels", "transformer_course", "0.1.0")
    with zipfile.ZipFile(own, "a") as archive:
        command = zipfile.ZipInfo("transformer_course-0.1.0.data/scripts/transformer-course")
        command.external_attr = 0o100755 << 16
        archive.writestr(command, f"#!/bin/sh\nexit {status}\n")
    folder = tmp_path / "own"
    ran = subprocess.run(["sh", room / "install.sh", folder], capture_output=True, text=True, check=False)
    assert ran.returncode == status, ran.stderr
    again = f'each line marked !!, then run:\n            cd "{folder}" && .venv/bin/transformer-course doctor\n'
    assert (
        ("The course is installed; you do not need to install it again." in ran.stdout)
        == (again in ran.stdout)
        == bool(status)
    )
    assert f'To start the course: cd "{folder}" && .venv/bin/transformer-course lab\n' in ran.stdout


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="a script for Linux and macOS")
def test_the_script_installs_from_the_folder_alone_and_a_new_edition_of_the_same_number_too(tmp_path):
    room = scripted(tmp_path, **{system: [f"3.{sys.version_info.minor}"] for system in ("linux", "macos")})
    (room / "constraints.txt").write_text("part==1\n")
    wheel(room / "wheels", "part", "1")
    wheel(room / "wheels", "part", "2")
    own = wheel(room / "wheels", "transformer_course", "0.1.0", "part")
    env = {**os.environ, "HOME": str(tmp_path), "PIP_INDEX_URL": "http://127.0.0.1:9"}  # nothing listens there
    command = ["sh", str(room / "install.sh"), str(tmp_path / "my own")]
    python = tmp_path / "my own" / ".venv" / "bin" / "python"
    for content_of_version in ("here = 1\n", "here = 2\n"):
        with zipfile.ZipFile(own) as old:
            files = {name: old.read(name) for name in old.namelist()} | {"transformer_course.py": content_of_version.encode()}
        with zipfile.ZipFile(own, "w") as new:
            for name, content in files.items():
                new.writestr(name, content)
        subprocess.run(
            command, env=env, capture_output=True, text=True, check=False
        )  # fails at its end, because this wheel has no doctor
        code = "import transformer_course, importlib.metadata as m; print(transformer_course.here, m.version('part'))"
        output = subprocess.run([python, "-I", "-c", code], capture_output=True, text=True, check=True).stdout
        assert output.split() == [content_of_version[-2], "1"]
