"""`transformer-course wheelhouse`: what it downloads for different computers, and what it reports."""

import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner
from wheels import wheel

from transformer_course.app import cli
from transformer_course.app.wheelhouse import fill, needs
from transformer_course.app.wheelhouse.needs import WheelhouseError


@pytest.mark.slow
def test_a_wheel_for_the_other_system_is_taken_once_and_one_for_this_system_is_not(tmp_path, index):
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    for tag in ("cp312-cp312-win_amd64", "cp312-cp312-macosx_12_0_arm64", "cp311-abi3-manylinux_2_28_x86_64"):
        wheel(index, "built", "1", tag=tag)
    fetched = [fill._fetch("built==1", wheels, system, "3.12").name for system in ("windows", "macos", "linux")]
    assert fetched == [
        "built-1-cp312-cp312-win_amd64.whl",
        "built-1-cp312-cp312-macosx_12_0_arm64.whl",
        "built-1-cp311-abi3-manylinux_2_28_x86_64.whl",
    ]
    shutil.rmtree(index)  # wheels that are already there need no network
    assert fill._fetch("built==1", wheels, "macos", "3.12").name == fetched[1]
    with pytest.raises(WheelhouseError, match=r"pip could not get built==1 .*\. Is this computer online\?"):
        fill._fetch("built==1", wheels, "macos", "3.11")
    assert sorted(path.name for path in wheels.iterdir()) == sorted(fetched)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ext_modules", "error"),
    [
        ("", None),
        ("[Extension('x', ['x.c'])]", "pure==1 has no wheel for this system and Python"),
    ],
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
    monkeypatch.setenv("PIP_NO_BUILD_ISOLATION", "0")  # pip reads this as: no isolation
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
    """A folder to fill. For Linux, 3.11 has both torch builds and 3.12 only the large one; other systems have 3.12."""
    monkeypatch.setattr(needs, "pins", lambda: {"torch": "2", "part": "1", "nvidia-cudnn": "1"})
    wheel(index, "torch", "2+cpu", tag="cp311-cp311-manylinux_2_28_x86_64")
    for minor in (11, 12):
        wheel(index, "torch", "2", "nvidia-cudnn", tag=f"cp3{minor}-cp3{minor}-manylinux_2_28_x86_64")
    wheel(index, "torch", "2", tag="cp312-cp312-win_amd64")
    wheel(index, "torch", "2", tag="cp312-cp312-macosx_14_0_arm64")
    wheel(index, "part", "1")
    monkeypatch.setattr(fill, "own_wheel", lambda wheels: wheel(wheels, "transformer_course", "0.1.0", "torch", "part"))
    return tmp_path / "room"


ALL = ["--system", "linux", "--system", "windows", "--python", "3.11", "--python", "3.12"]


