"""Lesson 08, what extrapolates: its predictions and the exercises of its sheet."""

from .predictions import PREDICTIONS
from .previous import previous
from .rotate import positions_rotate
from .sight import sight
from .unseen import unseen

EXERCISES = [unseen, positions_rotate, previous, sight]

__all__ = ["EXERCISES", "PREDICTIONS"]
