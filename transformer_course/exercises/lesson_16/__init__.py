"""Lesson 16, choosing the next token: its predictions and the exercises of its sheet."""

from .greedy import greedy
from .predictions import PREDICTIONS
from .top_p import top_p

EXERCISES = [greedy, top_p]

__all__ = ["EXERCISES", "PREDICTIONS"]
