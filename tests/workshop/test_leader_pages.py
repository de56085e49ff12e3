"""The instructor's pages: they hold what the day needs, and no page needs a network."""

import difflib
import posixpath
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from workshop_pages import EACH_WRITTEN, flat, of, visible, visible_marked

from transformer_course import course
from transformer_course._util import paths
from transformer_course._util.markdown import inline
from transformer_course.exercises.catalogue import by_lesson, catalogue
from transformer_course.exercises.solutions import solution_of
from transformer_course.workshop import leader_pages, lesson, make, minutes, session_contents
from transformer_course.workshop.likely_mistakes import LIKELY, likely
from transformer_course.workshop.plans import PLANS
from transformer_course.workshop.sessions import Break, Lead, Practise, Project


@EACH_WRITTEN
def test_the_pages_hold_every_reply_and_every_mistake_of_the_catalogues(plan, contents):
    page = visible(contents[plan.name]["for-you/wrong-answers.html"])
    for lead in of(plan, Lead):
        for question in session_contents.questions_in(lead):
            for choice in question.choices:
                assert visible(inline(choice.text)) + visible(inline(choice.reply)) in page
    for practise in of(plan, Practise):
        for name in (*practise.exercises, *practise.if_time):
            for mistake in catalogue()[name].mistakes:
                assert visible_marked(mistake.diagnosis) + visible_marked(mistake.hint) in page
            assert all(visible_marked(hint) in page for hint in catalogue()[name].hints)
            assert flat(solution_of(name)) in page


@EACH_WRITTEN
def test_the_timetable_says_what_to_do_and_when(plan, contents):
    page, known = visible(contents[plan.name][make.first_page(plan.name)]), set()
    for item in plan.items:
        title = course.lesson(item.lesson).title if isinstance(item, Lead) else getattr(item, "title", "")
        assert flat(title) in page
        if isinstance(item, Lead):
            for part in (*item.cut, *item.run_silently, item.stop, item.skip_if_late or item.stop):
                assert flat(item.heading(part)) in page
            summaries = [session_contents.summary(lead) for lead in of(plan, Lead) if lead.lesson == item.lesson]
            assert sum(map(bool, summaries)) <= 1
            assert all(visible(inline(text)) in page for text in summaries)
            whole = visible(inline(course.lesson(item.lesson).block("answer")))
            assert (whole in page) == any(lead.ends_with_summary for lead in of(plan, Lead) if lead.lesson == item.lesson)
            known.add(item.lesson)
            origins = [question.origin for question in session_contents.recall_questions(item)]
            skipped = [origin for origin in origins if not {*origin} <= known]
            row = page[page.lower().index("sessionbysession") :]
            row = row[row.index(flat(title + (f"(from “{item.heading(item.start)}” on)" if item.start else ""))) :]
            row = row[: row.index("Questions:")]
            asks = "none.(Yourowncopyasks" if len(skipped) == len(origins) else "(Yourowncopyalsoasks"
            skips = row[row.index(asks) : row.index("Sections:")] if skipped else ""
            assert all(number in skips for origin in skipped for number in origin)
            slot = next(slot for slot in leader_pages.clock(plan) if slot.item is item)
            ids = [part.id for part in session_contents.discussed(item)]
            if not item.skip_if_late:
                assert "Ifbehind" not in row
                continue
            mark = minutes.halfway(slot.parts, slot.minutes)
            begun = bool(mark) and ids.index(item.skip_if_late) < ids.index(mark[1])
            assert not begun or ids.index(item.skip_if_late) + 1 == ids.index(mark[1])  # else nothing would be left
            assert f"Ifbehind,runwithoutcomment:{'therestof' * begun}{flat(item.heading(item.skip_if_late))}" in row
        if isinstance(item, Practise):
            sheet = [exercise.id for exercise in by_lesson()[item.lesson]]
            *some, last = (str(sheet.index(name) + 1) for name in item.exercises)
            listed = f"exercise{'s' * bool(some)}{','.join(some)}{'and' * bool(some)}{last}only"
            assert f"Sheet{item.lesson}({course.sheet(item.lesson).link})·{listed}" in page
        for name in getattr(item, "exercises", ()):
            assert flat(catalogue()[name].prompt) in page
            assert flat(lesson.primers(item.lesson).get(name, "")) in page
    for name in ("for-learners", *plan.rejoin_folders().values()):
        label = "Ontheboard(totypeinthefolderthatcontains.venv):" if name == "for-learners" else f"{name}nextto.venv"
        row = page[page.index(label) :][:300]
        own = name.split("/")[-1]
        assert f".venv/bin/transformer-courselab{own}.venv\\Scripts\\transformer-courselab{own}(Windows)" in row
    for end in leader_pages.ends(plan):
        assert f"{end // 60}:{end % 60:02}" in page
        assert end % 5 == 0
    helping = visible(contents[plan.name]["for-you/helpers.html"])
    for slot in leader_pages.clock(plan):
        if isinstance(slot.item, Practise):
            assert f"{leader_pages.time(slot.begins)}:sheet{slot.item.lesson}," in helping
            for name in (*slot.item.exercises, *slot.item.if_time):
                assert f"{likely(name).name}·{visible_marked(likely(name).hint)}".replace(" ", "") in helping
    assert page.index(flat(course.lesson(plan.lessons()[0]).title)) < page.index(
        "Thefoldersnexttothispagefor-learners"
    )  # in print, the times come first


