"""`transformer-course wheelhouse`: what is fetched for computers that are not this one, and how it is installed there."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from typer.testing import CliRunner

from transformer_course.app import cli
from transformer_course.app.wheelhouse import fill, needs, scripts
from transformer_course.app.wheelhouse.fill import WheelhouseError

ELSEWHERE = {"appnope": "macos", "colorama": "windows", "pywinpty": "windows"}  # not installed here, if this is Linux


def wheel(folder: Path, name: str, version: str, *needs: str, tag: str = "py3-none-any") -> Path:
    """A small wheel that needs something."""
    path = folder / f"{name}-{version}-{tag}.whl"
    info = f"{name}-{version}.dist-info"
    lines = ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}", *(f"Requires-Dist: {need}" for need in needs)]
    files = {f"{name}.py": "here = True\n", f"{info}/METADATA": "\n".join(lines) + "\n"}
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: {tag}\n"
    with zipfile.ZipFile(path, "w") as archive:
        for file, content in files.items():
            archive.writestr(file, content)
        archive.writestr(f"{info}/RECORD", "".join(f"{file},,\n" for file in [*files, f"{info}/RECORD"]))
    return path


@pytest.fixture
def index(tmp_path, monkeypatch) -> Path:
    """A folder that pip takes for all there is, and constraints for what lies in it."""
    folder = tmp_path / "index"
    folder.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    return folder


def pinned(monkeypatch, **pins: str) -> None:
    monkeypatch.setattr(needs, "pins", lambda: pins)


def test_what_is_needed_is_what_the_other_system_needs(tmp_path, monkeypatch):
    pinned(monkeypatch, a="1", b="1", c="1", d="1", e="1")
    own = wheel(tmp_path, "own", "1", "a", "b; sys_platform == 'win32'", "c; python_version < '3.12'", "test; extra == 'test'")
    wheels = {
        "a": wheel(tmp_path, "a", "1", "d[more]; platform_system == 'Darwin'", "own-less; extra == 'none'"),
        "d": wheel(tmp_path, "d", "1", "e; extra == 'more'", "d[more]"),
        **{name: wheel(tmp_path, name, "1") for name in "bce"},
    }
    fetch = lambda need: wheels[need.removesuffix("==1")]  # noqa: E731
    assert fill.needed_by(own, "linux", "3.11", fetch).keys() == {"a", "c"}
    assert fill.needed_by(own, "windows", "3.12", fetch).keys() == {"a", "b"}
    assert fill.needed_by(own, "macos", "3.12", fetch).keys() == {"a", "d", "e"}
    pinned(monkeypatch, a="1")
    with pytest.raises(WheelhouseError, match=r"constraints.txt names no version of c; add it there"):
        fill.needed_by(own, "linux", "3.11", fetch)


@pytest.mark.parametrize("system", fill.SYSTEMS)
@pytest.mark.parametrize("python", fill.PYTHONS)
def test_constraints_name_all_that_learners_need(system, python, tmp_path):
    """Read from what is installed here, whose own needs are the same everywhere."""
    own = wheel(tmp_path, "own", "1", *needs_of("transformer-course"))

    def fetch(need: str) -> Path:
        name = need.split("==")[0]
        if name in ELSEWHERE and (ELSEWHERE[name] == system):
            return wheel(tmp_path, name, "1")
        return wheel(tmp_path, canonicalize_name(name).replace("-", "_"), "1", *needs_of(name))

    assert {"torch", "jupyterlab", "numpy"} <= fill.needed_by(own, system, python, fetch).keys()


def needs_of(name: str) -> list[str]:
    return [need for need in distribution(name).requires or () if not Requirement(need).name.startswith(("nvidia", "triton"))]


def test_a_wheel_for_the_other_system_is_taken_once_and_one_for_this_system_is_not(tmp_path, index):
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    for tag in ("cp312-cp312-win_amd64", "cp312-cp312-macosx_12_0_arm64", "cp311-abi3-manylinux_2_28_x86_64"):
        wheel(index, "built", "1", tag=tag)
    took = [fill._fetch("built==1", wheels, system, "3.12").name for system in ("windows", "macos", "linux")]
    assert took == [
        "built-1-cp312-cp312-win_amd64.whl",
        "built-1-cp312-cp312-macosx_12_0_arm64.whl",
        "built-1-cp311-abi3-manylinux_2_28_x86_64.whl",
    ]
    shutil.rmtree(index)  # what lies there already needs no network
    assert fill._fetch("built==1", wheels, "macos", "3.12").name == took[1]
    with pytest.raises(WheelhouseError, match=r"pip could not bring built==1 .*; is this computer online"):
        fill._fetch("built==1", wheels, "macos", "3.11")
    assert sorted(path.name for path in wheels.iterdir()) == sorted(took)


@pytest.mark.parametrize(
    ("ext_modules", "error"), [("", None), ("[Extension('x', ['x.c'])]", "pure==1 has no wheel; choose another Python")]
)
def test_a_package_without_wheels_is_built_where_it_is_pure(tmp_path, index, monkeypatch, ext_modules, error):
    source = tmp_path / "pure-1"
    source.mkdir()
    (source / "pure.py").touch()
    (source / "x.c").write_text("#include <Python.h>\nPyMODINIT_FUNC PyInit_x(void) { return NULL; }\n")
    (source / "PKG-INFO").write_text("Metadata-Version: 1.0\nName: pure\nVersion: 1\n")
    (source / "setup.py").write_text(
        "from setuptools import Extension, setup\n"
        f"setup(name='pure', version='1', py_modules=['pure'], ext_modules={ext_modules or '[]'})\n"
    )
    shutil.make_archive(str(index / "pure-1"), "gztar", tmp_path, "pure-1")
    monkeypatch.setenv("PIP_NO_BUILD_ISOLATION", "0")  # pip's way to say that there is none
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    if error:
        with pytest.raises(WheelhouseError, match=error):
            fill._fetch("pure==1", wheels, "windows", "3.12")
        assert not list(wheels.iterdir())
    else:
        assert fill._fetch("pure==1", wheels, "windows", "3.12").name == "pure-1-py3-none-any.whl"


@pytest.fixture
def room(tmp_path, index, monkeypatch) -> Path:
    """A folder to fill. For Linux, 3.11 has both torches, 3.12 the large one alone; others have 3.12."""
    pinned(monkeypatch, torch="2", part="1", **{"nvidia-cudnn": "1"})
    wheel(index, "torch", "2+cpu", tag="cp311-cp311-manylinux_2_28_x86_64")
    for minor in (11, 12):
        wheel(index, "torch", "2", "nvidia-cudnn", tag=f"cp3{minor}-cp3{minor}-manylinux_2_28_x86_64")
    wheel(index, "torch", "2", tag="cp312-cp312-win_amd64")
    wheel(index, "torch", "2", tag="cp312-cp312-macosx_14_0_arm64")
    wheel(index, "part", "1")
    monkeypatch.setattr(fill, "_own", lambda wheels: wheel(wheels, "transformer_course", "0.1.0", "torch", "part"))
    return tmp_path / "room"


ALL = ["--system", "linux", "--system", "windows", "--python", "3.11", "--python", "3.12"]


def test_what_cannot_be_had_is_told_first_and_the_rest_is_there(room, index, monkeypatch):
    (room / "wheels").mkdir(parents=True)
    wheel(room / "wheels", "torch", "2", "nvidia-cudnn", tag="cp312-cp312-manylinux_2_28_x86_64")  # an older edition left it
    result = CliRunner().invoke(cli.app, ["wheelhouse", str(room), *ALL])
    assert result.exit_code == 1
    small = f"Linux, Python 3.12: torch's small build could not be fetched; can this computer reach {fill.CPU} ?"
    *told, last = result.stderr.splitlines()
    torch, rest = "fetching torch, the largest package…", "fetching the other packages…"
    assert told[:3] == [f"Linux, Python 3.11: {torch}", f"Linux, Python 3.12: {torch}", small]
    assert told[3:5] == [f"Windows, Python 3.11: {torch}", told[4]]
    assert told[4].startswith("Windows, Python 3.11: pip could not bring torch==2 ")
    assert told[5:] == [
        f"Windows, Python 3.12: {torch}",
        f"Linux, Python 3.11: {rest}",
        "Linux, Python 3.11: 3 packages, 0 MB",
        f"Windows, Python 3.12: {rest}",
        "Windows, Python 3.12: 3 packages, 0 MB",
    ]
    assert last == (
        f"Not everything could be had. Run the same command again: what {room} holds stays. Until then, its README.txt says "
        "which computers it serves."
    )
    assert result.stdout == ""
    held = {path.name for path in (room / "wheels").iterdir()}
    assert held == {
        "torch-2+cpu-cp311-cp311-manylinux_2_28_x86_64.whl",
        "torch-2-cp312-cp312-win_amd64.whl",
        "part-1-py3-none-any.whl",
        "transformer_course-0.1.0-py3-none-any.whl",
    }
    text = (room / "README.txt").read_text()
    assert "* Linux on x86_64: Python 3.11\n* Windows on x86_64: Python 3.12\n" in text
    assert 'pythons="3.11"' in (room / "install.sh").read_text()
    assert "in (12) do" in (room / "install.bat").read_text()

    wheel(index, "torch", "2+cpu", tag="cp312-cp312-manylinux_2_28_x86_64")
    asked = []
    fetch = fill._pip
    monkeypatch.setattr(fill, "_pip", lambda wheels, *words: asked.append(words[1]) or fetch(wheels, *words))
    linux = [word for word in ALL if word != "windows"]
    linux.pop(2)
    result = CliRunner().invoke(cli.app, ["wheelhouse", str(room), *linux])
    assert result.exit_code == 0
    assert asked == ["torch==2+cpu"]  # what was there stays
    assert f"{room} has 0 MB; hand out all of it." in result.stdout
    assert 'pythons="3.11 3.12"' in (room / "install.sh").read_text()
    assert "* Windows on x86_64: Python 3.12\n" in (room / "README.txt").read_text()


def test_where_something_else_is_missing_its_system_has_no_script(room, index):
    (index / "part-1-py3-none-any.whl").unlink()
    wheel(index, "part", "1", tag="cp312-cp312-macosx_14_0_arm64")
    (room / "wheels").mkdir(parents=True)
    (room / "install.bat").touch()
    lacking, had = sorted(fill.fill(room, ["windows", "macos"], ["3.12"]), key=lambda outcome: outcome.packages)
    assert str(lacking).startswith("Windows, Python 3.12: pip could not bring part==1 ")
    assert str(had) == "macOS, Python 3.12: 3 packages, 0 MB"
    assert "* macOS 14 or newer on Apple silicon: Python 3.12\n" in (room / "README.txt").read_text()
    assert "Windows on" not in (room / "README.txt").read_text()
    assert not (room / "install.bat").exists()


def test_nothing_but_torch_is_asked_for_where_it_is_out_of_reach(room, monkeypatch):
    asked = []
    monkeypatch.setattr(fill, "_fetch", lambda need, *there: asked.append(need) or torch_out_of_reach())
    result = CliRunner().invoke(cli.app, ["wheelhouse", str(room), *ALL])
    assert result.exit_code == 1
    assert asked == ["torch==2"] * 4
    assert not (room / "README.txt").exists()
    assert "hand out" not in result.output


def test_ctrl_c_is_answered_in_a_sentence(room, monkeypatch):
    def pressed(*asked) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(fill, "_fetch", pressed)
    result = CliRunner().invoke(cli.app, ["wheelhouse", str(room), *ALL])
    assert result.exit_code == 1
    assert result.stderr.splitlines()[-1] == f"Stopped. What {room} holds stays; run the same command again for the rest."


@pytest.mark.parametrize("other", [{"to-send.txt", "wheels"}, {"README.txt"}])
def test_a_folder_of_something_else_is_left_alone(room, other):
    for name in {".DS_Store", *other}:
        (room / name).mkdir(parents=True)
    result = CliRunner().invoke(cli.app, ["wheelhouse", str(room), *ALL])
    assert result.exit_code == 1
    name = min(other - {"wheels"})
    assert result.stderr == f"{room} holds something else ({name}); name a folder for this alone, such as room.\n"
    assert {path.name for path in room.rglob("*")} == {".DS_Store", *other}


def torch_out_of_reach() -> None:
    raise WheelhouseError("It is out of reach.")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--system", "beos"], "There is no system 'beos'; name one of linux, macos, windows."),
        (["--python", "3.10"], "There is no Python '3.10' for the course: it is made for 3.11 to 3.14. Name one as"),
        (["--python", "3.15"], "There is no Python '3.15' for the course: it is made for 3.11 to 3.14. Name one as"),
        (["--python", "3.12.1"], "There is no Python '3.12.1' for the course"),
    ],
)
def test_what_cannot_be_chosen_is_told_before_anything_is_fetched(tmp_path, monkeypatch, options, sentence):
    monkeypatch.setattr(fill, "_own", lambda wheels: pytest.fail("fetched"))
    monkeypatch.setattr(fill, "_fetch", lambda *asked: pytest.fail("fetched"))
    result = CliRunner().invoke(cli.app, ["wheelhouse", str(tmp_path / "room"), *options])
    assert result.exit_code == 1
    assert sentence in result.output
    assert not (tmp_path / "room").exists()


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
    waits, installs = steps.index("pause"), steps.index(":install")  # a double-click's window stays open, whatever happened
    assert waits < installs
    assert not any("exit" in line for line in steps[:waits])
    assert "call :install" in steps[:waits]
    assert b"Python 3.12, 3.13;" in bat
    assert bat.count(b"\r\n") == bat.count(b"\n") > 10  # cmd.exe loses its place otherwise
    assert 'Darwin) pythons="3.11" ;;\n    *) pythons="" ;;' in (room / "install.sh").read_text()
    assert "* Windows on x86_64: Python 3.12, 3.13\n" in (room / "README.txt").read_text()
    for file in (room / "install.sh", room / "install.bat", room / "README.txt"):
        text = file.read_text().replace("\\", "/")
        assert not any(word in text for word in ("MINORS", "PYTHONS", "SYSTEMS", "LINUX", "MACOS"))
        assert "ut it beside .venv" in text
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
    assert "* Windows: install.bat (a double-click will do)\n* Linux and macOS: in a terminal, sh install.sh\n" in both
    assert r"(on Windows, .venv\Scripts\ stands for .venv/bin/)" in both


@pytest.mark.skipif(sys.platform == "win32", reason="a script for Linux and macOS")
def test_a_computer_without_a_python_of_the_folder_is_told(tmp_path):
    room = scripted(tmp_path, linux=["3.99"], macos=["3.99"])
    env = {**os.environ, "HOME": str(tmp_path)}
    ran = subprocess.run(["sh", room / "install.sh"], env=env, capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert ran.stderr == "This folder has the course for Python 3.99; install one of them, and try again.\n"
    assert not (tmp_path / "transformer-course").exists()
    shutil.rmtree(room)
    room = scripted(tmp_path, **{"linux" if sys.platform == "darwin" else "macos": [f"3.{sys.version_info.minor}"]})
    ran = subprocess.run(["sh", room / "install.sh"], env=env, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert "does not have the course for this system" in ran.stderr


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
    again = f'then try again with:\n            cd "{folder}" && .venv/bin/transformer-course doctor\n'
    assert (
        ("The course is installed; nothing needs to be installed again." in ran.stdout)
        == (again in ran.stdout)
        == bool(status)
    )
    assert f'Begin with: cd "{folder}" && .venv/bin/transformer-course lab\n' in ran.stdout


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="a script for Linux and macOS")
def test_the_script_installs_from_the_folder_alone_and_a_new_edition_of_the_same_number_too(tmp_path):
    room = scripted(tmp_path, **{system: [f"3.{sys.version_info.minor}"] for system in ("linux", "macos")})
    (room / "constraints.txt").write_text("part==1\n")
    wheel(room / "wheels", "part", "1")
    wheel(room / "wheels", "part", "2")
    own = wheel(room / "wheels", "transformer_course", "0.1.0", "part")
    env = {**os.environ, "HOME": str(tmp_path), "PIP_INDEX_URL": "http://127.0.0.1:9"}  # nobody answers there
    command = ["sh", str(room / "install.sh"), str(tmp_path / "my own")]
    python = tmp_path / "my own" / ".venv" / "bin" / "python"
    for edition in ("here = 1\n", "here = 2\n"):
        with zipfile.ZipFile(own) as old:
            files = {name: old.read(name) for name in old.namelist()} | {"transformer_course.py": edition.encode()}
        with zipfile.ZipFile(own, "w") as new:
            for name, content in files.items():
                new.writestr(name, content)
        subprocess.run(command, env=env, capture_output=True, text=True, check=False)  # it has no doctor to end with
        code = "import transformer_course, importlib.metadata as m; print(transformer_course.here, m.version('part'))"
        said = subprocess.run([python, "-I", "-c", code], capture_output=True, text=True, check=True).stdout
        assert said.split() == [edition[-2], "1"]
