"""Lesson 17, what attention costs: its predictions and the exercises of its sheet."""

from .predictions import PREDICTIONS

EXERCISES = []

__all__ = ["EXERCISES", "PREDICTIONS"]
