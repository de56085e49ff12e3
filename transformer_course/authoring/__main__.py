"""``python -m transformer_course.authoring`` (or ``make notebooks``): build the lessons and sheets from their sources."""

import argparse
import os
import sys
import tempfile
from pathlib import Path

import nbformat

from transformer_course._util import paths
from transformer_course._util.headings import SourceError

from . import course_parts, lesson_table
from .build import notebook_of
from .execute import kernel_environment, write_lesson


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m transformer_course.authoring", description=__doc__.split("\n")[0])
    parser.add_argument("lessons", nargs="*", metavar="NN", help="build only these, such as 02 (default: all)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(kernel_environment(Path(folder)))
        for source in paths.sources("notebooks"):
            if not arguments.lessons or source.stem[:2] in arguments.lessons:
                print(f"{source.stem}: {write_lesson(source)}")
    for source in [*paths.sources("exercises"), *paths.after_the_build()]:
        nbformat.write(notebook_of(source), source.parent.parent / f"{source.stem}.ipynb")
    course_parts.FILE.write_text(course_parts.text(), encoding="utf-8")
    lesson_table.write(paths.ROOT / "README.md")


if __name__ == "__main__":
    try:
        main()
    except SourceError as error:
        sys.exit(str(error))
