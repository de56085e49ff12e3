"""Words that came from a submission, made fit to be shown: on a page, in a table, in a terminal."""

import re
import unicodedata
from collections.abc import Sequence
from datetime import datetime

ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?)")  # a terminal's colours, titles and links
JOINERS = "\u200c\u200d"  # invisible too, but Persian and many emoji are written with them
MOST = 30  # sentences of one kind about one submission


def plain(text: str, limit: int) -> str:
    """The text as one line of at most ``limit`` characters that shows what it says.

    Line ends and other white space become single spaces. Control characters, marks that turn the direction of writing, other
    invisible ones and halves of surrogate pairs become "\N{REPLACEMENT CHARACTER}"; a terminal's escape sequences go. The
    result is not escaped: a page or a table still does that in its own way.
    """
    text = " ".join(ESCAPES.sub("", text[: 4 * limit]).split())
    text = "".join("\N{REPLACEMENT CHARACTER}" if _hidden(character) else character for character in text)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def sentences(texts: Sequence[str]) -> list[str]:
    """The first of many texts, plain, and how many more there are: a notebook may have a fault in each of its cells."""
    shown = [plain(text, 500) for text in texts[:MOST]]
    return shown + ([f"And {len(texts) - MOST} more."] if len(texts) > MOST else [])


def local(seconds: float | None) -> str:
    """The time as it is here, with its distance from UTC. Nothing for a time that no calendar has."""
    try:
        return "" if seconds is None else datetime.fromtimestamp(seconds).astimezone().isoformat(" ", timespec="seconds")
    except (OverflowError, ValueError, OSError):
        return ""


def _hidden(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cf", "Cs") and character not in JOINERS
