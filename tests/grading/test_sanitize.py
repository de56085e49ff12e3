"""Text that is safe to display."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from transformer_course.grading.sanitize import code, plain


def test_plain_words():
    assert plain("  two\n lines\t ", 20) == "two lines"
    assert plain("\x1b[1;31mred\x1b[0m \x1b]0;title\x07", 20) == "red"
    assert plain("a\u202eb\u2066c\u200fd\x00\ud800", 20) == "a\ufffdb\ufffdc\ufffdd\ufffd\ufffd"
    assert plain("王小明 👩\u200d💻 é", 20) == "王小明 👩\u200d💻 é"
    assert plain("x" * 21, 20) == "x" * 19 + "…"
    assert plain("x" * 20, 20) == "x" * 20


def test_code_keeps_its_lines_and_their_indentation():
    assert code("\ndef f(x):\n\treturn \x1b[31mx\u202e  \n\n") == "def f(x):\n    return x\ufffd"
    assert code("a\u2028b\x0bc") == "a\nb\nc"


@given(st.text(), st.integers(1, 50))
def test_plain_words_are_one_line_that_can_be_written(text, limit):
    words = plain(text, limit)
    assert len(words) <= limit
    assert len(words.encode().splitlines()) <= 1
    assert not {unicodedata.category(c) for c in words} & {"Cc", "Cs", "Zl", "Zp"}
    assert plain(words, limit) == words
