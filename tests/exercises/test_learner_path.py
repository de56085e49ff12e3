"""Which path a learner follows: the one that was chosen, or what was passed before there were paths decides."""

import json
import re

import pytest

from transformer_course._util.folder_record import read_record, update_record
from transformer_course.exercises import ask, choose_path, learner_path, my_path, passes
from transformer_course.exercises.catalogue import by_lesson, question_groups
from transformer_course.exercises.workshop_folder import EXERCISES


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A learner's folder, in which the kernel of one of its notebooks runs."""
    monkeypatch.delenv("TRANSFORMER_COURSE_HOME")
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *_, **__: str(tmp_path / "account"))
    (tmp_path / "mine" / "notebooks").mkdir(parents=True)
    update_record(tmp_path / "mine", "notebooks/00_start_here.ipynb", "a fingerprint")
    monkeypatch.chdir(tmp_path / "mine" / "notebooks")
    return tmp_path / "mine"


def shown(card) -> str:
    """A card without the hours of the whole course, which each new lesson changes."""
    return re.sub(r"Everything, about \d+ hours", "Everything, about N hours", repr(card))


def test_a_choice_is_kept_in_the_folders_record_beside_what_was_delivered(folder, snapshot):
    assert shown(my_path()) == snapshot(name="default")
    assert shown(choose_path("paper")) == shown(choose_path("The paper")) == snapshot(name="chosen")
    assert read_record(folder) == {"notebooks/00_start_here.ipynb": "a fingerprint", "path": "paper"}
    assert my_path().title.startswith("Your path: The paper")
    for wrong in ("", "thesis", 3):
        assert choose_path(wrong).look == "failed"
    assert repr(choose_path("thesis")) == snapshot(name="no such path")
    assert learner_path.chosen(folder).id == "paper"


def test_outside_a_learners_folder_the_choice_is_kept_beside_the_accounts_passes(folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    choose_path("ideas")
    assert read_record(tmp_path / "account") == {"path": "ideas"}
    assert learner_path.followed().id == "ideas"
    assert learner_path.followed(folder).id == "gpt"


def test_a_choice_that_cannot_be_kept_is_told(folder, tmp_path, monkeypatch):
    monkeypatch.setenv("TRANSFORMER_COURSE_HOME", str(tmp_path / "file"))
    (tmp_path / "file").write_text("")
    card = choose_path("ideas")
    assert (card.look, card.title.startswith("Your path could not be saved (File exists): make ")) == ("failed", True)


@pytest.mark.parametrize(
    ("passed", "path"), [((), "gpt"), (("00", "02", "B1"), "gpt"), (("00", "01"), "everything"), (("B5",), "everything")]
)
def test_without_a_choice_those_who_passed_other_lessons_follow_the_whole_course(folder, passed, path):
    for number in passed:
        passes.remember(by_lesson()[number][0].id)
    assert learner_path.followed().id == path
    learner_path.keep(folder)
    passes.remember(by_lesson()["07"][0].id)
    assert learner_path.followed().id == path  # it was kept, so a pass of another lesson changes nothing
    choose_path("inside")
    learner_path.keep(folder)
    assert learner_path.followed().id == "inside"
    update_record(folder, "path", "a path of another version")
    assert learner_path.followed().id == "everything"


def test_a_folder_that_was_handed_out_with_some_lessons_leads_through_all_of_these(folder):
    update_record(folder, "only", ["01", "02"])
    learner_path.keep(folder)
    assert learner_path.followed().id == "everything"
    assert "path" not in read_record(folder)


def test_a_workshops_folder_follows_its_plan(folder, snapshot):
    update_record(folder, "path", "ideas")
    update_record(folder, EXERCISES, [])
    before = json.dumps(read_record(folder))
    assert learner_path.followed() is None
    assert [repr(card) for card in (my_path(), choose_path("gpt"))] == snapshot
    learner_path.keep(folder)
    assert json.dumps(read_record(folder)) == before


@pytest.mark.parametrize("kind", ["workshop", "path"])
def test_no_question_is_asked_about_a_lesson_that_is_left_out_or_comes_later(folder, tmp_path, kind, monkeypatch):
    if kind == "workshop":
        update_record(folder, EXERCISES, [])
        for name in ("00_start_here", "02_self_attention_by_hand", "04_masks"):
            (folder / "notebooks" / f"{name}.ipynb").touch()
        group, known = "04.recall", {"00", "02", "04"}
    else:
        choose_path("gpt")
        group, known = "09.recall", {"00", "02", "03", "04", "05"}
        assert "06" in learner_path.chosen().lessons - known  # after lesson 09 on this path
    kept = tuple(each for each in question_groups()[group] if {*each.origin} <= known)
    assert 0 < len(kept) < len(question_groups()[group])
    assert ask(group).questions == kept
    assert "your path leaves out" in repr(ask("15.recall"))
    monkeypatch.chdir(tmp_path)
    assert ask(group).questions == tuple(question_groups()[group])


def test_a_lesson_ends_with_a_link_to_what_follows_on_the_path(folder):
    stage = folder / "exercises" / "B3_several_heads.ipynb"
    stage.parent.mkdir()
    assert ask("05.exit").onward is None  # the folder has nothing else
    stage.touch()
    (folder / "notebooks" / "03_queries_keys_values_and_the_scale.ipynb").touch()
    assert '<a href="../exercises/B3_several_heads.ipynb">Build it: B3 · ' in ask("05.exit")._repr_html_()
    choose_path("ideas")
    assert repr(ask("02.exit")).endswith(
        "\n\nGo on with lesson 03 · Queries, keys, values, and the scale: "
        "../notebooks/03_queries_keys_values_and_the_scale.ipynb"
    )
    assert ask("02.recall").onward is None
