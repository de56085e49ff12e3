"""Notebooks as learners hand them in: a solved sheet, with some of its cells replaced."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from transformer_course import course
from transformer_course.authoring import build


def notebook(sheet: str, answers: Mapping[str, str | None] = {}, first: Sequence[str] = ()) -> dict:
    """The solved sheet with other answers (None: that cell is deleted), and with cells of the learner's before them."""
    built = json.loads(json.dumps(build.notebook_of(course.sheet(sheet), solved=True)))
    cells = []
    for cell in built["cells"]:
        if (name := cell["metadata"].get("exercise")) in answers:
            cell["source"] = answers[name]
        if cell["source"] is not None:
            cells.append(cell)
    extra = [{"cell_type": "code", "source": code, "metadata": {}, "outputs": [], "execution_count": None} for code in first]
    return {**built, "cells": extra + cells}


def hand_in(path: Path, content: dict | str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    content = json.dumps(content) if isinstance(content, dict) else content
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path
