"""Decks of slides, each one HTML file with reveal.js in it: nothing has to be installed, nothing comes from a network."""

import base64
import functools
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from markupsafe import Markup, escape

from transformer_course import course
from transformer_course._util.mathml import MATH_FONT
from transformer_course.course.notes import Note
from transformer_course.course.part import EXIT, TITLE
from transformer_course.course.source import capital
from transformer_course.exercises.catalogue import catalogue, exercise_minutes, exercise_titles

from . import leader_pages, lesson, minutes, session_contents, slides
from .leader_pages import PAGES, Slot
from .map import map_of
from .sessions import Break, Lead, Plan, Practise, Project
from .slide import Slide, html, inline

COMMAND = Markup(
    "<pre>.venv/bin/transformer-course lab {0}</pre><p>On Windows:</p><pre>.venv\\Scripts\\transformer-course lab {0}</pre>"
)
WAY = Markup("<p>Folder icon on the left → folder icon above the list → <code>exercises</code> → {}</p>")
OPEN = "Open the course, in the folder that contains .venv"
HELP = "Everybody types one of these lines in a terminal. If it goes wrong, raise a hand: helpers are walking round."
COURSE = "transformer-course"  # as its README calls it
WORTH_A_SLIDE = 2  # minutes of a heading that is discussed in the notebook alone
REVEAL = Path(__file__).parent / "reveal"  # reveal.js 5.2.0 with its notes plugin, as published


def of_lesson(number: str) -> str:
    """Return a lesson's slides as a page."""
    return _page(course.lesson(number).title, slides.of_lesson(number))


def of_plan(plan: Plan) -> str:
    """Return the slides of a workshop as a page: every session with its questions, exercises and times."""
    asked, rejoin = leader_pages.questions_asked(plan), plan.rejoin_folders()
    name, _, about = plan.title.partition(": ")
    said = " · ".join(filter(None, (COURSE, plan.leader, leader_pages.dates(plan))))
    found = [Slide("title", name, lead=escape(said), body=escape(capital(about)))]
    first_lead = next(item for item in plan.items if isinstance(item, Lead))
    for slot in leader_pages.clock(plan):
        item = slot.item
        if slot.index == 0:
            about, *rest = _announced(slot, plan)
            first, questions, the_map = map(html, item.note.split("\n\n"))
            found += [replace(about, notes=first), *rest, *_opening(plan, questions, the_map)]
        elif isinstance(item, Lead):
            before = plan.items[slot.index - 1]
            goes_on = isinstance(before, Lead) and before.lesson == item.lesson
            if item is first_lead:
                found.append(Slide("text", OPEN, body=COMMAND.format("for-learners"), notes=html(HELP)))
            found += _led(item, slot, asked[slot.index], goes_on)
        elif isinstance(item, Practise):
            found += _practised(item, slot)
        elif isinstance(item, Break):
            found.append(_break(item, slot, rejoin[slot.index], plan))
        else:
            found += _announced(slot, plan)
    return _page(plan.title, found)


def _opening(plan: Plan, questions: Markup, the_map: Markup) -> Iterator[Slide]:
    """Yield the questions of the workshop, and the map, with their notes."""
    led = dict.fromkeys(item.lesson for item in plan.items if isinstance(item, Lead) and item.lesson != "00")
    rows = Markup().join(Markup("<li>{}</li>").format(course.lesson(number).title.partition(" · ")[2]) for number in led)
    body = Markup("<ul>{}</ul>").format(rows)
    yield Slide("text", "What you will be able to answer", body=body, small=len(led) > 5, notes=questions)
    yield replace(_map(), id="the-map", notes=the_map)


def _map() -> Slide:
    """Return the map without highlights: the model whose boxes lesson 00 highlights is not trained in a workshop."""
    return replace(next(slides.of_parts("00", [course.lesson("00").part("map")])), pictures=[map_of(None)])


def _led(lead: Lead, slot: Slot, asked: dict, goes_on: bool) -> Iterator[Slide]:
    """Yield a session's slides: the questions before it, what is discussed, and the questions at its end.

    ``goes_on`` says whether the room has just had the first part of the same lesson, and needs no title.
    """
    on_paper, _, session = lead.note.partition("\n\n") if lead.paper_before else ("", "", lead.note)
    title = _titled(lead.lesson)
    title = replace(title, until=leader_pages.time(slot.begins + slot.minutes), notes=title.notes + html(session))
    if not goes_on:
        yield replace(title, id="", body=Markup("Second part"), notes=Markup()) if lead.start else title
    for each in asked["before"].values():
        yield slides.of_question(each, "What do you remember?")
    for part in session_contents.discussed(lead):
        begins, length = slot.parts[part.id]
        until = leader_pages.time(slot.begins + begins + length)
        shown = list(slides.of_parts(lead.lesson, [part]))
        if part.id == lead.paper_before:
            screens_up = leader_pages.time(slot.begins + begins + minutes.paper(lead))
            yield Slide("text", "On paper", body=html(lead.paper), notes=html(on_paper), until=screens_up)
            shown = [slide for slide in shown if slide.kind != "paper"]  # this sheet takes its place
        if part.id == TITLE:
            yield from shown
            continue
        note = lesson.notes(lead.lesson).parts[part.id]
        if part.id in lead.explain:
            shown.append(Slide("text", part.heading, body=html(lead.explain[part.id][1])))
        elif not shown and length >= WORTH_A_SLIDE:
            task = html(f"In the notebook. By the end, {note.goal[0].lower()}{note.goal[1:]}")
            shown = [Slide("text", part.heading, body=task)]
        for slide in shown:
            slide.until = until if slide.kind in ("paper", "text") or slide.is_dragged else ""
        yield from _noted(shown, note)
    summary = session_contents.summary(lead)
    for each in asked["end"].values() if lead.stop == EXIT or not summary else ():
        yield slides.of_question(each, "Before we go on")
    if summary:
        yield from slides.closing(lead.lesson)[: None if lead.stop == EXIT else 1]


