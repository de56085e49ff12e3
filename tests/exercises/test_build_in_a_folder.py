"""The solved stages, run one after another in a learner's folder: a Transformer and a model of the learner's own come out."""

import os
import subprocess
import sys

import pytest
from chromium import chromium, open_page
from playwright.sync_api import expect

from transformer_course import course
from transformer_course._util import paths
from transformer_course.authoring import course_parts
from transformer_course.authoring.build import notebook_of
from transformer_course.exercises import learner_parts, passes
from transformer_course.exercises.solutions import BEGIN, END
from transformer_course.experiments import effort
from transformer_course.folders.learner_folder import deliver

REOPENED = """
import sys
import my_transformer
assert "transformer_course" not in sys.modules
from transformer_course.experiments import own_model
model, tokenizer, notes = own_model.load("my-model", my_transformer.GPT, my_transformer.Tokenizer)
for text in my_transformer.generate_text(model, tokenizer, "The", 20, notes["sizes"]["length"], rows=2):
    print(repr(text))
"""


def cells(source):
    """A stage's cells, as a learner might have filled them in. What only trains is left out, but for one's own model."""
    for cell in notebook_of(source, solved=True).cells:
        trains = "not-graded" in cell.metadata.get("tags", ()) and source.number not in ("B10", "B11", "B12", "B13")
        if cell.cell_type == "code" and not trains:
            yield "\n".join(line for line in cell.source.split("\n") if line.strip() not in (BEGIN, END))


@pytest.mark.slow
def test_the_solved_stages_give_a_file_that_stands_by_itself_and_a_model_that_opens_again(
    home, kernel, tmp_path, monkeypatch, capsys
):
    folder = tmp_path / "my-course"
    deliver(folder)
    monkeypatch.chdir(folder / "exercises")
    monkeypatch.setattr(effort, "setting", lambda: "short")
    for stage in course.stages():
        for cell in cells(stage):
            card = kernel.run(cell)
            assert "✗" not in repr(card)
            assert "was not added" not in repr(card)
    assert "the course's own" not in capsys.readouterr().out  # each stage found what the stages before it had added
    assert {*learner_parts.parts().values()} <= passes.passed().keys()

    assert "<h1>My model</h1>" in (folder / "exercises" / "my-model.html").read_text(encoding="utf-8")
    with chromium() as browser:
        page = open_page(browser, offline=True)
        page.goto((folder / "exercises" / "my-model.html").as_uri())
        page.get_by_role("button", name="Write").click()
        expect(page.get_by_role("option")).not_to_have_count(0)
        expect(page.get_by_role("button", name="Go on")).to_be_enabled()

    text = (folder / "my_transformer.py").read_text(encoding="utf-8")
    assert text.removeprefix(learner_parts.HEADER) == course_parts.text().removeprefix(course_parts.HEADER)
    assert len(text.split("\n")) <= 750
    alone = [sys.executable, "-c", "import sys, my_transformer; assert 'transformer_course' not in sys.modules"]
    for command in (alone, [sys.executable, "-m", "ruff", "check", "--isolated", "my_transformer.py"]):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": ""})
        assert done.returncode == 0, done.stdout + done.stderr
    path = os.pathsep.join([str(folder), str(paths.ROOT)])
    command = [sys.executable, "-c", REOPENED]
    written = subprocess.run(command, cwd=folder, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path})
    # Either quotation mark: repr takes the one that the text lacks.
    assert [line[1:4] for line in written.stdout.split("\n")] == ["The", "The", ""], written.stderr
