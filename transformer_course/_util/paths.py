"""Where the course's own files are: in a clone, in the repository; in an installed wheel, inside the package."""

from pathlib import Path

PACKAGE = Path(__file__).parents[1]
PACKED = PACKAGE / "material"
ROOT = PACKED if PACKED.is_dir() else PACKAGE.parent
FOLDERS = ("notebooks", "exercises")
# What a learner looks things up in.
PAGES = (
    "docs/prerequisites.md",
    "docs/formulas.md",
    "docs/glossary.md",
    "docs/sources.md",
    "docs/paper/02_self_attention_by_hand.pdf",
)


def sources(folder: str) -> list[Path]:
    """The sources of all lessons ("notebooks") or sheets ("exercises"), in the order of the course."""
    return sorted((ROOT / folder / "source").glob("[0-9][0-9]_*.py"))


def notebooks(folder: str) -> list[Path]:
    """All built lessons or sheets, in the order of the course."""
    return sorted((ROOT / folder).glob("[0-9][0-9]_*.ipynb"))
