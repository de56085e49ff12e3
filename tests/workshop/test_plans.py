"""The plans fit the lessons, and a room has the time that they ask for."""

from workshop_pages import EACH, of

from transformer_course.exercises.catalogue import by_lesson
from transformer_course.workshop import leader_pages, lesson, make, session_contents
from transformer_course.workshop.exit_tickets import TICKETS
from transformer_course.workshop.plans import PLANS
from transformer_course.workshop.sessions import FINAL_QUESTIONS, Break, Lead, Pause, Practise


@EACH
def test_every_heading_exercise_and_question_of_a_plan_exists(plan):
    for lead in of(plan, Lead):
        headings = [part.heading for part in lesson.sections(lead.lesson)]
        assert {lead.stop, *lead.cut, lead.start or lead.stop} <= set(headings), lead
        way = headings[headings.index(lead.start) if lead.start else 0 : headings.index(lead.stop)]
        assert {*lead.cut, *lead.run_silently} <= set(way[1:])
        assert lead.skip_if_late in {"", *(part.heading for part in session_contents.discussed(lead))}
        assert not (lead.ends_with_summary and lead.summary)
        assert lesson.summary(lead.lesson).replace("\n", " ").startswith(lead.summary.removesuffix("."))
        last = {asked.question.id for asked in lesson.asked(lead.lesson) if asked.heading == FINAL_QUESTIONS}
        assert {*lead.skip_questions} <= last, lead
    for practise in of(plan, Practise):
        sheet = [exercise.id for exercise in by_lesson()[practise.lesson]]
        for names in (practise.exercises, practise.if_time):
            assert list(names) == sorted(names, key=sheet.index)


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
    assert "15" in led


# Where a lesson teaches what an exercise needs, for all exercises of the plans.
NEEDS = {
    "attention.by_hand": {"How well do two tokens match?", "From scores to weights"},
    "attention.zero_token": {"From scores to weights", "The weighted average"},
    "attention.softmax": {"All three rows at once", "Before you write your own"},
    "attention.hidden_fault": {"All three rows at once", "What the matrices decide"},
    "attention.wrong_row": {"From scores to weights", "Before you write your own"},
    "attention.shapes": {"Two tokens look at three"},
    "attention.scaled_dot_product": {"Two tokens look at three", "Longer vectors"},
    "attention.causal_by_hand": {"Predicting the next token"},
    "attention.causal_mask": {"Predicting the next token"},
    "attention.padding_mask": {"Padding"},
    "attention.late_mask": {"The other place for a mask"},
    "heads.split": {"All heads in one product"},
    "heads.merge": {"All heads in one product"},
    "residual.by_hand": {"One plus sign, by hand"},
    "decoder.reach": {"Who can see whom?"},
    "decoder.leak": {"Training with and without the mask"},
    "training.by_hand": {"From probabilities to a loss"},
    "training.shift": {"What goes in, and what comes out"},
    "training.rare": {"Where does it fail?"},
}


@EACH
def test_nothing_that_an_exercise_needs_is_cut_or_left_out_when_late(plan):
    taught = set()
    for item in plan.items:
        if isinstance(item, Lead):
            taught |= {part.heading for part in session_contents.discussed(item)} - {item.skip_if_late}
        elif isinstance(item, Practise):
            for name in (*item.exercises, *item.if_time):
                assert NEEDS[name] <= {part.heading for part in lesson.sections(item.lesson)}
                assert NEEDS[name] <= taught, name


@EACH
def test_a_plan_has_breaks_and_ends_when_people_go_home(plan):
    sitting = without_a_break = 0
    for slot in leader_pages.clock(plan):
        sitting = 0 if isinstance(slot.item, Break | Pause) else sitting + slot.minutes
        without_a_break = 0 if isinstance(slot.item, Break) else without_a_break + slot.minutes
        assert sitting <= 100, slot
        assert without_a_break <= 120, slot
    hours = [(end - plan.starts) / 60 for end in leader_pages.ends(plan)]
    assert all(length <= (4 if plan.name == "half-day" else 8.25) for length in hours)
    assert len(hours) == len(TICKETS[plan.name]) == (2 if plan.name == "two-days" else 1)


def test_half_a_day_is_not_handed_the_scaled_formula(contents):
    """Its plan leaves scores unscaled: the card would give a wrong answer to its first exercise."""
    assert "03" not in PLANS["half-day"].lessons()
    assert not any("shapes_and_symbols" in name for name in contents["half-day"])
    assert "shapes_and_symbols" not in contents["half-day"][make.first_page("half-day")]
