"""Short questions with one right answer each: about numbers, dates, words and Python. A rule makes them, and checks them.

There are eight kinds, and each can be asked in four wordings. For five kinds there are many things to ask about, such as
dates; the hash of such a thing decides whether it is held out, so that it is trained on in no wording. The other three kinds
are `FACTS`, which can only be learned by heart. The last wording of each kind is held out as well.

The words are frequent ones of Python's documentation, and single tokens of the models that were trained on it.
"""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import NamedTuple

from transformer_course.data.dates import DAYS, FIRST, LAST, MONTHS
from transformer_course.data.split import held_back

Thing = tuple[Mapping[str, object], str]  # what fills a wording's gaps, and the answer


class Question(NamedTuple):
    """A question, its only right answer, and what kind of question it is."""

    text: str
    answer: str
    kind: str


class Questions(NamedTuple):
    """Questions for training, and two tests: unseen things in the wordings of the training, and unseen wordings."""

    train: list[Question]
    test: list[Question]
    reworded: list[Question]


WORDS = [
    *("address", "argument", "attribute", "block", "character", "class", "code", "command", "data", "dictionary"),
    *("directory", "error", "event", "exception", "file", "filename", "format", "function", "item", "key"),
    *("line", "list", "message", "method", "module", "name", "number", "object", "order", "package"),
    *("path", "pattern", "process", "result", "server", "string", "text", "thread", "value", "version"),
]
LENGTHS = (2, 3, 4)  # words in a phrase
LITERALS = {  # what fills the gaps: numbers a and b, and a word w
    "int": "{a}",
    "float": "{a}.{b}",
    "str": "'{w}'",
    "list": "[{a}, {b}]",
    "tuple": "({a}, {b})",
    "set": "{{{a}, {b}}}",
    "dict": "{{'{w}': {a}}}",
}

RETURNS = {
    "len": "the number of items",
    "max": "the largest item",
    "min": "the smallest item",
    "sum": "the sum of the items",
    "abs": "the absolute value",
    "type": "the class of an object",
    "sorted": "a new sorted list",
    "reversed": "an iterator from the end",
    "open": "a file object",
    "input": "a line of text",
    "id": "the identity of an object",
    "hash": "a hash value",
    "range": "a sequence of numbers",
    "enumerate": "pairs of index and item",
    "zip": "tuples of items",
    "chr": "a character",
    "ord": "the code of a character",
    "bool": "true or false",
    "int": "an integer",
    "str": "a string",
}


def _next(row: list[str]) -> dict[str, str]:
    return dict(zip(row, row[1:] + row[:1], strict=True))


FACTS: dict[str, Mapping[str, str]] = {"month after": _next(MONTHS), "day after": _next(DAYS), "python": RETURNS}


@dataclass(frozen=True)
class Kind:
    """The wordings of one kind of question, of which the last is held out, and ``draw``, which makes what is asked about."""

    wordings: tuple[str, ...]
    draw: Callable[[random.Random], Thing] = field(repr=False)
    fixed: bool = False  # a fact, of which there are few


def _fact(name: str) -> Callable[[random.Random], Thing]:
    def draw(chance: random.Random) -> Thing:
        asked = chance.choice(list(FACTS[name]))
        return {"x": asked}, FACTS[name][asked]

    return draw


def _type(chance: random.Random) -> Thing:
    name = chance.choice(list(LITERALS))
    parts = {"a": chance.randrange(10, 100), "b": chance.randrange(10, 100), "w": chance.choice(WORDS)}
    return {"literal": LITERALS[name].format(**parts)}, name


def _month(chance: random.Random) -> Thing:
    day = FIRST + timedelta(days=chance.randrange((LAST - FIRST).days + 1))
    return {"date": f"{day.day} {MONTHS[day.month - 1]} {day.year}"}, MONTHS[day.month - 1]


def _even(chance: random.Random) -> Thing:
    n = chance.randrange(10, 1000)
    return {"n": n}, ("even", "odd")[n % 2]


