"""A workshop's folder: plans that a room can keep, states to go on from, and pages made from the lessons."""

import html
import json
import math
import os
import re
import tomllib
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pypdf
import pytest
import torch
from typer.testing import CliRunner

from transformer_course._util import paths
from transformer_course.app import cli
from transformer_course.attention import MultiHeadAttention, causal_mask, padding_mask
from transformer_course.authoring.execute import kernel_environment, run
from transformer_course.embedding import Vocabulary
from transformer_course.exercises.catalogue import by_lesson, catalogue, predictions
from transformer_course.exercises.markup import marked
from transformer_course.exercises.solutions import BEGIN
from transformer_course.folders.learner_folder import RECORD, bring, deliver, handed_out
from transformer_course.training import translation_loss
from transformer_course.transformer import Transformer, TransformerConfig
from transformer_course.workshop import leader_pages, lesson, make, paper_answers
from transformer_course.workshop.exit_tickets import TICKETS
from transformer_course.workshop.html_export import executed
from transformer_course.workshop.markdown import inline
from transformer_course.workshop.plans import PLANS
from transformer_course.workshop.sessions import Break, Lead, Pause, Plan, Practise

PAPER = sorted((paths.ROOT / "docs" / "paper").glob("*.html"))
EACH = pytest.mark.parametrize("plan", PLANS.values(), ids=list(PLANS))


def of(plan: Plan, kind: type) -> list:
    return [item for item in plan.items if isinstance(item, kind)]


class Contents(dict[str, dict[str, str | bytes]]):
    """What stands in the folder of each plan, made when it is asked for."""

    def __missing__(self, name: str) -> dict[str, str | bytes]:
        self[name] = make.files(PLANS[name])
        return self[name]


