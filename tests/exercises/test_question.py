"""A lesson's questions: what a cell prints and shows, and what learners read who misspell a name."""

import re

import pytest

from transformer_course.exercises import ask, predict, reveal
from transformer_course.exercises.api import RENAMED
from transformer_course.exercises.catalogue import question_groups, questions
from transformer_course.exercises.markup import marked


def test_a_misspelt_name_gets_the_nearest_and_a_missing_one_an_example(snapshot):
    names = {"a prediction": (predict, "02.larg"), "a reply": (reveal, "02.larg"), "a group": (ask, "02.recal")}
    names |= {"a number": (ask, 3), "a list": (predict, []), "no name": (ask,)}
    assert {case: repr(show(*name)) for case, (show, *name) in names.items()} == snapshot
    assert "<b>" not in predict("<b>")._repr_html_()


def test_a_renamed_question_is_found_in_a_changed_copy_of_an_older_lesson():
    for old, new in RENAMED.items():
        assert old not in questions()
        for show in (predict, reveal):
            assert repr(show(old)) == repr(show(new))


def test_only_reveal_prints_replies(snapshot):
    shown = {"predict": predict("02.zero"), "reveal": reveal("02.zero"), "ask": ask("02.recall")}
    assert {name: repr(view) for name, view in shown.items()} == snapshot


@pytest.mark.parametrize("show", [predict, reveal])
def test_every_run_gives_the_same_html_and_a_prediction_no_reply(show):
    for name, question in questions().items():
        page = show(name)._repr_html_()
        assert page == show(name)._repr_html_()
        assert page.count("<details") == len(question.choices)
        replies = [marked(choice.reply) in page for choice in question.choices]
        assert all(replies) if show is reveal else not any(replies)


def test_a_group_is_shown_whole_with_every_reply_and_its_mark():
    for name, group in question_groups().items():
        page = ask(name)._repr_html_()
        assert page.count("<course-question") == len(group)
        assert page.count("✓") == len(group)
        assert all(marked(choice.reply) in page for question in group for choice in question.choices)
        for question, element in zip(group, re.findall("<course-question.*?</course-question>", page, re.DOTALL), strict=True):
            right = re.search(rf"<details[^>]*><summary><b>{question.right}</b>.*?</details>", element, re.DOTALL)
            assert "✓" in right[0]
