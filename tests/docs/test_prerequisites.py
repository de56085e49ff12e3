"""docs/prerequisites.md: every answer of the self-test is what Python says."""

import doctest
import re

from transformer_course._util import paths

TEXT = (paths.ROOT / "docs" / "prerequisites.md").read_text(encoding="utf-8")
ANSWERS = re.findall(r"<details><summary>Answer</summary>\n\n(.*?)\n\n<br></details>", TEXT, re.DOTALL)


def blocks(text: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def test_every_answer_is_computed_below_it():
    told: list[str] = []
    for answer in ANSWERS:
        [block] = blocks(answer)
        parsed = doctest.DocTestParser().get_doctest(block, {}, "answer", "prerequisites.md", 0)
        assert parsed.examples
        doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL).run(parsed, out=told.append)
    assert told == [], "".join(told)


def test_each_thing_has_two_questions_something_to_read_and_a_row_in_the_table():
    things = re.split(r"^## ", TEXT, flags=re.MULTILINE)[1:]
    assert len(things) == 10
    assert len(ANSWERS) == TEXT.count("<details>") == 20
    for thing in things:
        assert thing.count("<details>") == 2, thing
        assert "**If missed:**" in thing, thing
    assert re.findall(r"^\| \[.+\]\(#(.+?)\)", TEXT, re.MULTILINE) == re.findall(r"<a id=\"(.+)\"></a>\n\n## \d", TEXT)


def test_code_that_a_question_shows_is_the_code_that_its_answer_runs():
    shown = [block for block in blocks(TEXT) if not block.startswith(">>> ")]
    run = "\n".join(re.sub(r"^(>>>|\.\.\.) ?", "", line) for answer in ANSWERS for line in answer.splitlines())
    assert len(shown) == 1
    for block in shown:
        assert all(line in run for line in block.splitlines())