def test_no_mistake_is_listed_for_an_exercise_that_no_plan_has():
    used = {name for plan in PLANS.values() for name in plan.exercises()}
    given = {name for plan in PLANS.values() for item in of(plan, Project) for name in item.given}
    projects = {each.id for plan in PLANS.values() for stage in plan.stages() for each in by_lesson()[stage]}
    assert LIKELY.keys() == used | (projects - given)


def test_every_day_begins_when_the_leader_says():
    slots = [*leader_pages.clock(replace(PLANS["two-days"], starts=13 * 60))]
    firsts = [next(slot for slot in slots if slot.day == day) for day in (1, 2)]
    assert [leader_pages.time(slot.begins) for slot in firsts] == ["13:00", "13:00"]


@EACH_WRITTEN
def test_nothing_begins_before_what_comes_before_it_ends_and_breaks_begin_every_five_minutes(plan, contents):
    slots = [*leader_pages.clock(plan)]
    for slot, following in pairwise(slots):
        assert following.day > slot.day or following.begins >= slot.begins + slot.minutes
    assert not [slot.begins for slot in slots if isinstance(slot.item, Break) and slot.begins % 5]
    days = [max(slot.begins + slot.minutes for slot in slots if slot.day == day) for day in {slot.day for slot in slots}]
    assert all(last <= end < last + 5 for last, end in zip(days, leader_pages.ends(plan), strict=True))


@EACH_WRITTEN
def test_the_letter_has_the_lines_to_copy_that_the_page_on_installing_has(plan, contents):
    letter = contents[plan.name]["to-send.txt"]
    installing = (paths.PACKAGE.parent / "docs" / "install.md").read_text(encoding="utf-8")
    commands = re.findall(r"^    (make .*?|py .*?|\.venv.*?)(?: +\(.*\))?$", letter, re.MULTILINE)
    assert commands[0] == "py --version"
    assert all(f"\n{command}\n" in installing or f"`{command}`" in installing for command in commands[1:5])
    begins = ".venv/bin/transformer-course", r".venv\Scripts\transformer-course"
    assert commands[5:] == [f"{begin} {what}" for what in ("doctor", "lab", "lab for-learners") for begin in begins]
    assert all("press Ctrl+C twice in the terminal" in " ".join(text.split()) for text in (letter, installing))
    assert " ".join(plan.audience.split()) in " ".join(letter.split())
    for end in leader_pages.ends(plan):
        assert f"from 9:00 to {end // 60}:{end % 60:02}" in letter
    assert max(map(len, letter.splitlines())) <= 80


@pytest.mark.slow
def test_letters_differ_in_what_their_plans_need(contents, snapshot):
    """Numbers such as times and versions are left out."""
    letters = {name: re.sub(r"\b\d+[:.]\d+", "N", contents[name]["to-send.txt"]).splitlines() for name in PLANS}
    first, *others = letters.values()
    changed = [[line for line in difflib.ndiff(first, other) if line[0] in "+-"] for other in others]
    assert dict(zip(letters, [first, *changed], strict=True)) == snapshot


@EACH_WRITTEN
def test_no_page_but_the_slides_has_a_script_and_links_lead_somewhere(plan, contents):
    content = contents[plan.name]
    for name, page in content.items():
        if not name.endswith(".html") or isinstance(page, bytes) or name == "for-you/slides.html":
            continue
        assert "default-src 'none'" in page
        page = re.sub(r'<a href="https://[^"]*"', "<a", page)  # a paper: nothing is loaded unless a reader clicks
        markup = re.sub(r'"data:[^"]*"|"http://www.w3.org/1998/Math/MathML"', '""', page)
        assert not re.search(r"<script|<link|@import|url\(|://", markup), name
        for address in re.findall(r'(?:src|href)="([^"]*)"', page):
            if address.startswith(("data:image/png;base64,", "data:image/webp;base64,")):
                continue
            file, _, place = address.replace("slides.html#/", "slides.html#").partition("#")
            where = posixpath.normpath(Path(name).parent / file) if file else name
            assert where in content, (name, address)
            assert not place or f'id="{place}"' in content[where], (name, address)
