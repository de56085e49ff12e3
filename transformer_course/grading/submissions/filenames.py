"""A file name for each learner that every file system takes."""

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

from ..sanitize import plain

FORBIDDEN = re.compile(r'[<>:"/\\|?*\N{REPLACEMENT CHARACTER}]')
RESERVED = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|com[0-9]|lpt[0-9])\s*(\..*)?")  # devices on Windows, with any ending
NUMBERED = re.compile(r".*-[0-9a-f]{12}", re.DOTALL)
BYTES = 120  # leaves room for endings within the 255 bytes that file systems allow


def file_names(learners: Iterable[str]) -> dict[str, str]:
    """The file name of each learner, without an ending: the learner's own name where that is possible.

    No two are the same, also where a file system takes "Anna" for "anna": learners whose names come too close all get a
    number after them, which is made from the name alone.
    """
    names = {learner: _clean(learner) for learner in learners}
    shared = Counter(map(_key, names.values()))
    # A name that looks numbered is numbered as well, so that nobody can be called what another one is given.
    return {
        learner: _numbered(name, learner) if shared[_key(name)] > 1 or NUMBERED.fullmatch(_key(name)) else name
        for learner, name in names.items()
    }


def _clean(learner: str) -> str:
    name = FORBIDDEN.sub("_", unicodedata.normalize("NFC", plain(learner, 200)))
    name = _cut(name.lstrip(". -"), BYTES) or "learner"
    return f"_{name}" if RESERVED.fullmatch(_key(name)) else name


def _cut(name: str, size: int) -> str:
    return name.encode()[:size].decode(errors="ignore").rstrip(". ")  # Windows drops dots and spaces at the end


def _key(name: str) -> str:
    """The same for names that some file system does not tell apart."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return unicodedata.normalize("NFKC", folded)


def _numbered(name: str, learner: str) -> str:
    digest = hashlib.sha256(learner.encode(errors="surrogatepass")).hexdigest()
    return f"{_cut(name, BYTES - 13)}-{digest[:12]}"
