"""The slides of lessons and workshops, read from the stored notebooks."""

import re

import pytest
from workshop_pages import EACH, EACH_WRITTEN, of, visible

from transformer_course import course
from transformer_course.course.part import EXIT, TITLE
from transformer_course.exercises.catalogue import questions
from transformer_course.workshop import deck, lesson, minutes, session_contents, slides
from transformer_course.workshop.leader_pages import clock, ends, questions_asked, time
from transformer_course.workshop.make import first_page
from transformer_course.workshop.plans.talks_and_breaks import BRIDGE
from transformer_course.workshop.sessions import Lead, Practise
from transformer_course.workshop.slide_texts import last_words

LESSONS = [source.number for source in course.lessons()]
EVERY = pytest.mark.parametrize("number", LESSONS)


@EVERY
def test_a_lesson_has_few_slides_in_its_own_order_and_each_of_its_predictions(number):
    found = slides.of_lesson(number)
    assert 5 <= len(found) <= slides.MOST
    parts = [part for part in course.lesson(number).core if part.id != EXIT]
    asked = [question.id for part in parts for question in session_contents.questions_of(part)]
    assert [slide.id for slide in found if slide.kind == "question"] == asked
    headings = [part.heading for part in parts]
    places = [headings.index(slide.heading) for slide in found if slide.kind not in ("title", "text")]
    assert places == sorted(places)
    assert found[0].kind == "title"
    assert f"{found[0].heading} {found[0].body.striptags()}".strip().endswith("?")  # the lesson's question
    assert all(picture.alt for slide in found for shown in (slide, *slide.below) for picture in shown.pictures)


@EVERY
def test_the_answer_to_a_question_comes_one_step_later(number):
    for slide in slides.of_lesson(number):
        if slide.kind == "question":
            (answer,) = (each for each in slide.below if each.kind == "answer")
            assert all(each.kind == "picture" for each in slide.below if each is not answer)
            assert slide.right == ""
            assert answer.right in slide.choices
            assert visible(answer.body)
            assert visible(answer.body) not in visible(slide.lead + slide.body + slide.printed)
            assert visible(answer.lead) in ("", visible(slide.body))
            assert not (answer.lead and answer.pictures)  # beside a picture, there is no room for the question
            assert answer.printed or answer.pictures or not questions()[slide.id].is_prediction, (
                f"{slide.id}: print its result in at most {slides.TALLEST} lines of {slides.WIDEST}"
            )


def test_a_question_says_what_leads_up_to_it():
    found = {slide.id: slide for number in ("02", "03") for slide in slides.of_lesson(number)}
    assert "What about <em>car</em>" in found["02.car"].lead
    assert last_words("It trains. This takes about 30 seconds. Guess:", 30) == "It trains. Guess:"
    own = lesson.notes("03").questions["03.spread"].lead  # not the lesson's sentence
    assert found["03.spread"].lead == slides.inline(own)


def test_what_readers_drag_is_a_picture_between_the_question_and_its_answer():
    found = {slide.id: slide for slide in slides.of_lesson("15")}
    dragged, answer = found["15.heads"].below
    assert "What 24 heads look at" in dragged.pictures[0].alt
    assert answer.pictures == dragged.pictures


def test_each_context_is_that_of_a_question_and_its_lead_stays_on_the_slide():
    found = {slide.id: slide for number in LESSONS for slide in slides.of_lesson(number)}
    for name, context in (each for number in LESSONS for each in lesson.notes(number).questions.items()):
        assert context.lead or context.result
        assert found[name].lead == slides.inline(context.lead) or not context.lead, name
        assert visible(slides.inline(context.result)) in visible("".join(each.body for each in found[name].below))
        assert found[name].printed or "bove" not in context.lead, name  # what it says is above has not been left out


