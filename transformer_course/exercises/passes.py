"""Which exercises this learner has passed, stored in the learner's folder."""

import contextlib
import errno
import itertools
import json
import os
from datetime import datetime
from pathlib import Path

import platformdirs

from transformer_course._util import paths
from transformer_course._util.files import parse_json, read_bounded, write_whole

FILE = ".transformer-course-progress.json"


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
    """Until a folder has its own file, its passes are those of the account, where older versions of the course stored them."""
    path = file(start)
    return path if path.name != FILE or path.exists() else _account_file()


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
        sentence = "" if kept or not path.exists() else _set_aside(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        kept[exercise_id] = datetime.now().isoformat(timespec="seconds")
        write_whole(path, (json.dumps({"passed": kept}, indent=1) + "\n").encode())
    except OSError as error:
        advice = f"make {path} and its folder writable"
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            advice = f"make room on the disk of {path}"
        if isinstance(error, FileExistsError | NotADirectoryError):
            advice = f"{path.parent} has to be a folder; rename what is there"
        return f"This pass could not be saved ({error.strerror or error}): {advice}, then run this check again."
    return sentence


def _set_aside(path: Path) -> str:
    """Rename a damaged file, so that nothing is lost."""
    with contextlib.suppress(ValueError):
        if _read(path) == {}:
            return ""
    names = (path.with_name(f"{path.stem}.damaged{number or ''}.json") for number in itertools.count())
    aside = next(name for name in names if not name.exists())
    os.replace(path, aside)
    return f"Your earlier passes could not be read; the damaged file is now {aside}. Run those checks again to restore them."
