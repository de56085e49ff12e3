"""The documentation of the packages that the course needs anyway: twelve times as much text as Python's own.

It is in the docstrings of NumPy, SciPy, scikit-learn, matplotlib, torch and all other packages that come with the course.
`docstrings` says which paragraphs are kept. Packages repeat themselves and each other: a paragraph of which at least half of
the runs of five words were seen before is dropped, so that what is held out is not what was learned by heart.

In November 2026, 123 packages gave about 116,000 paragraphs of 15.7 million characters. `package_versions` lists them.
"""

import importlib.metadata
import json
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, PackageNotFoundError
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from transformer_course.data.docstrings import cached, docstrings, paragraphs, parse
from transformer_course.data.split import Split, split_text

SHINGLE = 5  # words
COURSE = "transformer-course"
TESTS = {"test", "tests", "testing"}


def package_docs(seed: int = 0) -> Split:
    """Return two strings, for training (about 14 million characters) and held out (about one paragraph in ten).

    Each paragraph is one line and ends with a newline. Collecting the text takes about a minute, so it is cached.

    Raises FileNotFoundError if none of the packages came with the source files of its modules.
    """
    return split_text(cached("package-docs", json.dumps(package_versions()), __file__, _collect), seed)


def package_versions() -> dict[str, str]:
    """Return the packages whose documentation is read, with their versions."""
    return {name: distribution.version for name, distribution in sorted(_required().items())}


def _required() -> dict[str, Distribution]:
    """Return the installed packages that the course requires, directly or not, by their canonical names."""
    found: dict[str, Distribution] = {}
    names = [COURSE]
    while names:
        name = canonicalize_name(names.pop())
        if name in found:
            continue
        try:
            found[name] = importlib.metadata.distribution(name)
        except PackageNotFoundError:
            continue  # required on other systems only, or in a folder that was copied and not installed
        requirements = map(Requirement, found[name].requires or ())
        names += [each.name for each in requirements if each.marker is None or each.marker.evaluate({"extra": ""})]
    found.pop(COURSE, None)
    return found


def _collect() -> list[str]:
    """Return every paragraph that the rules keep, package by package, without those that say little that is new."""
    packages = (distribution for _, distribution in sorted(_required().items()))
    every = dict.fromkeys(p for package in packages for text in _docstrings(package) for p in paragraphs(text))
    if not every:
        raise FileNotFoundError(
            "the text needs the .py files of the packages that the course requires, got none; install the course with pip"
        )
    return list(_new(every))


def _docstrings(package: Distribution) -> Iterator[str]:
    for file in sorted(package.files or (), key=str):
        if file.suffix == ".py" and not TESTS & set(file.parts):
            try:
                tree = parse(Path(package.locate_file(file)))
            except (OSError, SyntaxError, ValueError):
                continue  # a template, or a file that is for another version of Python
            yield from docstrings(tree)


def _new(texts: Iterable[str]) -> Iterator[str]:
    """Yield the texts of which fewer than half of the runs of five words occur in an earlier one."""
    seen: set[tuple[str, ...]] = set()
    for text in texts:
        words = text.split()
        runs = [tuple(words[i : i + SHINGLE]) for i in range(max(1, len(words) - SHINGLE + 1))]
        if 2 * sum(run in seen for run in runs) < len(runs):
            yield text
        seen.update(runs)
