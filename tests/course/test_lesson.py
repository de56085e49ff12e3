"""Lessons, sheets and stages as objects, and what is said of a source that cannot be one."""

import pytest

from transformer_course import course
from transformer_course._util import paths
from transformer_course.course import Exercise, SourceError
from transformer_course.course.source import Block

LESSON = """# %% [markdown] minutes=40
# # 05 · Heads: what for?
# About {minutes} minutes.

# %% ask="05.recall"

# %% [markdown] seconds=15
# ## Two heads
#
# One costs $d^2$ words, about {seconds} seconds.

# %%
a = 1

# %% [markdown]
# <!-- picture -->
# a map.
#
# ## Before you go {#exit}
# <!-- answer -->
# **For this.**

# %% [markdown]
# ## Deeper {#deeper}
# <!-- answer -->
# **For that.**
"""
SHEET = """# %% [markdown]
# # Sheet 05 · Heads
# About {minutes} minutes, then {practice}.

# %% [markdown]
# ## 1 · Split

# %% exercise="heads.split" form="program" minutes=12 difficulty=2
x = 1

# %% [markdown]
# ## More practice {#practice}
#
# ## A few words of NumPy
#
# ## 2 · Join

# %% exercise="heads.join" form="by hand" minutes=6 difficulty=1
y = 1
"""
STAGE = """# %% [markdown] minutes=50 lessons=["05"] stages=["B2"]
# # B3 · Several heads
# You need {lessons} and {stages}.
"""
ABOUT = "\n# # 05 · Heads: what for?\n# About {minutes} minutes."
# Each case: a file, and what is put in place of something in it.
FAULTS = {
    "no cells": ("lesson", LESSON, "Heads."),
    "text above the first cell": ("lesson", "# %% [markdown] minutes=40", '"""Heads."""\n\n# %% [markdown] minutes=40'),
    "an unknown key": ("lesson", "seconds=15", "second=15"),
    "a cell with a title": ("lesson", "# %%\na = 1", "# %% Try it\na = 1"),
    "a value without quotes": ("lesson", '"05.recall"', "05.recall"),
    "a value of the wrong type": ("lesson", "minutes=40", 'minutes="40"'),
    "numbers for lessons": ("stage", 'lessons=["05"]', "lessons=[5]"),
    "an unknown tag": ("lesson", "# %%\na = 1", '# %% tags=["resumes"]\na = 1'),
    "an unknown block": ("lesson", "<!-- picture -->", "<!-- figure -->"),
    "a question with code": ("lesson", '# %% ask="05.recall"\n', '# %% ask="05.recall"\na = 1\n'),
    "no title": ("lesson", "# # 05 · Heads: what for?", "# 05 · Heads: what for?"),
    "no minutes": ("lesson", "minutes=40", ""),
    "no minutes in a lesson that names none": ("lesson", f"minutes=40{ABOUT}", ABOUT.split("# About")[0]),
    "minutes that nothing fills": ("lesson", "a map.", "a map, {minutes} minutes long."),
    "a comment within a line": ("lesson", "# **For that.**", "# **For that.** <!-- end -->"),
    "an id within a line": ("lesson", "## Two heads", "## Two {#two} heads"),
    "one id twice": ("lesson", "## Two heads", "## Two heads {#exit}"),
    "a part that nothing names": ("lesson", "## Before you go {#exit}", "## Before you go"),
    "an exercise without its difficulty": ("sheet", " difficulty=2", ""),
    "an exercise without its form": ("sheet", 'form="program" ', ""),
    "an exercise of difficulty 4": ("sheet", "difficulty=2", "difficulty=4"),
    "two exercises under one heading": ("sheet", "# ## A few words of NumPy\n#\n# ## 2 · Join", "# Join"),
    "practice in a sheet without it": ("sheet", " {#practice}", ""),
    "a stage that needs nothing": ("stage", STAGE, "# %% [markdown] minutes=50\n# # B3 · Several heads"),
}


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.setattr(paths, "ROOT", tmp_path)
    texts = {
        "lesson": ("notebooks/source/05_heads/lesson.py", LESSON),
        "sheet": ("exercises/source/05_sheet_heads.py", SHEET),
        "stage": ("exercises/source/B3_several_heads.py", STAGE),
    }
    for name, text in texts.values():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return {kind: tmp_path / name for kind, (name, _) in texts.items()}


