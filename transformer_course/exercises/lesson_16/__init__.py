"""Lesson 16, choosing the next token: its predictions and the exercises of its sheet."""

from .predictions import PREDICTIONS

EXERCISES = []

__all__ = ["EXERCISES", "PREDICTIONS"]
