"""The example for JupyterHub: what a learner's seat does before it becomes their server."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from traitlets.config import Config

from transformer_course import course
from transformer_course.app.jupyter import start as jupyter

CONFIG = Path(__file__).parents[2] / "docs" / "jupyterhub" / "jupyterhub_config.py"
# In place of becoming the server: show with what, and what a process may have.
SHOWN = """
import os, resource
os.execv = lambda program, words: print(*words, resource.getrlimit(resource.RLIMIT_DATA)[0], sep="\\n")
"""


pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="JupyterHub's example is for Linux")
README = CONFIG.with_name("README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def test_a_seat_brings_the_course_and_keeps_what_was_written(tmp_path):
    c = Config()
    exec(CONFIG.read_text(encoding="utf-8"), {"get_config": lambda: c})
    python, option, seat = c.Spawner.cmd
    assert option == "-c"

    def start() -> list[str]:
        command = [python, "-c", SHOWN + seat, "--given=1"]
        env = {**os.environ, "HOME": str(tmp_path)}
        return subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout.splitlines()

    server = start()
    folder = tmp_path / "transformer-course"
    assert server[:3] == [sys.executable, "-m", "jupyterhub.singleuser"]
    assert set(jupyter.options(folder, None, False)) <= set(server)
    assert server[-2:] == ["--given=1", str(3 * 2**30)]
    lesson = folder / c.Spawner.default_url.removeprefix("/lab/tree/")
    assert len(list(folder.glob("*/*.ipynb"))) == len(course.sources())
    lesson.write_text("mine")
    assert start() == server
    assert lesson.read_text() == "mine"
    lesson.unlink()
    (tmp_path / "transformer-course").rename(tmp_path / "away")
    (tmp_path / "transformer-course").touch()  # a seat that cannot be filled opens all the same
    assert start()[:3] == server[:3]


def test_the_lines_for_some_sheets_alone_hand_out_these(tmp_path):
    deliver, url = blocks("python")
    text = CONFIG.read_text(encoding="utf-8")
    for before, after in (("    deliver(folder)\n", deliver), (r"c\.Spawner\.default_url = .+\n", url)):
        text, count = re.subn(before.replace("(", r"\(").replace(")", r"\)"), lambda _, line=after: line, text)
        assert count == 1
    c = Config()
    exec(text, {"get_config": lambda: c})
    python, option, seat = c.Spawner.cmd
    env = {**os.environ, "HOME": str(tmp_path)}
    subprocess.run([python, option, SHOWN + seat], env=env, capture_output=True, check=True)
    folder = tmp_path / "transformer-course"
    assert (folder / c.Spawner.default_url.removeprefix("/lab/tree/")).exists()
    assert {path.name[:2] for path in folder.glob("*/*.ipynb")} == {"02", "03"}


@pytest.fixture
def run(tmp_path):
    """Run a script as root would, with the home folders of this test, in the folder ``here``."""
    (tmp_path / "here").mkdir()
    runuser = tmp_path / "bin" / "runuser"
    runuser.parent.mkdir()
    runuser.write_text('#!/bin/sh\n[ "$1 $3" = "-u --" ] || exit 9\necho "$2" >> "$ASKED"\nshift 3\nexec "$@"\n')
    runuser.chmod(0o755)
    env = {**os.environ, "PATH": f"{runuser.parent}:{os.environ['PATH']}", "ASKED": str(tmp_path / "asked")}

    def run(script: str) -> int:
        command = ["sh", "-eu", "-c", script.replace("/home/", f"{tmp_path / 'home'}/")]
        return subprocess.run(command, cwd=tmp_path / "here", env=env, timeout=300).returncode

    return run


def test_at_the_deadline_what_is_saved_then_is_collected_whatever_its_time_and_never_again(tmp_path, run):
    _, collecting, _ = blocks("sh")
    (line,) = blocks("crontab")
    at, command = re.fullmatch(r"((?:[\d*]+ ){5})(.+)\n", line).groups()
    assert at == "59 23 4 12 * "
    sheet = tmp_path / "home" / "ann" / "transformer-course" / "exercises" / "02_sheet.ipynb"
    sheet.parent.mkdir(parents=True)
    marks = tmp_path / "marks"
    marks.mkdir()
    (marks / "collect-02.sh").write_text(collecting.replace("/home/", f"{tmp_path / 'home'}/"))
    for text, status in (("in time", 0), ("too late", 1)):
        sheet.write_text(text)
        os.utime(sheet, (10**9, 10**9))  # as `touch -r` does
        assert run(command.replace("/root/marks", str(marks))) == status
        assert (marks / "02" / "submissions" / "ann" / "02_sheet.ipynb").read_text() == "in time"


def test_collecting_takes_each_learners_own_files_and_giving_back_reaches_each(tmp_path, run):
    homes, here = tmp_path / "home", tmp_path / "here"

    def write(name: str, text: str, when: int = 10**9) -> Path:
        path = homes / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        os.utime(path, (when, when))
        return path

    sheet = "transformer-course/exercises/02_sheet_self_attention_by_hand.ipynb"
    anns = write(f"ann/{sheet}", "new", when=1_000_000_000)
    write(f"ann/{sheet.replace('hand', 'hand_old')}", "old", when=900_000_000)
    write("ann/transformer-course/exercises/03_sheet.ipynb", "another")
    write("bob/transformer-course/exercises/x", "")
    (homes / "bob" / sheet).symlink_to(anns)
    (homes / "cat" / "transformer-course").mkdir(parents=True)
    (homes / "cat" / "transformer-course" / "exercises").symlink_to(anns.parent)
    write("dan/transformer-course/exercises/02_b c.ipynb", "x" * 30_000_000)
    os.mkfifo(homes / "dan/transformer-course/exercises/02_pipe.ipynb")
    write("teacher/notes", "")
    (tmp_path / "emma").mkdir()
    (homes / "emma").symlink_to(tmp_path / "emma")  # a home on another disk
    write(f"emma/{sheet}", "emma's")
    _, collecting, giving_back = blocks("sh")
    assert run(collecting) == 0
    found = {path.relative_to(here / "submissions").as_posix(): path for path in here.glob("submissions/*/*")}
    names = ("ann/02_sheet_self_attention_by_hand", "ann/02_sheet_self_attention_by_hand_old", "dan/02_b c")
    assert found.keys() == {f"{name}.ipynb" for name in (*names, "emma/02_sheet_self_attention_by_hand")}
    assert [found[f"{name}.ipynb"].read_text() for name in names[:2]] == ["new", "old"]
    assert [found[f"{name}.ipynb"].stat().st_mtime for name in names[:2]] == [1_000_000_000, 900_000_000]
    assert found[f"{names[2]}.ipynb"].stat().st_size == 25 * 2**20
    assert {path.name for path in (here / "submissions").iterdir()} == {"ann", "bob", "cat", "dan", "emma"}
    assert (tmp_path / "asked").read_text().split() == ["ann", "ann", "dan", "emma"]  # each read as its own learner
    for name in ("ann", "bob"):
        (here / "grades-02" / "feedback").mkdir(parents=True, exist_ok=True)
        (here / "grades-02" / "feedback" / f"{name}.html").write_text(f"for {name}")
    assert run(giving_back) == 0
    assert (homes / "bob" / "transformer-course" / "feedback_02.html").read_text() == "for bob"
    assert (tmp_path / "asked").read_text().split()[4:] == ["ann", "bob"]
