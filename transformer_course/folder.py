"""The learner's folder: lessons without outputs and sheets, copied from the course, never overwriting what was changed."""

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path

from . import course
from .files import write_whole

RECORD = ".transformer-course.json"  # what was delivered, so that a learner's changes can be told from an old edition


class FolderError(Exception):
    """The folder cannot be used; the message says why and what to try."""


@dataclass
class Delivery:
    """What one call brought: new files, newer editions, and what it left because the learner had changed it."""

    added: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)


def deliver(folder: Path) -> Delivery:
    """Bring a learner's folder up to date. Raises FolderError when it cannot be written."""
    folder = folder.resolve()
    if folder == course.ROOT.resolve() or (course.ROOT / "notebooks").resolve() in [folder, *folder.parents]:
        raise FolderError(f"{folder} is the course's own folder; choose another for your work, such as my-course.")
    try:
        return _deliver(folder)
    except OSError as error:
        reason = error.strerror or str(error)
        raise FolderError(f"{folder} cannot be used ({reason}); choose another folder, or make this one writable.") from None


def _deliver(folder: Path) -> Delivery:
    delivery, record = Delivery(), _read_record(folder / RECORD)
    for name in course.FOLDERS:
        (folder / name).mkdir(parents=True, exist_ok=True)
        for original in course.notebooks(name):
            key, target = f"{name}/{original.name}", folder / name / original.name
            fresh = without_outputs(original.read_text(encoding="utf-8"))
            edition = fingerprint(fresh)
            if not target.exists():
                delivery.added.append(key)
            else:
                mine = fingerprint(target.read_text(encoding="utf-8", errors="replace"))
                if mine == edition:
                    record[key] = edition
                    continue
                if mine is None or mine != record.get(key):
                    if edition != record.get(key):
                        delivery.left.append(key)
                    continue
                delivery.updated.append(key)
            write_whole(target, fresh.encode())
            record[key] = edition
    write_whole(folder / RECORD, (json.dumps(record, indent=1, sort_keys=True) + "\n").encode())
    return delivery


def without_outputs(text: str) -> str:
    """A notebook's text with no outputs and no execution counts: stored outputs would show every answer beforehand."""
    notebook = json.loads(text)
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"], cell["execution_count"] = [], None
    notebook["metadata"].pop("transformer_course", None)
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def fingerprint(text: str) -> str | None:
    """A hash of a notebook's cells, outputs aside: running a lesson does not change it. None for what is no notebook."""
    try:
        cells = [[cell["cell_type"], "".join(cell["source"])] for cell in json.loads(text)["cells"]]
    except (ValueError, KeyError, TypeError):
        return None
    return hashlib.sha256(json.dumps(cells).encode()).hexdigest()


def _read_record(path: Path) -> dict[str, str]:
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        return record if isinstance(record, dict) else {}
    except (OSError, ValueError):
        return {}  # then every file that differs counts as the learner's
