"""The files of questions: what is read from one, what is said about one that cannot be read, and whether a question's form
shows which choice is right.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from refusals import refusals

from transformer_course import course
from transformer_course.course.question import LETTERS, Choice, Question, read

GOOD = """# Questions of lesson 04

## 04.row

Which weights? There are
three.

- [ ] the first,
  which is long
  - No.
- [x] the *second*
  - Yes: `a - b`
    is 1.

## 04.recall.sums
What sums to 1?

- [X] Rows
  - Yes.
- [ ] Columns
  - No.

Order: as written
Looks back to: 02, 03
"""
# Each case: what is put in place of something in the file.
FAULTS = {
    "a text before the first question": ("## 04.row", "These are questions.\n\n## 04.row"),
    "a heading of another level": ("## 04.row", "### 04.row"),
    "another lesson's id": ("## 04.row", "## 05.row"),
    "an id of one word": ("## 04.row", "## row"),
    "an empty id": ("## 04.row", "##"),
    "one id twice": ("## 04.recall.sums", "## 04.row"),
    "no text": ("What sums to 1?", ""),
    "two paragraphs": ("There are\n", "\n\n"),
    "no choices": ("- [X] Rows\n  - Yes.\n- [ ] Columns\n  - No.\n", ""),
    "one choice": ("- [ ] Columns\n  - No.\n", ""),
    "a choice without its box": ("- [ ] Columns", "- Columns"),
    "a choice without its box, right below the text": ("What sums to 1?\n\n- [X]", "What sums to 1?\n-"),
    "an empty choice": ("- [ ] Columns", "- [ ]"),
    "no right choice": ("- [X] Rows", "- [ ] Rows"),
    "two right choices": ("- [ ] Columns", "- [x] Columns"),
    "a choice without a reply": ("  - Yes.\n", ""),
    "the last choice without a reply": ("- [ ] Columns\n  - No.\n", "- [ ] Columns\n"),
    "a reply that is not indented": ("  - Yes.", "- Yes."),
    "an empty reply": ("  - Yes.", "  -"),
    "two replies": ("  - Yes.", "  - Yes.\n  - Rows do."),
    "a text after the choices": ("  - No.\n\nOrder", "  - No.\nThey sum to 1.\n\nOrder"),
    "an unknown attribute": ("Looks back to:", "Origin:"),
    "a later lesson": ("02, 03", "02, 05"),
    "no lesson's number": ("02, 03", "lesson 2"),
    "another order": ("as written", "by length"),
    "an order without a word": ("Order: as written", "Order:"),
    "an order after what it looks back to": (
        "Order: as written\nLooks back to: 02, 03",
        "Looks back to: 02, 03\nOrder: as written",
    ),
    "an attribute twice": ("02, 03", "02\nLooks back to: 03"),
}


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "04_masks" / "questions.md"
    path.parent.mkdir()
    path.write_text(GOOD, encoding="utf-8")
    return path


def test_questions_are_read_in_order_and_each_text_in_one_line(file):
    first = (Choice("the first, which is long", "No.", "a"), Choice("the *second*", "Yes: `a - b` is 1.", "b"))
    second = (Choice("Rows", "Yes.", "a"), Choice("Columns", "No.", "b"))
    drawn, written = read(file)
    assert drawn.right == {choice.text: letter for letter, choice in drawn.lettered.items()}["the *second*"]
    ordered = replace(drawn, choices=tuple(sorted(drawn.choices, key=lambda choice: choice.kept)), right="b")
    assert ordered == Question("04.row", "Which weights? There are three.", first, right="b")
    assert written == Question("04.recall.sums", "What sums to 1?", second, right="a", origin=("02", "03"))


def test_the_order_is_drawn_from_the_id_alone(file):
    """A new text must not change it, nor another version of Python: so one order is written here."""
    orders = Counter()
    for number in range(60):
        file.write_text(
            f"## 04.q{number}\n\nWhich?\n\n- [x] Rows\n  - Yes.\n- [ ] Columns\n  - No.\n- [ ] Cells\n  - No.\n",
            encoding="utf-8",
        )
        (question,) = read(file)
        file.write_text(
            file.read_text(encoding="utf-8").replace("Which?", "Whose?").replace("Rows", "Each row"), encoding="utf-8"
        )
        (changed,) = read(file)
        order = "".join(choice.kept for choice in question.choices)
        assert order == "".join(choice.kept for choice in changed.choices)
        assert question.choices[LETTERS.index(question.right)].text == "Rows"
        orders[order] += 1
    assert len(orders) == 6
    assert "".join(choice.kept for choice in asked()["02.zero"].choices) == "bac"


def test_what_cannot_be_read_is_told_with_its_line_and_what_to_write(file, snapshot):
    assert refusals(file, FAULTS, lambda: read(file)) == snapshot


# -- what the form of a question shows ----------------------------------------------------------------------------------

LUCK = 0.001  # what happens less often than this by chance is no chance


def asked() -> dict[str, Question]:
    return {question.id: question for lesson in course.lessons() for question in lesson.questions}


def sorts(questions: Sequence[Question]) -> dict[str, list[Question]]:
    """The questions by their sort: predictions, recall, exit, and all others together."""
    found = defaultdict(list)
    for question in questions:
        group = question.id.split(".")[1] if not question.is_prediction else "predictions"
        found[group if group in ("predictions", "recall", "exit") else "others"].append(question)
    return found


def lettered(letter: str) -> Callable[[Question], list[str]]:
    return lambda question: [letter] if letter in question.lettered else []


def of_length(extreme: Callable) -> Callable[[Question], list[str]]:
    """The letter of the longest or the shortest choice, if there is one that is longer or shorter than all others."""

    def found(question: Question) -> list[str]:
        lengths = {letter: len(choice.text) for letter, choice in question.lettered.items()}
        letters = [letter for letter, length in lengths.items() if length == extreme(lengths.values())]
        return letters if len(letters) == 1 else []

    return found


GUESSES = {
    **{f"choose {letter}": lettered(letter) for letter in "abcd"},
    "choose the longest": of_length(max),
    "choose the shortest": of_length(min),
}


def at_least(hits: int, chances: Sequence[float]) -> float:
    """The probability of at least so many hits, if each has its own chance and all are independent."""
    exactly = [1.0]
    for chance in chances:
        exactly = [miss * (1 - chance) + hit * chance for miss, hit in zip([*exactly, 0], [0, *exactly], strict=True)]
    return sum(exactly[hits:])


def too_good(questions: Sequence[Question]) -> list[str]:
    """Say which ways to guess, without reading, are right or wrong more often than chance allows."""
    found = []
    for sort, several in sorts(questions).items():
        for way, guess in GUESSES.items():
            guessed = [question for question in several if guess(question)]
            right = [question.id for question in guessed if guess(question) == [question.right]]
            chances = [1 / len(question.choices) for question in guessed]
            says = f"{sort}: “{way}” is right in {len(right)} of {len(guessed)}, by chance in {sum(chances):.0f}"
            if at_least(len(right), chances) < LUCK:
                found.append(f"{says}: {', '.join(right)}")
            elif at_least(len(guessed) - len(right), [1 - chance for chance in chances]) < LUCK:
                found.append(f"{says}, so it rules a choice out")
    return found


def test_neither_letter_nor_length_shows_which_choice_is_right():
    assert too_good([*asked().values()]) == []


def test_a_letter_or_a_length_that_shows_it_is_found():
    """With the choices as they stand in the files, b is right too often. The other cases are made."""
    questions = [*asked().values()]
    as_written = [
        replace(
            question,
            choices=tuple(sorted(question.choices, key=lambda choice: choice.kept)),
            right=question.lettered[question.right].kept,
        )
        for question in questions
    ]
    assert {"recall: “choose b”", "exit: “choose b”"} <= {says.partition(" is right")[0] for says in too_good(as_written)}

    def with_right(change: Callable[[str], str]) -> list[Question]:
        return [
            replace(
                question,
                choices=tuple(
                    replace(choice, text=change(choice.text)) if letter == question.right else choice
                    for letter, choice in question.lettered.items()
                ),
            )
            for question in questions
        ]

    for change, way in ((lambda text: text * 3, "longest"), (lambda text: text[:1], "shortest")):
        assert {says.partition("”")[0] for says in too_good(with_right(change))} >= {
            f"{sort}: “choose the {way}" for sort in ("predictions", "recall", "exit")
        }
