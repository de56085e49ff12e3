"""Text in the cells of tables: nothing that a learner wrote becomes a formula, whatever a spreadsheet takes for a separator.

Spreadsheets compute a cell that begins with =, +, - or @. Where a cell begins depends on the separator that they expect, which
need not be ours: a spreadsheet set to semicolons makes three cells of ``x;=1+1;``. So the rule is about text, not about cells:
between the start of a text, a line or any separator and such a sign there is always an apostrophe. Quotation marks and spaces
do not count, because spreadsheets remove some of them. Reading a table, we take away those apostrophes and no others.
"""

import csv
import io
import re
from collections.abc import Iterable, Sequence

from ..sanitize import plain

SIGN = "[-=+@＝＋－＠﹦﹢﹣﹫]"  # the wide and small ones in Chinese and Japanese
START = r"(?:^|[,;|\t\r\n])"
SKIPPED = r"(?:[^\S\t\r\n]|['\"`´‘’“”„«»\u200b-\u200d\ufeff\ufffd])*"
BEFORE = re.compile(f"({START}{SKIPPED})(?={SIGN})")
MARKED = re.compile(f"({START}{SKIPPED})'(?={SIGN})")


def cell(text: str, limit: int) -> str:
    """Return one line of text for a table."""
    return harmless(plain(text, limit))


def harmless(text: str) -> str:
    """Return text with an apostrophe before each sign that could begin a formula."""
    return BEFORE.sub(r"\1'", text)


def original(text: str) -> str:
    """Return the text from which ``harmless`` made this one."""
    return MARKED.sub(r"\1", text)


def csv_text(rows: Iterable[Sequence], delimiter: str = ",") -> str:
    """Return rows as CSV."""
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter).writerows(rows)
    return text.getvalue()
