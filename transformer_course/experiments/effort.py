"""How much is trained: ``TRANSFORMER_COURSE_TRAINING=light`` trains less, for slow computers, and says so where it does.

``light`` takes three-eighths of a training's steps, or one seed of several. ``short``, for tests, takes a few steps of what
the stages of the Build and lesson 00 train, and leaves all else as it is.
"""

import os
import sys

VARIABLE = "TRANSFORMER_COURSE_TRAINING"
LIGHT = 3 / 8
DIFFERS = "so numbers and pictures will differ from those that the text describes."
_said: dict[str, object] = {}  # each sentence, and the cell in which it was said last


def setting() -> str:
    """Return "full", "light" or "short"; say so if the variable holds anything else, which counts as "full"."""
    value = os.environ.get(VARIABLE) or "full"
    if value in ("full", "light", "short"):
        return value
    _say(f"{VARIABLE} should be light or full, got {value!r:.40}. Models are trained in full.")
    return "full"


def count(full: int, short: int | None = None) -> int:
    """Return how many of ``full`` steps a training takes; in tests, ``short`` if it is given."""
    if setting() == "short" and short is not None:
        return short
    return round(LIGHT * full) if setting() == "light" else full


def steps(full: int, short: int | None = None) -> int:
    """Return `count`, and say so if the training is light."""
    if setting() == "light":
        _say(f"Light training: {count(full):,} of {full:,} steps, {DIFFERS}")
    return count(full, short)


def seeds(full: int = 3) -> range:
    """Return the seeds with which the same training is repeated: 0, 1, …; if it is light, only 0, and say so."""
    if setting() != "light":
        return range(full)
    _say(f"Light training: 1 of {full} seeds, {DIFFERS}")
    return range(1)


def _say(sentence: str) -> None:
    """Print a sentence once per cell, or once per process outside a notebook."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    cell = shell.execution_count if shell else "no notebook"
    if _said.get(sentence) != cell:
        _said[sentence] = cell
        print(sentence)
