"""Lesson 10, residual connections: its predictions and the exercises of its sheet."""

from .by_hand import by_hand
from .predictions import PREDICTIONS
from .replace import replace
from .residual import residual
from .which_one import which_one

EXERCISES = [by_hand, residual, replace, which_one]

__all__ = ["EXERCISES", "PREDICTIONS"]
