"""The limits of texts: each is found where it is broken, and nothing where it holds."""

import importlib.util
import shutil
from dataclasses import replace

import pytest

from transformer_course import course
from transformer_course._util import paths

SPEC = importlib.util.spec_from_file_location("lint_texts", paths.ROOT / "tools" / "lint_texts.py")
lint = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(lint)

LESSON, SHEET, STAGE = (each.file for each in (course.lesson("04"), course.sheet("04"), course.stage("B2")))
QUESTIONS = "notebooks/source/04_masks/questions.md"
CODE, TEXT = "# %%\nnames = [", "# Let the text be *red car orange*"
EXERCISE = ' form="on paper" minutes=6 difficulty=2'
# Each case: a file, and what is put in place of something in it, wherever it is.
FAULTS = {
    "a long line": (LESSON, CODE, f"# %%\n# {'x' * 110}\nnames = ["),
    "Markdown in HTML": (LESSON, TEXT, f"# <details>\n# Use `softmax`.</details>\n{TEXT}"),
    "a figure without words": (LESSON, "# <!-- picture -->\n# the three", "# The three"),
    "a task without its mark": (LESSON, TEXT, f"# **Your turn.**\n#\n{TEXT}"),
    "a wait by hand": (LESSON, TEXT, f"# This takes about 30\n# seconds.\n#\n{TEXT}"),
    "minutes by hand": (LESSON, "About {minutes} minutes", "About 20 minutes"),
    "long cells": (LESSON, "\n# %%\n", "\n# %%\n" + "1\n" * 7 + "\n# %%\n"),
    "too many words": (LESSON, TEXT, f"# {'word ' * 1500}\n{TEXT}"),
    "no prediction": (LESSON, "# %% predict=", "# %% ask="),
    "too many minutes": (LESSON, "minutes=19", "minutes=29"),
    "verdicts": ("notebooks/04_masks.ipynb", '"        [1., 1., 2.]])\\n"', '"True\\n", "False\\n", "True\\n"'),
    "an exercise without minutes": (SHEET, EXERCISE, ""),
    "a sum by hand": (SHEET, "# ## 1 · One causal row", "# It takes about 99 minutes in all.\n#\n# ## 1 · One causal row"),
    "a long core": (SHEET, EXERCISE, EXERCISE.replace("6", "16")),
    "a long stage": (STAGE, "# ## ", f"# {'word ' * 1200}\n#\n# ## "),
    "a stage's minutes": (STAGE, "minutes=60", "minutes=6"),
}


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """A copy of all sources, and of the built lesson 04."""
    for folder in paths.FOLDERS:
        shutil.copytree(paths.ROOT / folder / "source", tmp_path / folder / "source")
    shutil.copy(paths.ROOT / "notebooks" / "04_masks.ipynb", tmp_path / "notebooks")
    monkeypatch.setattr(paths, "ROOT", tmp_path)
    return tmp_path


def test_a_fault_in_a_lesson_a_sheet_or_a_stage_is_found(clone, snapshot):
    sources = {LESSON: course.lesson("04"), SHEET: course.sheet("04"), STAGE: course.stage("B2")}
    assert [finding for source in sources.values() for finding in lint.of_source(source)] == []
    found = {}
    for case, (name, old, new) in FAULTS.items():
        text = (clone / name).read_text(encoding="utf-8")
        assert old in text, case
        (clone / name).write_text(text.replace(old, new), encoding="utf-8")
        found[case] = [f"{line}: {says}" for line, says in lint.of_source(sources.get(name, sources[LESSON]))]
        (clone / name).write_text(text, encoding="utf-8")
    assert found == snapshot


def test_a_fault_in_a_question_is_found(snapshot):
    (good,) = (question for question in course.lesson("04").questions if question.id == "04.row")
    first, second, right, *rest = good.choices
    assert (good.right, rest, list(lint.form_of(good))) == ("c", [], [])
    changed = {
        "two choices": replace(good, choices=(second, right), right="b"),
        "the same twice": replace(good, choices=(first, first, right)),
        "another letter": replace(good, choices=(first, second, replace(right, reply="Yes: it is.")), right="a"),
        "the only reason": replace(good, choices=(first, second, replace(right, text="None, because it is masked"))),
    }
    assert {case: list(lint.form_of(question)) for case, question in changed.items()} == snapshot


RETIRED = {  # each with the line of the word
    "page.md": ("Here.\n```\nno closing norm\n```\nThe closing norm comes last; `closing norm` in code is not read.\n", 5),
    "01_x/lesson.py": ("# %% [markdown]\n# Subtract: take\n# off the\n# mean.\n\n# %%\ncommonest = 1\n", 3),
    "module.py": ('"""Twice."""\n\nraise ValueError("expected 3, saw 4")\nlest = 1\n', 3),
}


def test_a_retired_word_is_found_where_people_read_and_only_there(tmp_path):
    (tmp_path / "01_x").mkdir()
    for name, (text, _) in RETIRED.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = {name: [line for line, _ in lint.retired_words(tmp_path / name)] for name in RETIRED}
    assert found == {name: [line] for name, (_, line) in RETIRED.items()}


def test_the_command_names_the_file_and_the_line_and_fails(clone, capsys, snapshot):
    assert (lint.main(["04"]), capsys.readouterr().out) == (0, "")
    assert lint.main(["4", "04"]) == 2
    text = (clone / SHEET).read_text(encoding="utf-8")
    (clone / SHEET).write_text(text + "\n# %% [markdown]\n# The likeliest token.\n", encoding="utf-8")
    assert lint.main(["04", "B2"]) == 1
    assert lint.main(["B2"]) == 0
    (clone / SHEET).write_text(text, encoding="utf-8")
    asked = (clone / QUESTIONS).read_text(encoding="utf-8")
    (clone / QUESTIONS).write_text(asked.replace("About 20", "The likeliest", 1), encoding="utf-8")
    assert lint.main(["04"]) == 1
    (clone / QUESTIONS).write_text(asked.replace("- [x]", "- [ ]", 1), encoding="utf-8")
    assert lint.main(["04"]) == 1
    file = clone / "notebooks" / "source" / "paths.toml"
    listed = file.read_text(encoding="utf-8")
    file.write_text(listed.replace('"03", "04", "sheet 04", "B2"', '"B2", "03", "04"'), encoding="utf-8")
    assert lint.main(["B2"]) == 1
    assert capsys.readouterr().out == snapshot
