"""Makes the site: Sphinx builds pages prepared in a temporary folder, and only a complete site replaces an old one."""

import importlib.util
import shutil
import tempfile
from functools import partial
from pathlib import Path

from transformer_course import course
from transformer_course._util.isolation import run_python
from transformer_course.folders.learner_folder import writable_folder
from transformer_course.workshop import deck
from transformer_course.workshop.plans import PLANS
from transformer_course.workshop.session_contents import check

from .pages import write_pages

MARK = ".transformer-course-site"  # in a folder that `make` may replace
NEEDED = "sphinx", "myst_nb", "furo"


class SiteError(Exception):
    """The site could not be made; the message says why and what to try."""


def make(folder: Path) -> None:
    """Build the site in ``folder``, in place of an older site there.

    Raises SiteError if a package is missing, if the folder contains something else, or if a page has a fault, such as a link
    that leads nowhere; PlanError if a workshop does not fit its lessons; and FolderError if the folder cannot be written. Then
    an older site stays as it was.
    """
    if missing := [name for name in NEEDED if importlib.util.find_spec(name) is None]:
        raise SiteError(f'The site needs {" and ".join(missing)}: run pip install "transformer-course[site]".')
    if folder.is_dir() and any(folder.iterdir()) and not (folder / MARK).exists():
        raise SiteError(
            f"{folder} contains files that do not belong to this course's site, and was left unchanged. Choose another folder."
        )
    for plan in PLANS.values():
        check(plan)
    with writable_folder(folder):
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".site-") as place:
            pages, built = Path(place) / "pages", Path(place) / "built"
            write_pages(pages)
            _build(pages, built)
            _write_slides(built / "slides")
            (built / MARK).touch()
            if folder.exists():
                folder.rename(Path(place) / "old")
            shutil.move(built, folder)


def _write_slides(folder: Path) -> None:
    """Write the slides of each lesson and of each workshop, one file each."""
    folder.mkdir()
    decks = {lesson.number: partial(deck.of_lesson, lesson.number) for lesson in course.lessons()}
    decks |= {name: partial(deck.of_plan, plan) for name, plan in PLANS.items()}
    for name, make_deck in decks.items():
        (folder / f"{name}.html").write_text(make_deck(), encoding="utf-8")


def _build(pages: Path, built: Path) -> None:
    """Run Sphinx. Every warning is an error, because the course knows all its pages and links."""
    place = pages.parent.resolve()
    options = ["-q", "-W", "--keep-going", "-b", "html", "-d", place / "cache"]
    ran = run_python(["-m", "sphinx", *options, place / pages.name, place / built.name], text=True, encoding="utf-8")
    if ran.returncode:
        faults = "\n".join(line.replace(f"{pages}/", "") for line in ran.stderr.splitlines() if line.strip())
        raise SiteError(f"The pages have errors, so no site was written:\n{faults[-3000:]}")
