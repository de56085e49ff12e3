"""Lesson 01, why attention: its predictions and the exercises of its sheet."""

from .fading import recurrence_fading
from .paths import paths_lengths
from .plan import recall_plan
from .predictions import PREDICTIONS
from .states import recurrence_states
from .verdict import recall_verdict

EXERCISES = [recurrence_fading, recurrence_states, paths_lengths, recall_plan, recall_verdict]

__all__ = ["EXERCISES", "PREDICTIONS"]
