"""Lesson 20, attention weights as explanation: its predictions and the exercises of its sheet."""

from .by_hand import by_hand
from .contributions import contributions_exercise as contributions
from .predictions import PREDICTIONS
from .spare import spare
from .twin import twin
from .verdict import verdict

EXERCISES = [by_hand, twin, contributions, verdict, spare]

__all__ = ["EXERCISES", "PREDICTIONS"]