@pytest.fixture(scope="module")
def contents() -> Contents:
    return Contents()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of half a day."""
    place = tmp_path_factory.mktemp("workshop") / "half a day"
    make.make("half-day", place)
    return place


# -- the plans --------------------------------------------------------------------------------------------------------


@EACH
def test_every_heading_exercise_and_question_of_a_plan_exists(plan):
    for lead in of(plan, Lead):
        headings = [part.heading for part in lesson.sections(lead.lesson)]
        assert {lead.stop, *lead.cut, lead.start or lead.stop} <= set(headings), lead
        way = headings[headings.index(lead.start) if lead.start else 0 : headings.index(lead.stop)]
        assert {*lead.cut, *lead.unsaid} <= set(way[1:])
        assert lead.late in {part.heading for part in lesson.said(lead)}
        assert not (lead.closes and lead.closing)
        assert lesson.last_sentence(lead.lesson).replace("\n", " ").startswith(lead.closing.removesuffix("."))
        last = [question.text for question in lesson.questions(lead.lesson) if question.heading == lesson.LAST]
        assert all(sum(text.startswith(begin) for text in last) == 1 for begin in lead.not_asked), lead
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
    "attention.by_hand": {"How well do two tokens match?", "From scores to shares"},
    "attention.zero_token": {"From scores to shares", "Mixing"},
    "attention.softmax": {"All three rows at once", "A trap before you write your own"},
    "attention.hidden_fault": {"All three rows at once"},
    "attention.wrong_row": {"From scores to shares", "A trap before you write your own"},
    "attention.shapes": {"Two tokens look at three"},
    "attention.scaled_dot_product": {"Two tokens look at three", "Why divide?"},
    "attention.causal_by_hand": {"Guessing the next token"},
    "attention.causal_mask": {"Guessing the next token"},
    "attention.padding_mask": {"Empty places"},
    "attention.late_mask": {"The other place for a mask"},
    "heads.split": {"All heads as one product"},
    "heads.merge": {"All heads as one product"},
    "residual.by_hand": {"One plus sign, by hand"},
    "decoder.reach": {"Who knows what?"},
    "decoder.leak": {"What the mask is worth"},
    "training.by_hand": {"From probabilities to a loss"},
    "training.shift": {"What goes in, what is asked"},
    "training.rare": {"Three groups of numbers"},
}


@EACH
def test_nothing_that_an_exercise_needs_is_cut_or_left_out_when_late(plan):
    told = set()
    for item in plan.items:
        if isinstance(item, Lead):
            told |= {part.heading for part in lesson.said(item)} - {item.late}
        elif isinstance(item, Practise):
            for name in (*item.exercises, *item.if_time):
                assert NEEDS[name] <= {part.heading for part in lesson.sections(item.lesson)}
                assert NEEDS[name] <= told, name


@EACH
def test_a_room_has_the_time_that_words_and_exercises_ask_for_and_its_breaks(plan):
    known = set()
    for lead in of(plan, Lead):
        votes = len(lesson.asked_before(lead, known)) + len(lesson.asked_on_the_way(lead))
        last = len(lesson.asked_at_the_end(lead)) if lead.stop == lesson.LAST else 0
        second_vote = 3
        assert lead.minutes >= lesson.minutes(lead) + votes + second_vote + 2 * last + lead.aside, lead
        assert lead.minutes >= 1.15 * lesson.minutes(lead), lead
        assert bool(lead.aside) == (lead.lesson == "02" or (lead.lesson == "15" and not lead.start))  # on paper; the map
        known.add(lead.lesson)
    for practise in of(plan, Practise):
        reading = 3 if lesson.words_before(practise.lesson).keys() & {*practise.exercises} else 0
        assert practise.minutes >= reading + sum(catalogue()[name].minutes for name in practise.exercises), practise
    sitting = 0
    for item in plan.items:
        sitting = 0 if isinstance(item, Break | Pause) else sitting + item.minutes
        assert sitting <= 90, item
    hours = [(end - plan.starts) / 60 for end in leader_pages.ends(plan)]
    assert hours == [3.5] if plan.name == "half-day" else all(6.5 <= length <= 7.75 for length in hours)
    assert len(hours) == len(TICKETS[plan.name]) == (2 if plan.name == "two-days" else 1)


@EACH
def test_each_part_has_questions_with_one_right_choice_and_a_reply_to_each(plan):
    known = set()
    for lead in of(plan, Lead):
        before, way, last = lesson.asked_before(lead, known), lesson.asked_on_the_way(lead), lesson.asked_at_the_end(lead)
        known.add(lead.lesson)
        assert lead.lesson == "00" or len(before + way + last) >= 3
        assert way
        for question in before + way + last:
            assert sum(choice.right for choice in question.choices) == 1, question
            assert all(choice.text and choice.reply for choice in question.choices)
            assert len(question.choices) >= 3
            assert set(question.origin) <= known - {lead.lesson} or question in last
        for question in way:
            assert {choice.letter: choice.reply for choice in question.choices} == predictions()[question.name].replies
    for day in TICKETS[plan.name]:
        assert 3 <= len(day) <= 4
        assert {ticket.lesson for ticket in day} <= {"", *known}


def test_every_question_of_the_course_is_found():
    for number in (path.stem[:2] for path in paths.notebooks("notebooks")):
        text = "\n".join(cell.source for cell in lesson.read(number).cells if cell.cell_type == "markdown")
        names = [question.name for question in lesson.questions(number) if question.name]
        assert names == [name for name in predictions() if name.startswith(number)]
        if number == "00":
            continue  # its questions are numbered ones, about the reader's own knowledge
        asked = [len(question.choices) for question in lesson.questions(number) if not question.name]
        folds = re.findall(r"(?:<details>(?:(?!</?details>).)*</details>\s*){2,}", text, re.DOTALL)
        assert asked == [fold.count("<summary>") for fold in folds]


# -- the states to rejoin from ----------------------------------------------------------------------------------------


def states(plan: Plan, content: dict) -> Iterator[tuple[int, str]]:
    """Each break's place, and its folder."""
    for place, name in make.rejoin_folders(plan).items():
        assert isinstance(plan.items[place], Break)
        assert {key.removeprefix(f"{name}/") for key in content if key.startswith(f"{name}/")} == {
            f"{part}/{path.name}"
            for part in paths.FOLDERS
            for path in paths.notebooks(part)
            if path.stem[:2] in plan.lessons()
        } | {RECORD}
        yield place, name


@EACH
def test_a_state_opens_with_what_follows_the_break_and_stays_as_it_is(plan, contents, tmp_path):
    content = contents[plan.name]
    for place, name in states(plan, content):
        bring(tmp_path, {key: text for key, text in content.items() if key.startswith(f"{name}/")})
        only, first = handed_out(tmp_path / name)
        upcoming = next(item for item in plan.items[place:] if isinstance(item, Lead | Practise))
        assert Path(first).name[:2] == upcoming.lesson
        assert (tmp_path / name / first).exists()
        assert (Path(first).parent.name == "notebooks") == isinstance(upcoming, Lead)
        delivery = deliver(tmp_path / name, only)
        assert (set(delivery.added), delivery.updated, delivery.left) == (set(paths.PAGES), [], [])


