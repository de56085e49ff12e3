"""Notebooks to hand in for tests of ``grading.submissions``, and the submissions found among them."""

import json
import os
from pathlib import Path

import pytest

from transformer_course import course
from transformer_course.grading.graded import Submission
from transformer_course.grading.submissions.collect import collect

SHEETS = {source.number: source.notebook for source in course.sheets_and_stages()}


UNIX = pytest.mark.skipif(os.name != "posix", reason="only on Unix are pipes and sockets files, and may everybody make links")


def hand_in(path: Path, sheet: str = "02", when: int = 1_000_000) -> Path:
    """Write the empty sheet, as if it had been saved at ``when``."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(SHEETS[sheet].read_bytes())
    os.utime(path, (when, when))
    return path


def notebook(*sources, **metadata) -> str:
    made = [{"cell_type": "code", "metadata": metadata, "source": source} for source in sources]
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def found(folder: Path, sheet: str | None = "02") -> dict[str, Submission]:
    return {submission.learner: submission for submission in collect(folder, sheet)[1]}


def problem(path: Path) -> str:
    """Return what the learner who handed in ``path`` reads; another learner's notebook is graded nevertheless."""
    hand_in(path.parent / "another.ipynb")
    class_ = found(path.parent)
    assert class_["another"].problem == ""
    submission = class_[path.stem]
    assert submission.file is None
    assert submission.problem.count("; ") == 1  # what is wrong; what to do about it
    assert submission.problem.endswith(".")
    return submission.problem
