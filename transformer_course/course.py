"""Where the course's own files lie: in a clone, in the repository's folders; in an installed wheel, inside the package."""

from pathlib import Path

PACKAGE = Path(__file__).parent
PACKED = PACKAGE / "material"
ROOT = PACKED if PACKED.is_dir() else PACKAGE.parent
FOLDERS = ("notebooks", "exercises")


def sources(folder: str) -> list[Path]:
    """The sources of all lessons ("notebooks") or sheets ("exercises"), in the order of the course."""
    return sorted((ROOT / folder / "source").glob("[0-9][0-9]_*.py"))


def notebooks(folder: str) -> list[Path]:
    """All built lessons or sheets, in the order of the course."""
    return sorted((ROOT / folder).glob("[0-9][0-9]_*.ipynb"))