@EACH
def test_a_state_shows_outputs_up_to_the_stop_and_nothing_of_what_comes(plan, contents):
    content = contents[plan.name]
    for place, name in states(plan, content):
        for number in plan.lessons():
            original = lesson.read(number)
            cells = nbformat.reads(content[f"{name}/notebooks/{lesson.path(number).name}"], as_version=4).cells
            going_on = [cell for cell in cells if cell.id == "go-on-here"]
            led = [item for item in plan.items[:place] if isinstance(item, Lead) and item.lesson == number]
            ahead = [item for item in plan.items[place:] if isinstance(item, Lead) and item.lesson == number]
            assert bool(going_on) == bool(led and ahead)
            links = re.findall(r"\]\(([^():]+\.ipynb)\)", cells[-1].source)
            assert links or number == "00"  # which has no sheet
            assert all(os.path.normpath(f"{name}/notebooks/{link}") in content for link in links)
            code = [cell for cell in cells if cell.cell_type == "code"]
            theirs = [cell for cell in original.cells if cell.cell_type == "code"]
            assert [cell.source for cell in code] == [cell.source for cell in theirs]
            shown = {original.cells[at].id for lead in led for part in lesson.led(lead) for at in part.cells}
            for mine, full in zip(code, theirs, strict=True):
                assert mine.outputs == (full.outputs if mine.id in shown else [])
            if led:
                assert sum(bool(cell.outputs) for cell in code) >= 5


@EACH
def test_in_a_state_what_was_practised_is_solved_and_passes_and_the_rest_is_empty(plan, contents, monkeypatch):
    monkeypatch.setenv("TRANSFORMER_COURSE_PROGRESS", "off")
    seen = set()
    for place, name in states(plan, contents[plan.name]):
        done = {exercise for item in plan.items[:place] if isinstance(item, Practise) for exercise in item.exercises}
        for number in plan.lessons()[1:]:
            text = contents[plan.name][f"{name}/exercises/{lesson.path(number, 'exercises').name}"]
            if text in seen:
                continue
            seen.add(text)
            assert BEGIN not in text
            names: dict = {}
            for cell in nbformat.reads(text, as_version=4).cells:
                asked = re.fullmatch(r'check\("([\w.]+)", \w+\)', cell.source)
                if asked:
                    card = eval(cell.source, names)
                    assert bool(card) == (asked[1] in done), card
                    assert asked[1] in done or "There's no answer in" in str(card)
                elif cell.cell_type == "code":
                    exec(cell.source, names)


# Each part of a lesson that some plan leads. Plans may stop at different headings of it.
PARTS = sorted(
    {(item.lesson, item.start, item.cut) for plan in PLANS.values() for item in plan.items if isinstance(item, Lead)}
)


@pytest.mark.slow
@pytest.mark.parametrize("part", PARTS, ids=lambda part: f"{part[0]}{'-second' * bool(part[1])}{'-cut' * bool(part[2])}")
def test_what_is_led_runs_from_the_state_of_the_break_before_it(part, contents, tmp_path, monkeypatch):
    """Without what is passed over, up to the farthest stop of all plans, in a fresh kernel. (Before the first break, from what
    learners were given.)"""
    leads = [
        (len(lesson.led(item)), name, at)
        for name, plan in PLANS.items()
        for at, item in enumerate(plan.items)
        if isinstance(item, Lead) and (item.lesson, item.start, item.cut) == part
    ]
    _, name, at = max(leads)
    plan, lead = PLANS[name], PLANS[name].items[at]
    notebook = nbformat.from_dict(lesson.read(lead.lesson))
    if before := [place for place, _ in plan.breaks() if place < at]:
        state = make.rejoin_folders(plan)[before[-1]]
        notebook = nbformat.reads(contents[name][f"{state}/notebooks/{lesson.path(lead.lesson).name}"], as_version=4)
    original = lesson.read(lead.lesson).cells
    wanted = [*lesson.code_before(lead), *(at for part in lesson.led(lead) for at in part.cells)]
    ids = {original[at].id for at in wanted if original[at].cell_type == "code"}
    notebook.cells = [cell for cell in notebook.cells if cell.id in ids]
    assert len(notebook.cells) == len(ids) >= 5
    for key, value in kernel_environment(tmp_path).items():
        monkeypatch.setenv(key, value)
    run(notebook, tmp_path)
    assert any(cell.outputs for cell in notebook.cells)


# -- the pages --------------------------------------------------------------------------------------------------------


def words(page: str) -> str:
    """What a reader sees of a page, without what lies between words."""
    seen = re.sub(r"<(style|title)>.*?</\1>|<[^>]*>", "", page, flags=re.DOTALL)
    return re.sub(r"\s+", "", html.unescape(seen))


