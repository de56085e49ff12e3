"""Generated questions: one right answer each, nothing of the tests in the training."""

import re
from datetime import date

import pytest

from transformer_course import models
from transformer_course.chat import chat_format
from transformer_course.data.dates import DAYS, MONTHS
from transformer_course.data.questions import FACTS, KINDS, WORDS, questions

MADE = questions()
PATTERNS = {
    (kind, number): re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+)", re.escape(wording)) + "$")
    for kind, each in KINDS.items()
    for number, wording in enumerate(each.wordings)
}


def read(question) -> tuple[int, dict[str, str]]:
    """The number of a question's wording, and what fills its gaps: of several that fit, those with the shortest gaps."""
    found = [
        (number, match.groupdict())
        for (kind, number), pattern in PATTERNS.items()
        if kind == question.kind and (match := pattern.match(question.text))
    ]
    return min(found, key=lambda each: len("".join(each[1].values())))


def answer(question) -> str:
    """The answer, found in another way than the generator's."""
    _, gaps = read(question)
    if question.kind == "type":
        return type(eval(gaps["literal"])).__name__
    if question.kind == "month":
        return next(month for month in MONTHS if month in gaps["date"])
    if question.kind == "even":
        return "odd" if gaps["n"][-1] in "13579" else "even"
    if question.kind == "first word":
        return re.match(r"\w+", gaps["words"])[0]
    if question.kind == "word after":
        return re.search(rf"\b{gaps['word']} (\w+)", gaps["words"])[1]
    if question.kind == "day after":
        return date(2024, 1, 2 + DAYS.index(gaps["x"])).strftime("%A")  # 1 January 2024 was a Monday
    if question.kind == "month after":
        return MONTHS[(MONTHS.index(gaps["x"]) + 1) % 12]
    return FACTS["python"][gaps["x"]]


@pytest.mark.parametrize("part", MADE._fields)
def test_each_answer_is_right_and_no_question_is_asked_twice(part):
    made = getattr(MADE, part)
    assert len(made) == len({each.text for each in made}) == {"train": 2000, "test": 300, "reworded": 300}[part]
    assert all(each.answer == answer(each) for each in made)


def test_what_a_test_asks_about_is_trained_on_in_no_wording():
    def things(part):
        return {(each.kind, *read(each)[1].values()) for each in part if not KINDS[each.kind].fixed}

    assert not things(MADE.train) & (things(MADE.test) | things(MADE.reworded))


def test_the_last_wording_of_each_kind_is_held_out():
    assert {read(each)[0] for each in MADE.reworded} == {3}
    assert {read(each)[0] for each in MADE.train} == {read(each)[0] for each in MADE.test} == {0, 1, 2}
    assert {each.kind for each in MADE.train} == {each.kind for each in MADE.reworded} == KINDS.keys()
    assert {each.kind for each in MADE.test} == {name for name, kind in KINDS.items() if not kind.fixed}


def test_another_seed_gives_other_questions_and_the_same_split():
    other = questions(seed=1)
    assert other != MADE
    assert questions() == MADE
    assert not {each.text for each in other.test} & {each.text for each in MADE.train}


def test_each_word_is_one_token_of_the_model_and_no_chat_is_long():
    _, vocabularies = models.load("prose")
    chat = chat_format(vocabularies["text"])
    assert {word: len(chat.encode(word)) for word in WORDS} == dict.fromkeys(WORDS, 1)
    assert max(len(chat.encode(each.text)) + len(chat.encode(each.answer)) for each in MADE.train) < 40


@pytest.mark.parametrize("sizes", [(0, 300), (2000, 0), (20_001, 1), (1, 2001)])
def test_refuses_sizes_that_cannot_be_made(sizes):
    with pytest.raises(ValueError, match=f"got {sizes[0]} and {sizes[1]}"):
        questions(*sizes)
