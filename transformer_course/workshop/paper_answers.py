"""The answers to the printed page of lesson 02, computed: a page for the instructor."""

import re

import numpy as np

from transformer_course._util import paths

from .leader_pages import PAGES

PAGE = "02_is_it_right"  # the sheet with the published numbers
TOKENS = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
ROUNDING = 0.6e-4  # to four decimal places: half a unit, and a little for floating-point error


def answers() -> str:
    """Return the page: every row of the tables, and what is wrong in the published numbers."""
    scores = TOKENS @ TOKENS.T
    exponentials = np.exp(scores)
    sums = exponentials.sum(axis=1, keepdims=True)
    weights = exponentials / sums
    outputs = weights @ TOKENS
    tables = [
        ("Scores", _rounded(scores, 0)),
        ("exp of each, and each row's sum", _rounded(np.hstack([exponentials, sums]))),
        ("Weights", _rounded(weights)),
        ("Outputs", _rounded(outputs)),
    ]
    printed = np.array(published())
    compared = [
        ("weights", _compared(printed[: weights.size].reshape(weights.shape), weights)),
        ("outputs", _compared(printed[weights.size :].reshape(outputs.shape), outputs)),
    ]
    return PAGES.get_template("paper_answers.html").render(tables=tables, published=compared)


def published() -> list[float]:
    """Return the published numbers from the printed page, row by row: first the weights, then the outputs."""
    page = (paths.ROOT / "docs" / "paper" / f"{PAGE}.html").read_text(encoding="utf-8")
    return [float(number) for number in re.findall(r"<td>(\d\.\d{4})</td>", page)]


def _rounded(rows: np.ndarray, digits: int = 4) -> list[list[str]]:
    return [[f"{number:.{digits}f}" for number in row] for row in rows]


def _compared(printed: np.ndarray, right: np.ndarray) -> list[list[tuple[str, str, bool]]]:
    """Return rows of (printed number, right number, whether the printed one is wrong)."""
    wrong = abs(printed - right) > ROUNDING
    return [list(zip(*row, strict=True)) for row in zip(_rounded(printed), _rounded(right), wrong, strict=True)]
