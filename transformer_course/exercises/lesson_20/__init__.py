"""Lesson 20, attention weights as explanation: its predictions and the exercises of its sheet."""

from .predictions import PREDICTIONS

EXERCISES = []

__all__ = ["EXERCISES", "PREDICTIONS"]