def test_the_room_is_told_when_to_work_on_paper_and_what_to_do_when_finished_early(contents):
    page = contents["half-day"]["for-you/slides.html"]
    at = page.index("Sheet A, in pairs")
    assert page.index("From scores to weights</h2>") < at < page.index("The weighted average</h2>")
    assert re.search(r"Finished early\? 3 · [^<]*, then sheet B<", page)
    title = page.split('id="lesson-04"')[1].split("</section>")[0]
    assert "let people argue before they run the cell" in title.split("<aside")[1]
    neighbours = next(part for part in page.split("<section") if "With a neighbour: one points" in part)
    notebook = next(part for part in page.split("<section") if "In the notebook." in part)
    assert all(re.search(r"until \d+:\d\d", slide.split("<aside")[0]) for slide in (neighbours, notebook))


@EACH
def test_each_task_on_paper_has_a_slide_before_its_results_are_shown(plan):
    for lead in of(plan, Lead):
        for part in session_contents.discussed(lead):
            tasks = [slide for slide in slides.of_parts(lead.lesson, [part]) if slide.kind == "paper"]
            assert len(tasks) == part.count("paper"), part.heading
            assert all(slide.lead and "____" in slide.body + "____" * (lead.lesson in ("00", "26", "27")) for slide in tasks)
            assert all("<details>" not in slide.body for slide in tasks)
    heads = slides.of_parts("05", [course.lesson("05").part("by-hand")])
    assert [slide.kind for slide in heads] == ["paper", "picture", "question"]
    assert not any(slide.kind == "paper" for slide in slides.of_lesson("05"))


def test_what_a_task_on_paper_needs_above_it_is_on_its_slide():
    for number in LESSONS:
        for name, note in lesson.notes(number).parts.items():
            shown = slides.of_parts(number, [course.lesson(number).part(name)])
            tasks = [slide.lead for slide in shown if slide.kind == "paper"]
            assert not note.task or tasks == [slides.inline(note.task)]


@pytest.mark.slow
def test_a_task_on_paper_keeps_its_results_for_the_notes(contents):
    (task,) = (slide for slide in slides.of_parts("20", course.lesson("20").parts) if slide.kind == "paper")
    assert (task.heading, "opposite order" in task.notes) == ("Weight times what?", True)
    assert "opposite order" not in task.body
    parts = contents["two-days"]["for-you/slides.html"].split("<section")
    assert not any("Fill in the three blanks" in part for part in parts)  # sheet A takes its place


@EACH_WRITTEN
def test_every_heading_with_time_of_its_own_has_a_slide_with_what_to_say(plan, contents):
    parts = contents[plan.name]["for-you/slides.html"].split("<section")
    for slot in clock(plan):
        for part in session_contents.discussed(slot.item) if isinstance(slot.item, Lead) else []:
            if part.id == TITLE or slot.parts[part.id][1] < deck.WORTH_A_SLIDE:
                continue
            shown = [each for each in parts if f"<h2>{part.heading}</h2>" in each]
            says = visible(slides.inline(lesson.notes(slot.item.lesson).parts[part.id].say))
            assert any(says in visible(each) for each in shown)


@EACH_WRITTEN
def test_a_break_says_how_to_stop_the_course_before_another_folder_is_opened(plan, contents):
    parts = contents[plan.name]["for-you/slides.html"].split("<section")
    breaks = [part for part in parts if "Late or lost?" in part or "Everybody: take" in part]
    assert len(breaks) == len(plan.rejoin_folders())
    assert all("press Ctrl+C twice" in part for part in breaks)
    assert contents[plan.name][first_page(plan.name)].count("press Ctrl+C twice") == len(breaks)


def test_a_formula_loses_the_comma_of_its_sentence():
    (slide,) = slides._formulas("x", "So\n\n$$y = x + F(x),$$\n\nwhere")
    assert slide.body == slides.html("$$y = x + F(x)$$")


def test_too_much_printed_text_is_left_to_the_notebook():
    assert slides._readable("short\nlines") == "short\nlines"
    assert slides._readable("x" * (slides.WIDEST + 1)) == ""
    assert slides._readable("line\n" * (slides.TALLEST + 1)) == ""