def said(text: str) -> str:
    """What a reader sees of a reply or a diagnosis."""
    return words(marked(text))


def flat(text: str) -> str:
    return re.sub(r"\s+", "", text.replace("`", ""))


@EACH
def test_the_pages_hold_every_reply_and_every_mistake_of_the_catalogues(plan, contents):
    page = words(contents[plan.name]["for-you/wrong-answers.html"])
    room = words(contents[plan.name]["for-you/questions.html"])
    for lead in of(plan, Lead):
        for question in lesson.asked_on_the_way(lead):
            for reply in predictions()[question.name].replies.values():
                assert said(reply) in page
                assert words(inline(reply)) in room
    for practise in of(plan, Practise):
        for name in (*practise.exercises, *practise.if_time):
            for mistake in catalogue()[name].mistakes:
                assert said(mistake.diagnosis) + said(mistake.hint) in page
            assert all(said(hint) in page for hint in catalogue()[name].hints)


def test_code_and_emphasis_are_shown_and_a_product_is_no_emphasis():
    assert marked("*now*, (*not* `a*b*c`), 2 * 3 * 4, **kwargs, *x <b>") == (
        "<em>now</em>, (<em>not</em> <code>a*b*c</code>), 2 * 3 * 4, **kwargs, *x &lt;b&gt;"
    )
    texts = [reply for prediction in predictions().values() for reply in prediction.replies.values()]
    mistakes = [mistake for exercise in catalogue().values() for mistake in exercise.mistakes]
    texts += [text for mistake in mistakes for text in (mistake.diagnosis, mistake.hint)]
    shown = [re.sub("<code>.*?</code>", "", marked(text)) for text in texts]
    assert sum("<em>" in text for text in shown) >= 20
    assert not [text for text in shown if re.search(r"(?<!\w)\*\w[^*]*\*", text)]


@EACH
def test_the_timetable_says_what_to_do_and_when(plan, contents):
    page, known = words(contents[plan.name][make.first_page(plan.name)]), set()
    for item in plan.items:
        for text in [item.title] if hasattr(item, "title") else [lesson.title(item.lesson)] if isinstance(item, Lead) else []:
            assert flat(text) in page
        left_out = *getattr(item, "cut", ()), *getattr(item, "unsaid", ())
        for heading in (*left_out, getattr(item, "stop", ""), getattr(item, "late", "")):
            assert flat(heading) in page
        if isinstance(item, Lead):
            closing = [lesson.closing(lead) for lead in of(plan, Lead) if lead.lesson == item.lesson]
            assert sum(map(bool, closing)) <= 1
            assert all(words(inline(text)) in page for text in closing)
            whole = words(inline(lesson.last_sentence(item.lesson)))
            assert (whole in page) == any(lead.closes for lead in of(plan, Lead) if lead.lesson == item.lesson)
            known.add(item.lesson)
            skipped = [question.origin for question in lesson.recalls(item) if not {*question.origin} <= known]
            row = page[page.index(flat(lesson.title(item.lesson) + (f"(from “{item.start}” on)" if item.start else ""))) :]
            row = row[: row.index("Predictions:")]
            passed = row[row.index("Passoverwhatasksfor") : row.index("Lead:")] if skipped else ""
            assert all(number in passed for origin in skipped for number in origin)
            done, heading = lesson.halfway(item)
            assert 0.25 < done / item.minutes < 0.75
            said_of = [part.heading for part in lesson.said(item)]
            begun = said_of.index(item.late) < said_of.index(heading)
            assert not begun or said_of.index(item.late) + 1 == said_of.index(heading)  # else nothing would be left of it
            assert f"Iflate,runwithoutaword:{'whatisleftof' * begun}{flat(item.late)}" in row
        if isinstance(item, Practise):
            sheet = [exercise.id for exercise in by_lesson()[item.lesson]]
            *some, last = (str(sheet.index(name) + 1) for name in item.exercises)
            assert f"tellthem:{','.join(some)}{'and' * bool(some)}{last}alone" in page
        for name in getattr(item, "exercises", ()):
            assert flat(catalogue()[name].prompt) in page
            assert flat(lesson.words_before(item.lesson).get(name, "")) in page
    for name in ("for-learners", *make.rejoin_folders(plan).values()):
        row = page[page.index("Ontheboard(inthefolderwith.venv):" if name == "for-learners" else f"{name}beside.venv") :][:300]
        own = name.split("/")[-1]
        assert f".venv/bin/transformer-courselab{own}.venv\\Scripts\\transformer-courselab{own}(Windows)" in row
    for end in leader_pages.ends(plan):
        assert f"{end // 60}:{end % 60:02}" in page
        assert end % 15 == 0
    assert page.index("0·Starthere") < page.index("Whatliesbesidethispagefor-learners")  # printed, the times stand first


