"""The answers to the page on paper."""

import re

from transformer_course.workshop import lesson, paper_answers


def test_the_answers_on_paper_are_those_of_the_lesson():
    names: dict = {}
    for cell in lesson.stored("02").cells:
        if cell.cell_type == "code" and re.search("^(import math|X = |W_Q|S = |A_printed)", cell.source, re.MULTILINE):
            exec("\n".join(line for line in cell.source.splitlines() if not line.startswith(("ax", "_ = ax"))), names)
    assert paper_answers.published() == [*names["A_printed"].flat, *names["Z_printed"].flat]
    page = paper_answers.answers()
    assert page.count("<th>2 · car</th>") == 4  # as on the sheet
    for table in (names["A"], names["Z"]):
        for row in table:
            assert "".join(f"<td>{number:.4f}</td>" for number in row) in page
    assert [float(number) for number in re.findall(r'class="wrong">([\d.]+)<', page)] == [
        *(0.2119, 0.3940, 0.3940, 0.5762),
        *(0.7880, 0.7880, 0.9999),  # row 3's 0.7880 is what rounded weights give
    ]
