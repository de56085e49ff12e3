"""The paths of the course's files: in a clone, they are in the repository; in an installed wheel, inside the package."""

from pathlib import Path

PACKAGE = Path(__file__).parents[1]
PACKED = PACKAGE / "material"
ROOT = PACKED if PACKED.is_dir() else PACKAGE.parent
FOLDERS = ("notebooks", "exercises")
# The reference pages for learners.
PAGES = (
    "docs/prerequisites.md",
    "docs/formulas.md",
    "docs/glossary.md",
    "docs/sources.md",
    "docs/paper/02_self_attention_by_hand.pdf",
)

RECORD = ".transformer-course.json"  # in a learner's folder: what was delivered there (see folders/learner_folder.py)


def course_folder(start: Path) -> Path | None:
    """Return the learner's folder that contains ``start`` or is ``start`` itself; None if there is none."""
    here = start.resolve()
    # A teacher's folder for nbgrader has a record too, but no lessons.
    return next(
        (place for place in (here, *here.parents) if (place / RECORD).exists() and (place / "notebooks").is_dir()), None
    )