@EACH
def test_a_question_is_shown_alone_with_its_own_answer_folded_and_leads_to_the_next(plan, contents):
    page = contents[plan.name]["for-you/questions.html"]
    shown = dict(re.findall(r'<section id="(.+?)"(?: class="long")?>(.*?)</section>', page, re.DOTALL))
    assert len(shown) == page.count("<section")
    assert "section:target { position: fixed; inset: 0;" in page  # it covers what stands above and below
    for (anchor, section), following in zip(shown.items(), [*[*shown][1:], None], strict=True):
        before_the_answer, _, answer = section.partition("<details><summary>The answer")
        letters = re.findall(r"<li><b>(\w)</b>", before_the_answer)
        assert letters == [*"abcdef"[: len(letters)]]
        assert not re.search(r"\[[-−\d., ]* [-−\d., ]*\]", before_the_answer)  # a line would end inside a vector
        assert "✓" not in before_the_answer
        assert answer.partition("</details>")[0].count("✓") == 1
        links = re.findall(r'href="#(.+?)"', answer.partition("</details>")[2])
        assert [link for link in links if not link.startswith("part-")] == [name for name in (anchor, following) if name]
    timetable = contents[plan.name][make.first_page(plan.name)]
    asked = set(re.findall(r'for-you/questions.html#([\w.-]+)"', timetable))
    assert asked <= shown.keys()
    assert {name for name in shown if name in predictions()} <= asked
    assert not [name for name in predictions() if f"wrong-answers.html#{name}" in timetable]  # there, all answers stand open


@EACH
def test_the_letter_has_the_lines_to_copy_that_the_page_on_installing_has(plan, contents):
    letter = contents[plan.name]["to-send.txt"]
    installing = (paths.PACKAGE.parent / "docs" / "install.md").read_text(encoding="utf-8")
    commands = re.findall(r"^    (make .*?|py .*?|\.venv.*?)(?: +\(.*\))?$", letter, re.MULTILINE)
    assert commands[0] == "py --version"
    assert all(f"\n{command}\n" in installing or f"`{command}`" in installing for command in commands[1:5])
    begins = ".venv/bin/transformer-course", r".venv\Scripts\transformer-course"
    assert commands[5:] == [f"{begin} {what}" for what in ("doctor", "lab", "lab for-learners") for begin in begins]
    assert (
        letter.index("2. SEND")
        < letter.index("1 AND 2, INSTEAD")
        < letter.index("    sh install.sh\n")
        < letter.index("3. ANSWER")
    )
    flowing = " ".join(letter.split())
    assert all(part in flowing for part in (plan.title, plan.whom, "a pocket calculator", "for-learners"))
    for end in leader_pages.ends(plan):
        assert f"from 9:00 to {end // 60}:{end % 60:02}" in letter
    assert "attention&#39;s" not in letter
    assert max(map(len, letter.splitlines())) <= 80


@EACH
def test_no_page_needs_a_network_or_a_script_and_links_lead_somewhere(plan, contents):
    content = contents[plan.name]
    for name, page in content.items():
        if not name.endswith(".html") or isinstance(page, bytes):
            continue
        assert "default-src 'none'" in page
        markup = re.sub(r'"data:[^"]*"|"http://www.w3.org/1998/Math/MathML"', '""', page)
        assert not re.search(r"<script|<link|@import|url\(|://", markup), name
        for address in re.findall(r'(?:src|href)="([^"]*)"', page):
            if address.startswith("data:image/png;base64,"):
                continue
            file, _, place = address.partition("#")
            where = (Path(name).parent / file).as_posix() if file else name
            assert where in content, (name, address)
            assert not place or f'id="{place}"' in content[where], (name, address)


