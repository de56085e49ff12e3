"""How long sessions take."""

import pytest
from workshop_pages import EACH

from transformer_course.exercises.catalogue import exercise_minutes
from transformer_course.workshop import leader_pages, lesson, minutes
from transformer_course.workshop.sessions import Lead, Plan, Practise, Talk


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
            mark = minutes.halfway(slot.item, slot.minutes)
            assert mark or slot.minutes < 45, slot
            assert not mark or 0.25 < mark[0] / slot.minutes < 0.75, slot
