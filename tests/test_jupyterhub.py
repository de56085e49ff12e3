"""The example for JupyterHub: what a learner's seat does before it becomes their server."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from traitlets.config import Config

from transformer_course import course
from transformer_course.commands import learners

CONFIG = Path(__file__).parents[1] / "docs" / "jupyterhub" / "jupyterhub_config.py"
# In place of becoming the server: show with what, and what a process may have.
SHOWN = """
import os, resource
os.execv = lambda program, words: print(*words, resource.getrlimit(resource.RLIMIT_DATA)[0], sep="\\n")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="JupyterHub's example is for Linux")
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
    assert set(learners.jupyter_options(folder, None, False)) <= set(server)
    assert server[-2:] == ["--given=1", str(3 * 2**30)]
    lesson = folder / c.Spawner.default_url.removeprefix("/lab/tree/")
    assert len(list(folder.glob("*/*.ipynb"))) == sum(len(course.notebooks(part)) for part in course.FOLDERS)
    lesson.write_text("mine")
    assert start() == server
    assert lesson.read_text() == "mine"
    lesson.unlink()
    (tmp_path / "transformer-course").rename(tmp_path / "away")
    (tmp_path / "transformer-course").touch()  # a seat that cannot be filled opens all the same
    assert start()[:3] == server[:3]
