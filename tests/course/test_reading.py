"""What the lessons send people to: complete, used, and never without its title in a list of what to read next."""

import re

import pytest

from transformer_course import course
from transformer_course.course.reading import KEY, Reading, readings
from transformer_course.course.source import SourceError, cells_of

LESSONS = {lesson.number: lesson for lesson in course.lessons()}
USED = {key for source in course.sources() for key in KEY.findall(source.path.read_text(encoding="utf-8"))}


def test_a_reading_is_named_by_its_first_author_and_the_year_of_its_first_version():
    for key, each in readings().items():
        year = each.year or 2000 + int(each.arxiv[:2])
        assert all((each.authors, each.title, each.arxiv or each.venue)), key
        assert re.fullmatch(r"https://\S+", each.address), key
        assert key == re.match(r"\w+", each.authors)[0].lower() + str(year)
    assert len({each.address for each in readings().values()}) == len(readings())
    assert {*readings()} == USED


@pytest.mark.parametrize("number", LESSONS)
def test_a_lesson_says_why_to_read_each(number):
    lists = [block.text for cell in LESSONS[number].cells for block in cell.blocks if block.kind == "readings"]
    for item in re.split(r"\n(?=\* )", "\n".join(lists)) if lists else []:
        (reading,) = (each for each in readings().values() if item.startswith(f"* {each.full}"))
        assert len(item.removeprefix(f"* {reading.full}").split()) > 3, item
    assert lists or number == "00"
    assert not re.search(r"\]\(https://(arxiv|doi)\.org", LESSONS[number].path.read_text(encoding="utf-8"))


def test_a_source_writes_its_key_alone():
    cited = cells_of("# %% [markdown]\n# See {ba2016}.\n#\n# <!-- readings -->\n# * {ba2016}: norms.", "lesson.py")[0].text
    short = "[Ba and others 2016](https://arxiv.org/abs/1607.06450)"
    assert cited == f"See {short}.\n\n* {short}, “Layer Normalization” (arXiv:1607.06450): norms."
    with pytest.raises(SourceError, match=r"lesson.py, line 2: \{nobody2030\} is not in course/readings.toml"):
        cells_of("# %% [markdown]\n# {nobody2030}", "lesson.py")
    assert Reading("A", "B", 2009, "C", doi="10.1/2").full == "[A 2009](https://doi.org/10.1/2), “B” (C, doi:10.1/2)"
