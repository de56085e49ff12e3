"""The learner's folder: lessons without outputs, empty sheets and reference pages, copied from the course.

Files that the learner has changed are never overwritten.
"""

import hashlib
import json
import os
import platform
import posixpath
import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from transformer_course import course
from transformer_course._util import paths
from transformer_course._util.files import parse_json, write_whole
from transformer_course._util.folder_record import ACCOUNT, NOT_ASKED, ONLY, read_record, update_record, write_record

from .reading import PassedOver, content_of, printable

OWN = (*paths.FOLDERS, "docs", "transformer_course", "tests", "tools", "benchmarks")  # folders of a clone
# What JupyterLab writes into a notebook that it opens. Without it, a notebook would count as changed once it was opened.
PYTHON = {
    "codemirror_mode": {"name": "ipython", "version": 3},
    "file_extension": ".py",
    "mimetype": "text/x-python",
    "name": "python",
    "nbconvert_exporter": "python",
    "pygments_lexer": "ipython3",
    "version": platform.python_version(),
}
FIRST = "first"  # like ONLY, a key of the record, next to the names of files: see handed_out


class FolderError(Exception):
    """The folder cannot be used; the message says why and what to try."""


@dataclass
class Delivery:
    """The files that a call added, updated, and left alone because the learner had changed them.

    ``passed_over`` has a sentence for each file that could not be read, so that nobody knows whether it was changed.
    """

    added: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    passed_over: list[str] = field(default_factory=list)


def handed_out(folder: Path) -> tuple[list[str] | None, str | None]:
    """Return the numbers of the lessons that a folder gets (None: all lessons), and the notebook to open first (or None)."""
    record = read_record(folder)
    only, first = record.get(ONLY), record.get(FIRST)
    gets_all = not isinstance(only, list) or not all(isinstance(number, str) for number in only)
    return (None if gets_all else only), (first if isinstance(first, str) else None)


def deliver(folder: Path, numbers: Collection[str] | None = None) -> Delivery:
    """Bring a learner's folder up to date: its pages, and all lessons and sheets, or only those with these numbers.

    A stage of the Build ("B1") brings the lessons that it needs. The folder's record remembers the numbers (see
    ``handed_out``), and of a new folder that it begins without passes (see ``exercises/passes.py``). Links to notebooks that
    the folder lacks become plain text.
    Raises FolderError if the folder cannot be written.
    """
    wanted = dict.fromkeys(paths.FOLDERS, numbers)
    if numbers is not None:
        needed = (lesson for stage in course.stages() if stage.number in numbers for lesson in stage.lessons)
        wanted["notebooks"] = {*numbers, *needed}
    originals = {
        source.link: source.notebook
        for source in course.sources()
        if numbers is None or source.number in wanted[source.folder]
    }
    with writable_folder(folder):
        available = {f"{part}/{path.name}" for part in (*paths.FOLDERS, "docs") for path in (folder / part).glob("*")}
        texts = {key: without_outputs(path.read_text(encoding="utf-8")) for key, path in originals.items()}
        texts |= {page: (paths.ROOT / page).read_text(encoding="utf-8") for page in paths.PAGES if page.endswith(".md")}
        printed = {page: (paths.ROOT / page).read_bytes() for page in paths.PAGES if page not in texts}
        available |= texts.keys() | printed.keys()
        record = read_record(folder)
        linked = {key: without_dead_links(text, key, available) for key, text in texts.items()}
        # A folder in which something of the course lies, with or without a record, is an old one: it keeps its passes.
        is_new = not record and not any(os.path.lexists(folder / key) for key in linked)
        delivery = sync_files(folder, linked | printed)
        if is_new:
            update_record(folder, ACCOUNT, NOT_ASKED)
        if numbers is None:
            update_record(folder, ONLY, None)
        elif not record or ONLY in record:  # a folder that already gets all lessons still gets them all
            update_record(folder, ONLY, sorted({*(handed_out(folder)[0] or []), *numbers}))
        return delivery


@contextmanager
def writable_folder(folder: Path) -> Iterator[None]:
    """Wrap code that writes into a folder. Raises FolderError if it is the course's own, or if writing fails."""
    try:
        here = folder.resolve()
    except RuntimeError:
        raise FolderError(f"{folder} is a link that leads back to itself; choose a folder.") from None
    if here == paths.ROOT.resolve() or {(paths.ROOT / part).resolve() for part in OWN} & {here, *here.parents}:
        raise FolderError(
            f"{here} is the course's own folder, or inside it; choose another, such as {paths.ROOT / 'my-course'}."
        )
    if here.exists() and not here.is_dir():
        raise FolderError(f"{here} is a file; choose a folder.")
    try:
        yield
    except OSError as error:
        name = f": {printable(Path(error.filename2 or error.filename).name)}" if error.filename else ""
        reason = f"{error.strerror or error}{name}"
        raise FolderError(f"{here} cannot be used ({reason}); choose another folder, or make this one writable.") from None


def sync_files(folder: Path, texts: Mapping[str, str | bytes]) -> Delivery:
    """Write files into a folder, except those that were changed there since they were last delivered."""
    folder.mkdir(parents=True, exist_ok=True)
    delivery, record = Delivery(), read_record(folder)
    for key, text in texts.items():
        content = text.encode() if isinstance(text, str) else text
        target, newest = folder / key, fingerprint(content)
        if not os.path.lexists(target):
            delivery.added.append(key)
        else:
            try:
                present = fingerprint(content_of(folder, key))
            except PassedOver as sentence:
                delivery.passed_over.append(str(sentence))
                continue
            if present == newest:
                record[key] = newest
                continue
            if present != record.get(key):
                if newest != record.get(key):
                    delivery.left.append(key)
                continue
            delivery.updated.append(key)
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, content)
        record[key] = newest
    write_record(folder, record)
    return delivery


def without_dead_links(text: str, key: str, available: Collection[str]) -> str:
    """Turn links to notebooks and pages that are not available into plain text; ``key`` is the text's own file name."""

    def replacement(link: re.Match) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(key), link[2]))
        return link[0] if target in available else link[1]

    return re.sub(r"\[([^][]+)\]\(([^():#]+\.(?:ipynb|md|pdf))(?:#[^()]*)?\)", replacement, text)


def without_outputs(text: str) -> str:
    """Remove outputs and execution counts from a notebook's text: stored outputs would give every answer away."""
    notebook = json.loads(text)
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"], cell["execution_count"] = [], None
    notebook["metadata"].pop("transformer_course", None)
    notebook["metadata"]["language_info"] = PYTHON
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def fingerprint(content: bytes) -> str:
    """Hash a notebook's cells without their outputs, so that running a lesson does not change it; hash other files whole."""
    try:
        cells = [[cell["cell_type"], "".join(cell["source"]), *_graded(cell)] for cell in parse_json(content)["cells"]]
    except (ValueError, LookupError, TypeError, AttributeError):
        return hashlib.sha256(content).hexdigest()
    return hashlib.sha256(json.dumps(cells, sort_keys=True).encode()).hexdigest()


def _graded(cell: dict) -> list:
    """Return what a teacher has set for a cell in nbgrader, such as its points."""
    return [cell["metadata"]["nbgrader"]] if "nbgrader" in cell.get("metadata", {}) else []
