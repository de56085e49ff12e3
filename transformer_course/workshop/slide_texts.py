"""The texts of a lesson as they appear on a slide: shorter, and by themselves."""

import itertools
import re

LEAD_WORDS = 45  # what leads up to a question, from the text above it
CAPTION_WORDS = 60  # what stands below a picture
SENTENCE_END = re.compile(r"(?:(?<=[.?!])|(?<=[.?!]\*\*))\s+(?=[A-Z*])")
# How the sentences about one of two or three panels begin
LEFT, MIDDLE, RIGHT = r"(?:[Oo]n the left\b|The left )", r"In the middle\b(?! and)", r"(?:On the right\b|The right )"
SIDES = {2: (LEFT, RIGHT), 3: (LEFT, MIDDLE, RIGHT)}
SIDE = r"(?:[Oo]n the (?:left|right)|In the middle)"


def last_words(text: str, seconds: int | None = None) -> str:
    """Return the last sentences of a text that ends in a plain paragraph, without those about waiting so many seconds."""
    paragraph = " ".join(text.split("\n\n")[-1].split())
    if re.match(r"[#|>$<]|[*-] |\*\*|\d+\. ", paragraph):  # but a plain paragraph may begin with an *emphasised* word
        return ""
    chosen: list[str] = []
    for sentence in reversed(re.split(r"(?<=[.?!:])\s+(?=[A-Z*])", paragraph)):
        if len(" ".join([sentence, *chosen]).split()) > LEAD_WORDS:
            break
        if f"about {seconds} seconds" not in sentence:
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


def by_panel(text: str, count: int) -> tuple[str, list[str]]:
    """Return what the text under a picture says about all of it, and what about each of its panels.

    Unless it says something about each, it stays as it is, and the panels get nothing.
    """
    whole: list[str] = []
    found: list[list[str]] = []
    for sentence in _sentences(text):
        if len(found) < count and count in SIDES and re.match(SIDES[count][len(found)], sentence):
            found.append([])
        (found[-1] if found else whole).append(sentence)
    if not count or len(found) < count:
        return text, [""] * count
    return " ".join(whole) or text, [" ".join(sentences) for sentences in found]


def of_one_panel(text: str) -> str:
    """Return what the text under a picture says about a panel as the caption of that panel alone, without its side."""
    if re.match(f"{SIDE} (?:is|are) ", text):
        return re.sub(SIDE, "Here", text, count=1)
    return capital(re.sub(f"^{SIDE},? ", "", text))


def _sentences(text: str) -> list[str]:
    return SENTENCE_END.split(" ".join(text.split()))


def capital(text: str) -> str:
    """Return a phrase as a sentence begins, unless it begins with a symbol, such as n."""
    return text if re.match(r"(?![aA]\b)\w\b", text) else text[:1].upper() + text[1:]


def plain(text: str) -> str:
    """Return a phrase without its Markdown."""
    return text.replace("*", "").replace("`", "")
