"""Finding what was handed in, in whatever form a teacher's folder has it. Nothing is opened here, and no link followed."""

import itertools
import os
import re
from dataclasses import dataclass, field
from pathlib import Path

from transformer_course.runner import limits

from ..errors import GradingError

ARCHIVE = re.compile(r"(\.tar)?\.(zip|tar|gz|tgz|bz2|xz|7z|rar)$", re.IGNORECASE)


@dataclass
class HandedIn:
    """What one learner has handed in."""

    notebooks: list[Path] = field(default_factory=list)
    others: list[str] = field(default_factory=list)  # names of files that are no notebooks
    log: list[str] = field(default_factory=list)  # sentences for the teacher


def find(folder: Path, one: bool) -> tuple[dict[str, HandedIn], list[str]]:
    """What each learner has handed in, and the names of files that are nobody's.

    ``folder`` holds a notebook or a folder for each learner; an archive in their place is a learner's too. Or it is ``one``
    learner's, or a single notebook. Hidden files are left out. Raises GradingError for what cannot be opened.
    """
    if folder.is_file():
        if not _is_notebook(folder.name):
            raise GradingError(f"{folder} is no notebook; give a notebook (.ipynb), or the folder of submissions.")
        file = folder.resolve()  # whoever names a link means the file behind it
        return {file.stem: HandedIn([file])}, []
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        reason = error.strerror or str(error)
        raise GradingError(f"{folder} cannot be opened ({reason}); give the folder of submissions.") from None
    if one:
        place = folder.resolve()
        return {place.name: _below(place, HandedIn())}, []
    found: dict[str, HandedIn] = {}
    files: list[str] = []
    for entry in entries:
        if entry.name.startswith(".") or entry.name == "__MACOSX":  # what macOS adds to a zip file
            continue
        if _is_notebook(entry.name) and not entry.is_dir(follow_symlinks=False):
            found.setdefault(Path(entry.name).stem, HandedIn()).notebooks.append(Path(entry))
        elif os.path.isdir(entry):  # which is false, where entry.is_dir() would raise: links in a circle
            _below(Path(entry), found.setdefault(entry.name, HandedIn()))
        else:
            files.append(entry.name)
    others = []
    for name in files:
        learner = without_ending(name)
        if learner == name or learner in found:  # an archive beside the folder that came out of it
            others.append(name)
        else:
            found[learner] = HandedIn(others=[name])
    return found, others


def root(folder: Path, one: bool) -> Path:
    """The folder below which all lies that ``find`` finds; the names of files begin there."""
    return folder.resolve().parent if one or folder.is_file() else folder


def without_ending(name: str) -> str:
    """The name of an archive without its ending; any other name as it is."""
    return ARCHIVE.sub("", name)


def _below(place: Path, found: HandedIn) -> HandedIn:
    """Adds what lies in a learner's folder and in the folders in it."""
    waiting, left = [place], limits.LEARNER_FILES
    while waiting:
        here = waiting.pop()
        if here.is_symlink():
            found.log.append(f"{here.name} is a link, and links are not followed.")
            continue
        try:
            with os.scandir(here) as scan:
                entries = list(itertools.islice(scan, left))
        except OSError as error:
            found.log.append(f"{here.name} cannot be opened ({error.strerror or error}).")
            continue
        left -= len(entries)
        for entry in entries:
            if entry.name.startswith("."):
                continue
            if os.path.isdir(entry):
                waiting.append(Path(entry))
            elif _is_notebook(entry.name):
                found.notebooks.append(Path(entry))
            else:
                found.others.append(entry.name)
                if without_ending(entry.name) != entry.name:
                    found.log.append(f"{entry.name} is an archive, and was not looked into.")
    found.others.sort()
    if left <= 0:
        found.log.append(f"Only the first {limits.LEARNER_FILES} files were looked through.")
    return found


def _is_notebook(name: str) -> bool:
    return name.lower().endswith(".ipynb")
