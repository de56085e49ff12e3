"""The learner's folder: lessons without outputs, sheets and pages to look things up in, copied from the course, never
overwriting what was changed."""

import hashlib
import json
import platform
import posixpath
import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from transformer_course._util import paths
from transformer_course._util.files import write_whole

RECORD = ".transformer-course.json"  # what was delivered, so that a learner's changes can be told from an old edition
OWN = (*paths.FOLDERS, "docs", "transformer_course", "tests", "tools", "benchmarks")  # folders of a clone
# What JupyterLab itself writes into a notebook that it opens here: with less, each counts as changed when it is but looked at.
PYTHON = {
    "codemirror_mode": {"name": "ipython", "version": 3},
    "file_extension": ".py",
    "mimetype": "text/x-python",
    "name": "python",
    "nbconvert_exporter": "python",
    "pygments_lexer": "ipython3",
    "version": platform.python_version(),
}
ONLY, FIRST = "only", "first"  # in the record beside the files' names: see handed_out


class FolderError(Exception):
    """The folder cannot be used; the message says why and what to try."""


@dataclass
class Delivery:
    """What one call brought: new files, newer editions, and what it left because the learner had changed it."""

    added: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)


def handed_out(folder: Path) -> tuple[list[str] | None, str | None]:
    """Of a folder that holds some lessons alone, the numbers of those that are brought to it, else None; and the notebook
    that it opens with, if one was named."""
    record = read_record(folder)
    only, first = record.get(ONLY), record.get(FIRST)
    whole = not isinstance(only, list) or not all(isinstance(number, str) for number in only)
    return (None if whole else only), (first if isinstance(first, str) else None)


def deliver(folder: Path, numbers: Collection[str] | None = None) -> Delivery:
    """Bring a learner's folder up to date with the course: its pages, and all lessons and sheets, or those of these numbers.

    The folder's record keeps which, see ``handed_out``. Links to notebooks that the folder does not hold become plain words.
    Raises FolderError when the folder cannot be written.
    """
    originals = {
        f"{part}/{original.name}": original
        for part in paths.FOLDERS
        for original in paths.notebooks(part)
        if numbers is None or original.stem[:2] in numbers
    }
    with usable(folder):
        held = {f"{part}/{path.name}" for part in (*paths.FOLDERS, "docs") for path in (folder / part).glob("*")}
        texts = {key: without_outputs(path.read_text(encoding="utf-8")) for key, path in originals.items()}
        texts |= {page: (paths.ROOT / page).read_text(encoding="utf-8") for page in paths.PAGES if page.endswith(".md")}
        papers = {page: (paths.ROOT / page).read_bytes() for page in paths.PAGES if page not in texts}
        held |= texts.keys() | papers.keys()
        record = read_record(folder)
        delivery = bring(folder, {key: unlinked(text, key, held) for key, text in texts.items()} | papers)
        if numbers is None:
            note(folder, ONLY, None)
        elif not record or ONLY in record:  # and not a folder of the whole course, to which some of it was brought again
            note(folder, ONLY, sorted({*(handed_out(folder)[0] or []), *numbers}))
        return delivery


@contextmanager
def usable(folder: Path) -> Iterator[None]:
    """Around what writes into a folder: raises FolderError where it is the course's own, and where it cannot be written."""
    here = folder.resolve()
    if here == paths.ROOT.resolve() or {(paths.ROOT / part).resolve() for part in OWN} & {here, *here.parents}:
        raise FolderError(
            f"{here} is the course's own folder, or lies in it; choose another, such as {paths.ROOT / 'my-course'}."
        )
    if here.exists() and not here.is_dir():
        raise FolderError(f"{here} is a file; name a folder.")
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise FolderError(f"{here} cannot be used ({reason}); choose another folder, or make this one writable.") from None


def bring(folder: Path, texts: Mapping[str, str | bytes]) -> Delivery:
    """Write contents into a folder, each under its name there, but never over what was changed since it was last brought."""
    folder.mkdir(parents=True, exist_ok=True)
    delivery, record = Delivery(), read_record(folder)
    for key, text in texts.items():
        fresh = text.encode() if isinstance(text, str) else text
        target, edition = folder / key, fingerprint(fresh)
        if not target.exists():
            delivery.added.append(key)
        else:
            mine = fingerprint(target.read_bytes())
            if mine == edition:
                record[key] = edition
                continue
            if mine != record.get(key):
                if edition != record.get(key):
                    delivery.left.append(key)
                continue
            delivery.updated.append(key)
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, fresh)
        record[key] = edition
    _write_record(folder, record)
    return delivery


def unlinked(text: str, key: str, held: Collection[str]) -> str:
    """A text in which links to notebooks and pages that are not held keep their words alone; ``key`` is its own place."""

    def kept(link: re.Match) -> str:
        return link[0] if posixpath.normpath(posixpath.join(posixpath.dirname(key), link[2])) in held else link[1]

    return re.sub(r"\[([^][]+)\]\(([^():]+\.(?:ipynb|md|pdf))\)", kept, text)


def without_outputs(text: str) -> str:
    """A notebook's text with no outputs and no execution counts: stored outputs would show every answer beforehand."""
    notebook = json.loads(text)
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"], cell["execution_count"] = [], None
    notebook["metadata"].pop("transformer_course", None)
    notebook["metadata"]["language_info"] = PYTHON
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def fingerprint(content: bytes) -> str:
    """A hash of a notebook's cells, outputs aside: running a lesson does not change it. Of all its bytes for what is none."""
    try:
        cells = [[cell["cell_type"], "".join(cell["source"]), *_graded(cell)] for cell in json.loads(content)["cells"]]
    except (ValueError, KeyError, TypeError):
        return hashlib.sha256(content).hexdigest()
    return hashlib.sha256(json.dumps(cells, sort_keys=True).encode()).hexdigest()


def _graded(cell: dict) -> list:
    """What a teacher sets for a cell in nbgrader, its points among it."""
    return [cell["metadata"]["nbgrader"]] if "nbgrader" in cell.get("metadata", {}) else []


def note(folder: Path, key: str, value: object) -> None:
    """Keep something in a folder's record, under a name that no file has; with None, forget it."""
    record = read_record(folder)
    if record.get(key) != value:
        _write_record(folder, {name: each for name, each in {**record, key: value}.items() if each is not None})


def _write_record(folder: Path, record: Mapping) -> None:
    write_whole(folder / RECORD, (json.dumps(record, indent=1, sort_keys=True) + "\n").encode())


def read_record(folder: Path) -> dict:
    """What is known of a folder: each file that was brought with its fingerprint, and what ``note`` has added."""
    try:
        record = json.loads((folder / RECORD).read_text(encoding="utf-8"))
        return record if isinstance(record, dict) else {}
    except (OSError, ValueError):
        return {}  # then every file that differs counts as the learner's
