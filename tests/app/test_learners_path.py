"""`transformer-course path`: the paths through the course, and choosing one."""

from command_line import said

from transformer_course._util.folder_record import read_record, update_record
from transformer_course.exercises.workshop_folder import EXERCISES


def test_the_paths_are_shown_and_yours_is_marked(home, snapshot):
    shown, everything, whole = said("path").partition("everything: Everything, about ")
    assert shown == snapshot
    assert everything
    assert whole.endswith("To choose one: transformer-course path ideas, or make path ARGS=ideas\n")
    assert said("path", "paper") == snapshot(name="chosen")
    assert next(line for line in said("path").splitlines() if "← your path" in line).startswith("paper: ")
    assert said("path", "thesis", status=1) == snapshot(name="no such path")


def test_a_path_is_chosen_for_the_folder_that_is_named(tmp_path, launched, monkeypatch):
    monkeypatch.delenv("TRANSFORMER_COURSE_HOME")
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *_, **__: str(tmp_path / "account"))
    for name in ("one", "two"):
        said("lab", str(tmp_path / name))
    monkeypatch.chdir(tmp_path)
    assert "Next: 19 · The residual view" in said("path", "inside", "--folder", "two/notebooks")
    assert [read_record(tmp_path / name)["path"] for name in ("one", "two")] == ["gpt", "inside"]
    output = said("lab", "two")
    assert "Next: 19 · The residual view" in output
    assert "updated" not in output  # what is delivered does not depend on the path
    monkeypatch.chdir(tmp_path)
    assert said("path", "--folder", "three", status=1).startswith("three does not contain the course yet.")
    update_record(tmp_path / "two", EXERCISES, [])
    for arguments, status in (((), 0), (("gpt",), 1)):
        assert said("path", *arguments, "--folder", "two", status=status).startswith("This folder follows the plan of your")
