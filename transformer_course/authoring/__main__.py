"""``python -m transformer_course.authoring`` (or ``make notebooks``): build the lessons and sheets from their sources."""

import argparse
import os
import sys
import tempfile
from pathlib import Path

import nbformat

from transformer_course import course
from transformer_course._util import paths
from transformer_course.course import SourceError

from . import course_parts, lesson_table
from .build import notebook_of
from .execute import kernel_environment, write_lesson


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m transformer_course.authoring", description=__doc__.split("\n")[0])
    parser.add_argument("lessons", nargs="*", metavar="NN", help="run only these, such as 02 (default: all)")
    arguments = parser.parse_args()
    course.learning_paths()  # what is wrong in them is said before anything is built
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(kernel_environment(Path(folder)))
        for lesson in course.lessons():
            asked = not arguments.lessons or lesson.number in arguments.lessons
            done = write_lesson(lesson, runs=asked)  # a new lesson changes the links of the one before it
            if asked:
                print(f"{lesson.name}: {done}")
    for source in [*course.sheets_and_stages(), *course.after_the_build()]:
        nbformat.write(notebook_of(source), source.notebook)
    course_parts.FILE.write_text(course_parts.text(), encoding="utf-8")
    lesson_table.write(paths.ROOT / "README.md")


if __name__ == "__main__":
    try:
        main()
    except SourceError as error:
        sys.exit(str(error))
