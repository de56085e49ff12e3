"""What README.md promises on every system: the course opens in JupyterLab, and a sheet can be solved and checked."""

import nbformat
from browser import Server
from nbclient import NotebookClient
from submissions import notebook

from transformer_course.exercises import passes
from transformer_course.exercises.catalogue import by_lesson

SHEET = "02"


def test_a_newcomer_opens_the_course_and_solves_a_sheet(home, tmp_path):
    folder = tmp_path / "my-course"
    with Server(folder, home, tmp_path / "config") as server:
        assert "JupyterLab" in server.get("/lab")
    solved = nbformat.from_dict(notebook(SHEET))
    NotebookClient(solved, kernel_name="python3", resources={"metadata": {"path": str(folder / "exercises")}}).execute()
    assert [*passes.passed()] == [exercise.id for exercise in by_lesson()[SHEET]]
