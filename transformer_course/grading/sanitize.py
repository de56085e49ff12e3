"""Make text from a submission safe to display: on a page, in a table, in a terminal."""

import re
import unicodedata
from collections.abc import Sequence
from datetime import datetime

ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?)")  # a terminal's colours, titles and links
JOINERS = "\u200c\u200d"  # also invisible, but Persian and many emoji need them
MAX_SENTENCES = 30  # of one kind, about one submission


def plain(text: str, limit: int) -> str:
    """Return the text as one line of at most ``limit`` characters, with nothing hidden in it.

    Line ends and other white space become single spaces, and a terminal's escape sequences are removed. Control characters,
    other invisible characters (such as those that change the direction of writing) and halves of surrogate pairs become
    "\N{REPLACEMENT CHARACTER}". The result is not escaped: pages and tables do that themselves.
    """
    text = _all_shown(" ".join(ESCAPES.sub("", text[: 4 * limit]).split()))
    return text if len(text) <= limit else text[: limit - 1] + "…"


def composed(name: str) -> str:
    """Return a name as people type it, however macOS stores its accents."""
    return unicodedata.normalize("NFC", name)


def code(text: str) -> str:
    """Return code in the same way, but with its lines and their indentation."""
    return "\n".join(_all_shown(ESCAPES.sub("", line).expandtabs(4).rstrip()) for line in text.splitlines()).strip("\n")


def sentences(texts: Sequence[str]) -> list[str]:
    """Return the first texts in plain form, and how many more there are: every cell of a notebook may fail."""
    shown = [plain(text, 500) for text in texts[:MAX_SENTENCES]]
    return shown + ([f"And {len(texts) - MAX_SENTENCES} more."] if len(texts) > MAX_SENTENCES else [])


def local(seconds: float | None) -> str:
    """Return the local time with its offset from UTC, or an empty string for a time outside the calendar."""
    try:
        return "" if seconds is None else datetime.fromtimestamp(seconds).astimezone().isoformat(" ", timespec="seconds")
    except (OverflowError, ValueError, OSError):
        return ""


def _all_shown(text: str) -> str:
    hidden = {each for each in text if unicodedata.category(each) in ("Cc", "Cf", "Cs")} - {*JOINERS}
    return "".join("\N{REPLACEMENT CHARACTER}" if each in hidden else each for each in text)
