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


def sources(folder: str) -> list[Path]:
    """Return the sources of all lessons ("notebooks"), or of all sheets and the Build's stages ("exercises"), in order."""
    return sorted((ROOT / folder / "source").glob("[0-9B][0-9]_*.py"))


def questions() -> list[Path]:
    """Return the files of questions, which are beside the sources of the Build's stages and of the lessons, in order."""
    return sorted(file for folder in FOLDERS for file in (ROOT / folder / "source").glob("[0-9B][0-9]_*/questions.md"))


def notebooks(folder: str) -> list[Path]:
    """Return all built lessons, or all sheets, the Build's stages and the notebooks after it, in order."""
    return sorted(path for pattern in ("[0-9B][0-9]_*", "GPT2_*") for path in (ROOT / folder).glob(f"{pattern}.ipynb"))


def stages() -> list[Path]:
    """Return the sources of the Build's stages, in order."""
    return [source for source in sources("exercises") if is_stage(source)]


def after_the_build() -> list[Path]:
    """Return the sources of the notebooks that follow the stages: GPT-2's, which has no exercises and needs a network."""
    return sorted((ROOT / "exercises" / "source").glob("GPT2_*.py"))


def is_stage(notebook: Path) -> bool:
    """Whether a source or notebook is a stage of the Build, such as B1, which has no lesson of its own."""
    return notebook.stem.startswith("B")
