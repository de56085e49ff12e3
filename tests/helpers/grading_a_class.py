"""A class that is graded with the command, and ways to read its results."""

import csv
import re
from pathlib import Path

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


def table(out: Path) -> dict[str, dict[str, str]]:
    with open(out / "grades.csv", encoding="utf-8-sig", newline="") as file:
        return {row["learner"]: row for row in csv.DictReader(file)}


def page(out: Path, learner: str) -> str:
    return re.sub(r"\s+", " ", (out / "feedback" / f"{learner}.html").read_text(encoding="utf-8"))