@pytest.mark.parametrize("number", ["03", "15"])
def test_an_executed_lesson_shows_its_outputs_its_formulas_and_all_replies(number):
    page = executed(number)
    notebook = lesson.read(number)
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    pictures = sum("image/png" in output.get("data", {}) for output in outputs)
    assert page.count("data:image/png;base64,") == pictures >= 4
    seen = words(page)
    for output in outputs:
        if output.get("name") == "stdout":
            assert flat(output.text) in seen
    formulas = sum(
        len(re.findall(r"\$\$.+?\$\$|\$[^$]+?\$", cell.source, re.DOTALL))
        for cell in notebook.cells
        if cell.cell_type == "markdown"
    )
    assert page.count("<math ") == formulas >= 2
    assert "$" not in seen.replace("\\$", "")
    for name, prediction in predictions().items():
        if name.startswith(number):
            assert all(said(reply) in seen for reply in prediction.replies.values())
    assert "Noguessyet" not in seen


# -- the folder -------------------------------------------------------------------------------------------------------


def test_learners_get_the_plan_alone_without_outputs_or_solutions(folder):
    everything = (path for path in (folder / "for-learners").glob("*/**/*") if path.is_file())
    brought = {path.relative_to(folder / "for-learners").as_posix() for path in everything}
    numbers = PLANS["half-day"].lessons()
    expected = {f"{part}/{path.name}" for part in paths.FOLDERS for path in paths.notebooks(part) if path.stem[:2] in numbers}
    assert brought == expected | set(paths.PAGES)
    start = (folder / "for-learners" / "notebooks" / "00_start_here.ipynb").read_text(encoding="utf-8")
    assert "(../docs/prerequisites.md)" in start
    assert "(../docs/glossary.md)" in start
    for name in expected:
        text = (folder / "for-learners" / name).read_text(encoding="utf-8")
        assert "SOLUTION" not in text
        assert not any(cell.get("outputs") for cell in json.loads(text)["cells"])
        for link in re.findall(r"\]\(([^():]+\.ipynb)\)", text):
            assert (folder / "for-learners" / name).parent.joinpath(link).resolve().exists()


def test_a_second_time_nothing_changes_and_what_was_changed_is_left(folder):
    page, paper = folder / make.first_page("half-day"), folder / "to-print" / "02_self_attention_by_hand.pdf"
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert before[paper] == (paths.ROOT / "docs" / "paper" / paper.name).read_bytes()
    again = make.make("half-day", folder)
    assert (again.added, again.updated, again.left) == ([], [], [])
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    page.write_text("my own timetable", encoding="utf-8")
    paper.write_bytes(b"%PDF \xff my own")
    (folder / ".transformer-course.json").unlink()
    assert set(make.make("half-day", folder).left) == {page.name, "to-print/02_self_attention_by_hand.pdf"}
    assert page.read_text(encoding="utf-8") == "my own timetable"
    assert paper.read_bytes() == b"%PDF \xff my own"
    output = command("half-day", str(folder))
    assert f"not updated, because you changed it: {page.name} (for the new version, rename yours and run this again)" in output
    for path in (page, paper):
        path.write_bytes(before[path])


def test_what_whoever_leads_wrote_or_ran_in_the_learners_folder_is_named(folder):
    learners = folder / "for-learners"
    sheet, start = next(learners.glob("exercises/02*.ipynb")), learners / "notebooks" / "00_start_here.ipynb"
    copy = learners / "notebooks" / ".ipynb_checkpoints" / "00_start_here-checkpoint.ipynb"
    before = {path: path.read_bytes() for path in (sheet, start)}
    assert "contains your work" not in command("half-day", str(folder))
    written, ran = json.loads(before[sheet]), json.loads(before[start])
    next(cell for cell in written["cells"] if "exercise" in cell["metadata"])["source"] = (
        "weights_1 = [0.8668, 0.0159, 0.1173]"
    )
    next(cell for cell in ran["cells"] if cell["cell_type"] == "code")["outputs"] = [{"output_type": "stream"}]
    sheet.write_text(json.dumps(written), encoding="utf-8")
    start.write_text(json.dumps(ran), encoding="utf-8")
    copy.parent.mkdir()
    copy.write_text("{}", encoding="utf-8")
    (folder / "for-learners" / "slides.pdf").touch()  # something else to hand out
    told = [line for line in command("half-day", str(folder)).splitlines() if line.startswith("contains your work")]
    names = [path.relative_to(folder).as_posix() for path in (sheet, copy, start)]
    assert told == [
        f"contains your work, which learners would see: {name} (for an empty one, delete it and run this again)"
        for name in names
    ]
    for path in (sheet, start, copy, folder / "for-learners" / "slides.pdf"):
        path.unlink()
    copy.parent.rmdir()
    assert command("half-day", str(folder)).startswith("2 files added, 0 updated\nOpen ")
    assert {path: path.read_bytes() for path in (sheet, start)} == before