def test_a_lesson_has_parts_and_says_what_is_in_them(files):
    lesson = course.lesson("05")
    assert (lesson.name, lesson.link, lesson.minutes) == ("05_heads", "notebooks/05_heads.ipynb", 40)
    assert (lesson.title, lesson.short_title) == ("05 · Heads: what for?", "05 · Heads")
    title, two, leaving, deeper = lesson.parts
    assert (title.id, title.asks, title.runs, title.cells) == ("title", [("ask", "05.recall")], 0, [1, 2])
    assert (two.runs, two.seconds, two.begins, two.words) == (1, 15, 3, 9)
    assert (leaving.id, leaving.begins, leaving.blocks) == ("exit", 5, [(5, Block("answer", "**For this.**", 3))])
    assert (two.count("picture"), leaving.count("picture", "answer")) == (1, 1)
    assert lesson.core == [title, two, leaving]
    assert deeper.cells == [6, 7]  # with the links below
    assert lesson.part("exit") == leaving
    assert lesson.block("answer") == "**For this.**"


def test_a_sheet_adds_up_the_minutes_of_its_core_and_of_its_practice_and_shows_them(files):
    sheet = course.sheet("05")
    assert sheet.exercises == [
        Exercise("heads.split", "Split", "program", 12, 2),
        Exercise("heads.join", "Join", "by hand", 6, 1, core=False),
    ]
    assert (sheet.minutes, sheet.practice_minutes) == (10, 5)  # to five
    assert "About 10 minutes, then 5." in sheet.cells[0].text
    assert sheet.cells[1].text == "## 1 · Split (program, 12 minutes, ●●○)"
    assert sheet.cells[3].text.endswith("## 2 · Join (by hand, 6 minutes, ●○○)")


def test_a_stage_says_what_it_needs_and_lessons_lead_to_it(files):
    stage = course.stage("B3")
    assert (stage.lessons, stage.stages, stage.minutes) == (["05"], ["B2"], 50)
    assert "You need lesson 05 and stage B2." in stage.cells[0].text
    assert course.stages_of(course.lesson("05")) == [stage]
    assert course.sources() == [course.lesson("05"), course.sheet("05"), stage]
    assert course.sheet("B3") == stage


def test_the_stages_of_the_course_follow_their_lessons():
    found = {lesson.number: [stage.number for stage in course.stages_of(lesson)] for lesson in course.lessons()}
    assert found["00"] == ["B1"]
    assert found["04"] == ["B2"]
    assert {number for numbers in found.values() for number in numbers} == {stage.number for stage in course.stages()}


def use() -> None:
    """Ask everything of the sources."""
    for source in course.sources():
        source.title, source.minutes, source.exercises, source.parts
    course.lesson("05").part("exit")
    course.stages_of(course.lesson("05"))


def test_what_cannot_be_used_is_told_with_its_file_and_line_and_what_to_write(files, snapshot):
    use()
    told = {}

    def tell(case):
        with pytest.raises(SourceError) as refused:
            use()
        told[case] = str(refused.value)

    for case, (kind, old, new) in FAULTS.items():
        text = files[kind].read_text(encoding="utf-8")
        assert old in text, case
        files[kind].write_text(text.replace(old, new, 1), encoding="utf-8")
        tell(case)
        files[kind].write_text(text, encoding="utf-8")
    other = files["lesson"].parents[1] / "05_more" / "lesson.py"
    other.parent.mkdir()
    files["lesson"].rename(other)
    files["lesson"].write_text(LESSON, encoding="utf-8")
    tell("two lessons with one number")
    assert told == snapshot
    other.unlink()
    with pytest.raises(LookupError, match=r"^there is no '06'; there are 05$"):
        course.lesson("06")
