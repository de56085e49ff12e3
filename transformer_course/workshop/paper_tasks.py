"""The slides that say what to do on paper, before a slide or a cell shows the result."""

import re
from collections.abc import Iterator

from .contexts import PAPER_LEADS
from .slide import Slide, html, inline
from .slide_texts import last_words

TASK = re.compile(r"\*\*Your turn, on paper\b.+?(?=\n\n<details>|\Z)", re.DOTALL)
COMPARE = re.compile(r"<details><summary>Compare</summary>(.+?)</details>", re.DOTALL)


def of(heading: str, text: str) -> Iterator[Slide]:
    """Yield the task on paper of a Markdown cell, if it has one. The results are in its notes."""
    if task := TASK.search(text):
        lead = PAPER_LEADS.get(heading) or last_words(text[: task.start()].rstrip())
        results = COMPARE.search(text, task.end())
        notes = html(f"**Compare:** {results[1]}") if results else html("")
        yield Slide("paper", heading, lead=inline(lead), body=html(task[0]), notes=notes)
