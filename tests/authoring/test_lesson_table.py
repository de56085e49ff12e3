"""The tables of lessons, in the README and on the site."""

import pytest

from transformer_course import course
from transformer_course._util import paths
from transformer_course.authoring import lesson_table
from transformer_course.exercises.catalogue import by_lesson

PATHS = """
[[path]]
id = "short"
title = "The short one"
audience = "For those in a hurry."
steps = ["00", "02", "sheet 02", "B1"]

[[path]]
id = "everything"
title = "Everything"
audience = "For the rest."
"""


@pytest.fixture
def readme(tmp_path, monkeypatch):
    """The README of a course of three lessons, two sheets and a stage. The real catalogue is read first."""
    by_lesson()
    monkeypatch.setattr(paths, "ROOT", tmp_path)
    exercise = '\n\n# %% [markdown]\n# ## A\n\n# %% exercise="{}" form="program" minutes={} difficulty=2'
    exercises = exercise.format("a", 50) + exercise.format("b", 60)
    practice = "\n\n# %% [markdown]\n# ## More practice {#practice}" + exercise.format("c", 130)
    for name, text in {
        "notebooks/source/00_start/lesson.py": "# %% [markdown] minutes=20\n# # 00 · Start: how?",
        "notebooks/source/02_hands/lesson.py": "# %% [markdown] minutes=70\n# # 02 · By hand? By whom?",
        "notebooks/source/06_text/lesson.py": "# %% [markdown] minutes=400\n# # 06 · Text (appendix): what?",
        "exercises/source/02_sheet_hands.py": "# %% [markdown]\n# # Sheet 02" + exercises + practice,
        "exercises/source/06_sheet_text.py": "# %% [markdown]\n# # Sheet 06" + exercises,
        "notebooks/source/paths.toml": PATHS,
        "exercises/source/B1_model.py": '# %% [markdown] minutes=1090 lessons=["00", "02"]\n# # B1 · A model' + exercises,
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path / "README.md"


def test_the_readme_has_a_row_for_each_part(readme):
    readme.write_text(f"before\n{lesson_table.BEGIN}\nold\n{lesson_table.END}\nafter\n")
    lesson_table.write(readme)
    lesson_table.write(readme)  # writing it again changes nothing
    lines = readme.read_text(encoding="utf-8").splitlines()
    assert [lines[0], lines[-1]] == ["before", "after"]
    assert lines[5:7] == [
        "| **Attention** | [00 Start](notebooks/00_start.ipynb) 20<br>[02 By hand?](notebooks/02_hands.ipynb) 70 "
        "| [02](exercises/02_sheet_hands.ipynb): 110 min | [B1 A model](exercises/B1_model.ipynb) 1090 |",
        "| **Positions, and the rest of a layer** | [06 Text](notebooks/06_text.ipynb) 400 "
        "| [06](exercises/06_sheet_text.ipynb): 110 min |  |",
    ]
    at = lines.index("The lessons take an estimated 8 hours in all, the cores of the sheets 4, and the Build 18.")
    assert lines[at + 1] == "Below its core, each sheet has more practice, which you can leave out: 2 hours in all."
    at = lines.index("* **The short one**, about 22 hours: 00, 02, B1, with the core of sheet 02.")
    assert lines[at + 1 : at + 4] == ["  For those in a hurry.", "", lesson_table.END]


def test_the_full_table_gives_titles_and_minutes(readme):
    assert lesson_table.table().splitlines() == [
        "The lessons take an estimated 8 hours, and the cores of their sheets another 4.",
        "Below its core, each sheet has more practice, which you can leave out: 2 hours in all.",
        "",
        "| lesson | minutes | sheet |",
        "| --- | --- | --- |",
        "| [00 · Start: how?](notebooks/00_start.ipynb) | 20 |  |",
        "| [02 · By hand? By whom?](notebooks/02_hands.ipynb) | 70 | [110](exercises/02_sheet_hands.ipynb) |",
        "| [06 · Text (appendix): what?](notebooks/06_text.ipynb) | 400 | [110](exercises/06_sheet_text.ipynb) |",
        "",
        "In **the Build** you write a Transformer yourself, stage by stage, and train it. Code that passes is added to",
        "`my_transformer.py` in your folder. It takes an estimated 18 hours.",
        "",
        "| stage | after lessons | minutes |",
        "| --- | --- | --- |",
        "| [B1 · A model](exercises/B1_model.ipynb) | 00, 02 | 1090 |",
    ]


def test_every_lesson_and_stage_is_in_one_part():
    text = lesson_table.overview()
    for source in (*course.lessons(), *course.sheets_and_stages()):
        assert text.count(f"/{source.name}.ipynb") == 1


def test_a_readme_without_the_markers_is_left_alone(tmp_path):
    readme = tmp_path / "README.md"
    readme.write_text("my own\n")
    with pytest.raises(ValueError, match="needs a line '<!-- lessons"):
        lesson_table.write(readme)
    assert readme.read_text() == "my own\n"
