"""Give each learner a file name that every file system accepts, and tell apart names that look the same."""

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from ..sanitize import plain

FORBIDDEN = re.compile(r'[<>:"/\\|?*\N{REPLACEMENT CHARACTER}]')
# Devices on Windows, with any extension.
RESERVED = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|com[0-9]|lpt[0-9])\s*(\..*)?")
NUMBERED = re.compile(r".*-[0-9a-f]{12}", re.DOTALL)
MAX_BYTES = 120  # leaves room for extensions within the 255 bytes that file systems allow
NAME_CHARACTERS = 100  # of a learner's name that are shown
CONFUSABLES = Path(__file__).with_name("confusables.txt")
# Unicode's "default ignorable" characters, but for those that `plain` replaces.
INVISIBLE = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u200c\u200d\u3164\uffa0"
INVISIBLE += "".join(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))


def file_names(learners: Iterable[str]) -> dict[str, str]:
    """Return the file name of each learner, without an extension: the learner's own name if possible.

    No two are the same, even on a file system that does not distinguish "Anna" from "anna": all learners whose names are too
    similar, or look the same, get a number, which depends on their own name alone.
    """
    names = {learner: _clean(learner) for learner in learners}
    shared = Counter(map(_key, names.values()))
    alike = Counter(map(_looks, names))
    # A name that looks numbered gets a number as well, so that nobody can take the file name of somebody else.
    return {
        learner: _numbered(name, learner)
        if shared[_key(name)] > 1 or alike[_looks(learner)] > 1 or NUMBERED.fullmatch(_key(name))
        else name
        for learner, name in names.items()
    }


def look_alikes(learners: Iterable[str]) -> dict[str, str]:
    """Return the learners whose names, as far as they are shown, look like another's, each with its file name.

    Whole names are compared: "Anna" looks like a name with a Cyrillic or Greek "Α", and unlike "Annа Lee".
    """
    files = file_names(learners)
    seen = Counter(map(_looks, files))
    return {learner: name for learner, name in files.items() if seen[_looks(learner)] > 1}


def _looks(learner: str) -> str:
    """Return the same for names that look the same: the "skeleton" of UTS #39, in which wide letters are ordinary ones."""
    text = plain(learner, NAME_CHARACTERS)
    for form in ("NFD", "NFKD"):
        text = unicodedata.normalize(form, text).translate(_confusables())
    return unicodedata.normalize("NFD", text)


@cache
def _confusables() -> dict[int, str]:
    """Return what stands for each character that looks like others; for one that is not seen, nothing."""
    table = {ord(character): "" for character in INVISIBLE}
    for line in CONFUSABLES.read_text("utf-8").splitlines():
        if not line.startswith("#"):
            same, *others = line.split()
            table |= dict.fromkeys((int(code, 16) for code in others), "".join(chr(int(code, 16)) for code in same.split("+")))
    return table


def _clean(learner: str) -> str:
    name = FORBIDDEN.sub("_", unicodedata.normalize("NFC", plain(learner, 200)))
    name = _cut(name.lstrip(". -"), MAX_BYTES) or "learner"
    return f"_{name}" if RESERVED.fullmatch(_key(name)) else name


def _cut(name: str, size: int) -> str:
    return name.encode()[:size].decode(errors="ignore").rstrip(". ")  # Windows removes dots and spaces at the end


def _key(name: str) -> str:
    """Return the same key for names that some file system does not distinguish."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return unicodedata.normalize("NFKC", folded)


def _numbered(name: str, learner: str) -> str:
    digest = hashlib.sha256(learner.encode(errors="surrogatepass")).hexdigest()
    return f"{_cut(name, NAME_CHARACTERS - 13)}-{digest[:12]}"  # short enough to be shown whole
