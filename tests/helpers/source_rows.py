"""The topics and errors of the source documents, and the topics beyond them, each with the lessons that teach it."""

import re

from transformer_course._util import paths


def rows() -> dict[str, list[str]]:
    """docs/sources.md: each row with its lessons."""
    text = (paths.ROOT / "docs" / "sources.md").read_text(encoding="utf-8")
    return {row: lessons.split(", ") for row, lessons in re.findall(r"^\| ([SEM]\d+) \| ([\d, ]+) \|", text, re.MULTILINE)}
