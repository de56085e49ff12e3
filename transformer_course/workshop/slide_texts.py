"""The texts of a lesson as they appear on a slide: shorter, and by themselves."""

import itertools
import re

from transformer_course.course.source import capital

LEAD_WORDS = 45  # what leads up to a question, from the text above it
CAPTION_WORDS = 60  # what stands below a picture
SENTENCE_END = re.compile(r"(?:(?<=[.?!])|(?<=[.?!]\*\*))\s+(?=[A-Z*])")


def last_words(text: str, seconds: int | None = None) -> str:
    """Return the last sentences of a text that ends in a plain paragraph, without those about waiting so many seconds."""
    paragraph = " ".join(text.split("\n\n")[-1].split())
    if re.match(r"[#|>$<]|[*-] |\*\*|\d+\. ", paragraph):  # but a plain paragraph may begin with an *emphasised* word
        return ""
    chosen: list[str] = []
    for sentence in reversed(re.split(r"(?<=[.?!:])\s+(?=[A-Z*])", paragraph)):
        if len(" ".join([sentence, *chosen]).split()) > LEAD_WORDS:
            break
        if seconds is None or str(seconds) not in sentence.split():
            chosen.insert(0, sentence)
    return " ".join(chosen)


def caption(text: str) -> str:
    """Return the first sentences of the text under a picture, as many as fit below it."""
    first, *others = _sentences(text)
    chosen = [capital(first)]
    for sentence in others:
        if len(" ".join([*chosen, sentence]).split()) > CAPTION_WORDS:
            break
        chosen.append(sentence)
    return " ".join(chosen)


def told(text: str) -> str:
    """Return the text under a picture without its end if that leads on to the next cell: "… And for twelve seeds:"."""
    first, *others = _sentences(text)
    return " ".join([first, *itertools.takewhile(lambda sentence: sentence[-1] not in "?:", others)])


def _sentences(text: str) -> list[str]:
    return SENTENCE_END.split(" ".join(text.split()))


def plain(text: str) -> str:
    """Return a phrase without its Markdown."""
    return text.replace("*", "").replace("`", "")
