"""docs/glossary.md holds what lessons introduce, each term once, with its Chinese name and its lesson."""

import re

import pytest
from built_notebooks import LESSONS, made

from transformer_course._util import paths

TEXT = (paths.ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
ROWS = [line[2:-2].split(" | ") for line in re.findall(r"^\| .+ \| \d\d \|$", TEXT, re.MULTILINE)]

# Bold in a lesson for emphasis or as a label; in lesson 01, keys are the subject of a sentence.
EMPHASIS = {
    *("after", "are", "claim 1", "claim 2", "claim 3", "claim 4", "claim a", "claim b", "count", "cross", "do they differ"),
    *("each token's vector", "in the mirror", "in the picture", "next", "on paper", "one", "position by position", "recall"),
    *("run all above", "sheet", "shares", "the table", "true may look", "turn", "what extrapolates", "which shares"),
    *("your turn", "01 keys"),
}
ALSO = {
    "hidden": "hidden unit",
    "ideal alignment": "alignment",
    "learned table": "learned positions",
    "pre-trained": "pre-training",
    "weights": "attention weight",
}


def variants(term: str) -> set[str]:
    """What a row's first column answers to: each name in it, in and outside parentheses, and the whole."""
    return {term.lower(), *(part.strip().lower() for part in re.split(r"[(),]", term) if part.strip())}


def singular(words: str) -> set[str]:
    """A word and what it may be a form of: tokens, shifted, pre-trained, patches, queries."""
    forms = {words}
    for ending, instead in (("s", ""), ("es", ""), ("ies", "y"), ("ed", ""), ("'s", "")):
        if words.endswith(ending):
            forms.add(words.removesuffix(ending) + instead)
    return forms


def introduced(lesson) -> list[str]:
    """What a lesson prints in bold, where it is short enough to be a term."""
    text = "\n".join(cell.source for cell in made(lesson).cells if cell.cell_type == "markdown")
    bold = (" ".join(words.split()).strip(".:?!,").lower() for words in re.findall(r"\*\*(.+?)\*\*", text, re.DOTALL))
    return [words for words in bold if len(words.split()) <= 3 and re.fullmatch(r"[a-zγβε][\w '-]*(\(\w+\))?", words)]


NAMES: dict[str, list[str]] = {}
for row in ROWS:
    for name in variants(row[0]):
        NAMES.setdefault(name, []).append(row[3])


def test_each_term_stands_once_in_order_with_its_chinese_name():
    terms = [row[0] for row in ROWS]
    assert len(terms) == len(set(terms)) == TEXT.count("\n| ") - 2
    keys = [
        re.sub(r"[^a-z0-9 ]", "", re.split(r"[(,]", t.lower().replace("ε", "e").replace("_", " "))[0]).strip() for t in terms
    ]
    assert keys == sorted(keys)
    for term, chinese, meaning, _ in ROWS:
        assert re.search(r"[\u4e00-\u9fff]", chinese) or chinese == term, term
        assert meaning, term


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_what_a_lesson_introduces_is_explained_and_not_later_than_there(lesson):
    number = lesson.number
    for words in introduced(lesson):
        if {words, f"{number} {words}"} & EMPHASIS:
            continue
        names = {ALSO.get(form, form) for form in singular(words)}
        placed = [there for name in names for there in NAMES.get(name, [])]
        assert placed, f"{words!r} is bold in {lesson.name}: it needs a row in the glossary, or stands there for emphasis"
        assert min(placed) <= number, f"{words!r} is bold in {lesson.name}, and the glossary has it in {min(placed)}"


def test_every_lesson_named_exists():
    assert {row[3] for row in ROWS} <= {lesson.number for lesson in LESSONS}
