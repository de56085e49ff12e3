"""The README's table of lessons."""

import pytest

from transformer_course._util import paths
from transformer_course.authoring import lesson_table
from transformer_course.exercises.catalogue import by_lesson


def test_a_row_gives_titles_minutes_and_the_number_of_exercises(tmp_path, monkeypatch):
    monkeypatch.setattr(paths, "ROOT", tmp_path)
    for folder in paths.FOLDERS:
        (tmp_path / folder / "source").mkdir(parents=True)
    (tmp_path / "notebooks/source/00_start.py").write_text("# # 00 · Start: how?\n# About 20 minutes.\n")
    (tmp_path / "notebooks/source/02_hands.py").write_text("# # 02 · By hand\n# About 70 minutes.\n")
    sheet = (
        '# ## 1 · A (by hand, 50 minutes, ●○○)\n# %% exercise="a"\n# ## 2 · B (program, 60 minutes, ●●○)\n# %% exercise="b"\n'
    )
    (tmp_path / "exercises/source/02_sheet_hands.py").write_text(sheet)
    stage = "# # B1 · A model\n# You need lessons 00 and 02.\n" + sheet.replace(" minutes", "0 minutes")
    (tmp_path / "exercises/source/B1_model.py").write_text(stage, encoding="utf-8")
    readme = tmp_path / "README.md"
    readme.write_text(f"before\n{lesson_table.BEGIN}\nold\n{lesson_table.END}\nafter\n")
    lesson_table.write(readme)
    count = len(by_lesson()["02"])
    lesson_table.write(readme)  # writing it again changes nothing
    assert readme.read_text(encoding="utf-8").splitlines() == [
        "before",
        lesson_table.BEGIN,
        "",
        "The lessons take an estimated 2 hours, and the exercises another 2.",
        "",
        "| | lesson | minutes | exercises | minutes |",
        "| --- | --- | --- | --- | --- |",
        "| [00](notebooks/00_start.ipynb) | Start: how? | 20 | | |",
        f"| [02](notebooks/02_hands.ipynb) | By hand | 70 | [{count}](exercises/02_sheet_hands.ipynb) | 110 |",
        "",
        "In **the Build** you write a Transformer yourself, stage by stage, and train it. Code that passes is added to",
        "`my_transformer.py` in your folder. The exercises take an estimated 18 hours.",
        "",
        "| | stage | after lessons | exercises | minutes |",
        "| --- | --- | --- | --- | --- |",
        f"| [B1](exercises/B1_model.ipynb) | A model | 00, 02 | {len(by_lesson()['B1'])} | 1100 |",
        "",
        lesson_table.END,
        "after",
    ]


def test_a_readme_without_the_markers_is_left_alone(tmp_path):
    readme = tmp_path / "README.md"
    readme.write_text("my own\n")
    with pytest.raises(ValueError, match="needs a line '<!-- lessons"):
        lesson_table.write(readme)
    assert readme.read_text() == "my own\n"
