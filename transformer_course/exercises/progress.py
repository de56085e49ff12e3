"""What this learner has passed, remembered on this computer only."""

import itertools
import json
import os
from datetime import datetime
from pathlib import Path

import platformdirs

from ..files import write_whole
from .catalogue import by_lesson


def file() -> Path:
    """Where passes are kept; the environment variable TRANSFORMER_COURSE_HOME names another folder."""
    home = os.environ.get("TRANSFORMER_COURSE_HOME") or platformdirs.user_data_dir("transformer-course", appauthor=False)
    return Path(home) / "progress.json"


def passed() -> dict[str, str]:
    """Exercise ids, each with the time of its first pass. An unreadable file counts as an empty one."""
    try:
        kept = json.loads(file().read_text(encoding="utf-8"))
        return {str(name): str(time) for name, time in kept["passed"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def remember(exercise_id: str) -> str:
    """Record a pass. Returns an empty string, or one sentence for the learner about what could not be kept."""
    kept, path = passed(), file()
    if exercise_id in kept:
        return ""
    try:
        sentence = "" if kept or not path.exists() else _set_aside(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        kept[exercise_id] = datetime.now().isoformat(timespec="seconds")
        write_whole(path, (json.dumps({"passed": kept}, indent=1) + "\n").encode())
    except OSError as error:
        return f"Your answer counts, but this pass could not be remembered in {path}: {error.strerror or error}."
    return sentence


def _set_aside(path: Path) -> str:
    """Keep a file that cannot be read, so that nothing is lost, and start a new one."""
    try:
        if json.loads(path.read_text(encoding="utf-8")) == {"passed": {}}:
            return ""
    except ValueError:
        pass
    names = (path.with_name(f"progress.damaged{number or ''}.json") for number in itertools.count())
    aside = next(name for name in names if not name.exists())
    os.replace(path, aside)
    return f"The file of your earlier passes could not be read. It is kept as {aside}, and a new one was begun."


def my_progress() -> dict[str, list[bool]]:
    """For each lesson with exercises, in their order, whether each was passed."""
    kept = passed()
    return {f"lesson {lesson}": [exercise.id in kept for exercise in sheet] for lesson, sheet in by_lesson().items()}
