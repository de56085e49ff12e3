"""Which exercises this learner has passed, stored in the learner's folder.

A new folder begins with none, and is offered once what the account has passed outside any folder. In older versions of the
course, folders shared the account's file. So a folder whose record does not say that it began with none reads that file until
it has its own.
"""

import contextlib
import errno
import itertools
import json
import os
import textwrap
from datetime import datetime
from pathlib import Path

import platformdirs

from transformer_course._util import paths
from transformer_course._util.files import parse_json, read_bounded, write_whole
from transformer_course._util.folder_record import ACCOUNT, ASKED, NOT_ASKED, read_record, update_record

FILE = ".transformer-course-progress.json"
ADOPT = "`transformer-course progress --adopt`"
NAMED = 3  # how many of the account's passes an offer names


class CannotAdopt(Exception):
    """The account's passes cannot be taken into a folder; the message says why and what to try."""


def file(start: Path = Path()) -> Path:
    """The file that stores passes: it is in the learner's folder that contains ``start``.

    The environment variable TRANSFORMER_COURSE_HOME sets another folder. Outside a learner's folder, the account has one file.
    """
    if home := os.environ.get("TRANSFORMER_COURSE_HOME"):
        return Path(home) / "progress.json"
    folder = paths.course_folder(start)
    return folder / FILE if folder else _account_file()


def _account_file() -> Path:
    return Path(platformdirs.user_data_dir("transformer-course", appauthor=False)) / "progress.json"


def passed(start: Path = Path()) -> dict[str, str]:
    """The ids of passed exercises, each with the time of its first pass. A file that cannot be read is treated as empty."""
    try:
        return _read(_file_to_read(start))
    except (OSError, ValueError):
        return {}


def damage(start: Path = Path()) -> str:
    """One sentence for the learner if the file is damaged or cannot be read; otherwise empty."""
    path = _file_to_read(start)
    try:
        _read(path)
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"{path} cannot be read ({error.strerror}), so no passes are counted: make it readable, or rename it."
    except ValueError:
        return (
            f"{path} is damaged, so the passes in it are not counted: restore it from a backup, or run the checks of your "
            "sheets again. The damaged file is then kept under a different name."
        )
    return ""


def _file_to_read(start: Path) -> Path:
    path = file(start)
    has_own = path.name != FILE or path.exists() or ACCOUNT in read_record(path.parent)
    return path if has_own else _account_file()


def _read(path: Path) -> dict[str, str]:
    """Read passes. Raises OSError if there is no file, or if it may not be read, and ValueError if it is damaged."""
    try:
        kept = parse_json(read_bounded(path))
        return {str(name): str(time) for name, time in kept["passed"].items()}
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError("no passes") from error


def remember(exercise_id: str) -> str:
    """Record a pass. Returns an empty string, or one sentence for the learner about what went wrong."""
    kept, path = passed(), file()
    if exercise_id in kept:
        return ""
    try:
        return _write(path, {**kept, exercise_id: datetime.now().isoformat(timespec="seconds")})
    except OSError as error:
        return f"This pass could not be saved ({error.strerror or error}): {_advice(error, path)}, then run this check again."


def offer(start: Path = Path()) -> str:
    """Offer a folder that was made without them the account's passes, in a sentence; empty if there is nothing to offer.

    It is offered until ``asked`` is called.
    """
    folder = paths.course_folder(start)
    if folder is None or file(start).name != FILE or read_record(folder).get(ACCOUNT) != NOT_ASKED:
        return ""
    try:
        kept = _read(_account_file())
    except (OSError, ValueError):
        return ""
    if kept.keys() <= passed(start).keys():
        return ""
    exercises = "1 passed exercise" if len(kept) == 1 else f"{len(kept)} passed exercises"
    names = ", ".join([*list(kept)[:NAMED], *(["…"] if len(kept) > NAMED else [])])
    return (
        f"This account has {exercises} ({names}) from outside any folder, or from before folders kept their own. "
        f"{ADOPT} takes {'it' if len(kept) == 1 else 'them'} into this folder; otherwise the "
        "folder begins at 0."
    )


def print_offer(start: Path = Path()) -> None:
    """Print the offer, once in a folder."""
    if sentence := offer(start):
        whole = sentence.replace(ADOPT, ADOPT.replace(" ", "\0"))  # a command is copied from one line
        # A notebook breaks a longer line within a word.
        print(textwrap.fill(whole, 88, break_on_hyphens=False).replace("\0", " "))
        asked(start)


def asked(start: Path = Path()) -> None:
    """Remember in the folder's record that its learner has read the offer, and do not offer again."""
    if folder := paths.course_folder(start):
        with contextlib.suppress(OSError):
            update_record(folder, ACCOUNT, ASKED)


def adopt(start: Path = Path()) -> str:
    """Take the account's passes into the folder that contains ``start``; return a sentence about it. Raises CannotAdopt.

    The account's file stays as it is, and so does the time of what has been passed in the folder as well.
    """
    path, source = file(start), _account_file()
    if path.name != FILE:
        raise CannotAdopt(f"Passes are stored in {path} here, not in a learner's folder, so there is nothing to take in.")
    try:
        kept = _read(source)
    except FileNotFoundError:
        raise CannotAdopt(f"This account has no passes of its own: there is no {source}.") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is damaged"
        raise CannotAdopt(f"{source} cannot be read ({reason}), so nothing was changed: restore it from a backup.") from None
    try:
        sentence = _write(path, {**kept, **passed(start)})
    except OSError as error:
        raise CannotAdopt(f"They could not be saved ({error.strerror or error}): {_advice(error, path)}.") from None
    asked(start)
    number = "1 exercise" if len(kept) == 1 else f"{len(kept)} exercises"
    return f"This folder now has the account's passes, of {number}. {source} was not changed. {sentence}".strip()


def _write(path: Path, kept: dict[str, str]) -> str:
    """Store passes; return an empty string, or a sentence about the damaged file that was in the way. Raises OSError."""
    sentence = _set_aside(path) if path.exists() else ""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, (json.dumps({"passed": kept}, indent=1) + "\n").encode())
    return sentence


def _advice(error: OSError, path: Path) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"make room on the disk of {path}"
    if isinstance(error, FileExistsError | NotADirectoryError):
        return f"{path.parent} has to be a folder; rename what is there"
    return f"make {path} and its folder writable"


def _set_aside(path: Path) -> str:
    """Rename the file if it is damaged, so that nothing is lost."""
    with contextlib.suppress(ValueError):
        _read(path)
        return ""
    names = (path.with_name(f"{path.stem}.damaged{number or ''}.json") for number in itertools.count())
    aside = next(name for name in names if not name.exists())
    os.replace(path, aside)
    return f"Your earlier passes could not be read; the damaged file is now {aside}. Run those checks again to restore them."
