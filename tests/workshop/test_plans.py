"""The plans fit the lessons, and a room has the time that they ask for."""

import re
from dataclasses import replace

import pytest
from workshop_pages import EACH, EACH_WRITTEN, of, visible

from transformer_course import course
from transformer_course.course.part import EXIT
from transformer_course.exercises.catalogue import by_lesson
from transformer_course.workshop import leader_pages, lesson, make, minutes, session_contents
from transformer_course.workshop.activity import CODE, DRAG, EXPLAIN, PAPER, RESERVE, VOTE
from transformer_course.workshop.exit_tickets import TICKETS
from transformer_course.workshop.plans import PLANS
from transformer_course.workshop.plans.talks_and_breaks import BRIDGE
from transformer_course.workshop.sessions import Break, Lead, Pause, Practise


@EACH
def test_every_part_exercise_and_question_of_a_plan_exists(plan):
    session_contents.check(plan)
    for lead in of(plan, Lead):
        source = course.lesson(lead.lesson)
        ids = [part.id for part in source.parts]
        way = ids[ids.index(lead.start) if lead.start else 0 : ids.index(lead.stop)]
        assert {*lead.cut, *lead.run_silently} <= set(way[1:])
        assert lead.skip_if_late in {"", *(part.id for part in session_contents.discussed(lead))}
        assert not (lead.ends_with_summary and lead.summary)
        assert source.block("answer").replace("\n", " ").startswith(lead.summary.removesuffix("."))
        last = {question.id for part in source.parts if part.id == EXIT for question in lesson.asked(part)}
        assert {*lead.skip_questions} <= last, lead
    for practise in of(plan, Practise):
        sheet = [exercise.id for exercise in by_lesson()[practise.lesson]]
        for names in (practise.exercises, practise.if_time):
            assert list(names) == sorted(names, key=sheet.index)


def test_a_plan_that_does_not_fit_the_lessons_is_refused_before_anything_is_written(tmp_path, monkeypatch, snapshot):
    masks = Lead(lesson="04", stop="padding")
    wrong = {
        "no such part": replace(masks, skip_if_late="late-maks"),
        "a part without a note": replace(masks, stop="deeper"),
        "a part without an id": Lead(lesson="01", stop=EXIT, cut=("title",)),
    }
    told = {}
    for case, lead in wrong.items():
        monkeypatch.setitem(PLANS, "day", replace(PLANS["day"], items=(lead,)))
        with pytest.raises(session_contents.PlanError) as refused:
            make.make("day", tmp_path / "day")
        told[case] = str(refused.value)
    assert told == snapshot
    assert not (tmp_path / "day").exists()


@EACH
def test_what_is_practised_was_led_before_and_nothing_comes_twice(plan):
    led, done = set(), []
    for item in plan.items:
        if isinstance(item, Lead):
            assert (item.lesson in led) == bool(item.start)
            led.add(item.lesson)
        elif isinstance(item, Practise):
            assert item.lesson in led
            done += [*item.exercises, *item.if_time]
    assert len(done) == len(set(done))
    assert led & {"15", "26"}  # a lesson in which everybody trains something


# Where a lesson teaches what an exercise needs, for all exercises of the plans.
NEEDS = {
    "attention.by_hand": {"scores", "weights"},
    "attention.zero_token": {"weights", "average"},
    "attention.softmax": {"all-rows", "large-scores"},
    "attention.self_attention": {"all-rows"},
    "attention.hidden_fault": {"all-rows"},
    "attention.wrong_row": {"weights", "large-scores"},
    "attention.shapes": {"shapes"},
    "attention.score_spread": {"scale"},
    "attention.scaled_dot_product": {"shapes", "scale"},
    "attention.one_way": {"shapes", "scale"},
    "attention.causal_by_hand": {"next-token"},
    "attention.causal_mask": {"next-token"},
    "attention.padding_mask": {"padding"},
    "attention.late_mask": {"late-mask"},
    "heads.split": {"one-product"},
    "heads.merge": {"one-product"},
    "decoder.reach": {"influence"},
    "decoder.swapped": {"by-hand"},
    "decoder.leak": {"mask"},
    "training.by_hand": {"loss"},
    "training.underflow": {"loss"},
    "training.shift": {"shift"},
    "training.loss": {"loss"},
    "training.rare": {"failures"},
    "assistant.trap": {"mask"},
    "assistant.labels": {"mask"},
}