@EACH_WRITTEN
def test_a_plans_deck_has_all_its_questions_exercises_and_times(plan, contents):
    page = contents[plan.name]["for-you/slides.html"]
    ways = [question for by_time in questions_asked(plan).values() for question in by_time["way"]]
    assert all(page.count(f'id="{name}"') == 1 for name in ways)
    for slot, before in zip(clock(plan), (None, *plan.items), strict=False):
        if not (isinstance(slot.item, Lead) and slot.item.lesson == getattr(before, "lesson", "")) and slot.minutes:
            end = slot.begins + slot.minutes - minutes.AFTERWARDS * isinstance(slot.item, Practise)
            end = ends(plan)[-1] if slot.item is plan.items[-1] else end
            assert f">until {time(end)}<" in page, slot.item
    assert len(re.findall(r"<h2>Exercises: sheet \d\d</h2>", page)) == len(of(plan, Practise))
    places = re.findall(r"<h1>(\d\d) · .+?<p class=\"lead\"><code>notebooks</code> → (\d\d)</p>", page, re.DOTALL)
    assert {number for number, _ in places} == {lead.lesson for lead in of(plan, Lead)}
    assert all(number == opened for number, opened in places)
    for at, folder in plan.rejoin_folders().items():
        (shown,) = (part for part in page.split("<section") if f"lab {folder.removeprefix('rejoin/')}</pre>" in part)
        assert plan.items[at].title in shown
        assert (f"We begin at {time(plan.starts)}." in shown) == (not plan.items[at].minutes)  # on the next day
    assert len({*re.findall(r'<section class="[\w ]+" id="(.+?)">', page)}) == len(
        re.findall(r'<section class="[\w ]+" id=', page)
    )


@pytest.mark.slow
def test_what_a_talk_shows_is_on_its_slide_and_below_it_if_that_is_the_map(contents):
    page = contents["half-day"]["for-you/slides.html"]
    assert BRIDGE.shows_map
    assert BRIDGE.slide
    bridge, training = (part for part in page.split("<section") if f"{BRIDGE.title}</h" in part)
    assert ("<img" in bridge, "Loss:" in visible(bridge.split("<aside")[0])) == (True, False)
    assert ("<img" in training, "Loss:" in visible(training)) == (False, True)
    assert "transformer-course lab my-course" in page
    assert "until 12:59" not in page  # the timetable and the letter say 13:00
    (remembered,) = (
        part for part in contents["two-days"]["for-you/slides.html"].split("<section") if "five questions" in part
    )
    assert "lab for-learners</code>" in remembered.split("<aside")[0]  # day 2 begins here
    (command,) = (part for part in page.split("<section") if "lab for-learners</pre>" in part)
    assert "helpers are walking round" in command.split("<aside")[1]


@pytest.mark.slow
def test_a_groups_project_has_its_steps_on_its_slide_and_the_minutes_of_reading_are_those_that_are_counted(contents):
    slide = next(part for part in contents["two-days"]["for-you/slides.html"].split("<section") if "Group project" in part)
    shown = slide.split("<aside")[0]
    assert "change one thing" in shown
    assert re.findall(r"until ([\d:]+)", shown) == ["10:10", "10:25", "10:40", "10:40"]
    assert visible("folder icon above the list → exercises → B2") in visible(slide)
    timetable = visible(contents["two-days"]["timetable-two-days.html"])
    assert visible("folder icon above the list → exercises → B2”") in timetable
    assert timetable.count("Firstreadtogether:") == len(re.findall(r"Firstreadtogether:“[^”]+”\(5min\)", timetable))


def test_a_deck_is_one_file():
    page = deck.of_lesson("02")
    markup = re.sub(r"<script>.*?</script>|<style>.*?</style>", "", page, flags=re.DOTALL)
    assert not re.search(r'<link|(?:src|href)="(?!data:image/png|#)', markup)
    assert page.count("</script>") == 3  # reveal.js, its notes, and the call
