"""Give each learner a file name that every file system accepts."""

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

from ..sanitize import plain

FORBIDDEN = re.compile(r'[<>:"/\\|?*\N{REPLACEMENT CHARACTER}]')
RESERVED = re.compile(
    r"(con|prn|aux|nul|conin\$|conout\$|com[0-9]|lpt[0-9])\s*(\..*)?"
)  # devices on Windows, with any extension
NUMBERED = re.compile(r".*-[0-9a-f]{12}", re.DOTALL)
MAX_BYTES = 120  # leaves room for extensions within the 255 bytes that file systems allow


def file_names(learners: Iterable[str]) -> dict[str, str]:
    """Return the file name of each learner, without an extension: the learner's own name if possible.

    No two are the same, even on a file system that does not distinguish "Anna" from "anna": all learners whose names are too
    similar get a number, which depends on their own name alone.
    """
    names = {learner: _clean(learner) for learner in learners}
    shared = Counter(map(_key, names.values()))
    # A name that looks numbered gets a number as well, so that nobody can take the file name of somebody else.
    return {
        learner: _numbered(name, learner) if shared[_key(name)] > 1 or NUMBERED.fullmatch(_key(name)) else name
        for learner, name in names.items()
    }


def look_alikes(learners: Iterable[str], limit: int) -> dict[str, str]:
    """Return the learners whose names look like another's in their first ``limit`` characters, each with its file name."""
    files = file_names(learners)
    shown = {learner: unicodedata.normalize("NFC", plain(learner, limit)) for learner in files}
    seen = Counter(shown.values())
    return {learner: files[learner] for learner, name in shown.items() if seen[name] > 1}


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
    return f"{_cut(name, MAX_BYTES - 13)}-{digest[:12]}"