@EACH
def test_nothing_that_an_exercise_needs_is_cut_or_left_out_when_late(plan):
    taught = set()
    for item in plan.items:
        if isinstance(item, Lead):
            led = session_contents.discussed(item)
            taught |= {(item.lesson, part.id) for part in led if part.id != item.skip_if_late}
        elif isinstance(item, Practise):
            for name in (*item.exercises, *item.if_time):
                assert {(item.lesson, part) for part in NEEDS[name]} <= taught, name


LONGEST = {"half-day": 4, "after-pretraining": 2}  # hours


@EACH
def test_a_plan_has_breaks_and_ends_when_people_go_home(plan):
    sitting = without_a_break = 0
    for slot in leader_pages.clock(plan):
        sitting = 0 if isinstance(slot.item, Break | Pause) else sitting + slot.minutes
        without_a_break = 0 if isinstance(slot.item, Break) else without_a_break + slot.minutes
        assert sitting <= 100, slot
        assert without_a_break <= 120, slot
    hours = [(end - plan.starts) / 60 for end in leader_pages.ends(plan)]
    assert all(length <= LONGEST.get(plan.name, 8.25) for length in hours)
    assert len(hours) == len(TICKETS[plan.name]) == (2 if plan.name == "two-days" else 1)


def test_in_half_a_day_people_do_something_in_two_fifths_of_the_time_and_the_timetable_adds_it_up(contents):
    """Breaks are left out, and the reserve counts as time in which nobody does anything."""
    plan = PLANS["half-day"]
    spent = minutes.by_activity(plan)
    doing, total = sum(length for activity, length in spent.items() if activity.is_doing), sum(spent.values())
    assert doing >= 0.4 * total
    assert spent[RESERVE] > 20
    assert {PAPER, VOTE, DRAG, CODE, EXPLAIN} <= {*spent}
    for name in (make.first_page(plan.name), "to-print/timetable.html"):
        page = visible(contents[plan.name][name])
        assert f"Peopledosomethingthemselvesin{doing}of{total}minutes" in page
        assert all(
            f"{length}{100 * length / total:.0f}%{activity}".replace(" ", "") in page for activity, length in spent.items()
        )


@EACH_WRITTEN
def test_the_minutes_of_all_activities_and_breaks_are_those_of_the_plan(plan, contents):
    slots = [*leader_pages.clock(plan)]
    working = sum(slot.minutes for slot in slots if not isinstance(slot.item, Break | Pause))
    assert abs(sum(minutes.by_activity(plan).values()) - working) <= len(slots) / 2  # each session is rounded
    assert all(sum(getattr(item, "does", {}).values()) <= getattr(item, "minutes", 0) for item in plan.items)
    breaks = sum(slot.minutes for slot in slots if isinstance(slot.item, Break | Pause))
    page = visible(contents[plan.name][make.first_page(plan.name)])
    assert abs(int(re.search(r"(\d+)breaks,andwhatisroundedup", page)[1]) - breaks) <= 5 * len(slots)


def test_the_bridge_names_five_things():
    assert len({*re.findall(r"\*\*([^*.:]+)\*\*", BRIDGE.note)}) == 5
    assert re.findall(r"\*\*([^*.:]+):\*\*", BRIDGE.slide) == ["Loss", "Teacher forcing"]


def test_half_a_day_is_not_handed_the_scaled_formula(contents):
    """Its plan leaves scores unscaled: the card would give a wrong answer to its first exercise."""
    assert "03" not in PLANS["half-day"].lessons()
    assert not any("shapes_and_symbols" in name for name in contents["half-day"])
    assert "shapes_and_symbols" not in contents["half-day"][make.first_page("half-day")]
