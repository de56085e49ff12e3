"""Lesson 13, the decoder: its predictions and the exercises of its sheet."""

from .layer import layer
from .leak import leak
from .predictions import PREDICTIONS
from .reach import reach
from .swapped import trap

EXERCISES = [reach, layer, trap, leak]

__all__ = ["EXERCISES", "PREDICTIONS"]
