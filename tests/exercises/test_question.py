"""A lesson's questions: their texts, what a cell prints and shows, and what learners read who misspell a name."""

import re

import pytest

from transformer_course.exercises import ask, predict, reveal
from transformer_course.exercises.api import RENAMED
from transformer_course.exercises.catalogue import question_groups, questions
from transformer_course.exercises.markup import marked


@pytest.mark.parametrize("question", questions().values(), ids=questions())
def test_a_question_has_choices_with_replies_and_one_of_them_is_right(question):
    assert question.text
    assert 2 <= len(question.choices) <= 4
    assert len(question.choices) >= 3 or question.id.count(".") == 2  # a prediction has at least three
    assert question.right in question.lettered
    texts = [choice.text for choice in question.choices]
    assert len(set(texts)) == len(texts)
    assert all(choice.text and choice.reply for choice in question.choices)
    assert all(lesson < question.id[:2] for lesson in question.origin)


PREDICTIONS = {name: question for name, question in questions().items() if name.count(".") == 1}


@pytest.mark.parametrize("question", PREDICTIONS.values(), ids=PREDICTIONS)
def test_the_right_choice_is_not_known_by_giving_a_reason_or_none(question):
    reasons = [bool(re.search(r", (since|so) | because ", choice.text)) for choice in question.choices]
    right = reasons.pop([*question.lettered].index(question.right))
    assert right in reasons


def test_the_right_choice_is_not_known_by_its_length():
    alone = {min: 0, max: 0}
    for question in PREDICTIONS.values():
        lengths = [len(choice.text) for choice in question.choices]
        right = len(question.lettered[question.right].text)
        for extreme in alone:
            alone[extreme] += right == extreme(lengths) and lengths.count(right) == 1
    assert all(count <= 0.4 * len(PREDICTIONS) for count in alone.values())


def test_no_two_questions_have_the_same_id():
    named = [question for group in question_groups().values() for question in group]
    assert len(named) + len(PREDICTIONS) == len(questions())


@pytest.mark.parametrize("show", [predict, reveal, ask])
def test_a_misspelt_or_missing_name_gets_the_nearest(show):
    wrong, nearest = ("02.recal", "02.recall") if show is ask else ("02.larg", "02.largest")
    assert f"'{wrong}'. The nearest name is `{nearest}`." in repr(show(wrong))
    for odd in ((), (3,), ([],), ("<b>",)):
        assert "The nearest name is" in repr(show(*odd))
        assert "<b>" not in show(*odd)._repr_html_()


@pytest.mark.parametrize(("old", "new"), RENAMED.items())
def test_a_renamed_question_is_found_in_a_changed_copy_of_an_older_lesson(old, new):
    assert old not in questions()
    for show in (predict, reveal):
        assert repr(show(old)) == repr(show(new))


def test_what_is_printed_has_the_choices_and_only_reveal_has_the_replies():
    question = questions()["02.zero"]
    assert repr(predict("02.zero")) == "\n".join(
        [question.text, *(f"  {letter}: {choice.text}" for letter, choice in question.lettered.items())]
    )
    revealed = repr(reveal("02.zero"))
    assert all(choice.reply in revealed for choice in question.choices)
    assert revealed.count("✓") == 1
    assert "(lesson 00)" in repr(ask("02.recall"))


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
            right = re.search(rf'data-choice="{question.right}".*?</details>', element, re.DOTALL)
            assert "✓" in right[0]