def _phrase(chance: random.Random) -> list[str]:
    return chance.sample(WORDS, chance.choice(LENGTHS))


def _first(chance: random.Random) -> Thing:
    words = _phrase(chance)
    return {"words": " ".join(words)}, words[0]


def _after(chance: random.Random) -> Thing:
    words = _phrase(chance)
    place = chance.randrange(len(words) - 1)
    return {"word": words[place], "words": " ".join(words)}, words[place + 1]


KINDS: dict[str, Kind] = {
    "type": Kind(
        (
            "What is the type of {literal}?",
            "Which type is {literal}?",
            "Name this type: {literal}",
            "What type is {literal}?",
        ),
        _type,
    ),
    "month": Kind(
        (
            "Which month is {date} in?",
            "What is the month of {date}?",
            "Name the month of {date}.",
            "In which month is {date}?",
        ),
        _month,
    ),
    "even": Kind(
        (
            "Is {n} even or odd?",
            "Is the number {n} even or odd?",
            "Even or odd: {n}?",
            "Even or odd? {n}.",
        ),
        _even,
    ),
    "first word": Kind(
        (
            "What is the first word of: {words}?",
            "Which word is first in: {words}?",
            "Return the first word of: {words}.",
            "Which is the first word in: {words}?",
        ),
        _first,
    ),
    "word after": Kind(
        (
            "Which word comes after {word} in: {words}?",
            "What is the word after {word} in: {words}?",
            "Return the word after {word} in: {words}.",
            "What word comes after {word} in: {words}?",
        ),
        _after,
    ),
    "month after": Kind(
        (
            "Which month comes after {x}?",
            "What is the month after {x}?",
            "Name the month after {x}.",
            "What month comes after {x}?",
        ),
        _fact("month after"),
        fixed=True,
    ),
    "day after": Kind(
        (
            "Which day comes after {x}?",
            "What is the day after {x}?",
            "Name the day after {x}.",
            "What day comes after {x}?",
        ),
        _fact("day after"),
        fixed=True,
    ),
    "python": Kind(
        (
            "What does {x} return?",
            "What does the function {x} return?",
            "Name what {x} returns.",
            "What is returned by {x}?",
        ),
        _fact("python"),
        fixed=True,
    ),
}


def questions(train: int = 2000, test: int = 300, seed: int = 0) -> Questions:
    """Return ``train`` questions for training, and ``test`` of each sort that was held out, with their answers.

    No question is repeated within a part, and all kinds are drawn equally often until their questions run out, as those about
    facts do. The test has the five kinds that are not facts; what it asks about never occurs in training. ``reworded`` asks
    about held-out things, or about any fact, in wordings that never occur in training.

    Raises ValueError for sizes below 1 or above 20,000 and 2,000.
    """
    if not (1 <= train <= 20_000 and 1 <= test <= 2_000):
        raise ValueError(f"1 to 20000 questions can be made for training, and 1 to 2000 for each test, got {train} and {test}")
    chance = random.Random(seed)
    open_kinds = [name for name, kind in KINDS.items() if not kind.fixed]
    return Questions(
        _draw(chance, list(KINDS), train, held_out=False, reworded=False),
        _draw(chance, open_kinds, test, held_out=True, reworded=False),
        _draw(chance, list(KINDS), test, held_out=True, reworded=True),
    )


def _draw(chance: random.Random, names: list[str], count: int, *, held_out: bool, reworded: bool) -> list[Question]:
    made: dict[str, Question] = {}
    while len(made) < count:
        name = chance.choice(names)
        kind = KINDS[name]
        gaps, answer = kind.draw(chance)
        if not kind.fixed and held_back((name, *gaps.values()), 0) != held_out:
            continue
        wording = kind.wordings[-1] if reworded else chance.choice(kind.wordings[:-1])
        text = wording.format(**gaps)
        made.setdefault(text, Question(text, answer, name))
    return list(made.values())
