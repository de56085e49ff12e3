"""Lesson 21's index of the errors: it has the rows of docs/sources.md, and its links lead to where each error is run."""

import re

from built_notebooks import made, read
from source_rows import rows

from transformer_course import course

LESSON = course.lesson("21")
TEXT = "\n".join(cell.source for cell in made(LESSON).cells if cell.cell_type == "markdown")
# Row, statement, correction, links
INDEX = re.findall(r"^\| (E\d+) \| (.+?) \| <details><summary>Unfold</summary>(.+?)</details> \| (.+) \|$", TEXT, re.MULTILINE)


def test_the_index_has_every_error_once_with_its_lessons():
    due = {row: lessons for row, lessons in rows().items() if row.startswith("E")}
    assert len(INDEX) == len(due) == 29
    assert {row: re.findall(r"\[(\d\d), ", links) for row, *_, links in INDEX} == due


def test_a_correction_comes_with_a_test():
    assert [row for row, _, correction, _ in INDEX if not re.fullmatch(r".+[.\]] Test: .+[.?]", correction)] == []


def test_the_text_counts_the_errors_as_the_index_groups_them():
    groups = re.split(r"^#### ", TEXT, flags=re.MULTILINE)[1:]
    sizes = {group.splitlines()[0]: len(re.findall(r"^\| E\d+ ", group, re.MULTILINE)) for group in groups}
    assert list(sizes.values()) == [5, 6, 4, 5, 4, 2, 3]
    assert sizes["Slips in a number or a formula"] == 5  # as the replies of the prediction say
    assert sizes["True of a different model, or in a different case"] + sizes["A condition left out"] == 9
    assert "nine of the 29 errors are of this kind" in " ".join(TEXT.split())


def test_a_link_leads_to_the_heading_under_which_the_error_is_run():
    link = re.compile(r"\[(\d\d), (.+?)\]\((\w+)\.ipynb#(.+?)\)")
    for row, number, part, stem, anchor in ((row, *each) for row, *_, links in INDEX for each in link.findall(links)):
        lesson = course.lesson(number)
        assert stem == lesson.name
        assert anchor == part.replace(" ", "-")
        under, heading = [], ""
        for cell in read(lesson.notebook).cells:
            if cell.cell_type == "markdown":
                heading = next(iter(reversed(re.findall(r"^#+ (.+)$", cell.source, re.MULTILINE))), heading)
            elif row in cell.metadata.get("tags", []):
                under.append(heading)
        assert part in under, row