def command(*arguments: str, status: int = 0) -> str:
    result = CliRunner().invoke(cli.app, ["workshop", *arguments], env={"COLUMNS": "200", "NO_COLOR": "1", "TERM": "dumb"})
    assert result.exit_code == status, result.output
    return result.output


def test_the_command_says_what_it_wrote_and_where_to_begin(folder):
    output = command("half-day", str(folder))
    assert "0 files added, 0 updated\n" in output
    assert f"Open {folder / 'timetable-half-day.html'} in a browser" in output


def test_the_day_begins_when_it_is_told_to(tmp_path):
    command("half-day", str(tmp_path / "afternoon"), "--start", "13:30")
    page = words((tmp_path / "afternoon" / make.first_page("half-day")).read_text(encoding="utf-8"))
    assert "startat13:30;theendisat17:00" in page
    assert "9:00" not in page


def test_the_start_stays_and_another_one_is_told(tmp_path):
    timetable, letter = tmp_path / make.first_page("half-day"), tmp_path / make.LETTER
    begun = lambda: f"start at {make.begins(tmp_path)};" in timetable.read_text(encoding="utf-8")  # noqa: E731
    assert "Each day now starts" not in command("half-day", str(tmp_path), "--start", "13:30")
    again = command("half-day", str(tmp_path))
    assert again.startswith("0 files added, 0 updated\nOpen ")
    assert (make.begins(tmp_path), begun()) == ("13:30", True)
    other = command("half-day", str(tmp_path), "--start", "08:15")
    assert other.startswith(
        f"0 files added, 2 updated\nupdated: {timetable.name}\nupdated: {letter.name}\n"
        "Each day now starts at 8:15 (before: 13:30).\nOpen "
    )
    assert (make.begins(tmp_path), begun()) == ("8:15", True)
    letter.write_text("Dear all, we begin at 8:15.", encoding="utf-8")
    late = command("half-day", str(tmp_path), "--start", "9:00")
    assert (
        f"now starts at 9:00 (before: 8:15).\nstill has the times for a start at 8:15: {letter.name} (change them there)\n"
        in late
    )
    assert "times for" not in command("half-day", str(tmp_path))


def test_the_answers_on_paper_are_those_of_the_lesson():
    names: dict = {}
    for cell in lesson.read("02").cells:
        if cell.cell_type == "code" and re.search("^(import math|X = |W_Q|S = |A_printed)", cell.source, re.MULTILINE):
            exec("\n".join(line for line in cell.source.splitlines() if not line.startswith("ax")), names)
    assert paper_answers.published() == [*names["A_printed"].flat, *names["Z_printed"].flat]
    page = paper_answers.answers()
    for table in (names["A"], names["Z"]):
        for row in table:
            assert "".join(f"<td>{number:.4f}</td>" for number in row) in page
    assert [float(number) for number in re.findall(r'class="wrong">([\d.]+)<', page)] == [
        *(0.2119, 0.3940, 0.3940, 0.5762),
        *(0.7880, 0.7880, 0.9999),  # row 3's 0.7880 is what rounded weights give
    ]


def test_the_command_refuses_in_one_sentence(folder, tmp_path):
    choose = "choose half-day, day or two-days."
    assert command("week", str(tmp_path / "new"), status=1) == f"There is no plan 'week'; {choose}\n"
    for asked in (["half", "day"], ["halfday"]):
        near = command(*asked, str(tmp_path / "new"), status=1)
        assert near == f"There is no plan '{asked[0]}'; {choose} Did you mean half-day?\n"
    late = command("half-day", str(tmp_path / "new"), "--start", "25:00", status=1)
    assert late == "The start '25:00' is no time of day; write it as 13:30.\n"
    assert command("day", str(folder), status=1).endswith(" holds the workshop half-day; choose another folder for day.\n")
    for lessons in (paths.PACKAGE.parent, folder / "for-learners"):
        alone = "holds lessons; choose a folder for the workshop alone, such as my-workshop."
        assert command("day", str(lessons), status=1) == f"{lessons.resolve()} {alone}\n"
    assert "is the course's own folder" in command("day", str(paths.PACKAGE), status=1)
    (tmp_path / "file").write_text("")
    assert "is a file; name a folder" in command("day", str(tmp_path / "file"), status=1)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