@pytest.mark.slow
def test_what_cannot_be_had_is_told_first_and_the_rest_is_there(room, index, monkeypatch):
    (room / "wheels").mkdir(parents=True)
    wheel(room / "wheels", "torch", "2", "nvidia-cudnn", tag="cp312-cp312-manylinux_2_28_x86_64")  # left by an older version
    result = CliRunner().invoke(cli.app, ["wheelhouse", str(room), *ALL])
    assert result.exit_code == 1
    small = f"Linux, Python 3.12: torch's CPU build could not be downloaded. Can this computer reach {fill.CPU} ?"
    *messages, last = result.stderr.splitlines()
    torch, rest = "downloading torch, the largest package…", "downloading the other packages…"
    assert messages[:3] == [f"Linux, Python 3.11: {torch}", f"Linux, Python 3.12: {torch}", small]
    assert messages[3:5] == [f"Windows, Python 3.11: {torch}", messages[4]]
    assert messages[4].startswith("Windows, Python 3.11: pip could not get torch==2 ")
    assert messages[5:] == [
        f"Windows, Python 3.12: {torch}",
        f"Linux, Python 3.11: {rest}",
        "Linux, Python 3.11: 3 packages, 0 MB",
        f"Windows, Python 3.12: {rest}",
        "Windows, Python 3.12: 3 packages, 0 MB",
    ]
    assert last == (
        f"Some files could not be downloaded. Run the same command again; the files in {room} are kept. The folder "
        "already works on the computers listed in its README.txt."
    )
    assert result.stdout == ""
    names = {path.name for path in (room / "wheels").iterdir()}
    assert names == {
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
    requested = []
    run_pip = fill._pip
    monkeypatch.setattr(fill, "_pip", lambda wheels, *words: requested.append(words[1]) or run_pip(wheels, *words))
    linux = [word for word in ALL if word != "windows"]
    linux.pop(2)
    result = CliRunner().invoke(cli.app, ["wheelhouse", str(room), *linux])
    assert result.exit_code == 0
    assert requested == ["torch==2+cpu"]  # the other wheels were kept
    assert f"{room} is complete (0 MB). Hand out the whole folder." in result.stdout
    assert 'pythons="3.11 3.12"' in (room / "install.sh").read_text()
    assert "* Windows on x86_64: Python 3.12\n" in (room / "README.txt").read_text()


@pytest.mark.slow
def test_where_something_else_is_missing_its_system_has_no_script(room, index):
    (index / "part-1-py3-none-any.whl").unlink()
    wheel(index, "part", "1", tag="cp312-cp312-macosx_14_0_arm64")
    (room / "wheels").mkdir(parents=True)
    (room / "install.bat").touch()
    incomplete, complete = sorted(fill.fill(room, ["windows", "macos"], ["3.12"]), key=lambda outcome: outcome.packages)
    assert str(incomplete).startswith("Windows, Python 3.12: pip could not get part==1 ")
    assert str(complete) == "macOS, Python 3.12: 3 packages, 0 MB"
    assert "* macOS 14 or newer on Apple silicon: Python 3.12\n" in (room / "README.txt").read_text()
    assert "Windows on" not in (room / "README.txt").read_text()
    assert not (room / "install.bat").exists()


def test_nothing_but_torch_is_asked_for_where_it_is_out_of_reach(room, monkeypatch):
    requested = []
    monkeypatch.setattr(fill, "_fetch", lambda need, *there: requested.append(need) or torch_out_of_reach())
    result = CliRunner().invoke(cli.app, ["wheelhouse", str(room), *ALL])
    assert result.exit_code == 1
    assert requested == ["torch==2"] * 4
    assert not (room / "README.txt").exists()
    assert "Hand out" not in result.output


def test_ctrl_c_is_answered_in_a_sentence(room, monkeypatch):
    def pressed(*asked) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(fill, "_fetch", pressed)
    result = CliRunner().invoke(cli.app, ["wheelhouse", str(room), *ALL])
    assert result.exit_code == 1
    assert result.stderr.splitlines()[-1] == (
        f"Stopped. The files in {room} are kept. Run the same command again to download the others."
    )


@pytest.mark.parametrize("other", [{"to-send.txt", "wheels"}, {"README.txt"}])
def test_a_folder_of_something_else_is_left_alone(room, other):
    for name in {".DS_Store", *other}:
        (room / name).mkdir(parents=True)
    result = CliRunner().invoke(cli.app, ["wheelhouse", str(room), *ALL])
    assert result.exit_code == 1
    name = min(other - {"wheels"})
    assert result.stderr == f"{room} contains other files ({name}). Choose a new folder, such as one called room.\n"
    assert {path.name for path in room.rglob("*")} == {".DS_Store", *other}


def torch_out_of_reach() -> None:
    raise WheelhouseError("It is out of reach.")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--system", "beos"], "There is no system 'beos'. Choose from: linux, macos, windows."),
        (["--python", "3.10"], f"The course does not support Python '3.10'. Choose from: {', '.join(fill.PYTHONS)}."),
        (["--python", "3.12.1"], "The course does not support Python '3.12.1'"),
    ],
)
def test_what_cannot_be_chosen_is_told_before_anything_is_fetched(tmp_path, monkeypatch, options, sentence):
    monkeypatch.setattr(fill, "own_wheel", lambda wheels: pytest.fail("fetched"))
    monkeypatch.setattr(fill, "_fetch", lambda *asked: pytest.fail("fetched"))
    result = CliRunner().invoke(cli.app, ["wheelhouse", str(tmp_path / "room"), *options])
    assert result.exit_code == 1
    assert sentence in result.output
    assert not (tmp_path / "room").exists()
