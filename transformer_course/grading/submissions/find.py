"""Find everything that was handed in, in any form that a teacher's folder may have. No file is opened, no link followed."""

import itertools
import os
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from transformer_course.runner import limits

from ..errors import GradingError
from . import moodle_names

ARCHIVE = re.compile(r"(\.tar)?\.(zip|tar|gz|tgz|bz2|xz|7z|rar)$", re.IGNORECASE)

NUMBERED = re.compile(r".*\(\d+\)", re.DOTALL)  # looks as if Moodle's number had been added to it

CLASS = 3  # folders that look like a class rather than like one learner's attempts


@dataclass
class FoundFiles:
    """The files that one learner has handed in."""

    number: str = ""  # the participant's number, if the name comes from Moodle
    notebooks: list[Path] = field(default_factory=list)
    others: list[str] = field(default_factory=list)  # names of files that are not notebooks
    links: list[str] = field(default_factory=list)  # names of links, which are not followed
    log: list[str] = field(default_factory=list)  # sentences for the teacher

    def add(self, files: "FoundFiles") -> None:
        """Add more files of the same learner."""
        for mine in ("notebooks", "others", "links", "log"):
            getattr(self, mine).extend(getattr(files, mine))


def find(folder: Path, one: bool) -> tuple[dict[str, FoundFiles], list[str]]:
    """Return the files of each learner, and the names of files that belong to nobody.

    ``folder`` holds a notebook or a folder for each learner; an archive in place of either counts as a learner's. Or it is
    the folder of ``one`` learner, or a single notebook. Hidden files are ignored. Raises GradingError if it cannot be opened.
    """
    if folder.is_file():
        if not _is_notebook(folder.name):
            advice = "unpack it, and choose" if without_ending(folder.name) != folder.name else "choose a notebook (.ipynb) or"
            raise GradingError(f"{folder} is not a notebook; {advice} the folder of submissions.")
        file = folder.resolve()  # a teacher who names a link means the file that it leads to
        learner, number = moodle_names.split(file.stem)
        return {learner: FoundFiles(number, [file])}, []
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        reason = error.strerror or str(error)
        raise GradingError(f"{folder} cannot be opened ({reason}); check the path of the folder of submissions.") from None
    if one:
        own = folder.resolve()
        learner, number = moodle_names.split(own.name)
        return {learner: _search(own, FoundFiles(number))}, []
    found: dict[tuple[str, str], FoundFiles] = {}
    files: list[str] = []

    def of(name: str) -> FoundFiles:
        learner = moodle_names.split(name)
        return found.setdefault(learner, FoundFiles(learner[1]))

    for entry in entries:
        if entry.name.startswith(".") or entry.name == "__MACOSX":  # macOS adds these to zip files
            continue
        if _is_notebook(entry.name) and not entry.is_dir(follow_symlinks=False):
            of(Path(entry.name).stem).notebooks.append(Path(entry))
        elif os.path.isdir(entry):  # entry.is_dir() would raise an error for a link that leads in a circle
            _search(Path(entry), of(entry.name))
        else:
            files.append(entry.name)
    others = []
    for name in files:
        stem = without_ending(name)
        if moodle_names.split(name)[1]:  # a learner's who handed in something else, such as a .py file
            of(name).others.append(name)
        elif stem == name or moodle_names.split(stem) in found:  # an archive next to the folder that was unpacked from it
            others.append(name)
        else:
            of(stem).others.append(name)
    _refuse_a_folder_above(folder, found)
    return _by_learner(found), others


def _refuse_a_folder_above(folder: Path, found: dict[tuple[str, str], FoundFiles]) -> None:
    """Raise GradingError if all of ``folder`` is one folder, and that looks like the folder of a whole class."""
    notebooks = [path.relative_to(folder).parts for files in found.values() for path in files.notebooks]
    if len(found) != 1 or not notebooks or min(map(len, notebooks)) < 3:
        return
    inside, below = folder / notebooks[0][0], len({parts[1] for parts in notebooks})
    if below >= CLASS:
        raise GradingError(
            f"{folder} contains only the folder {inside.name}, which has notebooks in {below} folders. If each folder is a "
            f"learner's, grade {inside}. If all of them are one learner's attempts, grade {inside} with --one."
        )


def _by_learner(found: dict[tuple[str, str], FoundFiles]) -> dict[str, FoundFiles]:
    """Name each learner; two with the same name are told apart by Moodle's numbers.

    A name that looks numbered gets a number as well, so that nobody can take the place of somebody else. Files without a
    number, such as those that a teacher has added, belong to the learner who is shown under their name, if there is one.
    """
    shared = Counter(name for name, number in found if number)
    learners: dict[str, FoundFiles] = {}
    for (name, number), files in sorted(found.items(), key=lambda item: not item[0][1]):
        shown = f"{name} ({number})" if number and (shared[name] > 1 or NUMBERED.fullmatch(name)) else name
        if shown in learners:
            learners[shown].add(files)
        else:
            learners[shown] = files
    return learners


def root(folder: Path, one: bool) -> Path:
    """Return the folder that contains all files that ``find`` finds. Their names are relative to it."""
    return folder.resolve().parent if one or folder.is_file() else folder


def without_ending(name: str) -> str:
    """Return the name of an archive without its extension, and any other name unchanged."""
    return ARCHIVE.sub("", name)


def _search(folder: Path, found: FoundFiles) -> FoundFiles:
    """Add everything in a learner's folder, and in the folders in it."""
    waiting, left = [folder], limits.LEARNER_FILES
    while waiting:
        here = waiting.pop()
        try:
            if here.is_symlink():
                found.links.append(here.name)
                found.log.append(f"{here.name} is a link, and links are not followed.")
                continue
            with os.scandir(here) as scan:
                entries = list(itertools.islice(scan, left))
        except OSError as error:
            found.log.append(f"{here.name} cannot be opened ({error.strerror or error}).")
            continue
        left -= len(entries)
        for entry in entries:
            if entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False) or os.path.isdir(entry):  # the latter is False where a path is too long
                waiting.append(Path(entry))
            elif _is_notebook(entry.name):
                found.notebooks.append(Path(entry))
            else:
                found.others.append(entry.name)
                if without_ending(entry.name) != entry.name:
                    found.log.append(f"{entry.name} is an archive, and was not opened.")
    found.others.sort()
    if left <= 0:
        found.log.append(f"Only the first {limits.LEARNER_FILES} files were searched.")
    return found


def _is_notebook(name: str) -> bool:
    return name.lower().endswith(".ipynb")