# -- on paper ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sheet", PAPER, ids=lambda path: path.stem)
def test_a_pdf_is_one_small_page_with_the_words_of_its_html(sheet):
    printed = sheet.with_suffix(".pdf")
    (page,) = pypdf.PdfReader(printed).pages
    text = unicodedata.normalize("NFKC", page.extract_text())
    expected = unicodedata.normalize("NFKC", words(sheet.read_text(encoding="utf-8")))
    assert re.sub(r"\s+", "", text) == re.sub(r"\s+", "", expected), f"print {sheet.name} again: make paper"
    assert printed.stat().st_size < 100_000
    assert (round(page.mediabox.width), round(page.mediabox.height)) == (595, 842)  # A4


def test_a_wheel_brings_the_pages_to_print():
    settings = tomllib.loads((paths.PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8"))
    assert settings["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]["docs/paper"].endswith(
        "material/docs/paper"
    )
    assert {path.stem for path in PAPER} == {stem for plan in PLANS.values() for stem in plan.paper}


def test_half_a_day_is_not_handed_the_scaled_formula(contents):
    """Its plan leaves scores unscaled: the card would answer its first exercise, and wrongly."""
    assert "03" not in PLANS["half-day"].lessons()
    assert not any("shapes_and_symbols" in name for name in contents["half-day"])
    assert "shapes_and_symbols" not in contents["half-day"][make.first_page("half-day")]


def test_the_shapes_on_the_card_are_those_of_the_library():
    page = (paths.ROOT / "docs" / "paper" / "shapes_and_symbols.html").read_text(encoding="utf-8")
    card = dict(re.findall(r'<tr data-tensor="(\w+)">.*?<td class="shape">(.*?)</td>', page))
    assert set(card) >= {"ids", "vectors", "queries", "weights", "memory", "logits", "loss"}
    sizes = {"b": 2, "h": 3, "n": 5, "m": 7, "d_model": 24, "d_k": 4, "d_v": 6, "d_ff": 11, "v": 13}
    seen = measured(**sizes)
    assert seen.keys() == card.keys()
    for name, shape in card.items():
        expected = (
            []
            if shape == "one number"
            else [math.prod(sizes.get(f) or int(f) for f in s.strip().split("·")) for s in shape.split(",")]
        )
        assert list(seen[name]) == expected, (name, shape)


def measured(b, h, n, m, d_model, d_k, d_v, d_ff, v) -> dict[str, torch.Size]:
    """The shape of each tensor on the card, as the library makes it."""
    torch.manual_seed(0)
    config = TransformerConfig(vocabulary_size=v, d_model=d_model, num_heads=h, d_ff=d_ff, num_layers=1, dropout=0.0)
    model = Transformer(config)
    source, target = torch.randint(4, v, (b, m)), torch.randint(4, v, (b, n))
    layer = model.decoder.layers[0]
    attention = MultiHeadAttention(d_model, h, d_k, d_v)
    x, y = torch.randn(b, n, d_model), torch.randn(b, m, d_model)
    q, k, value = attention._split(attention.w_q(x)), attention._split(attention.w_k(y)), attention._split(attention.w_v(y))
    out, weights = attention(x, y, y, return_weights=True)
    memory, _ = model.encode(source)
    logits = model(source, target)
    both = causal_mask(n) & padding_mask(target, Vocabulary.pad)
    hidden: list = []
    layer.feed_forward.w_1.register_forward_hook(lambda part, into, out: hidden.append(out))
    model(source, target)
    return {
        "ids": target.shape,
        "table": model.target.embedding.table.shape,
        "positions": model.target.positions(torch.zeros(1, n, d_model))[0].shape,
        "vectors": model.target(target).shape,
        "w_q": attention.w_q.weight.T.shape,
        "w_v": attention.w_v.weight.T.shape,
        "queries": q.shape,
        "keys": k.shape,
        "values": value.shape,
        "weights": weights.shape,
        "heads": (weights @ value).shape,
        "merged": (weights @ value).transpose(1, 2).flatten(2).shape,
        "w_o": attention.w_o.weight.T.shape,
        "attended": out.shape,
        "causal": causal_mask(n).shape,
        "padding": padding_mask(source, Vocabulary.pad).shape,
        "both": both.shape,
        "for_heads": both.unsqueeze(1).shape,
        "stream": layer(x, memory, causal_mask(n)).shape,
        "statistics": x.mean(-1, keepdim=True).shape,
        "gain": layer.feed_forward_residual.norm.gamma.shape,
        "w_1": layer.feed_forward.w_1.weight.T.shape,
        "hidden": hidden[0].shape,
        "w_2": layer.feed_forward.w_2.weight.T.shape,
        "memory": memory.shape,
        "cross": attention(x, memory, memory, return_weights=True)[1].shape,
        "logits": logits.shape,
        "loss": translation_loss(model, source, target).shape,
    }
