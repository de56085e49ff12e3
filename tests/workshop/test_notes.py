"""What to say under each heading."""

from workshop_pages import EACH_WRITTEN, of, visible

from transformer_course._util.markdown import html, inline
from transformer_course.workshop import leader_pages, lesson, session_contents
from transformer_course.workshop.sessions import Lead, Talk


@EACH_WRITTEN
def test_every_heading_that_a_plan_discusses_has_a_note_on_the_page(plan, contents):
    page = visible(contents[plan.name]["for-you/notes.html"])
    for lead in of(plan, Lead):
        for part in session_contents.discussed(lead):
            note = lesson.notes(lead.lesson).parts[part.id]
            for text in (note.goal, note.say, note.point, *note.asked, *note.asked.values(), note.meanwhile):
                assert visible(inline(text)) in page


@EACH_WRITTEN
def test_what_a_talk_contains_is_on_the_page_and_its_links_lead_to_the_slides_beside_it(plan, contents):
    page = contents[plan.name]["for-you/notes.html"]
    for talk in of(plan, Talk):
        assert visible(html(talk.note)) in visible(page)
    assert 'href="for-you/' not in page


@EACH_WRITTEN
def test_the_notes_follow_the_timetable(plan, contents):
    page = visible(contents[plan.name]["for-you/notes.html"])
    times = [leader_pages.time(slot.begins) for slot in leader_pages.clock(plan) if isinstance(slot.item, Lead)]
    places = [page.index(f"{time}·") for time in times[:3]]
    assert places == sorted(places)


@EACH_WRITTEN
def test_how_to_vote_and_what_to_do_when_something_goes_wrong_is_on_the_page_before_the_sessions(plan, contents):
    page = contents[plan.name]["for-you/notes.html"]
    text = visible(page)
    for words in ("Countthevotesaloud", "acellsaysthatanameisnotdefined", "Atabreak,"):
        assert text.index(words) < text.index(f"{leader_pages.time(plan.starts)}·")
    assert "<table>" in page
