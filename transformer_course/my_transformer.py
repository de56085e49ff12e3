"""The parts that you wrote in the Build: ``from transformer_course.my_transformer import MultiHeadAttention``.

They come from ``my_transformer.py`` in your folder, to which each stage adds what you wrote when it passes. In place of a part
that is not there you get the course's own, and are told so.
"""

import functools
import sys
import traceback
from pathlib import Path
from types import ModuleType

from transformer_course._util import paths
from transformer_course._util.files import read_bounded

FILE = "my_transformer.py"
NO_FILE = f"there is no {FILE} here"


def __getattr__(name: str):
    """Return a part by its name, whenever it is imported from this module. Raises AttributeError if there is no such part."""
    if name.startswith("__"):  # Python's own questions about this module
        raise AttributeError(name)
    own, reason = _own_parts()
    if hasattr(own, name):
        return getattr(own, name)
    try:
        from transformer_course import build_parts
    except ImportError:  # during grading, a sheet gets the parts of earlier stages alone
        raise AttributeError(f"there is no part {name!r} of an earlier stage here") from None
    course = {part for part, value in vars(build_parts).items() if getattr(value, "__module__", "") == build_parts.__name__}
    if name not in course:
        raise AttributeError(f"there is no part {name!r} in the Build; the course's own are {', '.join(sorted(course))}")
    print(f"{name}: the course's own, because {reason}.")
    return getattr(build_parts, name)


def own_or(name: str, default: type) -> type:
    """Return the learner's own part, or ``default`` if the file lacks it; say which, unless there is no file at all."""
    own, reason = _own_parts()
    if hasattr(own, name):
        print(f"{name}: your own, from {FILE}.")
        return getattr(own, name)
    if reason != NO_FILE:
        print(f"{name}: the library's, because {reason}.")
    return default


def _own_parts() -> tuple[ModuleType | None, str]:
    """Return what is in the learner's file, and why a part may be missing."""
    folder = paths.course_folder(Path.cwd())
    if folder is None or not (folder / FILE).exists():
        return None, NO_FILE
    try:
        text = read_bounded(folder / FILE).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        return None, f"{FILE} cannot be read ({getattr(error, 'strerror', None) or error})"
    return _run(folder / FILE, text)


@functools.lru_cache(maxsize=1)  # so that parts that were imported one by one fit together
def _run(file: Path, text: str) -> tuple[ModuleType | None, str]:
    module = ModuleType(file.stem)
    module.__file__ = str(file)
    sys.modules[module.__name__] = module  # where dataclasses and pickle look for a class's module
    try:
        exec(compile(text, str(file), "exec"), vars(module))
    except (Exception, SystemExit) as error:
        del sys.modules[module.__name__]
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(file)]
        line = error.lineno if isinstance(error, SyntaxError) else lines[-1] if lines else None
        place = f" in line {line}" if line else ""
        return None, f"{FILE} does not run: {type(error).__name__}{place}, {getattr(error, 'msg', error)}"
    return module, f"{FILE} does not contain it yet"
