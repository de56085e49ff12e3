"""Lesson 21, reading sources critically: its predictions and the exercises of its sheet."""

from .predictions import PREDICTIONS

EXERCISES = []

__all__ = ["EXERCISES", "PREDICTIONS"]
