"""How much is trained: in full, lightly (and said so), or in tests for a few steps."""

import subprocess
import sys

import pytest

from transformer_course.experiments import effort

LIGHT = "so numbers and pictures will differ from those that the text describes.\n"
STAGES = """
from transformer_course.experiments import build_ladder, build_prose, build_translation
print(build_ladder.STEPS, build_prose.STEPS, build_translation.STEPS)
print(build_ladder.steps(), build_prose.steps(), build_translation.steps())
"""


@pytest.fixture(autouse=True)
def nothing_said(monkeypatch):
    monkeypatch.setattr(effort, "_said", {})


@pytest.mark.parametrize(
    ("value", "steps", "with_short", "seeds"),
    [("", 400, 400, 3), ("full", 400, 400, 3), ("light", 150, 150, 1), ("short", 400, 20, 3), ("fast", 400, 400, 3)],
)
def test_the_setting_decides_steps_and_seeds(monkeypatch, value, steps, with_short, seeds):
    monkeypatch.setenv(effort.VARIABLE, value)
    assert (effort.steps(400), effort.steps(400, short=20), len(effort.seeds())) == (steps, with_short, seeds)
    assert (effort.count(400), effort.count(400, short=20)) == (steps, with_short)


def test_a_light_training_says_so_once_and_others_say_nothing(monkeypatch, capsys):
    for value in ("", "full", "short"):
        monkeypatch.setenv(effort.VARIABLE, value)
        effort.steps(1200, short=20), effort.seeds()
        assert capsys.readouterr().out == ""
    monkeypatch.setenv(effort.VARIABLE, "light")
    effort.count(400)
    assert capsys.readouterr().out == ""
    effort.steps(1200), effort.steps(1200), effort.seeds(), effort.seeds()
    told = f"Light training: 450 of 1,200 steps, {LIGHT}Light training: 1 of 3 seeds, {LIGHT}"
    assert capsys.readouterr().out == told


def test_each_cell_of_a_notebook_says_it_again(monkeypatch, capsys):
    class Shell:
        execution_count = 1

    monkeypatch.setattr("IPython.get_ipython", lambda: Shell)
    monkeypatch.setenv(effort.VARIABLE, "light")
    effort.seeds(), effort.seeds()
    Shell.execution_count = 2
    effort.seeds()
    assert capsys.readouterr().out.count("1 of 3 seeds") == 2


def test_an_unknown_setting_is_told_and_trains_in_full(monkeypatch, capsys):
    monkeypatch.setenv(effort.VARIABLE, "lite")
    assert effort.steps(400) == 400
    said = "TRANSFORMER_COURSE_TRAINING should be light or full, got 'lite'. Models are trained in full.\n"
    assert capsys.readouterr().out == said


def test_the_stages_of_the_build_take_part(monkeypatch):
    monkeypatch.setenv(effort.VARIABLE, "light")
    ran = subprocess.run([sys.executable, "-c", STAGES], capture_output=True, text=True, check=True, timeout=600)
    silent, *told = ran.stdout.splitlines()
    assert silent == told.pop() == "225 112 188"
    assert [line.split(",")[0] for line in told] == [
        f"Light training: {light} of {full} steps" for light, full in ((225, 600), (112, 300), (188, 500))
    ]