def _noted(shown: list[Slide], note: Note) -> list[Slide]:
    """Add to the first slide of a part what to say, and to its last one what to repeat."""
    if shown:
        shown[0].notes = html(note.say) + shown[0].notes
        answer = next((each for each in shown[-1].below if each.kind == "answer"), shown[-1])
        answer.notes += html(f"**Repeat:** {note.point}")
    return shown


def _titled(number: str) -> Slide:
    """Return a lesson's title, with the place of its notebook. Its notes are those of the session: the lesson's own text
    mentions lessons left out."""
    note = lesson.notes(number).parts[TITLE]
    place = Markup("<code>notebooks</code> → {}").format(number)
    return replace(slides.title(number), lead=place, notes=html(f"{note.say} {note.point}"))


def _practised(item: Practise, slot: Slot) -> Iterator[Slide]:
    """Yield the slide with exercises to do, and one with the sentences that say what they were for."""
    titles, stated = exercise_titles(item.lesson), exercise_minutes(item.lesson)
    numbers = {name: number for number, name in enumerate(titles, 1)}
    primers = lesson.primers(item.lesson)
    together = next((name for name in item.exercises if name in primers), "")  # before which a text is read aloud
    rows = Markup().join(
        Markup("{}<li>{} · {} ({} min)</li>").format(
            Markup("<li>All together: “{}” ({} min)</li>").format(primers[name], item.primer) if name == together else "",
            numbers[name],
            titles[name],
            stated[name],
        )
        for name in item.exercises
    )
    body = WAY.format(f"sheet {item.lesson}") + Markup("<ul>{}</ul>").format(rows)
    if item.if_time:
        also = " and ".join(f"{numbers[name]} · {titles[name]}" for name in item.if_time)
        body += Markup("<p>Finished early? {}{}</p>").format(also, f", then {item.if_more}" if item.if_more else "")
    reasons = Markup().join(
        Markup("<p><b>{}</b> {}</p>").format(_with_colon(titles[name]), inline(catalogue()[name].why))
        for name in item.exercises
    )
    until = leader_pages.time(slot.begins + slot.minutes - minutes.AFTERWARDS)
    yield Slide("text", f"Exercises: sheet {item.lesson}", body=body, notes=html(item.note), until=until)
    yield Slide("text", "What was it for?", body=reasons)


def _with_colon(title: str) -> str:
    return title if title.endswith("?") else f"{title}:"


def _break(item: Break, slot: Slot, rejoin: str, plan: Plan) -> Slide:
    """Return the slide of a break: until when, and how those who are late or lost rejoin after it."""
    again = slot.begins + slot.minutes if item.minutes else plan.starts
    clock = leader_pages.time(again)
    tomorrow = Markup() if item.minutes else Markup("<p>We begin at {}.</p>").format(clock)
    folder = rejoin.split("/")[1]
    who = "Everybody: take" if plan.all_rejoin(slot.index) else "Late or lost? Ask for"
    how = Markup(
        "<p>{} the folder <code>{}</code> and put it next to <code>.venv</code>. In the terminal where "
        "JupyterLab is running, press Ctrl+C twice. Then type:</p>{}"
    ).format(who, folder, COMMAND.format(folder))
    return Slide("text", item.title, body=tomorrow + how, until=clock if item.minutes else "")


def _announced(slot: Slot, plan: Plan) -> Iterator[Slide]:
    """Yield the slide of a talk, a project or a pause: what it is, until when, and what the talk shows.

    Beside the map there is no room for text, so that comes on a slide of its own.
    """
    end = leader_pages.ends(plan)[-1] if slot.item is plan.items[-1] else slot.begins + slot.minutes
    until = leader_pages.time(end)
    pictures = _map().pictures if getattr(slot.item, "shows_map", False) else []
    title, text = slot.item.title, getattr(slot.item, "slide", "")
    in_groups = isinstance(slot.item, Project)
    notes, shown = html(getattr(slot.item, "note", "")), html(_with_clock(text, slot.begins) if in_groups else text)
    if in_groups:
        shown = WAY.format(slot.item.stage) + shown
    if pictures and shown:
        first, _, rest = slot.item.note.partition("\n\n")
        yield Slide("text", title, pictures=pictures, notes=html(first), until=until)
        yield Slide("text", title, body=shown, notes=html(rest), until=until)
    else:
        yield Slide("text", title, body=shown, pictures=pictures, notes=notes, small=in_groups, until=until)


def _with_clock(text: str, minute: int) -> str:
    """Return what groups do one after the other, from a minute on, with the time at which each part ends."""

    def ends(found: re.Match) -> str:
        nonlocal minute
        minute += int(found[1])
        return f"**until {leader_pages.time(minute)} ({found[1]} minutes):**"

    return re.sub(r"\*\*(\d+)\s+minutes:\*\*", ends, text)


def _page(title: str, of: list[Slide]) -> str:
    return PAGES.get_template("deck.html").render(
        title=title,
        slides=of,
        reveal_js=_file("reveal.js"),
        notes_js=_file("notes.js"),
        reveal_css=_file("reveal.css"),
        math_font=base64.b64encode(MATH_FONT.read_bytes()).decode(),
    )


@functools.cache
def _file(name: str) -> Markup:
    # A script inside a page ends at the first "</script", also where that stands in a string.
    return Markup((REVEAL / name).read_text(encoding="utf-8").replace("</script", "<\\/script"))
