"""Lesson 19, the residual view: its predictions and the exercises of its sheet."""

from .predictions import PREDICTIONS

EXERCISES = []

__all__ = ["EXERCISES", "PREDICTIONS"]
