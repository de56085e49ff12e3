"""How long sessions take."""

from dataclasses import replace

import pytest
from workshop_pages import EACH

from transformer_course import course
from transformer_course.course.part import EXIT, Part
from transformer_course.course.source import Block
from transformer_course.exercises.catalogue import exercise_minutes
from transformer_course.workshop import leader_pages, minutes, session_contents
from transformer_course.workshop.activity import DRAG, RUN_CELLS, VOTE
from transformer_course.workshop.sessions import Lead, Plan, Practise, Talk


def plan_of(*items) -> Plan:
    return Plan(name="test", title="A test", audience="", handouts=(), items=items)


def test_a_section_takes_what_its_parts_take():
    blocks = [(0, Block(kind, "", 0)) for kind in ("picture", "paper", "task", "compare")]
    asks = [("predict", "02.zero"), ("ask", "02.recall")]
    part = Part("id", "A heading", 0, prose=["word " * 118], blocks=blocks, asks=asks, runs=2, seconds=30)
    assert minutes.of_part(part).total() == pytest.approx(120 / 120 + 2 * 0.5 + 0.5 + 2 * 4 + 3 + 30 / 60)
    assert minutes.saved(replace(part, seconds=180), 20) == 15  # without comment, its cells take 2 · 0.5 + 3 minutes


def test_slack_is_added_and_not_rounded_away_again():
    exercises = ("attention.by_hand", "attention.zero_token")
    stated = sum(exercise_minutes("02")[name] for name in exercises)
    talk = Talk(title="A talk", minutes=7, note="")
    practised, talked = minutes.sessions(plan_of(Practise(lesson="02", exercises=exercises), talk))
    assert abs(practised - 1.2 * (stated + minutes.DEBRIEF)) <= 0.5
    assert talked == 7  # what a plan states is kept


def test_a_room_that_knows_less_is_asked_less():
    """Questions about lessons that the room has not had are not asked, so they take no time."""
    lead = Lead(lesson="05", stop="exit")
    before = [Lead(lesson=number, stop="exit") for number in ("02", "03", "04")]
    assert minutes.sessions(plan_of(*before, lead))[-1] > minutes.sessions(plan_of(lead))[0]


@EACH
def test_half_way_is_near_the_middle_of_every_long_session(plan):
    for slot in leader_pages.clock(plan):
        if isinstance(slot.item, Lead):
            mark = minutes.halfway(slot.parts, slot.minutes)
            assert mark or slot.minutes < 45, slot
            assert not mark or 0.25 < mark[0] / slot.minutes < 0.75, slot


@EACH
def test_the_headings_of_a_session_follow_each_other_and_fill_it(plan):
    """What is left are the questions at the end."""
    for slot in leader_pages.clock(plan):
        begins = 0
        for start, length in slot.parts.values():
            assert abs(start - begins) <= 1, slot
            begins = start + length
        if isinstance(slot.item, Lead):
            asked = session_contents.final_questions(slot.item) if slot.item.stop == EXIT else []
            assert abs(begins + minutes.SLACK * minutes.QUESTION * len(asked) - slot.minutes) <= 1.5, slot


def test_a_question_on_the_way_takes_time_like_one_at_the_end():
    part = course.lesson("14").part("loss")
    assert [question.id for question in session_contents.questions_of(part) if not question.is_prediction]
    _, length = minutes.parts(plan_of(Lead(lesson="14", stop="gradient")))[0]["loss"]
    assert length == round(minutes.SLACK * (minutes.of_part(part).total() + minutes.QUESTION))


def test_what_a_session_adds_is_counted_where_it_happens():
    plain = Lead(lesson="02", stop="exit")
    with_paper = replace(plain, paper_before="average", extra_minutes={"average": 10})
    without, with_it = (minutes.parts(plan_of(lead))[0] for lead in (plain, with_paper))
    longer = {name for name in without if with_it[name][1] > without[name][1]}
    assert longer == {"average"}
    assert with_it["average"][1] - without["average"][1] == 12


def test_of_a_prediction_only_the_guess_counts_as_doing_and_running_a_cell_does_not():
    part = Part("id", "", 0, asks=[("predict", "02.zero")], runs=2, drags=1)
    found = minutes.of_part(part)
    assert {str(name) for name, spent in found.items() if spent and name.is_doing} == {str(VOTE), str(DRAG)}
    assert (found[VOTE], found[DRAG], found[RUN_CELLS]) == (1.5, 2, 1)
