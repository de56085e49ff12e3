"""A class that is graded with the command, and ways to read its results."""

import json
import re
from contextlib import nullcontext
from pathlib import Path

import pytest
from reporting import rows

from transformer_course.grading.run import TimeLimits
from transformer_course.grading.sandbox import bubblewrap, supervisor

# On a busy computer everything takes longer, and must come to the same marks.
PATIENT = TimeLimits(cell=600.0, answer=600.0, submission=1800.0, judging=600.0)
# `grade` with these limits, in a process of its own. They are set before the module that reads them is imported.
PATIENT_COMMAND = """
from transformer_course.runner import limits
limits.CELL_SECONDS = limits.ANSWER_SECONDS = limits.NOTEBOOK_SECONDS = limits.JUDGING_SECONDS = 600.0
from transformer_course.app.cli import app
app()
"""
SHEET = "03"
SHAPES, ATTEND, SPREAD, ONE_WAY, VERDICT = (
    "attention.shapes",
    "attention.scaled_dot_product",
    "attention.score_spread",
    "attention.one_way",
    "attention.saturated",
)
UNSCALED = """
def scaled_dot_product(query, key, value):
    import numpy as np
    scores = query @ key.swapaxes(-2, -1)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True) @ value
"""  # does not divide by √d_k
WRONG = {SHAPES: "shapes = 3", ONE_WAY: "one_way = [[[1.0]], [[1.0]]]"}


def table(out: Path) -> dict[str, dict[str, str]]:
    return {row["learner"]: row for row in rows(out)}


def stored(out: Path) -> dict[str, dict]:
    """Return each learner's result."""
    return {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in sorted((out / "results").glob("*.json"))}


def page(out: Path, learner: str) -> str:
    return re.sub(r"\s+", " ", (out / "feedback" / f"{learner}.html").read_text(encoding="utf-8"))


def grade_in(sandbox: supervisor.Sandbox, patch: pytest.MonkeyPatch) -> None:
    """Let the command grade in a sandbox that is there already, because loading torch into a new one takes seconds."""
    patch.setattr(bubblewrap.Bubblewrap, "start", lambda: None)
    patch.setattr(supervisor, "Sandbox", lambda _: nullcontext(sandbox))
