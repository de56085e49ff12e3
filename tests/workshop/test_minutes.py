"""How long sessions take."""

from dataclasses import replace

import pytest
from workshop_pages import EACH

from transformer_course.exercises.catalogue import exercise_minutes
from transformer_course.workshop import leader_pages, lesson, minutes, session_contents
from transformer_course.workshop.sessions import FINAL_QUESTIONS, Lead, Plan, Practise, Talk


def plan_of(*items) -> Plan:
    return Plan(name="test", title="A test", audience="", handouts=(), items=items)


def test_a_section_takes_what_its_parts_take():
    part = lesson.Section(
        "A heading", 0, prose=["word " * 118 + "**In the picture:** a\n**Your turn, on paper.** about 30 seconds"]
    )
    part.runs = 2
    words = part.prose_words
    expected = words / 120 + 2 * 0.5 + 0.5 + 4 + 30 / 60
    assert minutes.section(part) == pytest.approx(expected)


def test_slack_is_added_and_not_rounded_away_again():
    exercises = ("attention.by_hand", "attention.zero_token")
    stated = sum(exercise_minutes("02")[name] for name in exercises)
    talk = Talk(title="A talk", minutes=7, note="")
    practised, talked = minutes.sessions(plan_of(Practise(lesson="02", exercises=exercises), talk))
    assert abs(practised - 1.2 * (stated + minutes.DEBRIEF)) <= 0.5
    assert talked == 7  # what a plan states is kept


def test_a_room_that_knows_less_is_asked_less():
    """Questions about lessons that the room has not had are not asked, so they take no time."""
    lead = Lead(lesson="05", stop="Before you go")
    before = [Lead(lesson=number, stop="Before you go") for number in ("02", "03", "04")]
    assert minutes.sessions(plan_of(*before, lead))[-1] > minutes.sessions(plan_of(lead))[0]


@EACH
def test_half_way_is_near_the_middle_of_every_long_session(plan):
    for slot in leader_pages.clock(plan):
        if isinstance(slot.item, Lead):
            mark = minutes.halfway(slot.headings, slot.minutes)
            assert mark or slot.minutes < 45, slot
            assert not mark or 0.25 < mark[0] / slot.minutes < 0.75, slot


@EACH
def test_the_headings_of_a_session_follow_each_other_and_fill_it(plan):
    """What is left are the questions at the end."""
    for slot in leader_pages.clock(plan):
        begins = 0
        for start, length in slot.headings.values():
            assert abs(start - begins) <= 1, slot
            begins = start + length
        if isinstance(slot.item, Lead):
            asked = session_contents.final_questions(slot.item) if slot.item.stop == FINAL_QUESTIONS else []
            assert abs(begins + minutes.SLACK * minutes.QUESTION * len(asked) - slot.minutes) <= 1.5, slot


def test_a_question_on_the_way_takes_time_like_one_at_the_end():
    lead = Lead(lesson="14", stop="One step of gradient descent")
    (asked,) = (asked for asked in session_contents.questions_in(lead) if not asked.is_prediction)
    (part,) = (part for part in session_contents.discussed(lead) if part.heading == asked.heading)
    _, length = minutes.headings(plan_of(lead))[0][asked.heading]
    assert length == round(minutes.SLACK * (minutes.section(part) + minutes.QUESTION))


def test_what_a_session_adds_is_counted_where_it_happens():
    plain = Lead(lesson="02", stop="Before you go")
    with_paper = replace(plain, paper_before="The weighted average", extra_minutes=10)
    without, with_it = (minutes.headings(plan_of(lead))[0] for lead in (plain, with_paper))
    longer = {name for name in without if with_it[name][1] > without[name][1]}
    assert longer == {"The weighted average"}
    assert with_it["The weighted average"][1] - without["The weighted average"][1] == 12
